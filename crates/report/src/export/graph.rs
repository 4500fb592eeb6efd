//! The bonded particles of one frame as a graph, in GraphML (networkx, igraph, Gephi, yEd,
//! Cytoscape).

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use super::scene::{Moment, Particle, Scene};
use super::{ExportError, Sink};
use jostle_analysis::bond_rules;
use jostle_files::markup;
use jostle_h5md::reading::Molecules;

/// The attributes of nodes and edges: name, whose it is, and type.
const KEYS: [(&str, &str, &str); 12] = [
    ("id", "node", "long"),
    ("species", "node", "string"),
    ("molecule", "node", "string"),
    ("cluster", "node", "long"),
    ("cluster_size", "node", "long"),
    ("radius_nm", "node", "double"),
    ("x_nm", "node", "double"),
    ("y_nm", "node", "double"),
    ("z_nm", "node", "double"),
    ("source_site", "edge", "string"),
    ("target_site", "edge", "string"),
    ("rule", "edge", "string"),
];

/// The coordinates among them.
const AXES: [&str; 3] = ["x_nm", "y_nm", "z_nm"];

/// Writes a node for each particle and an edge for each bond.
pub(super) struct Graph<'a, W> {
    out: W,
    scene: &'a Scene<'a>,
    molecules: Molecules<'a>,
    /// The names of the rules that made the bonds, by the identities of the two particles.
    rules: BTreeMap<[u64; 2], String>,
}

impl<'a, W: Write> Graph<'a, W> {
    /// Refuses more than one frame.
    pub(super) fn new(out: W, scene: &'a Scene<'a>, path: &Path) -> Result<Self, ExportError> {
        let mut frames = scene.frames();
        match (frames.next(), frames.len()) {
            (Some(frame), 0) => Ok(Self {
                out,
                scene,
                molecules: scene.molecules(frame)?,
                rules: bond_rules(scene.reading, frame)?,
            }),
            (_, others) => Err(ExportError::one_frame(format!(
                "{}: a graph holds one frame, but {} are requested: choose one",
                path.display(),
                others + 1,
            ))),
        }
    }

    fn node(&self, particle: &Particle, molecule: Option<&String>) -> String {
        let mut text = data("id", &particle.id.to_string());
        text += &data("species", &self.scene.species[particle.species].whole);
        if let Some(molecule) = molecule {
            text += &data("molecule", molecule);
        }
        if self.scene.has_clusters() {
            text += &data("cluster", &particle.cluster.to_string());
            text += &data("cluster_size", &particle.cluster_size.to_string());
        }
        if self.scene.has_radii() {
            text += &data("radius_nm", &particle.radius.to_string());
        }
        for (axis, x) in AXES.iter().zip(particle.position).take(self.scene.dimension()) {
            text += &data(axis, &self.scene.digits(x));
        }
        text
    }
}

fn data(key: &str, value: &str) -> String {
    format!("<data key=\"{key}\">{}</data>", markup(value))
}

impl<W: Write> Sink for Graph<'_, W> {
    fn begin(&mut self) -> io::Result<()> {
        writeln!(self.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(self.out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
        for (name, of, kind) in KEYS {
            writeln!(
                self.out,
                "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
            )?;
        }
        writeln!(self.out, "  <graph id=\"complexes\" edgedefault=\"undirected\">")
    }

    fn frame(&mut self, moment: &Moment) -> io::Result<()> {
        let mut id_of = BTreeMap::new();
        for (n, particle) in moment.particles.iter().enumerate() {
            let (id, node) = (particle.id, self.node(particle, moment.molecules.get(n)));
            writeln!(self.out, "    <node id=\"p{id}\">{node}</node>")?;
            id_of.insert(particle.slot, id);
        }
        for bond in self.molecules.bonds() {
            let [Some(&a), Some(&b)] = bond.slots.map(|slot| id_of.get(&slot)) else { continue };
            let mut edge = String::new();
            for (key, end) in [("source_site", 0), ("target_site", 1)] {
                let site = bond.sites[end];
                let name = site.and_then(|site| self.molecules.site_name(bond.slots[end], site));
                edge += &name.map_or_else(String::new, |name| data(key, name));
            }
            if let Some(rule) = self.rules.get(&[a.min(b), a.max(b)].map(|id| id as u64)) {
                edge += &data("rule", rule);
            }
            writeln!(self.out, "    <edge source=\"p{a}\" target=\"p{b}\">{edge}</edge>")?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        writeln!(self.out, "  </graph>\n</graphml>")?;
        self.out.flush()
    }
}
