//! What a reaction of molecules with sites does: it follows from what differs between the left side
//! and the right side, in BioNetGen's notation.

use std::collections::BTreeSet;

use crate::notation::{Link, Molecule, complex, written};

/// A reaction of molecules.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transformation {
    /// The complexes of the left side.
    pub(super) left: Vec<Vec<Molecule>>,
    pub(super) effect: Effect,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Effect {
    /// A molecule of each of two complexes binds that of the other.
    Bind(BondChange),
    /// Two molecules of a complex lose their bond.
    Unbind(BondChange),
    /// Molecules of complexes change their states or go, and others come to be.
    Change(Alteration),
    /// A molecule comes to be.
    Create(Molecule),
}

/// What becomes of complexes in which no bond is made, and none breaks but those of what goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Alteration {
    /// For each complex the molecule that another one touches, or beside which others come to be, and
    /// what becomes of it; none if it goes.
    pub(super) roots: Vec<(usize, Option<Molecule>)>,
    /// Of which complex further molecules change or go, which ones, and what becomes of them.
    pub(super) others: Vec<(usize, usize, Option<Molecule>)>,
    /// The molecules that come to be.
    pub(super) products: Vec<Molecule>,
}

impl Alteration {
    /// Whether all that reacts goes.
    pub(super) fn leaves_none(&self) -> bool {
        let stays = |after: &Option<Molecule>| after.is_some();
        !self.roots.iter().any(|(_, after)| stays(after))
            && !self.others.iter().any(|(.., after)| stays(after))
    }

    /// Whether only states change.
    pub(super) fn keeps_all(&self) -> bool {
        let stays = |after: &Option<Molecule>| after.is_some();
        self.products.is_empty()
            && self.roots.iter().all(|(_, after)| stays(after))
            && self.others.iter().all(|(.., after)| stays(after))
    }

    /// What becomes of a molecule of complex number `complex`; none if it stays as it is.
    pub(super) fn fate(&self, complex: usize, molecule: usize) -> Option<&Option<Molecule>> {
        let (root, after) = &self.roots[complex];
        let is_it = |(c, m, _): &&(usize, usize, Option<Molecule>)| (*c, *m) == (complex, molecule);
        let other = || self.others.iter().find(is_it).map(|(.., after)| after);
        if *root == molecule { Some(after) } else { other() }
    }
}

/// A bond that is made or breaks, and with it the states of the two that it joins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BondChange {
    pub(super) ends: [SiteEnd; 2],
    /// What the molecule at each end becomes; none if its states stay as they are.
    pub(super) after: [Option<Molecule>; 2],
}

/// A site of a molecule, by their places in the complex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SiteEnd {
    pub(super) molecule: usize,
    pub(super) mention: usize,
}

/// A molecule's mention of a site: complex, molecule, mention.
type At = (usize, usize, usize);

impl Transformation {
    /// What turns the complexes on the left side into those on the right.
    pub(super) fn new(left: &[String], right: &[String]) -> Result<Self, String> {
        let (left, right) = (side(left)?, side(right)?);
        if left.is_empty() {
            let [product] = right.as_slice() else { return Err(ONE_CREATED.to_owned()) };
            let [molecule] = product.as_slice() else { return Err(ONE_CREATED.to_owned()) };
            return Ok(Self { effect: Effect::Create(molecule.clone()), left });
        }
        let (_, [gone, new]) = partners(&left, &right);
        let mut right = right;
        let products: Vec<Molecule> = new.iter().map(|(c, m)| right[*c][*m].clone()).collect();
        if new.iter().any(|(c, _)| right[*c].len() > 1) {
            return Err(NOT_SINGLE.to_owned());
        }
        for (c, _) in new.iter().rev() {
            right.remove(*c);
        }
        let (partner, _) = partners(&left, &right);
        let (before, after) = (bonds(&left), bonds(&right));
        let onward = |(c, m, _): At| Some(partner.iter().find(|(from, _)| *from == (c, m))?.1);
        let backward = |(c, m, _): At| Some(partner.iter().find(|(_, to)| *to == (c, m))?.0);
        let goes = |(c, m, _): &At| gone.contains(&(*c, *m));
        let before: BTreeSet<[At; 2]> = before
            .iter()
            .filter(|ends| !ends.iter().any(goes))
            .map(|ends| ordered(ends.map(|end| moved(end, onward(end), &left, &right))))
            .collect();
        let after: BTreeSet<[At; 2]> = after.into_iter().map(ordered).collect();
        let made: Vec<_> = after.difference(&before).copied().collect();
        let broken: Vec<_> = before.difference(&after).copied().collect();
        let changed = changed(&left, &right, &partner)?;
        let back = |end: At| moved(end, backward(end), &right, &left);
        let effect = match (made.as_slice(), broken.as_slice()) {
            ([], []) if changed.is_empty() && gone.is_empty() && products.is_empty() => {
                return Err("nothing would change: both sides are the same".to_owned());
            }
            ([], []) => Effect::Change(altered(&left, changed, &gone, products)),
            _ if !gone.is_empty() || !products.is_empty() => {
                return Err(
                    "a bond is made or broken and a molecule comes or goes at once: write a rule for each"
                        .to_owned(),
                );
            }
            ([ends], []) => {
                let ends = ordered(ends.map(back));
                if left.len() != 2 || ends.map(|(complex, ..)| complex) != [0, 1] {
                    return Err(ONE_COMPLEX.to_owned());
                }
                Effect::Bind(bond_change(ends, changed)?)
            }
            ([], [_]) if left.len() != 1 => {
                return Err("a bond breaks by itself: write one complex on the left".to_owned());
            }
            ([], [ends]) => Effect::Unbind(bond_change(ordered(ends.map(back)), changed)?),
            _ => {
                return Err(format!(
                    "{} bonds are made and {} broken at once: write a rule for each",
                    made.len(),
                    broken.len()
                ));
            }
        };
        Ok(Self { left, effect })
    }

    /// The binding of two complexes, each at a site that is free: `on` and `at` of a bind rule.
    pub(super) fn binding(on: [&str; 2], at: [&str; 2]) -> Result<Self, String> {
        let mut left = side(&on.map(str::to_owned))?;
        let mut ends = [SiteEnd { molecule: 0, mention: 0 }; 2];
        for ((complex, site), end) in left.iter_mut().zip(at).zip(&mut ends) {
            let molecule = &mut complex[0];
            let found = molecule.sites.iter().position(|mention| mention.name == site);
            if let Some(n) = found
                && molecule.sites[n].bond != Link::Free
            {
                return Err(format!(
                    "{molecule}: site \"{site}\" is to be bound, but it is bound already: write it without `!`"
                ));
            }
            // A site that is not mentioned could be anything, but it has to be free.
            end.mention = found.unwrap_or_else(|| {
                molecule.sites.push(crate::notation::Mention::free(site));
                molecule.sites.len() - 1
            });
        }
        Ok(Self { left, effect: Effect::Bind(BondChange { ends, after: [None, None] }) })
    }

    /// The loss of the bond between the first two molecules of a complex.
    pub(super) fn unbinding(on: &str) -> Result<Self, String> {
        let left = side(&[on.to_owned()])?;
        let complex = &left[0];
        let [first, second, ..] = complex.as_slice() else {
            return Err(format!("\"{on}\" has no bond that could break, as in \"A(b!1).B(a!1)\""));
        };
        let bond = first.sites.iter().enumerate().find_map(|(n, site)| {
            let Link::Numbered(_) = site.bond else { return None };
            let m = second.sites.iter().position(|other| other.bond == site.bond)?;
            Some([SiteEnd { molecule: 0, mention: n }, SiteEnd { molecule: 1, mention: m }])
        });
        let Some(ends) = bond else {
            return Err(format!("\"{on}\": the first two molecules have no bond that could break"));
        };
        Ok(Self { left, effect: Effect::Unbind(BondChange { ends, after: [None, None] }) })
    }
}

const NOT_SINGLE: &str = "molecules come and go in complexes here: single molecules can be made, converted or taken away; \
                          one of a complex can go, as in \"A(b!1).B(a!1) -> A(b)\"";
const ONE_COMPLEX: &str = "the two that bind must be in two complexes, each with a `+` between them: a bond within \
                           one complex would close a ring";
const ONE_CREATED: &str = "one molecule comes to be at a time: write a rule for each";

fn side(texts: &[String]) -> Result<Vec<Vec<Molecule>>, String> {
    let read = |text: &String| complex(text).map_err(|error| format!("\"{text}\", {error}"));
    let complexes: Vec<Vec<Molecule>> = texts.iter().map(read).collect::<Result<_, _>>()?;
    match complexes.iter().find(|complex| !is_tree(complex)) {
        None => Ok(complexes),
        Some(complex) => Err(format!(
            "\"{}\": the molecules of a complex must hang together by one chain of bonds, without a ring",
            written(complex)
        )),
    }
}

/// Whether bonds join all molecules, and none closes a ring.
fn is_tree(complex: &[Molecule]) -> bool {
    let bonds = bonds(&[complex.to_vec()]);
    let mut reached = BTreeSet::from([0]);
    for _ in 0..complex.len() {
        for [a, b] in &bonds {
            if reached.contains(&a.1) || reached.contains(&b.1) {
                reached.extend([a.1, b.1]);
            }
        }
    }
    bonds.len() + 1 == complex.len() && reached.len() == complex.len()
}

fn bonds(complexes: &[Vec<Molecule>]) -> Vec<[At; 2]> {
    let mut found: Vec<[At; 2]> = Vec::new();
    for (c, complex) in complexes.iter().enumerate() {
        let mentions = complex.iter().enumerate().flat_map(|(m, molecule)| {
            molecule.sites.iter().enumerate().map(move |(n, site)| ((c, m, n), site.bond))
        });
        let mut open: Vec<(At, Link)> = Vec::new();
        for (at, bond) in mentions.filter(|(_, bond)| matches!(bond, Link::Numbered(_))) {
            match open.iter().position(|(_, other)| *other == bond) {
                Some(n) => found.push([open.swap_remove(n).0, at]),
                None => open.push((at, bond)),
            }
        }
    }
    found
}

/// The molecule on the right that each molecule on the left becomes: the first of its name that is
/// left over, and that mentions the same sites if there is one. Those on the left that become none, and those on the right that come from none.
fn partners(
    left: &[Vec<Molecule>],
    right: &[Vec<Molecule>],
) -> (Vec<Partners>, [Vec<MoleculePlace>; 2]) {
    let all = |side: &[Vec<Molecule>]| -> Vec<(MoleculePlace, String)> {
        let numbered = side.iter().enumerate().flat_map(|(c, complex)| {
            complex.iter().enumerate().map(move |(m, molecule)| ((c, m), molecule.name.clone()))
        });
        numbered.collect()
    };
    let mut open = all(right);
    let (mut found, mut gone) = (Vec::new(), all(left));
    let sites = |side: &[Vec<Molecule>], (c, m): MoleculePlace| {
        let mut names: Vec<String> =
            side[c][m].sites.iter().map(|site| site.name.clone()).collect();
        names.sort_unstable();
        names
    };
    // Those that mention the same sites belong together before others of their name do.
    for by_sites in [true, false] {
        gone.retain(|(at, name)| {
            let fits = |(to, other): &(MoleculePlace, String)| {
                other == name && (!by_sites || sites(left, *at) == sites(right, *to))
            };
            let twin = open.iter().position(fits).map(|n| open.remove(n).0);
            found.extend(twin.map(|to| (*at, to)));
            twin.is_none()
        });
    }
    found.sort_unstable();
    let places = |list: Vec<(MoleculePlace, String)>| list.into_iter().map(|(at, _)| at).collect();
    (found, [places(gone), places(open)])
}

/// A molecule's place on one side: complex, molecule.
type MoleculePlace = (usize, usize);

/// The place of a molecule on the left, and on the right.
type Partners = (MoleculePlace, MoleculePlace);

/// A mention on one side, as it is on the other, where `to` is what its molecule is. One that is not
/// mentioned there stays apart.
fn moved(
    (c, m, n): At,
    to: Option<MoleculePlace>,
    here: &[Vec<Molecule>],
    there: &[Vec<Molecule>],
) -> At {
    let found = to.and_then(|(tc, tm)| Some((tc, tm, twin(&here[c][m], n, &there[tc][tm])?)));
    found.unwrap_or((usize::MAX, m, n))
}

/// The mention of `to` that is the same site as mention `n` of `from`: of those that are called
/// alike, the one with the same number in the row.
fn twin(from: &Molecule, n: usize, to: &Molecule) -> Option<usize> {
    let name = &from.sites[n].name;
    let before = from.sites[..n].iter().filter(|site| site.name == *name).count();
    let mut alike = to.sites.iter().enumerate().filter(|(_, site)| site.name == *name);
    alike.nth(before).map(|(n, _)| n)
}

fn ordered([a, b]: [At; 2]) -> [At; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// The molecules on the left whose states change, and what they become: their sites in the same order.
fn changed(
    left: &[Vec<Molecule>],
    right: &[Vec<Molecule>],
    partner: &[Partners],
) -> Result<Vec<(MoleculePlace, Molecule)>, String> {
    let mut found = Vec::new();
    for &((c, m), (rc, rm)) in partner {
        let (before, after) = (&left[c][m], &right[rc][rm]);
        let mut becomes = before.clone();
        for (n, site) in after.sites.iter().enumerate() {
            let Some(twin) = twin(after, n, before) else {
                return Err(format!(
                    "site \"{}\" of {} is on the right only: write it on both sides",
                    site.name, after.name
                ));
            };
            if !site.states.is_empty() {
                becomes.sites[twin].states.clone_from(&site.states);
            }
        }
        if let Some(site) = (0..before.sites.len()).find(|&n| twin(before, n, after).is_none()) {
            return Err(format!(
                "site \"{}\" of {} is on the left only: write it on both sides",
                before.sites[site].name, before.name
            ));
        }
        if becomes != *before {
            found.push(((c, m), becomes));
        }
    }
    Ok(found)
}

/// What becomes of the molecules that change or go, and which of each complex is touched: the first of
/// them or, if others come to be, the first that stays, if any does.
fn altered(
    left: &[Vec<Molecule>],
    changed: Vec<(MoleculePlace, Molecule)>,
    gone: &[MoleculePlace],
    products: Vec<Molecule>,
) -> Alteration {
    let mut found = Alteration { products, ..Alteration::default() };
    for (c, complex) in left.iter().enumerate() {
        let mut fates: Vec<(usize, Option<Molecule>)> = Vec::new();
        fates.extend(gone.iter().filter(|(of, _)| *of == c).map(|(_, m)| (*m, None)));
        let own = changed.iter().filter(|((of, _), _)| *of == c);
        fates.extend(own.map(|((_, m), after)| (*m, Some(after.clone()))));
        fates.sort_unstable_by_key(|(m, _)| *m);
        let is_root =
            |(_, after): &(usize, Option<Molecule>)| found.products.is_empty() || after.is_some();
        let root = match fates.iter().position(is_root) {
            Some(n) => fates.remove(n),
            None => {
                let stays = |m: &usize| fates.iter().all(|(other, _)| other != m);
                match (0..complex.len()).find(stays) {
                    Some(m) => (m, Some(complex[m].clone())),
                    // What comes takes the place of the first that goes.
                    None => fates.remove(0),
                }
            }
        };
        found.roots.push(root);
        found.others.extend(fates.into_iter().map(|(m, after)| (c, m, after)));
    }
    found
}

/// A bond between these ends, with the states that change with it.
fn bond_change(
    ends: [At; 2],
    mut changed: Vec<(MoleculePlace, Molecule)>,
) -> Result<BondChange, String> {
    let after = ends.map(|(complex, molecule, _)| {
        let own = changed.iter().position(|(at, _)| *at == (complex, molecule))?;
        Some(changed.swap_remove(own).1)
    });
    match changed.first() {
        None => Ok(BondChange { ends: ends.map(end), after }),
        Some((_, other)) => Err(format!(
            "the state of {} changes, which is at neither end of the bond: write a rule for the bond and one for \
             this state",
            other.name
        )),
    }
}

fn end((_, molecule, mention): At) -> SiteEnd {
    SiteEnd { molecule, mention }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(left: &str, right: &str) -> Result<Effect, String> {
        let side = |text: &str| -> Vec<String> {
            text.split(" + ").filter(|term| *term != "0").map(str::to_owned).collect()
        };
        Transformation::new(&side(left), &side(right)).map(|found| found.effect)
    }

    fn at(molecule: usize, mention: usize) -> SiteEnd {
        SiteEnd { molecule, mention }
    }

    #[test]
    fn what_happens_follows_from_what_differs() {
        let plain = |ends| BondChange { ends, after: [None, None] };
        let bind = Effect::Bind(plain([at(0, 1), at(0, 0)]));
        assert_eq!(of("A(s~p,b) + B(a)", "A(s~p,b!1).B(a!1)"), Ok(bind.clone()));
        assert_eq!(of("A(s,b) + B(a)", "B(a!7).A(s,b!7)"), Ok(bind));
        assert_eq!(
            of("A(b) + C(x!1,y).B(c!1)", "A(b!2).C(x!1,y!2).B(c!1)"),
            Ok(Effect::Bind(plain([at(0, 0), at(0, 1)])))
        );
        let unbind = Effect::Unbind(plain([at(0, 0), at(1, 0)]));
        assert_eq!(of("A(b!1).B(a!1)", "A(b) + B(a)"), Ok(unbind));
        // States of the two ends may change with the bond, in whichever order their sites are written.
        let Ok(Effect::Unbind(BondChange { ends, after: [None, Some(after)] })) =
            of("A(b!1).B(a!1,s~u,t~x)", "B(t~x,s~p,a) + A(b)")
        else {
            panic!("a release with a change of state")
        };
        assert_eq!((ends, after.to_string()), ([at(0, 0), at(1, 0)], "B(a!1,s~p,t~x)".to_owned()));
        let bound = of("A(b,s~u) + A(b,s~u)", "A(b!1,s~p).A(b!1,s~u)");
        assert!(matches!(bound, Ok(Effect::Bind(BondChange { after: [Some(_), None], .. }))));
        // Of each complex the molecule that is touched, then others: what becomes of each.
        for (left, right, roots, others, products) in [
            ("K(a!1).R(k!1,y~u)", "K(a!1).R(k!1,y~p)", "1 R(k!1,y~p)", "", ""),
            ("K(a~p) + R(y~u)", "K(a~p) + R(y~p)", "0 K(a~p) 0 R(y~p)", "", ""),
            ("A(b!1).B(a!1,t~u)", "A(b!1).B(a!1,t~p) + C(x)", "1 B(a!1,t~p)", "", "C(x)"),
            ("A(b!1).B(a!1)", "A(b)", "1 -", "", ""),
            ("A(b!1).B(a!1)", "B(a)", "0 -", "", ""),
            ("A(b!1).B(a!1,c!2).C(b!2)", "A(b) + C(b)", "1 -", "", ""),
            ("A(b!1).B(a!1)", "0", "0 -", "1 -", ""),
            ("A(s)", "0", "0 -", "", ""),
            ("A(s)", "B(t~p)", "0 -", "", "B(t~p)"),
            ("A(b!1).B(a!1) + K(a)", "K(a) + C(x)", "0 - 0 K(a)", "1 -", "C(x)"),
            ("A(b!1).B(a!1,t~u)", "B(a,t~p)", "0 -", "1 B(a!1,t~p)", ""),
            ("A(b!1).B(a!1)", "B(a) + C(x)", "1 B(a!1)", "0 -", "C(x)"),
            ("A(s~u,b!1).B(a!1,t~u)", "A(s~p,b!1).B(a!1,t~p)", "0 A(s~p,b!1)", "1 B(a!1,t~p)", ""),
            // The one that stays is the first that mentions the same sites.
            ("A(b!1).A(c!1)", "A(c)", "0 -", "", ""),
            ("A(b!1,s~u).A(b!1,s~p)", "A(b,s~u)", "1 -", "", ""),
        ] {
            let Ok(Effect::Change(found)) = of(left, right) else { panic!("{left} -> {right}") };
            let after = |m: &usize, after: &Option<Molecule>| {
                format!("{m} {}", after.as_ref().map_or("-".to_owned(), Molecule::to_string))
            };
            let texts: Vec<String> = found.roots.iter().map(|(m, of)| after(m, of)).collect();
            assert_eq!(texts.join(" "), roots, "{left} -> {right}");
            let texts: Vec<String> = found.others.iter().map(|(_, m, of)| after(m, of)).collect();
            assert_eq!(texts.join(" "), others, "{left} -> {right}");
            assert_eq!(written(&found.products), products, "{left} -> {right}");
        }
        assert!(matches!(of("0", "A(s~p)"), Ok(Effect::Create(_))));
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        for (left, right, said) in [
            ("A(b!1).B(a!1,c!2).C(b!2,s~u)", "A(b) + B(a,c!2).C(b!2,s~p)", "at neither end"),
            ("A(b,c) + B(a,d)", "A(b!1,c!2).B(a!1,d!2)", "without a ring"),
            ("A(b!1,x).B(a!1,y)", "A(b,x!1).B(a,y!1)", "1 bonds are made and 1 broken at once"),
            ("A(s~u)", "A(s~u)", "nothing would change"),
            ("A(s~u)", "A(t~p)", "is on the right only"),
            ("A(b!1).B(a!1)", "A(b) + B(a) + C(x)", "and a molecule comes or goes at once"),
            ("A(b)", "A(b) + B(a!1).C(b!1)", "single molecules can be made"),
            ("A(b!1).B(a!1,c!2)", "0", "bond 2 has one end"),
            ("A(b)", "A(b!1).A(b!1)", "single molecules can be made"),
            ("0", "A(b) + B(a)", "one molecule comes to be at a time"),
        ] {
            let error = of(left, right).unwrap_err();
            assert!(error.contains(said), "{left} -> {right}: {error}");
        }
    }

    #[test]
    fn on_and_at_name_the_sites_that_bind() {
        let found = Transformation::binding(["A(s~p)", "B(a)"], ["b", "a"]).unwrap();
        let plain = |ends| BondChange { ends, after: [None, None] };
        assert_eq!(found.effect, Effect::Bind(plain([at(0, 1), at(0, 0)])));
        assert_eq!(found.left[0][0].to_string(), "A(s~p,b)");
        let error = Transformation::binding(["A(b!+)", "B(a)"], ["b", "a"]).unwrap_err();
        assert!(error.contains("bound already"), "{error}");
        let found = Transformation::unbinding("A(b!1,x~p).B(a!1)").unwrap();
        assert_eq!(found.effect, Effect::Unbind(plain([at(0, 0), at(1, 0)])));
        assert!(Transformation::unbinding("A(b)").is_err());
    }
}
