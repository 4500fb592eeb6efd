//! Quantities that options are given: times and lengths with units, and ranges of them.

use jostle_model::units::{Quantity, Wanted};

/// A time with its unit, as options give it. \[µs\]
///
/// # Errors
/// If it is no time, in a sentence.
pub fn time(text: &str) -> Result<f64, String> {
    quantity(text, &Wanted::TIME)
}

/// A length. \[nm\]
///
/// # Errors
/// If it is none, in a sentence.
pub fn length(text: &str) -> Result<f64, String> {
    quantity(text, &Wanted::LENGTH)
}

fn quantity(text: &str, wanted: &Wanted) -> Result<f64, String> {
    let expected = || format!("give {} with its unit, such as \"{}\"", wanted.noun, wanted.example);
    let found = Quantity::parse(text).map_err(|why| format!("{why}; {}", expected()))?;
    match found.unit {
        // Zero is zero in any unit, and nothing ends never.
        None if found.number == 0.0 || found.number.is_infinite() => Ok(found.number),
        Some(unit) if unit.dimension == wanted.dimension => Ok(unit.to_internal(found.number)),
        _ => Err(expected()),
    }
}

/// From where to where; either end may be open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// `FROM..TO`, with one end or the other left out.
pub(super) fn span(text: &str, parse: fn(&str) -> Result<f64, String>) -> Result<Span, String> {
    let (low, high) = text.split_once("..").ok_or("write FROM..TO; either end can be left out")?;
    let end =
        |text: &str, open: f64| if text.trim().is_empty() { Ok(open) } else { parse(text.trim()) };
    let (low, high) = (end(low, f64::NEG_INFINITY)?, end(high, f64::INFINITY)?);
    if low < high {
        Ok(Span { low, high })
    } else {
        Err("the range is empty: its end is not above its start".into())
    }
}

/// A span of length. \[nm\]
pub(super) fn length_span(text: &str) -> Result<Span, String> {
    span(text, length)
}

/// A span of energy. \[J\]
pub(super) fn energy_span(text: &str) -> Result<Span, String> {
    // kg nm²/µs² in a joule.
    span(text, |text| Ok(quantity(text, &Wanted::KINETIC_ENERGY)? / 1e6))
}

/// A range of plain numbers, both ends included: `51..`, `3..9`, or a single one.
pub(super) fn range(text: &str) -> Result<Span, String> {
    let number = |text: &str| {
        text.trim().parse::<f64>().map_err(|_| format!("\"{}\" is not a number", text.trim()))
    };
    let Some((low, high)) = text.split_once("..") else {
        let only = number(text)?;
        return Ok(Span { low: only, high: only });
    };
    let end = |text: &str, open: f64| if text.trim().is_empty() { Ok(open) } else { number(text) };
    let span = Span { low: end(low, f64::NEG_INFINITY)?, high: end(high, f64::INFINITY)? };
    if span.low <= span.high {
        Ok(span)
    } else {
        Err("the range is empty: its end is below its start".into())
    }
}

/// A span of time. \[µs\]
pub(super) fn time_span(text: &str) -> Result<Span, String> {
    span(text, time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_have_units() {
        assert_eq!(time("2 ms"), Ok(2000.0));
        assert_eq!(time("0"), Ok(0.0));
        assert_eq!(length("0.5 um"), Ok(500.0));
        for wrong in ["5", "5 nm", "fast", ""] {
            assert!(time(wrong).unwrap_err().contains("1 us"), "{wrong}");
        }
    }

    #[test]
    fn spans_may_be_open() {
        assert_eq!(time_span("1 us..2ms"), Ok(Span { low: 1.0, high: 2000.0 }));
        assert_eq!(time_span("..3 us"), Ok(Span { low: f64::NEG_INFINITY, high: 3.0 }));
        assert_eq!(time_span("0.."), Ok(Span { low: 0.0, high: f64::INFINITY }));
        for wrong in ["1 us", "2 us..1 us", "1..2"] {
            assert!(time_span(wrong).is_err(), "{wrong}");
        }
    }
}
