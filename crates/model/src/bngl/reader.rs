//! A BNGL file: its blocks, and what stands outside of them.

mod rule;

use std::collections::BTreeSet;

use super::actions::{Actions, EarlyChange, Simulation};
use super::blocks::{BLOCKS, Block, COMPARTMENTS, IDLE_BLOCKS, REFUSED_BLOCKS};
use super::compartments::{self, Compartments, Declared};
use super::expression::Expression;
use super::fixed::Fixed;
use super::lines::{Cursor, Slip, Spot, Statement, statements};
use super::patterns::{self, ReadPattern};
use super::places::Places;
use super::rule_lines::{self, RuleLine};
use super::seeds::{self, SeedLine};
use super::types;
use super::values::Values;
use super::{Network, Observable};
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
    /// Parameters that have been given a value and do not stand in the file.
    pub(super) strange: Vec<String>,
    /// Sites, each with the name of its molecule, that a rule mentions on its right side only. It means
    /// what it says if they never bind.
    pub(super) completed: Vec<((String, String), Spot)>,
}

/// Reads the text of a BNGL file; `name` stands for it in messages.
///
/// # Errors
/// Everything that is wrong or cannot be taken over, each with its line and column.
pub fn read(text: &str, name: &str) -> Result<Network, Faults> {
    let Understood { network, slips, .. } = understand(text, Vec::new());
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

struct FileReader {
    found: Understood,
    values: Values,
    /// Values of parameters that replace those of the file.
    given: Vec<(String, f64)>,
    declared_types: bool,
    seeds: Vec<SeedLine>,
    rules: Vec<RuleLine>,
    observables: Vec<(String, bool, Vec<ReadPattern>)>,
    actions: Actions,
    /// Molecule types whose lines have been refused: nothing more is said of what uses them.
    refused_types: Vec<String>,
    /// The size of the one compartment.
    volume: Option<Expression>,
    /// Several compartments.
    declared: Vec<Declared>,
    places: Places,
    fixed: Fixed,
}

/// Reads as much as can be understood; `given` are values of parameters that replace its own.
pub(super) fn understand(text: &str, given: Vec<(String, f64)>) -> Understood {
    // A mark by which some editors begin a file.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: BTreeSet<&str> = words.collect();
    let (given, strange): (Vec<_>, Vec<_>) =
        given.into_iter().partition(|(name, _)| words.contains(name.as_str()));
    let mut reader = FileReader {
        found: Understood {
            strange: strange.into_iter().map(|(name, _)| name).collect(),
            ..Understood::default()
        },
        values: Values::default(),
        given,
        declared_types: false,
        seeds: Vec::new(),
        rules: Vec::new(),
        observables: Vec::new(),
        actions: Actions::default(),
        refused_types: Vec::new(),
        volume: None,
        declared: Vec::new(),
        places: Places::default(),
        fixed: Fixed::default(),
    };
    let mut block: Option<(Block, Slip)> = None;
    let mut lines = statements(text);
    match Compartments::take(&mut lines) {
        Compartments::None => {}
        Compartments::Volume(size, note) => {
            reader.found.notes.push(note);
            reader.volume = Some(size);
        }
        Compartments::Several(declared, slips) => {
            reader.declared = declared;
            reader.found.slips.extend(slips);
        }
    }
    let mut lines = lines.into_iter();
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
            match self.actions.command(cursor) {
                Ok(note) => self.found.notes.extend(note),
                Err(slip) => self.slip(slip),
            }
        }
    }

    fn begin(&mut self, mut cursor: Cursor<'_>, block: &mut Option<(Block, Slip)>) {
        cursor.skip_spaces();
        let name = words(cursor).replace('_', " ");
        if name == "model" {
            return;
        }
        if let Some((_, begun)) = block.take() {
            self.slip(begun);
        }
        let refused = REFUSED_BLOCKS.iter().find(|(known, _)| *known == name);
        let hint = nearest(&name, BLOCKS.iter().map(|(known, _)| *known));
        let kind = BLOCKS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        match (kind, refused, hint) {
            (Some(_), ..) => {}
            _ if name == COMPARTMENTS => {}
            (None, Some((_, why)), _) => self.slip(cursor.slip(*why)),
            // BioNetGen leaves out blocks that it does not know.
            (None, None, None) => self.leave_out(cursor, &name),
            _ if IDLE_BLOCKS.contains(&name.as_str()) => self.leave_out(cursor, &name),
            (None, None, Some(near)) => {
                let text = format!("a block `{name}` is not known; did you mean `{near}`?");
                self.slip(cursor.slip(text));
            }
        }
        let kind = kind.unwrap_or(Block::Skipped);
        self.declared_types |= kind == Block::Types;
        *block = Some((
            kind,
            cursor.slip(format!("the block `{name}` does not end: `end {name}` is missing")),
        ));
    }

    fn leave_out(&mut self, cursor: Cursor<'_>, name: &str) {
        let text = format!("the block `{name}` is left out: it is no part of the model");
        self.found.notes.push(cursor.slip(text));
    }

    fn entry(&mut self, kind: Block, cursor: Cursor<'_>) -> Result<(), Slip> {
        match kind {
            Block::Parameters => self.parameter(cursor),
            Block::Functions => self.function(cursor),
            Block::Types => self.molecule_type(cursor),
            Block::Observables => self.observable(cursor),
            Block::Seeds => seeds::read(cursor).map(|seed| self.seeds.push(seed)),
            Block::Rules => rule_lines::read(cursor).map(|rule| self.rules.push(rule)),
            Block::Actions | Block::Skipped => Ok(()),
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
        self.values.define(name, formula(&mut cursor), spot, false)
    }

    fn function(&mut self, mut cursor: Cursor<'_>) -> Result<(), Slip> {
        cursor.skip_index();
        cursor.skip_spaces();
        let spot = cursor.spot();
        let Some(name) = cursor.name() else {
            return Err(cursor
                .slip(format!("found {} where the name of a function is needed", cursor.shown())));
        };
        if cursor.rest().starts_with('(') {
            cursor.takes("(");
            if !cursor.takes(")") {
                self.values.local(name);
                return Ok(());
            }
        }
        cursor.takes("=");
        // What is no constant matters only where a rule uses it.
        self.values.define(name, formula(&mut cursor), spot, true)
    }

    fn molecule_type(&mut self, cursor: Cursor<'_>) -> Result<(), Slip> {
        let mut start = cursor;
        start.skip_spaces();
        let found = types::read(cursor).inspect_err(|_| {
            let mut named = start;
            named.skip_index();
            self.refused_types.extend(named.name().map(str::to_owned));
        })?;
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

    fn finish(mut self) -> Understood {
        if !self.declared_types {
            self.found.network.types = types::used(&self.seeds, &self.rules);
        }
        let Actions { changes, simulation, scan, .. } = std::mem::take(&mut self.actions);
        for (name, value) in &self.given {
            if !self.values.give(name, *value) {
                self.found.strange.push(name.clone());
            }
        }
        let numbers = self.changed(changes);
        let (parameters, slips) = self.values.all();
        self.found.network.parameters = parameters;
        self.found.slips.extend(slips);
        self.found.network.end = simulation.or(scan).and_then(|simulation| self.end(simulation));
        if let Some(size) = self.volume.take() {
            match self.values.of(&size) {
                Ok(size) => self.found.network.volume = Some(size),
                Err(slip) => self.slip(slip),
            }
        }
        let mut numbers = numbers;
        self.find_places(&mut numbers);
        for (name, of_species, patterns) in std::mem::take(&mut self.observables) {
            self.observed(name, of_species, patterns);
        }
        let seeds = std::mem::take(&mut self.seeds);
        for mut seed in seeds {
            if self.is_known(&seed.pattern) {
                continue;
            }
            if let Err(slip) = self.places.settle_seed(&mut seed.pattern) {
                self.slip(slip);
                continue;
            }
            if let Err(slip) = self.fixed.hold(&seed.pattern, &self.found.network.types) {
                self.slip(slip);
                continue;
            }
            match seed.resolve(&self.found.network.types, &mut self.values) {
                Ok(seed) => self.found.network.seeds.push(seed),
                Err(slip) => self.slip(slip),
            }
        }
        for (pattern, number, is_more) in numbers {
            let network = &mut self.found.network;
            if let Err(slip) = seeds::change(network, pattern, number, is_more) {
                self.slip(slip);
            }
        }
        let rules = std::mem::take(&mut self.rules);
        for (n, rule) in rules.into_iter().enumerate() {
            if rule.sides.iter().flatten().any(|pattern| self.is_known(pattern)) {
                continue;
            }
            let types = &self.found.network.types;
            match self.places.settle(rule, types) {
                Err(slip) => self.slip(slip),
                Ok(lines) => {
                    for (line, place) in lines {
                        match self.rule(line, n + 1, place) {
                            Ok(rule) => self.found.network.rules.push(rule),
                            Err(slip) => self.slip(slip),
                        }
                    }
                }
            }
        }
        self.found
    }

    /// Finds out in which compartments molecules are, and says so in the molecule types.
    fn find_places(&mut self, numbers: &mut [(ReadPattern, f64, bool)]) {
        let declared = std::mem::take(&mut self.declared);
        let (all, slips) = compartments::resolved(declared, &mut self.values);
        self.found.slips.extend(slips);
        let seeds = self.seeds.iter().map(|seed| &seed.pattern);
        let seeds = seeds.chain(numbers.iter().map(|(pattern, ..)| pattern));
        self.places = Places::of(all, seeds, &self.rules, &mut self.found.slips);
        self.places.add_sites(&mut self.found.network.types);
        for (pattern, ..) in numbers {
            if let Err(slip) = self.places.settle_seed(pattern) {
                self.found.slips.push(slip);
            }
        }
        let network = &mut self.found.network;
        if !self.places.all.is_empty() {
            network.compartments.clone_from(&self.places.all);
            network.homes.clone_from(&self.places.homes);
        }
    }

    /// Whether a pattern is wrong because of a molecule type whose line has been refused.
    fn is_known(&self, pattern: &ReadPattern) -> bool {
        pattern.molecules.iter().any(|molecule| self.refused_types.contains(&molecule.name))
    }

    /// Gives parameters the values that commands set. The numbers of molecules that commands set.
    fn changed(&mut self, changes: Vec<Option<EarlyChange>>) -> Vec<(ReadPattern, f64, bool)> {
        let mut numbers = Vec::new();
        for change in changes.into_iter().flatten() {
            let result = match change {
                EarlyChange::Parameter(name, ..)
                    if self.given.iter().any(|(given, _)| *given == name) =>
                {
                    Ok(())
                }
                EarlyChange::Parameter(name, value, spot) => self.set(&name, &value, spot),
                EarlyChange::Number { pattern, number, is_more } => {
                    self.values.of(&number).map(|number| {
                        numbers.push((pattern, number, is_more));
                    })
                }
            };
            if let Err(slip) = result {
                self.slip(slip);
            }
        }
        numbers
    }

    fn set(&mut self, name: &str, value: &Expression, spot: Spot) -> Result<(), Slip> {
        let value = self.values.of(value)?;
        if self.values.set(name, Expression::Number(value)) {
            return Ok(());
        }
        Err(Slip::new(spot, format!("there is no parameter `{name}` that could be set")))
    }

    /// How long a simulation is, if that can be told.
    fn end(&mut self, simulation: Simulation) -> Option<f64> {
        let mut value = |formula: Result<Expression, Slip>| {
            let found = formula.and_then(|formula| self.values.of(&formula));
            found.map_err(|slip| self.found.notes.push(slip)).ok()
        };
        let end = value(simulation.end?)?;
        let start = simulation.start.map_or(Some(0.0), |start| value(Ok(start)))?;
        Some(end - start).filter(|end| *end > 0.0)
    }

    fn observed(&mut self, name: String, of_species: bool, mut patterns: Vec<ReadPattern>) {
        let settled = patterns.iter_mut().find_map(|one| self.places.settle_pattern(one).err());
        let types = &self.found.network.types;
        let misfit = patterns
            .iter()
            .find_map(|placed| Some((placed.spot, patterns::misfit(&placed.molecules, types)?)));
        let misfit = settled.map(|slip| (slip.spot, slip.message)).or(misfit);
        if let Some((spot, message)) = misfit {
            let text = format!("observable `{name}` is left out: {message}");
            self.found.notes.push(Slip::new(spot, text));
            return;
        }
        let patterns = patterns.into_iter().map(|placed| placed.molecules).collect();
        self.found.network.observables.push(Observable { name, of_species, patterns });
    }
}

/// The rest of a line as words with one space between them.
fn words(cursor: Cursor<'_>) -> String {
    cursor.rest().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A formula and nothing else.
fn formula(cursor: &mut Cursor<'_>) -> Result<Expression, Slip> {
    let found = Expression::read(cursor)?;
    cursor.expect_end()?;
    Ok(found)
}
