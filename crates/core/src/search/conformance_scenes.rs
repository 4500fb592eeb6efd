//! Particles for the shared runner: random and awkward cases, what truly touches in them, and
//! changes.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{GONE, Pair};
use crate::space::{Domain, Groups, Paths, Vector};

/// Particles in a box, with the generator that changes them.
#[derive(Clone)]
pub(super) struct Scene<const D: usize> {
    pub(super) name: String,
    pub(super) alive: Vec<bool>,
    domain: Domain<D>,
    groups: Groups,
    position: Vec<Vector<D>>,
    velocity: Vec<Vector<D>>,
    since: Vec<f64>,
    radius: Vec<f64>,
    group: Vec<u16>,
    /// How many of the groups occur, which the first are.
    kinds: u16,
    step: f64,
    /// One newborn in four is so many times larger than the others.
    growth: f64,
    random: Xoshiro256PlusPlus,
}

/// How a random scene is drawn.
#[derive(Clone, Copy)]
struct Recipe {
    name: &'static str,
    particles: usize,
    edge: f64,
    /// Of the last edge to the others.
    aspect: f64,
    /// Which axes close on themselves, one bit each.
    periodic: u8,
    /// One particle in so many is so many times larger than the others, whose radius is 0.5 to 0.7.
    few: usize,
    large: f64,
    /// See [`Scene::growth`].
    growth: f64,
    /// Largest displacement along an axis; one particle in 16 is ten times faster.
    step: f64,
}

const PLAIN: Recipe = Recipe {
    name: "plain",
    particles: 60,
    edge: 10.0,
    aspect: 1.0,
    periodic: 0b111,
    few: 16,
    large: 1.0,
    growth: 1.0,
    step: 0.3,
};

/// Some large among many small, and newborns that are larger than any particle before them.
const POLYDISPERSE: Recipe = Recipe {
    name: "polydisperse",
    particles: 200,
    edge: 120.0,
    few: 8,
    large: 20.0,
    growth: 40.0,
    ..PLAIN
};

pub(super) fn scenes<const D: usize>() -> Vec<Scene<D>> {
    let recipes = [
        Recipe { name: "empty", particles: 0, ..PLAIN },
        Recipe { name: "one", particles: 1, ..PLAIN },
        PLAIN,
        Recipe { name: "reflecting", periodic: 0, ..PLAIN },
        Recipe { name: "mixed faces", periodic: 0b010, ..PLAIN },
        Recipe { name: "dense", particles: 120, edge: 7.0, ..PLAIN },
        Recipe { name: "dilute", particles: 40, edge: 40.0, step: 3.0, ..PLAIN },
        Recipe { name: "fast", step: 4.0, ..PLAIN },
        Recipe { name: "fast between walls", step: 4.0, periodic: 0b100, ..PLAIN },
        Recipe { name: "at rest", step: 0.0, ..PLAIN },
        Recipe { name: "radii 1 : 100", large: 100.0, edge: 300.0, step: 20.0, ..PLAIN },
        Recipe { name: "radii 1 : 5", large: 5.0, edge: 20.0, ..PLAIN },
        Recipe { name: "two cells", edge: 3.3, particles: 12, ..PLAIN },
        Recipe { name: "two cells between walls", edge: 3.3, particles: 12, periodic: 0, ..PLAIN },
        Recipe { name: "three cells", edge: 4.7, particles: 30, ..PLAIN },
        Recipe { name: "flat", aspect: 0.15, ..PLAIN },
        Recipe { name: "long", aspect: 8.0, ..PLAIN },
        POLYDISPERSE,
        Recipe { name: "polydisperse between walls", periodic: 0b010, step: 3.0, ..POLYDISPERSE },
    ];
    let mut scenes: Vec<_> = recipes.iter().map(Scene::random).collect();
    scenes.push(Scene::on_faces());
    scenes.push(Scene::at_the_end());
    for (name, ignored) in [("many groups", 0.5), ("many groups, few of which interact", 0.97)] {
        scenes.push(Scene::of_many_groups(name, ignored));
    }
    scenes
}

impl<const D: usize> Scene<D> {
    fn empty(name: &str, edges: [f64; D], periodic: u8, step: f64) -> Self {
        Self {
            name: name.into(),
            alive: Vec::new(),
            domain: Domain::new(edges, std::array::from_fn(|k| periodic >> k & 1 == 1)),
            // Of four groups, the first ignores itself and the last two each other.
            groups: Groups::new(4, |a, b| a + b != 0 && !(a == 2 && b == 3)),
            position: Vec::new(),
            velocity: Vec::new(),
            since: Vec::new(),
            radius: Vec::new(),
            group: Vec::new(),
            kinds: 4,
            step,
            growth: 1.0,
            random: Xoshiro256PlusPlus::seed_from_u64(7),
        }
    }

    fn random(recipe: &Recipe) -> Self {
        let mut edges = [recipe.edge; D];
        edges[D - 1] *= recipe.aspect;
        let mut scene = Self::empty(recipe.name, edges, recipe.periodic, recipe.step);
        for n in 0..recipe.particles {
            let i = scene.give_birth(0.0) as usize;
            scene.since[i] = 0.0;
            if n % recipe.few == 3 {
                scene.radius[i] *= recipe.large;
            }
            scene.alive[i] = n % 11 != 5;
        }
        scene.growth = recipe.growth;
        scene
    }

    /// Of 200 groups that ignore each other at random: so large a share of all pairs.
    fn of_many_groups(name: &str, ignored: f64) -> Self {
        const GROUPS: u16 = 200;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let pairs = (0..GROUPS).flat_map(|a| (0..=a).map(move |b| [a, b]));
        let groups = Groups::except(
            GROUPS.into(),
            pairs.filter(|_| random.random::<f64>() < ignored).collect::<Vec<_>>(),
        );
        let recipe = Recipe { name: "", particles: 150, edge: 8.0, ..PLAIN };
        let mut scene = Self { groups, kinds: GROUPS, ..Self::random(&recipe) };
        scene.name = name.into();
        for i in 0..scene.group.len() {
            scene.group[i] = scene.draw(GROUPS.into()) as u16;
        }
        scene
    }

    /// Particles exactly on faces of cells, of the box, and on each other, moving by whole cells.
    fn on_faces() -> Self {
        let mut scene = Self::empty("on faces", [8.0; D], 0b101, 1.0);
        for n in 0..64 {
            let i = scene.give_birth(0.0) as usize;
            scene.position[i] = Vector::from_fn(|k| ((n >> (2 * k) & 3) * 2) as f64);
            scene.velocity[i] = Vector::from_fn(|k| ((n + k) % 3) as f64 - 1.0);
            (scene.since[i], scene.radius[i]) = (0.0, 0.5);
        }
        scene
    }

    /// Pairs that touch at the very end of the window, along each axis and across the box.
    fn at_the_end() -> Self {
        let mut scene = Self::empty("touching at the end", [16.0; D], 0b111, 0.5);
        for n in 0..8 {
            let x = 2.0 * f64::from(n) + 0.5;
            for side in [-1.0, 1.0] {
                let i = scene.give_birth(0.0) as usize;
                let axis = n as usize % D;
                let along = |k: usize, v: f64| if k == axis { v } else { 0.0 };
                scene.position[i] = Vector::from_fn(|k| x + along(k, side));
                scene.velocity[i] = Vector::from_fn(|k| along(k, -0.5 * side));
                (scene.since[i], scene.radius[i], scene.group[i]) = (0.0, 0.5, 1);
                scene.position[i] = scene.domain.wrap(scene.position[i]).0;
            }
        }
        scene
    }

    pub(super) fn paths(&self) -> Paths<'_, D> {
        Paths {
            domain: &self.domain,
            position: &self.position,
            velocity: &self.velocity,
            since: &self.since,
            radius: &self.radius,
            group: &self.group,
            groups: &self.groups,
            alive: &self.alive,
        }
    }

    /// Whether a structure may list the two: their swept reaches meet, as single precision sees it.
    pub(super) fn could_touch(&self, i: u32, j: u32) -> bool {
        let (i, j, paths) = (i as usize, j as usize, self.paths());
        let apart = self.domain.nearest_image(self.position[j] - self.position[i]);
        let longest = self.domain.edges().into_iter().fold(0.0, f64::max);
        let within = paths.reach(i, 1.0) + paths.reach(j, 1.0);
        let interact = self.groups.interact(self.group[i], self.group[j]);
        self.alive[i]
            && self.alive[j]
            && interact
            && apart.norm() <= within * (1.0 + 1e-5) + 1e-5 * longest
    }

    /// All pairs of spheres that are in contact at some time from `floor` to the end of the step,
    /// through any image.
    pub(super) fn touching(&self, floor: f64) -> Vec<Pair> {
        let n = self.alive.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let touching = pairs.filter(|&(i, j)| self.touch(i, j, floor));
        touching.map(|(i, j)| Pair(i as u32, j as u32)).collect()
    }

    fn touch(&self, i: usize, j: usize, floor: f64) -> bool {
        let paths = self.paths();
        if !paths.may_touch(i, j, 1.0) {
            return false;
        }
        let start = floor.max(self.since[i]).max(self.since[j]);
        let apart = paths.at(j, start) - paths.at(i, start);
        let relative = self.velocity[j] - self.velocity[i];
        let lasting = 1.0 - start;
        let within = self.radius[i] + self.radius[j];
        let most: [i32; D] = std::array::from_fn(|k| {
            let farthest = apart[k].abs() + relative[k].abs() * lasting + within;
            match self.domain.is_periodic(k) {
                true => (farthest / self.domain.edges()[k]).ceil() as i32,
                false => 0,
            }
        });
        let mut image = most.map(|m| -m);
        loop {
            let edges = self.domain.edges();
            let x = Vector::from_fn(|k| apart[k] + f64::from(image[k]) * edges[k]);
            if closest(x, relative, lasting) <= within {
                return true;
            }
            let Some(k) = (0..D).find(|&k| image[k] < most[k]) else {
                return false;
            };
            image[k] += 1;
            (0..k).for_each(|k| image[k] = -most[k]);
        }
    }

    pub(super) fn draw(&mut self, below: u32) -> u32 {
        self.random.random_range(0..below)
    }

    fn some_velocity(&mut self) -> Vector<D> {
        let factor = if self.draw(16) == 0 { 10.0 } else { 1.0 };
        let step = self.step * factor;
        Vector::from_fn(|_| step * self.random.random_range(-1.0..=1.0))
    }

    fn some_position(&mut self) -> Vector<D> {
        let edges = self.domain.edges();
        Vector::from_fn(|k| edges[k] * self.random.random::<f64>())
    }

    fn some_living(&mut self) -> Option<usize> {
        let living: Vec<_> = (0..self.alive.len()).filter(|&i| self.alive[i]).collect();
        (!living.is_empty()).then(|| living[self.draw(living.len() as u32) as usize])
    }

    /// A new path for a particle, at a time after `floor`: as after a bounce, or with a new radius,
    /// or from somewhere else.
    pub(super) fn change_path(&mut self, floor: f64) -> Option<u32> {
        let i = self.some_living()?;
        let time = floor.max(self.since[i]);
        let time = time + (1.0 - time) * self.random.random::<f64>();
        self.position[i] = self.paths().at(i, time);
        for k in (0..D).filter(|&k| !self.domain.is_periodic(k)) {
            // A wall would have turned it round.
            let edge = self.domain.edges()[k];
            self.position[i].0[k] = self.position[i][k].clamp(0.0, edge);
        }
        self.since[i] = time;
        match self.draw(6) {
            0 => self.velocity[i] = -self.velocity[i],
            1 => self.radius[i] *= self.random.random_range(0.5..2.0),
            2 => self.position[i] = self.some_position(),
            _ => self.velocity[i] = self.some_velocity(),
        }
        Some(i as u32)
    }

    /// A new particle, in the slot of a dead one or in a new one.
    pub(super) fn give_birth(&mut self, floor: f64) -> u32 {
        let dead = self.alive.iter().position(|&alive| !alive);
        let i = match dead {
            Some(i) if self.draw(2) == 0 && floor > 0.0 => i,
            _ => {
                self.position.push(Vector::ZERO);
                self.velocity.push(Vector::ZERO);
                self.since.push(0.0);
                self.radius.push(0.0);
                self.group.push(0);
                self.alive.push(true);
                self.alive.len() - 1
            }
        };
        self.position[i] = self.some_position();
        self.velocity[i] = self.some_velocity();
        self.since[i] = floor + (1.0 - floor) * self.random.random::<f64>();
        self.radius[i] = self.random.random_range(0.5..0.7);
        if self.growth > 1.0 && self.draw(4) == 0 {
            self.radius[i] *= self.growth;
        }
        self.group[i] = self.draw(self.kinds.into()) as u16;
        self.alive[i] = true;
        i as u32
    }

    pub(super) fn kill(&mut self) -> Option<u32> {
        let i = self.some_living()?;
        self.alive[i] = false;
        Some(i as u32)
    }

    /// A renumbering that closes the slots of the dead, and puts the others in another order.
    pub(super) fn some_order(&mut self) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.alive.len()).filter(|&i| self.alive[i]).collect();
        for n in (1..order.len()).rev() {
            order.swap(n, self.draw(n as u32 + 1) as usize);
        }
        let mut new_slot = vec![GONE; self.alive.len()];
        for (new, &old) in order.iter().enumerate() {
            new_slot[old] = new as u32;
        }
        new_slot
    }

    /// Follows a renumbering, which must keep the living.
    pub(super) fn renumber(&mut self, new_slot: &[u32]) {
        let mut order: Vec<usize> = (0..new_slot.len()).filter(|&i| new_slot[i] != GONE).collect();
        order.sort_unstable_by_key(|&i| new_slot[i]);
        assert_eq!(order.len(), self.alive.iter().filter(|&&alive| alive).count());
        fn pick<T: Copy>(values: &mut Vec<T>, order: &[usize]) {
            *values = order.iter().map(|&old| values[old]).collect();
        }
        pick(&mut self.position, &order);
        pick(&mut self.velocity, &order);
        pick(&mut self.since, &order);
        pick(&mut self.radius, &order);
        pick(&mut self.group, &order);
        pick(&mut self.alive, &order);
    }

    /// Everyone arrives, and is given a new path.
    pub(super) fn next_step(&mut self) {
        for i in 0..self.alive.len() {
            let mut place = self.domain.wrap(self.paths().at(i, 1.0)).0;
            let edges = self.domain.edges();
            place = Vector::from_fn(|k| place[k].clamp(0.0, edges[k]));
            (self.position[i], self.since[i]) = (place, 0.0);
            self.velocity[i] = self.some_velocity();
        }
    }
}

/// The smallest distance from the origin of a point that starts at `x` and moves for `lasting`.
pub(super) fn closest<const D: usize>(x: Vector<D>, velocity: Vector<D>, lasting: f64) -> f64 {
    let speed_squared = velocity.norm_squared();
    let time = match speed_squared > 0.0 {
        true => (-x.dot(velocity) / speed_squared).clamp(0.0, lasting),
        false => 0.0,
    };
    let ends = [0.0, time, lasting].map(|t| (x + velocity * t).norm());
    ends.into_iter().fold(f64::INFINITY, f64::min)
}
