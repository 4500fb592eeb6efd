//! What the state of a site tells of a particle.

use jostle_h5md::reading::SiteData;

/// The classes of particles by a site: its states in all species that have it, or free and bound if
/// it has no states, and one class for the particles that do not have the site.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::report) struct SiteClasses {
    pub(in crate::report) site: String,
    /// The classes, for the legend.
    pub(in crate::report) names: Vec<String>,
    /// \[species\]
    places: Vec<Option<SitePlace>>,
    /// The class of those that do not have the site.
    others: usize,
}

/// Which site of a species it is, and the classes of its conditions: of each state, or of free and
/// bound.
#[derive(Clone, Debug, PartialEq)]
struct SitePlace {
    number: u8,
    classes: Vec<usize>,
}

impl SiteClasses {
    /// The names of all sites of a file, each once, in the order of the species.
    pub(in crate::report) fn known(data: &SiteData<'_>) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for site in data.sites.iter().flat_map(|sites| sites.list()) {
            if !known.contains(&site.name) {
                known.push(site.name.clone());
            }
        }
        known
    }

    /// The classes by the site of this name; nothing if no species has it.
    pub(in crate::report) fn of(data: &SiteData<'_>, site: &str) -> Option<Self> {
        let mut names: Vec<String> = Vec::new();
        let mut class = |name: String| {
            names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            })
        };
        let mut places = Vec::new();
        for sites in &data.sites {
            let found = (0u8..).zip(sites.list()).find(|(_, known)| known.name == site);
            places.push(found.map(|(number, found)| {
                let condition = match &found.states[..] {
                    [] => vec![format!("{site} free"), format!("{site} bound")],
                    states => states.iter().map(|state| format!("{site}~{state}")).collect(),
                };
                SitePlace { number, classes: condition.into_iter().map(&mut class).collect() }
            }));
        }
        if places.iter().all(Option::is_none) {
            return None;
        }
        let others = match places.iter().any(Option::is_none) {
            true => class(format!("without {site}")),
            false => 0,
        };
        Some(Self { site: site.to_owned(), names, places, others })
    }

    /// The class of a particle of a species with a site code.
    pub(in crate::report) fn class(&self, data: &SiteData<'_>, species: i32, code: u64) -> usize {
        let species = usize::try_from(species).ok();
        let found = species.and_then(|n| Some((data.sites.get(n)?, self.places.get(n)?.as_ref()?)));
        let class = found.and_then(|(sites, SitePlace { number, classes })| {
            let condition = match sites.list()[usize::from(*number)].states.len() {
                0 => usize::from(code & sites.bound(*number) != 0),
                _ => sites.state_of(code, *number),
            };
            classes.get(condition).copied()
        });
        class.unwrap_or(self.others)
    }
}
