//! What files answer: tables, and what they are made of.

use super::options::AnalysisOptions;
use crate::Scope;
use crate::contacts::{Filter, Groups};
use crate::{
    Along, ClusterSizes, Counts, Density, Displacements, EnergySeries, ForceNetwork, Goal, Impacts,
    Jumps, LagOptions, Lifetimes, Passages, PatternSeries, Place, Polymers, PotentialEnergy,
    Pressure, RadialDistribution, Rates, SiteOccupancy, Stress, Survivals, Table, Transitions,
    UnitSystem,
};
use jostle_core::words::digits;
use jostle_h5md::reading::{ReadError, Reading};

/// Rows shown of a table; files have them all.
pub const MOST_ROWS: usize = 21;

/// What a file answers.
pub struct Answer {
    /// As tables.
    pub tables: Tables,
    /// As it was calculated: what figures are drawn of.
    pub found: Found,
}

/// What analyses find, one for each.
#[expect(missing_docs, reason = "each is what the analysis of its name returns")]
pub enum Found {
    Counts(Counts),
    Contacts(Groups),
    Sites(SiteOccupancy),
    Patterns(PatternSeries),
    Sizes(ClusterSizes),
    Displacement(Displacements),
    Jumps(Jumps),
    Rdf(RadialDistribution),
    Density(Density, Along),
    Polymers(Polymers),
    Rates(Rates),
    Lifetimes(Lifetimes),
    Transitions(Transitions),
    Survival(Survivals),
    Impacts(Impacts),
    Energy(EnergySeries),
    PotentialEnergy(PotentialEnergy),
    Pressure(Pressure),
    Forces(ForceNetwork),
    Stress(Stress),
    FirstPassage(Passages),
}

/// The tables of an answer, and what is said beside them.
pub struct Tables {
    /// What the main one is called.
    name: &'static str,
    /// The main one.
    pub main: Table,
    /// Others, by the names of their files.
    others: Vec<(&'static str, Table)>,
    /// What is printed, each with what stands above it.
    pub shown: Vec<(&'static str, Table)>,
    /// What a reader of the screen may do next.
    pub hints: Vec<String>,
    /// What a reader has to know about the numbers.
    pub notes: Vec<String>,
}

impl Tables {
    /// A main table that is written, but not shown.
    fn written(name: &'static str, main: Table) -> Self {
        Self { name, main, others: vec![], shown: vec![], hints: vec![], notes: vec![] }
    }

    /// A main table that is shown.
    fn shown(name: &'static str, main: Table) -> Self {
        let shown = vec![("", main.clone())];
        Self { shown, ..Self::written(name, main) }
    }

    /// Another table that is shown, and written.
    fn show(mut self, name: &'static str, heading: &'static str, table: Table) -> Self {
        self.shown.push((heading, table.clone()));
        self.also(name, table)
    }

    /// Another table that is written.
    fn also(mut self, name: &'static str, table: Table) -> Self {
        self.others.push((name, table));
        self
    }

    fn hint(mut self, text: impl Into<String>) -> Self {
        self.hints.push(text.into());
        self
    }

    fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    fn notes(mut self, texts: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(texts);
        self
    }

    /// The answer that they are of.
    fn found(self, found: Found) -> Answer {
        Answer { tables: self, found }
    }

    /// The same tables in other units.
    #[must_use]
    pub fn in_units(mut self, units: UnitSystem) -> Self {
        let others = self.others.iter_mut().map(|(_, table)| table);
        let shown = self.shown.iter_mut().map(|(_, table)| table);
        for table in std::iter::once(&mut self.main).chain(others).chain(shown) {
            *table = std::mem::take(table).in_units(units);
        }
        self
    }

    /// All of them, by the names of their files.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &Table)> {
        std::iter::once((self.name, &self.main))
            .chain(self.others.iter().map(|(name, table)| (*name, table)))
    }
}

pub(super) fn counts(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::counts_beside(reading, &options.scope, &options.sides)?;
    Ok(Tables::shown("counts", found.to_table())
        .also("counts_over_time", found.series_to_table())
        .notes(few(&found))
        .found(Found::Counts(found)))
}

pub(super) fn observables(
    reading: &Reading,
    options: &AnalysisOptions,
) -> Result<Answer, ReadError> {
    let found = crate::observables(reading, &options.scope)?;
    Ok(Tables::shown("observables", found.to_table_of("observable"))
        .also("observables_over_time", found.series_to_table())
        .notes(few(&found))
        .found(Found::Counts(found)))
}

/// Which averages are of too few independent values.
fn few(found: &Counts) -> Option<String> {
    let slow = found.slow();
    let of = match slow.len() {
        0 => return None,
        1..=3 => slow.join(", "),
        more => format!("{more} of them"),
    };
    Some(format!(
        "(the standard error of {of} may be far too small: the number changes too slowly for the time that it is averaged over)"
    ))
}

pub(super) fn sites(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    if !options.patterns.is_empty() {
        return patterns(reading, options);
    }
    let found = crate::site_occupancy(reading, &options.scope)?;
    Ok(Tables::shown("sites", found.to_table())
        .also("sites_over_time", found.series_to_table())
        .notes(few(&found.as_counts()))
        .show("binding", "Molecules by the number of their bound sites", found.binding_to_table())
        .found(Found::Sites(found)))
}

fn patterns(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::pattern_counts(reading, &options.scope, &options.patterns)?;
    Ok(Tables::shown("patterns", found.to_table())
        .also("patterns_over_time", found.series_to_table())
        .notes(few(&found.as_counts()))
        .found(Found::Patterns(found)))
}

pub(super) fn contacts(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let scope = &options.scope;
    let time = scope
        .from
        .or(scope.to)
        .map(|_| [scope.from.unwrap_or(0.0), scope.to.unwrap_or(f64::INFINITY)]);
    let filter = Filter { time, species: scope.species.clone(), ..Filter::default() };
    let found = crate::contacts_by_pair(reading, &filter)?;
    let tables = Tables::shown("contacts", found.to_table())
        .hint("(jostle contacts searches the log: which particles, when, where, how often)");
    let tables = match crate::info(reading)?.log.as_deref() {
        _ if reading.has_outlines() => tables.hint(
            "(contacts of polygons last for some time; their forces are logged: jostle analyse forces)",
        ),
        Some("none") => tables.note("(log = \"none\": the run kept no contacts)"),
        Some("reactions") => tables.note("(log = \"reactions\": the run kept no bounces)"),
        _ => tables,
    };
    Ok(tables.found(Found::Contacts(found)))
}

pub(super) fn sizes(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::cluster_sizes(reading, &options.scope)?;
    let table = found.to_table();
    let alone = found.frames.iter().all(|at| at.largest() <= 1);
    let tables = match alone {
        true => Tables::written("sizes", table).note("every particle is alone in every frame"),
        false => Tables::shown("sizes", table),
    };
    let tables = tables.also("size_counts", found.to_histogram());
    let tables = tables.notes(only(&options.scope)).notes(found.said());
    let heading =
        "averaged over time (error by blocking, which means little while clusters still grow)";
    let name = "size_distribution";
    let tables = match found.distribution() {
        None => tables,
        Some(distribution) if alone => tables.also(name, distribution.to_table()),
        Some(distribution) => tables.show(name, heading, distribution.to_table()),
    };
    Ok(tables.found(Found::Sizes(found)))
}

/// What sizes are of.
fn only(scope: &Scope) -> Option<String> {
    (!scope.species.is_empty()).then(|| {
        format!(
            "(a cluster is as large as the number of its particles of {}; clusters without any do not count)",
            scope.species.join(", ")
        )
    })
}

pub(super) fn displacement(
    reading: &Reading,
    options: &AnalysisOptions,
) -> Result<Answer, ReadError> {
    let AnalysisOptions { longest, lags, fit, .. } = *options;
    let lags = LagOptions { longest, per_decade: lags, fit };
    let found = crate::mean_squared_displacement(reading, &options.scope, &lags)?;
    let tables = Tables::written("displacement", found.to_table()).show(
        "diffusion",
        "D at short times, of MSD = 2 d D t as far as that is a straight line",
        found.fits_to_table(),
    );
    let (long, table) = ("diffusion_long", found.long_to_table());
    // Where D does not depend on time, it is told once.
    let mut tables = match fit.is_some() || found.changes() {
        true => {
            tables.show(long, "D at long times, from the slope of the MSD over these lags", table)
        }
        false => tables.also(long, table),
    };
    let beside = "mean squared displacement, compared with 2 d D t for free diffusion";
    tables.shown.push((beside, found.to_table()));
    tables = tables.also("displacement_by_axis", found.axes_to_table()).notes(found.said());
    if !found.by_size.is_empty() {
        tables = tables.also("displacement_by_size", found.sizes_to_table()).note(
            "(particles in a cluster move as slowly as the cluster; rows by cluster size refer to its centre)",
        );
    }
    Ok(tables.found(Found::Displacement(found)))
}

pub(super) fn jumps(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::jumps(reading, &options.scope, options.longest, options.bins.unwrap_or(50))?;
    Ok(Tables::written("jumps", found.bins_to_table())
        .show("jump_moments", "", found.to_table())
        .found(Found::Jumps(found)))
}

pub(super) fn rdf(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found =
        crate::radial_distribution(reading, &options.scope, options.bins, options.farthest)?;
    Ok(Tables::written("rdf", found.to_table())
        .show("rdf_summary", "", found.summary())
        .note("(an ideal gas in the same box has the value 1)")
        .found(Found::Rdf(found)))
}

pub(super) fn density(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let bins = options.bins.unwrap_or(40);
    let along = options.along.unwrap_or(Along::Axis(0));
    let found = crate::density(reading, &options.scope, along, bins)?;
    Ok(Tables::written("density", found.to_table())
        .show("density_summary", "", found.summary())
        .found(Found::Density(found, along)))
}

pub(super) fn polymers(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::polymers(reading, &options.scope)?;
    let mut tables = Tables::shown("polymers", found.to_table())
        .show("polymer_squares", "mean squares, and their ratio", found.squares_to_table())
        .show(
            "polymer_bonds",
            "bonds, and how far their direction persists",
            found.bonds_to_table(),
        )
        .also("polymers_over_time", found.series_to_table());
    if found.others > 0.0 {
        tables = tables.note(format!(
            "(branched molecules, or rings around a periodic box, per frame: {}; they are left out)",
            digits(found.others, 3)
        ));
    }
    tables = tables.note(
        "(persistence length: -b/ln<cos>, b being the bond length and cos that between successive bonds; all beads \
         have the same weight)",
    );
    Ok(tables.found(Found::Polymers(found)))
}

pub(super) fn rates(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::rates(reading, &options.scope, options.bins.unwrap_or(10))?;
    let apparent = "(apparent rate constants: all particles of a species are counted, whether or not a rule's \
        conditions \
                    hold for them)";
    let is_shown = |of: &String| found.entries.iter().any(|entry| entry.of == *of);
    let uneven = found.uneven.iter().filter(|[of, _]| is_shown(of)).map(|[of, why]| {
        format!("({of} are not spread evenly, because of {why}: their k still refers to N_A N_B/V)")
    });
    let uneven: Vec<_> = uneven.collect();
    Ok(Tables::shown("rates", found.to_table())
        .notes(uneven)
        .also("rates_over_time", found.bins_to_table())
        .also("rate_exposures", found.exposures_to_table())
        .note(apparent)
        .found(Found::Rates(found)))
}

pub(super) fn lifetimes(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::lifetimes(reading, &options.scope, options.longest)?;
    Ok(Tables::shown("lifetimes", found.to_table())
        .also("lifetime_curves", found.curves_to_table())
        .also("lifetime_ages", found.ages_to_table())
        .notes(only(&options.scope))
        .note(MEAN_LIFE)
        .found(Found::Lifetimes(found)))
}

pub(super) fn transitions(
    reading: &Reading,
    options: &AnalysisOptions,
) -> Result<Answer, ReadError> {
    let found = crate::transitions(reading, &options.scope)?;
    let frequent = found.most_frequent(MOST_ROWS);
    let mut tables = Tables::written("transitions", found.to_table());
    tables.shown.push(("", frequent.to_table()));
    let (some, all) = (frequent.entries.len(), found.entries.len());
    if some < all {
        tables =
            tables.hint(format!("(the {some} most frequent of {all}; --csv FOLDER writes all)"));
    }
    let exposures = found.exposures_to_table();
    let tables = tables.notes(only(&options.scope));
    Ok(tables.also("transition_exposures", exposures).found(Found::Transitions(found)))
}

pub(super) fn survival(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::survival(reading, &options.scope, options.longest)?;
    Ok(Tables::shown("survival", found.to_table())
        .also("survival_curves", found.curves_to_table())
        .also("survival_ages", found.ages_to_table())
        .note(MEAN_LIFE)
        .found(Found::Survival(found)))
}

pub(super) fn first_passage(
    reading: &Reading,
    options: &AnalysisOptions,
) -> Result<Answer, ReadError> {
    let goal = match &options.goal {
        Some(goal) => goal.clone(),
        None if !options.sides.is_empty() => Goal::Beside(options.sides.clone()),
        None => Goal::handy_distance(reading, &options.scope)?,
    };
    let found = crate::first_passage(reading, &options.scope, &goal, options.longest)?;
    Ok(Tables::shown("first_passage", found.to_table())
        .also("first_passage_curves", found.curves_to_table())
        .also("first_passage_ages", found.ages_to_table())
        .note(format!("waited for: {}", found.goal))
        .note(MEAN_LIFE)
        .found(Found::FirstPassage(found)))
}

pub(super) fn impacts(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::impacts(reading, &options.scope, options.bins.unwrap_or(30))?;
    Ok(Tables::shown("impacts", found.to_table())
        .show("impact_sizes", "impact energies (only impacts that lose energy)", found.sizes_to_table())
        .show("impact_spectrum", "energy spectrum", found.spectrum_to_table())
        .note(
            "(per ball: how often a ball of the first species takes part; lossless: elastic, or in lasting contact)",
        )
        .found(Found::Impacts(found)))
}

pub(super) fn energy(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    if crate::is_brownian(reading) {
        return potential_energy(reading, options);
    }
    let found = crate::energy(reading, &options.scope)?;
    Ok(Tables::shown("energy", found.to_table())
        .also("energy_over_time", found.series_to_table())
        .note("(unexplained: the part that the energy balance does not account for: rounding errors and, in \
            runs with time steps, the error of the time step)")
        .found(Found::Energy(found)))
}

fn potential_energy(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::potential_energy(reading, &options.scope)?;
    let tables = Tables::shown("energy", found.to_table());
    let shells = ("energy_shells", found.shells_to_table());
    let (tables, of_pairs) = match found.pairs.is_empty() {
        true => (tables.also(shells.0, shells.1), ""),
        false => (
            tables.show(shells.0, "neighbours in the shells of the potentials", shells.1),
            "; neighbours: of the second species around one of the first; pairs within a rigid cluster are left out",
        ),
    };
    Ok(tables
        .also("energy_over_time", found.series_to_table())
        .note(format!(
            "(per particle: divided by the number of particles of all species that have a potential{of_pairs})"
        ))
        .found(Found::PotentialEnergy(found)))
}

pub(super) fn pressure(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::pressure(reading, &options.scope)?;
    let mut tables = Tables::shown("pressure", found.to_table())
        .also("pressure_over_time", found.series_to_table());
    if found.unit == "kT/nm³" {
        tables = tables.note("(1 kT/nm³ is 4.12 MPa at 25 °C, the osmotic pressure of 1.66 mol/l)");
    }
    Ok(tables.found(Found::Pressure(found)))
}

pub(super) fn forces(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let found = crate::forces(reading, &options.scope, options.bins.unwrap_or(40))?;
    let mut tables = Tables::shown("forces", found.to_table())
        .also("forces_over_time", found.series_to_table())
        .also("force_distribution", found.distribution_to_table())
        .show("wall_forces", "total force of all particles on each wall", found.walls_to_table());
    if found.beyond > 0.0 {
        let share = format!(
            "{:.2} % of the forces are beyond the distribution's last bin",
            100.0 * found.beyond
        );
        tables = tables.note(format!("({share})"));
    }
    tables = tables.note(
        "(friction in use: tangential over normal force; participation: 1 if all contacts carry the same; \
         anisotropies: a in 1 + a cos 2(angle), of normals and of normals weighted by force)",
    );
    Ok(tables.found(Found::Forces(found)))
}

pub(super) fn stress(reading: &Reading, options: &AnalysisOptions) -> Result<Answer, ReadError> {
    let place = match &options.goal {
        Some(Goal::Place(place)) => *place,
        _ => Place::default(),
    };
    let along = options.along.map(|along| (along, options.bins.unwrap_or(20)));
    let found = crate::stress(reading, &options.scope, &place, along)?;
    let mut tables =
        Tables::shown("stress", found.to_table()).also("stress_over_time", found.series_to_table());
    if let Some(profile) = &found.profile {
        tables = tables.show(
            "stress_profile",
            "along the axis, by position of centroids",
            profile.to_table(),
        );
    }
    let whole = "(in a plane stress is force per length; compression is positive; the area is that of the box, or of \
                 the place)";
    Ok(tables.note(whole).found(Found::Stress(found)))
}

/// What a summary of a survival curve means.
const MEAN_LIFE: &str = "(mean life: total lifetime divided by the number of ends, as for an exponential law, \
    with its exact interval; \
                         area under curve: the mean up to the greatest age observed, for any law)";
