//! A BNGL file: its blocks, and what stands outside of them.

use super::changes::between;
use super::expression::Expression;
use super::lines::{Cursor, Slip, Statement, statements};
use super::patterns::{self, ReadPattern};
use super::rule_lines::{self, RuleLine};
use super::seeds::{self, SeedLine, incomplete};
use super::symmetry::symmetry;
use super::types;
use super::values::Values;
use super::{Network, NetworkRule, Observable, OneWay};
use crate::fault::{Fault, Faults, Place};
use crate::nearest::nearest;

/// More rules, seed species and so on are not read.
const MOST_LINES: usize = 100_000;

/// What has been understood of a file, and what has not.
#[derive(Default)]
pub(super) struct Understood {
    pub(super) network: Network,
    pub(super) slips: Vec<Slip>,
    /// What is not taken over, without harm.
    pub(super) notes: Vec<Slip>,
}

/// Reads the text of a BNGL file; `name` stands for it in messages.
///
/// # Errors
/// Everything that is wrong or cannot be taken over, each with its line and column.
pub fn read(text: &str, name: &str) -> Result<Network, Faults> {
    let Understood { network, slips, .. } = understand(text);
    if slips.is_empty() { Ok(network) } else { Err(faults(name, slips)) }
}

/// These slips as faults of a file.
pub(super) fn faults(name: &str, slips: Vec<Slip>) -> Faults {
    let fault = |slip: Slip| Fault {
        place: Place::Column(slip.spot.line, slip.spot.column),
        key: String::new(),
        message: slip.message,
    };
    Faults::new(name, slips.into_iter().map(fault).collect())
}

/// The blocks whose lines are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Parameters,
    Types,
    Seeds,
    Rules,
    Functions,
    Observables,
    Actions,
    /// One that has been refused as a whole.
    Refused,
}

const BLOCKS: [(&str, Block); 8] = [
    ("parameters", Block::Parameters),
    ("molecule types", Block::Types),
    ("seed species", Block::Seeds),
    ("species", Block::Seeds),
    ("reaction rules", Block::Rules),
    ("functions", Block::Functions),
    ("observables", Block::Observables),
    ("actions", Block::Actions),
];

/// Blocks for which there is no place, and why.
const REFUSED_BLOCKS: [(&str, &str); 5] = [
    (
        "compartments",
        "compartments are not taken over: a model has one box; describe membranes and containers as `[[surface]]` in the model file",
    ),
    (
        "energy patterns",
        "energies of patterns are not taken over: write the rate constants of the rules",
    ),
    (
        "population types",
        "populations that are only counted are not possible: every particle is followed",
    ),
    (
        "population maps",
        "populations that are only counted are not possible: every particle is followed",
    ),
    (
        "reactions",
        "a network of reactions is not taken over: import the file with the rules that it was made from",
    ),
];

/// Commands that change nothing in the model.
const IDLE: [&str; 24] = [
    "generate_network",
    "simulate",
    "simulate_ode",
    "simulate_ssa",
    "simulate_nf",
    "simulate_pla",
    "simulate_psa",
    "parameter_scan",
    "bifurcate",
    "writeXML",
    "writeSBML",
    "writeNetwork",
    "writeNET",
    "writeModel",
    "writeMfile",
    "writeMexfile",
    "writeMDL",
    "writeFile",
    "writeLatex",
    "visualize",
    "version",
    "substanceUnits",
    "setModelName",
    "saveConcentrations",
];

struct FileReader {
    found: Understood,
    values: Values,
    declared_types: bool,
    seeds: Vec<SeedLine>,
    rules: Vec<RuleLine>,
    observables: Vec<(String, bool, Vec<ReadPattern>)>,
}

/// Reads as much as can be understood.
pub(super) fn understand(text: &str) -> Understood {
    let mut reader = FileReader {
        found: Understood::default(),
        values: Values::default(),
        declared_types: false,
        seeds: Vec::new(),
        rules: Vec::new(),
        observables: Vec::new(),
    };
    let mut block: Option<(Block, Slip)> = None;
    let mut lines = statements(text).into_iter();
    let mut count = 0;
    while let Some(line) = lines.next() {
        count += 1;
        if count > MOST_LINES {
            reader.slip(line.cursor().slip(format!("at most {MOST_LINES} lines are read")));
            break;
        }
        reader.line(line, &mut lines, &mut block);
    }
    if let Some((_, begun)) = block {
        reader.slip(begun);
    }
    reader.finish()
}

impl FileReader {
    fn slip(&mut self, slip: Slip) {
        self.found.slips.push(slip);
    }

    fn line(
        &mut self,
        mut line: Statement,
        lines: &mut impl Iterator<Item = Statement>,
        block: &mut Option<(Block, Slip)>,
    ) {
        let mut cursor = line.cursor();
        let mut ahead = cursor;
        let heading = ahead.word().unwrap_or_default();
        if heading == "begin" {
            self.begin(ahead, block);
        } else if heading == "end" {
            let name = words(ahead);
            // Of the whole model, which is no block of lines.
            if name != "model" && block.take().is_none() {
                self.slip(cursor.slip(format!("`end {name}` ends no block")));
            }
        } else if let Some((kind, _)) = block
            && *kind != Block::Actions
        {
            if let Err(slip) = self.entry(*kind, cursor) {
                self.slip(slip);
            }
        } else {
            // A command may go on until its brackets are closed.
            while line.open_brackets() > 0
                && let Some(more) = lines.next()
            {
                line.append(more);
            }
            cursor = line.cursor();
            if let Err(slip) = self.command(cursor) {
                self.slip(slip);
            }
        }
    }

    fn begin(&mut self, mut cursor: Cursor<'_>, block: &mut Option<(Block, Slip)>) {
        cursor.skip_spaces();
        let name = words(cursor);
        if name == "model" {
            return;
        }
        if let Some((_, begun)) = block.take() {
            self.slip(begun);
        }
        let refused = REFUSED_BLOCKS.iter().find(|(known, _)| *known == name);
        let kind = match BLOCKS.iter().find(|(known, _)| *known == name) {
            Some((_, kind)) => *kind,
            None => {
                let hint = nearest(&name, BLOCKS.iter().map(|(known, _)| *known));
                let hint =
                    hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let unknown = format!("a block `{name}` is not known{hint}");
                self.slip(cursor.slip(refused.map_or(unknown, |(_, why)| (*why).to_owned())));
                Block::Refused
            }
        };
        self.declared_types |= kind == Block::Types;
        *block = Some((
            kind,
            cursor.slip(format!("the block `{name}` does not end: `end {name}` is missing")),
        ));
    }

    fn entry(&mut self, kind: Block, cursor: Cursor<'_>) -> Result<(), Slip> {
        match kind {
            Block::Parameters => self.parameter(cursor),
            Block::Functions => self.function(cursor),
            Block::Types => self.molecule_type(cursor),
            Block::Observables => self.observable(cursor),
            Block::Seeds => seeds::read(cursor).map(|seed| self.seeds.push(seed)),
            Block::Rules => rule_lines::read(cursor).map(|rule| self.rules.push(rule)),
            Block::Actions | Block::Refused => Ok(()),
        }
    }

    fn parameter(&mut self, mut cursor: Cursor<'_>) -> Result<(), Slip> {
        cursor.skip_index();
        let spot = {
            cursor.skip_spaces();
            cursor.spot()
        };
        let Some(name) = cursor.name() else {
            return Err(cursor.slip(format!(
                "found {} where the name of a parameter is needed",
                cursor.shown()
            )));
        };
        cursor.takes("=");
        let expression = Expression::read(&mut cursor)?;
        cursor.expect_end()?;
        self.values.define(name, expression, spot, false)
    }

    fn function(&mut self, mut cursor: Cursor<'_>) -> Result<(), Slip> {
        cursor.skip_index();
        cursor.skip_spaces();
        let spot = cursor.spot();
        let Some(name) = cursor.name() else {
            return Err(cursor
                .slip(format!("found {} where the name of a function is needed", cursor.shown())));
        };
        if !cursor.takes("(") {
            return Err(cursor.slip("a `(` is missing: functions are written `f() = 2*k`"));
        }
        if !cursor.takes(")") {
            self.values.local(name);
            return Ok(());
        }
        cursor.takes("=");
        // What is no constant matters only where a rule uses it.
        match Expression::read(&mut cursor).and_then(|read| cursor.expect_end().map(|()| read)) {
            Ok(expression) => self.values.define(name, expression, spot, true),
            Err(slip) => {
                self.values.local(name);
                self.found.notes.push(Slip::new(
                    slip.spot,
                    format!(
                        "function `{name}` is left out, since it is no constant: {}",
                        slip.message
                    ),
                ));
                Ok(())
            }
        }
    }

    fn molecule_type(&mut self, cursor: Cursor<'_>) -> Result<(), Slip> {
        let mut start = cursor;
        start.skip_spaces();
        let found = types::read(cursor)?;
        if self.found.network.molecule_type(&found.name).is_some() {
            return Err(start.slip(format!("`{}` has already been declared", found.name)));
        }
        self.found.network.types.push(found);
        Ok(())
    }

    /// `Molecules Bound A(b!+), B(a!+)`. What cannot be understood of it does no harm.
    fn observable(&mut self, mut cursor: Cursor<'_>) -> Result<(), Slip> {
        cursor.skip_index();
        let spot = cursor.spot();
        let kind = cursor.word().unwrap_or_default();
        let name = cursor.word().unwrap_or_default().to_owned();
        self.values.observe(&name);
        let mut patterns = Vec::new();
        let done = loop {
            if cursor.is_at_end() {
                break Ok(());
            }
            match patterns::read(&mut cursor) {
                Ok(pattern) => patterns.push(pattern),
                Err(slip) => break Err(slip),
            }
            cursor.takes(",");
        };
        let is_known = ["Molecules", "Species"].contains(&kind);
        match done {
            Ok(()) if is_known && !name.is_empty() => {
                self.observables.push((name, kind == "Species", patterns));
            }
            Ok(()) => self.found.notes.push(Slip::new(
                spot,
                "this observable is left out: `Molecules NAME PATTERN, ...` or `Species NAME PATTERN, ...` is read",
            )),
            Err(slip) => self.found.notes.push(Slip::new(
                slip.spot,
                format!("observable `{name}` is left out: {}", slip.message),
            )),
        }
        Ok(())
    }

    /// A command.
    fn command(&mut self, mut cursor: Cursor<'_>) -> Result<(), Slip> {
        let mut start = cursor;
        start.skip_spaces();
        let Some(name) = cursor.name().filter(|_| cursor.rest().trim_start().starts_with('('))
        else {
            return Err(start.slip(format!(
                "{} is not expected here: outside of the blocks there are only commands",
                start.shown()
            )));
        };
        if name.starts_with("simulate") && self.found.network.end.is_none() {
            self.found.network.end = end_of(cursor.rest());
        }
        if IDLE.contains(&name) {
            if !["version", "substanceUnits", "setModelName"].contains(&name) {
                let note =
                    start.slip(format!("`{name}` is left out: only the model is taken over"));
                self.found.notes.push(note);
            }
            return Ok(());
        }
        Err(start.slip(match name {
            "setConcentration" | "addConcentration" | "resetConcentrations" => format!(
                "`{name}` changes what is there between two simulations, and only one is possible: set the \
                 numbers among the seed species, or let `[[schedule]]` of the model file add particles"
            ),
            "setParameter" | "resetParameters" | "quit" => format!(
                "`{name}` changes the model between two simulations: leave it out, and set the values among the parameters"
            ),
            "setOption" => "options may change what the numbers mean: leave this line out if it does not matter".to_owned(),
            _ => format!(
                "a command `{name}` is not known; outside of the blocks there are only commands"
            ),
        }))
    }

    fn finish(mut self) -> Understood {
        if !self.declared_types {
            self.found.network.types = types::used(&self.seeds, &self.rules);
        }
        let (parameters, slips) = self.values.all();
        self.found.network.parameters = parameters;
        self.found.slips.extend(slips);
        for seed in std::mem::take(&mut self.seeds) {
            match seed.resolve(&self.found.network.types, &mut self.values) {
                Ok(seed) => self.found.network.seeds.push(seed),
                Err(slip) => self.slip(slip),
            }
        }
        for (n, rule) in std::mem::take(&mut self.rules).into_iter().enumerate() {
            match self.rule(rule, n + 1) {
                Ok(rule) => self.found.network.rules.push(rule),
                Err(slip) => self.slip(slip),
            }
        }
        for (name, of_species, patterns) in std::mem::take(&mut self.observables) {
            self.observed(name, of_species, patterns);
        }
        self.found
    }

    fn observed(&mut self, name: String, of_species: bool, patterns: Vec<ReadPattern>) {
        let types = &self.found.network.types;
        let misfit = patterns
            .iter()
            .find_map(|placed| Some((placed.spot, patterns::misfit(&placed.molecules, types)?)));
        if let Some((spot, message)) = misfit {
            let text = format!("observable `{name}` is left out: {message}");
            self.found.notes.push(Slip::new(spot, text));
            return;
        }
        let patterns = patterns.into_iter().map(|placed| placed.molecules).collect();
        self.found.network.observables.push(Observable { name, of_species, patterns });
    }

    fn rule(&mut self, line: RuleLine, number: usize) -> Result<NetworkRule, Slip> {
        let RuleLine { label, spot, sides, rates, delete_molecules } = line;
        for placed in sides.iter().flatten() {
            if let Some(message) = patterns::misfit(&placed.molecules, &self.found.network.types) {
                return Err(Slip::new(placed.spot, message));
            }
            if placed.once {
                self.once(placed)?;
            }
        }
        let [left, right] =
            sides.map(|side| side.into_iter().map(|placed| placed.molecules).collect::<Vec<_>>());
        let mut ways = Vec::new();
        let directions = [(&left, &right), (&right, &left)];
        for ((expression, rate_text, rate_spot), (from, to)) in rates.into_iter().zip(directions) {
            let changes = between(from, to).map_err(|message| Slip::new(spot, message))?;
            let types = &self.found.network.types;
            let new = changes.created.iter().flatten();
            if let Some(message) = new.into_iter().find_map(|new| incomplete(new, types)) {
                return Err(Slip::new(spot, message));
            }
            let rate = self.values.of(&expression)?;
            if rate < 0.0 {
                return Err(Slip::new(
                    rate_spot,
                    format!("the rate constant is {rate}, which is negative"),
                ));
            }
            let Some(symmetry) = symmetry(from, &changes) else {
                return Err(Slip::new(
                    spot,
                    "the patterns of this rule fit themselves in too many ways to be counted: write smaller ones",
                ));
            };
            ways.push(OneWay {
                reactants: from.clone(),
                products: to.clone(),
                changes,
                symmetry,
                rate,
                rate_text,
            });
        }
        let mut ways = ways.into_iter();
        let Some(forth) = ways.next() else {
            return Err(Slip::new(spot, "the rate constant of the rule is missing"));
        };
        let name = label.filter(|label| !label.is_empty()).unwrap_or_else(|| format!("R{number}"));
        Ok(NetworkRule { name, forth, back: ways.next(), delete_molecules, spot })
    }

    /// A pattern that is to fit each complex once only, which makes no difference where it cannot
    /// fit one in several ways.
    fn once(&mut self, placed: &ReadPattern) -> Result<(), Slip> {
        let alike = placed.molecules.iter().any(|molecule| {
            let declared = self.found.network.molecule_type(&molecule.name);
            declared.is_some_and(|declared| {
                declared.sites.iter().any(|site| declared.alike(&site.name) > 1)
            })
        });
        if alike {
            return Err(Slip::new(
                placed.spot,
                "{MatchOnce} is not possible for molecules with several sites of one name: write the pattern so \
                 that it fits in one way",
            ));
        }
        let text = "{MatchOnce} is left out: a pattern that fits a complex in several ways counts as often";
        self.found.notes.push(Slip::new(placed.spot, text));
        Ok(())
    }
}

/// The rest of a line as words with one space between them.
fn words(cursor: Cursor<'_>) -> String {
    cursor.rest().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number behind `t_end=>`, if there is one.
fn end_of(text: &str) -> Option<f64> {
    let (_, after) = text.split_once("t_end")?;
    let after = after.trim_start().strip_prefix("=>")?.trim_start().trim_start_matches('"');
    let length = after.find(|c: char| !"0123456789.eE+-".contains(c)).unwrap_or(after.len());
    after[..length].parse().ok().filter(|end: &f64| end.is_finite() && *end > 0.0)
}
