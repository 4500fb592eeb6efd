//! Commands: what is changed before the first simulation, and how long that is.

use super::*;

const MODEL: &str = "begin parameters\nk 2\nA0 10\nlater 30\nend parameters\nbegin molecule types\nA(s~u~p,b)\nB()\n\
                     end molecule types\nbegin seed species\nA(s~u,b) A0\nB() 5\nend seed species\n\
                     begin reaction rules\nA(s~u) -> A(s~p) k\nend reaction rules\n";

/// The model and the notes, the first line of the commands being line 17.
fn with_commands(commands: &str) -> Imported {
    let text = format!("{MODEL}{commands}\n");
    let geometry = GEOMETRY.replace("until = '1 s'\n", "");
    imported(&text, &geometry).unwrap_or_else(|faults| panic!("{commands}: {faults}"))
}

#[test]
fn a_run_is_as_long_as_the_first_simulation() {
    for (commands, until) in [
        ("simulate({method=>\"ode\",t_end=>60*60,n_steps=>10})", "3600 s"),
        ("simulate_ode({t_start=>10,t_end=>later,n_steps=>2})", "20 s"),
        ("simulate_nf({suffix=>\"a,t_end=>5\",t_end=>\"2*later\"})", "60 s"),
        ("simulate({method=>'ssa',\n  t_end => A0^2\n})", "100 s"),
        ("simulate({t_end=>1})\nsimulate({t_end=>2})", "1 s"),
        ("parameter_scan({par_scan_vals=>[1,2],method=>\"ode\",t_end=>7})", "7 s"),
        ("parameter_scan({t_end=>7})\nsimulate({t_end=>1.5})", "1.5 s"),
        ("quit()\nanything at all", "1 s"),
    ] {
        let commands = if commands.starts_with("quit") {
            format!("simulate({{t_end=>1}})\n{commands}")
        } else {
            commands.to_owned()
        };
        let text = with_commands(&commands).text;
        assert!(text.contains(&format!("until = \"{until}\"\n")), "{commands}: {text}");
    }
    let text = format!("{MODEL}simulate({{t_end=>never}})\n");
    let error = imported(&text, &GEOMETRY.replace("until = '1 s'\n", "")).unwrap_err().to_string();
    assert!(error.contains("`until` is missing"), "{error}");
    let notes = imported(&text, GEOMETRY).unwrap().notes;
    assert!(notes.iter().any(|note| note.contains("m.bngl:17:18: there is no parameter `never`")));
}

#[test]
fn what_is_set_before_the_first_simulation_is_taken_over() {
    let end = "\nsimulate({t_end=>1})";
    for (commands, counts, rate) in [
        ("setConcentration(\"A(b,s~u)\",20)", "count = 20", "2 /s"),
        ("setConcentration(\"A(b,s~p)\",\"A0/2\")", "\"A(s~u,b)\" = 10, \"A(s~p,b)\" = 5", "2 /s"),
        ("addConcentration(\"A(s~u,b)\",7)", "count = 17", "2 /s"),
        ("setParameter(\"A0\",3)\nsetParameter(\"k\",k*A0)", "count = 3", "6 /s"),
        ("setParameter(\"k\",9)\nresetParameters()", "count = 10", "2 /s"),
        ("setParameter(\"k\",9)\nsaveParameters()\nresetParameters()", "count = 10", "9 /s"),
        ("setConcentration(\"A(s~u,b)\",1)\nresetConcentrations()", "count = 10", "2 /s"),
        (
            "setConcentration(\"A(s~u,b)\",1)\nsaveConcentrations()\nsetConcentration(\"A(s~u,b)\",2)\n\
             setParameter(\"k\",3)\nresetConcentrations()",
            "count = 1\n",
            "3 /s",
        ),
    ] {
        let text = with_commands(&(commands.to_owned() + end)).text;
        let species = text.split_once("[[species]]").unwrap().1;
        let (first, rest) = species.split_once("[[species]]").unwrap();
        assert!(first.contains(counts), "{commands}: {first}");
        assert!(rest.contains(&format!("rate = \"{rate}\"")), "{commands}: {rest}");
    }
}

#[test]
fn what_comes_later_is_noted() {
    let Imported { text, notes } = with_commands(
        "generate_network({max_iter=>3})\nwriteSBML()\nwriteAnything;\nsetOption(\"SpeciesLabel\",\"HNauty\")\n\
         visualize()\nsimulate({t_end=>1})\nsetConcentration(\"A(s~u,b)\",99)\nsetParameter(\"k\",99)\n\
         saveConcentrations()\nsimulate({t_end=>2})\nwriteXML()\nversion(\"2.9\")\nquit()\nno command",
    );
    assert!(!text.contains("99"), "{text}");
    let expected = [
        "17:1: `generate_network` is left out: only the model",
        "18:1: `writeSBML` is left out",
        "19:1: `writeAnything` is left out",
        "20:1: `setOption` is left out",
        "21:1: `visualize` is left out",
        "22:1: `simulate` is left out: only the model",
        "23:1: `setConcentration` is left out: of several simulations the first is taken over",
        "24:1: `setParameter` is left out: of several",
        "25:1: `saveConcentrations` is left out: of several",
        "26:1: `simulate` is left out: of several",
        "27:1: `writeXML` is left out: only",
    ];
    assert_eq!(notes.len(), expected.len(), "{notes:#?}");
    for (note, expected) in notes.iter().zip(expected) {
        assert!(note.starts_with(&format!("m.bngl:{expected}")), "{note}");
    }
}

#[test]
fn blocks_that_say_nothing_of_the_model_are_noted() {
    let text = format!(
        "{MODEL}begin anchors\nA(s,b)\nend anchors\nbegin protocol\nsimulate({{t_end=>3}})\nend protocol\n\
         begin gallery\nwhat ever\nend gallery\nbegin reaction_rules\nA(s~p) -> A(s~u) 1\nend reaction_rules\n"
    );
    let Imported { text, notes } = imported(&text, GEOMETRY).unwrap();
    assert!(text.contains("A(s~p) -> A(s~u)"), "{text}");
    let expected = [
        "m.bngl:17:7: the block `anchors` is left out",
        "m.bngl:20:7: the block `protocol` is left out",
        "m.bngl:23:7: the block `gallery` is left out",
    ];
    assert_eq!(notes.len(), expected.len(), "{notes:#?}");
    for (note, expected) in notes.iter().zip(expected) {
        assert!(note.starts_with(expected), "{note}");
    }
}

#[test]
fn what_parts_a_file_for_the_eye_and_populations_say_nothing() {
    let text = format!(
        "=====\n{}-----\n",
        with_rule("X() -> Y() 1").replace("X()\nY()", "X() population\nY()")
    );
    assert!(imported(&format!("\u{feff}{text}"), GEOMETRY).unwrap().notes.is_empty());
}
