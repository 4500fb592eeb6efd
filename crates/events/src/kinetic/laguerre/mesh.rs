//! A triangulation of the sphere by half-edges: the sites, and one *ghost* at infinity that is
//! joined to every site on the hull, so that the outside is made of triangles like any others. Or one of
//! the torus, which has no outside: there each half-edge knows to which image of a site it leads, so that
//! a site may be joined to several images of another, and to its own, in boxes of any width.
//!
//! With a ghost there are always 3 n - 3 edges and 2 n - 2 triangles for n >= 2 sites, also where
//! all sites lie on one line: then every triangle has the ghost, and sites within the chain are
//! joined to it twice.

/// A directed edge, with its triangle to the left. Half-edges `2 e` and `2 e + 1` make edge `e`.
#[derive(Clone, Copy, Debug)]
struct Half {
    /// Where it starts.
    origin: u32,
    /// The half-edge that follows it round its triangle.
    next: u32,
}

/// A site, or its image so many periods away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    pub site: u32,
    pub away: [i32; 2],
}

/// The sites around an edge, which decide what has to hold for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quad {
    /// An edge a-b with triangles (a, b, c) and (b, a, d): \[a, b, c, d\], of which a is no image. The sphere
    /// orthogonal to one triangle must not come too close to the fourth site.
    Inner([Corner; 4]),
    /// A hull edge with the site behind it: \[before, tip, after\] turn left at the tip, else the
    /// tip comes out through the edge.
    Hull([u32; 3]),
    /// An edge from a site on the hull to the ghost: \[before, tip, after\] turn left at the tip,
    /// else the tip goes inside.
    Corner([u32; 3]),
    /// Nothing can happen: fewer than three sites are around.
    Fixed,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    halves: Vec<Half>,
    /// One half-edge that starts at each site, and at the ghost, the last. \[site\]
    out: Vec<u32>,
    /// On a torus: how many periods away is the image of the site to which a half-edge leads. Nothing on a
    /// sphere. \[half-edge\]
    away: Vec<[i32; 2]>,
}

/// So many periods, and so many more.
#[inline]
fn sum(a: [i32; 2], b: [i32; 2]) -> [i32; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

impl Mesh {
    /// Sites `0..sites`, of which only `a` and `b` are joined, to each other and to the ghost.
    pub(super) fn pair(sites: u32, a: u32, b: u32) -> Self {
        let mut halves = Vec::with_capacity(6 * sites as usize - 6);
        let ghost = sites;
        let mut half = |origin, next| halves.push(Half { origin, next });
        // Two triangles back to back, (a, b, ghost) from half-edges 0, 2, 4 and (b, a, ghost) from
        // 1, 3, 5: the smallest case of a chain of sites on one line.
        half(a, 2);
        half(b, 5);
        half(b, 4);
        half(ghost, 1);
        half(ghost, 0);
        half(a, 3);
        let mut out = vec![0; sites as usize + 1];
        (out[a as usize], out[b as usize], out[ghost as usize]) = (0, 1, 4);
        Self { halves, out, away: Vec::new() }
    }

    /// A torus with `sites`, of which only `first` is joined, to its own images.
    pub(super) fn torus(sites: u32, first: u32) -> Self {
        // Two triangles: along x, along y and back through the box from half-edges 0, 2, 4, and through the
        // box, back along x and back along y from 5, 1, 3.
        let next = [2, 3, 4, 5, 0, 1];
        let away = [[1, 0], [-1, 0], [0, 1], [0, -1], [-1, -1], [1, 1]];
        let room = 6 * sites as usize;
        let mut mesh = Self {
            halves: Vec::with_capacity(room),
            out: vec![0; sites as usize],
            away: Vec::with_capacity(room),
        };
        mesh.halves.extend(next.map(|next| Half { origin: first, next }));
        mesh.away.extend(away);
        mesh
    }

    /// Whether it is that of a torus.
    #[inline]
    fn is_around(&self) -> bool {
        !self.away.is_empty()
    }

    /// How many sites there are room for.
    pub(super) fn sites(&self) -> u32 {
        let ghosts = if self.is_around() { 0 } else { 1 };
        (self.out.len() as u32).saturating_sub(ghosts)
    }

    /// How many edges there are, those to the ghost included.
    pub(super) fn edges(&self) -> u32 {
        self.halves.len() as u32 / 2
    }

    /// Memory held. \[bytes\]
    pub(super) fn bytes(&self) -> usize {
        self.halves.capacity() * size_of::<Half>()
            + self.out.capacity() * size_of::<u32>()
            + self.away.capacity() * size_of::<[i32; 2]>()
    }

    #[inline]
    pub(super) fn origin(&self, half: u32) -> u32 {
        self.halves[half as usize].origin
    }

    #[inline]
    pub(super) fn next(&self, half: u32) -> u32 {
        self.halves[half as usize].next
    }

    /// The half-edge before `half` in its triangle.
    #[inline]
    pub(super) fn previous(&self, half: u32) -> u32 {
        self.next(self.next(half))
    }

    /// Whether `site` is the ghost.
    #[inline]
    pub(super) fn is_ghost(&self, site: u32) -> bool {
        site as usize + 1 == self.out.len() && !self.is_around()
    }

    /// How many periods away is the image of the site to which a half-edge leads.
    #[inline]
    fn away(&self, half: u32) -> [i32; 2] {
        self.away.get(half as usize).copied().unwrap_or_default()
    }

    fn lead(&mut self, half: u32, away: [i32; 2]) {
        if self.is_around() {
            self.away[half as usize] = away;
            self.away[(half ^ 1) as usize] = away.map(|periods| -periods);
        }
    }

    /// Takes up that `site` is so many periods back.
    pub(super) fn shift(&mut self, site: u32, back: [i32; 2]) {
        let ring: Vec<u32> = self.ring(site).collect();
        for half in ring {
            self.lead(half, sum(self.away(half), back.map(|periods| -periods)));
        }
    }

    /// The corners of the triangle of `half`, the first of which is no image.
    pub(super) fn corners(&self, half: u32) -> [Corner; 3] {
        let [a, b, c] = self.triangle(half);
        let to_b = self.away(a);
        let away = [[0; 2], to_b, sum(to_b, self.away(b))];
        let sites = [a, b, c].map(|half| self.origin(half));
        std::array::from_fn(|k| Corner { site: sites[k], away: away[k] })
    }

    /// A half-edge that starts at `site`.
    pub(super) fn out_of(&self, site: u32) -> u32 {
        self.out[site as usize]
    }

    /// The two ends of an edge, and the two opposite corners: left of `half`, and right of it.
    #[inline]
    pub(super) fn around(&self, half: u32) -> [u32; 4] {
        let twin = half ^ 1;
        let opposite = |half| self.origin(self.previous(half));
        [self.origin(half), self.origin(twin), opposite(half), opposite(twin)]
    }

    /// What has to hold for edge `edge`.
    #[inline]
    pub(super) fn quad(&self, edge: u32) -> Quad {
        let [a, b, c, d] = self.around(2 * edge);
        match [a, b, c, d].map(|site| self.is_ghost(site)) {
            [false, false, false, false] => Quad::Inner(self.inner(2 * edge, [a, b, c, d])),
            [false, false, true, false] => Quad::Hull([a, d, b]),
            [false, false, false, true] => Quad::Hull([b, c, a]),
            [false, true, ..] if c != d => Quad::Corner([d, a, c]),
            [true, false, ..] if c != d => Quad::Corner([c, b, d]),
            // Within a chain, with the ghost on both sides, or at its end, where the same site is
            // on both sides.
            _ => Quad::Fixed,
        }
    }

    #[inline]
    fn inner(&self, half: u32, sites: [u32; 4]) -> [Corner; 4] {
        let mut corners = sites.map(|site| Corner { site, away: [0; 2] });
        if self.is_around() {
            let to_b = self.away(half);
            corners[1].away = to_b;
            corners[2].away = sum(to_b, self.away(self.next(half)));
            corners[3].away = self.away(self.next(half ^ 1));
        }
        corners
    }

    /// The half-edges that start at `site`, in counter-clockwise order.
    #[inline]
    pub(super) fn ring(&self, site: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.out[site as usize];
        let mut half = first;
        let mut done = false;
        std::iter::from_fn(move || {
            if done {
                return None;
            }
            let this = half;
            half = self.previous(half) ^ 1;
            done = half == first;
            Some(this)
        })
    }

    /// The half-edges round the triangle of `half`, from `half` on.
    pub(super) fn triangle(&self, half: u32) -> [u32; 3] {
        let next = self.next(half);
        [half, next, self.next(next)]
    }

    /// The four edges around the two triangles of `edge`.
    pub(super) fn frame(&self, edge: u32) -> [u32; 4] {
        let (half, twin) = (2 * edge, 2 * edge + 1);
        [self.next(half), self.previous(half), self.next(twin), self.previous(twin)]
            .map(|half| half / 2)
    }

    /// Replaces edge `edge` by the other diagonal of its quadrilateral, and returns the new ends.
    pub(super) fn flip(&mut self, edge: u32) -> [u32; 2] {
        let (half, twin) = (2 * edge, 2 * edge + 1);
        let [a, b, c, d] = self.around(half);
        let [_, to_c, from_c] = self.triangle(half);
        let [_, to_d, from_d] = self.triangle(twin);
        // From d over b to c.
        self.lead(half, sum(self.away(from_d), self.away(to_c)));
        self.halves[half as usize] = Half { origin: d, next: from_c };
        self.halves[from_c as usize].next = to_d;
        self.halves[to_d as usize].next = half;
        self.halves[twin as usize] = Half { origin: c, next: from_d };
        self.halves[from_d as usize].next = to_c;
        self.halves[to_c as usize].next = twin;
        // The flipped edge no longer starts at a or b, which may have known it as their own
        // half-edge.
        self.out[a as usize] = to_d;
        self.out[b as usize] = to_c;
        [c, d]
    }

    /// Puts `site` into the triangle of `half`, as its image so many periods away from the first corner,
    /// and joins it to the three corners. Returns the six edges of the three new triangles.
    pub(super) fn split(&mut self, half: u32, site: u32, away: [i32; 2]) -> [u32; 6] {
        let sides = self.triangle(half);
        let corners = self.corners(half);
        let spokes = [0, 2, 4].map(|k| self.halves.len() as u32 + k);
        for k in 0..3 {
            let (this, following) = (k, (k + 1) % 3);
            // From the corner where side k starts to the site, and back.
            self.halves
                .push(Half { origin: self.origin(sides[this]), next: spokes[(k + 2) % 3] + 1 });
            self.halves.push(Half { origin: site, next: sides[this] });
            self.halves[sides[this] as usize].next = spokes[following];
            if self.is_around() {
                self.away.extend([[0; 2]; 2]);
                self.lead(spokes[this], sum(away, corners[this].away.map(|periods| -periods)));
            }
        }
        self.out[site as usize] = spokes[0] + 1;
        let [a, b, c] = sides.map(|half| half / 2);
        let [d, e, f] = spokes.map(|half| half / 2);
        [a, b, c, d, e, f]
    }

    /// Holds the links to each other: triangles close, twins meet, every site starts its own
    /// half-edge, and the numbers are those of a sphere.
    ///
    /// # Panics
    /// If it is not so.
    pub(super) fn assert_closed(&self) {
        let sites = self.sites() as usize;
        let expected = match self.is_around() {
            true => 6 * sites,
            false => (6 * sites).saturating_sub(6),
        };
        assert_eq!(self.halves.len(), expected, "edges on a sphere, or on a torus");
        let mut degrees = vec![0; self.out.len()];
        for half in 0..self.halves.len() as u32 {
            let [_, next, previous] = self.triangle(half);
            assert_eq!(self.next(previous), half, "a triangle closes");
            assert_eq!(self.origin(next), self.origin(half ^ 1), "twins meet");
            if self.is_around() {
                let round = [half, next, previous].map(|half| self.away(half));
                assert_eq!(round.into_iter().fold([0; 2], sum), [0; 2], "a triangle is no loop");
                assert_eq!(sum(self.away(half), self.away(half ^ 1)), [0; 2], "twins meet");
            } else {
                assert_ne!(self.origin(half), self.origin(half ^ 1), "an edge has two ends");
            }
            degrees[self.origin(half) as usize] += 1;
        }
        if self.halves.is_empty() {
            return;
        }
        // One ring for each site that holds all its half-edges: with the number of edges above this
        // is Euler's formula for a sphere.
        for (site, degree) in degrees.into_iter().enumerate() {
            assert_eq!(
                self.origin(self.out[site]) as usize,
                site,
                "a site knows a half-edge of its own"
            );
            assert_eq!(self.ring(site as u32).count(), degree, "one ring around each site");
        }
    }
}
