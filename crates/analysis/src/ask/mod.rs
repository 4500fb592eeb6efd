//! Questions to a file by name and options, as a command line, a sweep file and Python ask them.
//!
//! ```no_run
//! use jostle_analysis::ask::{Analysis, Given, read};
//!
//! let reading = jostle_analysis::open("run.h5md".as_ref())?;
//! let rates = Analysis::named("rates")?;
//! let options = read(&[("from".to_owned(), Given::Text("10 ms".to_owned()))])?;
//! let answer = rates.answer(&reading, &options)?;
//! println!("{}: {} rows", rates.title, answer.tables.main.rows.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod log_found;
mod log_options;
mod options;
mod rows;
mod sides;
mod spans;
mod table;
mod tree;

pub use answer::{Answer, Found, MOST_ROWS, Tables};
pub use log_found::{AskError, LogAnswer, LogFound, not_logged};
pub use log_options::{LogHistogram, LogOptions};
pub use options::{AnalysisOptions, split_names};
pub use rows::{Given, Named, QuestionError, Row, Takes, add, read, rows, set, whole};
pub use spans::{length, time};
pub use table::{ANALYSES, Analysis, Limit};
pub use tree::GraphFormat;
