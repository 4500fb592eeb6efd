//! Labels join what stands on the two sides of a rule.

use super::*;

#[test]
fn labels_that_say_what_the_order_says_are_taken_over() {
    for (with, without) in [
        ("A%1(s~u) -> A%1(s~p) 1", "A(s~u) -> A(s~p) 1"),
        (
            "A(b%x,s~u)%1 + B(a) -> A(b%x!1,s~u)%1.B(a!1) k",
            "A(b,s~u) + B(a) -> A(b!1,s~u).B(a!1) k",
        ),
        ("%x:A(s~u) -> A(s~p)%1 1", "A(s~u) -> A(s~p) 1"),
        // Of molecules that become others they say nothing.
        ("X()%1 -> Y()%1 1", "X() -> Y() 1"),
    ] {
        assert_eq!(
            rule_text(&format!("R: {with}"), GEOMETRY),
            rule_text(&format!("R: {without}"), GEOMETRY)
        );
    }
}
