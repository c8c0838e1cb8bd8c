//! Indications from comparing the frames of one run with those of another.

use stats_capture::CaptureFile;
use stats_core::Source;

use super::comparison::Comparison;
use crate::failure::Failure;
use crate::input::open;
use crate::runs::RunFigures;
use crate::statistics::{Figure, Indication};

/// How a metric is computed: a series, and a figure of its frames.
struct Origin<'a> {
    /// The path of the series; `None` for the frame time.
    path: Option<&'a str>,
    figure: Figure,
}

impl Comparison {
    /// Adds an indication from the frames of one run against those of another to the metrics that
    /// may fail. Metrics that are neither a mean nor a quantile of frames get none.
    pub(crate) fn indicate(
        &mut self,
        before: &RunFigures,
        after: &RunFigures,
    ) -> Result<(), Failure> {
        let (first, second) = (open(&before.file)?, open(&after.file)?);
        for finding in &mut self.may_fail {
            let Some(origin) = origin(&finding.name) else {
                continue;
            };
            let before = frames(&first, before, &origin)?;
            let after = frames(&second, after, &origin)?;
            finding.indication = Indication::between(&before, &after, origin.figure);
        }
        Ok(())
    }
}

fn origin(metric: &str) -> Option<Origin<'_>> {
    let (subject, figure) = metric.rsplit_once('/')?;
    let path = match subject {
        "frame" => None,
        "cpu" => Some("frame/cpu"),
        "gpu" => Some("gpu/frame"),
        _ => Some(subject.strip_prefix("series/")?),
    };
    let figure = match figure {
        "mean" => Figure::Mean,
        "p95-by-time" => Figure::QuantileByTime(0.95),
        "p99-by-time" => Figure::QuantileByTime(0.99),
        "median" => Figure::Quantile(0.5),
        "p95-by-frame" => Figure::Quantile(0.95),
        "p99-by-frame" => Figure::Quantile(0.99),
        "p99.9-by-frame" => Figure::Quantile(0.999),
        _ => return None,
    };
    Some(Origin { path, figure })
}

/// Returns the known values of the frames that are not left out.
fn frames(
    capture: &CaptureFile,
    run: &RunFigures,
    origin: &Origin<'_>,
) -> Result<Vec<f64>, Failure> {
    let column = origin.path.map(|path| capture.read(path)).transpose()?;
    let values = match &column {
        Some(column) => column.slice(),
        None => capture.frame_times(usize::MAX),
    };
    let is_left_out = |frame| run.left_out.has(frame);
    let all = values.iter().zip(values.first_frame()..);
    Ok(all
        .filter(|(value, frame)| !value.is_nan() && !is_left_out(*frame))
        .map(|(value, _)| value)
        .collect())
}
