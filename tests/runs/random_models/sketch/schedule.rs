//! What happens in a random model at given times.

use super::{AXES, Sketch};
use jostle_lab::validate::random::Draws;

impl Sketch {
    pub(super) fn draw_schedule(&mut self, dice: &mut Draws) {
        if !dice.chance(0.25) {
            return;
        }
        for _ in 0..dice.whole(1, 2) {
            let at = dice.between(0.1, 0.8) * self.duration();
            let mut entry = format!("at = \"{at:.6} us\"\n");
            if dice.chance(0.3) {
                let every = dice.between(0.1, 0.3) * self.duration();
                entry += &format!("every = \"{every:.6} us\"\n");
            }
            if let Some(action) = self.action(dice) {
                self.schedule.push(entry + &action);
            }
        }
    }

    fn action(&self, dice: &mut Draws) -> Option<String> {
        let rules: Vec<_> = self.rules.iter().filter(|rule| rule.can_be_switched()).collect();
        match dice.below(5) {
            0 if !rules.is_empty() => Some(format!("switch_off = \"{}\"", dice.pick(&rules).name)),
            1 if !rules.is_empty() => Some(format!("switch_on = \"{}\"", dice.pick(&rules).name)),
            2 if !rules.is_empty() => {
                let rule = dice.pick(&rules);
                let (key, value) = rule.half_as_likely();
                // Half of them follow how many particles there are.
                let factor = match dice.chance(0.5) {
                    true => format!(", factor = \"10/(10 + {})\"", self.species[0].name),
                    false => String::new(),
                };
                Some(format!("set = {{ rule = \"{}\", {key} = {value}{factor} }}", rule.name))
            }
            3 => {
                let some: Vec<_> =
                    self.species.iter().filter(|species| !species.is_grown()).collect();
                let name = dice.pick(&some).name;
                Some(format!("add = {{ species = \"{name}\", count = {} }}", dice.whole(1, 4)))
            }
            _ if dice.chance(0.5) => {
                Some(format!("divide = {{ keep = {:?} }}", dice.between(0.3, 0.9)))
            }
            _ => {
                let axis = AXES[dice.below(self.dimension)];
                Some(format!("divide = {{ volume_fraction = 0.7, axis = \"{axis}\" }}"))
            }
        }
    }
}
