//! The genealogy as a graph for other programs: GraphML (yEd, Gephi, Cytoscape, networkx) and DOT
//! (Graphviz).

use std::io::{self, Write};

use super::Genealogy;
use jostle_files::{markup, plain_line};

/// The attributes of nodes and edges: name, whose it is, and type.
const KEYS: [(&str, &str, &str); 9] = [
    ("cluster", "node", "long"),
    ("born_us", "node", "double"),
    ("died_us", "node", "double"),
    ("size", "node", "int"),
    ("largest", "node", "int"),
    ("bodies", "node", "string"),
    ("time_us", "edge", "double"),
    ("kind", "edge", "string"),
    ("rule", "edge", "string"),
];

impl Genealogy {
    /// Writes it as GraphML: a node for each life, an edge from parent to child.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_graphml(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
        for (name, of, kind) in KEYS {
            writeln!(
                out,
                "  <key id=\"{name}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
            )?;
        }
        writeln!(out, "  <graph id=\"clusters\" edgedefault=\"directed\">")?;
        let data =
            |key: &str, value: String| format!("<data key=\"{key}\">{}</data>", markup(&value));
        for (n, life) in self.lives.iter().enumerate() {
            let mut attributes = data("cluster", life.cluster.to_string());
            attributes += &data("born_us", life.born.to_string());
            if let Some(died) = life.died {
                attributes += &data("died_us", died.to_string());
            }
            attributes += &data("size", life.size.to_string());
            attributes += &data("largest", life.largest.to_string());
            attributes += &data("bodies", life.particles());
            writeln!(out, "    <node id=\"n{n}\">{attributes}</node>")?;
        }
        for descent in &self.descents {
            let attributes = data("time_us", descent.time.to_string())
                + &data("kind", descent.kind.name().to_owned())
                + &data("rule", self.rule(descent.rule).to_owned());
            let (from, to) = (descent.parent, descent.child);
            writeln!(out, "    <edge source=\"n{from}\" target=\"n{to}\">{attributes}</edge>")?;
        }
        writeln!(out, "  </graph>\n</graphml>")
    }

    /// Writes it for Graphviz, time from left to right.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write_dot(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "digraph clusters {{\n  rankdir=LR;\n  node [shape=box];")?;
        for (n, life) in self.lives.iter().enumerate() {
            let label =
                format!("{}\\n{} ({})", life.cluster, quotable(&life.particles()), life.size);
            writeln!(out, "  n{n} [label=\"{label}\"];")?;
        }
        for descent in &self.descents {
            let rule = quotable(self.rule(descent.rule));
            let (from, to) = (descent.parent, descent.child);
            writeln!(out, "  n{from} -> n{to} [label=\"{rule}, {} us\"];", descent.time)?;
        }
        writeln!(out, "}}")
    }

    pub(super) fn rule(&self, number: u16) -> &str {
        self.rules.get(number as usize).map_or("", String::as_str)
    }
}

/// Text that may stand in quotes in DOT.
fn quotable(text: &str) -> String {
    plain_line(text).replace('\\', "/").replace('"', "'")
}
