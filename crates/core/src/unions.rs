//! Sets that are joined, and joined again (union by the lower name, with path halving).

/// In place of a parent: none.
const NONE: u32 = u32::MAX;

/// Sets of names `0..n`.
#[derive(Debug, Default)]
pub struct Unions {
    /// A name that is in no set has none.
    parent: Vec<u32>,
    /// Which particles are in a set.
    members: Vec<u32>,
}

impl Unions {
    /// Makes room for so many names, all in no set.
    pub fn clear(&mut self, names: usize) {
        for name in self.members.drain(..) {
            self.parent[name as usize] = NONE;
        }
        self.parent.resize(names.max(self.parent.len()), NONE);
    }

    /// The lowest name in the set of `name`; itself if it is in no set.
    #[inline]
    pub fn root(&mut self, name: u32) -> u32 {
        if self.parent[name as usize] == NONE {
            return name;
        }
        let mut name = name;
        while self.parent[name as usize] != name {
            // Each name on the way is hung up one step higher (path halving), so that later ways
            // are short.
            let above = self.parent[self.parent[name as usize] as usize];
            self.parent[name as usize] = above;
            name = above;
        }
        name
    }

    /// The root of a name that is in a set from now on.
    #[inline]
    pub fn enter(&mut self, name: u32) -> u32 {
        if self.parent[name as usize] == NONE {
            self.parent[name as usize] = name;
            self.members.push(name);
            return name;
        }
        self.root(name)
    }

    /// Every particle that is in a set.
    pub fn members(&self) -> &[u32] {
        &self.members
    }

    /// Joins the sets of two names.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.enter(a), self.enter(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_name_stands_for_its_set() {
        let mut sets = Unions::default();
        sets.clear(9);
        for [a, b] in [[7, 3], [5, 8], [3, 8], [2, 6]] {
            sets.join(a, b);
        }
        assert_eq!([0, 2, 3, 5, 6, 7, 8].map(|name| sets.root(name)), [0, 2, 3, 3, 2, 3, 3]);
        assert_eq!(sets.members().len(), 6);
        sets.clear(9);
        assert_eq!(sets.root(8), 8);
    }
}
