//! The symbols of units, with their prefixes and powers.

use crate::hints;
use crate::nearest::nearest;

use super::{Dimension, Unit, UnitError};

/// Molecules per cubic nanometre at one mole per litre.
const MOLAR: f64 = 0.602_214_076;

/// Superscripts and double stars written as carets.
pub(super) fn plain_powers(text: &str) -> String {
    const SUPERSCRIPTS: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
    const PLAIN: &[u8] = b"0123456789-";
    text.replace("**", "^")
        .chars()
        .map(|c| match SUPERSCRIPTS.chars().position(|s| s == c) {
            Some(n) => PLAIN[n] as char,
            None => c,
        })
        .collect()
}

/// One unit with its power: `um^2`, `s-1`, `M`.
pub(super) fn factor(text: &str) -> Result<Unit, UnitError> {
    if text == "1" {
        return Ok(Unit::ONE);
    }
    let end = text
        .find(|c: char| c == '^' || c == '+' || c == '-' || c.is_ascii_digit())
        .unwrap_or(text.len());
    let (symbol, power) = (&text[..end], text[end..].trim_start_matches('^'));
    let power = match (end == text.len(), power.parse::<i32>()) {
        (true, _) => 1,
        (false, Ok(power @ -9..=9)) => power,
        _ => return Err(UnitError::Power(text.to_owned())),
    };
    Ok(Unit::ONE.times(named(symbol)?, power))
}

/// The units that take a prefix.
const PREFIXED: [(&str, Unit); 13] = [
    ("m", Unit::new(1, 0, 9, 1.0)),
    ("s", Unit::new(0, 1, 6, 1.0)),
    ("M", Unit::new(-3, 0, 0, MOLAR)),
    ("L", Unit::new(3, 0, 24, 1.0)),
    ("l", Unit::new(3, 0, 24, 1.0)),
    ("mol", Unit::new(0, 0, 24, MOLAR)),
    ("Hz", Unit::new(0, -1, -6, 1.0)),
    ("sec", Unit::new(0, 1, 6, 1.0)),
    ("g", Unit::new(0, 0, -3, 1.0).with(1, 0)),
    ("K", Unit::new(0, 0, 0, 1.0).with(0, 1)),
    ("Pa", Unit::new(-1, -2, -21, 1.0).with(1, 0)),
    ("N", Unit::new(1, -2, -3, 1.0).with(1, 0)),
    ("J", Unit::new(2, -2, 6, 1.0).with(1, 0)),
];

/// The units that take none.
const FIXED: [(&str, Unit); 11] = [
    ("kT", Unit { dimension: Dimension::new(0, 0).with_thermal_energy(), ..Unit::ONE }),
    ("min", Unit::new(0, 1, 6, 60.0)),
    ("h", Unit::new(0, 1, 6, 3600.0)),
    ("A", Unit::new(1, 0, -1, 1.0)),
    ("Å", Unit::new(1, 0, -1, 1.0)),
    ("Angstrom", Unit::new(1, 0, -1, 1.0)),
    ("angstrom", Unit::new(1, 0, -1, 1.0)),
    ("%", Unit::new(0, 0, -2, 1.0)),
    ("rad", Unit::angle(1.0)),
    ("deg", Unit::angle(std::f64::consts::PI / 180.0)),
    ("°", Unit::angle(std::f64::consts::PI / 180.0)),
];

const PREFIXES: [(char, i32); 9] = [
    ('f', -15),
    ('p', -12),
    ('n', -9),
    ('u', -6),
    ('µ', -6),
    ('μ', -6),
    ('m', -3),
    ('c', -2),
    ('d', -1),
];

/// Prefixes that only units of stress, force, energy and frequency take: a megametre is a slip.
const LARGE: [(char, i32); 2] = [('M', 6), ('G', 9)];
const LARGE_UNITS: [&str; 4] = ["Pa", "N", "J", "Hz"];

/// Units that people mean when they mistype one.
const COMMON: [&str; 29] = [
    "nm", "um", "mm", "cm", "m", "A", "ns", "us", "ms", "s", "min", "h", "M", "mM", "uM", "nM",
    "L", "fL", "kg", "g", "Pa", "GPa", "Hz", "J", "K", "N", "rad", "deg", "kT",
];

/// The unit of a symbol, with or without a prefix.
fn named(symbol: &str) -> Result<Unit, UnitError> {
    let all = || FIXED.iter().chain(&PREFIXED);
    if let Some((_, unit)) = all().find(|(name, _)| *name == symbol) {
        return Ok(*unit);
    }
    let mut letters = symbol.chars();
    let prefix = letters.next();
    let base = PREFIXED.iter().find(|(name, _)| *name == letters.as_str());
    let large = base.is_some_and(|(name, _)| LARGE_UNITS.contains(name));
    let prefixes =
        || PREFIXES.iter().chain(&[('k', 3)]).chain(if large { &LARGE[..] } else { &[] });
    let exponent = prefixes().find(|(letter, _)| Some(*letter) == prefix);
    match (base, exponent) {
        (Some((_, unit)), Some((_, exponent))) => {
            Ok(Unit { decimal: unit.decimal + exponent, ..*unit })
        }
        _ => Err(UnitError::Unknown { unit: symbol.to_owned(), hint: hint(symbol) }),
    }
}

/// What may be meant by a symbol that is not known, as a half sentence.
fn hint(symbol: &str) -> String {
    if let Some(hint) = hints::of_unit(symbol) {
        return format!("; {hint}");
    }
    if symbol.contains(['(', ')']) {
        return "; each unit under a slash has one of its own, without brackets: `/M/s`".to_owned();
    }
    nearest(symbol, COMMON).map_or_else(String::new, |unit| format!("; did you mean `{unit}`?"))
}
