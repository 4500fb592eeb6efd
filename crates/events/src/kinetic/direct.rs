//! All pairs are neighbours, always: the straightforward approach (Gavrilova and Rokne 2002,
//! section 3).

use super::{Facets, Kinetic, MOST_TRAVEL, Topology};
use jostle_core::space::Flights;

/// All pairs. Between walls nothing ever changes; in a periodic box every particle is looked at
/// again before it has travelled so far that another image of a partner might be the nearest.
#[derive(Clone, Debug, Default)]
pub struct Direct {
    particles: u32,
    topology: Topology,
}

impl Direct {
    /// Plans when to look at `i` again.
    fn look_again<const D: usize>(
        &mut self,
        i: u32,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
    ) {
        self.topology.planned += 1;
        facets.plan(i, when_far(i, flights, now));
    }
}

/// When `i` has travelled as far as [`MOST_TRAVEL`] along a periodic axis, counted from `now`.
pub(super) fn when_far<const D: usize>(i: u32, flights: &Flights<'_, D>, now: f64) -> f64 {
    let at = flights.at(i, now);
    let edges = flights.domain.edges();
    let mut when = f64::INFINITY;
    for k in (0..D).filter(|&k| flights.domain.is_periodic(k)) {
        let travel = MOST_TRAVEL * edges[k];
        when = when.min(flights.reaches(i, k, at[k] + travel, true, now));
        when = when.min(flights.reaches(i, k, at[k] - travel, false, now));
    }
    when
}

impl<const D: usize> Kinetic<D> for Direct {
    fn build(&mut self, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        self.particles = flights.len() as u32;
        facets.cover(flights.len());
        for i in 0..self.particles {
            self.look_again(i, flights, now, facets);
        }
    }

    fn near(&self, i: u32, _: &Flights<'_, D>, _: f64, out: &mut Vec<u32>) {
        out.extend((0..self.particles).filter(|&j| j != i));
    }

    fn update(&mut self, i: u32, flights: &Flights<'_, D>, now: f64, facets: &mut Facets<'_>) {
        self.look_again(i, flights, now, facets);
    }

    fn change(
        &mut self,
        facet: u32,
        flights: &Flights<'_, D>,
        now: f64,
        facets: &mut Facets<'_>,
        gained: &mut Vec<[u32; 2]>,
    ) {
        self.topology.events += 1;
        self.topology.gained += u64::from(self.particles - 1);
        gained.extend((0..self.particles).filter(|&j| j != facet).map(|j| [facet, j]));
        self.look_again(facet, flights, now, facets);
    }

    fn tells_images_apart(&self) -> bool {
        false
    }

    fn topology(&self) -> Topology {
        self.topology
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
    }

    fn describe(&self) -> String {
        "direct: every pair".to_owned()
    }

    fn assert_well_formed(&self, flights: &Flights<'_, D>, _: f64) {
        assert_eq!(self.particles as usize, flights.len());
    }
}
