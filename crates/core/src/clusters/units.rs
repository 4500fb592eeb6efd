//! Units: made, taken apart, found.

use super::{Bond, Clusters, Unit, Whole};
use crate::particles::{ALONE, Particles};

impl Unit {
    /// A rigid unit of these members, in the order of their identities, and the bonds among them.
    pub fn new<const D: usize>(
        id: u64,
        members: Vec<u32>,
        bonds: Vec<Bond>,
        diffusion_coefficient: f64,
        particles: &Particles<D>,
    ) -> Self {
        let (is_flexible, outwards) = (false, Vec::new());
        let mut unit = Self { id, members, bonds, is_flexible, diffusion_coefficient, outwards };
        unit.outwards = unit.graph(particles).steps;
        unit
    }

    /// The same unit, held together by tethers instead of bonds if `is_flexible`.
    #[must_use]
    pub fn flexible(mut self, is_flexible: bool) -> Self {
        self.is_flexible = is_flexible;
        self
    }

    /// The bond between the particles of these identities, the lower one first, if they have one.
    pub fn bond_between(&self, ids: [u64; 2]) -> Option<&Bond> {
        let found = self.bonds.binary_search_by_key(&ids, |bond| bond.ids);
        found.ok().map(|n| &self.bonds[n])
    }

    /// The slot of the member with identity `id`.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn member<const D: usize>(&self, particles: &Particles<D>, id: u64) -> u32 {
        let found = self.members.binary_search_by_key(&id, |&slot| particles.id[slot as usize]);
        self.members[found.expect("a bond joins members of its unit")]
    }

    /// Its bonds as a graph, ready to be cut.
    pub fn graph<const D: usize>(&self, particles: &Particles<D>) -> BondGraph<'_> {
        let ids: Vec<u64> = self.members.iter().map(|&slot| particles.id[slot as usize]).collect();
        let index = |id: u64| ids.binary_search(&id).expect("a bond joins members of its unit");
        let ends: Vec<[usize; 2]> = self.bonds.iter().map(|bond| bond.ids.map(index)).collect();
        // The other member of each bond that a member has, and the bond. [member]
        let mut neighbours = vec![Vec::new(); ids.len()];
        for (bond, &[a, b]) in ends.iter().enumerate() {
            neighbours[a].push((b, bond));
            neighbours[b].push((a, bond));
        }
        // Depth first, so that each branch is a range of visits, and a bond is a bridge if nothing beyond it
        // leads back to what was visited before (Tarjan 1974). With a list of what is still to be visited
        // instead of a recursion, which a chain of a million particles would make as deep as it is long.
        let mut span = vec![(usize::MAX, 0); ids.len()];
        let mut earliest = vec![usize::MAX; ids.len()];
        let mut steps = Vec::with_capacity(ids.len().saturating_sub(1));
        let mut is_bridge = vec![false; ends.len()];
        let mut visited = 0;
        // Each member is met twice: before its branch, and after it.
        let mut path = vec![(0, NO_BOND, usize::MAX, false)];
        while let Some((member, by, parent, done)) = path.pop() {
            if done {
                span[member].1 = visited;
                let back = neighbours[member].iter().filter(|(_, bond)| *bond != by);
                let reached = back.map(|&(n, _)| earliest[n].min(span[n].0)).min();
                earliest[member] = span[member].0.min(reached.unwrap_or(usize::MAX));
                if by != NO_BOND {
                    // No bond leads from the branch to anything that was there before it.
                    is_bridge[by] = earliest[member] == span[member].0;
                }
                continue;
            }
            if span[member].0 != usize::MAX {
                // It has been reached by another way round a ring.
                continue;
            }
            span[member].0 = visited;
            visited += 1;
            if by != NO_BOND {
                steps.push([parent as u32, member as u32]);
            }
            path.push((member, by, parent, true));
            let next = neighbours[member].iter().filter(|(n, _)| span[*n].0 == usize::MAX);
            path.extend(next.map(|&(n, bond)| (n, bond, member, false)));
        }
        let degree = neighbours.iter().map(Vec::len).collect();
        BondGraph { unit: self, ends, span, steps, is_bridge, degree }
    }
}

/// The bond by which the first member is reached.
const NO_BOND: usize = usize::MAX;

/// Particles that bonds join, directly or through others.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Their slots, in the order of their identities.
    pub members: Vec<u32>,
    /// The bonds among them.
    pub bonds: Vec<Bond>,
}

/// The components of `members`, which come in the order of their identities, under `bonds`; the one
/// with the lowest identity first.
pub fn components<const D: usize>(
    members: &[u32],
    bonds: &[Bond],
    particles: &Particles<D>,
) -> Vec<Component> {
    let ids: Vec<u64> = members.iter().map(|&slot| particles.id[slot as usize]).collect();
    let index = |id: u64| ids.binary_search(&id).expect("a bond joins members of its unit");
    // Sets that are joined bond by bond. The first member of each stands for it, so that components come out in
    // the order of identities, whatever the order of the bonds.
    // Each member points to one of its component that comes before it, or to itself.
    let mut root: Vec<usize> = (0..ids.len()).collect();
    fn find(root: &mut [usize], mut n: usize) -> usize {
        while root[n] != n {
            root[n] = root[root[n]];
            n = root[n];
        }
        n
    }
    for bond in bonds {
        let [a, b] = bond.ids.map(|id| find(&mut root, index(id)));
        root[a.max(b)] = a.min(b);
    }
    let mut number = vec![usize::MAX; ids.len()];
    let mut found: Vec<Component> = Vec::new();
    for (n, &slot) in members.iter().enumerate() {
        let first = find(&mut root, n);
        if first == n {
            number[n] = found.len();
            found.push(Component { members: Vec::new(), bonds: Vec::new() });
        }
        found[number[first]].members.push(slot);
    }
    for bond in bonds {
        let first = find(&mut root, index(bond.ids[0]));
        found[number[first]].bonds.push(*bond);
    }
    found
}

/// The bonds of a unit as a graph: what hangs on which bond, and which bonds are parts of rings.
pub struct BondGraph<'a> {
    unit: &'a Unit,
    /// The members that each bond joins. \[bond\]
    ends: Vec<[usize; 2]>,
    /// The members in the branch that begins at a member are those that were visited from `span.0`
    /// up to before `span.1`. \[member\]
    span: Vec<(usize, usize)>,
    /// See [`Unit::outwards`].
    steps: Vec<[u32; 2]>,
    /// Whether the unit falls into two without the bond: it is no part of a ring. \[bond\]
    is_bridge: Vec<bool>,
    /// How many bonds each member has. \[member\]
    degree: Vec<usize>,
}

impl BondGraph<'_> {
    /// Whether each member is on the side of the first particle of bond number `broken`. \[member\]
    fn sides(&self, broken: usize) -> impl Fn(usize) -> bool + '_ {
        let [a, b] = self.ends[broken];
        // The end that was visited later begins the branch.
        let first_is_branch = self.span[a].0 > self.span[b].0;
        let (start, end) = self.span[if first_is_branch { a } else { b }];
        move |member| (start..end).contains(&self.span[member].0) == first_is_branch
    }

    /// The members of the two pieces that are left when bond number `broken`, which is no part of a
    /// ring, breaks, in the order of their identities; the piece with the first particle of the bond comes first.
    pub fn pieces(&self, broken: usize) -> [Vec<u32>; 2] {
        let first = self.sides(broken);
        let side = |wanted: bool| {
            let members = self.unit.members.iter().enumerate();
            members.filter(|(n, _)| first(*n) == wanted).map(|(_, &slot)| slot).collect()
        };
        [side(true), side(false)]
    }

    /// Whether the unit falls into two when bond number `bond` breaks. Other bonds are parts of
    /// rings.
    pub fn is_bridge(&self, bond: usize) -> bool {
        self.is_bridge[bond]
    }

    /// Whether bond number `bond` holds an end of a chain: a member without another bond.
    pub fn is_end(&self, bond: usize) -> bool {
        self.ends[bond].iter().any(|&member| self.degree[member] == 1)
    }
}

impl Clusters {
    /// The unit of that number.
    ///
    /// # Panics
    /// If there is none.
    pub fn unit(&self, number: u32) -> &Unit {
        self.units[number as usize].as_ref().expect("the unit of a member exists")
    }

    /// Takes up a unit; its members then move with its diffusion coefficient, unless it is flexible.
    /// Returns its number.
    pub fn add_unit<const D: usize>(&mut self, unit: Unit, particles: &mut Particles<D>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.units.push(None);
            (self.units.len() - 1) as u32
        });
        for &slot in &unit.members {
            particles.unit[slot as usize] = number;
            if !unit.is_flexible {
                particles.diffusion_coefficient[slot as usize] = unit.diffusion_coefficient;
            }
        }
        self.units[number as usize] = Some(unit);
        number
    }

    /// Gives a rigid unit another diffusion coefficient. \[nm²/µs\]
    pub fn set_diffusion<const D: usize>(
        &mut self,
        number: u32,
        diffusion: f64,
        particles: &mut Particles<D>,
    ) {
        if let Some(unit) = &mut self.units[number as usize] {
            unit.diffusion_coefficient = diffusion;
            for &slot in &unit.members {
                particles.diffusion_coefficient[slot as usize] = diffusion;
            }
        }
    }

    /// Gives a unit other bonds, which hold the same members together.
    pub fn set_bonds<const D: usize>(
        &mut self,
        number: u32,
        bonds: Vec<Bond>,
        particles: &Particles<D>,
    ) {
        if let Some(unit) = &mut self.units[number as usize] {
            unit.bonds = bonds;
            // As `bond_between` searches them.
            unit.bonds.sort_unstable_by_key(|bond| bond.ids);
            unit.outwards = unit.graph(particles).steps;
        }
    }

    /// Dissolves a unit. Its members still point to it until they get another, or are set free.
    ///
    /// # Panics
    /// If there is none of that number.
    pub fn remove_unit(&mut self, number: u32) -> Unit {
        self.free.push(number);
        self.units[number as usize].take().expect("the unit of a member exists")
    }

    /// Finds again what is not kept in files.
    pub fn complete<const D: usize>(&mut self, particles: &Particles<D>) {
        for unit in self.units.iter_mut().flatten() {
            unit.outwards = unit.graph(particles).steps;
        }
    }

    /// Follows a renumbering of the slots, which `particles` have followed. Units get the order of
    /// their first members, and their lists lie in memory in that order: every step goes through
    /// them, and those of neighbours are then neighbours too. Returns their new numbers.
    pub fn renumber<const D: usize>(
        &mut self,
        new_slot: &[u32],
        particles: &mut Particles<D>,
    ) -> Vec<u32> {
        let mut new_number = vec![ALONE; self.units.len()];
        let numbered = (0..).zip(std::mem::take(&mut self.units));
        let mut units: Vec<(usize, Unit)> =
            numbered.filter_map(|(number, unit)| Some((number, unit?))).collect();
        for (_, unit) in &mut units {
            unit.members.iter_mut().for_each(|slot| *slot = new_slot[*slot as usize]);
        }
        units.sort_unstable_by_key(|(_, unit)| unit.members[0]);
        self.free.clear();
        for (new, (old, unit)) in (0..).zip(&units) {
            new_number[*old] = new;
            unit.members.iter().for_each(|&slot| particles.unit[slot as usize] = new);
        }
        // Lists made one after the other, while the old ones are still there.
        self.units = units.iter().map(|(_, unit)| Some(unit.clone())).collect();
        new_number
    }

    /// Whether units and particles agree on which particles belong together, and bonds join members
    /// of their units.
    pub fn hang_together<const D: usize>(&self, particles: &Particles<D>) -> bool {
        // Asked of states from files as well, so numbers may lead anywhere: nothing here takes them on trust.
        let of_unit = |(number, unit): (u32, &Unit)| {
            let is_member = |&slot: &u32| particles.unit.get(slot as usize) == Some(&number);
            let id_of = |&slot: &u32| particles.id[slot as usize];
            let all = unit.members.len() >= 2
                && unit.members.iter().all(is_member)
                && unit.members.windows(2).all(|two| id_of(&two[0]) < id_of(&two[1]));
            let joins = |id: &u64| unit.members.binary_search_by_key(id, id_of).is_ok();
            all && unit.bonds.len() + 1 >= unit.members.len()
                && unit
                    .bonds
                    .iter()
                    .all(|bond| bond.ids[0] < bond.ids[1] && bond.ids.iter().all(joins))
                && components(&unit.members, &unit.bonds, particles).len() == 1
        };
        let units =
            (0..).zip(&self.units).filter_map(|(number, unit)| Some((number, unit.as_ref()?)));
        let vacant = |&number: &u32| self.units.get(number as usize).is_some_and(Option::is_none);
        let inside = particles
            .unit
            .iter()
            .zip(&particles.alive)
            .filter(|(unit, alive)| **alive && **unit != ALONE);
        let members = self.units.iter().flatten().map(|unit| unit.members.len()).sum::<usize>();
        units.into_iter().all(of_unit)
            && inside.count() == members
            && self.free.iter().all(vacant)
            && self.wholes.values().all(Whole::hangs_together)
    }

    /// Panics unless units and particles agree on which particles belong together; for tests.
    pub fn assert_well_formed<const D: usize>(&self, particles: &Particles<D>) {
        assert!(self.hang_together(particles), "{self:?}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::Particle;
    use crate::space::Vector;

    fn particles(count: u64) -> Particles<1> {
        let mut particles = Particles::<1>::default();
        for id in 0..count {
            particles.push(Particle {
                sites: 0,
                position: Vector([0.0]),
                velocity: Vector([0.0]),
                since: 0.0,
                radius: 1.0,
                diffusion_coefficient: 1.0,
                species: 0,
                id,
                image: [0],
            });
        }
        particles
    }

    /// A chain 5 - 1 - 4 with a branch 1 - 2 - 0 and, on 0, the leaf 3.
    #[test]
    fn a_bond_divides_its_unit_into_the_two_sides_that_it_joins() {
        let particles = particles(6);
        let bond = |a, b| Bond::new([a, b], 0);
        let bonds = vec![bond(0, 2), bond(0, 3), bond(1, 2), bond(1, 4), bond(1, 5)];
        let unit = Unit::new(9, (0..6).collect(), bonds, 1.0, &particles);
        let mut reached = vec![0];
        for [from, to] in &unit.outwards {
            assert!(reached.contains(from) && !reached.contains(to));
            reached.push(*to);
        }
        let tree = unit.graph(&particles);
        assert_eq!(tree.pieces(0), [vec![0, 3], vec![1, 2, 4, 5]]);
        assert_eq!(tree.pieces(1), [vec![0, 1, 2, 4, 5], vec![3]]);
        assert_eq!(tree.pieces(2), [vec![1, 4, 5], vec![0, 2, 3]]);
        assert_eq!(
            (0..5).map(|n| tree.is_end(n)).collect::<Vec<_>>(),
            [false, true, false, true, true]
        );
        assert!((0..5).all(|n| tree.is_bridge(n)));
        let left = [bond(1, 4), bond(0, 3)];
        let parts = components(&unit.members, &left, &particles);
        let members: Vec<_> = parts.iter().map(|part| part.members.clone()).collect();
        assert_eq!(members, [vec![0, 3], vec![1, 4], vec![2], vec![5]]);
        assert_eq!(parts[0].bonds, [bond(0, 3)]);
    }

    /// A ring 0 - 1 - 2 - 3 on which hangs the chain 4 - 5, which ends in the ring 5 - 6 - 7.
    #[test]
    fn a_bond_of_a_ring_divides_nothing() {
        let particles = particles(8);
        let bond = |a, b| Bond::new([a, b], 0);
        let ring = [bond(0, 1), bond(1, 2), bond(2, 3), bond(0, 3)];
        let chain = [bond(2, 4), bond(4, 5)];
        let end = [bond(5, 6), bond(6, 7), bond(5, 7)];
        let bonds: Vec<Bond> = ring.iter().chain(&chain).chain(&end).copied().collect();
        let unit = Unit::new(9, (0..8).collect(), bonds.clone(), 1.0, &particles);
        let mut reached = vec![0];
        for [from, to] in &unit.outwards {
            assert!(reached.contains(from) && !reached.contains(to));
            assert!(bonds.contains(&bond(u64::from(*from), u64::from(*to))));
            reached.push(*to);
        }
        assert_eq!(reached.len(), 8);
        let graph = unit.graph(&particles);
        let bridges: Vec<usize> = (0..bonds.len()).filter(|&n| graph.is_bridge(n)).collect();
        assert_eq!(bridges, [4, 5]);
        assert_eq!(graph.pieces(4), [vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
        assert_eq!(graph.pieces(5), [vec![0, 1, 2, 3, 4], vec![5, 6, 7]]);
        for n in 0..bonds.len() {
            let left: Vec<Bond> = bonds.iter().filter(|one| **one != bonds[n]).copied().collect();
            let pieces = components(&unit.members, &left, &particles).len();
            assert_eq!(pieces == 2, graph.is_bridge(n), "bond {n}");
        }
    }
}
