//! `stats summarize`: the figures of all runs of a lake, as tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use stats_analysis::format::count_text;
use stats_config::Config;

use crate::failure::{Failure, Outcome};
use crate::input::open;
use crate::lake::{self, HitchRow, Lock, MetricRow, RunRow, Stamp, Summary, unsummarized};
use crate::metrics::RunMetrics;
use crate::output::{print, say};
use crate::progress::Progress;
use crate::runs::{ConfigArguments, read_each, rules_of};

/// The number of runs to read before the summary is written. If the command is killed, the next
/// call reads at most this many again.
const BATCH: usize = 256;

/// The arguments of `stats summarize`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder that `stats record --lake` files captures in
    #[arg(value_name = "DIR")]
    lake: PathBuf,
    /// Read all captures again, for example after a change of stats.toml, and repair the summary
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    config: ConfigArguments,
}

/// Adds the runs that are new or have changed to the summary of a lake.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let config = arguments.config.config()?;
    let lake = &arguments.lake;
    if lake.is_file() {
        return Err(Failure::NotALake(lake.clone()));
    }
    let captures = lake::captures(lake)?;
    if captures.is_empty() && !Summary::exists(lake) {
        return Err(Failure::NotALake(lake.clone()));
    }
    let _lock = Lock::acquire(lake)?;
    let mut summary = if arguments.again {
        let (summary, damages) = Summary::repair(lake)?;
        for (file, why) in damages {
            say(format_args!(
                "{} is damaged ({why}); the summary is repaired without it",
                file.display()
            ));
        }
        summary
    } else {
        Summary::read(lake)?
    };
    summary.remove_unused();
    let new: Vec<String> = if arguments.again {
        captures
    } else {
        unsummarized(lake, captures, &summary)
    };
    let mut progress = Progress::new("summarizing", new.len());
    let (mut added, mut unreadable) = (0, 0);
    for batch in new.chunks(BATCH) {
        let read = |run: &String| summarized(lake, run, &config);
        let rows = read_each(batch, read, &mut progress);
        let mut readable = Vec::with_capacity(rows.len());
        for row in rows {
            match row {
                Ok(row) => readable.push(row),
                Err(failure) => {
                    progress.say(&format!("stats: {failure}; the run is left out"));
                    unreadable += 1;
                }
            }
        }
        added += readable.len();
        if !readable.is_empty() {
            summary.add(readable)?;
        }
    }
    drop(progress);
    let all = summary.runs().count();
    print(format!(
        "{} added to the summary of {}, which has {all}\n",
        count_text(added as u64, "run", "runs"),
        lake.display()
    ))?;
    Ok(if unreadable > 0 {
        Outcome::Unreadable
    } else {
        Outcome::Fine
    })
}

fn summarized(lake: &Path, run: &str, config: &Config) -> Result<RunRow, Failure> {
    let file = lake.join(run);
    let stamp = Stamp::of(&file).map_err(Failure::reading(&file))?;
    let capture = open(&file)?;
    let rules = rules_of(&capture, config);
    let metrics = RunMetrics::of(&capture, &file, &rules)?;
    let hitches = (metrics.explained.seen()).map(|hitch| HitchRow {
        frame: hitch.frame as i64,
        frame_ms: hitch.frame_ms,
        usual_ms: hitch.usual_ms,
        excess_ms: hitch.excess_ms,
        culprit: (hitch.culprit()).map(|finding| (Arc::from(&*finding.name()), finding.share)),
        verdict: hitch.verdict.as_str().into(),
    });
    Ok(RunRow {
        run: run.into(),
        stamp,
        machine: metrics.machine().into(),
        frames: (metrics.frames.end - metrics.frames.start) as i64,
        metrics: (metrics.list().into_iter())
            .map(|metric| MetricRow {
                name: metric.name.into(),
                value: metric.value,
                unit: metric.unit,
                better: metric.better,
            })
            .collect(),
        hitches: hitches.collect(),
        document: metrics.run,
    })
}
