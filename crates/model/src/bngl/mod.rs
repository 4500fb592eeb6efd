//! BNGL, the language of BioNetGen and NFsim: reads models of rules, and writes them as models of
//! particles.
//!
//! [`read`] understands parameters, molecule types, seed species, reaction rules, functions of
//! observables and of the time, and observables; [`import`] adds what a model of particles needs and BNGL does not
//! say: the box, radii, diffusion coefficients. What cannot be taken over is refused by line and
//! column, everything at once.
//!
//! ```
//! let text = "
//! begin parameters
//!     kon 1e-3
//! end parameters
//! begin molecule types
//!     A(b)
//!     B(a)
//! end molecule types
//! begin seed species
//!     A(b) 100
//!     B(a) 50
//! end seed species
//! begin reaction rules
//!     bind: A(b) + B(a) <-> A(b!1).B(a!1) kon, 0.1
//! end reaction rules
//! ";
//! let geometry = "
//! box = ['1 um', '1 um', '1 um']
//! time_step = '100 ns'
//! until = '1 ms'
//! default = { radius = '3 nm', diffusion = '10 um^2/s' }
//! ";
//! let imported = jostle_model::bngl::import([text, "ab.bngl"], [geometry, "ab.toml"]).unwrap();
//! assert!(imported.text.contains("k_on = \"602214.076 /M/s\""));
//! ```

mod actions;
mod amounts;
mod blocks;
mod changes;
mod compartments;
mod complexes;
mod expression;
mod fixed;
mod geometry;
mod import;
mod kinds;
mod labels;
mod laws;
mod layout;
mod lines;
mod model_text;
mod observed;
mod orders;
mod patterns;
mod places;
mod rates;
mod reader;
mod reference;
mod room;
mod rule_lines;
mod seeds;
mod several;
mod states;
mod symmetry;
mod transports;
mod types;
mod values;

pub use changes::{Changes, Parting, SiteRef};
pub use compartments::Compartment;
pub(crate) use expression::formula_of;
pub use import::{ImportFaults, Imported, import};
pub use lines::Spot;
pub use reader::read;
pub use reference::{Method, with_runs};

use crate::notation::Molecule;
use jostle_core::formula::Formula;
use std::collections::BTreeMap;

/// A model of rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// The parameters with their values, by name.
    pub parameters: Vec<(String, f64)>,
    /// The kinds of molecules, in the order of the file.
    pub types: Vec<MoleculeType>,
    /// What is there at the start.
    pub seeds: Vec<SeedSpecies>,
    /// What can happen.
    pub rules: Vec<NetworkRule>,
    /// What is counted.
    pub observables: Vec<Observable>,
    /// Until when the first simulation of the file goes, in its unit of time.
    pub end: Option<f64>,
    /// The size of the compartment that all molecules are in, if the file has one. Rate constants have
    /// been divided by it where two react, and multiplied by it where molecules are created.
    pub volume: Option<f64>,
    /// The compartments, if there are several. Rate constants have been divided by the size of the one in
    /// which two react. Types that can be in several volumes have a site `@`, whose state says in which a
    /// molecule is.
    pub compartments: Vec<Compartment>,
    /// Where molecules live then, by their types.
    pub homes: BTreeMap<String, Home>,
}

/// Where molecules of a type live, if there are several compartments, by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// On a membrane.
    Membrane(usize),
    /// In volumes, where they may be bound to a molecule of a membrane.
    Volumes(Vec<usize>),
}

/// A kind of molecules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoleculeType {
    /// Its name.
    pub name: String,
    /// Its sites, in the order of the file; several may have the same name.
    pub sites: Vec<SiteType>,
    /// Where the file declares it, or uses it first.
    pub spot: Spot,
}

/// A site of a kind of molecules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteType {
    /// Its name.
    pub name: String,
    /// Its states, which may be none.
    pub states: Vec<String>,
}

/// A complex at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedSpecies {
    /// Its molecules, each with all sites and their states.
    pub molecules: Vec<Molecule>,
    /// How many there are of them.
    pub count: f64,
    /// Where the file says so.
    pub spot: Spot,
}

/// A rule, which may go both ways.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkRule {
    /// Its label in the file, or `R1` and so on.
    pub name: String,
    /// From left to right.
    pub forth: OneWay,
    /// From right to left.
    pub back: Option<OneWay>,
    /// Whether only the molecules that are written go, and not what they are bound to.
    pub delete_molecules: bool,
    /// Where it is.
    pub spot: Spot,
}

/// One direction of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct OneWay {
    /// The patterns of what reacts, in different complexes.
    pub reactants: Vec<Vec<Molecule>>,
    /// What becomes of them.
    pub products: Vec<Vec<Molecule>>,
    /// The difference.
    pub changes: Changes,
    /// In how many ways the reactants fit themselves.
    pub symmetry: f64,
    /// The rate constant of each choice of the sites that change. \[the
    /// units of the file\]
    pub rate: f64,
    /// By what it is multiplied, if it changes: a formula of the observables, by their numbers, and of
    /// the time in the unit of the file.
    pub law: Option<Formula>,
    /// The same as it is written.
    pub rate_text: String,
    /// By the size of which compartment it has been divided, or, where molecules are created, multiplied.
    pub within: Option<usize>,
    /// The volume to which the file confines it.
    pub region: Option<usize>,
}

/// Something that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observable {
    /// Its name.
    pub name: String,
    /// Whether complexes are counted and not ways in which patterns fit.
    pub of_species: bool,
    /// The patterns that are counted.
    pub patterns: Vec<Vec<Molecule>>,
}

impl OneWay {
    /// Whether it makes no difference which of two reactants comes first.
    pub fn swaps(&self) -> bool {
        orders::swaps(self)
    }

    /// How many molecules of reactant number `n` are like molecule `root` of it, with the same happening
    /// to the whole.
    pub fn alike(&self, n: usize, root: usize) -> f64 {
        orders::alike(self, n, root)
    }
}

impl Network {
    /// The molecule type of that name.
    pub fn molecule_type(&self, name: &str) -> Option<&MoleculeType> {
        self.types.iter().find(|known| known.name == name)
    }
}

impl MoleculeType {
    /// How many of its sites have that name.
    pub fn alike(&self, name: &str) -> usize {
        self.sites.iter().filter(|site| site.name == name).count()
    }

    /// A molecule with its sites in the order of its type.
    fn ordered(&self, molecule: &Molecule) -> Molecule {
        let place = |name: &str| self.sites.iter().position(|site| site.name == name);
        let mut sites = molecule.sites.clone();
        sites.sort_by_key(|site| (place(&site.name), site.states.clone()));
        Molecule { name: molecule.name.clone(), sites }
    }
}

#[cfg(test)]
mod tests;
