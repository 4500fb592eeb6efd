//! What a file answers: tables and figures.

use super::options::Measure;
use super::what::What;
use super::write::MOST_ROWS;
use crate::analysis::contacts::Filter;
use crate::analysis::{self, Along, Counts, Goal, Place, ReadError, Reading, Table, UnitSystem};
use crate::report::{ColourBy, Plot, Sheet, Snapshot, SnapshotOptions, figures};
use crate::words::digits;

/// A figure, and the name that tells it from the others.
pub(in crate::cli) struct Figure {
    pub(in crate::cli) name: &'static str,
    pub(in crate::cli) sheet: Sheet,
}

/// What a file answers.
pub(in crate::cli) struct Answer {
    /// What the table is called that `--out` writes.
    name: &'static str,
    pub(super) main: Table,
    /// Other tables, by the names of their files.
    others: Vec<(&'static str, Table)>,
    /// What is printed, each with what stands above it.
    pub(super) shown: Vec<(&'static str, Table)>,
    pub(in crate::cli) figures: Vec<Figure>,
    /// What a reader of the screen may do next.
    pub(super) hints: Vec<String>,
    /// What a reader has to know about the numbers.
    pub(in crate::cli) notes: Vec<String>,
}

impl Answer {
    pub(in crate::cli) fn of(
        what: What,
        reading: &Reading,
        measure: &Measure,
    ) -> Result<Self, ReadError> {
        match what {
            What::Counts => counts(reading, measure),
            What::Contacts => contacts(reading, measure),
            What::Sites => sites(reading, measure),
            What::Sizes => sizes(reading, measure),
            What::Displacement => displacement(reading, measure),
            What::Jumps => jumps(reading, measure),
            What::Rdf => rdf(reading, measure),
            What::Density => density(reading, measure),
            What::Polymers => polymers(reading, measure),
            What::Rates => rates(reading, measure),
            What::Lifetimes => lifetimes(reading, measure),
            What::Transitions => transitions(reading, measure),
            What::Survival => survival(reading, measure),
            What::Impacts => impacts(reading, measure),
            What::Energy => energy(reading, measure),
            What::Pressure => pressure(reading, measure),
            What::Forces => forces(reading, measure),
            What::Stress => stress(reading, measure),
            What::FirstPassage => first_passage(reading, measure),
        }
    }

    /// An answer whose main table is written, but not shown.
    fn written(name: &'static str, main: Table) -> Self {
        Self {
            name,
            main,
            others: vec![],
            shown: vec![],
            figures: vec![],
            hints: vec![],
            notes: vec![],
        }
    }

    /// An answer whose main table is shown.
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

    fn figure(mut self, name: &'static str, sheet: Sheet) -> Self {
        self.figures.push(Figure { name, sheet });
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

    /// The same answer with its tables in other units, in which its figures have been drawn already.
    pub(in crate::cli) fn in_units(mut self, units: UnitSystem) -> Self {
        let others = self.others.iter_mut().map(|(_, table)| table);
        let shown = self.shown.iter_mut().map(|(_, table)| table);
        for table in std::iter::once(&mut self.main).chain(others).chain(shown) {
            *table = std::mem::take(table).in_units(units);
        }
        self
    }

    /// All tables, by the names of their files.
    pub(in crate::cli) fn tables(&self) -> impl Iterator<Item = (&'static str, &Table)> {
        std::iter::once((self.name, &self.main))
            .chain(self.others.iter().map(|(name, table)| (*name, table)))
    }
}

fn counts(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::counts_beside(reading, &measure.scope, &measure.sides)?;
    Ok(Answer::shown("counts", found.to_table())
        .also("counts_over_time", found.series_to_table())
        .figure("counts", figures::counts(&found).draw())
        .notes(few(&found)))
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

fn sites(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    if !measure.patterns.is_empty() {
        return patterns(reading, measure);
    }
    let found = analysis::site_occupancy(reading, &measure.scope)?;
    let title = "Sites by state, free and bound (!+)".to_owned();
    let plot = Plot { title, ..figures::counts(&found.as_counts()) };
    Ok(Answer::shown("sites", found.to_table())
        .also("sites_over_time", found.series_to_table())
        .notes(few(&found.as_counts()))
        .show("binding", "Molecules by the number of their bound sites", found.binding_to_table())
        .figure("sites", plot.draw()))
}

fn patterns(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::pattern_counts(reading, &measure.scope, &measure.patterns)?;
    let title = "Molecules that fit a pattern".to_owned();
    let plot = Plot { title, ..figures::counts(&found.as_counts()) };
    Ok(Answer::shown("patterns", found.to_table())
        .also("patterns_over_time", found.series_to_table())
        .notes(few(&found.as_counts()))
        .figure("patterns", plot.draw()))
}

fn contacts(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let scope = &measure.scope;
    let time = scope
        .from
        .or(scope.to)
        .map(|_| [scope.from.unwrap_or(0.0), scope.to.unwrap_or(f64::INFINITY)]);
    let filter = Filter { time, species: scope.species.clone(), ..Filter::default() };
    let found = analysis::contacts_by_pair(reading, &filter)?;
    let answer = Answer::shown("contacts", found.to_table())
        .figure("contacts", figures::contact_rates(&found).in_units(UnitSystem::of(reading)).draw())
        .hint("(jostle contacts searches the log: which particles, when, where, how often)");
    if reading.has_outlines() {
        return Ok(answer.hint(
            "(contacts of polygons last for some time; their forces are logged: jostle analyse forces)",
        ));
    }
    Ok(match analysis::info(reading)?.log.as_deref() {
        Some("none") => answer.note("(log = \"none\": the run kept no contacts)"),
        Some("reactions") => answer.note("(log = \"reactions\": the run kept no bounces)"),
        _ => answer,
    })
}

fn sizes(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::cluster_sizes(reading, &measure.scope)?;
    let table = found.to_table();
    let alone = found.frames.iter().all(|at| at.largest() <= 1);
    let answer = match alone {
        true => Answer::written("sizes", table).note("every particle is alone in every frame"),
        false => Answer::shown("sizes", table),
    };
    let answer = answer
        .also("size_counts", found.to_histogram())
        .figure("sizes", figures::cluster_sizes(&found).draw());
    let Some(distribution) = found.distribution() else {
        return Ok(answer);
    };
    if alone {
        return Ok(answer.also("size_distribution", distribution.to_table()));
    }
    let heading =
        "averaged over time (error by blocking, which means little while clusters still grow)";
    Ok(answer
        .show("size_distribution", heading, distribution.to_table())
        .figure("size_distribution", figures::size_distribution(&distribution).draw()))
}

fn displacement(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::mean_squared_displacement(reading, &measure.scope, measure.longest)?;
    let beside = "mean squared displacement, compared with 2 d D t for free diffusion";
    let mut answer = Answer::written("displacement", found.to_table())
        .show("diffusion", "", found.fits_to_table())
        .figure(
            "displacement",
            figures::mean_squared_displacement(&found).in_units(UnitSystem::of(reading)).draw(),
        );
    answer.shown.push((beside, found.to_table()));
    if found.by_size.is_empty() {
        return Ok(answer);
    }
    Ok(answer
        .also("displacement_by_size", found.sizes_to_table())
        .figure("displacement_by_size", figures::displacement_by_size(&found).draw())
        .figure("diffusion_by_size", figures::diffusion_by_size(&found).draw())
        .note(
            "(particles in a cluster move as slowly as the cluster; rows by cluster size refer to its centre)",
        ))
}

fn jumps(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found =
        analysis::jumps(reading, &measure.scope, measure.longest, measure.bins.unwrap_or(50))?;
    Ok(Answer::written("jumps", found.bins_to_table())
        .show("jump_moments", "", found.to_table())
        .figure("jumps", figures::jumps(&found).in_units(UnitSystem::of(reading)).draw()))
}

fn rdf(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found =
        analysis::radial_distribution(reading, &measure.scope, measure.bins, measure.farthest)?;
    Ok(Answer::written("rdf", found.to_table())
        .show("rdf_summary", "", found.summary())
        .figure(
            "rdf",
            figures::radial_distribution(&found).in_units(UnitSystem::of(reading)).draw(),
        )
        .note("(an ideal gas in the same box has the value 1)"))
}

fn density(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let bins = measure.bins.unwrap_or(40);
    let along = measure.along.unwrap_or(Along::Axis(0));
    let found = analysis::density(reading, &measure.scope, along, bins)?;
    let [x, y, _] = reading.edges();
    let units = UnitSystem::of(reading);
    let sheet = match along {
        Along::Map => figures::density_map(&found, [x, y]).in_units(units).draw(),
        _ => figures::density(&found).in_units(units).draw(),
    };
    Ok(Answer::written("density", found.to_table())
        .show("density_summary", "", found.summary())
        .figure("density", sheet))
}

fn polymers(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::polymers(reading, &measure.scope)?;
    let mut answer = Answer::shown("polymers", found.to_table())
        .show("polymer_squares", "mean squares, and their ratio", found.squares_to_table())
        .show(
            "polymer_bonds",
            "bonds, and how far their direction persists",
            found.bonds_to_table(),
        )
        .also("polymers_over_time", found.series_to_table())
        .figure("polymers", figures::polymers(&found).draw());
    if found.others > 0.0 {
        answer = answer.note(format!(
            "(branched molecules, or rings around a periodic box, per frame: {}; they are left out)",
            digits(found.others, 3)
        ));
    }
    Ok(answer.note(
        "(persistence length: -b/ln<cos>, b being the bond length and cos that between successive bonds; all beads \
         have the same weight)",
    ))
}

fn rates(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::rates(reading, &measure.scope, measure.bins.unwrap_or(10))?;
    let apparent = "(apparent rate constants: all particles of a species are counted, whether or not a rule's \
        conditions \
                    hold for them)";
    Ok(Answer::shown("rates", found.to_table())
        .also("rates_over_time", found.bins_to_table())
        .also("rate_exposures", found.exposures_to_table())
        .figure("rates", figures::rates(&found).draw())
        .note(apparent))
}

fn lifetimes(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::lifetimes(reading, &measure.scope, measure.longest)?;
    Ok(Answer::shown("lifetimes", found.to_table())
        .also("lifetime_curves", found.curves_to_table())
        .also("lifetime_ages", found.ages_to_table())
        .figure("lifetimes", figures::lifetimes(&found).draw())
        .figure("mean_life_by_size", figures::mean_life_by_size(&found).draw())
        .note(MEAN_LIFE))
}

fn transitions(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::transitions(reading, &measure.scope)?;
    let frequent = found.most_frequent(MOST_ROWS);
    let mut answer = Answer::written("transitions", found.to_table());
    answer.shown.push(("", frequent.to_table()));
    let (some, all) = (frequent.entries.len(), found.entries.len());
    if some < all {
        answer =
            answer.hint(format!("(the {some} most frequent of {all}; --csv FOLDER writes all)"));
    }
    Ok(answer
        .also("transition_exposures", found.exposures_to_table())
        .figure("transitions", figures::transitions(&found).draw())
        .figure("transition_map", figures::transition_map(&found).draw()))
}

fn survival(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::survival(reading, &measure.scope, measure.longest)?;
    Ok(Answer::shown("survival", found.to_table())
        .also("survival_curves", found.curves_to_table())
        .also("survival_ages", found.ages_to_table())
        .figure("survival", figures::survival(&found).draw())
        .note(MEAN_LIFE))
}

fn first_passage(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let goal = match &measure.goal {
        Some(goal) => goal.clone(),
        None => Goal::handy_distance(reading, &measure.scope)?,
    };
    let found = analysis::first_passage(reading, &measure.scope, &goal, measure.longest)?;
    Ok(Answer::shown("first_passage", found.to_table())
        .also("first_passage_curves", found.curves_to_table())
        .also("first_passage_ages", found.ages_to_table())
        .figure("first_passage", figures::first_passage(&found).draw())
        .note(format!("waited for: {}", found.goal))
        .note(MEAN_LIFE))
}

fn impacts(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::impacts(reading, &measure.scope, measure.bins.unwrap_or(30))?;
    Ok(Answer::shown("impacts", found.to_table())
        .show("impact_sizes", "impact energies (only impacts that lose energy)", found.sizes_to_table())
        .show("impact_spectrum", "energy spectrum", found.spectrum_to_table())
        .figure("impacts", figures::impact_spectrum(&found).draw())
        .note(
            "(per ball: how often a ball of the first species takes part; lossless: elastic, or in lasting contact)",
        ))
}

fn energy(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    if analysis::is_brownian(reading) {
        return potential_energy(reading, measure);
    }
    let found = analysis::energy(reading, &measure.scope)?;
    Ok(Answer::shown("energy", found.to_table())
        .also("energy_over_time", found.series_to_table())
        .figure("energy", figures::energy(&found).draw())
        .note("(unexplained: the part that the energy balance does not account for: rounding errors and, in \
            runs with time steps, the error of the time step)"))
}

fn potential_energy(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::potential_energy(reading, &measure.scope)?;
    Ok(Answer::shown("energy", found.to_table())
        .show("energy_shells", "neighbours in the shells of the potentials", found.shells_to_table())
        .also("energy_over_time", found.series_to_table())
        .figure("energy", figures::potential_energy(&found).draw())
        .note(
            "(per particle: divided by the number of particles of all species that have a potential; neighbours: of \
             the second species around one of the first; pairs within a rigid cluster are left out)",
        ))
}

fn pressure(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::pressure(reading, &measure.scope)?;
    let mut answer = Answer::shown("pressure", found.to_table())
        .also("pressure_over_time", found.series_to_table())
        .figure("pressure", figures::pressure(&found).draw());
    if found.dimension == 3 {
        answer = answer.note("(1 kT/nm³ is 4.12 MPa at 25 °C, the osmotic pressure of 1.66 mol/l)");
    }
    Ok(answer)
}

fn forces(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let found = analysis::forces(reading, &measure.scope, measure.bins.unwrap_or(40))?;
    let last = reading.frames().saturating_sub(1);
    let network = Snapshot::of_frame(reading, last, ColourBy::Species)?;
    let options = SnapshotOptions { periodic: reading.periodic()?, ..SnapshotOptions::default() };
    let mut answer = Answer::shown("forces", found.to_table())
        .also("forces_over_time", found.series_to_table())
        .also("force_distribution", found.distribution_to_table())
        .show("wall_forces", "total force of all particles on each wall", found.walls_to_table())
        .figure("forces", figures::force_distribution(&found).draw())
        .figure("coordination", figures::coordination(&found).draw())
        .figure("network", network.with_forces(reading, last)?.draw(&options));
    if found.beyond > 0.0 {
        let share = format!(
            "{:.2} % of the forces are beyond the distribution's last bin",
            100.0 * found.beyond
        );
        answer = answer.note(format!("({share})"));
    }
    Ok(answer.note(
        "(friction in use: tangential over normal force; participation: 1 if all contacts carry the same; \
         anisotropies: a in 1 + a cos 2(angle), of normals and of normals weighted by force)",
    ))
}

fn stress(reading: &Reading, measure: &Measure) -> Result<Answer, ReadError> {
    let place = match &measure.goal {
        Some(Goal::Place(place)) => *place,
        _ => Place::default(),
    };
    let along = measure.along.map(|along| (along, measure.bins.unwrap_or(20)));
    let found = analysis::stress(reading, &measure.scope, &place, along)?;
    let mut answer = Answer::shown("stress", found.to_table())
        .also("stress_over_time", found.series_to_table())
        .figure("stress", figures::stress(&found).draw());
    if let Some(profile) = &found.profile {
        answer = answer
            .show("stress_profile", "along the axis, by position of centroids", profile.to_table())
            .figure(
                "stress_profile",
                figures::stress_profile(profile).in_units(UnitSystem::of(reading)).draw(),
            );
    }
    let whole = "(in a plane stress is force per length; compression is positive; the area is that of the box, or of \
                 the --place)";
    Ok(answer.note(whole))
}

/// What a summary of a survival curve means.
const MEAN_LIFE: &str = "(mean life: total lifetime divided by the number of ends, as for an exponential law, \
    with its exact interval; \
                         area under curve: the mean up to the greatest age observed, for any law)";
