//! `sites` of a species.

use std::collections::BTreeSet;

use jostle_core::docking::SiteDirection;
use jostle_core::sites::{Site, Sites};
use jostle_core::space::{Vector, across, any_across};

use super::rules::geometry::opening_of;
use crate::walker::{Item, Section};

/// The sites that a species has.
pub(super) fn sites(section: &Section<'_>, dimension: usize) -> Sites {
    let turning = section.get("rotational_diffusion");
    let turning = turning.map(|item| (item.quantity(), item));
    let Some(item) = section.get("sites") else {
        if let Some((_, item)) = turning {
            item.fault(POINTLESS);
        }
        return Sites::default();
    };
    section.refuse(
        "states",
        "this species has `sites`: give the states to one of them, as `states = [..]`",
    );
    let Some(list) = item.list() else { return Sites::default() };
    let list: Option<Vec<Site>> = list.iter().map(|item| site(item, dimension)).collect();
    let Some(list) = list else { return Sites::default() };
    for site in &list {
        let alike =
            list.iter().find(|other| other.name == site.name && other.states != site.states);
        if alike.is_some() {
            item.fault(format!(
                "site \"{}\" appears twice with different states: sites with one name are alike",
                site.name
            ));
        }
    }
    let sites = Sites::new(list).unwrap_or_else(|error| {
        item.fault(error.to_string());
        Sites::default()
    });
    match turning {
        Some((_, item)) if !sites.are_directed() => {
            item.fault(POINTLESS);
            sites
        }
        Some((diffusion, _)) => sites.turning_at(diffusion),
        None => sites,
    }
}

/// Why there is no rotational diffusion coefficient.
const POINTLESS: &str = "it matters how a particle turns only if one of its `sites` has a `direction`: give it one, or drop this";

fn site(item: &Item<'_>, dimension: usize) -> Option<Site> {
    let section = item.section()?;
    let name = section.require("name").and_then(|item| word(&item));
    let states = section.get("states").map(|item| states(&item));
    let direction = direction(&section, dimension);
    section.finish();
    let states = match states {
        Some(states) => states?,
        None => Vec::new(),
    };
    Some(Site { name: name?, states, direction })
}

/// Where a site points; somewhere, if there is a fault in that, so that no more is said of rules for
/// sites that point somewhere.
fn direction(section: &Section<'_>, dimension: usize) -> Option<SiteDirection> {
    let [axis, normal] = [Vector([1.0, 0.0, 0.0]), Vector([0.0, 0.0, 1.0])];
    let somewhere = SiteDirection { axis, normal, opening: std::f64::consts::PI };
    let is_given = section.get("direction").is_some();
    let found = direction_given(section, dimension);
    found.or_else(|| is_given.then_some(somewhere))
}

fn direction_given(section: &Section<'_>, dimension: usize) -> Option<SiteDirection> {
    let given = ["direction", "opening", "normal"].map(|key| section.get(key));
    let [Some(direction), opening, normal] = given else {
        for item in given.into_iter().flatten() {
            item.fault(
                "this belongs to a site with a `direction`, such as `direction = [1, 0, 0]`",
            );
        }
        return None;
    };
    if dimension == 1 {
        direction.fault("in one dimension sites cannot point anywhere: drop `direction`");
        return None;
    }
    let axis = unit_vector(&direction, dimension)?;
    let opening = match opening {
        Some(item) => opening_of(&item)?,
        None => {
            direction.fault(
                "how far a partner may be off this direction is needed, too: `opening = \"30 deg\"`",
            );
            return None;
        }
    };
    let normal = match normal {
        // Any will do, as long as it is always the same for this axis: torsions are measured from
        // it.
        None => any_across(axis),
        Some(item) if dimension == 2 => {
            item.fault("there are torsions in three dimensions only: drop `normal`");
            return None;
        }
        Some(item) => {
            let normal = unit_vector(&item, 3)?;
            let is_across = normal.dot(axis).abs() < ROUNDING;
            let found = if is_across { Some(normal) } else { across(normal, axis) };
            if found.is_none() {
                item.fault("this must not be along `direction`: torsions are measured from it");
            }
            found?
        }
    };
    Some(SiteDirection { axis, normal, opening })
}

/// A direction, which may be given by a vector of any length but 0.
pub(super) fn unit_vector(item: &Item<'_>, dimension: usize) -> Option<Vector<3>> {
    let components: Option<Vec<f64>> =
        item.per_axis(dimension)?.iter().map(|item| item.quantity()).collect();
    let components = components?;
    let vector = Vector::from_fn(|k| components.get(k).copied().unwrap_or(0.0));
    // Its length may be too large or too small for its square.
    let largest = (0..3).map(|k| vector[k].abs()).fold(0.0, f64::max);
    if largest == 0.0 {
        item.fault("this is of length 0, so it points nowhere; for example [1, 0, 0]");
        return None;
    }
    if (vector.norm_squared() - 1.0).abs() < ROUNDING {
        // What a model that is written out in full says is read again bit by bit.
        return Some(vector);
    }
    let vector = vector * (1.0 / largest);
    Some(vector * (1.0 / vector.norm()))
}

/// How far from 1 the square of a unit vector may be.
const ROUNDING: f64 = 1e-15;

fn states(item: &Item<'_>) -> Option<Vec<String>> {
    let states: Vec<String> = item.list()?.iter().map(word).collect::<Option<_>>()?;
    let mut seen = BTreeSet::new();
    if let Some(twice) = states.iter().find(|state| !seen.insert(state.as_str())) {
        item.fault(format!("state \"{twice}\" appears twice"));
    }
    if let [one] = states.as_slice() {
        item.fault(format!(
            "a site with the one state \"{one}\" never changes: leave `states` out"
        ));
    }
    if states.is_empty() {
        item.fault("there is no state, for example [\"u\", \"p\"]");
    }
    Some(states)
}

/// A name as BioNetGen has it: letters, digits and underscores. `#2` numbers sites that are alike.
fn word(item: &Item<'_>) -> Option<String> {
    let text = item.text()?;
    let (name, number) = text.split_once('#').unwrap_or((text, "1"));
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let fits = !name.is_empty()
        && name.len() <= super::states::LONGEST
        && is_name(name)
        && !number.is_empty()
        && number.chars().all(|c| c.is_ascii_digit());
    if !fits {
        item.fault(format!(
            "found \"{}\", but a word of letters, digits and underscores is needed, for example \"Y1068\"",
            jostle_files::shortened(text, super::states::LONGEST)
        ));
        return None;
    }
    Some(text.to_owned())
}
