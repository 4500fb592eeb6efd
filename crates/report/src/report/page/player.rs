//! What the player on the page is given: the frames, and what it has to know of them.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::super::Colour;
use super::super::snapshot::{ColourBy, GrainContainer, Snapshot, SnapshotOptions};
use super::super::wires::{Wires, box_lines, wires};
use super::film::{Film, FilmOutlines, deflated_text};
use super::or_note;
use super::parts::Subject;
use jostle_analysis::{ReadError, Surfaces};
use jostle_core::clusters::{size_class, size_class_name};
use jostle_core::words::{digits, length_in_unit, time_text};
use jostle_h5md::reading::species_change;

/// What the player shows without a script.
pub(super) struct Player {
    /// How many frames there are.
    pub(super) frames: usize,
    /// What one sees, and what one does not.
    pub(super) about: String,
    /// The last frame, for print.
    pub(super) picture: Option<LastFrame>,
}

/// A picture of the last frame.
pub(super) struct LastFrame {
    /// When it was.
    pub(super) time: String,
    /// In base64.
    pub(super) png: String,
}

/// The player, with a picture of the last frame for print; nothing if there is no frame.
pub(super) fn stage(
    subject: &Subject<'_>,
    film: &Film,
    surfaces: &Surfaces,
    notes: &mut Vec<String>,
) -> Option<Player> {
    if film.frames.is_empty() {
        return None;
    }
    let picture = or_note(picture(subject, film, surfaces), "There is no picture for print", notes);
    Some(Player { frames: film.frames.len(), about: about(film), picture })
}

/// What one sees, and what one does not.
fn about(film: &Film) -> String {
    let (exact, unit) = length_in_unit(film.grid.error(), 10.0 * film.grid.error());
    let exact = digits(exact, 2);
    let choice = match film.is_thinned() {
        true => format!("{} of {} frames, evenly chosen", film.frames.len(), film.of),
        false => "All frames of the file".to_owned(),
    };
    let patches = match film.sites.as_ref().is_some_and(|sites| sites.axes.is_some()) {
        true => " Patches show where sites point.",
        false => "",
    };
    format!(
        "{choice}, one after the other: nothing is made up in between. Particles to scale, places within {exact} {unit}.{patches}"
    )
}

/// The last frame, for paper and for browsers without scripts.
fn picture(
    subject: &Subject<'_>,
    film: &Film,
    surfaces: &Surfaces,
) -> Result<LastFrame, ReadError> {
    let reading = subject.reading;
    let last = reading.frames().saturating_sub(1);
    let by = if film.bonds { ColourBy::ClusterSize } else { ColourBy::Species };
    let time =
        reading.times()?.last().map_or(String::new(), |&time| format!("t = {}", time_text(time)));
    let options = SnapshotOptions {
        caption: time.clone(),
        palette: by.palette(),
        periodic: subject.info.as_ref().map_or([false; 3], |info| info.periodic),
        ..SnapshotOptions::default()
    };
    let sheet = Snapshot::of_frame(reading, last, by)?.with_surfaces(surfaces).draw(&options);
    let png = super::super::raster::png(&sheet, 2.0).unwrap_or_default();
    Ok(LastFrame { time, png: BASE64_STANDARD.encode(png) })
}

/// Everything else that the player has to know.
pub(super) fn head(subject: &Subject<'_>, film: &Film, surfaces: &Surfaces) -> Value {
    let reading = subject.reading;
    let (times, steps) = (reading.times().unwrap_or_default(), reading.steps().unwrap_or_default());
    let slot_species = reading.slot_species().unwrap_or_else(|_| vec![0; film.slots]);
    let species = |n: &i32| u16::try_from(*n).unwrap_or(0).to_le_bytes();
    let container = GrainContainer::of(reading).unwrap_or_default();
    let shaken = container.as_ref().filter(|container| container.is_shaken());
    let (edges, dimension) = (reading.edges(), reading.dimension());
    let walls = container.as_ref().map(|container| match container.walls(edges) {
        of_box if of_box.is_empty() => box_lines(edges, dimension),
        others => others,
    });
    let frame = |picture: &super::film::FilmFrame| {
        json!({
            "frame": picture.frame,
            "key": picture.key,
            "step": steps.get(picture.frame),
            "time": times.get(picture.frame).map(|&time| time_text(time)),
            "shift": times.get(picture.frame).and_then(|&time| Some(shaken?.shift(time))),
        })
    };
    let classes = size_class(film.largest) + 1;
    let grid = &film.grid;
    json!({
        "dimension": grid.axes,
        "low": grid.low,
        "span": grid.span,
        "periodic": grid.periodic,
        "bits": grid.bits,
        "walls": walls.as_deref().map(line_ends),
        "slots": film.slots,
        "frames": film.frames.iter().map(frame).collect::<Vec<_>>(),
        "radii": deflated_text(&film.radii.iter().flat_map(|r| r.to_le_bytes()).collect::<Vec<_>>()),
        "slotSpecies": deflated_text(&slot_species.iter().flat_map(species).collect::<Vec<_>>()),
        "species": match species_change(reading) {
            true => vec!["any species".to_owned()],
            false => names(subject, &slot_species),
        },
        "identities": film.identities,
        "bonds": film.bonds,
        "outlines": film.outlines.as_ref().map(FilmOutlines::head),
        "sites": film.sites,
        "surfaces": wires(surfaces).iter().enumerate().map(surface).collect::<Vec<_>>(),
        "sizes": (0..classes).map(size_class_name).collect::<Vec<_>>(),
        "distinct": Colour::OKABE_ITO.map(Colour::hex),
        "ordered": (0..classes).map(|n| Colour::of_rank(n, classes).hex()).collect::<Vec<_>>(),
    })
}

/// A surface: its name, its colour, and the ends of its lines (x, y, z of one, then of the other).
/// \[nm\]
fn surface((number, wires): (usize, &Wires)) -> Value {
    json!({
        "name": wires.name,
        "colour": Colour::of_surface(number).hex(),
        "lines": line_ends(&wires.lines),
    })
}

fn line_ends(lines: &[[[f64; 3]; 2]]) -> String {
    let ends = lines.as_flattened().as_flattened().iter();
    deflated_text(&ends.flat_map(|&x| (x as f32).to_le_bytes()).collect::<Vec<_>>())
}

/// The names of the species by their numbers, those without a name included.
fn names(subject: &Subject<'_>, slot_species: &[i32]) -> Vec<String> {
    let used: BTreeMap<i32, ()> = slot_species.iter().map(|&n| (n, ())).collect();
    let named = subject.reading.species().len() as i32;
    let last = used.keys().copied().filter(|n| (0..=i32::from(u16::MAX)).contains(n)).max();
    (0..named.max(last.map_or(0, |n| n + 1)))
        .map(|n| subject.reading.species_name(i64::from(n)))
        .collect()
}
