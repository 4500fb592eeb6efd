//! How two sites face each other, and how the molecules of the one are moved so that they are in
//! line: two particles *dock*.
//!
//! Two spheres in contact with orientations of their own are told by three things: where the second
//! is as the first sees it, where the first is as the second sees it, and by how much the one is
//! twisted against the other about the line of centres, the *torsion*. If nothing but contact is
//! asked, all directions and torsions are equally likely, each independent of the others. Docking
//! takes the two directions to the axes of the sites, and leaves the torsion or gives it a fixed
//! value; parting draws them uniformly from what the sites accept. With the first particle left
//! where it is, the two are each other's reverse, and equilibrium constants stay exact.
//!
//! In two dimensions, and on a plane in three, all turn about one axis alone. The line of centres and the
//! directions of the sites are across it, and there is no torsion.

use std::f64::consts::{PI, TAU};

use crate::space::{Orientation, Vector, any_across, vector_product};

/// Where a site points, in the frame of its particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SiteDirection {
    /// Of length 1.
    pub axis: Vector<3>,
    /// A direction across the axis, of length 1, from which torsions are measured.
    pub normal: Vector<3>,
    /// How far from the axis a partner may be. \[rad, up to π\]
    pub opening: f64,
}

/// How two sites that bind are twisted against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torsion {
    /// The angle from the normal of the first site to that of the second, right handed about the
    /// line from the first centre to the second. \[rad\] The same if the two are exchanged.
    pub angle: f64,
    /// How far from that it may be at contact. \[rad, up to π\]
    pub opening: f64,
}

impl SiteDirection {
    /// The share of all directions that it accepts, of two that meet in so many dimensions.
    pub fn share(&self, dimension: usize) -> f64 {
        match dimension {
            2 => self.opening / PI,
            // 1 - cos without loss for small angles.
            _ => {
                let sine = libm::sin(0.5 * self.opening);
                sine * sine
            }
        }
    }

    /// The same site of a particle that is turned, with directions in space.
    pub fn turned(self, orientation: Orientation) -> Self {
        Self {
            axis: orientation.apply(self.axis),
            normal: orientation.apply(self.normal),
            opening: self.opening,
        }
    }
}

impl Torsion {
    /// The share of all torsions that it accepts.
    pub fn share(&self) -> f64 {
        self.opening / PI
    }

    /// How far an angle is from it. \[rad\]
    fn off(&self, angle: f64) -> f64 {
        libm::remainder(angle - self.angle, TAU).abs()
    }
}

/// The largest share of their distance by which two particles of one cluster may overlap, which those
/// do that close a ring within a tolerance: directions that a model gives with four digits will do.
pub const LARGEST_OVERLAP: f64 = 1e-3;

/// Two particles in contact, each with the site at which it binds if that points anywhere; all
/// directions are in space. The first stays where it is when they dock or part.
#[derive(Clone, Copy, Debug)]
pub struct Docking {
    /// From the first centre to the second, of length 1.
    pub line: Vector<3>,
    /// The sites, if they point anywhere.
    pub sites: [Option<SiteDirection>; 2],
    /// What is asked of the torsion, if both point somewhere.
    pub torsion: Option<Torsion>,
    /// The axis of space about which alone the two turn, if there is one: the third in two dimensions, the
    /// normal of the plane that both live on in three.
    pub about: Option<usize>,
}

/// Where the second particle gets when two dock or part, and by how much it turns with all that
/// moves with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DockingMove {
    /// From the first centre to the second, of length 1.
    pub line: Vector<3>,
    /// How it turns.
    pub turn: Orientation,
}

impl Docking {
    /// The direction in which each site should point.
    fn towards(&self) -> [Vector<3>; 2] {
        [self.line, -self.line]
    }

    /// Whether the sites face each other: each partner is within the other's opening, and the
    /// torsion is.
    pub fn faces(&self) -> bool {
        let within = |(site, towards): (&Option<SiteDirection>, Vector<3>)| {
            site.is_none_or(|site| angle(site.axis, towards) <= site.opening)
        };
        self.sites.iter().zip(self.towards()).all(within)
            && self.torsion.is_none_or(|asked| {
                self.torsion_angle().is_none_or(|angle| asked.off(angle) <= asked.opening)
            })
    }

    /// How far the sites are from being in line with the torsion that is asked for: the largest of
    /// the angles by which they are off. \[rad\]
    pub fn misfit(&self) -> f64 {
        let off = |(site, towards): (&Option<SiteDirection>, Vector<3>)| {
            site.map_or(0.0, |site| angle(site.axis, towards))
        };
        let twisted = self.torsion.and_then(|asked| Some(asked.off(self.torsion_angle()?)));
        let sites = self.sites.iter().zip(self.towards()).map(off);
        sites.fold(twisted.unwrap_or(0.0), f64::max)
    }

    /// The torsion, if both sites point somewhere. Their normals are taken along the shortest ways
    /// from the axes to the line of centres. \[rad\]
    pub fn torsion_angle(&self) -> Option<f64> {
        let [Some(first), Some(second)] = self.sites else { return None };
        let [towards, back] = self.towards();
        let from = Orientation::shortest(first.axis, towards).apply(first.normal);
        let to = Orientation::shortest(second.axis, back).apply(second.normal);
        Some(libm::atan2(vector_product(from, to).dot(self.line), from.dot(to)))
    }

    /// The smallest turn that takes one direction to another.
    fn shortest(&self, from: Vector<3>, to: Vector<3>) -> Orientation {
        match self.about {
            Some(axis) => Orientation::shortest_about(axis, from, to),
            None => Orientation::shortest(from, to),
        }
    }

    /// How the second is moved so that both sites are in line, with the torsion that is asked for.
    pub fn docked(&self) -> DockingMove {
        let [towards, back] = self.towards();
        let [first, second] = self.sites;
        let line = first.map_or(self.line, |site| site.axis);
        let turn = second
            .map_or(Orientation::NONE, |site| self.shortest(site.axis, back))
            .turned(self.shortest(towards, line));
        let twist = match (self.torsion, self.torsion_angle()) {
            (Some(asked), Some(angle)) => Orientation::about(line, asked.angle - angle),
            _ => Orientation::NONE,
        };
        DockingMove { line, turn: turn.turned(twist) }
    }

    /// The reverse, for two that have docked: how the second is moved to somewhere within the
    /// openings, with uniform numbers from `draw`.
    pub fn parted(&self, mut draw: impl FnMut() -> f64) -> DockingMove {
        let [first, second] = self.sites;
        let twist = match (self.torsion, first, second) {
            (Some(asked), Some(_), Some(_)) => (2.0 * draw() - 1.0) * asked.opening,
            _ => 0.0,
        };
        let mut within = |site: Option<SiteDirection>, axis: Vector<3>| {
            site.map_or(axis, |site| direction_within(self.about, axis, site.opening, &mut draw))
        };
        let line = within(first, self.line);
        let axis = within(second, -line);
        let turn = Orientation::about(self.line, twist)
            .turned(self.shortest(self.line, line))
            .turned(self.shortest(-line, axis));
        DockingMove { line, turn }
    }
}

/// The angle between two directions of length 1. \[rad\]
fn angle(a: Vector<3>, b: Vector<3>) -> f64 {
    libm::atan2(vector_product(a, b).norm(), a.dot(b))
}

/// A direction within `opening` \[rad\] of an axis, uniformly distributed; in a plane if all turns are
/// `about` its normal.
fn direction_within(
    about: Option<usize>,
    axis: Vector<3>,
    opening: f64,
    mut draw: impl FnMut() -> f64,
) -> Vector<3> {
    if let Some(normal) = about {
        let angle = (2.0 * draw() - 1.0) * opening;
        let normal = Vector::from_fn(|k| f64::from(k == normal));
        return Orientation::about(normal, angle).apply(axis);
    }
    let sine = libm::sin(0.5 * opening);
    let versine = draw() * 2.0 * sine * sine;
    let across = any_across(axis);
    let (sine, cosine) = libm::sincos(TAU * draw());
    let aside = across * cosine + vector_product(axis, across) * sine;
    axis * (1.0 - versine) + aside * (versine * (2.0 - versine)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Random};
    use rand::RngExt;

    fn some_orientation(draw: &mut impl FnMut() -> f64) -> Orientation {
        let quaternion = std::array::from_fn(|_| {
            // The sum of twelve is normal enough to be isotropic within what is tested here.
            (0..12).map(|_| draw()).sum::<f64>() - 6.0
        });
        Orientation::of_quaternion(quaternion).unwrap()
    }

    fn site(opening: f64, tilt: f64) -> SiteDirection {
        let turn = Orientation::about(Vector([0.0, 1.0, 0.0]), tilt);
        let [axis, normal] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(|v| turn.apply(Vector(v)));
        SiteDirection { axis, normal, opening }
    }

    fn flat(opening: f64, angle: f64) -> SiteDirection {
        let axis =
            Orientation::about(Vector([0.0, 0.0, 1.0]), angle).apply(Vector([1.0, 0.0, 0.0]));
        SiteDirection { axis, normal: Vector([0.0, 0.0, 1.0]), opening }
    }

    /// The two after the second has been moved.
    fn after(docking: &Docking, moved: DockingMove) -> Docking {
        let [first, second] = docking.sites;
        let sites = [first, second.map(|site| site.turned(moved.turn))];
        Docking { line: moved.line, sites, ..*docking }
    }

    fn difference(a: f64, b: f64) -> f64 {
        libm::remainder(a - b, TAU).abs()
    }

    #[test]
    fn docking_brings_sites_in_line_and_parting_leads_back_into_the_openings() {
        let mut generator = Random::new(1).generator(Purpose::Placement, [1; 4]);
        let mut draw = || generator.random::<f64>();
        for torsion in [None, Some(Torsion { angle: 0.7, opening: 0.3 })] {
            for _ in 0..200 {
                let sites = [site(0.5, 0.4), site(0.9, -1.3)]
                    .map(|site| Some(site.turned(some_orientation(&mut draw))));
                let line = some_orientation(&mut draw).apply(Vector([1.0, 0.0, 0.0]));
                let docking = Docking { line, sites, torsion, about: None };
                let docked = after(&docking, docking.docked());
                assert!(docked.misfit() < 1e-7, "{docked:?}");
                let [before, now] = [docking, docked].map(|d| d.torsion_angle().unwrap());
                let expected = torsion.map_or(before, |torsion| torsion.angle);
                assert!(difference(now, expected) < 1e-9, "{before} {now}");
                let parted = after(&docked, docked.parted(&mut draw));
                assert!(parted.faces(), "{parted:?}");
                if torsion.is_none() {
                    assert!(difference(parted.torsion_angle().unwrap(), now) < 1e-9);
                }
            }
        }
        // On planes across each axis, of which that across the third is two dimensions.
        for axis in 0..3 {
            let upright = Orientation::upright(axis);
            for _ in 0..200 {
                let [a, b, c] = std::array::from_fn(|_| TAU * draw());
                let sites =
                    [Some(flat(0.5, a).turned(upright)), Some(flat(2.0, b).turned(upright))];
                let line = flat(0.0, c).turned(upright).axis;
                let docking = Docking { line, sites, torsion: None, about: Some(axis) };
                for opposite in [false, true] {
                    let mut docking = docking;
                    if opposite {
                        // The second points away from the first, so that it has to turn by 180 degrees.
                        docking.sites[1] = Some(SiteDirection { axis: line, ..sites[1].unwrap() });
                    }
                    let is_flat = |v: Vector<3>| v[axis].abs() < 1e-15;
                    let moved = docking.docked();
                    let normal = upright.apply(Vector([0.0, 0.0, 1.0]));
                    assert!((moved.turn.apply(normal) - normal).norm() < 1e-15, "{moved:?}");
                    let docked = after(&docking, moved);
                    assert!(docked.misfit() < 1e-7 && is_flat(docked.line));
                    let parted = docked.parted(&mut draw);
                    assert!((parted.turn.apply(normal) - normal).norm() < 1e-15, "{parted:?}");
                    let parted = after(&docked, parted);
                    assert!(parted.faces() && is_flat(parted.line));
                }
            }
        }
    }

    /// Of pairs that stand to each other at random, as many face each other as the shares say; and
    /// parting from the docked state leads to them with the same distribution. 20 000 pairs each; a
    /// deviation of 4.5 standard errors in any of 8 numbers has a probability of 5e-5.
    #[test]
    fn parting_gives_what_random_pairs_that_face_each_other_look_like() {
        const COUNT: usize = 20_000;
        let mut generator = Random::new(2).generator(Purpose::Placement, [2; 4]);
        let mut draw = || generator.random::<f64>();
        let asked = Torsion { angle: -2.0, opening: 1.5 };
        let torsion = Some(asked);
        let own = [site(1.0, 0.4), site(1.4, -1.3)];
        let figures = |docking: &Docking| {
            let [first, second] = docking.sites.map(Option::unwrap);
            let angle = docking.torsion_angle().unwrap();
            let cosines = [first.axis.dot(docking.line), -second.axis.dot(docking.line)];
            let off = libm::remainder(angle + 2.0, TAU);
            [cosines[0], cosines[1], off, off * off, cosines[0] * cosines[1]]
        };
        let mut facing: Vec<[f64; 5]> = Vec::new();
        let mut tried = 0;
        while facing.len() < COUNT {
            tried += 1;
            let sites = own.map(|site| Some(site.turned(some_orientation(&mut draw))));
            let docking = Docking { line: Vector([1.0, 0.0, 0.0]), sites, torsion, about: None };
            if docking.faces() {
                facing.push(figures(&docking));
            }
        }
        let share = own[0].share(3) * own[1].share(3) * asked.share();
        let (found, error) = (COUNT as f64 / tried as f64, share / (COUNT as f64).sqrt());
        assert!((found - share).abs() < 4.5 * error, "{found} {share}");
        let docked = {
            let sites = own.map(Some);
            let docking = Docking { line: Vector([1.0, 0.0, 0.0]), sites, torsion, about: None };
            after(&docking, docking.docked())
        };
        let parted: Vec<[f64; 5]> =
            (0..COUNT).map(|_| figures(&after(&docked, docked.parted(&mut draw)))).collect();
        for n in 0..5 {
            let moments = |all: &[[f64; 5]]| {
                let mean = all.iter().map(|x| x[n]).sum::<f64>() / all.len() as f64;
                let variance = all.iter().map(|x| (x[n] - mean).powi(2)).sum::<f64>();
                (mean, variance / (all.len() * all.len()) as f64)
            };
            let ((a, var_a), (b, var_b)) = (moments(&facing), moments(&parted));
            assert!((a - b).abs() < 4.5 * (var_a + var_b).sqrt(), "figure {n}: {a} {b}");
        }
    }

    #[test]
    fn shares_of_all_directions() {
        assert_eq!([site(PI, 0.0).share(3), site(PI, 0.0).share(2)], [1.0, 1.0]);
        assert!((site(PI / 3.0, 0.0).share(3) - 0.25).abs() < 1e-15);
        assert!((site(PI / 3.0, 0.0).share(2) - 1.0 / 3.0).abs() < 1e-15);
        assert!((Torsion { angle: 1.0, opening: 0.5 * PI }.share() - 0.5).abs() < 1e-15);
    }

    /// One of two that points nowhere is turned along, and the contact stays where it was.
    #[test]
    fn a_site_without_a_direction_leaves_the_other_to_dock() {
        let line = Vector([0.0, 1.0, 0.0]);
        let docking =
            Docking { line, sites: [None, Some(site(1.0, 0.3))], torsion: None, about: None };
        let moved = docking.docked();
        assert_eq!(moved.line, line);
        assert!((moved.turn.apply(docking.sites[1].unwrap().axis) + line).norm() < 1e-14);
        let docking =
            Docking { line, sites: [Some(site(1.0, 0.3)), None], torsion: None, about: None };
        assert!((docking.docked().line - docking.sites[0].unwrap().axis).norm() < 1e-14);
        assert!(docking.torsion_angle().is_none());
    }
}
