//! Names for rules that are known by their reaction alone: `A_DA_off_to_DA_on` for
//! `A + DA{off} <-> DA{on}`.

use std::collections::HashSet;

use super::tree::{Entry, Node, Value};

/// The longest name that is made. \[characters\]
const LONGEST: usize = 80;

/// Gives each rule that has a reaction and no name a unique one.
pub(super) fn name_reactions(root: &mut Node) {
    let Value::Table(sections) = &mut root.value else { return };
    let mut taken: HashSet<String> = HashSet::new();
    for section in sections.iter().filter(|section| {
        ["rule", "schedule", "surface", "molecule"].contains(&section.key.as_str())
    }) {
        let Value::List(tables) = &section.node.value else { continue };
        taken.extend(tables.iter().filter_map(Node::name).map(str::to_owned));
    }
    let rules = sections.iter_mut().find(|section| section.key == "rule");
    let Some(Value::List(rules)) = rules.map(|section| &mut section.node.value) else { return };
    for rule in rules {
        if rule.child("name").is_some() {
            continue;
        }
        let Some(Node { place, value: Value::Text(reaction) }) = rule.child("reaction") else {
            continue;
        };
        let name = free_name(reaction, &taken);
        taken.insert(name.clone());
        let entry = Entry {
            key: "name".to_owned(),
            node: Node { place: place.clone(), value: Value::Text(name) },
        };
        if let Value::Table(entries) = &mut rule.value {
            entries.push(entry);
        }
    }
}

/// A name after a reaction; the second one like it gets a number.
fn free_name(reaction: &str, taken: &HashSet<String>) -> String {
    let words = reaction.replace("<->", " to ").replace("->", " to ");
    let plain: String =
        words.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { ' ' }).collect();
    let joined = plain.split_whitespace().collect::<Vec<_>>().join("_");
    let stem: String = joined.trim_start_matches('-').chars().take(LONGEST).collect();
    let stem = if stem.is_empty() || stem.chars().all(|c| c.is_ascii_digit()) {
        "reaction".to_owned()
    } else {
        stem
    };
    let numbered = (2..).map(|n| format!("{stem}_{n}"));
    let names = std::iter::once(stem.clone()).chain(numbered);
    names.into_iter().find(|name| !taken.contains(name)).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_called_after_their_reactions() {
        let text = "rule = [\n{ reaction = 'A + DA{off} <-> DA{on}' },\n{ reaction = '0 -> A' },\n\
                    { reaction = '0->A' },\n{ name = '0_to_A_2' },\n{ reaction = '??' }]\n";
        let mut root = Node::parse(text).unwrap();
        name_reactions(&mut root);
        let Some(Value::List(rules)) = root.child("rule").map(|rules| &rules.value) else {
            panic!("no rules")
        };
        let names: Vec<_> = rules.iter().filter_map(Node::name).collect();
        assert_eq!(names, ["A_DA_off_to_DA_on", "0_to_A", "0_to_A_3", "0_to_A_2", "reaction"]);
    }
}
