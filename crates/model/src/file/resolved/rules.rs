//! Rules and schedule, written out.

use std::ops::RangeInclusive;

use crate::Model;
use crate::templates::is_of_molecules;
use crate::units::Wanted;
use jostle_core::docking::Torsion;
use jostle_core::rules::{
    Action, BondGeometry, Case, Chance, Closure, Condition, ContactRule, Cut, Division,
    Fragmentation, Region, Scheduled, ScheduledAction, Side, TimedAction, TimedRule,
};

use super::super::region::bounds;
use super::axis;
use super::writer::{ModelText, TableText, listed};

/// All rules and the schedule.
pub(super) fn rules(model: &Model, file: &mut ModelText) {
    let writer = Rules { model };
    // Those of molecules follow from the `[[molecule]]` tables, from which they are made again.
    for rule in model.rules().contact.iter().filter(|rule| !is_of_molecules(rule)) {
        file.add("rule", |lines| writer.contact(lines, rule));
    }
    for rule in &model.rules().timed {
        file.add("rule", |lines| writer.timed(lines, rule));
    }
    for observable in &model.rules().observables {
        file.add("observable", |lines| {
            lines.text("name", &observable.name);
            lines.word("count", if observable.of_clusters { "clusters" } else { "particles" });
            lines.texts("patterns", observable.patterns.iter().map(String::as_str));
        });
    }
    for entry in &model.rules().schedule {
        file.add("schedule", |lines| writer.scheduled(lines, entry));
    }
}

/// Writes rules in the units of a model's dimension, with its names.
pub(super) struct Rules<'a> {
    pub(super) model: &'a Model,
}

/// What a rule is for, and what it makes of them, which `write` says for each of `count` cases: one
/// among the keys of the rule, several as tables of their own.
fn cases(lines: &mut TableText, count: usize, write: impl Fn(&mut TableText, usize)) {
    match count {
        1 => write(lines, 0),
        _ => lines.tables("cases", count, write),
    }
}

fn size(range: &RangeInclusive<u32>) -> String {
    match (*range.start(), *range.end()) {
        (from, u32::MAX) => format!("\"{from}..\""),
        (from, to) => format!("\"{from}..{to}\""),
    }
}

/// How molecules stand to each other that bind at sites which point somewhere.
fn geometry(lines: &mut TableText, geometry: BondGeometry) {
    let BondGeometry { snap, torsion, closure } = geometry;
    if !snap {
        lines.put("snap", snap);
    }
    if let Some(Torsion { angle, opening }) = torsion {
        lines.quantity("torsion", angle);
        lines.quantity("torsion_opening", opening);
    }
    if let Some(Closure { rate, tolerance }) = closure {
        lines.quantity("close_rate", rate);
        lines.quantity("tolerance", tolerance);
    }
}

impl Rules<'_> {
    pub(super) fn name(&self, species: u16) -> &str {
        &self.model.species[species as usize].name
    }

    fn names(&self, lines: &mut TableText, key: &'static str, species: &[u16]) {
        lines.texts(key, species.iter().map(|&s| self.name(s)));
    }

    fn contact(&self, lines: &mut TableText, rule: &ContactRule) {
        let effect = rule.action.effect();
        let merge = match (effect.makes_bond, effect.merges) {
            (true, _) if rule.tether.is_some() => Some("tether"),
            (true, _) => Some("bond"),
            (_, true) => Some("coalesce"),
            (false, false) => None,
        };
        lines.text("name", &rule.name);
        lines.word("do", effect.word);
        if let Some(merge) = merge {
            lines.word("merge", merge);
        }
        lines.quantity_if_any("length", rule.tether);
        cases(lines, rule.cases.len(), |lines, n| self.case(lines, &rule.cases[n], rule.action));
        if rule.cases.iter().any(Case::takes_complexes) {
            lines.word("removes", "complexes");
        }
        if rule.action.reacts() {
            self.conditional(lines, rule);
        }
    }

    fn case(&self, lines: &mut TableText, case: &Case<2>, action: Action) {
        if !case.is_of_species() {
            return self.molecules(lines, case, action);
        }
        self.names(lines, "on", &case.species);
        match (action, case.products.first()) {
            (Action::Convert, _) => self.names(lines, "products", &case.products),
            (Action::Coalesce, Some(product)) => lines.text("product", self.name(*product)),
            _ => {}
        }
    }

    /// How likely a rule is, and what has to hold before it applies.
    fn conditional(&self, lines: &mut TableText, rule: &ContactRule) {
        if let Action::Cut(how) = rule.action {
            self.fragmentation(lines, how);
        }
        self.chance(lines, rule, rule.chance);
        let [first, second] = &rule.conditions;
        let any = Condition::default().size;
        if first.size != any || second.size != any {
            lines.put("cluster_size", listed([first, second].map(|c| size(&c.size)).into_iter()));
        }
        // Both or none, since `max_bonds` is read so.
        if let (Some(first), Some(second)) = (first.valence, second.valence) {
            lines.put("max_bonds", format!("[{first}, {second}]"));
        }
        if rule.action.effect().makes_bond && rule.tether.is_none() {
            geometry(lines, rule.geometry);
        }
        self.windows_and_region(lines, &rule.windows, rule.region.as_ref());
    }

    /// The chance of a rule that is given as `chance` is.
    fn chance(&self, lines: &mut TableText, rule: &ContactRule, chance: Chance) {
        let dimension = rule
            .cases
            .first()
            .map_or(self.model.space.dimension, |c| self.model.dimension_of(c.species));
        let wanted = Wanted::contact_rate(dimension);
        match chance {
            Chance::Intrinsic(rate) => lines.quantity_as("rate", rate, &wanted),
            Chance::Macroscopic(rate) => lines.quantity_as("k_on", rate, &wanted),
            Chance::Probability(p) => lines.quantity("probability", p),
        }
    }

    fn windows_and_region(
        &self,
        lines: &mut TableText,
        windows: &[[f64; 2]],
        region: Option<&Region>,
    ) {
        if !windows.is_empty() {
            lines.quantity_pairs("during", windows);
        }
        if let Some(region) = region {
            self.region(lines, region);
        }
    }

    fn fragmentation(&self, lines: &mut TableText, how: Fragmentation) {
        lines.word("at", if how.cut == Cut::End { "end" } else { "any" });
        lines.put("minimum", how.minimum);
        if let Some(dissolved) = how.dissolved {
            lines.text("dissolve", self.name(dissolved));
        }
    }

    fn timed(&self, lines: &mut TableText, rule: &TimedRule) {
        lines.text("name", &rule.name);
        match &rule.action {
            TimedAction::Unbind { of, ends, .. } if !ends.is_empty() => {
                let name = |of: &u16| self.model.rules().contact[*of as usize].name.as_str();
                lines.word("do", "unbind");
                lines.texts("of", of.iter().map(name));
                cases(lines, ends.len(), |lines, n| self.bond(lines, &ends[n]));
            }
            TimedAction::Unbind { of, cut, .. } => {
                let which = match cut {
                    Cut::Any => "any",
                    Cut::End => "end",
                    Cut::All => "all",
                };
                lines.word("do", "unbind");
                let of = of.first().copied().unwrap_or_default();
                lines.text("of", &self.model.rules().contact[of as usize].name);
                lines.word("which", which);
            }
            TimedAction::Convert { cases: all } => {
                lines.word("do", "convert");
                cases(lines, all.len(), |lines, n| {
                    let case = &all[n];
                    if !case.is_of_species() {
                        return self.molecule(lines, case);
                    }
                    lines.text("on", self.name(case.species[0]));
                    self.names(lines, "products", &case.products);
                });
                if all.iter().any(Case::takes_complexes) {
                    lines.word("removes", "complexes");
                }
            }
            TimedAction::Create { species, sites } => {
                lines.word("do", "create");
                lines.text("product", &self.text().particle(*species, *sites));
            }
            TimedAction::Fragment { species, how } => {
                lines.word("do", "fragment");
                cases(lines, species.len(), |lines, n| lines.text("on", self.name(species[n])));
                self.fragmentation(lines, *how);
            }
        }
        self.rate(lines, rule, rule.rate);
        if rule.reversible {
            lines.put("reversible", "true");
        }
        if rule.size != Condition::default().size {
            lines.put("cluster_size", size(&rule.size));
        }
        self.windows_and_region(lines, &rule.windows, rule.region.as_ref());
    }

    /// The rate of a rule in time, by the key that it is given by.
    fn rate(&self, lines: &mut TableText, rule: &TimedRule, rate: f64) {
        match &rule.action {
            TimedAction::Create { species, .. } => {
                let on_surface = self.model.surroundings().anchor(*species).is_some();
                let dimension = self.model.space.dimension - usize::from(on_surface);
                lines.quantity_as("rate", rate, &Wanted::creation_rate(dimension));
            }
            _ if self.model.rules().breaks_macroscopically(rule) => lines.quantity("k_off", rate),
            _ => lines.quantity_as("rate", rate, &Wanted::RATE),
        }
    }

    fn region(&self, lines: &mut TableText, region: &Region) {
        let (space, surfaces) = (&self.model.space, &self.model.surroundings().surfaces);
        let form = |side: &Side| surfaces.get(side.surface as usize).map(|surface| &surface.form);
        let implied = bounds(&region.sides, &form, space.dimension, &space.edges);
        lines.table("region", |lines| {
            // Corners that follow from the sides are left out: read again, they follow again, bit
            // by bit.
            if region.sides.is_empty() || [region.from, region.to] != implied {
                lines.quantities("from", &region.from[..space.dimension]);
                lines.quantities("to", &region.to[..space.dimension]);
            }
            super::surfaces::sides(lines, self.model, &region.sides);
        });
    }

    fn scheduled(&self, lines: &mut TableText, entry: &Scheduled) {
        lines.text("name", &entry.name);
        lines.quantity("at", entry.at);
        lines.quantity_if_any("every", entry.every);
        match &entry.action {
            ScheduledAction::SetRate { rule, rate } => {
                lines.table("set", |lines| self.set(lines, *rule, *rate));
            }
            ScheduledAction::Scale { rule, rate, factor } => lines.table("set", |lines| {
                self.set(lines, *rule, *rate);
                lines.text("factor", &factor.text);
            }),
            ScheduledAction::Switch { rule, on } => {
                let key = if *on { "switch_on" } else { "switch_off" };
                lines.text(key, self.model.rules().name(*rule));
            }
            ScheduledAction::SwitchPotential { potential, on } => {
                let key = if *on { "switch_on" } else { "switch_off" };
                lines.text(key, &self.model.potentials()[usize::from(*potential)].name);
            }
            ScheduledAction::Add { species, sites, count, region } => lines.table("add", |lines| {
                lines.text("species", &self.text().particle(*species, *sites));
                lines.put("count", count);
                if let Some(region) = region {
                    self.region(lines, region);
                }
            }),
            ScheduledAction::Divide(Division::Keep(p)) => {
                lines.table("divide", |lines| lines.quantity("keep", *p));
            }
            ScheduledAction::Divide(Division::Volume { fraction, axis: along }) => {
                lines.table("divide", |lines| {
                    lines.quantity("volume_fraction", *fraction);
                    lines.word("axis", axis(*along));
                });
            }
        }
    }

    /// A new rate of rule `number`, by the key that it is given by.
    fn set(&self, lines: &mut TableText, number: u16, rate: f64) {
        let rules = self.model.rules();
        lines.text("rule", rules.name(number));
        if let Some(rule) = rules.contact.get(number as usize) {
            let chance = match rule.chance {
                Chance::Intrinsic(_) => Chance::Intrinsic(rate),
                Chance::Macroscopic(_) => Chance::Macroscopic(rate),
                Chance::Probability(_) => Chance::Probability(rate),
            };
            self.chance(lines, rule, chance);
        } else if let Some(rule) = rules.timed_rule(number) {
            self.rate(lines, rule, rate);
        }
    }
}
