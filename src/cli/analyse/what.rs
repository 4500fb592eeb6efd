//! The analyses of a file.

use crate::analysis::{self, Reading};

/// The analyses of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum What {
    /// Numbers of particles of each species over time, and their averages.
    Counts,
    /// Contacts in the log by species pair and outcome.
    Contacts,
    /// Models with sites: states of sites, how many are bound, and how many bonds molecules have;
    /// or how many molecules fit a pattern (--pattern).
    Sites,
    /// Cluster sizes over time, and their distribution.
    Sizes,
    /// Mean squared displacement by species and by cluster size, and the fitted D.
    Displacement,
    /// Distribution of displacements at several lags, compared with the Gaussian of free diffusion.
    Jumps,
    /// Radial distribution function of each pair of species.
    Rdf,
    /// Density along an axis, as a function of distance from the middle of the box, or as a map
    /// (--along).
    Density,
    /// Chains and rings of bonded particles: end-to-end distance, radius of gyration, persistence
    /// length.
    Polymers,
    /// Rate constants of each rule and species, with exact confidence intervals.
    Rates,
    /// How long clusters keep their size.
    Lifetimes,
    /// How often clusters of one size become clusters of another.
    Transitions,
    /// How long particles stay in their species, and how long bonds last.
    Survival,
    /// Granular runs: how hard and how often balls hit each other and walls; the energy spectrum.
    Impacts,
    /// Brownian runs with a [[potential]]: the potential energy, and the neighbours in each shell;
    /// granular and polygon runs: the energy balance over time.
    Energy,
    /// Brownian runs in periodic boxes: the osmotic pressure and the compressibility factor.
    Pressure,
    /// Polygon runs: the number of contacts, their forces, and the forces on walls.
    Forces,
    /// Polygon runs: the stress over time, in a region (--place) and along an axis (--along).
    Stress,
    /// Time until a particle has moved a given distance, reaches a place, or meets another
    /// (--distance, --place, --meets).
    FirstPassage,
}

impl What {
    /// The names of the tables of sites if patterns are counted.
    pub(super) const PATTERN_TABLES: &'static [&'static str] = &["patterns", "patterns_over_time"];

    /// What is shown if nothing is asked: what takes no time.
    pub(super) fn at_a_glance(reading: &Reading) -> Vec<Self> {
        if !reading.has_outlines() {
            let mut glance = vec![Self::Counts, Self::Contacts, Self::Sizes, Self::Displacement];
            if analysis::has_sites(reading) {
                glance.insert(1, Self::Sites);
            }
            return glance;
        }
        let forces = reading.has_forces().then_some([Self::Forces, Self::Stress]);
        [Self::Counts, Self::Energy].into_iter().chain(forces.into_iter().flatten()).collect()
    }

    /// Whether `--max` bounds a time here.
    pub(super) fn has_longest(self) -> bool {
        use What::{Displacement, FirstPassage, Jumps, Lifetimes, Survival};
        matches!(self, Displacement | Jumps | Lifetimes | Survival | FirstPassage)
    }

    /// Whether `--max` bounds a distance here.
    pub(super) fn has_farthest(self) -> bool {
        self == Self::Rdf
    }

    /// Whether `--species` chooses here.
    pub(super) fn has_species(self) -> bool {
        use What::{Energy, Lifetimes, Pressure, Sizes, Transitions};
        !matches!(self, Sizes | Lifetimes | Transitions | Energy | Pressure)
    }

    /// Whether a range is divided into `--bins` here.
    pub(super) fn has_bins(self) -> bool {
        use What::{Density, Forces, Impacts, Jumps, Rates, Rdf, Stress};
        matches!(self, Jumps | Rdf | Density | Rates | Impacts | Forces | Stress)
    }

    /// Whether something is measured `--along` an axis here.
    pub(super) fn has_axis(self) -> bool {
        matches!(self, Self::Density | Self::Stress)
    }

    /// Whether a `--place` is of use here.
    pub(super) fn has_place(self) -> bool {
        matches!(self, Self::FirstPassage | Self::Stress)
    }

    /// The names of the tables, as far as there are any, that it may write.
    pub(in crate::cli) fn tables(self) -> &'static [&'static str] {
        match self {
            Self::Counts => &["counts", "counts_over_time"],
            Self::Contacts => &["contacts"],
            Self::Sites => &["sites", "sites_over_time", "binding"],
            Self::Sizes => &["sizes", "size_counts", "size_distribution"],
            Self::Displacement => &["displacement", "diffusion", "displacement_by_size"],
            Self::Jumps => &["jumps", "jump_moments"],
            Self::Rdf => &["rdf", "rdf_summary"],
            Self::Density => &["density", "density_summary"],
            Self::Polymers => {
                &["polymers", "polymer_squares", "polymer_bonds", "polymers_over_time"]
            }
            Self::Rates => &["rates", "rates_over_time", "rate_exposures"],
            Self::Lifetimes => &["lifetimes", "lifetime_curves", "lifetime_ages"],
            Self::Transitions => &["transitions", "transition_exposures"],
            Self::Survival => &["survival", "survival_curves", "survival_ages"],
            Self::Impacts => &["impacts", "impact_sizes", "impact_spectrum"],
            Self::Energy => &["energy", "energy_over_time", "energy_shells"],
            Self::Pressure => &["pressure", "pressure_over_time"],
            Self::Forces => &["forces", "forces_over_time", "force_distribution", "wall_forces"],
            Self::Stress => &["stress", "stress_over_time", "stress_profile"],
            Self::FirstPassage => &["first_passage", "first_passage_curves", "first_passage_ages"],
        }
    }

    /// What stands above its tables.
    pub(in crate::cli) fn title(self) -> &'static str {
        match self {
            Self::Counts => "Particles of each species, averaged over time (error by blocking)",
            Self::Contacts => "Contacts in the log, by species and outcome",
            Self::Sites => "Sites, averaged over time (error by blocking)",
            Self::Sizes => "Cluster sizes over time",
            Self::Displacement => "Diffusion (errors by jackknife over particles)",
            Self::Jumps => "Displacements along an axis (errors by jackknife over particles)",
            Self::Rdf => "Radial distribution function (errors by blocking over frames)",
            Self::Density => "Density (errors by blocking over frames)",
            Self::Polymers => {
                "Chains and rings, averaged over molecules and time (errors by blocking over frames)"
            }
            Self::Rates => {
                "Rates from the log of changes (exact 95 % intervals for independent events)"
            }
            Self::Lifetimes => "How long clusters keep their size (Kaplan-Meier)",
            Self::Transitions => "Transitions between cluster sizes (exact 95 % intervals)",
            Self::Survival => {
                "How long particles stay in their species, and how long bonds last (Kaplan-Meier)"
            }
            Self::Impacts => {
                "Impacts (errors for independent events; quantiles are accurate to 1 %)"
            }
            Self::Energy => "Energy, averaged over time (error by blocking)",
            Self::Pressure => "Pressure, averaged over time (error by blocking)",
            Self::Forces => "Contact forces, averaged over time (error by blocking)",
            Self::Stress => "Stress carried by contacts, averaged over time (error by blocking)",
            Self::FirstPassage => "First passage (Kaplan-Meier)",
        }
    }
}
