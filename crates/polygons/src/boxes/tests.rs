//! Storms of boxes against all pairs, and Schinner's tables for two axes at once.

use super::*;
use jostle_core::random::{Purpose, Random};

const EDGE: f64 = 8.0;

/// Places are multiples of this: sums are exact, and ties are common.
const GRID: f64 = 1.0 / 16.0;

fn domain(periodic: [bool; 2]) -> Domain<2> {
    Domain::new([EDGE; 2], periodic)
}

/// Whether some images of two boxes overlap, by trying them.
fn images_overlap(a: Sides, b: Sides, periodic: [bool; 2]) -> bool {
    (0..2).all(|k| {
        let images = if periodic[k] { -40..=40 } else { 0..=0 };
        images.into_iter().any(|n| {
            let shift = f64::from(n) * EDGE;
            a[k][0] <= b[k][1] + shift && b[k][0] + shift <= a[k][1]
        })
    })
}

fn all_pairs(sides: &[Sides], periodic: [bool; 2]) -> Vec<[u32; 2]> {
    let bodies = sides.len() as u32;
    let pairs = (0..bodies).flat_map(|i| (i + 1..bodies).map(move |j| [i, j]));
    pairs
        .filter(|[i, j]| images_overlap(sides[*i as usize], sides[*j as usize], periodic))
        .collect()
}

fn without(from: &[[u32; 2]], these: &[[u32; 2]]) -> Vec<[u32; 2]> {
    from.iter().copied().filter(|pair| these.binary_search(pair).is_err()).collect()
}

/// Boxes of many sizes that move on, jump, and change their shapes.
struct Storm {
    random: Random,
    step: u64,
    sides: Vec<Sides>,
    widest: f64,
}

impl Storm {
    fn new(seed: u64, bodies: usize, widest: f64) -> Self {
        let mut storm = Self { random: Random::new(seed), step: 0, sides: Vec::new(), widest };
        storm.sides = (0..bodies as u32).map(|body| storm.anywhere(body)).collect();
        storm
    }

    fn uniform(&self, body: u32, k: u64) -> f64 {
        self.random.uniform(Purpose::Waiting, [self.step, u64::from(body), k, 0])
    }

    fn anywhere(&self, body: u32) -> Sides {
        [0, 1].map(|k| {
            let begin = (EDGE * self.uniform(body, k) / GRID).floor() * GRID;
            // Most are small, one in eight is as wide as it gets.
            let widest = if body.is_multiple_of(8) { self.widest } else { 0.6 };
            let width = (widest * self.uniform(body, 2 + k) / GRID).floor() * GRID;
            [begin, begin + width]
        })
    }

    /// Moves about one body in `of` by up to `reach` units of the grid; every 50th goes anywhere.
    fn blow(&mut self, of: f64, reach: f64, jumps: bool) -> Vec<u32> {
        self.step += 1;
        let moved: Vec<u32> =
            (0..self.sides.len() as u32).filter(|&i| self.uniform(i, 9) * of < 1.0).collect();
        for &body in &moved {
            self.sides[body as usize] = if jumps && self.uniform(body, 10) < 0.02 {
                self.anywhere(body)
            } else {
                let old = self.sides[body as usize];
                [0, 1].map(|k| {
                    let by =
                        GRID * (reach * (2.0 * self.uniform(body, 5 + k as u64) - 1.0)).round();
                    old[k].map(|x| x + by)
                })
            };
        }
        moved
    }
}

/// 40 boxes; 60 steps in which few, many or all move a little or far, through all kinds of domains,
/// with and without wide boxes.
#[test]
fn lists_and_changes_are_those_of_all_pairs_in_storms() {
    for (seed, periodic) in
        [[false; 2], [true; 2], [true, false], [false, true]].into_iter().enumerate()
    {
        for widest in [0.6, 3.9, 11.0] {
            let mut storm = Storm::new(seed as u64, 40, widest);
            let mut boxes = Boxes::new(&domain(periodic));
            let (mut gained, mut lost) = (Vec::new(), Vec::new());
            boxes.build(&storm.sides, &mut gained);
            let mut known = all_pairs(&storm.sides, periodic);
            assert_eq!(gained, known);
            let (mut came, mut went) = (0, 0);
            for step in 0..60_u32 {
                let of = [20.0, 4.0, 1.0][step as usize % 3];
                let moved = storm.blow(of, f64::from(1 + step % 7 * 3), step % 2 == 0);
                boxes.update(&moved, &storm.sides, &mut gained, &mut lost);
                boxes.assert_well_formed(&storm.sides);
                let now = all_pairs(&storm.sides, periodic);
                assert_eq!(gained, without(&now, &known), "{periodic:?}, {widest}, step {step}");
                assert_eq!(lost, without(&known, &now), "{periodic:?}, {widest}, step {step}");
                for body in 0..40 {
                    let mut near: Vec<_> =
                        boxes.near(body).map(|other| ordered([body, other])).collect();
                    near.sort_unstable();
                    let expected: Vec<_> =
                        now.iter().copied().filter(|pair| pair.contains(&body)).collect();
                    assert_eq!(near, expected);
                }
                (came, went) = (came + gained.len(), went + lost.len());
                known = now;
            }
            assert!(came > 50 && went > 50, "{came}, {went}");
        }
    }
}

/// On a grid that rounding knows no better than the boxes do: which particles touch depends on all
/// that places have gone through, and continues to.
#[test]
fn boxes_that_are_taken_up_again_continue_as_before() {
    const SCALE: f64 = 0.1;
    for (seed, periodic) in
        [[false; 2], [true; 2], [true, false], [false, true]].into_iter().enumerate()
    {
        let domain = Domain::new([SCALE * EDGE; 2], periodic);
        let scaled = |storm: &Storm| -> Vec<Sides> {
            // None without a width: rounding would turn it inside out.
            let scaled = |[begin, end]: [f64; 2]| [SCALE * begin, SCALE * (end + GRID)];
            storm.sides.iter().map(|sides| sides.map(scaled)).collect()
        };
        let mut storm = Storm::new(seed as u64, 40, 3.9);
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        let mut all = vec![Boxes::new(&domain)];
        all[0].build(&scaled(&storm), &mut gained);
        for step in 0..90_u32 {
            let moved = storm.blow([20.0, 4.0, 1.0][step as usize % 3], 4.0, step % 8 == 0);
            let sides = scaled(&storm);
            let mut heard = all.iter_mut().map(|boxes| {
                boxes.update(&moved, &sides, &mut gained, &mut lost);
                (gained.clone(), lost.clone())
            });
            let first = heard.next();
            assert!(heard.all(|other| Some(other) == first), "{periodic:?}, step {step}");
            if step % 20 == 11 {
                let kept = postcard::to_stdvec(&all[0].kept()).unwrap();
                let kept: KeptBoxes<'_> = postcard::from_bytes(&kept).unwrap();
                let (boxes, pairs) = Boxes::resume(&domain, &sides, kept).unwrap();
                boxes.assert_well_formed(&sides);
                let mut known = Vec::new();
                all[0].list(&mut known);
                assert_eq!(pairs, known, "{periodic:?}, step {step}");
                all.push(boxes);
            }
        }
    }
}

#[test]
fn places_that_are_not_of_the_sides_are_refused() {
    let storm = Storm::new(1, 40, 0.6);
    let mut boxes = Boxes::new(&domain([true, false]));
    boxes.build(&storm.sides, &mut Vec::new());
    let resume =
        |sides: &[Sides]| Boxes::resume(&domain([true, false]), sides, boxes.kept()).is_some();
    assert!(resume(&storm.sides) && !resume(&storm.sides[1..]));
    let mut others = storm.sides.clone();
    others[7][0][1] += GRID;
    assert!(!resume(&others));
    assert!(Boxes::resume(&domain([true; 2]), &storm.sides, boxes.kept()).is_none());
}

/// 700 boxes, enough for two threads; pools of 1, 2 and 5.
#[test]
fn any_number_of_threads_finds_the_same() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut storm = Storm::new(7, 700, 5.0);
        let mut boxes = Boxes::new(&domain([true, false]));
        let mut heard = Vec::new();
        pool.install(|| {
            let (mut gained, mut lost) = (Vec::new(), Vec::new());
            boxes.build(&storm.sides, &mut gained);
            for step in 0..12 {
                let moved = storm.blow(f64::from(1 + step % 2), 2.0, step == 6);
                boxes.update(&moved, &storm.sides, &mut gained, &mut lost);
                let near: Vec<Vec<u32>> = (0..700).map(|body| boxes.near(body).collect()).collect();
                heard.push((gained.clone(), lost.clone(), near));
            }
        });
        (heard, boxes.exchanges())
    };
    let one = run(1);
    assert!(one.1.iter().all(|&exchanges| exchanges > 1000));
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

/// Every row of Table 3 along x, with each of apart, overlapping, coming and going along y, in one
/// step; and the same with the axes exchanged.
#[test]
fn exchanges_follow_schinners_table_3_with_both_axes_new() {
    let apart = [[0.0, 1.0], [2.0, 3.0]];
    // b0 b1 e0 e1, b1 b0 e1 e0, and either within the other; touching counts.
    let together = [
        [[0.0, 2.0], [1.0, 3.0]],
        [[1.0, 3.0], [0.0, 2.0]],
        [[0.0, 3.0], [1.0, 2.0]],
        [[1.0, 2.0], [0.0, 3.0]],
        [[0.0, 1.0], [1.0, 2.0]],
        [[1.0, 2.0], [0.0, 1.0]],
    ];
    let mirrored = [apart[1], apart[0]];
    let rows: Vec<([[f64; 2]; 2], bool)> = [apart, mirrored]
        .map(|row| (row, false))
        .into_iter()
        .chain(together.map(|row| (row, true)))
        .collect();
    for turned in [false, true] {
        let sides = |x: [[f64; 2]; 2], y: [[f64; 2]; 2]| {
            let [x, y] = if turned { [y, x] } else { [x, y] };
            [[x[0], y[0]], [x[1], y[1]]]
        };
        for (x0, x_met) in &rows {
            for (x1, x_meets) in &rows {
                for (y0, y_met) in &rows {
                    for (y1, y_meets) in &rows {
                        let mut boxes = Boxes::new(&domain([false; 2]));
                        let (mut gained, mut lost) = (Vec::new(), Vec::new());
                        boxes.build(&sides(*x0, *y0), &mut gained);
                        let (met, meet) = (*x_met && *y_met, *x_meets && *y_meets);
                        assert_eq!(gained.len(), usize::from(met));
                        boxes.update(&[0, 1], &sides(*x1, *y1), &mut gained, &mut lost);
                        assert_eq!(
                            gained.len(),
                            usize::from(meet && !met),
                            "{x0:?} {y0:?} {x1:?} {y1:?}"
                        );
                        assert_eq!(
                            lost.len(),
                            usize::from(met && !meet),
                            "{x0:?} {y0:?} {x1:?} {y1:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_pile_at_rest_costs_nothing() {
    let storm = Storm::new(3, 200, 3.0);
    let mut boxes = Boxes::new(&domain([true; 2]));
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    boxes.build(&storm.sides, &mut gained);
    boxes.update(&[], &storm.sides, &mut gained, &mut lost);
    assert!(gained.is_empty() && lost.is_empty());
    // Nor is there anything to exchange if all are said to have moved and none has.
    let all: Vec<u32> = (0..200).collect();
    boxes.update(&all, &storm.sides, &mut gained, &mut lost);
    assert!(gained.is_empty() && lost.is_empty());
    assert_eq!((boxes.exchanges(), boxes.sorts()), ([0; 2], 1));
}

/// Along the periodic axis the walls have no ends; between them all is as without.
#[test]
fn walls_as_long_as_the_period_meet_those_that_come_to_them_anywhere() {
    let ball = |x: f64, y: f64| [[x - 0.5, x + 0.5], [y - 0.5, y + 0.5]];
    let mut sides = vec![
        [[0.0, EDGE], [-1.0, 0.0]],
        [[-3.0, 9.0], [5.0, 6.0]],
        ball(1.0, 2.0),
        ball(7.75, 2.0),
    ];
    let mut boxes = Boxes::new(&domain([true, false]));
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    boxes.build(&sides, &mut gained);
    assert!(gained.is_empty());
    sides[2] = ball(1.0, 0.5);
    sides[3] = ball(8.25, 0.25);
    boxes.update(&[2, 3], &sides, &mut gained, &mut lost);
    assert_eq!(gained, [[0, 2], [0, 3], [2, 3]]);
    // The wall itself moves away, the other one comes.
    sides[0][1] = [-2.0, -1.0];
    sides[1][1] = [1.0, 2.0];
    boxes.update(&[1, 0], &sides, &mut gained, &mut lost);
    assert_eq!(
        (gained.as_slice(), lost.as_slice()),
        ([[1, 2]].as_slice(), [[0, 2], [0, 3]].as_slice())
    );
    // A particle that grows wide is taken up as such.
    sides[3][0] = [0.0, 5.0];
    boxes.update(&[3], &sides, &mut gained, &mut lost);
    assert_eq!((gained.as_slice(), lost.len(), boxes.sorts()), ([].as_slice(), 0, 2));
}

/// A tower whose order is reversed within a step (Schinner's Figure 6), and disorder beyond
/// sorting.
#[test]
fn a_reversed_tower_takes_its_exchanges_once_and_what_is_hopeless_is_sorted_afresh() {
    for (bodies, sorts) in [(8_u32, 1), (200, 2)] {
        let tower = |reversed: bool| -> Vec<Sides> {
            let place = |i: u32| f64::from(if reversed { bodies - 1 - i } else { i });
            (0..bodies).map(|i| [[0.0, 1.0], [place(i), place(i) + 0.5]]).collect()
        };
        let all: Vec<u32> = (0..bodies).collect();
        let mut boxes = Boxes::new(&domain([false; 2]));
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        boxes.build(&tower(false), &mut gained);
        boxes.update(&all, &tower(true), &mut gained, &mut lost);
        boxes.assert_well_formed(&tower(true));
        assert!(gained.is_empty() && lost.is_empty());
        assert_eq!(boxes.sorts(), sorts);
        let so_far = boxes.exchanges();
        boxes.update(&all, &tower(true), &mut gained, &mut lost);
        assert_eq!(boxes.exchanges(), so_far);
    }
}
