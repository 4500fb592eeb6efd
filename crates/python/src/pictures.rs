//! Pictures: figures and snapshots, shown by notebooks and written to files.

use std::path::PathBuf;

use jostle::report::{self, Axis, Plot, Series, Style};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::outputs::may_write;

/// A drawing.
#[pyclass(frozen, module = "jostle._jostle")]
pub(crate) struct Sheet(pub(crate) report::Sheet);

#[pymethods]
impl Sheet {
    /// What it shows.
    fn title(&self) -> &str {
        self.0.title()
    }

    /// As an SVG document.
    fn svg(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.to_svg())
    }

    /// As a PNG file.
    fn png(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        py.detach(|| self.0.to_png()).map_err(PyErr::from)
    }

    /// As a PDF file.
    fn pdf(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        py.detach(|| self.0.to_pdf()).map_err(PyErr::from)
    }

    /// The same so wide: `3.4 in`.
    fn of_width(&self, width: &str) -> PyResult<Self> {
        let inches = report::picture_width(width)
            .map_err(|why| PyValueError::new_err(format!("width: {why}")))?;
        Ok(Self(self.0.of_width(inches)))
    }

    /// Writes it as SVG, PDF or PNG, as the name of the file asks.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool, dpi: f64) -> PyResult<()> {
        may_write(path.clone(), overwrite)?;
        py.detach(|| self.0.save_at(&path, dpi)).map_err(|why| match why {
            report::PictureError::Format { .. } => PyValueError::new_err(why.to_string()),
            report::PictureError::Write { .. } => PyOSError::new_err(why.to_string()),
        })
    }
}

/// The most lines in a plot.
const MOST_LINES: usize = 8;

/// What a plot of columns is drawn from.
pub(crate) struct Lines<'a> {
    /// The heads of the two columns.
    pub(crate) heads: [&'a str; 2],
    pub(crate) x: Vec<f64>,
    pub(crate) y: Vec<f64>,
    /// Standard errors of `y`, if the table has them.
    pub(crate) errors: Vec<f64>,
    /// The place of the word of each row, and the words; empty if all rows are one line.
    pub(crate) words: (Vec<i32>, Vec<String>),
}

/// A line for each word, at most [`MOST_LINES`] of them.
pub(crate) fn plot(lines: &Lines<'_>) -> Sheet {
    let (places, words) = &lines.words;
    let series = |name: &str, place: Option<i32>| {
        let own = |n: &usize| place.is_none_or(|place| places[*n] == place);
        let rows: Vec<usize> = (0..lines.x.len()).filter(own).collect();
        let points = rows.iter().map(|&n| [lines.x[n], lines.y[n]]).collect();
        let errors = rows.iter().filter_map(|&n| lines.errors.get(n).copied());
        Series::new(name, points, Style::LinePoints).errors(errors.collect())
    };
    let series = match words.is_empty() {
        true => vec![series("", None)],
        false => {
            let named = words.iter().take(MOST_LINES).enumerate();
            named.map(|(place, word)| series(word, Some(place as i32))).collect()
        }
    };
    let [x, y] = lines.heads.map(|head| head.replace('(', "[").replace(')', "]"));
    let title = String::new();
    Sheet(Plot { title, x: Axis::linear(&x), y: Axis::linear(&y), series }.draw())
}
