//! Classes of cluster sizes, each up to twice as large as the one before: alone, 2, 3 to 4, 5 to 8.

/// The class of a cluster of `size` particles: 0 for a particle alone, 1 for two, 2 for 3 to 4, and
/// so on.
pub fn size_class(size: u64) -> usize {
    size.max(1).next_power_of_two().trailing_zeros() as usize
}

/// The class in words: `alone`, `2`, `3 to 4`.
pub fn size_class_name(class: usize) -> String {
    match class {
        0 => "alone".to_owned(),
        1 => "2".to_owned(),
        n => format!("{} to {}", (1u64 << (n - 1)) + 1, 1u64 << n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_lies_in_the_class_that_names_it() {
        let classes: Vec<usize> = (1..=9).map(size_class).collect();
        assert_eq!(classes, [0, 1, 2, 2, 3, 3, 3, 3, 4]);
        let names: Vec<String> = (0..4).map(size_class_name).collect();
        assert_eq!(names, ["alone", "2", "3 to 4", "5 to 8"]);
    }
}
