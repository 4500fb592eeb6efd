//! Lives of several runs, pooled with their censoring: survival, lifetimes, first passages.
//!
//! A mean of medians, or of means that censoring cuts short at different ages, means little. A
//! survival curve of all lives together is what one longer run would give. Its errors come from a
//! jackknife over replicas, so that lives of one run need not be independent.

use jostle_analysis::{AtAge, Cell, LifeTable, SurvivalCurve, Table};

use super::results::NamedTable;
use super::rows::{Rows, number, pseudo_values};

/// Tables that are computed from what happened at each age: the summary and the curve, each with
/// the table of the ages.
const POOLED: [[&str; 3]; 3] = [
    ["survival", "survival_curves", "survival_ages"],
    ["lifetimes", "lifetime_curves", "lifetime_ages"],
    ["first_passage", "first_passage_curves", "first_passage_ages"],
];

/// Columns of a summary with an error. The jackknife gives no valid error of a median.
const WITH_ERROR: [&str; 2] = ["mean life (µs)", "area under curve (µs)"];

/// Which of the two tables is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Summary,
    Curve,
}

/// The number of a member, and its ages.
type OfMember = (u32, Vec<AtAge>);

/// What happened at each age, in the members of one point.
#[derive(Default)]
pub(crate) struct Lives {
    /// Of what table, if one that is pooled has been met.
    form: Option<Form>,
    /// The heading of the first column: the species, size or bond whose lives these are.
    head: String,
    /// For each species, size or bond, the ages of each member.
    groups: Vec<(Cell, Vec<OfMember>)>,
    members: Vec<u32>,
}

impl Lives {
    /// Takes what a member says of the table of this name, if that is one that is pooled.
    pub(crate) fn add(&mut self, replica: u32, name: &str, tables: &[NamedTable]) {
        let Some(wanted) = tables.iter().find(|table| table.name == name) else { return };
        let prefix = name.strip_suffix(wanted.kind()).unwrap_or_default();
        let found = POOLED.iter().find_map(|[summary, curve, ages]| match wanted.kind() {
            kind if kind == *summary => Some((Form::Summary, ages)),
            kind if kind == *curve => Some((Form::Curve, ages)),
            _ => None,
        });
        let Some((form, ages)) = found else { return };
        let ages = format!("{prefix}{ages}");
        let Some(ages) = tables.iter().find(|table| table.name == ages) else { return };
        self.form = Some(form);
        self.members.push(replica);
        let Table { columns, rows } = ages.to_table();
        self.head = columns.first().cloned().unwrap_or_default();
        for row in rows {
            let [of, Cell::Number(age), entered, ended, censored] = &row[..] else { continue };
            let count = |cell: &Cell| if let Cell::Integer(n) = cell { *n as u64 } else { 0 };
            let [entered, ended, censored] = [entered, ended, censored].map(count);
            let group = match self.groups.iter().position(|(known, _)| known == of) {
                Some(n) => n,
                None => {
                    self.groups.push((of.clone(), Vec::new()));
                    self.groups.len() - 1
                }
            };
            let members = &mut self.groups[group].1;
            if members.last().is_none_or(|(n, _)| *n != replica) {
                members.push((replica, Vec::new()));
            }
            if let Some((_, list)) = members.last_mut() {
                list.push(AtAge { age: *age, entered, ended, censored });
            }
        }
    }

    /// Replaces the means over the members of a point by the values of their pooled lives.
    pub(crate) fn pool_into(self, rows: &mut Rows) {
        match self.form {
            None => {}
            Some(Form::Summary) => self.summaries_into(rows),
            Some(Form::Curve) => self.curves_into(rows),
        }
    }

    fn summaries_into(&self, rows: &mut Rows) {
        for (of, members) in &self.groups {
            let (all, without) = curves(members);
            // A species that nothing happened to in any run has no row.
            if all.rate.events == 0 && !rows.has(std::slice::from_ref(of)) {
                continue;
            }
            let row = rows.row(vec![of.clone()]);
            let replicas: Vec<u32> = members.iter().map(|(n, _)| *n).collect();
            let summaries: Vec<[Cell; 8]> = without.iter().map(SurvivalCurve::summary).collect();
            for (k, (head, value)) in SurvivalCurve::SUMMARY.iter().zip(all.summary()).enumerate() {
                let column = rows.column(head);
                let with_error = WITH_ERROR.contains(head);
                let without: Vec<f64> = summaries.iter().map(|cells| number(&cells[k])).collect();
                let sample = &mut rows.rows[row];
                sample.replicas.clone_from(&replicas);
                sample.samples.resize_with(sample.samples.len().max(column + 1), Default::default);
                sample.samples[column].pooled = Some(number(&value));
                sample.samples[column].values = match with_error {
                    true => pseudo_values(number(&value), &without),
                    false => Vec::new(),
                };
            }
        }
    }

    fn curves_into(&self, rows: &mut Rows) {
        let mut pooled = Rows::default();
        pooled.about = vec![self.head.clone(), "age (µs)".into()];
        self.members.iter().for_each(|&replica| pooled.begin(replica, false));
        let columns =
            ["at risk", "ended", "share left", "std. error"].map(|head| pooled.column(head));
        for (of, members) in &self.groups {
            let (all, without) = curves(members);
            for point in &all.points {
                let row = pooled.row(vec![of.clone(), point.time.into()]);
                let row = &mut pooled.rows[row];
                row.replicas = members.iter().map(|(n, _)| *n).collect();
                row.samples.resize_with(columns.len(), Default::default);
                let numbers =
                    [point.at_risk as f64, point.ended as f64, point.fraction, point.error];
                for (&column, value) in columns.iter().zip(numbers) {
                    row.samples[column].pooled = Some(value);
                }
                let shares: Vec<f64> = without.iter().map(|curve| curve.at(point.time)).collect();
                row.samples[columns[2]].values = pseudo_values(point.fraction, &shares);
            }
        }
        *rows = pooled;
    }
}

/// The curve of the lives of all members, and those of all but one.
fn curves(members: &[OfMember]) -> (SurvivalCurve, Vec<SurvivalCurve>) {
    let of = |left_out: Option<usize>| {
        let ages = members.iter().enumerate().filter(|(n, _)| Some(*n) != left_out);
        SurvivalCurve::from(LifeTable::pooled(ages.flat_map(|(_, (_, ages))| ages.iter().copied())))
    };
    let without = match members.len() {
        1 => Vec::new(),
        several => (0..several).map(|n| of(Some(n))).collect(),
    };
    (of(None), without)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jostle_analysis::Observed;
    use jostle_core::statistics::Estimate;

    /// The tables of a member, with lives that begin at 0 and end at these ages, or are censored.
    fn tables(lives: &[(f64, bool)]) -> Vec<NamedTable> {
        let lives: Vec<Observed> =
            lives.iter().map(|&(exit, ended)| Observed { entry: 0.0, exit, ended }).collect();
        let curve = SurvivalCurve::of(&lives, None);
        let mut summary = Table::new(&[&["of"], &SurvivalCurve::SUMMARY[..]].concat());
        summary.push(std::iter::once("A".into()).chain(curve.summary()).collect());
        let mut ages = Table::new(&[&["of"], &LifeTable::HEADS[..]].concat());
        curve.ages.rows(&"A".into(), &mut ages);
        let mut curves = Table::new(&[&["of"], &SurvivalCurve::HEADS[..]].concat());
        curve.rows(&"A".into(), &mut curves);
        [("survival", summary), ("survival_curves", curves), ("survival_ages", ages)]
            .iter()
            .map(|(kind, table)| NamedTable::new("late", kind, table))
            .collect()
    }

    fn pooled(name: &str, members: &[&[(f64, bool)]]) -> Rows {
        let (mut rows, mut lives) = (Rows::default(), Lives::default());
        for (n, member) in members.iter().enumerate() {
            let tables = tables(member);
            lives.add(n as u32, name, &tables);
            let table = tables.iter().find(|table| table.name == name);
            rows.add(n as u32, table.unwrap());
        }
        rows.fill();
        lives.pool_into(&mut rows);
        rows.sort();
        rows
    }

    fn sample<'a>(rows: &'a Rows, row: usize, head: &str) -> &'a super::super::rows::Sample {
        let k = rows.measured.iter().position(|known| known == head).unwrap();
        &rows.rows[row].samples[k]
    }

    #[test]
    fn lives_are_pooled_with_their_censoring() {
        let members: [&[(f64, bool)]; 2] =
            [&[(2.0, true), (4.0, false), (5.0, true)], &[(1.0, false), (4.0, true), (9.0, true)]];
        let rows = pooled("late_survival", &members);
        assert_eq!((rows.rows.len(), rows.rows[0].replicas.as_slice()), (1, &[0, 1][..]));
        let pooled_value = |head| sample(&rows, 0, head).pooled;
        assert_eq!(pooled_value("seen"), Some(6.0));
        assert_eq!(pooled_value("mean life (µs)"), Some(25.0 / 4.0));
        assert_eq!(pooled_value("median (µs)"), Some(5.0));
        let curve = pooled("late_survival_curves", &members);
        let told: Vec<_> =
            (0..4).map(|n| sample(&curve, n, "share left").pooled.unwrap()).collect();
        for (found, expected) in told.iter().zip([0.8, 0.6, 0.3, 0.0]) {
            assert!((found - expected).abs() < 1e-12, "{told:?}");
        }
    }

    /// Without censoring the area under the curve of all is the mean of the means of members that
    /// have equally many lives, and the jackknife gives their standard error.
    #[test]
    fn the_jackknife_gives_the_scatter_between_members() {
        let members: [&[(f64, bool)]; 3] =
            [&[(1.0, true), (2.0, true)], &[(3.0, true), (5.0, true)], &[(4.0, true), (9.0, true)]];
        let rows = pooled("late_survival", &members);
        let area = sample(&rows, 0, "area under curve (µs)");
        let expected = Estimate::of(&[1.5, 4.0, 6.5]);
        let found = Estimate::of(&area.values);
        assert!((area.pooled.unwrap() - expected.mean).abs() < 1e-12, "{area:?}");
        assert!((found.error - expected.error).abs() < 1e-12, "{area:?}");
    }
}
