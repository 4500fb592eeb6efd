//! Which kinetic structure is the fastest where: all of them on the same particles, which is what
//! `auto` goes by ([`advise`](jostle_events::kinetic::advise)).

use std::f64::consts::PI;

use super::{BenchError, engine_of, turn};
use crate::bench::Progress;
use crate::bench::study::digits;
use jostle_analysis::Table;
use jostle_core::random::{Purpose, Random};
use jostle_core::space::{Domain, Vector};
use jostle_events::granular::Grain;
use jostle_events::kinetic::{KineticKind, advise};

/// Particles drawn at random: radii evenly spread on a logarithmic scale from 1 to `ratio`.
struct Crowd {
    particles: usize,
    ratio: f64,
    packing: f64,
    periodic: bool,
}

/// Numbers of particles.
const PARTICLES: [usize; 4] = [10, 100, 1000, 10_000];
/// Of the largest radius to the smallest.
const RATIOS: [f64; 3] = [1.0, 3.0, 10.0];
/// Shares of the area or of the volume.
const PACKINGS: [f64; 2] = [0.03, 0.25];

/// So many collisions of each particle go by before anything is timed.
const WARM_UP: f64 = 2.0;

/// Microseconds per collision by structure: in a box with walls in the plane and in a periodic box
/// in space.
///
/// # Errors
/// If an engine cannot start or a run cannot be trusted.
pub(super) fn choice(quick: bool, progress: Progress<'_>) -> Result<Table, BenchError> {
    let mut columns = vec!["bodies".to_owned(), "ratio".to_owned(), "packing".to_owned()];
    columns.extend(KineticKind::ALL.map(|kind| kind.name().to_owned()));
    columns.extend(["fastest", "auto", "auto / fastest"].map(str::to_owned));
    let mut table = Table::new(&["box"]);
    table.columns.extend(columns);
    let most = if quick { 100 } else { usize::MAX };
    for particles in PARTICLES.into_iter().filter(|&particles| particles <= most) {
        for ratio in RATIOS {
            for packing in PACKINGS {
                progress(&format!(
                    "choice: {particles} particles, radii 1 : {ratio}, packing {packing}"
                ));
                let crowd = |periodic| Crowd { particles, ratio, packing, periodic };
                table.push_texts(row::<2>("2D, walls", &crowd(false), quick)?);
                table.push_texts(row::<3>("3D, periodic", &crowd(true), quick)?);
            }
        }
    }
    Ok(table)
}

fn row<const D: usize>(name: &str, crowd: &Crowd, quick: bool) -> Result<Vec<String>, BenchError> {
    let (domain, grains) = crowd.make::<D>();
    let seconds = if quick { 0.01 } else { 0.3 };
    let mut times = Vec::new();
    for kind in KineticKind::ALL {
        times.push(time(kind, &domain, &grains, seconds)?);
    }
    let fastest = (0..times.len()).filter(|&n| times[n].is_some()).min_by(|&a, &b| {
        let of = |n: usize| times[n].unwrap_or(f64::INFINITY);
        of(a).total_cmp(&of(b))
    });
    let fastest = fastest.unwrap_or(0);
    let radii: Vec<f64> = grains.iter().map(|grain| grain.radius).collect();
    let auto = advise(&domain, &radii);
    let place = KineticKind::ALL.iter().position(|&kind| kind == auto).unwrap_or(0);
    let of = |n: usize| times[n].unwrap_or(f64::NAN);
    let mut row = vec![
        name.to_owned(),
        grains.len().to_string(),
        crowd.ratio.to_string(),
        crowd.packing.to_string(),
    ];
    row.extend(times.iter().map(|time| time.map_or("-".to_owned(), digits)));
    row.push(KineticKind::ALL[fastest].name().to_owned());
    row.push(auto.name().to_owned());
    row.push(digits(of(place) / of(fastest)));
    Ok(row)
}

/// Microseconds of processor time per collision, walls included; none if the structure cannot
/// serve.
fn time<const D: usize>(
    kind: KineticKind,
    domain: &Domain<D>,
    grains: &[Grain<D>],
    seconds: f64,
) -> Result<Option<f64>, BenchError> {
    // Every pair is looked at ten thousand times for each collision.
    let hopeless = kind == KineticKind::Direct && grains.len() > 2000;
    if hopeless || !kind.serves(D) {
        return Ok(None);
    }
    let mut engine = engine_of(kind, domain.clone(), grains)?;
    turn(&mut engine, WARM_UP * 0.5 * grains.len() as f64, 20.0 * seconds)?;
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let collisions = |engine: &jostle_events::granular::Granular<D>| {
            engine.tally().collisions + engine.tally().wall_collisions
        };
        let before = collisions(&engine);
        let took = turn(&mut engine, f64::INFINITY, seconds / 3.0)?;
        let done = collisions(&engine) - before;
        if done > 0 {
            least = least.min(1e6 * took / done as f64);
        }
    }
    Ok(least.is_finite().then_some(least))
}

impl Crowd {
    /// The largest are placed first; a ball that finds no room in many attempts is left out.
    fn make<const D: usize>(&self) -> (Domain<D>, Vec<Grain<D>>) {
        let radius = |n: usize| libm::pow(self.ratio, 1.0 - n as f64 / self.particles as f64);
        let ball = |r: f64| if D == 2 { PI * r * r } else { 4.0 / 3.0 * PI * r * r * r };
        let filled: f64 = (0..self.particles).map(|n| ball(radius(n))).sum();
        let edge = libm::pow(filled / self.packing, 1.0 / D as f64).max(4.5 * self.ratio);
        let domain = Domain::new([edge; D], [self.periodic; D]);
        let random = Random::new(3);
        let mut grains: Vec<Grain<D>> = Vec::new();
        let mut grid = Buckets::new(edge, 2.0 * self.ratio);
        for n in 0..self.particles {
            let r = radius(n);
            let draw = |attempt: u64| {
                Vector::from_fn(|k| {
                    let u = random.uniform(Purpose::Placement, [n as u64, attempt, k as u64, 0]);
                    if self.periodic { u * edge } else { r + u * (edge - 2.0 * r) }
                })
            };
            let free = |place: &Vector<D>| {
                grid.around(*place).all(|j: usize| {
                    let other: &Grain<D> = &grains[j];
                    domain.nearest_image(other.position - *place).norm() > other.radius + r
                })
            };
            if let Some(position) = (0..1000).map(draw).find(free) {
                grid.add(position, grains.len());
                let mass = r * r * r;
                let velocity = random.normal::<D>(0, n as u64) * (1.0 / mass.sqrt());
                grains.push(Grain { position, velocity, radius: r, mass, species: 0 });
            }
        }
        (domain, grains)
    }
}

/// Particles by cell, at least as wide as the largest diameter.
struct Buckets {
    count: i64,
    width: f64,
    cells: std::collections::HashMap<Vec<i64>, Vec<usize>>,
}

impl Buckets {
    fn new(edge: f64, least: f64) -> Self {
        let count = (edge / least).floor().max(1.0);
        Self { count: count as i64, width: edge / count, cells: Default::default() }
    }

    fn cell<const D: usize>(&self, place: Vector<D>) -> [i64; D] {
        std::array::from_fn(|k| ((place[k] / self.width).floor() as i64).clamp(0, self.count - 1))
    }

    fn add<const D: usize>(&mut self, place: Vector<D>, particle: usize) {
        self.cells.entry(self.cell(place).to_vec()).or_default().push(particle);
    }

    fn around<const D: usize>(&self, place: Vector<D>) -> impl Iterator<Item = usize> {
        let at = self.cell(place);
        let mut cells: Vec<Vec<i64>> = (0..3i64.pow(D as u32))
            .map(|n| {
                (0..D)
                    .map(|k| (at[k] + n / 3i64.pow(k as u32) % 3 - 1).rem_euclid(self.count))
                    .collect()
            })
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().filter_map(|cell| self.cells.get(&cell)).flatten().copied()
    }
}
