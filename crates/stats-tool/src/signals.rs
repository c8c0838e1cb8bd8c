//! Signals that ask the process to end: Ctrl+C, a time-out of a CI machine, a closed terminal.

use std::io;

/// The exit code of a process that the user interrupts.
pub(crate) const INTERRUPTED: i32 = 130;

/// From now on, calls a function on a thread of its own for each signal, which no longer ends the
/// process. A process has one such function.
///
/// This includes signals that the process was started to ignore, as jobs of shell scripts ignore
/// Ctrl+C. Only a process that ignores the end of its terminal, such as one under `nohup`, survives
/// that.
#[cfg(unix)]
pub(crate) fn on_signal(mut perform: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let of_terminal = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(of_terminal))?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|_| perform()))?;
    Ok(())
}

/// Returns whether the process ignores a signal. Systems other than Linux do not tell; there, a
/// process without a terminal is assumed to.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    use std::io::IsTerminal;

    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let ignored = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    match ignored {
        Some(ignored) => ignored >> (signal - 1) & 1 == 1,
        None => {
            let mut streams = [
                io::stdin().is_terminal(),
                io::stdout().is_terminal(),
                io::stderr().is_terminal(),
            ]
            .into_iter();
            !streams.any(|is_terminal| is_terminal)
        }
    }
}

/// From now on, calls a function on a thread of its own for each signal, which no longer ends the
/// process. A process has one such function.
#[cfg(not(unix))]
pub(crate) fn on_signal(perform: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::try_set_handler(perform).map_err(io::Error::other)
}
