//! A system as a model file.

use std::collections::BTreeSet;

use super::membrane::MembraneSites;
use super::system::{
    AtRegion, LinkLength, Membrane, Onto, ReversibleReaction, Ridge, Sides, Sort, System,
};

impl System {
    /// The model, with this time step and seed.
    pub(super) fn text(&self, timestep: f64, seed: u64) -> String {
        let interactions = if self.only_reacts { "interactions = \"reactive\"\n" } else { "" };
        let boundary = if self.space.is_periodic { "periodic" } else { "reflecting" };
        let mut text = format!(
            "[space]\ndimension = {}\nedges = {:?}\nboundary = \"{boundary}\"\n[run]\ntimestep = {timestep:?}\n\
             steps = 1000000\nseed = {seed}\nthreads = 1\n{interactions}",
            self.space.dimension, self.space.edge
        );
        let mut written = BTreeSet::new();
        for sort in &self.sorts {
            if written.insert(sort.base()) {
                text += &self.species(sort.base());
            }
        }
        text += &self.surfaces();
        text += &self.made_up();
        text += &self.joined_first();
        text += &self.all_potentials();
        text += &self.on_the_ridge();
        self.rules.iter().for_each(|rule| text += &format!("[[rule]]\n{rule}"));
        text += &format!("[search]\nkind = \"{}\"\n", self.search);
        text + "[output]\nframes = 1\nlog = \"none\"\n"
    }

    fn species(&self, base: &str) -> String {
        let states: Vec<&Sort> = self.sorts.iter().filter(|sort| sort.base() == base).collect();
        let first = states[0];
        let mut text = format!("[[species]]\nname = \"{base}\"\n");
        if !first.is_made {
            text += &format!("radius = {:?}\ndiffusion = {:?}\n", first.radius, first.diffusion);
        }
        text += &states_and_sites(&states, self.space.dimension);
        let is_other =
            |sort: &&&Sort| (sort.radius, sort.diffusion) != (first.radius, first.diffusion);
        for other in states.iter().filter(is_other) {
            let state = other.name.split(['{', '}']).nth(1).unwrap_or_default();
            text += &format!(
                "state = {{ {state} = {{ radius = {:?}, diffusion = {:?} }} }}\n",
                other.radius, other.diffusion
            );
        }
        if self.space.vessel.is_some() {
            text += "inside = \"vessel\"\n";
        }
        text += match self.space.membrane {
            // Else what is released could come out on the other side.
            Some((membrane, Sides::Inside)) if first.is_confined && membrane.is_round() => {
                "on = \"membrane\"\nfaces = \"inside\"\n"
            }
            Some((membrane, Sides::Outside)) if first.is_confined && membrane.is_round() => {
                "on = \"membrane\"\nfaces = \"outside\"\n"
            }
            Some(_) if first.is_confined => "on = \"membrane\"\n",
            Some((membrane, Sides::Inside)) if membrane.is_round() => "inside = \"membrane\"\n",
            Some((membrane, Sides::Outside)) if membrane.is_round() => "outside = \"membrane\"\n",
            _ => "",
        };
        text + &self.placed(base)
    }

    /// How many there are at the start, and where those that never move.
    fn placed(&self, base: &str) -> String {
        let single = if self.molecule.is_some() { 2 } else { 0 };
        let atoms = self.atoms[single..].iter();
        let atoms = atoms.filter(|atom| self.sorts[atom.sort].base() == base);
        let pinned: Vec<String> =
            atoms.clone().filter_map(|atom| Some(self.place(atom.pinned?))).collect();
        if !pinned.is_empty() {
            return format!("placement = {{ positions = [{}] }}\n", pinned.join(", "));
        }
        let (taken, made) = match self.first_bound() {
            Some(&ReversibleReaction::Coalesce { on, product, .. }) => (on.to_vec(), Some(product)),
            Some(&ReversibleReaction::Join { on, .. }) => (on.to_vec(), None),
            _ => (Vec::new(), None),
        };
        let taken = taken.into_iter().filter(|sort| self.sorts[*sort].base() == base).count();
        let free = atoms.count() - taken;
        let made = made
            .map(|sort| &self.sorts[sort].name)
            .filter(|name| name.split('{').next() == Some(base));
        match made.map(|name| name.split(['{', '}']).nth(1)) {
            None => format!("count = {free}\n"),
            Some(None) => format!("count = {}\n", free + 1),
            Some(Some(state)) => {
                let first = self.sorts.iter().find(|sort| sort.base() == base);
                let first = first.and_then(|sort| sort.name.split(['{', '}']).nth(1));
                format!("count = {{ {} = {free}, {state} = 1 }}\n", first.unwrap_or_default())
            }
        }
    }

    /// A pair that is joined at the start.
    fn joined_first(&self) -> String {
        let Some(ReversibleReaction::Join { on, sites, .. }) = self.first_bound() else {
            return String::new();
        };
        let end = |n: usize| {
            let sort = &self.sorts[on[n]];
            let state = sort.name.split(['(', ')']).nth(1);
            let state = state.map_or_else(String::new, |state| format!(",{state}"));
            format!("{}({}!1{state})", sort.base(), sites[n])
        };
        format!("[[molecule]]\nname = \"first\"\ncomplex = \"{}.{}\"\ncount = 1\n", end(0), end(1))
    }

    fn place(&self, place: [f64; 3]) -> String {
        format!("{:?}", &place[..self.space.dimension])
    }

    /// What is made up of two spheres.
    fn made_up(&self) -> String {
        let Some(molecule) = self.molecule else { return String::new() };
        let sorts = [0, 1].map(|n| &self.sorts[self.atoms[n].sort]);
        let (apart, tether) = match molecule.length {
            LinkLength::UpTo(length) => {
                (sorts[0].radius + sorts[1].radius, format!("tether = {length:?}\n"))
            }
            LinkLength::Fixed(length) => (length, String::new()),
            LinkLength::Touching => (0.0, String::new()),
        };
        let sphere = |sort: &Sort, x: f64| {
            format!("{{ species = \"{}\", at = {} }}", sort.name, self.place([x, 0.0, 0.0]))
        };
        format!(
            "[[molecule]]\nname = \"M\"\nspheres = [{}, {}]\n{tether}count = 1\n",
            sphere(sorts[0], 0.0),
            sphere(sorts[1], apart)
        )
    }

    fn sites_in_words(&self) -> String {
        let Some(MembraneSites { number, held }) = self.sites() else { return String::new() };
        let holders = self.sorts.iter().zip(held).filter(|(_, each)| *each > 0);
        let holders = holders.map(|(sort, each)| format!("\"{}\" = {each}", sort.name));
        let holders: Vec<String> = holders.collect();
        format!("sites = {number}\nheld_by = {{ {} }}\n", holders.join(", "))
    }

    fn surfaces(&self) -> String {
        let round = ["plane", "circle", "sphere"][self.space.dimension - 1];
        let mut text = String::new();
        if let Some((membrane, sides)) = self.space.membrane {
            let axis = ["x", "y", "z"][self.space.dimension - 1];
            let shape = match membrane {
                Membrane::Plane(at) => format!("plane = {{ axis = \"{axis}\", at = {at:?} }}"),
                Membrane::Sphere(radius) => format!("{round} = {{ radius = {radius:?} }}"),
                Membrane::Rod(radius, half) => format!(
                    "cylinder = {{ axis = \"{axis}\", radius = {radius:?}, length = {:?} }}",
                    2.0 * (half + radius)
                ),
                Membrane::Cube(half) => cube(self.space.middle(), half),
            };
            let meets = if sides == Sides::Through { "meets = \"ignore\"\n" } else { "" };
            let onto = self.sorts.iter().filter_map(|sort| {
                let Onto { becomes, rate, permeability } = sort.onto?;
                let becomes = &self.sorts[becomes].name;
                let through = match permeability {
                    0.0 => String::new(),
                    _ => format!(", permeability = {permeability:?}"),
                };
                Some(format!(
                    "{} = {{ absorb = {rate:?}, becomes = \"{becomes}\"{through} }}",
                    sort.name
                ))
            });
            let onto: Vec<String> = onto.collect();
            let onto = match onto.is_empty() {
                true => String::new(),
                false => format!("species = {{ {} }}\n{}", onto.join(", "), self.sites_in_words()),
            };
            text += &format!("[[surface]]\nname = \"membrane\"\n{shape}\n{meets}{onto}");
        }
        if let Some(radius) = self.space.vessel {
            text +=
                &format!("[[surface]]\nname = \"vessel\"\n{round} = {{ radius = {radius:?} }}\n");
        }
        if let Some((centre, radius)) = self.space.region {
            let centre = self.place(centre);
            // Sites with states have no manners of their own.
            let interactions: BTreeSet<String> = self.sorts.iter().filter_map(manner).collect();
            let interactions: Vec<String> = interactions.into_iter().collect();
            text += &format!(
                "[[surface]]\nname = \"region\"\n{round} = {{ centre = {centre}, radius = {radius:?} }}\n\
                 meets = \"ignore\"\nspecies = {{ {} }}\n",
                interactions.join(", ")
            );
        }
        text
    }

    fn on_the_ridge(&self) -> String {
        let Some(Ridge { at, width, cutoff }) = self.ridge() else { return String::new() };
        let (mut text, beside) = match at {
            0.0 => (String::new(), "x-"),
            _ => {
                let plane = format!("plane = {{ axis = \"x\", at = {at:?} }}");
                let meets = "meets = \"ignore\"";
                (format!("[[surface]]\nname = \"ridge\"\n{plane}\n{meets}\n"), "ridge")
            }
        };
        let mut written = BTreeSet::new();
        for sort in &self.sorts {
            if let (Some(height), true) = (self.height(sort), written.insert(sort.kind())) {
                text += &format!(
                    "[[potential]]\nname = \"r{}\"\nbetween = [\"{}\", \"{beside}\"]\n\
                     gaussian = {{ height = \"{height:?} kT\", width = {width:?} }}\ncutoff = {cutoff:?}\n",
                    written.len(),
                    sort.kind()
                );
            }
        }
        text
    }

    fn all_potentials(&self) -> String {
        let mut text = String::new();
        let mut written = BTreeSet::new();
        for [a, b] in self.potentials() {
            let [one, other] = [a, b].map(|sort| self.sorts[sort].kind());
            if !written.insert([one.min(other), one.max(other)]) {
                continue;
            }
            let shells = &self.forces[a][b].shells;
            let between = format!("between = [\"{one}\", \"{other}\"]");
            let is_curved = self.space.membrane.is_some_and(|(membrane, _)| membrane.is_round())
                && [a, b].iter().any(|sort| self.sorts[*sort].is_confined);
            if !is_curved
                && shells.iter().any(|shell| ((shell.to * 1024.0) as u64).is_multiple_of(2))
            {
                // The same by the law of bounces: each edge is the end of a flat table.
                let beyond = shells.iter().skip(1).map(|shell| shell.energy).chain([0.0]);
                for (n, (shell, beyond)) in shells.iter().zip(beyond).enumerate() {
                    let (from, to, energy) = (0.5 * shell.to, shell.to, shell.energy - beyond);
                    text += &format!(
                        "[[potential]]\nname = \"u{}_{n}\"\n{between}\nlaw = \"bounces\"\n\
                         table = [{{ at = {from:?}, energy = \"{energy:?} kT\" }}, {{ at = {to:?}, energy = \"{energy:?} kT\" }}]\n",
                        written.len(),
                    );
                }
                continue;
            }
            let step = |shell: &super::system::Shell| {
                format!("{{ to = {:?}, energy = \"{:?} kT\" }}", shell.to, shell.energy)
            };
            let steps: Vec<String> = shells.iter().map(step).collect();
            text += &format!(
                "[[potential]]\nname = \"u{}\"\n{between}\nsteps = [{}]\n",
                written.len(),
                steps.join(", ")
            );
        }
        text
    }
}

/// The lines of a species that has states, sites, or both.
fn states_and_sites(states: &[&Sort], dimension: usize) -> String {
    let between = |open: &str, close: char| -> Vec<&str> {
        let words = states.iter().filter_map(|sort| sort.name.split_once(open));
        words.filter_map(|(_, word)| word.strip_suffix(close)).collect()
    };
    let mut text = String::new();
    let words = between("{", '}');
    if !words.is_empty() {
        text += &format!("states = {words:?}\n");
    }
    let direction = |n: usize| {
        let angle = states[0].directions.get(n).copied().unwrap_or_default().to_radians();
        let along = match states[0].points_up {
            true => vec![0.0, 0.0, 1.0],
            false => [libm::cos(angle), libm::sin(angle), 0.0][..dimension].to_vec(),
        };
        states[0].opening.map_or_else(String::new, |opening| {
            format!(", direction = {along:?}, opening = \"{opening:?} deg\"")
        })
    };
    let site = |(n, name): (usize, &&str)| format!("{{ name = \"{name}\"{} }}", direction(n));
    let mut sites: Vec<String> = states[0].sites.iter().enumerate().map(site).collect();
    let words = between("(y~", ')');
    if !words.is_empty() {
        sites.push(format!("{{ name = \"y\", states = {words:?} }}"));
    }
    if !sites.is_empty() {
        text += &format!("sites = [{}]\n", sites.join(", "));
    }
    text
}

/// What a species does at the surface of the region, unless it ignores it.
fn manner(sort: &Sort) -> Option<String> {
    let name = &sort.name;
    let name = match name.contains('{') {
        true => format!("\"{name}\""),
        false => sort.base().to_owned(),
    };
    match sort.at_region {
        AtRegion::Ignores => None,
        AtRegion::Permeates(permeability) => {
            Some(format!("{name} = {{ permeability = {permeability:?} }}"))
        }
        AtRegion::Crosses { diffusion, affinity } => {
            let affinity = match affinity {
                1.0 => String::new(),
                _ => format!(", affinity = {affinity:?}"),
            };
            Some(format!("{name} = {{ diffusion_inside = {diffusion:?}{affinity} }}"))
        }
    }
}

/// A cube as a mesh, with its corners counted in binary, the first axis first.
fn cube(middle: [f64; 3], half: f64) -> String {
    let side = |n: usize, k: usize| middle[k] + if n >> k & 1 == 1 { half } else { -half };
    let corner = |n: usize| format!("{:?}", [0, 1, 2].map(|k| side(n, k)));
    let corners: Vec<String> = (0..8).map(corner).collect();
    let facets = "[[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], \
                  [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]";
    format!("mesh = {{ vertices = [{}], facets = {facets} }}", corners.join(", "))
}
