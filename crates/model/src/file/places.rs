//! Where the particles of a species are at the start: `count` and `placement`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::units::{Unit, Wanted};
use crate::walker::{Item, Section};
use crate::{Asked, Origin, Placement, PlacementMethod};
use jostle_core::words::abridged;
#[cfg(not(feature = "hdf5"))]
use jostle_files::positions::FileError;
use jostle_files::positions::{FileBond, Positions};
#[cfg(feature = "hdf5")]
use jostle_h5md::positions::read as read_positions;

use super::amounts::{amount, is_concentration_table, number};
use super::patterns::name_in;
use super::{Context, bonds, molecules};

/// The particles of the species `declared`, whose states are numbered from `first`.
pub(super) fn placements(
    section: &Section<'_>,
    context: &Context<'_>,
    declared: &str,
    first: u16,
) -> Vec<Placement> {
    let dimension = context.dimension_where(first);
    let count = section.get("count");
    let placement = section.get("placement");
    let counted = |item: &Item<'_>, way: Way| match item.is_table() && !is_concentration_table(item)
    {
        true => by_state(item, context, declared, way),
        false => spread(item, dimension, way).map(|how| vec![((first, 0), how)]),
    };
    let found = match (&count, &placement) {
        (Some(count), Some(item)) if item.is_text() => {
            way_of(item).and_then(|way| counted(count, way))
        }
        (None, Some(item)) if item.is_text() => {
            item.fault(uncounted(item));
            None
        }
        (Some(_), Some(_)) => {
            section.fault(BOTH);
            None
        }
        (Some(item), None) => counted(item, random),
        (None, Some(item)) => placed(item, context, declared, first),
        (None, None) => None,
    };
    let placed = |((species, sites), Spread { how, asked })| Placement {
        species,
        sites,
        how,
        asked,
        origin: origin(section),
    };
    found.unwrap_or_default().into_iter().map(placed).collect()
}

/// How particles are placed, and what was asked for if that is no number.
struct Spread {
    how: PlacementMethod,
    asked: Option<Asked>,
}

impl From<PlacementMethod> for Spread {
    fn from(how: PlacementMethod) -> Self {
        Self { how, asked: None }
    }
}

/// A way in which so many particles are placed.
pub(super) type Way = fn(usize) -> PlacementMethod;

/// `placement = "lattice"`
pub(super) fn way_of(item: &Item<'_>) -> Option<Way> {
    item.word_by(|word| way_called(word).filter(|_| item.may_have(word)))
}

/// What is wrong with that where there is no `count`.
pub(super) fn uncounted(item: &Item<'_>) -> String {
    let way = item.text().filter(|word| item.may_have(word)).unwrap_or("random");
    format!(
        "it says how, but not how many: put `count = 700` beside it, or write `placement = {{ {way} = 700 }}`"
    )
}

/// Why `count` and a table are too much.
pub(super) const BOTH: &str = "`count` is short for `placement = { random = .. }`: keep one of the two, or say only the \
                               way by `placement`, as in `placement = \"lattice\"`";

fn way_called(word: &str) -> Option<Way> {
    match word {
        "random" => Some(random),
        "lattice" => Some(lattice),
        "packed" => Some(packed),
        "equilibrium" => Some(equilibrium),
        _ => None,
    }
}

fn random(count: usize) -> PlacementMethod {
    PlacementMethod::Random { count }
}

fn lattice(count: usize) -> PlacementMethod {
    PlacementMethod::Lattice { count }
}

fn packed(count: usize) -> PlacementMethod {
    PlacementMethod::Packed { count }
}

fn equilibrium(count: usize) -> PlacementMethod {
    PlacementMethod::Equilibrium { count }
}

/// So many particles, placed in this way.
fn spread(item: &Item<'_>, dimension: usize, way: Way) -> Option<Spread> {
    let (count, asked) = amount(item, dimension)?.parts();
    Some(Spread { how: way(count), asked })
}

/// Where the model says how many particles of a species there are.
pub(super) fn origin(section: &Section<'_>) -> Origin {
    let said = section.get("count").or_else(|| section.get("placement"));
    said.map_or_else(|| section.origin(), |item| item.origin())
}

/// What particles are: their species and their site code.
type Sort = (u16, u64);

/// Particles of the declared name in some state: `bound`, or `EGFR(Y1068~p)` if it has sites.
fn in_state(item: &Item<'_>, context: &Context<'_>, declared: &str, state: &str) -> Option<Sort> {
    let kinds = &context.kinds;
    match kinds.exact(declared).filter(|&species| !kinds.sites_of(species).is_empty()) {
        Some(species) => {
            let found = molecules::free_particle(item, kinds, state)?;
            if found.0 != species {
                item.fault(format!("\"{state}\" is not of species \"{declared}\""));
                return None;
            }
            Some(found)
        }
        None => Some((kinds.one_called(item, &name_in(declared, &[state.to_owned()]))?, 0)),
    }
}

/// `count = { free = 600, bound = 100 }`
fn by_state(
    item: &Item<'_>,
    context: &Context<'_>,
    declared: &str,
    way: Way,
) -> Option<Vec<(Sort, Spread)>> {
    let mut found: Vec<(Sort, Spread)> = Vec::new();
    for (state, item) in item.entries()? {
        let Some(sort) = in_state(&item, context, declared, state) else { continue };
        if found.iter().any(|(known, _)| *known == sort) {
            let name = if sort.1 == 0 { context.kinds.name(sort.0) } else { state };
            item.fault(format!("{name} already has a number"));
        } else if let Some(how) = spread(&item, context.dimension_where(sort.0), way) {
            found.push((sort, how));
        }
    }
    // Particles get their identities in this order, which must not depend on that of keys in a
    // table: in TOML that means nothing.
    found.sort_by_key(|(sort, _)| *sort);
    Some(found)
}

/// `placement = { .. }`
fn placed(
    item: &Item<'_>,
    context: &Context<'_>,
    declared: &str,
    first: u16,
) -> Option<Vec<(Sort, Spread)>> {
    let section = item.section()?;
    let state = section.get("state");
    let named = state.is_some();
    let sort = match state {
        Some(item) => in_state(&item, context, declared, item.text()?),
        None => Some((first, 0)),
    };
    // Not asked for before the table has been read to its end, so that one look shows all its
    // faults.
    let one = |how: Spread| Some(vec![(sort?, how)]);
    let dimension = context.dimension_where(first);
    let keys = ["random", "lattice", "packed", "equilibrium", "file", "positions", "room"];
    let counted = |item: &Item<'_>, way: Way| spread(item, dimension, way).and_then(one);
    let found = match section.only(keys) {
        Some(("random", item)) => counted(&item, random),
        Some(("lattice", item)) => counted(&item, lattice),
        Some(("packed", item)) => counted(&item, packed),
        Some(("equilibrium", item)) => counted(&item, equilibrium),
        Some(("room", item)) => {
            number(&item).and_then(|count| one(PlacementMethod::Room { count }.into()))
        }
        Some(("file", item)) => {
            let bonds = section.get("bonds").is_none_or(|item| item.boolean().unwrap_or(false));
            let (usual, sites) = sort?;
            // Files of other programs number their species, and the numbers mean nothing here.
            let number = section.get("species_number").and_then(|item| item.whole(0));
            let rows = Rows { declared, usual, only: named, number, bonds };
            let found = from_file(&item, context, &rows);
            found.map(|all| all.into_iter().map(|(species, how)| ((species, sites), how)).collect())
        }
        Some(("positions", item)) => {
            listed(&item, context).and_then(|places| one(PlacementMethod::Positions(places).into()))
        }
        _ => {
            item.fault(ONE_OF);
            None
        }
    };
    section.finish();
    found
}

const ONE_OF: &str = "exactly one of `random = 700`, `equilibrium = 700`, `lattice = 700`, `packed = 700`, `file = \"positions.csv\"` and \
                      `positions = [[..], ..]` is needed";

fn listed(item: &Item<'_>, context: &Context<'_>) -> Option<Vec<[f64; 3]>> {
    let read = |item: &Item<'_>| {
        let place = item.components(context.dimension)?;
        if let Some(why) = outside(&place, context) {
            item.fault(why);
        }
        Some(place)
    };
    item.list()?.iter().map(read).collect()
}

/// Which rows of a file of positions are wanted.
struct Rows<'a> {
    declared: &'a str,
    /// What rows are that say no state.
    usual: u16,
    /// Whether rows in other states than that are left out.
    only: bool,
    /// The number that stands for the species in a file without names.
    number: Option<u64>,
    /// Whether the bonds among them are taken over.
    bonds: bool,
}

impl Rows<'_> {
    /// Why rows of a file cannot be told apart, if so.
    fn misfit(&self, read: &Positions) -> Option<String> {
        match (self.number, read.numbered) {
            (Some(number), _) if read.species.is_none() => Some(format!(
                "it does not say of what species its particles are, so that none has the number {number}; \
                 leave `species_number` out"
            )),
            (None, true) => {
                let mut numbers: Vec<&str> =
                    read.species.iter().flatten().map(String::as_str).collect();
                numbers.sort_unstable();
                numbers.dedup();
                if numbers.contains(&self.declared) {
                    return None;
                }
                let shown = abridged(numbers.iter().map(|&n| n.to_owned()), "species").join(", ");
                let example = numbers.iter().find(|number| number.parse::<u64>().is_ok());
                let remedy = match example {
                    Some(number) => format!(
                        "`species_number = {number}` next to `file`, for example, says which particles \
                         are {}",
                        self.declared
                    ),
                    None => "a name for each is needed, as an enumeration has".to_owned(),
                };
                Some(format!("its species have numbers, {shown}, and no names; {remedy}"))
            }
            _ => None,
        }
    }

    /// The species of a row that is called `name`; None if it is of no concern here.
    fn species(&self, item: &Item<'_>, context: &Context<'_>, name: &str) -> Option<u16> {
        if let Some(number) = self.number {
            return (name == number.to_string()).then_some(self.usual);
        }
        if name == self.declared || name == context.kinds.name(self.usual) {
            return Some(self.usual);
        }
        // Else it is another species, whose name begins like this one.
        if !name.strip_prefix(self.declared)?.starts_with('{') {
            return None;
        }
        context.kinds.one_called(item, name).filter(|species| !self.only || *species == self.usual)
    }
}

/// Reads positions from a CSV table: this build knows no other format.
#[cfg(not(feature = "hdf5"))]
fn read_positions(path: &Path, dimension: usize) -> Result<Positions, FileError> {
    if path
        .extension()
        .is_some_and(|ending| ["h5md", "h5", "hdf5"].iter().any(|known| ending == *known))
    {
        let message = "this build of jostle reads no HDF5 (feature `hdf5`); write the positions as a CSV table";
        return Err(FileError::Content { path: path.to_owned(), message: message.to_owned() });
    }
    jostle_files::positions::read_csv(path, dimension)
}

/// The file that an item names, what it holds, and the unit of its coordinates; `usual` is one that
/// would do.
pub(super) fn file(
    item: &Item<'_>,
    context: &Context<'_>,
    usual: &str,
) -> Option<(PathBuf, Positions, Unit)> {
    let path = item.file(context.folder)?;
    let read = match read_positions(&path, context.dimension) {
        Ok(read) => read,
        Err(error) => {
            item.fault(error.to_string());
            return None;
        }
    };
    let unit = match read.unit.as_deref().map(Unit::parse) {
        None => item.bare_length(),
        Some(Ok(unit)) if unit.dimension == Wanted::LENGTH.dimension => unit,
        Some(_) => {
            let unit = read.unit.unwrap_or_default();
            item.fault(format!(
                "{}: the coordinates are in `{unit}`, which is not a length; use `{usual}`, for example",
                path.display()
            ));
            return None;
        }
    };
    Some((path, read, unit))
}

fn from_file(
    item: &Item<'_>,
    context: &Context<'_>,
    rows: &Rows<'_>,
) -> Option<Vec<(u16, Spread)>> {
    let (path, read, unit) = file(item, context, "nm")?;
    if let Some(why) = rows.misfit(&read) {
        item.fault(format!("{}: {why}", path.display()));
        return None;
    }
    // In a map with an order, which is that of identities.
    let mut chosen: BTreeMap<u16, Vec<[f64; 3]>> = BTreeMap::new();
    let mut ends = Vec::new();
    for n in 0..read.places.len() {
        let Some(species) = species_of(&read, n, item, context, rows) else { continue };
        let place = read.places[n].map(|x| unit.to_internal(x));
        let periods = read.periods.map(|period| period.map(|x| unit.to_internal(x)));
        let place = in_box(wrapped(place, periods, context), context);
        if let Some(why) = outside(&place, context) {
            item.fault(format!("{}: {}: {why}", path.display(), read.row(n)));
            return None;
        }
        let places = chosen.entry(species).or_default();
        // Bonds of the file name its slots, those of a model a species and a number. What is known
        // of both is kept until the other end of a bond has been read, perhaps for another species.
        ends.push((read.source[n], (species, places.len())));
        places.push(place);
    }
    if chosen.is_empty() {
        item.fault(format!("{}: no position of {}", path.display(), rows.declared));
    }
    if rows.bonds && !read.bonds.is_empty() {
        take_over(item, context, &path, &read.bonds, ends)?;
    }
    Some(
        chosen
            .into_iter()
            .map(|(species, places)| (species, PlacementMethod::Positions(places).into()))
            .collect(),
    )
}

/// Remembers the bonds of a file, and which comes from which slot of it.
fn take_over(
    item: &Item<'_>,
    context: &Context<'_>,
    path: &Path,
    found: &[FileBond],
    ends: Vec<(u64, (u16, usize))>,
) -> Option<()> {
    if let Some(n) = bonds::ring(found.iter().map(|bond| bond.slots)) {
        let [a, b] = found[n].slots;
        item.fault(format!(
            "{}: the bond of slots {a} and {b} closes a ring: {}; `bonds = false` next to `file` leaves bonds out",
            path.display(),
            bonds::TREES
        ));
        return None;
    }
    context.taken.note(path, found, ends.into_iter());
    Some(())
}

/// A place brought back into the box along the axes that are periodic in the model and, after the
/// same length, in the file: what is one period off there is the same place.
fn wrapped(place: [f64; 3], periods: [Option<f64>; 3], context: &Context<'_>) -> [f64; 3] {
    std::array::from_fn(|k| {
        let (from, edge) = (context.origin[k], context.edges[k]);
        // Files in single precision have seven digits of the length.
        let same = periods[k].is_some_and(|period| (period - edge).abs() <= 1e-6 * edge);
        // A place that is in the box already keeps its bits.
        match same && context.periodic[k] && !(from..=from + edge).contains(&place[k]) {
            true => place[k] - edge * ((place[k] - from) / edge).floor(),
            false => place[k],
        }
    })
}

/// A place without what rounding to single precision takes it out of the box.
fn in_box(place: [f64; 3], context: &Context<'_>) -> [f64; 3] {
    std::array::from_fn(|k| {
        let (from, to) = (context.origin[k], context.origin[k] + context.edges[k]);
        let nearest = place[k].max(from).min(to);
        if (place[k] - nearest).abs() <= to.abs() * f64::from(f32::EPSILON) {
            nearest
        } else {
            place[k]
        }
    })
}

/// The species of row `n`, if it is wanted.
fn species_of(
    read: &Positions,
    n: usize,
    item: &Item<'_>,
    context: &Context<'_>,
    rows: &Rows<'_>,
) -> Option<u16> {
    match &read.species {
        Some(species) => rows.species(item, context, &species[n]),
        None => Some(rows.usual),
    }
}

pub(super) fn outside(place: &[f64; 3], context: &Context<'_>) -> Option<String> {
    let end = |k: usize| context.origin[k] + context.edges[k];
    let k = (0..context.dimension).find(|&k| place[k] < context.origin[k] || place[k] > end(k))?;
    let origin =
        if context.origin[k] == 0.0 { "0".into() } else { format!("{:?}", context.origin[k]) };
    Some(format!(
        "{} = {:?} nm is outside the box, which extends from {origin} to {:?} nm",
        ["x", "y", "z"][k],
        place[k],
        end(k)
    ))
}
