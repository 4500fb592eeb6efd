//! Boxes that follow each other in memory, one array for each property, compared with one other
//! some at a time.

use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::match_target;

use super::spans::{SweptBox, UnitSpan};

/// So many boxes are compared at a time: as many as a register of 256 bits holds.
pub(super) const LANES: usize = 16;

/// Notes that are taken before they are read: as many as a register holds.
const NOTES: usize = 8;

/// A list of boxes.
#[derive(Debug, Default)]
pub(super) struct BoxList<const D: usize> {
    count: usize,
    /// The owners. All arrays are longer than the list by [`LANES`]. \[entry\]
    which: Vec<u32>,
    /// Where they end along each axis, and how long they are. \[axis\]\[entry\], \[units\]
    end: Columns<D>,
    length: Columns<D>,
}

/// An array for each axis.
#[derive(Debug)]
struct Columns<const D: usize>([Vec<u16>; D]);

impl<const D: usize> Default for Columns<D> {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Vec::new()))
    }
}

impl<const D: usize> BoxList<D> {
    /// What it holds of each. \[bytes\]
    pub(super) const EACH: usize = size_of::<u32>() + 2 * size_of::<[u16; D]>();

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Makes the list so long; what is new in it is to be set.
    pub(super) fn resize(&mut self, count: usize) {
        self.count = count;
        self.which.resize(count + LANES, 0);
        let columns = self.end.0.iter_mut().chain(&mut self.length.0);
        columns.for_each(|column| column.resize(count + LANES, 0));
    }

    /// Takes the last box off the list.
    pub(super) fn pop(&mut self) -> Option<(u32, SweptBox<D>)> {
        let last = self.count.checked_sub(1)?;
        let span = |k: usize| {
            let [end, length] = [&self.end, &self.length].map(|columns| columns.0[k][last]);
            UnitSpan { from: end.wrapping_sub(length), length }
        };
        let one = (self.which[last], std::array::from_fn(span));
        self.resize(last);
        Some(one)
    }

    /// The owners of the boxes.
    pub(super) fn which(&mut self) -> &mut [u32] {
        &mut self.which[..self.count]
    }

    /// Where on a list in the order of slots those from `slot` on begin.
    pub(super) fn start_of(&self, slot: u32) -> usize {
        self.which[..self.count].partition_point(|&which| which < slot)
    }

    /// Sets a box of the list.
    #[inline]
    pub(super) fn set(&mut self, index: usize, slot: u32, swept: &SweptBox<D>) {
        self.which[index] = slot;
        for (k, UnitSpan { from, length }) in swept.iter().enumerate() {
            self.end.0[k][index] = from.wrapping_add(*length);
            self.length.0[k][index] = *length;
        }
    }

    /// Which of the [`LANES`] boxes from `from` on overlap `a`, as `unmarked` tells: one bit each.
    #[inline(always)]
    fn hits(&self, a: &SweptBox<D>, from: usize, unmarked: impl Fn([u8; LANES]) -> u32) -> u32 {
        let mut apart = [0_u16; LANES];
        for k in 0..D {
            let (end, length) =
                (&self.end.0[k][from..][..LANES], &self.length.0[k][from..][..LANES]);
            for n in 0..LANES {
                // From where `a` begins to the other's end is no farther than both are long.
                // Two that together are as long as the axis overlap wherever they are: the sum stays at
                // the largest number instead of wrapping.
                let both = length[n].saturating_add(a[k].length);
                apart[n] |= end[n].wrapping_sub(a[k].from).saturating_sub(both);
            }
        }
        unmarked(apart.map(|apart| if apart == 0 { 0 } else { u8::MAX }))
    }

    /// Appends to `found` whose boxes overlap `a`, of some stretches of the list.
    pub(super) fn ask(&self, a: &SweptBox<D>, stretches: &[Range<usize>], found: &mut Vec<u32>) {
        ask(self, a, stretches, found);
    }

    #[inline(always)]
    fn ask_with(
        &self,
        a: &SweptBox<D>,
        stretches: &[Range<usize>],
        found: &mut Vec<u32>,
        unmarked: impl Fn([u8; LANES]) -> u32,
    ) {
        let (mut notes, mut count) = ([(0_u32, 0); NOTES], 0);
        for stretch in stretches {
            for from in stretch.clone().step_by(LANES) {
                let rest = !(u32::MAX << (stretch.end - from).min(LANES));
                let bits = self.hits(a, from, &unmarked) & rest;
                // Whether any particle is met can hardly be predicted: what is noted in vain is
                // noted over.
                notes[count] = (from as u32, bits);
                count += usize::from(bits != 0);
                if count == NOTES {
                    self.read(&notes, found);
                    count = 0;
                }
            }
        }
        self.read(&notes[..count], found);
    }

    #[inline(always)]
    fn read(&self, notes: &[(u32, u32)], found: &mut Vec<u32>) {
        for &(from, mut bits) in notes {
            while bits != 0 {
                found.push(self.which[(from + bits.trailing_zeros()) as usize]);
                bits &= bits - 1;
            }
        }
    }
}

/// [`BoxList::ask`] with the vector instructions of the machine, found out when it runs.
#[multiversion(targets("x86_64+avx2+bmi2"))]
fn ask<const D: usize>(
    entries: &BoxList<D>,
    a: &SweptBox<D>,
    stretches: &[Range<usize>],
    found: &mut Vec<u32>,
) {
    match_target! {
        "x86_64+avx2+bmi2" => entries.ask_with(a, stretches, found, |marks| unmarked_avx2(marks)),
        _ => entries.ask_with(a, stretches, found, unmarked),
    }
}

/// Which marks are 0, one bit each; the others are 255.
#[inline(always)]
fn unmarked(marks: [u8; LANES]) -> u32 {
    marks.iter().rev().fold(0, |bits, &mark| bits << 1 | u32::from(mark == 0))
}

/// The same on processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn unmarked_avx2(marks: [u8; LANES]) -> u32 {
    use std::arch::x86_64::{_mm_movemask_epi8, _mm_set_epi64x};
    let marks = u128::from_le_bytes(marks);
    let marks = _mm_set_epi64x((marks >> 64) as i64, marks as i64);
    !_mm_movemask_epi8(marks) as u32 & 0xffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::long_step::spans::meet;

    #[test]
    fn every_machine_finds_the_boxes_that_overlap() {
        let noise = |n: u32, k: u32| (n * 7919 + k * 104_729).wrapping_mul(2_654_435_761);
        let swept = |n: u32| -> SweptBox<2> {
            [0, 1].map(|k| UnitSpan {
                from: (noise(n, k) >> 16) as u16,
                length: (noise(n, k + 2) >> 16) as u16 >> [1, 3, 9, 0][n as usize % 4],
            })
        };
        let mut entries = BoxList::default();
        entries.resize(200);
        (0..200).for_each(|n| entries.set(n as usize, 1000 + n, &swept(n)));
        let stretches = [0..1, 3..3, 5..21, 30..200];
        let mut met = 0;
        for a in (0..50).map(swept) {
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            entries.ask(&a, &stretches, &mut fast);
            entries.ask_with(&a, &stretches, &mut plain, unmarked);
            let all = stretches.iter().cloned().flatten().filter(|&n| meet(&a, &swept(n as u32)));
            let all: Vec<u32> = all.map(|n| 1000 + n as u32).collect();
            assert_eq!([&fast, &plain], [&all, &all]);
            met += all.len();
        }
        assert!(met > 500, "{met}");
        assert_eq!(entries.pop(), Some((1199, swept(199))));
        assert_eq!(entries.len(), 199);
    }
}
