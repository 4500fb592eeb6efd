//! A check that panics is a fault of that check: what it said goes into the report, not to the
//! terminal.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// What the last panic of this thread said, while [`heard`] listens.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does some work on this thread; if it panics, says why and where.
pub(super) fn heard<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static LISTEN: Once = Once::new();
    LISTEN.call_once(listen);
    SAID.set(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(work));
    let said = SAID.take().unwrap_or_default();
    result.map_err(|_| said)
}

/// From now on panics are kept where they are waited for; all others go to whoever heard of them
/// before.
fn listen() {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        let waited_for =
            SAID.with_borrow_mut(|said| said.as_mut().map(|said| *said = in_words(panic)));
        if waited_for.is_none() {
            before(panic);
        }
    }));
}

fn in_words(panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("no reason given");
    panic.location().map_or_else(|| what.to_owned(), |place| format!("{what} (a panic at {place})"))
}

#[cfg(test)]
mod tests {
    use super::heard;

    #[test]
    fn what_a_panic_says_is_heard_with_its_place_and_only_there() {
        let panicked = heard(|| panic!("an index out of range")).map(|()| 0).unwrap_err();
        assert!(
            panicked.starts_with("an index out of range (a panic at crates/lab/src"),
            "{panicked}"
        );
        assert_eq!(heard(|| 7), Ok(7));
        // One that is caught inside is no failure.
        let inside = || std::panic::catch_unwind(|| panic!("caught")).is_err();
        assert_eq!(heard(inside), Ok(true));
    }
}
