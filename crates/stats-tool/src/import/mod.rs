//! `stats import`: captures from the logs of other programs.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::failure::{Failure, Outcome};
use crate::foreign::{self, FORMATS, Format, Head, Log, Options, is_table, why_unknown};
use crate::input::log_files;
use crate::output::{begins_like_run, print, say};

/// The arguments of `stats import`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Logs, folders with logs, or patterns
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The format of the logs
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    from: From,
    /// The name or the number of the process whose frames are wanted [default: the one with the
    /// most frames, except dwm.exe]
    #[arg(long, value_name = "NAME|PID")]
    process: Option<String>,
    /// The column with the frame times, or with the times of the frames [default: the one with a
    /// known name]
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// The unit of that column [default: the one in its name]
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Also import rows that are samples, such as one every 100 ms, as series without figures of
    /// frames
    #[arg(long)]
    sampled: bool,
    /// The capture to write, or a folder for several [default: beside each log]
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
}

/// The program that wrote a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// The one that the beginning of the file tells
    Auto,
    /// PresentMon 1.x and 2.x, and Intel's capture application
    Presentmon,
    /// CapFrameX: JSON
    Capframex,
    /// MangoHud
    Mangohud,
    /// NVIDIA FrameView
    Frameview,
    /// OCAT
    Ocat,
    /// FRAPS
    Fraps,
    /// Unreal Engine's CSV profiler, or `stats export --to unreal-csv`
    UnrealCsv,
    /// Unity's Profile Analyzer: .pdata
    Unity,
    /// puffin: frames and scopes
    Puffin,
    /// Any table with a row for each frame
    Csv,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Seconds
    S,
    /// Milliseconds
    Ms,
    /// Microseconds
    Us,
    /// Nanoseconds
    Ns,
}

impl Unit {
    fn ms(self) -> f64 {
        match self {
            Self::S => 1e3,
            Self::Ms => 1.0,
            Self::Us => 1e-3,
            Self::Ns => 1e-6,
        }
    }
}

impl From {
    /// Returns the name of the reader; `None` if the file tells.
    fn reader(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::Presentmon | Self::Frameview | Self::Ocat => Some("presentmon"),
            Self::Capframex => Some("capframex"),
            Self::Mangohud => Some("mangohud"),
            Self::UnrealCsv => Some("unreal-csv"),
            Self::Unity => Some("unity"),
            Self::Puffin => Some("puffin"),
            Self::Fraps | Self::Csv => Some("csv"),
        }
    }
}

/// Imports logs, and prints the path of each capture. Imports every log that it can. Prints all
/// errors but the last, which it returns.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let files = log_files(&arguments.files)?;
    let options = Options {
        process: arguments.process.clone(),
        time: arguments.time.clone(),
        unit_ms: arguments.unit.map(Unit::ms),
        are_samples_wanted: arguments.sampled,
    };
    let is_one = files.len() == 1;
    let mut last_error = None;
    for file in &files {
        let imported = import(file, arguments, &options, is_one);
        if let Err(error) = imported
            && let Some(before) = last_error.replace(error)
        {
            say(before);
        }
    }
    last_error.map_or(Ok(Outcome::Fine), Err)
}

fn import(
    file: &Path,
    arguments: &Arguments,
    options: &Options,
    is_only_file: bool,
) -> Result<(), Failure> {
    let logs = read(file, arguments.from, options)?;
    let is_one = is_only_file && logs.len() == 1;
    let several = logs.len() > 1;
    for (number, log) in (1..).zip(&logs) {
        let name = file.display();
        log.said
            .iter()
            .for_each(|said| say(format_args!("{name}: {said}")));
        let target = target(
            file,
            arguments.out.as_deref(),
            is_one,
            several.then_some(number),
        );
        // Old scopes beside the capture would be taken for its own.
        let beside = target.with_extension("spans.parquet");
        if let Some(there) = [&target, &beside].into_iter().find(|file| file.exists()) {
            return Err(Failure::Usage(format!(
                "{} exists already; move it away, or name another file with --out",
                there.display()
            )));
        }
        if let Some(folder) = target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::create_dir_all(folder).map_err(Failure::writing(folder))?;
        }
        foreign::write(log, &target)?;
        print(format!("{}\n", target.display()))?;
    }
    Ok(())
}

fn read(file: &Path, from: From, options: &Options) -> Result<Vec<Log>, Failure> {
    let unreadable = Failure::reading(file);
    // Opened before, so that a missing file is not taken for an unknown one.
    let head = Head::read(file).map_err(unreadable)?;
    if begins_like_run(file) {
        return Err(Failure::Usage(format!(
            "{} is a capture already; `stats report` reads it",
            file.display()
        )));
    }
    let named = from
        .reader()
        .and_then(|name| FORMATS.into_iter().find(|format| format.name == name));
    let found = head.format();
    let refuse = |what: &str| Failure::Foreign {
        name: file.display().to_string(),
        what: what.to_owned(),
    };
    let format: &Format = match (named, found) {
        // What has no frames has none in any format.
        (Some(_), Some(found)) if found.is_refused => found,
        (Some(named), _) if named.is_strict && !(named.is)(&head) => {
            let cure = found.map_or(
                "without --from, the file tells its format".to_owned(),
                |found| {
                    format!(
                        "it looks like {}, which is recognized without --from",
                        found.program
                    )
                },
            );
            return Err(refuse(&format!(
                "it is no log of {}; {cure}",
                named.program
            )));
        }
        (Some(named), _) => named,
        (None, Some(found)) => found,
        // Any table will do if its column is named; otherwise the error names the columns.
        (None, None) if is_table(&head) => FORMATS[FORMATS.len() - 1],
        (None, None) => return Err(refuse(why_unknown(&head))),
    };
    (format.read)(file, options).map_err(|refusal| refusal.of_file(file))
}

/// Returns the capture to write for a log. `number` is the number of the run, if the log has several.
fn target(file: &Path, out: Option<&Path>, is_one: bool, number: Option<u32>) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = match number {
        Some(number) => format!("{stem}-{number}.parquet"),
        None => format!("{stem}.parquet"),
    };
    match out {
        None => file.with_file_name(name),
        Some(out) => {
            let is_capture = out.extension().is_some_and(|end| end == "parquet");
            // A file that is there is no folder, whatever its name.
            if out.is_file() || is_one && is_capture && !out.is_dir() {
                out.to_owned()
            } else {
                out.join(name)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_beside_its_log_or_where_out_says() {
        let file = Path::new("logs/run.csv");
        let target =
            |out: Option<&str>, is_one, number| target(file, out.map(Path::new), is_one, number);
        assert_eq!(target(None, true, None), Path::new("logs/run.parquet"));
        assert_eq!(
            target(Some("x.parquet"), true, None),
            Path::new("x.parquet")
        );
        assert_eq!(
            target(Some("out"), true, None),
            Path::new("out/run.parquet")
        );
        assert_eq!(
            target(Some("out"), false, Some(2)),
            Path::new("out/run-2.parquet")
        );
        assert_eq!(
            target(Some("x.parquet"), false, None),
            Path::new("x.parquet/run.parquet")
        );
    }
}
