//! Compartments: one is the box, and several are refused.

use super::*;

fn in_compartments(block: &str, rules: &str) -> String {
    let block = format!("begin compartments\n{block}\nend compartments\n");
    with_rule(rules).replace("begin reaction", &format!("{block}begin reaction"))
}

/// Two of a kind react at k/V, molecules come at k V, and all else is as without.
#[test]
fn one_volume_is_the_box() {
    let rules =
        "R1: @c:A(b) + B(a)@c <-> @c::A(b!1).B(a!1)@c k, 1\n0 -> X()@c 6\nA@c(s~u) -> A@c(s~p) 2";
    let found = imported(&in_compartments("c 3 2*k  # fl", rules), GEOMETRY).unwrap();
    for key in [
        "reaction = \"A(b) + B(a) <-> A(b!1).B(a!1)\"\nk_on = \"301107038 /M/s\"\nk_off = \"1 /s\"",
        "reaction = \"0 -> X()\"\nrate = \"0.012 /um^3/s\"",
        "reaction = \"A(s~u) -> A(s~p)\"\nrate = \"2 /s\"",
    ] {
        let key = key.replace("301107038", "3.01107038e8");
        assert!(found.text.contains(&key), "{key}:\n{}", found.text);
    }
    assert!(
        found.notes[0].starts_with("m.bngl:14:1: the compartment `c` is the box"),
        "{:?}",
        found.notes
    );
    assert!(imported(&in_compartments("", "X() -> 0 1"), GEOMETRY).is_ok());
    let molar = GEOMETRY.replace("until", "rates = '/M/s'\nuntil");
    let said = imported(&in_compartments("c 3 2", "X() -> 0 1"), &molar).unwrap_err().to_string();
    assert!(said.contains("g.toml: the BNGL file has a compartment"), "{said}");
}

#[test]
fn several_and_surfaces_are_refused() {
    for block in ["c 3 1\nd 3 1", "c 2 1", "c 3 1 d", "c 3 )"] {
        let said =
            imported(&in_compartments(block, "X() -> 0 1"), GEOMETRY).unwrap_err().to_string();
        assert!(said.contains("compartments are not taken over"), "{block}: {said}");
    }
    let unknown = imported(&in_compartments("c 3 x", "X() -> 0 1"), GEOMETRY).unwrap_err();
    assert!(unknown.to_string().contains("there is no parameter `x`"), "{unknown}");
}
