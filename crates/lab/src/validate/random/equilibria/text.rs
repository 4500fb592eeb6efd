//! A system as a model file.

use std::collections::BTreeSet;

use super::system::{AtRegion, Sort, System};

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
        text += &self.all_potentials();
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
        if self.space.vessel.is_some() {
            text += "inside = \"vessel\"\n";
        }
        text + &self.placed(base)
    }

    /// How many there are at the start, and where those that never move.
    fn placed(&self, base: &str) -> String {
        let atoms = self.atoms.iter().filter(|atom| self.sorts[atom.sort].base() == base);
        let pinned: Vec<String> =
            atoms.clone().filter_map(|atom| Some(self.place(atom.pinned?))).collect();
        match pinned.is_empty() {
            true => format!("count = {}\n", atoms.count()),
            false => format!("placement = {{ positions = [{}] }}\n", pinned.join(", ")),
        }
    }

    fn place(&self, place: [f64; 3]) -> String {
        format!("{:?}", &place[..self.space.dimension])
    }

    fn surfaces(&self) -> String {
        let round = ["plane", "circle", "sphere"][self.space.dimension - 1];
        let mut text = String::new();
        if let Some(radius) = self.space.vessel {
            text +=
                &format!("[[surface]]\nname = \"vessel\"\n{round} = {{ radius = {radius:?} }}\n");
        }
        if let Some((centre, radius)) = self.space.region {
            let centre = self.place(centre);
            // Sites with states have no manners of their own.
            let manners: BTreeSet<String> = self.sorts.iter().filter_map(manner).collect();
            let manners: Vec<String> = manners.into_iter().collect();
            text += &format!(
                "[[surface]]\nname = \"region\"\n{round} = {{ centre = {centre}, radius = {radius:?} }}\n\
                 meets = \"ignore\"\nspecies = {{ {} }}\n",
                manners.join(", ")
            );
        }
        text
    }

    fn all_potentials(&self) -> String {
        let mut text = String::new();
        let mut written = BTreeSet::new();
        for [a, b] in self.potentials() {
            let [one, other] = [a, b].map(|sort| self.sorts[sort].base());
            if !written.insert([one.min(other), one.max(other)]) {
                continue;
            }
            let step = |shell: &super::system::Shell| {
                format!("{{ to = {:?}, energy = \"{:?} kT\" }}", shell.to, shell.energy)
            };
            let steps: Vec<String> = self.forces[a][b].shells.iter().map(step).collect();
            text += &format!(
                "[[potential]]\nname = \"{one}{other}\"\nbetween = [\"{one}\", \"{other}\"]\nsteps = [{}]\n",
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
    let along = &[1, 0, 0][..dimension];
    let direction = match states[0].opening {
        Some(opening) => format!(", direction = {along:?}, opening = \"{opening:?} deg\""),
        None => String::new(),
    };
    let site = |name: &&str| format!("{{ name = \"{name}\"{direction} }}");
    let mut sites: Vec<String> = states[0].sites.iter().map(site).collect();
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
    let name = if name.contains('{') { format!("\"{name}\"") } else { sort.base().to_owned() };
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
