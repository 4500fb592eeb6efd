//! A BNGL file with simulations of its own, to be run by BioNetGen beside the model that is made of it.

use std::fmt::Write;

use super::geometry::{parameters, time_unit_of};
use super::rates::number;

/// How BioNetGen simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// It writes the network of reactions, and nothing else.
    Network,
    /// One reaction after the other, in the network.
    OneByOne,
    /// One reaction after the other by rules, with NFsim.
    ByRules,
}

/// Commands before which the model of the file is as it was imported.
const FIRST: [&str; 3] = ["simulate", "parameter_scan", "bifurcate"];
/// Commands that the reference gives itself.
const DROPPED: [&str; 3] = ["generate_network", "write", "visualize"];

/// The text of a BNGL file in which its first simulation, and all that follows, is replaced: so many `runs`
/// with seeds from 1 on, until a time \[µs\], with so many `steps` that are written, `run1` and so on
/// behind the names of their files. `geometry` is the geometry file of the import, with its unit of time
/// and values of parameters.
pub fn with_runs(
    text: &str,
    geometry: &str,
    until: f64,
    [runs, steps]: [u32; 2],
    method: Method,
) -> String {
    let mut kept = String::new();
    let (mut is_inside, mut is_over) = (false, false);
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let is_frame = ["model", "actions"].contains(&second);
        let starts = |names: &[&str]| names.iter().any(|name| first.starts_with(name));
        match first {
            "begin" | "end" if second == "actions" => continue,
            "begin" if !is_frame => is_inside = true,
            "end" if !is_frame => is_inside = false,
            "begin" | "end" => {}
            _ if is_inside => {}
            _ if starts(&FIRST) => {
                is_over = true;
                continue;
            }
            _ if is_over || starts(&DROPPED) => continue,
            _ => {}
        }
        kept.push_str(line);
        kept.push('\n');
    }
    for (name, value) in parameters(geometry) {
        let _ = writeln!(kept, "setParameter(\"{name}\",{value:e})");
    }
    if method != Method::ByRules {
        kept += "generate_network({overwrite=>1})\n";
    }
    if method == Method::Network {
        return kept;
    }
    let word = if method == Method::ByRules { "nf" } else { "ssa" };
    let end = number(until / time_unit_of(geometry));
    kept += "saveConcentrations()\n";
    for run in 1..=runs {
        let _ = writeln!(
            kept,
            "resetConcentrations()\nsimulate({{method=>\"{word}\",suffix=>\"run{run}\",t_start=>0,t_end=>{end},\
             n_steps=>{steps},seed=>{run}}})"
        );
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_simulation_and_what_follows_is_replaced() {
        let text = "begin model\nbegin parameters\n k 1 # simulate\nend parameters\nend model\nbegin actions\n\
                    generate_network({overwrite=>1})\nsetParameter(\"k\",2)\nsimulate({t_end=>1,\\\nn_steps=>2})\n\
                    setParameter(\"k\",3)\nend actions\n";
        let geometry = "time_unit = 'ms'\nparameters = { q = 0.5 }\n";
        let made = with_runs(text, geometry, 4e3, [2, 10], Method::OneByOne);
        assert_eq!(
            made,
            "begin model\nbegin parameters\n k 1 # simulate\nend parameters\nend model\nsetParameter(\"k\",2)\n\
             setParameter(\"q\",5e-1)\ngenerate_network({overwrite=>1})\nsaveConcentrations()\nresetConcentrations()\n\
             simulate({method=>\"ssa\",suffix=>\"run1\",t_start=>0,t_end=>4,n_steps=>10,seed=>1})\n\
             resetConcentrations()\n\
             simulate({method=>\"ssa\",suffix=>\"run2\",t_start=>0,t_end=>4,n_steps=>10,seed=>2})\n"
        );
        let by_rules = with_runs(text, "", 4e6, [1, 5], Method::ByRules);
        assert!(
            !by_rules.contains("generate_network") && by_rules.contains("\"nf\""),
            "{by_rules}"
        );
        assert!(by_rules.contains("t_end=>4,n_steps=>5"), "{by_rules}");
    }
}
