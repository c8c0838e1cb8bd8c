//! Series that are computed from others, frame by frame.

use std::fmt;
use std::sync::Arc;

use crate::{SeriesId, Unit, backend};

/// How the values of a series follow from those of others. stats-analysis implements it for
/// formulas.
pub trait Computation: Send + Sync {
    /// Returns the paths of the series that it needs, always the same ones. A series that is not
    /// registered yet is looked for again when others are registered. Must not call
    /// [`add_computed`], which calls it.
    fn inputs(&self) -> &[String];

    /// Returns the unit of the values. `units` are those of the inputs. Called once, when all inputs
    /// are registered.
    ///
    /// # Errors
    ///
    /// A sentence that says why the inputs do not fit together. The series then has no values, and
    /// the sentence is shown in their place.
    fn unit(&self, units: &[Unit]) -> Result<Unit, String>;

    /// Begins before the first frame. The function that it returns is called once for each frame, in
    /// order.
    fn begin(&self) -> Box<Evaluate>;
}

/// Returns the value of the next frame; one that is not finite is unknown. Gets the values of the
/// inputs, NaN if unknown, and the duration of the frame in milliseconds. Runs on the frame path, so
/// it must neither wait nor allocate.
pub type Evaluate = dyn FnMut(&[f64], f64) -> f64 + Send + Sync;

/// Why a computed series was not added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddComputedError {
    /// The path belongs to another series.
    Taken,
    /// The series would need itself.
    Circle {
        /// The paths. Each series needs the next one, and the last one needs the first, which is the
        /// new one.
        paths: Vec<String>,
    },
    /// All [slots](crate::limits::MAX_SERIES) are taken, or a global allocator made the call.
    Full,
    /// The source cannot compute series, as a file cannot, or the feature `enabled` is off.
    Unsupported,
}

impl fmt::Display for AddComputedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken => f.write_str("the path belongs to another series: choose another path"),
            Self::Circle { paths } => {
                for path in paths {
                    write!(f, "{path:?} needs ")?;
                }
                let first = paths.first().map_or("", String::as_str);
                write!(f, "{first:?}: compute one of them without the others")
            }
            Self::Full => f.write_str(
                "all slots are taken: register fewer series, and none in a global allocator",
            ),
            Self::Unsupported => f.write_str(
                "the source cannot compute series: use a recorder, with the feature `enabled` on",
            ),
        }
    }
}

impl std::error::Error for AddComputedError {}

/// Adds a series that every [`Recorder`](crate::Recorder) computes from others, in its own frames.
/// From then on it is listed as a gauge, and is read like any other series: watched, peeked at,
/// surveyed, captured, and judged by its budget. An exporter to OpenMetrics or OTLP leaves it out, as it
/// does all series whose values may come later. It costs nothing until it is read. While it is, its
/// inputs are watched, and each frame takes what the computation takes, and about 50 ns more for each
/// input. Each input also keeps the values of the recorder's whole
/// [history](crate::Recorder::with_history): 32 KiB with the default one. A survey reads all computed
/// series.
///
/// The value of a frame becomes known when those of the inputs are, which may be
/// [deferred](crate::DeferredSource): its history ends before the first frame that waits for one. A
/// frame before the inputs were watched is unknown.
///
/// The same path and description add the series once, and the first computation stays.
///
/// # Errors
///
/// [`AddComputedError`]; without the feature `enabled` always [`AddComputedError::Unsupported`].
///
/// [stats-analysis] makes computations from formulas.
///
/// [stats-analysis]: https://crates.io/crates/stats-analysis
pub fn add_computed(
    path: &str,
    description: &str,
    computation: Arc<dyn Computation>,
) -> Result<SeriesId, AddComputedError> {
    backend::add_computed(path, description, computation)
}
