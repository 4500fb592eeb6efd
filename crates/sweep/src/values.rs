//! Values of an axis: lists, and ranges of numbers or quantities.

use serde::Deserialize;

/// The most values of an axis.
const MOST: usize = 1_000_000;

/// What a range says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    from: toml::Value,
    to: toml::Value,
    points: usize,
    #[serde(default)]
    spacing: Spacing,
}

/// How the values of a range are spaced.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Spacing {
    /// The same difference from one to the next.
    #[default]
    Linear,
    /// The same ratio of one to the next.
    Log,
}

/// The values that an axis says: a list, or a range from one number to another.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn values(axis: &toml::Value) -> Result<Vec<String>, String> {
    match axis {
        toml::Value::Array(list) if list.is_empty() => Err("the list is empty".into()),
        toml::Value::Array(list) => list.iter().map(text).collect(),
        toml::Value::Table(_) => {
            let range = Range::deserialize(axis.clone()).map_err(|error| {
                format!(
                    "{}; a range looks like {{ from = 1, to = 100, points = 5, spacing = \"log\" }}",
                    error.message()
                )
            })?;
            range.values()
        }
        one => Err(format!(
            "{} is one value; give a list of values, or a range \
             {{ from = .., to = .., points = .. }}",
            text(one)?
        )),
    }
}

/// A value of the model as `--set` takes it.
pub(crate) fn text(value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) if number.is_finite() => Ok(number.to_string()),
        toml::Value::Boolean(yes) => Ok(yes.to_string()),
        toml::Value::Array(_) => Ok(value.to_string()),
        other => Err(format!("{other}: a value is a number, a text, true, false, or a list")),
    }
}

/// An end of a range: its number, its unit with what stands before it, and whether it is whole.
fn end(value: &toml::Value) -> Result<(f64, String, bool), String> {
    let refused = |found: &str| {
        format!(
            "{found} is not an end of a range: that is a number, or a quantity such as \"5 nm\""
        )
    };
    match value {
        toml::Value::Integer(number) => Ok((*number as f64, String::new(), true)),
        toml::Value::Float(number) if number.is_finite() => Ok((*number, String::new(), false)),
        toml::Value::String(text) => {
            let unit = text.find(char::is_whitespace).unwrap_or(text.len());
            let number = text[..unit].parse().ok().filter(|number: &f64| number.is_finite());
            let number = number.ok_or_else(|| refused(&format!("\"{text}\"")))?;
            Ok((number, text[unit..].to_owned(), false))
        }
        other => Err(refused(&other.to_string())),
    }
}

impl Range {
    fn values(&self) -> Result<Vec<String>, String> {
        let [(from, unit, whole), (to, other, other_whole)] = [end(&self.from)?, end(&self.to)?];
        if unit != other {
            return Err(format!(
                "the two ends have different units, `{}` and `{}`; give both in the same unit",
                unit.trim(),
                other.trim()
            ));
        }
        if !(2..=MOST).contains(&self.points) {
            return Err(format!("points = {}: a range has 2 to {MOST} points", self.points));
        }
        if self.spacing == Spacing::Log && !(from > 0.0 && to > 0.0) {
            return Err("spacing = \"log\" needs two ends above 0".into());
        }
        let between = |n: usize| {
            let share = n as f64 / (self.points - 1) as f64;
            match self.spacing {
                _ if n == 0 => from,
                _ if n + 1 == self.points => to,
                Spacing::Linear => from + (to - from) * share,
                // The same bits on every machine.
                Spacing::Log => from * libm::pow(to / from, share),
            }
        };
        // Between whole numbers, all are whole.
        let round = |x: f64| if whole && other_whole { x.round() } else { x };
        let values: Vec<f64> = (0..self.points).map(|n| round(between(n))).collect();
        if let Some(two) = values.windows(2).find(|two| two[0] == two[1]) {
            return Err(format!(
                "two values of the range are both {}{unit}; give fewer points, or ends farther apart",
                two[0]
            ));
        }
        Ok(values.iter().map(|value| format!("{value}{unit}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<String>, String> {
        let table: toml::Table = text.parse().unwrap();
        values(&table["x"])
    }

    #[test]
    fn a_range_keeps_its_ends_its_unit_and_whole_numbers() {
        let range =
            of("x = { from = \"1 nm^3/us\", to = \"100 nm^3/us\", points = 3, spacing = \"log\" }");
        assert_eq!(range.unwrap(), ["1 nm^3/us", "10 nm^3/us", "100 nm^3/us"]);
        assert_eq!(of("x = { from = 0, to = 10, points = 4 }").unwrap(), ["0", "3", "7", "10"]);
        let falling = of("x = { from = 0.3, to = 0.1, points = 2 }").unwrap();
        assert_eq!(falling, ["0.3", "0.1"]);
    }

    #[test]
    fn a_list_takes_whatever_the_model_takes() {
        let list = of("x = [1, 2.5, \"3 us\", true, [1, 2]]").unwrap();
        assert_eq!(list, ["1", "2.5", "3 us", "true", "[1, 2]"]);
    }

    #[test]
    fn what_is_no_axis_is_refused_with_what_would_be_one() {
        for (text, expected) in [
            ("x = 3", "3 is one value"),
            ("x = []", "the list is empty"),
            ("x = { from = 1, to = 2 }", "missing field `points`"),
            ("x = { from = 1, to = 2, points = 3, step = 1 }", "unknown field `step`"),
            ("x = { from = 1, to = 2, points = 1 }", "points = 1"),
            (
                "x = { from = \"1 nm\", to = \"2 us\", points = 3 }",
                "different units, `nm` and `us`",
            ),
            ("x = { from = 0, to = 2, points = 3, spacing = \"log\" }", "above 0"),
            ("x = { from = \"nm\", to = 2, points = 3 }", "\"nm\" is not an end"),
            ("x = [nan]", "nan: a value is a number"),
        ] {
            let found = of(text).unwrap_err();
            assert!(found.contains(expected), "{text}: {found}");
        }
    }
}
