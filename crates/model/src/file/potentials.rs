//! The `[[potential]]` tables.

use std::collections::BTreeSet;

use jostle_core::potentials::Tabulated;
use jostle_files::columns::read_columns;

use crate::potentials::{Energy, EnergyShape, Potential};
use crate::walker::{Item, Section};

use super::{Context, particles};

/// Larger energies are a slip: exp(−500) is no number of this world. \[kT\]
const MOST_ENERGY: f64 = 500.0;

/// More shells would take longer than they are worth.
const MOST_SHELLS: u64 = 1000;

const LAWS: [&str; 4] = ["steps", "yukawa", "lennard_jones", "table"];
const ONE_OF: &str = "exactly one of `steps = [{ to = \"7 nm\", energy = \"-1.5 kT\" }]`, `yukawa = { strength, length }`, \
                      `lennard_jones = { depth, diameter }` and `table = \"file.csv\"` is needed";

/// All of them.
pub(super) fn potentials(root: &Section<'_>, context: &Context<'_>) -> Vec<Potential> {
    let mut used = BTreeSet::new();
    let mut found = Vec::new();
    for section in root.tables("potential") {
        let named = section.require("name");
        let name = named.map_or_else(String::new, |item| particles::name(&item, &used));
        used.insert(name.clone());
        let between = section.require("between").and_then(|item| partners(&item, context));
        let energy = energy(&section, context);
        section.finish();
        if let (Some(between), Some(energy)) = (between, energy) {
            found.push(Potential { name, between, energy });
        }
    }
    found
}

fn partners(item: &Item<'_>, context: &Context<'_>) -> Option<[Vec<u16>; 2]> {
    let list = item.list()?;
    let [one, other] = &list[..] else {
        item.fault("two partners are needed, for example [\"A\", \"B\"]");
        return None;
    };
    let named = |name: &Item<'_>| {
        let text = name.text()?;
        if text.contains('(') {
            name.fault(format!(
                "found \"{text}\", but a potential is the same for all states of sites: name the species alone"
            ));
            return None;
        }
        context.kinds.matching(name)
    };
    let species = |item: &Item<'_>| {
        let mut all: Vec<u16> = match item.is_list() {
            true => item.list()?.iter().map(named).collect::<Option<Vec<_>>>()?.concat(),
            false => named(item)?,
        };
        all.sort_unstable();
        all.dedup();
        Some(all)
    };
    Some([species(one)?, species(other)?])
}

fn energy(section: &Section<'_>, context: &Context<'_>) -> Option<Energy> {
    let given = LAWS.map(|key| section.get(key));
    let cutoff = section.get("cutoff");
    let shells = section.get("shells");
    let number = shells.as_ref().map_or(Some(16), |item| {
        let number = item.whole(1)?;
        if number > MOST_SHELLS {
            item.fault(format!("found {number}; at most {MOST_SHELLS} shells are possible"));
            return None;
        }
        Some(number)
    });
    let end = cutoff.as_ref().map(|item| item.positive());
    let smooth = |shape: EnergyShape, cutoff: Option<f64>| {
        Some(Energy::Smooth { shape, cutoff: cutoff?, shells: number? as usize })
    };
    let needed = || {
        end.unwrap_or_else(|| {
            section.fault("`cutoff` is missing: where the potential ends, for example \"8 nm\"");
            None
        })
    };
    match given {
        [Some(steps), None, None, None] => {
            for (item, key) in [(&cutoff, "cutoff"), (&shells, "shells")] {
                if let Some(item) = item {
                    item.fault(format!(
                        "`{key}` does not go with `steps`, which say where they end"
                    ));
                }
            }
            self::steps(&steps)
        }
        [None, Some(yukawa), None, None] => {
            let cutoff = needed();
            let section = yukawa.section()?;
            let strength = section.require("strength").and_then(|item| kt(&item));
            let length = section.require("length").and_then(|item| item.positive());
            section.finish();
            smooth(EnergyShape::Yukawa { strength: strength?, length: length? }, cutoff)
        }
        [None, None, Some(lennard_jones), None] => {
            let cutoff = needed();
            let section = lennard_jones.section()?;
            let depth = section.require("depth").and_then(|item| kt(&item));
            let diameter = section.get("diameter").map(|item| item.positive());
            section.finish();
            let diameter = match diameter {
                None => None,
                Some(found) => Some(found?),
            };
            smooth(EnergyShape::LennardJones { depth: depth?, diameter }, cutoff)
        }
        [None, None, None, Some(table)] => {
            let points = points(&table, context)?;
            let tabulated = match Tabulated::new(points) {
                Ok(tabulated) => tabulated,
                Err(error) => {
                    table.fault(error.to_string());
                    return None;
                }
            };
            let last = tabulated.range()[1];
            let cutoff = end.unwrap_or(Some(last));
            smooth(EnergyShape::Table(tabulated), cutoff)
        }
        _ => {
            section.fault(ONE_OF);
            None
        }
    }
}

/// An energy in kT.
fn kt(item: &Item<'_>) -> Option<f64> {
    let energy = item.quantity()?;
    if energy.abs() > MOST_ENERGY {
        item.fault(format!(
            "found {energy} kT; energies up to {MOST_ENERGY} kT are possible: is the unit right?"
        ));
        return None;
    }
    Some(energy)
}

fn steps(item: &Item<'_>) -> Option<Energy> {
    let list = item.list()?;
    if list.is_empty() {
        item.fault(
            "at least one shell is needed, for example { to = \"7 nm\", energy = \"-1.5 kT\" }",
        );
        return None;
    }
    let mut steps: Vec<[f64; 2]> = Vec::new();
    for item in &list {
        let section = item.section()?;
        let to = section.require("to");
        let end = to.as_ref().and_then(|item| item.positive());
        let energy = section.require("energy").and_then(|item| kt(&item));
        section.finish();
        let (end, energy) = (end?, energy?);
        if let (Some([last, _]), Some(to)) = (steps.last(), to)
            && *last >= end
        {
            to.fault(format!(
                "{end:?} nm does not exceed the end of the shell before, {last:?} nm: shells go from the inside out"
            ));
            return None;
        }
        steps.push([end, energy]);
    }
    Some(Energy::Steps(steps))
}

fn points(item: &Item<'_>, context: &Context<'_>) -> Option<Vec<[f64; 2]>> {
    if item.is_list() {
        let point = |item: &Item<'_>| {
            let section = item.section()?;
            let at = section.require("at").and_then(|item| item.positive());
            let energy = section.require("energy").and_then(|item| kt(&item));
            section.finish();
            Some([at?, energy?])
        };
        return item.list()?.iter().map(point).collect();
    }
    let path = item.file(context.folder)?;
    match read_columns::<2>(&path) {
        Ok(points) => match points.iter().find(|[_, energy]| energy.abs() > MOST_ENERGY) {
            Some([at, energy]) => {
                item.fault(format!(
                    "{}: an energy of {energy} kT at {at} nm; energies up to {MOST_ENERGY} kT are possible",
                    path.display()
                ));
                None
            }
            None => Some(points),
        },
        Err(error) => {
            item.fault(error.to_string());
            None
        }
    }
}
