//! Tethers: pairs of particles that never get farther apart than a given distance.

/// Which particles are tethered to each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tethers {
    /// The partners of each particle, with the length of the tether. \[identity\], \[nm\]
    partners: Vec<Vec<(u64, f64)>>,
    longest: f64,
}

impl Tethers {
    /// Tethers the two particles of these identities by a length \[nm\] between their centres.
    pub fn add(&mut self, ids: [u64; 2], length: f64) {
        let most = ids[0].max(ids[1]) as usize;
        if self.partners.len() <= most {
            self.partners.resize(most + 1, Vec::new());
        }
        for [id, partner] in [ids, [ids[1], ids[0]]] {
            self.partners[id as usize].push((partner, length));
        }
        self.longest = self.longest.max(length);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.partners.is_empty()
    }

    /// The length of the longest. \[nm\]
    pub fn longest(&self) -> f64 {
        self.longest
    }

    /// The length of the tether of two particles, if they have one. \[nm\]
    #[inline]
    pub fn length(&self, [a, b]: [u64; 2]) -> Option<f64> {
        let partners = self.partners.get(a as usize)?.iter();
        partners.filter(|(partner, _)| *partner == b).map(|(_, length)| *length).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tethers_hold_both_ends() {
        let mut tethers = Tethers::default();
        assert!(tethers.is_empty() && tethers.length([0, 1]).is_none());
        tethers.add([4, 2], 3.0);
        tethers.add([2, 7], 5.0);
        assert_eq!(
            [[2, 4], [4, 2], [7, 2]].map(|ids| tethers.length(ids)),
            [Some(3.0), Some(3.0), Some(5.0)]
        );
        assert!([[4, 7], [0, 2], [2, 2], [99, 2]].iter().all(|ids| tethers.length(*ids).is_none()));
        assert_eq!(tethers.longest(), 5.0);
    }
}
