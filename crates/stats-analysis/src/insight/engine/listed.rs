//! The series that an engine knows.

use stats_core::{SeriesInfo, SeriesKind, Unit};

use super::super::facts::{Facts, Form, is_of_statistics};
use super::Insight;

impl Insight {
    /// Adds a series, or replaces its facts. Its first value is its value in the next frame.
    pub fn set_series(&mut self, number: u32, facts: Facts) {
        let info = facts.info(number);
        match facts.of {
            Some(of) => self.set_companion(of, number, Form::of(&info), facts.is_deferred),
            None => self.set_own(&info),
        }
    }

    /// Adds a listed series with its calls and its self time, or replaces their facts.
    pub fn set_listed(&mut self, info: &SeriesInfo<'_>) {
        self.set_own(info);
        let count = match info.kind {
            SeriesKind::Timer => SeriesKind::TimerCalls,
            _ => SeriesKind::HistogramSamples,
        };
        let companions = [
            (info.calls, count, Unit::Count),
            (info.self_time, SeriesKind::TimerSelf, info.unit),
        ];
        for (id, kind, unit) in companions {
            if let Some(id) = id {
                let form = Form { kind, unit };
                self.set_companion(info.id.number(), id.number(), form, info.is_deferred);
            }
        }
    }

    /// Sets the facts of a series that belongs to no other one.
    fn set_own(&mut self, info: &SeriesInfo<'_>) {
        let number = info.id.number();
        if info.kind == SeriesKind::FrameTime {
            // It is what the other series explain.
            self.clock = Some(number);
            if info.budget.is_some() {
                self.set_frame_budget(info.budget);
            }
            return;
        }
        let before = self.facts.form(number);
        let form = Form::of(info);
        self.set_form(number, form, info.is_deferred);
        let may_leak = form.may_leak() && !is_of_statistics(info.path);
        if may_leak && !before.is_some_and(Form::may_leak) {
            self.leaks.add(number, form.floor());
        }
        self.facts.set_budget(number, info.budget);
        self.system.set(info);
        if !self.looks_up_paths {
            self.facts.set_path(number, info.path);
        }
        if info.kind == SeriesKind::Timer {
            self.structure.set_timer(info);
        } else if before.is_some_and(|form| form.kind == SeriesKind::Timer) {
            self.structure.remove(number);
        }
    }

    /// Sets the facts of the calls, the samples or the self time of a series.
    fn set_companion(&mut self, of: u32, number: u32, form: Form, is_deferred: bool) {
        self.set_form(number, form, is_deferred);
        self.structure.set_companion(of, form.kind, number);
    }

    fn set_form(&mut self, number: u32, form: Form, is_deferred: bool) {
        if self.is_deferred(number) != is_deferred {
            keep_in(&mut self.deferred, number, is_deferred);
        }
        let before = self.facts.form(number);
        if before == Some(form) {
            return;
        }
        self.usual_values.set(number as usize, form.floor());
        self.facts.set_form(number, form);
    }

    /// Returns whether a number has a series.
    pub fn has_series(&self, number: u32) -> bool {
        self.facts.form(number).is_some() || self.clock == Some(number)
    }

    /// Returns the number of the timer around a timer: the timer whose scope was around the newest scope
    /// of this one, or for a pass of the GPU, that of the GPU's frame. `None` if there is none, or if it
    /// is not known.
    pub fn timer_around(&self, number: u32) -> Option<u32> {
        self.structure.around(number)
    }

    /// Returns a number for the thread, or the device, on which a timer runs. Timers with the same
    /// number run one after the other or inside each other. `None` if it is not known, or if the timer
    /// runs on several threads.
    pub fn lane_of(&self, number: u32) -> Option<u16> {
        self.structure.lane(number)
    }

    /// Returns whether the values of a series become known a few frames later.
    pub fn is_deferred(&self, number: u32) -> bool {
        self.deferred.binary_search(&number).is_ok()
    }

    /// Returns whether the values of any series become known a few frames later.
    pub fn has_deferred(&self) -> bool {
        !self.deferred.is_empty()
    }

    /// Sets the thread that ends the frames. Default: `main`, or the first known thread of a timer
    /// if no timer runs on `main`.
    pub fn set_frame_thread(&mut self, thread: Option<&str>) {
        self.structure.set_frame_thread(thread);
    }
}

/// Adds a number to a sorted list, or removes it.
fn keep_in(list: &mut Vec<u32>, number: u32, is_in: bool) {
    match (list.binary_search(&number), is_in) {
        (Err(place), true) => list.insert(place, number),
        (Ok(place), false) => _ = list.remove(place),
        _ => {}
    }
}
