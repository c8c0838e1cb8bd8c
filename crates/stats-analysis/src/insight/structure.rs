//! The timers of a program: threads, parents, self times and waits.

use std::collections::HashMap;

use stats_core::SeriesKind;

use super::facts::{AllFacts, Facts};
use super::usual::UsualValues;

/// The number of the GPU in [`Place::Other`].
pub(super) const GPU: u32 = u32::MAX;

/// The timer from the first start to the last end of the GPU's passes.
const GPU_FRAME: &str = "gpu/frame";

/// Where a timer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On the thread of the frame.
    Frame,
    /// On another thread, or device.
    Other(u32),
    /// Not known, or on several threads.
    Unknown,
}

/// The facts about the timers, in the form that ranking needs. It is rebuilt when the facts change.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    pub(super) timers: Vec<TimerSeries>,
    /// Whether the thread of the frame is known. Otherwise, all timers count as its own.
    knows_frame_thread: bool,
    /// The timers on the frame's thread, and those on no known thread.
    may_be_on_frame: Vec<usize>,
    /// The series of those that are in no other timer.
    outermost: Vec<u32>,
    /// The self-time series of the scopes, and of the waits, on the frame's thread.
    self_times: [Vec<u32>; 2],
    /// The timers on the frame's thread that have no self-time series.
    without_self: Vec<usize>,
    /// The timers that are not known to run on the frame's thread, without waits.
    pub(super) others: Vec<usize>,
    /// Timers by the number of their series.
    pub(super) by_series: HashMap<u32, usize>,
}

/// The self time of a timer in a frame, in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct OtherTime {
    pub(super) ms: f32,
    /// The usual time before that frame.
    pub(super) usual_ms: f32,
    /// The distance from usual beyond which a time is unusual. Not the record: the frames before
    /// earlier hitches were usual frames, so records contain the times that those hitches waited
    /// for.
    pub(super) spread_ms: f32,
}

#[derive(Clone, Debug)]
pub(super) struct TimerSeries {
    pub(super) series: u32,
    pub(super) self_series: Option<u32>,
    pub(super) calls: Option<u32>,
    pub(super) parent: Option<usize>,
    children: Vec<usize>,
    pub(super) place: Place,
    pub(super) is_wait: bool,
}

impl Structure {
    /// Creates the structure from the facts of all series. `timed` has the numbers of the timers
    /// and of the series that belong to a timer, in ascending order.
    pub(super) fn new(facts: &AllFacts, timed: &[u32], frame_thread: Option<&str>) -> Self {
        let mut threads: HashMap<&str, u32> = HashMap::new();
        let mut structure = Self::default();
        let numbered = || timed.iter().filter_map(|&at| Some((at, facts.timed(at)?)));
        let threads_of = numbered().filter_map(|(_, facts)| facts.thread.as_deref());
        let frame_thread = frame_thread.or_else(|| usual_frame_thread(threads_of));
        structure.knows_frame_thread = frame_thread.is_some();
        // In a capture, only the self time may have the thread, the parent and the wait flag.
        let of_self: HashMap<u32, &Facts> = numbered()
            .filter(|(_, facts)| facts.kind == SeriesKind::TimerSelf)
            .filter_map(|(_, facts)| Some((facts.of?, facts)))
            .collect();
        for (series, facts) in numbered() {
            if facts.kind != SeriesKind::Timer {
                continue;
            }
            let own = of_self.get(&series);
            let thread = facts.thread.as_deref();
            let thread = thread.or_else(|| own?.thread.as_deref());
            let place = match (thread, frame_thread) {
                _ if is_on_gpu(facts, thread) => Place::Other(GPU),
                // No timer has a known thread.
                (None, None) => Place::Frame,
                (Some(thread), Some(frame)) if thread == frame => Place::Frame,
                (Some(thread), _) => {
                    let next = threads.len() as u32;
                    Place::Other(*threads.entry(thread).or_insert(next))
                }
                (None, Some(_)) => Place::Unknown,
            };
            structure.by_series.insert(series, structure.timers.len());
            structure.timers.push(TimerSeries {
                series,
                self_series: None,
                calls: None,
                parent: None,
                children: Vec::new(),
                place,
                is_wait: facts.is_wait || own.is_some_and(|own| own.is_wait),
            });
        }
        for (series, facts) in numbered() {
            let parent = facts.parent.or_else(|| of_self.get(&series)?.parent);
            structure.connect(series, facts, parent);
        }
        structure.put_passes_into_gpu_frame(facts);
        structure.list_by_place();
        structure
    }

    /// Connects the calls or the self time with their timer, and a timer with the one around it.
    fn connect(&mut self, series: u32, facts: &Facts, parent: Option<u32>) {
        let of = facts.of.and_then(|of| self.by_series.get(&of));
        if let Some(timer) = of.map(|at| &mut self.timers[*at]) {
            match facts.kind {
                SeriesKind::TimerSelf => timer.self_series = Some(series),
                SeriesKind::TimerCalls => timer.calls = Some(series),
                _ => {}
            }
        }
        let parent = parent.and_then(|parent| self.by_series.get(&parent));
        if let (Some(&parent), Some(&at)) = (parent, self.by_series.get(&series))
            && parent != at
        {
            self.timers[at].parent = Some(parent);
            self.timers[parent].children.push(at);
        }
    }

    /// Lists the timers that run on the frame's thread, and the others.
    fn list_by_place(&mut self) {
        for (at, timer) in self.timers.iter().enumerate() {
            if !matches!(timer.place, Place::Other(_)) {
                self.may_be_on_frame.push(at);
                if timer.parent.is_none() {
                    self.outermost.push(timer.series);
                }
            }
            match (timer.place, timer.self_series) {
                (Place::Frame, Some(series)) => {
                    self.self_times[usize::from(timer.is_wait)].push(series);
                }
                (Place::Frame, None) => self.without_self.push(at),
                _ if !timer.is_wait => self.others.push(at),
                _ => {}
            }
        }
    }

    /// Makes the whole frame of the GPU the parent of its passes, so that no time counts twice.
    fn put_passes_into_gpu_frame(&mut self, facts: &AllFacts) {
        let is_whole = |timer: &TimerSeries| {
            timer.place == Place::Other(GPU) && facts.path(timer.series) == GPU_FRAME
        };
        let Some(whole) = self.timers.iter().position(is_whole) else {
            return;
        };
        let is_pass = |timer: &TimerSeries| {
            timer.place == Place::Other(GPU) && timer.parent.is_none() && !is_whole(timer)
        };
        let passes: Vec<usize> = (0..self.timers.len())
            .filter(|at| is_pass(&self.timers[*at]))
            .collect();
        for pass in &passes {
            self.timers[*pass].parent = Some(whole);
        }
        self.timers[whole].self_series = None;
        self.timers[whole].children = passes;
    }

    /// Returns whether a timer certainly runs on the thread of the frame, and on no other.
    pub(super) fn is_on_frame(&self, timer: &TimerSeries) -> bool {
        self.knows_frame_thread && timer.place == Place::Frame
    }

    /// Returns where a timer runs.
    pub(super) fn place(&self, series: u32) -> Place {
        let at = self.by_series.get(&series);
        at.map_or(Place::Unknown, |at| self.timers[*at].place)
    }

    /// Replaces `times` by those of [`others`](Self::others). The time of a `deferred` series is
    /// NaN, because it is not known yet.
    pub(super) fn read_others(
        &self,
        values: &[f64],
        deferred: &[u32],
        usual_values: &UsualValues,
        times: &mut Vec<OtherTime>,
    ) {
        times.clear();
        times.extend(self.others.iter().map(|at| {
            let timer = &self.timers[*at];
            let own = timer.self_series.unwrap_or(timer.series) as usize;
            let is_known =
                deferred.binary_search(&timer.series).is_err() && own < usual_values.len();
            let value = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
            let usual = |at: usize| {
                usual_values
                    .usual
                    .get(at)
                    .copied()
                    .unwrap_or_default()
                    .into()
            };
            let usual_ms = self.own_ms(timer, usual);
            OtherTime {
                ms: if is_known {
                    self.own_ms(timer, value) as f32
                } else {
                    f32::NAN
                },
                usual_ms: usual_ms as f32,
                spread_ms: if is_known {
                    usual_values.spread(own) as f32
                } else {
                    f32::INFINITY
                },
            }
        }));
    }

    /// Calls `visit` with each timer that may be on the frame's thread and took longer than `ms`.
    pub(super) fn for_each_longer(
        &self,
        values: &[f64],
        ms: f64,
        mut visit: impl FnMut(&TimerSeries),
    ) {
        let value = |at: usize| values.get(at).copied().unwrap_or_default();
        // A scope contains the time of those inside it.
        if !self.outermost.iter().any(|at| value(*at as usize) > ms) {
            return;
        }
        for timer in self.may_be_on_frame.iter().map(|at| &self.timers[*at]) {
            if value(timer.series as usize) > ms {
                visit(timer);
            }
        }
    }

    /// Returns the total times of the scopes and of the waits on the frame's thread.
    pub(super) fn busy_ms(&self, values: &[f64]) -> (f64, f64) {
        let value = |at: usize| {
            let value = values.get(at).copied().unwrap_or_default();
            if value.is_finite() { value } else { 0.0 }
        };
        let sum = |series: &Vec<u32>| series.iter().map(|at| value(*at as usize)).sum::<f64>();
        let [mut scopes, mut waits] = self.self_times.each_ref().map(sum);
        for timer in self.without_self.iter().map(|at| &self.timers[*at]) {
            let ms = self.own_ms(timer, value);
            *(if timer.is_wait {
                &mut waits
            } else {
                &mut scopes
            }) += ms;
        }
        (scopes, waits)
    }

    /// Returns the total excess of the timers on the frame's thread that took longer than usual by
    /// more than `times` the distance beyond which a time is unusual.
    pub(super) fn new_excess_ms(
        &self,
        values: &[f64],
        usual_values: &UsualValues,
        times: f64,
    ) -> f64 {
        let value = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
        let usual = |at: usize| {
            usual_values
                .usual
                .get(at)
                .copied()
                .unwrap_or_default()
                .into()
        };
        let excess = |timer: &TimerSeries| {
            let own = timer.self_series.unwrap_or(timer.series) as usize;
            let excess_ms = self.own_ms(timer, value) - self.own_ms(timer, usual);
            let is_new = own < usual_values.len() && excess_ms > times * usual_values.spread(own);
            if is_new { excess_ms } else { 0.0 }
        };
        let on_frame = self.timers.iter();
        let on_frame = on_frame.filter(|timer| timer.place == Place::Frame);
        on_frame.map(excess).sum()
    }

    /// Returns the self time of a timer: the value of its self-time series or, if it has none, its
    /// time minus the time of the timers inside it.
    pub(super) fn own_ms(&self, timer: &TimerSeries, value: impl Fn(usize) -> f64) -> f64 {
        if let Some(series) = timer.self_series {
            return value(series as usize);
        }
        let inside = timer.children.iter().map(|child| &self.timers[*child]);
        let inside = inside.filter(|child| child.place == timer.place);
        let inside_ms: f64 = inside.map(|child| value(child.series as usize)).sum();
        value(timer.series as usize) - inside_ms
    }
}

/// Returns whether a timer measures the GPU. The times of a capture are complete, so those of the
/// GPU are not deferred there.
fn is_on_gpu(facts: &Facts, thread: Option<&str>) -> bool {
    let is_gpu = |thread: &str| thread.eq_ignore_ascii_case("gpu");
    facts.is_deferred || facts.path.starts_with("gpu/") && thread.is_none_or(is_gpu)
}

/// Returns the thread that most likely ends the frames of a capture: `main`, or else the first
/// known thread of a timer.
fn usual_frame_thread<'a>(mut threads: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let first = threads.clone().next();
    threads.find(|thread| *thread == "main").or(first)
}
