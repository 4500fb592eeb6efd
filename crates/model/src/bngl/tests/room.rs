//! Molecules without room, as BNGL has them, and with room.

use super::*;

/// A molecule with three sites and what it binds.
const CAP: &str = "begin molecule types\nCap(x,y,z)\nRcv(a)\nend molecule types\nbegin seed species\nCap(x,y,z) 60\n\
                   Rcv(a) 150\nend seed species\nbegin reaction rules\nR1: Cap(x,y,z) + Rcv(a) -> Cap(x!1,y,z).Rcv(a!1) 1e-3\n\
                   R2: Cap(x!+,y,z) + Rcv(a) -> Cap(x!+,y!1,z).Rcv(a!1) 1e-3\n\
                   R3: Cap(x!+,y!+,z) + Rcv(a) <-> Cap(x!+,y!+,z!1).Rcv(a!1) 1e-3,1\nend reaction rules\n";

fn with_room() -> String {
    GEOMETRY.replace("until", "room = true\nuntil")
}

#[test]
fn molecules_take_no_room_unless_the_geometry_file_says_so() {
    let Imported { text, notes } = imported(CAP, GEOMETRY).unwrap();
    assert!(text.contains("pass through each other.\ninteractions = \"reactive\"\n"), "{text}");
    assert_eq!(notes, [] as [&str; 0]);
    let Imported { text, notes } = imported(CAP, &with_room()).unwrap();
    assert!(!text.contains("interactions"), "{text}");
    let expected = [
        "m.bngl:11:1: rule `R2`: a molecule that Cap has bound hides about 25 % of it from Rcv; the rate constant is \
         taken over as that of single spheres",
        "m.bngl:12:1: rule `R3`: each molecule that Cap has bound hides about 25 % of it from Rcv",
    ];
    assert_eq!(notes.len(), expected.len(), "{notes:#?}");
    for (note, expected) in notes.iter().zip(expected) {
        assert!(note.starts_with(expected), "{note}");
    }
}

/// What rounding changes is no share that is missing.
#[test]
fn nothing_is_said_of_what_is_carried_out_in_full() {
    for k in 1..200 {
        let rule = format!("A(b) + B(a) -> A(b!1).B(a!1) {k}e-5/3");
        assert_eq!(imported(&with_rule(&rule), GEOMETRY).unwrap().notes, [] as [&str; 0], "{k}");
    }
}

/// The rate constant of a rule in a model file. [/M/s]
fn k_on(text: &str, rule: &str) -> f64 {
    let (_, rest) = text.split_once(&format!("name = \"{rule}\"")).unwrap();
    let (_, rest) = rest.split_once("k_on = \"").unwrap();
    rest.split_once(' ').unwrap().0.parse().unwrap()
}

#[test]
fn what_is_faster_than_diffusion_is_carried_out_as_far_as_that_goes() {
    // 4πDR is 1.514e9 /M/s; 10 per pair in 1 µm³ are 6.022e9 /M/s.
    let fast = "fast: A(b) + B(a) <-> A(b!1).B(a!1) 10, 3";
    let Imported { text, notes } = imported(&with_rule(fast), GEOMETRY).unwrap();
    let most = 1.5135e9;
    let alone = k_on(&text, "fast");
    assert!(0.6 * most < alone && alone < most, "{alone}");
    assert!(text.contains("k_off = \"3 /s\""), "{text}");
    let share =
        format!("{:.1} % of its rate constant, 6.022e9 /M/s", (1.0 - alone / 6.02214076e9) * 100.0);
    assert!(notes[0].starts_with(&format!("m.bngl:14:1: rule `fast`: {share}")), "{notes:?}");
    assert!(notes[0].contains("A and B meet at 4πDR = 1.514e9 /M/s"), "{notes:?}");

    // Rules that compete for a pair share its contacts.
    let two = format!("{fast}\nslow: A(b) + B(a2) -> A(b!1).B(a2!1) 1");
    let Imported { text, notes } = imported(&with_rule(&two), GEOMETRY).unwrap();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(k_on(&text, "fast") < alone && k_on(&text, "slow") < 6.02214076e8);

    // So do the sites of one name, and the two ways round.
    for rule in [
        "fast: L(r) + B(a) -> L(r!1).B(a!1) 10",
        "fast: R(k) + R(d) -> R(k!1).R(d!1) 10",
        "fast: R(d,y~u) + R(d,y~p) -> R(d!1,y~u).R(d!1,y~p) 10",
        "fast: L(r) + L(r) -> L(r!1).L(r!1) 10",
    ] {
        let text =
            imported(&with_rule(rule), GEOMETRY).unwrap_or_else(|f| panic!("{rule}: {f}")).text;
        assert!(k_on(&text, "fast") < alone, "{rule}: {text}");
    }

    // A shorter step comes nearer to diffusion.
    let short = GEOMETRY.replace("'1 us'", "'10 ns'");
    let nearer = k_on(&imported(&with_rule(fast), &short).unwrap().text, "fast");
    assert!(alone < nearer && nearer < most, "{nearer}");

    let error = imported(&with_rule(fast), &with_room()).unwrap_err().to_string();
    assert!(error.contains("m.bngl:14:1: the rate constant comes to 6.022e9 /M/s"), "{error}");
}
