//! `jostle snapshot`.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Failure, may_write, say};
use crate::analysis::{self, Reading, Surfaces};
use crate::files::Inputs;
use crate::report::{
    Colour, ColourBy, DOTS_PER_INCH, Eye, Sheet, Snapshot, SnapshotOptions, draw_strip,
};
use crate::words::time_text;

/// The command line of `jostle snapshot`.
#[derive(clap::Args)]
pub(super) struct SnapshotArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The picture to write; its name ends in .png or .svg.
    #[arg(short, long, value_name = "PICTURE")]
    out: PathBuf,
    #[command(flatten)]
    how: SnapshotHow,
    #[command(flatten)]
    resolution: Resolution,
    /// Replace the picture if it exists.
    #[arg(long)]
    force: bool,
}

/// How fine a picture is.
#[derive(clap::Args)]
pub(super) struct Resolution {
    /// The dots per inch of a PNG picture.
    #[arg(long, value_name = "DOTS", default_value_t = DOTS_PER_INCH, value_parser = dots_per_inch)]
    dpi: f64,
}

impl Resolution {
    /// Writes a picture.
    pub(super) fn save(&self, sheet: &Sheet, path: &Path) -> Result<(), Failure> {
        Ok(sheet.save_at(path, self.dpi)?)
    }
}

fn dots_per_inch(text: &str) -> Result<f64, String> {
    let dots = text.parse().ok().filter(|dots| (10.0..=10_000.0).contains(dots));
    dots.ok_or_else(|| "give a number from 10 to 10000".to_owned())
}

/// What is drawn, and how.
#[derive(clap::Args)]
pub(super) struct SnapshotHow {
    /// The frame to draw: its number, counted from 0, `first` or `last`; several (first,50,last)
    /// are drawn side by side [default: last].
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = which_frame)]
    frame: Vec<Which>,
    #[command(flatten)]
    style: PictureStyle,
}

/// What pictures of frames look like.
#[derive(clap::Args)]
pub(super) struct PictureStyle {
    /// What colours show: size (of the cluster that a particle belongs to), species, speed (if the
    /// file has velocities), or state:SITE, the state of a site such as state:Y1068, or whether it
    /// is bound if it has no states [default: size if there are bonds, otherwise species].
    #[arg(long, alias = "color", value_name = "WHAT", value_parser = colouring)]
    colour: Option<ColourBy>,
    /// Enlarge particles by this factor.
    #[arg(long, value_name = "TIMES", default_value_t = 1.0)]
    magnify: f64,
    /// Other colours of what the legend names: A=#0072b2,B=#d55e00; can be given again.
    #[arg(long, alias = "colors", value_name = "NAME=#RRGGBB", value_delimiter = ',', value_parser = named_colour)]
    colours: Vec<(String, Colour)>,
    /// In three dimensions: from where the box is seen, in degrees around the vertical axis and from
    /// above (0,90: from above, with y up) [default: 28,18].
    #[arg(long, value_name = "AZIMUTH,ELEVATION", value_parser = eye, allow_hyphen_values = true)]
    view: Option<Eye>,
    /// What stands above the picture; "" for nothing [default: the title of the model].
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// In two dimensions: draw only this part of the box, in nm.
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_delimiter = ',', allow_negative_numbers = true)]
    part: Vec<f64>,
    /// Draw the contact forces of a polygon run as lines, wider for larger forces (needs log =
    /// "all").
    #[arg(long)]
    forces: bool,
}

/// Why there are none to draw.
const NO_FORCES: &str = "--forces: the file has no contact forces; runs of polygons keep them with log = \"all\" \
                         under [output]";

fn colouring(text: &str) -> Result<ColourBy, String> {
    match (text, text.strip_prefix("state:")) {
        ("size", _) => Ok(ColourBy::ClusterSize),
        ("species", _) => Ok(ColourBy::Species),
        ("speed", _) => Ok(ColourBy::Speed),
        (_, Some(site)) if !site.is_empty() => Ok(ColourBy::Site(site.to_owned())),
        _ => Err("colours show size, species, speed or state:SITE, such as state:Y1068".into()),
    }
}

fn named_colour(text: &str) -> Result<(String, Colour), String> {
    let named = text.split_once('=').filter(|(name, _)| !name.is_empty());
    named
        .and_then(|(name, colour)| Some((name.to_owned(), Colour::of_hex(colour.trim())?)))
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

/// A frame, as people ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Number(usize),
    Last,
}

fn which_frame(text: &str) -> Result<Which, String> {
    match text.trim() {
        "first" => Ok(Which::Number(0)),
        "last" => Ok(Which::Last),
        number => number
            .parse()
            .map(Which::Number)
            .map_err(|_| "a frame is a number, counted from 0, or `first` or `last`".to_owned()),
    }
}

/// What was drawn.
pub(super) struct Drawn {
    pub(super) sheet: Sheet,
    /// The time of each frame and the number of its particles, in words.
    moments: Vec<String>,
    /// What is missing in the picture.
    pub(super) notes: Vec<String>,
}

pub(super) fn carry_out(arguments: SnapshotArguments) -> Result<(), Failure> {
    let SnapshotArguments { file, out, how, resolution, force } = arguments;
    let drawn = how.draw(&analysis::open(&file)?)?;
    drawn.notes.iter().for_each(|note| say(note));
    may_write(&out, force, &Inputs::of([&file]))?;
    resolution.save(&drawn.sheet, &out)?;
    writeln!(crate::cli::printed(), "{}: {}", out.display(), drawn.moments.join("; "))?;
    Ok(())
}

impl SnapshotHow {
    /// Draws what is asked for.
    pub(super) fn draw(&self, reading: &Reading) -> Result<Drawn, Failure> {
        let painter = self.style.painter(reading)?;
        let frames = self.frames(reading).into_iter();
        let moments = frames.map(|frame| painter.moment(frame)).collect::<Result<Vec<_>, _>>()?;
        let FramePainter { options, notes, .. } = painter;
        let sheet = draw_strip(&moments, &options);
        let moments = moments.iter().map(|(snapshot, time)| {
            let count = snapshot.radii.len();
            format!("{time}, {count} particles")
        });
        Ok(Drawn { sheet, moments: moments.collect(), notes })
    }

    /// The numbers of the frames.
    fn frames(&self, reading: &Reading) -> Vec<usize> {
        let last = reading.frames().saturating_sub(1);
        let number = |which: &Which| if let Which::Number(n) = *which { n } else { last };
        match self.frame.is_empty() {
            true => vec![last],
            false => self.frame.iter().map(number).collect(),
        }
    }
}

/// Draws frames of a file, all of them in one way.
pub(super) struct FramePainter<'a> {
    reading: &'a Reading,
    by: ColourBy,
    forces: bool,
    times: Vec<f64>,
    surfaces: Surfaces,
    pub(super) options: SnapshotOptions,
    /// What is missing in the pictures.
    pub(super) notes: Vec<String>,
}

impl PictureStyle {
    /// To draw frames of a file in this way.
    pub(super) fn painter<'a>(&self, reading: &'a Reading) -> Result<FramePainter<'a>, Failure> {
        let is_species = |(name, _): &(String, Colour)| reading.species().contains(name);
        let by = match &self.colour {
            Some(by) => by.clone(),
            None if !self.colours.is_empty() && self.colours.iter().all(is_species) => {
                ColourBy::Species
            }
            None => ColourBy::what_matters(reading)?,
        };
        if self.forces && !reading.has_forces() {
            return Err(NO_FORCES.into());
        }
        if self.view.is_some() && reading.dimension() != 3 {
            return Err("--view: only for a box in three dimensions".into());
        }
        let mut notes = Vec::new();
        let surfaces = analysis::surfaces(reading).unwrap_or_else(|why| {
            notes.push(format!("drawn without surfaces: {why}"));
            Surfaces::default()
        });
        let info = analysis::info(reading)?;
        let options = SnapshotOptions {
            title: self.title.clone().unwrap_or(info.title),
            palette: by.palette(),
            colours: self.colours.iter().cloned().collect(),
            eye: self.view.unwrap_or_default(),
            magnify: positive(self.magnify)?,
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
    pub(super) fn moment(&self, frame: usize) -> Result<(Snapshot, String), Failure> {
        let Self { reading, by, surfaces, .. } = self;
        let mut snapshot = Snapshot::of_frame(reading, frame, by.clone())?.with_surfaces(surfaces);
        if self.forces {
            snapshot = snapshot.with_forces(reading, frame)?;
        }
        let is_named = |name: &&String| snapshot.names.contains(name);
        if let Some(unknown) = self.options.colours.keys().find(|name| !is_named(name)) {
            let known = snapshot.names.join(", ");
            return Err(format!("--colours {unknown}: the legend has {known}").into());
        }
        let time = self.times.get(frame);
        Ok((snapshot, time.map_or(String::new(), |&time| format!("t = {}", time_text(time)))))
    }
}

fn positive(magnify: f64) -> Result<f64, Failure> {
    if magnify > 0.0 && magnify.is_finite() {
        return Ok(magnify);
    }
    Err(format!("--magnify {magnify}: must be above 0").into())
}

/// The corners of a part of the box.
fn part_of(reading: &Reading, numbers: &[f64]) -> Result<[[f64; 2]; 2], Failure> {
    let edges = reading.edges();
    match numbers {
        _ if reading.dimension() != 2 => Err("--part: only for a box in two dimensions".into()),
        &[x0, y0, x1, y1]
            if 0.0 <= x0 && x0 < x1 && x1 <= edges[0] && 0.0 <= y0 && y0 < y1 && y1 <= edges[1] =>
        {
            Ok([[x0, y0], [x1, y1]])
        }
        _ => Err(format!(
            "--part: give four numbers, the lower corner and the upper corner, within 0,0,{},{}",
            edges[0], edges[1]
        )
        .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_a_number_or_one_of_the_ends() {
        let found = ["first", "last", " 7"].map(which_frame);
        assert_eq!(found, [Ok(Which::Number(0)), Ok(Which::Last), Ok(Which::Number(7))]);
        for wrong in ["", "-1", "lst", "1.5"] {
            assert!(which_frame(wrong).unwrap_err().contains("`last`"), "{wrong}");
        }
    }
}
