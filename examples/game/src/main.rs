//! A small game with a loop and a renderer of its own, instrumented with about three hundred
//! counters: the showcase of the statistics overlay, and an example of how a game uses its crates.
//!
//! Where to look, depending on what you want to add to your own game:
//!
//! - **Counters:** any file of [`sim`] or [`render`]. Each file declares its counters as statics at
//!   the top and updates them where the work happens.
//! - **The overlay:** [`overlay`] creates it, draws it, shares the input with it, and keeps its
//!   settings from run to run.
//! - **GPU times:** [`render`] times each pass with one line.
//! - **Memory by owner:** [`memory`] installs the allocator and declares the groups and their
//!   budgets.
//! - **puffin scopes:** [`puffin_scopes`].
//! - **Plugins:** [`plugins`] loads one from a dynamic library, and reloads it when it changes.
//! - **Reports and budgets in CI:** [`report`] prints the report of a run without a player, and
//!   `main` turns an exceeded memory budget into a failing exit code.
//!
//! [`game::Game`] is one running game. Two hosts drive it frame by frame: [`window`] with a window,
//! [`headless`] without one.

mod args;
mod camera;
mod game;
mod headless;
mod hud;
mod input;
mod limiter;
mod memory;
mod overlay;
#[cfg(feature = "pads")]
mod pads;
mod plugins;
mod puffin_scopes;
mod render;
mod report;
mod script;
mod sim;
#[cfg(test)]
mod tests;
mod window;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use args::Args;
use report::Report;
use stats_file::Target;

fn main() -> ExitCode {
    let args = Args::checked(std::env::args_os()).unwrap_or_else(|error| error.exit());
    if let Some(file) = &args.report
        && let Err(error) = Target::of(file)
    {
        return not_written(file, &error);
    }
    memory::watch_untracked();
    let played = if args.headless {
        headless::run(&args).map(Some)
    } else {
        window::run(&args)
    };
    match played {
        Ok(None) => ExitCode::SUCCESS,
        Ok(Some(report)) => finish(&report, &args),
        Err(error) => {
            eprintln!("game: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the report of a run, and writes it to a file if the arguments name one. The run fails if
/// the file cannot be written, or if a memory group exceeded its budget and that is not allowed.
fn finish(report: &Report, args: &Args) -> ExitCode {
    println!("{}", report.text);
    if let Some(file) = &args.report
        && let Err(error) = write(file, &format!("{}\n", report.text))
    {
        return not_written(file, &error);
    }
    if report.over_budget.is_empty() || args.allow_over_budget {
        return ExitCode::SUCCESS;
    }
    eprintln!(
        "game: over its memory budget: {}; find the owner with --memory-dump FILE or the memory view (F3, then B), \
         or pass --allow-over-budget to let the run succeed",
        report.over_budget
    );
    ExitCode::FAILURE
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut new = Target::of(file)?.begin()?;
    new.write_all(text.as_bytes())?;
    new.complete()
}

fn not_written(file: &Path, error: &io::Error) -> ExitCode {
    eprintln!(
        "game: the report cannot be written to {} ({error}); name a file in an existing, writable folder",
        file.display()
    );
    ExitCode::FAILURE
}
