//! Rules of a random model.

use std::fmt::Write;

use super::species::STATES;
use super::{Kind, Sketch};
use jostle_lab::validate::random::Draws;

/// A species in any state or in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(super) species: usize,
    pub(super) state: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleAction {
    Coalesce,
    Bond,
    Convert,
    Annihilate,
    Fragment,
    Pass,
    Ignore,
    Bounce,
    Decay,
    Create,
}

#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) action: RuleAction,
    pub(crate) on: Vec<Pattern>,
    products: Vec<Pattern>,
    /// How likely at a contact.
    probability: f64,
    /// How often in time. \[1/µs\]
    pub(super) rate: f64,
    pub(super) unbind: Option<f64>,
    /// How it is written if it is about sites.
    pub(super) reaction: Option<String>,
    /// Lines of conditions and other options.
    more: Vec<String>,
}

impl Pattern {
    pub(crate) fn fits(self, kind: &Kind) -> bool {
        self.species == kind.species && self.state.is_none_or(|state| state == kind.state)
    }

    pub(super) fn text(self, sketch: &Sketch) -> String {
        let name = sketch.species[self.species].name;
        self.state.map_or(name.to_owned(), |state| format!("{name}{{{}}}", STATES[state]))
    }
}

impl Rule {
    /// Whether two that it is about may overlap because of it.
    pub(crate) fn lets_overlap(&self, a: &Kind, b: &Kind) -> bool {
        matches!(self.action, RuleAction::Pass | RuleAction::Ignore) && self.is_about(a, b)
    }

    fn is_about(&self, a: &Kind, b: &Kind) -> bool {
        let [first, second] = self.on[..] else { return false };
        (first.fits(a) && second.fits(b)) || (first.fits(b) && second.fits(a))
    }

    /// Whether a particle is bonded by it.
    pub(super) fn bonds(&self, species: usize) -> bool {
        self.action == RuleAction::Bond && self.on.iter().any(|pattern| pattern.species == species)
    }

    /// Whether two become one of a species by it.
    pub(super) fn coalesces_into(&self, species: usize) -> bool {
        let is_product = |pattern: &Pattern| pattern.species == species;
        self.action == RuleAction::Coalesce && self.products.iter().any(is_product)
    }

    /// Whether the schedule may switch it.
    pub(super) fn can_be_switched(&self) -> bool {
        !matches!(self.action, RuleAction::Pass | RuleAction::Ignore | RuleAction::Bounce)
    }

    pub(super) fn half_as_likely(&self) -> (&'static str, f64) {
        if self.on.len() == 2 {
            ("probability", 0.5 * self.probability)
        } else {
            ("rate", 0.5 * self.rate)
        }
    }

    pub(super) fn write(&self, sketch: &Sketch, text: &mut String) {
        writeln!(text, "[[rule]]\nname = \"{}\"", self.name).unwrap();
        match &self.reaction {
            Some(reaction) => writeln!(text, "reaction = \"{reaction}\"").unwrap(),
            None => self.write_action(sketch, text),
        }
        if self.can_be_switched() && self.on.len() == 2 {
            writeln!(text, "probability = {:?}", self.probability).unwrap();
        } else if self.can_be_switched() {
            writeln!(text, "rate = {:?}", self.rate).unwrap();
        }
        if let Some(rate) = self.unbind {
            writeln!(text, "unbind = {rate:?}").unwrap();
        }
        for line in &self.more {
            writeln!(text, "{line}").unwrap();
        }
    }

    /// What it does, on what, and what arises.
    fn write_action(&self, sketch: &Sketch, text: &mut String) {
        let list = |patterns: &[Pattern]| {
            let texts: Vec<String> =
                patterns.iter().map(|p| format!("{:?}", p.text(sketch))).collect();
            texts.join(", ")
        };
        let word = match self.action {
            RuleAction::Coalesce => "bind\"\nmerge = \"coalesce",
            RuleAction::Bond => "bind\"\nmerge = \"bond",
            RuleAction::Convert => "convert",
            RuleAction::Annihilate => "annihilate",
            RuleAction::Fragment => "fragment",
            RuleAction::Pass => "pass",
            RuleAction::Ignore => "ignore",
            RuleAction::Bounce => "bounce",
            RuleAction::Decay => "decay",
            RuleAction::Create => "create",
        };
        writeln!(text, "do = \"{word}\"").unwrap();
        match self.on[..] {
            [] => {}
            [one] => writeln!(text, "on = {:?}", one.text(sketch)).unwrap(),
            _ => writeln!(text, "on = [{}]", list(&self.on)).unwrap(),
        }
        match self.action {
            RuleAction::Convert => writeln!(text, "products = [{}]", list(&self.products)).unwrap(),
            RuleAction::Coalesce | RuleAction::Create => {
                writeln!(text, "product = {}", list(&self.products)).unwrap()
            }
            _ => {}
        }
    }
}

/// How often each action is chosen.
const ACTIONS: [(usize, RuleAction); 10] = [
    (5, RuleAction::Coalesce),
    (5, RuleAction::Bond),
    (3, RuleAction::Convert),
    (1, RuleAction::Annihilate),
    (1, RuleAction::Fragment),
    (1, RuleAction::Pass),
    (1, RuleAction::Ignore),
    (1, RuleAction::Bounce),
    (1, RuleAction::Decay),
    (1, RuleAction::Create),
];

impl Sketch {
    pub(super) fn draw_rules(&mut self, dice: &mut Draws) {
        let grown = self.species.iter().position(|species| species.is_grown());
        self.draw_site_rules(dice);
        let some = if self.flickers { 0 } else { dice.whole(2, 6) };
        for n in 0..some {
            // What arises by coalescence only has to be made by a rule.
            let rule = match grown {
                Some(grown) if n == 0 => Some(self.grow(dice, grown)),
                _ => self.draw_rule(dice, n),
            };
            self.rules.extend(rule);
        }
        if !self.flickers {
            self.draw_histories(dice);
        }
        // States come and go.
        for n in 0..self.species.len() {
            if self.species[n].has_states() && (self.flickers || dice.chance(0.7)) {
                let most = dice.pick(&[20.0, 80.0]);
                for [from, to] in [[0, 1], [1, 0]] {
                    let pattern = |state| Pattern { species: n, state: Some(state) };
                    let name = format!("turn_{n}_{from}");
                    let mut rule = self.rule(name, RuleAction::Convert, vec![pattern(from)], dice);
                    rule.products = vec![pattern(to)];
                    rule.rate = self.often(dice, 5.0, most);
                    self.rules.push(rule);
                }
                let own = vec![Pattern { species: n, state: None }; 2];
                if dice.chance(0.8) && !self.is_taken(RuleAction::Bond, &own) {
                    let mut rule = self.rule(format!("hold_{n}"), RuleAction::Bond, own, dice);
                    if self.make_bond(&mut rule, dice).is_some() {
                        self.rules.push(rule);
                    }
                }
            }
        }
    }

    pub(super) fn rule(
        &self,
        name: String,
        action: RuleAction,
        on: Vec<Pattern>,
        dice: &mut Draws,
    ) -> Rule {
        let (probability, rate) = (dice.between(0.15, 0.5), self.often(dice, 0.5, 5.0));
        Rule {
            name,
            action,
            on,
            products: Vec::new(),
            probability,
            rate,
            unbind: None,
            reaction: None,
            more: Vec::new(),
        }
    }

    /// A rate at which something happens so many times in a run.
    pub(super) fn often(&self, dice: &mut Draws, least: f64, most: f64) -> f64 {
        let rate = dice.between(least, most) / self.duration();
        (rate * 1e4).round() / 1e4
    }

    fn any(&self, dice: &mut Draws) -> Pattern {
        let some: Vec<usize> = (0..self.species.len()).collect();
        self.one_of(&some, dice)
    }

    fn one_of(&self, species: &[usize], dice: &mut Draws) -> Pattern {
        let species = dice.pick(species);
        let with_state = self.species[species].has_states() && dice.chance(0.4);
        Pattern { species, state: with_state.then(|| dice.below(2)) }
    }

    fn anchor(&self, pattern: Pattern) -> Option<usize> {
        self.species[pattern.species].anchor
    }

    /// Whether what two become stays on their surfaces, so that it can let go of them there.
    fn stays_near(&self, rule: &Rule) -> bool {
        let anchor = self.anchor(rule.products[0]);
        rule.on
            .iter()
            .all(|&pattern| self.anchor(pattern).is_none_or(|_| self.anchor(pattern) == anchor))
    }

    /// Those that may come of a particle: in solution, or on the surface of a reactant.
    fn fitting(&self, on: &[Pattern]) -> Vec<usize> {
        let anchors: Vec<Option<usize>> = on.iter().map(|&pattern| self.anchor(pattern)).collect();
        let fits = |n: &usize| {
            let species = &self.species[*n];
            !species.is_grown() && species.anchor.is_none_or(|_| anchors.contains(&species.anchor))
        };
        (0..self.species.len()).filter(fits).collect()
    }

    fn draw_rule(&self, dice: &mut Draws, n: usize) -> Option<Rule> {
        let action = dice.weighed(&ACTIONS);
        let alone = match action {
            RuleAction::Decay => true,
            RuleAction::Convert | RuleAction::Fragment => dice.chance(0.6),
            _ => false,
        };
        let on = match (action, alone) {
            (RuleAction::Create, _) => vec![],
            (_, true) => vec![self.any(dice)],
            (_, false) => vec![self.any(dice), self.any(dice)],
        };
        if on.len() == 2 && self.is_taken(action, &on) {
            return None;
        }
        let mut rule = self.rule(format!("r{n}"), action, on, dice);
        let done = match action {
            RuleAction::Coalesce => self.make_coalesce(&mut rule, dice),
            RuleAction::Bond => self.make_bond(&mut rule, dice),
            RuleAction::Convert => self.make_convert(&mut rule, dice),
            RuleAction::Create => self.make_create(&mut rule, dice),
            RuleAction::Fragment => self.make_fragment(&mut rule, dice),
            _ => Some(()),
        };
        done?;
        if rule.can_be_switched() {
            self.make_conditions(&mut rule, dice);
        }
        Some(rule)
    }

    /// Rules that together have a history: what one of them makes is what another one takes.
    fn draw_histories(&mut self, dice: &mut Draws) {
        let is_anchored = |n: &usize| self.species[*n].anchor.is_some();
        let own = |n: &usize| !self.species[*n].is_grown();
        let (anchored_ones, free): (Vec<usize>, Vec<usize>) =
            (0..self.species.len()).filter(own).partition(is_anchored);
        if dice.chance(0.3) {
            let which = self.one_of(&[&anchored_ones[..], &free].concat(), dice);
            self.grow_and_divide(dice, Pattern { state: None, ..which });
        }
        if anchored_ones.is_empty() || free.is_empty() {
            return;
        }
        let [anchored, guest] = [self.one_of(&anchored_ones, dice), self.one_of(&free, dice)];
        if dice.chance(0.5) {
            self.add_pair(
                dice,
                "leave",
                RuleAction::Coalesce,
                vec![anchored, guest],
                vec![guest],
                true,
            );
        }
        if dice.chance(0.5) {
            let settled = vec![self.one_of(&anchored_ones, dice), anchored];
            self.add_pair(
                dice,
                "settle",
                RuleAction::Convert,
                vec![guest, anchored],
                settled,
                false,
            );
        }
        let product = self.one_of(&free, dice);
        let [one, other] = [self.one_of(&anchored_ones, dice), self.one_of(&anchored_ones, dice)];
        if dice.chance(0.2) && self.anchor(one) == self.anchor(other) {
            self.add_pair(
                dice,
                "rise",
                RuleAction::Coalesce,
                vec![one, other],
                vec![product],
                true,
            );
        }
    }

    /// A particle takes others in and remains what it is; then it is two.
    fn grow_and_divide(&mut self, dice: &mut Draws, which: Pattern) {
        let prey = self.any(dice);
        let unbinds = dice.chance(0.3);
        if prey.species != which.species {
            self.add_pair(
                dice,
                "eat",
                RuleAction::Coalesce,
                vec![prey, which],
                vec![which],
                unbinds,
            );
        }
        let mut divide = self.rule("divide".into(), RuleAction::Convert, vec![which], dice);
        divide.products = vec![which; 2];
        divide.rate = self.often(dice, 0.5, 2.0);
        self.rules.push(divide);
    }

    fn add_pair(
        &mut self,
        dice: &mut Draws,
        name: &str,
        action: RuleAction,
        on: Vec<Pattern>,
        products: Vec<Pattern>,
        unbinds: bool,
    ) {
        let open = |pattern: &Pattern| Pattern { state: None, ..*pattern };
        let on: Vec<Pattern> = on.iter().map(open).collect();
        let coalesces = action == RuleAction::Coalesce;
        if self.is_taken(action, &on) || (coalesces && self.have_sites(&[&on, &products])) {
            return;
        }
        let mut rule = self.rule(name.into(), action, on, dice);
        rule.products = products.iter().map(open).collect();
        rule.unbind = (unbinds && self.stays_near(&rule)).then(|| self.often(dice, 5.0, 40.0));
        self.rules.push(rule);
    }

    /// Two that coalesce to what arises so only.
    fn grow(&self, dice: &mut Draws, grown: usize) -> Rule {
        let some: Vec<usize> = (0..grown).collect();
        let on = vec![self.one_of(&some, dice), self.one_of(&some, dice)];
        let mut rule = self.rule("grow".into(), RuleAction::Coalesce, on, dice);
        rule.products = vec![Pattern { species: grown, state: None }];
        rule.unbind =
            (dice.chance(0.7) && self.stays_near(&rule)).then(|| self.often(dice, 5.0, 40.0));
        rule
    }

    /// Whether any of these have sites, which a coalesced particle would lose.
    fn have_sites(&self, patterns: &[&[Pattern]]) -> bool {
        patterns.iter().copied().flatten().any(|pattern| self.species[pattern.species].has_sites)
    }

    /// Whether a pair has rules already that would not go together with another.
    fn is_taken(&self, action: RuleAction, on: &[Pattern]) -> bool {
        let kinds = self.kinds();
        let pairs = kinds.iter().flat_map(|a| kinds.iter().map(move |b| (a, b)));
        let of = |pair: [&Kind; 2]| on[0].fits(pair[0]) && on[1].fits(pair[1]);
        let about: Vec<_> = pairs.filter(|(a, b)| of([a, b]) || of([b, a])).collect();
        let same: Vec<&Rule> = self
            .rules
            .iter()
            .filter(|rule| about.iter().any(|(a, b)| rule.is_about(a, b)))
            .collect();
        let exclusive = |action: RuleAction| {
            matches!(action, RuleAction::Pass | RuleAction::Ignore | RuleAction::Bounce)
        };
        same.len() > 1 || same.iter().any(|rule| exclusive(rule.action) || exclusive(action))
    }

    fn make_coalesce(&self, rule: &mut Rule, dice: &mut Draws) -> Option<()> {
        let grown: Vec<usize> =
            (0..self.species.len()).filter(|&n| self.species[n].is_grown()).collect();
        let product = match dice.below(10) {
            0..4 => Pattern { state: None, ..dice.pick(&rule.on) },
            4..8 if !grown.is_empty() => Pattern { species: grown[0], state: None },
            _ => {
                let fitting = self.fitting(&rule.on);
                if fitting.is_empty() {
                    return None;
                }
                self.one_of(&fitting, dice)
            }
        };
        rule.products = vec![product];
        if self.have_sites(&[&rule.on, &rule.products]) {
            return None;
        }
        if dice.chance(0.7) && self.stays_near(rule) {
            rule.unbind = Some(self.often(dice, 5.0, 40.0));
        }
        Some(())
    }

    fn make_bond(&self, rule: &mut Rule, dice: &mut Draws) -> Option<()> {
        let anchors = [rule.on[0], rule.on[1]].map(|pattern| self.anchor(pattern));
        let is_round = anchors[0].is_some_and(|anchor| !self.surfaces[anchor].is_plane());
        if anchors[0] != anchors[1] || is_round || self.have_sites(&[&rule.on]) {
            return None;
        }
        if dice.chance(0.7) {
            rule.more.push(format!("max_bonds = {}", dice.whole(1, 3)));
        }
        if dice.chance(0.8) {
            rule.unbind = Some(self.often(dice, 5.0, 40.0));
        }
        Some(())
    }

    fn make_convert(&self, rule: &mut Rule, dice: &mut Draws) -> Option<()> {
        let alone = rule.on.len() == 1;
        let most = if alone {
            dice.weighed(&[(4, 1), (4, 2), (1, 3)])
        } else {
            dice.weighed(&[(1, 1), (4, 2), (1, 3)])
        };
        let fitting = self.fitting(&rule.on);
        if fitting.is_empty() {
            return None;
        }
        if alone && dice.chance(0.3) && !self.species[rule.on[0].species].is_grown() {
            rule.products = vec![Pattern { state: None, ..rule.on[0] }; 2];
        } else {
            rule.products = (0..most).map(|_| self.one_of(&fitting, dice)).collect();
        }
        if rule.products.len() > rule.on.len() {
            rule.rate = self.often(dice, 0.2, 1.0);
            rule.probability *= 0.5;
        }
        Some(())
    }

    fn make_create(&self, rule: &mut Rule, dice: &mut Draws) -> Option<()> {
        let all: Vec<usize> = (0..self.species.len()).collect();
        let free: Vec<usize> = all
            .into_iter()
            .filter(|&n| self.species[n].anchor.is_none() && !self.species[n].is_grown())
            .collect();
        if free.is_empty() {
            return None;
        }
        rule.products = vec![self.one_of(&free, dice)];
        let volume: f64 = self.edges.iter().product();
        rule.rate = dice.between(2.0, 10.0) / self.duration() / volume;
        Some(())
    }

    fn make_fragment(&self, rule: &mut Rule, dice: &mut Draws) -> Option<()> {
        rule.rate = self.often(dice, 1.0, 10.0);
        if dice.chance(0.4) {
            rule.more.push(format!("minimum = {}", dice.whole(1, 3)));
        }
        if rule.on.len() == 1 && dice.chance(0.4) {
            rule.more.push("at = \"end\"".into());
        }
        Some(())
    }

    fn make_conditions(&self, rule: &mut Rule, dice: &mut Draws) {
        let duration = self.duration();
        if !rule.on.is_empty() && dice.chance(0.1) {
            rule.more
                .push(format!("cluster_size = \"{}\"", dice.pick(&["1", "1..3", "2..", "1..2"])));
        }
        if dice.chance(0.1) {
            rule.more.push(format!(
                "during = [\"{:.6} us\", \"{:.6} us\"]",
                0.1 * duration,
                0.7 * duration
            ));
        }
        let somewhere = matches!(
            rule.action,
            RuleAction::Convert | RuleAction::Annihilate | RuleAction::Decay | RuleAction::Create
        );
        if somewhere && dice.chance(0.1) {
            let zeros = vec![0.0; self.dimension];
            let half: Vec<f64> = self.edges.iter().map(|edge| 0.6 * edge).collect();
            rule.more.push(format!("region = {{ from = {zeros:?}, to = {half:?} }}"));
        }
    }
}
