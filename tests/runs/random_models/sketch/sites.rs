//! Molecules with sites in a random model: they bind head to tail, and states change with bonds, in time and at contacts.

use super::Sketch;
use super::rules::{Pattern, Rule, RuleAction};
use jostle_lab::validate::random::Draws;

/// The sites of such a species, as its table names them.
pub(super) const SITES: &str =
    "[{ name = \"h\" }, { name = \"t\" }, { name = \"y\", states = [\"u\", \"p\"] }]";

/// What two of a species can be bound by: nothing else changes, or the state of the one whose head binds, there and
/// back or for good.
const BINDINGS: [&str; 5] = [
    "M(h) + M(t) <-> M(h!1).M(t!1)",
    "M(h) + M(t) -> M(h!1).M(t!1)",
    "M(h,y~u) + M(t) <-> M(h!1,y~p).M(t!1)",
    "M(h,y~u) + M(t,y~u) <-> M(h!1,y~p).M(t!1,y~p)",
    "M(h,y~p) + M(t) -> M(h!1,y~u).M(t!1)",
];
/// What happens to one of them in time.
const IN_TIME: [&str; 4] = [
    "M(y~p) -> M(y~u)",
    "M(y~u,h!+) -> M(y~p,h!+)",
    "M(h!1).M(t!1) -> M(h) + M(t)",
    "M(h!1,y~p).M(t!1) -> M(h,y~u) + M(t)",
];

impl Sketch {
    /// The rules of the species that has sites, if there is one.
    pub(super) fn draw_site_rules(&mut self, dice: &mut Draws) {
        let Some(n) = self.species.iter().position(|species| species.has_sites) else { return };
        let own = Pattern { species: n, state: None };
        let reaction = dice.pick(&BINDINGS);
        let mut bind = self.site_rule("join", RuleAction::Bond, vec![own; 2], reaction, dice);
        bind.unbind = reaction.contains("<->").then(|| self.often(dice, 5.0, 40.0));
        self.rules.push(bind);
        let reaction = dice.pick(&IN_TIME);
        let in_time = self.site_rule("alone", RuleAction::Convert, vec![own], reaction, dice);
        self.rules.push(in_time);
        let others: Vec<usize> = (0..n).filter(|&other| !self.species[other].is_grown()).collect();
        if !others.is_empty() && dice.chance(0.5) {
            let species = dice.pick(&others);
            let other = Pattern { species, state: self.species[species].has_states().then_some(0) };
            let name = other.text(self);
            let reaction = format!("M(y~u) + {name} -> M(y~p) + {name}");
            let on = vec![own, other];
            let meet = self.site_rule("meet", RuleAction::Convert, on, &reaction, dice);
            self.rules.push(meet);
        }
    }

    fn site_rule(
        &self,
        name: &str,
        action: RuleAction,
        on: Vec<Pattern>,
        reaction: &str,
        dice: &mut Draws,
    ) -> Rule {
        let mut rule = self.rule(name.into(), action, on, dice);
        (rule.reaction, rule.rate) = (Some(reaction.to_owned()), self.often(dice, 5.0, 40.0));
        rule
    }
}
