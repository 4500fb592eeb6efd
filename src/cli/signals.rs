//! Requests to end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that Ctrl-C, a request to end or a closed terminal sets: work then ends at the next good moment. A second
/// Ctrl-C ends the program at once. A second request to end does not: timeout(1) and queues send it to a process and to
/// its group, so that it comes twice.
pub(super) fn heed_signals() -> std::io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&stop))?;
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&stop))?;
    }
    // A terminal that is closed may say so more than once.
    #[cfg(unix)]
    if !is_ignored(SIGHUP) {
        flag::register(SIGHUP, Arc::clone(&stop))?;
    }
    // A file that outgrows its limit would kill us. Once this is heeded, the write fails instead.
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(stop)
}

/// Whether this program was started with a signal ignored, as nohup(1) does with SIGHUP. Then it
/// stays ignored.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// A flag that SIGUSR1 sets: somebody asks for a checkpoint now.
pub(super) fn heed_requests() -> std::io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGUSR1, Arc::clone(&asked))?;
    Ok(asked)
}
