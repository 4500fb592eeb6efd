//! Draws systems: species first, then the room for them, then how they act on each other, and last what
//! they become, with constants by which about half of the time is spent bound.

use std::f64::consts::PI;

use super::super::draws::{Draws, typed};
use super::system::{
    AtRegion, Atom, Forces, LinkLength, Membrane, Molecule, Onto, ReversibleReaction, Shell, Sides,
    Sort, Space, System,
};

/// A system that is being drawn.
pub(super) struct Draft<'a> {
    pub(super) draws: &'a mut Draws,
    pub(super) system: System,
}

/// How a reaction is typed, and what that stands for.
struct Constants {
    /// As in the model.
    lines: String,
    /// The equilibrium constant.
    constant: f64,
    /// The intrinsic rate constant of the way there.
    k_a: f64,
}

impl<'a> Draft<'a> {
    /// An empty box, larger by a margin than one in which two particles just pass each other.
    pub(super) fn new(draws: &'a mut Draws, dimension: usize, margin: f64) -> Self {
        let (least, most) = [(6.0, 10.0), (3.6, 5.0), (3.2, 4.2)][dimension - 1];
        let edge = draws.between(least, most) + margin;
        let is_periodic = draws.chance(0.6);
        let space =
            Space { dimension, edge, is_periodic, vessel: None, region: None, membrane: None };
        let system = System {
            space,
            sorts: Vec::new(),
            forces: Vec::new(),
            atoms: Vec::new(),
            reactions: Vec::new(),
            molecule: None,
            only_reacts: false,
            search: "auto",
            rules: Vec::new(),
        };
        Self { draws, system }
    }

    /// Another species, with this many particles, or another state of one, with none.
    pub(super) fn sort(&mut self, name: &str, sites: &[&'static str], count: usize) -> usize {
        let radius = self.draws.between(0.3, 0.55);
        let diffusion = self.draws.between(0.3, 1.2);
        let sort = Sort {
            name: name.into(),
            radius,
            diffusion,
            is_made: false,
            sites: sites.to_vec(),
            opening: None,
            directions: Vec::new(),
            points_up: false,
            is_confined: false,
            at_region: AtRegion::Ignores,
            onto: None,
        };
        let number = self.system.sorts.len();
        self.system.sorts.push(sort);
        let atom = Atom { sort: number, pinned: None };
        self.system.atoms.extend(std::iter::repeat_n(atom, count));
        number
    }

    /// Another state of a species.
    pub(super) fn state(&mut self, name: &str, of: usize) -> usize {
        let sort = Sort { name: name.into(), ..self.system.sorts[of].clone() };
        self.system.sorts.push(sort);
        self.system.sorts.len() - 1
    }

    /// A species whose site `y` is in one of two states, all in the first at the start.
    pub(super) fn two_states(
        &mut self,
        base: &str,
        sites: &[&'static str],
        count: usize,
    ) -> [usize; 2] {
        let u = self.sort(&format!("{base}(y~u)"), sites, count);
        [u, self.state(&format!("{base}(y~p)"), u)]
    }

    /// Lets a state be of another size, and diffuse at another rate, than the first.
    pub(super) fn resize(&mut self, state: usize) {
        let [radius, diffusion] = [self.draws.between(0.3, 0.55), self.draws.between(0.3, 1.2)];
        let sort = &mut self.system.sorts[state];
        (sort.radius, sort.diffusion) = (radius, diffusion);
    }

    /// Makes a molecule of the first two particles, rigid or with a tether.
    pub(super) fn make_molecule(&mut self, is_tether: bool) {
        let [a, b] = [0, 1].map(|n| self.system.sorts[self.system.atoms[n].sort].radius);
        let contact = a + b;
        let length = match is_tether {
            true => LinkLength::UpTo(typed(contact + self.draws.between(0.3, 0.6))),
            false => LinkLength::Fixed(typed(contact + 0.001 + self.draws.between(0.0, 0.2))),
        };
        self.system.molecule = Some(Molecule { length });
    }

    /// What two become: as large as both together, as it is where the model says nothing, or about so.
    pub(super) fn product(&mut self, name: &str, parts: [usize; 2], may_be_made: bool) -> usize {
        let number = self.sort(name, &[], 0);
        let is_confined = parts.iter().any(|&part| self.system.sorts[part].is_confined);
        self.system.sorts[number].is_confined = is_confined;
        let may_be_made = may_be_made && !is_confined;
        let d = self.system.space.dimension as f64;
        let radii = parts.map(|part| self.system.sorts[part].radius);
        let joint = libm::pow(radii.iter().map(|r| libm::pow(*r, d)).sum(), 1.0 / d);
        let is_made = may_be_made && self.draws.chance(0.3);
        let largest = radii[0].max(radii[1]);
        let own = self.draws.between(0.9 * largest, joint);
        let sort = &mut self.system.sorts[number];
        (sort.is_made, sort.radius) = (is_made, if is_made { joint } else { own });
        number
    }

    /// Lets the sites of a species point somewhere.
    pub(super) fn direct(&mut self, sort: usize) {
        self.system.sorts[sort].opening = Some(10.0 * self.draws.between(6.0, 12.0).round());
    }

    /// Particles that do not react.
    pub(super) fn crowd(&mut self, count: usize) {
        if count > 0 {
            let x = self.sort("X", &[], count);
            if self.system.space.membrane.is_some() && self.draws.chance(0.4) {
                self.confine(&[x]);
                return;
            }
            if self.draws.chance(0.3) {
                self.system.sorts[x].diffusion = 0.0;
            }
        }
    }

    /// A sphere that holds all, or a region that each species crosses in its own way.
    pub(super) fn surround(&mut self) {
        let Space { dimension, edge, .. } = self.system.space;
        if dimension == 1 || self.system.space.membrane.is_some() {
            return;
        }
        let vessel = self.draws.chance(0.25).then(|| (500.0 * edge).floor() / 1000.0 - 0.05);
        if self.draws.chance(0.4) {
            let room = vessel.unwrap_or(0.5 * edge);
            let radius = self.draws.between(0.45 * room, 0.75 * room);
            self.system.space.region = Some((self.system.space.middle(), radius));
        }
        self.system.space.vessel = vessel;
    }

    /// The places of what does not move.
    pub(super) fn pin(&mut self) {
        for n in 0..self.system.atoms.len() {
            let sort = self.system.sorts[self.system.atoms[n].sort].clone();
            if sort.diffusion > 0.0 {
                continue;
            }
            let place = loop {
                let place = self.system.space.somewhere(&sort, self.draws);
                let place = place.map(|x| (1000.0 * x).floor() / 1000.0);
                let is_far = |other: [f64; 3]| self.system.space.distance(place, other) > 1.2;
                let pinned = self.system.atoms.iter().filter_map(|atom| atom.pinned);
                if self.system.space.holds(place, &sort) && pinned.into_iter().all(is_far) {
                    break place;
                }
            };
            self.system.atoms[n].pinned = Some(place);
        }
    }

    /// The sorts of a species.
    fn states_of(&self, base: &str) -> Vec<usize> {
        let sorts = &self.system.sorts;
        (0..sorts.len()).filter(|&n| sorts[n].base() == base).collect()
    }

    /// The kinds of what there is, in their order.
    fn kinds(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.system.sorts.iter().map(|sort| sort.kind().to_owned()).collect();
        names.dedup();
        names
    }

    /// The sorts of a kind.
    fn of_kind(&self, kind: &str) -> Vec<usize> {
        let sorts = &self.system.sorts;
        (0..sorts.len()).filter(|&n| sorts[n].kind() == kind).collect()
    }

    /// What each species does at the surface of the region. Those that are moved when they bind diffuse
    /// alike on both sides.
    pub(super) fn cross(&mut self, prefers: bool) {
        if self.system.space.region.is_none() {
            return;
        }
        let are_moved = self.system.sorts.iter().any(|sort| sort.opening.is_some());
        for kind in self.kinds() {
            let states = self.of_kind(&kind);
            let Sort { diffusion, is_made, .. } = self.system.sorts[states[0]];
            if diffusion == 0.0 || is_made {
                continue;
            }
            let ratio = self.draws.pick(&[0.06, 0.2, 0.5, 1.0, 1.8]);
            let inside = typed(diffusion * if are_moved { 1.0 } else { ratio });
            let affinity =
                if prefers && self.draws.chance(0.5) { self.draws.between(0.3, 3.0) } else { 1.0 };
            let at_region = match self.draws.below(6) {
                0 => AtRegion::Ignores,
                1 => AtRegion::Permeates(self.draws.between(0.3, 1.0)),
                _ => AtRegion::Crosses { diffusion: inside, affinity },
            };
            states.iter().for_each(|&state| self.system.sorts[state].at_region = at_region);
        }
    }

    /// Wells, shoulders, and pairs that overlap. Pairs in `reacting` do not ignore each other; tethers are
    /// between particles that keep each other out.
    pub(super) fn act(&mut self, reacting: &[[usize; 2]], tethers: bool) {
        let count = self.system.sorts.len();
        self.system.forces = vec![vec![Forces::default(); count]; count];
        self.system.only_reacts = self.draws.chance(0.12);
        let kinds = self.kinds();
        for (n, one) in kinds.iter().enumerate() {
            for other in &kinds[n..] {
                let pairs = [self.of_kind(one), self.of_kind(other)];
                let reacts = |[a, b]: &[usize; 2]| {
                    pairs[0].contains(a) && pairs[1].contains(b)
                        || pairs[0].contains(b) && pairs[1].contains(a)
                };
                let reacts = reacting.iter().any(reacts);
                let [a, b] = [pairs[0][0], pairs[1][0]];
                let forces = match self.shells([a, b]) {
                    Some(shells) => Forces { overlap: false, shells },
                    None if reacts => self.colliding([one, other], tethers),
                    None if self.system.only_reacts => Forces { overlap: true, shells: vec![] },
                    None => self.passing([one, other]),
                };
                for &a in &pairs[0] {
                    for &b in &pairs[1] {
                        self.system.forces[a][b] = forces.clone();
                        self.system.forces[b][a] = forces.clone();
                    }
                }
            }
        }
    }

    /// Two that react bounce where they do not, by a rule if nothing else says so. If they passed through
    /// each other, fewer would be seen to overlap the likelier a reaction is at one contact, and so the
    /// longer the step is.
    fn colliding(&mut self, names: [&str; 2], tethers: bool) -> Forces {
        if self.system.only_reacts && !tethers {
            self.rule_of("bounce", names);
        }
        Forces::default()
    }

    /// A rule by which two species ignore each other, for some.
    fn passing(&mut self, names: [&str; 2]) -> Forces {
        let overlap = self.draws.chance(0.12);
        if overlap {
            self.rule_of("ignore", names);
        }
        Forces { overlap, shells: Vec::new() }
    }

    fn rule_of(&mut self, word: &str, names: [&str; 2]) {
        let number = self.system.rules.len();
        let rule = format!("name = \"{word}{number}\"\ndo = \"{word}\"\non = {names:?}\n");
        self.system.rules.push(rule);
    }

    fn shells(&mut self, [a, b]: [usize; 2]) -> Option<Vec<Shell>> {
        let Space { edge, is_periodic, .. } = self.system.space;
        // Those that belong together for ever are always as near.
        let mut together = self.system.atoms.iter().take(2).map(|atom| atom.sort);
        if self.system.molecule.is_some() && together.all(|sort| sort == a || sort == b) {
            return None;
        }
        let [a, b] = [&self.system.sorts[a], &self.system.sorts[b]];
        let contact = a.radius + b.radius;
        let most = if is_periodic { 0.48 * edge } else { edge };
        let room = most.min(contact + 0.9) - contact;
        if a.is_made || b.is_made || room < 0.3 || !self.draws.chance(0.25) {
            return None;
        }
        let first = contact + self.draws.between(0.25, room);
        let mut energy = || match self.draws.chance(0.65) {
            true => -self.draws.between(0.5, 1.8),
            false => self.draws.between(0.3, 1.2),
        };
        let energies = [energy(), energy()];
        let mut shells = vec![Shell { to: typed(first), energy: energies[0] }];
        if first + 0.2 < contact + room && self.draws.chance(0.4) {
            let to = typed(self.draws.between(first + 0.2, contact + room));
            shells.push(Shell { to, energy: energies[1] });
        }
        Some(shells)
    }

    /// The volume that particles have to themselves, roughly: that of the one in space, if only one is.
    fn room(&self, on: [usize; 2]) -> f64 {
        let [a, b] = on.map(|n| &self.system.sorts[n]);
        self.system.space.room(if b.is_confined { a } else { b })
    }

    /// From how many sides one in space comes to one on the membrane: the rate constant is that of each.
    fn sides(&self, on: [usize; 2]) -> f64 {
        let [a, b] = on.map(|n| self.system.sorts[n].is_confined);
        let both = matches!(self.system.space.membrane, Some((Membrane::Plane(_), Sides::Outside)));
        // Such a site is on one side.
        if on.iter().any(|&n| self.system.sorts[n].points_up) {
            return 1.0;
        }
        let goes_through = |onto: Onto| onto.permeability > 0.0;
        let is_leaky = on.iter().any(|&n| self.system.sorts[n].onto.is_some_and(goes_through));
        if a != b && (is_leaky || both && self.system.space.is_periodic) { 2.0 } else { 1.0 }
    }

    /// In how many dimensions two meet.
    fn meeting(&self, on: [usize; 2]) -> usize {
        let is_within = on.iter().all(|&n| self.system.sorts[n].is_confined);
        self.system.space.dimension - usize::from(is_within)
    }

    /// A + B <-> C.
    pub(super) fn coalesce(&mut self, on: [usize; 2], product: usize) {
        let energy = self.energy_at_contact(on);
        let wanted = self.draws.between(0.2, 1.0) * self.room(on);
        let Constants { lines, constant, .. } =
            self.rates(on, wanted * libm::exp(energy), on[0] == on[1], true);
        let [a, b, c] = [on[0], on[1], product].map(|n| &self.system.sorts[n].name);
        let number = self.system.rules.len();
        let rule = format!("name = \"r{number}\"\nreaction = \"{a} + {b} <-> {c}\"\n{lines}");
        self.system.rules.push(rule);
        // The energy of the two is part of the constant of what they become.
        let constant = constant * libm::exp(-energy) * self.sides(on);
        self.system.reactions.push(ReversibleReaction::Coalesce { on, product, constant });
    }

    /// A(a) + B(b) <-> A(a!1).B(b!1), whatever the states of the two are, or from one state to another of
    /// either with the bond. Chains of `ring` close.
    pub(super) fn join(
        &mut self,
        on: [usize; 2],
        sites: [&'static str; 2],
        changes: [Option<[usize; 2]>; 2],
        tether: Option<f64>,
        ring: Option<usize>,
    ) {
        let wanted = self.draws.between(0.2, 1.0) * self.room(on);
        let wanted = wanted * libm::exp(self.energy_at_contact(on));
        let is_alike = on[0] == on[1] && sites[0] == sites[1];
        let Constants { mut lines, constant, k_a } =
            self.rates(on, wanted, is_alike, tether.is_none());
        if let Some(members) = ring {
            let k_d = k_a / constant;
            let closing = typed(k_d * self.draws.between(1.0, 6.0));
            lines += &format!("close_rate = {closing:?}\n");
            let constant = closing / k_d;
            let ring = ReversibleReaction::Close { on: on[0], sites, members, constant };
            self.system.reactions.push(ring);
        }
        let constant = constant * self.sides(on);
        let bases = on.map(|n| self.system.sorts[n].base().to_owned());
        let number = self.system.rules.len();
        let length = tether.map_or(String::new(), |length| format!("length = {length:?}\n"));
        // `A(a,y~u)`, and `A(a!1,y~p)`.
        let end = |n: usize, bond: &str, when: usize| {
            let sort = changes[n].map(|change| &self.system.sorts[change[when]].name);
            let state = sort.and_then(|name| name.split(['(', ')']).nth(1));
            let state = state.map_or(String::new(), |state| format!(",{state}"));
            format!("{}({}{bond}{state})", bases[n], sites[n])
        };
        let [left, right] =
            [("", 0), ("!1", 1)].map(|(bond, when)| [0, 1].map(|n| end(n, bond, when)));
        let rule = format!(
            "name = \"r{number}\"\nreaction = \"{} <-> {}\"\n{length}{lines}",
            left.join(" + "),
            right.join(".")
        );
        self.system.rules.push(rule);
        let [firsts, seconds] = [0, 1].map(|n| match changes[n] {
            Some([from, _]) => vec![from],
            None => self.states_of(&bases[n]),
        });
        for first in firsts {
            for &second in &seconds {
                let on = [first, second];
                let becoming = [0, 1].map(|n| changes[n].map_or(on[n], |[_, to]| to));
                self.system.reactions.push(ReversibleReaction::Join {
                    on,
                    becoming,
                    sites,
                    tether,
                    constant,
                });
            }
        }
    }

    fn energy_at_contact(&self, [a, b]: [usize; 2]) -> f64 {
        self.system.forces[a][b].shells.first().map_or(0.0, |shell| shell.energy)
    }

    /// Lines that give the constants of a reaction, and the equilibrium constant that they stand for, which
    /// is about the one that is `wanted`: for each pair of particles or, where two are `alike`, twice what
    /// \[A2\]/\[A\]² is.
    fn rates(
        &mut self,
        on: [usize; 2],
        wanted: f64,
        is_alike: bool,
        at_contact: bool,
    ) -> Constants {
        let d = self.meeting(on);
        let [a, b] = on.map(|n| &self.system.sorts[n]);
        let (contact, diffusion) = (a.radius + b.radius, a.diffusion + b.diffusion);
        let has_potential = !self.system.forces[on[0]][on[1]].shells.is_empty();
        // From slow reactions to those that almost every contact of the longest step is needed for.
        let step = self.draws.between(0.2, 0.8);
        let speed = [2.0, 2.0 * PI, 4.0 * PI][d - 1] * diffusion * contact.powi(d as i32 - 2);
        // Half of what is on the membrane shows.
        let is_target = a.is_confined != b.is_confined;
        let speed = if is_target { 0.3 * speed } else { speed };
        let k_a = typed(speed / step * a.share_of_directions(d) * b.share_of_directions(d));
        let ways = if is_alike { 2.0 } else { 1.0 };
        let by_constant = self.draws.chance(0.4);
        let unit = ["nm", "nm^2", "nm^3"][d - 1];
        let is_directed = a.opening.or(b.opening).is_some();
        if d == 3 && at_contact && !has_potential && !is_directed && self.draws.chance(0.4) {
            let k_on = typed(k_a / (1.0 + k_a / speed));
            if by_constant {
                let dissociation = typed(ways / wanted);
                let lines = format!("k_on = {k_on:?}\nK_D = \"{dissociation:?} /{unit}\"\n");
                return Constants { lines, constant: ways / dissociation, k_a };
            }
            let k_off = typed(k_on / wanted);
            let lines = format!("k_on = {k_on:?}\nk_off = {k_off:?}\n");
            return Constants { lines, constant: k_on / k_off, k_a };
        }
        if by_constant && !has_potential {
            let dissociation = typed(ways / wanted);
            let lines = format!("rate = {k_a:?}\nK_D = \"{dissociation:?} /{unit}\"\n");
            return Constants { lines, constant: ways / dissociation, k_a };
        }
        let k_d = typed(k_a / wanted);
        let lines = format!("rate = {k_a:?}\nunbind = {k_d:?}\n");
        Constants { lines, constant: k_a / k_d, k_a }
    }

    /// A rule by which particles change their state, and its reverse.
    pub(super) fn switch(&mut self, [from, to]: [usize; 2], pattern: [&str; 2]) {
        let rates = [self.draws.between(1.0, 4.0), self.draws.between(1.0, 4.0)];
        let number = self.system.rules.len();
        let rule = format!(
            "name = \"s{number}\"\nreaction = \"{} <-> {}\"\nrate = {:?}\nback = {:?}\n",
            pattern[0], pattern[1], rates[0], rates[1]
        );
        self.system.rules.push(rule);
        let constants = [rates[0] / rates[1]; 2];
        self.system.reactions.push(ReversibleReaction::Switch { from, to, constants });
    }
}
