//! What the corners of the triangulation are: particles and a frame round them, or the images of
//! particles on a torus.

use super::build::triangulate;
use super::frame::Frame;
use super::grid::on_grid;
use super::mesh::TetrahedronMesh;
use super::torus::Torus;
use jostle_core::space::{Flights, Vector};

use super::super::closed::ClosedBox;
use super::super::power::Site;

/// What the sites stand for.
#[derive(Clone, Debug)]
pub(super) enum Sites {
    /// All particles in order, then the corners of the frame.
    Framed(Box<Frame>),
    /// All particles in order, again and again.
    Around(Torus),
}

impl Default for Sites {
    fn default() -> Self {
        Self::Framed(Box::default())
    }
}

impl Sites {
    /// Those of a box, and their triangulation. Looking at `few` particles costs as much as one more site
    /// for a particle.
    pub(super) fn triangulated(
        few: u32,
        flights: &Flights<'_, 3>,
        now: f64,
    ) -> (Self, TetrahedronMesh) {
        if (0..3).any(|k| flights.domain.is_periodic(k)) {
            let mut torus = Torus::around(flights, now);
            let mesh = torus.triangulate(few, flights, now);
            return (Self::Around(torus), mesh);
        }
        let frame = Frame::around(flights, now);
        let spheres: Vec<_> = flights
            .all
            .iter()
            .chain((0..4).map(|k| frame.corner(k)))
            .map(|flight| (flight.at(now, flights.acceleration), flight.radius))
            .collect();
        let names: Vec<u32> = (0..spheres.len() as u32).collect();
        (Self::Framed(Box::new(frame)), triangulate(&on_grid(&spheres), &names))
    }

    /// The particle that a site stands for; none for the frame.
    #[inline]
    pub(super) fn particle(&self, site: u32, particles: u32) -> Option<u32> {
        match self {
            Self::Framed(_) => (site < particles).then_some(site),
            Self::Around(torus) => Some(torus.particle(site).0),
        }
    }

    /// The number of sites of each particle.
    pub(super) fn copies(&self, particles: u32) -> u32 {
        match self {
            Self::Framed(_) => 1,
            Self::Around(torus) => torus.sites() / particles.max(1),
        }
    }

    /// Where a site is, and how it moves.
    #[inline]
    pub(super) fn site(&self, site: u32, flights: &Flights<'_, 3>, now: f64) -> Site<3> {
        let particles = flights.len() as u32;
        let flight = match self {
            Self::Framed(frame) if site >= particles => frame.corner((site - particles) as usize),
            Self::Framed(_) => &flights.all[site as usize],
            Self::Around(torus) => &flights.all[torus.particle(site).0 as usize],
        };
        let place = flight.at(now, flights.acceleration);
        Site {
            position: match self {
                Self::Framed(_) => place,
                Self::Around(torus) => torus.at(site, place),
            },
            velocity: flight.velocity_at(now, flights.acceleration),
            radius: flight.radius,
        }
    }

    /// The separation of two sites.
    #[inline]
    pub(super) fn apart(&self, from: Vector<3>, to: Vector<3>) -> Vector<3> {
        match self {
            Self::Framed(_) => to - from,
            Self::Around(torus) => torus.nearest(to - from),
        }
    }

    /// Whether a particle is where it is expected.
    #[inline]
    pub(super) fn holds(&self, place: Vector<3>) -> bool {
        match self {
            Self::Framed(frame) => frame.holds(place),
            Self::Around(torus) => torus.holds(place),
        }
    }

    /// The torus, if it is one.
    #[inline]
    pub(super) fn torus(&self) -> Option<&Torus> {
        match self {
            Self::Framed(_) => None,
            Self::Around(torus) => Some(torus),
        }
    }

    /// When the frame has to be thrown up again.
    pub(super) fn comes_down(&self) -> f64 {
        match self {
            Self::Framed(frame) => frame.comes_down(),
            Self::Around(_) => f64::INFINITY,
        }
    }

    /// By how much the coordinates of a particle may be wrong. \[length\]
    pub(super) fn rounding(&self, flights: &Flights<'_, 3>) -> f64 {
        match self {
            Self::Framed(_) => flights.domain.rounding(),
            Self::Around(torus) => ClosedBox::rounding(torus.edges(), flights),
        }
    }
}
