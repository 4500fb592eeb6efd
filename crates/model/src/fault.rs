//! What is wrong with a model: all faults at once, each with its place and key.

use std::fmt;

use jostle_files::{plain_line, shortened};

/// More faults than this are not told, nor kept.
pub(super) const MOST_FAULTS: usize = 1000;
/// The most characters of a key and of a message: both may quote the file.
const LONGEST: [usize; 2] = [200, 4000];

/// Where a fault lies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of the file, counted from 1.
    Line(usize),
    /// A line and a column of the file, both counted from 1.
    Column(usize, usize),
    /// Something that the command line set on top of the file, as `key=value`.
    Override(String),
}

/// Where a model file says something, for what turns out only later to be impossible. A model is
/// the same wherever its file says what it says: all origins are equal.
#[derive(Clone, Debug)]
pub struct Origin {
    pub(super) place: Place,
    pub(super) key: String,
}

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Origin {
    /// What is wrong with what is said here, as a fault of the file called `name`.
    pub fn fault(&self, name: &str, message: String) -> Faults {
        let Self { place, key } = self.clone();
        Faults::new(name, vec![Fault { place, key, message }])
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it stands: file and line.
    pub place: Place,
    /// The key, as `--set` takes it (`species.EGFR.radius`); may be empty.
    pub key: String,
    /// What was found, and what would do.
    pub message: String,
}

/// Everything that is wrong with a model, in the order of the file.
///
/// ```
/// let text = "space = { dimension = 2, edges = '100 nm' }\n\
///             run = { timestep = '1 us', until = '1 nm' }\n\
///             [[species]]\nname = 'A'\nradius = '2.5 nm'\ndiffusoin = '1 nm^2/us'\ncount = 3\n";
/// let faults = jostle_model::parse(text, "discs.toml", &[]).unwrap_err();
/// // All of them, in the order of the file, each with its line and key.
/// let keys: Vec<&str> = faults.list.iter().map(|fault| fault.key.as_str()).collect();
/// assert_eq!(keys, ["run.until", "species.A.diffusion", "species.A.diffusoin"]);
/// assert!(faults.to_string().starts_with("discs.toml:2: run.until: "), "{faults}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    /// The file's name.
    pub name: String,
    /// The faults; never empty.
    pub list: Vec<Fault>,
}

impl Faults {
    pub(super) fn new(name: &str, mut list: Vec<Fault>) -> Self {
        list.sort_by(|a, b| a.place.cmp(&b.place));
        list.dedup();
        if list.len() > MOST_FAULTS {
            list.truncate(MOST_FAULTS);
            let place = list[MOST_FAULTS - 1].place.clone();
            let message = format!("these are the first {MOST_FAULTS} faults; there are more");
            list.push(Fault { place, key: String::new(), message });
        }
        for Fault { key, message, .. } in &mut list {
            for (text, most) in [key, message].into_iter().zip(LONGEST) {
                *text = shortened(&plain_line(text), most).into_owned();
            }
        }
        Self { name: name.to_owned(), list }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = plain_line(&self.name);
        for (n, fault) in self.list.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            match &fault.place {
                Place::File => write!(f, "{name}: ")?,
                Place::Line(line) => write!(f, "{name}:{line}: ")?,
                Place::Column(line, column) => write!(f, "{name}:{line}:{column}: ")?,
                Place::Override(set) => write!(f, "--set {set}: ")?,
            }
            if !fault.key.is_empty() {
                write!(f, "{}: ", fault.key)?;
            }
            write!(f, "{}", fault.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
