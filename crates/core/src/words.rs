//! Numbers and quantities as people read them.

/// A time \[µs\] in a unit that suits it, to six digits.
pub fn time_text(time_us: f64) -> String {
    if time_us == 0.0 {
        return "0 s".to_owned();
    }
    let (value, unit) = match time_us.abs() {
        t if t >= 1e6 => (time_us / 1e6, "s"),
        t if t >= 1e3 => (time_us / 1e3, "ms"),
        t if t >= 1.0 => (time_us, "µs"),
        _ => (time_us * 1e3, "ns"),
    };
    format!("{} {unit}", digits(value, 6))
}

/// A length \[nm\] in a unit that suits it, to six digits.
pub fn length_text(length_nm: f64) -> String {
    let (value, unit) = length_in_unit(length_nm, length_nm);
    format!("{} {unit}", digits(value, 6))
}

/// A length \[nm\] in the unit that suits lengths like `typical` \[nm\], and the unit: nm below 100
/// µm, as particles of cells are measured, and mm or m above.
pub fn length_in_unit(length_nm: f64, typical: f64) -> (f64, &'static str) {
    match typical.abs() {
        x if x >= 1e9 => (length_nm / 1e9, "m"),
        x if x >= 1e5 => (length_nm / 1e6, "mm"),
        _ => (length_nm, "nm"),
    }
}

/// A number to so many digits, without zeros behind the point at its end.
pub fn digits(value: f64, count: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    if !(1e-5..1e7).contains(&value.abs()) {
        return format!("{value:.*e}", (count - 1).max(0) as usize);
    }
    let before = libm::floor(libm::log10(value.abs())) as i32 + 1;
    if before > count {
        let unit = libm::pow(10.0, f64::from(before - count));
        return format!("{:.0}", (value / unit).round() * unit);
    }
    let text = format!("{value:.*}", (count - before) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A number and its standard error: the error to two digits, the number to the last of these. What is not
/// known to be positive and finite is no error, and then the number has six digits.
pub fn with_error(value: f64, error: f64) -> [String; 2] {
    if !(error > 0.0 && error.is_finite() && value.is_finite()) {
        return [digits(value, 6), digits(error, 2)];
    }
    // Of the error as it is written: 0.0996 has its second digit where 0.10 has it.
    let power = |x: f64| -> i32 {
        let text = format!("{x:.1e}");
        text.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0)
    };
    let last = power(error) - 1;
    if !(1e-5..1e7).contains(&value.abs().max(error)) {
        let behind = (power(value) - last).clamp(0, 15) as usize;
        return [format!("{value:.behind$e}"), format!("{error:.1e}")];
    }
    let unit = libm::pow(10.0, f64::from(last.max(0)));
    let behind = (-last).clamp(0, 15) as usize;
    let to_unit = |x: f64| if last > 0 { (x / unit).round() * unit } else { x };
    [value, error].map(|x| format!("{:.behind$}", to_unit(x)))
}

/// A concentration \[1/nm³\] in mol/l, and in nM or what else suits it.
pub fn concentration(per_volume: f64) -> String {
    let molar = per_volume / 0.602_214_076;
    let (value, unit) = match molar {
        x if x >= 1e-3 => (x * 1e3, "mM"),
        x if x >= 1e-6 => (x * 1e6, "µM"),
        _ => (molar * 1e9, "nM"),
    };
    format!("{molar:.3e} M = {} {unit}", digits(value, 4))
}

/// A number of bytes in a unit that suits it, to three digits.
pub fn bytes_text(bytes: f64) -> String {
    let (value, unit) = match bytes {
        b if b >= 999.5e6 => (bytes / 1e9, "GB"),
        b if b >= 999.5e3 => (bytes / 1e6, "MB"),
        b if b >= 999.5 => (bytes / 1e3, "kB"),
        _ => (bytes, "bytes"),
    };
    format!("{} {unit}", digits(value, 3))
}

/// A size of memory in bytes, from a text with its unit.
///
/// # Errors
/// If it is none, in a sentence.
pub fn memory_size(text: &str) -> Result<f64, String> {
    let split = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let unit = match text[split..].trim() {
        "GB" => 1e9,
        "MB" => 1e6,
        "kB" => 1e3,
        "B" => 1.0,
        _ => f64::NAN,
    };
    match text[..split].parse::<f64>().map(|number| number * unit) {
        Ok(size) if size > 0.0 && size.is_finite() => Ok(size),
        _ => Err("give a size with its unit, such as \"4 GB\" or \"500 MB\"".to_owned()),
    }
}

/// A wall time \[s\]: seconds, minutes or hours.
pub fn wall_text(seconds: f64) -> String {
    match seconds {
        s if s < 119.5 => format!("{} s", digits(s, 2)),
        s if s < 119.5 * 60.0 => format!("{:.0} min", s / 60.0),
        s if s < 48.0 * 3600.0 => format!("{:.0} h", s / 3600.0),
        s => format!("{:.0} days", s / 86400.0),
    }
}

/// A word in the number that goes with a count: `1 step`, `2 steps`, `3 particles`.
pub fn counted(count: u64, word: &str) -> String {
    match (count, word.strip_suffix('y')) {
        (1, _) => format!("1 {word}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {word}s"),
    }
}

/// The most entries of a list that are written out for people.
pub const MOST_LISTED: usize = 100;

/// The first entries of a list, and if there are more than [`MOST_LISTED`], how many more: `and 7
/// more rules`.
pub fn abridged(entries: impl IntoIterator<Item = String>, what: &str) -> Vec<String> {
    let mut entries = entries.into_iter();
    let mut listed: Vec<String> = entries.by_ref().take(MOST_LISTED).collect();
    match (entries.next(), entries.count()) {
        (None, _) => {}
        (Some(last), 0) => listed.push(last),
        (Some(_), more) => listed.push(format!("and {} more {what}", more + 1)),
    }
    listed
}

/// Columns of tables for eyes are at most so wide: what is longer, and no name in a model is,
/// sticks out.
const WIDEST: usize = 200;

/// How wide a column of such `texts` is. \[characters\]
pub fn column_width(texts: impl IntoIterator<Item = impl AsRef<str>>) -> usize {
    let lengths = texts.into_iter().map(|text| text.as_ref().chars().count());
    lengths.max().unwrap_or(0).min(WIDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_their_errors_allow() {
        for ((value, error), expected) in [
            ((24.1873, 1.1234), "24.2 ± 1.1"),
            ((0.009_900_99, 0.010_416_67), "0.010 ± 0.010"),
            ((1234.5, 217.0), "1230 ± 220"),
            ((-3.0, 0.0996), "-3.00 ± 0.10"),
            ((2.4e-12, 1.3e-13), "2.40e-12 ± 1.3e-13"),
            ((1e-14, 1.3e-13), "1e-14 ± 1.3e-13"),
            ((0.5, 0.0), "0.5 ± 0"),
            ((0.5, f64::INFINITY), "0.5 ± inf"),
            ((f64::NAN, 0.1), "NaN ± 0.1"),
        ] {
            assert_eq!(with_error(value, error).join(" ± "), expected);
        }
    }

    #[test]
    fn quantities_come_in_units_that_suit_them() {
        let times = [
            (0.0, "0 s"),
            (0.003, "3 ns"),
            (0.5e-3, "0.5 ns"),
            (20.0, "20 µs"),
            (4e4, "40 ms"),
            (2e6, "2 s"),
        ];
        for (time, text) in times {
            assert_eq!(time_text(time), text);
        }
        let lengths = [
            (2e8, "200 mm"),
            (6.5e6, "6.5 mm"),
            (1.5e9, "1.5 m"),
            (2000.0, "2000 nm"),
            (0.3, "0.3 nm"),
        ];
        for (length, text) in lengths {
            assert_eq!(length_text(length), text);
        }
    }

    #[test]
    fn sizes_and_wall_times_come_in_units_that_suit_them() {
        let sizes =
            [(12.0, "12 bytes"), (4096.0, "4.1 kB"), (999_900.0, "1 MB"), (3.46e7, "34.6 MB")];
        for (size, text) in sizes {
            assert_eq!(bytes_text(size), text);
        }
        assert_eq!([0.5, 90.0, 600.0, 1e4].map(wall_text), ["0.5 s", "90 s", "10 min", "3 h"]);
        assert_eq!([12345.678, 0.0487, 1e-9].map(|x| digits(x, 3)), ["12300", "0.0487", "1.00e-9"]);
    }

    #[test]
    fn memory_has_units() {
        assert_eq!(memory_size("4 GB"), Ok(4e9));
        assert_eq!(memory_size("0.5GB"), Ok(5e8));
        assert_eq!(memory_size("12345678 B"), Ok(12_345_678.0));
        for wrong in ["4", "GB", "0 GB", "-1 GB", "4 TiB", "4 GB more"] {
            assert!(memory_size(wrong).unwrap_err().contains("500 MB"), "{wrong}");
        }
    }

    #[test]
    fn long_lists_are_cut_short() {
        let list = |count: usize| abridged((0..count).map(|n| n.to_string()), "rules");
        assert_eq!(list(0), [""; 0]);
        assert_eq!([list(100).len(), list(101).len(), list(102).len()], [100, 101, 101]);
        assert_eq!(list(101)[100], "100");
        assert_eq!(list(102)[100], "and 2 more rules");
        assert_eq!(list(9000)[100], "and 8900 more rules");
    }

    #[test]
    fn words_go_with_their_counts() {
        let words = [
            counted(1, "frame"),
            counted(0, "frame"),
            counted(1, "particle"),
            counted(2, "particle"),
        ];
        assert_eq!(words, ["1 frame", "0 frames", "1 particle", "2 particles"]);
    }
}
