//! Formulas of how many there are of something, and of the time: what rates can depend on.

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// How many there are of what is counted, by its place in a list.
    Count(u16),
    /// The time. \[s\]
    Time,
    /// What an operation makes of other formulas.
    Call(Operation, Vec<Formula>),
}

/// What is done with numbers. Of what is true or false, 0 is false, and the outcome is 0 or 1.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "most are what they are called")]
pub enum Operation {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Negative,
    Not,
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
    And,
    Or,
    /// The second number if the first is not 0, else the third.
    If,
    /// A function of one number, with its name.
    Function(&'static str, fn(f64) -> f64),
    Min,
    Max,
    Sum,
    Mean,
}

impl Formula {
    /// Its value for these counts and this time \[s\]; it need not be finite.
    pub fn value(&self, counts: &[f64], time: f64) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Count(n) => counts.get(usize::from(*n)).copied().unwrap_or(f64::NAN),
            Self::Time => time,
            Self::Call(operation, arguments) => {
                let values: Vec<f64> =
                    arguments.iter().map(|argument| argument.value(counts, time)).collect();
                operation.of(&values)
            }
        }
    }

    /// Whether it depends on the time.
    pub fn depends_on_time(&self) -> bool {
        match self {
            Self::Time => true,
            Self::Call(_, arguments) => arguments.iter().any(Self::depends_on_time),
            Self::Number(_) | Self::Count(_) => false,
        }
    }

    /// Whether it depends on count number `n`.
    pub fn depends_on(&self, n: u16) -> bool {
        match self {
            Self::Count(own) => *own == n,
            Self::Call(_, arguments) => arguments.iter().any(|argument| argument.depends_on(n)),
            Self::Number(_) | Self::Time => false,
        }
    }
}

impl PartialEq for Operation {
    /// Functions of one name are the same.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Function(one, _), Self::Function(two, _)) => one == two,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Operation {
    /// What it makes of these numbers, of which there are as many as it takes.
    pub fn of(self, values: &[f64]) -> f64 {
        let first = values.first().copied().unwrap_or(f64::NAN);
        let second = values.get(1).copied().unwrap_or(f64::NAN);
        let third = values.get(2).copied().unwrap_or(f64::NAN);
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match self {
            Self::Plus => first + second,
            Self::Minus => first - second,
            Self::Times => first * second,
            Self::Over => first / second,
            Self::Power => libm::pow(first, second),
            Self::Negative => -first,
            Self::Not => truth(first == 0.0),
            Self::Less => truth(first < second),
            Self::AtMost => truth(first <= second),
            Self::More => truth(first > second),
            Self::AtLeast => truth(first >= second),
            Self::Equal => truth(first == second),
            Self::Unequal => truth(first != second),
            Self::And => truth(first != 0.0 && second != 0.0),
            Self::Or => truth(first != 0.0 || second != 0.0),
            Self::If => {
                if first == 0.0 {
                    third
                } else {
                    second
                }
            }
            Self::Function(_, function) => function(first),
            Self::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Sum => values.iter().sum(),
            Self::Mean => values.iter().sum::<f64>() / values.len() as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_chosen_need_not_have_a_value() {
        let share = Formula::Call(Operation::Over, vec![Formula::Time, Formula::Count(1)]);
        let is_there =
            Formula::Call(Operation::More, vec![Formula::Count(1), Formula::Number(0.0)]);
        let chosen = Formula::Call(Operation::If, vec![is_there, share, Formula::Number(-1.0)]);
        assert_eq!(chosen.value(&[5.0, 2.0], 3.0), 1.5);
        assert_eq!(chosen.value(&[5.0, 0.0], 3.0), -1.0);
        assert!(chosen.depends_on(1) && !chosen.depends_on(0));
        assert!(Formula::Count(2).value(&[], 0.0).is_nan());
    }
}
