//! The table `[clusters]`: how fast clusters diffuse, and which there are at the start.

use crate::templates::MoleculeTemplate;
use crate::walker::{Item, Section};
use crate::{FirstBond, Placement};
use jostle_core::rules::RuleSet;
use jostle_core::species::MobilityLaw;

use super::{Context, bonds};

/// How fast clusters diffuse, Stokes if the file does not say, and the bonds at the start.
pub(super) fn clusters(
    root: &Section<'_>,
    context: &Context<'_>,
    placement: &[Placement],
    rules: &RuleSet,
    molecules: &[MoleculeTemplate],
) -> (MobilityLaw, Vec<FirstBond>) {
    let section = root.table("clusters");
    let law = section.get("mobility").and_then(|item| {
        if item.is_text() { named(&item) } else { with_numbers(&item, context.dimension) }
    });
    // Bonds of files and bonds that are listed may close a ring together, so they are looked at as
    // one.
    let mut first = context.taken.bonds(rules, molecules);
    if let Some(item) = section.get("bonds") {
        first.extend(bonds::listed(&item, context, placement, rules).unwrap_or_default());
        if let Some(n) = bonds::ring(first.iter().map(|bond| bond.ends)) {
            item.fault(format!(
                "bond number {} (counted from 1) closes a ring: {}",
                n + 1,
                bonds::TREES
            ));
        }
    }
    section.finish();
    (law.unwrap_or(MobilityLaw::Stokes), first)
}

fn named(item: &Item<'_>) -> Option<MobilityLaw> {
    if matches!(item.text()?, "saffman-delbruck" | "saffman_delbruck") {
        item.fault(
            "the law of Saffman and Delbrueck needs a length, membrane viscosity x thickness / \
             (2 x water viscosity): write { saffman_delbruck = { length = \"1 um\" } }",
        );
        return None;
    }
    let word = item.word(&[("stokes", 0), ("rouse", 1), ("immobile", 2)])?;
    let laws = [MobilityLaw::Stokes, MobilityLaw::Rouse, MobilityLaw::Immobile];
    laws.into_iter().nth(word)
}

/// `{ saffman_delbruck = .. }` or `{ table = .. }`.
fn with_numbers(item: &Item<'_>, dimension: usize) -> Option<MobilityLaw> {
    let section = item.section()?;
    let law = match section.get("saffman_delbruck") {
        Some(item) => {
            section.refuse("table", "clusters have one law: saffman_delbruck, or a table");
            membrane(&item, dimension)
        }
        None => table(&section),
    };
    section.finish();
    law
}

fn membrane(item: &Item<'_>, dimension: usize) -> Option<MobilityLaw> {
    if dimension != 2 {
        item.fault(format!(
            "the law of Saffman and Delbrueck is for disks in a membrane and needs dimension = \
             2; this space has dimension = {dimension}"
        ));
    }
    let section = item.section()?;
    let length: Option<f64> = section.setting("length");
    section.finish();
    length.map(|length| MobilityLaw::SaffmanDelbruck { length })
}

fn table(section: &Section<'_>) -> Option<MobilityLaw> {
    let list = section.require("table").and_then(|item| {
        let list = item.list()?;
        if list.is_empty() {
            item.fault("the table is empty; its first entry is for a cluster of one particle");
        }
        list.iter().map(|item| item.quantity()).collect()
    });
    list.map(MobilityLaw::Table)
}
