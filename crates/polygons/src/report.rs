//! What observers see: the state at the end of a step, and the energy balance.

use super::{Phases, Polygons, RunFault, Solid, Tally};
use jostle_core::clusters::Clusters;
use jostle_core::observe::{Clock, ContactForce, EnergyBalance, Observer, Outlines, Placed, View};
use jostle_core::particles::{Particle, Particles};
use jostle_core::space::{Outline, Vector};

/// The state put in order for observers, when they ask.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    particles: Particles<2>,
    /// There are none.
    clusters: Clusters,
    angle: Vec<f64>,
    angular_velocity: Vec<f64>,
    walls: Vec<Placed>,
    forces: Vec<ContactForce>,
}

impl Snapshot {
    pub(super) fn new(solids: &[Solid], outlines: &[Outline]) -> Self {
        let mut snapshot = Self::default();
        for (id, solid) in (0..).zip(solids) {
            snapshot.particles.push(Particle {
                sites: 0,
                position: solid.position,
                velocity: Vector::ZERO,
                since: 0.0,
                radius: outlines[solid.outline as usize].circumradius(),
                diffusion_coefficient: 0.0,
                species: solid.species,
                id,
                image: [0; 2],
            });
        }
        snapshot
    }
}

impl Polygons {
    /// Shows the state as it is now.
    ///
    /// # Errors
    /// If the observer fails.
    pub fn show(&mut self, observer: &mut dyn Observer<2>) -> Result<(), RunFault> {
        observer.step(&self.view()).map_err(RunFault::Observer)
    }

    /// The state as it is now. Forces are those of the last step; none before the first.
    pub fn view(&mut self) -> View<'_, 2> {
        let dt = self.clock.timestep;
        let time = self.clock.time();
        let Snapshot { particles, angle, angular_velocity, walls, forces, .. } = &mut self.snapshot;
        angle.clear();
        angular_velocity.clear();
        for (i, gear) in self.motion.iter().enumerate() {
            let ([x, y, turned], [vx, vy, turning]) = (gear.place(), gear.velocity(dt));
            (particles.position[i], particles.image[i]) = self.domain.wrap(Vector([x, y]));
            particles.velocity[i] = Vector([vx, vy]) * dt;
            angle.push(turned);
            angular_velocity.push(turning);
        }
        walls.clear();
        walls.extend(self.walls.iter().map(|wall| {
            let motion = wall.motion(time, dt);
            Placed { position: motion.position, angle: motion.angle, present: wall.present }
        }));
        let mut reported = std::mem::take(forces);
        reported.clear();
        reported.extend(self.contacts.touching().map(|(contact, load)| ContactForce {
            body: u64::from(contact.pair[0]),
            against: self.against(contact.pair[1]),
            arm: load.arm,
            force: load.force,
            normal: load.normal,
            overlap: load.overlap,
            sliding: load.sliding,
        }));
        self.snapshot.forces = reported;
        let Snapshot { particles, clusters, angle, angular_velocity, walls, forces } =
            &self.snapshot;
        View {
            balance: Some(self.balance()),
            outlines: Some(Outlines { angle, angular_velocity, walls, forces }),
            ..View::new(self.clock, &self.domain, particles, clusters)
        }
    }

    /// Where the energy is now, and where it came from and went since the start.
    ///
    /// `kinetic + potential + elastic` changes by `wall_work - dissipated`, but for the error of
    /// the integration. Kinetic energy is that of bodies, not of walls. Under
    /// [`NormalLaw::Area`](super::NormalLaw::Area) (super::NormalLaw::Area), which has no energy,
    /// `elastic` counts what overlaps have taken and not given back: between polygons that need not
    /// return to 0.
    pub fn balance(&self) -> EnergyBalance {
        let mut balance = EnergyBalance::default();
        self.accounts.enter(&mut balance);
        let dt = self.clock.timestep;
        for (gear, make) in self.motion.iter().zip(&self.makes) {
            let ([x, y, _], [vx, vy, turning]) = (gear.place(), gear.velocity(dt));
            let velocity = Vector([vx, vy]);
            balance.kinetic += 0.5 * make.mass * velocity.norm_squared();
            balance.kinetic += 0.5 * make.moment_of_inertia * turning * turning;
            // Along periodic axes potential energy counts from where the body set out.
            balance.potential -= make.mass * self.gravity.dot(Vector([x, y]));
            balance.momentum[0] += make.mass * vx;
            balance.momentum[1] += make.mass * vy;
        }
        balance
    }

    /// Steps done, and their length.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// What has been done.
    pub fn tally(&self) -> Tally {
        Tally {
            candidates: self.contacts.list.len() as u64,
            exchanges: self.skin.exchanges(),
            resorted: self.skin.resorted,
            ..self.tally
        }
    }

    /// Where the time went.
    pub fn phases(&self) -> Phases {
        self.phases
    }

    /// The outlines, as they were set up.
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }

    /// The outline of each body.
    pub fn outline_of(&self, body: u32) -> &Outline {
        &self.outlines[self.makes[body as usize].outline as usize]
    }

    /// The mass of each body. \[kg\]
    pub fn masses(&self) -> Vec<f64> {
        self.makes[..self.motion.len()].iter().map(|make| make.mass).collect()
    }

    /// The moment of inertia of each body about its centroid. \[kg nm²\]
    pub fn moments_of_inertia(&self) -> Vec<f64> {
        self.makes[..self.motion.len()].iter().map(|make| make.moment_of_inertia).collect()
    }
}
