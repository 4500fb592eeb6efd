//! What else has to hold before a rule applies: sizes of clusters, bonds, windows of time.

use std::ops::RangeInclusive;

use crate::walker::{Item, Section};
use jostle_core::rules::Condition;

/// Any size at all.
const ANY: RangeInclusive<u32> = 1..=u32::MAX;

/// The conditions of the two partners of a contact rule.
pub(super) fn of_partners(section: &Section<'_>) -> [Condition; 2] {
    let sizes =
        section.get("cluster_size").and_then(|item| each(&item, size)).unwrap_or([ANY, ANY]);
    let bonds = section.get("max_bonds").and_then(|item| each(&item, bonds));
    let [first, second] = bonds.map_or([None, None], |bonds| bonds.map(Some));
    let [size, other] = sizes;
    [Condition { size, valence: first }, Condition { size: other, valence: second }]
}

/// The size that a rule in time asks for.
pub(super) fn of_one(section: &Section<'_>) -> RangeInclusive<u32> {
    section.get("cluster_size").and_then(|item| size(&item)).unwrap_or(ANY)
}

/// One value for both partners, or one for each.
fn each<T: Clone>(item: &Item<'_>, read: impl Fn(&Item<'_>) -> Option<T>) -> Option<[T; 2]> {
    if !item.is_list() {
        let value = read(item)?;
        return Some([value.clone(), value]);
    }
    let list = item.list()?;
    let [first, second] = list.as_slice() else {
        item.fault(format!(
            "found a list of {}, but two values are needed, one per partner",
            list.len()
        ));
        return None;
    };
    // Both, before either is missed, so that faults of both are found.
    let (first, second) = (read(first), read(second));
    Some([first?, second?])
}

fn bonds(item: &Item<'_>) -> Option<u32> {
    Some(u32::try_from(item.whole(1)?).unwrap_or(u32::MAX))
}

/// `3`, `"3"`, `"1..4"`, `"2.."`: both ends count.
fn size(item: &Item<'_>) -> Option<RangeInclusive<u32>> {
    if !item.is_text() {
        let size = u32::try_from(item.whole(1)?).unwrap_or(u32::MAX);
        return Some(size..=size);
    }
    let text = item.text()?;
    let number = |text: &str, open: u32| match text.trim() {
        "" => Some(open),
        text => text.parse().ok().filter(|&n: &u32| n > 0),
    };
    let range = match text.split_once("..") {
        Some((from, to)) => number(from, 1).zip(number(to, u32::MAX)),
        None => number(text, 0).filter(|&n| n > 0).map(|n| (n, n)),
    };
    let range = range.filter(|(from, to)| from <= to);
    if range.is_none() {
        item.fault(format!(
            "found \"{text}\", but a range of cluster sizes is needed, for example \"1..4\", \
             \"2..\" or \"3\""
        ));
    }
    range.map(|(from, to)| from..=to)
}

/// `during`: the windows in which a rule is in force \[µs\]; none if it always is.
pub(super) fn windows(section: &Section<'_>) -> Vec<[f64; 2]> {
    let Some(item) = section.get("during") else {
        return Vec::new();
    };
    let Some(list) = item.list() else {
        return Vec::new();
    };
    let windows: Vec<[f64; 2]> = match list.iter().any(Item::is_list) {
        true => list.iter().filter_map(window).collect(),
        false => window(&item).into_iter().collect(),
    };
    // Opening and closing are dates of the calendar: the end of one window would switch the rule
    // off within the next.
    if windows.windows(2).any(|pair| pair[1][0] < pair[0][1]) {
        item.fault("windows must follow each other without overlap");
    }
    windows
}

fn window(item: &Item<'_>) -> Option<[f64; 2]> {
    let list = item.list()?;
    let [from, to] = list.as_slice() else {
        item.fault("a window needs a start and an end, for example [\"0 s\", \"1 s\"]");
        return None;
    };
    let (from, to) = (from.quantity(), to.quantity());
    let window = [from?, to?];
    if window[0] >= window[1] {
        item.fault(format!(
            "the window ends at {:?} us, before it starts, at {:?} us",
            window[1], window[0]
        ));
        return None;
    }
    Some(window)
}
