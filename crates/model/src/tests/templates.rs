//! Molecules of several spheres: what a file says of them, and what it cannot say.

use std::f64::consts::PI;

use super::read as read_with;
use crate::templates::{Joints, MoleculeTemplate, SphereTurn};
use crate::{FirstBond, Model, PlacementMethod, parse};
use jostle_core::rules::{Cut, TimedAction};
use jostle_core::space::Vector;

fn text(dimension: usize, molecule: &str, more: &str) -> String {
    format!(
        "[space]\ndimension = {dimension}\nedges = '100 nm'\n[run]\ntimestep = '1 ns'\nsteps = 10\n\
         [[species]]\nname = 'Fc'\nradius = '2.5 nm'\ndiffusion = '60 um^2/s'\ncount = 3\n\
         [[species]]\nname = 'Fab'\nradius = '2.5 nm'\ndiffusion = '60 um^2/s'\ncount = 4\n\
         sites = [{{ name = 'p', states = ['u', 'v'] }}]\n\
         [[species]]\nname = 'Tag'\nradius = '1 nm'\ndiffusion = '90 um^2/s'\nstates = ['off', 'on']\n\
         [[molecule]]\nname = 'Antibody'\n{molecule}\n{more}\n"
    )
}

const SPHERES: &str = "spheres = [\n\
    { species = 'Fc', at = [0, 0, 0] },\n\
    { species = 'Fab', at = ['4 nm', '3 nm', '0 nm'] },\n\
    { species = 'Fab(p~v)', at = [-4, 3, 0], turn = { axis = [0, 2, 0], angle = '180 deg' } },\n\
    { species = 'Tag{on}', at = [-4, 3, 5], turn = '90 deg' },\n\
    ]";

fn antibodies(more: &str) -> Model {
    read_with(&text(3, &format!("{SPHERES}\ncount = 5"), more), &[])
}

fn faults(dimension: usize, molecule: &str, more: &str) -> String {
    match parse(&text(dimension, molecule, more), "test", &[]) {
        Ok(_) => String::new(),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn molecules_are_read_and_written_out_in_full() {
    let model = antibodies("");
    let [MoleculeTemplate { name, spheres, placement, .. }] = model.molecules() else { panic!() };
    assert_eq!((name.as_str(), *placement), ("Antibody", 2));
    let species: Vec<_> = spheres.iter().map(|sphere| sphere.species).collect();
    assert_eq!(species, [0, 1, 1, 3]);
    assert_eq!(spheres[2].at, [-4.0, 3.0, 0.0]);
    assert_eq!((spheres[1].sites, spheres[2].sites.count_ones()), (0, 1));
    assert_eq!(spheres[1].turn, None);
    let about = |axis: [f64; 3], angle| Some(SphereTurn { axis: Vector(axis), angle });
    assert_eq!(spheres[2].turn, about([0.0, 1.0, 0.0], PI));
    assert_eq!(spheres[3].turn, about([0.0, 0.0, 1.0], PI / 2.0));
    // A placement for each sphere, after those of the species.
    let in_molecules = |p: &&crate::Placement| p.how == PlacementMethod::InMolecules { count: 5 };
    assert_eq!(model.placement[2..].iter().filter(in_molecules).count(), 4);
    let counts: Vec<usize> = (0..4)
        .map(|s| model.placement.iter().filter(|p| p.species == s).map(|p| p.count()).sum())
        .collect();
    assert_eq!(counts, [8, 14, 0, 5]);
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!((again.molecules(), again.rules()), (model.molecules(), model.rules()));
    assert_eq!(again.placement, model.placement);
    assert_eq!(again.source.resolved, model.source.resolved);
    // Overrides reach them.
    let more = read_with(
        &text(3, &format!("{SPHERES}\ncount = 5"), ""),
        &[("molecule.Antibody.count", "7")],
    );
    assert_eq!(more.count_of(&more.molecules()[0]), 7);
}

#[test]
fn a_flat_molecule_turns_by_angles() {
    let flat = "spheres = [{ species = 'Fc', at = [0, 0] }, { species = 'Fc', at = [5, 0], turn = '-30 deg' }]";
    let model = read_with(&text(2, flat, ""), &[]);
    let turn = model.molecules()[0].spheres[1].turn.unwrap();
    assert_eq!((turn.axis.0, turn.angle), ([0.0, 0.0, 1.0], -PI / 6.0));
    assert_eq!(model.count_of(&model.molecules()[0]), 0);
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!(again.molecules(), model.molecules());
}

/// Each sphere is bonded to the nearest of those before it, and numbered after particles with given
/// places.
#[test]
fn bonds_form_a_tree() {
    let given = "[[species]]\nname = 'X'\nradius = 1\ndiffusion = 1\n\
                 placement = { positions = [[10, 10, 10], [20, 20, 20]] }\n\
                 [[molecule]]\nname = 'Rod'\ncount = 2\n\
                 spheres = [{ species = 'X', at = [0, 0, 0] }, { species = 'X', at = [9, 0, 0] },\n\
                 { species = 'X', at = [6, 0, 0] }, { species = 'X', at = [2, 0, 0] }]\n";
    let model = antibodies(given);
    let bonds = model.molecule_bonds();
    assert_eq!(bonds.len(), 5 * 3 + 2 * 3);
    // The contact rules are those of the two molecules alone.
    let names: Vec<_> = model.rules().contact.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["Antibody", "Rod"]);
    let ends = |n: usize| bonds[n].ends;
    assert_eq!([0, 1, 2].map(ends), [[(0, 0), (1, 0)], [(0, 0), (1, 1)], [(1, 1), (3, 0)]]);
    assert_eq!([3, 4, 5].map(ends), [[(0, 1), (1, 2)], [(0, 1), (1, 3)], [(1, 3), (3, 1)]]);
    assert_eq!([15, 16, 17].map(ends), [[(4, 2), (4, 3)], [(4, 3), (4, 4)], [(4, 2), (4, 5)]]);
    assert!(bonds[..15].iter().all(|bond| bond.rule == Some(0)));
    assert!(bonds[15..].iter().all(|bond| bond.rule == Some(1)));
    assert!(model.bonds().is_empty());
}

/// A bond of a molecule may be one that a rule makes, so that it is at sites and breaks like others.
#[test]
fn bonds_of_molecules_may_be_those_of_rules() {
    let rule = "[[rule]]\nname = 'bind'\nreaction = 'Fab(p) + Fab(p) <-> Fab(p!1).Fab(p!1)'\nrate = '1e6 /M/s'\n\
                unbind = '5 /s'\n";
    let pair = |more: &str| {
        format!(
            "spheres = [{{ species = 'Fab(p~v)', at = [0, 0, 0] }}, {{ species = 'Fab', at = [5, 0, 0]{more} }}]\ncount = 2"
        )
    };
    let model = read_with(&text(3, &pair(", bond = 'bind'"), rule), &[]);
    let bonds = model.molecule_bonds();
    assert!(bonds.iter().all(|bond| bond.rule == Some(0)), "{bonds:?}");
    assert_eq!(model.sites_of_first_bonds(&bonds), [Some([0, 0]); 2]);
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!(again.molecules(), model.molecules());
    for (molecule, said) in [
        (pair(", bond = 'bond'"), "\"bond\" is not a rule"),
        (pair(", bond = 'Antibody'"), "\"Antibody\" is not a rule"),
        (pair(", bond = 'bind'").replace("[5,", "[5.1,"), "they touch, at 5.0 nm"),
        (pair(", bond = 'bind'").replace("'Fab'", "'Fc'"), "rule \"bind\" binds no Fab and Fc"),
        (
            pair("").replace("[0, 0, 0]", "[0, 0, 0], bond = 'bind'"),
            "the first sphere has none before it",
        ),
        (
            pair(", bond = 'bind'").replace(
                "]\ncount",
                ", { species = 'Fab', at = [10, 0, 0], bond = 'bind' }]\ncount",
            ),
            "finds no pair of free sites",
        ),
        (pair(", bond = 'bind'") + "\ntether = '6 nm'", "tethered have no `bond` of a rule"),
    ] {
        let found = faults(3, &molecule, rule);
        assert!(found.contains(said), "{molecule}: {found}");
    }
}

#[test]
fn molecules_can_fall_apart() {
    let apart = "[[rule]]\nname = 'apart'\ndo = 'unbind'\nof = 'Antibody'\nrate = '5 /s'\n\
                 [[rule]]\nname = 'bind'\ndo = 'bind'\nmerge = 'bond'\non = ['Fab(p)', 'Fab(p)']\nat = ['p', 'p']\n\
                 rate = '1e6 /M/s'\n";
    let model = antibodies(apart);
    assert_eq!(model.rules().contact[1].name, "Antibody");
    assert_eq!(model.rules().timed[0].action, TimedAction::unbind(&[1], Cut::Any));
    assert_eq!(model.warnings(), [""; 0]);
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!(again.rules(), model.rules());
}

#[test]
fn concentrations_count_molecules() {
    let model = |count: &str, seed: &str| {
        let text = text(3, &format!("{SPHERES}\ncount = {count}"), "");
        let model = read_with(&text, &[("run.seed", seed)]);
        let counts: Vec<_> = model.placement[2..].iter().map(|p| p.count()).collect();
        assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{counts:?}");
        counts[0]
    };
    // 1 mM in 1e-3 um^3 is 602 molecules.
    assert_eq!(model("'20 uM'", "1"), 12);
    let drawn =
        |seed: u64| model("{ concentration = '20 uM', poisson = true }", &seed.to_string()) as f64;
    // The mean of 400 draws has a standard error of 0.17; 5 of them have a probability of 6e-7.
    let mean = (0..400).map(drawn).sum::<f64>() / 400.0;
    assert!((mean - 12.04).abs() < 0.87, "{mean}");
}

#[test]
fn what_a_molecule_cannot_be_is_said() {
    let one = |spheres: &str| faults(3, &format!("spheres = [{spheres}]\ncount = 1"), "");
    let fc = "{ species = 'Fc', at = [0, 0, 0] }";
    for (spheres, says) in [
        (fc.to_owned(), "two spheres or more"),
        (
            format!("{fc}, {{ species = 'Fc', at = [4.9, 0, 0] }}"),
            "spheres 1 and 2 (counted from 1) overlap: their centres are 4.9 nm apart, their radii add up to 5.0 nm",
        ),
        (format!("{fc}, {{ species = 'Fd', at = [5, 0, 0] }}"), "there is no species \"Fd\""),
        (
            format!("{fc}, {{ species = 'Fab(p~w)', at = [5, 0, 0] }}"),
            "site \"p\" has no state \"w\"",
        ),
        (
            format!("{fc}, {{ species = 'Fab(p!+)', at = [5, 0, 0] }}"),
            "site \"p\" must be free here",
        ),
        (
            format!("{fc}, {{ species = 'Fc', at = [5, 0] }}"),
            "one value per axis is needed, 3 in all",
        ),
        (format!("{fc}, {{ species = 'Fc' }}"), "`at` is missing"),
        (
            format!("{fc}, {{ species = 'Fc', at = [60, 0, 0] }}"),
            "Antibody is 65.0 nm across, more than half of the periodic box along x, 100.0 nm",
        ),
        (
            format!("{fc}, {{ species = 'Fc', at = [5, 0, 0], turn = {{ angle = '1 rad' }} }}"),
            "`axis` is missing",
        ),
        (
            format!(
                "{fc}, {{ species = 'Fc', at = [5, 0, 0], turn = {{ axis = [0, 0, 0], angle = '1 rad' }} }}"
            ),
            "of length 0",
        ),
        (
            format!("{fc}, {{ species = 'Fc', at = [5, 0, 0], radius = 1 }}"),
            "this key is not known",
        ),
    ] {
        let found = one(&spheres);
        assert!(found.contains(says) && found.contains("molecule.Antibody"), "{says}: {found}");
        assert_eq!(found.lines().count(), 1, "{found}");
    }
    let flat = "spheres = [{ species = 'Fc', at = [0, 0] }, { species = 'Fc', at = [5, 0], \
                turn = { axis = [0, 0, 1], angle = '1 rad' } }]";
    assert!(faults(2, flat, "").contains("write the angle alone"));
    let rod =
        "spheres = [{ species = 'Fc', at = [0] }, { species = 'Fc', at = [5], turn = '1 rad' }]";
    assert!(faults(1, rod, "").contains("in one dimension nothing turns"));
    assert!(faults(3, "count = 3", "").contains("exactly one of `spheres"));
}

#[test]
fn names_and_rules_that_do_not_fit_molecules_are_refused() {
    let with = |more: &str| faults(3, SPHERES, more);
    let again = "[[molecule]]\nname = 'Fab'\nspheres = [{ species = 'Fc', at = [0, 0, 0] }, { species = 'Fc', at = [5, 0, 0] }]";
    assert!(with(again).contains("\"Fab\" is already taken by a species"));
    assert!(with(&again.replace("'Fab'", "'Antibody'")).contains("\"Antibody\" is already taken"));
    let rule = "[[rule]]\nname = 'Antibody'\ndo = 'decay'\non = 'Fc'\nrate = '1 /s'";
    assert!(with(rule).contains("\"Antibody\" is already taken"));
    for key in ["k_off = '1 /s'", "K_D = '1 uM'"] {
        let rule = format!(
            "[[rule]]\nname = 'apart'\ndo = 'unbind'\nof = 'Antibody'\nrate = '1 /s'\n{key}"
        );
        let found = with(&rule);
        assert!(found.contains("no rule binds the spheres of a molecule"), "{found}");
    }
    let never = "[[schedule]]\nname = 'off'\nat = '1 us'\nswitch_off = 'Antibody'";
    assert!(with(never).contains("\"Antibody\" is a molecule"), "{}", with(never));
    let surface = "[[surface]]\nname = 'floor'\nplane = { axis = 'z', at = '50 nm' }\n\
                   [[species]]\nname = 'Foot'\nradius = 1\ndiffusion = 1\non = 'floor'\n\
                   [[molecule]]\nname = 'Stool'\ncount = 1\nspheres = [{ species = 'Foot', at = [0, 0, 0] }, { species = 'Fc', at = [0, 0, 5] }]";
    let found = with(surface);
    assert!(
        found.contains("Foot is confined to a surface") && found.lines().count() == 1,
        "{found}"
    );
}

/// A complex in the notation of rules is laid out in contact, with the bonds of the rules that join such sites: that which
/// asks for the states that the two have, before others.
#[test]
fn complexes_have_the_bonds_of_rules() {
    let rule = |name: &str, states: [&str; 2]| {
        let [a, b] = states;
        format!(
            "[[rule]]\nname = '{name}'\nreaction = 'Fab(p{a}) + Fab(p{b}) <-> Fab(p{a}!1).Fab(p{b}!1)'\n\
             rate = '1e6 /M/s'\nunbind = '5 /s'\n"
        )
    };
    let rules = rule("first", ["~u", "~u"]) + &rule("second", ["~u", "~v"]);
    for (complex, number) in [("Fab(p~v!1).Fab(p!1)", 1), ("Fab(p!7).Fab(p!7)", 0)] {
        let model = read_with(&text(3, &format!("complex = '{complex}'\ncount = 3"), &rules), &[]);
        let [molecule] = model.molecules() else { panic!() };
        let at: Vec<_> = molecule.spheres.iter().map(|sphere| sphere.at).collect();
        assert_eq!(at, [[0.0; 3], [5.0, 0.0, 0.0]]);
        assert_eq!(molecule.spheres[0].sites.count_ones(), number);
        let bonds = model.molecule_bonds();
        assert!(bonds.len() == 3 && bonds.iter().all(|bond| bond.rule == Some(number as u16)));
        assert_eq!(model.sites_of_first_bonds(&bonds), [Some([0, 0]); 3]);
        let again = read_with(&model.source.resolved, &[]);
        assert_eq!(again.molecules(), model.molecules());
        assert_eq!(again.placement, model.placement);
    }
    for (molecule, rules, said) in [
        ("complex = 'Fab(p)'", &*rules, "a complex has two molecules or more"),
        ("complex = 'Fab(p!+).Fab(p)'", &rules, "what is bound to site \"p\"?"),
        ("complex = 'Fab(p!1).Fc(x!1)'", &rules, "Fc has no site \"x\""),
        ("complex = 'Fab(p).Fab(p)'", &rules, "hangs together by one chain of bonds"),
        ("complex = 'Fab(p!1).Fab(p!2)'", &rules, "bond 1 has one end"),
        (
            "complex = 'Fab(p!1).Fab(p!1)'",
            "",
            "no rule with `merge = \"bond\"` binds Fab at p and Fab at p",
        ),
        (
            "complex = 'Fab(p!1).Fab(p!1)'\ntether = 9",
            &rules,
            "a `complex` is rigid: drop `tether`",
        ),
        (
            "complex = 'Fab(p!1).Fab(p!1)'\nchain = { species = 'Fc', length = 3 }",
            &rules,
            "exactly one of",
        ),
    ] {
        let found = faults(3, molecule, rules);
        assert!(found.contains(said), "\"{said}\" is not in\n{found}");
    }
}

#[test]
fn flexible_molecules_are_read_placed_and_written_out() {
    let chain = "chain = { species = 'Tag{off}', length = 12 }\ntether = '4 nm'\ncount = 5";
    let model = read_with(&text(3, chain, ""), &[]);
    let molecule = &model.molecules()[0];
    assert_eq!((molecule.spheres.len(), molecule.joints), (12, Joints::Chain(4.0)));
    let rule = model.rule_of(molecule);
    assert_eq!(model.rules().tether(rule.unwrap()), Some(4.0));
    let tethers = model.molecule_bonds();
    assert_eq!(tethers.len(), 5 * 11);
    assert_eq!(tethers[11], FirstBond { ends: [(2, 12), (2, 13)], rule, sites: None });
    // Each bead beside the next, and none overlap.
    let placed: Vec<(u16, Vector<3>)> = crate::placement::place(&model).unwrap();
    let beads: Vec<_> = placed.iter().filter(|(s, _)| *s == 2).map(|(_, place)| *place).collect();
    let apart = |a: usize, b: usize| {
        let way = beads[a] - beads[b];
        Vector::<3>::from_fn(|k| way[k] - 100.0 * (way[k] / 100.0).round()).norm()
    };
    assert_eq!(beads.len(), 60);
    for FirstBond { ends, .. } in &tethers {
        assert!(apart(ends[0].1, ends[1].1) <= 4.0);
    }
    assert!((0..60).all(|a| (0..a).all(|b| apart(a, b) >= 2.0)));
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!(again.molecules(), model.molecules());

    let arms = "spheres = [{ species = 'Fc', at = [0, 0, 0] }, { species = 'Fab', at = [6, 0, 0] }]\ntether = 9\ncount = 2";
    let model = read_with(&text(3, arms, ""), &[]);
    assert_eq!(model.molecules()[0].joints, Joints::Tethers(9.0));
    assert_eq!(read_with(&model.source.resolved, &[]).molecules(), model.molecules());
}

#[test]
fn tethers_that_cannot_hold_are_refused() {
    let refused = |molecule: &str, more: &str, words: &str| {
        let found = faults(3, molecule, more);
        assert!(found.contains(words), "\"{words}\" is not in\n{found}");
    };
    let chain = "chain = { species = 'Tag{off}', length = 3 }\n";
    refused(chain, "", "`tether` is missing");
    refused("tether = 4", "", "exactly one of `spheres");
    refused(
        &format!("{chain}tether = 2"),
        "",
        "touch at 2.0 nm (the sum of their radii), which is no less than the tether",
    );
    refused(
        &format!("{chain}tether = 60"),
        "",
        "the edge has to be more than twice as long as a tether",
    );
    refused("chain = { species = 'Tag{off}', length = 1 }\ntether = 4", "", "length");
    let arms = "spheres = [{ species = 'Fc', at = [0, 0, 0] }, { species = 'Fab', at = [6, 0, 0] }]\ntether = 5.5";
    refused(arms, "", "are 6.0 nm apart, and the tether is 5.5 nm long");
    let pass = "[[rule]]\nname = 'through'\ndo = 'pass'\non = ['Tag', 'Tag']";
    refused(&format!("{chain}tether = 4"), pass, "pass or ignore each other by a rule");
}
