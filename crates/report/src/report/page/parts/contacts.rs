//! Contacts: how many of which kind, and how often in time.

use super::super::super::figures;
use super::super::html::{Piece, figure, paragraph, table};
use super::Subject;
use jostle_analysis::contacts::{Filter, Grouping, Key, Query};
use jostle_analysis::{ReadError, UnitSystem, contacts_by_pair};

/// Into how many equal stretches the run is divided.
const STRETCHES: f64 = 40.0;

pub(super) fn html(
    subject: &Subject<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<Piece>, ReadError> {
    let counts = contacts_by_pair(subject.reading, &filter(subject))?;
    let log = subject.info.as_ref().and_then(|info| info.log.as_deref()).unwrap_or_default();
    let about = match log {
        "none" => "The run kept no contacts (log = \"none\").",
        "reactions" => {
            "The run kept the contacts that led to a reaction, and no bounces (log = \"reactions\")."
        }
        _ => "",
    };
    if log == "none" {
        notes.push(about.to_owned());
    }
    let mut pieces = Vec::new();
    if !about.is_empty() {
        pieces.push(paragraph(about));
    }
    if counts.groups.is_empty() {
        if log != "none" {
            pieces.push(paragraph("There are no contacts in the log."));
        }
        return Ok(pieces);
    }
    let counts = counts.to_table().in_units(UnitSystem::of(subject.reading));
    let (heads, rows) = counts.texts_for_eyes();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    pieces.extend([rates(subject)?, table(&heads, rows)]);
    Ok(pieces)
}

/// Contacts that involve the species that the page is about.
fn filter(subject: &Subject<'_>) -> Filter {
    Filter { species: subject.species.to_vec(), ..Filter::default() }
}

/// The figure of contact rates over time.
fn rates(subject: &Subject<'_>) -> Result<Piece, ReadError> {
    let query = Query::new(subject.reading, &filter(subject))?;
    let [begin, end] = query.span()?;
    let every = Some((end - begin) / STRETCHES);
    let groups = query.group(&Grouping { keys: vec![Key::Species, Key::Time], every })?;
    let plot = subject.adapted(figures::contact_rates(&groups));
    let about_steps = match subject.reading.is_granular() || subject.reading.is_gas() {
        true => "",
        false => {
            " How often particles touch depends on the time step; how often they react does not."
        }
    };
    let caption = format!(
        "Contacts in the log per time and pair of species, in the whole box, in {STRETCHES} equal stretches of \
         the run; the bands are standard errors by blocking.{about_steps}"
    );
    Ok(figure("contact_rates", "Contact rates", &caption, plot))
}
