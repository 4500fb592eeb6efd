//! Arithmetic of parameters, as BNGL writes it.

use super::lines::{Cursor, Slip, Spot};

/// Brackets and signs within each other; no formula has more than a few.
const DEEPEST: usize = 100;

/// A formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(f64),
    /// A parameter, an observable, or a function without arguments.
    Name(String, Spot),
    Call(Operation, Vec<Expression>, Spot),
}

/// What is done with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Negative,
    Exp,
    Ln,
    Log10,
    Log2,
    Sqrt,
    Abs,
    Min,
    Max,
}

/// The functions, with how many arguments they have.
const FUNCTIONS: [(&str, Operation, [usize; 2]); 8] = [
    ("exp", Operation::Exp, [1, 1]),
    ("ln", Operation::Ln, [1, 1]),
    ("log10", Operation::Log10, [1, 1]),
    ("log2", Operation::Log2, [1, 1]),
    ("sqrt", Operation::Sqrt, [1, 1]),
    ("abs", Operation::Abs, [1, 1]),
    ("min", Operation::Min, [1, usize::MAX]),
    ("max", Operation::Max, [1, usize::MAX]),
];

/// Laws that take the place of a rate constant.
const LAWS: [&str; 6] = ["Sat", "MM", "Hill", "Arrhenius", "FunctionProduct", "functionProduct"];

impl Expression {
    /// Reads as much as belongs to one formula.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Slip> {
        sum(cursor, DEEPEST)
    }

    /// Its value, names meaning what `meaning` says.
    pub(super) fn value(
        &self,
        meaning: &mut impl FnMut(&str, Spot) -> Result<f64, Slip>,
    ) -> Result<f64, Slip> {
        let (operation, arguments, spot) = match self {
            Self::Number(number) => return Ok(*number),
            Self::Name(name, spot) => return meaning(name, *spot),
            Self::Call(operation, arguments, spot) => (*operation, arguments, *spot),
        };
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(argument.value(meaning)?);
        }
        let value = operation.of(&values);
        if value.is_finite() {
            return Ok(value);
        }
        Err(Slip::new(spot, format!("this comes to {value}, and a finite number is needed")))
    }
}

impl Operation {
    fn of(self, values: &[f64]) -> f64 {
        let first = values.first().copied().unwrap_or(f64::NAN);
        let second = values.get(1).copied().unwrap_or(f64::NAN);
        match self {
            Self::Plus => first + second,
            Self::Minus => first - second,
            Self::Times => first * second,
            Self::Over => first / second,
            Self::Power => libm::pow(first, second),
            Self::Negative => -first,
            Self::Exp => libm::exp(first),
            Self::Ln => libm::log(first),
            Self::Log10 => libm::log10(first),
            Self::Log2 => libm::log2(first),
            Self::Sqrt => first.sqrt(),
            Self::Abs => first.abs(),
            Self::Min => values.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Max => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

fn pair(operation: Operation, spot: Spot, a: Expression, b: Expression) -> Expression {
    Expression::Call(operation, vec![a, b], spot)
}

fn sum(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    let mut left = product(cursor, levels)?;
    loop {
        cursor.skip_spaces();
        let spot = cursor.spot();
        let operation = match cursor.rest().chars().next() {
            Some('+') => Operation::Plus,
            Some('-') => Operation::Minus,
            Some('<' | '>' | '=' | '&' | '|' | '!') => {
                return Err(cursor.slip(
                    "conditions are no part of a constant: write the number that the rate has, or a rule for each \
                     case",
                ));
            }
            _ => return Ok(left),
        };
        cursor.advance(1);
        left = pair(operation, spot, left, product(cursor, levels)?);
    }
}

fn product(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    let mut left = signed(cursor, levels)?;
    loop {
        cursor.skip_spaces();
        let spot = cursor.spot();
        let operation = match cursor.rest().chars().next() {
            Some('*') => Operation::Times,
            Some('/') => Operation::Over,
            _ => return Ok(left),
        };
        cursor.advance(1);
        left = pair(operation, spot, left, signed(cursor, levels)?);
    }
}

/// A sign binds less closely than a power: -2^2 is -4.
fn signed(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    let levels = fewer(cursor, levels)?;
    cursor.skip_spaces();
    let spot = cursor.spot();
    if cursor.takes("-") {
        let operand = signed(cursor, levels)?;
        return Ok(Expression::Call(Operation::Negative, vec![operand], spot));
    }
    if cursor.takes("+") {
        return signed(cursor, levels);
    }
    let base = atom(cursor, levels)?;
    let spot = cursor.spot();
    if cursor.takes("**") || cursor.takes("^") {
        return Ok(pair(Operation::Power, spot, base, signed(cursor, levels)?));
    }
    Ok(base)
}

fn atom(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    cursor.skip_spaces();
    if let Some(number) = number(cursor) {
        return number;
    }
    if cursor.takes("(") {
        let inner = sum(cursor, levels)?;
        if !cursor.takes(")") {
            return Err(cursor.slip("a `)` is missing"));
        }
        return Ok(inner);
    }
    let spot = cursor.spot();
    let Some(name) = cursor.name() else {
        return Err(cursor.slip(format!("found {} where a number is needed", cursor.shown())));
    };
    let mut ahead = *cursor;
    if !ahead.rest().starts_with('(') {
        return Ok(match name {
            "_pi" => Expression::Number(std::f64::consts::PI),
            "_e" => Expression::Number(std::f64::consts::E),
            _ => Expression::Name(name.to_owned(), spot),
        });
    }
    if LAWS.contains(&name) {
        return Err(Slip::new(
            spot,
            format!(
                "`{name}` is a rate law for a well-mixed cell: write its steps (binding, unbinding, conversion) as \
                 rules of their own, with rate constants"
            ),
        ));
    }
    ahead.takes("(");
    if ahead.takes(")") {
        *cursor = ahead;
        return Ok(Expression::Name(name.to_owned(), spot));
    }
    let Some((_, operation, [least, most])) = FUNCTIONS.iter().find(|(known, ..)| *known == name)
    else {
        let known: Vec<_> = FUNCTIONS.iter().map(|(known, ..)| *known).collect();
        return Err(Slip::new(
            spot,
            format!("`{name}` with arguments is not known here; known are {}", known.join(", ")),
        ));
    };
    let mut arguments = vec![sum(&mut ahead, levels)?];
    while ahead.takes(",") {
        arguments.push(sum(&mut ahead, levels)?);
    }
    if !ahead.takes(")") {
        return Err(ahead.slip("a `)` is missing"));
    }
    if !(*least..=*most).contains(&arguments.len()) {
        return Err(Slip::new(spot, format!("`{name}` takes one number")));
    }
    *cursor = ahead;
    Ok(Expression::Call(*operation, arguments, spot))
}

/// A number, if one comes next: `2`, `.5`, `1.5e-3`.
fn number(cursor: &mut Cursor<'_>) -> Option<Result<Expression, Slip>> {
    let text = cursor.rest();
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let mut length = digits(text);
    let mut count = length;
    if text[length..].starts_with('.') {
        let after = digits(&text[length + 1..]);
        count += after;
        length += 1 + after;
    }
    if count == 0 {
        return None;
    }
    if let Some(power) = text[length..].strip_prefix(['e', 'E']) {
        let sign = usize::from(power.starts_with(['+', '-']));
        let after = digits(&power[sign..]);
        if after > 0 {
            length += 1 + sign + after;
        }
    }
    let slip = |message: String| Some(Err(cursor.slip(message)));
    let shown = &text[..length];
    if text[length..].starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return slip(format!("\"{shown}\" and what follows it are no number"));
    }
    match shown.parse::<f64>() {
        Ok(number) if number.is_finite() => {
            cursor.advance(length);
            Some(Ok(Expression::Number(number)))
        }
        _ => slip(format!("\"{shown}\" is too large a number")),
    }
}

fn fewer(cursor: &Cursor<'_>, levels: usize) -> Result<usize, Slip> {
    levels.checked_sub(1).ok_or_else(|| {
        cursor.slip(format!("there are more than {DEEPEST} brackets and signs within each other"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::lines::statements;
    use super::*;

    fn value(text: &str) -> Result<f64, Slip> {
        let found = statements(text);
        let mut cursor = found[0].cursor();
        let expression = Expression::read(&mut cursor)?;
        cursor.expect_end()?;
        expression.value(&mut |name, spot| match name {
            "k" => Ok(2.0),
            _ => Err(Slip::new(spot, format!("no {name}"))),
        })
    }

    #[test]
    fn formulas_mean_what_they_mean_in_bngl() {
        for (text, expected) in [
            ("1+2*3", 7.0),
            ("8/4/2", 1.0),
            ("7-4-2", 1.0),
            ("-2^2", -4.0),
            ("2^-1", 0.5),
            ("2^3^2", 512.0),
            ("2**3", 8.0),
            ("(1+k)*1.5e1", 45.0),
            (".5e+1 - -1.", 6.0),
            ("k()*1E-2", 0.02),
            ("exp(0)+ln(_e)+log10(100)+log2(8)", 7.0),
            ("sqrt(16)+abs(-1)+min(3,1,2)+max(1,4)", 10.0),
        ] {
            let found = value(text).unwrap();
            assert!((found - expected).abs() < 1e-12, "{text}: {found}");
        }
    }

    #[test]
    fn what_is_no_formula_is_refused_where_it_goes_wrong() {
        let deep = "(".repeat(5000);
        let minus = "-".repeat(5000);
        for (text, column, said) in [
            ("1 +", 4, "found the end of the line"),
            ("2 * x", 5, "no x"),
            ("1/0", 2, "this comes to inf"),
            ("ln(-1)", 1, "this comes to NaN"),
            ("(1", 3, "a `)` is missing"),
            ("1e999", 1, "too large"),
            ("3kp", 1, "\"3\" and what follows it are no number"),
            ("Sat(k,2)", 1, "`Sat` is a rate law"),
            ("time(1)", 1, "`time` with arguments is not known"),
            ("ln(1,2)", 1, "`ln` takes one number"),
            ("if(1,2,3)", 1, "not known here"),
            ("1 > 2", 3, "conditions are no part"),
            (deep.as_str(), 101, "more than 100"),
            (minus.as_str(), 101, "more than 100"),
        ] {
            let slip = value(text).unwrap_err();
            assert!(slip.message.contains(said), "{text}: {}", slip.message);
            assert_eq!(slip.spot.column, column, "{text}");
        }
    }
}
