//! What takes long.

use super::structures::events_lose_no_contact;

/// A thousand million events (a quarter of an hour on four cores).
#[test]
fn a_thousand_million_events_lose_no_contact() {
    events_lose_no_contact(250_000_000);
}
