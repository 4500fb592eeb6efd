//! Compartments as a file declares them: one volume is the box; several are volumes and membranes in it.

use super::expression::Expression;
use super::lines::{Cursor, Slip, Spot, Statement};
use super::values::Values;

/// A volume or a membrane.
#[derive(Clone, Debug, PartialEq)]
pub struct Compartment {
    /// Its name.
    pub name: String,
    /// Whether it is a surface.
    pub is_membrane: bool,
    /// Its size, in the units of the file: rate constants of two molecules are divided by it.
    pub size: f64,
    /// The number of the one that is around it.
    pub around: Option<usize>,
    /// Where the file declares it.
    pub spot: Spot,
}

/// A compartment whose size has no value yet.
pub(super) struct Declared {
    name: String,
    is_membrane: bool,
    size: Expression,
    around: Option<String>,
    spot: Spot,
}

/// What the block of compartments of a file amounts to.
pub(super) enum Compartments {
    /// There is no such block, or nothing stands in it.
    None,
    /// One volume, its size by a formula, and where it is declared.
    Volume(Expression, Slip),
    /// Several, and what cannot be understood.
    Several(Vec<Declared>, Vec<Slip>),
}

impl Compartments {
    /// Reads them, and takes what says that molecules are in the one volume out of all lines, since all
    /// are.
    pub(super) fn take(lines: &mut [Statement]) -> Self {
        let (mut all, mut slips) = (Vec::new(), Vec::new());
        let mut is_inside = false;
        for line in lines.iter() {
            let mut cursor = line.cursor();
            match cursor.word() {
                Some("begin") => is_inside = cursor.rest().trim() == "compartments",
                Some("end") => is_inside = false,
                _ if !is_inside => {}
                _ => match declared(line.cursor()) {
                    Ok(found) => all.push(found),
                    Err(slip) => slips.push(slip),
                },
            }
        }
        match (all.len(), slips.is_empty()) {
            (0, true) => Self::None,
            (1, true) if !all[0].is_membrane && all[0].around.is_none() => {
                let Declared { name, size, spot, .. } = all.remove(0);
                let text = format!(
                    "the compartment `{name}` is the box: as in BioNetGen, rate constants of two molecules are divided by \
                     its size, and those of creation multiplied by it"
                );
                lines.iter_mut().for_each(|line| line.drop_marks(&format!("@{name}")));
                Self::Volume(size, Slip::new(spot, text))
            }
            _ => Self::Several(all, slips),
        }
    }
}

/// `PM 2 area*width EC`: name, dimension, size, and what is around it.
fn declared(mut cursor: Cursor<'_>) -> Result<Declared, Slip> {
    cursor.skip_index();
    cursor.skip_spaces();
    let spot = cursor.spot();
    let found = |cursor: &Cursor<'_>, what: &str| {
        cursor.slip(format!(
            "found {} where {what} of a compartment is needed, as in `PM 2 area*width EC`",
            cursor.shown()
        ))
    };
    let Some(name) = cursor.name() else { return Err(found(&cursor, "the name")) };
    let mut ahead = cursor;
    let is_membrane = match ahead.word() {
        Some("3") => false,
        Some("2") => true,
        _ => {
            cursor.skip_spaces();
            return Err(found(&cursor, "the dimension, 3 (a volume) or 2 (a membrane),"));
        }
    };
    cursor = ahead;
    let size = Expression::read(&mut cursor)?;
    let around = cursor.name().map(str::to_owned);
    cursor.expect_end()?;
    Ok(Declared { name: name.to_owned(), is_membrane, size, around, spot })
}

/// The compartments with their sizes, and what is wrong with them.
pub(super) fn resolved(
    declared: Vec<Declared>,
    values: &mut Values,
) -> (Vec<Compartment>, Vec<Slip>) {
    let names: Vec<String> = declared.iter().map(|one| one.name.clone()).collect();
    let place = |name: &str| names.iter().position(|known| known == name);
    let mut slips = Vec::new();
    let mut all = Vec::new();
    for (n, Declared { name, is_membrane, size, around, spot }) in declared.into_iter().enumerate()
    {
        if place(&name) != Some(n) {
            slips.push(Slip::new(spot, format!("`{name}` has already been declared")));
        }
        let size = values.of(&size).unwrap_or_else(|slip| {
            slips.push(slip);
            1.0
        });
        if size <= 0.0 {
            let text = format!("the size of `{name}` is {size}, but has to be above zero");
            slips.push(Slip::new(spot, text));
        }
        let outer = around.as_deref().map(place);
        if let (Some(None), Some(around)) = (outer, &around) {
            slips.push(Slip::new(spot, format!("there is no compartment `{around}`")));
        }
        all.push(Compartment { name, is_membrane, size, around: outer.flatten(), spot });
    }
    for (n, one) in all.iter().enumerate() {
        let mut outer = one.around;
        let steps = (0..all.len()).take_while(|_| {
            outer = outer.and_then(|at| all[at].around);
            outer.is_some()
        });
        if steps.count() == all.len() {
            let text = format!("`{}` is inside itself", all[n].name);
            slips.push(Slip::new(one.spot, text));
        }
    }
    (all, slips)
}
