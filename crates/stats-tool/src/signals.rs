//! Signals that ask the process to end: Ctrl+C, a time-out of a CI machine, a closed terminal.

use std::io;

/// The exit code of a process that the user interrupts.
pub(crate) const INTERRUPTED: i32 = 130;

/// From now on, calls a function on a thread of its own for each signal, which no longer ends the
/// process. A process has one such function.
///
/// This includes signals that the process was started to ignore, as jobs of shell scripts ignore
/// Ctrl+C. Only a process without a terminal, such as one under `nohup`, survives the end of the
/// terminal.
#[cfg(unix)]
pub(crate) fn on_signal(mut perform: impl FnMut() + Send + 'static) -> io::Result<()> {
    use std::io::IsTerminal;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let has_terminal =
        io::stdin().is_terminal() || io::stdout().is_terminal() || io::stderr().is_terminal();
    let of_terminal = has_terminal.then_some(SIGHUP);
    let mut signals =
        signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(of_terminal))?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|_| perform()))?;
    Ok(())
}

/// From now on, calls a function on a thread of its own for each signal, which no longer ends the
/// process. A process has one such function.
#[cfg(not(unix))]
pub(crate) fn on_signal(perform: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::try_set_handler(perform).map_err(io::Error::other)
}
