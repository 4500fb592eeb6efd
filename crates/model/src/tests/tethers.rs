//! Rules that tether particles: what a file says of them, and what it cannot say.

use super::read as read_with;
use crate::{Model, parse};
use jostle_core::rules::Chance;

const LINK: &str = "name = 'link'\ndo = 'bind'\nmerge = 'tether'\nlength = '9 nm'\non = ['A(s)', 'B(t)']\n\
                    at = ['s', 't']\nrate = '1e6 /M/s'";

fn text(rule: &str, more: &str) -> String {
    format!(
        "[space]\ndimension = 3\nedges = '60 nm'\n[run]\ntimestep = '1 ns'\nsteps = 10\n\
         [[species]]\nname = 'A'\nradius = '2 nm'\ndiffusion = '60 um^2/s'\ncount = 3\nsites = [{{ name = 's' }}]\n\
         [[species]]\nname = 'B'\nradius = '3 nm'\ndiffusion = '60 um^2/s'\ncount = 4\nsites = [{{ name = 't' }}]\n\
         [[rule]]\n{rule}\n{more}\n"
    )
}

fn read(rule: &str, more: &str) -> Model {
    read_with(&text(rule, more), &[])
}

fn refused(rule: &str, more: &str, words: &str) {
    let found = match parse(&text(rule, more), "test.toml", &[]) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    assert!(found.contains(words), "\"{words}\" is not in\n{found}");
}

#[test]
fn rules_that_tether_are_read_and_written_out() {
    let model = read(&format!("{LINK}\nunbind = '20 /s'"), "");
    let rule = &model.rules().contact[0];
    assert_eq!(rule.tether, Some(9.0));
    assert!(matches!(rule.chance, Chance::Intrinsic(k) if (k / 1.66054 - 1.0).abs() < 1e-5));
    assert_eq!(model.rules().undoing(0).count(), 1);
    assert_eq!(model.tethered_species(), [0, 1]);
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!(again.rules(), model.rules());
    // A reaction between molecules makes tethers if it has a length.
    let reaction = "name = 'link'\nreaction = 'A(s) + B(t) <-> A(s!1).B(t!1)'\nlength = 9\nrate = '1e6 /M/s'\nunbind = '20 /s'";
    let by_reaction = read(reaction, "");
    assert_eq!(by_reaction.rules().contact[0].tether, Some(9.0));
    assert_eq!(read_with(&by_reaction.source.resolved, &[]).rules(), by_reaction.rules());
}

#[test]
fn what_is_tethered_may_become_something_else() {
    let more = "[[species]]\nname = 'C'\nradius = '2 nm'\ndiffusion = 1\n\
                [[rule]]\nname = 'change'\ndo = 'convert'\non = ['A']\nproducts = ['C']\nrate = '1 /s'";
    let rule = LINK.replace("['A(s)', 'B(t)']", "['A', 'B']").replace("at = ['s', 't']\n", "");
    assert_eq!(read(&rule, more).tethered_species(), [0, 1, 2]);
}

#[test]
fn rules_that_cannot_tether_are_refused() {
    refused(&LINK.replace("length = '9 nm'\n", ""), "", "`length` is missing");
    refused(&LINK.replace("'9 nm'", "'5 nm'"), "", "no less than the tether");
    refused(&LINK.replace("'9 nm'", "'30 nm'"), "", "more than twice as long as a tether");
    refused(&LINK.replace("rate", "k_on"), "", "give the intrinsic rate constant, `rate`");
    let probability = LINK.replace("rate = '1e6 /M/s'", "probability = 0.1");
    refused(&probability, "", "at a constant rate while they are near each other");
    refused(&format!("{LINK}\nk_off = '1 /s'"), "", "give that at which it breaks, `unbind`");
    refused(&LINK.replace("'tether'", "'bond'"), "", "only a tether has a length");
    refused(&format!("{LINK}\nsnap = false"), "", "a tether leaves the two free to turn");
    let rigid =
        "[[rule]]\nname = 'stick'\ndo = 'bind'\nmerge = 'bond'\non = ['A', 'A']\nprobability = 0.1";
    refused(LINK, rigid, "A is bound rigidly by rule \"stick\"");
    let joins = "[[species]]\nname = 'C'\n[[rule]]\nname = 'join'\ndo = 'bind'\nmerge = 'coalesce'\n\
                 on = ['B', 'B']\nproduct = 'C'\nprobability = 0.1";
    refused(LINK, joins, "B coalesces with others by rule \"join\"");
    let passes = "[[rule]]\nname = 'through'\ndo = 'pass'\non = ['A', 'B']";
    refused(LINK, passes, "pass or ignore each other by a rule");
}
