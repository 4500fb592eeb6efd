//! Clusters as they come, go and change their size, from the log of changes.

use std::collections::{BTreeSet, HashMap};

use super::super::replay::{self, Memberships};
use jostle_h5md::reading::ReadError;
use jostle_h5md::reading::Reading;

/// A cluster that has had its present size for some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sized {
    pub(super) size: u64,
    /// \[µs\]
    pub(super) since: f64,
}

/// One change: the clusters that ended or changed their size, and what came of them.
pub(super) struct Turn<'a> {
    /// \[µs\]
    pub(super) time: f64,
    pub(super) gone: &'a [Sized],
    pub(super) come: &'a [u64],
}

/// Tells of every change of a cluster's size up to `until` \[µs\], and returns those that are left. If species
/// are chosen, the size of a cluster is the number of their particles, and those without any do not count.
/// Clusters that were there at the start count from then on.
pub(super) fn follow(
    reading: &Reading,
    chosen: Option<&[bool]>,
    until: f64,
    mut begin: impl FnMut(&[Sized]),
    mut turn: impl FnMut(&Turn<'_>),
) -> Result<Vec<Sized>, ReadError> {
    let mut state = replay::first(reading)?;
    let start = reading.times()?.first().copied().unwrap_or(0.0);
    let clusters: BTreeSet<u64> = state.cluster_of().values().copied().collect();
    let size_in = |state: &Memberships, id: u64| match chosen {
        None => state.size(id),
        Some(chosen) => state.size_of(id, chosen),
    };
    let at_first =
        clusters.into_iter().map(|id| (id, Sized { size: size_in(&state, id), since: start }));
    let mut present: HashMap<u64, Sized> = at_first.filter(|(_, one)| one.size > 0).collect();
    begin(&present.values().copied().collect::<Vec<_>>());
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let last_step = ((until / reading.timestep()).ceil() as u64).saturating_add(1);
    let timestep = reading.timestep();
    replay::follow(reading, &mut state, last_step, |state, event| {
        let time = event.time(timestep);
        if time > until {
            return;
        }
        let mut new = Vec::new();
        gone.clear();
        come.clear();
        for id in event.before.iter().map(|&id| id as u64) {
            let stays = event.after.contains(&(id as i64));
            let same = |now: &Sized| stays && size_in(state, id) == now.size;
            if !present.get(&id).is_some_and(same) {
                gone.extend(present.remove(&id));
            }
        }
        for id in event.after.iter().map(|&id| id as u64) {
            let size = size_in(state, id);
            if size > 0 && !present.contains_key(&id) {
                present.insert(id, Sized { size, since: time });
                come.push(size);
                new.push(id);
            }
        }
        // One cluster that others have joined or left, but none of the chosen species.
        if let (Some(_), [was], [size], [id]) = (chosen, &gone[..], &come[..], &new[..])
            && was.size == *size
        {
            present.insert(*id, *was);
            return;
        }
        turn(&Turn { time, gone: &gone, come: &come });
    })?;
    Ok(present.into_values().collect())
}
