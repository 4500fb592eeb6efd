//! Complexes of molecules that are there at the start, `A(b!1).B(a!1)`: rigid molecules whose spheres are
//! laid out side by side, with the bonds of rules.

use jostle_core::space::Vector;
use jostle_core::species::Species;

use super::Context;
use super::molecules::{self, ReadMolecule};
use crate::notation::{Link, Molecule, complex};
use crate::templates::{MoleculeSphere, SphereBond};
use crate::walker::Item;

/// How many directions are tried for each molecule.
const DIRECTIONS: usize = 400;
/// How much farther than contact molecules have to be that are not bound to each other.
const APART: f64 = 1.0 + 1e-6;

/// A bond of a complex.
struct Tie {
    /// Its molecules, by their places in the text.
    ends: [usize; 2],
    /// The site of each.
    sites: [u8; 2],
}

/// The spheres of a complex, each beside one before it to which it is bound.
pub(super) fn spheres(
    item: &Item<'_>,
    context: &Context<'_>,
    species: &[Species],
) -> Option<Vec<MoleculeSphere>> {
    let text = item.text()?;
    let fault = |why: &str| {
        item.fault(format!("\"{text}\": {why}"));
        None
    };
    let complex = match complex(text) {
        Ok(complex) => complex,
        Err(error) => return fault(&error.to_string()),
    };
    let mut sites = complex.iter().flat_map(|molecule| &molecule.sites);
    if let Some(site) = sites.find(|site| matches!(site.bond, Link::Bound | Link::Either)) {
        return fault(&format!(
            "what is bound to site \"{}\"? A number says which bond it is, as in \"A(b!1).B(a!1)\"",
            site.name
        ));
    }
    let reading = molecules::readings(item, &context.kinds, &complex)?.swap_remove(0).molecules;
    let ties = ties(&complex, &reading);
    if ties.len() + 1 != complex.len() {
        return fault(
            "a complex that is there at the start hangs together by one chain of bonds, without a ring",
        );
    }
    if complex.len() < 2 {
        return fault(
            "a complex has two molecules or more, as in \"A(b!1).B(a!1)\"; of a single one its species has a `count`",
        );
    }
    let radii: Vec<f64> = reading
        .iter()
        .map(|read| species.get(usize::from(read.species))?.radius)
        .collect::<Option<_>>()?;
    let sphere = |n: usize, at: Vector<3>, bond: Option<SphereBond>| MoleculeSphere {
        species: reading[n].species,
        sites: molecules::states(&context.kinds, &complex[n], &reading[n]).of(0),
        at: at.0,
        turn: None,
        bond,
    };
    let mut placed: Vec<(usize, Vector<3>)> = vec![(0, Vector::ZERO)];
    let mut found = vec![sphere(0, Vector::ZERO, None)];
    while placed.len() < complex.len() {
        let place_of = |n: usize| placed.iter().position(|(known, _)| *known == n);
        let next = ties.iter().find_map(|Tie { ends: [a, b], sites: [s, t] }| {
            match [place_of(*a), place_of(*b)] {
                [Some(to), None] => Some((to, *b, [*s, *t])),
                [None, Some(to)] => Some((to, *a, [*t, *s])),
                _ => None,
            }
        });
        let Some((to, molecule, sites)) = next else {
            return fault("its molecules are not all joined by bonds");
        };
        let (partner, origin) = placed[to];
        let contact = radii[partner] + radii[molecule];
        let fits = |at: &Vector<3>| {
            placed.iter().all(|(n, other)| {
                *n == partner || (*at - *other).norm() > APART * (radii[*n] + radii[molecule])
            })
        };
        let mut places = directions(context.dimension).map(|way| origin + way * contact);
        let Some(at) = places.find(fits) else {
            return fault("it cannot be laid out without overlap");
        };
        placed.push((molecule, at));
        found.push(sphere(molecule, at, Some(SphereBond::Sites { to, sites })));
    }
    Some(found)
}

/// The bonds of a complex, in the order of their first ends.
fn ties(complex: &[Molecule], reading: &[ReadMolecule]) -> Vec<Tie> {
    let mut ties = Vec::new();
    for (n, molecule) in complex.iter().enumerate() {
        for (mention, &site) in molecule.sites.iter().zip(&reading[n].sites) {
            let Link::Numbered(number) = mention.bond else { continue };
            match molecules::other_end(complex, n, number) {
                Some((other, at)) if n < other => {
                    let sites = [site, reading[other].sites[at]];
                    ties.push(Tie { ends: [n, other], sites });
                }
                Some(_) => {}
                // Of a molecule with itself: a ring, too.
                None => ties.push(Tie { ends: [n; 2], sites: [site; 2] }),
            }
        }
    }
    ties
}

/// Unit vectors in all directions, those along the first axis first, then evenly spread (on a spiral
/// in 3D).
fn directions(dimension: usize) -> impl Iterator<Item = Vector<3>> {
    let axis = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]];
    let count = if dimension == 1 { 0 } else { DIRECTIONS };
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let spiral = (0..count).map(move |n| {
        let z = match dimension {
            2 => 0.0,
            _ => 1.0 - (2 * n + 1) as f64 / DIRECTIONS as f64,
        };
        let (ring, angle) = ((1.0 - z * z).sqrt(), golden * n as f64);
        [ring * libm::cos(angle), ring * libm::sin(angle), z]
    });
    axis.into_iter().chain(spiral).map(Vector)
}
