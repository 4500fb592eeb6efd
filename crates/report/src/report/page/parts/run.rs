//! What was run, how fast, and the model's text.

use super::super::html::{ModelText, Piece, paragraph, table};
use super::super::or_note;
use super::Subject;
use jostle_analysis::{Info, ReadError, Run};
use jostle_core::words::{abridged, counted, digits, wall_text};

pub(super) fn html(subject: &Subject<'_>, _: &mut Vec<String>) -> Result<Vec<Piece>, ReadError> {
    let Some(info) = &subject.info else {
        return Ok(vec![paragraph("The file does not say how it was run.")]);
    };
    // The title stands above, the species have a table of their own.
    let table = info.to_table();
    let pairs = table.rows.iter().map(|row| (row[0].to_string(), row[1].to_string()));
    let mut pairs: Vec<(String, String)> =
        pairs.filter(|(what, _)| what != "title" && !what.starts_with("particles of ")).collect();
    pairs.extend(speed(subject).map(|(speed, of)| ("speed".to_owned(), format!("{speed} ({of})"))));
    let mut pieces = vec![Piece::Facts(pairs)];
    pieces.extend(figures(&info.figures));
    Ok(pieces)
}

/// What the run took, and the work of the search structure; nothing if the file does not say.
fn figures(figures: &[(String, f64)]) -> Vec<Piece> {
    if figures.is_empty() {
        return Vec::new();
    }
    let rows: Vec<_> =
        figures.iter().map(|(what, value)| vec![what.clone(), digits(*value, 4)]).collect();
    vec![Piece::Heading("What it took".to_owned()), table(&["what", "how much"], rows)]
}

/// Steps per second of wall time, and how many in which time, up to where a run in the file has
/// last ended.
pub(super) fn speed(subject: &Subject<'_>) -> Option<(String, String)> {
    let Info { runs, figures, .. } = subject.info.as_ref()?;
    let (steps, seconds) = worked(runs, figures)?;
    let speed = format!("{} steps per second", digits(steps as f64 / seconds, 3));
    Some((speed, format!("{} in {}", counted(steps, "step"), wall_text(seconds))))
}

/// Steps done and seconds taken. The dates in the file have no part in it: clocks are set while
/// runs continue.
fn worked(runs: &[Run], figures: &[(String, f64)]) -> Option<(u64, f64)> {
    let steps = runs.iter().rfind(|run| run.is_end())?.step;
    let (_, seconds) = figures.iter().find(|(name, _)| name == "wall time (s)")?;
    (steps > 0 && *seconds > 0.0).then_some((steps as u64, *seconds))
}

/// The model as it was written, what was set on top, and what it was taken to mean.
pub(super) fn model(
    subject: &Subject<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<Piece>, ReadError> {
    let (text, resolved) = subject.reading.model()?;
    let overrides = or_note(subject.reading.overrides(), "Overrides", notes).unwrap_or_default();
    // A model that can no longer be read, of a file of positions that has moved, has none.
    let warnings =
        jostle_model::parse(&resolved, &subject.file_name(), &[]).map(|model| model.warnings());
    let warnings = abridged(warnings.unwrap_or_default(), "warnings");
    notes.extend(warnings.into_iter().map(|said| format!("The model: {said}")));
    Ok(vec![Piece::Model(ModelText { text, overrides, resolved })])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_is_that_of_what_was_done_until_a_run_ended_whatever_the_date() {
        let run = |what: &str, step: i64, unix_time: f64| Run {
            unix_time,
            what: what.into(),
            step,
            frames: 0,
        };
        let runs = [
            run("started", 0, 900.0),
            run("interrupted", 50, 110.0),
            run("changed and resumed", 50, 500.0),
            run("finished", 100, 20.0),
            run("resumed", 100, 20.0),
        ];
        let figures = [("wall time (s)".to_owned(), 30.0), ("narrow tests".to_owned(), 7.0)];
        assert_eq!(worked(&runs, &figures), Some((100, 30.0)));
        assert_eq!(worked(&runs[..3], &figures), Some((50, 30.0)));
        assert_eq!(worked(&runs[..1], &figures), None);
        assert_eq!(worked(&runs, &[]), None);
    }

    #[test]
    fn what_it_took_has_a_table_if_the_file_says() {
        assert!(figures(&[]).is_empty());
        let [heading, table] = &figures(&[("pairs".into(), 7.0)])[..] else {
            panic!("a heading, a table")
        };
        assert!(
            heading.to_string().contains("<h3>") && table.to_string().contains("<td>pairs</td>")
        );
    }
}
