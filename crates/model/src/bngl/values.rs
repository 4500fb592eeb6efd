//! What the names of parameters and functions mean.

use std::collections::BTreeMap;

use super::Observable;
use super::expression::Expression;
use super::lines::{Slip, Spot};
use crate::nearest::nearest;
use jostle_core::formula::Formula;

/// Parameters that are defined by each other; no model has long chains of them.
const LONGEST_CHAIN: usize = 200;

/// Names in a formula when those that stand for formulas are written out.
const MOST_PARTS: usize = 10_000;

/// A name with its formula.
struct Meaning {
    expression: Expression,
    spot: Spot,
    /// Whether it is a function, which may depend on what is observed.
    is_function: bool,
    value: Option<Result<f64, Slip>>,
}

/// All names with their values.
#[derive(Default)]
pub(super) struct Values {
    meanings: BTreeMap<String, Meaning>,
    observables: Vec<String>,
    /// Functions with arguments.
    local: Vec<String>,
}

impl Values {
    /// Defines a name by its formula, or by what is wrong with that.
    pub(super) fn define(
        &mut self,
        name: &str,
        formula: Result<Expression, Slip>,
        spot: Spot,
        is_function: bool,
    ) -> Result<(), Slip> {
        if let Some(before) = self.meanings.get(name) {
            return Err(Slip::new(
                spot,
                format!("`{name}` has already been defined in line {}", before.spot.line),
            ));
        }
        let (expression, value) = match formula {
            Ok(expression) => (expression, None),
            Err(slip) => (Expression::Number(f64::NAN), Some(Err(slip))),
        };
        let meaning = Meaning { expression, spot, is_function, value };
        self.meanings.insert(name.to_owned(), meaning);
        Ok(())
    }

    /// Gives a parameter another value; false if there is no such parameter.
    pub(super) fn set(&mut self, name: &str, expression: Expression) -> bool {
        let Some(meaning) = self.meanings.get_mut(name).filter(|meaning| !meaning.is_function)
        else {
            return false;
        };
        meaning.expression = expression;
        // All others may depend on it, and what has no formula stays without a value.
        let faulty = |value: &Option<Result<f64, Slip>>| matches!(value, Some(Err(_)));
        for meaning in self.meanings.values_mut().filter(|meaning| !faulty(&meaning.value)) {
            meaning.value = None;
        }
        true
    }

    /// Gives a parameter a value, whether it has one or not; false if the name is that of a function.
    pub(super) fn give(&mut self, name: &str, value: f64) -> bool {
        if let Some(meaning) = self.meanings.get_mut(name) {
            // What was wrong with its formula is of no account.
            meaning.value = None;
        }
        let number = Expression::Number(value);
        self.set(name, number.clone())
            || self.define(name, Ok(number), Spot::default(), false).is_ok()
    }

    /// A name that stands for what is counted during a run.
    pub(super) fn observe(&mut self, name: &str) {
        self.observables.push(name.to_owned());
    }

    /// A function with arguments, which cannot be a constant.
    pub(super) fn local(&mut self, name: &str) {
        self.local.push(name.to_owned());
    }

    /// The value of a formula. What is wrong with a parameter is told where that is defined, and with
    /// a function where it is used.
    pub(super) fn of(&mut self, expression: &Expression) -> Result<f64, Slip> {
        expression.value(&mut |name, spot| {
            self.named(name, spot, LONGEST_CHAIN).map_err(|slip| self.as_asked(name, spot, slip))
        })
    }

    /// What a formula comes to during a run: a function of what is observed, by its place among
    /// `observables`, and of the time. What is constant in it is a number.
    pub(super) fn law(
        &mut self,
        expression: &Expression,
        observables: &[Observable],
    ) -> Result<Formula, Slip> {
        let mut left = MOST_PARTS;
        self.law_of(expression, observables, LONGEST_CHAIN, &mut left)
    }

    fn law_of(
        &mut self,
        expression: &Expression,
        observables: &[Observable],
        chain: usize,
        left: &mut usize,
    ) -> Result<Formula, Slip> {
        expression.formula(&mut |name, spot| {
            let slip = |text: String| Slip::new(spot, text);
            *left = left.checked_sub(1).ok_or_else(|| {
                slip(format!("this formula has more than {MOST_PARTS} names when it is written out"))
            })?;
            let Some(meaning) = self.meanings.get(name) else {
                if let Some(at) = observables.iter().position(|known| known.name == name) {
                    return Ok(Formula::Count(at as u16));
                }
                if self.observables.iter().any(|known| known == name) {
                    return Err(slip(format!(
                        "`{name}` is an observable that is left out, so that nothing can depend on it"
                    )));
                }
                if name == "time" || name == "t" {
                    return Ok(Formula::Time);
                }
                return Err(slip(self.unknown(name)));
            };
            let expression = meaning.expression.clone();
            let of_itself = match self.named(name, spot, LONGEST_CHAIN) {
                Ok(value) => return Ok(Formula::Number(value)),
                Err(slip) => slip,
            };
            // What has no formula, or depends on itself, varies with nothing.
            let is_formula = !matches!(expression, Expression::Number(_));
            match chain.checked_sub(1).filter(|_| is_formula) {
                Some(chain) => self.law_of(&expression, observables, chain, left),
                None => Err(self.as_asked(name, spot, of_itself)),
            }
        })
    }

    fn as_asked(&self, name: &str, spot: Spot, slip: Slip) -> Slip {
        if !self.meanings.get(name).is_some_and(|meaning| meaning.is_function) {
            return slip;
        }
        let text = format!("`{name}` has no value: in line {}, {}", slip.spot.line, slip.message);
        Slip::new(spot, text)
    }

    fn named(&mut self, name: &str, spot: Spot, chain: usize) -> Result<f64, Slip> {
        let Some(meaning) = self.meanings.get_mut(name) else {
            return Err(Slip::new(spot, self.unknown(name)));
        };
        if let Some(value) = &meaning.value {
            return value.clone();
        }
        let Some(chain) = chain.checked_sub(1) else {
            return Err(Slip::new(spot, format!("`{name}` ends a chain of {LONGEST_CHAIN} names")));
        };
        // A parameter that is asked for while it is being evaluated depends on itself.
        let circle = Slip::new(meaning.spot, format!("`{name}` depends on itself"));
        meaning.value = Some(Err(circle));
        let expression = meaning.expression.clone();
        let value = expression.value(&mut |name, spot| self.named(name, spot, chain));
        if let Some(meaning) = self.meanings.get_mut(name) {
            meaning.value = Some(value.clone());
        }
        value
    }

    fn unknown(&self, name: &str) -> String {
        if self.observables.iter().any(|known| known == name) {
            return format!(
                "`{name}` is an observable: only rates can depend on it, and only functions can stand for it there"
            );
        }
        if self.local.iter().any(|known| known == name) {
            return format!(
                "`{name}` is a function with arguments, which depends on the molecules that react: rates are constants; \
                 write a rule for each case"
            );
        }
        if name == "time" || name == "t" {
            return "only rates can depend on the time".to_owned();
        }
        if name.ends_with("__FREE") {
            return format!(
                "`{name}` is a number that PyBNF fits: give the value that it found in the geometry file, `parameters = \
                 {{ {name} = 1 }}`"
            );
        }
        let hint = nearest(name, self.meanings.keys().map(String::as_str));
        let hint = hint.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("there is no parameter `{name}`{hint}")
    }

    /// All parameters with their values, and what is wrong with some, each once. Of functions that
    /// are no constants nothing is said unless a rule uses them.
    pub(super) fn all(&mut self) -> (Vec<(String, f64)>, Vec<Slip>) {
        let names: Vec<String> = self.meanings.keys().cloned().collect();
        let (mut values, mut slips) = (Vec::new(), Vec::new());
        for name in names {
            // Asked from nowhere, so that the slip below is that of the formula itself.
            let _ = self.named(&name, Spot::default(), LONGEST_CHAIN);
            let Some(meaning) = self.meanings.get(&name) else { continue };
            match &meaning.value {
                Some(Ok(value)) if !meaning.is_function => values.push((name, *value)),
                Some(Err(slip)) if !meaning.is_function => slips.push(slip.clone()),
                _ => {}
            }
        }
        (values, slips)
    }
}
