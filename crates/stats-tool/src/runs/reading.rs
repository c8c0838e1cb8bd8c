//! Reads runs from files, several at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use stats_capture::CaptureFile;
use stats_config::Config;

use super::run_figures::RunFigures;
use super::scenario::check_scenario;
use crate::failure::Failure;
use crate::input::open;
use crate::metrics::{Rules, RunMetrics};
use crate::progress::Progress;

/// Reads all figures of runs, one run after another, in the order of the files. Fails with the
/// first error.
pub(crate) fn read_metrics(
    files: &[PathBuf],
    rules_of: impl Fn(&CaptureFile) -> Result<Rules, Failure>,
) -> Result<Vec<RunMetrics>, Failure> {
    let mut progress = Progress::new("reading", files.len());
    let read = |file: &PathBuf| {
        let capture = open(file)?;
        let run = RunMetrics::of(&capture, file, &rules_of(&capture)?);
        progress.step();
        run
    };
    files.iter().map(read).collect()
}

/// Reads the runs of a scenario, in the order of the files. `None` stands for all scenarios.
///
/// Fails with the first error, or if no file has a run of the scenario.
pub(crate) fn read_runs(
    files: &[PathBuf],
    scenario: Option<&str>,
    config: &Config,
) -> Result<Vec<RunFigures>, Failure> {
    let mut runs = read(files, config)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    if !runs.is_empty() {
        check_scenario(&runs, scenario)?;
    }
    runs.retain(|run| run.is_of(scenario));
    Ok(runs)
}

/// Reads the runs that can be read, in the order of the files. Also returns the errors of the other
/// files.
pub(crate) fn read_readable(files: &[PathBuf], config: &Config) -> (Vec<RunFigures>, Vec<Failure>) {
    let (mut runs, mut failures) = (Vec::new(), Vec::new());
    for run in read(files, config) {
        match run {
            Ok(run) => runs.push(run),
            Err(failure) => failures.push(failure),
        }
    }
    (runs, failures)
}

fn read(files: &[PathBuf], config: &Config) -> Vec<Result<RunFigures, Failure>> {
    let mut progress = Progress::new("reading", files.len());
    read_each(files, |file| RunFigures::read(file, config), &mut progress)
}

/// Calls `read` for each input, such as a file, on all processors. Returns the results in the order
/// of the inputs. Each input is a step of the progress bar.
pub(crate) fn read_each<F: Sync, T: Send>(
    files: &[F],
    read: impl Fn(&F) -> T + Sync,
    progress: &mut Progress,
) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut runs: Vec<_> = files.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..threads.min(files.len()) {
            let (sender, next, read) = (sender.clone(), &next, &read);
            scope.spawn(move || {
                // Relaxed: the counter only hands out indices.
                while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed))
                    && let Some(file) = files.get(at)
                {
                    // The receiver lives until all threads have ended.
                    let _ = sender.send((at, read(file)));
                }
            });
        }
        drop(sender);
        for (at, run) in receiver {
            runs[at] = Some(run);
            progress.step();
        }
    });
    runs.into_iter().flatten().collect()
}
