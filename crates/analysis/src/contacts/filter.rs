//! Which contacts are asked for.

use super::super::scope::no_species;
use super::super::surfaces::{Beside, Sides};
use super::Words;
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_h5md::record::schema::{ContactRow, LAST_WALL, NO_SPECIES, NORMAL_SCALE, WALL};

/// Which contacts: all that pass every part of it. What is empty or `None` lets everything pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// From when to when; the end is not included. \[µs\]
    pub time: Option<[f64; 2]>,
    /// Contacts of any of these particles.
    pub particles: Vec<u32>,
    /// Contacts between these two particles.
    pub pair: Option<[u32; 2]>,
    /// Impacts that lose so much kinetic energy, in granular runs; the end is not included. \[J\]
    pub energy_lost: Option<[f64; 2]>,
    /// Contacts that involve any of these species. `EGFR` is all of its states, `EGFR{bound}` those
    /// in which `bound` occurs; `wall` is the box.
    pub species: Vec<String>,
    /// Contacts between these two species.
    pub between: Option<[String; 2]>,
    /// Contacts with one of these outcomes: `bounced`, `bound`, ...
    pub outcomes: Vec<String>,
    /// Contacts that one of these rules decided.
    pub rules: Vec<String>,
    /// Contacts within this part of the box: from where to where along x, y and z. \[nm\]
    pub region: Option<[[f64; 2]; 3]>,
    /// Contacts with one of these faces of the box (`x-`, `x+`, ...) or surfaces, by name.
    pub walls: Vec<String>,
    /// Contacts on all of these sides of surfaces; one with a surface itself is where the particle
    /// is.
    pub sides: Vec<Beside>,
    /// Contacts of particles that belong to this cluster when they touch.
    pub cluster: Option<u64>,
}

/// A filter in the codes of a file.
pub(super) struct Test {
    particles: Vec<u32>,
    pair: Option<[u32; 2]>,
    species: Option<Sort>,
    between: Option<[Sort; 2]>,
    outcomes: Option<CodeSet>,
    rules: Option<CodeSet>,
    region: Option<[[f32; 2]; 3]>,
    walls: Option<CodeSet>,
    sides: Option<Sides>,
    energy_lost: Option<[f64; 2]>,
    everything: bool,
}

/// Some codes of a list of words.
struct CodeSet(Vec<bool>);

impl CodeSet {
    #[inline]
    fn has(&self, code: usize) -> bool {
        self.0.get(code).is_some_and(|&wanted| wanted)
    }
}

/// Some species: which, and whether the box is among them.
struct Sort {
    species: Vec<bool>,
    wall: bool,
}

impl Sort {
    fn has(&self, code: u16) -> bool {
        if code == NO_SPECIES {
            self.wall
        } else {
            self.species.get(code as usize).is_some_and(|&has| has)
        }
    }

    /// The species that some words name.
    fn named(names: &[String], words: &Words, reading: &Reading) -> Result<Self, ReadError> {
        let mut sort = Self { species: vec![false; words.species.len()], wall: false };
        for name in names {
            if name == "wall" {
                sort.wall = true;
                continue;
            }
            let mut found = false;
            for (has, _) in
                sort.species.iter_mut().zip(&words.species).filter(|(_, s)| is_of(s, name))
            {
                (*has, found) = (true, true);
            }
            if !found {
                let known = words.species.iter().cloned().chain(["wall".into()]);
                return Err(no_species(reading, name, known));
            }
        }
        Ok(sort)
    }
}

/// Whether a species, `EGFR{bound,bare}`, is one that is meant by `EGFR` or `EGFR{bound}`.
pub fn is_of(species: &str, meant: &str) -> bool {
    let parts = |text: &str| -> (String, Vec<String>) {
        let (name, states) = text.split_once('{').unwrap_or((text, ""));
        let states =
            states.trim_end_matches('}').split(',').map(str::trim).filter(|s| !s.is_empty());
        (name.trim().to_owned(), states.map(str::to_owned).collect())
    };
    let ((name, states), (wanted, only)) = (parts(species), parts(meant));
    name == wanted && only.iter().all(|state| states.contains(state))
}

/// Which codes some words stand for; none if there are no words.
fn codes(
    what: &'static str,
    names: &[String],
    words: &[String],
    reading: &Reading,
) -> Result<Option<CodeSet>, ReadError> {
    let mut wanted = vec![false; words.len()];
    for name in names {
        let code = words.iter().position(|word| word == name);
        let code = code.ok_or_else(|| reading.no_such(what, name, words.iter().cloned()))?;
        wanted[code] = true;
    }
    Ok((!names.is_empty()).then_some(CodeSet(wanted)))
}

impl Test {
    /// Looks up the names.
    ///
    /// # Errors
    /// If there is no such species, outcome, rule, wall or surface.
    pub(super) fn of(filter: &Filter, words: &Words, reading: &Reading) -> Result<Self, ReadError> {
        let sort = |names: &[String]| Sort::named(names, words, reading);
        let mut particles = filter.particles.clone();
        particles.sort_unstable();
        let unfiltered = Filter { time: filter.time, ..Filter::default() };
        Ok(Self {
            particles,
            pair: filter.pair.map(|[a, b]| [a.min(b), a.max(b)]),
            species: if filter.species.is_empty() { None } else { Some(sort(&filter.species)?) },
            between: match &filter.between {
                Some([a, b]) => {
                    Some([sort(std::slice::from_ref(a))?, sort(std::slice::from_ref(b))?])
                }
                None => None,
            },
            outcomes: codes("outcome", &filter.outcomes, &words.outcomes, reading)?,
            rules: codes("rule", &filter.rules, &words.rules, reading)?,
            region: filter.region.map(|axes| axes.map(|ends| ends.map(|x| x as f32))),
            walls: codes("wall", &filter.walls, &words.faces, reading)?,
            sides: match &filter.sides[..] {
                [] => None,
                asked => Some(Sides::of(reading, asked)?),
            },
            energy_lost: filter.energy_lost,
            everything: *filter == unfiltered,
        })
    }

    /// Whether every contact passes.
    pub(super) fn is_open(&self) -> bool {
        self.everything
    }

    /// Whether of a pair either all contacts pass or none: neither what came of a contact counts,
    /// nor where it was, nor the species, which may change.
    pub(super) fn has_whole_pairs(&self) -> bool {
        let Self { species, between, outcomes, rules, region, sides, .. } = self;
        let of_bodies = species.is_none() && between.is_none();
        let of_bodies = of_bodies && self.energy_lost.is_none();
        of_bodies && outcomes.is_none() && rules.is_none() && region.is_none() && sides.is_none()
    }

    /// Whether a contact that loses so much energy passes; none does if the loss is not known.
    pub(super) fn passes_energy(&self, lost: Option<f32>) -> bool {
        self.energy_lost.is_none_or(|[low, high]| {
            lost.is_some_and(|lost| (low..high).contains(&f64::from(lost)))
        })
    }

    /// Whether a contact passes, its time, its energy and its cluster apart.
    pub(super) fn passes(&self, row: &ContactRow) -> bool {
        self.everything
            || self.outcomes.as_ref().is_none_or(|wanted| wanted.has(row.outcome.into()))
                && self.rules.as_ref().is_none_or(|wanted| wanted.has(row.rule.into()))
                && self.passes_pair([row.a, row.b], [row.species_a, row.species_b])
                && self.region.is_none_or(|axes| {
                    axes.iter().zip(row.place).all(|([low, high], x)| (*low..*high).contains(&x))
                })
                && self
                    .walls
                    .as_ref()
                    .is_none_or(|wanted| wall(row.b).is_some_and(|code| wanted.has(code)))
                && self.sides.as_ref().is_none_or(|sides| on(sides, row))
    }

    /// Whether two particles, the lower identity first, of these species are among those asked for.
    pub(super) fn passes_pair(&self, ids: [u32; 2], [a, b]: [u16; 2]) -> bool {
        self.pair.is_none_or(|pair| pair == ids)
            && (self.particles.is_empty()
                || ids.iter().any(|id| self.particles.binary_search(id).is_ok()))
            && self.species.as_ref().is_none_or(|s| s.has(a) || s.has(b))
            && self
                .between
                .as_ref()
                .is_none_or(|[s, t]| s.has(a) && t.has(b) || t.has(a) && s.has(b))
    }
}

/// Whether a contact is on some sides of surfaces.
fn on(sides: &Sides, row: &ContactRow) -> bool {
    let species = [row.species_a, row.species_b].map(|code| (code != NO_SPECIES).then_some(code));
    let normal = row.normal.map(|part| f64::from(part) / NORMAL_SCALE);
    sides.have_contact(species, row.place.map(f64::from), !is_particle(row.b), normal)
}

/// The code of the wall that the second partner of a contact is, if it is one.
fn wall(b: u32) -> Option<usize> {
    (!is_particle(b)).then(|| (WALL - b) as usize)
}

/// Whether the second partner of a contact is a particle, and not a face of the box.
pub(super) fn is_particle(b: u32) -> bool {
    b < LAST_WALL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_all_of_its_states() {
        assert!(is_of("EGFR{bound,bare}", "EGFR"));
        assert!(is_of("EGFR{bound,bare}", "EGFR{bare}"));
        assert!(is_of("EGFR{bound,bare}", "EGFR{bare, bound}"));
        assert!(!is_of("EGFR{bound,bare}", "EGFR{free}"));
        assert!(!is_of("EGFR2", "EGFR") && !is_of("EGF", "EGFR"));
    }
}
