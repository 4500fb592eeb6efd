//! Strips: which pairs "Grouping the particles" (2021) compares, and in which order.

use jostle_core::space::{Domain, Vector};

/// Which particles are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Arrangement {
    /// All with all.
    #[default]
    Naive,
    /// Strips across an axis, each at least as wide as the largest disk: every particle with those
    /// in the own strip and in the two beside it.
    Strips {
        /// 0: the box is divided along x, into vertical strips; 1: along y, into horizontal ones.
        axis: usize,
        /// \[nm\]
        width: f64,
    },
}

/// The strips, and which particles are in which.
#[derive(Clone, Debug, Default)]
pub(super) struct Strips {
    arrangement: Arrangement,
    count: usize,
    /// Where the disks of each strip begin in `members`; one entry more than there are strips.
    first: Vec<u32>,
    /// The disks, strip by strip, within one in the order of their numbers.
    members: Vec<u32>,
    /// The strip of each disk.
    of: Vec<u32>,
}

impl Strips {
    pub(super) fn new(arrangement: Arrangement, domain: &Domain<2>) -> Self {
        let count = match arrangement {
            Arrangement::Naive => 1,
            // What is left over makes the last strip wider.
            Arrangement::Strips { axis, width } => ((domain.edges()[axis] / width) as usize).max(1),
        };
        Self { arrangement, count, first: Vec::new(), members: Vec::new(), of: Vec::new() }
    }

    /// How many strips there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Along which axis the web page compares distances first: along the strips, since across them
    /// it is known already.
    pub(super) fn axis_compared(&self) -> usize {
        match self.arrangement {
            Arrangement::Naive => 1,
            Arrangement::Strips { axis, .. } => 1 - axis,
        }
    }

    /// Puts every disk into the strip that its centre is in; beyond the ends, into the last. How
    /// many disks that were.
    pub(super) fn place(&mut self, position: &[Vector<2>]) -> u64 {
        let Arrangement::Strips { axis, width } = self.arrangement else {
            self.members = (0..position.len() as u32).collect();
            self.first = vec![0, position.len() as u32];
            return 0;
        };
        let last = self.count - 1;
        let strip =
            |place: &Vector<2>| (place[axis] / width).floor().clamp(0.0, last as f64) as u32;
        self.of.clear();
        self.of.extend(position.iter().map(strip));
        self.first.clear();
        self.first.resize(self.count + 1, 0);
        for &strip in &self.of {
            self.first[strip as usize + 1] += 1;
        }
        for strip in 0..self.count {
            self.first[strip + 1] += self.first[strip];
        }
        let mut next = self.first.clone();
        self.members.resize(position.len(), 0);
        for (disk, &strip) in (0..).zip(&self.of) {
            let place = &mut next[strip as usize];
            self.members[*place as usize] = disk;
            *place += 1;
        }
        position.len() as u64
    }

    /// The disks of a strip.
    pub(super) fn members(&self, strip: usize) -> &[u32] {
        &self.members[self.first[strip] as usize..self.first[strip + 1] as usize]
    }

    /// The arrangement, in words.
    pub(super) fn describe(&self) -> String {
        match self.arrangement {
            Arrangement::Naive => "naive: every pair is looked at, after the move".to_owned(),
            Arrangement::Strips { axis, width } => format!(
                "strips: {} {} ones, {width} nm wide, looked at after the move",
                self.count,
                ["vertical", "horizontal"][axis]
            ),
        }
    }
}
