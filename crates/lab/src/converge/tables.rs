//! What came out, as a table, a text, JSON and a picture.

use std::fmt;

use serde_json::{Value, json};

use super::{Convergence, Estimate, LevelVerdict, Row};
use jostle_analysis::{Cell, Table};
use jostle_core::words::{counted, digits, time_text};
use jostle_files::paragraph;
use jostle_report::report::{Axis, Plot, Series, Style};

/// So many series fit into a picture.
const MOST_SERIES: usize = 6;

impl LevelVerdict {
    /// In a few words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Equal => "equal to rounding".to_owned(),
            Self::Undetected { bound } => {
                format!("no difference seen, less than {}", digits(*bound, 2))
            }
            Self::Detected { order: Some(order), .. } if order.mean > 2.0 * order.error => {
                "converges".to_owned()
            }
            Self::Detected { .. } => "differs, order not determined".to_owned(),
            Self::Unknown => "not measured in every replica".to_owned(),
        }
    }

    fn order(&self) -> Option<Estimate> {
        match self {
            Self::Detected { order, .. } => *order,
            _ => None,
        }
    }
}

impl Row {
    /// The value for short steps: extrapolated if the time step makes a difference, else that of
    /// the shortest.
    pub fn limit(&self) -> Option<Estimate> {
        match &self.verdict {
            LevelVerdict::Detected { limit, .. } => *limit,
            LevelVerdict::Equal | LevelVerdict::Undetected { .. } => self.values.last().copied(),
            LevelVerdict::Unknown => None,
        }
    }

    fn when(&self) -> &'static str {
        if self.average { "average" } else { "end" }
    }

    /// What comes out, in a line.
    fn in_words(&self) -> String {
        let number = |e: Estimate| format!("{} ± {}", digits(e.mean, 6), digits(e.error, 2));
        let when = if self.average { "on average" } else { "at the end" };
        let order = self.verdict.order().map(|order| format!(", order {}", number(order)));
        let limit = self.limit().map(|limit| format!("; limit {}", number(limit)));
        let [order, limit] = [order, limit].map(Option::unwrap_or_default);
        format!("{}, {when}: {}{order}{limit}", self.what, self.verdict.in_words())
    }

    fn to_json(&self) -> Value {
        let number = |e: &Estimate| json!({ "mean": e.mean, "error": e.error });
        let numbers = |all: &[Estimate]| all.iter().map(number).collect::<Vec<_>>();
        let used = match self.verdict {
            LevelVerdict::Detected { used, .. } if used.is_finite() => Some(used),
            _ => None,
        };
        let bound = match self.verdict {
            LevelVerdict::Undetected { bound } => Some(bound),
            _ => None,
        };
        json!({
            "observable": self.what,
            "when": self.when(),
            "values": numbers(&self.values),
            "changes": numbers(&self.changes),
            "verdict": self.verdict.in_words(),
            "order": self.verdict.order().as_ref().map(number),
            "bound": bound,
            "limit": self.limit().as_ref().map(number),
            "order_of_extrapolation": used,
        })
    }
}

impl Convergence {
    /// One row per observable and level, for files; order and limit stand with the shortest step.
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(&[
            "observable",
            "when",
            "timestep (µs)",
            "value",
            "std. error",
            "change",
            "std. error of change",
            "order",
            "std. error of order",
            "limit",
            "std. error of limit",
            "verdict",
        ]);
        for row in &self.rows {
            for (level, &timestep) in self.timesteps.iter().enumerate() {
                let last = level + 1 == self.timesteps.len();
                let cells = |estimate: Option<Estimate>| {
                    [estimate.map(|e| e.mean), estimate.map(|e| e.error)].map(Cell::from)
                };
                let change = level.checked_sub(1).and_then(|n| row.changes.get(n).copied());
                let mut line: Vec<Cell> =
                    vec![row.what.as_str().into(), row.when().into(), timestep.into()];
                line.extend(cells(row.values.get(level).copied()));
                line.extend(cells(change));
                line.extend(cells(row.verdict.order().filter(|_| last)));
                line.extend(cells(row.limit().filter(|_| last)));
                line.push(if last { row.verdict.in_words().into() } else { Cell::from("") });
                table.push(line);
            }
        }
        table
    }

    /// An observable at each time step, for a screen.
    fn levels(&self, row: &Row) -> Table {
        let mut table = Table::new(&[
            "    timestep (µs)",
            "value",
            "std. error",
            "change",
            "std. error of change",
        ]);
        for (level, &timestep) in self.timesteps.iter().enumerate() {
            let change = level.checked_sub(1).and_then(|n| row.changes.get(n));
            let numbers =
                [row.values.get(level), change].map(|e| [e.map(|e| e.mean), e.map(|e| e.error)]);
            let cells = numbers.into_iter().flatten().map(Cell::from);
            table.push(std::iter::once(timestep.into()).chain(cells).collect());
        }
        table
    }

    /// All of it.
    pub fn to_json(&self) -> Value {
        json!({
            "title": self.title,
            "timesteps_us": self.timesteps,
            "time_us": self.time,
            "looks": self.looks,
            "replicas": self.replicas,
            "first_seed": self.seed,
            "observables": self.rows.iter().map(Row::to_json).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    /// What halving the step changes, against the step, in units of the limit; dashed, in
    /// proportion to the step.
    pub fn plot(&self) -> Plot {
        let mut series = Vec::new();
        for row in
            self.rows.iter().filter(|row| matches!(row.verdict, LevelVerdict::Detected { .. }))
        {
            let scale = row.limit().map_or(f64::NAN, |limit| limit.mean.abs());
            let points = self.timesteps.iter().zip(&row.changes);
            let points: Vec<_> =
                points.map(|(&dt, change)| [dt, change.mean.abs() / scale]).collect();
            if points.iter().any(|point| point[1].is_finite()) && series.len() < MOST_SERIES {
                let errors = row.changes.iter().map(|change| change.error / scale).collect();
                let name = format!("{}, {}", row.what, row.when());
                series.push(Series::new(&name, points, Style::LinePoints).errors(errors));
            }
        }
        let first = series.first().and_then(|first: &Series| first.points.first().copied());
        if let (Some([x, y]), Some(&end)) =
            (first, self.timesteps.get(self.changes().saturating_sub(1)))
        {
            let line = vec![[x, y], [end, y * end / x]];
            series.push(Series::new("in proportion to the step", line, Style::Dashed));
        }
        Plot {
            title: "What halving the time step changes".into(),
            x: Axis::log("time step [µs]"),
            y: Axis::log("change over limit"),
            series,
        }
    }

    fn changes(&self) -> usize {
        self.timesteps.len() - 1
    }
}

impl fmt::Display for Convergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.timesteps.iter().map(|&dt| time_text(dt)).collect::<Vec<_>>().join(", ");
        let replicas = counted(self.replicas, "replica");
        writeln!(f, "{}: time steps of {steps}, the same noise\n", self.title)?;
        let what = format!(
            "{replicas} of {} with seeds from {}; averages are over {} common times. Errors are standard errors \
             over replicas; a change is the value less that at the step before, of the same replicas",
            time_text(self.time),
            self.seed,
            self.looks,
        );
        f.write_str(&paragraph("  ", &what))?;
        for row in &self.rows {
            write!(f, "\n{}{}", paragraph("", &row.in_words()), self.levels(row))?;
        }
        for note in &self.notes {
            writeln!(f)?;
            f.write_str(&paragraph("  NOTE  ", note))?;
        }
        Ok(())
    }
}
