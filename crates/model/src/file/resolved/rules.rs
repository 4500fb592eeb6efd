//! Rules and schedule, written out.

use crate::Model;
use jostle_core::rules::{
    Action, Case, Chance, Condition, ContactRule, Cut, Deed, Division, Fragmentation, Region,
    Scheduled, TimedAction, TimedRule,
};
use std::fmt::Write;
use std::ops::RangeInclusive;

use super::{axis, list, quoted};

/// Writes tables in the units of a model's dimension, with its names.
struct Writer<'a> {
    model: &'a Model,
    text: String,
}

/// All rules and the schedule.
pub(super) fn rules(model: &Model) -> String {
    let mut writer = Writer { model, text: String::new() };
    model.rules().contact.iter().for_each(|rule| writer.contact(rule));
    model.rules().timed.iter().for_each(|rule| writer.timed(rule));
    model.rules().schedule.iter().for_each(|entry| writer.scheduled(entry));
    writer.text
}

/// The unit of a rate constant.
fn contact_unit(dimension: usize) -> &'static str {
    ["nm/us", "nm^2/us", "nm^3/us"][dimension - 1]
}

/// The unit of a rate of creation.
fn creation_unit(dimension: usize) -> &'static str {
    ["/nm/us", "/nm^2/us", "/nm^3/us"][dimension - 1]
}

fn size(range: &RangeInclusive<u32>) -> String {
    match (*range.start(), *range.end()) {
        (from, u32::MAX) => format!("\"{from}..\""),
        (from, to) => format!("\"{from}..{to}\""),
    }
}

impl Writer<'_> {
    fn line(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.text, "{key} = {value}");
    }

    fn quantity(&mut self, key: &str, value: f64, unit: &str) {
        self.line(key, &format!("\"{value:?} {unit}\""));
    }

    fn species(&self, species: u16) -> String {
        quoted(&self.model.species[species as usize].name)
    }

    fn several(&self, species: &[u16]) -> String {
        let names: Vec<_> = species.iter().map(|&s| self.species(s)).collect();
        format!("[{}]", names.join(", "))
    }

    fn begin(&mut self, table: &str, name: &str) {
        let _ = writeln!(self.text, "\n[[{table}]]");
        self.line("name", &quoted(name));
    }

    /// Whom a rule is for, and what it makes of them.
    fn lines(&mut self, lines: &[Vec<(&str, String)>]) {
        if let [line] = lines {
            for (key, value) in line {
                self.line(key, value);
            }
            return;
        }
        let row = |line: &Vec<(&str, String)>| {
            let pairs: Vec<_> =
                line.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            format!("    {{ {} }},", pairs.join(", "))
        };
        let rows: Vec<_> = lines.iter().map(row).collect();
        self.line("cases", &format!("[\n{}\n]", rows.join("\n")));
    }

    fn contact(&mut self, rule: &ContactRule) {
        self.begin("rule", &rule.name);
        let (what, merge) = match rule.action {
            Action::Bounce => ("bounce", None),
            Action::Pass => ("pass", None),
            Action::Ignore => ("ignore", None),
            Action::Bond => ("bind", Some("bond")),
            Action::Coalesce => ("bind", Some("coalesce")),
            Action::Convert => ("convert", None),
            Action::Cut(_) => ("fragment", None),
        };
        self.line("do", &quoted(what));
        if let Some(merge) = merge {
            self.line("merge", &quoted(merge));
        }
        let case = |case: &Case| {
            let mut line = vec![("on", self.several(&case.species))];
            match rule.action {
                Action::Convert => line.push(("products", self.several(&case.products))),
                Action::Coalesce => {
                    line.extend(
                        case.products.first().map(|&product| ("product", self.species(product))),
                    );
                }
                _ => {}
            }
            line
        };
        let cases: Vec<_> = rule.cases.iter().map(case).collect();
        self.lines(&cases);
        if !rule.action.reacts() {
            return;
        }
        if let Action::Cut(how) = rule.action {
            self.fragmentation(how);
        }
        self.chance(rule);
        self.conditions(&rule.conditions);
        self.windows_and_region(&rule.windows, rule.region.as_ref());
    }

    fn chance(&mut self, rule: &ContactRule) {
        let chance = rule.chance;
        let unit = self.contact_unit(rule);
        match chance {
            Chance::Intrinsic(rate) => self.quantity("rate", rate, unit),
            Chance::Macroscopic(rate) => self.quantity("k_on", rate, unit),
            Chance::Probability(p) => self.line("probability", &format!("{p:?}")),
        }
    }

    fn conditions(&mut self, conditions: &[Condition; 2]) {
        let any = Condition::default().size;
        if conditions.iter().any(|condition| condition.size != any) {
            let [first, second] = conditions.each_ref().map(|condition| size(&condition.size));
            self.line("cluster_size", &format!("[{first}, {second}]"));
        }
        if let [Some(first), Some(second)] =
            conditions.each_ref().map(|condition| condition.valence)
        {
            self.line("max_bonds", &format!("[{first}, {second}]"));
        }
    }

    fn windows_and_region(&mut self, windows: &[[f64; 2]], region: Option<&Region>) {
        if !windows.is_empty() {
            let all: Vec<_> = windows.iter().map(|window| list(window, "us")).collect();
            self.line("during", &format!("[{}]", all.join(", ")));
        }
        if let Some(region) = region {
            let region = self.region(region);
            self.line("region", &region);
        }
    }

    fn fragmentation(&mut self, how: Fragmentation) {
        self.line("at", if how.cut == Cut::End { "\"end\"" } else { "\"any\"" });
        self.line("minimum", &how.minimum.to_string());
        if let Some(dissolved) = how.dissolved {
            let species = self.species(dissolved);
            self.line("dissolve", &species);
        }
    }

    fn timed(&mut self, rule: &TimedRule) {
        self.begin("rule", &rule.name);
        let mut unit = "/us";
        match &rule.action {
            TimedAction::Unbind { of, cut } => {
                self.line("do", "\"unbind\"");
                self.line("of", &quoted(&self.model.rules().contact[*of as usize].name));
                let which = match cut {
                    Cut::Any => "any",
                    Cut::End => "end",
                    Cut::All => "all",
                };
                self.line("which", &quoted(which));
            }
            TimedAction::Convert { cases } => {
                self.line("do", "\"convert\"");
                let case = |(from, to): &(u16, Vec<u16>)| {
                    vec![("on", self.species(*from)), ("products", self.several(to))]
                };
                let cases: Vec<_> = cases.iter().map(case).collect();
                self.lines(&cases);
            }
            TimedAction::Create { species } => {
                unit = self.creation_unit(*species);
                self.line("do", "\"create\"");
                let species = self.species(*species);
                self.line("product", &species);
            }
            TimedAction::Fragment { species, how } => {
                self.line("do", "\"fragment\"");
                let cases: Vec<_> =
                    species.iter().map(|&s| vec![("on", self.species(s))]).collect();
                self.lines(&cases);
                self.fragmentation(*how);
            }
        }
        let key = if self.model.rules().breaks_macroscopically(rule) { "k_off" } else { "rate" };
        self.quantity(key, rule.rate, unit);
        if rule.size != Condition::default().size {
            self.line("cluster_size", &size(&rule.size));
        }
        self.windows_and_region(&rule.windows, rule.region.as_ref());
    }

    /// The unit of the rate at which bodies of a species come to be.
    fn creation_unit(&self, species: u16) -> &'static str {
        let on_surface = self.model.surroundings().lodging(species).is_some();
        creation_unit(self.model.space.dimension - usize::from(on_surface))
    }

    /// The unit of the rate constant of a rule.
    fn contact_unit(&self, rule: &ContactRule) -> &'static str {
        let first = rule.cases.first();
        contact_unit(
            first.map_or(self.model.space.dimension, |case| self.model.dimension_of(case.species)),
        )
    }

    fn region(&self, region: &Region) -> String {
        if let Some(side) = region.side {
            return super::surfaces::side(self.model, side);
        }
        let corner = |corner: &[f64; 3]| list(&corner[..self.model.space.dimension], "nm");
        format!("{{ from = {}, to = {} }}", corner(&region.from), corner(&region.to))
    }

    fn scheduled(&mut self, entry: &Scheduled) {
        self.begin("schedule", &entry.name);
        self.quantity("at", entry.at, "us");
        if let Some(every) = entry.every {
            self.quantity("every", every, "us");
        }
        let name = |number: u16| quoted(self.model.rules().name(number));
        let (key, value) = match &entry.deed {
            Deed::SetRate { rule, rate } => {
                ("set", format!("{{ rule = {}, {} }}", name(*rule), self.rate_of(*rule, *rate)))
            }
            Deed::Switch { rule, on: true } => ("switch_on", name(*rule)),
            Deed::Switch { rule, on: false } => ("switch_off", name(*rule)),
            Deed::Add { species, count, region } => {
                let region = region
                    .as_ref()
                    .map_or(String::new(), |r| format!(", region = {}", self.region(r)));
                (
                    "add",
                    format!("{{ species = {}, count = {count}{region} }}", self.species(*species)),
                )
            }
            Deed::Divide(Division::Keep(p)) => ("divide", format!("{{ keep = {p:?} }}")),
            Deed::Divide(Division::Volume { fraction, axis: along }) => (
                "divide",
                format!("{{ volume_fraction = {fraction:?}, axis = \"{}\" }}", axis(*along)),
            ),
        };
        self.line(key, &value);
    }

    /// A new rate of rule `number`, with its key.
    fn rate_of(&self, number: u16, rate: f64) -> String {
        let rules = self.model.rules();
        let unit = rules.contact.get(number as usize).map_or("", |rule| self.contact_unit(rule));
        let timed = rules.timed_rule(number).map(|rule| &rule.action);
        let is_k_off =
            rules.timed_rule(number).is_some_and(|rule| rules.breaks_macroscopically(rule));
        match rules.contact.get(number as usize).map(|rule| rule.chance) {
            Some(Chance::Intrinsic(_)) => format!("rate = \"{rate:?} {unit}\""),
            Some(Chance::Macroscopic(_)) => format!("k_on = \"{rate:?} {unit}\""),
            Some(Chance::Probability(_)) => format!("probability = {rate:?}"),
            None if let Some(TimedAction::Create { species, .. }) = timed => {
                format!("rate = \"{rate:?} {}\"", self.creation_unit(*species))
            }
            None if is_k_off => format!("k_off = \"{rate:?} /us\""),
            None => format!("rate = \"{rate:?} /us\""),
        }
    }
}
