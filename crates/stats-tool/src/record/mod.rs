//! `stats record`: runs a program once or several times, and captures each run.
//!
//! - [`folder`]: the names of captures.
//! - [`child`]: one run of a program.
//! - [`interrupt`]: signals that end `stats record`.
//! - [`work`]: whether the runs did the same work.
//!
//! The output of a recorded program goes to a file, so that standard output lists only the paths of
//! captures, for scripts.

mod child;
mod folder;
mod interrupt;
mod work;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use stats_analysis::format::count_text;
use stats_capture::CaptureFile;
use stats_core::Source;

use crate::failure::{Failure, Outcome};
use crate::lake::file_capture;
use crate::output::{print, say};
use crate::pattern::pattern;
use crate::progress::Progress;
use crate::redaction::redact;
use child::{Child, End};
use stats_config::Pattern;
use work::Work;

/// The arguments of `stats record`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The number of runs
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    /// The program before the change, with its arguments. Its runs alternate with those of the
    /// program behind `--`, which is the one after the change. The captures are then in the folders
    /// `before` and `after`
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// The folder for the captures
    #[arg(long, value_name = "FOLDER", default_value = "runs")]
    out: PathBuf,
    /// File each capture in this folder by build, platform and scenario, for `stats summarize` and
    /// `stats query`
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    lake: Option<PathBuf>,
    /// Keep the scopes of these frames, for timelines: those around hitches, all, or none. Default:
    /// what the program chooses, usually those around hitches
    #[arg(long, value_name = "FRAMES")]
    scopes: Option<ScopeFrames>,
    /// Verify that the counters that do not measure time have the same value in each frame of all
    /// runs of a program. Name the first difference, and exit with 1
    #[arg(long)]
    verify_work: bool,
    /// Leave these counters out of --verify-work; a pattern such as `net/*`
    #[arg(long, value_name = "PATTERN", requires = "verify_work")]
    except: Vec<String>,
    /// Remove the command line, labels, notes, pictures, and names of users, machines and files from
    /// each capture, and keep every figure; says what it removed
    #[arg(long)]
    redact: bool,
    /// End a run after this time, and keep the frames recorded so far
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    timeout: Option<f64>,
    /// The program and its arguments, after `--`
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The frames whose scopes a capture keeps.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScopeFrames {
    Hitches,
    All,
    None,
}

impl ScopeFrames {
    /// Returns the value of `STATS_CAPTURE_SCOPES`.
    fn variable(self) -> &'static str {
        match self {
            Self::Hitches => "hitches",
            Self::All => "all",
            Self::None => "none",
        }
    }
}

/// A program to record, the folder for its captures, and those of complete runs so far.
struct Side {
    command: Vec<OsString>,
    folder: PathBuf,
    complete: Vec<PathBuf>,
}

/// Runs the programs in turn. Prints the path of each capture to standard output, and how each run
/// ended to standard error.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let timeout = arguments.timeout.map(seconds).transpose()?;
    let except: Result<Vec<Pattern>, Failure> = (arguments.except.iter())
        .map(|text| pattern("--except", text))
        .collect();
    let except = except?;
    if arguments.verify_work && arguments.runs < 2 {
        let cure = "--verify-work compares runs: record at least two, with --runs 2";
        return Err(Failure::Usage(cure.into()));
    }
    let mut sides = sides(arguments)?;
    let mut progress = Progress::new("recording", sides.len() * arguments.runs as usize);
    let mut outcome = Outcome::Fine;
    interrupt::catch_interrupts();
    for _ in 0..arguments.runs {
        for side in &mut sides {
            if !record_run(side, arguments, timeout, &mut progress)? {
                outcome = Outcome::Worse;
            }
            if interrupt::is_interrupted() {
                progress.say("interrupted: no further run is recorded");
                return Ok(Outcome::Worse);
            }
        }
    }
    drop(progress);
    if arguments.verify_work {
        for side in sides.iter().filter(|side| side.complete.len() > 1) {
            let work = Work::of(&side.complete, &except)?;
            work.warnings().for_each(say);
            say(work.sentence());
            outcome = match (outcome, work.outcome()) {
                (Outcome::Worse, _) | (_, Outcome::Worse) => Outcome::Worse,
                (Outcome::Fine, of_work) => of_work,
                (so_far, _) => so_far,
            };
        }
    }
    Ok(outcome)
}

/// Records one run of a program. Returns whether it ended well and can be read.
fn record_run(
    side: &mut Side,
    arguments: &Arguments,
    timeout: Option<Duration>,
    progress: &mut Progress,
) -> Result<bool, Failure> {
    let capture = folder::next_capture(&side.folder)?;
    let scopes = arguments.scopes.map(ScopeFrames::variable);
    let end = Child::start(&side.command, &capture, scopes)?.wait(timeout)?;
    progress.step();
    match finish_capture(&capture, &end, progress) {
        Err(Failure::Read(error)) => {
            progress.say(&format!("{end}; {error}"));
            return Ok(false);
        }
        Err(failure) => return Err(failure),
        Ok(Some(path)) => {
            if arguments.redact {
                progress.clear();
                redact(CaptureFile::open(&path)?, &path, &path)?;
                let log = end.log.display();
                progress.say(&format!("kept: {log}, the output of the program"));
            }
            let path = match &arguments.lake {
                Some(lake) => file_capture(&path, lake)?,
                None => path,
            };
            progress.clear();
            print(format!("{}\n", path.display()))?;
            if end.is_success() {
                side.complete.push(path);
            }
        }
        // The reason has been printed, and the next runs may succeed.
        Ok(None) if !end.is_success() => {}
        Ok(None) => {
            return Err(Failure::NothingRecorded {
                command: side.command[0].to_string_lossy().into_owned(),
                log: end.log,
            });
        }
    }
    Ok(end.is_success())
}

fn seconds(seconds: f64) -> Result<Duration, Failure> {
    let duration = Duration::try_from_secs_f64(seconds).ok();
    duration.filter(|time| !time.is_zero()).ok_or_else(|| {
        Failure::Usage("--timeout needs a positive number of seconds, such as 60".into())
    })
}

fn sides(arguments: &Arguments) -> Result<Vec<Side>, Failure> {
    let after = arguments.command.clone();
    let out = match &arguments.lake {
        // Keeps incomplete runs apart from the complete ones.
        Some(lake) => lake.join("recording"),
        None => arguments.out.clone(),
    };
    let Some(before) = &arguments.against else {
        return Ok(vec![Side {
            command: after,
            folder: out,
            complete: Vec::new(),
        }]);
    };
    // On Windows, a backslash separates folders.
    let escaped = before.replace('\\', "\\\\");
    let posix = if cfg!(windows) { &escaped } else { before };
    let words = shlex::split(posix).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| {
        Failure::Usage(format!(
            "--against {before:?} is not a command; quote it as a whole, and close all quotes in it"
        ))
    })?;
    let before: Vec<OsString> = words.into_iter().map(OsString::from).collect();
    for command in [&before, &after] {
        let program = command[0].to_string_lossy().into_owned();
        if is_missing(&program) {
            // Fail now, not after the other program has run.
            return Err(Failure::Start {
                command: program,
                source: std::io::ErrorKind::NotFound.into(),
            });
        }
    }
    let side = |command, name| Side {
        command,
        folder: out.join(name),
        complete: Vec::new(),
    };
    Ok(vec![side(before, "before"), side(after, "after")])
}

/// Returns whether a program is certainly missing: its path does not exist, or no folder in `PATH`
/// contains it. Always false on Windows, which looks in more places.
fn is_missing(program: &str) -> bool {
    if cfg!(windows) {
        false
    } else if program.contains('/') {
        !Path::new(program).exists()
    } else {
        let folders = std::env::var_os("PATH");
        folders.is_some_and(|folders| {
            !std::env::split_paths(&folders).any(|folder| folder.join(program).exists())
        })
    }
}

/// Recovers the capture of a run if necessary, and prints how the run ended. Returns the capture;
/// `None` if the program recorded nothing.
fn finish_capture(
    capture: &Path,
    end: &End,
    progress: &mut Progress,
) -> Result<Option<PathBuf>, Failure> {
    let journal = folder::journal_of(capture);
    let mut note = String::new();
    if !capture.exists() && journal.exists() {
        match stats_capture::recover(&journal) {
            Ok(_) => note += "; recovered what it had recorded",
            Err(error) => {
                progress.say(&format!("{end}; {error}"));
                return Ok(None);
            }
        }
    }
    if !capture.exists() {
        progress.say(&format!("{end}; it recorded nothing"));
        return Ok(None);
    }
    let file = CaptureFile::open(capture)?;
    let dropped = file.run().cost.map_or(0, |cost| cost.dropped_frames);
    if dropped > 0 {
        note += &format!(
            "; {} missing, because the disk or the processor was too slow to record them",
            count_text(dropped, "frame is", "frames are")
        );
    }
    let frames = file.frames();
    let frames = (frames.end - frames.start).saturating_sub(dropped);
    let frames = count_text(frames, "frame", "frames");
    progress.say(&format!("{}: {frames}, {end}{note}", capture.display()));
    Ok(Some(capture.to_owned()))
}
