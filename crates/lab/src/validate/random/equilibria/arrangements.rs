//! Who can be bound to whom: all arrangements of the particles that reactions lead to, each with the
//! product of the constants on the way there.

use std::collections::BTreeMap;

use super::system::{LinkLength, ReversibleReaction, System};

/// A sphere of an arrangement: a particle, or several that have coalesced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    pub(super) sort: usize,
    /// What it is made of, and in which order it came together, since it falls apart in the reverse one.
    history: String,
    /// The particle that never moves, if it has taken one in.
    pub(super) pinned: Option<usize>,
}

/// Two bodies that are joined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Joint {
    /// The lower history first, each with the number of the site.
    ends: [(String, usize); 2],
    /// The number of the first reaction that joins such sites: a joint is undone by what it is, not by
    /// what it was when it formed. None, if it lasts for ever.
    by: Option<usize>,
}

/// Particles of which each is known, put together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Labelled {
    /// In the order of their histories.
    bodies: Vec<Piece>,
    joints: Vec<Joint>,
}

/// A link between two bodies, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    pub(super) ends: [usize; 2],
    /// The numbers of the sites that it joins.
    pub(super) sites: [usize; 2],
    pub(super) length: LinkLength,
}

impl Link {
    /// Whether both ends move together.
    pub(super) fn is_rigid(&self) -> bool {
        !matches!(self.length, LinkLength::UpTo(_))
    }
}

/// In place of the number of a site where there is none.
const NO_SITE: usize = usize::MAX;

/// Bodies and the links between them.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    pub(super) bodies: Vec<Piece>,
    pub(super) links: Vec<Link>,
    /// The product of the constants of the reactions that lead there.
    pub(super) constant: f64,
}

/// All arrangements that can be reached.
///
/// # Panics
/// If two ways to one arrangement disagree: the system would have no equilibrium.
pub(super) fn arrangements(system: &System) -> Vec<Arrangement> {
    let mut known: BTreeMap<Labelled, f64> = BTreeMap::new();
    let mut open = vec![(Labelled::first(system), 1.0)];
    while let Some((labelled, constant)) = open.pop() {
        if let Some(&other) = known.get(&labelled) {
            let is_same = (constant / other - 1.0_f64).abs() < 1e-9;
            assert!(is_same, "{constant} and {other} are the constants of {labelled:?}");
            continue;
        }
        let next = system.reactions.iter().enumerate();
        let next = next.flat_map(|(n, reaction)| labelled.after(system, n, reaction));
        open.extend(next.map(|(after, factor)| (after, constant * factor)));
        known.insert(labelled, constant);
    }
    let sites = system.sites();
    let weight = |bodies: &[Piece]| {
        sites.as_ref().map_or(1.0, |sites| {
            sites.weight(bodies.iter().map(|body| sites.held[body.sort]).sum())
        })
    };
    let numbered = known.into_iter().map(|(labelled, constant)| {
        let weight = weight(&labelled.bodies);
        labelled.with_numbers(system, constant * weight)
    });
    numbered.filter(|arrangement| arrangement.constant > 0.0).collect()
}

impl Labelled {
    /// All particles by themselves.
    fn first(system: &System) -> Self {
        let body = |(n, atom): (usize, &super::system::Atom)| Piece {
            sort: atom.sort,
            history: n.to_string(),
            pinned: atom.pinned.map(|_| n),
        };
        let bodies = system.atoms.iter().enumerate().map(body).collect();
        let ends = ["0", "1"].map(|history| (history.to_owned(), NO_SITE));
        let joints = system.molecule.iter().map(|_| Joint { ends: ends.clone(), by: None });
        Self { bodies, joints: joints.collect() }.sorted()
    }

    fn sorted(mut self) -> Self {
        self.bodies.sort_by(|a, b| a.history.cmp(&b.history));
        self.joints.sort();
        self
    }

    /// What becomes of it by a reaction, in every way, and the factor of each.
    fn after(&self, system: &System, by: usize, reaction: &ReversibleReaction) -> Vec<(Self, f64)> {
        match *reaction {
            ReversibleReaction::Coalesce { on, product, constant } => {
                let pairs = self.pairs(on).into_iter();
                pairs.map(|pair| (self.coalesced(pair, product), constant)).collect()
            }
            ReversibleReaction::Join { on, becoming, sites, constant, .. } => {
                let joined = |pair: [usize; 2]| {
                    let joints = self.joints_between(system, pair, sites, by).into_iter();
                    joints.map(move |joint| {
                        let mut after = self.joined(joint);
                        // The bodies are still in their order.
                        pair.into_iter()
                            .zip(becoming)
                            .for_each(|(n, sort)| after.bodies[n].sort = sort);
                        (after, constant)
                    })
                };
                self.pairs(on).into_iter().flat_map(joined).collect()
            }
            ReversibleReaction::Close { on, sites, members, constant } => {
                let joints = self.pairs([on, on]).into_iter();
                let joints = joints.flat_map(|pair| self.closing(system, pair, sites, members));
                joints.map(|joint| (self.joined(joint), constant)).collect()
            }
            ReversibleReaction::Switch { from, to, constants } => {
                let mut after = self.switched(from, to, constants);
                // What a bond made of it may be reached by the way back alone.
                after.extend(self.switched(to, from, constants.map(f64::recip)));
                after
            }
        }
    }

    /// Bodies of these sorts, in either order where both are of one sort.
    fn pairs(&self, [first, second]: [usize; 2]) -> Vec<[usize; 2]> {
        let of = |sort: usize| (0..self.bodies.len()).filter(move |&n| self.bodies[n].sort == sort);
        of(first).flat_map(|a| of(second).filter(move |&b| a != b).map(move |b| [a, b])).collect()
    }

    fn coalesced(&self, pair: [usize; 2], product: usize) -> Self {
        let mut parts = pair.map(|n| self.bodies[n].clone());
        parts.sort_by(|a, b| a.history.cmp(&b.history));
        let history = format!("({} {})", parts[0].history, parts[1].history);
        let pinned = parts[0].pinned.or(parts[1].pinned);
        let others = (0..self.bodies.len()).filter(|n| !pair.contains(n));
        let mut bodies: Vec<Piece> = others.map(|n| self.bodies[n].clone()).collect();
        bodies.push(Piece { sort: product, history, pinned });
        Self { bodies, joints: self.joints.clone() }.sorted()
    }

    /// The new joints that two bodies can have between sites of these names: rigid ones only if they do
    /// not move together yet, tethers if they have none yet.
    fn joints_between(
        &self,
        system: &System,
        pair: [usize; 2],
        names: [&str; 2],
        by: usize,
    ) -> Vec<Joint> {
        let bodies = pair.map(|n| &self.bodies[n]);
        let ReversibleReaction::Join { tether, .. } = system.reactions[by] else {
            return Vec::new();
        };
        let together = |joint: &Joint| {
            bodies.iter().all(|body| joint.ends.iter().any(|(end, _)| *end == body.history))
        };
        let is_barred = match tether {
            Some(_) => self.joints.iter().any(together),
            None => self.cluster_of(&bodies[0].history).contains(&bodies[1].history),
        };
        if is_barred { Vec::new() } else { self.free_joints(system, pair, names, Some(by)) }
    }

    /// The new joint by which a chain of so many becomes a ring, if the two are its ends.
    fn closing(
        &self,
        system: &System,
        pair: [usize; 2],
        names: [&str; 2],
        members: usize,
    ) -> Vec<Joint> {
        let cluster = self.cluster_of(&self.bodies[pair[0]].history);
        if cluster.len() != members || !cluster.contains(&self.bodies[pair[1]].history) {
            return Vec::new();
        }
        self.free_joints(system, pair, names, None)
    }

    /// A joint for each pair of free sites of two bodies, by the first reaction that joins such sites.
    fn free_joints(
        &self,
        system: &System,
        pair: [usize; 2],
        names: [&str; 2],
        by: Option<usize>,
    ) -> Vec<Joint> {
        let bodies = pair.map(|n| &self.bodies[n]);
        let free = |end: usize| {
            let body = bodies[end];
            let sites = system.sorts[body.sort].sites.iter().enumerate();
            let named = sites.filter(move |(_, name)| **name == names[end]).map(|(n, _)| n);
            let is_taken = |n: usize| {
                self.joints.iter().flat_map(|j| &j.ends).any(|e| *e == (body.history.clone(), n))
            };
            named.filter(|&n| !is_taken(n)).collect::<Vec<_>>()
        };
        let [first, second] = [free(0), free(1)];
        let ways = first.into_iter().flat_map(|a| second.iter().map(move |&b| [a, b]));
        ways.map(|sites| {
            let mut ends = [0, 1].map(|n| (bodies[n].history.clone(), sites[n]));
            ends.sort();
            Joint { ends, by: first_alike(system, names).or(by) }
        })
        .collect()
    }

    /// The histories of all that a body is joined to, directly or not, and its own.
    fn cluster_of(&self, history: &str) -> Vec<String> {
        let mut cluster = vec![history.to_owned()];
        let mut seen = 0;
        while seen < cluster.len() {
            let of = cluster[seen].clone();
            seen += 1;
            for [a, b] in self.joints.iter().map(|joint| joint.ends.each_ref().map(|end| &end.0)) {
                let other = if *a == of { b } else { a };
                if (*a == of || *b == of) && !cluster.contains(other) {
                    cluster.push(other.clone());
                }
            }
        }
        cluster
    }

    fn joined(&self, joint: Joint) -> Self {
        let joints = self.joints.iter().cloned().chain([joint]).collect();
        Self { bodies: self.bodies.clone(), joints }.sorted()
    }

    fn switched(&self, from: usize, to: usize, constants: [f64; 2]) -> Vec<(Self, f64)> {
        let each = (0..self.bodies.len()).filter(|&n| self.bodies[n].sort == from);
        each.filter_map(|n| {
            let mut after = self.clone();
            after.bodies[n].sort = to;
            let is_joined = self.cluster_of(&self.bodies[n].history).len() > 1;
            let constant = constants[usize::from(is_joined)];
            (constant > 0.0 && constant.is_finite()).then_some((after, constant))
        })
        .collect()
    }

    fn with_numbers(self, system: &System, constant: f64) -> Arrangement {
        let number = |history: &String| {
            self.bodies.iter().position(|body| body.history == *history).unwrap_or_default()
        };
        let tether = |by: usize| match system.reactions[by] {
            ReversibleReaction::Join { tether, .. } => tether,
            _ => None,
        };
        let lasting = system.molecule.map_or(LinkLength::Touching, |molecule| molecule.length);
        let made = |by: usize| tether(by).map_or(LinkLength::Touching, LinkLength::UpTo);
        let link = |joint: &Joint| Link {
            ends: joint.ends.each_ref().map(|(history, _)| number(history)),
            sites: joint.ends.each_ref().map(|(_, site)| *site),
            length: joint.by.map_or(lasting, made),
        };
        let links = self.joints.iter().map(link).collect();
        Arrangement { links, constant, bodies: self.bodies }
    }
}

/// The number of the first reaction that joins sites of these names.
fn first_alike(system: &System, names: [&str; 2]) -> Option<usize> {
    let joins = |reaction: &ReversibleReaction| matches!(reaction, ReversibleReaction::Join { sites, .. } if *sites == names);
    system.reactions.iter().position(joins)
}
