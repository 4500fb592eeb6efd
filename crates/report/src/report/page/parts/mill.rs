//! Granular runs: where the energy is and went, and how hard balls hit.

use super::super::super::figures;
use super::super::html::{Piece, figure, paragraph};
use super::Subject;
use jostle_analysis::{ReadError, energy, impacts};

/// Bins of the spectrum.
const BINS: usize = 30;

pub(super) fn html(subject: &Subject<'_>, _: &mut Vec<String>) -> Result<Vec<Piece>, ReadError> {
    let (reading, scope) = (subject.reading, subject.scope());
    let plot = subject.adapted(figures::energy(&energy(reading, &scope)?));
    let caption = "Energies of motion and in gravity; since the start, what collisions lost and what walls and \
                   forces gave.";
    let energies = figure("energy", "Energy", caption, plot);
    if reading.is_gas() {
        // Its collisions lose nothing.
        return Ok(vec![energies]);
    }
    let spectrum = match impacts(reading, &scope, BINS) {
        Ok(found) => {
            let plot = subject.adapted(figures::impact_spectrum(&found));
            let caption = "How often balls lose how much energy in an impact, per decade of energy; bars are \
                           errors of independent events.";
            figure("impact_spectrum", "Impact energy spectrum", caption, plot)
        }
        Err(why) => paragraph(&super::reason(&why)),
    };
    Ok(vec![energies, spectrum])
}
