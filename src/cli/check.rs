//! `jostle check`.

use std::io::Write;

use super::{Failure, ModelArguments};
use crate::run::check;

/// The command line of `jostle check`.
#[derive(clap::Args)]
pub(super) struct CheckArguments {
    #[command(flatten)]
    model: ModelArguments,
}

pub(super) fn execute(arguments: CheckArguments) -> Result<(), Failure> {
    let model = arguments.model.load()?;
    let checked = check(&model).map_err(|error| arguments.model.located(error.into(), &model))?;
    write!(crate::cli::printed(), "{checked}")?;
    checked.fault.map_or(Ok(()), |fault| Err(fault.into()))
}
