//! Complexes that go as a whole, lose some of their molecules, or change at several places.

use super::*;

const BONDS: &str = "A(b) + B(a) -> A(b!1).B(a!1) k\nR(d) + R(d) -> R(d!1).R(d!1) k\n";

fn with_bonds(rule: &str) -> String {
    let found = imported(&with_rule(&format!("{BONDS}R: {rule}")), GEOMETRY);
    let text = found.unwrap_or_else(|faults| panic!("{rule}: {faults}")).text;
    let (_, own) = text.rsplit_once("name = \"R\"\n").unwrap();
    own.trim_end().to_owned()
}

/// In BNGL a complex goes as a whole if nothing of its pattern stays.
#[test]
fn whole_complexes_go_unless_only_molecules_are_meant() {
    const WHOLE: &str = "\nremoves = \"complexes\"";
    for (rule, is_whole) in [
        ("A(b) -> 0 1", false),
        ("B(a,a2!?) -> 0 1", false),
        ("A() -> 0 1", true),
        ("A(b!+) -> 0 1", true),
        ("A() -> 0 1 DeleteMolecules", false),
        ("A(b!1).B(a!1) -> 0 1", true),
        ("A(b!1).B(a!1) -> 0 1 DeleteMolecules", false),
        ("A(b!1).B(a!1) -> A(b) 1", false),
        ("A(b!1,s~u).B(a!1) -> A(b,s~p) 1", false),
        ("A(s~u) -> X() 1", true),
        ("A(s~u) -> X() 1 DeleteMolecules", false),
        ("A(b!1).B(a!1) -> X() + Y() 1", true),
        ("R(d!1,y~u).R(d!1,y~u) -> R(d!1,y~p).R(d!1,y~p) 1", false),
    ] {
        let (reaction, rates) = rule.split_once(" 1").unwrap();
        let whole = if is_whole { WHOLE } else { "" };
        let expected = format!("reaction = \"{reaction}\"\nrate = \"1 /s\"{whole}");
        assert_eq!(with_bonds(rule), expected, "{rates}");
    }
    for (rule, is_whole) in
        [("K(a~p) + A() -> K(a~p) k", true), ("K(a~p) + A(b) -> K(a~p) k", false)]
    {
        assert_eq!(with_bonds(rule).contains(WHOLE), is_whole, "{rule}");
    }
}

/// Sites that are written on the right only: in BNGL the molecule is made new with these.
#[test]
fn sites_on_the_right_only_are_set() {
    for (rule, reaction) in [
        ("R(k,d) -> R(k,d,y~p)", "R(k,d,y) -> R(k,d,y~p)"),
        ("K(a~u) -> K(a~p,r)", "K(a~u,r) -> K(a~p,r)"),
        ("A(s) -> A(s~p)", "A(s) -> A(s~p)"),
    ] {
        let text = rule_text(&format!("{rule} 1"), GEOMETRY);
        assert!(text.contains(&format!("\"{reaction}\"")), "{text}");
    }
    // If such a site may be bound, the bond would break.
    let text = with_rule("R(y~u,d) -> R(y~p,d,k) 1\nR(k) + K(r) -> R(k!1).K(r!1) k");
    let said = imported(&text, GEOMETRY).unwrap_err().to_string();
    assert!(said.starts_with("m.bngl:14:1: `R` is written with different sites"), "{said}");
    let said = imported(&with_rule("R(y~u) -> R(y~p,d) 1"), GEOMETRY).unwrap_err().to_string();
    assert!(said.contains("different sites on the two sides"), "{said}");
}

#[test]
fn rules_that_change_nothing_are_left_out() {
    let found = imported(&with_rule("A(s~u) -> A(s~u) 1\nA(s~u) -> A(s~p) 1"), GEOMETRY).unwrap();
    assert!(found.notes[0].starts_with("m.bngl:14:1: rule `R1` is left out where nothing changes"));
}
