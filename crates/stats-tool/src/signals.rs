//! Signals that ask the process to end: Ctrl+C, a time-out on a CI machine, a closed terminal.

use std::io;

/// The exit code of a process that the user interrupts.
pub(crate) const INTERRUPTED: i32 = 130;

/// From now on, calls a function on its own thread for each signal, which no longer ends the
/// process. Call this once per process.
///
/// Also catches signals that the process inherited as ignored: a background job of a shell script
/// inherits an ignored Ctrl+C. The exception is the end of the terminal. A process that ignores it,
/// such as one under `nohup`, continues to do so.
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

/// Returns whether the process ignores a signal, which only Linux reports. Elsewhere, a process
/// without a terminal is assumed to ignore it.
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

/// From now on, calls a function on its own thread for each signal, which no longer ends the
/// process. Call this once per process.
#[cfg(not(unix))]
pub(crate) fn on_signal(perform: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::try_set_handler(perform).map_err(io::Error::other)
}
