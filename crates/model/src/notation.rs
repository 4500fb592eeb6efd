//! BioNetGen's notation for molecules: `EGFR(l!1,Y1068~p).EGF(r!1)`.
//!
//! A dot joins molecules of one complex. For each site, `~p` is its state (`~?` or nothing: any),
//! `!1` the bond that it has, `!+` some bond, `!?` a bond or none; nothing means that it is free.

use std::fmt;

/// A molecule as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Molecule {
    /// Of its species.
    pub name: String,
    /// The sites that are mentioned.
    pub sites: Vec<Mention>,
}

/// What is written of one site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Its name.
    pub name: String,
    /// Its states: none if it may be in any, several only where a molecule type is declared.
    pub states: Vec<String>,
    /// What is bound to it.
    pub bond: Link,
}

/// What is bound to a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// No bond.
    Free,
    /// The other site with the same number.
    Numbered(u32),
    /// A bond to any partner.
    Bound,
    /// Something or nothing.
    Either,
}

/// Why a rule cannot be for a complex that can be touched at so many molecules alike, one of which
/// is molecule `root`.
pub(crate) fn touched_at_several(complex: &[Molecule], root: usize, count: usize) -> String {
    let mut one = complex[root].clone();
    for site in one.sites.iter_mut().filter(|site| matches!(site.bond, Link::Numbered(_))) {
        site.bond = Link::Bound;
    }
    format!(
        "`{}` has {count} molecules that are alike, and the rate would count once for each: write the rule for one of \
         them, `{one}`, with 1/{count} of the rate",
        written(complex)
    )
}

/// Why a rule at contact cannot be for a complex of which several molecules alike change together.
pub(crate) fn changed_at_several(complex: &[Molecule], count: usize) -> String {
    format!(
        "`{}` has {count} molecules that are alike and change alike, and each could be the one that is touched: write \
         what tells them apart, or a rule in which one of them changes",
        written(complex)
    )
}

/// What is left of a complex if some of its molecules go, by their places: their partners are free, and
/// on their own if nothing else joins them.
pub(crate) fn without(complex: &[Molecule], gone: &[usize]) -> Vec<Vec<Molecule>> {
    let is_lost = |link: Link| {
        let has = |n: &usize| complex[*n].sites.iter().any(|site| site.bond == link);
        matches!(link, Link::Numbered(_)) && gone.iter().any(has)
    };
    let mut rest: Vec<Option<Molecule>> = complex.iter().cloned().map(Some).collect();
    gone.iter().for_each(|n| rest[*n] = None);
    for site in rest.iter_mut().flatten().flat_map(|molecule| &mut molecule.sites) {
        if is_lost(site.bond) {
            site.bond = Link::Free;
        }
    }
    let mut pieces = Vec::new();
    for first in 0..rest.len() {
        let mut reached = vec![first];
        let mut next = 0;
        while let Some(&n) = reached.get(next) {
            for site in rest[n].iter().flat_map(|molecule| &molecule.sites) {
                let Link::Numbered(bond) = site.bond else { continue };
                reached.extend(
                    other_molecule(complex, n, bond).filter(|other| !reached.contains(other)),
                );
            }
            next += 1;
        }
        // In the order in which they are written.
        reached.sort_unstable();
        let piece: Vec<Molecule> = reached.into_iter().filter_map(|n| rest[n].take()).collect();
        if !piece.is_empty() {
            pieces.push(piece);
        }
    }
    pieces
}

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// In characters from the start of the text, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

/// The molecules of a complex, or of a part of one.
///
/// ```
/// use jostle_model::notation::{Link, complex};
///
/// let found = complex("EGFR(l!1,Y1068~p).EGF(r!1)").unwrap();
/// assert_eq!(found[0].sites[1].states, ["p"]);
/// assert_eq!(found[1].sites[0].bond, Link::Numbered(1));
/// assert_eq!(complex("A(b!1)").unwrap_err().to_string(), "column 1: bond 1 has one end: it needs two");
/// ```
///
/// # Errors
/// If it is not in that notation, or if a numbered bond does not have two ends.
pub fn complex(text: &str) -> Result<Vec<Molecule>, NotationError> {
    let mut reader = NotationReader { rest: text, column: 1, is_tight: false };
    let molecules = reader.molecules()?;
    if let Some(odd) = reader.rest.chars().next() {
        return Err(reader.error(format!("\"{odd}\" is not expected here")));
    }
    paired(molecules)
}

/// The molecules of a complex at the start of a text, and how many bytes they take. Names are of
/// letters, digits and `_`, and outside of brackets there are no spaces, so that it is plain where
/// the complex ends.
pub(crate) fn leading(text: &str) -> Result<(Vec<Molecule>, usize), NotationError> {
    let mut reader = NotationReader { rest: text, column: 1, is_tight: true };
    let molecules = reader.molecules()?;
    let length = text.len() - reader.rest.len();
    Ok((paired(molecules)?, length))
}

/// The same molecules, if each bond has two ends.
fn paired(molecules: Vec<Molecule>) -> Result<Vec<Molecule>, NotationError> {
    let numbers = || molecules.iter().flat_map(|molecule| &molecule.sites);
    let number = |site: &Mention| match site.bond {
        Link::Numbered(n) => Some(n),
        _ => None,
    };
    for n in numbers().filter_map(number) {
        let ends = numbers().filter(|site| number(site) == Some(n)).count();
        if ends != 2 {
            let has = if ends == 1 { "one end".to_owned() } else { format!("{ends} ends") };
            let message = format!("bond {n} has {has}: it needs two");
            return Err(NotationError { column: 1, message });
        }
    }
    Ok(molecules)
}

impl Mention {
    /// A free site of that name, in any state.
    pub fn free(name: &str) -> Self {
        Self { name: name.to_owned(), states: Vec::new(), bond: Link::Free }
    }
}

struct NotationReader<'t> {
    rest: &'t str,
    column: usize,
    /// Whether spaces outside of brackets, and all that is no part of a word, end the text.
    is_tight: bool,
}

impl<'t> NotationReader<'t> {
    fn error(&self, message: String) -> NotationError {
        NotationError { column: self.column, message }
    }

    fn advance(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.column += taken.chars().count();
        self.rest = rest;
        taken
    }

    fn skip_spaces(&mut self) {
        let spaces = self.rest.len() - self.rest.trim_start().len();
        self.advance(spaces);
    }

    fn takes(&mut self, wanted: char) -> bool {
        self.skip_spaces();
        self.takes_next(wanted)
    }

    /// The same where a space is in the way.
    fn takes_next(&mut self, wanted: char) -> bool {
        let found = self.rest.starts_with(wanted);
        if found {
            self.advance(wanted.len_utf8());
        }
        found
    }

    fn word(&mut self, what: &str) -> Result<String, NotationError> {
        self.skip_spaces();
        let length = self.word_length();
        if length == 0 {
            let found = self
                .rest
                .chars()
                .next()
                .map_or_else(|| "the end of the text".to_owned(), |found| format!("\"{found}\""));
            return Err(self.error(format!("found {found} where {what} is needed")));
        }
        Ok(self.advance(length).to_owned())
    }

    /// How many bytes belong to the word that begins here.
    fn word_length(&self) -> usize {
        let ends = |c: char| match self.is_tight {
            true => !c.is_alphanumeric() && c != '_',
            false => c.is_whitespace() || "(),.~!".contains(c),
        };
        self.rest.find(ends).unwrap_or(self.rest.len())
    }

    /// A word, `+` or `?`.
    fn mark(&mut self, what: &str) -> Result<String, NotationError> {
        self.skip_spaces();
        if self.rest.starts_with(['+', '?']) {
            return Ok(self.advance(1).to_owned());
        }
        self.word(what)
    }

    fn molecules(&mut self) -> Result<Vec<Molecule>, NotationError> {
        let mut molecules = vec![self.molecule()?];
        while self.takes_outside('.') {
            molecules.push(self.molecule()?);
        }
        Ok(molecules)
    }

    /// Outside of brackets.
    fn takes_outside(&mut self, wanted: char) -> bool {
        if self.is_tight { self.takes_next(wanted) } else { self.takes(wanted) }
    }

    fn molecule(&mut self) -> Result<Molecule, NotationError> {
        let name = self.word("the name of a species")?;
        let mut sites = Vec::new();
        if self.takes_outside('(') && !self.takes(')') {
            loop {
                sites.push(self.site()?);
                if self.takes(')') {
                    break;
                }
                if !self.takes(',') {
                    return Err(self.error("a `,` or `)` is missing".to_owned()));
                }
            }
        }
        Ok(Molecule { name, sites })
    }

    fn site(&mut self) -> Result<Mention, NotationError> {
        let name = self.word("the name of a site")?;
        let (mut states, mut bond) = (Vec::new(), None);
        loop {
            if self.takes('~') {
                states.push(self.mark("a state, or ?,")?);
            } else if self.takes('!') {
                let at = self.column;
                let link = match self.mark("a number, + or ?")?.as_str() {
                    "+" => Link::Bound,
                    "?" => Link::Either,
                    number => number.parse().map(Link::Numbered).map_err(|_| NotationError {
                        column: at,
                        message: format!(
                            "found \"{number}\", but `!` is followed by the number of a bond, by + or by ?"
                        ),
                    })?,
                };
                if bond.replace(link).is_some() {
                    let message =
                        format!("site \"{name}\" is bound twice: a site has one bond at most");
                    return Err(NotationError { column: at, message });
                }
            } else {
                break;
            }
        }
        states.retain(|state| state != "?");
        Ok(Mention { name, states, bond: bond.unwrap_or(Link::Free) })
    }
}

impl fmt::Display for Molecule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        for (n, site) in self.sites.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            write!(f, "{comma}{site}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Mention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.states.iter().try_for_each(|state| write!(f, "~{state}"))?;
        match self.bond {
            Link::Free => Ok(()),
            Link::Numbered(n) => write!(f, "!{n}"),
            Link::Bound => f.write_str("!+"),
            Link::Either => f.write_str("!?"),
        }
    }
}

/// A complex in the notation that [`complex`] reads.
pub fn written(molecules: &[Molecule]) -> String {
    molecules.iter().map(Molecule::to_string).collect::<Vec<_>>().join(".")
}

/// Whether the molecules hang together, and their bonds make no ring.
///
/// # Errors
/// What is wrong with them.
pub fn is_tree(molecules: &[Molecule]) -> Result<(), &'static str> {
    let mut reached = vec![0];
    let mut bonds = 0;
    let mut next = 0;
    while let Some(&n) = reached.get(next) {
        for site in &molecules[n].sites {
            let Link::Numbered(bond) = site.bond else { continue };
            bonds += 1;
            if let Some(other) = other_molecule(molecules, n, bond)
                && !reached.contains(&other)
            {
                reached.push(other);
            }
        }
        next += 1;
    }
    if reached.len() < molecules.len() {
        return Err("its molecules must be joined by bonds, as in \"A(b!1).B(a!1)\"");
    }
    // Each bond has been met at both of its ends.
    if bonds / 2 >= molecules.len() {
        return Err("its bonds make a ring: a pattern is a tree of molecules");
    }
    Ok(())
}

/// The molecule at the other end of a bond that molecule `from` has.
pub(crate) fn other_molecule(molecules: &[Molecule], from: usize, bond: u32) -> Option<usize> {
    let has =
        |molecule: &Molecule| molecule.sites.iter().any(|site| site.bond == Link::Numbered(bond));
    (0..molecules.len()).find(|&n| n != from && has(&molecules[n]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_written_again() {
        for text in ["A()", "EGFR(l!1,Y1068~p!+,d!?).EGF(r!1)", "L(r,r,r)", "R(a~u~p)"] {
            assert_eq!(written(&complex(text).unwrap()), text);
        }
        assert_eq!(written(&complex(" A . B( x ~ p , y~? )").unwrap()), "A().B(x~p,y)");
    }

    #[test]
    fn a_complex_ends_where_something_else_begins() {
        for (text, rest) in [
            ("A(b!1).B(a!1)+C k", "+C k"),
            ("A(b!+, c~? )->B()", "->B()"),
            ("A (2*k)", " (2*k)"),
            ("A .5", " .5"),
            ("A(b!?)", ""),
        ] {
            let (_, length) = leading(text).unwrap();
            assert_eq!(&text[length..], rest);
        }
        assert!(leading("+A").is_err() && leading("A(b!1)").is_err() && leading("A.").is_err());
    }

    #[test]
    fn faults_are_found_where_they_are() {
        for (text, said) in [
            ("", "column 1: found the end of the text where the name of a species is needed"),
            ("A(b", "column 4: a `,` or `)` is missing"),
            ("A(b,)", "column 5: found \")\" where the name of a site is needed"),
            ("A(b!x)", "column 5: found \"x\", but `!` is followed"),
            ("A(b!1!2)", "column 7: site \"b\" is bound twice"),
            ("A(b!1).B(c!1).D(e!1)", "column 1: bond 1 has 3 ends"),
            ("A(b) B", "column 6: \"B\" is not expected here"),
            ("A(b~)", "column 5: found \")\" where a state"),
        ] {
            let error = complex(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{text}: {error}");
        }
    }
}
