//! Figure 1 of Gavrilova & Rokne 2002: the generalised Delaunay triangulation and the power diagram
//! of 1000 disks.
//!
//! The paper gives neither box nor radii. Ours are spread evenly over a ratio of three and fill 30
//! % of a square.

use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};

use super::report::digits;
use super::{ReportSection, StudyReport};
use jostle_analysis::Table;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::Vector;
use jostle_events::kinetic::laguerre::{Diagram, diagram};
use jostle_report::report::{Tessellation, draw_tessellations};

/// Of the square. \[length\]
const EDGE: f64 = 1000.0;
/// The share of the area.
const PACKING: f64 = 0.3;

/// Disks and what the triangulation makes of them.
#[derive(Clone, Debug)]
pub struct Triangulated {
    /// Centres and radii.
    pub disks: Vec<(Vector<2>, f64)>,
    /// Triangulation and power diagram.
    pub diagram: Diagram,
}

impl Triangulated {
    /// So many disks, at random and apart; or every second one touching one of those before it,
    /// where there is room.
    pub fn new(disks: usize, touching: bool, seed: u64) -> Self {
        let disks = place(disks, touching, &Random::new(seed));
        let diagram = diagram(&disks, Vector::ZERO, Vector([EDGE; 2]));
        Self { disks, diagram }
    }

    /// Neighbours of a disk, the mean.
    pub fn mean_degree(&self) -> f64 {
        2.0 * self.diagram.edges.len() as f64 / self.disks.len() as f64
    }

    /// What Euler's formula says: 3 n - 3 - h edges, h of n disks being on the hull, since every
    /// disk that overlaps no other has a cell.
    pub fn expected_edges(&self) -> usize {
        (3 * self.disks.len()).saturating_sub(3 + self.diagram.hull)
    }

    /// Pairs that touch, and how many of these are no edges.
    pub fn touching_pairs(&self) -> [usize; 2] {
        let edges: BTreeSet<[u32; 2]> =
            self.diagram.edges.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        let (mut touching, mut missed) = (0, 0);
        for (i, (x, r)) in (0..).zip(&self.disks) {
            for (j, (y, s)) in (0..).zip(&self.disks).skip(i as usize + 1) {
                if (*y - *x).norm() <= (r + s) * (1.0 + 1e-9) {
                    touching += 1;
                    missed += usize::from(!edges.contains(&[i, j]));
                }
            }
        }
        [touching, missed]
    }
}

/// Disks of radii from half the mean to one and a half of it.
fn place(count: usize, touching: bool, random: &Random) -> Vec<(Vector<2>, f64)> {
    // The mean square of such radii is 13/12.
    let mean = EDGE * (PACKING / (PI * 13.0 / 12.0 * count.max(1) as f64)).sqrt();
    let mut disks: Vec<(Vector<2>, f64)> = Vec::with_capacity(count);
    let uniform = |n: usize, attempt: u64, k: u64| {
        random.uniform(Purpose::Placement, [n as u64, attempt, k, 1])
    };
    for n in 0..count {
        let radius = mean * (0.5 + uniform(n, 0, 9));
        let apart = |x: &Vector<2>| {
            (0..2).all(|k| x[k] >= radius && x[k] + radius <= EDGE)
                && disks.iter().all(|(y, r)| (*x - *y).norm() >= (r + radius) * (1.0 - 1e-12))
        };
        let beside = |attempt: u64| {
            let (y, r) = disks[(uniform(n, attempt, 3) * n as f64) as usize];
            let angle = TAU * uniform(n, attempt, 2);
            y + Vector([libm::cos(angle), libm::sin(angle)]) * (r + radius)
        };
        let drawn = |attempt: u64| match touching && n % 2 == 1 {
            true => beside(attempt),
            false => Vector::from_fn(|k| EDGE * uniform(n, attempt, k as u64)),
        };
        if let Some(centre) = (0..20_000).map(drawn).find(apart) {
            disks.push((centre, radius));
        }
    }
    disks
}

/// The figure and its numbers.
pub fn laguerre() -> StudyReport {
    let figure = Triangulated::new(1000, false, 1);
    let mut table = Table::new(&[
        "disks",
        "on the hull",
        "edges",
        "3 n - 3 - h",
        "mean degree",
        "touching pairs",
        "no edges",
    ]);
    for found in [&figure, &Triangulated::new(1000, true, 2)] {
        let [touching, missed] = found.touching_pairs();
        table.push(vec![
            found.disks.len().into(),
            found.diagram.hull.into(),
            found.diagram.edges.len().into(),
            found.expected_edges().into(),
            digits(found.mean_degree()).into(),
            touching.into(),
            missed.into(),
        ]);
    }
    let section = ReportSection::new(
        "figure1",
        "Figure 1 of Gavrilova & Rokne 2002: disks that fill 30 % of a square",
        table,
    )
    .remarks(vec![
        "The first row is the picture; in the second every other disk touches one of those before it. Every \
         touching pair has to be an edge, or the structure would miss collisions."
            .to_owned(),
    ]);
    StudyReport {
        title: "The triangulation and the power diagram of 1000 disks (Gavrilova & Rokne 2002, Figure 1)"
            .to_owned(),
        sections: vec![section],
        drawings: vec![("figure1", draw(&figure))],
    }
}

fn draw(figure: &Triangulated) -> jostle_report::report::Sheet {
    let discs: Vec<([f64; 2], f64)> = figure.disks.iter().map(|(x, r)| (x.0, *r)).collect();
    let edges: Vec<[[f64; 2]; 2]> = figure
        .diagram
        .edges
        .iter()
        .map(|pair| pair.map(|i| figure.disks[i as usize].0.0))
        .collect();
    let borders: Vec<[[f64; 2]; 2]> =
        figure.diagram.borders.iter().map(|ends| ends.map(|x| x.0)).collect();
    let panel = |title, lines| Tessellation { title, edges: [EDGE; 2], discs: &discs, lines };
    draw_tessellations(
        "Figure 1 of Gavrilova & Rokne 2002",
        &[
            panel("Generalised Delaunay triangulation", &edges),
            panel("Power diagram (Voronoi diagram in Laguerre geometry)", &borders),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_triangulation_is_as_large_as_euler_says() {
        for touching in [false, true] {
            let found = Triangulated::new(400, touching, 3);
            assert_eq!(found.disks.len(), 400);
            assert_eq!(found.diagram.edges.len(), found.expected_edges());
            assert!((5.7..6.0).contains(&found.mean_degree()), "{}", found.mean_degree());
        }
    }

    #[test]
    fn particles_that_touch_are_neighbours() {
        let [touching, missed] = Triangulated::new(400, true, 4).touching_pairs();
        assert!(touching >= 190, "{touching}");
        assert_eq!(missed, 0);
    }
}
