//! A plane at several places: `at = ["60 nm", "180 nm"]` stands for as many surfaces that are alike, `fence_1`,
//! `fence_2`, so that all the rest knows surfaces of one place only.

use super::tree::{Entry, Node, Value};

/// Puts the single surfaces in place of those that are at several places.
pub(super) fn lay_out(root: &mut Node) {
    let Value::Table(sections) = &mut root.value else { return };
    let surfaces = sections.iter_mut().filter(|entry| entry.key == "surface");
    for entry in surfaces {
        if let Value::List(list) = &mut entry.node.value {
            *list = std::mem::take(list).into_iter().flat_map(singles).collect();
        }
    }
}

/// The surface itself, or one for each of its places.
fn singles(surface: Node) -> Vec<Node> {
    let places = match surface.child("plane").and_then(|plane| plane.child("at")) {
        Some(Node { value: Value::List(places), .. }) if !places.is_empty() => places.clone(),
        _ => return vec![surface],
    };
    let numbered = places.into_iter().enumerate().map(|(n, place)| {
        let mut single = surface.clone();
        if let Some(Value::Text(name)) = value_of(&mut single, "name") {
            *name = format!("{name}_{}", n + 1);
        }
        let at = value_of(&mut single, "plane").and_then(|plane| match plane {
            Value::Table(entries) => entries.iter_mut().find(|entry| entry.key == "at"),
            _ => None,
        });
        if let Some(Entry { node, .. }) = at {
            *node = place;
        }
        single
    });
    numbered.collect()
}

fn value_of<'a>(node: &'a mut Node, key: &str) -> Option<&'a mut Value> {
    let Value::Table(entries) = &mut node.value else { return None };
    entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node.value)
}

#[cfg(test)]
mod tests {
    use crate::parse;

    const FENCES: &str = "
[space]
dimension = 2
edges = \"300 nm\"
boundary = [\"reflecting\", \"periodic\"]
[run]
timestep = \"0.1 us\"
steps = 10
[[species]]
name = \"R\"
radius = \"2 nm\"
diffusion = \"1 um^2/s\"
count = 4
above = \"fence_2\"
[[surface]]
name = \"fence\"
plane = { axis = \"x\", at = [\"60 nm\", \"180 nm\"] }
meets = { permeability = \"1 um/s\" }
";

    #[test]
    fn a_plane_at_two_places_is_two_surfaces() {
        let model = parse(FENCES, "fences.toml", &[]).unwrap();
        let surfaces = &model.surroundings().surfaces;
        let names: Vec<&str> = surfaces.iter().map(|surface| &*surface.name).collect();
        assert_eq!(names, ["fence_1", "fence_2"]);
        let written = parse(&model.source.resolved, "resolved", &[]).unwrap();
        assert_eq!(written.surroundings(), model.surroundings());
    }

    #[test]
    fn a_pattern_sets_all_that_match_and_says_what_there_is_if_none_does() {
        let key = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let two =
            FENCES.replace("[\"60 nm\", \"180 nm\"]", "\"60 nm\"").replace("fence_2", "fence")
                + "[[surface]]\nname = \"fence_x\"\nplane = { axis = \"y\", at = \"10 nm\" }\n";
        let set = [key("surface.fen*.meets.permeability", "2 um/s")];
        let model = parse(&two, "fences.toml", &set).unwrap();
        let surfaces = &model.surroundings().surfaces;
        assert_eq!(surfaces[0].manners, surfaces[1].manners);
        assert!(model.source.resolved.contains("0.002"), "{}", model.source.resolved);
        // Many stars cost no more than one.
        let stars = format!("surface.{}x{}.meets.permeability", "*f".repeat(30), "*".repeat(300));
        let faults = parse(&two, "fences.toml", &[key(&stars, "2 um/s")]).unwrap_err().to_string();
        assert!(faults.contains("the model has fence, fence_x"), "{faults}");
        let model = parse(&two, "fences.toml", &[key("surface.f*e*x.meets", "ignore")]).unwrap();
        assert_eq!(model.source.resolved.matches("ignore").count(), 1);
        let none = [key("surface.wall*.meets.permeability", "2 um/s")];
        let faults = parse(&two, "fences.toml", &none).unwrap_err().to_string();
        assert!(faults.contains("there is no `wall*`; the model has fence, fence_x"), "{faults}");
        // What is taken away is taken from each.
        let all = [key("surface.*.meets.permeability", "2 um/s"), key("surface.*.meets", "")];
        let model = parse(&two, "fences.toml", &all).unwrap();
        assert!(!model.source.resolved.contains("permeability"));
    }
}
