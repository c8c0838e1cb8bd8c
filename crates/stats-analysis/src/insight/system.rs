//! The time in which the system kept a thread from running.
//!
//! Timers measure wall time, so the scope that ran when the system took the processor seems longer.
//! If the series of [`NAMES`] are known, the time in which the thread of the frame waited for a
//! processor is no part of any scope.

use std::collections::HashMap;

use stats_core::{SeriesInfo, Unit};

use super::facts::Form;
use super::moment::Moment;

/// The folder of the thread of the frame, and of other threads.
const FRAME: &str = "frame/";
const THREADS: &str = "threads/";
/// The load of all processors in percent.
const MACHINE: &str = "machine/cpu";
/// Times are those of the frame if their sum differs from its duration by at most this share and
/// this many milliseconds.
const INEXACT: (f64, f64) = (0.1, 0.2);
/// About the time that one page fault takes, in milliseconds: without a disk, and with one.
const FAULT_MS: f64 = 0.0005;
const MAJOR_FAULT_MS: f64 = 0.1;
/// Page faults are named if they take at least about this share of the excess.
const NAMED: f64 = 0.1;

/// What the last segment of a path means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Name {
    Running,
    Ready,
    Blocked,
    PageFaults,
    MajorPageFaults,
    Preemptions,
}

impl Name {
    fn is_fault(self) -> bool {
        matches!(self, Self::PageFaults | Self::MajorPageFaults)
    }
}

/// The last segments of the paths, below [`FRAME`] or a thread.
const NAMES: [(&str, Name); 6] = [
    ("running", Name::Running),
    ("ready", Name::Ready),
    ("blocked", Name::Blocked),
    ("page-faults", Name::PageFaults),
    ("major-page-faults", Name::MajorPageFaults),
    ("preemptions", Name::Preemptions),
];

/// Whose time it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whose {
    Frame,
    /// The thread of this name, whose `/` are `-`.
    Thread(String),
}

/// A series, and the milliseconds in its unit. Counts have 1.
#[derive(Clone, Copy, Debug)]
struct Series {
    number: u32,
    in_ms: f64,
}

/// The series that tell where the time of threads went.
#[derive(Clone, Debug, Default)]
pub(super) struct SystemSeries {
    series: HashMap<(Whose, Name), Series>,
    machine: Option<u32>,
}

/// Returns whether a series tells where the time of a thread went: `running`, `ready`, `blocked`,
/// `page-faults`, `major-page-faults` or `preemptions`, below `frame/` or `threads/NAME/`. Such a
/// value depends on what else the machine does.
pub fn is_thread_figure(path: &str, unit: Unit) -> bool {
    parse(path).is_some_and(|(_, name)| in_ms_or_count(name, unit).is_some())
}

/// Returns the milliseconds in a unit that a figure may have. A count has 1.
fn in_ms_or_count(name: Name, unit: Unit) -> Option<f64> {
    match (name, unit) {
        (Name::Running | Name::Ready | Name::Blocked, unit) => in_ms(unit),
        (_, Unit::Count) => Some(1.0),
        _ => None,
    }
}

fn parse(path: &str) -> Option<(Whose, Name)> {
    let (whose, last) = match (path.strip_prefix(FRAME), path.strip_prefix(THREADS)) {
        (Some(last), _) => (Whose::Frame, last),
        (_, Some(rest)) => {
            let (thread, last) = rest.rsplit_once('/')?;
            (Whose::Thread(thread.to_owned()), last)
        }
        _ => return None,
    };
    let name = NAMES.iter().find(|(name, _)| *name == last)?.1;
    Some((whose, name))
}

impl SystemSeries {
    /// Adds a series if it is one of these.
    pub(super) fn set(&mut self, info: &SeriesInfo<'_>) {
        let number = info.id.number();
        if info.path == MACHINE {
            self.machine = Some(number);
            return;
        }
        let is_timed = Form::of(info).is_timed();
        let Some(place) = parse(info.path).filter(|_| !is_timed) else {
            return;
        };
        if let Some(in_ms) = in_ms_or_count(place.1, info.unit) {
            self.series.insert(place, Series { number, in_ms });
        }
    }

    /// Returns whether a series is a time of a thread, its preemptions, or the load. These follow from what
    /// made the frame long, and explain nothing by themselves.
    pub(super) fn is_consequence(&self, number: u32) -> bool {
        self.machine == Some(number) || self.name(number).is_some_and(|name| !name.is_fault())
    }

    /// Returns whether a series counts page faults.
    pub(super) fn is_fault(&self, number: u32) -> bool {
        self.name(number).is_some_and(Name::is_fault)
    }

    fn name(&self, number: u32) -> Option<Name> {
        let mut all = self.series.iter();
        let found = all.find(|(_, series)| series.number == number);
        found.map(|((_, name), _)| *name)
    }

    fn of_frame(&self, name: Name) -> Option<Series> {
        self.series.get(&(Whose::Frame, name)).copied()
    }

    /// Divides the excess of a frame. `None` if the series are missing or unknown, or if their sum
    /// is not the duration of the frame.
    pub(super) fn split(&self, moment: &Moment) -> Option<Split> {
        let [running, ready, blocked] =
            [Name::Running, Name::Ready, Name::Blocked].map(|name| self.of_frame(name));
        let of = |series: Option<Series>| series.and_then(|series| series.of(moment));
        let ready = ready.and_then(|series| Some((series.number, series.of(moment)?)));
        let ((series, ready), running) = (ready?, of(running)?);
        // Other programs may leave it out.
        let rest = Part {
            value: (moment.frame_ms - running.value - ready.value).max(0.0),
            usual: (moment.usual_ms - running.usual - ready.usual).max(0.0),
        };
        let blocked = of(blocked).unwrap_or(rest);
        let sum = running.value + ready.value + blocked.value;
        let inexact = INEXACT.0 * moment.frame_ms + INEXACT.1;
        ((sum - moment.frame_ms).abs() <= inexact).then_some(Split {
            series,
            ready_ms: ready.excess().max(0.0),
            blocked_ms: blocked.excess().max(0.0),
        })
    }

    /// Returns the time in which another thread waited for a processor longer than usual, and the
    /// number of its series; `None` if it is not known.
    pub(super) fn ready_of(&self, thread: &str, moment: &Moment) -> Option<(u32, f64)> {
        let place = (Whose::Thread(thread.replace('/', "-")), Name::Ready);
        let series = self.series.get(&place)?;
        Some((series.number, series.of(moment)?.excess().max(0.0)))
    }

    /// Returns the thread whose ready time is longer than usual by the most, with the number of the
    /// series and that excess.
    pub(super) fn longest_ready(&self, moment: &Moment) -> Option<(u32, f64)> {
        let threads = self.series.iter().filter_map(|((whose, name), series)| {
            let is_ready = *whose != Whose::Frame && *name == Name::Ready;
            let excess_ms = series.of(moment).filter(|_| is_ready)?.excess();
            Some((series.number, excess_ms))
        });
        threads.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }

    /// Returns the path of a ready time, and the name of its thread; `None` for the thread of the
    /// frame.
    pub(super) fn path_of(&self, number: u32) -> Option<(String, Option<&str>)> {
        let mut all = self.series.iter();
        let ((whose, name), _) = all.find(|(_, series)| series.number == number)?;
        let name = NAMES.iter().find(|(_, known)| known == name)?.0;
        Some(match whose {
            Whose::Frame => (format!("{FRAME}{name}"), None),
            Whose::Thread(thread) => (format!("{THREADS}{thread}/{name}"), Some(thread)),
        })
    }

    /// Returns a value and the usual one, in milliseconds; `None` if they are not known.
    pub(super) fn times(&self, number: u32, moment: &Moment) -> Option<(f64, f64)> {
        let mut all = self.series.values();
        let part = all.find(|series| series.number == number)?.of(moment)?;
        Some((part.value, part.usual))
    }

    /// Returns the load of the machine in percent, if it is known.
    pub(super) fn machine_percent(&self, moment: &Moment) -> Option<f64> {
        let at = self.machine? as usize;
        let load = moment.values.get(at).copied()?;
        (0.0..=1000.0).contains(&load).then(|| load.min(100.0))
    }

    /// Returns words for the page faults that took a part of the excess: those with a disk, or else
    /// those without one.
    pub(super) fn faults(&self, moment: &Moment, excess_ms: f64) -> Option<String> {
        let faults = |name, each_ms: f64| {
            let series = self.of_frame(name)?;
            let part = series.of(moment)?;
            let is_new = moment.novelty(series.number as usize) > 1.0;
            let is_long = part.excess() * each_ms >= NAMED * excess_ms;
            (is_new && is_long && part.value >= 1.0).then_some(part.value)
        };
        if let Some(count) = faults(Name::MajorPageFaults, MAJOR_FAULT_MS) {
            return Some(counted(
                count,
                "page read from a disk",
                "pages read from a disk",
            ));
        }
        let count = faults(Name::PageFaults, FAULT_MS)?;
        Some(counted(count, "page fault", "page faults"))
    }
}

fn counted(count: f64, one: &str, many: &str) -> String {
    let text = crate::format::value_text(count.round(), Unit::Count);
    format!("{text} {}", if count.round() == 1.0 { one } else { many })
}

/// Returns the milliseconds in a unit of time.
pub(super) fn in_ms(unit: Unit) -> Option<f64> {
    match unit {
        Unit::Seconds => Some(1e3),
        Unit::Milliseconds => Some(1.0),
        Unit::Microseconds => Some(1e-3),
        _ => None,
    }
}

/// A known value in a frame, and the usual one.
#[derive(Clone, Copy, Debug)]
struct Part {
    value: f64,
    usual: f64,
}

impl Part {
    fn excess(self) -> f64 {
        self.value - self.usual
    }
}

impl Series {
    fn of(self, moment: &Moment) -> Option<Part> {
        let at = self.number as usize;
        let value = moment.values.get(at).filter(|value| value.is_finite())?;
        moment
            .is_learned
            .get(at)
            .filter(|is_learned| **is_learned)?;
        Some(Part {
            value: value * self.in_ms,
            usual: moment.usual(at) * self.in_ms,
        })
    }
}

/// How the excess of a frame divides, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    /// The number of the series of the ready time.
    pub(super) series: u32,
    /// The excess of the time without a processor.
    pub(super) ready_ms: f64,
    /// The excess of the time in which the thread waited for anything else.
    pub(super) blocked_ms: f64,
}
