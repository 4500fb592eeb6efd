//! Rules that stand for several.

use super::*;

/// The reactions of a model with their rates, without the rules that make its bonds.
fn reactions(bonds: &str, rule: &str) -> Vec<String> {
    let found = imported(&with_rule(&format!("R: {rule}\n{bonds}")), GEOMETRY);
    let text = found.unwrap_or_else(|faults| panic!("{rule}: {faults}")).text;
    let own = text.split("[[rule]]").skip(1).filter(|rule| rule.contains("name = \"R"));
    let line = |rule: &str, key: &str| {
        let line = rule.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default();
        line.trim_matches(['"', ' ', '=']).to_owned()
    };
    let rate = |rule: &str| ["rate", "k_on", "k_off"].map(|key| line(rule, key)).concat();
    own.map(|rule| format!("{} at {}", line(rule, "reaction"), rate(rule))).collect()
}

/// A and B hang together directly or through K, and both ways are written out.
#[test]
fn molecules_of_one_complex_are_joined_in_each_way_that_there_is() {
    let bonds = "S1: A(b) + B(a) -> A(b!1).B(a!1) k\nS2: A(b) + K(a~u) -> A(b!1).K(a~u!1) k\n\
                 S3: K(r) + B(a2) -> K(r!1).B(a2!1) k\n";
    assert_eq!(
        reactions(bonds, "A(s~u).B() -> A(s~p).B() 2"),
        [
            "A(s~u,b!1).B(a!1) -> A(s~p,b!1).B(a!1) at 2 /s",
            "A(s~u,b!1).B(a2!2).K(a!1,r!2) -> A(s~p,b!1).B(a2!2).K(a!1,r!2) at 2 /s"
        ]
    );
    // What lies between goes with the whole complex, and stays if only molecules are meant.
    assert_eq!(
        reactions(bonds, "A(b!+).B(a) -> 0 2"),
        ["A(b!1).B(a,a2!2).K(a!1,r!2) -> 0 at 2 /s"]
    );
    assert_eq!(
        reactions(bonds, "A(b!+).B(a) -> 0 2 DeleteMolecules"),
        ["A(b!1).B(a,a2!2).K(a!1,r!2) -> K(a,r) at 2 /s"]
    );
    let text = with_rule("A(s~u).Y() -> A(s~p).Y() 2");
    let found = imported(&text, GEOMETRY).unwrap();
    assert!(found.notes[0].contains("its molecules are never of one complex"), "{:?}", found.notes);
}

/// In BNGL what happens counts once, in however many ways sites can be those that are written.
#[test]
fn sites_that_are_alike_are_written_out() {
    let bonds = "S: L(r) + R(d) -> L(r!1).R(d!1) k\n";
    assert_eq!(
        reactions(bonds, "L(r!+,r) + A(b) -> L(r!+,r!1).A(b!1) k"),
        [
            "L(r,r,r!+) + A(b) -> L(r,r!1,r!+).A(b!1) at 602214.076 /M/s",
            "L(r!+,r,r!+) + A(b) -> L(r!+,r!1,r!+).A(b!1) at 602214.076 /M/s"
        ]
    );
    assert_eq!(
        reactions(bonds, "L(r) -> L(r) + X() 2"),
        [
            "L(r,r,r) -> L(r,r,r) + X() at 2 /s",
            "L(r,r,r!+) -> L(r,r,r!+) + X() at 2 /s",
            "L(r,r!+,r!+) -> L(r,r!+,r!+) + X() at 2 /s"
        ]
    );
    let notes =
        imported(&with_rule(&format!("R: L(r) -> L(r) + X() 2\n{bonds}")), GEOMETRY).unwrap().notes;
    assert!(notes[0].starts_with("m.bngl:14:1: rule `R` is written out as 3"), "{notes:?}");
}
