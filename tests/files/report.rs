//! The report: what stands in it, what it says of what is missing, and how it behaves in Chromium.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use jostle::analysis;
use jostle::model::LogLevel;
use jostle::observe::{Observer, Outcome};
use jostle::record::{Header, Recorder, Status};
use jostle::report::{Page, PageOptions, Thinning, page};
use tempfile::TempDir;

use crate::fake::{World, header, output};
use crate::program::{self, Apart, Done, again, by_night, folder, jostle, repository};

/// A title that would do harm if it were not escaped.
const TITLE: &str = "{{frames}} </script><script>window.broken = 1</script> & \"µ\"";

fn hostile<const D: usize>(particles: usize) -> Header {
    let mut header = header::<D>(particles, output());
    header.title = TITLE.into();
    header.species[1].name = "receptor{free}".into();
    header.species[2].name = "receptor{<b>bound</b>}".into();
    header.source.text = format!("title = '{TITLE}'\n");
    header
}

/// A history with bonds, coalescence and contacts, flushed but not closed.
fn history<const D: usize>(path: &Path, header: &Header, frames: usize) -> (World<D>, Recorder<D>) {
    let mut world = World::<D>::new(header.particles);
    let mut recorder = Recorder::<D>::create(path, header, false).unwrap();
    let r = &mut recorder;
    r.step(&world.view()).unwrap();
    let mut whole = 0;
    for step in 1..frames {
        match step % 8 {
            1 => world.bond(2, 3, r),
            2 => world.bond(3, 4, r),
            3 => whole = world.coalesce(0, 1, r),
            4 => world.bond(5, 6, r),
            5 => world.unbond(2, 3, r),
            6 => world.split(whole, r),
            7 => world.unbond(3, 4, r),
            _ => world.unbond(5, 6, r),
        }
        world.touch(7, 8, Outcome::Bounced, r);
        world.hit_wall(9, r);
        world.step(r);
    }
    recorder.flush(world.clock).unwrap();
    (world, recorder)
}

/// The same, closed properly.
fn whole_history<const D: usize>(path: &Path, header: &Header, frames: usize) {
    let (world, recorder) = history::<D>(path, header, frames);
    recorder.finish(Status::Finished, world.clock).unwrap();
}

fn report(path: &Path, thinning: Option<Thinning>) -> Page {
    let mut options = PageOptions::default();
    options.thinning = thinning.unwrap_or(options.thinning);
    page(&analysis::open(path).unwrap(), &options).unwrap()
}

/// Lets the script beside this test look at the page of a file in Chromium.
fn drive(dir: &TempDir, file: &Path, drawer: &str) {
    let out = dir.path().join("report.html");
    std::fs::write(&out, report(file, None).html).unwrap();
    let script = repository().join("tests/python/drive_report.py");
    let mut python = program::python(dir.path());
    Done::from(python.arg(script).args([&out, file]).arg(drawer).output_apart()).succeeds();
}

#[test]
fn a_report_about_some_species_counts_only_these() {
    let dir = folder();
    let path = dir.path().join("run.h5md");
    whole_history::<2>(&path, &hostile::<2>(30), 20);
    let reading = analysis::open(&path).unwrap();
    let about = |species: &[&str]| {
        let species = species.iter().map(|&name| name.to_owned()).collect();
        page(&reading, &PageOptions { species, ..PageOptions::default() })
    };
    let [all, some] = [&[][..], &["receptor{free}"]].map(|species| about(species).unwrap().html);
    let said = "Clusters are as large as the number of their particles of receptor{free}.";
    assert!(some.contains(said) && !all.contains(said));
    let rows = |html: &str| html.matches("<td>receptor{&lt;b&gt;bound").count();
    assert!(rows(&all) > rows(&some), "{} {}", rows(&all), rows(&some));
    let why = about(&["zebra"]).unwrap_err().to_string();
    assert!(why.contains("no species \"zebra\""), "{why}");
}

#[test]
fn a_plane_is_played_in_chromium_with_webgl() {
    if !by_night() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plane.h5md");
    whole_history::<2>(&file, &hostile::<2>(24), 22);
    drive(&dir, &file, "WebGL");
}

#[test]
fn a_box_is_played_in_chromium_with_webgl() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("box.h5md");
    whole_history::<3>(&file, &hostile::<3>(24), 22);
    drive(&dir, &file, "WebGL");
}

#[test]
fn a_plane_is_played_in_chromium_on_a_plain_canvas() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("plane.h5md");
    whole_history::<2>(&file, &hostile::<2>(24), 22);
    drive(&dir, &file, "Canvas2D");
}

#[test]
fn a_box_is_played_in_chromium_on_a_plain_canvas() {
    if !by_night() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("box.h5md");
    whole_history::<3>(&file, &hostile::<3>(24), 22);
    drive(&dir, &file, "Canvas2D");
}

/// A shaken box in the plane and a shaken cylinder, for four periods of the shaking or so.
#[test]
fn the_walls_of_a_mill_move_in_chromium() {
    let dir = tempfile::tempdir().unwrap();
    for (model, drawer) in [("shaker_polysized", "WebGL"), ("shaker_cylinder_3d", "Canvas2D")] {
        let [file, page] = ["h5md", "html"].map(|end| dir.path().join(format!("{model}.{end}")));
        let [file_name, page_name] = [&file, &page].map(|path| path.to_str().unwrap());
        let shipped = repository().join(format!("models/{model}.toml"));
        let run =
            ["run", shipped.to_str().unwrap(), "--out", file_name, "--until", "0.1 s", "--quiet"];
        jostle(dir.path(), &[&run[..], &["--set", "output.every=0.007 s"]].concat()).succeeds();
        jostle(dir.path(), &["report", file_name, "--out", page_name]).succeeds();
        let script = repository().join("tests/python/drive_mill.py");
        let mut python = program::python(dir.path());
        Done::from(python.arg(script).args([&page, &file]).arg(drawer).output_apart()).succeeds();
    }
}

#[test]
fn a_line_has_its_page_too() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("line.h5md");
    whole_history::<1>(&file, &header::<1>(12, output()), 10);
    let page = report(&file, None);
    assert_eq!(page.notes, [""; 0]);
    assert_eq!(page.html.matches("class=\"frame\"").count(), 10);
    assert!(
        page.html.contains("\"dimension\":1") && page.html.contains("<dd>100 nm, periodic</dd>")
    );
}

/// A box of the fake world with surfaces in it, one of them with a name that would do harm if it
/// were not escaped.
const SURFACES: &str = "[space]\ndimension = 3\nedges = ['100 nm', '80 nm', '60 nm']\n[run]\ntimestep = '1 us'\nsteps = 1\n\
                        [[surface]]\nname = '<b>&cell'\nsphere = { centre = ['50 nm', '40 nm', '30 nm'], radius = '20 nm' }\n\
                        [[surface]]\nname = 'sheet'\nplane = { axis = 'z', at = '10 nm' }\n\
                        [[species]]\nname = 'A'\nradius = '1 nm'\ndiffusion = '1 um^2/s'\ncount = 1\n";

/// The page and the picture of a file whose model is this text.
fn seen(resolved: &str) -> (Page, String) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("surfaces.h5md");
    let mut header = header::<3>(12, output());
    header.source.resolved = resolved.into();
    whole_history::<3>(&file, &header, 3);
    let drawn =
        jostle(dir.path(), &["snapshot", "surfaces.h5md", "--out", "picture.svg"]).succeeds();
    let picture = std::fs::read_to_string(dir.path().join("picture.svg")).unwrap();
    (report(&file, None), drawn.err + &picture)
}

#[test]
fn surfaces_are_in_pictures_and_in_the_player_by_name() {
    let (page, picture) = seen(SURFACES);
    assert_eq!(page.notes, [""; 0]);
    let head = page.html.split("id=\"head\">").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(!head.contains("<b>"));
    let head: serde_json::Value = serde_json::from_str(head).unwrap();
    let surfaces = head["surfaces"].as_array().unwrap();
    let names: Vec<_> = surfaces.iter().map(|surface| surface["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["<b>&cell", "sheet"]);
    for surface in surfaces {
        assert!(surface["lines"].as_str().unwrap().len() > 100);
    }
    assert!(
        picture.contains("&lt;b&gt;&amp;cell")
            && picture.contains(">sheet<")
            && !picture.contains("<b>")
    );
    let (none, plain) = seen("");
    assert!(
        none.notes.is_empty()
            && plain.matches("<polyline").count() + 100 < picture.matches("<polyline").count()
    );
}

#[test]
fn a_model_that_makes_no_sense_leaves_the_surfaces_out_and_says_so() {
    for damage in [
        ("sheet", "<b>&cell"),
        ("axis = 'z'", "axis = 'w'"),
        ("dimension = 3", "dimension = 2"),
        ("[[species]]", "[[sp"),
    ] {
        let (page, picture) = seen(&SURFACES.replace(damage.0, damage.1));
        assert!(says(&page, "The surfaces are not shown"), "{damage:?}: {:?}", page.notes);
        assert!(
            picture.contains("drawn without surfaces") && picture.contains("</svg>"),
            "{damage:?}"
        );
    }
}

/// What a page says beside its title, as the reader sees it.
fn says(page: &Page, text: &str) -> bool {
    page.notes.iter().any(|note| note.contains(text)) && page.html.contains(text)
}

#[test]
fn a_page_tells_what_was_run_and_what_came_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("told.h5md");
    whole_history::<2>(&file, &header::<2>(24, output()), 22);
    let page = report(&file, None);
    assert_eq!(page.notes, [""; 0]);
    assert!(page.frames.starts_with("The player has all 22 frames ("), "{}", page.frames);
    for expected in [
        "a world by decree",
        "100 × 80 nm, periodic",
        "<dt>seed</dt><dd>42</dd>",
        "<code>seed=42</code>",
        "title = &quot;µ&quot;",
        "none: contacts are made up",
        // 21 steps: a contact with a particle and with a wall in each, a rule in each.
        "<td>ligand</td><td>receptor</td><td>bounced</td><td class=\"number\">21</td>",
        "<td>receptor</td><td>wall</td><td>bounced</td><td class=\"number\">21</td>",
        "<td>hold</td><td>bonded</td><td class=\"number\">9</td>",
        "<td>merge</td><td>coalesced</td><td class=\"number\">3</td>",
        // in the first frame and in the last
        "<td>ligand</td><td class=\"number\">1</td><td class=\"number\">2</td><td class=\"number\">12</td><td class=\"number\">11</td>",
    ] {
        assert!(page.html.contains(expected), "{expected}");
    }
}

#[test]
fn frames_are_thinned_to_what_is_asked_or_what_fits() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("thin.h5md");
    whole_history::<3>(&file, &header::<3>(200, output()), 81);
    let chosen = |page: &Page| -> Vec<usize> {
        let head =
            page.html.split("id=\"head\">").nth(1).unwrap().split("</script>").next().unwrap();
        let head: serde_json::Value = serde_json::from_str(head).unwrap();
        let frames = head["frames"].as_array().unwrap().iter();
        frames.map(|frame| frame["frame"].as_u64().unwrap() as usize).collect()
    };
    let bytes = |page: &Page| -> usize {
        let frames = page.html.split("class=\"frame\">").skip(1);
        frames.map(|rest| rest.split('<').next().unwrap().len()).sum()
    };
    let page = report(&file, Some(Thinning::Frames(9)));
    assert_eq!(chosen(&page), [0, 10, 20, 30, 40, 50, 60, 70, 80]);
    assert!(
        says(&page, "The player has 9 of 81 frames, evenly chosen, as asked for"),
        "{:?}",
        page.notes
    );
    let all = bytes(&report(&file, None));
    for budget in [all - 1, all / 2, all / 7] {
        let page = report(&file, Some(Thinning::Bytes(budget)));
        let frames = chosen(&page);
        // As many as fit: what is left over is no more than a quarter of the budget.
        assert!((3 * budget / 4..=budget).contains(&bytes(&page)), "{} of {budget}", bytes(&page));
        assert_eq!((frames[0], frames[frames.len() - 1]), (0, 80));
        assert!(says(&page, "to keep the page small"), "{:?}", page.notes);
    }
    let page = report(&file, Some(Thinning::Bytes(10)));
    assert_eq!(chosen(&page), [80], "one frame is the least, and it is the last");
    assert_eq!(chosen(&report(&file, Some(Thinning::Frames(1000)))).len(), 81);
}

#[test]
fn a_file_without_frames_or_contacts_has_a_page_that_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("empty.h5md");
    let mut asked = output();
    asked.log = LogLevel::None;
    let recorder = Recorder::<3>::create(&file, &header::<3>(10, asked), false).unwrap();
    recorder.finish(Status::Finished, World::<3>::new(1).clock).unwrap();
    let page = report(&file, None);
    assert!(says(&page, "The file has no frame"), "{:?}", page.notes);
    assert!(page.notes.iter().any(|note| note.contains("kept no contacts")), "{:?}", page.notes);
    assert!(!page.html.contains("id=\"player\"") && page.html.contains("a world by decree"));
}

#[test]
fn what_a_file_lacks_is_named_and_the_rest_is_shown() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("poor.h5md");
    whole_history::<3>(&file, &header::<3>(24, output()), 22);
    // A process that another test starts at this moment holds the lock of the file just written until it
    // runs its program.
    let opened = (0..100).find_map(|_| {
        let opened = hdf5::File::open_rw(&file).ok();
        opened.or_else(|| {
            std::thread::sleep(Duration::from_millis(50));
            None
        })
    });
    let content = opened.expect("the lock of the file is free after five seconds");
    for name in
        ["connectivity", "events", "observables", "runs", "parameters/title", "parameters/model"]
    {
        content.unlink(name).unwrap();
    }
    content.close().unwrap();
    let page = report(&file, None);
    for said in [
        "The file, written by jostle 0.1.0, has no model, no history of runs, no clusters, no contact log",
        "no bonds (/connectivity/bonds/value): the player goes without",
        "Contacts: the file has no /events/",
        "Rules: the file has no /events/changes",
        "The model: the file has no /parameters/model",
    ] {
        assert!(says(&page, said), "{said} is not in {:?}", page.notes);
    }
    assert_eq!(page.notes.len(), 5, "{:?}", page.notes);
    assert_eq!(page.html.matches("class=\"frame\"").count(), 22);
    assert!(page.html.contains("figure-cluster_sizes") && page.html.contains("class=\"still\""));
    assert!(page.html.contains("<h1>poor</h1>"), "without a title, the file's name stands there");
}

/// This test is also the process that writes and is killed.
#[test]
fn a_page_tells_that_its_file_is_being_written_and_that_a_run_was_killed() {
    if let Some(path) = std::env::var_os("JOSTLE_CHILD") {
        let _kept = history::<2>(Path::new(&path), &header::<2>(24, output()), 9);
        println!("\nready");
        // Until it is killed; a minute if nobody does.
        std::thread::sleep(Duration::from_secs(60));
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("written.h5md");
    let test = "a_page_tells_that_its_file_is_being_written_and_that_a_run_was_killed";
    let mut child = again(module_path!(), test, &file).stdout(Stdio::piped()).spawn_apart();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "ready"), "the child does not write");
    let written = report(&file, None);
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = report(&file, None);
    assert!(says(&written, "A run is still writing this file"), "{:?}", written.notes);
    assert!(says(&killed, "The run did not end properly"), "{:?}", killed.notes);
    for page in [written, killed] {
        assert!(page.html.matches("class=\"frame\"").count() >= 8, "{}", page.frames);
    }
}

#[test]
fn the_command_writes_the_page_and_replaces_it_only_on_demand() {
    let dir = folder();
    jostle(dir.path(), &["run", "model.toml", "-q"]).succeeds();
    let done = jostle(dir.path(), &["report", "model.h5md"]).succeeds();
    assert!(
        done.out.starts_with("model.html, ") && done.out.contains("all 41 frames"),
        "{}",
        done.out
    );
    let html = std::fs::read_to_string(dir.path().join("model.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<title>Receptors</title>"));
    assert!(jostle(dir.path(), &["report", "model.h5md"]).fails().contains("--force"));
    let few = ["report", "model.h5md", "--out", "few.html", "--frames", "5", "--force"];
    assert!(jostle(dir.path(), &few).succeeds().out.contains("5 of 41 frames"));
    let about = |names| ["report", "model.h5md", "--out", "some.html", "--species", names];
    jostle(dir.path(), &about("A")).succeeds();
    let forced = [&about("A,zebra")[..], &["--force"]].concat();
    assert!(jostle(dir.path(), &forced).fails().contains("no species \"zebra\""));
    let none = jostle(dir.path(), &["report", "model.h5md", "--out", "none/x.html"]);
    assert!(none.fails().contains("none/x.html"));
    assert!(
        jostle(dir.path(), &["report", "model.toml", "--force"])
            .fails()
            .contains("not an HDF5 file")
    );
}
