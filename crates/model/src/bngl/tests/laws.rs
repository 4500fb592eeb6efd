//! Rates that follow what is observed.

use super::{GEOMETRY, imported, with_rule};

/// The entries of the schedule of what is made of a rule beside these functions.
fn factors(rule: &str) -> Vec<String> {
    let text = with_rule(rule)
        + "begin observables\nMolecules Ap A(s~p)\nMolecules At A()\nend observables\nbegin functions\n\
           f() = 1/(1 + (Ap/20)^2)\ng() = if(At > 3, f()*2*3, 0)\nt2() = exp(-time()/(2*5))\nend functions\n";
    let text = imported(&text, GEOMETRY).unwrap_or_else(|faults| panic!("{rule}: {faults}")).text;
    let sets = text.lines().filter(|line| line.starts_with("set = "));
    sets.map(|line| line.split_once("factor = ").unwrap().1.trim_end_matches(" }").to_owned())
        .collect()
}

#[test]
fn rates_become_formulas() {
    let each = "if(reactant_1 > 0, ";
    for (rule, factor) in [
        ("A(s~u) -> A(s~p) f()", "1/(1 + (Ap/20)^2)".to_owned()),
        ("A(s~u) -> A(s~p) g", "if(At > 3, 1/(1 + (Ap/20)^2)*2*3, 0)".to_owned()),
        ("A(s~u) -> A(s~p) 2*Ap", "2*Ap".to_owned()),
        ("A(s~u) -> A(s~p) t2()", "exp(-time/10)".to_owned()),
        ("A(s~u) -> A(s~p) Sat(4,2)", "4/(2 + reactant_1)".to_owned()),
        ("A(s~u) -> A(s~p) 3 TotalRate", format!("{each}3/reactant_1, 0)")),
        ("A() -> A() + B(a,a2) At TotalRate", "if(At > 0, At/At, 0)".to_owned()),
        (
            "A(s~u) -> A(s~p) Hill(4,2,3)",
            format!("{each}4*(reactant_1^3/(2^3 + reactant_1^3))/reactant_1, 0)"),
        ),
        ("0 -> A(b,s~u) 7/(1+Ap)", "7/(1 + Ap)".to_owned()),
    ] {
        assert_eq!(factors(rule), [format!("\"{factor}\"")], "{rule}");
    }
}

/// The rate constant stays within what molecules of this size can carry out, whatever the formula says.
#[test]
fn at_contact_there_is_a_limit() {
    let both = factors("A(b) + B(a) <-> A(b!1).B(a!1) 1e-3*Ap, 0.1*Ap");
    let [bind, part] = both.as_slice() else { panic!("{both:?}") };
    assert!(bind.starts_with("\"min(0.001*Ap") && bind.ends_with(")\""), "{bind}");
    assert_eq!(part, "\"0.1*Ap\"");
}

#[test]
fn what_is_left_of_a_formula_can_be_a_constant() {
    let text = with_rule("A(s~u) -> A(s~p) if(1 > 2, time, 3)");
    let text = imported(&text, GEOMETRY).unwrap().text;
    assert!(!text.contains("[[schedule]]") && text.contains("rate = \"3 /s\""), "{text}");
}
