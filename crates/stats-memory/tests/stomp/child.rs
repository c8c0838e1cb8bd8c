//! Runs each case in a process of its own: the test starts itself with the name of a case.

#![allow(dead_code, reason = "shared by programs that end in different ways")]

use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// How a process should end, and what it should print.
#[derive(Clone, Copy)]
pub(crate) enum End {
    /// Exits with 0, silently.
    Well,
    /// Exits with 0, and prints this once.
    Saying(&'static str),
    /// Exits with 0, and prints these, a line each.
    SayingAll(&'static [&'static str]),
    /// Is killed for the access, after printing all of this.
    Fault(&'static [&'static str]),
    /// Aborts, after printing all of this.
    Abort(&'static [&'static str]),
    /// Is killed by this signal, and the allocator prints nothing.
    Silent(i32),
}

pub(crate) type Case = (&'static str, fn(), End);

/// Runs the named case, or all cases in processes of their own.
pub(crate) fn run(cases: &[Case]) -> ExitCode {
    if !stats_memory::ENABLED {
        return ExitCode::SUCCESS;
    }
    if let Some(name) = std::env::args()
        .nth(1)
        .filter(|name| !name.starts_with('-'))
    {
        let (_, case, _) = cases.iter().find(|case| case.0 == name).unwrap();
        case();
        return ExitCode::SUCCESS;
    }
    let failed: Vec<_> = cases.iter().filter_map(|case| check(case).err()).collect();
    failed.iter().for_each(|failure| eprintln!("{failure}"));
    println!(
        "{} of {} cases passed",
        cases.len() - failed.len(),
        cases.len()
    );
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Returns the signal that killed a process.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Returns the signal that corresponds to an access violation, an abort or a stack overflow.
#[cfg(windows)]
fn signal(status: ExitStatus) -> Option<i32> {
    match status.code()?.cast_unsigned() {
        0xc000_0005 => Some(11),
        0xc000_0409 | 0xc000_00fd => Some(6),
        _ => None,
    }
}

fn check((name, _, end): &Case) -> Result<(), String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command
        .arg(name)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let (stderr, stdout) = (
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout),
    );
    let signal = signal(output.status);
    let (signals, expected): (&[Option<i32>], &[&str]) = match end {
        End::Well => (&[None], &[]),
        End::Saying(text) => (&[None], std::slice::from_ref(text)),
        End::SayingAll(texts) => (&[None], texts),
        End::Fault(texts) => (&[Some(11), Some(7), Some(10)], texts),
        End::Abort(texts) => (&[Some(6)], texts),
        End::Silent(signal) => (&[Some(*signal)], &[]),
    };
    // Whatever a case prints about itself, such as an address, must be in the message as well.
    let all = expected
        .iter()
        .copied()
        .chain(stdout.lines())
        .all(|text| stderr.contains(text));
    let is_silent = !expected.is_empty() || stderr.is_empty();
    let is_saying = matches!(end, End::Saying(_) | End::SayingAll(_));
    let is_once = !is_saying || stderr.lines().count() == expected.len();
    let is_well = !(is_saying || matches!(end, End::Well)) || output.status.success();
    if signals.contains(&signal) && all && is_silent && is_once && is_well {
        return Ok(());
    }
    Err(format!(
        "FAILED: {name}: {}; expected {expected:?} and {stdout:?} in stderr:\n{stderr}",
        output.status
    ))
}
