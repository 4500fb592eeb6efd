//! Complexes among the seed species.

use super::*;

const RULES: &str = "pair: R(d) + R(d) <-> R(d!1).R(d!1) k, 1\nR(k) + K(r) -> R(k!1).K(r!1) k\n\
                     L(r,r,r) + K(a~u!?,r) -> L(r!1,r,r).K(a~u!?,r!1) k";

fn seeded(seeds: &str, geometry: &str) -> String {
    let rules = format!("begin reaction rules\n{RULES}\nend reaction rules\n");
    let text = format!("{TYPES}begin seed species\n{seeds}\nend seed species\n{rules}");
    imported(&text, geometry).unwrap_or_else(|faults| panic!("{seeds}: {faults}")).text
}

/// They become rigid molecules whose bonds are those of the rules that make them, each beside the one
/// that it is bound to and apart from all others.
#[test]
fn seed_complexes_are_bound_by_the_rules_that_make_their_bonds() {
    let seeds = "R(d!1,k,y~p).R(d!1,k!2,y~u).K(r!2,a~u) 7\nR(d,k,y~u) 3";
    for room in ["", "room = true\n"] {
        let geometry = GEOMETRY.replace("until", &format!("{room}until"));
        let text = seeded(seeds, &geometry);
        let complex = "[[molecule]]\nname = \"complex\"\n\
                       complex = \"R(d!1,k,y~p).R(d!1,k!2,y~u).K(r!2,a~u)\"\ncount = 7\n";
        assert!(text.contains(complex), "{text}");
        let model = crate::parse(&text, "m.toml", &[]).unwrap();
        let bonds = model.molecule_bonds();
        assert_eq!((bonds.len(), bonds[0].rule, bonds[1].rule), (14, Some(0), Some(1)));
        assert_eq!(model.sites_of_first_bonds(&bonds)[..2], [Some([2, 2]), Some([0, 1])]);
        let at = model.molecules()[0].spheres.iter().map(|sphere| sphere.at);
        assert!(at.eq([[0.0; 3], [10.0, 0.0, 0.0], [20.0, 0.0, 0.0]]));
    }
    // Sites of one name are taken one after the other.
    let star = "L(r!1,r!2,r!3).K(r!1,a~u).K(r!2,a~u).K(r!3,a~u) 2";
    for geometry in [GEOMETRY.to_owned(), GEOMETRY.replace(", '1 um']", "]")] {
        let model = crate::parse(&seeded(star, &geometry), "m.toml", &[]).unwrap();
        let sites = model.sites_of_first_bonds(&model.molecule_bonds());
        let of_ligand: Vec<u8> = sites.iter().flatten().map(|[ligand, _]| *ligand).collect();
        assert_eq!(of_ligand, [0, 1, 2, 0, 1, 2]);
    }
    let line = GEOMETRY.replace(", '1 um', '1 um']", "]");
    let rules = format!("begin reaction rules\n{RULES}\nend reaction rules\n");
    let text = format!("{TYPES}begin seed species\n{star}\nend seed species\n{rules}");
    let said = imported(&text, &line).unwrap_err().to_string();
    assert!(
        said.contains("m.bngl:14:1") && said.contains("cannot be laid out without overlap"),
        "{said}"
    );
}
