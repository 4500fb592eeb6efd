//! Several moments of a run beside each other.

use super::super::sheet::Sheet;
use super::{Snapshot, SnapshotOptions};

/// Between two pictures, in the sheet's units.
const GAP: f64 = 8.0;

/// Draws snapshots from left to right, each with its own caption, under one title and with one
/// legend.
pub fn draw_strip(moments: &[(Snapshot, String)], options: &SnapshotOptions) -> Sheet {
    let last = moments.len().saturating_sub(1);
    let mut strip = Sheet::new([0.0, 0.0], &options.title);
    for (n, (snapshot, caption)) in moments.iter().enumerate() {
        // A blank keeps the room of the title.
        let blank = if options.title.is_empty() { "" } else { " " };
        let panel = SnapshotOptions {
            title: if n == 0 { options.title.clone() } else { blank.to_owned() },
            caption: caption.clone(),
            legend: options.legend && n == last,
            ..options.clone()
        };
        strip.append_right(snapshot.draw(&panel), if n == 0 { 0.0 } else { GAP });
    }
    strip
}
