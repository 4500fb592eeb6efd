//! The analyses of a file: a row for each, of which the command line, help, sweeps and Python follow.

use super::answer::{self, Answer};
use super::options::AnalysisOptions;
use super::rows::QuestionError;
use jostle_h5md::reading::{ReadError, Reading};

/// An analysis of a file.
pub struct Analysis {
    /// Its name, as in `first-passage`.
    pub name: &'static str,
    /// What it is called elsewhere.
    pub synonyms: &'static [&'static str],
    /// What it measures, in a sentence.
    pub about: &'static str,
    /// What stands above its tables.
    pub title: &'static str,
    /// The names of the tables that it may write, the main one first.
    pub tables: &'static [&'static str],
    /// The options that it takes, apart from `from`, `to` and `max`; for `max` see [`Self::limit`].
    pub takes: &'static [&'static str],
    /// What `max` limits.
    pub limit: Limit,
    /// What a file answers.
    pub(super) answer: fn(&Reading, &AnalysisOptions) -> Result<Answer, ReadError>,
}

/// What `max` limits in an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `max` has no meaning.
    None,
    /// A lag, or a lifetime.
    Time,
    /// A distance.
    Length,
}

/// All analyses, in the order in which they are listed.
pub static ANALYSES: [Analysis; 20] = [
    Analysis {
        name: "counts",
        synonyms: &[
            "population",
            "populations",
            "count",
            "numbers",
            "copy-numbers",
            "species",
            "trajectory",
            "time-course",
        ],
        about: "Numbers of particles of each species over time, and their averages",
        title: "Particles of each species, averaged over time (error by blocking)",
        tables: &["counts", "counts_over_time"],
        takes: &["species", "inside", "outside", "above", "below"],
        limit: Limit::None,
        answer: answer::counts,
    },
    Analysis {
        name: "observables",
        synonyms: &["observable", "gdat"],
        about: "What each [[observable]] of the model counts over time, and its average",
        title: "Observables, averaged over time (error by blocking)",
        tables: &["observables", "observables_over_time"],
        takes: &[],
        limit: Limit::None,
        answer: answer::observables,
    },
    Analysis {
        name: "contacts",
        synonyms: &["collisions", "collision", "encounters", "contact", "events"],
        about: "Contacts in the log by species pair and outcome",
        title: "Contacts in the log, by species and outcome",
        tables: &["contacts"],
        takes: &["species"],
        limit: Limit::None,
        answer: answer::contacts,
    },
    Analysis {
        name: "sites",
        synonyms: &[],
        about: "Models with sites: states of sites, how many are bound, and how many bonds molecules have; or how many molecules fit a pattern (--pattern)",
        title: "Sites, averaged over time (error by blocking)",
        tables: &["sites", "sites_over_time", "binding"],
        takes: &["species", "pattern"],
        limit: Limit::None,
        answer: answer::sites,
    },
    Analysis {
        name: "sizes",
        synonyms: &[
            "clusters",
            "cluster",
            "cluster-sizes",
            "complexes",
            "complex",
            "oligomers",
            "size",
            "aggregates",
        ],
        about: "Cluster sizes over time, and their distribution; with --species, sizes in particles of these species",
        title: "Cluster sizes over time",
        tables: &["sizes", "size_counts", "size_distribution"],
        takes: &["species"],
        limit: Limit::None,
        answer: answer::sizes,
    },
    Analysis {
        name: "displacement",
        synonyms: &["msd", "diffusion", "d", "mean-squared-displacement", "diffusivity"],
        about: "Mean squared displacement (MSD) by species and by cluster size; D at short and at long times",
        title: "Diffusion (errors by jackknife over particles)",
        tables: &[
            "displacement",
            "diffusion",
            "diffusion_long",
            "displacement_by_axis",
            "displacement_by_size",
        ],
        takes: &["species", "lags", "fit"],
        limit: Limit::Time,
        answer: answer::displacement,
    },
    Analysis {
        name: "jumps",
        synonyms: &["van-hove", "vanhove", "jump", "steps"],
        about: "Distribution of displacements at several lags, compared with the Gaussian of free diffusion",
        title: "Displacements along an axis (errors by jackknife over particles)",
        tables: &["jumps", "jump_moments"],
        takes: &["species", "bins"],
        limit: Limit::Time,
        answer: answer::jumps,
    },
    Analysis {
        name: "rdf",
        synonyms: &[
            "gofr",
            "g(r)",
            "gr",
            "pcf",
            "radial",
            "pair-correlation",
            "radial-distribution",
        ],
        about: "Radial distribution function of each pair of species",
        title: "Radial distribution function (errors by blocking over frames)",
        tables: &["rdf", "rdf_summary"],
        takes: &["species", "bins"],
        limit: Limit::Length,
        answer: answer::rdf,
    },
    Analysis {
        name: "density",
        synonyms: &["profile", "concentration", "concentrations", "densities", "map"],
        about: "Density along an axis, as a function of distance from the middle of the box, or as a map (--along)",
        title: "Density (errors by blocking over frames)",
        tables: &["density", "density_summary"],
        takes: &["species", "bins", "along"],
        limit: Limit::None,
        answer: answer::density,
    },
    Analysis {
        name: "polymers",
        synonyms: &[
            "polymer",
            "chains",
            "chain",
            "gyration",
            "radius-of-gyration",
            "rg",
            "end-to-end",
            "persistence",
            "persistence-length",
        ],
        about: "Chains and rings of bonded particles: end-to-end distance, radius of gyration, persistence length",
        title: "Chains and rings, averaged over molecules and time (errors by blocking over frames)",
        tables: &["polymers", "polymer_squares", "polymer_bonds", "polymers_over_time"],
        takes: &["species"],
        limit: Limit::None,
        answer: answer::polymers,
    },
    Analysis {
        name: "rates",
        synonyms: &[
            "k",
            "kon",
            "k-on",
            "koff",
            "k-off",
            "kd",
            "rate",
            "kinetics",
            "rate-constants",
        ],
        about: "Rate constants of each rule and species, with exact confidence intervals",
        title: "Rates from the log of changes (exact 95 % intervals for independent events)",
        tables: &["rates", "rates_over_time", "rate_exposures"],
        takes: &["species", "bins"],
        limit: Limit::None,
        answer: answer::rates,
    },
    Analysis {
        name: "lifetimes",
        synonyms: &["lifetime", "cluster-lifetimes"],
        about: "How long clusters keep their size (with --species, as for sizes)",
        title: "How long clusters keep their size (Kaplan-Meier)",
        tables: &["lifetimes", "lifetime_curves", "lifetime_ages"],
        takes: &["species"],
        limit: Limit::Time,
        answer: answer::lifetimes,
    },
    Analysis {
        name: "transitions",
        synonyms: &["transition", "transition-matrix"],
        about: "How often clusters of one size become clusters of another (with --species, as for sizes)",
        title: "Transitions between cluster sizes (exact 95 % intervals)",
        tables: &["transitions", "transition_exposures"],
        takes: &["species"],
        limit: Limit::None,
        answer: answer::transitions,
    },
    Analysis {
        name: "survival",
        synonyms: &[
            "residence",
            "residence-time",
            "residence-times",
            "dwell",
            "dwell-time",
            "dwell-times",
            "bonds",
        ],
        about: "How long particles stay in their species, and how long bonds last",
        title: "How long particles stay in their species, and how long bonds last (Kaplan-Meier)",
        tables: &["survival", "survival_curves", "survival_ages"],
        takes: &["species"],
        limit: Limit::Time,
        answer: answer::survival,
    },
    Analysis {
        name: "impacts",
        synonyms: &[],
        about: "Granular runs: how hard and how often balls hit each other and walls; the energy spectrum",
        title: "Impacts (errors for independent events; quantiles are accurate to 1 %)",
        tables: &["impacts", "impact_sizes", "impact_spectrum"],
        takes: &["species", "bins"],
        limit: Limit::None,
        answer: answer::impacts,
    },
    Analysis {
        name: "energy",
        synonyms: &["potential", "potential-energy", "neighbours", "energies"],
        about: "Brownian runs with a [[potential]]: the potential energy, of pairs and beside surfaces, and the neighbours in each shell; granular and polygon runs: the energy balance over time",
        title: "Energy, averaged over time (error by blocking)",
        tables: &["energy", "energy_over_time", "energy_shells"],
        takes: &[],
        limit: Limit::None,
        answer: answer::energy,
    },
    Analysis {
        name: "pressure",
        synonyms: &["virial", "osmotic-pressure", "compressibility"],
        about: "Periodic boxes: the pressure and the compressibility factor; the osmotic pressure of Brownian runs, that of collisions in granular ones",
        title: "Pressure, averaged over time (error by blocking)",
        tables: &["pressure", "pressure_over_time"],
        takes: &[],
        limit: Limit::None,
        answer: answer::pressure,
    },
    Analysis {
        name: "forces",
        synonyms: &[],
        about: "Polygon runs: the number of contacts, their forces, and the forces on walls",
        title: "Contact forces, averaged over time (error by blocking)",
        tables: &["forces", "forces_over_time", "force_distribution", "wall_forces"],
        takes: &["species", "bins"],
        limit: Limit::None,
        answer: answer::forces,
    },
    Analysis {
        name: "stress",
        synonyms: &[],
        about: "Polygon runs: the stress over time, in a region (--place) and along an axis (--along)",
        title: "Stress carried by contacts, averaged over time (error by blocking)",
        tables: &["stress", "stress_over_time", "stress_profile"],
        takes: &["species", "bins", "along", "place"],
        limit: Limit::None,
        answer: answer::stress,
    },
    Analysis {
        name: "first-passage",
        synonyms: &["fpt", "mfpt", "passage", "first-passage-time", "first-passage-times"],
        about: "Time until a particle has moved a given distance, reaches or leaves a place or a side of a surface, or meets another (--distance, --place, --leaves, --inside, --outside, --above, --below, --meets)",
        title: "First passage (Kaplan-Meier)",
        tables: &["first_passage", "first_passage_curves", "first_passage_ages"],
        takes: &[
            "species", "distance", "meets", "place", "leaves", "inside", "outside", "above",
            "below",
        ],
        limit: Limit::Time,
        answer: answer::first_passage,
    },
];

/// The names of the tables of sites if patterns are counted.
const PATTERN_TABLES: &[&str] = &["patterns", "patterns_over_time"];

impl Analysis {
    /// The analysis of this name, or with a name that it has elsewhere.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<&'static Self, QuestionError> {
        let word = name.trim().to_lowercase().replace(['_', ' '], "-");
        let is_meant = |row: &&Self| row.name == word || row.synonyms.contains(&word.as_str());
        ANALYSES.iter().find(is_meant).ok_or_else(|| {
            let names: Vec<_> = ANALYSES.iter().map(|row| row.name).collect();
            QuestionError::Other(format!(
                "there is no analysis '{name}'; there are {}",
                names.join(", ")
            ))
        })
    }

    /// What is shown if nothing is asked: what takes no time.
    pub fn at_a_glance(reading: &Reading) -> Vec<&'static Self> {
        let names: &[&str] = match (reading.has_outlines(), reading.has_forces()) {
            (true, true) => &["counts", "energy", "forces", "stress"],
            (true, false) => &["counts", "energy"],
            (false, _) if crate::has_sites(reading) => {
                &["counts", "sites", "contacts", "sizes", "displacement"]
            }
            (false, _) => &["counts", "contacts", "sizes", "displacement"],
        };
        names.iter().filter_map(|name| ANALYSES.iter().find(|row| row.name == *name)).collect()
    }

    /// What a file answers.
    ///
    /// # Errors
    /// If it cannot be read, or has too little for an answer.
    pub fn answer(
        &self,
        reading: &Reading,
        options: &AnalysisOptions,
    ) -> Result<Answer, ReadError> {
        (self.answer)(reading, options)
    }

    /// The names of the tables that it may write with these options, the main one first.
    pub fn tables_with(&self, options: &AnalysisOptions) -> &'static [&'static str] {
        let counts_patterns = self.takes.contains(&"pattern") && !options.patterns.is_empty();
        if counts_patterns { PATTERN_TABLES } else { self.tables }
    }
}

impl PartialEq for Analysis {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The names of some analyses, as a sentence lists them.
pub(super) fn names_of(which: impl Fn(&Analysis) -> bool) -> String {
    let names: Vec<_> = ANALYSES.iter().filter(|row| which(row)).map(|row| row.name).collect();
    match &names[..] {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::rows;
    use super::*;

    #[test]
    fn an_analysis_has_one_name_and_any_number_of_synonyms() {
        let mut all: Vec<_> =
            ANALYSES.iter().flat_map(|row| row.synonyms.iter().chain([&row.name])).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        for row in &ANALYSES {
            for name in row.synonyms.iter().chain([&row.name]) {
                assert!(Analysis::named(name).is_ok_and(|found| found == row), "{name}");
            }
        }
        let asked =
            ["MSD", "First_Passage", "k_on"].map(|word| Analysis::named(word).unwrap().name);
        assert_eq!(asked, ["displacement", "first-passage", "rates"]);
        assert!(Analysis::named("weather").is_err());
    }

    #[test]
    fn analyses_take_options_that_there_are() {
        let known = |name: &str| rows::<AnalysisOptions>().any(|row| row.name == name);
        for row in &ANALYSES {
            assert!(row.takes.iter().all(|name| known(name)), "{}", row.name);
        }
        for row in
            rows::<AnalysisOptions>().filter(|row| !["from", "to", "max"].contains(&row.name))
        {
            assert!(ANALYSES.iter().any(|one| one.takes.contains(&row.name)), "{}", row.name);
        }
        assert_eq!(names_of(|row| row.limit == Limit::Length), "rdf");
        assert_eq!(names_of(|row| row.takes.contains(&"place")), "stress and first-passage");
    }
}
