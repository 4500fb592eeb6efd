//! `jostle genealogy`.

use std::io::Write;
use std::path::PathBuf;

use super::{Failure, may_write};
use crate::analysis;
use crate::analysis::ask::GraphFormat;
use crate::files::Inputs;

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

pub(super) fn execute(arguments: GenealogyArguments) -> Result<(), Failure> {
    let GenealogyArguments { file, out, cluster, size, force } = arguments;
    let reading = analysis::open(&file)?;
    if let Some(path) = &out {
        GraphFormat::of(path)?;
        may_write(path, force, &Inputs::of([&file]))?;
    }
    let whole = analysis::genealogy(&reading)?;
    let tree = whole.part(cluster, size)?;
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
        tree.save(path, GraphFormat::of(path)?)
            .map_err(|why| Failure::from(why).at(path.display()))?;
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
