//! Refuses files whose contents lie elsewhere.
//!
//! HDF5 follows links into other files, and takes the values of datasets from any file that they
//! name. The file of a stranger could so copy whatever its reader may read into a table or a page
//! that is passed on, wait for a pipe, or name itself without end. No file that jostle writes does
//! any of this, nor has one a symbolic link.

use std::collections::HashSet;

use hdf5::dataset::Layout;
use hdf5::{Dataset, File, Group, IndexType, IterationOrder, LinkType};

/// No file has groups within groups as deep as this.
const DEEPEST: usize = 64;
/// No file has so many groups and datasets.
const MOST_LINKS: usize = 100_000;

/// Something in a file that is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) what: String,
    pub(crate) reason: String,
    /// Whether it is damaged, and does not lead elsewhere.
    pub(crate) is_damaged: bool,
}

/// Looks at every link and at the layout of every dataset, and reads none. The time that it takes
/// depends on their number alone.
pub(crate) fn check(file: &File) -> Result<(), Refused> {
    let mut survey = Survey { seen: HashSet::new(), left: MOST_LINKS };
    let root = file.group("/").map_err(|error| damaged("/", &error))?;
    let mut groups = vec![(String::new(), 0, root)];
    while let Some((name, depth, group)) = groups.pop() {
        if depth > DEEPEST {
            return Err(refused(&name, format!("groups are nested deeper than {DEEPEST}")));
        }
        let inner = survey.visit(&name, &group)?;
        groups.extend(inner.into_iter().map(|(name, group)| (name, depth + 1, group)));
    }
    Ok(())
}

struct Survey {
    /// The groups that have been looked at: groups may hold each other in a circle.
    seen: HashSet<String>,
    /// How many more links are looked at.
    left: usize,
}

impl Survey {
    /// Looks at what is directly in a group; returns the groups.
    fn visit(&mut self, name: &str, group: &Group) -> Result<Vec<(String, Group)>, Refused> {
        let at = |error: hdf5::Error| damaged(name, &error);
        let token = format!("{:?}", group.loc_info().map_err(at)?.token);
        if !self.seen.insert(token) {
            return Ok(Vec::new());
        }
        let mut links = Vec::new();
        let left = self.left;
        let order = (IndexType::Name, IterationOrder::Native);
        let more = group.find_link(order.0, order.1, |link, info| {
            links.push((link.to_owned(), info.link_type));
            Ok((links.len() > left).then_some(()))
        });
        if more.map_err(at)?.is_some() {
            return Err(refused(name, format!("there are more than {MOST_LINKS} links")));
        }
        self.left -= links.len();
        let mut groups = Vec::new();
        for (link, kind) in links {
            let whole = format!("{name}/{link}");
            match kind {
                LinkType::Hard => (),
                LinkType::Soft => {
                    return Err(refused(&whole, "this is a soft link, which is not followed"));
                }
                LinkType::External => {
                    return Err(refused(
                        &whole,
                        "this is a link to another file, which is not followed",
                    ));
                }
            }
            // What cannot be opened here cannot be read later, either.
            if let Ok(inner) = group.group(&link) {
                groups.push((whole, inner));
            } else if let Ok(dataset) = group.dataset(&link) {
                check_storage(&whole, &dataset)?;
            }
        }
        Ok(groups)
    }
}

/// Refuses a dataset whose values are those of other files or datasets.
fn check_storage(name: &str, dataset: &Dataset) -> Result<(), Refused> {
    let at = |error: hdf5::Error| damaged(name, &error);
    let plist = dataset.create_plist().map_err(at)?;
    if plist.get_layout().map_err(at)? == Layout::Virtual {
        return Err(refused(
            name,
            "this is a virtual dataset, whose values are in other datasets; they are not read",
        ));
    }
    if !plist.get_external().map_err(at)?.is_empty() {
        return Err(refused(name, "its values are in another file, which is not read"));
    }
    Ok(())
}

fn refused(what: &str, reason: impl Into<String>) -> Refused {
    let what = if what.is_empty() { "/" } else { what };
    Refused { what: what.to_owned(), reason: reason.into(), is_damaged: false }
}

fn damaged(what: &str, error: &hdf5::Error) -> Refused {
    Refused { is_damaged: true, ..refused(what, error.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is refused of a file that was made so.
    fn of(make: impl FnOnce(&File) -> hdf5::Result<()>) -> Result<(), Refused> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.h5");
        let file = File::create(&path).unwrap();
        file.create_group("a/b").unwrap();
        file.new_dataset_builder().with_data(&[1, 2, 3]).create("a/b/own").unwrap();
        make(&file).unwrap();
        file.close().unwrap();
        check(&File::open(&path).unwrap())
    }

    fn assert_refused(made: Result<(), Refused>, what: &str, reason: &str) {
        let refused = made.unwrap_err();
        assert_eq!(refused.what, what);
        assert!(refused.reason.contains(reason), "{}", refused.reason);
    }

    #[test]
    fn hard_links_are_fine_even_in_a_circle() {
        assert_eq!(of(|file| file.link_hard("a", "a/b/a")), Ok(()));
        assert_eq!(of(|file| file.link_hard("a/b/own", "a/same")), Ok(()));
    }

    #[test]
    fn links_that_lead_elsewhere_are_refused_by_name() {
        let soft = of(|file| file.link_soft("/a/b/own", "a/soft"));
        assert_refused(soft, "/a/soft", "soft link");
        let external = of(|file| file.link_external("other.h5", "/x", "a/b/out"));
        assert_refused(external, "/a/b/out", "link to another file");
    }

    #[test]
    fn values_that_are_elsewhere_are_refused_by_name() {
        let external = of(|file| {
            let size = 4;
            let made = file.new_dataset::<u8>().shape(size);
            made.with_dcpl(|plist| plist.external("/etc/hostname", 0, size))
                .create("a/taken")
                .map(drop)
        });
        assert_refused(external, "/a/taken", "in another file");
        let virtual_ = of(|file| {
            let made = file.new_dataset::<i32>().shape(3);
            let map = |plist: &mut hdf5::dataset::DatasetCreateBuilder| {
                plist.virtual_map(".", "a/itself", 3, .., 3, ..);
            };
            made.with_dcpl(|plist| {
                map(plist);
                plist
            })
            .create("a/itself")
            .map(drop)
        });
        assert_refused(virtual_, "/a/itself", "virtual dataset");
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let deep = of(|file| file.create_group(&"g/".repeat(DEEPEST + 2)).map(drop));
        assert!(deep.unwrap_err().reason.contains("deeper"));
    }
}
