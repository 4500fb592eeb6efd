//! What frames also hold if particles have sites: how the particles are turned, and the states of
//! their sites.
//!
//! An orientation is a quaternion (w, x, y, z) of length 1, and its negative is the same
//! orientation. So three of its components are enough if the largest, which is left out, is
//! positive. They are between ±1/√2, and stand for whole numbers from -511 to 511. Of the four
//! bytes, the lowest two bits tell which component is left out; the others follow in their order,
//! ten bits each, 511 added to each.

use std::f64::consts::SQRT_2;

use serde::Serialize;

use super::super::super::snapshot::{SiteClasses, axes};
use super::pack::Occupant;
use jostle_analysis::{ReadError, Reading};
use jostle_core::space::Orientation;
use jostle_h5md::reading::SiteData;

/// The greatest number that a component stands for.
const MOST: f64 = 511.0;

/// The sites of a film.
pub(super) struct FilmSites<'a> {
    reading: &'a Reading,
    data: SiteData<'a>,
    /// \[slot\]
    species: Vec<i32>,
    /// Where the sites of each species point, as vectors of length 1 in the particle's frame.
    /// \[species\]\[site\]
    axes: Vec<Vec<[f64; 3]>>,
    classes: Vec<SiteClasses>,
}

/// What the player has to know of sites before the first frame.
#[derive(Serialize)]
pub(in crate::report::page) struct SitesHead {
    /// Where the sites of each species point, as vectors of length 1 in the particle's frame; absent
    /// if none does. \[species\]\[site\]
    pub(in crate::report::page) axes: Option<Vec<Vec<[f64; 3]>>>,
    /// What colours can tell of each site.
    states: Vec<StatesHead>,
}

/// What colours can tell of a site.
#[derive(Serialize)]
struct StatesHead {
    site: String,
    classes: Vec<String>,
}

impl<'a> FilmSites<'a> {
    /// Those of a file, if it has any.
    pub(super) fn of(reading: &'a Reading) -> Result<Option<Self>, ReadError> {
        let data = SiteData::of(reading)?;
        let known = SiteClasses::known(&data);
        if known.is_empty() {
            return Ok(None);
        }
        let axes = data.sites.iter().map(|sites| axes(sites).iter().map(|axis| axis.0).collect());
        Ok(Some(Self {
            reading,
            species: reading.slot_species()?,
            axes: axes.collect(),
            classes: known.iter().filter_map(|site| SiteClasses::of(&data, site)).collect(),
            data,
        }))
    }

    /// How many different names the sites have.
    pub(super) fn count(&self) -> usize {
        self.classes.len()
    }

    /// How the particles are turned in a frame; 0 where nothing shows it, and nothing at all if no
    /// site points anywhere. \[slot\]
    pub(super) fn turns(&self, frame: usize, which: &[Occupant]) -> Result<Vec<u32>, ReadError> {
        if !self.are_directed() {
            return Ok(Vec::new());
        }
        let quaternions = self.data.orientations(frame..frame + 1, 0..self.reading.slots())?;
        let turn = |(slot, which): (usize, &Occupant)| {
            let species = usize::try_from(self.species[slot]).ok();
            let axes = species.and_then(|species| self.axes.get(species));
            let quaternion = quaternions.as_ref()?[[0, slot]].map(f64::from);
            let seen = which.id >= 0 && axes.is_some_and(|axes| !axes.is_empty());
            Some(four_bytes(Orientation::of_quaternion(quaternion).filter(|_| seen)?))
        };
        Ok(which.iter().enumerate().map(|slot| turn(slot).unwrap_or(0)).collect())
    }

    /// The classes of all sites in a frame. \[slot\]\[site\]
    pub(super) fn states(&self, frame: usize, which: &[Occupant]) -> Result<Vec<u8>, ReadError> {
        let codes = self.data.codes(frame..frame + 1, 0..self.reading.slots())?;
        let mut states = Vec::with_capacity(which.len() * self.count());
        for (slot, which) in which.iter().enumerate() {
            states.extend(self.classes.iter().map(|site| match which.id {
                -1 => 0,
                _ => {
                    let class = site.class(&self.data, self.species[slot], codes[[0, slot]]);
                    u8::try_from(class).unwrap_or(u8::MAX)
                }
            }));
        }
        Ok(states)
    }

    /// Whether any site points somewhere.
    fn are_directed(&self) -> bool {
        self.axes.iter().any(|axes| !axes.is_empty())
    }

    pub(super) fn head(&self) -> SitesHead {
        let states = |site: &SiteClasses| StatesHead {
            site: site.site.clone(),
            classes: site.names.clone(),
        };
        SitesHead {
            axes: self.are_directed().then(|| self.axes.clone()),
            states: self.classes.iter().map(states).collect(),
        }
    }
}

/// An orientation, within a fifth of a degree.
fn four_bytes(orientation: Orientation) -> u32 {
    let quaternion = orientation.quaternion();
    let larger = |best: usize, k: usize| match quaternion[k].abs() > quaternion[best].abs() {
        true => k,
        false => best,
    };
    let largest = (0..4).fold(0, larger);
    let share = SQRT_2.copysign(quaternion[largest]) * MOST;
    let number = |k: usize| ((share * quaternion[k]).round().clamp(-MOST, MOST) + MOST) as u32;
    let others = (0..4).filter(|&k| k != largest).enumerate();
    others.fold(largest as u32, |bytes, (place, k)| bytes | number(k) << (2 + 10 * place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_core::space::Vector;

    /// The way back, as `sites.js` goes it.
    fn orientation(bytes: u32) -> Orientation {
        let number = |place: usize| f64::from(bytes >> (2 + 10 * place) & 1023) - MOST;
        let others = [0, 1, 2].map(|place| number(place) / (SQRT_2 * MOST));
        let rest = 1.0 - others.iter().map(|x| x * x).sum::<f64>();
        let mut quaternion = others.to_vec();
        quaternion.insert((bytes & 3) as usize, rest.max(0.0).sqrt());
        Orientation::of_quaternion(quaternion.try_into().unwrap()).unwrap()
    }

    #[test]
    fn orientations_come_back_within_a_fifth_of_a_degree() {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vector);
        let mut worst: f64 = 0.0;
        for n in 0..20_000 {
            // Directions and angles of a sequence that fills everything evenly.
            let [a, b, c] =
                [0.819_172_5, 0.671_043_6, 0.549_700_5].map(|x| (f64::from(n) * x).fract());
            let (s, z) = (libm::sqrt(1.0 - (2.0 * a - 1.0).powi(2)), 2.0 * a - 1.0);
            let (y, x) = libm::sincos(std::f64::consts::TAU * b);
            let turned = Orientation::about(Vector([s * x, s * y, z]), std::f64::consts::TAU * c);
            let back = orientation(four_bytes(turned));
            for axis in axes {
                worst = worst.max((back.apply(axis) - turned.apply(axis)).norm());
            }
        }
        assert!(worst.to_degrees() < 0.2, "{}°", worst.to_degrees());
    }

    #[test]
    fn what_turns_in_a_plane_stays_in_it() {
        for n in 0..360 {
            let axis = Vector([0.0, 0.0, 1.0]);
            let back = orientation(four_bytes(Orientation::about(axis, f64::from(n).to_radians())));
            assert_eq!(back.apply(axis), axis, "{n}°");
        }
    }
}
