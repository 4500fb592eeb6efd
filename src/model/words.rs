//! Lengths, times and numbers as people read them.

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

/// A length \[nm\] in the unit that suits lengths like `typical` \[nm\], and the unit: nm below 100 µm,
/// as bodies of cells are measured, and mm or m above.
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
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let lengths =
            [(2e8, "200 mm"), (6.5e6, "6.5 mm"), (1.5e9, "1.5 m"), (2000.0, "2000 nm"), (0.3, "0.3 nm")];
        for (length, text) in lengths {
            assert_eq!(length_text(length), text);
        }
    }
}
