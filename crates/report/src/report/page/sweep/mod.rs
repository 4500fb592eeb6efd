//! One page (HTML) about a sweep or an ensemble: what was planned, how far it is, and what its
//! replicas say together. It needs no network and no script.

mod links;
mod planned;
mod tables;

use std::path::Path;

use askama::Template;
use jostle_core::words::counted;
use jostle_files::text_of;
use jostle_sweep::{Plan, PlanError, State};

use super::VERSION;
use super::html::{ModelText, Piece, STYLE};
use super::parts::Part;
use links::Links;

/// The longest model that is shown. \[bytes\]
const LONGEST_MODEL: u64 = 1 << 20;

/// A page about a sweep, ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepPage {
    /// The document.
    pub html: String,
    /// What the reader of the page should know beforehand: what is missing, what went wrong.
    pub notes: Vec<String>,
}

/// What the page is filled with.
#[derive(Template)]
#[template(path = "sweep.html")]
struct SweepDocument<'a> {
    title: &'a str,
    subtitle: &'a str,
    glance: Piece,
    notes: &'a [String],
    parts: &'a [Part],
}

/// Makes the page about the sweep that is planned in `folder`. Its links to output files that were
/// kept lead from `page`, where it is going to be, to that folder.
///
/// # Errors
/// If results that are there cannot be read.
pub fn sweep_page(plan: &Plan, folder: &Path, page: &Path) -> Result<SweepPage, PlanError> {
    let state = State::of(plan, folder)?;
    let links = Links { folder, page };
    let model = plan.model(folder);
    let model_name = model.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model_text = text_of(&model, LONGEST_MODEL).map_err(|why| why.to_string());
    let name = links.folder_name();
    let title = title_of(model_text.as_deref().unwrap_or_default(), &model).unwrap_or(name.clone());
    let what = if plan.points().len() > 1 { "a sweep" } else { "an ensemble" };
    let subtitle = format!("{name}, {what} of {model_name}, planned by jostle {}", plan.program);
    let mut parts = tables::parts(plan, folder, &name, &state.tables)?;
    if parts.is_empty() {
        parts.push(part("results", "Results", vec![Piece::Missing(nothing(plan).into())]));
    }
    parts.push(part("points", "The points", planned::points(plan, &state, &links)));
    if !state.failures.is_empty() {
        parts.push(part("failures", "Failures", planned::failures(plan, &state)));
    }
    parts.push(part("plan", "The plan", vec![planned::facts(plan, &model_name)]));
    parts.push(part("model", "The model", model_pieces(plan, model_text)));
    let notes = notes(plan, &state);
    let document = SweepDocument {
        title: &title,
        subtitle: &subtitle,
        glance: planned::glance(plan, &state),
        notes: &notes,
        parts: &parts,
    };
    let html = document.to_string();
    Ok(SweepPage { html, notes })
}

fn part(id: &str, title: &str, pieces: Vec<Piece>) -> Part {
    Part { id: id.to_owned(), title: title.to_owned(), pieces }
}

/// Why there is no result.
fn nothing(plan: &Plan) -> &'static str {
    match plan.measures.is_empty() {
        true => "The sweep measures nothing: it has no [[measure]].",
        false => "No run has been measured yet.",
    }
}

/// The model's title, if it has one and can be read.
fn title_of(text: &str, path: &Path) -> Option<String> {
    let model = jostle_model::parse(text, &path.to_string_lossy(), &[]).ok()?;
    Some(model.title).filter(|title| !title.is_empty())
}

fn model_pieces(plan: &Plan, text: Result<String, String>) -> Vec<Piece> {
    let text = match text {
        Ok(text) => text,
        Err(why) => return vec![Piece::Missing(format!("The model cannot be read: {why}."))],
    };
    let model = ModelText { text, overrides: vec![], resolved: String::new() };
    let mut pieces = Vec::new();
    if !plan.keys().is_empty() {
        let keys = plan.keys().join(", ");
        pieces.push(Piece::Paragraph(format!(
            "As it was written. Each point sets {keys} on top of it, as the table of points says."
        )));
    }
    pieces.push(Piece::Model(model));
    pieces
}

/// What the reader should know beforehand.
fn notes(plan: &Plan, state: &State) -> Vec<String> {
    let total = state.total();
    let runs = plan.member_count() as u64;
    let mut notes = Vec::new();
    if total.missing > 0 {
        notes.push(format!(
            "{} of {} not been done: the page shows what was there when it was made.",
            total.missing,
            if runs == 1 { "1 run has".to_owned() } else { format!("{runs} runs have") }
        ));
    }
    if total.failed > 0 {
        notes.push(format!(
            "{} of {} failed, and are left out.",
            total.failed,
            counted(runs, "run")
        ));
    }
    if plan.rounds() > 0 {
        notes.push(format!(
            "Replicas were added in {}. Where the results decided when to stop, 95 % intervals are a little \
             too narrow.",
            counted(plan.rounds() as u64, "round")
        ));
    }
    if state.points.iter().all(|at| at.done < 2) && total.done > 0 {
        notes.push(
            "No point has two replicas that are done: it is not known how much they scatter, and there are \
             no intervals."
                .into(),
        );
    }
    notes
}

#[cfg(test)]
mod tests;
