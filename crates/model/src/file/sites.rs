//! `sites` of a species.

use std::collections::BTreeSet;

use jostle_core::sites::{Site, Sites};

use crate::walker::{Item, Section};

/// The sites that a species has.
pub(super) fn sites(section: &Section<'_>) -> Sites {
    let Some(item) = section.get("sites") else { return Sites::default() };
    section.refuse(
        "states",
        "this species has `sites`: give the states to one of them, as `states = [..]`",
    );
    let Some(list) = item.list() else { return Sites::default() };
    let list: Option<Vec<Site>> = list.iter().map(site).collect();
    let Some(list) = list else { return Sites::default() };
    for site in &list {
        let alike = list.iter().find(|other| other.name == site.name && *other != site);
        if alike.is_some() {
            item.fault(format!(
                "site \"{}\" appears twice with different states: sites with one name are alike",
                site.name
            ));
        }
    }
    Sites::new(list).unwrap_or_else(|error| {
        item.fault(error.to_string());
        Sites::default()
    })
}

fn site(item: &Item<'_>) -> Option<Site> {
    let section = item.section()?;
    let name = section.require("name").and_then(|item| word(&item));
    let states = section.get("states").map(|item| states(&item));
    section.finish();
    let states = match states {
        Some(states) => states?,
        None => Vec::new(),
    };
    Some(Site { name: name?, states })
}

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
