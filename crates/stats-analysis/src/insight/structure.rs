//! The timers of a program: threads, parents, self times and waits.

use std::num::NonZeroU32;

use stats_core::{SeriesId, SeriesInfo, SeriesKind};

use super::attribution::{LATE_PART, LONG_WAIT, MATCH, MIN_MATCHED_MS, is_beyond_pace};
use super::facts::is_display_wait;
use super::usual::UsualValues;

/// The number of the GPU in [`Place::Other`].
pub(super) const GPU: u16 = u16::MAX;

/// The end of the numbers of threads. Timers of further threads have no known thread.
const MAX_THREADS: usize = GPU as usize;

/// The timer from the first start to the last end of the GPU's passes.
const GPU_FRAME: &str = "gpu/frame";

/// Where a timer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// On the thread of the frame.
    Frame,
    /// On another thread, or device.
    Other(u16),
    /// Not known, or on several threads.
    Unknown,
}

/// The facts about the timers, in the form that ranking needs. Takes 28
/// bytes for each timer, and 4 for each of the lists that it is in.
#[derive(Clone, Debug, Default)]
pub(super) struct Structure {
    /// In ascending order of their series.
    pub(super) timers: Vec<TimerSeries>,
    /// The names of their threads.
    threads: Vec<Box<str>>,
    /// The name of the thread that ends the frames, if it was set.
    frame_thread: Option<Box<str>>,
    /// The series of the GPU's whole frame. It is the parent of the passes, so that no time counts
    /// twice.
    gpu_frame: Option<u32>,
    /// Whether the lists below are those of the newest facts.
    is_current: bool,
    /// Whether the thread of the frame is known. Otherwise, all timers count as its own.
    knows_frame_thread: bool,
    /// The series of the timers on the frame's thread, or on no known thread, that are in no other
    /// timer.
    outermost: Vec<u32>,
    /// The self-time series of the scopes, and of the waits, on the frame's thread.
    self_times: [Vec<u32>; 2],
    /// The timers on the frame's thread that have no self-time series.
    without_self: Vec<usize>,
    /// The timers that are not known to run on the frame's thread, without waits.
    others: Vec<u32>,
    /// The series of each timer without a self-time series, and of a timer inside it at the same
    /// place, in ascending order.
    inside: Vec<(u32, u32)>,
}

/// The timers in a frame that are not known to run on the frame's thread, without waits.
#[derive(Clone, Debug, Default)]
pub(super) struct OtherTimes {
    /// The timers that took unusually long.
    pub(super) long: Vec<LongTime>,
    /// The total self time at each place where they run, in milliseconds.
    pub(super) totals: Vec<(Place, f64)>,
}

/// A timer that took unusually long in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct LongTime {
    pub(super) series: u32,
    pub(super) place: Place,
    /// Its self time, and the usual one before that frame.
    pub(super) ms: f32,
    pub(super) usual_ms: f32,
}

impl OtherTimes {
    fn add(&mut self, place: Place, ms: f64) {
        match self.totals.iter_mut().rfind(|(at, _)| *at == place) {
            Some((_, total)) => *total += ms,
            None => self.totals.push((place, ms)),
        }
    }

    /// Returns the total self time at a place.
    pub(super) fn total_ms(&self, place: Place) -> f64 {
        let total = self.totals.iter().find(|(at, _)| *at == place);
        total.map_or(0.0, |(_, ms)| *ms)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimerSeries {
    pub(super) series: u32,
    self_series: Link,
    calls: Link,
    parent: Link,
    /// The position in [`Structure::threads`].
    thread: Option<u16>,
    /// Determined from the other facts.
    pub(super) place: Place,
    pub(super) is_wait: bool,
    pub(super) is_display_wait: bool,
    is_on_gpu: bool,
}

/// The number of a series, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Link(Option<NonZeroU32>);

impl Link {
    fn to(series: Option<u32>) -> Self {
        Self(series.and_then(|series| NonZeroU32::new(series.wrapping_add(1))))
    }

    fn get(self) -> Option<u32> {
        self.0.map(|stored| stored.get() - 1)
    }
}

impl TimerSeries {
    pub(super) fn self_series(&self) -> Option<u32> {
        self.self_series.get()
    }

    pub(super) fn calls(&self) -> Option<u32> {
        self.calls.get()
    }

    /// Returns whether it may run on the thread of the frame.
    fn may_be_on_frame(&self) -> bool {
        !matches!(self.place, Place::Other(_))
    }

    /// Returns the series of the self time or, if there is none, that of the whole time.
    pub(super) fn own_series(&self) -> usize {
        self.self_series().unwrap_or(self.series) as usize
    }
}

impl Structure {
    /// Adds a listed timer, or replaces its facts, except for its calls and its self time.
    pub(super) fn set_timer(&mut self, info: &SeriesInfo<'_>) {
        let series = info.id.number();
        let found = self.find(series);
        let before = found.ok().map(|at| self.timers[at]);
        let is_on_gpu = is_on_gpu(info);
        let timer = TimerSeries {
            series,
            self_series: before.map_or(Link::default(), |before| before.self_series),
            calls: before.map_or(Link::default(), |before| before.calls),
            parent: Link::to(info.parent.map(SeriesId::number)),
            thread: self.thread(info.thread, before.and_then(|before| before.thread)),
            place: before.map_or(Place::Unknown, |before| before.place),
            is_wait: info.is_wait,
            is_display_wait: info.is_wait && is_display_wait(info.path),
            is_on_gpu,
        };
        if before == Some(timer) {
            return;
        }
        self.is_current = false;
        if is_on_gpu && info.path == GPU_FRAME {
            self.gpu_frame = Some(series);
        } else if self.gpu_frame == Some(series) {
            self.gpu_frame = None;
        }
        match found {
            Ok(at) => self.timers[at] = timer,
            Err(at) => {
                // Less spare capacity than `Vec` would add.
                if self.timers.len() == self.timers.capacity() {
                    self.timers.reserve_exact(self.timers.len() / 16 + 64);
                }
                self.timers.insert(at, timer);
            }
        }
    }

    /// Sets the series of a timer's calls, or of its self time.
    pub(super) fn set_companion(&mut self, of: u32, kind: SeriesKind, series: u32) {
        let is_self = kind == SeriesKind::TimerSelf;
        // The self time of the GPU's whole frame is what remains beside its passes.
        if is_self && self.gpu_frame == Some(of) {
            return;
        }
        let Ok(at) = self.find(of) else { return };
        let timer = &mut self.timers[at];
        let link = if is_self {
            &mut timer.self_series
        } else {
            &mut timer.calls
        };
        if link.get() != Some(series) {
            *link = Link::to(Some(series));
            self.is_current = false;
        }
    }

    /// Removes a series that is no timer any more.
    pub(super) fn remove(&mut self, series: u32) {
        if let Ok(at) = self.find(series) {
            self.timers.remove(at);
            self.is_current = false;
        }
    }

    /// Sets the thread that ends the frames.
    pub(super) fn set_frame_thread(&mut self, thread: Option<&str>) {
        if self.frame_thread.as_deref() != thread {
            self.frame_thread = thread.map(Into::into);
            self.is_current = false;
        }
    }

    /// Returns whether the lists are those of the newest facts.
    pub(super) fn is_current(&self) -> bool {
        self.is_current
    }

    /// Returns the position of a thread, which is added if it is new; `None` if it is not known.
    /// `before` is the position of the timer's thread before.
    fn thread(&mut self, name: Option<&str>, before: Option<u16>) -> Option<u16> {
        let name = name?;
        let is_same = |at: &u16| &*self.threads[usize::from(*at)] == name;
        let known = before.filter(is_same);
        let known = known.or_else(|| self.thread_named(name));
        if known.is_none() && self.threads.len() < MAX_THREADS {
            self.threads.push(name.into());
            return Some(self.threads.len() as u16 - 1);
        }
        known
    }

    fn thread_named(&self, name: &str) -> Option<u16> {
        let at = self.threads.iter().position(|known| &**known == name)?;
        Some(at as u16)
    }

    /// Updates the places and the lists if facts have changed.
    pub(super) fn update(&mut self) {
        if std::mem::replace(&mut self.is_current, true) {
            return;
        }
        let frame_thread = match &self.frame_thread {
            Some(name) => Some(self.thread_named(name)),
            None => self.usual_frame_thread().map(Some),
        };
        self.knows_frame_thread = frame_thread.is_some();
        for timer in &mut self.timers {
            timer.place = match (timer.thread, frame_thread) {
                _ if timer.is_on_gpu => Place::Other(GPU),
                // No timer has a known thread.
                (None, None) => Place::Frame,
                (None, Some(_)) => Place::Unknown,
                (thread, Some(frame)) if thread == frame => Place::Frame,
                (Some(thread), _) => Place::Other(thread),
            };
        }
        self.list();
    }

    /// Returns the thread that most likely ends the frames of a capture: `main`, or else the first
    /// known thread of a timer.
    fn usual_frame_thread(&self) -> Option<u16> {
        let main = self.thread_named("main");
        let mut threads = self.timers.iter().filter_map(|timer| timer.thread);
        let first = threads.clone().next();
        threads.find(|thread| Some(*thread) == main).or(first)
    }

    /// Lists the timers on the frame's thread, the timers elsewhere, and the timers inside other timers.
    fn list(&mut self) {
        self.outermost.clear();
        self.self_times.iter_mut().for_each(Vec::clear);
        self.without_self.clear();
        self.others.clear();
        self.inside.clear();
        for (at, timer) in self.timers.iter().enumerate() {
            let parent = self.parent(timer).map(|at| &self.timers[at]);
            if timer.may_be_on_frame() && parent.is_none() {
                self.outermost.push(timer.series);
            }
            match (timer.place, timer.self_series()) {
                (Place::Frame, Some(series)) => {
                    self.self_times[usize::from(timer.is_wait)].push(series);
                }
                (Place::Frame, None) => self.without_self.push(at),
                _ if !timer.is_wait => self.others.push(at as u32),
                _ => {}
            }
            if let Some(parent) = parent
                && parent.self_series().is_none()
                && parent.place == timer.place
            {
                self.inside.push((parent.series, timer.series));
            }
        }
        self.inside.sort_unstable();
        self.outermost.shrink_to_fit();
        self.self_times.iter_mut().for_each(Vec::shrink_to_fit);
        self.without_self.shrink_to_fit();
        self.others.shrink_to_fit();
        self.inside.shrink_to_fit();
    }

    /// Returns the timer around a timer. The passes of the GPU are in its whole frame.
    pub(super) fn parent(&self, timer: &TimerSeries) -> Option<usize> {
        let known = |series: u32| self.position(series).filter(|_| series != timer.series);
        let gpu_frame = self.gpu_frame.filter(|_| timer.place == Place::Other(GPU));
        let parent = timer.parent.get().and_then(known);
        parent.or_else(|| gpu_frame.and_then(known))
    }

    /// Returns the series of the timer around a timer, by their series; `None` if there is none, and
    /// if it is not known.
    pub(super) fn around(&self, series: u32) -> Option<u32> {
        let timer = &self.timers[self.position(series)?];
        let gpu_frame = self.gpu_frame.filter(|_| timer.is_on_gpu);
        let around = timer.parent.get().or(gpu_frame);
        around.filter(|around| *around != series && self.position(*around).is_some())
    }

    /// Returns the number of the thread of a timer; `None` if it is not known, or if there are
    /// several.
    pub(super) fn lane(&self, series: u32) -> Option<u16> {
        let timer = &self.timers[self.position(series)?];
        if timer.is_on_gpu {
            Some(GPU)
        } else {
            timer.thread
        }
    }

    /// Returns the position of a timer by its series.
    pub(super) fn position(&self, series: u32) -> Option<usize> {
        self.find(series).ok()
    }

    fn find(&self, series: u32) -> Result<usize, usize> {
        self.timers
            .binary_search_by_key(&series, |timer| timer.series)
    }

    /// Returns whether a timer certainly runs on the thread of the frame, and on no other.
    pub(super) fn is_on_frame(&self, timer: &TimerSeries) -> bool {
        self.knows_frame_thread && timer.place == Place::Frame
    }

    /// Returns the name of another thread.
    pub(super) fn thread_name(&self, thread: u16) -> Option<&str> {
        self.threads.get(usize::from(thread)).map(Box::as_ref)
    }

    /// Replaces `times` by those of a frame. The time of a `deferred` series is NaN, because it is
    /// not known yet.
    pub(super) fn read_others(
        &self,
        values: &[f64],
        deferred: &[u32],
        usual_values: &UsualValues,
        times: &mut OtherTimes,
    ) {
        times.long.clear();
        times.totals.clear();
        let value = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
        let usual = |at: usize| usual_values.usual_of(at);
        for timer in self.others.iter().map(|at| &self.timers[*at as usize]) {
            let own = timer.own_series();
            if deferred.binary_search(&timer.series).is_ok() || own >= usual_values.len() {
                times.add(timer.place, f64::NAN);
                continue;
            }
            // In single precision, as the usual values are.
            let ms = self.own_ms(timer, value) as f32;
            let usual_ms = self.own_ms(timer, usual) as f32;
            times.add(timer.place, ms.into());
            let excess_ms = f64::from(ms - usual_ms);
            // Not the record: the frames before earlier hitches were usual frames, so records
            // contain the times that those hitches waited for.
            if excess_ms >= MIN_MATCHED_MS && excess_ms > f64::from(usual_values.spread(own) as f32)
            {
                times.long.push(LongTime {
                    series: timer.series,
                    place: timer.place,
                    ms,
                    usual_ms,
                });
            }
        }
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
        for timer in &self.timers {
            if timer.may_be_on_frame() && value(timer.series as usize) > ms {
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

    /// Returns the total excess of the timers that took unusually long: longer than usual by more than
    /// `times` the distance beyond which a time is unusual. All timers on the frame's thread count. Of
    /// the timers on other threads, the one with the largest excess counts, as far as the frame's thread
    /// waited for longer than usual, and only if the answer would name it: if it explains at least
    /// [`LATE_PART`] of these waits, and `pace` (the duration of the frame as a multiple of the usual
    /// one) does not explain it.
    pub(super) fn new_excess_ms(
        &self,
        values: &[f64],
        usual_values: &UsualValues,
        (times, pace): (f64, f64),
    ) -> f64 {
        let (mut new_ms, mut waited_ms) = (0.0, 0.0);
        for timer in &self.timers {
            if timer.place == Place::Frame {
                let (excess_ms, is_new) = self.excess_ms(timer, values, usual_values, times);
                let of_new_ms = if is_new { excess_ms } else { 0.0 };
                new_ms += of_new_ms;
                if timer.is_wait {
                    // An unknown time is no wait.
                    waited_ms += (excess_ms - of_new_ms).max(0.0);
                }
            }
        }
        let others = || self.others.iter().map(|at| &self.timers[*at as usize]);
        let known = (values, usual_values);
        new_ms
            + self.late_ms(others, known, (times, pace), waited_ms, |_, ms| {
                Some((ms, 0.0))
            })
    }

    /// Returns how much longer than usual the thread of the frame waited because another thread took
    /// longer: in one wait, because each has a thread of its own. `long` are the timers of other threads that
    /// took unusually long.
    ///
    /// `ran_and_ready` takes a thread, or `None` if it is not known, and a time. It returns the part of that
    /// time for which the thread ran longer than usual, and how much longer it waited for a processor.
    pub(super) fn waited_for_ms(
        &self,
        long: &[LongTime],
        (values, usual_values): (&[f64], &UsualValues),
        (times, pace): (f64, f64),
        ran_and_ready: impl Fn(Option<&str>, f64) -> Option<(f64, f64)>,
    ) -> f64 {
        let known = (values, usual_values);
        let long = || {
            let long = long.iter().filter_map(|one| self.position(one.series));
            let long = long.map(|at| &self.timers[at]);
            // No thread runs for the GPU.
            let long = long.filter(|timer| timer.place != Place::Other(GPU));
            long.filter(|timer| self.excess_ms(timer, values, usual_values, times).1)
        };
        // In most frames, there is none.
        if long().next().is_none() {
            return 0.0;
        }
        let waits = self.timers.iter();
        let waits = waits.filter(|timer| timer.place == Place::Frame && timer.is_wait);
        let late_ms = |timer| {
            let (waited_ms, _) = self.excess_ms(timer, values, usual_values, times);
            self.late_ms(long, known, (times, pace), waited_ms, &ran_and_ready)
        };
        waits.map(late_ms).fold(0.0, f64::max)
    }

    /// Returns the excess of a timer, and whether it is more than `times` the distance beyond which a time
    /// is unusual.
    fn excess_ms(
        &self,
        timer: &TimerSeries,
        values: &[f64],
        usual_values: &UsualValues,
        times: f64,
    ) -> (f64, bool) {
        let value = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
        let usual = |at: usize| usual_values.usual_of(at);
        let own = timer.own_series();
        let excess_ms = self.own_ms(timer, value) - self.own_ms(timer, usual);
        let is_new = own < usual_values.len() && excess_ms > times * usual_values.spread(own);
        (excess_ms, is_new)
    }

    /// Returns the part of waits that are longer by `waited_ms` for which one of these timers of other
    /// threads took longer.
    fn late_ms<'a, T: Iterator<Item = &'a TimerSeries>>(
        &self,
        timers: impl Fn() -> T,
        (values, usual_values): (&[f64], &UsualValues),
        (times, pace): (f64, f64),
        waited_ms: f64,
        ran_and_ready: impl Fn(Option<&str>, f64) -> Option<(f64, f64)>,
    ) -> f64 {
        // An unknown time is no wait.
        if waited_ms.max(0.0) == 0.0 {
            return 0.0;
        }
        let value = |at: usize| values.get(at).copied().unwrap_or(f64::NAN);
        let usual = |at: usize| usual_values.usual_of(at);
        let late = timers().filter_map(|timer| {
            let (all_ms, is_new) = self.excess_ms(timer, values, usual_values, times);
            if !is_new {
                return None;
            }
            // The answer names several threads for what they took together, or one of them.
            let late_ms = if all_ms >= (1.0 - MATCH) * waited_ms {
                all_ms
            } else {
                self.of_one_thread(timer, all_ms, value)
            };
            let thread = match timer.place {
                Place::Other(thread) => self.thread_name(thread),
                _ => None,
            };
            let usual_ms = self.own_ms(timer, usual);
            let (late_ms, ready_ms) = ran_and_ready(thread, late_ms)?;
            let is_late = late_ms >= LATE_PART * (waited_ms - ready_ms)
                && late_ms >= LONG_WAIT * waited_ms
                && is_beyond_pace((all_ms, usual_ms), timer.place, pace);
            is_late.then_some(late_ms)
        });
        waited_ms.min(late.fold(0.0, f64::max))
    }

    /// Returns the part of the excess of a timer for which one thread certainly ran longer: of a timer
    /// that may have run on several threads at once, at most the mean call.
    pub(super) fn of_one_thread(
        &self,
        timer: &TimerSeries,
        excess_ms: f64,
        value: impl Fn(usize) -> f64,
    ) -> f64 {
        if timer.place != Place::Unknown {
            return excess_ms;
        }
        let calls = timer.calls().map(|calls| value(calls as usize));
        let own_ms = self.own_ms(timer, value);
        calls.map_or(0.0, |calls| excess_ms.min(own_ms / calls.max(1.0)))
    }

    /// Returns the self time of a timer: the value of its self-time series or, if it has none, its
    /// time minus the time of the timers inside it.
    pub(super) fn own_ms(&self, timer: &TimerSeries, value: impl Fn(usize) -> f64) -> f64 {
        if let Some(series) = timer.self_series() {
            return value(series as usize);
        }
        let begin = self.inside.partition_point(|(of, _)| *of < timer.series);
        let inside = self.inside[begin..].iter();
        let inside = inside.take_while(|(of, _)| *of == timer.series);
        let inside_ms: f64 = inside.map(|(_, series)| value(*series as usize)).sum();
        value(timer.series as usize) - inside_ms
    }
}

/// Returns whether a timer measures the GPU. The times of a capture are complete, so those of the
/// GPU are not deferred there.
fn is_on_gpu(info: &SeriesInfo<'_>) -> bool {
    let is_gpu = |thread: &str| thread.eq_ignore_ascii_case("gpu");
    info.is_deferred || info.path.starts_with("gpu/") && info.thread.is_none_or(is_gpu)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_takes_28_bytes() {
        assert_eq!(size_of::<TimerSeries>(), 28);
    }

    #[test]
    fn a_thread_that_ran_longer_explains_no_wait_for_the_gpu() {
        let waited_ms = |path: &str, thread: Option<&str>| {
            let mut structure = Structure::default();
            let mut usual_values = UsualValues::default();
            let timers = [("render/fence", Some("main")), (path, thread)];
            for (number, (path, thread)) in (0..).zip(timers) {
                let unit = stats_core::Unit::Milliseconds;
                let id = SeriesId::new(number);
                let mut info = SeriesInfo::new(id, path, SeriesKind::Timer, unit);
                (info.thread, info.is_wait) = (thread, number == 0);
                structure.set_timer(&info);
                usual_values.set(number as usize, 0.01);
            }
            structure.set_frame_thread(Some("main"));
            structure.update();
            (0..100).for_each(|_| usual_values.learn(&[4.0, 4.0]));
            let (mut times, known) = (OtherTimes::default(), [12.0, 12.0]);
            structure.read_others(&known, &[], &usual_values, &mut times);
            assert_eq!(times.long.len(), 1);
            let known = (&known[..], &usual_values);
            // An unrelated worker ran longer.
            let ran_and_ready = |thread: Option<&str>, ms| thread.is_none().then_some((ms, 0.0));
            structure.waited_for_ms(&times.long, known, (4.0, 1.0), ran_and_ready)
        };
        assert_eq!(waited_ms("gpu/shadows", Some("GPU")), 0.0);
        assert_eq!(waited_ms("gpu/shadows", None), 0.0);
        assert!(waited_ms("paths/search", None) > 7.9);
    }
}
