//! The part of the command line that says which contacts.

use super::super::Failure;
use super::super::beside::BesideArguments;
use super::super::quantities::{Span, energy_span, length_span, time_span};
use crate::analysis::contacts::Filter;

/// Which contacts: those that pass all of these.
#[derive(clap::Args)]
#[command(next_help_heading = "Which contacts")]
pub(super) struct FilterArguments {
    /// In this range of time: "1 ms..2 ms"; either end can be left out.
    #[arg(long, value_name = "FROM..TO", value_parser = time_span)]
    time: Option<Span>,
    /// Of these particles, by id; separate several with commas.
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    id: Vec<u32>,
    /// Between these two particles.
    #[arg(long, value_name = "ID,ID", value_delimiter = ',', num_args = 1)]
    pair: Vec<u32>,
    /// Granular runs: impacts that lose so much kinetic energy: "1e-4 J..1e-3 J"; either end can be
    /// left out.
    #[arg(long, value_name = "FROM..TO", value_parser = energy_span)]
    energy_lost: Option<Span>,
    /// That involve this species; `EGFR` means any state, `EGFR{bound}` every state with it,
    /// `wall` the box; can be repeated.
    #[arg(long, value_name = "SPECIES")]
    species: Vec<String>,
    /// Between two species: `--between EGF EGFR`.
    #[arg(long, value_names = ["SPECIES", "SPECIES"], num_args = 2)]
    between: Vec<String>,
    /// With this outcome (bounced, bound, refused, ...); separate several with commas.
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',')]
    outcome: Vec<String>,
    /// Decided by this rule; separate several with commas.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    rule: Vec<String>,
    /// In this range along an axis: "x=0 nm..100 nm"; repeat for several axes.
    #[arg(long, value_name = "AXIS=FROM..TO", value_parser = axis_and_span)]
    place: Vec<(usize, Span)>,
    /// With this face of the box (x-, x+, ...) or this surface, by name; separate several with
    /// commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    wall: Vec<String>,
    #[command(flatten)]
    beside: BesideArguments,
    /// Of particles that belong to this cluster when they touch, by the cluster's id.
    #[arg(long, value_name = "ID")]
    cluster: Option<u64>,
}

fn axis_and_span(text: &str) -> Result<(usize, Span), String> {
    let wanted = "write AXIS=FROM..TO, e.g. x=0 nm..100 nm";
    let (axis, span) = text.split_once('=').ok_or(wanted)?;
    let axis = ["x", "y", "z"].iter().position(|name| *name == axis.trim()).ok_or(wanted)?;
    Ok((axis, length_span(span)?))
}

impl FilterArguments {
    pub(super) fn to_filter(&self) -> Result<Filter, Failure> {
        let pair = match self.pair[..] {
            [] => None,
            [a, b] if a != b => Some([a, b]),
            _ => {
                return Err("--pair: give two different ids, such as --pair 12,417".into());
            }
        };
        let between = match &self.between[..] {
            [a, b] => Some([a.clone(), b.clone()]),
            _ => None,
        };
        let mut region = [[f64::NEG_INFINITY, f64::INFINITY]; 3];
        for (axis, span) in &self.place {
            if region[*axis] != [f64::NEG_INFINITY, f64::INFINITY] {
                return Err(format!("--place: {} is given twice", ["x", "y", "z"][*axis]).into());
            }
            region[*axis] = [span.low, span.high];
        }
        Ok(Filter {
            time: self.time.map(|span| [span.low, span.high]),
            particles: self.id.clone(),
            pair,
            energy_lost: self.energy_lost.map(|span| [span.low, span.high]),
            species: self.species.clone(),
            between,
            outcomes: self.outcome.clone(),
            rules: self.rule.clone(),
            region: (!self.place.is_empty()).then_some(region),
            walls: self.wall.clone(),
            sides: self.beside.meant(),
            cluster: self.cluster,
        })
    }
}

/// Refuses what cannot be asked of the moments at which two come apart.
pub(super) fn only_what_parts_tell(filter: &Filter) -> Result<(), Failure> {
    let asked = [
        ("--outcome", !filter.outcomes.is_empty()),
        ("--rule", !filter.rules.is_empty()),
        ("--energy-lost", filter.energy_lost.is_some()),
        ("--place", filter.region.is_some()),
        ("--wall", !filter.walls.is_empty()),
        ("--inside, --outside, --above, --below", !filter.sides.is_empty()),
        ("--cluster", filter.cluster.is_some()),
    ];
    match asked.iter().find(|(_, asked)| *asked) {
        Some((option, _)) => Err(format!(
            "{option}: not with --histogram rebinding, which uses the moments at which pairs came apart \
             (--time, --id, --pair, --species and --between choose among them)"
        )
        .into()),
        None => Ok(()),
    }
}
