//! Sites of surfaces are taken one at a time, by what gets onto the surface and by rules in time of what is on it.
//!
//! What takes sites otherwise would do so whether any are free or not, and would not be the reverse of what frees them.
//! So what other rules make holds no more sites than what they make it of.

use crate::Model;
use crate::walker::Reader;
use jostle_core::environment::SurfaceSites;
use jostle_core::rules::{Action, Case, TimedAction};

pub(super) fn check(model: &Model, reader: &Reader<'_>) {
    for (number, surface) in (0..).zip(&model.surroundings().surfaces) {
        let Some(sites) = &surface.sites else { continue };
        let of = Checked { model, number, name: &surface.name, sites };
        let key = format!("surface.{}", surface.name);
        of.holders()
            .into_iter()
            .for_each(|fault| reader.fault_at(&format!("{key}.held_by"), fault));
        of.numbers().into_iter().for_each(|fault| reader.fault_at(&format!("{key}.sites"), fault));
        for (key, fault) in of.rules() {
            reader.fault_at(&key, fault);
        }
    }
}

/// A surface with sites.
struct Checked<'a> {
    model: &'a Model,
    number: u16,
    name: &'a str,
    sites: &'a SurfaceSites,
}

impl Checked<'_> {
    fn species(&self, species: u16) -> &str {
        &self.model.species[usize::from(species)].name
    }

    fn held(&self, species: &[u16]) -> u64 {
        species.iter().map(|&s| self.sites.held[usize::from(s)]).sum()
    }

    /// What holds sites lives there, and gets there one site at a time.
    fn holders(&self) -> Vec<String> {
        let mut found = Vec::new();
        let around = self.model.surroundings();
        for (s, &held) in (0..).zip(&self.sites.held) {
            let lives_here = around.anchor(s).is_some_and(|anchor| anchor.surface == self.number);
            if held > 0 && !lives_here {
                found.push(format!(
                    "{} holds sites of \"{}\", but does not live there: `on = \"{}\"` is needed for it",
                    self.species(s),
                    self.name,
                    self.name
                ));
            }
        }
        let manners = &around.surfaces[usize::from(self.number)].manners;
        for (s, onto) in (0..).zip(manners).filter_map(|(s, manner)| Some((s, manner.becomes()?))) {
            let held = self.held(&[onto]);
            if held > 1 {
                found.push(format!(
                    "{} gets onto the surface as {}, which holds {held} sites: only one can be taken at once",
                    self.species(s),
                    self.species(onto)
                ));
            }
        }
        found
    }

    /// There are sites for all that hold some at the start.
    fn numbers(&self) -> Option<String> {
        let around = self.model.surroundings();
        let lives_here = |s: u16| around.anchor(s).is_some_and(|at| at.surface == self.number);
        let first = self.model.placement.iter().filter(|one| lives_here(one.species));
        let taken: u64 = first.map(|one| one.count() as u64 * self.held(&[one.species])).sum();
        (taken > self.sites.number).then(|| {
            format!("{} sites are too few: particles hold {taken} at the start", self.sites.number)
        })
    }

    /// Rules and entries of the schedule that take sites: where, and why they may not.
    fn rules(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut note = |section: &str, name: &str, why: Option<String>| {
            found.extend(why.map(|why| (format!("{section}.{name}"), why)));
        };
        let rules = self.model.rules();
        for (number, rule) in rules.contact.iter().enumerate() {
            let is_undone = rules.undoing(number as u16).next().is_some();
            let is_whole = matches!(rule.action, Action::Coalesce | Action::Convert);
            let cases = rule.cases.iter().filter(|_| is_whole);
            let why = cases.filter_map(|case| self.taken_by(case, is_undone)).next();
            note("rule", &rule.name, why);
            let cut = rule.cases.iter().map(|case| case.species[1]).collect::<Vec<_>>();
            let effect = rule.action.effect();
            note("rule", &rule.name, effect.cuts.and_then(|how| self.cut(&cut, how.dissolved)));
        }
        for rule in &rules.timed {
            let why = match &rule.action {
                TimedAction::Convert { cases } => {
                    let cases = cases.iter().filter(|case| !self.takes_one(case));
                    cases.filter_map(|case| self.taken_by(case, false)).next()
                }
                TimedAction::Create { species, .. } => self.made(*species),
                TimedAction::Fragment { species, how } => self.cut(species, how.dissolved),
                TimedAction::Unbind { .. } => None,
            };
            note("rule", &rule.name, why);
        }
        for entry in &rules.schedule {
            let why = entry.action.adds().and_then(|species| self.made(species));
            note("schedule", &entry.name, why);
        }
        found
    }

    /// Whether one on the surface takes one site more: at its rate times the share of free ones.
    fn takes_one(&self, case: &Case<1>) -> bool {
        let lives_here = self.model.surroundings().anchor(case.species[0]);
        lives_here.is_some_and(|anchor| anchor.surface == self.number)
            && self.held(&case.products) == self.held(&case.species) + 1
    }

    /// Of a case, if it takes sites, or if its reverse does.
    fn taken_by<const N: usize>(&self, case: &Case<N>, is_undone: bool) -> Option<String> {
        let [before, after] = [self.held(&case.species), self.held(&case.products)];
        let is_fine = if is_undone { after == before } else { after <= before };
        let list = |species: &[u16]| match species {
            [] => "nothing".to_owned(),
            _ => species.iter().map(|&s| self.species(s)).collect::<Vec<_>>().join(" and "),
        };
        let (which, held) = match after > before {
            true => ("the rule", [before, after]),
            false => ("the reverse of the rule", [after, before]),
        };
        (!is_fine).then(|| {
            format!(
                "{which}, {} -> {}, would take sites of surface \"{}\": of them {} are held before and {} after it, but \
                 sites are taken by what gets onto the surface, or one at a time by a rule in time of what is on it; \
                 `held_by` says how many each species holds",
                list(&case.species),
                list(&case.products),
                self.name,
                held[0],
                held[1]
            )
        })
    }

    fn made(&self, species: u16) -> Option<String> {
        (self.held(&[species]) > 0).then(|| {
            format!(
                "{} would take a site of surface \"{}\" whether one is free or not: let it come to be in space, and get \
                 onto the surface",
                self.species(species),
                self.name
            )
        })
    }

    fn cut(&self, whole: &[u16], dissolved: Option<u16>) -> Option<String> {
        let holder = whole.iter().copied().chain(dissolved).find(|&s| self.held(&[s]) > 0)?;
        Some(format!(
            "{} holds sites of surface \"{}\", and how many its pieces hold is not known: what is cut cannot hold any",
            self.species(holder),
            self.name
        ))
    }
}

#[cfg(test)]
mod tests {
    const MODEL: &str = "[space]\ndimension = 3\nedges = 100\n[run]\ntimestep = 0.01\nuntil = 1\n\
                         [[species]]\nname = 'A'\nradius = 1\ndiffusion = 1\ncount = 9\n\
                         [[species]]\nname = 'B'\nradius = 1\ndiffusion = 1\non = 'floor'\ncount = 2\n\
                         [[species]]\nname = 'C'\nradius = 1\ndiffusion = 1\non = 'floor'\n\
                         [[surface]]\nname = 'floor'\nplane = { axis = 'z', at = 0 }\nsites = 5\n\
                         species = { A = { absorb = 0.1, becomes = 'B' } }\n";

    fn faults(more: &str) -> String {
        let text = format!("{MODEL}{more}");
        crate::parse(&text, "model.toml", &[])
            .map_or_else(|faults| faults.to_string(), |_| String::new())
    }

    #[track_caller]
    fn refused(more: &str, why: &str) {
        let found = faults(more);
        assert!(found.contains(why) && found.lines().count() == 1, "{more}: {found}");
    }

    const FOR_TWO: &str = "held_by = { B = 1, C = 2 }\n";

    #[test]
    fn sites_are_taken_where_they_are_counted() {
        for rule in ["'B -> A'\nrate = 1", "'B -> 0'\nrate = 1", "'B + A -> B + B'\nrate = 1"] {
            let said = faults(&format!("[[rule]]\nname = 'r'\nreaction = {rule}\n"));
            assert_eq!(said.is_empty(), !rule.contains("B + B"), "{rule}: {said}");
        }
        refused(
            "[[rule]]\nname = 'r'\nreaction = '0 -> B'\nrate = '1 /nm^2/us'\n",
            "rule.r: B would take a site of surface \"floor\" whether one is free or not",
        );
        refused(
            "[[rule]]\nname = 'r'\nreaction = 'C + A -> B + A'\nrate = 1\n",
            "the rule, C and A -> B and A, would take sites of surface \"floor\": of them 0 are held before and 1 after",
        );
        refused(
            "[[rule]]\nname = 'r'\nreaction = 'B + B <-> C'\nrate = 0.1\nunbind = 1\n",
            "the reverse of the rule, B and B -> C, would take",
        );
        let both = "[[rule]]\nname = 'r'\nreaction = 'B + B <-> C'\nrate = 0.1\nunbind = 1\n\
                    [[rule]]\nname = 's'\nreaction = 'B <-> C'\nrate = 1\nback = 1\n";
        let said = faults(&format!("{FOR_TWO}{both}"));
        assert!(said.is_empty(), "{said}");
        refused("held_by = { B = 2 }\n", "holds 2 sites: only one can be taken at once");
        refused(
            "held_by = { A = 1, B = 1 }\n",
            "A holds sites of \"floor\", but does not live there",
        );
        refused(
            "[[schedule]]\nname = 'more'\nat = 0.5\nadd = { species = 'B', count = 1 }\n",
            "schedule.more: B would take a site",
        );
    }

    #[test]
    fn sites_need_something_that_takes_them() {
        let few = MODEL.replace("sites = 5", "sites = 1");
        let said = crate::parse(&few, "model.toml", &[]).unwrap_err().to_string();
        assert!(said.contains("1 sites are too few: particles hold 2 at the start"), "{said}");
        let idle = MODEL.replace("becomes = 'B'", "").replace("0.1, ", "0.1");
        let said = crate::parse(&idle, "model.toml", &[]).unwrap_err().to_string();
        assert!(said.contains("nothing gets onto this surface"), "{said}");
        let alone = MODEL.replace("sites = 5", "held_by = { B = 1 }");
        let said = crate::parse(&alone, "model.toml", &[]).unwrap_err().to_string();
        assert!(said.contains("`held_by` needs `sites`"), "{said}");
    }
}
