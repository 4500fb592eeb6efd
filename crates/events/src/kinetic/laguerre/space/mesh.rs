//! A triangulation of space by tetrahedra and the facets between them.
//!
//! A facet keeps its number for as long as it exists, whatever happens on its two sides, since it
//! is what the timetable knows. Every change is one and the same: some tetrahedra are taken out,
//! and others fill the same room.

/// No tetrahedron: the outside.
pub(super) const NONE: u32 = u32::MAX;

/// The corners of the facet opposite to each corner, so that facet and corner together are
/// positively oriented.
pub(super) const OPPOSITE: [[usize; 3]; 4] = [[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]];

#[derive(Clone, Copy, Debug)]
pub(super) struct Tetrahedron {
    /// Its sites, positively oriented.
    pub(super) corners: [u32; 4],
    /// The facet opposite to each of them.
    pub(super) facets: [u32; 4],
}

/// Two tetrahedra that share a facet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) sides: [u32; 2],
    /// The corners of the facet; with the first apex they are positively oriented.
    pub(super) base: [u32; 3],
    /// Opposite to the facet on either side.
    pub(super) apexes: [u32; 2],
}

#[derive(Clone, Debug, Default)]
pub(super) struct TetrahedronMesh {
    /// Free ones have no corners.
    tetrahedra: Vec<Tetrahedron>,
    /// The two tetrahedra that share each facet. \[facet\]
    sides: Vec<[u32; 2]>,
    /// One tetrahedron at each site; none if it is not in the triangulation. \[site\]
    at: Vec<u32>,
    free_tetrahedra: Vec<u32>,
    free_facets: Vec<u32>,
}

const FREE: Tetrahedron = Tetrahedron { corners: [NONE; 4], facets: [NONE; 4] };

impl TetrahedronMesh {
    /// Sites `0..sites`, of which only four are joined, to one tetrahedron with nothing outside.
    pub(super) fn single(sites: u32, corners: [u32; 4]) -> Self {
        let mut mesh = Self::none(sites);
        mesh.replace(&[], &[corners]);
        mesh
    }

    /// Sites `0..sites`, none of which is joined to another.
    pub(super) fn none(sites: u32) -> Self {
        Self { at: vec![NONE; sites as usize], ..Self::default() }
    }

    /// Sites `0..sites` and these tetrahedra between them; nothing if they do not fit together
    /// without leaving an outside.
    pub(super) fn closed(sites: u32, tetrahedra: &[[u32; 4]]) -> Option<Self> {
        let mut mesh = Self::none(sites);
        let mut half = Vec::with_capacity(4 * tetrahedra.len());
        for (t, &corners) in (0..).zip(tetrahedra) {
            corners.iter().for_each(|&corner| mesh.at[corner as usize] = t);
            mesh.tetrahedra.push(Tetrahedron { corners, facets: [NONE; 4] });
            half.extend((0..4).map(|k| (key(corners, k), t, k)));
        }
        half.sort_unstable();
        let mut last = None;
        for (key, t, k) in half {
            match (last == Some(key), mesh.sides.last_mut()) {
                (true, Some(sides)) => {
                    sides[1] = t;
                    last = None;
                }
                _ if last.is_some() => return None,
                _ => {
                    mesh.sides.push([t, NONE]);
                    last = Some(key);
                }
            }
            mesh.tetrahedra[t as usize].facets[k] = mesh.sides.len() as u32 - 1;
        }
        last.is_none().then_some(mesh)
    }

    /// Memory held. \[bytes\]
    pub(super) fn bytes(&self) -> usize {
        self.tetrahedra.capacity() * size_of::<Tetrahedron>()
            + self.sides.capacity() * size_of::<[u32; 2]>()
            + (self.at.capacity() + self.free_tetrahedra.capacity() + self.free_facets.capacity())
                * size_of::<u32>()
    }

    /// How many sites there is room for.
    pub(super) fn sites(&self) -> u32 {
        self.at.len() as u32
    }

    /// Facets have numbers below this one.
    pub(super) fn facets(&self) -> u32 {
        self.sides.len() as u32
    }

    /// Tetrahedra have numbers below this one.
    pub(super) fn room(&self) -> u32 {
        self.tetrahedra.len() as u32
    }

    pub(super) fn all(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.room()).filter(|&t| self.corners(t)[0] != NONE)
    }

    #[inline]
    pub(super) fn corners(&self, t: u32) -> [u32; 4] {
        self.tetrahedra[t as usize].corners
    }

    #[inline]
    pub(super) fn facets_of(&self, t: u32) -> [u32; 4] {
        self.tetrahedra[t as usize].facets
    }

    /// Whether `t` is the first of the two at `facet`.
    #[inline]
    pub(super) fn is_first(&self, t: u32, facet: u32) -> bool {
        self.sides[facet as usize][0] == t
    }

    /// The tetrahedron beyond a facet of `t`; [`NONE`] outside.
    #[inline]
    pub(super) fn beyond(&self, t: u32, facet: u32) -> u32 {
        let [a, b] = self.sides[facet as usize];
        if a == t { b } else { a }
    }

    /// A tetrahedron with the corner `site`; [`NONE`] if there is none.
    #[inline]
    pub(super) fn at(&self, site: u32) -> u32 {
        self.at[site as usize]
    }

    /// What is on both sides of a facet; none for one at the outside, or one that is free.
    #[inline]
    pub(super) fn joint(&self, facet: u32) -> Option<Joint> {
        let sides = self.sides[facet as usize];
        if sides.contains(&NONE) {
            return None;
        }
        let [one, other] = sides.map(|t| &self.tetrahedra[t as usize]);
        let (k, l) = (place(&one.facets, facet), place(&other.facets, facet));
        Some(Joint {
            sides,
            base: OPPOSITE[k].map(|i| one.corners[i]),
            apexes: [one.corners[k], other.corners[l]],
        })
    }

    /// The tetrahedra round the edge a-b, beginning with `t`, if there are no more than four and
    /// none is missing.
    pub(super) fn around(&self, t: u32, [a, b]: [u32; 2]) -> Option<([u32; 4], usize)> {
        let mut ring = [t; 4];
        // Leave through a facet that has both ends, that is, opposite to another corner.
        let first = self.corners(t);
        let mut leave = first.into_iter().find(|&corner| corner != a && corner != b)?;
        let mut this = t;
        for count in 1..=4 {
            let k = place(&self.corners(this), leave);
            let facet = self.facets_of(this)[k];
            // The next one is reached by leaving opposite to the corner that these two share apart from the edge.
            let shared = OPPOSITE[k].map(|i| self.corners(this)[i]);
            let next = self.beyond(this, facet);
            if next == t {
                return Some((ring, count));
            }
            if next == NONE || count == 4 {
                return None;
            }
            leave = shared.into_iter().find(|&corner| corner != a && corner != b)?;
            ring[count] = next;
            this = next;
        }
        None
    }

    /// Takes out the tetrahedra `old` and puts `new` in their place. They are to fill the same
    /// room, and one of two new ones that share a facet comes with another number. Facets towards
    /// others keep their numbers.
    pub(super) fn replace(&mut self, old: &[u32], new: &[[u32; 4]]) -> Replaced {
        // Facets that wait for their other side: those of the outline, then new ones.
        let mut open: Vec<([u32; 3], u32)> = Vec::with_capacity(16);
        let mut replaced = Replaced::default();
        for &t in old {
            let Tetrahedron { corners, facets } = self.tetrahedra[t as usize];
            for (k, facet) in facets.into_iter().enumerate() {
                if old.contains(&self.beyond(t, facet)) {
                    if self.is_first(t, facet) {
                        replaced.freed.push(facet);
                    }
                } else {
                    open.push((key(corners, k), facet));
                    replaced.outline.push(facet);
                    let side = usize::from(!self.is_first(t, facet));
                    self.sides[facet as usize][side] = NONE;
                }
            }
        }
        for &t in old {
            self.tetrahedra[t as usize] = FREE;
        }
        self.free_tetrahedra.extend_from_slice(old);
        for &facet in &replaced.freed {
            self.sides[facet as usize] = [NONE; 2];
        }
        self.free_facets.extend_from_slice(&replaced.freed);
        for &corners in new {
            let t = self.take_tetrahedron();
            let facets = std::array::from_fn(|k| {
                let key = key(corners, k);
                match open.iter().position(|(other, _)| *other == key) {
                    Some(at) => open.swap_remove(at).1,
                    None => {
                        let facet = self.take_facet();
                        open.push((key, facet));
                        replaced.made.push(facet);
                        facet
                    }
                }
            });
            self.put(t, Tetrahedron { corners, facets });
            replaced.tetrahedra.push(t);
        }
        replaced
    }

    /// Takes out the tetrahedra `old`, marked as such, and joins every facet of their outline to
    /// `site`.
    pub(super) fn star(&mut self, old: &[u32], site: u32, is_old: impl Fn(u32) -> bool) {
        let mut outline = Vec::with_capacity(2 * old.len() + 2);
        let known = self.free_facets.len();
        for &t in old {
            let Tetrahedron { corners, facets } = self.tetrahedra[t as usize];
            // Which is not on the outline is covered from now on.
            corners.iter().for_each(|&corner| self.at[corner as usize] = NONE);
            for (k, facet) in facets.into_iter().enumerate() {
                let beyond = self.beyond(t, facet);
                if beyond == NONE || !is_old(beyond) {
                    outline.push((OPPOSITE[k].map(|i| corners[i]), facet));
                    let side = usize::from(!self.is_first(t, facet));
                    self.sides[facet as usize][side] = NONE;
                } else if self.is_first(t, facet) {
                    self.free_facets.push(facet);
                }
            }
        }
        for &facet in &self.free_facets[known..] {
            self.sides[facet as usize] = [NONE; 2];
        }
        for &t in old {
            self.tetrahedra[t as usize] = FREE;
        }
        self.free_tetrahedra.extend_from_slice(old);
        // Each edge of the outline belongs to two of its facets.
        let mut edges = Vec::with_capacity(3 * outline.len());
        let first = self.free_tetrahedra.len();
        let mut numbers = Vec::with_capacity(outline.len());
        for ([a, b, c], facet) in outline {
            let t = match numbers.len() < first {
                true => self.free_tetrahedra[first - 1 - numbers.len()],
                false => self.room(),
            };
            if t == self.room() {
                self.tetrahedra.push(FREE);
            }
            self.put(
                t,
                Tetrahedron { corners: [a, b, c, site], facets: [NONE, NONE, NONE, facet] },
            );
            numbers.push(t);
            for (k, [p, q]) in [[b, c], [c, a], [a, b]].into_iter().enumerate() {
                edges.push(([p.min(q), p.max(q)], t, k));
            }
        }
        self.free_tetrahedra.truncate(first.saturating_sub(numbers.len()));
        edges.sort_unstable();
        for pair in edges.chunks_exact(2) {
            let facet = self.take_facet();
            for &(_, t, k) in pair {
                self.tetrahedra[t as usize].facets[k] = facet;
            }
            self.sides[facet as usize] = [pair[0].1, pair[1].1];
        }
    }

    fn take_tetrahedron(&mut self) -> u32 {
        self.free_tetrahedra.pop().unwrap_or_else(|| {
            self.tetrahedra.push(FREE);
            self.room() - 1
        })
    }

    fn take_facet(&mut self) -> u32 {
        self.free_facets.pop().unwrap_or_else(|| {
            self.sides.push([NONE; 2]);
            self.facets() - 1
        })
    }

    /// Puts a tetrahedron in, on the free side of each facet that it knows.
    fn put(&mut self, t: u32, tetrahedron: Tetrahedron) {
        self.tetrahedra[t as usize] = tetrahedron;
        for corner in tetrahedron.corners {
            self.at[corner as usize] = t;
        }
        for facet in tetrahedron.facets.into_iter().filter(|&facet| facet != NONE) {
            let sides = &mut self.sides[facet as usize];
            sides[usize::from(sides[0] != NONE)] = t;
        }
    }

    /// Tetrahedra and facets know each other, every facet has two sides or is at the outside, of
    /// which there are `outside`, and every site knows one of its own.
    ///
    /// # Panics
    /// If it is not so.
    pub(super) fn assert_closed(&self, outside: usize) {
        let mut halves = 0;
        let mut outer = 0;
        for t in self.all() {
            for (k, facet) in self.facets_of(t).into_iter().enumerate() {
                halves += 1;
                let beyond = self.beyond(t, facet);
                if beyond == NONE {
                    outer += 1;
                    continue;
                }
                let l = place(&self.facets_of(beyond), facet);
                assert_ne!(beyond, t, "two sides");
                assert_eq!(key(self.corners(t), k), key(self.corners(beyond), l), "one facet");
                // Seen from the two sides it goes round in opposite senses.
                let base = OPPOSITE[k].map(|i| self.corners(t)[i]);
                let other = OPPOSITE[l].map(|i| self.corners(beyond)[i]);
                let at = place(&other, base[0]);
                assert_eq!(
                    [other[(at + 1) % 3], other[(at + 2) % 3]],
                    [base[2], base[1]],
                    "they lie on either side"
                );
            }
        }
        let live = self.sides.iter().filter(|sides| **sides != [NONE; 2]).count();
        assert_eq!((halves + outer) / 2, live, "no facet is left over");
        assert_eq!(outer, outside, "facets at the outside");
        for (site, &t) in (0..).zip(&self.at) {
            assert!(t == NONE || self.corners(t).contains(&site), "{site} knows its own");
        }
    }
}

/// What a change of tetrahedra did to facets.
#[derive(Clone, Debug, Default)]
pub(super) struct Replaced {
    /// The new tetrahedra.
    pub(super) tetrahedra: Vec<u32>,
    /// Facets that are no more.
    pub(super) freed: Vec<u32>,
    /// New ones, which may have numbers of those.
    pub(super) made: Vec<u32>,
    /// Facets with something new on one side.
    pub(super) outline: Vec<u32>,
}

/// The corners of a facet in ascending order.
fn key(corners: [u32; 4], k: usize) -> [u32; 3] {
    let mut key = OPPOSITE[k].map(|i| corners[i]);
    key.sort_unstable();
    key
}

/// Where among a few `what` is; it is to be there.
#[inline]
pub(super) fn place<const N: usize>(few: &[u32; N], what: u32) -> usize {
    few.iter().position(|&one| one == what).unwrap_or(0)
}
