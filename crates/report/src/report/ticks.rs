//! Axes: from numbers to places, and the marks that people can read.

/// The numbers that an axis spans, and where its marks are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) log: bool,
    /// Marks with a label.
    pub(super) labelled: Vec<(f64, String)>,
    pub(super) minor: Vec<f64>,
}

/// So near to nothing, or so far away, that steps between marks could not be distinguished from 0
/// or from infinity: such numbers stand at 0 or at the far end.
fn tame(x: f64) -> f64 {
    const ENDS: [f64; 2] = [1e-290, 1e290];
    if x.abs() < ENDS[0] {
        0.0
    } else if x.is_finite() {
        x.clamp(-ENDS[1], ENDS[1])
    } else {
        x
    }
}

impl Scale {
    /// A scale that holds all `values`; a logarithmic one ignores those that are not positive.
    pub(super) fn around(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let usable = values.map(tame).filter(|x| x.is_finite() && (!log || *x > 0.0));
        let (low, high) = usable
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        match (low <= high, log) {
            (true, true) => Self::logarithmic(low, high),
            (true, false) => Self::linear(low, high),
            (false, true) => Self::logarithmic(1.0, 10.0),
            (false, false) => Self::linear(0.0, 1.0),
        }
    }

    /// A linear scale that begins and ends exactly at two numbers.
    pub(super) fn spanning(low: f64, high: f64) -> Self {
        let [low, high] = [low, high].map(tame);
        let round = Self::linear(low, high);
        let within = |(x, _): &(f64, String)| (low..=high).contains(x);
        let labelled = round.labelled.into_iter().filter(within).collect();
        Self { low, high, labelled, ..round }
    }

    /// How far along the axis a number is: 0 at its beginning, 1 at its end, and never outside.
    pub(super) fn place(&self, x: f64) -> f64 {
        let share = if self.log {
            let x = x.max(f64::MIN_POSITIVE);
            (x / self.low).ln() / (self.high / self.low).ln()
        } else {
            (x - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// From a round number to a round number; from zero if the data come anywhere near it.
    fn linear(low: f64, high: f64) -> Self {
        let low = if low > 0.0 && low < 0.4 * high { 0.0 } else { low };
        let high = if high < 0.0 && high > 0.4 * low { 0.0 } else { high };
        let (low, high) = match high - low {
            spread if spread > 1e-12 * low.abs().max(high.abs()) => (low, high),
            _ if low == 0.0 => (0.0, 1.0),
            _ => (low - 0.1 * low.abs(), high + 0.1 * high.abs()),
        };
        let step = round_up((high - low) / 7.0);
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil();
        let marks = (0..=(last - first) as usize).map(|n| (first + n as f64) * step);
        let marks: Vec<f64> = marks.collect();
        let largest = first.abs().max(last.abs()) * step;
        Self {
            low: first * step,
            high: last * step,
            log: false,
            labelled: marks.iter().map(|&x| (x, linear_label(x, step, largest))).collect(),
            minor: Vec::new(),
        }
    }

    /// From 1, 2 or 5 times a power of ten to another.
    fn logarithmic(low: f64, high: f64) -> Self {
        let (first, last) = (decade(low) - 1, decade(high) + 1);
        let steps = || (first..=last).flat_map(|n| [1.0, 2.0, 5.0].map(|m| m * ten_to(n)));
        let near = 1.0 + 1e-9;
        let mut from = steps().filter(|x| *x <= low * near).fold(0.0, f64::max);
        let mut to = steps().find(|x| *x * near >= high).unwrap_or(high);
        if to <= from * near {
            from /= 2.0;
            to *= 2.0;
        }
        let within = |x: f64| x * near >= from && x <= to * near;
        let powers: Vec<i32> = (first..=last).filter(|&n| within(ten_to(n))).collect();
        let minor = (first..=last)
            .flat_map(|n| (2..10).map(move |m| f64::from(m) * ten_to(n)))
            .filter(|x| within(*x))
            .collect();
        let labelled = if to / from > 30.0 {
            // At most eight labels, whole decades apart.
            let every = powers.len().div_ceil(8) as i32;
            let plain = powers.iter().all(|n| (-2..=3).contains(n));
            let chosen = powers.iter().filter(|n| *n % every == 0);
            chosen.map(|&n| (ten_to(n), power_label(n, plain))).collect()
        } else {
            let marks = steps().filter(|x| within(*x));
            marks.map(|x| (x, number(x))).collect()
        };
        Self { low: from, high: to, log: true, labelled, minor }
    }
}

/// The least of 1, 2, 5 times a power of ten that is not below `x`.
pub(super) fn round_up(x: f64) -> f64 {
    let power = ten_to(decade(x));
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= x * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// The greatest of 1, 2, 5 times a power of ten that is not above `x`.
pub(super) fn round_down(x: f64) -> f64 {
    let power = ten_to(decade(x));
    let factor = [5.0, 2.0].into_iter().find(|f| f * power <= x * (1.0 + 1e-9));
    factor.unwrap_or(1.0) * power
}

/// The power of ten at or below `x`.
fn decade(x: f64) -> i32 {
    let n = x.log10().floor() as i32;
    // The logarithm of 1000 may come out a little below 3.
    if ten_to(n + 1) <= x { n + 1 } else { n }
}

fn ten_to(n: i32) -> f64 {
    // Division keeps 0.1, 0.01, ... the numbers that people write.
    if n >= 0 { 10f64.powi(n) } else { 1.0 / 10f64.powi(-n) }
}

/// A label for one of the marks that are `step` apart and at most `largest`.
fn linear_label(x: f64, step: f64, largest: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let power = decade(largest);
    if (-3..=5).contains(&power) {
        let digits = (-decade(step)).max(0) as usize;
        minus(&format!("{x:.digits$}"))
    } else {
        let digits = (power - decade(step)).max(0) as usize;
        let factor = minus(&format!("{:.digits$}", x / ten_to(power)));
        format!("{factor}×{}", power_label(power, false))
    }
}

/// A number with as many digits as it needs.
pub(super) fn number(x: f64) -> String {
    let power = decade(x.abs());
    if x == 0.0 || (-3..=5).contains(&power) {
        minus(&format!("{x}"))
    } else {
        let factor = (x / ten_to(power) * 1e6).round() / 1e6;
        match factor {
            1.0 => power_label(power, false),
            _ => format!("{}×{}", minus(&format!("{factor}")), power_label(power, false)),
        }
    }
}

fn power_label(n: i32, plain: bool) -> String {
    if plain {
        return format!("{}", ten_to(n));
    }
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!("10{}", n.to_string().chars().map(raised).collect::<String>())
}

/// With a true minus sign instead of a hyphen.
fn minus(number: &str) -> String {
    number.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], log: bool) -> Vec<String> {
        let scale = Scale::around(values.iter().copied(), log);
        scale.labelled.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_marks_are_round_and_enclose_the_data() {
        assert_eq!(
            labels(&[0.0, 1.0], false),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"].map(|l| if l == "0.0" { "0" } else { l })
        );
        assert_eq!(labels(&[101.0, 104.9], false), ["101", "102", "103", "104", "105"]);
        assert_eq!(labels(&[-3.0, 3.0], false), ["−3", "−2", "−1", "0", "1", "2", "3"]);
        assert_eq!(
            labels(&[0.0, 3e7], false),
            ["0", "0.5×10⁷", "1.0×10⁷", "1.5×10⁷", "2.0×10⁷", "2.5×10⁷", "3.0×10⁷"]
        );
    }

    #[test]
    fn logarithmic_marks_are_powers_of_ten() {
        assert_eq!(labels(&[3.0, 4_000.0], true), ["10", "100", "1000"]);
        assert_eq!(labels(&[1e-9, 2e-6], true), ["10⁻⁹", "10⁻⁸", "10⁻⁷", "10⁻⁶"]);
        assert_eq!(labels(&[11.0, 60.0], true), ["10", "20", "50", "100"]);
        assert!(labels(&[1e-20, 1e20], true).len() <= 8);
    }

    #[test]
    fn places_run_from_0_to_1_and_stay_there() {
        for log in [false, true] {
            let scale = Scale::around([0.5, 123.0].into_iter(), log);
            assert!(scale.low <= 0.5 && scale.high >= 123.0, "{scale:?}");
            assert_eq!((scale.place(scale.low), scale.place(scale.high)), (0.0, 1.0));
            assert_eq!((scale.place(-1e9), scale.place(1e9)), (0.0, 1.0));
        }
    }

    #[test]
    fn odd_data_give_a_scale_nevertheless() {
        for log in [false, true] {
            for values in [&[][..], &[0.0], &[7.0, 7.0], &[-1.0], &[f64::NAN, 2.0]] {
                let scale = Scale::around(values.iter().copied(), log);
                assert!(scale.low < scale.high, "{values:?} {log} {scale:?}");
                assert!(scale.labelled.len() >= 2, "{values:?} {log} {scale:?}");
            }
        }
    }

    #[test]
    fn steps_are_1_2_or_5_times_a_power_of_ten() {
        assert_eq!([round_up(1.1), round_up(0.04), round_up(500.0)], [2.0, 0.05, 500.0]);
        assert_eq!([round_down(1.9), round_down(0.06), round_down(999.0)], [1.0, 0.05, 500.0]);
    }
}
