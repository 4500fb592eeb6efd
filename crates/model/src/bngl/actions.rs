//! Commands of a BNGL file: the first simulation, and what is changed before it.

use super::expression::Expression;
use super::lines::{Cursor, Slip, Spot};
use super::patterns::{self, ReadPattern};

/// What commands say.
#[derive(Default)]
pub(super) struct Actions {
    /// What is changed before the first simulation, in the order of the file; none where it has been
    /// taken back.
    pub(super) changes: Vec<Option<EarlyChange>>,
    /// From when to when the first simulation goes.
    pub(super) simulation: Option<Simulation>,
    /// The same of a scan of parameters, if there is no simulation.
    pub(super) scan: Option<Simulation>,
    /// Where the file ends for BioNetGen.
    has_quit: bool,
    /// How many changes there were when the numbers were last saved.
    kept_numbers: usize,
    /// The same for the parameters.
    kept_parameters: usize,
}

/// A change of the model before it runs.
pub(super) enum EarlyChange {
    /// A parameter has another value.
    Parameter(String, Expression, Spot),
    /// There are so many of a species, or so many more.
    Number { pattern: ReadPattern, number: Expression, is_more: bool },
}

/// How long a simulation is.
#[derive(Default)]
pub(super) struct Simulation {
    pub(super) start: Option<Expression>,
    pub(super) end: Option<Result<Expression, Slip>>,
}

/// Commands of which nothing is said, since nobody misses them.
const SILENT: [&str; 3] = ["version", "substanceUnits", "setModelName"];

/// Other commands that change nothing in the model; those that begin with `write` do not either.
const IDLE: [&str; 8] = [
    "generate_network",
    "generate_hybrid_model",
    "parameter_scan",
    "bifurcate",
    "visualize",
    "setOption",
    "LinearParameterSensitivity",
    "setOutputDir",
];

impl Actions {
    /// Reads a command; a note if it is not taken over, without harm.
    ///
    /// # Errors
    /// If it is none, or would change what the model means.
    pub(super) fn command(&mut self, mut cursor: Cursor<'_>) -> Result<Option<Slip>, Slip> {
        cursor.skip_spaces();
        let start = cursor;
        let Some(name) = cursor.name().filter(|_| cursor.rest().trim_start().starts_with('('))
        else {
            return match (self.has_quit, bare(start)) {
                (true, _) => Ok(None),
                (_, Some(name)) => Ok(Some(left_out(start, name))),
                // A line that parts a file for the eye.
                _ if !start.rest().contains(char::is_alphanumeric) => Ok(None),
                _ => Err(start.slip(format!(
                    "{} is not expected here: outside of the blocks there are only commands",
                    start.shown()
                ))),
            };
        };
        if self.has_quit || SILENT.contains(&name) {
            return Ok(None);
        }
        if name.starts_with("simulate") {
            let is_first = self.simulation.is_none();
            let note = if is_first { "only the model is taken over" } else { LATER };
            self.simulation.get_or_insert_with(|| simulation(cursor));
            return Ok(Some(start.slip(format!("`{name}` is left out: {note}"))));
        }
        if self.simulation.is_some() && is_later(name) {
            return Ok(Some(start.slip(format!("`{name}` is left out: {LATER}"))));
        }
        if ["parameter_scan", "bifurcate"].contains(&name) {
            self.scan.get_or_insert_with(|| simulation(cursor));
        }
        if name == "setOption" && cursor.rest().contains("NumberPerQuantityUnit") {
            return Err(start.slip(
                "`NumberPerQuantityUnit` makes numbers of moles: leave this line out, and say in which unit amounts are \
                 given by `units` in the geometry file, for example `units = \"uM\"`",
            ));
        }
        if IDLE.contains(&name) || name.starts_with("write") {
            return Ok(Some(left_out(start, name)));
        }
        self.change(name, start, cursor).map(|()| None)
    }

    /// Reads a command that changes something.
    fn change(&mut self, name: &str, start: Cursor<'_>, cursor: Cursor<'_>) -> Result<(), Slip> {
        match name {
            "setConcentration" | "addConcentration" => {
                let (pattern, number) = number_of(cursor)?;
                let is_more = name == "addConcentration";
                self.changes.push(Some(EarlyChange::Number { pattern, number, is_more }));
            }
            "setParameter" => {
                let (parameter, value, spot) = value_of(cursor)?;
                self.changes.push(Some(EarlyChange::Parameter(parameter, value, spot)));
            }
            "saveConcentrations" => self.kept_numbers = self.changes.len(),
            "saveParameters" => self.kept_parameters = self.changes.len(),
            "resetConcentrations" => {
                let is_number = |change: &EarlyChange| matches!(change, EarlyChange::Number { .. });
                take_back(&mut self.changes[self.kept_numbers..], is_number);
            }
            "resetParameters" => {
                let is_parameter =
                    |change: &EarlyChange| matches!(change, EarlyChange::Parameter(..));
                take_back(&mut self.changes[self.kept_parameters..], is_parameter);
            }
            "quit" => self.has_quit = true,
            "readFile" => {
                let message = "`readFile` takes the model from another file: import that file";
                return Err(start.slip(message));
            }
            _ => {
                return Err(start.slip(format!(
                    "a command `{name}` is not known; outside of the blocks there are only commands"
                )));
            }
        }
        Ok(())
    }
}

/// Takes back changes of one kind.
fn take_back(changes: &mut [Option<EarlyChange>], is_meant: fn(&EarlyChange) -> bool) {
    for change in changes {
        if change.as_ref().is_some_and(is_meant) {
            *change = None;
        }
    }
}

const LATER: &str = "of several simulations the first is taken over";

/// Whether a command changes something between two simulations.
fn is_later(name: &str) -> bool {
    let starts = ["set", "add", "reset", "save"].iter().any(|start| name.starts_with(start));
    let ends = ["Concentration", "Concentrations", "Parameter", "Parameters"];
    starts && ends.iter().any(|end| name.ends_with(end))
}

fn left_out(start: Cursor<'_>, name: &str) -> Slip {
    start.slip(format!("`{name}` is left out: only the model is taken over"))
}

/// A command that writes something, without brackets.
fn bare(mut cursor: Cursor<'_>) -> Option<&str> {
    let name = cursor.name().filter(|name| name.starts_with("write") || IDLE.contains(name))?;
    cursor.takes(";");
    cursor.is_at_end().then_some(name)
}

/// What `simulate({t_start=>0,t_end=>10*60,..})` says about the time. The rest of it does not matter.
fn simulation(mut cursor: Cursor<'_>) -> Simulation {
    let mut found = Simulation::default();
    cursor.takes("(");
    cursor.takes("{");
    loop {
        let is_quoted = cursor.takes("\"") || cursor.takes("'");
        let Some(key) = cursor.name() else { return found };
        if is_quoted {
            let _ = cursor.takes("\"") || cursor.takes("'");
        }
        if !cursor.takes("=>") {
            return found;
        }
        match key {
            "t_start" => found.start = quoted_value(&mut cursor.clone()).ok(),
            "t_end" => found.end = Some(quoted_value(&mut cursor.clone())),
            _ => {}
        }
        skip_value(&mut cursor);
        if !cursor.takes(",") {
            return found;
        }
    }
}

/// A number, which may be in quotes.
fn quoted_value(cursor: &mut Cursor<'_>) -> Result<Expression, Slip> {
    let quote = ["\"", "'"].into_iter().find(|quote| cursor.takes(quote));
    let value = Expression::read(cursor)?;
    if let Some(quote) = quote
        && !cursor.takes(quote)
    {
        return Err(cursor.slip(format!("{} is not expected here", cursor.shown())));
    }
    Ok(value)
}

/// Skips what stands before the next comma, or before the end of what is in brackets.
fn skip_value(cursor: &mut Cursor<'_>) {
    let (mut depth, mut quote) = (0usize, None);
    let text = cursor.rest();
    let end = text.char_indices().find(|(_, c)| match (quote, *c) {
        (Some(open), c) => {
            if open == c {
                quote = None;
            }
            false
        }
        (None, '"' | '\'') => {
            quote = Some(*c);
            false
        }
        (None, '(' | '[' | '{') => {
            depth += 1;
            false
        }
        (None, ')' | ']' | '}') if depth > 0 => {
            depth -= 1;
            false
        }
        (None, ')' | ']' | '}') => true,
        (None, ',') => depth == 0,
        _ => false,
    });
    cursor.advance(end.map_or(text.len(), |(at, _)| at));
}

/// What `("A(b)", 10)` says: a species, and how many there are of it.
fn number_of(mut cursor: Cursor<'_>) -> Result<(ReadPattern, Expression), Slip> {
    opened(&mut cursor)?;
    let pattern = patterns::read(&mut cursor)?;
    let number = after_comma(&mut cursor)?;
    Ok((pattern, number))
}

/// What `("k", 10)` says: a parameter, its value, and where it is named.
fn value_of(mut cursor: Cursor<'_>) -> Result<(String, Expression, Spot), Slip> {
    opened(&mut cursor)?;
    let spot = cursor.spot();
    let Some(name) = cursor.name() else {
        return Err(cursor
            .slip(format!("found {} where the name of a parameter is needed", cursor.shown())));
    };
    let name = name.to_owned();
    let value = after_comma(&mut cursor)?;
    Ok((name, value, spot))
}

/// A bracket and quotes.
fn opened(cursor: &mut Cursor<'_>) -> Result<(), Slip> {
    cursor.takes("(");
    if cursor.takes("\"") || cursor.takes("'") {
        return Ok(());
    }
    Err(cursor.slip(format!("found {} where a name in quotes is needed", cursor.shown())))
}

/// The end of what is in quotes, and the number that follows.
fn after_comma(cursor: &mut Cursor<'_>) -> Result<Expression, Slip> {
    let _ = cursor.takes("\"") || cursor.takes("'");
    if !cursor.takes(",") {
        return Err(cursor.slip(format!("found {} where a comma is needed", cursor.shown())));
    }
    quoted_value(cursor)
}
