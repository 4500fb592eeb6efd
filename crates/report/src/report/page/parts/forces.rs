//! Runs of bodies with outlines: where the energy is and went, the forces of contacts, and the
//! stress.

use super::super::super::{ColourBy, Snapshot, SnapshotOptions, figures, raster};
use super::super::html::{Piece, figure, paragraph, picture};
use super::Subject;
use jostle_analysis::{Place, ReadError, Scope, energy, forces, stress};
use jostle_core::words::time_text;

/// Bins of the distribution of forces.
const BINS: usize = 40;

pub(super) fn energies(
    subject: &Subject<'_>,
    _: &mut Vec<String>,
) -> Result<Vec<Piece>, ReadError> {
    let plot = subject.adapted(figures::energy(&energy(subject.reading, &Scope::default())?));
    let caption = "Energies of motion, in gravity and in contacts that give way; since the start, what collisions \
                   and friction lost and what walls and forces gave.";
    Ok(vec![figure("energy", "Energy", caption, plot)])
}

pub(super) fn html(subject: &Subject<'_>, _: &mut Vec<String>) -> Result<Vec<Piece>, ReadError> {
    let (reading, scope) = (subject.reading, subject.scope());
    let network = forces(reading, &scope, BINS)?;
    let tensor = stress(reading, &scope, &Place::default(), None)?;
    let adapted = |plot| subject.adapted(plot);
    Ok(vec![
        chains(subject)?,
        figure(
            "force_distribution",
            "Normal forces",
            "How the normal forces between particles are spread about their mean, averaged over all frames (errors by \
             blocking); dashed, what independent forces would have.",
            adapted(figures::force_distribution(&network)),
        ),
        figure(
            "coordination",
            "Contacts",
            "How many contacts a particle has, the share of particles without contacts, the share of contacts whose \
             friction is at its limit, and tangential over normal force.",
            adapted(figures::coordination(&network)),
        ),
        figure(
            "stress",
            "Stress",
            "The stress that contacts carry, averaged over the box; compression is positive. Pressure and deviator \
             are half the sum and half the difference of the principal stresses.",
            adapted(figures::stress(&tensor)),
        ),
    ])
}

/// The network of forces in the last frame.
fn chains(subject: &Subject<'_>) -> Result<Piece, ReadError> {
    let reading = subject.reading;
    let last = reading.frames().saturating_sub(1);
    let snapshot =
        Snapshot::of_frame(reading, last, ColourBy::Species)?.with_forces(reading, last)?;
    if snapshot.forces.is_empty() {
        return Ok(paragraph("In the last frame no contact carries a force."));
    }
    let time = reading.times()?.last().map_or(String::new(), |&time| time_text(time));
    let options = SnapshotOptions {
        periodic: subject.info.as_ref().map_or([false; 3], |info| info.periodic),
        ..SnapshotOptions::default()
    };
    let png = raster::png(&snapshot.draw(&options), 1.5).unwrap_or_default();
    let caption = format!(
        "The contacts that carry a force at t = {time}: lines from centre to centre, or to a wall, as wide as the \
         force is great."
    );
    Ok(picture("force_network", "Force network", caption, &png))
}
