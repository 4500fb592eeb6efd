//! `jostle analyse`.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use crate::analysis::{self, ReadError, Reading, Table};
use crate::run::text::paragraph;

/// The command line of `jostle analyse`.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// Only this.
    #[arg(long, value_enum, value_name = "WHAT")]
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
            Self::Contacts => "Contacts in the log, by species and outcome",
            Self::Clusters => "Cluster sizes over time",
            Self::Displacement => "Mean squared displacement, against 2 d D t of free diffusion",
        }
    }

    fn file_name(self) -> &'static str {
        match self {
            Self::Contacts => "contacts.csv",
            Self::Clusters => "clusters.csv",
            Self::Displacement => "displacement.csv",
        }
    }

    /// What a reader has to know about the numbers.
    fn note(self, reading: &Reading) -> Result<Option<String>, ReadError> {
        Ok(match self {
            Self::Contacts => match analysis::info(reading)?.log.as_str() {
                "none" => Some("(log = \"none\": the run kept no contacts)".into()),
                "reactions" => Some("(log = \"reactions\": the run kept no bounces)".into()),
                _ => None,
            },
            Self::Clusters => None,
            Self::Displacement if reading.has_bonds()? => {
                Some("(D is that of a lone body; bodies in a cluster move as slowly as it does)".into())
            }
            Self::Displacement => None,
        })
    }

    fn measure(self, reading: &Reading) -> Result<Table, ReadError> {
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
    let mut failed = None;
    for what in What::ALL.into_iter().filter(|what| arguments.only.is_none_or(|only| only == *what)) {
        let table = match what.measure(&reading) {
            Ok(table) => table,
            // One thing that a file cannot answer does not keep the others from being told.
            Err(why @ ReadError::TooLittle { .. }) if arguments.only.is_none() => {
                writeln!(out, "{}\n  none: {why}\n", what.title())?;
                continue;
            }
            Err(why) => {
                failed = Some(why);
                continue;
            }
        };
        write_table(&mut out, what, &table, &reading)?;
        if let Some(folder) = &arguments.csv {
            write_csv(&mut out, folder, what.file_name(), &table)?;
            if what == What::Clusters {
                let sizes = analysis::cluster_sizes(&reading)?.to_histogram();
                write_csv(&mut out, folder, "cluster_sizes.csv", &sizes)?;
            }
        }
        writeln!(out)?;
    }
    failed.map_or(Ok(()), |why| Err(why.into()))
}

fn write_table(out: &mut impl Write, what: What, table: &Table, reading: &Reading) -> Result<(), Failure> {
    writeln!(out, "{}", what.title())?;
    let shown = if what == What::Clusters { thinned(table) } else { table.clone() };
    if table.rows.is_empty() {
        writeln!(out, "  none")?;
    } else if what == What::Clusters && reading.largest_clusters()?.iter().all(|&largest| largest <= 1) {
        writeln!(out, "  every body is alone, in every frame")?;
    } else {
        for line in shown.to_string().lines() {
            writeln!(out, "  {line}")?;
        }
    }
    if let Some(note) = what.note(reading)? {
        write!(out, "{}", paragraph("  ", &note))?;
    }
    Ok(())
}

fn write_csv(out: &mut impl Write, folder: &Path, name: &str, table: &Table) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let path = folder.join(name);
    let file = File::create(&path).map_err(|why| format!("{}: {why}", path.display()))?;
    table.write_csv(file)?;
    writeln!(out, "  -> {}", path.display())?;
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
