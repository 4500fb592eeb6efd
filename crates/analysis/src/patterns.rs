//! How many molecules fit a pattern of sites, over time.

use super::counts::{Counts, SpeciesCounts};
use super::scope::{Scope, too_little};
use super::statistics::{Estimate, blocked};
use super::tables::{Cell, Table};
use jostle_core::sites::{Attached, SitePattern, Sites};
use jostle_h5md::reading::{Molecules, ReadError, Reading, SiteData};
use jostle_model::notation::{Link, Mention, Molecule, complex, is_tree};

/// In how many ways the molecules of a pattern may stand for sites that are alike.
const MOST_WAYS: usize = 4096;

/// How many molecules fit one pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct PatternCounts {
    /// As it was asked for.
    pub pattern: String,
    /// \[frame\]
    pub counts: Vec<u64>,
    /// The average over the frames, with the error by blocking.
    pub mean: Estimate,
}

/// How many molecules fit some patterns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PatternSeries {
    /// \[frame\], \[µs\]
    pub times: Vec<f64>,
    /// In the order in which they were asked for.
    pub patterns: Vec<PatternCounts>,
}

impl PatternSeries {
    /// One row per pattern.
    pub fn to_table(&self) -> Table {
        let columns = ["pattern", "mean", "std. error", "first", "last", "least", "most"];
        let mut table = Table::new(&columns);
        for one in &self.patterns {
            let count = |count: Option<&u64>| count.map(|&n| n as i64).into();
            table.push(vec![
                Cell::from(one.pattern.as_str()),
                one.mean.mean.into(),
                one.mean.error.into(),
                count(one.counts.first()),
                count(one.counts.last()),
                count(one.counts.iter().min()),
                count(one.counts.iter().max()),
            ]);
        }
        table
    }

    /// The numbers as if each pattern were a species.
    pub fn as_counts(&self) -> Counts {
        let of = |one: &PatternCounts| SpeciesCounts {
            species: one.pattern.clone(),
            counts: one.counts.iter().map(|&n| n as i64).collect(),
            mean: one.mean,
        };
        Counts { times: self.times.clone(), species: self.patterns.iter().map(of).collect() }
    }

    /// One row per frame and pattern.
    pub fn series_to_table(&self) -> Table {
        let mut table = Table::new(&["time (µs)", "pattern", "molecules"]);
        for (frame, time) in self.times.iter().enumerate() {
            for one in &self.patterns {
                let count = one.counts[frame] as i64;
                table.push(vec![Cell::from(*time), one.pattern.as_str().into(), count.into()]);
            }
        }
        table
    }
}

/// Counts the molecules that fit each pattern, frame by frame: those that may be the first molecule
/// of the pattern, each once. The species of the scope do not matter.
///
/// # Errors
/// If a pattern is not in BioNetGen's notation or says what no molecule of the file can be, there is
/// no frame within the scope, or the file cannot be read.
pub fn pattern_counts(
    reading: &Reading,
    scope: &Scope,
    patterns: &[String],
) -> Result<PatternSeries, ReadError> {
    let data = SiteData::of(reading)?;
    let dictionary = Dictionary { names: reading.species(), sites: &data.sites };
    let refused = |why| too_little(reading, why);
    let wanted: Vec<AskedPattern> = patterns
        .iter()
        .map(|text| dictionary.look_up(text).map_err(refused))
        .collect::<Result<_, _>>()?;
    let frames = scope.frames(reading, 1)?;
    let mut counts = vec![Vec::with_capacity(frames.len()); wanted.len()];
    for frame in frames.clone() {
        let molecules = Molecules::of(&data, frame)?;
        for (counts, wanted) in counts.iter_mut().zip(&wanted) {
            let fits = |slot: &u32| wanted.ways.iter().any(|way| way.fits(&molecules, *slot));
            counts.push(molecules.of_species(wanted.species).filter(fits).count() as u64);
        }
    }
    let of = |(pattern, counts): (&String, Vec<u64>)| {
        let mean = blocked(&counts.iter().map(|&n| n as f64).collect::<Vec<_>>());
        PatternCounts { pattern: pattern.clone(), counts, mean }
    };
    let times = reading.times()?[frames].to_vec();
    Ok(PatternSeries { times, patterns: patterns.iter().zip(counts).map(of).collect() })
}

/// A pattern whose names are understood.
#[derive(Debug, PartialEq)]
struct AskedPattern {
    /// Of its first molecule.
    species: u16,
    /// What its sites must be like, in one of several ways if sites are alike.
    ways: Vec<SitePattern>,
}

/// The species of a file.
#[derive(Clone, Copy)]
struct Dictionary<'a> {
    names: &'a [String],
    /// \[species\]
    sites: &'a [Sites],
}

/// One way in which a molecule stands for a particle: its species, and the site of each mention.
type Match = (u16, Vec<u8>);

impl Dictionary<'_> {
    fn look_up(&self, text: &str) -> Result<AskedPattern, String> {
        let molecules = complex(text).map_err(|error| format!("pattern \"{text}\", {error}"))?;
        is_tree(&molecules).map_err(|why| format!("pattern \"{text}\": {why}"))?;
        let mut readings: Vec<Vec<Match>> = vec![Vec::new()];
        for molecule in &molecules {
            let ways = self.ways(molecule).map_err(|why| format!("pattern \"{text}\": {why}"))?;
            if readings.len() * ways.len() > MOST_WAYS {
                return Err(format!(
                    "pattern \"{text}\": there are more than {MOST_WAYS} ways to read it, since sites are alike"
                ));
            }
            let with = |reading: &Vec<Match>, way: &Match| {
                [reading.as_slice(), std::slice::from_ref(way)].concat()
            };
            readings = readings.iter().flat_map(|r| ways.iter().map(move |w| with(r, w))).collect();
        }
        let ways = readings.iter().map(|ways| self.branch(&molecules, ways, 0, None));
        Ok(AskedPattern { species: readings[0][0].0, ways: ways.collect() })
    }

    /// The ways to read a molecule: every mention means a site of its own.
    fn ways(&self, molecule: &Molecule) -> Result<Vec<Match>, String> {
        let name = &molecule.name;
        let species = self.names.iter().position(|known| known == name);
        let species =
            species.ok_or_else(|| format!("there is no species \"{name}\" in the file"))?;
        let mut ways: Vec<Vec<u8>> = vec![Vec::new()];
        for mention in &molecule.sites {
            let meant = self.meant(species, molecule, mention)?;
            let extended = ways.iter().flat_map(|way| {
                let free = meant.iter().filter(|site| !way.contains(site));
                free.map(|site| [way.as_slice(), &[*site]].concat())
            });
            ways = extended.take(MOST_WAYS + 1).collect();
            if ways.is_empty() {
                return Err(format!(
                    "site \"{}\" appears more often than {name} has such sites",
                    mention.name
                ));
            }
        }
        Ok(ways.into_iter().map(|sites| (species as u16, sites)).collect())
    }

    /// The sites that a mention may mean; never none.
    fn meant(
        &self,
        species: usize,
        molecule: &Molecule,
        mention: &Mention,
    ) -> Result<Vec<u8>, String> {
        let sites = &self.sites[species];
        let found: Vec<u8> = sites.called(&mention.name).collect();
        let one_of = |words: Vec<&str>, none: &str| match words.as_slice() {
            [] => none.to_owned(),
            words => words.join(", "),
        };
        let Some(&first) = found.first() else {
            let names = sites.list().iter().map(|site| site.name.as_str()).collect();
            return Err(format!(
                "{} has no site \"{}\"; it has {}",
                molecule.name,
                mention.name,
                one_of(names, "no sites")
            ));
        };
        let states = &sites.list()[usize::from(first)].states;
        match mention.states.as_slice() {
            [] => Ok(found),
            [state] if states.contains(state) => Ok(found),
            [state] => Err(format!(
                "site \"{}\" of {} has no state \"{state}\"; it has {}",
                mention.name,
                molecule.name,
                one_of(states.iter().map(String::as_str).collect(), "no states")
            )),
            _ => Err(format!(
                "site \"{}\" of {} has several states at once: ask for one, or write another pattern",
                mention.name, molecule.name
            )),
        }
    }

    /// What molecule `root` and all that hangs on it must be like; `from` is the number of the bond
    /// by which it hangs on another one.
    fn branch(
        &self,
        molecules: &[Molecule],
        ways: &[Match],
        root: usize,
        from: Option<u32>,
    ) -> SitePattern {
        let (species, numbers) = &ways[root];
        let sites = &self.sites[usize::from(*species)];
        let mut found = SitePattern::default();
        for (mention, &site) in molecules[root].sites.iter().zip(numbers) {
            if mention.bond != Link::Either {
                found.mask |= sites.bound(site);
            }
            if matches!(mention.bond, Link::Bound | Link::Numbered(_)) {
                found.value |= sites.bound(site);
            }
            let states = &sites.list()[usize::from(site)].states;
            let state = |wanted: &String| states.iter().position(|state| state == wanted);
            if let Some(state) = mention.states.first().and_then(state) {
                found.mask |= sites.state_mask(site);
                found.value |= sites.in_state(site, state);
            }
            let Link::Numbered(bond) = mention.bond else { continue };
            if from == Some(bond) {
                continue;
            }
            if let Some((other, at)) = other_end(molecules, root, bond) {
                let (species, at) = (ways[other].0, ways[other].1[at]);
                let pattern = self.branch(molecules, ways, other, Some(bond));
                found.attached.push(Attached { site, species, at, pattern });
            }
        }
        found
    }
}

/// The molecule and the mention at the other end of a bond that molecule `from` has.
fn other_end(molecules: &[Molecule], from: usize, bond: u32) -> Option<(usize, usize)> {
    let others = molecules.iter().enumerate().filter(|(n, _)| *n != from);
    let at = |molecule: &Molecule| {
        molecule.sites.iter().position(|site| site.bond == Link::Numbered(bond))
    };
    others.filter_map(|(n, molecule)| Some((n, at(molecule)?))).next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::sites::Site;

    fn look_up(text: &str) -> Result<AskedPattern, String> {
        let site = |name: &str, states: &[&str]| Site {
            name: name.to_owned(),
            states: states.iter().map(|state| (*state).to_owned()).collect(),
            direction: None,
        };
        let receptor = vec![site("l", &[]), site("y", &["u", "p"]), site("d", &[])];
        let sites =
            [receptor, vec![site("r", &[]); 3]].map(|list| Sites::new(list).expect("they fit"));
        let names = ["R", "L"].map(str::to_owned);
        Dictionary { names: &names, sites: &sites }.look_up(text)
    }

    #[test]
    fn patterns_mean_what_they_say() {
        // Bits: l bound, y bound, y is p, d bound.
        let plain = |mask, value| SitePattern { mask, value, attached: vec![] };
        assert_eq!(look_up("R").unwrap(), AskedPattern { species: 0, ways: vec![plain(0, 0)] });
        assert_eq!(look_up("R(y~p!?)").unwrap().ways, [plain(0b0100, 0b0100)]);
        assert_eq!(look_up("R(l!+,y~u,d)").unwrap().ways, [plain(0b1111, 0b0001)]);
        let ligands = look_up("L(r!+,r)").unwrap();
        assert_eq!((ligands.species, ligands.ways.len()), (1, 6));
        assert!(ligands.ways.contains(&plain(0b101, 0b100)));
        let pair = &look_up("R(d!1).R(d!1,l!2).L(r#2!2)").unwrap().ways[0];
        let other = &pair.attached[0].pattern;
        assert_eq!((pair.value, other.value), (0b1000, 0b1001));
        assert_eq!((other.attached[0].site, other.attached[0].at), (0, 1));
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_said() {
        for (text, words) in [
            ("R(", "found the end of the text where the name of a site is needed"),
            ("X(l)", "there is no species \"X\""),
            ("R(z)", "R has no site \"z\"; it has l, y, d"),
            ("R(y~q)", "site \"y\" of R has no state \"q\"; it has u, p"),
            ("R(l~q)", "it has no states"),
            ("R(y~u~p)", "several states at once"),
            ("R(l,l)", "appears more often than R has such sites"),
            ("R(l).L(r)", "must be joined by bonds"),
            ("R(l!1,d!2).L(r!1,r!2)", "make a ring"),
            ("R(l!1,d!1)", "make a ring"),
        ] {
            let why = look_up(text).unwrap_err();
            assert!(why.contains(words) && why.starts_with("pattern"), "{text}: {why}");
        }
    }
}
