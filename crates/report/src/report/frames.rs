//! Pictures of frames, as options ask for them: which frames, and what they look like.

use super::{Colour, ColourBy, Eye, Sheet, Snapshot, SnapshotOptions, draw_strip};
use jostle_analysis::ask::{AskError, Named, QuestionError, Row, Takes, set, split_names};
use jostle_analysis::{Reading, Surfaces};
use jostle_core::words::time_text;

/// Which frames are drawn side by side, and what they look like.
#[derive(Clone, Debug, Default)]
pub struct FrameOptions {
    frame: Vec<WhichFrame>,
    style: PictureStyle,
}

/// What pictures of frames look like.
#[derive(Clone, Debug, Default)]
pub struct PictureStyle {
    colour: Option<ColourBy>,
    magnify: Option<f64>,
    zoom: Option<f64>,
    colours: Vec<(String, Colour)>,
    view: Option<Eye>,
    title: Option<String>,
    part: Vec<f64>,
    forces: bool,
}

trait HasStyle {
    fn style(&mut self) -> &mut PictureStyle;
}

impl HasStyle for PictureStyle {
    fn style(&mut self) -> &mut PictureStyle {
        self
    }
}

impl HasStyle for FrameOptions {
    fn style(&mut self) -> &mut PictureStyle {
        &mut self.style
    }
}

const fn style_rows<T: HasStyle>() -> [Row<T>; 8] {
    [
        Row::new(
            "colour",
            (Takes::One, "WHAT"),
            "What colours show: size (of the cluster that a particle belongs to), species, speed (if the file has \
             velocities), state, or state:SITE, the state of a site such as state:Y1068, or whether it is bound if it has \
             no states [default: size if there are bonds, otherwise species]",
            |to: &mut T, text| set(&mut to.style().colour, colouring(text)),
        )
        .alias("color"),
        Row::new(
            "magnify",
            (Takes::One, "TIMES"),
            "Enlarge particles by this factor [default: 1]",
            |to, text| set(&mut to.style().magnify, float(text)),
        ),
        Row::new(
            "zoom",
            (Takes::One, "TIMES"),
            "Magnify the picture by this factor about the middle of the box; what is then beyond its edges is cut off \
             [default: 1]",
            |to: &mut T, text| set(&mut to.style().zoom, float(text)),
        )
        .not_with(&["part"]),
        Row::new(
            "colours",
            (Takes::Many, "NAME=#RRGGBB"),
            "Other colours of what the legend names: A=#0072b2,B=#d55e00; can be given again",
            |to: &mut T, text| {
                to.style().colours.extend(named_colours(text)?);
                Ok(())
            },
        )
        .alias("colors"),
        Row::new(
            "view",
            (Takes::One, "AZIMUTH,ELEVATION"),
            "In three dimensions: from where the box is seen, in degrees around the vertical axis and from above (0,90: \
             from above, with y up) [default: 28,18]",
            |to: &mut T, text| set(&mut to.style().view, eye(text)),
        )
        .signed(),
        Row::new(
            "title",
            (Takes::One, "TEXT"),
            "What stands above the picture; \"\" for nothing [default: the title of the model]",
            |to, text| set(&mut to.style().title, Ok(text.to_owned())),
        ),
        Row::new(
            "part",
            (Takes::Commas, "X0,Y0,X1,Y1"),
            "In two dimensions: draw only this part of the box, in nm",
            |to, text| {
                to.style().part.push(float(text)?);
                Ok(())
            },
        ),
        Row::new(
            "forces",
            (Takes::Nothing, ""),
            "Draw the contact forces of a polygon run as lines, wider for larger forces (needs log = \"all\")",
            |to, _| {
                to.style().forces = true;
                Ok(())
            },
        ),
    ]
}

const STYLE: &[Row<PictureStyle>] = &style_rows();
const STYLE_OF_FRAMES: &[Row<FrameOptions>] = &style_rows();
const FRAMES: &[Row<FrameOptions>] = &[Row::new(
    "frame",
    (Takes::Commas, "N"),
    "The frame to draw: its number, counted from 0, `first` or `last`; several (first,50,last) are drawn side by side \
     [default: last]",
    |to, text| {
        to.frame.push(which_frame(text)?);
        Ok(())
    },
)];

impl Named for PictureStyle {
    fn rows() -> &'static [&'static [Row<Self>]] {
        &[STYLE]
    }
}

impl Named for FrameOptions {
    fn rows() -> &'static [&'static [Row<Self>]] {
        &[FRAMES, STYLE_OF_FRAMES]
    }
}

/// Why there are no forces to draw.
const NO_FORCES: &str =
    "the file has no contact forces; runs of polygons keep them with log = \"all\" under [output]";

fn colouring(text: &str) -> Result<ColourBy, String> {
    match (text, text.strip_prefix("state:")) {
        ("size", _) => Ok(ColourBy::ClusterSize),
        ("species", _) => Ok(ColourBy::Species),
        ("speed", _) => Ok(ColourBy::Speed),
        ("state", _) => Ok(ColourBy::State),
        (_, Some(site)) if !site.is_empty() => Ok(ColourBy::Site(site.to_owned())),
        _ => {
            Err("colours show size, species, speed, state or state:SITE, such as state:Y1068"
                .into())
        }
    }
}

fn named_colours(text: &str) -> Result<Vec<(String, Colour)>, String> {
    let named = |one: &String| {
        let (name, colour) = one.split_once('=').filter(|(name, _)| !name.is_empty())?;
        Some((name.to_owned(), Colour::of_hex(colour.trim())?))
    };
    let found: Option<Vec<_>> = split_names(text).iter().map(named).collect();
    found
        .filter(|found| !found.is_empty())
        .ok_or_else(|| "give a name of the legend and its colour, such as EGFR=#0072b2".to_owned())
}

fn eye(text: &str) -> Result<Eye, String> {
    let angles = text.split_once(',').and_then(|(azimuth, elevation)| {
        Some(Eye {
            azimuth: azimuth.trim().parse().ok()?,
            elevation: elevation.trim().parse().ok()?,
        })
    });
    let is_right = |eye: &Eye| eye.azimuth.is_finite() && eye.elevation.abs() <= 90.0;
    angles.filter(is_right).ok_or_else(|| {
        "give two angles in degrees, around the vertical axis and from above (-90 to 90), such as 28,18"
            .to_owned()
    })
}

fn float(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "give a number".to_owned())
}

/// A frame, as people ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhichFrame {
    Number(usize),
    Last,
}

fn which_frame(text: &str) -> Result<WhichFrame, String> {
    match text.trim() {
        "first" => Ok(WhichFrame::Number(0)),
        "last" => Ok(WhichFrame::Last),
        number => number
            .parse()
            .map(WhichFrame::Number)
            .map_err(|_| "a frame is a number, counted from 0, or `first` or `last`".to_owned()),
    }
}

/// What was drawn.
pub struct DrawnFrames {
    /// The picture.
    pub sheet: Sheet,
    /// The time of each frame and the number of its particles, in words.
    pub moments: Vec<String>,
    /// What is missing in the picture.
    pub notes: Vec<String>,
}

impl FrameOptions {
    /// Draws what is asked for.
    ///
    /// # Errors
    /// If the file cannot be read, has no such frame, or an option makes no sense for it.
    pub fn draw(&self, reading: &Reading) -> Result<DrawnFrames, AskError> {
        let painter = self.style.painter(reading)?;
        let frames = self.frames(reading).into_iter();
        let moments = frames.map(|frame| painter.moment(frame)).collect::<Result<Vec<_>, _>>()?;
        let FramePainter { options, notes, .. } = painter;
        let sheet = draw_strip(&moments, &options);
        let moments = moments.iter().map(|(snapshot, time)| {
            let count = snapshot.radii.len();
            format!("{time}, {count} particles")
        });
        Ok(DrawnFrames { sheet, moments: moments.collect(), notes })
    }

    /// The numbers of the frames.
    fn frames(&self, reading: &Reading) -> Vec<usize> {
        let last = reading.frames().saturating_sub(1);
        let number = |which: &WhichFrame| match *which {
            WhichFrame::Number(n) => n,
            WhichFrame::Last => last,
        };
        match self.frame.is_empty() {
            true => vec![last],
            false => self.frame.iter().map(number).collect(),
        }
    }
}

/// Draws frames of a file, all of them in one way.
pub struct FramePainter<'a> {
    reading: &'a Reading,
    by: ColourBy,
    forces: bool,
    times: Vec<f64>,
    surfaces: Surfaces,
    /// What all of them look like.
    pub options: SnapshotOptions,
    /// What is missing in the pictures.
    pub notes: Vec<String>,
}

impl PictureStyle {
    /// To draw frames of a file in this way.
    ///
    /// # Errors
    /// If the file cannot be read, or an option makes no sense for it.
    pub fn painter<'a>(&self, reading: &'a Reading) -> Result<FramePainter<'a>, AskError> {
        let is_species = |(name, _): &(String, Colour)| reading.species().contains(name);
        let by = match &self.colour {
            Some(by) => by.clone(),
            None if !self.colours.is_empty() && self.colours.iter().all(is_species) => {
                ColourBy::Species
            }
            None => ColourBy::what_matters(reading)?,
        };
        if self.forces && !reading.has_forces() {
            return Err(QuestionError::about("forces", NO_FORCES).into());
        }
        if self.view.is_some() && reading.dimension() != 3 {
            return Err(QuestionError::about("view", "only for a box in three dimensions").into());
        }
        let mut notes = Vec::new();
        let surfaces = jostle_analysis::surfaces(reading).unwrap_or_else(|why| {
            notes.push(format!("drawn without surfaces: {why}"));
            Surfaces::default()
        });
        let info = jostle_analysis::info(reading)?;
        let options = SnapshotOptions {
            title: self.title.clone().unwrap_or(info.title),
            palette: by.palette(),
            colours: self.colours.iter().cloned().collect(),
            eye: self.view.unwrap_or_default(),
            magnify: positive("magnify", self.magnify.unwrap_or(1.0))?,
            zoom: positive("zoom", self.zoom.unwrap_or(1.0))?,
            part: if self.part.is_empty() { None } else { Some(part_of(reading, &self.part)?) },
            periodic: info.periodic,
            ..SnapshotOptions::default()
        };
        let times = reading.times()?;
        Ok(FramePainter { reading, by, forces: self.forces, times, surfaces, options, notes })
    }
}

impl FramePainter<'_> {
    /// A frame, and its time in words.
    ///
    /// # Errors
    /// If the file cannot be read, has no such frame, or nothing of a name that has a colour.
    pub fn moment(&self, frame: usize) -> Result<(Snapshot, String), AskError> {
        let Self { reading, by, surfaces, .. } = self;
        let mut snapshot = Snapshot::of_frame(reading, frame, by.clone())?.with_surfaces(surfaces);
        if self.forces {
            snapshot = snapshot.with_forces(reading, frame)?;
        }
        let is_named = |name: &&String| snapshot.names.contains(name);
        if let Some(unknown) = self.options.colours.keys().find(|name| !is_named(name)) {
            let known = snapshot.names.join(", ");
            let why = format!("the legend has no {unknown}; it has {known}");
            return Err(QuestionError::about("colours", why).into());
        }
        let time = self.times.get(frame);
        Ok((snapshot, time.map_or(String::new(), |&time| format!("t = {}", time_text(time)))))
    }
}

fn positive(option: &'static str, times: f64) -> Result<f64, QuestionError> {
    if times > 0.0 && times.is_finite() {
        return Ok(times);
    }
    Err(QuestionError::about(option, format!("{times}, but it must be above 0")))
}

/// The corners of a part of the box.
fn part_of(reading: &Reading, numbers: &[f64]) -> Result<[[f64; 2]; 2], QuestionError> {
    let edges = reading.edges();
    match numbers {
        _ if reading.dimension() != 2 => {
            Err(QuestionError::about("part", "only for a box in two dimensions"))
        }
        &[x0, y0, x1, y1]
            if 0.0 <= x0 && x0 < x1 && x1 <= edges[0] && 0.0 <= y0 && y0 < y1 && y1 <= edges[1] =>
        {
            Ok([[x0, y0], [x1, y1]])
        }
        _ => {
            let why = "give four numbers, the lower corner and the upper corner, within 0,0";
            Err(QuestionError::about("part", format!("{why},{},{}", edges[0], edges[1])))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_a_number_or_one_of_the_ends() {
        let found = ["first", "last", " 7"].map(which_frame);
        assert_eq!(
            found,
            [Ok(WhichFrame::Number(0)), Ok(WhichFrame::Last), Ok(WhichFrame::Number(7))]
        );
        for wrong in ["", "-1", "lst", "1.5"] {
            assert!(which_frame(wrong).unwrap_err().contains("`last`"), "{wrong}");
        }
    }

    #[test]
    fn colours_have_names_with_commas() {
        let named = |text: &str| {
            let all = named_colours(text)?;
            Ok::<_, String>(all.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(named("EGFR{bound,bare}=#cc0000,A=#12f").unwrap(), ["EGFR{bound,bare}", "A"]);
        for wrong in ["", "=#12f", "A", "A=#12f,B=red"] {
            assert!(named(wrong).unwrap_err().contains("such as EGFR=#0072b2"), "{wrong}");
        }
    }
}
