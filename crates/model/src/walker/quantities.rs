//! Quantities: numbers and texts brought to nm, µs, kg, K, rad and kT.

use super::Item;
use crate::schema::Bounds;
use crate::tree::Value;
use crate::units::{Quantity, UnitError, Wanted};

impl Item<'_> {
    /// The quantity that the schema declares. To ask for one where it declares none is a mistake of
    /// ours.
    fn declared(&self) -> &'static Wanted {
        let wanted = self.takes.quantity();
        debug_assert!(wanted.is_some(), "{} is no quantity in the schema", self.path);
        wanted.unwrap_or(&Wanted::NUMBER)
    }

    /// A quantity in nm, µs, kg, K, rad and kT, of the dimension and within the bounds that the schema
    /// declares. Bare numbers are in the units that the file declares; zero needs none.
    pub(crate) fn quantity(&self) -> Option<f64> {
        match self.takes.bounds() {
            None => self.quantity_as(self.declared()),
            Some(Bounds::Positive) => self.positive(),
            Some(Bounds::NotNegative) => self.not_negative(),
            Some(Bounds::Unless(objection)) => {
                let value = self.quantity_as(self.declared())?;
                let objection = objection(value);
                let is_right = objection.is_none();
                objection.into_iter().for_each(|why| self.fault(why));
                is_right.then_some(value)
            }
        }
    }

    /// The same where the schema leaves the dimension open.
    pub(crate) fn quantity_as(&self, wanted: &Wanted) -> Option<f64> {
        let quantity = match &self.node.value {
            Value::Integer(number) => Ok(Quantity { number: *number as f64, unit: None }),
            Value::Float(number) => Ok(Quantity { number: *number, unit: None }),
            Value::Text(text) => Quantity::parse(text),
            _ => return self.unfit(wanted, ""),
        };
        let quantity = match quantity {
            Ok(quantity) => quantity,
            Err(error) => return self.unfit(wanted, &format!(", which {}", as_clause(&error))),
        };
        if quantity == (Quantity { number: 0.0, unit: None }) {
            return Some(0.0);
        }
        let bare = || self.reader.bare.get().unit(wanted.dimension);
        let Some(unit) = quantity.unit.or_else(bare) else {
            return self.unfit(wanted, ", which has no unit");
        };
        if unit.dimension != wanted.dimension {
            let of = |rate: fn(usize) -> Wanted| {
                unit.dimension == rate(3).dimension && [rate(1), rate(2)].contains(wanted)
            };
            let explain = if of(Wanted::contact_rate) {
                ": a rate per concentration belongs to a volume, and this space has none"
            } else if of(Wanted::creation_rate) {
                ": a concentration belongs to a volume, and this space has none"
            } else if self.meant_under_one_slash(wanted) {
                ": each unit under a slash needs one of its own, as in `/M/s`"
            } else {
                ""
            };
            let found = format!(", which is {}{explain}", unit.dimension.name());
            return self.unfit(wanted, &found);
        }
        let value = unit.to_internal(quantity.number);
        if !value.is_finite() {
            return self.unfit(wanted, ", which is not a finite number");
        }
        let [_, largest] = wanted.range(self.reader.longest.get());
        if value.abs() > largest {
            let most = wanted.in_example_unit(largest);
            return self.unfit(
                wanted,
                &format!(", which is beyond the range of such quantities, up to {most}"),
            );
        }
        Some(value)
    }

    /// Whether it would be right if all units behind the first slash were divided by: `1e7 /M s`.
    fn meant_under_one_slash(&self, wanted: &Wanted) -> bool {
        let Value::Text(text) = &self.node.value else { return false };
        let Some((before, after)) = text.split_once('/') else { return false };
        let after: Vec<_> = after.split_whitespace().collect();
        let meant = Quantity::parse(&format!("{before}/{}", after.join("/")));
        after.len() > 1
            && meant.is_ok_and(|q| q.unit.is_some_and(|unit| unit.dimension == wanted.dimension))
    }

    fn unfit<T>(&self, wanted: &Wanted, what: &str) -> Option<T> {
        self.fault(format!(
            "found {}{what}; {} is needed, for example \"{}\"",
            self.node.describe(),
            wanted.noun,
            wanted.example
        ));
        None
    }

    /// A quantity above zero.
    pub(crate) fn positive(&self) -> Option<f64> {
        self.positive_as(self.declared())
    }

    /// The same where the schema leaves the dimension open.
    pub(crate) fn positive_as(&self, wanted: &Wanted) -> Option<f64> {
        let value = self.quantity_as(wanted)?;
        if value > 0.0 {
            self.not_too_small(wanted, value)
        } else {
            self.unfit(wanted, ", which is not above zero")
        }
    }

    /// A quantity of zero or more.
    pub(crate) fn not_negative(&self) -> Option<f64> {
        self.not_negative_as(self.declared())
    }

    /// The same where the schema leaves the dimension open.
    pub(crate) fn not_negative_as(&self, wanted: &Wanted) -> Option<f64> {
        let value = self.quantity_as(wanted)?;
        if value >= 0.0 {
            self.not_too_small(wanted, value)
        } else {
            self.unfit(wanted, ", which is negative")
        }
    }

    /// A quantity that is zero, or not so small that its inverse is beyond all numbers.
    fn not_too_small(&self, wanted: &Wanted, value: f64) -> Option<f64> {
        let [least, _] = wanted.range(self.reader.longest.get());
        if value == 0.0 || value >= least {
            return Some(value);
        }
        let least = wanted.in_example_unit(least);
        self.unfit(
            wanted,
            &format!(", which is beyond the range of such quantities, from {least} on"),
        )
    }
}

/// The message of a unit error as the end of a sentence about the text.
fn as_clause(error: &UnitError) -> String {
    match error {
        UnitError::NoNumber => error.to_string(),
        _ => format!("cannot be read: {error}"),
    }
}
