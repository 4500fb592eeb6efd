//! What coalesced particles are made of, kept flat: a particle that swallows others one by one
//! would be nested as deep as it is large.

use serde::{Deserialize, Serialize};

/// A particle that rests inside a coalesced one, or that once did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its identity, which it takes up again when it is set free.
    pub id: u64,
    /// Its species.
    pub species: u16,
    /// \[nm\]
    pub radius: f64,
    /// \[nm²/µs\]
    pub diffusion_coefficient: f64,
    /// By how many periods along each axis its own unwrapped path is ahead of that of the particle
    /// that it rests in; 0 for one that is free. So its unwrapped path has no break when it is set
    /// free, and costs no bookkeeping until then.
    pub ahead: [i32; 3],
}

impl Part {
    /// The same, ahead of another carrier: of one that this one's carrier is `more` ahead of.
    fn ahead_by(self, more: [i32; 3]) -> Self {
        let ahead = std::array::from_fn(|k| self.ahead[k].wrapping_add(more[k]));
        Self { ahead, ..self }
    }
}

/// A particle and, if it is a coalesced one, what it is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// The particle.
    pub particle: Part,
    /// What it is made of.
    pub whole: Option<Whole>,
}

/// What a coalesced particle is made of: the particles that were never joined stand in a row, and
/// after those that were joined stands the particle that they became.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    nodes: Vec<Node>,
    size: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    particle: Part,
    join: Join,
}

/// How a particle came to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Join {
    /// It was never joined.
    Single,
    /// Two met: the nodes before make up the one and, the last `second` of them, the other.
    Pair { second: u32, rule: u16 },
    /// All singles before it are in a row, a piece of something larger that was cut.
    Row,
}

impl Whole {
    /// The whole that two pieces become when contact rule `rule` joins them to `particle`.
    pub fn of_pair(particle: Part, [first, second]: [Assembly; 2], rule: u16) -> Self {
        let size = first.size() + second.size();
        let mut nodes = first.into_nodes();
        let second = second.into_nodes();
        let join = Join::Pair { second: second.len() as u32, rule };
        nodes.extend(second);
        nodes.push(Node { particle, join });
        Self { nodes, size }
    }

    /// The whole that particles in a row are.
    pub fn of_row(particle: Part, row: impl Iterator<Item = Part>) -> Self {
        let mut nodes: Vec<Node> =
            row.map(|particle| Node { particle, join: Join::Single }).collect();
        let size = nodes.len() as u32;
        nodes.push(Node { particle, join: Join::Row });
        Self { nodes, size }
    }

    /// Whether its nodes are those of a tree, with as many singles as it says.
    pub(super) fn hangs_together(&self) -> bool {
        let is_single = |node: &&Node| node.join == Join::Single;
        let mut pieces = vec![(0, self.nodes.len())];
        while let Some((start, end)) = pieces.pop() {
            let Some((last, inside)) = self.nodes[start..end].split_last() else { return false };
            match last.join {
                Join::Single if inside.is_empty() => (),
                Join::Row if !inside.is_empty() && inside.iter().all(|node| is_single(&node)) => (),
                Join::Pair { second, .. } if (1..inside.len()).contains(&(second as usize)) => {
                    let middle = end - 1 - second as usize;
                    pieces.extend([(start, middle), (middle, end - 1)]);
                }
                _ => return false,
            }
        }
        self.nodes.len() > 1 && self.nodes.iter().filter(is_single).count() == self.size as usize
    }

    /// Every particle that it is or was on the way.
    pub fn particles(&self) -> impl Iterator<Item = &Part> {
        self.nodes.iter().map(|node| &node.particle)
    }

    /// The coalesced particle itself, as it was when it came to be.
    pub fn particle(&self) -> Part {
        self.nodes[self.nodes.len() - 1].particle
    }

    /// How many particles it holds in all, down to those that were never joined.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The rule that joined its last two parts; none for a piece that was cut out of another.
    pub fn rule(&self) -> Option<u16> {
        match self.nodes[self.nodes.len() - 1].join {
            Join::Pair { rule, .. } => Some(rule),
            Join::Single | Join::Row => None,
        }
    }

    /// The two that were joined last, if it is not a piece that was cut out of another, each with
    /// how many particles it holds.
    pub fn parts(&self) -> Option<[(Part, u32); 2]> {
        let last = self.nodes.len() - 1;
        let Join::Pair { second, .. } = self.nodes[last].join else { return None };
        let middle = last - second as usize;
        let size =
            |nodes: &[Node]| nodes.iter().filter(|node| node.join == Join::Single).count() as u32;
        // The smaller list is counted, which is short when a large one grows one by one.
        let [first_size, second_size] = if middle < last - middle {
            let first = size(&self.nodes[..middle]);
            [first, self.size - first]
        } else {
            let second = size(&self.nodes[middle..last]);
            [self.size - second, second]
        };
        Some([
            (self.nodes[middle - 1].particle, first_size),
            (self.nodes[last - 1].particle, second_size),
        ])
    }

    /// Takes it apart into the two that were joined last.
    pub fn split(mut self) -> Option<[Assembly; 2]> {
        let [(_, first_size), (_, second_size)] = self.parts()?;
        let root = self.nodes.pop()?;
        let Join::Pair { second, .. } = root.join else { return None };
        let second = self.nodes.split_off(self.nodes.len() - second as usize);
        Some([
            Assembly::from_nodes(self.nodes, first_size),
            Assembly::from_nodes(second, second_size),
        ])
    }

    /// The identity of each particle that it is or was on the way, once for one that it kept
    /// through a join.
    pub fn identities(&self) -> Vec<u64> {
        let id = |n: usize| self.nodes[n].particle.id;
        let mut ids = Vec::with_capacity(self.nodes.len());
        let mut pieces = vec![(0, self.nodes.len() - 1)];
        while let Some((start, root)) = pieces.pop() {
            let joined = match self.nodes[root].join {
                Join::Single => vec![],
                Join::Row => (start..root).collect(),
                Join::Pair { second, .. } => vec![root - second as usize - 1, root - 1],
            };
            // A product that continues one of the two that it is made of has its identity; it is counted
            // with that one.
            if !joined.iter().any(|&n| id(n) == id(root)) {
                ids.push(id(root));
            }
            match self.nodes[root].join {
                Join::Row => ids.extend(joined.into_iter().map(id)),
                _ => {
                    let starts =
                        std::iter::once(start).chain(joined.first().map(|first| first + 1));
                    pieces.extend(starts.zip(joined.iter().copied()));
                }
            }
        }
        ids
    }

    /// The particles that were never joined, in their row.
    pub fn singles(&self) -> impl Iterator<Item = Part> + '_ {
        self.nodes.iter().filter(|node| node.join == Join::Single).map(|node| node.particle)
    }

    /// The particles that were never joined, in their row, each as far ahead as it is of the whole
    /// itself.
    pub fn row(&self) -> Vec<Part> {
        let mut row = Vec::with_capacity(self.size as usize);
        // Where the nodes of a piece begin, the node that they make up, and by how much that is
        // ahead.
        let mut pieces = vec![(0, self.nodes.len() - 1, [0; 3])];
        while let Some((start, root, ahead)) = pieces.pop() {
            match self.nodes[root].join {
                Join::Single => row.push(Part { ahead, ..self.nodes[root].particle }),
                Join::Row => row.extend(
                    self.nodes[start..root].iter().map(|node| node.particle.ahead_by(ahead)),
                ),
                Join::Pair { second, .. } => {
                    let middle = root - second as usize;
                    // The second one first, since what is put down last is taken up first.
                    for (start, end) in [(middle, root), (start, middle)] {
                        pieces.push((
                            start,
                            end - 1,
                            self.nodes[end - 1].particle.ahead_by(ahead).ahead,
                        ));
                    }
                }
            }
        }
        row
    }

    /// Every particle that it is or was on the way: what tells one whole from another.
    pub fn history(&self) -> impl Iterator<Item = (Part, u64)> + '_ {
        self.nodes.iter().map(|node| {
            // Numbers of nodes need 32 bits, those of rules 16, so that no two joins have the same code.
            let code = match node.join {
                Join::Single => 0,
                Join::Row => 1,
                Join::Pair { second, rule } => 2 + (u64::from(second) << 16 | u64::from(rule)),
            };
            (node.particle, code)
        })
    }
}

impl Assembly {
    /// How many particles it holds, down to those that were never joined.
    pub fn size(&self) -> u32 {
        self.whole.as_ref().map_or(1, Whole::size)
    }

    fn into_nodes(self) -> Vec<Node> {
        match self.whole {
            None => vec![Node { particle: self.particle, join: Join::Single }],
            Some(whole) => {
                let mut nodes = whole.nodes;
                // It may have changed since: another state, another size.
                if let Some(last) = nodes.last_mut() {
                    last.particle = self.particle;
                }
                nodes
            }
        }
    }

    fn from_nodes(mut nodes: Vec<Node>, size: u32) -> Self {
        let last = nodes.len() - 1;
        let particle = nodes[last].particle;
        // What it is made of does not depend on what it was in.
        nodes[last].particle.ahead = [0; 3];
        let whole = (nodes.len() > 1).then_some(Whole { nodes, size });
        Self { particle, whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(id: u64) -> Part {
        Part { id, species: 0, radius: 1.0, diffusion_coefficient: 1.0, ahead: [0; 3] }
    }

    fn single(id: u64) -> Assembly {
        Assembly { particle: part(id), whole: None }
    }

    fn joined(id: u64, first: Assembly, second: Assembly) -> Assembly {
        Assembly {
            particle: part(id),
            whole: Some(Whole::of_pair(part(id), [first, second], id as u16)),
        }
    }

    #[test]
    fn what_was_joined_last_comes_apart_first() {
        let pair = joined(10, single(1), single(2));
        let four = joined(11, single(3), joined(12, pair.clone(), single(4)));
        let whole = four.whole.clone().unwrap();
        assert_eq!((whole.size(), whole.rule()), (4, Some(11)));
        assert_eq!(whole.singles().map(|p| p.id).collect::<Vec<_>>(), [3, 1, 2, 4]);
        assert_eq!(whole.parts().unwrap().map(|(part, size)| (part.id, size)), [(3, 1), (12, 3)]);
        let [three, rest] = whole.split().unwrap();
        assert_eq!(three, single(3));
        let [again, last] = rest.whole.unwrap().split().unwrap();
        assert_eq!((again, last), (pair, single(4)));
    }

    #[test]
    fn a_row_cannot_be_split_but_joined_to_others() {
        let row = Whole::of_row(part(20), (5..8).map(part));
        assert_eq!((row.size(), row.rule(), row.parts()), (3, None, None));
        let larger =
            joined(21, Assembly { particle: part(20), whole: Some(row) }, single(9)).whole.unwrap();
        assert_eq!(larger.singles().map(|p| p.id).collect::<Vec<_>>(), [5, 6, 7, 9]);
        assert_eq!(larger.split().unwrap()[0].size(), 3);
    }

    #[test]
    fn parts_know_by_how_much_their_paths_are_ahead_of_whatever_holds_them() {
        let ahead = |by: i32, of: Assembly| Assembly {
            particle: Part { ahead: [by, 0, 0], ..of.particle },
            ..of
        };
        let pair = joined(10, ahead(1, single(1)), ahead(-2, single(2)));
        let row = Assembly {
            particle: part(20),
            whole: Some(Whole::of_row(
                part(20),
                [Part { ahead: [7, 0, 0], ..part(5) }].into_iter(),
            )),
        };
        let three = joined(11, ahead(10, pair.clone()), ahead(3, single(3)));
        let whole = joined(12, ahead(100, row), ahead(-1000, three)).whole.unwrap();
        let far: Vec<_> = whole.row().iter().map(|part| (part.id, part.ahead[0])).collect();
        assert_eq!(far, [(5, 107), (1, -989), (2, -992), (3, -997)]);
        let [_, three] = whole.split().unwrap();
        assert_eq!(
            (three.particle.ahead[0], three.whole.as_ref().unwrap().particle().ahead[0]),
            (-1000, 0)
        );
        let [again, _] = three.whole.unwrap().split().unwrap();
        assert_eq!(again, ahead(10, pair));
    }

    #[test]
    fn an_identity_that_continues_through_joins_is_one() {
        let grown = joined(1, joined(1, single(1), single(2)), single(3));
        let row = Assembly {
            particle: part(5),
            whole: Some(Whole::of_row(part(5), [4, 5].map(part).into_iter())),
        };
        let mut ids = joined(20, grown.clone(), row).whole.unwrap().identities();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3, 4, 5, 20]);
        let mut twice = joined(3, grown, single(2)).whole.unwrap().identities();
        twice.sort_unstable();
        assert_eq!(twice, [1, 2, 2, 3, 3]);
    }

    #[test]
    fn nodes_that_are_no_tree_are_found_out() {
        let row = Whole::of_row(part(20), (5..8).map(part));
        let whole =
            joined(21, single(9), Assembly { particle: part(20), whole: Some(row.clone()) })
                .whole
                .unwrap();
        assert!(whole.hangs_together() && row.hangs_together());
        let but = |change: &dyn Fn(&mut Whole)| {
            let mut other = whole.clone();
            change(&mut other);
            other.hangs_together()
        };
        assert!(!but(&|whole| whole.size += 1));
        assert!(!but(&|whole| whole.nodes.clear()));
        assert!(!but(&|whole| whole.nodes.truncate(2)));
        assert!(!but(&|whole| whole.nodes[5].join = Join::Pair { second: 5, rule: 0 }));
        assert!(!but(&|whole| whole.nodes[5].join = Join::Single));
    }

    #[test]
    fn deep_wholes_are_dropped_without_running_out_of_stack() {
        let mut piece = single(0);
        for id in 1..100_000 {
            piece = joined(1_000_000 + id, piece, single(id));
        }
        assert_eq!(piece.size(), 100_000);
    }
}
