//! Sites of molecules: where a particle binds others, and what states it is in there.
//!
//! The sites of one particle are packed into one number, its *site code*: for each site one bit
//! that says whether it is bound, and as many as its states need. A pattern of sites is then a mask
//! and a value, however many combinations of states there are, and nothing is ever listed by them.
//! Bound bits follow from the bonds; they are kept since rules ask for them at every contact.

use crate::docking::SiteDirection;

/// A site of a species.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Site {
    /// Its name, which no other site of the species has. Sites that are alike are called `r#1`,
    /// `r#2` and so on.
    pub name: String,
    /// The names of its states, the first being that of new particles; none if it has no states.
    pub states: Vec<String>,
    /// Where it points, if it does not bind all around.
    pub direction: Option<SiteDirection>,
}

/// The sites of a species, in the order in which the model names them.
///
/// ```
/// use jostle_core::sites::{Site, Sites};
///
/// // A receptor with a site for its ligand, and a tyrosine that can be phosphorylated.
/// let ligand = Site { name: "l".into(), ..Site::default() };
/// let tyrosine = Site { name: "Y".into(), states: vec!["u".into(), "p".into()], ..Site::default() };
/// let sites = Sites::new(vec![ligand, tyrosine])?;
/// // All of it is in one number.
/// let code = sites.bound(0) | sites.in_state(1, 1);
/// assert_eq!((code & sites.all_bound() != 0, sites.state_of(code, 1)), (true, 1));
/// assert_eq!(sites.written("R", sites.in_state(1, 1), |_| String::new()), "R(l,Y~p)");
/// # Ok::<(), jostle_core::sites::TooManySites>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sites {
    list: Vec<Site>,
    fields: Vec<Field>,
    /// How many bits of a code are in use.
    bits: u32,
    rotational_diffusion: Option<f64>,
}

/// Where a site is in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    /// The bit that says whether it is bound.
    bound: u32,
    /// The lowest bit of its state, and how many there are.
    state: u32,
    width: u32,
}

/// The sites of a species need more bits than a code has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "these sites need {bits} bits for their states, and {most} are possible: each site takes one, and \
     one more for 2 states, two for 3 or 4, and so on",
    most = u64::BITS
)]
pub struct TooManySites {
    /// How many they need.
    pub bits: u32,
}

impl Site {
    /// The name that it has in common with the sites that are like it.
    pub fn family(&self) -> &str {
        self.name.split('#').next().unwrap_or(&self.name)
    }
}

impl Sites {
    /// These sites, as they are packed; those that have the same name are numbered.
    ///
    /// # Errors
    /// If they need more than 64 bits.
    pub fn new(mut list: Vec<Site>) -> Result<Self, TooManySites> {
        number_alike(&mut list);
        let mut bits = 0u32;
        let mut field = |site: &Site| {
            let width = site.states.len().max(1).next_power_of_two().trailing_zeros();
            let field = Field { bound: bits, state: bits + 1, width };
            bits = bits.saturating_add(1 + width);
            field
        };
        let fields = list.iter().map(&mut field).collect();
        if bits > u64::BITS {
            Err(TooManySites { bits })
        } else {
            Ok(Self { list, fields, bits, rotational_diffusion: None })
        }
    }

    /// The same sites of particles that turn with this rotational diffusion coefficient \[rad²/µs\],
    /// if one is given; else it follows from how fast they diffuse.
    #[must_use]
    pub fn turning_at(self, rotational_diffusion: Option<f64>) -> Self {
        Self { rotational_diffusion, ..self }
    }

    /// The rotational diffusion coefficient that is given for particles with these sites.
    /// \[rad²/µs\]
    pub fn rotational_diffusion(&self) -> Option<f64> {
        self.rotational_diffusion
    }

    /// Whether any of them points somewhere, so that it matters how the particle is turned.
    pub fn are_directed(&self) -> bool {
        self.list.iter().any(|site| site.direction.is_some())
    }

    /// Where a site points, if it does not bind all around; nowhere, if there is no such site.
    pub fn direction(&self, site: u8) -> Option<SiteDirection> {
        self.list.get(site as usize)?.direction
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The sites, in their order.
    pub fn list(&self) -> &[Site] {
        &self.list
    }

    /// The numbers of the sites that are called so, by their own name or by that which sites that
    /// are alike have in common.
    pub fn called(&self, name: &str) -> impl Iterator<Item = u8> {
        let numbered = (0u8..).zip(&self.list);
        let is_called = move |site: &Site| site.name == name || site.family() == name;
        numbered.filter(move |(_, site)| is_called(site)).map(|(number, _)| number)
    }

    /// The bit that is set where a site is bound.
    #[inline]
    pub fn bound(&self, site: u8) -> u64 {
        1 << self.fields[site as usize].bound
    }

    /// The bits that are set where any site is bound.
    pub fn all_bound(&self) -> u64 {
        self.fields.iter().fold(0, |all, field| all | 1 << field.bound)
    }

    /// The bits in which a site's state is.
    pub fn state_mask(&self, site: u8) -> u64 {
        let field = self.fields[site as usize];
        ((1u64 << field.width) - 1).checked_shl(field.state).unwrap_or(0)
    }

    /// A state of a site, by its number, in these bits.
    pub fn in_state(&self, site: u8, state: usize) -> u64 {
        (state as u64).checked_shl(self.fields[site as usize].state).unwrap_or(0)
    }

    /// The number of the state that a site has in a code.
    pub fn state_of(&self, code: u64, site: u8) -> usize {
        (code & self.state_mask(site))
            .checked_shr(self.fields[site as usize].state)
            .map_or(0, |state| state as usize)
    }

    /// Whether a number is a code of these sites.
    pub fn is_code(&self, code: u64) -> bool {
        let unused = u64::MAX.checked_shl(self.bits).unwrap_or(0);
        let known =
            |site: u8| self.state_of(code, site) < self.list[site as usize].states.len().max(1);
        code & unused == 0 && (0..self.list.len() as u8).all(known)
    }

    /// A particle of `name` with these sites in BioNetGen's notation, `EGFR(l!+,Y1068~p)`; `bond`
    /// gives what stands after the `!` of a bound site.
    pub fn written(&self, name: &str, code: u64, bond: impl Fn(u8) -> String) -> String {
        self.text(name, code, bond, |site| &site.name)
    }

    /// The same as BioNetGen itself has it: sites that are alike go by the name that they share.
    pub fn in_bngl(&self, name: &str, code: u64, bond: impl Fn(u8) -> String) -> String {
        self.text(name, code, bond, Site::family)
    }

    fn text(
        &self,
        name: &str,
        code: u64,
        bond: impl Fn(u8) -> String,
        called: impl Fn(&Site) -> &str,
    ) -> String {
        let site = |(number, site): (u8, &Site)| {
            let state = site.states.get(self.state_of(code, number));
            let state = state.map_or_else(String::new, |state| format!("~{state}"));
            let bound = code & self.bound(number) != 0;
            let bond = if bound { format!("!{}", bond(number)) } else { String::new() };
            format!("{}{state}{bond}", called(site))
        };
        let sites: Vec<String> = (0u8..).zip(&self.list).map(site).collect();
        format!("{name}({})", sites.join(","))
    }
}

/// Numbers the sites that have the same name.
fn number_alike(list: &mut [Site]) {
    let names: Vec<String> = list.iter().map(|site| site.name.clone()).collect();
    for (n, site) in list.iter_mut().enumerate() {
        if names.iter().filter(|name| **name == names[n]).count() > 1 {
            let before = names[..n].iter().filter(|name| **name == names[n]).count();
            site.name = format!("{}#{}", names[n], before + 1);
        }
    }
}

/// What the sites of a particle must be like, and what must be bound to them. Empty, it fits all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SitePattern {
    /// The bits of the code that count.
    pub mask: u64,
    /// What they must be.
    pub value: u64,
    /// What must be bound to some of the sites.
    pub attached: Vec<Attached>,
}

/// A particle that must be bound to a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attached {
    /// The site to which it is bound.
    pub site: u8,
    /// Its species.
    pub species: u16,
    /// Its own site at which the bond ends.
    pub at: u8,
    /// What its sites must be like, and so on.
    pub pattern: SitePattern,
}

/// How sites change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteChange {
    /// The bits of the code that are set.
    pub mask: u64,
    /// To what.
    pub value: u64,
}

/// Particles with sites and the bonds between these, as patterns see them. A particle is known by
/// its slot.
pub trait Complex {
    /// The species of a particle.
    fn species(&self, slot: u32) -> u16;

    /// Its site code.
    fn code(&self, slot: u32) -> u64;

    /// The particle that is bound to one of its sites, and the site of that.
    fn bound_to(&self, slot: u32, site: u8) -> Option<(u32, u8)>;
}

impl SitePattern {
    /// Whether it fits all particles of its species.
    pub fn fits_all(&self) -> bool {
        self.mask == 0 && self.attached.is_empty()
    }

    /// Whether a code may fit both this pattern and another one. What is bound to their sites is not
    /// compared.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.mask & other.mask & (self.value ^ other.value) == 0
    }

    /// Whether it fits a particle, with all that it says of what is bound to that.
    #[inline]
    pub fn fits(&self, complex: &impl Complex, slot: u32) -> bool {
        complex.code(slot) & self.mask == self.value
            && self.attached.iter().all(|wanted| wanted.is_there(complex, slot))
    }
}

impl Attached {
    fn is_there(&self, complex: &impl Complex, slot: u32) -> bool {
        complex.bound_to(slot, self.site).is_some_and(|(other, at)| {
            at == self.at
                && complex.species(other) == self.species
                && self.pattern.fits(complex, other)
        })
    }
}

impl SiteChange {
    /// What becomes of a code.
    #[inline]
    pub fn of(self, code: u64) -> u64 {
        code & !self.mask | self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(name: &str, states: &[&str]) -> Site {
        Site {
            name: name.to_owned(),
            states: states.iter().map(|state| (*state).to_owned()).collect(),
            direction: None,
        }
    }

    fn receptor() -> Sites {
        Sites::new(vec![site("l", &[]), site("Y", &["u", "p", "pp"]), site("d", &["a", "b"])])
            .unwrap()
    }

    #[test]
    fn every_site_has_bits_of_its_own() {
        let sites = receptor();
        let mut seen = 0;
        for n in 0..3 {
            let bits = sites.bound(n) | sites.state_mask(n);
            assert_eq!(seen & bits, 0);
            seen |= bits;
        }
        assert_eq!(seen, 0b11_1111);
        let code = sites.in_state(1, 2) | sites.in_state(2, 1) | sites.bound(0);
        assert_eq!([0, 1, 2].map(|n| sites.state_of(code, n)), [0, 2, 1]);
        let bond = |_| "+".to_owned();
        assert_eq!(sites.written("R", code, bond), "R(l!+,Y~pp,d~b)");
        assert_eq!(sites.written("R", 0, bond), "R(l,Y~u,d~a)");
    }

    #[test]
    fn a_full_code_has_64_bits_and_no_more() {
        let many = |count: usize| Sites::new(vec![site("s", &[]); count]);
        let full = many(64).unwrap();
        assert_eq!((full.all_bound(), full.bound(63)), (u64::MAX, 1 << 63));
        assert!(full.is_code(u64::MAX) && (full.state_mask(63), full.in_state(63, 0)) == (0, 0));
        assert_eq!(many(65), Err(TooManySites { bits: 65 }));
        let last = Sites::new([vec![site("s", &[]); 62], vec![site("t", &["u", "p"])]].concat());
        let last = last.unwrap();
        assert_eq!(last.state_of(last.in_state(62, 1), 62), 1);
        let names = |sites: &Sites, name| sites.called(name).collect::<Vec<_>>();
        assert_eq!(names(&receptor(), "d"), [2]);
        let three = many(3).unwrap();
        assert_eq!([names(&three, "s"), names(&three, "s#2")], [vec![0, 1, 2], vec![1]]);
        assert_eq!(three.written("L", 0b10, |_| "1".to_owned()), "L(s#1,s#2!1,s#3)");
        assert_eq!(three.in_bngl("L", 0b10, |_| "1".to_owned()), "L(s,s!1,s)");
        assert!(!receptor().is_code(receptor().in_state(1, 3)) && !receptor().is_code(1 << 6));
    }

    /// A chain of three: site 1 of each is bound to site 0 of the next.
    struct Chain;

    impl Complex for Chain {
        fn species(&self, slot: u32) -> u16 {
            slot as u16
        }
        fn code(&self, slot: u32) -> u64 {
            [0b10, 0b11, 0b01][slot as usize]
        }
        fn bound_to(&self, slot: u32, site: u8) -> Option<(u32, u8)> {
            match site {
                0 => slot.checked_sub(1).map(|other| (other, 1)),
                _ => Some((slot + 1, 0)).filter(|(other, _)| *other < 3),
            }
        }
    }

    #[test]
    fn patterns_reach_through_bonds() {
        let last = |value| SitePattern { mask: 0b11, value, attached: vec![] };
        let on = |species, pattern| SitePattern {
            attached: vec![Attached { site: 1, species, at: 0, pattern }],
            ..SitePattern::default()
        };
        assert!(on(1, on(2, last(0b01))).fits(&Chain, 0));
        assert!(!on(1, on(2, last(0b11))).fits(&Chain, 0));
        assert!(!on(2, on(2, last(0b01))).fits(&Chain, 0));
        assert!(!on(3, SitePattern::default()).fits(&Chain, 2));
        assert!(SitePattern::default().fits_all() && SitePattern::default().fits(&Chain, 1));
    }

    #[test]
    fn changes_leave_all_other_bits() {
        assert_eq!(SiteChange { mask: 0b110, value: 0b010 }.of(0b1101), 0b1011);
        assert_eq!(SiteChange::default().of(7), 7);
    }
}
