//! Arithmetic of parameters, as BNGL writes it.

use super::lines::{Cursor, Slip, Spot, statements};
use jostle_core::formula::{Formula, Operation};

/// Brackets and signs within each other; no formula has more than a few.
const DEEPEST: usize = 100;

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(f64),
    /// A parameter, an observable, or a function without arguments.
    Name(String, Spot),
    Call(Operation, Vec<Expression>, Spot),
}

/// The functions, with how many arguments they have at least and at most.
const FUNCTIONS: [(&str, Operation, [usize; 2]); 24] = [
    ("exp", Operation::Function("exp", libm::exp), [1, 1]),
    ("ln", Operation::Function("ln", libm::log), [1, 1]),
    ("log10", Operation::Function("log10", libm::log10), [1, 1]),
    ("log2", Operation::Function("log2", libm::log2), [1, 1]),
    ("sqrt", Operation::Function("sqrt", libm::sqrt), [1, 1]),
    ("abs", Operation::Function("abs", libm::fabs), [1, 1]),
    ("rint", Operation::Function("rint", nearest_whole), [1, 1]),
    ("sin", Operation::Function("sin", libm::sin), [1, 1]),
    ("cos", Operation::Function("cos", libm::cos), [1, 1]),
    ("tan", Operation::Function("tan", libm::tan), [1, 1]),
    ("asin", Operation::Function("asin", libm::asin), [1, 1]),
    ("acos", Operation::Function("acos", libm::acos), [1, 1]),
    ("atan", Operation::Function("atan", libm::atan), [1, 1]),
    ("sinh", Operation::Function("sinh", libm::sinh), [1, 1]),
    ("cosh", Operation::Function("cosh", libm::cosh), [1, 1]),
    ("tanh", Operation::Function("tanh", libm::tanh), [1, 1]),
    ("asinh", Operation::Function("asinh", libm::asinh), [1, 1]),
    ("acosh", Operation::Function("acosh", libm::acosh), [1, 1]),
    ("atanh", Operation::Function("atanh", libm::atanh), [1, 1]),
    ("if", Operation::If, [3, 3]),
    ("min", Operation::Min, [1, usize::MAX]),
    ("max", Operation::Max, [1, usize::MAX]),
    ("sum", Operation::Sum, [1, usize::MAX]),
    ("avg", Operation::Mean, [1, usize::MAX]),
];

/// Halves upwards, as in BioNetGen.
fn nearest_whole(value: f64) -> f64 {
    (value + 0.5).floor()
}

/// Laws that take the place of a rate constant.
const LAWS: [&str; 6] = ["Sat", "MM", "Hill", "Arrhenius", "FunctionProduct", "functionProduct"];

impl Expression {
    /// Reads as much as belongs to one formula.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Slip> {
        choice(cursor, DEEPEST)
    }

    /// What it comes to where names may stand for what changes during a run. What is constant in it is
    /// worked out.
    pub(super) fn formula(
        &self,
        meaning: &mut impl FnMut(&str, Spot) -> Result<Formula, Slip>,
    ) -> Result<Formula, Slip> {
        let (operation, arguments) = match self {
            Self::Number(number) => return Ok(Formula::Number(*number)),
            Self::Name(name, spot) => return meaning(name, *spot),
            Self::Call(operation, arguments, _) => (*operation, arguments),
        };
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(argument.formula(meaning)?);
        }
        let number = |value: &Formula| match value {
            Formula::Number(number) => Some(*number),
            _ => None,
        };
        if let (Operation::If, [condition, then, otherwise]) = (operation, values.as_slice())
            && let Some(condition) = number(condition)
        {
            return Ok(if condition == 0.0 { otherwise.clone() } else { then.clone() });
        }
        let numbers: Option<Vec<f64>> = values.iter().map(number).collect();
        let constant = numbers.map(|numbers| operation.of(&numbers));
        Ok(match constant.filter(|value| value.is_finite()) {
            Some(value) => Formula::Number(value),
            None => Formula::Call(operation, values),
        })
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
        if let (Operation::If, [condition, then, otherwise]) = (operation, arguments.as_slice()) {
            // What is not chosen need not have a value.
            let chosen = if condition.value(meaning)? == 0.0 { otherwise } else { then };
            return chosen.value(meaning);
        }
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

fn pair(operation: Operation, spot: Spot, a: Expression, b: Expression) -> Expression {
    Expression::Call(operation, vec![a, b], spot)
}

/// Reads parts between signs, which are joined from left to right.
fn joined(
    cursor: &mut Cursor<'_>,
    levels: usize,
    part: fn(&mut Cursor<'_>, usize) -> Result<Expression, Slip>,
    signs: &[(&str, Operation)],
) -> Result<Expression, Slip> {
    let mut left = part(cursor, levels)?;
    loop {
        cursor.skip_spaces();
        let spot = cursor.spot();
        let Some((_, operation)) = signs.iter().find(|(sign, _)| cursor.takes(sign)) else {
            return Ok(left);
        };
        left = pair(*operation, spot, left, part(cursor, levels)?);
    }
}

fn choice(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    joined(cursor, levels, comparison, &[("&&", Operation::And), ("||", Operation::Or)])
}

fn comparison(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    const SIGNS: [(&str, Operation); 7] = [
        ("<=", Operation::AtMost),
        (">=", Operation::AtLeast),
        ("<", Operation::Less),
        (">", Operation::More),
        ("==", Operation::Equal),
        ("!=", Operation::Unequal),
        ("~=", Operation::Unequal),
    ];
    joined(cursor, levels, sum, &SIGNS)
}

fn sum(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    joined(cursor, levels, product, &[("+", Operation::Plus), ("-", Operation::Minus)])
}

fn product(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    joined(cursor, levels, power, &[("*", Operation::Times), ("/", Operation::Over)])
}

/// Powers are joined from left to right in BioNetGen: 2^3^2 is 64.
fn power(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    joined(cursor, levels, signed, &[("**", Operation::Power), ("^", Operation::Power)])
}

/// A sign binds more closely than a power, as in BioNetGen: -2^2 is 4.
fn signed(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    let levels = fewer(cursor, levels)?;
    cursor.skip_spaces();
    let spot = cursor.spot();
    if cursor.takes("+") {
        return signed(cursor, levels);
    }
    for (sign, operation) in
        [("-", Operation::Negative), ("!", Operation::Not), ("~", Operation::Not)]
    {
        if cursor.takes(sign) {
            let operand = signed(cursor, levels)?;
            return Ok(Expression::Call(operation, vec![operand], spot));
        }
    }
    atom(cursor, levels)
}

fn atom(cursor: &mut Cursor<'_>, levels: usize) -> Result<Expression, Slip> {
    cursor.skip_spaces();
    if let Some(number) = number(cursor) {
        return number;
    }
    if cursor.takes("(") {
        let inner = choice(cursor, levels)?;
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
    let mut arguments = vec![choice(&mut ahead, levels)?];
    while ahead.takes(",") {
        arguments.push(choice(&mut ahead, levels)?);
    }
    if !ahead.takes(")") {
        return Err(ahead.slip("a `)` is missing"));
    }
    if !(*least..=*most).contains(&arguments.len()) {
        let count = ["one number", "three numbers"][usize::from(*least == 3)];
        return Err(Slip::new(spot, format!("`{name}` takes {count}")));
    }
    *cursor = ahead;
    Ok(Expression::Call(*operation, arguments, spot))
}

/// A formula that is all of a text, in which `meaning` says what names stand for.
///
/// # Errors
/// What is wrong with it, with the column.
pub(crate) fn formula_of(
    text: &str,
    meaning: impl Fn(&str) -> Result<Formula, String>,
) -> Result<Formula, String> {
    let lines = statements(text);
    let [line] = lines.as_slice() else {
        return Err("a formula is needed, for example \"1/(1 + P/100)\"".to_owned());
    };
    let mut cursor = line.cursor();
    let found = Expression::read(&mut cursor).and_then(|found| {
        cursor.expect_end()?;
        found.formula(&mut |name, spot| meaning(name).map_err(|why| Slip::new(spot, why)))
    });
    found.map_err(|slip| format!("column {}: {}", slip.spot.column, slip.message))
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
            ("-2^2", 4.0),
            ("-(2)^2+10", 14.0),
            ("10-k^2", 6.0),
            ("2^-1", 0.5),
            ("2^3^2", 64.0),
            ("2*-3^2", 18.0),
            ("2**3", 8.0),
            ("(1+k)*1.5e1", 45.0),
            (".5e+1 - -1.", 6.0),
            ("k()*1E-2", 0.02),
            ("exp(0)+ln(_e)+log10(100)+log2(8)", 7.0),
            ("if(k > 1 && 1 <= k, 3, 1/0)", 3.0),
            ("if(!(k == 2) || k ~= 2, 3, 4)", 4.0),
            ("1 + k > 2", 1.0),
            ("(k < 2) + (k >= 2) + (k != 2)", 1.0),
            ("rint(2.5) + rint(-2.5)", 1.0),
            ("sin(_pi/2) + cos(0) + atan(0) + tanh(0)", 2.0),
            ("sum(1,2,3) + avg(1,3)", 8.0),
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
            ("if(1,2)", 1, "`if` takes three numbers"),
            ("if(1,1/0,3)", 7, "this comes to inf"),
            ("mratio(1,2,3)", 1, "not known here"),
            ("1 >", 4, "found the end of the line"),
            (deep.as_str(), 101, "more than 100"),
            (minus.as_str(), 101, "more than 100"),
        ] {
            let slip = value(text).unwrap_err();
            assert!(slip.message.contains(said), "{text}: {}", slip.message);
            assert_eq!(slip.spot.column, column, "{text}");
        }
    }
}
