//! One page (HTML) about a file: what was run, what came of it, and a player of its frames. It
//! needs no network and no server.

mod film;
pub mod html;
mod parts;
mod player;
mod sweep;

use askama::Template;
use film::Film;
pub use film::Thinning;
use html::{Piece, STYLE, json_text};
use jostle_analysis::{Info, ReadError, Reading, info, surfaces};
use jostle_core::words::{abridged, bytes_text, counted};
use parts::{Part, Subject};
use player::Player;
pub use sweep::{SweepPage, sweep_page};

/// The scripts of the page, in the order in which they need each other.
const SCRIPTS: [&str; 13] = [
    include_str!("unpack.js"),
    include_str!("camera.js"),
    include_str!("colours.js"),
    include_str!("spheres.js"),
    include_str!("outlines.js"),
    include_str!("sites.js"),
    include_str!("surfaces.js"),
    include_str!("discs.js"),
    include_str!("stage.js"),
    include_str!("legend.js"),
    include_str!("pointers.js"),
    include_str!("saver.js"),
    include_str!("player.js"),
];

/// How large the frames in a page get, if nobody says otherwise. \[bytes\]
const FRAMES_SIZE: usize = 40_000_000;

/// What the page is to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOptions {
    /// How many frames the player has.
    pub thinning: Thinning,
    /// The species that figures and tables are about; all if it is empty. The player shows every
    /// particle.
    pub species: Vec<String>,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self { thinning: Thinning::Bytes(FRAMES_SIZE), species: Vec::new() }
    }
}

/// A page, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The document.
    pub html: String,
    /// How many frames the player has, and why not all if some were left out.
    pub frames: String,
    /// What the reader of the page should know beforehand: what is missing, what went wrong.
    pub notes: Vec<String>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the page is filled with.
#[derive(Template)]
#[template(path = "page.html")]
struct Document<'a> {
    title: &'a str,
    subtitle: &'a str,
    glance: Piece,
    notes: &'a [String],
    /// Absent if there is no frame.
    player: Option<&'a Player>,
    parts: &'a [Part],
    head: String,
    film: &'a Film,
}

/// What a page with nothing but the player is filled with.
#[derive(Template)]
#[template(path = "alone.html")]
struct PlayerAlone<'a> {
    title: &'a str,
    notes: &'a [String],
    /// Absent if there is no frame.
    player: Option<&'a Player>,
    head: String,
    film: &'a Film,
}

/// Makes a page with the player of a file's frames, and nothing else: small enough to stand within
/// another page.
///
/// # Errors
/// If the frames are there but cannot be read.
pub fn player_page(reading: &Reading, options: &PageOptions) -> Result<Page, ReadError> {
    let mut notes = Vec::new();
    let info = or_note(info(reading), "The box may not be shown", &mut notes);
    let subject = Subject::new(reading, info, &options.species);
    let film = Film::shoot(reading, options.thinning)?;
    notes.extend(film.missing.iter().cloned());
    let (player, head) = stage(&subject, &film, &mut notes);
    let (title, player) = (&subject.title(), player.as_ref());
    let document = PlayerAlone { title, notes: &notes, player, head, film: &film };
    let html = document.to_string();
    Ok(Page { html, frames: frames_text(&film), notes })
}

/// The player, and what it needs in addition to the frames.
fn stage(subject: &Subject<'_>, film: &Film, notes: &mut Vec<String>) -> (Option<Player>, String) {
    let surfaces = or_note(surfaces(subject.reading), "The surfaces are not shown", notes);
    let surfaces = surfaces.unwrap_or_default();
    let player = player::stage(subject, film, &surfaces, notes);
    (player, json_text(&player::head(subject, film, &surfaces)))
}

/// Makes the page about a file. A part that the file cannot fill is named among the notes.
///
/// # Errors
/// If there is no such species, or the frames are there but cannot be read.
pub fn page(reading: &Reading, options: &PageOptions) -> Result<Page, ReadError> {
    let mut notes = Vec::new();
    let info = or_note(info(reading), "The table of what was run is incomplete", &mut notes);
    if let Some(info) = info.as_ref().filter(|info| !info.missing.is_empty()) {
        notes.push(format!(
            "The file, {}, has no {}.",
            written_by(reading),
            info.missing.join(", no ")
        ));
    }
    let subject = Subject::new(reading, info, &options.species);
    // A name that fits no species is told before anything else.
    subject.scope().species(reading)?;
    notes.extend(state(&subject));
    notes.extend(warnings(&subject));
    let film = Film::shoot(reading, options.thinning)?;
    notes.extend(film.missing.iter().cloned());
    let frames = frames_text(&film);
    if film.frames.is_empty() {
        notes.push("The file has no frame: there is nothing to play.".to_owned());
    } else if film.is_thinned() {
        notes.push(frames.clone());
    }
    let parts = parts::all(&subject, &mut notes);
    let (player, head) = stage(&subject, &film, &mut notes);
    let document = Document {
        title: &subject.title(),
        subtitle: &subject.subtitle(),
        glance: parts::glance(&subject, &film),
        notes: &notes,
        player: player.as_ref(),
        parts: &parts,
        head,
        film: &film,
    };
    let html = document.to_string();
    Ok(Page { html, frames, notes })
}

/// What was read, or nothing and a note that says why.
fn or_note<T>(read: Result<T, ReadError>, what: &str, notes: &mut Vec<String>) -> Option<T> {
    read.map_err(|why| notes.push(format!("{what}: {why}."))).ok()
}

fn written_by(reading: &Reading) -> String {
    match reading.creator() {
        "" => "written by an unknown program".to_owned(),
        by => format!("written by {by}"),
    }
}

/// What the run warned of.
fn warnings(subject: &Subject<'_>) -> Vec<String> {
    let said = subject.info.iter().flat_map(|info| &info.warnings);
    abridged(said.map(|said| format!("The run: {said}")), "warnings")
}

/// How the file was left.
fn state(subject: &Subject<'_>) -> Option<String> {
    if subject.reading.is_written() {
        return Some(
            "A run is still writing this file: the page shows what was there when it was made."
                .into(),
        );
    }
    let Info { runs, .. } = subject.info.as_ref()?;
    let last = runs.last();
    match last.map(|run| run.what.as_str()) {
        Some("finished") => None,
        Some(word @ ("interrupted" | "failed")) => {
            let step = last.map_or(0, |run| run.step);
            Some(format!(
                "The run did not get to its end: it {} at step {step}.",
                match word {
                    "failed" => "failed",
                    _ => "was interrupted",
                }
            ))
        }
        // Other programs keep no such history.
        None => None,
        _ => Some(
            "The run did not end properly: it was killed, and what came after the last flush is lost.".into(),
        ),
    }
}

/// How many frames the player has, in words.
fn frames_text(film: &Film) -> String {
    let size = bytes_text(film.frames.iter().map(|frame| frame.text.len()).sum::<usize>() as f64);
    let shown = film.frames.len();
    if !film.is_thinned() {
        return format!("The player has {} ({size}).", all_frames(shown));
    }
    let why = match film.to_fit {
        true => format!("to keep the page small ({size}); --frames N chooses how many"),
        false => format!("as asked for ({size})"),
    };
    format!("The player has {shown} of {}, evenly chosen, {why}.", counted(film.of as u64, "frame"))
}

fn all_frames(count: usize) -> String {
    match count {
        0 => "no frame".to_owned(),
        1 => "the one frame".to_owned(),
        n => format!("all {n} frames"),
    }
}
