//! How hard and how often balls hit each other and the walls.

use std::collections::BTreeMap;

use super::log::{span, visit};
use super::spectrum::{ImpactBin, Sizes, Spectrum};
use crate::scope::Scope;
use crate::tables::{Cell, Table};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::{ContactRow, ImpactRow, NO_SPECIES};

/// One second. \[µs\]
const SECOND: f64 = 1e6;

/// The impacts of two species, or of one and the walls.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactKind {
    /// The one species.
    pub species: String,
    /// The other, or `wall`.
    pub partner: String,
    /// How many impacts there were.
    pub impacts: u64,
    /// How many of them lost no energy: those of elastic balls, and those in lasting contact.
    pub lossless: u64,
    /// How often a ball of the first species has such an impact, and the standard error for
    /// independent events. \[1/s\]
    pub rate: [f64; 2],
    /// Energy lost by all together, and the standard error for independent events. \[J\]
    pub energy: [f64; 2],
    /// Energy lost per time. \[W\]
    pub power: f64,
    /// Normal speeds at which the two met. \[m/s\]
    pub speed: Sizes,
    /// Energy lost by those that lost some. \[J\]
    pub loss: Sizes,
    /// The greatest temperature rise. \[K\]
    pub hottest: f64,
    /// The energy spectrum of those that lost some.
    pub spectrum: Vec<ImpactBin>,
}

/// The impacts of a run, by kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Impacts {
    /// Ordered by species; walls last.
    pub kinds: Vec<ImpactKind>,
    /// For how long impacts were counted. \[s\]
    pub lasted: f64,
}

struct ImpactTally {
    speed: Spectrum,
    loss: Spectrum,
    impacts: u64,
    hottest: f64,
}

impl Default for ImpactTally {
    fn default() -> Self {
        Self {
            speed: Spectrum::new(1.0),
            loss: Spectrum::of_energies(),
            impacts: 0,
            hottest: f64::NAN,
        }
    }
}

impl ImpactTally {
    fn take(&mut self, contact: &ContactRow, impact: &ImpactRow) {
        self.impacts += 1;
        // 1 nm/ns is 1 m/s.
        self.speed.add(f64::from(contact.approach));
        if impact.energy_lost > 0.0 {
            self.loss.add(f64::from(impact.energy_lost));
        }
        self.hottest = self.hottest.max(f64::from(impact.temperature_rise));
    }
}

/// Measures the impacts in a log, with spectra of about `bins` bins.
///
/// # Errors
/// If the file has no impacts, or cannot be read.
pub fn impacts(reading: &Reading, scope: &Scope, bins: usize) -> Result<Impacts, ReadError> {
    let wanted = scope.species(reading)?;
    let is_wanted = |code: u16| wanted.get(code as usize).copied().unwrap_or(false);
    let mut tallies: BTreeMap<[u16; 2], ImpactTally> = BTreeMap::new();
    visit(reading, scope, |_, contact, impact| {
        let (a, b) = (contact.species_a, contact.species_b);
        if is_wanted(a) || is_wanted(b) {
            tallies.entry([a.min(b), a.max(b)]).or_default().take(contact, impact);
        }
    })?;
    let [begin, end] = span(reading, scope)?;
    let lasted = (end - begin) / SECOND;
    let counts = reading.counts(0..reading.frames().min(1))?;
    let balls = |code: u16| counts.get([0, code as usize]).map_or(f64::NAN, |&count| count as f64);
    let name = |code: u16| match code {
        NO_SPECIES => "wall".to_owned(),
        code => reading.species_name(i64::from(code)),
    };
    let kind = |([a, b], tally): ([u16; 2], ImpactTally)| {
        // In an impact of two alike, two balls of the species take part.
        let each = if a == b { 2.0 } else { 1.0 } / (balls(a) * lasted);
        let impacts = tally.impacts as f64;
        ImpactKind {
            species: name(a),
            partner: name(b),
            impacts: tally.impacts,
            lossless: tally.impacts - tally.loss.count(),
            rate: [impacts * each, impacts.sqrt() * each],
            energy: tally.loss.total(),
            power: tally.loss.total()[0] / lasted,
            speed: tally.speed.sizes(),
            loss: tally.loss.sizes(),
            hottest: tally.hottest,
            spectrum: tally.loss.binned(bins),
        }
    };
    Ok(Impacts { kinds: tallies.into_iter().map(kind).collect(), lasted })
}

impl Impacts {
    /// One row for each kind of impact: how many, how often, how much energy.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "partner",
            "impacts",
            "lossless",
            "per ball (/s)",
            "std. error (/s)",
            "energy lost (J)",
            "std. error (J)",
            "power (W)",
        ]);
        for kind in &self.kinds {
            table.push(vec![
                Cell::from(kind.species.as_str()),
                kind.partner.as_str().into(),
                kind.impacts.into(),
                kind.lossless.into(),
                kind.rate[0].into(),
                kind.rate[1].into(),
                kind.energy[0].into(),
                kind.energy[1].into(),
                kind.power.into(),
            ]);
        }
        table
    }

    /// One row for each kind of impact and each of speed, energy lost and temperature rise: how
    /// large.
    pub fn sizes_to_table(&self) -> Table {
        let columns = ["species", "partner", "what", "mean", "median", "95 % below", "greatest"];
        let mut table = Table::new(&columns);
        for kind in &self.kinds {
            let unknown = f64::NAN;
            let hottest =
                Sizes { mean: unknown, median: unknown, most: unknown, greatest: kind.hottest };
            let all = [
                ("speed (m/s)", kind.speed),
                ("energy lost (J)", kind.loss),
                ("temperature rise (K)", hottest),
            ];
            for (what, sizes) in all {
                let mut row = vec![
                    Cell::from(kind.species.as_str()),
                    kind.partner.as_str().into(),
                    what.into(),
                ];
                row.extend([sizes.mean, sizes.median, sizes.most, sizes.greatest].map(Cell::from));
                table.push(row);
            }
        }
        table
    }

    /// One row for each kind of impact and bin of energy lost, with Poisson errors of the counts.
    pub fn spectrum_to_table(&self) -> Table {
        let mut table = Table::new(&[
            "species",
            "partner",
            "from (J)",
            "to (J)",
            "impacts",
            "std. error",
            "rate (/s)",
            "energy lost (J)",
        ]);
        for kind in &self.kinds {
            for bin in &kind.spectrum {
                let impacts = bin.impacts as f64;
                table.push(vec![
                    Cell::from(kind.species.as_str()),
                    kind.partner.as_str().into(),
                    bin.edges[0].into(),
                    bin.edges[1].into(),
                    bin.impacts.into(),
                    impacts.sqrt().into(),
                    (impacts / self.lasted).into(),
                    bin.energy.into(),
                ]);
            }
        }
        table
    }
}
