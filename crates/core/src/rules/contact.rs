//! Rules for contacts of two particles.

use std::ops::RangeInclusive;

use super::case::Case;
use super::region::Region;
use super::timed::Fragmentation;
use crate::docking::Torsion;
use crate::species::Species;

/// A rule for contacts.
///
/// ```
/// use jostle_core::rules::{Chance, Condition, ContactRule, Standing};
///
/// // Monomers that form chains: a particle with two bonds binds no third.
/// let chain = Condition { valence: Some(2), ..Condition::default() };
/// let rule = ContactRule {
///     conditions: [chain.clone(), chain],
///     ..ContactRule::bond("polymerise", [0, 0], Chance::Intrinsic(50.0))
/// };
/// let with_bonds = |bonds| rule.conditions[0].holds(Standing { size: 9, bonds });
/// assert_eq!([0, 1, 2].map(with_bonds), [true, true, false]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRule {
    /// Appears in the log and in reports.
    pub name: String,
    /// The pairs of species that it applies to, and what becomes of them. No pair appears twice,
    /// unless it is told apart by its sites.
    pub cases: Vec<Case<2>>,
    /// What happens.
    pub action: Action,
    /// How likely it is at one contact.
    pub chance: Chance,
    /// Further conditions on the first and on the second partner.
    pub conditions: [Condition; 2],
    /// When it is in force \[µs\]: from the first up to the second. Always, if there is none.
    pub windows: Vec<[f64; 2]>,
    /// Where it is in force: by the place at which the two touch. Everywhere, if there is none.
    pub region: Option<Region>,
    /// How molecules that it binds stand to each other, if the sites point somewhere.
    pub geometry: BondGeometry,
    /// Of a bond that leaves the two free to move: how far apart their centres can get. Such a rule
    /// applies to no contact, but at a constant rate while the two are so near. \[nm\]
    pub tether: Option<f64>,
}

/// How two molecules that are bound at sites which point somewhere stand to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BondGeometry {
    /// Whether the smaller cluster is moved so that the two sites are in line; else the bond keeps
    /// the two as they met.
    pub snap: bool,
    /// What is asked of the torsion; nothing, if there is none.
    pub torsion: Option<Torsion>,
    /// How sites of one cluster that face each other bind; they do not, if there is none.
    pub closure: Option<Closure>,
}

/// How two sites of one cluster bind, which closes a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closure {
    /// How often. \[1/µs\]
    pub rate: f64,
    /// How far each site and the torsion may be off the line \[rad\], and the two particles from
    /// contact, as a share of their distance.
    pub tolerance: f64,
}

impl Default for BondGeometry {
    fn default() -> Self {
        Self { snap: true, torsion: None, closure: None }
    }
}

/// What a contact leads to.
///
/// ```
/// use jostle_core::rules::Action;
///
/// // What an action does, part by part, so that hardly any code has to know all kinds.
/// let [bond, merge, pass] = [Action::Bond, Action::Coalesce, Action::Pass].map(Action::effect);
/// assert!(bond.makes_bond && !bond.merges && merge.merges && !merge.makes_bond);
/// assert!(pass.lets_overlap && !pass.is_ignored && !pass.reacts);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// An elastic collision with effective masses 1/D.
    Bounce,
    /// Nothing but an entry in the log: the two may overlap.
    Pass,
    /// Nothing at all: the two ignore each other, and are not even looked for.
    Ignore,
    /// The two become one sphere, the one product.
    Coalesce,
    /// The two keep their places relative to each other and move as one rigid unit.
    Bond,
    /// The two become the products, of which there may be none.
    Convert,
    /// The first cuts the cluster of the second.
    Cut(Fragmentation),
}

/// How likely a rule is at one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Chance {
    /// The intrinsic (Collins-Kimball) rate constant k_a.
    /// \[nm³/µs in 3D, nm²/µs in 2D, nm/µs in 1D\] The probability follows from it, the diffusion
    /// coefficients and the time step.
    Intrinsic(f64),
    /// The macroscopic rate constant k_on of well-mixed kinetics \[nm³/µs\], in 3D only: the
    /// intrinsic one follows from 1/k_a = 1/k_on - 1/(4 pi D R), with D and R of the two species
    /// alone.
    Macroscopic(f64),
    /// The same at every contact, whatever the time step: 0..=1.
    Probability(f64),
}

/// A condition that a particle has to fulfil before a rule applies to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// How many particles its cluster may hold, itself included.
    pub size: RangeInclusive<u32>,
    /// It may have at most so many bonds already, less one: its valence.
    pub valence: Option<u32>,
}

/// The properties of a particle that conditions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How many particles its cluster holds, those inside coalesced particles counted one by one.
    pub size: u32,
    /// How many bonds it has.
    pub bonds: u32,
}

impl Chance {
    /// The same kind of chance, with another number.
    pub fn with(self, number: f64) -> Self {
        match self {
            Self::Intrinsic(_) => Self::Intrinsic(number),
            Self::Macroscopic(_) => Self::Macroscopic(number),
            Self::Probability(_) => Self::Probability(number),
        }
    }
}

impl Standing {
    /// That of a particle without bonds that holds no others.
    pub const ALONE: Self = Self { size: 1, bonds: 0 };
}

impl Action {
    /// Whether it changes any particle.
    pub fn reacts(self) -> bool {
        self.effect().reacts
    }
}

impl Default for Condition {
    fn default() -> Self {
        Self { size: 1..=u32::MAX, valence: None }
    }
}

impl Condition {
    /// Whether it asks anything at all.
    pub fn is_free(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it holds.
    pub fn holds(&self, standing: Standing) -> bool {
        self.size.contains(&standing.size) && self.valence.is_none_or(|most| standing.bonds < most)
    }
}

impl ContactRule {
    /// Whether particles that are near each other become tethered by it. Else it only says how long
    /// tethers are that are there from the start.
    pub fn makes_tethers(&self) -> bool {
        self.tether.is_some() && self.chance != Chance::Intrinsic(0.0)
    }

    /// Whether the two that one of its cases is for are alike. What is said of sites that are called
    /// alike is a case for each two of them, so for all of these if it is for one.
    pub fn is_for_alike(&self, case: &Case<2>) -> bool {
        let of_these = || self.cases.iter().filter(|other| other.species == case.species);
        case.is_for_alike() || (case.joins().is_some() && of_these().any(Case::is_for_alike))
    }

    /// A rule without conditions for one pair of species.
    pub fn new(
        name: &str,
        species: [u16; 2],
        products: &[u16],
        action: Action,
        chance: Chance,
    ) -> Self {
        Self {
            name: name.to_owned(),
            cases: vec![Case::new(species, products)],
            action,
            chance,
            conditions: Default::default(),
            windows: Vec::new(),
            region: None,
            geometry: BondGeometry::default(),
            tether: None,
        }
    }

    /// The two bounce, pass through or ignore each other.
    pub fn plain(name: &str, species: [u16; 2], action: Action) -> Self {
        Self::new(name, species, &[], action, Chance::Probability(1.0))
    }

    /// The two are joined by a bond.
    pub fn bond(name: &str, species: [u16; 2], chance: Chance) -> Self {
        Self::new(name, species, &[], Action::Bond, chance)
    }

    /// The two become tethered to each other, at most `length` \[nm\] apart, with the intrinsic rate
    /// constant `k_a`.
    pub fn tether(name: &str, species: [u16; 2], length: f64, k_a: f64) -> Self {
        Self { tether: Some(length), ..Self::bond(name, species, Chance::Intrinsic(k_a)) }
    }

    /// The two become one sphere.
    pub fn coalesce(name: &str, species: [u16; 2], product: u16, chance: Chance) -> Self {
        Self::new(name, species, &[product], Action::Coalesce, chance)
    }

    /// The two become `products`.
    pub fn convert(name: &str, species: [u16; 2], products: &[u16], chance: Chance) -> Self {
        Self::new(name, species, products, Action::Convert, chance)
    }

    /// The first case of two species, by its place in the list, and whether it names them the other
    /// way round.
    pub fn case_of(&self, a: u16, b: u16) -> Option<(usize, bool)> {
        let find = |pair| self.cases.iter().position(|case| case.species == pair);
        find([a, b]).map(|n| (n, false)).or_else(|| find([b, a]).map(|n| (n, true)))
    }

    /// Whether it brings molecules in line when it binds them.
    pub fn docks(&self, species: &[Species]) -> bool {
        let is_directed = |case: &Case<2>| {
            let joins = case.joins().unwrap_or([u8::MAX; 2]);
            let direction = |n: usize| species[case.species[n] as usize].sites.direction(joins[n]);
            direction(0).is_some() || direction(1).is_some()
        };
        self.action.effect().makes_bond && self.geometry.snap && self.cases.iter().any(is_directed)
    }

    /// Whether any of its cases takes in `species`.
    pub fn involves(&self, species: u16) -> bool {
        self.cases.iter().any(|case| case.species.contains(&species))
    }
}
