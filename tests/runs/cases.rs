//! Runs that are stopped, killed and resumed: one of each kind, each some seconds long at most.

// Each test program compiles this file for itself and uses a part of it.
#![allow(dead_code)]

use std::path::Path;

use jostle::model::{self, Model};

/// A run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) name: &'static str,
    /// The file below models/, if it is one of those that come along.
    model: Option<&'static str>,
    /// What is set on top.
    set: &'static [(&'static str, &'static str)],
    /// Other ways to the same results, one after the other.
    pub(crate) otherwise: &'static [&'static [(&'static str, &'static str)]],
    /// For one of those that are killed, what is set so that it lasts for a second or two.
    longer: Option<&'static [(&'static str, &'static str)]>,
}

const SEARCHES: &[&[(&str, &str)]] = &[
    &[("search.kind", "verlet"), ("run.threads", "2"), ("run.scheduler", "islands")],
    &[("search.kind", "naive"), ("run.threads", "1"), ("run.scheduler", "queue")],
    &[("search.kind", "sweep"), ("run.scheduler", "queue")],
];
const STRUCTURES: &[&[(&str, &str)]] =
    &[&[("search.kind", "segments")], &[("search.kind", "direct")], &[("search.kind", "cubic")]];
const THREADS: &[&[(&str, &str)]] = &[&[("run.threads", "2")], &[("run.threads", "1")]];
const NOTHING_ELSE: &[&[(&str, &str)]] = &[&[]];

/// All of them.
pub(crate) const CASES: &[Case] = &[
    Case {
        name: "everything",
        model: None,
        set: &[
            ("output.log", "all"),
            ("run.steps", "1500"),
            ("output.frame_every", "20"),
            ("output.counts_every", "7"),
        ],
        otherwise: SEARCHES,
        longer: Some(&[]),
    },
    Case {
        name: "psi_prion",
        model: Some("psi_prion"),
        set: &[
            ("output.log", "reactions"),
            ("run.until", "70 us"),
            ("output.frame_every", "300"),
            ("schedule.division.at", "60 us"),
        ],
        otherwise: SEARCHES,
        longer: None,
    },
    Case {
        name: "crowded_spheres",
        model: Some("crowded_spheres"),
        set: &[("output.log", "all"), ("run.steps", "40"), ("output.frame_every", "7")],
        otherwise: SEARCHES,
        longer: None,
    },
    Case {
        name: "antibody",
        model: Some("antibody"),
        set: &[
            ("output.log", "all"),
            ("run.steps", "400"),
            ("output.frame_every", "30"),
            ("species.Antigen.count", "2000"),
            ("space.edges", "100 nm"),
        ],
        otherwise: SEARCHES,
        longer: None,
    },
    Case {
        name: "shaker_polysized",
        model: Some("shaker_polysized"),
        set: &[("output.log", "all"), ("run.until", "300 ms")],
        otherwise: STRUCTURES,
        longer: Some(&[("run.until", "3 s")]),
    },
    Case {
        name: "driven_drag",
        model: Some("driven_drag"),
        set: &[("output.log", "all")],
        otherwise: STRUCTURES,
        longer: None,
    },
    Case {
        name: "disk_gas_exact",
        model: Some("disk_gas"),
        set: &[("output.log", "all"), ("run.contact", "exact"), ("run.steps", "200")],
        otherwise: NOTHING_ELSE,
        longer: Some(&[]),
    },
    Case {
        name: "disk_gas_after_move",
        model: Some("disk_gas"),
        set: &[("output.log", "all"), ("run.contact", "after_move"), ("run.steps", "200")],
        otherwise: NOTHING_ELSE,
        longer: None,
    },
    Case {
        name: "disk_gas_events",
        model: Some("disk_gas"),
        set: &[("output.log", "all"), ("run.contact", "events"), ("run.steps", "200")],
        otherwise: NOTHING_ELSE,
        longer: None,
    },
    Case {
        name: "hopper_polygons",
        model: Some("hopper_polygons"),
        set: &[("output.log", "all"), ("run.steps", "4000"), ("output.frame_every", "150")],
        otherwise: THREADS,
        longer: Some(&[]),
    },
    Case {
        name: "drum_polygons",
        model: Some("drum_polygons"),
        set: &[("output.log", "all"), ("run.steps", "3000"), ("output.frame_every", "150")],
        otherwise: THREADS,
        longer: None,
    },
];

impl Case {
    /// Its text.
    pub(crate) fn text(&self) -> String {
        match self.model {
            None => EVERYTHING.to_owned(),
            Some(name) => {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
                std::fs::read_to_string(folder.join(name).with_extension("toml")).unwrap()
            }
        }
    }

    /// Its model with more set.
    pub(crate) fn model(&self, more: &[(&str, &str)]) -> Model {
        let set =
            self.set.iter().chain(more).map(|(key, value)| (key.to_string(), value.to_string()));
        let name = format!("models/{}.toml", self.name);
        model::parse(&self.text(), &name, &set.collect::<Vec<_>>())
            .unwrap_or_else(|faults| panic!("{faults}"))
    }

    /// Whether it is one of those that are killed, of which each engine has one.
    pub(crate) fn is_for_kills(&self) -> bool {
        self.longer.is_some()
    }

    /// The command line that runs it, into this file, as long as it takes to be killed.
    pub(crate) fn arguments(&self, out: &str) -> Vec<String> {
        let mut arguments: Vec<String> =
            ["run", "model.toml", "--quiet", "--out", out].map(Into::into).into();
        let longer = self.longer.unwrap_or_default();
        let kept = self.set.iter().filter(|(key, _)| longer.iter().all(|(other, _)| other != key));
        for (key, value) in kept.chain(longer) {
            arguments.extend(["--set".into(), format!("{key}={value}")]);
        }
        arguments
    }
}

/// Bonds, coalescence, decay, creation, states, fragmentation, a schedule and a window.
const EVERYTHING: &str = r#"
title = "Everything at once"
[space]
dimension = 3
edges = "60 nm"
boundary = ["periodic", "reflecting", "periodic"]
[run]
timestep = "10 ns"
steps = 1500
seed = 77
[[species]]
name = "A"
radius = "2 nm"
diffusion = "20 um^2/s"
count = 60
[[species]]
name = "B"
radius = "1.5 nm"
diffusion = "40 um^2/s"
count = 60
[[species]]
name = "AB"
[[species]]
name = "C"
radius = "2.5 nm"
diffusion = "10 um^2/s"
count = 20
[[rule]]
name = "pair"
on = ["A", "A"]
do = "bind"
merge = "bond"
probability = 0.4
unbind = "0.5 /us"
[[rule]]
name = "join"
on = ["A", "B"]
do = "bind"
merge = "coalesce"
product = "AB"
probability = 0.3
unbind = "1 /us"
[[rule]]
name = "turn"
on = ["B", "C"]
do = "convert"
products = ["C", "C"]
probability = 0.05
during = [["0 us", "4.003 us"], ["9 us", "1 ms"]]
[[rule]]
name = "fade"
on = "C"
do = "decay"
rate = "0.1 /us"
[[rule]]
name = "supply"
do = "create"
product = "B"
rate = "9000 /um^3/us"
[[schedule]]
name = "slower"
at = "6 us"
set = { rule = "pair", probability = 0.1 }
[[schedule]]
name = "more"
at = "3 us"
every = "2.5 us"
add = { species = "A", count = 3 }
"#;
