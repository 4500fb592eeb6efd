//! `[parameters]`: values that a model names once and uses in several places, as `"$P"` or in a product,
//! `"2*$P"`. They are put in before anything is read, so that all the rest knows nothing of them.

use std::collections::BTreeMap;

use super::fault::{Fault, Place};
use super::tree::{Entry, Node, Value};
use jostle_files::shortened;

/// The section of the file.
const SECTION: &str = "parameters";
/// What begins the name of a parameter in a value.
const SIGN: char = '$';
/// Parameters that use others, which use others: no model has more than a few.
const DEEPEST: usize = 20;
/// The most characters of a value that a message quotes.
const MOST_SHOWN: usize = 80;

/// Takes the parameters out of the tree and puts their values where they are used.
pub(super) fn put_in(root: &mut Node, faults: &mut Vec<Fault>) {
    let Value::Table(entries) = &mut root.value else { return };
    let declared = entries.iter().position(|entry| entry.key == SECTION);
    let declared = declared.map(|at| entries.remove(at).node);
    let known = declared.map_or_else(BTreeMap::new, |node| names(node, faults));
    let mut table = Parameters { known, used: Vec::new(), faults };
    for Entry { key, node } in entries.iter_mut().filter(|entry| entry.key != "title") {
        table.visit(node, key);
    }
    let Parameters { known, used, faults } = table;
    let left = known.iter().filter(|(name, _)| !used.contains(name));
    faults.extend(left.map(|(name, node)| Fault {
        place: node.place.clone(),
        key: format!("{SECTION}.{name}"),
        message: format!(
            "no value uses it; write \"{SIGN}{name}\" where it belongs, or leave it out"
        ),
    }));
}

/// The values by name.
fn names(node: Node, faults: &mut Vec<Fault>) -> BTreeMap<String, Node> {
    let Value::Table(entries) = node.value else {
        faults.push(Fault {
            place: node.place,
            key: SECTION.to_owned(),
            message: "a table is needed: `[parameters]`, and below it `P = \"1 um/s\"`".to_owned(),
        });
        return BTreeMap::new();
    };
    let mut known = BTreeMap::new();
    for Entry { key, node } in entries {
        let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && key.chars().all(is_in_name);
        let is_value = !matches!(node.value, Value::Table(_) | Value::List(_) | Value::Other(_));
        let message = match (is_name, is_value) {
            (true, true) => {
                known.insert(key, node);
                continue;
            }
            (false, _) => "a name consists of letters, digits and `_`, and begins with a letter",
            (true, false) => {
                "a number, a quantity such as \"1 um/s\", a text or true or false is needed"
            }
        };
        let key = format!("{SECTION}.{key}");
        faults.push(Fault { place: node.place, key, message: message.to_owned() });
    }
    known
}

fn is_in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The parameters, and which of them have been used.
struct Parameters<'a> {
    known: BTreeMap<String, Node>,
    used: Vec<String>,
    faults: &'a mut Vec<Fault>,
}

impl Parameters<'_> {
    /// Puts values into a node and all within it.
    fn visit(&mut self, node: &mut Node, path: &str) {
        match &mut node.value {
            Value::Text(text) if text.contains(SIGN) && !path.ends_with(".name") => {
                match self.value(text, DEEPEST) {
                    Ok(value) => node.value = value,
                    Err(message) => self.fault(&node.place, path, message),
                }
            }
            Value::List(list) => {
                for (n, node) in list.iter_mut().enumerate() {
                    let name = node.name().map_or_else(|| n.to_string(), str::to_owned);
                    self.visit(node, &format!("{path}.{name}"));
                }
            }
            Value::Table(entries) => {
                for Entry { key, node } in entries {
                    self.visit(node, &format!("{path}.{key}"));
                }
            }
            _ => {}
        }
    }

    fn fault(&mut self, place: &Place, key: &str, message: String) {
        self.faults.push(Fault { place: place.clone(), key: key.to_owned(), message });
    }

    /// The value of `$P`, or of a product of numbers and parameters.
    fn value(&mut self, text: &str, levels: usize) -> Result<Value, String> {
        if let Some(name) = text.trim().strip_prefix(SIGN)
            && name.chars().all(is_in_name)
        {
            return self.parameter(name, levels);
        }
        let mut product = Factor { number: 1.0, unit: String::new() };
        let mut rest = text.trim();
        let mut divides = false;
        loop {
            let end = rest.find(['*', '/']).unwrap_or(rest.len());
            let factor = self.factor(rest[..end].trim(), text, levels)?;
            product = product
                .times(factor, divides)
                .map_err(|why| format!("found {}: {why}", quoted(text)))?;
            let Some(sign) = rest[end..].chars().next() else { break };
            (divides, rest) = (sign == '/', &rest[end + 1..]);
        }
        Ok(product.into_value())
    }

    /// What a parameter stands for.
    fn parameter(&mut self, name: &str, levels: usize) -> Result<Value, String> {
        let Some(node) = self.known.get(name) else {
            let known: Vec<String> =
                self.known.keys().map(|name| format!("{SIGN}{name}")).collect();
            let known = match known.is_empty() {
                true => "there is no table `[parameters]`".to_owned(),
                false => format!("the model has {}", known.join(", ")),
            };
            return Err(format!(
                "there is no parameter {SIGN}{}; {known}",
                shortened(name, MOST_SHOWN)
            ));
        };
        let value = node.value.clone();
        if !self.used.iter().any(|used| used == name) {
            self.used.push(name.to_owned());
        }
        match value {
            Value::Text(text) if text.contains(SIGN) && levels == 0 => {
                Err(format!("parameter {SIGN}{name} depends on itself"))
            }
            Value::Text(text) if text.contains(SIGN) => self.value(&text, levels - 1),
            value => Ok(value),
        }
    }

    /// A number or a parameter in a product.
    fn factor(&mut self, factor: &str, text: &str, levels: usize) -> Result<Factor, String> {
        let value = match factor.strip_prefix(SIGN) {
            Some(name) if !name.is_empty() && name.chars().all(is_in_name) => {
                self.parameter(name, levels)?
            }
            _ => Value::Text(factor.to_owned()),
        };
        Factor::of(&value).ok_or_else(|| {
            format!(
                "found {}: a value is a parameter, \"{SIGN}P\", or a product of numbers and parameters, \
                 \"2*{SIGN}P/{SIGN}N\", and {} is neither a number nor a quantity",
                quoted(text),
                quoted(factor)
            )
        })
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text, MOST_SHOWN))
}

/// A number with its unit, if it has one.
struct Factor {
    number: f64,
    unit: String,
}

impl Factor {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Integer(number) => Some(Self { number: *number as f64, unit: String::new() }),
            Value::Float(number) => Some(Self { number: *number, unit: String::new() }),
            Value::Text(text) => {
                // The longest beginning that is a number: `1e6 /M/s`, `5 eV`.
                let text = text.trim();
                let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
                let ends: Vec<usize> = ends.take(32).collect();
                let read = |end: &usize| Some((*end, text[..*end].trim_end().parse::<f64>().ok()?));
                let (end, number) = ends.iter().rev().find_map(read)?;
                number.is_finite().then(|| Self { number, unit: text[end..].trim().to_owned() })
            }
            _ => None,
        }
    }

    fn times(self, other: Self, divides: bool) -> Result<Self, &'static str> {
        let number = if divides { self.number / other.number } else { self.number * other.number };
        let unit = match (self.unit.is_empty(), other.unit.is_empty()) {
            (_, true) => self.unit,
            (true, false) if !divides => other.unit,
            (false, false) if divides && self.unit == other.unit => String::new(),
            _ => {
                return Err(
                    "only one factor can have a unit, and it cannot be divided by: units are not combined, \
                            except that a quantity can be divided by one of the same unit",
                );
            }
        };
        Ok(Self { number, unit })
    }

    fn into_value(self) -> Value {
        /// Up to here, whole numbers are exact.
        const MOST: f64 = 9_007_199_254_740_992.0;
        let Self { number, unit } = self;
        match unit.is_empty() {
            false => Value::Text(format!("{number:?} {unit}")),
            true if number.fract() == 0.0 && number.abs() < MOST => Value::Integer(number as i64),
            true => Value::Float(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    const MODEL: &str = "[parameters]\nD = '10 um^2/s'\nR = '2 nm'\nn = 30\nmany = '2*$n'\n\
        [space]\ndimension = 3\nedges = '50*$R'\n[run]\ntimestep = '1 ns'\nsteps = '$n'\n\
        [[species]]\nname = 'A'\nradius = '$R'\ndiffusion = '$D'\ncount = '$many'\n\
        [[species]]\nname = 'B'\nradius = '$R/2'\ndiffusion = '2 * $D'\ncount = '$n'\n";

    fn said(text: &str) -> String {
        parse(text, "test", &[]).unwrap_err().to_string()
    }

    #[test]
    fn values_are_put_in_where_they_are_used() {
        let model = parse(MODEL, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!((model.space.edges[0], model.run.steps), (100.0, 30));
        let [a, b] = &model.species[..] else { panic!("{:?}", model.species) };
        assert_eq!([a.radius, b.radius], [Some(2.0), Some(1.0)]);
        assert_eq!([a.diffusion_coefficient, b.diffusion_coefficient], [Some(10.0), Some(20.0)]);
        let counts: Vec<usize> = model.placement.iter().map(crate::Placement::count).collect();
        assert_eq!(counts, [60, 30]);
        assert!(!model.source.resolved.contains(SIGN) && model.source.text == MODEL);
    }

    #[test]
    fn they_can_be_set_and_swept() {
        let set = [
            ("parameters.R".to_owned(), "3 nm".to_owned()),
            ("species.B.count".to_owned(), "$many".to_owned()),
        ];
        let model = parse(MODEL, "test", &set).unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!((model.space.edges[0], model.species[1].radius), (150.0, Some(1.5)));
        assert_eq!(model.placement[1].count(), 60);
    }

    #[test]
    fn what_cannot_be_put_in_is_reported_with_its_line() {
        let with = |from: &str, to: &str| said(&MODEL.replace(from, to));
        let unknown = with("'$R'", "'$Q'");
        assert!(
            unknown.contains("14")
                && unknown.contains("there is no parameter $Q; the model has $D, $R"),
            "{unknown}"
        );
        assert!(with("'50*$R'", "'$R*$R'").contains("only one factor can have a unit"));
        assert!(with("'2*$n'", "'2*$many'").contains("$many depends on itself"));
        assert!(with("'$R/2'", "'$R+2'").contains("a product of numbers and parameters"));
        assert!(with("n = 30\n", "n = 30\nm = 1\n").contains("parameters.m: no value uses it"));
        assert!(with("n = 30\n", "n = 30\nm-1 = 1\n").contains("letters, digits"));
        assert!(said("[space]\nedges = '$x'\n").contains("there is no table `[parameters]`"));
    }

    #[test]
    fn quantities_of_one_unit_can_be_divided() {
        let mut faults = Vec::new();
        let text =
            "parameters = { a = '6 nm', b = '4 nm' }\nx = '$a/$b'\ny = '-$a'\ntitle = '5 $'\n";
        let mut root = Node::parse(text).unwrap();
        put_in(&mut root, &mut faults);
        assert!(matches!(root.child("x").unwrap().value, Value::Float(x) if x == 1.5));
        assert_eq!(faults.len(), 1, "{faults:?}");
    }
}
