//! Sites of molecules: in what states they are, and how many are bound.

use std::collections::BTreeMap;

use super::counts::{Counts, SpeciesCounts};
use super::scope::{Scope, too_little};
use super::statistics::{Estimate, blocked};
use super::tables::{Cell, Table};
use jostle_h5md::reading::{ReadError, Reading, SiteData};

/// Frames that are in memory at a time hold about so many particles.
const AT_A_TIME: usize = 1 << 20;

/// How many particles have a site in one state, free or bound.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteCounts {
    /// The species.
    pub species: String,
    /// The site.
    pub site: String,
    /// The state; empty if the site has none.
    pub state: String,
    /// Whether it is bound.
    pub bound: bool,
    /// \[frame\]
    pub counts: Vec<u64>,
    /// The average over the frames, with the error by blocking.
    pub mean: Estimate,
}

/// How many particles have so many bound sites.
#[derive(Clone, Debug, PartialEq)]
pub struct BindingCounts {
    /// The species.
    pub species: String,
    /// How many sites are bound.
    pub bonds: u32,
    /// The average over the frames of the number of such particles, with the error by blocking.
    pub mean: Estimate,
}

/// The sites of all species.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteOccupancy {
    /// \[frame\], \[µs\]
    pub times: Vec<f64>,
    /// Species by species, site by site, state by state, free before bound.
    pub sites: Vec<SiteCounts>,
    /// Species by species, in the order of the number.
    pub binding: Vec<BindingCounts>,
}

impl SiteCounts {
    /// The pattern that is counted: `R(y~p!+)`.
    fn pattern(&self) -> String {
        let state = if self.state.is_empty() { String::new() } else { format!("~{}", self.state) };
        let bond = if self.bound { "!+" } else { "" };
        format!("{}({}{state}{bond})", self.species, self.site)
    }
}

impl SiteOccupancy {
    /// One row per site and state: how many are free and how many are bound.
    pub fn to_table(&self) -> Table {
        let columns = [
            "species",
            "site",
            "state",
            "free",
            "std. error",
            "bound",
            "std. error bound",
            "share bound",
        ];
        let mut table = Table::new(&columns);
        for pair in self.sites.chunks(2) {
            let [free, bound] = pair else { continue };
            let all = free.mean.mean + bound.mean.mean;
            table.push(vec![
                Cell::from(free.species.as_str()),
                free.site.as_str().into(),
                free.state.as_str().into(),
                free.mean.mean.into(),
                free.mean.error.into(),
                bound.mean.mean.into(),
                bound.mean.error.into(),
                if all > 0.0 { (bound.mean.mean / all).into() } else { Cell::Missing },
            ]);
        }
        table
    }

    /// One row per species and number of bound sites.
    pub fn binding_to_table(&self) -> Table {
        let mut table = Table::new(&["species", "bound sites", "particles", "std. error", "share"]);
        for one in &self.binding {
            let same = self.binding.iter().filter(|other| other.species == one.species);
            let all: f64 = same.map(|other| other.mean.mean).sum();
            table.push(vec![
                Cell::from(one.species.as_str()),
                i64::from(one.bonds).into(),
                one.mean.mean.into(),
                one.mean.error.into(),
                if all > 0.0 { (one.mean.mean / all).into() } else { Cell::Missing },
            ]);
        }
        table
    }

    /// The numbers over time, as if each site in each state were a species: `R(y~p!+)`.
    pub fn as_counts(&self) -> Counts {
        let of = |one: &SiteCounts| SpeciesCounts {
            species: one.pattern(),
            counts: one.counts.iter().map(|&n| n as i64).collect(),
            mean: one.mean,
        };
        Counts { times: self.times.clone(), species: self.sites.iter().map(of).collect() }
    }

    /// One row per frame, site and state: how many are free and how many are bound.
    pub fn series_to_table(&self) -> Table {
        let columns = ["time (µs)", "species", "site", "state", "free", "bound"];
        let mut table = Table::new(&columns);
        for (frame, time) in self.times.iter().enumerate() {
            for pair in self.sites.chunks(2) {
                let [free, bound] = pair else { continue };
                table.push(vec![
                    Cell::from(*time),
                    free.species.as_str().into(),
                    free.site.as_str().into(),
                    free.state.as_str().into(),
                    (free.counts[frame] as i64).into(),
                    (bound.counts[frame] as i64).into(),
                ]);
            }
        }
        table
    }
}

/// Whether any species of a file has sites.
pub fn has_sites(reading: &Reading) -> bool {
    SiteData::is_in(reading)
}

/// Counts the states and bonds of the sites of every species in the scope, frame by frame.
///
/// # Errors
/// If no species in the scope has sites, there is no frame within the scope, or the file cannot be
/// read.
pub fn site_occupancy(reading: &Reading, scope: &Scope) -> Result<SiteOccupancy, ReadError> {
    let wanted = scope.species(reading)?;
    let data = SiteData::of(reading)?;
    let sites = &data.sites;
    let those: Vec<usize> =
        (0..sites.len()).filter(|&s| wanted[s] && !sites[s].is_empty()).collect();
    if those.is_empty() {
        let reason = "no species that is looked at has sites (species.sites in the model)";
        return Err(too_little(reading, reason.to_owned()));
    }
    let frames = scope.frames(reading, 1)?;
    let species_of = reading.slot_species()?;
    let slots = 0..reading.slots();
    let most_bonds = |s: usize| sites[s].list().len() + 1;
    // How often each code occurs: there are far fewer than particles.
    let mut rows: Vec<BTreeMap<(usize, u64), u64>> = Vec::new();
    let at_a_time = (AT_A_TIME / slots.len().max(1)).max(1);
    for first in frames.clone().step_by(at_a_time) {
        let some = first..(first + at_a_time).min(frames.end);
        let ids = reading.identities(some.clone(), slots.clone())?;
        let codes = data.codes(some.clone(), slots.clone())?;
        for row in 0..some.len() {
            let mut count = BTreeMap::new();
            for (slot, &species) in species_of.iter().enumerate() {
                let Some(s) = usize::try_from(species).ok().filter(|s| those.contains(s)) else {
                    continue;
                };
                if ids[[row, slot]] >= 0 {
                    *count.entry((s, codes[[row, slot]])).or_default() += 1;
                }
            }
            rows.push(count);
        }
    }
    let series = |fits: &dyn Fn(usize, u64) -> bool| -> (Vec<u64>, Estimate) {
        let of_frame = |row: &BTreeMap<(usize, u64), u64>| {
            row.iter().filter(|((s, code), _)| fits(*s, *code)).map(|(_, n)| n).sum::<u64>()
        };
        let counts: Vec<u64> = rows.iter().map(of_frame).collect();
        let mean = blocked(&counts.iter().map(|&n| n as f64).collect::<Vec<_>>());
        (counts, mean)
    };
    let mut found =
        SiteOccupancy { times: reading.times()?[frames].to_vec(), ..SiteOccupancy::default() };
    for &s in &those {
        let (name, own) = (&reading.species()[s], &sites[s]);
        for (n, site) in (0u8..).zip(own.list()) {
            for state in 0..site.states.len().max(1) {
                for bound in [false, true] {
                    let (counts, mean) = series(&|of, code| {
                        of == s
                            && own.state_of(code, n) == state
                            && (code & own.bound(n) != 0) == bound
                    });
                    found.sites.push(SiteCounts {
                        species: name.clone(),
                        site: site.name.clone(),
                        state: site.states.get(state).cloned().unwrap_or_default(),
                        bound,
                        counts,
                        mean,
                    });
                }
            }
        }
        for bonds in 0..most_bonds(s) as u32 {
            let fits =
                |of: usize, code: u64| of == s && (code & own.all_bound()).count_ones() == bonds;
            let (_, mean) = series(&fits);
            found.binding.push(BindingCounts { species: name.clone(), bonds, mean });
        }
    }
    Ok(found)
}
