//! Rates as they are written behind a rule: numbers, functions of what is observed and of the time, and
//! the laws that BioNetGen has names for.

use super::expression::Expression;
use super::lines::{Cursor, Slip, Spot};
use super::values::Values;
use super::{Network, Observable};
use crate::notation::Molecule;
use jostle_core::formula::{Formula, Operation};

/// A rate as it is written.
#[derive(Clone, Debug)]
pub(super) struct WrittenRate {
    kind: LawKind,
    arguments: Vec<Expression>,
    pub(super) text: String,
    spot: Spot,
}

/// What the numbers of a rate mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LawKind {
    /// The rate constant of each way in which the reactants fit.
    Elementary,
    /// `Sat(k, K, ..)`: each reactant with a K saturates.
    Saturating,
    /// `MM(k, K)`: an enzyme that is not rare, in the quasi-steady state.
    QuasiSteady,
    /// `Hill(k, K, n)`
    Hill,
}

/// The laws by their names, with how many numbers they have at least and at most.
const NAMED: [(&str, LawKind, [usize; 2]); 3] = [
    ("Sat", LawKind::Saturating, [1, 3]),
    ("MM", LawKind::QuasiSteady, [2, 2]),
    ("Hill", LawKind::Hill, [3, 3]),
];

/// Reads a rate.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<WrittenRate, Slip> {
    cursor.skip_spaces();
    let (spot, before) = (cursor.spot(), cursor.rest());
    let mut ahead = *cursor;
    let word = ahead.name().unwrap_or_default();
    let named = NAMED.iter().find(|(name, ..)| *name == word && ahead.rest().starts_with('('));
    let (kind, arguments) = match named {
        None => (LawKind::Elementary, vec![Expression::read(cursor)?]),
        Some((name, kind, [least, most])) => {
            ahead.takes("(");
            let mut arguments = vec![Expression::read(&mut ahead)?];
            while ahead.takes(",") {
                arguments.push(Expression::read(&mut ahead)?);
            }
            if !ahead.takes(")") {
                return Err(ahead.slip("a `)` is missing"));
            }
            if !(*least..=*most).contains(&arguments.len()) {
                let count = match least == most {
                    true => most.to_string(),
                    false => format!("{least} to {most}"),
                };
                return Err(Slip::new(spot, format!("`{name}` takes {count} numbers")));
            }
            *cursor = ahead;
            (*kind, arguments)
        }
    };
    let text = before[..before.len() - cursor.rest().len()].trim().to_owned();
    Ok(WrittenRate { kind, arguments, text, spot })
}

impl WrittenRate {
    /// The rate constant of each way in which the reactants fit, and by what it is multiplied if that
    /// changes. `is_total` means that the rate is of the rule as a whole; `volume` is the size of the
    /// compartment in which it happens.
    pub(super) fn resolve(
        &self,
        values: &mut Values,
        network: &mut Network,
        from: &[Vec<Molecule>],
        is_total: bool,
        volume: f64,
    ) -> Result<(f64, Option<Formula>), Slip> {
        let size = volume.powi(1 - from.len() as i32);
        let constant = match self.arguments.as_slice() {
            [one] if self.kind == LawKind::Elementary && (!is_total || from.is_empty()) => {
                Some(values.of(one))
            }
            _ => None,
        };
        if let Some(Ok(rate)) = constant {
            let rate = rate * size;
            if rate < 0.0 {
                let text = format!("the rate constant is {rate}, which is negative");
                return Err(Slip::new(self.spot, text));
            }
            return Ok((rate, None));
        }
        let mut numbers = Vec::new();
        for expression in &self.arguments {
            numbers.push(values.law(expression, &network.observables)?);
        }
        if let (Some(Err(slip)), [law]) = (constant, numbers.as_slice())
            && !(0..network.observables.len()).any(|n| law.depends_on(n as u16))
            && !law.depends_on_time()
        {
            return Err(slip);
        }
        Ok((size, Some(self.law(numbers, network, from, is_total)?)))
    }

    /// The rate of each way in which the reactants fit as a formula, if the written numbers come to
    /// these formulas. `is_total` means that they are of the rule as a whole.
    fn law(
        &self,
        numbers: Vec<Formula>,
        network: &mut Network,
        from: &[Vec<Molecule>],
        is_total: bool,
    ) -> Result<Formula, Slip> {
        use Operation::{Minus, Over, Plus, Power, Times};
        let slip = |text: &str| Slip::new(self.spot, text);
        let mut counts = Vec::new();
        if is_total || self.kind != LawKind::Elementary {
            counts.extend(from.iter().map(|pattern| count_of(network, pattern)));
        }
        let mut numbers = numbers.into_iter();
        let k = numbers.next().unwrap_or(Formula::Number(f64::NAN));
        let law = match self.kind {
            LawKind::Elementary => k,
            LawKind::Saturating => {
                let mut law = k;
                for (n, half) in numbers.enumerate() {
                    let Some(count) = counts.get(n) else {
                        return Err(slip("`Sat` has more constants than the rule has reactants"));
                    };
                    law = call(Over, [law, call(Plus, [half, count.clone()])]);
                }
                law
            }
            LawKind::QuasiSteady => {
                let (Some(half), [substrate, enzyme]) = (numbers.next(), counts.as_slice()) else {
                    return Err(slip("`MM` is for a substrate and an enzyme"));
                };
                let rest =
                    call(Minus, [call(Minus, [substrate.clone(), half.clone()]), enzyme.clone()]);
                let square = call(Times, [rest.clone(), rest.clone()]);
                let bound = call(
                    Times,
                    [call(Times, [Formula::Number(4.0), half.clone()]), substrate.clone()],
                );
                let root = Formula::Call(
                    Operation::Function("sqrt", libm::sqrt),
                    vec![call(Plus, [square, bound])],
                );
                let free = call(Times, [Formula::Number(0.5), call(Plus, [rest, root])]);
                let share = call(Over, [free.clone(), call(Plus, [half, free])]);
                each(call(Times, [k, share]), &counts[..1])
            }
            LawKind::Hill => {
                let (Some(half), Some(power), Some(count)) =
                    (numbers.next(), numbers.next(), counts.first())
                else {
                    return Err(slip("`Hill` needs a reactant"));
                };
                let high = call(Power, [count.clone(), power.clone()]);
                let low = call(Power, [half, power]);
                let share = call(Over, [high.clone(), call(Plus, [low, high])]);
                each(call(Times, [k, share]), &counts[..1])
            }
        };
        if !is_total {
            return Ok(law);
        }
        if let [first, second] = from
            && first == second
        {
            return Err(slip(
                "a rate of the rule as a whole (TotalRate) is not possible for two of one pattern: write the rate of each pair",
            ));
        }
        Ok(each(law, &counts))
    }
}

/// What rates of a rule as a whole are for each of its reactants; 0 where there are none.
fn each(law: Formula, counts: &[Formula]) -> Formula {
    let zero = Formula::Number(0.0);
    counts.iter().fold(law, |law, count| {
        let is_there = call(Operation::More, [count.clone(), zero.clone()]);
        let share = call(Operation::Over, [law, count.clone()]);
        Formula::Call(Operation::If, vec![is_there, share, zero.clone()])
    })
}

fn call(operation: Operation, [a, b]: [Formula; 2]) -> Formula {
    Formula::Call(operation, vec![a, b])
}

/// How often a pattern fits, as an observable.
fn count_of(network: &mut Network, pattern: &[Molecule]) -> Formula {
    let is_it =
        |known: &Observable| !known.of_species && known.patterns.as_slice() == [pattern.to_vec()];
    let known = network.observables.iter().position(is_it);
    let at = known.unwrap_or_else(|| {
        let is_taken = |name: &str| network.observables.iter().any(|known| known.name == name);
        let mut numbered = (1..).map(|n| format!("reactant_{n}"));
        let name = numbered.find(|name| !is_taken(name)).unwrap_or_default();
        let patterns = vec![pattern.to_vec()];
        network.observables.push(Observable { name, of_species: false, patterns });
        network.observables.len() - 1
    });
    Formula::Count(at as u16)
}

/// A formula as it is written in a model file, in which the time is in seconds and `names` are those of
/// what is observed. The unit of time is that of the BNGL file, in seconds.
pub(super) fn written(law: &Formula, names: &[&str], unit: f64) -> String {
    text(law, names, unit, 0)
}

/// The operations with two operands, as they are written, and how closely they bind.
fn sign(operation: Operation) -> Option<(&'static str, u8)> {
    Some(match operation {
        Operation::And => ("&&", 1),
        Operation::Or => ("||", 1),
        Operation::Less => ("<", 2),
        Operation::AtMost => ("<=", 2),
        Operation::More => (">", 2),
        Operation::AtLeast => (">=", 2),
        Operation::Equal => ("==", 2),
        Operation::Unequal => ("!=", 2),
        Operation::Plus => ("+", 3),
        Operation::Minus => ("-", 3),
        Operation::Times => ("*", 4),
        Operation::Over => ("/", 4),
        Operation::Power => ("^", 5),
        _ => return None,
    })
}

/// How closely a sign before its operand binds, and what stands alone.
const SIGNED: u8 = 6;

/// Within something that binds as closely as `around`.
fn text(law: &Formula, names: &[&str], unit: f64, around: u8) -> String {
    let (found, own) = match law {
        Formula::Number(number) => {
            (super::rates::number(*number), if *number < 0.0 { SIGNED } else { SIGNED + 1 })
        }
        Formula::Count(n) => {
            (names.get(usize::from(*n)).copied().unwrap_or_default().to_owned(), SIGNED + 1)
        }
        Formula::Time if unit == 1.0 => ("time".to_owned(), SIGNED + 1),
        Formula::Time => (format!("time/{}", super::rates::number(unit)), 4),
        Formula::Call(operation, arguments) => match (sign(*operation), arguments.as_slice()) {
            (Some((sign, own)), [a, b]) => {
                let [a, b] = [(a, own), (b, own + 1)].map(|(x, own)| text(x, names, unit, own));
                let space = if own < 4 { " " } else { "" };
                (format!("{a}{space}{sign}{space}{b}"), own)
            }
            (_, [a]) if matches!(operation, Operation::Negative | Operation::Not) => {
                let sign = if matches!(operation, Operation::Not) { "!" } else { "-" };
                (format!("{sign}{}", text(a, names, unit, SIGNED)), SIGNED)
            }
            _ => {
                let name = match operation {
                    Operation::If => "if",
                    Operation::Min => "min",
                    Operation::Max => "max",
                    Operation::Sum => "sum",
                    Operation::Mean => "avg",
                    Operation::Function(name, _) => name,
                    _ => "",
                };
                let all: Vec<String> =
                    arguments.iter().map(|argument| text(argument, names, unit, 0)).collect();
                (format!("{name}({})", all.join(", ")), SIGNED + 1)
            }
        },
    };
    if own < around { format!("({found})") } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bngl::formula_of;

    #[test]
    fn formulas_are_written_as_they_are_read() {
        let names = ["P", "Q"];
        let meaning = |name: &str| match name {
            "P" => Ok(Formula::Count(0)),
            "Q" => Ok(Formula::Count(1)),
            "time" => Ok(Formula::Time),
            other => Err(other.to_owned()),
        };
        for (found, expected) in [
            ("1/(1+P/100)", "1/(1 + P/100)"),
            ("(P+Q)*2-(3-Q)", "(P + Q)*2 - (3 - Q)"),
            ("P-(Q-1)-2", "P - (Q - 1) - 2"),
            ("2^P^2", "2^P^2"),
            ("2^(P^2)", "2^(P^2)"),
            ("-P^2", "-P^2"),
            ("-(P+1)", "-(P + 1)"),
            ("if(P>3&&!(Q<1),2*3,exp(-time))", "if(P > 3 && !(Q < 1), 6, exp(-time))"),
            ("min(P,Q,2+3)/max(1,P)", "min(P, Q, 5)/max(1, P)"),
            ("P*-2", "P*-2"),
            ("P/(Q/2)", "P/(Q/2)"),
        ] {
            let formula = formula_of(found, meaning).unwrap();
            assert_eq!(written(&formula, &names, 1.0), expected, "{found}");
            assert_eq!(formula_of(expected, meaning).unwrap(), formula, "{found}");
        }
        let minutes = formula_of("exp(-2*time)", meaning).unwrap();
        assert_eq!(written(&minutes, &names, 60.0), "exp(-2*(time/60))");
    }
}
