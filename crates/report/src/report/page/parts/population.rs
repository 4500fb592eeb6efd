//! How many particles of each species there are, over time.

use super::super::super::figures;
use super::super::html::{Piece, figure, table};
use super::Subject;
use jostle_analysis::{ReadError, Reading, SpeciesCounts, counts};
use jostle_core::words::{digits, length_text};

pub(super) fn html(
    subject: &Subject<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<Piece>, ReadError> {
    let reading = subject.reading;
    let counts = counts(reading, &subject.scope())?;
    let rows = rows(subject, &counts.species, notes);
    let radius = if in_words(reading) { "radius" } else { "radius [nm]" };
    let table = table(&["species", radius, "D [µm²/s]", "in the first frame", "in the last"], rows);
    if counts.times.len() < 2 {
        return Ok(vec![table]);
    }
    let plot = subject.adapted(figures::counts(&counts));
    let caption = match counts.species.len() - plot.series.len() {
        0 => "Number of particles of each species in every frame.".to_owned(),
        left => format!("Number of particles in every frame, without the {left} rarest species."),
    };
    Ok(vec![figure("populations", "Particles by species", &caption, plot), table])
}

/// One row per species.
fn rows(
    subject: &Subject<'_>,
    counts: &[SpeciesCounts],
    notes: &mut Vec<String>,
) -> Vec<Vec<String>> {
    let data = super::super::or_note(
        subject.reading.species_data(),
        "Radii and diffusion coefficients",
        notes,
    );
    let data = data.unwrap_or_default();
    let number = |value: Option<f64>| value.map_or("–".to_owned(), |x| digits(x, 4));
    let first = |name: &str| {
        let all = subject.info.iter().flat_map(|info| &info.species);
        all.clone()
            .find(|species| species.name == name)
            .map_or("–".to_owned(), |s| s.first.to_string())
    };
    // Of polygons, that of the smallest circle about the centroid.
    let large = in_words(subject.reading);
    let all = subject.reading.species();
    let shown = counts
        .iter()
        .filter_map(|one| Some((all.iter().position(|name| *name == one.species)?, one)));
    shown
        .map(|(k, one)| {
            let (name, of) = (&one.species, data.get(k));
            vec![
                name.clone(),
                match (large, of.and_then(|s| s.radius)) {
                    (true, Some(radius)) => length_text(radius),
                    (_, radius) => number(radius),
                },
                number(of.and_then(|s| s.diffusion_coefficient)),
                first(name),
                one.counts.last().copied().unwrap_or(0).to_string(),
            ]
        })
        .collect()
}

/// Whether sizes are told in words, since they may be of any order.
fn in_words(reading: &Reading) -> bool {
    reading.is_granular() || reading.is_gas() || reading.has_outlines()
}
