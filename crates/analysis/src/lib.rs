//! Reads the files that [`jostle_h5md::record`] writes, also while another process still writes
//! them, and measures what people ask first. Knows no engine.
//!
//! [`open()`] gives a [`Reading`]; a [`Scope`] says which part of it is looked at. Each question is
//! a function that answers with a plain struct, whose `to_table` makes a [`Table`] of it; memory
//! stays bounded whatever the number of frames, particles and contacts.
//!
//! | asked | answered by | errors |
//! | --- | --- | --- |
//! | states and bonds of sites | [`site_occupancy()`], [`pattern_counts()`] | blocking |
//! | how many, how large | [`counts()`], [`observables()`], [`counts_beside()`] surfaces, [`cluster_sizes()`] | blocking |
//! | where | [`density()`], [`radial_distribution()`] | blocking |
//! | attraction and repulsion | [`potential_energy()`] | blocking |
//! | sizes and stiffness of chains and rings | [`polymers()`] | blocking |
//! | osmotic pressure | [`pressure()`] | blocking |
//! | how far, how fast | [`mean_squared_displacement()`], [`jumps()`] | jackknife over particles |
//! | how often | [`rates()`], [`transitions()`] | exact Poisson intervals |
//! | how long | [`lifetimes()`], [`survival()`], [`first_passage()`] | Kaplan-Meier with Greenwood's |
//! | which particles met | [`mod@contacts`] | blocking |
//! | which came of which, which rule made a bond | [`genealogy()`], [`replay()`], [`bond_rules()`] | |
//! | how hard balls hit, where the energy goes | [`impacts()`], [`energy()`] | Poisson, blocking |
//! | what presses on what, and how hard | [`forces()`], [`stress()`] | blocking |
//! | whether two files are equal | [`compare()`] | |

mod applied;
pub mod ask;
mod bond_rules;
mod compare;
pub mod contacts;
mod counts;
mod density;
mod displacement;
mod field_energy;
mod forces;
mod genealogy;
mod histogram;
mod info;
mod jackknife;
mod jumps;
mod kinetics;
mod lags;
mod mill;
mod near;
mod observables;
mod pair_energy;
mod patterns;
mod polymers;
mod pressure;
mod rdf;
mod replay;
mod running;
mod scope;
mod sites;
mod sizes;
mod statistics;
mod surfaces;
mod tables;

pub use applied::{Applied, rules_applied};
pub use bond_rules::bond_rules;
pub use compare::{Comparison, Difference, Parameter, Section, compare, settings_unlike};
pub use contacts::{contacts_by_pair, is_of, visit_contacts};
pub use counts::{Counts, SpeciesCounts, counts, counts_beside};
pub use density::{Along, Density, DensityBin, SpeciesDensity, density};
pub use displacement::{
    DiffusionFit, Displacement, Displacements, LagOptions, LongFit, MeanAlong, MeanSquare, Walker,
    mean_squared_displacement,
};
pub use field_energy::FieldEnergy;
pub use forces::{
    ForceNetwork, NetworkAt, Principal, Stress, StressBin, StressProfile, WallForce, forces,
    principal, stress,
};
pub use genealogy::{Descent, Genealogy, Life, genealogy};
pub use histogram::Histogram;
pub use info::{Info, Run, SpeciesCount, info};
pub use jostle_h5md::reading::{
    FrameData, LoggedForce, Molecules, ReadError, Reading, SiteBond, SiteData, SpeciesData,
    WallPlace, open, species_in, warnings,
};
pub use jumps::{JumpBin, JumpDistribution, Jumps, jumps};
pub use kinetics::{
    AtAge, Exposed, FirstPassage, Goal, LifeTable, Lifetimes, Observed, Order, Passages, Place,
    PoissonRate, Rate, RateBin, Rates, SizeLife, SurvivalCurve, SurvivalPoint, Survivals, Survivor,
    Transition, Transitions, first_passage, lifetimes, poisson_interval, rates, survival,
    transitions,
};
pub use mill::{EnergySeries, ImpactBin, ImpactKind, Impacts, Sizes, energy, impacts};
pub use observables::observables;
pub use pair_energy::{PairEnergy, PotentialEnergy, Shell, is_brownian, potential_energy};
pub use patterns::{PatternCounts, PatternSeries, pattern_counts};
pub use polymers::{ChainStatistics, PolymerShape, Polymers, polymers};
pub use pressure::{Pressure, pressure};
pub use rdf::{PairDistribution, RadialDistribution, RdfPoint, radial_distribution};
pub use replay::{Memberships, replay};
pub use scope::Scope;
pub use sites::{BindingCounts, SiteCounts, SiteOccupancy, has_sites, site_occupancy};
pub use sizes::{ClusterSizes, SizeDistribution, SizeShare, SizesAt, cluster_sizes};
pub use statistics::{Estimate, blocked};
pub use surfaces::{Beside, Surfaces, Which, surfaces};
pub use tables::{
    Cell, Column, Columns, Format, Kind, NO_WORD, ROWS_OF_GROUP, Stream, Table, TableError,
    UnitSystem, Values, machine_name, machine_names,
};
