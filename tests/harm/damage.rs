//! Damage with a plan: a good file in which something is not as it should be. (Bytes changed at
//! random mostly put the HDF5 library to the test.) What cannot be done to a file is left undone.

use std::path::Path;

use hdf5::dataset::Layout;
use hdf5::types::{IntSize, TypeDescriptor, VarLenUnicode};
use hdf5::{Dataset, Extent, File, Group, H5Type, LocationType, SimpleExtents};
use jostle::record::schema::{BlockRow, BondRow, ChangeRow, ContactRow, PartyRow, RunRow};

use super::choices::Choices;
use super::elsewhere;

/// At most this much is done to one file.
const MOST_DAMAGES: usize = 4;

/// Names that would do harm where they are shown.
pub const NAMES: [&str; 14] = [
    "",
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "a\nb\r\nc\td",
    "\u{1b}[31mred\u{1b}]0;title\u{7}",
    "\u{202e}gnp.exe",
    "\u{2066}x\u{2069}\u{feff}\u{2028}",
    "=cmd|'/c calc'!A0",
    "@SUM(A1:A9)",
    "{}}{,{,}",
    "a b\\ \"c\" #d,e",
    "]]>&amp;<!--",
    "{{title}}",
    "\u{9b}31m\u{85}\u{fffe}",
];
const EXTENTS: [usize; 10] = [0, 1, 2, 3, 4, 7, 1000, 1 << 31, 1 << 40, 1 << 60];
const INTEGERS: [i64; 16] = [
    -1,
    0,
    1,
    2,
    5,
    63,
    255,
    65_535,
    -2,
    i32::MAX as i64,
    i32::MIN as i64,
    u32::MAX as i64,
    1_000_000_000_000_000_000,
    i64::MAX,
    i64::MIN,
    1 << 53,
];
const NUMBERS: [f64; 12] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -1.0,
    0.0,
    1.0,
    1e300,
    -1e300,
    1e-300,
    1e18,
    0.5,
    -0.0,
];

/// What is in a file: datasets and groups, by their paths.
struct Contents {
    datasets: Vec<String>,
    groups: Vec<String>,
}

/// Does some damage to a file.
pub fn damage(path: &Path, choices: &mut Choices<'_>) {
    let Ok(file) = File::open_rw(path) else { return };
    let mut contents = Contents { datasets: Vec::new(), groups: Vec::new() };
    list(&file, "", &mut contents, 6);
    for _ in 0..MOST_DAMAGES {
        if choices.is_over() {
            break;
        }
        // What fails leaves the file as it was.
        let _ = one(&file, &contents, choices);
    }
    let _ = file.close();
}

fn list(group: &Group, name: &str, contents: &mut Contents, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else { return };
    for member in group.member_names().unwrap_or_default() {
        let path = format!("{name}/{member}");
        match group.loc_type_by_name(&member) {
            Ok(LocationType::Group) => {
                contents.groups.push(path.clone());
                if let Ok(inner) = group.group(&member) {
                    list(&inner, &path, contents, levels);
                }
            }
            Ok(LocationType::Dataset) => contents.datasets.push(path),
            _ => (),
        }
    }
}

fn one(file: &File, contents: &Contents, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    let name = contents.datasets[choices.below(contents.datasets.len())].as_str();
    let group = contents.groups[choices.below(contents.groups.len())].as_str();
    match choices.byte() % 12 {
        0 => file.unlink(name),
        1 => {
            file.unlink(name)?;
            file.create_group(name).map(|_| ())
        }
        2 => elsewhere::lead(file, name),
        3 => file.link_hard(group, &format!("{group}/again")),
        4 => {
            file.unlink(name)?;
            lying(file, name, choices)
        }
        5 | 6 => resized(&file.dataset(name)?, choices),
        7 => {
            let other = contents.datasets[choices.below(contents.datasets.len())].as_str();
            file.unlink(name)?;
            file.link_hard(other, name)
        }
        8 => attribute(file, name, group, choices),
        9 => texts(file, contents, choices),
        _ => values(&file.dataset(name)?, choices),
    }
}

/// A dataset of some type and some extents, of which nothing is written.
fn lying(file: &File, name: &str, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    let rank = choices.below(5);
    let extents: Vec<usize> = (0..rank).map(|_| choices.one_of(&EXTENTS)).collect();
    match choices.byte() % 6 {
        0 => empty::<f64>(file, name, &extents),
        1 => empty::<i32>(file, name, &extents),
        2 => empty::<i64>(file, name, &extents),
        3 => empty::<VarLenUnicode>(file, name, &extents),
        4 => empty::<ChangeRow>(file, name, &extents),
        _ => empty::<u8>(file, name, &extents),
    }
}

fn empty<T: H5Type>(file: &File, name: &str, extents: &[usize]) -> hdf5::Result<()> {
    if extents.is_empty() {
        return file.new_dataset::<T>().create(name).map(|_| ());
    }
    let shape = SimpleExtents::from_vec(extents.iter().map(|&n| Extent::resizable(n)).collect());
    file.new_dataset::<T>().shape(shape).chunk(vec![2; extents.len()]).create(name).map(|_| ())
}

fn resized(dataset: &Dataset, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    let mut shape = dataset.shape();
    // What is huge and becomes small takes HDF5 minutes: it asks for each chunk that might be
    // there.
    let size = shape.iter().fold(1.0, |size, &n| size * n as f64);
    if shape.is_empty() || size > 1e6 {
        return Ok(());
    }
    let axis = choices.below(shape.len());
    shape[axis] = match choices.byte() % 4 {
        0 => shape[axis] + 1,
        1 => shape[axis].saturating_sub(1),
        _ => choices.one_of(&EXTENTS),
    };
    dataset.resize(shape)
}

fn attribute(file: &File, name: &str, group: &str, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    let at = [name, group][choices.below(2)];
    let dataset;
    let inner;
    let location: &hdf5::Location = match file.dataset(at) {
        Ok(found) => {
            dataset = found;
            &dataset
        }
        Err(_) => {
            inner = file.group(at)?;
            &inner
        }
    };
    let names = location.attr_names()?;
    let Some(attribute) = names.get(choices.below(names.len().max(1))) else { return Ok(()) };
    location.delete_attr(attribute)?;
    match choices.byte() % 4 {
        0 => Ok(()),
        1 => location
            .new_attr::<f64>()
            .create(attribute.as_str())?
            .write_scalar(&choices.one_of(&NUMBERS)),
        2 => location
            .new_attr::<i64>()
            .create(attribute.as_str())?
            .write_scalar(&choices.one_of(&INTEGERS)),
        _ => location
            .new_attr::<VarLenUnicode>()
            .create(attribute.as_str())?
            .write_scalar(&hostile(choices)),
    }
}

/// A name that would do harm, or one that is no UTF-8.
fn hostile(choices: &mut Choices<'_>) -> VarLenUnicode {
    let n = choices.below(NAMES.len() + 2);
    if let Some(name) = NAMES.get(n) {
        return name.parse().unwrap_or_default();
    }
    if n == NAMES.len() {
        return "µ".repeat(70_000).parse().unwrap_or_default();
    }
    // SAFETY: nobody looks at it as text before it is written; readers have to cope with such
    // bytes.
    unsafe {
        let bytes = String::from_utf8_unchecked(vec![b'a', 0xff, 0xc3, b'b', 0xe2]);
        VarLenUnicode::from_str_unchecked(bytes)
    }
}

/// Other texts than those that were there: names, titles, the model.
fn texts(file: &File, contents: &Contents, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    let is_text = |name: &&String| {
        let kind = file.dataset(name).and_then(|dataset| dataset.dtype()?.to_descriptor());
        kind.is_ok_and(|kind| kind == TypeDescriptor::VarLenUnicode)
    };
    let all: Vec<&String> = contents.datasets.iter().filter(is_text).collect();
    if all.is_empty() {
        return Ok(());
    }
    let name = all[choices.below(all.len())].as_str();
    let dataset = file.dataset(name)?;
    if dataset.is_scalar() {
        return dataset.write_scalar(&hostile(choices));
    }
    let count = match choices.byte() % 4 {
        0 => choices.below(300),
        _ => dataset.size().min(300),
    };
    let names: Vec<VarLenUnicode> = (0..count).map(|_| hostile(choices)).collect();
    file.unlink(name)?;
    file.new_dataset::<VarLenUnicode>().shape(count).create(name)?.write(&names)
}

/// Values that cannot be, in their place.
fn values(dataset: &Dataset, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    // One whose values are its own would be read without end.
    let is_virtual = dataset.layout() == Layout::Virtual;
    if dataset.size() == 0 || dataset.size() > 1 << 20 || is_virtual {
        return Ok(());
    }
    match dataset.dtype()?.to_descriptor()? {
        TypeDescriptor::Float(_) => {
            replaced(dataset, choices, |x: &mut f64, c| *x = c.one_of(&NUMBERS))
        }
        TypeDescriptor::Integer(IntSize::U8) => {
            replaced(dataset, choices, |n: &mut i64, c| *n = c.one_of(&INTEGERS))
        }
        TypeDescriptor::Integer(_) => {
            replaced(dataset, choices, |n: &mut i32, c| *n = c.one_of(&INTEGERS) as i32)
        }
        TypeDescriptor::Unsigned(_) => {
            replaced(dataset, choices, |n: &mut u64, c| *n = c.one_of(&INTEGERS) as u64)
        }
        TypeDescriptor::Compound(_) => row(dataset, choices),
        _ => Ok(()),
    }
}

fn replaced<T: H5Type>(
    dataset: &Dataset,
    choices: &mut Choices<'_>,
    change: impl Fn(&mut T, &mut Choices<'_>),
) -> hdf5::Result<()> {
    let mut all = dataset.read_raw::<T>()?;
    let count = all.len();
    // One of them, or a few in a row.
    let first = choices.below(count);
    let last = count.min(first + 1 + choices.below(4));
    all[first..last].iter_mut().for_each(|value| change(value, choices));
    let shape = dataset.shape();
    let all = ndarray::ArrayD::from_shape_vec(shape, all)?;
    dataset.write(&all)
}

fn row(dataset: &Dataset, choices: &mut Choices<'_>) -> hdf5::Result<()> {
    let name = dataset.name();
    let integer = |c: &mut Choices<'_>| c.one_of(&INTEGERS);
    match name.rsplit('/').next().unwrap_or_default() {
        "changes" => replaced(dataset, choices, |row: &mut ChangeRow, c| match c.below(16) {
            0 => row.step = integer(c),
            1 => row.time = c.one_of(&NUMBERS),
            2 => row.place[0] = c.one_of(&NUMBERS),
            3 => row.first_reactant = integer(c) as u64,
            4 => row.first_product = integer(c) as u64,
            5 => row.first_broken = integer(c) as u64,
            6 => row.first_made = integer(c) as u64,
            7 => row.first_before = integer(c) as u64,
            8 => row.first_after = integer(c) as u64,
            9 => row.reactants = integer(c) as u32,
            10 => row.products = integer(c) as u32,
            11 => row.broken = integer(c) as u32,
            12 => row.made = integer(c) as u32,
            13 => row.after = integer(c) as u32,
            14 => row.rule = integer(c) as u16,
            _ => row.kind = integer(c) as u8,
        }),
        "contacts" => replaced(dataset, choices, |row: &mut ContactRow, c| match c.below(8) {
            0 => row.time = c.one_of(&NUMBERS) as f32,
            1 => row.a = integer(c) as u32,
            2 => row.b = integer(c) as u32,
            3 => row.place[0] = c.one_of(&NUMBERS) as f32,
            4 => row.approach = c.one_of(&NUMBERS) as f32,
            5 => row.species_a = integer(c) as u16,
            6 => row.outcome = integer(c) as u8,
            _ => row.rule = integer(c) as u16,
        }),
        "contacts_index" => replaced(dataset, choices, |row: &mut BlockRow, c| match c.below(2) {
            0 => row.step = integer(c),
            _ => row.first = integer(c) as u64,
        }),
        "reactants" | "products" => {
            replaced(dataset, choices, |row: &mut PartyRow, c| match c.below(4) {
                0 => row.id = integer(c),
                1 => row.radius = c.one_of(&NUMBERS),
                2 => row.species = integer(c) as i32,
                _ => row.size = integer(c) as u32,
            })
        }
        "bonds_broken" | "bonds_made" => {
            replaced(dataset, choices, |row: &mut BondRow, c| match c.below(2) {
                0 => row.a = integer(c),
                _ => row.b = integer(c),
            })
        }
        "log" => replaced(dataset, choices, |row: &mut RunRow, c| match c.below(4) {
            0 => row.unix_time = c.one_of(&NUMBERS),
            1 => row.step = integer(c),
            2 => row.frames = integer(c),
            _ => row.code = integer(c) as u8,
        }),
        _ => Ok(()),
    }
}
