//! Parameters whose values the geometry file gives.

use super::*;

fn model(parameters: &str) -> String {
    with_rule("A(s~u) -> A(s~p) k\nA(s~p) -> A(s~u) j\nX() -> 0 r__FREE")
        .replace("k 1e-3", parameters)
        + "setParameter(\"k\",7)\n"
}

#[test]
fn values_replace_those_of_the_file_and_fill_gaps() {
    let geometry = format!("{GEOMETRY}parameters = {{ k = 3, r__FREE = 5 }}\n");
    let found = imported(&model("k 1e-3\nj 2*k"), &geometry).unwrap();
    for rate in ["rate = \"3 /s\"", "rate = \"6 /s\"", "rate = \"5 /s\""] {
        assert!(found.text.contains(rate), "{rate}: {}", found.text);
    }
    // A number that has to be fitted, and a parameter that follows from it.
    let geometry = format!("{GEOMETRY}parameters = {{ k__FREE = 0.5, r__FREE = 1 }}\n");
    let text = model("k k__FREE\nj 2*k").replace("setParameter", "# ");
    let found = imported(&text, &geometry).unwrap();
    assert!(found.text.contains("rate = \"0.5 /s\""), "{}", found.text);
    let said = imported(&text, GEOMETRY).unwrap_err().to_string();
    assert!(said.contains("in the geometry file, `parameters = { k__FREE = 1 }`"), "{said}");
}

#[test]
fn parameters_that_are_not_there_are_refused() {
    let geometry = format!("{GEOMETRY}parameters = {{ q = 3, r__FREE = 'x' }}\n");
    let said = imported(&model("k 1e-3\nj 2*k"), &geometry).unwrap_err().to_string();
    assert!(said.contains("parameters.q: there is no parameter `q` in the BNGL file"), "{said}");
    assert!(said.contains("parameters.r__FREE"), "{said}");
}
