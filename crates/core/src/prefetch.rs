//! Asks for memory before it is needed: where the caches are too small for all particles, which
//! comes next is known long before, and waiting for it costs more than all the arithmetic.

/// Asks the processor to bring `items[index]` close. Nothing depends on it but time; an index
/// beyond the end does no harm.
#[inline(always)]
pub fn prefetch<T>(items: &[T], index: usize) {
    let address = items.as_ptr().wrapping_add(index);
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint: it neither reads nor writes, and never faults, whatever the
    // address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_index_will_do() {
        let items = [[1_u64; 9]; 3];
        [0, 2, 3, 1 << 40, usize::MAX].into_iter().for_each(|index| prefetch(&items, index));
        prefetch::<u8>(&[], 7);
        assert_eq!(items, [[1; 9]; 3]);
    }
}
