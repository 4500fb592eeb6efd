//! A tree of boxes over the facets of a mesh (a bounding volume hierarchy; Ericson 2005, chapter
//! 6).
//!
//! Nodes stand in the order in which they are visited, each with the number of the node that comes
//! after all that is below it: a box that is missed is left by one jump, and to go through the tree
//! takes no stack. Facets are halved along the axis on which their middles spread most, by
//! coordinate and number, so that the tree is a function of the mesh.

use super::{Facet, Vector};

/// Facets that are not distinguished further.
const LEAF: usize = 4;
/// More than the depth of any tree: it halves at most 2^32 facets.
const DEEPEST: usize = 64;

/// A box, and what is in it.
#[derive(Clone, Debug, PartialEq)]
struct BoxNode<const D: usize> {
    low: Vector<D>,
    high: Vector<D>,
    /// The next node that is not below this one.
    after: u32,
    /// Its first facet, if it is a leaf, and how many it has: none otherwise.
    first: u32,
    count: u32,
}

/// What goes through a tree.
pub(crate) trait Visitor<const D: usize> {
    /// Whether it wants to see what is in the box between `low` and `high`.
    fn enters(&self, low: Vector<D>, high: Vector<D>) -> bool;
    /// Sees a facet in a box that it entered.
    fn sees(&mut self, facet: &Facet<D>);
}

/// Boxes around boxes around facets.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BoxTree<const D: usize> {
    nodes: Vec<BoxNode<D>>,
    facets: Vec<Facet<D>>,
}

impl<const D: usize> BoxTree<D> {
    /// The tree over these facets, of which there is at least one.
    pub(super) fn new(mut facets: Vec<Facet<D>>) -> Self {
        let mut nodes = Vec::with_capacity(facets.len());
        grow(&mut nodes, &mut facets, 0);
        Self { nodes, facets }
    }

    /// The box around all. \[length\]
    pub(super) fn bounds(&self) -> [Vector<D>; 2] {
        [self.nodes[0].low, self.nodes[0].high]
    }

    /// The facets in the order of the leaves.
    pub(super) fn facets(&self) -> &[Facet<D>] {
        &self.facets
    }

    /// Where each facet stands in the order of the leaves. \[facet\]
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.facets.len()];
        (0..).zip(&self.facets).for_each(|(place, facet)| places[facet.number as usize] = place);
        places
    }

    /// Turns round the facets that `turned` names.
    pub(super) fn turn(&mut self, turned: impl Fn(u32) -> bool) {
        self.facets.iter_mut().filter(|facet| turned(facet.number)).for_each(Facet::turn);
    }

    /// Shows the visitor all facets in boxes that it enters.
    #[inline]
    pub(super) fn walk(&self, visitor: &mut impl Visitor<D>) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if visitor.enters(node.low, node.high) {
                self.leaf(node).iter().for_each(|facet| visitor.sees(facet));
                at += 1;
            } else {
                at = node.after as usize;
            }
        }
    }

    fn leaf(&self, node: &BoxNode<D>) -> &[Facet<D>] {
        &self.facets[node.first as usize..][..node.count as usize]
    }

    /// The number of the facet nearest to `point`, of several the lowest, and the vector from there
    /// to `point`; none if all are farther than `within`. Boxes are believed to be `rounding`
    /// nearer than they seem.
    pub(super) fn nearest(
        &self,
        point: Vector<D>,
        within: f64,
        rounding: f64,
    ) -> Option<(u32, Vector<D>)> {
        let away = |at: usize| {
            let BoxNode { low, high, .. } = &self.nodes[at];
            Vector::<D>::from_fn(|k| (low[k] - point[k]).max(point[k] - high[k]).max(0.0)).norm()
        };
        let mut nearest: Option<(u32, Vector<D>)> = None;
        let mut least = within;
        let mut pending = [0; DEEPEST];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let at: usize = pending[count];
            let node = &self.nodes[at];
            if away(at) > least + rounding {
                continue;
            }
            for facet in self.leaf(node) {
                let offset = facet.offset(point, 0.0);
                let distance = offset.norm();
                let before = |&(number, _): &(u32, _)| distance < least || facet.number < number;
                if distance <= least && nearest.as_ref().is_none_or(before) {
                    (least, nearest) = (distance, Some((facet.number, offset)));
                }
            }
            if node.count == 0 {
                let (left, right) = (at + 1, self.nodes[at + 1].after as usize);
                let (near, far) =
                    if away(left) <= away(right) { (left, right) } else { (right, left) };
                pending[count] = far;
                pending[count + 1] = near;
                count += 2;
            }
        }
        nearest
    }
}

/// Appends the tree over `facets`, the first of which has place `first` among all.
fn grow<const D: usize>(nodes: &mut Vec<BoxNode<D>>, facets: &mut [Facet<D>], first: u32) {
    let at = nodes.len();
    let [low, high] = around(facets.iter().flat_map(|facet| facet.bounds()));
    nodes.push(BoxNode { low, high, after: 0, first, count: 0 });
    if facets.len() <= LEAF {
        facets.sort_unstable_by_key(|facet| facet.number);
        nodes[at].count = facets.len() as u32;
    } else {
        let [low, high] = around(facets.iter().map(Facet::middle));
        let spread = high - low;
        let axis = (1..D).fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
        let half = facets.len() / 2;
        let place = |facet: &Facet<D>| facet.middle()[axis];
        facets.select_nth_unstable_by(half, |a, b| {
            place(a).total_cmp(&place(b)).then(a.number.cmp(&b.number))
        });
        let (left, right) = facets.split_at_mut(half);
        grow(nodes, left, first);
        grow(nodes, right, first + half as u32);
    }
    nodes[at].after = nodes.len() as u32;
}

/// The box around points.
fn around<const D: usize>(points: impl Iterator<Item = Vector<D>>) -> [Vector<D>; 2] {
    let nothing = [Vector([f64::INFINITY; D]), Vector([f64::NEG_INFINITY; D])];
    points.fold(nothing, |[low, high], point| {
        [Vector::from_fn(|k| low[k].min(point[k])), Vector::from_fn(|k| high[k].max(point[k]))]
    })
}
