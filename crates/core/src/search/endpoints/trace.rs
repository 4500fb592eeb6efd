//! Sorting watched exchange by exchange: how Schinner (1999) prints his worked example.

use super::{Endpoint, Endpoints, Exchange, Places, Ring, sort};

/// A step of insertion sort: a row of Schinner's Table 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortStep {
    /// The endpoints that were in order before it, `b1` for the beginning of the first interval.
    pub sorted: Vec<String>,
    /// The one that finds its place.
    pub actual: String,
    /// Those that wait.
    pub unsorted: Vec<String>,
    /// What it changes places with, and what this does to the list of overlapping pairs.
    pub exchanges: Vec<([String; 2], ListChange)>,
}

/// What an exchange does to the list of overlapping pairs; counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListChange {
    /// No change.
    None,
    /// The pair comes in.
    Added([u32; 2]),
    /// The pair goes out.
    Removed([u32; 2]),
}

/// Intervals whose exchanges are noted.
struct Watched {
    endpoints: Endpoints<1>,
    /// Where, and what it did.
    noted: Vec<(usize, Exchange)>,
}

impl Ring for Watched {
    fn count(&self) -> usize {
        self.endpoints.count()
    }

    fn at(&self, rank: usize) -> Endpoint {
        self.endpoints.at(0, rank)
    }

    fn rank_of(&self, endpoint: Endpoint) -> usize {
        self.endpoints.rank_of(0, endpoint)
    }

    fn exchange(&mut self, rank: usize) {
        let change = self.endpoints.exchange(0, rank);
        self.noted.push((rank, change));
    }
}

/// Sorts intervals along a line, which were at `before` and are at `after`, by insertion, and tells
/// of each step. `[begin, end]` of each.
pub fn sort_step_by_step(before: &[[f64; 2]], after: &[[f64; 2]]) -> Vec<SortStep> {
    let particles = before.len() as u32;
    let mut places = Places::new(before.len(), None);
    (0..particles).for_each(|particle| places.put(particle, before[particle as usize], 0.0));
    let mut endpoints = Endpoints::default();
    endpoints.build(before.len(), |_| true, |_, endpoint| places.of(endpoint));
    let mut order: Vec<Endpoint> =
        (0..endpoints.count()).map(|rank| endpoints.at(0, rank)).collect();
    (0..particles).for_each(|particle| places.follow(particle, after[particle as usize]));
    let mut watched = Watched { endpoints, noted: Vec::new() };
    sort(&mut watched, &mut places, u64::MAX);
    let mut noted = watched.noted.into_iter().peekable();
    (1..order.len())
        .map(|start| {
            let names = |part: &[Endpoint]| part.iter().map(|&e| name(e)).collect::<Vec<_>>();
            let mut step = SortStep {
                sorted: names(&order[..start]),
                actual: name(order[start]),
                unsorted: names(&order[start + 1..]),
                exchanges: Vec::new(),
            };
            // The exchanges of this one go down from its place.
            let mut rank = start;
            while rank > 0 && noted.peek().is_some_and(|(at, _)| *at == rank - 1) {
                let Some((_, change)) = noted.next() else { break };
                rank -= 1;
                step.exchanges.push(([order[rank], order[rank + 1]].map(name), change.into()));
                order.swap(rank, rank + 1);
            }
            step
        })
        .collect()
}

fn name(endpoint: Endpoint) -> String {
    format!("{}{}", if endpoint.is_end() { 'e' } else { 'b' }, endpoint.owner() + 1)
}

impl From<Exchange> for ListChange {
    fn from(exchange: Exchange) -> Self {
        let counted = |pair: [u32; 2]| [pair[0].min(pair[1]) + 1, pair[0].max(pair[1]) + 1];
        match exchange {
            Exchange::Unchanged => Self::None,
            Exchange::Gained(pair) => Self::Added(counted(pair)),
            Exchange::Lost(pair) => Self::Removed(counted(pair)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schinners_table_2_is_reported_row_by_row() {
        let before = [[0.0, 2.0], [1.0, 3.0], [4.0, 5.0]];
        let after = [[1.0, 2.0], [0.0, 4.0], [3.0, 5.0]];
        let steps = sort_step_by_step(&before, &after);
        let rows: Vec<String> = steps
            .iter()
            .map(|step| {
                format!("{} | {} | {}", step.sorted.join(" "), step.actual, step.unsorted.join(" "))
            })
            .collect();
        let printed = [
            "b1 | b2 | e1 e2 b3 e3",
            "b2 b1 | e1 | e2 b3 e3",
            "b2 b1 e1 | e2 | b3 e3",
            "b2 b1 e1 e2 | b3 | e3",
            "b2 b1 e1 b3 e2 | e3 | ",
        ];
        assert_eq!(rows, printed);
        let exchanges: Vec<_> = steps.iter().map(|step| step.exchanges.clone()).collect();
        let pair = |p: &str, q: &str, change| vec![([p.to_owned(), q.to_owned()], change)];
        let none = Vec::new();
        let first = pair("b1", "b2", ListChange::None);
        assert_eq!(
            exchanges,
            [first, none.clone(), none.clone(), pair("e2", "b3", ListChange::Added([2, 3])), none]
        );
    }
}
