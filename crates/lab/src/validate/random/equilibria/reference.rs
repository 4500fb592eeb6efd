//! What equilibrium statistical mechanics says of a system: configuration integrals of all its
//! arrangements, by plain Monte Carlo with Boltzmann weights. It shares no code with the engines.
//!
//! Spheres are thrown into the box uniformly and independently, each with a factor of the volume; one
//! that is joined rigidly to another, at contact in a uniformly distributed direction. The constant K of a
//! reaction makes what is bound worth so much volume, and a tether spreads it over its shell.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::super::draws::Draws;
use super::arrangements::{Arrangement, Link, arrangements};
use super::system::{Configuration, LinkLength, Macrostate, Sphere, System};
use jostle_core::statistics::Estimate;

/// What is compared: shares of time in macrostates, and how many pairs attract or repel each other.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// The macrostates that are told apart; all others are taken together.
    pub(super) macrostates: Vec<Macrostate>,
    /// Of each macrostate, of all others together and, if there are potentials, the mean number of pairs
    /// in their range.
    pub(super) means: Vec<Estimate>,
}

/// Macrostates of a smaller share are taken together.
const LEAST_SHARE: f64 = 0.02;
/// Independent parts, from whose scatter the errors come.
const PARTS: usize = 40;

impl Reference {
    /// From this many configurations of each arrangement.
    pub(super) fn of(system: &System, samples: usize, draws: &mut Draws) -> Self {
        let arrangements: Vec<(Throw, Arrangement)> =
            arrangements(system).into_iter().map(|a| (Throw::of(system, &a), a)).collect();
        let parts: Vec<Part> =
            (0..PARTS).map(|_| Part::of(system, &arrangements, samples / PARTS, draws)).collect();
        let total: f64 = parts.iter().map(|part| part.total).sum();
        let mut shares: BTreeMap<&Macrostate, f64> = BTreeMap::new();
        for (macrostate, sum) in parts.iter().flat_map(|part| &part.sums) {
            *shares.entry(macrostate).or_default() += sum / total;
        }
        let large = shares.iter().filter(|(_, share)| **share >= LEAST_SHARE);
        let macrostates: Vec<Macrostate> = large.map(|(state, _)| (*state).clone()).collect();
        let of = |state: &Macrostate| {
            mean(&parts, total, |part| part.sums.get(state).copied().unwrap_or_default())
        };
        let known = |part: &Part| macrostates.iter().filter_map(|s| part.sums.get(s)).sum::<f64>();
        let rest = mean(&parts, total, |part| part.total - known(part));
        // Among so few there may be some that were not drawn by chance.
        let possible: usize = parts.iter().map(|part| part.possible).sum();
        let rest = Estimate { error: rest.error.hypot(3.0 / possible as f64), ..rest };
        let attracted = mean(&parts, total, |part| part.attracted);
        let mut means: Vec<Estimate> = macrostates.iter().map(of).chain([rest]).collect();
        means.extend(system.potentials().next().map(|_| attracted));
        Self { macrostates, means }
    }

    /// What is compared of one configuration, in the order of the means.
    pub(super) fn observe(
        &self,
        system: &System,
        configuration: &Configuration,
        macrostate: &Macrostate,
    ) -> Vec<f64> {
        let mut row = vec![0.0; self.means.len()];
        let number = self.macrostates.iter().position(|known| known == macrostate);
        row[number.unwrap_or(self.macrostates.len())] = 1.0;
        if let Some(attracted) = row.get_mut(self.macrostates.len() + 1) {
            *attracted = system.attracted(configuration);
        }
        row
    }

    /// What each number is called.
    pub(super) fn names(&self, system: &System) -> Vec<String> {
        let states = self.macrostates.iter().map(|state| system.in_words(state));
        let others = ["other states", "pairs in range of their potential"].map(str::to_owned);
        states.chain(others).take(self.means.len()).collect()
    }
}

/// A mean over all parts, and its error from what the parts differ from it by.
fn mean(parts: &[Part], total: f64, of: impl Fn(&Part) -> f64) -> Estimate {
    let mean = parts.iter().map(&of).sum::<f64>() / total;
    let apart: Vec<f64> = parts.iter().map(|part| of(part) - mean * part.total).collect();
    Estimate { mean, error: Estimate::of(&apart).error * parts.len() as f64 / total }
}

/// Sums over some configurations of all arrangements.
#[derive(Clone, Debug, Default)]
struct Part {
    total: f64,
    sums: BTreeMap<Macrostate, f64>,
    attracted: f64,
    /// How many configurations have a weight.
    possible: usize,
}

impl Part {
    fn of(
        system: &System,
        arrangements: &[(Throw, Arrangement)],
        samples: usize,
        draws: &mut Draws,
    ) -> Self {
        let mut part = Self::default();
        for (plan, arrangement) in arrangements {
            for _ in 0..samples {
                let configuration = plan.draw(system, arrangement, draws);
                let near = arrangement.is_possible(system, &configuration);
                let weight = if near { plan.factor * system.weight(&configuration) } else { 0.0 };
                if weight > 0.0 {
                    part.possible += 1;
                    part.total += weight;
                    *part.sums.entry(system.macrostate(&configuration)).or_default() += weight;
                    part.attracted += weight * system.attracted(&configuration);
                }
            }
        }
        part
    }
}

/// Where a body of an arrangement is put.
#[derive(Clone, Copy, Debug)]
enum Put {
    /// Anywhere in the box where it may be.
    Anywhere,
    At([f64; 3]),
    /// At the rigid link to another, which is the end of it with this number.
    Beside(Link, usize),
}

/// In which order the bodies of an arrangement are put where.
#[derive(Clone, Debug)]
struct Throw {
    puts: Vec<(usize, Put)>,
    /// The constant of the arrangement, times the volumes that the bodies are thrown into, over those that
    /// tethers spread their ends over.
    factor: f64,
}

impl Throw {
    fn of(system: &System, arrangement: &Arrangement) -> Self {
        let bodies = &arrangement.bodies;
        let place = |n: usize| {
            let stays = system.sorts[bodies[n].sort].diffusion == 0.0;
            system.atoms[bodies[n].pinned.filter(|_| stays)?].pinned
        };
        let all = 0..bodies.len();
        let mut puts: Vec<(usize, Put)> =
            all.clone().filter_map(|n| place(n).map(|at| (n, Put::At(at)))).collect();
        let mut factor = arrangement.constant;
        while puts.len() < bodies.len() {
            let is_put = |n: usize| puts.iter().any(|(done, _)| *done == n);
            let rigid = arrangement.links.iter().filter(|link| link.is_rigid());
            let mut ways = rigid.flat_map(|link| [(link, 0), (link, 1)]);
            let beside =
                ways.find(|(link, from)| is_put(link.ends[*from]) && !is_put(link.ends[1 - from]));
            puts.push(match beside {
                Some((&link, from)) => (link.ends[1 - from], Put::Beside(link, from)),
                None => {
                    // What is bound to the membrane is beside what is on it.
                    let is_confined = |n: &usize| system.sorts[bodies[*n].sort].is_confined;
                    let left = || all.clone().filter(|&n| !is_put(n));
                    let n = left().find(is_confined).or_else(|| left().next()).unwrap_or_default();
                    factor *= system.space.room(&system.sorts[bodies[n].sort]);
                    (n, Put::Anywhere)
                }
            });
        }
        for link in &arrangement.links {
            let is_confined = |n: usize| system.sorts[bodies[n].sort].is_confined;
            // On a sphere as on a plane: a cap of it whose rim is r away has the area π r².
            let d = system.space.dimension - usize::from(link.ends.iter().all(|&n| is_confined(n)));
            let ball = |radius: f64| {
                [2.0 * radius, PI * radius * radius, 4.0 / 3.0 * PI * radius.powi(3)][d - 1]
            };
            if let LinkLength::UpTo(length) = link.length {
                factor /= ball(length) - ball(arrangement.contact(system, link.ends));
            }
        }
        Self { puts, factor }
    }

    fn draw(&self, system: &System, arrangement: &Arrangement, draws: &mut Draws) -> Configuration {
        let sorts = arrangement.bodies.iter().map(|body| body.sort);
        let mut spheres: Vec<Sphere> = sorts.map(|sort| Sphere { sort, place: [0.0; 3] }).collect();
        let space = &system.space;
        // How each is turned, in the plane.
        let mut turns = vec![0.0; spheres.len()];
        for &(n, put) in &self.puts {
            let sort = &system.sorts[spheres[n].sort];
            spheres[n].place = match put {
                Put::At(place) => place,
                Put::Anywhere => {
                    turns[n] = 360.0 * draws.unit();
                    loop {
                        let place = space.somewhere(sort, draws);
                        if space.holds(place, sort) {
                            break place;
                        }
                    }
                }
                Put::Beside(link, from) => {
                    let distance = arrangement.distance(system, &link);
                    let other = link.ends[from];
                    let host = &system.sorts[spheres[other].sort];
                    let at = spheres[other].place;
                    let along = |direction: [f64; 3]| {
                        space.wrap(std::array::from_fn(|k| at[k] + distance * direction[k]))
                    };
                    match (
                        host.directions.get(link.sites[from]),
                        sort.directions.get(link.sites[1 - from]),
                    ) {
                        // The two are in line.
                        (Some(towards), Some(back)) => {
                            let angle = turns[other] + towards;
                            turns[n] = angle + 180.0 - back;
                            let angle = angle.to_radians();
                            along([libm::cos(angle), libm::sin(angle), 0.0])
                        }
                        _ if host.points_up => along([0.0, 0.0, 1.0]),
                        _ if sort.is_confined => along(draws.direction(space.dimension - 1)),
                        // All that comes to what is on the membrane comes from where it may be.
                        _ if host.is_confined => loop {
                            let place = along(draws.direction(space.dimension));
                            if space.is_off_membrane(place, sort.radius) {
                                break place;
                            }
                        },
                        _ => along(draws.direction(space.dimension)),
                    }
                }
            };
        }
        Configuration { spheres, links: arrangement.links.iter().map(|link| link.ends).collect() }
    }
}

impl Arrangement {
    /// The distance at which two bodies touch.
    fn contact(&self, system: &System, ends: [usize; 2]) -> f64 {
        ends.map(|n| system.sorts[self.bodies[n].sort].radius).iter().sum()
    }

    /// How far apart the ends of a rigid link are.
    fn distance(&self, system: &System, link: &Link) -> f64 {
        match link.length {
            LinkLength::Fixed(distance) => distance,
            _ => self.contact(system, link.ends),
        }
    }

    /// Whether no tether is longer than it may be.
    fn is_possible(&self, system: &System, configuration: &Configuration) -> bool {
        let place = |n: usize| configuration.spheres[n].place;
        self.links.iter().all(|link| {
            let [a, b] = link.ends;
            match link.length {
                LinkLength::UpTo(most) => system.space.distance(place(a), place(b)) <= most,
                _ => true,
            }
        })
    }
}
