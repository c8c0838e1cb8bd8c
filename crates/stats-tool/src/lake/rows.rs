//! The rows of a part of the summary.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use stats_capture::{Better, Run};
use stats_core::Unit;

use super::layout::Stamp;
use super::table::{Cells, Columns, TableFile, Texts, write};
use crate::failure::Failure;

/// A run in the summary.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RunRow {
    /// The path of the capture in the lake.
    pub(crate) run: Arc<str>,
    /// The stamp of the capture when it was summarized.
    pub(crate) stamp: Stamp,
    /// The program, the machine, and how the run ended.
    pub(crate) document: Run,
    /// The machine, without its power state.
    pub(crate) machine: Arc<str>,
    pub(crate) frames: i64,
    pub(crate) metrics: Vec<MetricRow>,
    pub(crate) hitches: Vec<HitchRow>,
}

/// One figure of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MetricRow {
    pub(crate) name: Arc<str>,
    pub(crate) value: f64,
    pub(crate) unit: Unit,
    pub(crate) better: Better,
}

/// A frame that was longer than usual.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HitchRow {
    pub(crate) frame: i64,
    pub(crate) frame_ms: f64,
    pub(crate) usual_ms: f64,
    pub(crate) excess_ms: f64,
    pub(crate) verdict: Arc<str>,
    /// The [name](stats_analysis::insight::Finding::name) of the single culprit, and its share of the
    /// excess; `None` without a single culprit.
    pub(crate) culprit: Option<(Arc<str>, f64)>,
}

/// The tables, each in a folder.
pub(super) const TABLES: [&str; 3] = ["runs", "metrics", "hitches"];

pub(super) fn write_part(summary: &Path, part: &str, runs: &[RunRow]) -> Result<(), Failure> {
    for (table, columns) in [
        ("runs", run_columns(runs)),
        ("metrics", metric_columns(runs)),
        ("hitches", hitch_columns(runs)),
    ] {
        write(&summary.join(table).join(part), &columns)?;
    }
    Ok(())
}

fn run_columns(runs: &[RunRow]) -> Columns {
    let text = |of: &dyn Fn(&RunRow) -> Option<String>| {
        Cells::Text(runs.iter().map(|row| of(row).map(Arc::from)).collect())
    };
    let whole = |of: &dyn Fn(&RunRow) -> Option<i64>| Cells::Whole(runs.iter().map(of).collect());
    let micros = |row: &RunRow| {
        let began = chrono::DateTime::parse_from_rfc3339(&row.document.started_at).ok()?;
        Some(began.timestamp_micros())
    };
    vec![
        ("run", text(&|row| Some(row.run.to_string()))),
        (
            "build",
            text(&|row| Some(row.document.build.clone().unwrap_or("unknown".into()))),
        ),
        ("platform", text(&|row| Some(row.document.platform.clone()))),
        (
            "scenario",
            text(&|row| Some(row.document.scenario.clone().unwrap_or("unnamed".into()))),
        ),
        ("started_at", Cells::Time(runs.iter().map(micros).collect())),
        ("commit", text(&|row| row.document.commit.clone())),
        ("branch", text(&|row| row.document.branch.clone())),
        ("machine", text(&|row| Some(row.machine.to_string()))),
        ("frames", whole(&|row| Some(row.frames))),
        ("bytes", whole(&|row| Some(row.stamp.bytes))),
        ("modified_ns", whole(&|row| Some(row.stamp.modified_ns))),
        // Cannot fail: all map keys are strings.
        (
            "document",
            text(&|row| serde_json::to_string(&row.document).ok()),
        ),
    ]
}

fn metric_columns(runs: &[RunRow]) -> Columns {
    let all = || {
        runs.iter()
            .flat_map(|run| run.metrics.iter().map(move |metric| (run, metric)))
    };
    let symbol = |unit: Unit| Arc::from(unit.symbol());
    let better = |better: Better| {
        Arc::from(match better {
            Better::Lower => "lower",
            Better::Higher => "higher",
            _ => "neither",
        })
    };
    vec![
        (
            "run",
            Cells::Text(all().map(|(run, _)| Some(Arc::clone(&run.run))).collect()),
        ),
        (
            "metric",
            Cells::Text(
                all()
                    .map(|(_, metric)| Some(Arc::clone(&metric.name)))
                    .collect(),
            ),
        ),
        (
            "value",
            Cells::Number(all().map(|(_, metric)| Some(metric.value)).collect()),
        ),
        (
            "unit",
            Cells::Text(all().map(|(_, metric)| Some(symbol(metric.unit))).collect()),
        ),
        (
            "better",
            Cells::Text(
                all()
                    .map(|(_, metric)| Some(better(metric.better)))
                    .collect(),
            ),
        ),
    ]
}

fn hitch_columns(runs: &[RunRow]) -> Columns {
    let all = || {
        runs.iter()
            .flat_map(|run| run.hitches.iter().map(move |hitch| (run, hitch)))
    };
    let numbers = |of: &dyn Fn(&HitchRow) -> Option<f64>| {
        Cells::Number(all().map(|(_, hitch)| of(hitch)).collect())
    };
    let culprit = |hitch: &HitchRow| hitch.culprit.as_ref().map(|(name, _)| Arc::clone(name));
    vec![
        (
            "run",
            Cells::Text(all().map(|(run, _)| Some(Arc::clone(&run.run))).collect()),
        ),
        (
            "frame",
            Cells::Whole(all().map(|(_, hitch)| Some(hitch.frame)).collect()),
        ),
        ("frame_ms", numbers(&|hitch| Some(hitch.frame_ms))),
        ("usual_ms", numbers(&|hitch| Some(hitch.usual_ms))),
        ("excess_ms", numbers(&|hitch| Some(hitch.excess_ms))),
        (
            "verdict",
            Cells::Text(
                all()
                    .map(|(_, hitch)| Some(Arc::clone(&hitch.verdict)))
                    .collect(),
            ),
        ),
        (
            "culprit",
            Cells::Text(all().map(|(_, hitch)| culprit(hitch)).collect()),
        ),
        (
            "share",
            numbers(&|hitch| hitch.culprit.as_ref().map(|(_, share)| *share)),
        ),
    ]
}

/// Reads the runs of a part without their metrics and hitches.
pub(super) fn read_runs(
    summary: &Path,
    part: &str,
    known: &mut Texts,
) -> Result<Vec<RunRow>, Failure> {
    let path = summary.join("runs").join(part);
    let file = TableFile::open(path.clone())?;
    let runs = file.texts("run", known)?;
    let machines = file.texts("machine", known)?;
    let [frames, bytes, modified_ns] = [
        file.whole("frames")?,
        file.whole("bytes")?,
        file.whole("modified_ns")?,
    ];
    let documents = file.texts("document", &mut Texts::default())?;
    let empty: Arc<str> = Arc::from("");
    let rows = runs.into_iter().enumerate().map(|(at, run)| {
        let document = documents[at].as_deref().unwrap_or_default();
        Ok(RunRow {
            run: run.unwrap_or_else(|| Arc::clone(&empty)),
            stamp: Stamp {
                bytes: bytes[at].unwrap_or(0),
                modified_ns: modified_ns[at].unwrap_or(0),
            },
            document: serde_json::from_str(document).map_err(|error| Failure::Summary {
                file: path.clone(),
                why: format!("the column document: {error}"),
            })?,
            machine: machines[at].clone().unwrap_or_else(|| Arc::clone(&empty)),
            frames: frames[at].unwrap_or(0),
            metrics: Vec::new(),
            hitches: Vec::new(),
        })
    });
    rows.collect()
}

/// Adds the metrics of a part to its runs.
pub(super) fn read_metrics(
    summary: &Path,
    part: &str,
    known: &mut Texts,
    runs: &mut [RunRow],
) -> Result<(), Failure> {
    let file = TableFile::open(summary.join("metrics").join(part))?;
    let mut owners = Owners::of(runs);
    let owner = file.texts("run", known)?;
    let (names, values) = (file.texts("metric", known)?, file.numbers("value")?);
    let (units, better) = (file.texts("unit", known)?, file.texts("better", known)?);
    let mut units_of: HashMap<Arc<str>, Unit> = HashMap::new();
    for (at, name) in names.into_iter().enumerate() {
        let (Some(run), Some(name), Some(value)) = (owners.find(&owner[at]), name, values[at])
        else {
            continue;
        };
        let unit = units[at].as_ref().map_or(Unit::Count, |symbol| {
            *(units_of.entry(Arc::clone(symbol)))
                .or_insert_with(|| Unit::from_symbol(symbol).unwrap_or_default())
        });
        runs[run].metrics.push(MetricRow {
            name,
            value,
            unit,
            better: match better[at].as_deref() {
                Some("lower") => Better::Lower,
                Some("higher") => Better::Higher,
                _ => Better::Neither,
            },
        });
    }
    Ok(())
}

/// Adds the hitches of a part to its runs.
pub(super) fn read_hitches(
    summary: &Path,
    part: &str,
    known: &mut Texts,
    runs: &mut [RunRow],
) -> Result<(), Failure> {
    let file = TableFile::open(summary.join("hitches").join(part))?;
    let mut owners = Owners::of(runs);
    let owner = file.texts("run", known)?;
    let frames = file.whole("frame")?;
    let [frame_ms, usual_ms, excess_ms, share] = [
        file.numbers("frame_ms")?,
        file.numbers("usual_ms")?,
        file.numbers("excess_ms")?,
        file.numbers("share")?,
    ];
    let (verdicts, culprits) = (file.texts("verdict", known)?, file.texts("culprit", known)?);
    for (at, culprit) in culprits.into_iter().enumerate() {
        let Some(run) = owners.find(&owner[at]) else {
            continue;
        };
        runs[run].hitches.push(HitchRow {
            frame: frames[at].unwrap_or(0),
            frame_ms: frame_ms[at].unwrap_or(0.0),
            usual_ms: usual_ms[at].unwrap_or(0.0),
            excess_ms: excess_ms[at].unwrap_or(0.0),
            verdict: verdicts[at].clone().unwrap_or_default(),
            culprit: culprit.zip(share[at]),
        });
    }
    Ok(())
}

/// Finds the run of each row. The rows of a run are consecutive, so the last run is tried first.
struct Owners {
    by_name: HashMap<Arc<str>, usize>,
    last: Option<(Arc<str>, usize)>,
}

impl Owners {
    fn of(runs: &[RunRow]) -> Self {
        let by_name = runs
            .iter()
            .enumerate()
            .map(|(at, run)| (Arc::clone(&run.run), at));
        Self {
            by_name: by_name.collect(),
            last: None,
        }
    }

    fn find(&mut self, name: &Option<Arc<str>>) -> Option<usize> {
        let name = name.as_ref()?;
        if let Some((last, at)) = &self.last
            && Arc::ptr_eq(last, name)
        {
            return Some(*at);
        }
        let at = *self.by_name.get(name)?;
        self.last = Some((Arc::clone(name), at));
        Some(at)
    }
}
