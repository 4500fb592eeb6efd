//! Which species are not spread evenly over their room, so that how often they meet does not follow from
//! their numbers and its volume alone.

use jostle_core::environment::Manner;

use crate::Model;

/// What two species have in common that keeps them from being spread evenly together, in words. Where only one of
/// the two is uneven, they meet as often as if both were spread evenly.
pub fn uneven_pair(model: &Model, [a, b]: [u16; 2]) -> Option<String> {
    let lives_on = |s: u16| model.surroundings().anchor(s).is_some();
    let [mut first, second] = [a, b].map(|s| reasons(model, s));
    // What is attracted to the surface on which the other one lives is denser there.
    let alone = first.is_empty() && !lives_on(a) || second.is_empty() && !lives_on(b);
    if alone {
        return None;
    }
    first.extend(second);
    first.sort();
    first.dedup();
    in_words(&first)
}

/// What keeps a species from being spread evenly over its room, in words.
pub fn uneven(model: &Model, species: u16) -> Option<String> {
    in_words(&reasons(model, species))
}

fn in_words(reasons: &[String]) -> Option<String> {
    (!reasons.is_empty()).then(|| reasons.join(" and "))
}

fn reasons(model: &Model, species: u16) -> Vec<String> {
    let around = model.surroundings();
    let has_affinity = |manner: Option<&Manner>| matches!(manner, Some(Manner::Cross(crossing)) if crossing.affinity != 1.0);
    let regions = around.surfaces.iter();
    let regions = regions.filter(|one| has_affinity(one.manners.get(usize::from(species))));
    let regions = regions.map(|surface| format!("the affinity for \"{}\"", surface.name));
    let fields = around.fields.iter().filter(|field| field.species.contains(&species));
    let fields = fields.map(|field| format!("the potential \"{}\"", field.name));
    regions.chain(fields).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_that_are_drawn_to_the_same_places_are_uneven_together() {
        let text = r#"
space = { dimension = 3, edges = "100 nm", boundary = "reflecting" }
run = { timestep = "1 ns", steps = 1 }
[[surface]]
name = "raft"
sphere = { centre = ["50 nm", "50 nm", "50 nm"], radius = "20 nm" }
meets = "ignore"
species = { A = { diffusion_inside = "1 um^2/s", affinity = 3 } }
[[potential]]
name = "weight"
between = [["A", "C"], "z-"]
linear = { length = "30 nm" }
"#;
        let species = |name: &str, key: &str| {
            format!(
                "[[species]]\nname = '{name}'\nradius = '1 nm'\ndiffusion = '1 um^2/s'\ncount = 1\n{key}\n"
            )
        };
        let all = [("A", ""), ("B", ""), ("C", ""), ("S", "on = 'raft'")];
        let all: String = all.iter().map(|(name, key)| species(name, key)).collect();
        let model = crate::parse(&format!("{text}{all}"), "uneven.toml", &[]).unwrap();
        let a = "the affinity for \"raft\" and the potential \"weight\"";
        assert_eq!(uneven(&model, 0).as_deref(), Some(a));
        assert_eq!(uneven(&model, 1), None);
        assert_eq!(uneven_pair(&model, [0, 1]), None);
        assert_eq!(uneven_pair(&model, [0, 0]).as_deref(), Some(a));
        assert_eq!(uneven_pair(&model, [0, 2]).as_deref(), Some(a));
        assert_eq!(uneven_pair(&model, [3, 2]).as_deref(), Some("the potential \"weight\""));
        assert_eq!(uneven_pair(&model, [3, 1]), None);
    }
}
