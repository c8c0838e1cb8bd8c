//! The time in which the system kept a thread from running.
//!
//! Timers measure wall time, so the scope that ran when the system took the processor seems longer.
//! If the series of [`NAMES`] are known, the time in which the thread of the frame waited for a
//! processor is no part of any scope.

use std::collections::{HashMap, HashSet};

use stats_core::{SeriesInfo, Unit};

use super::attribution::{LATE_PART, MATCH};
use super::facts::Form;
use super::moment::Moment;
use super::processor::Left;
use super::trigger::{MIN_MS, least_rise};
use super::usual::UsualValues;

/// The folder of the thread of the frame, and of other threads.
const FRAME: &str = "frame/";
const THREADS: &str = "threads/";
/// The load of all processors in percent, if the program publishes it.
const MACHINE: &str = "machine/cpu";
/// Times are those of the frame if their sum differs from its duration by at most this share and
/// this many milliseconds.
const INEXACT: (f64, f64) = (0.1, 0.2);
/// About the time that one page fault takes, in milliseconds: without a disk, and with one.
const FAULT_MS: f64 = 0.0005;
const MAJOR_FAULT_MS: f64 = 0.1;
/// Page faults are named if they take at least about this share of the excess.
const FAULT_PART: f64 = 0.1;

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

/// Where the time of a frame went, as the system tells it of the thread of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ThreadTimes {
    /// The time on a processor, in milliseconds.
    pub running_ms: f64,
    /// The time in which the thread waited for a processor, in milliseconds.
    pub ready_ms: f64,
    /// The time in which the thread waited for anything else, in milliseconds.
    pub blocked_ms: f64,
    /// The number of page faults that needed no disk; `None` if it is not known.
    pub page_faults: Option<f64>,
    /// How much less than usual the thread waited for a processor, in milliseconds: by so much, a usual
    /// frame took longer than [`Hitch::usual_ms`](super::Hitch::usual_ms).
    pub(super) spared_ms: f64,
}

/// Whose time it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Whose {
    Frame,
    /// The thread of this name, whose `/` are `-`.
    Thread(String),
}

impl Whose {
    /// Returns whether it is the thread of a name. Allocates nothing.
    fn is_thread(&self, name: &str) -> bool {
        let replaced = name.chars().map(|one| if one == '/' { '-' } else { one });
        matches!(self, Self::Thread(thread) if thread.chars().eq(replaced))
    }
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
    /// The series that tell what the machine does.
    sampled: HashSet<u32>,
}

/// The folder of what the machine does, and the series of the process that follow from it.
const OF_MACHINE: &str = "machine/";
const OF_PROCESS: [&str; 4] = ["cpu", "threads", "read-bytes", "written-bytes"];

/// Returns whether a series tells what the machine does: one below `machine/`, or the processor time,
/// the threads, or the reads and writes of the process below `process/`. Such a value is sampled now
/// and then, and differs from run to run.
pub fn is_machine_figure(path: &str) -> bool {
    let of_process = path.strip_prefix("process/");
    path.starts_with(OF_MACHINE) || of_process.is_some_and(|name| OF_PROCESS.contains(&name))
}

/// Returns whether a series tells where the time of a thread went: `running`, `ready`, `blocked`,
/// `page-faults`, `major-page-faults` or `preemptions`, below `frame/` or `threads/NAME/`. Such a
/// value depends on what else the machine does.
pub fn is_thread_figure(path: &str, unit: Unit) -> bool {
    parse(path).is_some_and(|(_, name)| in_ms_or_count(name, unit).is_some())
}

/// Returns whether the times in which a thread was running, ready and blocked are those of a frame:
/// their sum differs from its duration by at most 10 % and 0.2 ms. If one of them is not known, the
/// sum may be shorter. All times are in milliseconds.
pub fn add_up_to_frame(times_ms: [Option<f64>; 3], frame_ms: f64) -> bool {
    let sum: f64 = times_ms.iter().flatten().sum();
    let inexact = INEXACT.0 * frame_ms + INEXACT.1;
    let is_too_short = times_ms.iter().all(Option::is_some) && sum < frame_ms - inexact;
    sum <= frame_ms + inexact && !is_too_short
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
            let (_, last) = rest.rsplit_once('/')?;
            (Whose::Thread(thread_of(path)?.to_owned()), last)
        }
        _ => return None,
    };
    let name = NAMES.iter().find(|(name, _)| *name == last)?.1;
    Some((whose, name))
}

/// Returns the name of the thread that a figure is about; `None` for the thread of the frame.
pub(super) fn thread_of(path: &str) -> Option<&str> {
    let (thread, _) = path.strip_prefix(THREADS)?.rsplit_once('/')?;
    Some(thread)
}

impl SystemSeries {
    /// Adds a series if it is one of these.
    pub(super) fn set(&mut self, info: &SeriesInfo<'_>) {
        let number = info.id.number();
        if is_machine_figure(info.path) {
            self.sampled.insert(number);
        }
        if info.path == MACHINE && info.unit == Unit::Percent {
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

    /// Returns whether a series is a time of a thread, its preemptions, or what the machine does. These
    /// follow from what made the frame long, and explain nothing by themselves.
    pub(super) fn is_consequence(&self, number: u32) -> bool {
        self.sampled.contains(&number) || self.name(number).is_some_and(|name| !name.is_fault())
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

    /// Returns where the time of a frame went. `None` under the same conditions as
    /// [`split`](Self::split).
    pub(super) fn thread_times(&self, moment: &Moment) -> Option<ThreadTimes> {
        self.split(moment)?;
        let value = |name| Some(self.of_frame(name)?.of(moment)?.value);
        let (running_ms, ready_ms) = (value(Name::Running)?, value(Name::Ready)?);
        let rest_ms = (moment.frame_ms - running_ms - ready_ms).max(0.0);
        Some(ThreadTimes {
            running_ms,
            ready_ms,
            blocked_ms: value(Name::Blocked).unwrap_or(rest_ms),
            page_faults: value(Name::PageFaults),
            spared_ms: moment.spared_ms,
        })
    }

    /// Divides the excess of a frame. `None` if the series are missing or unknown, or if their sum
    /// is not the duration of the frame.
    pub(super) fn split(&self, moment: &Moment) -> Option<Split> {
        let [running, ready, blocked] =
            [Name::Running, Name::Ready, Name::Blocked].map(|name| self.of_frame(name));
        let of = |series: Option<Series>| series.and_then(|series| series.of(moment));
        let ready = ready.and_then(|series| Some((series.number, series.of(moment)?)));
        let ((series, ready), running, blocked) = (ready?, of(running)?, of(blocked));
        let times = [Some(running), Some(ready), blocked].map(|time| Some(time?.value));
        // Other programs may leave it out.
        let rest = Part {
            value: (moment.frame_ms - running.value - ready.value).max(0.0),
            usual: (moment.learned_usual_ms() - running.usual - ready.usual).max(0.0),
        };
        add_up_to_frame(times, moment.frame_ms).then_some(Split {
            series,
            ready_ms: ready.excess().max(0.0),
            usual_ready_ms: Some(ready.value.min(ready.usual))
                .filter(|ms| *ms >= MIN_MS)
                .unwrap_or_default(),
            running_ms: running.excess().max(0.0),
            new_running_ms: self.new_running_ms(moment, running),
            blocked_ms: blocked.unwrap_or(rest).excess().max(0.0),
        })
    }

    /// Returns the usual duration of a frame without the usual time without a processor.
    pub(super) fn usual_without_ready(&self, moment: &Moment) -> f64 {
        let ready = self.of_frame(Name::Ready).and_then(|one| one.of(moment));
        let usual_ready_ms = ready.map_or(0.0, |ready| ready.usual);
        (moment.learned_usual_ms() - usual_ready_ms).max(0.0)
    }

    /// Returns by how much longer than usual a thread must run for that alone to be noticed, in
    /// milliseconds.
    pub(super) fn least_running_ms(&self, moment: &Moment) -> f64 {
        let least_ms = |running: Series| {
            let usual_ms = running.of(moment)?.usual;
            let scale = *moment.scale.get(running.number as usize)?;
            Some(least_rise(usual_ms, f64::from(scale) * running.in_ms))
        };
        self.of_frame(Name::Running)
            .and_then(least_ms)
            .unwrap_or(MIN_MS)
    }

    fn new_running_ms(&self, moment: &Moment, running: Part) -> f64 {
        let series = self.of_frame(Name::Running);
        let is_new = series.is_some_and(|one| moment.novelty(one.number as usize) > 1.0);
        if is_new {
            running.excess().max(0.0)
        } else {
            0.0
        }
    }

    /// Returns the times in which the thread of the frame ran, and in which it waited for a processor,
    /// in milliseconds. `None` if one of them is not known, or if they are not times of the frame.
    pub(super) fn of_values(&self, values: &[f64], frame_ms: f64) -> Option<(f64, f64)> {
        let known = |name| {
            let series = self.of_frame(name)?;
            let value = values.get(series.number as usize)?;
            value.is_finite().then(|| value * series.in_ms)
        };
        let [running, ready, blocked] = [Name::Running, Name::Ready, Name::Blocked].map(known);
        let is_whole = add_up_to_frame([running, ready, blocked], frame_ms);
        is_whole.then_some((running?, ready?))
    }

    /// Returns the part of a time for which another thread, or any if it is not known, [ran](part_that_ran)
    /// longer than usual, and how much longer it waited for a processor; `None` if no thread did.
    pub(super) fn ran_and_ready(
        &self,
        thread: Option<&str>,
        ms: f64,
        (values, usual_values): (&[f64], &UsualValues),
    ) -> Option<(f64, f64)> {
        let excess_ms = |series: &Series| {
            let at = series.number as usize;
            // An unknown time is not longer.
            let value = values.get(at).copied().unwrap_or(f64::NAN);
            (value - usual_values.usual_of(at)) * series.in_ms
        };
        let ran = self.series.iter().filter_map(|((of, name), series)| {
            let is_asked = *name == Name::Running
                && *of != Whose::Frame
                && thread.is_none_or(|thread| of.is_thread(thread));
            let ran_ms = is_asked.then(|| part_that_ran(ms, excess_ms(series)))??;
            let is_ready = |(whose, name): &(Whose, Name)| *name == Name::Ready && whose == of;
            let mut all = self.series.iter();
            let ready = all.find(|(place, _)| is_ready(place));
            let ready_ms = ready.map_or(0.0, |(_, ready)| excess_ms(ready).max(0.0));
            Some((ran_ms, ready_ms))
        });
        ran.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))
    }

    /// Returns the number of the series of another thread's ready time.
    pub(super) fn ready_series(&self, thread: &str) -> Option<u32> {
        let place = (Whose::Thread(thread.replace('/', "-")), Name::Ready);
        Some(self.series.get(&place)?.number)
    }

    /// Returns how much longer than usual another thread ran, and waited for a processor; `None` if one of
    /// them is not known.
    pub(super) fn running_and_ready(&self, thread: &str, moment: &Moment) -> Option<[f64; 2]> {
        let whose = Whose::Thread(thread.replace('/', "-"));
        let excess_ms = |name| {
            let series = self.series.get(&(whose.clone(), name))?;
            Some(series.of(moment)?.excess())
        };
        Some([excess_ms(Name::Running)?, excess_ms(Name::Ready)?])
    }

    /// Returns how much longer than usual another thread ran, or the one that ran longest if it is not
    /// known; 0 if no thread tells.
    pub(super) fn ran_longer_ms(&self, thread: Option<&str>, moment: &Moment) -> f64 {
        let of_others = self.series.iter().filter(|((whose, name), _)| {
            let is_other = *whose != Whose::Frame && *name == Name::Running;
            is_other && thread.is_none_or(|thread| whose.is_thread(thread))
        });
        let excess = of_others.filter_map(|(_, series)| Some(series.of(moment)?.excess()));
        excess.fold(0.0, f64::max)
    }

    /// Returns the excess of the ready time of each other thread that had any.
    pub(super) fn ready_of_others(&self, moment: &Moment) -> Vec<Left> {
        let left = |((whose, name), series): (&(Whose, Name), &Series)| {
            let is_ready = *whose != Whose::Frame && *name == Name::Ready;
            let part = series.of(moment).filter(|_| is_ready)?;
            let (series, ms) = (series.number, part.excess());
            (ms > 0.0).then(|| Left {
                series,
                ms,
                value_ms: part.value,
                is_new: moment.novelty(series as usize) > 1.0,
            })
        };
        self.series.iter().filter_map(left).collect()
    }

    /// Returns the excess of the ready time of all other threads together. Threads that take turns
    /// with a processor exchange theirs, which makes no frame longer.
    pub(super) fn ready_of_all_others(&self, moment: &Moment) -> f64 {
        let others = self.series.iter().filter_map(|((whose, name), series)| {
            let is_ready = *whose != Whose::Frame && *name == Name::Ready;
            series.of(moment).filter(|_| is_ready)
        });
        others.map(Part::excess).sum()
    }

    /// Returns the path of a figure.
    pub(super) fn path_of(&self, number: u32) -> Option<String> {
        let mut all = self.series.iter();
        let ((whose, name), _) = all.find(|(_, series)| series.number == number)?;
        let name = NAMES.iter().find(|(_, known)| known == name)?.0;
        Some(match whose {
            Whose::Frame => format!("{FRAME}{name}"),
            Whose::Thread(thread) => format!("{THREADS}{thread}/{name}"),
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
            let is_long = part.excess() * each_ms >= FAULT_PART * excess_ms;
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

/// Returns the part of a time for which a thread ran that ran longer than usual by `ran_ms`: all of it, if
/// that is about as long; `None` if it ran for less than half.
pub(super) fn part_that_ran(ms: f64, ran_ms: f64) -> Option<f64> {
    if ran_ms >= (1.0 - MATCH) * ms {
        return Some(ms);
    }
    (ran_ms >= LATE_PART * ms).then_some(ran_ms)
}

fn counted(count: f64, one: &str, many: &str) -> String {
    let text = crate::format::value_text(count.round(), Unit::Count);
    format!("{text} {}", if count.round() == 1.0 { one } else { many })
}

/// Returns the milliseconds in a unit of time.
pub(crate) fn in_ms(unit: Unit) -> Option<f64> {
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
    /// The rest of the time without a processor, which is usual; 0 if it is less than [`MIN_MS`].
    pub(super) usual_ready_ms: f64,
    /// The excess of the time in which the thread ran.
    pub(super) running_ms: f64,
    /// The same, if it was longer than ever before; 0 otherwise.
    pub(super) new_running_ms: f64,
    /// The excess of the time in which the thread waited for anything else.
    pub(super) blocked_ms: f64,
}
