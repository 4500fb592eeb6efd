//! Made-up runs of bodies with outlines: what an engine would show, without one.

// Each test program compiles this file for itself and uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::f64::consts::TAU;
use std::path::Path;

use jostle::clusters::Clusters;
use jostle::observe::{
    Against, Clock, ContactForce, EnergyBalance, Observer, Outlines, Placed, View,
};
use jostle::output::{LogLevel, Output};
use jostle::particles::{Particle, Particles};
use jostle::random::{Purpose, Random};
use jostle::record::{Header, Recorder, Shape, ShapeKind, Shapes, Status, WallShape};
use jostle::space::{Domain, Vector};
use jostle::species::Species;

/// \[µs\]
pub const OUTPUT_INTERVAL: f64 = 1e3;
/// One newton. \[kg nm/µs²\]
pub const NEWTON: f64 = 1e-3;
/// One millimetre. \[nm\]
pub const MM: f64 = 1e6;

/// A uniform number that is a function of its key.
pub fn uniform(key: [u64; 4]) -> f64 {
    Random::new(11).uniform(Purpose::Placement, key)
}

pub fn polygon(corners: Vec<[f64; 2]>) -> Shape {
    let radius = corners.iter().map(|[x, y]| x.hypot(*y)).fold(0.0, f64::max);
    Shape { kind: ShapeKind::Polygon, corners, semi_axes: [radius; 2] }
}

pub fn regular(corners: usize, radius: f64) -> Shape {
    let turn = |n: usize| TAU * n as f64 / corners as f64;
    polygon((0..corners).map(|n| [radius * turn(n).cos(), radius * turn(n).sin()]).collect())
}

pub fn rectangle(width: f64, height: f64) -> Shape {
    let (x, y) = (0.5 * width, 0.5 * height);
    polygon(vec![[-x, -y], [x, -y], [x, y], [-x, y]])
}

pub fn ellipse(a: f64, b: f64) -> Shape {
    let corners = regular(16, 1.0).corners.iter().map(|[x, y]| [a * x, b * y]).collect();
    Shape { kind: ShapeKind::Ellipse, corners, semi_axes: [a, b] }
}

pub fn disk(radius: f64) -> Shape {
    Shape { kind: ShapeKind::Disk, corners: Vec::new(), semi_axes: [radius; 2] }
}

/// A body in a frame.
#[derive(Clone, Copy)]
pub struct At {
    pub position: [f64; 2],
    pub angle: f64,
    pub velocity: [f64; 2],
    pub spin: f64,
}

impl At {
    pub fn rest(position: [f64; 2]) -> Self {
        Self { position, angle: 0.0, velocity: [0.0; 2], spin: 0.0 }
    }
}

/// One frame.
pub struct Moment {
    pub bodies: Vec<At>,
    pub walls: Vec<Placed>,
    pub forces: Vec<ContactForce>,
    pub balance: EnergyBalance,
}

/// A run.
pub struct Story {
    /// \[nm\]
    pub edges: [f64; 2],
    pub periodic: [bool; 2],
    pub shapes: Vec<Shape>,
    pub shape_of: Vec<u32>,
    pub walls: Vec<WallShape>,
    pub moments: Vec<Moment>,
}

impl Story {
    fn header(&self, log: LogLevel) -> Header {
        let species = |name: &str| Species::grown(name);
        let count = self.shape_of.len();
        Header {
            title: "outlines by decree".into(),
            author: "nobody".into(),
            edges: [self.edges[0], self.edges[1], 0.0],
            periodic: [self.periodic[0], self.periodic[1], false],
            species: vec![species("coarse"), species("fine")],
            output: Output { log, ..Output::default() },
            timestep: OUTPUT_INTERVAL,
            seed: 1,
            particles: count,
            search: "none".into(),
            outlines: Some(Shapes {
                shapes: self.shapes.clone(),
                shape_of: self.shape_of.clone(),
                masses: (0..count).map(|id| 1e-3 * (1.0 + id as f64)).collect(),
                moments_of_inertia: (0..count).map(|id| 1e-8 * (1.0 + id as f64)).collect(),
                walls: self.walls.clone(),
            }),
            ..Header::default()
        }
    }

    fn particles(&self, moment: &Moment) -> Particles<2> {
        let mut particles = Particles::default();
        for (id, at) in moment.bodies.iter().enumerate() {
            particles.push(Particle {
                sites: 0,
                position: Vector(at.position),
                velocity: Vector(at.velocity.map(|v| v * OUTPUT_INTERVAL)),
                since: 0.0,
                radius: self.shapes[self.shape_of[id] as usize].semi_axes[0],
                diffusion_coefficient: 0.0,
                species: u16::from(id % 3 == 2),
                id: id as u64,
                image: [0; 2],
            });
        }
        particles
    }

    /// Writes the run as a file.
    pub fn write(&self, path: &Path, log: LogLevel) {
        let mut recorder = Recorder::<2>::create(path, &self.header(log), false).unwrap();
        let domain = Domain::new(self.edges, self.periodic);
        for (step, moment) in self.moments.iter().enumerate() {
            let particles = self.particles(moment);
            let of = |get: fn(&At) -> f64| moment.bodies.iter().map(get).collect::<Vec<f64>>();
            let (angle, angular_velocity) = (of(|at| at.angle), of(|at| at.spin));
            let clock = Clock { step: step as u64, timestep: OUTPUT_INTERVAL };
            let clusters = Clusters::default();
            let view = View {
                balance: Some(moment.balance),
                outlines: Some(Outlines {
                    angle: &angle,
                    angular_velocity: &angular_velocity,
                    walls: &moment.walls,
                    forces: &moment.forces,
                }),
                ..View::new(clock, &domain, &particles, &clusters)
            };
            recorder.step(&view).unwrap();
        }
        let last = self.moments.len() as u64 - 1;
        recorder.finish(Status::Finished, Clock { step: last, timestep: OUTPUT_INTERVAL }).unwrap();
    }
}

pub fn standing(position: [f64; 2]) -> Placed {
    Placed { position: Vector(position), angle: 0.0, present: true }
}

/// Presses with `normal` \[N\], and across it with `across` \[N\] along the normal turned by 90
/// degrees.
pub fn press(
    body: u64,
    against: Against,
    arm: [f64; 2],
    angle: f64,
    [normal, across]: [f64; 2],
) -> ContactForce {
    let (s, c) = angle.sin_cos();
    ContactForce {
        body,
        against,
        arm: Vector(arm),
        force: Vector([-normal * c - across * s, -normal * s + across * c].map(|f| f * NEWTON)),
        normal: Vector([c, s]),
        overlap: 1e-2 * MM * MM * normal,
        sliding: across.abs() > 0.45 * normal,
    }
}

/// A storm of shapes in a box that closes on itself along x, with a floor, a gate that opens and a
/// wheel that turns; forces are drawn at random, between a particle that is near.
pub fn storm(count: usize, frames: usize) -> Story {
    let edges = [120.0 * MM, 80.0 * MM];
    let shapes = vec![
        rectangle(10.0 * MM, 6.0 * MM),
        regular(6, 5.0 * MM),
        ellipse(6.0 * MM, 3.0 * MM),
        disk(4.0 * MM),
        polygon(vec![[-3.0 * MM, -2.0 * MM], [6.0 * MM, -2.0 * MM], [-3.0 * MM, 4.0 * MM]]),
        rectangle(120.0 * MM, 4.0 * MM),
        rectangle(2.0 * MM, 30.0 * MM),
        disk(9.0 * MM),
    ];
    let wall = |name: &str, shape: u32| WallShape { name: name.into(), shape };
    let moments = (0..frames as u64).map(|step| storm_at(count as u64, step, edges)).collect();
    Story {
        edges,
        periodic: [true, false],
        shapes,
        shape_of: (0..count as u32).map(|id| id % 5).collect(),
        walls: vec![wall("floor", 5), wall("gate", 6), wall("wheel", 7)],
        moments,
    }
}

fn storm_at(count: u64, step: u64, edges: [f64; 2]) -> Moment {
    let draw = |what: u64, id: u64, k: u64| uniform([what, id, 0, k]);
    let time = step as f64;
    let columns = 12;
    let place = |id: u64| {
        let (column, row) = (id % columns, id / columns);
        let x = (column as f64 + 0.5 + 0.6 * (draw(1, id, 0) - 0.5)) * edges[0] / columns as f64;
        // They drift along x, and so cross the edge that closes.
        let x = (x + 0.7 * MM * time).rem_euclid(edges[0]);
        [x, (4.0 + 10.0 * (row as f64 + 0.5) + 3.0 * draw(1, id, 1)) * MM]
    };
    let bodies: Vec<At> = (0..count)
        .map(|id| At {
            position: place(id),
            angle: TAU * draw(2, id, 0) + 0.2 * time * (draw(2, id, 1) - 0.5),
            velocity: [0.7 * MM / OUTPUT_INTERVAL, MM / OUTPUT_INTERVAL * (draw(3, id, 0) - 0.5)],
            spin: 0.2 / OUTPUT_INTERVAL * (draw(2, id, 1) - 0.5),
        })
        .collect();
    let mut forces = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            let [dx, dy] =
                [0, 1].map(|k| bodies[b as usize].position[k] - bodies[a as usize].position[k]);
            let dx = dx - edges[0] * (dx / edges[0]).round();
            if dx.hypot(dy) < 13.0 * MM {
                let pressure = -(1.0 - uniform([4, a, b, step])).ln();
                let across = pressure * 0.5 * (2.0 * uniform([5, a, b, step]) - 1.0);
                let arm = [0.45 * dx, 0.55 * dy];
                forces.push(press(a, Against::Body(b), arm, dy.atan2(dx), [pressure, across]));
            }
        }
        if bodies[a as usize].position[1] < 13.0 * MM {
            let down = -0.25 * TAU;
            let arm = [0.0, 4.0 * MM - bodies[a as usize].position[1]];
            forces.push(press(
                a,
                Against::Wall(0),
                arm,
                down,
                [2.0 + uniform([6, a, 0, step]), 0.1],
            ));
        }
    }
    let wheel =
        Placed { position: Vector([90.0 * MM, 70.0 * MM]), angle: 0.3 * time, present: true };
    let mut gate = standing([60.0 * MM, 62.0 * MM]);
    gate.present = step < 4;
    let [kinetic, elastic] = [3.0 - 0.1 * time, 0.2 + 0.01 * time].map(|joules| 1e6 * joules);
    Moment {
        bodies,
        walls: vec![standing([60.0 * MM, 2.0 * MM]), gate, wheel],
        forces,
        balance: EnergyBalance {
            kinetic,
            elastic,
            dissipated: 0.09e6 * time,
            ..EnergyBalance::default()
        },
    }
}

/// Disks one on top of the other on a floor, each of the given weight \[N\]; they fill a box 10 mm
/// wide.
pub fn column(count: usize, weight: f64) -> Story {
    let radius = 5.0 * MM;
    let place = |n: usize| [radius, (2 * n + 1) as f64 * radius];
    let up = 0.25 * TAU;
    let mut forces =
        vec![press(0, Against::Wall(0), [0.0, -radius], -up, [weight * count as f64, 0.0])];
    for n in 0..count - 1 {
        let above = weight * (count - 1 - n) as f64;
        forces.push(press(n as u64, Against::Body(n as u64 + 1), [0.0, radius], up, [above, 0.0]));
    }
    let moment = || Moment {
        bodies: (0..count).map(|n| At::rest(place(n))).collect(),
        walls: vec![standing([radius, -MM])],
        forces: forces.clone(),
        balance: EnergyBalance::default(),
    };
    Story {
        edges: [2.0 * radius, 2.0 * radius * count as f64],
        periodic: [false; 2],
        shapes: vec![disk(radius), rectangle(4.0 * radius, 2.0 * MM)],
        shape_of: vec![0; count],
        walls: vec![WallShape { name: "floor".into(), shape: 1 }],
        moments: vec![moment(), moment(), moment()],
    }
}
