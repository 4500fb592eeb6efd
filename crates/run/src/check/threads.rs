//! What several cores bring.

use jostle_core::words::digits;

/// For these numbers of cores it is estimated.
const MORE: [usize; 2] = [4, 16];

/// Times that differ by less than this factor count as equal.
const SAME: f64 = 1.05;

/// How fast the model has been on numbers of threads that have these wall times per step \[s\];
/// none where there was nothing to compare.
pub(super) fn in_words(tried: &[(usize, f64)]) -> Option<String> {
    let one = tried.iter().find(|(threads, _)| *threads == 1)?.1;
    let (most, _) = *tried.last().filter(|(threads, _)| *threads > 1)?;
    let (fastest, time) = *tried.iter().min_by(|a, b| a.1.total_cmp(&b.1))?;
    if fastest == 1 {
        let (threads, slower) = (tried[1].0, tried[1].1 / one);
        let why = match slower < SAME {
            true => format!("{threads} are no faster"),
            false => format!("{threads} take {} times as long", digits(slower, 2)),
        };
        return Some(format!("one is fastest ({why}), so use the other cores for other runs"));
    }
    let gain = one / time;
    if gain < SAME {
        return Some(format!("one is as fast as {fastest}, so use the other cores for other runs"));
    }
    let more = MORE.iter().filter(|cores| **cores > most);
    let more: Vec<_> = more
        .map(|&cores| format!("{} times on {cores}", digits(with(cores, gain, fastest), 2)))
        .collect();
    let more = match more.is_empty() {
        true => String::new(),
        false => format!(" (estimate for more cores: {})", more.join(", ")),
    };
    Some(format!("{fastest} are {} times as fast as one{more}", digits(gain, 2)))
}

/// How many times faster so many cores are than one, if `few` are `gain` times faster and what they
/// cannot share stays as long (Amdahl's law).
fn with(cores: usize, gain: f64, few: usize) -> f64 {
    let few = few as f64;
    let serial = ((few / gain - 1.0) / (few - 1.0)).max(0.0);
    1.0 / (serial + (1.0 - serial) / cores as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_told_and_extended() {
        let said = in_words(&[(1, 1.8e-3), (2, 1.0e-3)]).unwrap();
        assert_eq!(
            said,
            "2 are 1.8 times as fast as one (estimate for more cores: 3 times on 4, 6 times on 16)"
        );
        let said = in_words(&[(1, 1e-5), (2, 1.3e-5)]).unwrap();
        assert!(said.starts_with("one is fastest (2 take 1.3 times as long)"), "{said}");
        let said = in_words(&[(1, 1e-5), (2, 1.03e-5)]).unwrap();
        assert!(said.starts_with("one is fastest (2 are no faster)"), "{said}");
        let said = in_words(&[(1, 1.03e-5), (2, 1e-5)]).unwrap();
        assert!(said.starts_with("one is as fast as 2, so use"), "{said}");
        assert_eq!(in_words(&[]), None);
        assert!((with(4, 4.0, 4) - 4.0).abs() < 1e-12 && (with(2, 1.5, 2) - 1.5).abs() < 1e-12);
    }
}
