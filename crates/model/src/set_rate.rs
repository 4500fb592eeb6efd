//! Another rate for a rule of a model, as people write it.

use super::file;
use super::{Faults, Model, Placement, PlacementMethod, Source, parse};
use jostle_core::rules::ScheduledAction;
use jostle_core::words::abridged;

impl Model {
    /// The number of a rule, and in internal units a rate for it that is written as in a model
    /// file: whatever an entry of the schedule could set.
    ///
    /// # Errors
    /// If there is no such rule, or it cannot have that rate.
    pub fn rate_to_set(&self, rule: &str, value: &str) -> Result<(u16, f64), String> {
        let rules = self.rules();
        let names: Vec<String> =
            rules.names().into_iter().take(rules.first_scheduled().into()).collect();
        let Some(number) = names.iter().position(|name| name == rule) else {
            let known = match names.is_empty() {
                true => "there is none".to_owned(),
                false => abridged(names, "rules").join(", "),
            };
            return Err(format!("there is no rule \"{rule}\"; rules: {known}"));
        };
        let key = file::key_of_rate(rules, number as u16);
        let value = value.trim();
        let value =
            if value.parse::<f64>().is_ok() { value.to_owned() } else { format!("{value:?}") };
        let entry =
            format!("[[schedule]]\nat = \"0 us\"\nset = {{ rule = {rule:?}, {key} = {value} }}\n");
        let text = format!("{}\n{entry}", file::resolved(&self.without_particles()));
        let model = parse(&text, "the model", &[]).map_err(|faults| messages(&faults))?;
        let action = model.rules().schedule.last().map(|entry| &entry.action);
        let Some(&ScheduledAction::SetRate { rule, rate }) = action else {
            return Err(format!("rule \"{rule}\" cannot be given the rate {value}"));
        };
        Ok((rule, rate))
    }

    /// What rates depend on: all but the particles. Molecules stay, of which there are none.
    fn without_particles(&self) -> Self {
        let in_molecules =
            |placement: &&Placement| matches!(placement.how, PlacementMethod::InMolecules { .. });
        let of_molecules = self.placement.iter().filter(in_molecules).map(|placement| Placement {
            how: PlacementMethod::InMolecules { count: 0 },
            asked: None,
            ..placement.clone()
        });
        let mut model = Self {
            title: self.title.clone(),
            space: self.space,
            run: self.run,
            species: self.species.clone(),
            placement: of_molecules.collect(),
            output: self.output.clone(),
            engine: self.engine.clone(),
            source: Source::default(),
        };
        if let Some(brownian) = model.brownian_mut() {
            brownian.bonds.clear();
            for molecule in &mut brownian.molecules {
                let before = &self.placement[..molecule.placement];
                molecule.placement = before.iter().filter(in_molecules).count();
            }
        }
        model
    }
}

fn messages(faults: &Faults) -> String {
    let all: Vec<&str> = faults.list.iter().map(|fault| &*fault.message).collect();
    all.join("; ")
}
