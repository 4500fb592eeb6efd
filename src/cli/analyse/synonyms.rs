//! Names that other programs and fields have for our measures, understood as ours.

use std::ffi::OsStr;

use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

use super::what::What;

/// Other names, and what they mean here.
const SYNONYMS: [(&[&str], &str); 15] = [
    (&["msd", "diffusion", "d", "mean-squared-displacement", "diffusivity"], "displacement"),
    (&["gofr", "g(r)", "gr", "pcf", "radial", "pair-correlation", "radial-distribution"], "rdf"),
    (
        &[
            "population",
            "populations",
            "count",
            "numbers",
            "copy-numbers",
            "species",
            "trajectory",
            "time-course",
        ],
        "counts",
    ),
    (&["van-hove", "vanhove", "jump", "steps"], "jumps"),
    (&["profile", "concentration", "concentrations", "densities", "map"], "density"),
    (&["k", "kon", "k-on", "koff", "k-off", "kd", "rate", "kinetics", "rate-constants"], "rates"),
    (
        &[
            "clusters",
            "cluster",
            "cluster-sizes",
            "complexes",
            "complex",
            "oligomers",
            "size",
            "aggregates",
        ],
        "sizes",
    ),
    (&["lifetime", "cluster-lifetimes"], "lifetimes"),
    (
        &[
            "residence",
            "residence-time",
            "residence-times",
            "dwell",
            "dwell-time",
            "dwell-times",
            "bonds",
        ],
        "survival",
    ),
    (&["fpt", "mfpt", "passage", "first-passage-time", "first-passage-times"], "first-passage"),
    (&["collisions", "collision", "encounters", "contact", "events"], "contacts"),
    (&["transition", "transition-matrix"], "transitions"),
    (&["virial", "osmotic-pressure", "compressibility"], "pressure"),
    (&["potential", "potential-energy", "neighbours", "energies"], "energy"),
    (
        &[
            "polymer",
            "chains",
            "chain",
            "gyration",
            "radius-of-gyration",
            "rg",
            "end-to-end",
            "persistence",
            "persistence-length",
        ],
        "polymers",
    ),
];

/// Our name for a measure that has another name or spelling elsewhere.
fn ours(text: &str) -> Option<String> {
    let word = text.trim().to_lowercase().replace(['_', ' '], "-");
    let is_ours =
        EnumValueParser::<What>::new().possible_values()?.any(|value| value.get_name() == word);
    let meant = || SYNONYMS.iter().find(|(words, _)| words.contains(&word.as_str()));
    if is_ours { Some(word) } else { meant().map(|(_, name)| (*name).to_owned()) }
}

/// Reads what is to be measured.
#[derive(Clone)]
pub(in crate::cli) struct WhatParser;

impl TypedValueParser for WhatParser {
    type Value = What;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<What, Error> {
        let parser = EnumValueParser::<What>::new();
        match ours(&value.to_string_lossy()) {
            Some(name) => parser.parse_ref(command, arg, OsStr::new(&name)),
            None => parser.parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values: Vec<PossibleValue> =
            EnumValueParser::<What>::new().possible_values()?.collect();
        Some(Box::new(values.into_iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_synonym_leads_to_something_that_can_be_measured() {
        let parser = EnumValueParser::<What>::new();
        let known: Vec<PossibleValue> = parser.possible_values().unwrap().collect();
        for (words, name) in SYNONYMS {
            assert!(known.iter().any(|value| value.get_name() == name), "{name}");
            for word in words {
                assert!(
                    known.iter().all(|value| value.get_name() != *word),
                    "{word} is one of ours"
                );
                assert_eq!(ours(word).as_deref(), Some(name), "{word}");
            }
        }
        let asked = ["MSD", "First_Passage", "k_on"].map(|word| ours(word).unwrap());
        assert_eq!(asked, ["displacement", "first-passage", "rates"]);
        assert_eq!(ours("weather"), None);
    }
}
