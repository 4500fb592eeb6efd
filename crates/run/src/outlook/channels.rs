//! What may happen in a model, as reactions of well-mixed numbers.

use std::f64::consts::PI;

use jostle_core::rules::{
    Action, Case, Chance, Compositions, ContactRule, MeetingPair, Region, TimedAction, TimedRule,
};
use jostle_core::space::Groups;
use jostle_model::adsorption::Pace;
use jostle_model::surroundings::SurfaceModel;
use jostle_model::templates::MoleculeTemplate;
use jostle_model::together::{by_pair, intrinsic, reacting_pair};
use jostle_model::{Model, measure};

/// Particles bind no more than so many others at once, where no rule says how many: so many fit
/// around one.
const NEIGHBOURS: f64 = 12.0;

/// How often something happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Law {
    /// So many times per µs, whatever there is.
    Steady(f64),
    /// At this rate for each of a number, of which there are no more than of another. \[1/µs\]
    Each { rate: f64, of: usize, within: usize },
    /// At this rate for each pair; two of one number that are not `alike` make two pairs, one either
    /// way round. \[1/µs\]
    Pairs { rate: f64, of: [usize; 2], alike: bool },
    /// The same, where bonds take up what can be bound: which ones, and how many bonds a particle
    /// has at most.
    Bonds { rate: f64, of: [usize; 2], alike: bool, made: usize, most: [f64; 2] },
    /// At this rate for each of a number that gets onto a surface with sites, or comes off it. \[1/µs\]
    AtSites { rate: f64, of: usize, sites: Sites, way: Way },
}

/// The sites of a surface, for one species that gets onto it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sites {
    /// Which of the numbers says how many are taken, of how many.
    pub(super) taken: usize,
    pub(super) number: f64,
    /// While all are free, the share of those that come off that get far away before they are back.
    pub(super) escaping: f64,
}

/// Onto a surface, or off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    On,
    Off,
}

impl Sites {
    /// By how much slower one way is where so many are taken. To get there by diffusion and onto the surface takes
    /// as long together as 1 - e and e/θ, if e is the share that escapes and θ that of free sites.
    pub(super) fn slowing(&self, taken: f64, way: Way) -> f64 {
        let free = (1.0 - taken / self.number).clamp(0.0, 1.0);
        let both = self.escaping + (1.0 - self.escaping) * free;
        match way {
            Way::On => free / both,
            Way::Off => 1.0 / both,
        }
    }
}

/// One thing that may happen, and what it changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    /// The rule's number.
    pub(super) rule: u16,
    pub(super) law: Law,
    /// Numbers, and by how much they change.
    pub(super) change: Vec<(usize, f64)>,
}

/// All that may happen. Numbers are those of the species, then those of bonds and of coalesced
/// particles by the rules and cases that make them.
pub(super) struct Channels {
    pub(super) list: Vec<Channel>,
    /// How many numbers there are.
    pub(super) numbers: usize,
    /// Those of bonds.
    pub(super) bonds: Vec<usize>,
    /// Those of the taken sites of surfaces. \[surface\]
    pub(super) taken: Vec<Option<usize>>,
    /// What becomes of coalesced particles of a species when one of so many joints gives way.
    wholes: Vec<Joints>,
    compositions: Compositions,
}

/// The joints of coalesced particles.
struct Joints {
    product: u16,
    made: usize,
    back: Vec<(usize, f64)>,
}

impl Channels {
    /// Those of a model, in which there are so many particles of each species at first.
    pub(super) fn of(model: &Model, count: &[usize]) -> Self {
        let (list, bonds, wholes) = (Vec::new(), Vec::new(), Vec::new());
        let compositions = model.rules().compositions();
        let (numbers, taken) = (model.species.len(), Vec::new());
        let mut all = Self { list, numbers, bonds, taken, wholes, compositions };
        let surfaces = &model.surroundings().surfaces;
        all.taken =
            surfaces.iter().map(|one| one.sites.as_ref().map(|_| all.new_number())).collect();
        let meeting = measure::meeting(model);
        for ([a, b], members) in by_pair(model.rules()).reacting() {
            for &(number, case) in members {
                let rule = &model.rules().contact[number as usize];
                if !rule.action.reacts() {
                    continue;
                }
                let pace = pace_of_pairs(model, &meeting, rule, [a, b], count);
                all.add_contact(model, (number, rule, &rule.cases[case as usize]), pace);
            }
        }
        model.molecules().iter().for_each(|molecule| all.add_molecule(model, molecule));
        for (n, surface) in model.surroundings().surfaces.iter().enumerate() {
            all.add_adsorption(model, n, surface);
        }
        for (n, rule) in model.rules().timed.iter().enumerate() {
            all.add_timed(model, model.rules().first_timed() + n as u16, rule);
        }
        all.take_sites(model);
        all
    }

    /// The sites of which a conversion takes one.
    fn sites_taken(&self, model: &Model, from: usize, products: &[u16]) -> Option<Sites> {
        let surfaces = model.surroundings().surfaces.iter().zip(&self.taken);
        let mut counted = surfaces.filter_map(|(of, taken)| of.sites.as_ref().zip(*taken));
        counted.find_map(|(sites, taken)| {
            let after: u64 = products.iter().map(|&s| sites.held[usize::from(s)]).sum();
            let number = sites.number as f64;
            (after > sites.held[from]).then_some(Sites { taken, number, escaping: 1.0 })
        })
    }

    /// Lets what holds sites of surfaces take them.
    fn take_sites(&mut self, model: &Model) {
        for (surface, taken) in model.surroundings().surfaces.iter().zip(&self.taken) {
            let Some((sites, taken)) = surface.sites.as_ref().zip(*taken) else { continue };
            let held =
                |&(n, by): &(usize, f64)| sites.held.get(n).map_or(0.0, |&each| each as f64 * by);
            for channel in &mut self.list {
                let more: f64 = channel.change.iter().map(held).sum();
                channel.change.extend((more != 0.0).then_some((taken, more)));
            }
        }
    }

    /// The sites of a surface, if what gets onto it as one of this species takes one.
    fn sites(&self, model: &Model, surface: usize, species: u16, pace: Pace) -> Option<Sites> {
        let of = &model.surroundings().surfaces[surface];
        let sites = of.sites.as_ref()?;
        let takes_one = sites.limit(of.manners[usize::from(species)]);
        let (taken, number) = (self.taken[surface]?, sites.number as f64);
        takes_one.then_some(Sites { taken, number, escaping: pace.escaping })
    }

    /// What gets onto a surface.
    fn add_adsorption(&mut self, model: &Model, number: usize, surface: &SurfaceModel) {
        let rule = model.rules().first_absorbing() + number as u16;
        for (species, manner) in (0..).zip(&surface.manners) {
            let Some(becomes) = manner.becomes() else { continue };
            let of = usize::from(species);
            let pace = Pace::of(model, surface, species);
            let rate = pace.map_or(0.0, |pace| pace.rate);
            let law = match pace.and_then(|pace| self.sites(model, number, species, pace)) {
                Some(sites) => Law::AtSites { rate, of, sites, way: Way::On },
                None => Law::Each { rate, of, within: of },
            };
            let change = vec![(of, -1.0), (usize::from(becomes), 1.0)];
            self.list.push(Channel { rule, law, change });
        }
    }

    /// The number of bonds of a rule between two species; if they have changed since, that of its
    /// first case.
    pub(super) fn bonds_by(&self, rule: u16, [a, b]: [usize; 2]) -> Option<usize> {
        let made = self.list.iter().filter(|channel| channel.rule == rule);
        let made = made.filter_map(|channel| match channel.law {
            Law::Bonds { of, made, .. } => Some((of, made)),
            _ => None,
        });
        let fits = |of: [usize; 2]| of == [a, b] || of == [b, a];
        made.clone().find(|(of, _)| fits(*of)).or_else(|| made.clone().next()).map(|(_, made)| made)
    }

    /// Whether all particles of a species hold the two that one rule joins, however they came to be.
    fn is_way_of_all(&self, model: &Model, species: u16) -> bool {
        let merging = model.rules().contact.iter().filter(|rule| rule.action.effect().merges);
        let cases = merging.flat_map(|rule| &rule.cases);
        let makes_it = |case: &&Case<2>| case.products.contains(&species);
        self.compositions.known(species).is_some() && cases.filter(makes_it).count() == 1
    }

    fn new_number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers - 1
    }

    /// The bonds of molecules of several spheres, which nothing makes.
    fn add_molecule(&mut self, model: &Model, molecule: &MoleculeTemplate) {
        let Some(rule) = model.rule_of(molecule) else { return };
        let made = self.new_number();
        self.bonds.push(made);
        let of = [0, 1].map(|n| usize::from(molecule.spheres[n].species));
        let law = Law::Bonds { rate: 0.0, of, alike: false, made, most: [1.0; 2] };
        self.list.push(Channel { rule, law, change: vec![(made, 1.0)] });
        self.add_undoing(model, (rule, 1.0), made, made, vec![(made, -1.0)]);
    }

    fn add_contact(
        &mut self,
        model: &Model,
        (number, rule, case): (u16, &ContactRule, &Case<2>),
        PairPace { rate, escaping }: PairPace,
    ) {
        let of = case.species.map(usize::from);
        let mut change = vec![];
        let alike = case.is_for_alike();
        let mut law = Law::Pairs { rate, of, alike };
        match rule.action {
            Action::Bond => {
                let made = self.new_number();
                self.bonds.push(made);
                change.push((made, 1.0));
                let valence = |n: usize| rule.conditions[n].valence.map_or(NEIGHBOURS, f64::from);
                // A site has one bond.
                let most = if case.joins().is_some() { [1.0; 2] } else { [0, 1].map(valence) };
                law = Law::Bonds { rate, of, alike, made, most };
                self.add_undoing(model, (number, escaping), made, made, vec![(made, -1.0)]);
            }
            Action::Cut(_) | Action::Bounce | Action::Pass | Action::Ignore => {}
            Action::Coalesce | Action::Convert => {
                change.extend(of.map(|s| (s, -1.0)));
                change.extend(case.products.iter().map(|&s| (usize::from(s), 1.0)));
                if let (Action::Coalesce, Some(&product)) = (rule.action, case.products.first()) {
                    let of_species = usize::from(product);
                    let mut back = vec![(of[0], 1.0), (of[1], 1.0), (of_species, -1.0)];
                    // Where there is one way to make them, all hold what they are made of.
                    let made = match self.is_way_of_all(model, product) {
                        true => of_species,
                        false => self.new_number(),
                    };
                    if made != of_species {
                        change.push((made, 1.0));
                        back.push((made, -1.0));
                    }
                    let joints = Joints { product, made, back: back.clone() };
                    self.wholes.push(joints);
                    self.add_undoing(model, (number, escaping), made, of_species, back);
                }
            }
        }
        self.list.push(Channel { rule: number, law, change });
    }

    /// What undoes a binding by a rule, of which there are so many, and of which this share escapes
    /// for good.
    fn add_undoing(
        &mut self,
        model: &Model,
        (number, escaping): (u16, f64),
        of: usize,
        within: usize,
        change: Vec<(usize, f64)>,
    ) {
        for (rule, timed) in model.rules().undoing(number) {
            let law = Law::Each { rate: timed.rate * escaping, of, within };
            self.list.push(Channel { rule, law, change: change.clone() });
        }
    }

    fn add_timed(&mut self, model: &Model, number: u16, rule: &TimedRule) {
        match &rule.action {
            TimedAction::Create { species, .. } => {
                let rate = rule.rate * model.room_for(*species, rule.region.as_ref());
                let change = vec![(usize::from(*species), 1.0)];
                self.list.push(Channel { rule: number, law: Law::Steady(rate), change });
            }
            TimedAction::Convert { cases } => {
                for Case { species: [from], products, .. } in cases {
                    let rate = rule.rate * share(model, *from, rule.region.as_ref());
                    let escaping = Pace::of_coming_off(model, *from, products);
                    let rate = rate * escaping.map_or(1.0, |pace| pace.escaping);
                    let home = model.surroundings().anchor(*from).map(|at| usize::from(at.surface));
                    let sites = escaping
                        .zip(home)
                        .and_then(|(pace, home)| self.sites(model, home, *products.first()?, pace));
                    let from = usize::from(*from);
                    let made = products.iter().map(|&s| (usize::from(s), 1.0));
                    let change = std::iter::once((from, -1.0)).chain(made).collect();
                    let law = match (sites, self.sites_taken(model, from, products)) {
                        (Some(sites), _) => Law::AtSites { rate, of: from, sites, way: Way::Off },
                        (None, Some(sites)) => Law::AtSites { rate, of: from, sites, way: Way::On },
                        (None, None) => Law::Each { rate, of: from, within: from },
                    };
                    self.list.push(Channel { rule: number, law, change });
                }
            }
            TimedAction::Fragment { species, how } => {
                // Pieces that are small become what they dissolve into, and most are small at first.
                let back = |whole: &Joints| match how.dissolved {
                    Some(dissolved) if how.minimum > 1 => {
                        let gone = whole.back.iter().filter(|(_, by)| *by < 0.0);
                        std::iter::once((usize::from(dissolved), 2.0))
                            .chain(gone.copied())
                            .collect()
                    }
                    _ => whole.back.clone(),
                };
                let law = |of: usize| Law::Each { rate: rule.rate, of, within: of };
                let bonds = self.bonds.iter().map(|&of| (law(of), vec![(of, -1.0)]));
                let wholes = self.wholes.iter().filter(|whole| species.contains(&whole.product));
                let wholes = wholes.map(|whole| (law(whole.made), back(whole)));
                let channels = bonds.chain(wholes);
                self.list.extend(channels.map(|(law, change)| Channel {
                    rule: number,
                    law,
                    change,
                }));
            }
            // These stand with what they undo.
            TimedAction::Unbind { .. } => {}
        }
    }
}

/// The share of the room of a species in which a rule is in force.
fn share(model: &Model, species: u16, region: Option<&Region>) -> f64 {
    region.map_or(1.0, |region| measure::share_in(model, species, region))
}

/// How fast a pair reacts, and lets go.
#[derive(Clone, Copy)]
struct PairPace {
    /// How often a pair reacts. \[1/µs\]
    rate: f64,
    /// At which multiple of the rate that is typed those let go get away from each other, instead of
    /// reacting again at once: k/k_a, or k/k_on where macroscopic rate constants are typed, which count
    /// only those.
    escaping: f64,
}

/// The pace of a pair of these species by a rule, while they are as many as at first.
fn pace_of_pairs(
    model: &Model,
    meeting: &Groups,
    rule: &ContactRule,
    [a, b]: [u16; 2],
    count: &[usize],
) -> PairPace {
    const NONE: PairPace = PairPace { rate: 0.0, escaping: 1.0 };
    let Some((host, pair)) = measure::host(model, meeting, a, b).zip(reacting_pair(model, a, b))
    else {
        return NONE;
    };
    let k_a = match rule.chance {
        Chance::Probability(p) => pair.intrinsic_rate(p, model.run.timestep).ok(),
        chance => intrinsic(chance, &pair).and_then(Result::ok),
    };
    let Some(k_a) = k_a.filter(|k_a| *k_a > 0.0) else { return NONE };
    // So much denser are partners at contact.
    let k_a = match rule.tether {
        Some(_) => k_a,
        None => k_a * libm::exp(-model.energy_at_contact([a, b])),
    };
    let room = measure::room_of(model, host);
    let contact = [a, b].iter().filter_map(|&s| model.species[s as usize].radius).sum();
    let distance = rule.tether.unwrap_or(contact);
    let others = count[a as usize].max(count[b as usize]).max(1) as f64;
    let supply = supply(&pair, distance, model.run.timestep, room / others);
    let k = 1.0 / (1.0 / k_a + 1.0 / supply);
    let typed = match rule.chance {
        Chance::Macroscopic(k_on) => k_on,
        _ => k_a,
    };
    PairPace { rate: share(model, host, rule.region.as_ref()) * k / room, escaping: k / typed }
}

/// The rate constant with which diffusion brings two together at contact `distance` \[nm\], where
/// each other one has so much room \[nm^d\]: in one and two dimensions it follows from how far they
/// are apart. \[nm^d/µs\]
fn supply(pair: &MeetingPair, distance: f64, timestep: f64, room: f64) -> f64 {
    let diffusion = pair.step_width(timestep).powi(2) / (2.0 * timestep);
    match pair.dimension() {
        1 => 2.0 * diffusion / room,
        2 => 2.0 * PI * diffusion / libm::log((room / PI).sqrt() / distance).max(0.5),
        _ => 4.0 * PI * diffusion * distance * pair.exposed,
    }
}
