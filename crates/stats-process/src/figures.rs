//! The figures of a thread: what they are called, and what they mean.

use stats_core::Unit;

/// The totals of a thread since it began. NaN is unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Totals {
    pub(crate) running_ms: f64,
    pub(crate) ready_ms: f64,
    pub(crate) page_faults: f64,
    pub(crate) major_page_faults: f64,
    pub(crate) preemptions: f64,
}

impl Totals {
    #[cfg_attr(
        any(target_os = "linux", target_os = "android"),
        expect(dead_code, reason = "this system tells everything")
    )]
    pub(crate) const UNKNOWN: Self = Self {
        running_ms: f64::NAN,
        ready_ms: f64::NAN,
        page_faults: f64::NAN,
        major_page_faults: f64::NAN,
        preemptions: f64::NAN,
    };

    /// Returns the figures in the order of [`FIGURES`]. `wall_ms` is the time at which they were
    /// read, by any clock that never stops.
    pub(crate) fn figures(self, wall_ms: f64) -> [f64; FIGURES.len()] {
        [
            self.running_ms,
            self.ready_ms,
            wall_ms - self.running_ms - self.ready_ms,
            self.page_faults,
            self.major_page_faults,
            self.preemptions,
        ]
    }
}

/// A figure of a thread.
#[derive(Debug)]
pub(crate) struct Figure {
    /// The last segment of the path.
    name: &'static str,
    unit: Unit,
    description: &'static str,
}

/// All figures. The first [`TIMES`] are known of other threads, too.
pub(crate) const FIGURES: [Figure; 6] = [
    Figure {
        name: "running",
        unit: Unit::Milliseconds,
        description: "time in which the thread ran on a processor",
    },
    Figure {
        name: "ready",
        unit: Unit::Milliseconds,
        description: "time in which the thread could run, but waited for a processor",
    },
    Figure {
        name: "blocked",
        unit: Unit::Milliseconds,
        description: "the rest of the frame: the thread slept, or waited for a lock, a file or a device",
    },
    Figure {
        name: "page-faults",
        unit: Unit::Count,
        description: "page faults without a disk, mostly pages touched for the first time",
    },
    Figure {
        name: "major-page-faults",
        unit: Unit::Count,
        description: "pages of memory that the thread waited for while they were read from a disk",
    },
    Figure {
        name: "preemptions",
        unit: Unit::Count,
        description: "how often the thread left the processor while it could run: it was preempted, or \
                      yielded",
    },
];

/// The number of figures that are times.
pub(crate) const TIMES: usize = 3;

/// The numbers of the totals of some figures; `None` for those that are not known.
pub(crate) type Numbers<const N: usize> = [Option<usize>; N];

/// Adds the series of the figures below a folder, as far as their totals are known.
pub(crate) fn add_series<const N: usize>(folder: &str, known: [f64; N]) -> Numbers<N> {
    std::array::from_fn(|at| {
        let Figure {
            name,
            unit,
            description,
        } = &FIGURES[at];
        let path = format!("{folder}/{name}");
        let is_known = !known[at].is_nan();
        is_known
            .then(|| stats_core::add_thread_total(&path, *unit, description))
            .flatten()
    })
}

/// Writes figures to their places in all totals.
pub(crate) fn put<const N: usize>(totals: &mut [f64], numbers: &Numbers<N>, figures: [f64; N]) {
    for (number, figure) in numbers.iter().zip(figures) {
        // A series that was just added may have no place yet.
        if let Some(total) = number.and_then(|number| totals.get_mut(number)) {
            *total = figure;
        }
    }
}
