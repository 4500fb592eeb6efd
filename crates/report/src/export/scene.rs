//! The part of a file that is exported, frame by frame.

use std::collections::{BTreeSet, HashMap};
use std::iter::StepBy;
use std::ops::Range;

use super::names::Name;
use super::{ExportError, Options};
use jostle_analysis::{ReadError, Reading, WallPlace};
use jostle_core::space::Orientation;
use jostle_core::words::abridged;
use jostle_h5md::reading::{BoxVectors, Molecules, SiteData, species_change, species_in};
use jostle_h5md::record::{Shape, ShapeKind, Shapes};

/// What is true of all frames.
pub(super) struct Scene<'a> {
    pub(super) reading: &'a Reading,
    frames: StepBy<Range<usize>>,
    unwrap: bool,
    /// Of the model.
    pub(super) title: String,
    /// Along which axes the box closes on itself; never along those that the model does not have.
    pub(super) periodic: [bool; 3],
    /// The species, by their numbers.
    pub(super) species: Vec<Name>,
    /// Whether each is exported.
    chosen: Vec<bool>,
    /// Of files whose species change in time, those of the first frame.
    slot_species: Vec<i32>,
    /// Absent in files of other programs.
    slot_radii: Option<Vec<f64>>,
    /// Only where particles have outlines.
    outlines: Option<Shapes>,
    /// The sites of the species.
    sites: SiteData<'a>,
    has_bonds: bool,
    steps: Vec<i64>,
    /// The edges of a box that encloses those of all frames. \[nm\]
    enclosing: [f64; 3],
    /// Absent in some files of other programs.
    times: Option<Vec<f64>>,
    /// Whether positions have seven digits and not sixteen.
    single_precision: bool,
}

/// A particle at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Particle {
    pub(super) id: i64,
    /// Its slot in the file.
    pub(super) slot: usize,
    /// An index into [`Scene::species`].
    pub(super) species: usize,
    /// \[nm\]; 0 along the axes that the model does not have.
    pub(super) position: [f64; 3],
    /// \[nm\]; NaN if the file has no radii.
    pub(super) radius: f64,
    /// Counter-clockwise; 0 of particles without outlines. \[rad\]
    pub(super) angle: f64,
    /// Its place among [`Scene::shapes`]; 0 of particles without outlines.
    pub(super) shape: usize,
    /// How it is turned, as the file has it: a unit quaternion (w, x, y, z). Not turned, if no site
    /// points anywhere.
    pub(super) quaternion: [f32; 4],
    pub(super) cluster: i64,
    /// How many particles its cluster holds, those that have coalesced counted one by one.
    pub(super) cluster_size: u64,
}

/// The quaternion of what is not turned.
const NOT_TURNED: [f32; 4] = [1.0, 0.0, 0.0, 0.0];

impl Particle {
    /// How it is turned; not at all, if the file is damaged there.
    pub(super) fn orientation(&self) -> Orientation {
        let quaternion = self.quaternion.map(f64::from);
        Orientation::of_quaternion(quaternion).unwrap_or(Orientation::NONE)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Moment {
    /// Its number in the file.
    pub(super) frame: usize,
    pub(super) step: i64,
    /// Absent in some files of other programs. \[µs\]
    pub(super) time: Option<f64>,
    /// The box, if there is one.
    pub(super) vectors: Option<BoxVectors>,
    /// In the order of their identities.
    pub(super) particles: Vec<Particle>,
    /// Each particle as a molecule in BioNetGen's notation, or the name of a species without sites;
    /// empty if no species has sites.
    pub(super) molecules: Vec<String>,
    /// Pairs of indices into `bodies`.
    pub(super) bonds: Vec<[usize; 2]>,
    /// Number, shape and place of the walls that are there, where particles have outlines.
    pub(super) walls: Vec<(usize, usize, WallPlace)>,
}

impl<'a> Scene<'a> {
    pub(super) fn of(reading: &'a Reading, options: &Options<'_>) -> Result<Self, ExportError> {
        let there = reading.frames();
        let frames = options.frames.start..options.frames.end.min(there);
        if frames.is_empty() {
            let reason = match there {
                0 => "there is no frame in it yet".to_owned(),
                1 => "there is only one frame, number 0".to_owned(),
                _ => {
                    format!("there are {there} frames, counted from 0; none of them was requested")
                }
            };
            return Err(ReadError::TooLittle { path: reading.path().to_owned(), reason }.into());
        }
        let first = frames.start;
        let boxes = frames.clone().filter_map(|frame| reading.boxes().get(frame));
        let enclosing = boxes.fold([0.0; 3], |most: [f64; 3], next: BoxVectors| {
            [0, 1, 2].map(|axis| next.0.iter().fold(most[axis], |most, edge| most.max(edge[axis])))
        });
        let species: Vec<Name> = reading.species().iter().map(|name| Name::new(name)).collect();
        let chosen = chosen(&species, &options.species)?;
        let boundary = reading.boundary().unwrap_or_default();
        let closed = |k: usize| boundary.get(k).is_some_and(|word| word == "periodic");
        Ok(Self {
            reading,
            frames: frames.step_by(options.every.max(1)),
            unwrap: options.unwrap,
            title: reading.title()?,
            periodic: std::array::from_fn(|k| k < reading.dimension() && closed(k)),
            species,
            chosen,
            slot_species: species_in(reading, first)?,
            slot_radii: if reading.has_radii() { Some(reading.slot_radii()?) } else { None },
            outlines: reading.shapes()?,
            sites: SiteData::of(reading)?,
            has_bonds: reading.has("connectivity/bonds/value") && reading.has_bonds()?,
            steps: reading.steps()?,
            enclosing,
            times: match reading.times() {
                Err(ReadError::Foreign { .. }) => None,
                times => Some(times?),
            },
            single_precision: reading.is_single_precision()? && !options.unwrap,
        })
    }

    /// Leaves out all frames but the first.
    pub(super) fn keep_first_frame(&mut self) {
        let first = self.frames.clone().next().unwrap_or(0);
        self.frames = (first..first + 1).step_by(1);
    }

    /// The numbers of the frames, in their order.
    pub(super) fn frames(&self) -> StepBy<Range<usize>> {
        self.frames.clone()
    }

    /// 1, 2 or 3.
    pub(super) fn dimension(&self) -> usize {
        self.reading.dimension()
    }

    /// The edges of a box that encloses those of all frames that are exported \[nm\]; along axes that
    /// the model does not have, the thickness of the largest particle. Zero if the file has no box.
    pub(super) fn edges(&self) -> [f64; 3] {
        self.enclosing
    }

    /// Whether the box has edges that are not along the axes, in any frame.
    pub(super) fn is_sheared(&self) -> bool {
        self.reading.boxes().are_sheared()
    }

    /// The species of each slot, whether or not there is a particle in it; none where its number
    /// names none.
    pub(super) fn slot_species(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.slot_species
            .iter()
            .map(|&n| usize::try_from(n).ok().filter(|&n| n < self.species.len()))
    }

    /// The numbers of the species that are exported.
    pub(super) fn exported(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.species.len()).filter(|&k| self.chosen[k])
    }

    /// Whether any species has states.
    pub(super) fn has_states(&self) -> bool {
        self.species.iter().any(|name| !name.states.is_empty())
    }

    /// Whether any species that is exported has sites.
    pub(super) fn has_sites(&self) -> bool {
        self.exported().any(|k| !self.sites.sites[k].is_empty())
    }

    /// Whether any species that is exported has sites that point somewhere.
    pub(super) fn has_directions(&self) -> bool {
        self.exported().any(|k| self.sites.sites[k].are_directed())
    }

    /// The names of the sites that point somewhere, of all species that are exported.
    pub(super) fn directed_sites(&self) -> BTreeSet<&str> {
        let sites = self.exported().flat_map(|k| self.sites.sites[k].list());
        sites.filter(|site| site.direction.is_some()).map(|site| site.name.as_str()).collect()
    }

    /// Where a site of a particle points: a vector of length 1, or zero if it has no such site, or
    /// one that points nowhere.
    pub(super) fn direction(&self, particle: &Particle, site: &str) -> [f64; 3] {
        let mut sites = self.sites.sites[particle.species].list().iter();
        let direction = sites.find(|one| one.name == site).and_then(|one| one.direction);
        direction.map_or([0.0; 3], |direction| particle.orientation().apply(direction.axis).0)
    }

    /// The molecules of a frame.
    pub(super) fn molecules(&self, frame: usize) -> Result<Molecules<'_>, ReadError> {
        Molecules::of(&self.sites, frame)
    }

    /// Whether any frame of the file has bonds.
    pub(super) fn has_bonds(&self) -> bool {
        self.has_bonds
    }

    /// Whether the file has radii.
    pub(super) fn has_radii(&self) -> bool {
        self.slot_radii.is_some()
    }

    /// The shapes that particles and walls have; none if all particles are round.
    pub(super) fn shapes(&self) -> Option<&[Shape]> {
        self.outlines.as_ref().map(|outlines| &outlines.shapes[..])
    }

    /// The radius of the circle that has the area of a particle \[nm\]; its own if it is round.
    pub(super) fn radius_of_area(&self, particle: &Particle) -> f64 {
        let area = |shape: &Shape| match shape.kind {
            ShapeKind::Polygon => polygon_area(&shape.corners),
            _ => std::f64::consts::PI * shape.semi_axes[0] * shape.semi_axes[1],
        };
        let shape = self.shapes().and_then(|shapes| shapes.get(particle.shape));
        shape.map_or(particle.radius, |shape| (area(shape) / std::f64::consts::PI).sqrt())
    }

    /// The walls that are there in a frame: number, shape, and where they are.
    fn walls(&self, frame: usize) -> Result<Vec<(usize, usize, WallPlace)>, ReadError> {
        let Some(outlines) = &self.outlines else { return Ok(Vec::new()) };
        let places =
            self.reading.walls(frame)?.into_iter().enumerate().filter(|(_, place)| place.present);
        Ok(places.map(|(n, place)| (n, outlines.walls[n].shape as usize, place)).collect())
    }

    /// Whether the file says which particles belong together.
    pub(super) fn has_clusters(&self) -> bool {
        self.reading.has_clusters()
    }

    /// The smallest radius of all particles \[nm\], 1 if there is none.
    pub(super) fn smallest_radius(&self) -> f64 {
        let least = self
            .slot_radii
            .iter()
            .flatten()
            .copied()
            .filter(|radius| *radius > 0.0)
            .fold(f64::NAN, f64::min);
        if least.is_finite() { least } else { 1.0 }
    }

    /// The time of a frame, if the file has times. \[µs\]
    pub(super) fn time(&self, frame: usize) -> Option<f64> {
        self.times.as_ref().map(|times| times[frame])
    }

    /// Whether the file says when the frames were.
    pub(super) fn has_times(&self) -> bool {
        self.times.is_some()
    }

    /// The times, for formats that do not do without.
    pub(super) fn needs_times(&self, format: &str) -> Result<(), ExportError> {
        match self.times {
            Some(_) => Ok(()),
            None => Err(ExportError::asked(format!(
                "{format} needs the time of each frame, which the file does not say"
            ))),
        }
    }

    /// Reads a frame.
    pub(super) fn moment(&self, frame: usize) -> Result<Moment, ReadError> {
        let slots =
            0..self.slot_radii.as_ref().map_or(usize::MAX, Vec::len).min(self.reading.slots());
        let data = self.reading.frame_data(frame..frame + 1, slots.clone())?;
        let places = if self.unwrap {
            self.reading.unwrapped(frame..frame + 1, slots.clone())?.1
        } else {
            self.reading.positions(frame..frame + 1, slots.clone())?
        };
        let angles =
            if self.outlines.is_some() { self.reading.orientations(frame)? } else { Vec::new() };
        let quaternions = match self.has_directions() {
            true => self.sites.orientations(frame..frame + 1, slots.clone())?,
            false => None,
        };
        let shape_of =
            |slot: usize| self.outlines.as_ref().and_then(|all| all.shape_of.get(slot).copied());
        let mut size_of: HashMap<i64, u64> = HashMap::new();
        for slot in slots.clone().filter(|&slot| data.id[[0, slot]] >= 0) {
            let size = data.coalesced[[0, slot]].max(1) as u64;
            *size_of.entry(data.cluster[[0, slot]]).or_default() += size;
        }
        let slot_species = match species_change(self.reading) {
            true => &species_in(self.reading, frame)?[..],
            false => &self.slot_species,
        };
        let mut found: Vec<(Particle, usize)> = Vec::new();
        for slot in slots.filter(|&slot| data.id[[0, slot]] >= 0) {
            let species = self.species_of(slot_species, slot)?;
            if !self.chosen[species] {
                continue;
            }
            let cluster = data.cluster[[0, slot]];
            let particle = Particle {
                id: data.id[[0, slot]],
                slot,
                species,
                position: [0, 1, 2].map(|axis| places[[0, slot, axis]]),
                radius: self.slot_radii.as_ref().map_or(f64::NAN, |radii| radii[slot]),
                angle: angles.get(slot).copied().unwrap_or(0.0),
                shape: shape_of(slot).unwrap_or(0) as usize,
                quaternion: quaternions.as_ref().map_or(NOT_TURNED, |all| all[[0, slot]]),
                cluster,
                cluster_size: size_of[&cluster],
            };
            found.push((particle, slot));
        }
        found.sort_unstable_by_key(|(particle, _)| particle.id);
        let bonds = self.bonds(frame, &found)?;
        let particles: Vec<Particle> = found.into_iter().map(|(particle, _)| particle).collect();
        let molecules = self.texts(frame, &particles)?;
        let walls = self.walls(frame)?;
        Ok(Moment {
            frame,
            step: self.steps[frame],
            time: self.time(frame),
            vectors: self.reading.boxes().get(frame),
            particles,
            molecules,
            bonds,
            walls,
        })
    }

    /// The particles as molecules; none if no species has sites.
    fn texts(&self, frame: usize, particles: &[Particle]) -> Result<Vec<String>, ReadError> {
        if !self.has_sites() {
            return Ok(Vec::new());
        }
        let mut texts = self.molecules(frame)?.texts();
        let mut text = |particle: &Particle| {
            let text = texts.get_mut(particle.slot).and_then(Option::take);
            text.unwrap_or_else(|| self.species[particle.species].whole.clone())
        };
        Ok(particles.iter().map(&mut text).collect())
    }

    fn species_of(&self, slot_species: &[i32], slot: usize) -> Result<usize, ReadError> {
        let number = usize::try_from(slot_species[slot]).ok().filter(|&n| n < self.species.len());
        number.ok_or_else(|| ReadError::Damaged {
            path: self.reading.path().to_owned(),
            what: "species".into(),
            reason: "a number without a species".into(),
        })
    }

    /// The bonds between exported particles.
    fn bonds(
        &self,
        frame: usize,
        particles: &[(Particle, usize)],
    ) -> Result<Vec<[usize; 2]>, ReadError> {
        if !self.has_bonds {
            return Ok(Vec::new());
        }
        let pairs = self.reading.bonds(frame)?;
        let place: HashMap<i32, usize> =
            particles.iter().enumerate().map(|(n, (_, slot))| (*slot as i32, n)).collect();
        let both = |[a, b]: [i32; 2]| Some([*place.get(&a)?, *place.get(&b)?]);
        Ok(pairs.into_iter().filter_map(both).collect())
    }

    /// A coordinate, as short as leads back to the number in the file.
    pub(super) fn digits(&self, x: f64) -> String {
        if self.single_precision { (x as f32).to_string() } else { x.to_string() }
    }

    /// The vector from one particle to another. \[nm\]
    pub(super) fn between(&self, from: &Particle, to: &Particle) -> [f64; 3] {
        std::array::from_fn(|k| to.position[k] - from.position[k])
    }

    /// The vector from one particle to the nearest image of another. \[nm\]
    pub(super) fn across(&self, moment: &Moment, [a, b]: [usize; 2]) -> [f64; 3] {
        let way = self.between(&moment.particles[a], &moment.particles[b]);
        match &moment.vectors {
            Some(vectors) => vectors.nearest(way, self.periodic, self.dimension()),
            None => way,
        }
    }
}

/// By Gauss's shoelace formula. \[nm²\]
fn polygon_area(corners: &[[f64; 2]]) -> f64 {
    let next = |n: usize| corners[(n + 1) % corners.len()];
    0.5 * corners.iter().enumerate().map(|(n, [x, y])| x * next(n)[1] - y * next(n)[0]).sum::<f64>()
}

/// Which species are meant by a list of names; all, if it is empty.
fn chosen(species: &[Name], asked: &[String]) -> Result<Vec<bool>, ExportError> {
    for name in asked {
        if name.contains('(') {
            return Err(ExportError::asked(format!(
                "\"{name}\" is a pattern of sites, but the name of a species is needed: all its particles are \
                 exported, whatever their sites are like"
            )));
        }
        if !species.iter().any(|known| known.is_meant_by(name)) {
            let known = species.iter().map(|name| name.whole.clone());
            let known = abridged(known, "species").join(", ");
            return Err(ExportError::asked(format!(
                "there is no species \"{name}\" (there are: {known})"
            )));
        }
    }
    let meant = |name: &Name| asked.is_empty() || asked.iter().any(|asked| name.is_meant_by(asked));
    Ok(species.iter().map(meant).collect())
}
