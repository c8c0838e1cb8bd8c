//! `stats export`: captures in the formats of other tools.
//!
//! - [`window`]: the exported frames and series.
//! - [`scopes`]: the scopes beside the capture.
//! - [`csv`], [`unreal_csv`], [`presentmon`], [`capframex`], [`mangohud`], [`perfetto`], [`openmetrics`]: the
//!   formats; [`protobuf`] encodes one.

mod capframex;
mod csv;
mod mangohud;
mod openmetrics;
mod perfetto;
mod presentmon;
mod protobuf;
mod scopes;
mod unreal_csv;
mod window;

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use stats_capture::CaptureFile;
use stats_file::Target;

use crate::failure::{Failure, Outcome};
use crate::input::{one_file, open};
use crate::output::target;
use crate::progress::Progress;
use crate::redaction::redact;
use crate::runs::ConfigArguments;
use window::Window;

/// The arguments of `stats export`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A capture, a journal, the log of another program, or `-` for standard input
    #[arg(value_name = "RUN")]
    run: String,
    /// The format
    #[arg(long, value_name = "FORMAT", required_unless_present = "redact")]
    to: Option<Format>,
    /// Write a capture again, with every figure, but without the command line, labels, notes,
    /// pictures, and names of users, machines and files; says what it removed. Needs --out
    #[arg(long, requires = "out", conflicts_with_all = ["to", "frames", "series"])]
    redact: bool,
    /// Only these frames: `100..200` is 100 to 199; either number may be left out
    #[arg(long, value_name = "A..B")]
    frames: Option<String>,
    /// Only series that match this pattern, such as 'ai/**'; may be repeated
    #[arg(long, value_name = "GLOB")]
    series: Vec<String>,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for spreadsheets: a row for each frame, a column for each series
    Csv,
    /// The format of Unreal Engine's CSV profiler, for its tools
    UnrealCsv,
    /// The columns of PresentMon 1, for the tools that read its logs
    Presentmon,
    /// The JSON of CapFrameX
    Capframex,
    /// A log of MangoHud, for the sites and tools that show such logs
    Mangohud,
    /// A trace for ui.perfetto.dev
    Perfetto,
    /// OpenMetrics with time stamps, for Prometheus
    Openmetrics,
}

/// Exports a run.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let Some(to) = arguments.to else {
        return redact_run(arguments);
    };
    if to == Format::Perfetto && arguments.out.is_none() && io::stdout().is_terminal() {
        let cure = "a trace is not text: name a file with --out, such as --out run.perfetto-trace";
        return Err(Failure::Usage(cure.into()));
    }
    let out = arguments.out.as_deref().map(target).transpose()?;
    // An error of the file is one of its derived series, too.
    ConfigArguments::default().config()?;
    let file = one_file(&arguments.run)?;
    let capture = open(&file)?;
    let mut window = Window::of(&capture, arguments.frames.as_deref(), &arguments.series)?;
    if to == Format::Perfetto {
        window.read_scopes(&file, &arguments.series)?;
    }
    let name = match &arguments.out {
        Some(path) => path.display().to_string(),
        None => "standard output".to_owned(),
    };
    match write(arguments, to, out.as_ref(), &window) {
        // The reader of standard output, such as `head`, has closed it.
        Err(source) if source.kind() == ErrorKind::BrokenPipe && arguments.out.is_none() => {}
        Err(source) => return Err(Failure::Output { name, source }),
        Ok(()) => {}
    }
    Ok(Outcome::Fine)
}

/// Writes a run as a capture without what should not leave the house.
fn redact_run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let out = arguments.out.as_deref();
    out.map(target).transpose()?;
    let file = one_file(&arguments.run)?;
    let capture = CaptureFile::open(&file)?;
    redact(capture, &file, out.unwrap_or(&file))?;
    Ok(Outcome::Fine)
}

/// Writes a run to a file, which keeps its content until everything is written, or to standard
/// output.
fn write(
    arguments: &Arguments,
    to: Format,
    out: Option<&Target>,
    window: &Window<'_>,
) -> io::Result<()> {
    let Some(target) = out else {
        return write_to(&mut io::stdout().lock(), arguments, to, window);
    };
    let mut file = target.begin()?;
    write_to(&mut file, arguments, to, window)?;
    file.complete()
}

fn write_to(
    output: &mut dyn Write,
    arguments: &Arguments,
    to: Format,
    window: &Window<'_>,
) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let steps = match to {
        // A bar would disturb the output on a terminal.
        _ if arguments.out.is_none() && io::stdout().is_terminal() => 0,
        Format::Csv
        | Format::UnrealCsv
        | Format::Presentmon
        | Format::Capframex
        | Format::Mangohud => (window.frames.end - window.frames.start) as usize,
        Format::Perfetto | Format::Openmetrics => window.series.len(),
    };
    let progress = &mut Progress::new("exporting", steps);
    match to {
        Format::Csv => csv::write(window, &mut output, progress)?,
        Format::UnrealCsv => unreal_csv::write(window, &mut output, progress)?,
        Format::Presentmon => presentmon::write(window, &mut output, progress)?,
        Format::Capframex => capframex::write(window, &mut output, progress)?,
        Format::Mangohud => mangohud::write(window, &mut output, progress)?,
        Format::Perfetto => perfetto::write(window, &mut output, progress)?,
        Format::Openmetrics => openmetrics::write(window, &mut output, progress)?,
    }
    output.flush()
}
