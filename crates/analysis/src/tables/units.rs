//! The units in which numbers are shown. Files keep nm and µs whatever the engine; grains are shown in
//! mm, ms and m/s, as their models are written.

use super::{Cell, Columns, Table, Values};
use jostle_h5md::reading::Reading;

/// The lengths and times in which tables and figures of a run are shown.
///
/// ```
/// use jostle_analysis::{Table, UnitSystem};
///
/// let mut table = Table::new(&["lag (µs)", "MSD (nm²)", "speed (nm/ns)"]);
/// table.push(vec![2500f64.into(), 4e12f64.into(), 1.5f64.into()]);
/// let shown = table.in_units(UnitSystem::Grains);
/// let rows = "     2.5          4          1.5\n";
/// assert_eq!(shown.to_string(), format!("lag (ms)  MSD (mm²)  speed (m/s)\n{rows}"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitSystem {
    /// Nanometres and microseconds, as in the file.
    Molecules,
    /// Millimetres, milliseconds and metres per second.
    Grains,
}

impl UnitSystem {
    /// Those that suit a file.
    pub fn of(reading: &Reading) -> Self {
        let engine = "parameters/engine";
        let is_of_grains =
            reading.has(engine) && reading.text(engine).is_ok_and(|word| word != "brownian");
        if is_of_grains { Self::Grains } else { Self::Molecules }
    }

    /// The head of a column, or the label of an axis, whose unit stands at its end in brackets of
    /// either kind: as shown, and by what the numbers have to be multiplied.
    pub fn label(self, text: &str) -> (String, f64) {
        let as_it_is = || (text.to_owned(), 1.0);
        if self == Self::Molecules {
            return as_it_is();
        }
        let Some((before, unit)) =
            text.strip_suffix([')', ']']).and_then(|t| t.rsplit_once(['(', '[']))
        else {
            return as_it_is();
        };
        let Some((shown, factor)) = of_grains(unit) else { return as_it_is() };
        // The brackets are of one byte each.
        let [open, close] = [&text[before.len()..=before.len()], &text[text.len() - 1..]];
        (format!("{before}{open}{shown}{close}"), factor)
    }
}

/// A unit of files as it is shown for grains, and how many of those are one of these.
fn of_grains(unit: &str) -> Option<(String, f64)> {
    match unit {
        "nm/ns" => return Some(("m/s".to_owned(), 1.0)),
        // A micromole per litre is so many particles per cubic millimetre.
        "µM" => return Some(("/mm³".to_owned(), 6.022_140_76e11)),
        _ => (),
    }
    let (above, below) = unit.split_once('/').map_or((unit, None), |(a, b)| (a, Some(b)));
    let (above, factor) = if above.is_empty() { (String::new(), 1.0) } else { power(above)? };
    let (below, divisor) = match below {
        None => (String::new(), 1.0),
        Some(below) => power(below)?,
    };
    let slash = if below.is_empty() { "" } else { "/" };
    Some((format!("{above}{slash}{below}"), factor / divisor))
}

/// A power of a length or time.
fn power(unit: &str) -> Option<(String, f64)> {
    let (base, sign, exponent) = match unit.strip_suffix('²') {
        Some(base) => (base, "²", 2),
        None => match unit.strip_suffix('³') {
            Some(base) => (base, "³", 3),
            None => (unit, "", 1),
        },
    };
    let (shown, factor) = match base {
        "nm" => ("mm", 1e-6_f64),
        "µm" => ("mm", 1e-3),
        "µs" => ("ms", 1e-3),
        "s" => ("s", 1.0),
        _ => return None,
    };
    Some((format!("{shown}{sign}"), factor.powi(exponent)))
}

impl Table {
    /// The same table in other units.
    #[must_use]
    pub fn in_units(mut self, units: UnitSystem) -> Self {
        for k in 0..self.columns.len() {
            let (head, factor) = units.label(&self.columns[k]);
            if head == self.columns[k] {
                continue;
            }
            self.columns[k] = head;
            for row in &mut self.rows {
                if let Some(value) = row[k].number() {
                    row[k] = Cell::Number(value * factor);
                }
            }
        }
        self
    }
}

impl Columns {
    /// The same columns in other units.
    #[must_use]
    pub fn in_units(mut self, units: UnitSystem) -> Self {
        for column in &mut self.columns {
            let (head, factor) = units.label(&column.head);
            if let (Values::Numbers(values), true) = (&mut column.values, head != column.head) {
                values.iter_mut().for_each(|value| *value *= factor);
                column.head = head;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_grains_are_in_millimetres_and_milliseconds() {
        let cases = [
            ("x (nm)", "x (mm)", 1e-6),
            ("MSD (nm²)", "MSD (mm²)", 1e-12),
            ("D (µm²/s)", "D (mm²/s)", 1e-6),
            ("rate (/µs)", "rate (/ms)", 1e3),
            ("least (/µm²)", "least (/mm²)", 1e6),
            ("probability density [/µs]", "probability density [/ms]", 1e3),
            ("approach (nm/ns)", "approach (m/s)", 1.0),
            ("mean (µM)", "mean (/mm³)", 6.02214076e11),
            ("energy (J)", "energy (J)", 1.0),
            ("time [ms]", "time [ms]", 1.0),
            ("contacts", "contacts", 1.0),
        ];
        for (head, shown, factor) in cases {
            let (label, found) = UnitSystem::Grains.label(head);
            assert_eq!(label, shown);
            assert!((found / factor - 1.0).abs() < 1e-12, "{head}: {found}");
            assert_eq!(UnitSystem::Molecules.label(head), (head.to_owned(), 1.0));
        }
    }
}
