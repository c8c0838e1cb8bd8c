//! One run of a program.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::folder::log_of;
use super::interrupt::{is_interrupted, is_urgent};
use crate::failure::Failure;

/// The interval at which a running program is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// How long a program may take to end by itself after an interrupt. A terminal also interrupts the
/// program, which may then complete its capture.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

/// A running program. Its output goes to a file beside the capture.
pub(super) struct Child {
    child: std::process::Child,
    began: Instant,
    log: PathBuf,
}

/// How a run ended.
pub(super) struct End {
    status: ExitStatus,
    killed: Option<Killed>,
    took: Duration,
    /// The file with the program's output.
    pub(super) log: PathBuf,
}

/// Why a program was killed.
#[derive(Clone, Copy, Debug)]
enum Killed {
    /// It exceeded its time limit.
    Late,
    /// A signal interrupted `stats`.
    Interrupted,
}

impl Child {
    /// Starts a program that records into `capture`.
    /// `scopes` says whose scopes it keeps, unless the program decides.
    pub(super) fn start(
        command: &[OsString],
        capture: &Path,
        scopes: Option<&str>,
    ) -> Result<Self, Failure> {
        let log = log_of(capture);
        let streams = File::create(&log).and_then(|file| Ok((file.try_clone()?, file)));
        let (stdout, stderr) = streams.map_err(Failure::writing(&log))?;
        let program = command.first().cloned().unwrap_or_default();
        let child = Command::new(&program)
            .args(command.iter().skip(1))
            .env("STATS_CAPTURE", capture)
            .envs(scopes.map(|scopes| ("STATS_CAPTURE_SCOPES", scopes)))
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .spawn();
        let child = child.map_err(|source| {
            // The log is empty.
            let _ = std::fs::remove_file(&log);
            Failure::Start {
                command: program.to_string_lossy().into_owned(),
                source,
            }
        })?;
        Ok(Self {
            child,
            began: Instant::now(),
            log,
        })
    }

    /// Waits until the program ends. Kills it after `timeout`, two seconds after an interrupt, or
    /// at a second interrupt.
    pub(super) fn wait(mut self, timeout: Option<Duration>) -> Result<End, Failure> {
        let mut interrupted = None;
        let mut killed = None;
        let waited = loop {
            if is_interrupted() {
                interrupted.get_or_insert_with(Instant::now);
            }
            killed = match self.child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Err(error) => break Err(error),
                Ok(None) if timeout.is_some_and(|limit| self.began.elapsed() >= limit) => {
                    Some(Killed::Late)
                }
                Ok(None)
                    if is_urgent()
                        || interrupted.is_some_and(|since| since.elapsed() >= GRACE_PERIOD) =>
                {
                    Some(Killed::Interrupted)
                }
                Ok(None) => {
                    std::thread::sleep(POLL_INTERVAL);
                    continue;
                }
            };
            break self.kill();
        };
        let status = waited.map_err(|source| Failure::Input {
            name: "the state of the program".into(),
            source,
        })?;
        Ok(End {
            status,
            killed,
            took: self.began.elapsed(),
            log: self.log,
        })
    }

    fn kill(&mut self) -> io::Result<ExitStatus> {
        self.child.kill()?;
        self.child.wait()
    }
}

impl End {
    /// Returns whether the program ended by itself, without an error.
    pub(super) fn is_success(&self) -> bool {
        self.status.success() && self.killed.is_none()
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.took.as_secs_f64();
        match self.killed {
            Some(Killed::Late) => return write!(f, "ended after the time-out, {seconds:.1} s"),
            Some(Killed::Interrupted) => return write!(f, "interrupted after {seconds:.1} s"),
            None => {}
        }
        if self.status.success() {
            return write!(f, "{seconds:.1} s");
        }
        // "exit status: 1", "signal: 11 (SIGSEGV)"
        write!(
            f,
            "failed after {seconds:.1} s with {}; see {}",
            self.status,
            self.log.display()
        )
    }
}
