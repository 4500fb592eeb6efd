//! Gillespie's direct method.

use std::collections::BTreeSet;

use jostle_core::formula::Formula;
use jostle_core::random::{Purpose, Random};
use jostle_model::bngl::{Network, OneWay, SiteRef};

use super::embedding::{Fit, Template};
use super::soup::{SiteAt, Soup};

/// One direction of a rule, and all ways in which its reactants fit.
struct Channel<'n> {
    way: &'n OneWay,
    delete_molecules: bool,
    /// The rate of each way.
    rate: f64,
    reactants: Vec<Matches>,
}

/// A pattern with all ways in which it fits, of those in which the same happens one.
#[derive(Clone)]
struct Matches {
    template: Template,
    /// What happens to it: sites that change, each with a number for what becomes of it, and molecules
    /// that go. In its own molecules.
    effect: Vec<(usize, Option<usize>, usize)>,
    /// \[molecule that is the first of the pattern\]
    fits: Vec<Vec<Fit>>,
    count: u64,
}

/// A well-mixed volume in which the rules of a network apply.
pub struct WellMixed<'n> {
    network: &'n Network,
    soup: Soup,
    channels: Vec<Channel<'n>>,
    /// \[observable\]\[pattern\]
    observables: Vec<Vec<Template>>,
    time: f64,
    events: u64,
    random: Random,
    draws: u64,
}

impl Matches {
    /// Finds the ways that begin with a molecule again.
    fn refresh(&mut self, soup: &Soup, molecule: usize) {
        if self.fits.len() <= molecule {
            self.fits.resize(molecule + 1, Vec::new());
        }
        let mut fits = match soup.body(molecule) {
            Some(body) if body.kind == self.template.root() => self.template.fits(soup, molecule),
            _ => Vec::new(),
        };
        let mut seen = BTreeSet::new();
        fits.retain(|fit| seen.insert(self.happens(fit)));
        self.count += fits.len() as u64;
        self.count -= self.fits[molecule].len() as u64;
        self.fits[molecule] = fits;
    }

    /// What happens where it fits in this way.
    fn happens(&self, fit: &Fit) -> BTreeSet<(usize, Option<usize>, usize)> {
        let place = |&(molecule, site, what): &(usize, Option<usize>, usize)| {
            (fit.molecules[molecule], site.map(|site| fit.sites[molecule][site]), what)
        };
        self.effect.iter().map(place).collect()
    }

    /// The way with a number below `count`.
    fn fit(&self, mut number: u64) -> Option<&Fit> {
        for own in &self.fits {
            if number < own.len() as u64 {
                return own.get(number as usize);
            }
            number -= own.len() as u64;
        }
        None
    }
}

impl Channel<'_> {
    /// How often it applies per time, as if all pairs were of different complexes.
    fn propensity(&self, counts: &[f64], time: f64) -> f64 {
        let law = self.way.law.as_ref().map_or(1.0, |law| law.value(counts, time));
        self.reactants.iter().fold(self.rate * law, |rate, matches| rate * matches.count as f64)
    }
}

/// Rates that depend on the time itself are taken for constant within this share of a time to be
/// covered.
const SHORT: f64 = 1e-3;

/// What a rule does to its reactant number `n`.
fn effect(way: &OneWay, n: usize) -> Vec<(usize, Option<usize>, usize)> {
    let first: usize = way.reactants[..n].iter().map(Vec::len).sum();
    let own = first..first + way.reactants[n].len();
    let changes = &way.changes;
    let states: BTreeSet<&String> = changes.states.iter().map(|(_, state)| state).collect();
    let number =
        |state: &String| states.iter().position(|other| *other == state).unwrap_or_default();
    let set = changes.states.iter().map(|(site, state)| (*site, number(state)));
    let bound = changes.bound.iter().flatten().map(|site| (*site, usize::MAX));
    let parted = changes.parted.iter().flat_map(|parting| parting.ends);
    let parted = parted.map(|site| (site, usize::MAX - 1));
    let sites = set.chain(bound).chain(parted).filter(|(site, _)| own.contains(&site.molecule));
    let sites = sites.map(|(site, what)| (site.molecule - first, Some(site.site), what));
    let gone = changes.deleted.iter().filter(|gone| own.contains(gone));
    sites.chain(gone.map(|gone| (gone - first, None, 0))).collect()
}

impl<'n> WellMixed<'n> {
    /// The network at its start; numbers of molecules are rounded.
    pub fn new(network: &'n Network, seed: u64) -> Self {
        let mut soup = Soup::default();
        for species in &network.seeds {
            for _ in 0..species.count.round() as u64 {
                soup.add(network, &species.molecules);
            }
        }
        let mut channels = Vec::new();
        for rule in &network.rules {
            for way in [Some(&rule.forth), rule.back.as_ref()].into_iter().flatten() {
                let matches = |n: usize| {
                    let effect = effect(way, n);
                    let root = effect.iter().map(|(molecule, ..)| *molecule).min().unwrap_or(0);
                    let template = Template::new(network, &way.reactants[n]).rooted_at(root);
                    let alike = way.alike(n, root);
                    (Matches { template, effect, fits: Vec::new(), count: 0 }, alike)
                };
                let (reactants, alike): (Vec<Matches>, Vec<f64>) =
                    (0..way.reactants.len()).map(matches).unzip();
                // Ways that begin with molecules which are alike come to the same.
                let alike: f64 = alike.into_iter().product();
                let orders = if way.swaps() { 2.0 } else { 1.0 };
                channels.push(Channel {
                    way,
                    delete_molecules: rule.delete_molecules,
                    rate: way.rate / alike / orders,
                    reactants,
                });
            }
        }
        let templates = |patterns: &[Vec<_>]| {
            patterns.iter().map(|pattern| Template::new(network, pattern)).collect()
        };
        let observables = network.observables.iter().map(|o| templates(&o.patterns)).collect();
        let random = Random::new(seed);
        let (time, events, draws) = (0.0, 0, 0);
        let mut cell = Self { network, soup, channels, observables, time, events, random, draws };
        let all: BTreeSet<usize> = (0..cell.soup.bodies.len()).collect();
        cell.refresh(&all);
        cell
    }

    /// The time, in the unit of the network.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How many reactions there have been.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What an observable of the network, by its number, counts now: ways in which its patterns fit,
    /// or complexes that any of them fits.
    pub fn observed(&self, observable: usize) -> u64 {
        let all = 0..self.soup.bodies.len();
        let fits = |template: &Template, molecule| match self.soup.body(molecule) {
            Some(body) if body.kind == template.root() => {
                template.fits(&self.soup, molecule).len() as u64
            }
            _ => 0,
        };
        let templates = &self.observables[observable];
        if !self.network.observables[observable].of_species {
            return templates.iter().flat_map(|t| all.clone().map(move |m| fits(t, m))).sum();
        }
        let mut seen = BTreeSet::new();
        for template in templates {
            let hit = all.clone().filter(|molecule| fits(template, *molecule) > 0);
            seen.extend(hit.filter_map(|molecule| self.soup.complex(molecule).first().copied()));
        }
        seen.len() as u64
    }

    /// The sizes of all complexes, in molecules.
    pub fn sizes(&self) -> Vec<usize> {
        let mut seen = BTreeSet::new();
        let mut sizes = Vec::new();
        for molecule in 0..self.soup.bodies.len() {
            if self.soup.body(molecule).is_some() && !seen.contains(&molecule) {
                let complex = self.soup.complex(molecule);
                sizes.push(complex.len());
                seen.extend(complex);
            }
        }
        sizes
    }

    /// Goes on until a time.
    pub fn advance(&mut self, until: f64) {
        let laws = || self.channels.iter().filter_map(|channel| channel.way.law.as_ref());
        let (some_vary, some_tick) =
            (laws().next().is_some(), laws().any(Formula::depends_on_time));
        let longest = if some_tick { SHORT * (until - self.time) } else { f64::INFINITY };
        loop {
            let observed = if some_vary { self.network.observables.len() } else { 0 };
            let counts: Vec<f64> = (0..observed).map(|n| self.observed(n) as f64).collect();
            let rates = self.channels.iter().map(|channel| channel.propensity(&counts, self.time));
            let propensities: Vec<f64> = rates.collect();
            let total: f64 = propensities.iter().sum();
            if total <= 0.0 && !some_tick {
                break;
            }
            let wait = -libm::log(1.0 - self.uniform()) / total;
            // An exponential wait has no memory: it can be drawn again at any time.
            if self.time + wait.min(longest) > until {
                break;
            }
            if wait > longest {
                self.time += longest;
                continue;
            }
            self.time += wait;
            let mut below = self.uniform() * total;
            let chosen = propensities.iter().position(|propensity| {
                below -= propensity;
                below < 0.0
            });
            if let Some(channel) = chosen {
                self.apply(channel);
            }
        }
        self.time = self.time.max(until);
    }

    fn uniform(&mut self) -> f64 {
        self.draws += 1;
        self.random.uniform(Purpose::Waiting, [self.draws, 0, 0, 0])
    }

    /// Lets a rule apply to reactants chosen at random, unless these are of one complex.
    fn apply(&mut self, channel: usize) {
        let mut fits = Vec::new();
        for n in 0..self.channels[channel].reactants.len() {
            let count = self.channels[channel].reactants[n].count;
            let number = (self.uniform() * count as f64) as u64;
            fits.extend(self.channels[channel].reactants[n].fit(number.min(count - 1)).cloned());
        }
        let complexes: Vec<BTreeSet<usize>> =
            fits.iter().map(|fit| self.soup.complex(fit.molecules[0])).collect();
        if let [first, second] = complexes.as_slice()
            && !first.is_disjoint(second)
        {
            return;
        }
        let mut touched: BTreeSet<usize> = complexes.iter().flatten().copied().collect();
        if let Some(created) = self.change(channel, &fits, &complexes) {
            touched.extend(created);
            self.events += 1;
            self.refresh(&touched);
        }
    }

    /// Changes the molecules; those that are new. None, and nothing has changed, if bonds hold
    /// together what the rule would part, or do not hold what it would leave together.
    fn change(
        &mut self,
        channel: usize,
        fits: &[Fit],
        complexes: &[BTreeSet<usize>],
    ) -> Option<Vec<usize>> {
        let Channel { way, delete_molecules, .. } = self.channels[channel];
        let changes = &way.changes;
        let molecules: Vec<(usize, usize)> = fits
            .iter()
            .enumerate()
            .flat_map(|(n, fit)| (0..fit.molecules.len()).map(move |m| (n, m)))
            .collect();
        let at = |site: SiteRef| -> SiteAt {
            let (fit, molecule) = molecules[site.molecule];
            fits[fit].site(molecule, site.site)
        };
        for parting in &changes.parted {
            let [a, b] = parting.ends.map(at);
            self.soup.part(a, b);
        }
        let is_apart = |ends: [SiteRef; 2]| {
            let [a, b] = ends.map(at);
            !self.soup.complex(a.molecule).contains(&b.molecule)
        };
        if changes.parted.iter().any(|parting| is_apart(parting.ends) != parting.apart) {
            for parting in &changes.parted {
                let [a, b] = parting.ends.map(at);
                self.soup.bind(a, b);
            }
            return None;
        }
        for ends in &changes.bound {
            let [a, b] = ends.map(at);
            self.soup.bind(a, b);
        }
        for (site, state) in &changes.states {
            let at = at(*site);
            let kind = self.soup.body(at.molecule).map_or(0, |body| body.kind);
            let states = &self.network.types[kind].sites[at.site].states;
            let state = states.iter().position(|known| known == state);
            self.soup.set_state(at, state.unwrap_or_default());
        }
        for (n, fit) in fits.iter().enumerate() {
            let gone: Vec<usize> = changes
                .deleted
                .iter()
                .map(|deleted| molecules[*deleted])
                .filter(|(own, _)| *own == n)
                .map(|(_, molecule)| fit.molecules[molecule])
                .collect();
            if gone.len() == fit.molecules.len() && !delete_molecules {
                complexes[n].iter().for_each(|molecule| self.soup.remove(*molecule));
            } else {
                gone.into_iter().for_each(|molecule| self.soup.remove(molecule));
            }
        }
        let (network, created) = (self.network, &changes.created);
        Some(created.iter().flat_map(|complex| self.soup.add(network, complex)).collect())
    }

    fn refresh(&mut self, molecules: &BTreeSet<usize>) {
        for matches in self.channels.iter_mut().flat_map(|channel| &mut channel.reactants) {
            molecules.iter().for_each(|molecule| matches.refresh(&self.soup, *molecule));
        }
    }

    /// Whether all ways are those that are found if one looks again at everything.
    #[cfg(test)]
    pub(super) fn is_consistent(&self) -> bool {
        let samples = self.channels.iter().flat_map(|channel| &channel.reactants);
        samples.into_iter().all(|matches| {
            let mut fresh = Matches { fits: Vec::new(), count: 0, ..matches.clone() };
            (0..self.soup.bodies.len()).for_each(|m| fresh.refresh(&self.soup, m));
            fresh.fits == matches.fits && fresh.count == matches.count
        })
    }
}
