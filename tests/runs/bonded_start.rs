//! A run resumes from the last frame of another with its clusters: bonds are taken over from H5MD
//! files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use jostle::analysis::{self, Reading};
use jostle::model::{self, FirstBond, Model};
use jostle::observe::Clock;
use jostle::record::schema::ChangeRow;
use jostle::run::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use jostle::run::{Ending, Options, run};

use crate::program::inherited_by_none;

/// \[nm\]
const EDGES: [f64; 2] = [150.0, 130.0];

/// Disks of two species in a membrane that closes on itself; `bodies` says where each species is.
fn text(particles: [&str; 2], rules: &str, steps: u32) -> String {
    let [a, b] = particles;
    format!(
        "[space]\ndimension = 2\nedges = ['150 nm', '130 nm']\nboundary = 'periodic'\n\
         [run]\ntimestep = '100 ns'\nsteps = {steps}\nseed = 8\n\
         [[species]]\nname = 'A'\nradius = '2.5 nm'\ndiffusion = '2 um^2/s'\n{a}\n\
         [[species]]\nname = 'B'\nstates = ['x', 'y']\nradius = '2 nm'\ndiffusion = '3 um^2/s'\n{b}\n\
         {rules}\n[output]\nframes = 10\n"
    )
}

fn bind(name: &str, on: &str, more: &str) -> String {
    format!(
        "[[rule]]\nname = '{name}'\ndo = 'bind'\nmerge = 'bond'\non = [{on}]\nrate = '10 um^2/s'\n\
         max_bonds = 3\n{more}\n"
    )
}

fn execute(model: &Model, out: &Path, checkpoints: Checkpoints<'_>, until: u64) -> Ending {
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(out),
        force: false,
        self_check: true,
        stop: &stop,
        progress: &mut |clock: Clock| stop.store(clock.step >= until, Ordering::Relaxed),
        checkpoints,
    };
    run(model, options).unwrap_or_else(|error| panic!("{error}")).ending
}

pub(crate) fn parsed(text: &str, folder: &Path) -> Model {
    let name = folder.join("model.toml");
    model::parse(text, name.to_str().unwrap(), &[]).unwrap_or_else(|faults| panic!("{faults}"))
}

/// The first run: of lone disks, which bind.
fn grown(folder: &Path, rules: &str) -> PathBuf {
    let out = folder.join("grown.h5md");
    let model = parsed(&text(["count = 90", "count = 60"], rules, 400), folder);
    execute(&model, &out, Checkpoints::default(), u64::MAX);
    out
}

/// Bonds and clusters of a frame, by slot.
#[derive(Debug, PartialEq)]
struct Shape {
    bonds: BTreeSet<[usize; 2]>,
    clusters: BTreeSet<BTreeSet<usize>>,
}

impl Shape {
    fn of(reading: &Reading, frame: usize, name: impl Fn(usize) -> usize) -> Self {
        let data = reading.frame_data(frame..frame + 1, 0..reading.slots()).unwrap();
        let bond = |pair: &[i32; 2]| {
            let [a, b] = pair.map(|slot| name(slot as usize));
            [a.min(b), a.max(b)]
        };
        let mut clusters = BTreeMap::<i64, BTreeSet<usize>>::new();
        for slot in (0..reading.slots()).filter(|&slot| data.id[[0, slot]] >= 0) {
            clusters.entry(data.cluster[[0, slot]]).or_default().insert(name(slot));
        }
        let bonds: Vec<_> = reading.bonds(frame).unwrap().iter().map(bond).collect();
        Self { bonds: bonds.into_iter().collect(), clusters: clusters.into_values().collect() }
    }
}

/// Where everybody is in a frame, by slot.
fn places(reading: &Reading, frame: usize) -> Vec<Option<[f64; 2]>> {
    let position = reading.positions(frame..frame + 1, 0..reading.slots()).unwrap();
    let place = |slot| [0, 1].map(|k| position[[0, slot, k]]);
    (0..reading.slots()).map(place).map(|place| place[0].is_finite().then_some(place)).collect()
}

/// Holds the first frame of a run to the last of that which it began from: the same places but for
/// rounding, bonds and clusters.
fn hold_taken_over(before: &Reading, after: &Reading) -> Shape {
    let last = before.frames() - 1;
    let (was, is) = (places(before, last), places(after, 0));
    let near = |a: &[f64; 2], b: &[f64; 2]| {
        EDGES.iter().zip(a.iter().zip(b)).all(|(edge, (a, b))| {
            let apart = (a - b).abs();
            apart.min(edge - apart) < 1e-3
        })
    };
    let slot_before = |slot: usize| {
        let here = is[slot].as_ref().unwrap();
        was.iter().position(|place| place.as_ref().is_some_and(|place| near(place, here))).unwrap()
    };
    let shape = Shape::of(before, last, |slot| slot);
    assert_eq!(Shape::of(after, 0, slot_before), shape);
    shape
}

/// How many bonds broke in a run, and by which rule.
fn broken(path: &Path) -> Vec<u16> {
    let rows = hdf5::File::open(path).unwrap().dataset("events/changes").unwrap();
    let rows = rows.read_raw::<ChangeRow>().unwrap();
    rows.iter().filter(|row| row.broken > 0).map(|row| row.rule).collect()
}

fn hold_equal(a: &Path, b: &Path) {
    let [a, b] = [a, b].map(|path| analysis::open(path).unwrap());
    let found = analysis::compare(&a, &b, None).unwrap();
    assert!(found.is_equal(), "{found}");
}

const FROM: [&str; 2] = ["placement = { file = 'grown.h5md' }"; 2];

#[test]
fn clusters_continue_from_the_last_frame_of_another_run() {
    let dir = tempfile::tempdir().unwrap();
    let rules = bind("grow", "'A', 'A'", "") + &bind("tie", "'A', 'B'", "unbind = '20000 /s'");
    let before = analysis::open(&grown(dir.path(), &rules)).unwrap();
    let model = parsed(&text(FROM, &rules, 600), dir.path());
    assert_eq!(model.warnings(), [""; 0]);
    let path = dir.path().join("on.h5md");
    execute(&model, &path, Checkpoints::default(), u64::MAX);
    let after = analysis::open(&path).unwrap();
    let shape = hold_taken_over(&before, &after);
    assert!(shape.bonds.len() > 30 && shape.clusters.len() > 10, "{shape:?}");
    assert!(!broken(&path).is_empty());
    // The log leads from the first frame to every other.
    let state = analysis::replay(&after, 600).unwrap();
    let data = after.frame_data(after.frames() - 1..after.frames(), 0..after.slots()).unwrap();
    let ids = data.id.iter().zip(&data.cluster).filter(|(id, _)| **id >= 0);
    let last: BTreeMap<u64, u64> = ids.map(|(id, cluster)| (*id as u64, *cluster as u64)).collect();
    assert_eq!(*state.cluster_of(), last);
    assert_eq!(state.bonds().count(), after.bonds(after.frames() - 1).unwrap().len());
    // What the file carries gives it again, without the file that it began from.
    std::fs::remove_file(dir.path().join("grown.h5md")).unwrap();
    let again = model::parse(&after.model().unwrap().1, "resolved", &[]).unwrap();
    let second = dir.path().join("again.h5md");
    execute(&again, &second, Checkpoints::default(), u64::MAX);
    hold_equal(&path, &second);
    // So does a run in two parts, with another search structure.
    let naive =
        jostle::search::Settings { kind: jostle::search::Kind::Naive, ..Default::default() };
    let other = again.searched(naive);
    let third = dir.path().join("parts.h5md");
    let kept = || Checkpoints { every: Some(Cadence::AtStops), ..Checkpoints::default() };
    assert_eq!(execute(&other, &third, kept(), 250), Ending::Interrupted);
    inherited_by_none();
    let from = Some(Checkpoint::open(&checkpoints_of(&third)[0], &third).unwrap());
    assert_eq!(execute(&other, &third, Checkpoints { from, ..kept() }, u64::MAX), Ending::Finished);
    hold_equal(&path, &third);
}

#[test]
fn bonds_that_nothing_breaks_stay() {
    let dir = tempfile::tempdir().unwrap();
    let rules = bind("grow", "'A', 'A'", "") + &bind("tie", "'A', 'B'", "unbind = '20000 /s'");
    let before = analysis::open(&grown(dir.path(), &rules)).unwrap();
    let rules = bind("grow", "'A', 'A'", "") + &bind("tie", "'A', 'B'", "");
    let path = dir.path().join("on.h5md");
    execute(&parsed(&text(FROM, &rules, 300), dir.path()), &path, Checkpoints::default(), u64::MAX);
    let after = analysis::open(&path).unwrap();
    hold_taken_over(&before, &after);
    let [first, last] =
        [0, after.frames() - 1].map(|frame| Shape::of(&after, frame, |slot| slot).bonds);
    assert!(first.is_subset(&last) && broken(&path).is_empty());
    // Nobody has more bonds than the rules allow, those from the start included.
    let mut bonds = BTreeMap::<usize, usize>::new();
    last.iter().flatten().for_each(|&slot| *bonds.entry(slot).or_default() += 1);
    assert_eq!(bonds.values().max(), Some(&3));
}

/// Two rules bind the same species, and those that are bound change their state.
#[test]
fn a_bond_keeps_the_rule_that_made_it() {
    let dir = tempfile::tempdir().unwrap();
    let change = "[[rule]]\nname = 'change'\ndo = 'convert'\non = ['B{x}']\nproducts = ['B{y}']\nrate = '5000 /s'\n";
    let rules =
        |unbind| bind("weak", "'A', 'B{x}'", unbind) + &bind("strong", "'A', 'B{x}'", "") + change;
    grown(dir.path(), &rules(""));
    let model = parsed(&text(FROM, &rules("unbind = '100000 /s'"), 400), dir.path());
    assert_eq!(model.warnings(), [""; 0]);
    let by = |rule| model.bonds().iter().filter(|bond| bond.rule == Some(rule)).count();
    assert!((0..2).all(|rule| by(rule) > 5), "{:?}", model.bonds());
    let bound_to_y = |bond: &&FirstBond| bond.ends.map(|end| end.0) == [0, 2];
    assert!(model.bonds().iter().any(|bond| bound_to_y(&bond)), "nobody has changed while bonded");
    // Those of the rule that breaks are gone by the end, those of the others are not.
    let path = dir.path().join("on.h5md");
    execute(&model, &path, Checkpoints::default(), u64::MAX);
    let after = analysis::open(&path).unwrap();
    let bonds = |frame| Shape::of(&after, frame, |slot| slot).bonds;
    let kept = bonds(0).intersection(&bonds(after.frames() - 1)).count();
    assert!((by(1)..by(1) + by(0) / 2).contains(&kept), "{kept}");
}

#[test]
fn bonds_are_left_out_where_they_are_not_wanted_or_no_rule_is_for_them() {
    let dir = tempfile::tempdir().unwrap();
    let rules = bind("grow", "'A', 'A'", "") + &bind("tie", "'A', 'B'", "");
    grown(dir.path(), &rules);
    let without = ["placement = { file = 'grown.h5md', bonds = false }"; 2];
    let model = parsed(&text(without, &rules, 20), dir.path());
    assert_eq!((model.bonds().len(), model.warnings()), (0, vec![]));
    let model = parsed(&text(FROM, &bind("grow", "'A', 'A'", ""), 20), dir.path());
    assert!(model.bonds().iter().any(|bond| bond.rule == Some(0)));
    let left_out = model.bonds().iter().filter(|bond| bond.rule.is_none()).count();
    let [warning] = &model.warnings()[..] else { panic!("{:?}", model.warnings()) };
    let says = format!(
        "{left_out} of the bonds at the start are left out: no rule with `merge = \"bond\"` is for A and B"
    );
    assert!(warning.starts_with(&says), "{warning}");
    let path = dir.path().join("on.h5md");
    execute(&model, &path, Checkpoints::default(), u64::MAX);
    let first = analysis::open(&path).unwrap().bonds(0).unwrap();
    assert_eq!(first.len(), model.bonds().len() - left_out);
}

/// Bonds can be given by hand; whatever is wrong with them is said at its place.
#[test]
fn bonds_by_hand() {
    let model = |places: &str, bonds: &str| {
        let rules = bind("tie", "'A', 'B'", "") + "[clusters]\nbonds = " + bonds + "\n";
        let a = format!("placement = {{ positions = {places} }}");
        model::parse(
            &text([&a, "placement = { positions = [[14.5, 10]] }"], &rules, 20),
            "some.toml",
            &[],
        )
    };
    let near = "[[10, 10], [19, 10]]";
    let good = model(near, "[['A', 1, 'B{x}', 1, 'tie'], ['B{x}', 1, 'A', 2, 'tie']]").unwrap();
    let engine = jostle::run::engine::<2>(&good).unwrap();
    let bonds: Vec<_> = engine.clusters().bonds().map(|bond| bond.ids).collect();
    assert_eq!(bonds, [[0, 2], [1, 2]]);
    let far = model("[[10, 10], [29, 10]]", "[['A', 2, 'B{x}', 1, 'tie']]").unwrap();
    let error = jostle::run::engine::<2>(&far).err().unwrap().to_string();
    assert!(
        error.starts_with(
            "A number 2 and B{x} number 1 (counted from 1) are bonded but do not touch"
        ),
        "{error}"
    );
    for (bonds, says) in [
        (
            "[['A', 1, 'B{x}', 1, 'tie'], ['B{x}', 1, 'A', 1, 'tie']]",
            "bond number 2 (counted from 1) closes a ring",
        ),
        ("[['A', 1, 'A', 1, 'tie']]", "bond number 1 (counted from 1) closes a ring"),
        ("[['A', 3, 'B{x}', 1, 'tie']]", "A has 2 given positions, so there is no number 3"),
        ("[['A', 1, 'B{y}', 1, 'tie']]", "B{y} has 0 given positions"),
        ("[['A', 1, 'B{x}', 1, 'tied']]", "\"tied\" is not a rule with"),
        ("[['A', 1, 'B{x}', 1]]", "five entries are needed"),
    ] {
        let faults = model(near, bonds).unwrap_err().to_string();
        assert!(faults.contains("clusters.bonds") && faults.contains(says), "{faults}");
    }
}
