//! The series that the core lists about itself. It knows their values anyway, and computes them
//! only for readers.

use crate::series::FRAME_TIME_DESCRIPTION;
use crate::{FRAME_TIME, SeriesKind, Unit};

/// The slot of `stats/refused-samples`.
pub(crate) const REFUSED: u32 = 4;

/// The slot of `stats/problems`.
pub(crate) const PROBLEMS: u32 = 5;

/// The slot of `stats/registered-series`.
pub(crate) const REGISTERED: u32 = 6;

/// The slot of `stats/cell-block-sets`.
pub(crate) const CELL_BLOCK_SETS: u32 = 7;

/// The slot of `stats/fps`.
pub(crate) const FPS: u32 = 8;

/// The slot of `stats/late-dropped`.
pub(crate) const LATE_DROPPED: u32 = 9;

pub(crate) const FRAME_TIME_SLOT: u32 = 10;

/// The entry of such a series. `recorder/frame_value.rs` reads its value.
#[derive(Debug)]
pub(crate) struct OwnSeries {
    pub(crate) slot: u32,
    pub(crate) path: &'static str,
    pub(crate) kind: SeriesKind,
    pub(crate) unit: Unit,
    pub(crate) description: &'static str,
}

/// All of these series, by slot.
pub(crate) static OWN_SERIES: [OwnSeries; 7] = [
    OwnSeries {
        slot: REFUSED,
        path: "stats/refused-samples",
        kind: SeriesKind::Counter,
        unit: Unit::Count,
        description: "Values that were refused because they were not finite, were integers that wrapped around, or were recorded while the core allocated.",
    },
    OwnSeries {
        slot: PROBLEMS,
        path: "stats/problems",
        kind: SeriesKind::Counter,
        unit: Unit::Count,
        description: "Problems: an invalid path, a conflicting kind, unit or budget, a refused value, an inexact total, or a limit that was reached.",
    },
    OwnSeries {
        slot: REGISTERED,
        path: "stats/registered-series",
        kind: SeriesKind::Gauge,
        unit: Unit::Count,
        description: "Listed series, including the core's own.",
    },
    OwnSeries {
        slot: CELL_BLOCK_SETS,
        path: "stats/cell-block-sets",
        kind: SeriesKind::Gauge,
        unit: Unit::Count,
        description: "Sets of cells, which is the largest number of threads that ever counted at the same time.",
    },
    OwnSeries {
        slot: FPS,
        path: "stats/fps",
        kind: SeriesKind::Gauge,
        unit: Unit::Hertz,
        description: "The frame rate of each single frame: 1000 divided by its milliseconds.",
    },
    OwnSeries {
        slot: LATE_DROPPED,
        path: "stats/late-dropped",
        kind: SeriesKind::Counter,
        unit: Unit::Count,
        description: "Deferred values that came too late for their frame.",
    },
    OwnSeries {
        slot: FRAME_TIME_SLOT,
        path: FRAME_TIME,
        kind: SeriesKind::FrameTime,
        unit: Unit::Milliseconds,
        description: FRAME_TIME_DESCRIPTION,
    },
];
