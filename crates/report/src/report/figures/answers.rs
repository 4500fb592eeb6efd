//! The figures of answers: which there are for each analysis, the main one first.

use jostle_analysis::ask::{Found, LogFound};
use jostle_analysis::{Along, ReadError, Reading, UnitSystem};

use super::*;
use crate::report::{ColourBy, Plot, Sheet, Snapshot, SnapshotOptions};

/// The figures of what was found in a file, by name.
///
/// # Errors
/// If the file cannot be read.
pub fn of_answer(
    found: &Found,
    reading: &Reading,
) -> Result<Vec<(&'static str, Sheet)>, ReadError> {
    let units = UnitSystem::of(reading);
    let titled = |title: &str, plot: Plot| Plot { title: title.to_owned(), ..plot }.draw();
    Ok(match found {
        Found::Counts(found) => vec![("counts", counts(found).draw())],
        Found::Contacts(found) => vec![("contacts", contact_rates(found).in_units(units).draw())],
        Found::Sites(found) => {
            let plot = counts(&found.as_counts());
            vec![("sites", titled("Sites by state, free and bound (!+)", plot))]
        }
        Found::Patterns(found) => {
            let plot = counts(&found.as_counts());
            vec![("patterns", titled("Molecules that fit a pattern", plot))]
        }
        Found::Sizes(found) => {
            let alone = found.frames.iter().all(|at| at.largest() <= 1);
            let distribution = found.distribution().filter(|_| !alone);
            let distribution = distribution
                .map(|distribution| ("size_distribution", size_distribution(&distribution).draw()));
            std::iter::once(("sizes", cluster_sizes(found).draw())).chain(distribution).collect()
        }
        Found::Displacement(found) => {
            let mut figures =
                vec![("displacement", mean_squared_displacement(found).in_units(units).draw())];
            if let Some(plot) = displacement_by_axis(found) {
                figures.push(("displacement_by_axis", plot.in_units(units).draw()));
            }
            if !found.by_size.is_empty() {
                figures.push(("displacement_by_size", displacement_by_size(found).draw()));
                figures.push(("diffusion_by_size", diffusion_by_size(found).draw()));
            }
            figures
        }
        Found::Jumps(found) => vec![("jumps", jumps(found).in_units(units).draw())],
        Found::Rdf(found) => vec![("rdf", radial_distribution(found).in_units(units).draw())],
        Found::Density(found, Along::Map) => {
            let [x, y, _] = reading.edges();
            vec![("density", density_map(found, [x, y]).in_units(units).draw())]
        }
        Found::Density(found, _) => vec![("density", density(found).in_units(units).draw())],
        Found::Polymers(found) => vec![("polymers", polymers(found).draw())],
        Found::Rates(found) => vec![("rates", rates(found).draw())],
        Found::Lifetimes(found) => vec![
            ("lifetimes", lifetimes(found).draw()),
            ("mean_life_by_size", mean_life_by_size(found).draw()),
        ],
        Found::Transitions(found) => vec![
            ("transitions", transitions(found).draw()),
            ("transition_map", transition_map(found).draw()),
        ],
        Found::Survival(found) => vec![("survival", survival(found).draw())],
        Found::Impacts(found) => vec![("impacts", impact_spectrum(found).draw())],
        Found::Energy(found) => vec![("energy", energy(found).draw())],
        Found::PotentialEnergy(found) => vec![("energy", potential_energy(found).draw())],
        Found::Pressure(found) => vec![("pressure", pressure(found).draw())],
        Found::Forces(found) => {
            let last = reading.frames().saturating_sub(1);
            let network = Snapshot::of_frame(reading, last, ColourBy::Species)?;
            let options =
                SnapshotOptions { periodic: reading.periodic()?, ..SnapshotOptions::default() };
            vec![
                ("forces", force_distribution(found).draw()),
                ("coordination", coordination(found).draw()),
                ("network", network.with_forces(reading, last)?.draw(&options)),
            ]
        }
        Found::Stress(found) => {
            let profile = found
                .profile
                .as_ref()
                .map(|profile| ("stress_profile", stress_profile(profile).in_units(units).draw()));
            std::iter::once(("stress", stress(found).draw())).chain(profile).collect()
        }
        Found::FirstPassage(found) => vec![("first_passage", first_passage(found).draw())],
    })
}

/// The figure of what was found in the log of contacts; a number has none.
pub fn of_log(found: &LogFound, units: UnitSystem) -> Option<Sheet> {
    let plot = match found {
        LogFound::Count(_) => return None,
        LogFound::Groups(groups, _) => contact_rates(groups),
        LogFound::Intervals(found) => contact_intervals(found),
        LogFound::Rebinding(found) => rebinding_times(found),
        LogFound::Meetings(found) => meetings(found),
        LogFound::Places(map) if map.axes.len() == 1 => contact_profile(map),
        LogFound::Places(map) => return Some(contact_map(map).in_units(units).draw()),
    };
    Some(plot.in_units(units).draw())
}
