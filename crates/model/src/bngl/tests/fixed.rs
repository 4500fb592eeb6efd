//! Molecules whose number is held fixed.

use super::*;

#[test]
fn fixed_numbers_stay_as_they_are() {
    let text = |seed: &str| {
        let rules =
            "X() + Y() <-> Z() k, 2\nX() -> X() + Y() 3\nX() -> 0 4\n0 -> X() 5\nZ() -> X() 6";
        with_rule(rules).replace("X()\nY()\nend", "X()\nY()\nZ()\nend").replace(
            "begin reaction",
            &format!("begin seed species\n{seed}\nend seed species\nbegin reaction"),
        )
    };
    let found = imported(&text("$X() 7"), GEOMETRY).unwrap();
    let reactions: Vec<_> =
        found.text.lines().filter_map(|line| line.strip_prefix("reaction = ")).collect();
    assert_eq!(reactions, ["\"X + Y -> X + Z\"", "\"Z -> Y\"", "\"X -> X + Y\"", "\"Z() -> 0\""]);
    assert!(found.text.contains("count = 7"), "{}", found.text);
    let left_out = found.notes.iter().filter(|note| note.contains("held fixed")).count();
    assert_eq!(left_out, 2, "{:?}", found.notes);
    let said = imported(&text("$A(b,s~u) 7"), GEOMETRY).unwrap_err().to_string();
    assert!(
        said.contains("m.bngl:15:1")
            && said.contains("($) is possible for seed species without sites"),
        "{said}"
    );
}
