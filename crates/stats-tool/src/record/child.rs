//! One run of a program.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::folder::log_of;
use crate::failure::Failure;

/// The interval at which a running program is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A running program. Its output goes to a file beside the capture.
pub(super) struct Child {
    child: std::process::Child,
    began: Instant,
    log: PathBuf,
}

/// The end of a run.
pub(super) struct End {
    status: ExitStatus,
    is_late: bool,
    took: Duration,
    /// The file with the program's output.
    pub(super) log: PathBuf,
}

impl Child {
    /// Starts a program that records into `capture`.
    pub(super) fn start(command: &[OsString], capture: &Path) -> Result<Self, Failure> {
        let log = log_of(capture);
        let streams = File::create(&log).and_then(|file| Ok((file.try_clone()?, file)));
        let (stdout, stderr) = streams.map_err(|source| Failure::Output {
            name: log.display().to_string(),
            source,
        })?;
        let program = command.first().cloned().unwrap_or_default();
        let child = Command::new(&program)
            .args(command.iter().skip(1))
            .env("STATS_CAPTURE", capture)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .spawn();
        let child = child.map_err(|source| Failure::Start {
            command: program.to_string_lossy().into_owned(),
            source,
        })?;
        Ok(Self {
            child,
            began: Instant::now(),
            log,
        })
    }

    /// Waits until the program ends, and kills it after `timeout`.
    pub(super) fn wait(mut self, timeout: Option<Duration>) -> Result<End, Failure> {
        let mut is_late = false;
        let waited = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Ok(status),
                Ok(None) if timeout.is_some_and(|limit| self.began.elapsed() >= limit) => {
                    is_late = true;
                    break self.end();
                }
                Ok(None) => std::thread::sleep(POLL_INTERVAL),
                Err(error) => break Err(error),
            }
        };
        let status = waited.map_err(|source| Failure::Input {
            name: "the state of the program".into(),
            source,
        })?;
        Ok(End {
            status,
            is_late,
            took: self.began.elapsed(),
            log: self.log,
        })
    }

    fn end(&mut self) -> io::Result<ExitStatus> {
        self.child.kill()?;
        self.child.wait()
    }
}

impl End {
    /// Returns whether the program ended by itself, without an error.
    pub(super) fn is_success(&self) -> bool {
        self.status.success() && !self.is_late
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.took.as_secs_f64();
        if self.is_late {
            return write!(f, "ended after the time-out, {seconds:.1} s");
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
