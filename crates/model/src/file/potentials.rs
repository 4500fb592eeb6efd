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

const LAWS: [&str; 6] =
    ["steps", "square_well", "square_shoulder", "yukawa", "lennard_jones", "table"];
const ONE_OF: &str = "exactly one of `square_well = { to = \"7 nm\", depth = \"1.5 kT\" }`, `square_shoulder = { to, height }`, \
                      `steps = [{ to = \"7 nm\", energy = \"-1.5 kT\" }]`, `yukawa = { strength, length }`, \
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
    let given = LAWS.map(|law| section.get(law).map(|item| (law, item)));
    let given: Vec<_> = given.into_iter().flatten().collect();
    let cutoff = section.get("cutoff");
    let shells = section.get("shells");
    let [(law, item)] = &given[..] else {
        section.fault(ONE_OF);
        return None;
    };
    let stepped = match *law {
        "steps" => Some(steps(item)),
        "square_well" => Some(square(item, "depth", -1.0)),
        "square_shoulder" => Some(square(item, "height", 1.0)),
        _ => None,
    };
    if let Some(energy) = stepped {
        for (item, key) in [(&cutoff, "cutoff"), (&shells, "shells")] {
            if let Some(item) = item {
                item.fault(format!(
                    "`{key}` does not go with `{law}`, which says where it ends by `to`"
                ));
            }
        }
        return energy;
    }
    let shells = shells.as_ref().map_or(Some(16), |item| {
        let number = item.whole(1)?;
        if number > MOST_SHELLS {
            item.fault(format!("found {number}; at most {MOST_SHELLS} shells are possible"));
            return None;
        }
        Some(number)
    });
    let end = cutoff.as_ref().map(|item| item.positive());
    let (shape, end) = match *law {
        "table" => {
            let tabulated = tabulated(item, context)?;
            let last = tabulated.range()[1];
            (EnergyShape::Table(tabulated), end.unwrap_or(Some(last)))
        }
        law => {
            let end = end.unwrap_or_else(|| {
                section
                    .fault("`cutoff` is missing: where the potential ends, for example \"8 nm\"");
                None
            });
            let shape = match law {
                "yukawa" => yukawa(item.section()?),
                _ => lennard_jones(item.section()?),
            };
            (shape?, end)
        }
    };
    Some(Energy::Smooth { shape, cutoff: end?, shells: shells? as usize })
}

/// A single shell around contact: its energy is what `key` says, times `sign`.
fn square(item: &Item<'_>, key: &'static str, sign: f64) -> Option<Energy> {
    let section = item.section()?;
    let to = section.require("to").and_then(|item| item.positive());
    let energy = section.require(key).and_then(|item| {
        let energy = kt(&item)?;
        if energy < 0.0 {
            let (here, there) = match sign < 0.0 {
                true => ("well", "square_shoulder = { to, height }"),
                false => ("shoulder", "square_well = { to, depth }"),
            };
            item.fault(format!(
                "found {energy} kT, but the {key} of a {here} is positive: use `{there}` for the opposite sign"
            ));
            return None;
        }
        Some(sign * energy)
    });
    section.finish();
    Some(Energy::Steps(vec![[to?, energy?]]))
}

fn yukawa(section: Section<'_>) -> Option<EnergyShape> {
    let strength = section.require("strength").and_then(|item| kt(&item));
    let length = section.require("length").and_then(|item| item.positive());
    section.finish();
    Some(EnergyShape::Yukawa { strength: strength?, length: length? })
}

fn lennard_jones(section: Section<'_>) -> Option<EnergyShape> {
    let depth = section.require("depth").and_then(|item| kt(&item));
    let diameter = section.get("diameter").map(|item| item.positive());
    section.finish();
    let diameter = match diameter {
        None => None,
        Some(found) => Some(found?),
    };
    Some(EnergyShape::LennardJones { depth: depth?, diameter })
}

fn tabulated(item: &Item<'_>, context: &Context<'_>) -> Option<Tabulated> {
    match Tabulated::new(points(item, context)?) {
        Ok(tabulated) => Some(tabulated),
        Err(error) => {
            item.fault(error.to_string());
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
