//! `jostle analyse`.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use crate::analysis::{self, Reading, Table};

/// The command line of `jostle analyse`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// Only this.
    #[arg(long, value_enum)]
    only: Option<What>,
    /// Write the whole tables as CSV files into this folder (made if missing).
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
}

/// What can be asked of a file.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum What {
    /// Contacts by species pair and outcome.
    Contacts,
    /// Cluster sizes over time.
    Clusters,
    /// Mean squared displacement against 2 d D t.
    Displacement,
}

impl What {
    const ALL: [Self; 3] = [Self::Contacts, Self::Clusters, Self::Displacement];

    fn title(self) -> &'static str {
        match self {
            Self::Contacts => "contacts in the log, by species and outcome",
            Self::Clusters => "cluster sizes over time",
            Self::Displacement => "mean squared displacement",
        }
    }

    fn file_name(self) -> &'static str {
        match self {
            Self::Contacts => "contacts.csv",
            Self::Clusters => "clusters.csv",
            Self::Displacement => "displacement.csv",
        }
    }

    fn measure(self, reading: &Reading) -> Result<Table, analysis::ReadError> {
        Ok(match self {
            Self::Contacts => analysis::contacts_by_pair(reading, None)?.to_table(),
            Self::Clusters => analysis::cluster_sizes(reading)?.to_table(),
            Self::Displacement => analysis::mean_squared_displacement(reading)?.to_table(),
        })
    }
}

/// Rows shown of a table that goes over time; CSV has them all.
const MOST_ROWS: usize = 21;

pub(super) fn carry_out(arguments: Arguments) -> Result<(), Failure> {
    let reading = analysis::open(&arguments.file)?;
    let mut out = std::io::stdout().lock();
    for what in What::ALL.into_iter().filter(|what| arguments.only.is_none_or(|only| only == *what)) {
        writeln!(out, "{}", what.title())?;
        let table = match what.measure(&reading) {
            Ok(table) => table,
            // One thing that a file cannot answer does not keep the others from being told.
            Err(why) if arguments.only.is_none() => {
                writeln!(out, "  {why}\n")?;
                continue;
            }
            Err(why) => return Err(why.into()),
        };
        let shown = if what == What::Clusters { thinned(&table) } else { table.clone() };
        for line in shown.to_string().lines() {
            writeln!(out, "  {line}")?;
        }
        if table.rows.is_empty() {
            writeln!(out, "  none")?;
        }
        writeln!(out)?;
        if let Some(folder) = &arguments.csv {
            std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
            let path = folder.join(what.file_name());
            let file = File::create(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            table.write_csv(file)?;
            writeln!(out, "  written to {}\n", path.display())?;
        }
    }
    Ok(())
}

/// Evenly chosen rows, the first and the last among them.
fn thinned(table: &Table) -> Table {
    let count = table.rows.len();
    if count <= MOST_ROWS {
        return table.clone();
    }
    let rows = (0..MOST_ROWS).map(|n| table.rows[n * (count - 1) / (MOST_ROWS - 1)].clone());
    Table { columns: table.columns.clone(), rows: rows.collect() }
}
