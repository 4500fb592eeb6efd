//! Words that people bring along from papers and other programs, and what they are called here. To
//! teach jostle another word, add it to one of the tables.

/// A key by another name.
struct Synonym {
    words: &'static [&'static str],
    /// The key that is meant; the hint is given only where that is known. Empty: wherever it is
    /// typed.
    key: &'static str,
    hint: &'static str,
}

const fn key(words: &'static [&'static str], key: &'static str, hint: &'static str) -> Synonym {
    Synonym { words, key, hint }
}

/// Keys, in lower case without `_` and `-`. The first whose key is known where the word stands is
/// taken.
const KEYS: &[Synonym] = &[
    key(
        &["koff", "kd", "kdiss", "offrate", "unbindingrate", "dissociationrate"],
        "k_off",
        "`k_off = \"0.1 /s\"`",
    ),
    key(
        &["koff", "kd", "kdiss", "offrate", "unbindingrate", "dissociationrate"],
        "unbind",
        "`unbind = \"0.1 /s\"`",
    ),
    key(&["kd", "dissociationconstant"], "K_D", "`K_D = \"100 nM\"`"),
    key(
        &["kon", "onrate", "bindingrate", "associationrate", "kf", "kforward"],
        "k_on",
        "`k_on = \"1e6 /M/s\"`",
    ),
    key(&["ka", "k", "kcat", "rateconstant", "propensity"], "rate", "`rate`"),
    key(
        &["d", "diff", "diffusioncoefficient", "diffusionconstant", "diffusivity"],
        "diffusion",
        "`diffusion = \"10 um^2/s\"`",
    ),
    key(&["r", "size", "hydrodynamicradius"], "radius", "`radius = \"2.5 nm\"`"),
    key(&["diameter"], "radius", "`radius`, which is half of it"),
    key(
        &[
            "n",
            "number",
            "copies",
            "copynumber",
            "amount",
            "molecules",
            "nmolecules",
            "particles",
            "population",
            "initialcount",
        ],
        "count",
        "`count = 100`",
    ),
    key(
        &["concentration", "conc", "density", "surfacedensity"],
        "count",
        "`count = \"100 nM\"`, or \"180 /um^2\" on a surface",
    ),
    key(
        &["position", "initialposition", "location", "coordinates"],
        "placement",
        "`placement = { positions = [[..], ..] }`",
    ),
    key(&["membrane"], "on", "`on`, with the name of a `[[surface]]`"),
    key(&["dt", "deltat", "timedelta", "stepsize", "step"], "timestep", "`timestep = \"1 us\"`"),
    key(
        &[
            "t",
            "time",
            "tend",
            "tmax",
            "tstop",
            "endtime",
            "totaltime",
            "duration",
            "simulationtime",
        ],
        "until",
        "`until = \"50 ms\"`",
    ),
    key(&["nsteps", "numsteps", "iterations", "niter"], "steps", "`steps = 50000`"),
    key(&["rng", "rngseed", "randomseed"], "seed", "`seed = 7`"),
    key(&["nthreads", "cores", "cpus", "ncpu"], "threads", "`threads = 4`"),
    key(
        &["box", "boxsize", "boxlength", "size", "length", "l", "dimensions", "dim"],
        "edges",
        "`edges = [\"2 um\", \"2 um\"]`",
    ),
    key(
        &["boundaries", "boundaryconditions", "bc", "pbc", "periodic", "walls"],
        "boundary",
        "`boundary = \"periodic\"` or \"reflecting\"",
    ),
    key(
        &["interval", "saveevery", "outputevery", "writeevery", "frequency", "dump", "stride"],
        "every",
        "`every = \"1 ms\"`",
    ),
    key(&["reactants", "educts", "partners", "between", "pair"], "on", "`on = [\"A\", \"B\"]`"),
    key(&["type", "action", "kind", "event"], "do", "`do = \"bind\"`"),
    key(
        &["p", "prob", "chance", "bindingprobability"],
        "probability",
        "`probability = 0.1`, or better `rate`, which does not depend on the time step",
    ),
    key(&["id", "label"], "name", "`name`"),
    key(&["reaction", "reactions", "rules"], "rule", "`[[rule]]`, one table for each"),
    key(
        &["molecule", "molecules", "particle", "particles", "protein", "proteins"],
        "species",
        "`[[species]]`, one table for each",
    ),
    key(
        &["membrane", "membranes", "surfaces", "wall", "compartment", "compartments"],
        "surface",
        "`[[surface]]`, one table for each",
    ),
    key(&["simulation", "parameters", "settings", "integrator"], "run", "`[run]`"),
    key(&["box", "geometry", "domain", "system"], "space", "`[space]`"),
    key(
        &["interactions"],
        "run",
        "`interactions = \"reactive\"` in `[run]`, if only reactions matter",
    ),
    key(&["absorb", "absorbing"], "meets", "`meets = \"absorb\"`"),
];

/// What is said of temperatures where particles have none.
pub(super) const NO_TEMPERATURE: &str = "particles in Brownian motion have no temperature of their own: it is \
    part of their diffusion \
     coefficient, `diffusion` = kT/(6 pi eta r)";

/// What there is no key for, and what is done instead.
const ELSEWHERE: &[Synonym] = &[
    key(&["temperature", "temp", "kt", "kbt"], "", NO_TEMPERATURE),
    key(
        &["viscosity", "eta"],
        "",
        "there is no viscosity: it is part of the diffusion coefficients, `diffusion` = kT/(6 pi eta r)",
    ),
    key(
        &["absorb", "absorbing"],
        "",
        "for absorption, use a `[[surface]]` with `meets = \"absorb\"`",
    ),
];

/// What is meant by a key that is not known where these are.
pub(super) fn of_key(word: &str, known: &[&'static str]) -> Option<String> {
    let plain: String = word.to_lowercase().chars().filter(|c| !"_-".contains(*c)).collect();
    let named = |synonym: &&Synonym| synonym.words.contains(&plain.as_str());
    let here = KEYS.iter().filter(named).find(|synonym| known.contains(&synonym.key));
    let meant =
        here.map(|synonym| format!("this key is not known; the one used here is {}", synonym.hint));
    meant.or_else(|| {
        ELSEWHERE
            .iter()
            .find(named)
            .map(|synonym| format!("this key is not known; {}", synonym.hint))
    })
}

/// Values: a word that is known at the place, others that people type there, and what is right.
const WORDS: &[(&str, &[&str], &str)] = &[
    (
        "periodic",
        &["absorbing", "absorb", "open", "sink", "outflow"],
        "the box itself absorbs no particles: put a `[[surface]]` there with `meets = \"absorb\"`",
    ),
    ("periodic", &["pbc", "wrap", "wrapped", "p"], "did you mean \"periodic\"?"),
    (
        "reflecting",
        &[
            "reflective",
            "reflect",
            "closed",
            "hard",
            "solid",
            "wall",
            "walls",
            "none",
            "no-flux",
            "noflux",
        ],
        "did you mean \"reflecting\"?",
    ),
    (
        "bind",
        &[
            "associate",
            "association",
            "dimerise",
            "dimerize",
            "react",
            "reaction",
            "bond",
            "attach",
        ],
        "use do = \"bind\", or \"convert\" if other species are produced",
    ),
    (
        "unbind",
        &["dissociate", "dissociation", "unbinding", "release", "detach"],
        "use do = \"unbind\", with `of` and the name of the bind rule",
    ),
    (
        "decay",
        &["degrade", "degradation", "death", "die", "destroy", "remove"],
        "use do = \"decay\"",
    ),
    (
        "create",
        &["birth", "synthesis", "synthesise", "synthesize", "produce", "production", "source"],
        "use do = \"create\", or, if a particle produces another, \"convert\": on = \"DNA\", products = \
         [\"DNA\", \"RNA\"]",
    ),
    (
        "convert",
        &["transform", "transition", "switch", "change", "catalyse", "catalyze", "phosphorylate"],
        "use do = \"convert\"",
    ),
    ("coalesce", &["fuse", "merge", "single"], "use merge = \"coalesce\""),
    ("bond", &["link", "complex", "rigid"], "use merge = \"bond\""),
];

/// What is meant by a word where only these are known.
pub(super) fn of_word(word: &str, known: &[&str]) -> Option<&'static str> {
    let word = word.to_lowercase();
    let mut fitting = WORDS
        .iter()
        .filter(|(place, words, _)| known.contains(place) && words.contains(&word.as_str()));
    fitting.next().map(|(.., hint)| *hint)
}

/// Units by other names, and what is right.
const UNITS: &[(&[&str], &str)] = &[
    (
        &["micron", "microns", "micrometer", "micrometers", "micrometre", "micrometres"],
        "did you mean `um`?",
    ),
    (&["nanometer", "nanometers", "nanometre", "nanometres"], "did you mean `nm`?"),
    (&["millimeter", "millimeters", "millimetre", "millimetres"], "did you mean `mm`?"),
    (&["meter", "meters", "metre", "metres"], "did you mean `m`?"),
    (&["angstroms", "ang", "Å"], "did you mean `A`?"),
    (&["second", "seconds", "secs"], "did you mean `s`?"),
    (&["millisecond", "milliseconds"], "did you mean `ms`?"),
    (&["microsecond", "microseconds", "mus"], "did you mean `us`?"),
    (&["nanosecond", "nanoseconds"], "did you mean `ns`?"),
    (&["minute", "minutes", "mins"], "did you mean `min`?"),
    (&["hour", "hours", "hr", "hrs"], "did you mean `h`?"),
    (&["molar"], "did you mean `M`?"),
    (&["micromolar"], "did you mean `uM`?"),
    (&["nanomolar"], "did you mean `nM`?"),
    (&["liter", "liters", "litre", "litres"], "did you mean `L`?"),
    (&["per"], "write a slash, not `per`: `/s`"),
    (
        &["molecule", "molecules", "particle", "particles", "copies", "copy", "#"],
        "numbers of particles have no unit: write a plain number, `/um^2`, `/M/s`",
    ),
    (
        &["da", "kda", "mda"],
        "masses of molecules are not needed: `radius` and `diffusion` determine their motion",
    ),
    (&["c", "celsius", "°c", "degc"], "temperatures are in `K`"),
];

/// What is meant by a unit that is not known.
pub(super) fn of_unit(unit: &str) -> Option<&'static str> {
    let unit = unit.to_lowercase();
    UNITS.iter().find(|(words, _)| words.contains(&unit.as_str())).map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Engine, tables};

    #[test]
    fn words_are_written_as_they_are_sought() {
        let keys = KEYS.iter().chain(ELSEWHERE).flat_map(|synonym| synonym.words);
        assert!(
            keys.clone().all(|word| *word == word.to_lowercase() && !word.contains(['_', '-']))
        );
        let others = WORDS
            .iter()
            .flat_map(|(_, words, _)| *words)
            .chain(UNITS.iter().flat_map(|(words, _)| *words));
        assert!(others.clone().all(|word| *word == word.to_lowercase() || *word == "Å"));
    }

    #[test]
    fn what_is_meant_is_a_key() {
        let all = tables(&Engine::ALL);
        for Synonym { key, .. } in KEYS {
            let declared = all.iter().any(|place| place.table.named(key).next().is_some());
            assert!(declared, "{key}");
        }
    }

    #[test]
    fn a_synonym_counts_only_where_its_key_is_known() {
        assert!(of_key("box_size", &["edges"]).unwrap().contains("`edges ="));
        assert_eq!(of_key("box_size", &["seed"]), None);
        assert!(of_key("temperature", &["seed"]).unwrap().contains("diffusion coefficient"));
        assert!(of_word("absorbing", &["periodic", "reflecting"]).unwrap().contains("[[surface]]"));
        assert_eq!(of_word("absorbing", &["cubic"]), None);
    }
}
