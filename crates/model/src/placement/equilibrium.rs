//! Hard particles as they are in equilibrium, with the affinities of regions for them: placed at random
//! as the others are, regions in proportion to their affinities, and then moved about by Metropolis's rule
//! (Metropolis et al. 1953). Half of the moves go anywhere, which mixes regions at once; the others are
//! short, and mix dense places.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use jostle_core::space::Vector;

use super::grid::Occupied;
use super::ground::Ground;
use super::random::{PATIENCE, PATIENCE_IN_ALL, jammed};
use super::{GAP, Model, PlacementError, PlacementMethod, radius};

/// The least and the greatest number of sweeps; in each, every particle is moved both ways.
const SWEEPS: [u64; 2] = [200, 4000];
/// Between these, sweeps end when moves to anywhere have succeeded this often for each particle, on average.
const JUMPS: u64 = 20;
/// The first sweeps, in which the length of short moves is adapted; with a length that changes, detailed balance does
/// not hold.
const TUNING: u64 = 60;
/// How often progress is reported. \[sweeps\]
const REPORTED: u64 = 200;

/// A particle that is moved: its species, and its number among those.
type Mover = (u16, usize);

pub(super) fn place<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Result<(), PlacementError> {
    let movers = thrown(model, ground, occupied, random)?;
    if movers.is_empty() {
        return Ok(());
    }
    let longest = ground.domain.edges().iter().fold(0.0, |a, b| f64::max(a, *b));
    // The length of short moves of each species, and how many of them were made in this sweep.
    let mut steps: Vec<f64> =
        (0..model.species.len() as u16).map(|s| radius(model, s).max(1e-3 * longest)).collect();
    let [least, most] = SWEEPS;
    let mut jumps = 0;
    for sweep in 0..most {
        if sweep >= least && jumps >= JUMPS * movers.len() as u64 {
            break;
        }
        if sweep % REPORTED == 0 {
            let each = jumps as f64 / movers.len() as f64;
            log::info!("equilibrium: sweep {sweep}, {each:.1} moves of each particle to anywhere");
        }
        let mut made = vec![[0_u32; 2]; steps.len()];
        for &mover in &movers {
            let (species, number) = mover;
            if let Some(place) = ground.somewhere(species, random) {
                jumps += u64::from(moved(ground, occupied, mover, place, random));
            }
            if ground.is_anchored(species) {
                continue;
            }
            let here = occupied.place(species, number);
            let step = steps[species as usize];
            let aside = Vector::from_fn(|_| step * (2.0 * random.random::<f64>() - 1.0));
            let there = ground.domain.wrap(here + aside).0;
            let is_free = ground.is_within(species, there, 0.0);
            let [tried, done] = &mut made[species as usize];
            *tried += 1;
            if is_free && ground.holds(species, there).is_ok() {
                *done += u32::from(moved(ground, occupied, mover, there, random));
            }
        }
        if sweep < TUNING {
            // Longer moves where most succeed; not longer than the box.
            for (step, [tried, done]) in steps.iter_mut().zip(made).filter(|(_, m)| m[0] > 0) {
                let factor = if 5 * done > 2 * tried { 1.2 } else { 1.0 / 1.2 };
                *step = (*step * factor).min(0.5 * longest);
            }
        }
    }
    Ok(())
}

/// Moves a particle to a place where it may be alone, if no other is in the way and Metropolis's
/// rule accepts. Whether it was moved.
fn moved<const D: usize>(
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    (species, number): Mover,
    place: Vector<D>,
    random: &mut Xoshiro256PlusPlus,
) -> bool {
    let here = occupied.place(species, number);
    let ratio = ground.affinity(species, place) / ground.affinity(species, here);
    if ratio < 1.0 && random.random::<f64>() >= ratio {
        return false;
    }
    let is_free = occupied.is_free_for(species, number, place, GAP);
    if is_free {
        occupied.relocate(species, number, place);
    }
    is_free
}

/// Particles at random, the large ones first, as densely as regions attract them.
fn thrown<const D: usize>(
    model: &Model,
    ground: &Ground<'_, D>,
    occupied: &mut Occupied<'_, D>,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Vec<Mover>, PlacementError> {
    let wanted = model.placement.iter().filter_map(|placement| match placement.how {
        PlacementMethod::Equilibrium { count } => Some((placement.species, count)),
        _ => None,
    });
    let mut wanted: Vec<(u16, usize)> = wanted.collect();
    wanted.sort_by(|a, b| radius(model, b.0).total_cmp(&radius(model, a.0)));
    let all: usize = wanted.iter().map(|(_, count)| count).sum();
    let mut left = PATIENCE + PATIENCE_IN_ALL * all as u64;
    let mut movers = Vec::with_capacity(all);
    for (species, count) in wanted {
        let highest = ground.highest_affinity(species);
        for placed in 0..count {
            let tries = left.min(PATIENCE);
            let found = (0..tries).find_map(|n| {
                let place = ground.somewhere(species, random)?;
                // In the second half of the tries wherever there is room: what attracts may be full.
                let weight = ground.affinity(species, place) / highest;
                let counts = 2 * n > tries || random.random::<f64>() < weight;
                let free = counts && occupied.is_free_for(species, usize::MAX, place, GAP);
                free.then_some((n + 1, place))
            });
            let Some((tried, place)) = found else {
                return Err(jammed(model, occupied, species, [placed, count]));
            };
            left -= tried;
            movers.push((species, occupied.count(species)));
            occupied.add(species, place);
        }
    }
    Ok(movers)
}

#[cfg(test)]
mod tests {
    use super::super::place;
    use crate::Model;
    use jostle_core::space::Vector;

    fn model(text: &str, seed: usize) -> Model {
        let text = format!("{text}\n[run]\ntimestep = '1 ns'\nsteps = 1\nseed = {seed}\n");
        crate::parse(&text, "test", &[]).unwrap_or_else(|faults| panic!("{faults}"))
    }

    /// The mean of some numbers and its standard error.
    fn mean(numbers: &[f64]) -> [f64; 2] {
        let found = jostle_core::statistics::Estimate::of(numbers);
        [found.mean, found.error]
    }

    /// Rods on a ring that fill 0.6 of it: gaps are as intervals between random points, of which the
    /// mean square is 2 L²/(N (N + 1)) for a free length L. Random placement has 7 % less. 60 seeds; four
    /// standard errors, a false alarm in 16 000.
    #[test]
    fn rods_on_a_ring_have_the_gaps_of_equilibrium() {
        const RODS: usize = 100;
        let square_of = |how: &str| {
            let squares: Vec<f64> = (1..61)
                .map(|seed| {
                    let text = format!(
                        "[space]\ndimension = 1\nedges = 1000\nboundary = 'periodic'\n\
                         [[species]]\nname = 'A'\nradius = 3\n\
                         diffusion = 1\nplacement = {{ {how} = {RODS} }}"
                    );
                    let mut places: Vec<f64> = place::<1>(&model(&text, seed))
                        .unwrap()
                        .iter()
                        .map(|(_, x)| x[0])
                        .collect();
                    places.sort_by(f64::total_cmp);
                    let next = places[1..].iter().copied().chain([places[0] + 1000.0]);
                    let gaps = places.iter().zip(next).map(|(x, y)| y - x - 6.0);
                    gaps.map(|gap| gap * gap).sum::<f64>() / RODS as f64
                })
                .collect();
            mean(&squares)
        };
        let exact = 2.0 * 400.0 * 400.0 / (RODS * (RODS + 1)) as f64;
        let [found, error] = square_of("equilibrium");
        assert!((found - exact).abs() < 4.0 * error, "{found} +- {error}, {exact}");
        let [random, error] = square_of("random");
        assert!((random - exact).abs() > 4.0 * error, "{random} +- {error}: nothing is tested");
    }

    /// Particles of next to no size, with an affinity of 5 for a ball that is 0.0655 of the box: the share inside
    /// is 0.2595. 40 seeds of 200, binomial; four standard errors.
    #[test]
    fn regions_hold_what_their_affinity_says() {
        let text = "[space]\ndimension = 3\nedges = 100\nboundary = 'periodic'\n\
            [[surface]]\nname = 'drop'\nsphere = { centre = [50, 50, 50], radius = 25 }\nmeets = 'ignore'\n\
            species = { A = { diffusion_inside = 0.1, affinity = 5 } }\n\
            [[species]]\nname = 'A'\nradius = 0.1\ndiffusion = 0.1\nplacement = { equilibrium = 200 }\n";
        let inside = |seed: usize| {
            let particles = place::<3>(&model(text, seed)).unwrap();
            let centre = Vector([50.0; 3]);
            particles.iter().filter(|(_, x)| (*x - centre).norm() < 25.0).count() as f64
        };
        let counts: Vec<f64> = (1..41).map(inside).collect();
        let share = 4.0 / 3.0 * std::f64::consts::PI * 25f64.powi(3) / 1e6;
        let expected = 5.0 * share / (5.0 * share + 1.0 - share);
        let [found, _] = mean(&counts);
        let error = (200.0 * expected * (1.0 - expected) / 40.0).sqrt();
        assert!((found - 200.0 * expected).abs() < 4.0 * error, "{found} for {}", 200.0 * expected);
    }

    #[test]
    fn nothing_overlaps_and_the_same_seed_gives_the_same_places() {
        let text = "[space]\ndimension = 2\nedges = 60\nboundary = ['reflecting', 'periodic']\n\
            [[species]]\nname = 'B'\nradius = 3\ndiffusion = 1\nplacement = { random = 10 }\n\
            [[species]]\nname = 'A'\nradius = 1\ndiffusion = 1\nplacement = { equilibrium = 300 }\n";
        let particles = place::<2>(&model(text, 3)).unwrap();
        assert_eq!(particles.len(), 310);
        assert_eq!(particles, place::<2>(&model(text, 3)).unwrap());
        let apart = text.replace("{ equilibrium = 300 }", "'equilibrium'\ncount = 300");
        assert_eq!(particles, place::<2>(&model(&apart, 3)).unwrap());
        for (n, (a, x)) in particles.iter().enumerate() {
            let radius = |species: u16| if species == 0 { 3.0 } else { 1.0 };
            assert!((radius(*a)..=60.0 - radius(*a)).contains(&x[0]));
            for (b, y) in &particles[..n] {
                let mut apart = *x - *y;
                apart.0[1] -= 60.0 * (apart[1] / 60.0).round();
                assert!(apart.norm() >= radius(*a) + radius(*b), "{x:?} {y:?}");
            }
        }
    }
}
