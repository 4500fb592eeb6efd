//! Sites that are alike, sites with one state, and what follows from lines that are refused.

use super::*;

/// Of sites with one name the one that is left over is settled, as is one with another partner.
#[test]
fn sites_that_are_alike_are_settled_where_all_are_written() {
    let types = "begin molecule types\nL(r,r,s~u~p)\nA(l,s~u~p)\nB(l)\nend molecule types\nbegin reaction rules\n\
                 L(r)+A(l) <-> L(r!1).A(l!1) 1e-3,1\nL(r)+B(l) -> L(r!1).B(l!1) 1e-3\n";
    let with = |rule: &str| imported(&format!("{types}{rule} 1\nend reaction rules\n"), GEOMETRY);
    for rule in [
        "L(r!1,r).A(l!1) -> L(r,r) + A(l)",
        "L(r!1,r!+).A(l!1) -> L(r,r!+) + A(l)",
        "L(r!1,r!2).A(l!1,s~u).B(l!2) -> L(r!1,r!2).A(l!1,s~p).B(l!2)",
        "L(r!1,r!2).A(l!1,s~u).A(l!2,s~p) -> L(r!1,r!2).A(l!1,s~p).A(l!2,s~p)",
        "L(r!1,r!2,s~u).A(l!1).B(l!2) -> L(r!1,r!2,s~p).A(l!1).B(l!2)",
        "L(r!1,r,s~u).A(l!1) -> L(r!1,r,s~p).A(l!1)",
        "L(r!+,r!+,s~u) -> L(r!+,r!+,s~p)",
    ] {
        let found = with(rule).unwrap_or_else(|faults| panic!("{rule}: {faults}"));
        let (left, right) = rule.split_once(" -> ").unwrap();
        assert!(found.text.contains(&format!("\"{left} -> {right}\"")), "{rule}: {}", found.text);
    }
    for (rule, said) in [
        ("L(r!1,s~u).A(l!1) -> L(r!1,s~p).A(l!1)", "write all of them"),
        (
            "L(r!1,r!2,s~u).A(l!1).A(l!2) -> L(r!1,r!2,s~p).A(l!1).A(l!2)",
            "write what tells them apart",
        ),
        ("L(r!1,r!+,s~u).A(l!1) -> L(r!1,r!+,s~p).A(l!1)", "write what tells them apart"),
    ] {
        let error = with(rule).unwrap_err().to_string();
        assert!(error.starts_with("m.bngl:9:1: `L(r!1,"), "{rule}: {error}");
        assert!(error.contains(said), "{rule}: {error}");
    }
}

#[test]
fn a_site_with_one_state_has_none() {
    let text = "begin molecule types\nA(b,c~cyt,s~u~p)\nend molecule types\nbegin seed species\nA(b,c~cyt,s~u) 4\n\
                end seed species\nbegin observables\nMolecules P A(c~cyt,s~p)\nend observables\nbegin reaction rules\n\
                A(c~cyt,s~u) -> A(c~cyt,s~p) 1\n0 -> A(b,c~cyt,s~p) 2\nend reaction rules\n";
    let Imported { text, notes } = imported(text, GEOMETRY).unwrap();
    assert_eq!(
        notes,
        ["m.bngl:2:1: site `c` of `A` has the one state `cyt`, which says nothing and is left out"]
    );
    for said in [
        "sites = [{ name = \"b\" }, { name = \"c\" }, { name = \"s\", states = [\"u\", \"p\"] }]",
        "count = 4",
        "\"A(c,s~u) -> A(c,s~p)\"",
        "\"0 -> A(b,c,s~p)\"",
        "patterns = [\"A(c,s~p)\"]",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn bonds_that_no_rule_makes_do_not_break() {
    let rules = "A(b!1).B(a!1) -> A(b) + B(a) 1\nA(b) + B(a) -> A(b!1).B(a!1) 0\n";
    let Imported { text, notes } = imported(&with_rule(rules), GEOMETRY).unwrap();
    assert!(!text.contains("[[rule]]"), "{text}");
    assert!(notes[0].starts_with("m.bngl:14:1: rule `R1` is left out where it breaks a bond"));
}

/// What is wrong with a line is told once, where it is, and not at every use of what it defines.
#[test]
fn what_is_refused_is_told_once() {
    let text = "begin parameters\nk 2*\nm k+1\nend parameters\nbegin molecule types\nA(b!1)\nB(s~u~p)\n\
                end molecule types\nbegin seed species\nA(b) 1\nend seed species\nbegin functions\n\
                v() = if(k>1,2)\nw = if(1 > 2, k, 3)\nidle() = Sat(1,2)\nend functions\nbegin reaction rules\n\
                A(b) -> 0 k\nB(s~u) -> B(s~p) k\nB(s~p) -> B(s~u) m\nB(s~u) -> B(s~p) v()\nB() -> 0 w()\n\
                end reaction rules\n";
    let error = imported(text, GEOMETRY).unwrap_err().to_string();
    let expected = [
        "m.bngl:2:5: found the end of the line where a number is needed",
        "m.bngl:6:1: bond 1 has one end",
        "m.bngl:21:18: `v` has no value: in line 13, `if` takes three numbers",
    ];
    let lines: Vec<&str> = error.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{error}");
    for (line, expected) in lines.iter().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
}
