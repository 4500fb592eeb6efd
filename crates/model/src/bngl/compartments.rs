//! Compartments: one volume is the box.

use super::expression::Expression;
use super::lines::{Slip, Statement};

/// What the block of compartments of a file amounts to.
pub(super) enum Compartments {
    /// There is no such block, or nothing stands in it.
    None,
    /// One volume, its size by a formula, and where it is declared.
    Volume(Expression, Slip),
    /// Others, for which there is no place.
    Others,
}

impl Compartments {
    /// Reads them, and takes what says that molecules are in the one volume out of all lines, since all
    /// are.
    pub(super) fn take(lines: &mut [Statement]) -> Self {
        let heading = |line: &Statement| {
            let mut cursor = line.cursor();
            (cursor.word() == Some("begin")).then(|| cursor.rest().trim() == "compartments")
        };
        let Some(first) = lines.iter().position(|line| heading(line) == Some(true)) else {
            return Self::None;
        };
        let is_end = |line: &&Statement| line.cursor().word() == Some("end");
        let all: Vec<&Statement> =
            lines[first + 1..].iter().take_while(|line| !is_end(line)).collect();
        let [one] = all.as_slice() else {
            return if all.is_empty() { Self::None } else { Self::Others };
        };
        let mut cursor = one.cursor();
        cursor.skip_index();
        cursor.skip_spaces();
        let start = cursor;
        let (Some(name), Some("3")) = (cursor.name(), cursor.word()) else { return Self::Others };
        let Ok(size) = Expression::read(&mut cursor) else { return Self::Others };
        if cursor.expect_end().is_err() {
            return Self::Others;
        }
        let text = format!(
            "the compartment `{name}` is the box: as in BioNetGen, rate constants of two molecules are divided by its \
             size, and those of creation multiplied by it"
        );
        let (name, note) = (name.to_owned(), start.slip(text));
        lines.iter_mut().for_each(|line| line.drop_marks(&format!("@{name}")));
        Self::Volume(size, note)
    }
}
