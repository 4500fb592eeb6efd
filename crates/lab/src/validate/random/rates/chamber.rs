//! The reference: how long two particles take on average until they react, by quadrature.
//!
//! One particle is at the centre of a chamber with a reflecting wall; the other starts anywhere in it. With U the
//! energy of the two in kT, A(r) the measure of the shell at the distance r, and w = A exp(-U), the mean time
//! T(r) until they react solves (D w T')' = -w. At contact the flux into the reaction, k_a exp(-U) T(R), is the
//! whole W = Int w dr (Szabo, Schulten and Schulten 1980). So the mean over starts is
//!
//! ```text
//! T = W/(k_a exp(-U(R))) + Int_R^L S(x) Q(x)/(D(x) w(x)) dx
//! ```
//!
//! where Q(x) is the part of W beyond x and S(x) the share of starts there: exact for any rate constant, energy
//! and diffusion coefficient that depend on the distance only. Two that pass through each other where they do not
//! react also spend time within contact, from where they come back to it; that part is the same integral from the
//! centre outwards.

use std::f64::consts::PI;

/// The space in which two particles meet, by its measure around one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Around {
    /// A flat space of 1, 2 or 3 dimensions.
    Flat(usize),
    /// A sphere of this radius \[nm\] on which both live; distances are arcs.
    Sphere(f64),
    /// A circle, likewise.
    Circle,
}

/// Up to a distance, the energy of a pair and its diffusion coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layer {
    /// Where it ends. \[nm\]
    pub(super) to: f64,
    /// exp(-U): how dense the other is here in equilibrium, relative to where U = 0.
    pub(super) weight: f64,
    /// The sum of the diffusion coefficients. \[nm²/µs\]
    pub(super) diffusion: f64,
}

/// What one particle finds around the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chamber {
    pub(super) around: Around,
    /// The distance at which the two react. \[nm\]
    pub(super) contact: f64,
    /// From the centre outwards; the last ends at the wall. Layers within contact count only if the two overlap.
    pub(super) layers: Vec<Layer>,
    /// Whether the two pass through each other where they do not react.
    pub(super) overlap: bool,
    /// Whether the wall is that of a cube (or a square, or a segment) of the same volume, which closes on
    /// itself, instead of a sphere (or a circle).
    pub(super) cubic: bool,
}

/// The mean time until reaction: one part in inverse proportion to the rate constant, and one that diffusion takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MeanTime {
    /// By which the rate constant at contact is to be divided into. \[nm^d\]
    pub(super) room: f64,
    /// \[µs\]
    pub(super) diffusion: f64,
}

/// Points per layer: the midpoint rule is then right to 1e-6.
const POINTS: u32 = 2000;

/// By how much the Green's function of a sphere (circle) with a reflecting wall exceeds, at its centre, that of the
/// periodic cube (square) of the same volume: times 4 pi L in space, 2 pi in the plane. For the cube it is
/// 2.837297 (Hasimoto 1959), for the square ln L + 1.310533.
const BEYOND_CUBE: [f64; 2] = [0.011_832, 0.064_283];

impl Around {
    /// The measure of all within a distance. \[nm^d\]
    fn within(self, r: f64) -> f64 {
        match self {
            Self::Flat(1) | Self::Circle => 2.0 * r,
            Self::Flat(2) => PI * r * r,
            Self::Flat(_) => 4.0 / 3.0 * PI * r * r * r,
            Self::Sphere(radius) => 2.0 * PI * radius * radius * (1.0 - libm::cos(r / radius)),
        }
    }

    fn shell(self, r: f64) -> f64 {
        match self {
            Self::Flat(1) | Self::Circle => 2.0,
            Self::Flat(2) => 2.0 * PI * r,
            Self::Flat(_) => 4.0 * PI * r * r,
            Self::Sphere(radius) => 2.0 * PI * radius * libm::sin(r / radius),
        }
    }
}

/// How far a chamber of this measure reaches in a flat space of `dimension` dimensions. \[nm\]
pub(super) fn reach(dimension: usize, volume: f64) -> f64 {
    match dimension {
        1 => 0.5 * volume,
        2 => (volume / PI).sqrt(),
        _ => (volume / (4.0 / 3.0 * PI)).cbrt(),
    }
}

impl Chamber {
    /// The mean time until the two react, the other one starting anywhere with equal probability.
    pub(super) fn mean_time(&self) -> MeanTime {
        let nearest = if self.overlap { 0.0 } else { self.contact };
        let wall = self.layers.last().map_or(self.contact, |layer| layer.to);
        let volume = |from: f64, to: f64| self.around.within(to) - self.around.within(from);
        let starts = volume(nearest, wall);
        let pieces = self.pieces(nearest);
        let weigh = |part: &Layer, from: f64| part.weight * volume(from, part.to);
        let whole: f64 = pieces.iter().map(|(from, part)| weigh(part, *from)).sum();
        let (mut passed, mut time) = (0.0, 0.0);
        for (from, part) in &pieces {
            let width = (part.to - from) / f64::from(POINTS);
            for n in 0..POINTS {
                let x = from + width * (f64::from(n) + 0.5);
                let weighed = passed + part.weight * volume(*from, x);
                let beyond = [whole - weighed, volume(x, wall)];
                let [weight, share] =
                    if x > self.contact { beyond } else { [weighed, volume(nearest, x)] };
                time += share / starts * weight * width
                    / (part.diffusion * part.weight * self.around.shell(x));
            }
            passed += weigh(part, *from);
        }
        let at_contact = pieces
            .iter()
            .find(|(_, part)| part.to > self.contact)
            .map_or(1.0, |(_, part)| part.weight);
        MeanTime { room: whole / at_contact, diffusion: time + self.of_corners(wall, starts) }
    }

    /// The layers from `nearest` outwards, each with where it begins, cut at contact.
    fn pieces(&self, nearest: f64) -> Vec<(f64, Layer)> {
        let mut pieces = Vec::new();
        let mut from = nearest;
        for layer in &self.layers {
            for to in [layer.to.min(self.contact), layer.to] {
                if to > from {
                    pieces.push((from, Layer { to, ..*layer }));
                    from = to;
                }
            }
        }
        pieces
    }

    /// What a cube takes longer than a sphere of the same volume, which is as if its wall were a little farther off.
    fn of_corners(&self, wall: f64, starts: f64) -> f64 {
        let (Around::Flat(dimension @ (2 | 3)), true) = (self.around, self.cubic) else {
            return 0.0;
        };
        let volume = self.around.within(wall);
        let beyond = BEYOND_CUBE[dimension - 2];
        let green =
            if dimension == 3 { beyond / (4.0 * PI * volume.cbrt()) } else { beyond / (2.0 * PI) };
        let diffusion = self.layers.last().map_or(f64::NAN, |layer| layer.diffusion);
        green * volume / diffusion * (volume / starts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::theory::mean_capture_time;

    fn empty(around: Around, contact: f64, wall: f64, diffusion: f64) -> Chamber {
        let layers = vec![Layer { to: wall, weight: 1.0, diffusion }];
        Chamber { around, contact, layers, overlap: false, cubic: false }
    }

    /// The mean time with this rate constant at contact.
    fn with(chamber: &Chamber, k_a: f64) -> f64 {
        let MeanTime { room, diffusion } = chamber.mean_time();
        room / k_a + diffusion
    }

    fn near(found: f64, due: f64, tolerance: f64) {
        assert!((found / due - 1.0).abs() < tolerance, "{found} for {due}");
    }

    /// A way of length L = b - R with a wall at its end takes L²/3D from a uniform start, and a reaction with k_a/2
    /// for each side.
    #[test]
    fn a_segment() {
        let segment = empty(Around::Flat(1), 1.0, 6.0, 2.0);
        near(with(&segment, 0.5), 10.0 / 0.5 + 25.0 / 6.0, 1e-6);
    }

    /// In space: T = V/k + (b³ - R³)/3D ... (Szabo, Schulten and Schulten 1980, averaged over a uniform start):
    /// (1/3D)(b³/R - b²... ) by the polynomial that solves r² T'' + 2 r T' = -r²/D.
    #[test]
    fn a_ball_and_a_disk() {
        let (inner, wall, d): (f64, f64, f64) = (1.5, 5.0, 0.7);
        // T(r) = (b³/3D)(1/R - 1/r) - (r² - R²)/6D
        let volume = wall.powi(3) - inner.powi(3);
        let moment = |power: i32| (wall.powi(power) - inner.powi(power)) / f64::from(power);
        let apart = wall.powi(3) / (3.0 * d) * (1.0 / inner - 3.0 * moment(2) / volume);
        let due = apart - (3.0 * moment(5) / volume - inner * inner) / (6.0 * d);
        near(empty(Around::Flat(3), inner, wall, d).mean_time().diffusion, due, 1e-6);
        // T(r) = (b²/2D) ln(r/R) - (r² - R²)/4D
        let area = wall.powi(2) - inner.powi(2);
        let log = wall * wall / area * libm::log(wall / inner) - 0.5;
        let squares = 2.0 * moment(4) / area - inner * inner;
        let due = wall * wall / (2.0 * d) * log - squares / (4.0 * d);
        near(empty(Around::Flat(2), inner, wall, d).mean_time().diffusion, due, 1e-6);
    }

    /// On a sphere T(γ) = (2 ρ²/D) ln(sin(γ/2)/sin(γ0/2)); from anywhere outside, the mean is
    /// (2 ρ²/D)(ln(1/sin(γ0/2))/(1 - x) - 1/2) with x = sin²(γ0/2).
    #[test]
    fn a_sphere_to_live_on() {
        let (radius, d, angle) = (4.0, 1.3, 0.6);
        let x = libm::pow(libm::sin(0.5 * angle), 2.0);
        let due = 2.0 * radius * radius / d * (-0.5 * libm::log(x) / (1.0 - x) - 0.5);
        let found = empty(Around::Sphere(radius), angle * radius, PI * radius, d).mean_time();
        near(found.diffusion, due, 1e-5);
    }

    #[test]
    fn cubes_and_squares_that_close_on_themselves() {
        for edge in [4.0, 6.0, 10.0_f64] {
            let in_space =
                Chamber { cubic: true, ..empty(Around::Flat(3), 1.0, reach(3, edge.powi(3)), 2.0) };
            near(with(&in_space, 7.0), mean_capture_time::<3>(edge, 7.0, 2.0, 1.0), 2e-4);
            let in_plane =
                Chamber { cubic: true, ..empty(Around::Flat(2), 1.0, reach(2, edge.powi(2)), 2.0) };
            near(with(&in_plane, 7.0), mean_capture_time::<2>(edge, 7.0, 2.0, 1.0), 2e-3);
        }
    }

    /// A well of energy U all over leaves diffusion as it is. One in a layer draws the pair to contact; the time it
    /// takes is that of a solution by finite differences, which another program found.
    #[test]
    fn wells_and_slow_regions() {
        let plain = empty(Around::Flat(3), 1.0, 5.0, 1.0);
        let mut deep = plain.clone();
        deep.layers[0].weight = 20.0;
        near(deep.mean_time().diffusion, plain.mean_time().diffusion, 1e-12);
        near(deep.mean_time().room, plain.mean_time().room, 1e-12);
        let mut well = plain.clone();
        well.layers.insert(0, Layer { to: 2.0, weight: 8.0, diffusion: 0.25 });
        // Half of a well's worth of contacts is at contact: the volume counts in units of its weight.
        let volume = |a: f64, b: f64| 4.0 / 3.0 * PI * (b.powi(3) - a.powi(3));
        near(well.mean_time().room, volume(1.0, 2.0) + volume(2.0, 5.0) / 8.0, 1e-12);
        near(well.mean_time().diffusion, by_differences(&well), 2e-3);
    }

    /// The same mean time as the solution of (D w T')' = -w on a grid, T(R) = 0, by elimination.
    fn by_differences(chamber: &Chamber) -> f64 {
        const N: usize = 4000;
        let wall = chamber.layers.last().unwrap().to;
        let h = (wall - chamber.contact) / N as f64;
        let at = |x: f64| chamber.layers.iter().find(|layer| x <= layer.to).unwrap();
        let place = |n: f64| chamber.contact + n * h;
        let w = |x: f64| at(x).weight * chamber.around.shell(x);
        // Cell n is around (n + 1/2) h; between cells flows D w (T' - T)/h, harmonic means across.
        let resist = |n: usize| {
            let [a, b] = [place(n as f64 - 0.25), place(n as f64 + 0.25)]
                .map(|x| 0.5 * h / (at(x).diffusion * w(x)));
            1.0 / (a + b)
        };
        let first = 1.0 / (0.5 * h / (at(place(0.25)).diffusion * w(place(0.25))));
        let flow = |n: usize| {
            if n == 0 {
                first
            } else if n == N {
                0.0
            } else {
                resist(n)
            }
        };
        let (mut upper, mut right) = (vec![0.0; N], vec![0.0; N]);
        for n in 0..N {
            let (below, above) = (flow(n), flow(n + 1));
            let before = if n == 0 { [0.0; 2] } else { [upper[n - 1], right[n - 1]] };
            let diagonal = below + above - if n == 0 { 0.0 } else { below * before[0] };
            upper[n] = above / diagonal;
            let source = w(place(n as f64 + 0.5)) * h;
            right[n] = (source + if n == 0 { 0.0 } else { below * before[1] }) / diagonal;
        }
        let (mut next, mut sum, mut room) = (0.0, 0.0, 0.0);
        for n in (0..N).rev() {
            next = right[n] + upper[n] * next;
            let shell = chamber.around.shell(place(n as f64 + 0.5));
            (sum, room) = (sum + next * shell, room + shell);
        }
        sum / room
    }

    /// Those that pass through each other start within contact as well, and come out as from a ball with a wall
    /// that absorbs: R²/15 D; the flux to contact from outside is that of what is outside.
    #[test]
    fn room_within_contact() {
        let plain = empty(Around::Flat(3), 2.0, 7.0, 1.5);
        let through = Chamber { overlap: true, ..plain.clone() };
        let [inside, all] = [2.0, 7.0].map(|r| 4.0 / 3.0 * PI * libm::pow(r, 3.0));
        let due =
            (inside * 4.0 / (15.0 * 1.5) + (all - inside) * plain.mean_time().diffusion) / all;
        near(through.mean_time().diffusion, due, 1e-6);
        near(through.mean_time().room, all, 1e-12);
    }
}
