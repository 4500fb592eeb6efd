//! Rigid units: made, taken apart, found.

use super::{Bond, Clusters, Unit, Whole};
use crate::particles::{ALONE, Particles};

impl Unit {
    /// A unit of these members, in the order of their identities, and the bonds among them.
    pub fn new<const D: usize>(
        id: u64,
        members: Vec<u32>,
        bonds: Vec<Bond>,
        diffusion_coefficient: f64,
        particles: &Particles<D>,
    ) -> Self {
        let mut unit = Self { id, members, bonds, diffusion_coefficient, outwards: Vec::new() };
        unit.outwards = unit.tree(particles).outwards();
        unit
    }

    /// The slot of the member with identity `id`.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn member<const D: usize>(&self, particles: &Particles<D>, id: u64) -> u32 {
        let found = self.members.binary_search_by_key(&id, |&slot| particles.id[slot as usize]);
        self.members[found.expect("a bond joins members of its unit")]
    }

    /// Its bonds as a tree, ready to be cut.
    pub fn tree<const D: usize>(&self, particles: &Particles<D>) -> Tree<'_> {
        let ids: Vec<u64> = self.members.iter().map(|&slot| particles.id[slot as usize]).collect();
        let index = |id: u64| ids.binary_search(&id).expect("a bond joins members of its unit");
        let ends: Vec<[usize; 2]> = self.bonds.iter().map(|bond| bond.ids.map(index)).collect();
        let mut neighbours = vec![Vec::new(); ids.len()];
        for &[a, b] in &ends {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        let mut span = vec![(0, 0); ids.len()];
        let mut visited = 0;
        // Each member is met twice: before its branch, and after it.
        let mut path = vec![(0, usize::MAX, false)];
        while let Some((member, parent, done)) = path.pop() {
            if done {
                span[member].1 = visited;
                continue;
            }
            span[member].0 = visited;
            visited += 1;
            path.push((member, parent, true));
            path.extend(
                neighbours[member].iter().filter(|&&n| n != parent).map(|&n| (n, member, false)),
            );
        }
        let degree = neighbours.iter().map(Vec::len).collect();
        Tree { unit: self, ends, span, degree }
    }
}

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

/// The bonds of a unit as a tree: what hangs on which bond.
pub struct Tree<'a> {
    unit: &'a Unit,
    /// The members that each bond joins. \[bond\]
    ends: Vec<[usize; 2]>,
    /// The members in the branch that begins at a member are those that were visited from `span.0`
    /// up to before `span.1`. \[member\]
    span: Vec<(usize, usize)>,
    /// How many bonds each member has. \[member\]
    degree: Vec<usize>,
}

impl Tree<'_> {
    /// Whether each member is on the side of the first particle of bond number `broken`. \[member\]
    fn sides(&self, broken: usize) -> impl Fn(usize) -> bool + '_ {
        let [a, b] = self.ends[broken];
        let first_is_branch = self.span[a].0 > self.span[b].0;
        let (start, end) = self.span[if first_is_branch { a } else { b }];
        move |member| (start..end).contains(&self.span[member].0) == first_is_branch
    }

    /// The members of the two pieces that are left when bond number `broken` breaks, in the order
    /// of their identities; the piece with the first particle of the bond comes first.
    pub fn pieces(&self, broken: usize) -> [Vec<u32>; 2] {
        let first = self.sides(broken);
        let side = |wanted: bool| {
            let members = self.unit.members.iter().enumerate();
            members.filter(|(n, _)| first(*n) == wanted).map(|(_, &slot)| slot).collect()
        };
        [side(true), side(false)]
    }

    /// Its bonds from the first member outwards: each leads from a member already reached to a new
    /// one, both by their places in the unit.
    fn outwards(&self) -> Vec<[u32; 2]> {
        let mut steps: Vec<[usize; 2]> = self
            .ends
            .iter()
            .map(|&[a, b]| if self.span[a].0 < self.span[b].0 { [a, b] } else { [b, a] })
            .collect();
        steps.sort_unstable_by_key(|step| self.span[step[1]].0);
        steps.into_iter().map(|step| step.map(|member| member as u32)).collect()
    }

    /// Whether bond number `bond` holds an end of the tree: a member without another bond.
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

    /// Takes up a unit; its members then move with its diffusion coefficient. Returns its number.
    pub fn add_unit<const D: usize>(&mut self, unit: Unit, particles: &mut Particles<D>) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.units.push(None);
            (self.units.len() - 1) as u32
        });
        for &slot in &unit.members {
            particles.unit[slot as usize] = number;
            particles.diffusion_coefficient[slot as usize] = unit.diffusion_coefficient;
        }
        self.units[number as usize] = Some(unit);
        number
    }

    /// Gives a unit another diffusion coefficient. \[nm²/µs\]
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
            unit.outwards = unit.tree(particles).outwards();
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
        let of_unit = |(number, unit): (u32, &Unit)| {
            let is_member = |&slot: &u32| particles.unit.get(slot as usize) == Some(&number);
            let id_of = |&slot: &u32| particles.id[slot as usize];
            let all = unit.members.len() >= 2
                && unit.members.iter().all(is_member)
                && unit.members.windows(2).all(|two| id_of(&two[0]) < id_of(&two[1]));
            let joins = |id: &u64| unit.members.binary_search_by_key(id, id_of).is_ok();
            all && unit.bonds.len() + 1 == unit.members.len()
                && unit.bonds.iter().all(|bond| bond.ids[0] < bond.ids[1] && bond.ids.iter().all(joins))
                // As many bonds as a tree has, and all hangs together.
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
        for (number, unit) in self.units.iter().enumerate() {
            let Some(unit) = unit else { continue };
            assert_eq!(unit.bonds.len() + 1, unit.members.len(), "bonds form a tree: {unit:?}");
            assert!(unit.members.is_sorted_by_key(|&slot| particles.id[slot as usize]));
            for &slot in &unit.members {
                assert_eq!(particles.unit[slot as usize], number as u32, "{unit:?}");
            }
        }
        let inside = particles.unit.iter().filter(|&&unit| unit != ALONE).count();
        assert_eq!(
            inside,
            self.units.iter().flatten().map(|unit| unit.members.len()).sum::<usize>()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::Particle;
    use crate::space::Vector;

    /// A chain 5 - 1 - 4 with a branch 1 - 2 - 0 and, on 0, the leaf 3.
    #[test]
    fn a_bond_divides_its_unit_into_the_two_sides_that_it_joins() {
        let mut particles = Particles::<1>::default();
        for id in 0..6 {
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
        let bond = |a, b| Bond::new([a, b], 0);
        let bonds = vec![bond(0, 2), bond(0, 3), bond(1, 2), bond(1, 4), bond(1, 5)];
        let unit = Unit::new(9, (0..6).collect(), bonds, 1.0, &particles);
        let mut reached = vec![0];
        for [from, to] in &unit.outwards {
            assert!(reached.contains(from) && !reached.contains(to));
            reached.push(*to);
        }
        let tree = unit.tree(&particles);
        assert_eq!(tree.pieces(0), [vec![0, 3], vec![1, 2, 4, 5]]);
        assert_eq!(tree.pieces(1), [vec![0, 1, 2, 4, 5], vec![3]]);
        assert_eq!(tree.pieces(2), [vec![1, 4, 5], vec![0, 2, 3]]);
        assert_eq!(
            (0..5).map(|n| tree.is_end(n)).collect::<Vec<_>>(),
            [false, true, false, true, true]
        );
        let left = [bond(1, 4), bond(0, 3)];
        let parts = components(&unit.members, &left, &particles);
        let members: Vec<_> = parts.iter().map(|part| part.members.clone()).collect();
        assert_eq!(members, [vec![0, 3], vec![1, 4], vec![2], vec![5]]);
        assert_eq!(parts[0].bonds, [bond(0, 3)]);
    }
}
