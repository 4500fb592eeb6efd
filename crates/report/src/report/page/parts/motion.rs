//! How particles move and how they are placed around each other.

use super::super::super::figures;
use super::super::html::{Piece, figure, paragraph, table};
use super::Subject;
use jostle_analysis::{
    LagOptions, ReadError, Scope, Table, UnitSystem, mean_squared_displacement, radial_distribution,
};

/// Over so many of the last frames g(r) is averaged: enough to see it, and quick to read.
const FRAMES: usize = 20;

/// The mean squared displacement, and the diffusion coefficients that follow from it.
pub(super) fn html(subject: &Subject<'_>, _: &mut Vec<String>) -> Result<Vec<Piece>, ReadError> {
    let found =
        mean_squared_displacement(subject.reading, &subject.scope(), &LagOptions::default())?;
    let caption = "Mean over particles and origins of time, with standard errors by jackknife over particles; \
                   dashed, free diffusion with the model's D.";
    let plot = subject.adapted(figures::mean_squared_displacement(&found));
    let mut pieces = vec![
        figure("displacement", "Mean squared displacement", caption, plot),
        paragraph(
            "D at short times, of MSD = 2dDt, as far as that is a straight line; the exponent is that of the MSD \
             over the first quarter of the lags, where one power law fits:",
        ),
        numbers(subject, found.fits_to_table()),
    ];
    if !found.by_size.is_empty() {
        let caption = "D of the centres of clusters, with standard errors; dashed, in proportion to the inverse of \
                       the size.";
        let plot = subject.adapted(figures::diffusion_by_size(&found));
        pieces.push(figure("diffusion_by_size", "D by cluster size", caption, plot));
    }
    pieces.extend(found.said().iter().map(|said| paragraph(said)));
    Ok(pieces)
}

/// The radial distribution function of the last frames.
pub(super) fn structure(
    subject: &Subject<'_>,
    _: &mut Vec<String>,
) -> Result<Vec<Piece>, ReadError> {
    let times = subject.reading.times()?;
    let from = times.len().checked_sub(FRAMES).map(|first| times[first]);
    let scope = Scope { from, ..subject.scope() };
    let found = radial_distribution(subject.reading, &scope, None, None)?;
    let which = match from {
        Some(_) => format!("the last {FRAMES} frames"),
        None => "all frames".to_owned(),
    };
    let caption = format!(
        "Radial distribution function of {which}, in a band of standard errors by blocking; dashed, an ideal gas."
    );
    let plot = subject.adapted(figures::radial_distribution(&found));
    Ok(vec![figure("rdf", "Radial distribution", &caption, plot)])
}

/// A table as the page shows it.
fn numbers(subject: &Subject<'_>, found: Table) -> Piece {
    let found = found.in_units(UnitSystem::of(subject.reading));
    let (heads, rows) = found.texts_for_eyes();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    table(&heads, rows)
}
