//! Options of the library on a command line.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::analysis::ask::{Given, Named, Row, Takes, read, rows};

/// Options that have been typed.
pub(super) struct Typed<T> {
    /// As they are understood.
    pub(super) options: T,
    /// Whether there are any.
    pub(super) is_given: bool,
}

fn arg<T>(row: &'static Row<T>) -> Arg
where
    T: Named,
{
    let arg = Arg::new(row.name).long(row.name).help(row.help).conflicts_with_all(row.not_with);
    let arg = row.alias.map_or(arg.clone(), |alias| arg.clone().alias(alias));
    let arg = row.needs.map_or(arg.clone(), |other| arg.clone().requires(other));
    if row.takes == Takes::Nothing {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = match row.takes {
        Takes::Nothing | Takes::One => arg.value_name(row.value),
        Takes::Many => arg.value_name(row.value).action(ArgAction::Append),
        Takes::Commas => arg.value_name(row.value).action(ArgAction::Append).value_delimiter(','),
        Takes::Two => arg.value_names([row.value; 2]).num_args(2),
    };
    if row.words.is_empty() {
        let understood =
            move |text: &str| (row.read)(&mut T::default(), text).map(|()| text.to_owned());
        return arg
            .value_parser(understood)
            .allow_negative_numbers(true)
            .allow_hyphen_values(row.signed);
    }
    let values = row.words.iter().map(|(word, meaning)| match meaning.is_empty() {
        true => PossibleValue::new(*word),
        false => PossibleValue::new(*word).help(*meaning),
    });
    arg.value_parser(PossibleValuesParser::new(values))
        .hide_possible_values(row.words.iter().all(|(_, meaning)| meaning.is_empty()))
}

impl<T: Named> Args for Typed<T> {
    fn augment_args(command: Command) -> Command {
        let command = match T::HEADING {
            Some(heading) => command.next_help_heading(heading),
            None => command,
        };
        rows::<T>().fold(command, |command, row| command.arg(arg(row)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: Named> FromArgMatches for Typed<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        for row in rows::<T>() {
            let found = match row.takes {
                Takes::Nothing => matches.get_flag(row.name).then_some(Given::Flag(true)),
                _ => matches
                    .get_many::<String>(row.name)
                    .map(|values| Given::List(values.cloned().collect())),
            };
            given.extend(found.map(|given| (row.name.to_owned(), given)));
        }
        let is_given = !given.is_empty();
        let options = read(&given)
            .map_err(|why| Error::raw(ErrorKind::ValueValidation, super::in_words(&why)))?;
        Ok(Self { options, is_given })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
