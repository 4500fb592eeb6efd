//! `jostle movie`.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::options::Typed;
use super::{Failure, may_write, say};
use crate::analysis::{self, Reading};
use crate::files::{Inputs, PassingFolder, fresh};
use crate::report::{AnimatedPng, FramePainter, PictureStyle, Sheet, SnapshotOptions, pixels};

/// The command line of `jostle movie`.
#[derive(clap::Args)]
pub(super) struct MovieArguments {
    /// A file that a run wrote, or is writing.
    file: PathBuf,
    /// The film to write. A name that ends in .png makes an animated PNG, which browsers play;
    /// .mp4, .webm, .webp and .gif need the program ffmpeg.
    #[arg(short, long, value_name = "FILM")]
    out: PathBuf,
    /// The first frame of the film.
    #[arg(long, value_name = "N", default_value_t = 0)]
    from: usize,
    /// The last frame of the film [default: the last of the file].
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// Take only every N-th frame.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// How many frames are shown per second.
    #[arg(long, value_name = "PER SECOND", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=120))]
    rate: u16,
    #[command(flatten)]
    style: Typed<PictureStyle>,
    /// Replace the film if it exists.
    #[arg(long)]
    force: bool,
}

pub(super) fn execute(arguments: MovieArguments) -> Result<(), Failure> {
    let MovieArguments { file, out, from, to, every, rate, style, force } = arguments;
    let ending = out.extension().and_then(OsStr::to_str).unwrap_or_default().to_lowercase();
    if !["png", "mp4", "webm", "webp", "gif"].contains(&ending.as_str()) {
        let text = "the name of a film ends in .png, .mp4, .webm, .webp or .gif";
        return Err(format!("{}: {text}", out.display()).into());
    }
    let reading = analysis::open(&file)?;
    let frames = frames(&reading, from, to, every)?;
    let painter = style.options.painter(&reading)?;
    painter.notes.iter().for_each(|note| say(note));
    may_write(&out, force, &Inputs::of([&file]))?;
    let count = frames.len();
    let sheets = frames.into_iter().map(|frame| sheet(&painter, frame));
    match ending.as_str() {
        "png" => animate(&out, sheets, count, rate)?,
        _ => encode(&out, sheets, rate)?,
    }
    let seconds = count as f64 / f64::from(rate);
    writeln!(crate::cli::printed(), "{}: {count} frames, {seconds:.1} s", out.display())?;
    Ok(())
}

/// The numbers of the frames to show.
fn frames(
    reading: &Reading,
    from: usize,
    to: Option<usize>,
    every: u32,
) -> Result<Vec<usize>, Failure> {
    let Some(last) = reading.frames().checked_sub(1) else {
        return Err(format!("{}: the file has no frames", reading.path().display()).into());
    };
    for (option, n) in [("--from", Some(from)), ("--to", to)] {
        if let Some(n) = n.filter(|&n| n > last) {
            return Err(format!("{option} {n}: the last frame of the file is {last}").into());
        }
    }
    let to = to.unwrap_or(last);
    if from > to {
        return Err(format!("--from {from} --to {to}: the first frame comes after the last").into());
    }
    Ok((from..=to).step_by(every as usize).collect())
}

fn sheet(painter: &FramePainter<'_>, frame: usize) -> Result<Sheet, Failure> {
    let (snapshot, caption) = painter.moment(frame)?;
    Ok(snapshot.draw(&SnapshotOptions { caption, ..painter.options.clone() }))
}

fn animate(
    out: &Path,
    sheets: impl Iterator<Item = Result<Sheet, Failure>>,
    count: usize,
    rate: u16,
) -> Result<(), Failure> {
    fresh(out, |file| {
        let mut film = AnimatedPng::new(file, count, rate);
        for sheet in sheets {
            film = film.push(&sheet?)?;
        }
        Ok::<_, Failure>(film.finish()?)
    })
}

/// Hands the pixels to ffmpeg, which writes beside the place of the film.
fn encode(
    out: &Path,
    sheets: impl Iterator<Item = Result<Sheet, Failure>>,
    rate: u16,
) -> Result<(), Failure> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let passing = PassingFolder::inside(folder.unwrap_or(Path::new(".")))?;
    let beside = passing.path().join(out.file_name().unwrap_or_default());
    let log = passing.path().join("log");
    let mut pictures = sheets.map(|sheet| Ok::<_, Failure>(pixels(&sheet?)?));
    let Some(first) = pictures.next().transpose()? else { return Ok(()) };
    let size = first.size;
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.args(["-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24"]);
    ffmpeg.args(["-video_size", &format!("{}x{}", size[0], size[1])]);
    ffmpeg.args(["-framerate", &rate.to_string(), "-i", "-"]);
    // Films have an even number of pixels along each side; .webp and .gif start again at the end.
    ffmpeg.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-loop", "0"]);
    if beside.extension().is_some_and(|ending| ending == "mp4" || ending == "webm") {
        ffmpeg.args(["-pix_fmt", "yuv420p"]);
    }
    ffmpeg.arg(&beside).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(File::create(&log)?);
    let mut child = ffmpeg.spawn().map_err(|why| match why.kind() {
        ErrorKind::NotFound => Failure::from(format!(
            "{}: this needs the program ffmpeg, which is not installed; a name that ends in .png makes an animated \
             PNG without it",
            out.display()
        )),
        _ => why.into(),
    })?;
    if let Some(mut pipe) = child.stdin.take() {
        for picture in std::iter::once(Ok(first)).chain(pictures) {
            // If ffmpeg has ended, it says why.
            if pipe.write_all(&picture?.rgb).is_err() {
                break;
            }
        }
    }
    if !child.wait()?.success() {
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        let last = said.lines().last().unwrap_or("it does not say why");
        return Err(format!("{}: ffmpeg failed: {last}", out.display()).into());
    }
    Ok(std::fs::rename(beside, out)?)
}
