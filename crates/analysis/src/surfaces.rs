//! The surfaces in the box of a file, and what lies on which side of them.

use super::scope::too_little;
use jostle_core::environment::Form;
use jostle_core::space::{Domain, Vector};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;
use jostle_model as model;
use jostle_model::surroundings::Surroundings;

/// The surfaces in the box of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surfaces {
    /// 1, 2 or 3.
    pub dimension: usize,
    /// The edges of the box \[nm\]; the first `dimension` count.
    pub edges: [f64; 3],
    /// Whether each axis closes on itself.
    pub periodic: [bool; 3],
    /// The surfaces, and how the species stand to them.
    pub surroundings: Surroundings,
}

/// What a table of a surface begins with in the text of a model.
pub(super) const SURFACES: &str = "[[surface]]";

/// The surfaces of the model that a file was made from; none in files of other programs and of
/// models that have none.
///
/// # Errors
/// If the file has a model with surfaces that makes no sense, or it cannot be read.
pub fn surfaces(reading: &Reading) -> Result<Surfaces, ReadError> {
    let found = model_with(reading, &[SURFACES])?.map(|model| {
        let surroundings = model.surroundings().clone();
        let model::Space { dimension, edges, periodic } = model.space;
        Surfaces { dimension, edges, periodic, surroundings }
    });
    Ok(found.unwrap_or_default())
}

/// The model that a file was made from, if it has one of these tables.
pub(super) fn model_with(
    reading: &Reading,
    tables: &[&str],
) -> Result<Option<model::Model>, ReadError> {
    if !reading.is_ours() {
        return Ok(None);
    }
    let text = reading.text("parameters/resolved")?;
    if !tables.iter().any(|table| text.contains(table)) {
        return Ok(None);
    }
    model_of(reading, &text).map(Some)
}

/// The model that a file was made from, whose text is `resolved`.
///
/// # Errors
/// If it makes no sense, or has another dimension than the frames.
pub(super) fn model_of(reading: &Reading, resolved: &str) -> Result<model::Model, ReadError> {
    let name = reading.path().display().to_string();
    let model = model::parse(resolved, &name, &[]).map_err(|faults| {
        let first = faults.to_string().lines().next().unwrap_or_default().to_owned();
        reading.damaged("parameters/resolved", &first)
    })?;
    if model.space.dimension != reading.dimension() {
        let reason = "the model's dimension is not that of the frames";
        return Err(reading.damaged("parameters/resolved", reason));
    }
    Ok(model)
}

/// The words for the sides of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Within a closed surface.
    Inside,
    /// Out of a closed surface.
    Outside,
    /// At higher coordinates than a plane; of a plane on a periodic axis, up to half the box away.
    Above,
    /// The other side of a plane.
    Below,
}

impl Which {
    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inside => "inside",
            Self::Outside => "outside",
            Self::Above => "above",
            Self::Below => "below",
        }
    }
}

/// One side of a surface, as people ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Which side.
    pub which: Which,
    /// The name of the surface.
    pub surface: String,
}

/// Whether a point is on the inner side of a surface.
type InsideTest = Box<dyn Fn([f64; 3]) -> bool>;

/// Tells which positions lie on all of some given sides of surfaces. A particle that is confined
/// to a surface is on neither side of it.
pub(super) struct Sides {
    surroundings: Surroundings,
    wanted: Vec<Wanted>,
    /// A length that tells two sides of a surface apart, in places of single precision. \[nm\]
    step: f64,
}

struct Wanted {
    surface: u16,
    inside: bool,
    is_inner: InsideTest,
}

impl Sides {
    /// Looks up the names.
    ///
    /// # Errors
    /// If there is no such surface, it has no such side, or the file cannot be read.
    pub(super) fn of(reading: &Reading, asked: &[Beside]) -> Result<Self, ReadError> {
        let found = surfaces(reading)?;
        let wanted =
            asked.iter().map(|beside| wanted(reading, &found, beside)).collect::<Result<_, _>>()?;
        let longest = found.edges[..found.dimension].iter().fold(0.0, |a, &b| f64::max(a, b));
        let step = 8.0 * f64::from(f32::EPSILON) * longest;
        Ok(Self { surroundings: found.surroundings, wanted, step })
    }

    /// Whether a particle of a species is on all these sides; nothing is at places that are no
    /// numbers.
    pub(super) fn have(&self, species: u16, place: [f64; 3]) -> bool {
        let is_somewhere = place.iter().all(|x| x.is_finite());
        is_somewhere
            && self.wanted.iter().all(|side| {
                !self.lives_on(species, side.surface) && (side.is_inner)(place) == side.inside
            })
    }

    /// Whether a contact is on all these sides: one with a surface is where the particle is that
    /// touches it, which lies against `normal`.
    pub(super) fn have_contact(
        &self,
        species: [Option<u16>; 2],
        place: [f64; 3],
        with_wall: bool,
        normal: [f64; 3],
    ) -> bool {
        let back = if with_wall { self.step } else { 0.0 };
        let place = [0, 1, 2].map(|k| place[k] - back * normal[k]);
        species.into_iter().flatten().all(|species| self.have(species, place))
    }

    fn lives_on(&self, species: u16, surface: u16) -> bool {
        self.surroundings.anchor(species).is_some_and(|anchor| anchor.surface == surface)
    }
}

fn wanted(reading: &Reading, found: &Surfaces, beside: &Beside) -> Result<Wanted, ReadError> {
    let surfaces = &found.surroundings.surfaces;
    let Some(number) = surfaces.iter().position(|surface| surface.name == beside.surface) else {
        let known = surfaces.iter().map(|surface| surface.name.clone());
        return Err(reading.no_such("surface", &beside.surface, known));
    };
    let form = &surfaces[number].form;
    let needed = match (beside.which, form.is_closed()) {
        (Which::Inside | Which::Outside, false) => {
            Some("is a plane, so one can be above or below it")
        }
        (Which::Above | Which::Below, true) => {
            Some("is closed, so one can be inside or outside it")
        }
        _ => None,
    };
    if let Some(needed) = needed {
        return Err(too_little(reading, format!("the surface \"{}\" {needed}", beside.surface)));
    }
    let is_inner = match found.dimension {
        1 => inner::<1>(form, found),
        2 => inner::<2>(form, found),
        _ => inner::<3>(form, found),
    };
    let inside = matches!(beside.which, Which::Inside | Which::Above);
    Ok(Wanted { surface: number as u16, inside, is_inner })
}

fn inner<const D: usize>(form: &Form, found: &Surfaces) -> InsideTest {
    let shape = form.shape::<D>();
    let domain = Domain::new(
        std::array::from_fn(|k| found.edges[k]),
        std::array::from_fn(|k| found.periodic[k]),
    );
    Box::new(move |place| shape.is_inside(&domain, Vector::from_fn(|k| place[k])))
}
