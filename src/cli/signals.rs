//! Requests to end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that Ctrl-C, or a request to end, sets: work then ends at the next good moment. A second
/// one ends the program at once.
pub(super) fn heed_signals() -> std::io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    // A file that outgrows its limit would kill us. Once this is heeded, the write fails instead.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(stop)
}

/// A flag that SIGUSR1 sets: somebody asks for a checkpoint now.
pub(super) fn heed_requests() -> std::io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&asked))?;
    Ok(asked)
}
