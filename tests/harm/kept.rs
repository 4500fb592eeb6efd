//! States that runs have kept, damaged, and resumed.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jostle::model::{self, Model};
use jostle::observe::Clock;
use jostle::run::checkpoint::{Cadence, Checkpoint, Checkpoints, checkpoints_of};
use jostle::run::{self, Ending, Options, RunError};

use super::choices::Choices;
use super::small::{Small, place};

/// What the Brownian run has besides, so that there are dates and arrivals in its state.
const MORE: &str = r#"
[[rule]]
name = "supply"
do = "create"
product = "L"
rate = "40 /um^2/us"
[[schedule]]
at = "15 us"
every = "5 us"
add = { species = "L", count = 1 }
"#;

/// Runs, each with what is set on top of its model.
const RUNS: [(Small, &str); 6] = [
    (Small::Brownian, "exact"),
    (Small::Granular, "exact"),
    (Small::Polygons, "exact"),
    (Small::Gas, "exact"),
    (Small::Gas, "after_move"),
    (Small::Gas, "events"),
];

/// At most this much is done to one state.
const MOST_DAMAGES: usize = 6;

/// As far from the end of a state it is damaged. \[bytes\]
const REACH: usize = 1 << 12;

/// A run is let continue for so many parts of it.
const MOST_PARTS: u32 = 300;

/// A run that was stopped half-way.
struct Stopped {
    model: Model,
    file: Vec<u8>,
    /// The line that says what it is, and the state.
    state: Vec<u8>,
}

fn stopped(number: usize) -> &'static Stopped {
    static MADE: [OnceLock<Stopped>; RUNS.len()] = [const { OnceLock::new() }; RUNS.len()];
    MADE[number].get_or_init(|| {
        let (small, contact) = RUNS[number];
        let text = small.text().to_owned() + if small == Small::Brownian { MORE } else { "" };
        let set = (small == Small::Gas).then(|| ("run.contact".to_owned(), contact.to_owned()));
        let model =
            model::parse(&text, "small.toml", set.as_slice()).unwrap_or_else(|why| panic!("{why}"));
        let dir = place();
        let out = dir.path().join("kept.h5md");
        let half = model.run.steps / 2;
        let ended = go(&model, &out, None, |clock| clock.step >= half)
            .unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(ended, Ending::Interrupted);
        let mut state = Vec::new();
        let kept = std::fs::File::open(&checkpoints_of(&out)[0]).expect("the state was kept");
        GzDecoder::new(kept).read_to_end(&mut state).expect("it is whole");
        let file = std::fs::read(&out).expect("it has just been written");
        Stopped { model, file, state }
    })
}

/// Runs a model until it is time to stop.
fn go(
    model: &Model,
    out: &Path,
    from: Option<Checkpoint>,
    is_time: impl Fn(Clock) -> bool + Send + Sync,
) -> Result<Ending, RunError> {
    let stop = AtomicBool::new(false);
    let options = Options {
        out: Some(out),
        force: false,
        self_check: false,
        stop: &stop,
        progress: &mut |clock| stop.store(is_time(clock), Ordering::Relaxed),
        checkpoints: Checkpoints { every: Some(Cadence::AtStops), from, ..Checkpoints::default() },
    };
    run::run(model, options).map(|summary| summary.ending)
}

/// Lets a run resume from a damaged state: it is refused with a message, or the run continues as
/// well as it can.
pub fn resume(choices: &mut Choices<'_>) {
    let Stopped { model, file, state } = stopped(choices.below(RUNS.len()));
    let mut state = state.clone();
    for _ in 0..MOST_DAMAGES {
        if choices.is_over() {
            break;
        }
        damage(&mut state, choices);
    }
    let dir = place();
    let out = dir.path().join("kept.h5md");
    let [latest, _] = checkpoints_of(&out);
    std::fs::write(&out, file).expect("the folder can be written to");
    std::fs::write(&latest, packed(&state)).expect("the folder can be written to");
    let parts = AtomicU32::new(0);
    let went = Checkpoint::open(&latest, &out).and_then(|from| {
        go(model, &out, Some(from), |_| parts.fetch_add(1, Ordering::Relaxed) >= MOST_PARTS)
    });
    if let Err(error) = went {
        let said = error.to_string();
        assert!(!said.is_empty() && !said.contains(|c: char| c.is_control()), "{said:?}");
    }
}

/// In a container, with the checksum of what is in it.
fn packed(state: &[u8]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::none());
    out.write_all(state).expect("memory takes everything");
    out.finish().expect("memory takes everything")
}

/// Changes something somewhere.
fn damage(state: &mut Vec<u8>, choices: &mut Choices<'_>) {
    const NUMBERS: [f64; 10] =
        [0.0, -1.0, 1.0, 1e300, -1e300, 5e-324, 1e-30, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    // Lengths and identities: as many bytes as it takes, seven bits in each.
    const COUNTS: [&[u8]; 5] = [
        &[0],
        &[1],
        &[0xff, 0xff, 0x03],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    ];
    if state.is_empty() {
        return;
    }
    // From its end: what comes first are times that were taken, which are not as long in every
    // process.
    let at = state.len().saturating_sub(1 + choices.below(REACH));
    let mut put = |with: &[u8]| {
        let to = state.len().min(at + with.len());
        state[at..to].copy_from_slice(&with[..to - at]);
    };
    match choices.below(8) {
        0 => put(&[choices.byte()]),
        1 | 2 => put(&choices.one_of(&NUMBERS).to_le_bytes()),
        3 => put(choices.one_of(&COUNTS)),
        4 => state[at] ^= 1 << choices.below(8),
        5 => state.insert(at, choices.byte()),
        6 => drop(state.drain(at..(at + 1 + choices.below(64)).min(state.len()))),
        _ => state.truncate(at),
    }
}
