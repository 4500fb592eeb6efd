//! One reactive pair as a model file.

use std::fmt::Write;

use super::system::{Back, Event, Interactions, ReactivePair, Setting, SlowRegion, Typed};

/// A rate so small that nothing comes back. \[1/µs\]
const NEVER: f64 = 1e-9;

impl ReactivePair {
    /// The model file.
    pub(super) fn text(&self, timestep: f64) -> String {
        let mut text = self.head(timestep);
        text += &self.surfaces(timestep);
        text += &self.species(timestep);
        text += &self.molecule();
        text += &self.potential();
        text += &self.rules(timestep);
        text
    }

    /// The edges of the box along each axis. \[nm\]
    fn edges(&self, timestep: f64) -> Vec<f64> {
        let edge = match self.setting {
            Setting::Ball => 2.1 * (self.ball(timestep) + self.radii[1]),
            Setting::Walls => self.edge(timestep) + 2.0 * self.radii[1],
            _ => self.edge(timestep),
        };
        let mut edges = vec![edge; self.dimension];
        if let (Setting::Floor, Some(height)) = (self.setting, edges.last_mut()) {
            *height = 0.5 * edge + self.radii[1];
        }
        edges
    }

    fn head(&self, timestep: f64) -> String {
        let boundary: Vec<_> = (0..self.dimension)
            .map(|axis| match self.setting {
                Setting::Walls | Setting::Ball => "reflecting",
                Setting::Floor if axis + 1 == self.dimension => "reflecting",
                _ => "periodic",
            })
            .collect();
        let reactive = if self.interactions == Interactions::Reactive {
            "interactions = \"reactive\"\n"
        } else {
            ""
        };
        format!(
            "[units]\nlength = \"um\"\ntime = \"ms\"\n\n[space]\ndimension = {}\nedges = {}\nboundary = {boundary:?}\n\n[run]\n\
             timestep = \"{timestep:?} us\"\nsteps = 1\nseed = 1\n{reactive}\n[search]\nkind = \"{}\"\n\n[output]\n\
             frames = 1\nlog = \"none\"\n\n",
            self.dimension,
            lengths(&self.edges(timestep)),
            self.search
        )
    }

    fn middle(&self, timestep: f64) -> Vec<f64> {
        self.edges(timestep).iter().map(|edge| 0.5 * edge).collect()
    }

    fn surfaces(&self, timestep: f64) -> String {
        let middle = lengths(&self.middle(timestep));
        let axis = ["x", "y", "z"][self.dimension - 1];
        let sphere =
            |radius: f64| format!("sphere = {{ centre = {middle}, radius = \"{radius:?} nm\" }}");
        let plane = |at: f64| format!("plane = {{ axis = \"{axis}\", at = \"{at:?} nm\" }}");
        let mut text = match self.setting {
            Setting::Periodic | Setting::Walls => String::new(),
            Setting::Ball => surface("cell", &sphere(self.ball(timestep) + self.radii[1])),
            Setting::Sheet => surface("membrane", &plane(0.5 * self.edge(timestep))),
            Setting::Round => surface("membrane", &sphere(self.round())),
            Setting::Floor => surface("membrane", &plane(0.0)),
        };
        if let Some(SlowRegion { to, slower, affinity }) = self.slow {
            text += &surface("slow", &sphere(to * self.contact()));
            let inside = slower * self.diffusion[1];
            let b = self.names()[1];
            let _ = writeln!(
                text,
                "meets = \"ignore\"\nspecies = {{ {b} = {{ diffusion_inside = \"{inside:?} um^2/s\", affinity = \
                 {affinity:?} }} }}\n"
            );
        }
        text
    }

    /// What the two species are called.
    fn names(&self) -> [&'static str; 2] {
        ["A", if self.is_of_one_kind() { "A" } else { "B" }]
    }

    /// The lines of a species that says where particles are.
    fn whereabouts(&self, of_first: bool) -> &'static str {
        match self.setting {
            Setting::Ball => "inside = \"cell\"\n",
            Setting::Sheet | Setting::Round => "on = \"membrane\"\n",
            Setting::Floor if of_first => "on = \"membrane\"\n",
            _ => "",
        }
    }

    fn species(&self, timestep: f64) -> String {
        let mut text = self.partner(0, timestep);
        if !self.is_of_one_kind() {
            text += &self.partner(1, timestep);
        }
        let on_first =
            matches!(self.event, Event::Conversion | Event::Coalescence | Event::Exchange);
        let least = self.radii[0].min(self.radii[1]);
        let all =
            [("C", on_first || self.setting != Setting::Floor, 0), ("E", false, self.bystanders)];
        for (name, with_first, count) in all {
            let _ = write!(
                text,
                "[[species]]\nname = \"{name}\"\nradius = \"{least:?} nm\"\ndiffusion = \"1 um^2/s\"\n{}{}\n",
                self.whereabouts(with_first),
                if count > 0 { format!("count = {count}\n") } else { String::new() }
            );
        }
        text
    }

    fn partner(&self, which: usize, timestep: f64) -> String {
        let (name, radius, diffusion) =
            (self.names()[which], self.radii[which], self.diffusion[which]);
        let mut text = format!("[[species]]\nname = \"{name}\"\n");
        let count = if self.is_of_one_kind() { 2 } else { [1, self.guests()][which] };
        let rests = which == 0 && matches!(self.setting, Setting::Walls | Setting::Ball);
        let place = format!("positions = [{}]", lengths(&self.middle(timestep)));
        if which == 0 && self.states {
            // What the species has otherwise is of no account.
            let _ = write!(
                text,
                "states = [\"off\", \"on\"]\nradius = \"{:?} nm\"\ndiffusion = \"3 um^2/s\"\nstate = {{ on = {{ radius = \
                 \"{radius:?} nm\", diffusion = \"{diffusion:?} um^2/s\" }} }}\n",
                0.8 * radius
            );
            text += &match (rests, self.bystanders) {
                (true, _) => format!("placement = {{ {place}, state = \"on\" }}\n"),
                (false, 0) => format!("count = {{ on = {count} }}\n"),
                (false, others) => format!("count = {{ on = {count}, off = {others} }}\n"),
            };
        } else {
            let _ =
                writeln!(text, "radius = \"{radius:?} nm\"\ndiffusion = \"{diffusion:?} um^2/s\"");
            let switch = self.event == Event::Switch && which == 1;
            let start = if switch { format!("{{ u = {count} }}") } else { format!("{count}") };
            text += if switch { "states = [\"u\", \"p\"]\n" } else { "" };
            text += &if which == 0 && self.has_mate {
                String::new()
            } else if rests {
                format!("placement = {{ {place} }}\n")
            } else {
                format!("count = {start}\n")
            };
        }
        text += &self.sites(which);
        text += self.whereabouts(which == 0);
        text + "\n"
    }

    fn sites(&self, which: usize) -> String {
        let towards = match self.openings[which] {
            None => String::new(),
            Some(opening) => {
                let along = &["[1, 0]", "[1, 0, 0]"][self.dimension.saturating_sub(2)];
                format!(", direction = {along}, opening = \"{opening:?} deg\"")
            }
        };
        let site = |name: &str| format!("{{ name = \"{name}\"{towards} }}");
        let sites = match (self.event, which) {
            (Event::Sites(n), 0) => vec![site("b"); n],
            (Event::Sites(_), _) => vec![site("a")],
            (Event::Alike(n), _) => vec![site("s"); n],
            (Event::HeadToTail, _) => vec![site("h"), site("t")],
            (Event::SiteSwitch, 0) => vec![site("k")],
            (Event::SiteSwitch, _) => vec!["{ name = \"s\", states = [\"u\", \"p\"] }".to_owned()],
            _ => return String::new(),
        };
        format!("sites = [{}]\n", sites.join(", "))
    }

    /// The first partner beside another sphere, both at rest.
    fn molecule(&self) -> String {
        if !self.has_mate {
            return String::new();
        }
        let least = 0.5 * self.radii[0];
        let sphere = |species: &str, x: f64| {
            let mut at = vec![0.0; self.dimension];
            at[0] = x;
            format!("{{ species = \"{species}\", at = {} }}", lengths(&at))
        };
        format!(
            "[[species]]\nname = \"Mate\"\nradius = \"{least:?} nm\"\ndiffusion = \"0 um^2/s\"\n\n[[molecule]]\n\
             name = \"Both\"\nspheres = [{}, {}]\ncount = 1\n\n",
            sphere("A", 0.0),
            sphere("Mate", 1.1 * (least + self.radii[0]))
        )
    }

    fn potential(&self) -> String {
        if self.shells.is_empty() {
            return String::new();
        }
        let step = |[to, energy]: &[f64; 2]| {
            format!("{{ to = \"{:?} nm\", energy = \"{energy:?} kT\" }}", to * self.contact())
        };
        let steps: Vec<_> = self.shells.iter().map(step).collect();
        let [a, b] = self.names();
        let potential = |name: &str, a: &str, steps: &[String]| {
            format!(
                "[[potential]]\nname = \"{name}\"\nbetween = [\"{a}\", \"{b}\"]\nsteps = [{}]\n\n",
                steps.join(", ")
            )
        };
        if !self.states || self.is_of_one_kind() {
            return potential("field", a, &steps);
        }
        // The other state has one of its own, unless some are there and would be in the way.
        let mut text = potential("field", "A{on}", &steps);
        if self.bystanders == 0 {
            let [to, energy] = self.shells[0];
            text += &potential("other", "A{off}", &[step(&[to, -energy])]);
        }
        text
    }

    fn rules(&self, timestep: f64) -> String {
        let mut text = String::new();
        for (n, &rate) in self.rates.iter().enumerate() {
            let _ = write!(
                text,
                "[[rule]]\nname = \"react_{n}\"\n{}\n{}",
                self.reaction(n),
                self.rate(rate)
            );
            if self.half {
                let mut corner = self.edges(timestep);
                corner[0] *= 0.5;
                let from = lengths(&vec![0.0; self.dimension]);
                let _ = writeln!(text, "region = {{ from = {from}, to = {} }}", lengths(&corner));
            }
            text += "\n";
        }
        if self.interactions == Interactions::Ignoring {
            text += "[[rule]]\nname = \"others\"\ndo = \"ignore\"\non = [\"*\", \"*\"]\n";
        }
        text
    }

    /// What happens; of competing reactions, each makes something else.
    pub(super) fn reaction(&self, n: usize) -> String {
        let a = if self.states { "A{on}" } else { "A" };
        let product = ["C", "E"][n.min(1)];
        let in_one_line = |reaction: String| format!("reaction = \"{reaction}\"");
        match self.event {
            Event::Catalysis => in_one_line(format!("{a} + B -> {a} + {product}")),
            Event::Switch => in_one_line(format!("B{{u}} + {a} -> B{{p}} + {a}")),
            Event::SiteSwitch => in_one_line("A(k) + B(s~u) -> A(k) + B(s~p)".to_owned()),
            Event::Conversion => in_one_line(format!("{a} + B -> {product}")),
            Event::Exchange => {
                format!("do = \"convert\"\non = [\"B\", \"{a}\"]\nproducts = [\"C\", \"E\"]")
            }
            Event::Annihilation => format!("do = \"annihilate\"\non = [\"{a}\", \"B\"]"),
            Event::Coalescence => {
                let arrow = if self.back == Back::Never { "->" } else { "<->" };
                match arrow {
                    "->" => format!(
                        "do = \"bind\"\nmerge = \"coalesce\"\non = [\"{a}\", \"B\"]\nproduct = \"C\""
                    ),
                    _ => in_one_line(format!("{a} + B <-> C")),
                }
            }
            Event::Bond => format!("do = \"bind\"\nmerge = \"bond\"\non = [\"{a}\", \"B\"]"),
            Event::Sites(_) => in_one_line(format!("A(b) + B(a) {} A(b!1).B(a!1)", self.arrow())),
            Event::Dimer => in_one_line(format!("{a} + {a} -> C")),
            Event::Removal => in_one_line(format!("2 {a} -> 0")),
            Event::HeadToTail => in_one_line(format!("A(h) + A(t) {} A(h!1).A(t!1)", self.arrow())),
            Event::Alike(_) => in_one_line(format!("A(s) + A(s) {} A(s!1).A(s!1)", self.arrow())),
        }
    }

    fn arrow(&self) -> &'static str {
        if self.back == Back::Never { "->" } else { "<->" }
    }

    fn rate(&self, rate: f64) -> String {
        let dimension = self.meeting();
        let constant = match self.unit {
            // As [units] say.
            0 => format!("{:?}", rate * [1.0, 1e-3, 1e-6][dimension - 1]),
            1 if dimension == 3 => format!("\"{:?} /M/s\"", rate * PER_MOLAR_SECOND),
            2 => format!(
                "\"{:?} {}\"",
                rate * [1e3, 1.0, 1e-3][dimension - 1],
                ["um/s", "um^2/s", "um^3/s"][dimension - 1]
            ),
            _ => format!("\"{rate:?} {}\"", ["nm/us", "nm^2/us", "nm^3/us"][dimension - 1]),
        };
        let mut text = match self.typed {
            Typed::Rate => format!("rate = {constant}\n"),
            Typed::KOn => format!("k_on = {constant}\n"),
            Typed::Probability => format!("probability = {rate:?}\n"),
        };
        text += &match (self.back, self.typed) {
            (Back::Never, _) => String::new(),
            (Back::Constant, _) => {
                format!(
                    "K_D = \"{:?} {}\"\n",
                    NEVER / rate,
                    ["/nm", "/nm^2", "/nm^3"][dimension - 1]
                )
            }
            (Back::Rate, Typed::KOn) => format!("k_off = \"{NEVER:?} /us\"\n"),
            (Back::Rate, _) => format!("unbind = \"{NEVER:?} /us\"\n"),
        };
        text
    }
}

/// 1 nm³/µs in 1/(M s).
const PER_MOLAR_SECOND: f64 = 6.022_140_76e5;

fn surface(name: &str, shape: &str) -> String {
    format!("[[surface]]\nname = \"{name}\"\n{shape}\n")
}

/// A list of lengths, in nm.
fn lengths(of: &[f64]) -> String {
    let texts: Vec<_> = of.iter().map(|length| format!("\"{length:?} nm\"")).collect();
    format!("[{}]", texts.join(", "))
}
