//! What the command line sets on top of the file: `--set run.seed=7`.

use super::fault::{Fault, Place};
use super::tree::{Entry, Node, Value, positions, segments};
use jostle_core::words::abridged;
use jostle_files::shortened;

/// The most characters of a value that a message quotes.
const MOST_SHOWN: usize = 200;

/// Keys that stand for the same thing: setting one takes the others away.
const ALTERNATIVES: [&[&str]; 18] = [
    &["steps", "until"],
    &["every", "frame_every", "frames"],
    &["rate", "k_on", "probability"],
    &["unbind", "k_off", "K_D"],
    &["on", "cases"],
    &["products", "cases"],
    &["set", "switch_on", "switch_off", "add", "divide"],
    &["keep", "volume_fraction"],
    &["keep", "axis"],
    &["count", "placement"],
    &["random", "lattice", "packed", "equilibrium", "file", "positions", "room", "picture"],
    &["corners", "regular", "rectangle", "ellipse", "disk", "random"],
    &["corners", "rectangle", "segment", "ring", "shape"],
    &["velocity", "rotation", "oscillation", "force"],
    &["mass", "density"],
    &["speed", "velocity", "temperature"],
    &["reference", "constant_A"],
    &["velocity", "shear", "well"],
];

/// Sets each key in turn; a later one wins. A key without a value is taken away.
pub(super) fn apply(root: &mut Node, overrides: &[(String, String)], faults: &mut Vec<Fault>) {
    for (key, value) in overrides {
        // Each value within has a place of its own, so it must not grow with the text.
        let place = Place::Override(format!("{key}={}", shortened(value, MOST_SHOWN)));
        if are_several(value) {
            let message = "give one value, with a decimal point if it has decimals; for several values, run the \
                           model once with each";
            faults.push(Fault { place, key: key.clone(), message: message.to_owned() });
            continue;
        }
        let path = segments(key);
        let done = match value.is_empty() {
            true => remove(root, &path),
            false => set(root, &path, Node::from_override(value, &place)),
        };
        if let Err(message) = done {
            faults.push(Fault { place, key: String::new(), message });
        }
    }
}

/// Whether these are numbers with commas between them.
fn are_several(value: &str) -> bool {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    value.contains(',') && value.split(',').all(is_number)
}

/// `search = "slices"` is short for a table that says no more than the kind.
pub(super) fn expand_search(root: &mut Node) {
    let Value::Table(entries) = &mut root.value else {
        return;
    };
    let Some(entry) = entries.iter_mut().find(|entry| entry.key == "search") else {
        return;
    };
    if let Value::Text(_) = entry.node.value {
        let place = entry.node.place.clone();
        let kind = Node {
            place: place.clone(),
            value: std::mem::replace(&mut entry.node.value, Value::Boolean(false)),
        };
        entry.node.value = Value::Table(vec![Entry { key: "kind".to_owned(), node: kind }]);
    }
}

fn set(node: &mut Node, path: &[&str], new: Node) -> Result<(), String> {
    let [first, rest @ ..] = path else {
        *node = new;
        return Ok(());
    };
    if first.is_empty() {
        return Err("the key has an empty part; a valid key looks like `run.seed`".to_owned());
    }
    match &mut node.value {
        Value::Table(entries) => {
            let is_word = rest.is_empty() && matches!(new.value, Value::Text(_));
            drop_alternatives(entries, first, is_word);
            let at = match entries.iter().position(|entry| entry.key == *first) {
                Some(at) => at,
                None => {
                    entries.push(Entry {
                        key: (*first).to_owned(),
                        node: Node { place: new.place.clone(), value: Value::Table(Vec::new()) },
                    });
                    entries.len() - 1
                }
            };
            set(&mut entries[at].node, rest, new)?;
            if *first == "search" {
                expand_search(node);
            }
            Ok(())
        }
        Value::List(list) => match &positions(list, first)[..] {
            [] => {
                let names = list.iter().filter_map(Node::name).map(str::to_owned);
                let known = match abridged(names, "of them").as_slice() {
                    [] => format!("there are {} entries, counted from 0", list.len()),
                    names => format!("the model has {}", names.join(", ")),
                };
                Err(format!("there is no `{first}`; {known}"))
            }
            found => found.iter().try_for_each(|&at| set(&mut list[at], rest, new.clone())),
        },
        _ => Err(format!("`{first}` is inside a value that is not a table")),
    }
}

/// Takes a key away, or an entry of a list.
fn remove(node: &mut Node, path: &[&str]) -> Result<(), String> {
    let [first, rest @ ..] = path else { return Ok(()) };
    let absent = || format!("there is no `{first}` to be taken away");
    let inner = match &mut node.value {
        Value::Table(entries) => {
            let at = entries.iter().position(|entry| entry.key == *first).ok_or_else(absent)?;
            if rest.is_empty() {
                entries.remove(at);
                return Ok(());
            }
            &mut entries[at].node
        }
        Value::List(list) => {
            let found = positions(list, first);
            if found.is_empty() {
                return Err(absent());
            }
            // From the last on, so that those before it stay where they are.
            return found.into_iter().rev().try_for_each(|at| match rest.is_empty() {
                true => {
                    list.remove(at);
                    Ok(())
                }
                false => remove(&mut list[at], rest),
            });
        }
        _ => return Err(format!("`{first}` is inside a value that is not a table")),
    };
    remove(inner, rest)
}

/// Of those of `key`. A `placement` of one word says how the particles of `count` are placed: these two go together, and
/// the word stands for no table with keys of its own.
fn drop_alternatives(entries: &mut Vec<Entry>, key: &str, is_word: bool) {
    let stays = |entry: &Entry| {
        let was_word = matches!(entry.node.value, Value::Text(_));
        match (key, entry.key.as_str()) {
            ("placement", "count") => is_word,
            ("placement", "placement") => is_word || !was_word,
            ("count", "placement") => was_word,
            (key, other) => key == other,
        }
    };
    for group in ALTERNATIVES.iter().filter(|group| group.contains(&key)) {
        entries.retain(|entry| stays(entry) || !group.contains(&entry.key.as_str()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Engine, tables};

    #[test]
    fn alternatives_are_keys() {
        let all = tables(&Engine::ALL);
        for key in ALTERNATIVES.iter().copied().flatten() {
            let declared = all.iter().any(|place| place.table.named(key).next().is_some());
            assert!(declared, "{key}");
        }
    }

    /// A way of placement stays when the number changes, and the number when the way does.
    #[test]
    fn the_number_and_the_way_go_together() {
        use crate::PlacementMethod::{Equilibrium, Lattice, Random};
        let text = "[space]\ndimension = 2\nedges = 60\n[run]\ntimestep = 1\nsteps = 1\n[[species]]\nname = 'A'\n\
                    radius = 1\ndiffusion = 1\ncount = 30\nplacement = 'equilibrium'\n";
        let how = |key: &str, value: &str| {
            let set = [(format!("species.A.{key}"), value.to_owned())];
            crate::parse(text, "model.toml", &set).unwrap().placement[0].how.clone()
        };
        assert!(matches!(how("count", "80"), Equilibrium { count: 80 }));
        assert!(matches!(how("placement", "lattice"), Lattice { count: 30 }));
        assert!(matches!(how("placement", ""), Random { count: 30 }));
        assert!(matches!(how("placement.random", "20"), Random { count: 20 }));
    }
}
