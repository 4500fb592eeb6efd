//! Files that are read and written: models that are refused, results as other programs read them,
//! what is asked of them, pages, pictures and exports.

#[path = "../shared/fake.rs"]
mod fake;
#[path = "../shared/outlines.rs"]
mod outlines;
#[path = "../shared/program.rs"]
mod program;

mod analyses;
mod compare;
mod contact_log;
mod directed;
mod escapes;
mod export;
mod foreign;
mod forms;
mod granular_files;
mod huge;
mod molecules;
mod old_log;
mod polygon_files;
mod python_examples;
mod readers;
mod refusals;
mod report;
mod written;
