//! `jostle genealogy`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, may_write};
use crate::analysis::{self, Genealogy};
use crate::files::{Inputs, fresh};

/// The command line of `jostle genealogy`.
#[derive(clap::Args)]
pub(super) struct GenealogyArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// Write the tree here: .graphml (yEd, Gephi, networkx), .dot (Graphviz) or .csv (a table).
    #[arg(short, long, value_name = "GRAPH")]
    out: Option<PathBuf>,
    /// Only the ancestors and descendants of this cluster, by its id.
    #[arg(long, value_name = "ID")]
    cluster: Option<u64>,
    /// Only clusters that had at least this many particles at some time.
    #[arg(long, value_name = "PARTICLES")]
    size: Option<u32>,
    /// Replace the graph if it exists.
    #[arg(long)]
    force: bool,
}

/// Lives shown as a table; a file has them all.
const MOST_ROWS: usize = 20;

pub(super) fn carry_out(arguments: GenealogyArguments) -> Result<(), Failure> {
    let GenealogyArguments { file, out, cluster, size, force } = arguments;
    let reading = analysis::open(&file)?;
    if let Some(path) = &out {
        format_of(path)?;
        may_write(path, force, &Inputs::of([&file]))?;
    }
    let whole = analysis::genealogy(&reading)?;
    let tree = part(&whole, cluster, size)?;
    let mut print = crate::cli::printed();
    let largest = whole.lives.iter().map(|life| life.largest).max().unwrap_or(0);
    writeln!(
        print,
        "{} clusters in all, the largest of {largest}; {} of them, with {} descents:",
        whole.lives.len(),
        tree.lives.len(),
        tree.descents.len()
    )?;
    if let Some(path) = &out {
        write(path, &tree)?;
        writeln!(print, "  -> {}", path.display())?;
        return Ok(());
    }
    let mut table = tree.to_table();
    let left = table.rows.len().saturating_sub(MOST_ROWS);
    table.rows.truncate(MOST_ROWS);
    for line in table.to_string().lines() {
        writeln!(print, "  {line}")?;
    }
    if left > 0 {
        writeln!(
            print,
            "  and {left} more: --out tree.graphml, tree.dot or tree.csv writes all of them"
        )?;
    }
    Ok(())
}

/// The part of a genealogy that is about a cluster and about clusters of some size.
pub(super) fn part(
    whole: &Genealogy,
    cluster: Option<u64>,
    size: Option<u32>,
) -> Result<Genealogy, Failure> {
    if let Some(id) = cluster.filter(|id| !whole.lives.iter().any(|life| life.cluster == *id)) {
        return Err(format!("--cluster {id}: there never was a cluster with this id").into());
    }
    let tree = cluster.map_or_else(|| whole.eventful(), |id| whole.related_to(id));
    Ok(match size {
        Some(least) => tree.of_size(least),
        None => tree,
    })
}

/// The form that the name of a file asks for.
fn format_of(path: &Path) -> Result<&str, Failure> {
    let format = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ["graphml", "dot", "csv"].contains(&format) {
        return Ok(format);
    }
    Err(format!("{}: the name must end in .graphml, .dot or .csv", path.display()).into())
}

/// Writes a genealogy in the form that the name asks for.
pub(super) fn write(path: &Path, tree: &Genealogy) -> Result<(), Failure> {
    let format = format_of(path)?;
    let written = fresh(path, |file| {
        match format {
            "graphml" => tree.write_graphml(file)?,
            "dot" => tree.write_dot(file)?,
            _ => tree.to_table().write_csv(file)?,
        }
        Ok(())
    });
    written.map_err(|failure| match failure {
        Failure::Error(why) => format!("{}: {why}", path.display()).into(),
        other => other,
    })
}
