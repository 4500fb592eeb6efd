//! Everything that is asked of a result file: information, measurements, figures, tables, pages,
//! pictures, exports.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jostle::analysis::contacts::{
    Apart, Filter, Grouping, Key, LogBins, Query, intervals, places, rebinding,
};
use jostle::analysis::{
    self, Along, Format as TableFormat, Goal, ReadError, Reading, Scope, Table,
};
use jostle::export::{self, Format, LengthUnit, Options};
use jostle::model;
use jostle::report::{
    ColourBy, Page, PageOptions, PictureError, Sheet, Snapshot, SnapshotOptions, Thinning, figures,
    page,
};

/// What can be asked. Answers are made into text, as the program does; an error is an answer too.
type Question = fn(&Reading, &Path) -> Result<(), ReadError>;

const QUESTIONS: &[Question] = &[
    info,
    counts,
    sites,
    sizes,
    displacement,
    jumps,
    rdf,
    density,
    rates,
    lifetimes,
    transitions,
    survival,
    passage,
    impacts,
    energy,
    attraction,
    polymers,
    pressure,
    forces,
    stress,
    contacts,
    groups,
    histograms,
    genealogy,
    replay,
    again,
    itself,
    report,
    snapshot,
    exports,
    applied,
    sides,
];

/// Opens a file and asks one question, or all if it is number 255.
pub fn ask(path: &Path, question: u8) {
    if question == 255 {
        return ask_everything(path);
    }
    let Some(reading) = open(path) else { return };
    reported(QUESTIONS[usize::from(question) % QUESTIONS.len()](&reading, path));
}

/// Opens a file and asks all there is to ask.
pub fn ask_everything(path: &Path) {
    let Some(reading) = open(path) else { return };
    QUESTIONS.iter().for_each(|ask| reported(ask(&reading, path)));
}

fn open(path: &Path) -> Option<Reading> {
    let opened = analysis::open(path);
    opened.map_err(|error| reported(Err(error))).ok()
}

/// How many questions were answered, and how many refused with a message.
pub static ANSWERED: AtomicUsize = AtomicUsize::new(0);
pub static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// An error names the file.
fn reported(answer: Result<(), ReadError>) {
    if answer.is_ok() { &ANSWERED } else { &REFUSED }.fetch_add(1, Ordering::Relaxed);
    if let Err(error) = answer {
        let said = error.to_string();
        assert!(said.contains(".h5md"), "{said}");
    }
}

fn show(table: &Table) {
    assert!(!table.to_string().contains(|c: char| c.is_control() && c != '\n'));
    for format in [TableFormat::Csv, TableFormat::Json] {
        let mut out = Vec::new();
        table.write(format, &mut out).expect("memory takes everything");
        if format == TableFormat::Json {
            serde_json::from_slice::<serde_json::Value>(&out).expect("JSON");
        }
    }
}

fn draw(sheet: &Sheet) {
    sheet.to_svg();
}

fn whole() -> Scope {
    Scope::default()
}

fn info(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::info(reading)?;
    show(&found.to_table());
    assert!(!found.to_string().contains(|c: char| c.is_control() && c != '\n'));
    reading.whole_frames();
    Ok(())
}

fn sides(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let surfaces = analysis::surfaces(reading)?.surroundings.surfaces;
    let name = surfaces.first().map_or("none", |surface| surface.name.as_str());
    let inside = analysis::Beside { which: analysis::Which::Inside, surface: name.to_owned() };
    analysis::counts_beside(reading, &whole(), std::slice::from_ref(&inside))?;
    let filter = Filter { sides: vec![inside], ..Filter::default() };
    Query::new(reading, &filter)?.count().map(|_| ())
}

fn counts(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::counts(reading, &whole())?;
    show(&found.to_table());
    show(&found.series_to_table());
    draw(&figures::counts(&found).draw());
    Ok(())
}

fn sites(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::site_occupancy(reading, &whole())?;
    show(&found.to_table());
    show(&found.series_to_table());
    show(&found.binding_to_table());
    let patterns = ["M", "M(a!+,y~p)", "M(a!1).M(a!1,a!2).M(a!2)"].map(str::to_owned);
    let found = analysis::pattern_counts(reading, &whole(), &patterns)?;
    show(&found.to_table());
    show(&found.series_to_table());
    Ok(())
}

fn sizes(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::cluster_sizes(reading, &whole())?;
    show(&found.to_table());
    show(&found.to_histogram());
    draw(&figures::cluster_sizes(&found).draw());
    if let Some(distribution) = found.distribution() {
        show(&distribution.to_table());
        draw(&figures::size_distribution(&distribution).draw());
    }
    Ok(())
}

fn displacement(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found =
        analysis::mean_squared_displacement(reading, &whole(), &analysis::LagOptions::default())?;
    show(&found.to_table());
    show(&found.fits_to_table());
    show(&found.long_to_table());
    show(&found.axes_to_table());
    found.said();
    show(&found.sizes_to_table());
    draw(&figures::mean_squared_displacement(&found).draw());
    draw(&figures::displacement_by_size(&found).draw());
    draw(&figures::diffusion_by_size(&found).draw());
    Ok(())
}

fn jumps(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::jumps(reading, &whole(), None, 50)?;
    show(&found.to_table());
    show(&found.bins_to_table());
    draw(&figures::jumps(&found).draw());
    Ok(())
}

fn rdf(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::radial_distribution(reading, &whole(), None, None)?;
    show(&found.to_table());
    show(&found.summary());
    draw(&figures::radial_distribution(&found).draw());
    Ok(())
}

fn density(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    for along in [Along::Axis(0), Along::Radius, Along::Map] {
        let found = analysis::density(reading, &whole(), along, 10)?;
        show(&found.to_table());
        show(&found.summary());
        let [x, y, _] = reading.edges();
        match along {
            Along::Map => draw(&figures::density_map(&found, [x, y]).draw()),
            _ => draw(&figures::density(&found).draw()),
        }
    }
    Ok(())
}

fn rates(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::rates(reading, &whole(), 10)?;
    show(&found.to_table());
    show(&found.bins_to_table());
    draw(&figures::rates(&found).draw());
    Ok(())
}

fn lifetimes(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::lifetimes(reading, &whole(), None)?;
    show(&found.to_table());
    show(&found.curves_to_table());
    draw(&figures::lifetimes(&found).draw());
    draw(&figures::mean_life_by_size(&found).draw());
    Ok(())
}

fn transitions(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::transitions(reading, &whole())?;
    show(&found.most_frequent(5).to_table());
    draw(&figures::transitions(&found).draw());
    draw(&figures::transition_map(&found).draw());
    Ok(())
}

fn survival(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::survival(reading, &whole(), None)?;
    show(&found.to_table());
    show(&found.curves_to_table());
    draw(&figures::survival(&found).draw());
    Ok(())
}

fn passage(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let goal = Goal::handy_distance(reading, &whole())?;
    let found = analysis::first_passage(reading, &whole(), &goal, None)?;
    show(&found.to_table());
    show(&found.curves_to_table());
    draw(&figures::first_passage(&found).draw());
    Ok(())
}

fn impacts(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::impacts(reading, &whole(), 30)?;
    show(&found.to_table());
    show(&found.sizes_to_table());
    show(&found.spectrum_to_table());
    draw(&figures::impact_spectrum(&found).draw());
    Ok(())
}

fn energy(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::energy(reading, &whole())?;
    show(&found.to_table());
    show(&found.series_to_table());
    draw(&figures::energy(&found).draw());
    Ok(())
}

fn attraction(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::potential_energy(reading, &whole())?;
    show(&found.to_table());
    show(&found.shells_to_table());
    show(&found.series_to_table());
    draw(&figures::potential_energy(&found).draw());
    Ok(())
}

fn pressure(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::pressure(reading, &whole())?;
    show(&found.to_table());
    show(&found.series_to_table());
    draw(&figures::pressure(&found).draw());
    Ok(())
}

fn polymers(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::polymers(reading, &whole())?;
    show(&found.to_table());
    show(&found.squares_to_table());
    show(&found.bonds_to_table());
    show(&found.series_to_table());
    draw(&figures::polymers(&found).draw());
    Ok(())
}

fn forces(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::forces(reading, &whole(), 40)?;
    show(&found.to_table());
    show(&found.series_to_table());
    show(&found.distribution_to_table());
    show(&found.walls_to_table());
    draw(&figures::force_distribution(&found).draw());
    draw(&figures::coordination(&found).draw());
    let last = reading.frames().saturating_sub(1);
    let network =
        Snapshot::of_frame(reading, last, ColourBy::Species)?.with_forces(reading, last)?;
    draw(&network.draw(&SnapshotOptions::default()));
    Ok(())
}

fn stress(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let place = analysis::Place::default();
    let found = analysis::stress(reading, &whole(), &place, Some((Along::Axis(1), 5)))?;
    show(&found.to_table());
    show(&found.series_to_table());
    draw(&figures::stress(&found).draw());
    if let Some(profile) = &found.profile {
        show(&profile.to_table());
        draw(&figures::stress_profile(profile).draw());
    }
    Ok(())
}

fn contacts(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::contacts_by_pair(reading, &Filter::default())?;
    show(&found.to_table());
    draw(&figures::contact_rates(&found).draw());
    let query = Query::new(reading, &Filter::default())?;
    query.count()?;
    let mut rows = Table { columns: analysis::contacts::columns(reading).0, rows: Vec::new() };
    analysis::contacts::list(&query, 100, |table: &Table| {
        rows.rows.extend_from_slice(&table.rows);
        Ok::<(), ReadError>(())
    })?;
    show(&rows);
    Ok(())
}

fn groups(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let query = Query::new(reading, &Filter::default())?;
    for key in [Key::Outcome, Key::Rule, Key::Particle, Key::Pair, Key::Cluster, Key::Time] {
        show(&query.group(&Grouping { keys: vec![key], every: None })?.to_table());
    }
    Ok(())
}

fn histograms(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let query = Query::new(reading, &Filter::default())?;
    draw(&figures::contact_intervals(&intervals(&query, Apart::Pair, LogBins::About(20))?).draw());
    let found = places(&query, &[0], 10)?;
    show(&found.to_table());
    draw(&figures::contact_profile(&found).draw());
    draw(
        &figures::rebinding_times(&rebinding(reading, &Filter::default(), LogBins::About(20))?)
            .draw(),
    );
    Ok(())
}

fn genealogy(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let found = analysis::genealogy(reading)?;
    show(&found.eventful().to_table());
    show(&found.of_size(2).to_table());
    found.write_graphml(&mut Vec::new()).expect("memory takes everything");
    found.write_dot(&mut Vec::new()).expect("memory takes everything");
    Ok(())
}

fn replay(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let state = analysis::replay(reading, reading.last_step()?)?;
    let clusters: Vec<u64> = state.cluster_of().values().copied().collect();
    clusters.into_iter().for_each(|cluster| assert!(state.size(cluster) < u64::MAX));
    Ok(())
}

fn applied(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let steps = reading.last_step()?;
    let found = analysis::rules_applied(reading, steps, 10)?;
    found.iter().for_each(|one| assert!(one.total() > 0));
    reading.species_data()?;
    reading.state_hashes()?;
    reading.largest_clusters()?;
    Ok(())
}

/// What `jostle rerun` and `jostle check` begin with.
fn again(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let (_, resolved) = reading.model()?;
    let _ = model::parse(&resolved, "resolved", &[]).map(|model| model.warnings());
    Ok(())
}

/// A file is compared with itself, and with a good one.
fn itself(reading: &Reading, path: &Path) -> Result<(), ReadError> {
    let found = analysis::compare(reading, reading, None)?;
    let said = found.to_string();
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    let good = path.with_file_name("good.h5md");
    std::fs::write(&good, super::Small::Brownian.bytes()).expect("the folder can be written to");
    let found = analysis::compare(reading, &analysis::open(&good)?, Some(20))?;
    let said = found.to_string();
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    Ok(())
}

fn report(reading: &Reading, _: &Path) -> Result<(), ReadError> {
    let Page { html, .. } =
        page(reading, &PageOptions { thinning: Thinning::Frames(3), ..PageOptions::default() })?;
    assert!(html.len() < 100_000_000);
    Ok(())
}

fn snapshot(reading: &Reading, path: &Path) -> Result<(), ReadError> {
    let last = reading.frames().saturating_sub(1);
    let options = SnapshotOptions {
        periodic: reading.periodic().unwrap_or_default(),
        ..SnapshotOptions::default()
    };
    for by in [ColourBy::ClusterSize, ColourBy::Speed, ColourBy::Site("y".to_owned())] {
        if let Ok(snapshot) = Snapshot::of_frame(reading, last, by) {
            draw(&snapshot.draw(&options));
        }
    }
    let sheet = Snapshot::of_frame(reading, last, ColourBy::what_matters(reading)?)?.draw(&options);
    draw(&sheet);
    match sheet.save(&path.with_file_name("picture.png")) {
        Ok(()) | Err(PictureError::Write { .. }) => Ok(()),
        Err(error) => panic!("{error}"),
    }
}

fn exports(reading: &Reading, path: &Path) -> Result<(), ReadError> {
    let stop = AtomicBool::new(false);
    let formats = [
        Format::Xyz,
        Format::Simularium,
        Format::SimulariumBinary,
        Format::Csv,
        Format::Vtp,
        Format::Graphml,
    ];
    for (format, unwrap) in formats.into_iter().flat_map(|format| [(format, false), (format, true)])
    {
        let last = reading.frames().min(5);
        let options = Options {
            // A graph has one frame.
            frames: if format == Format::Graphml { last.saturating_sub(1)..last } else { 0..last },
            every: 1,
            species: Vec::new(),
            unwrap,
            length_unit: LengthUnit::Nanometre,
            force: true,
            stop: &stop,
        };
        let out = path.with_file_name("exported").with_extension(format.ending());
        if let Err(error) = export::export(reading, &out, format, &options) {
            assert!(!error.to_string().is_empty());
        }
    }
    Ok(())
}
