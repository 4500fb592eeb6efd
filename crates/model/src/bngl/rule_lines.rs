//! A reaction rule as it is written: `bind: A(b) + B(a) <-> A(b!1).B(a!1) kp, km`.

use super::laws::{self, WrittenRate};
use super::lines::{Cursor, Slip, Spot};
use super::patterns::{self, ReadPattern};

/// A rule whose rates have no values yet.
#[derive(Clone, Debug)]
pub(super) struct RuleLine {
    /// What stands before the colon.
    pub(super) label: Option<String>,
    pub(super) spot: Spot,
    pub(super) sides: [Vec<ReadPattern>; 2],
    /// One rate, or two if the rule goes both ways.
    pub(super) rates: Vec<WrittenRate>,
    /// Whether they are of the rule as a whole.
    pub(super) is_total: bool,
    /// Whether only the molecules of the pattern go, and not the whole complex.
    pub(super) delete_molecules: bool,
}

/// Words behind the rates that ask for what is not possible.
const REFUSED: [(&str, &str); 7] = [
    ("include_reactants", NO_LISTS),
    ("exclude_reactants", NO_LISTS),
    ("include_products", NO_LISTS),
    ("exclude_products", NO_LISTS),
    ("priority", "priorities of rules are not possible: what comes first is decided by the rates"),
    ("Sat", LAW),
    ("MM", LAW),
];

const NO_LISTS: &str = "lists of patterns that are included or excluded are not taken over: write what is meant into the patterns of the rule, or a rule for each case";
const LAW: &str = "this is a rate law for a well-mixed cell: write its steps (binding, unbinding, conversion) as rules of their own";

/// Reads a rule.
pub(super) fn read(mut cursor: Cursor<'_>) -> Result<RuleLine, Slip> {
    cursor.skip_spaces();
    let spot = cursor.spot();
    let label = label(&mut cursor);
    cursor.skip_index();
    let left = side(&mut cursor)?;
    let is_reversible = if cursor.takes("<->") {
        true
    } else if cursor.takes("->") {
        false
    } else {
        return Err(cursor.slip(format!("found {} where `->` or `<->` is needed", cursor.shown())));
    };
    let right = side(&mut cursor)?;
    let rates = rates(&mut cursor, is_reversible)?;
    let [delete_molecules, is_total] = modifiers(&mut cursor)?;
    Ok(RuleLine { label, spot, sides: [left, right], rates, is_total, delete_molecules })
}

/// What stands before a colon, if the colon comes before the arrow.
fn label(cursor: &mut Cursor<'_>) -> Option<String> {
    let text = cursor.rest();
    let colon = text.find(':')?;
    let arrow = text.find("->").unwrap_or(text.len());
    if colon > arrow || text[..colon].contains('@') {
        return None;
    }
    let label = text[..colon].trim().to_owned();
    cursor.advance(colon + 1);
    Some(label)
}

/// The patterns of one side; `0` for none.
fn side(cursor: &mut Cursor<'_>) -> Result<Vec<ReadPattern>, Slip> {
    let mut ahead = *cursor;
    let nothing = ahead.word().is_some_and(|word| word == "0");
    let more = ahead.rest();
    if nothing && !more.starts_with(['(', '.', '~']) {
        ahead.skip_spaces();
        if ahead.rest().starts_with('+') {
            return Err(ahead.slip("0 means nothing, and cannot be combined with molecules"));
        }
        *cursor = ahead;
        return Ok(Vec::new());
    }
    let mut found = vec![patterns::read(cursor)?];
    while cursor.takes("+") {
        found.push(patterns::read(cursor)?);
    }
    Ok(found)
}

fn rates(cursor: &mut Cursor<'_>, is_reversible: bool) -> Result<Vec<WrittenRate>, Slip> {
    if cursor.is_at_end() {
        return Err(cursor.slip("the rate constant of the rule is missing"));
    }
    let mut rates = Vec::new();
    loop {
        rates.push(laws::read(cursor)?);
        if !cursor.takes(",") {
            break;
        }
    }
    match (rates.len(), is_reversible) {
        (1, false) | (2, true) => Ok(rates),
        (1, true) => Err(cursor.slip(
            "a rule with `<->` has two rate constants, separated by a comma: the second is missing",
        )),
        (n, true) => Err(cursor.slip(format!("a rule with `<->` has two rate constants, not {n}"))),
        (n, false) => Err(cursor.slip(format!(
            "a rule with `->` has one rate constant, not {n}; write `<->` if it goes both ways"
        ))),
    }
}

/// Words behind the rates: whether whole complexes are spared, and whether rates are of the rule as a
/// whole.
fn modifiers(cursor: &mut Cursor<'_>) -> Result<[bool; 2], Slip> {
    let [mut delete_molecules, mut is_total] = [false; 2];
    while !cursor.is_at_end() {
        let spot = cursor.spot();
        let shown = cursor.shown();
        match cursor.word() {
            Some("DeleteMolecules") => delete_molecules = true,
            Some("TotalRate") => is_total = true,
            // What is bound to a molecule goes with it to another compartment: none that is moved can be bound.
            Some("MoveConnected") => {}
            Some(word) => {
                let why = REFUSED.iter().find(|(known, _)| *known == word).map(|(_, why)| *why);
                let unknown = format!(
                    "{shown} is not expected here: behind the rates, DeleteMolecules and TotalRate are possible"
                );
                return Err(Slip::new(spot, why.map_or(unknown, str::to_owned)));
            }
            None => return Err(cursor.slip(format!("{shown} is not expected here"))),
        }
    }
    Ok([delete_molecules, is_total])
}
