//! What an insight knows about a series, apart from its values.

use std::collections::HashMap;

use stats_core::{SeriesInfo, SeriesKind, Unit};

/// The facts about a series that an [`Insight`](super::Insight) needs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Facts {
    /// The path.
    pub path: String,
    /// The kind, which determines the meaning of a value.
    pub kind: SeriesKind,
    /// The unit of the values.
    pub unit: Unit,
    /// The value above which a frame is over budget, in `unit`; `None` without a budget.
    pub budget: Option<f64>,
    /// For calls, samples and self times: the number of the timer or histogram. `None` otherwise.
    pub of: Option<u32>,
    /// For a timer: the number of the timer around it; `None` if there is none or it is not known.
    pub parent: Option<u32>,
    /// For a timer: its thread; `None` if there are several or it is not known.
    pub thread: Option<String>,
    /// Whether a timer measures waiting.
    pub is_wait: bool,
    /// Whether values become known a few frames later.
    pub is_deferred: bool,
}

impl Facts {
    /// Creates the facts of a series that belongs to no other one. Set the other fields afterward.
    pub fn new(path: impl Into<String>, kind: SeriesKind, unit: Unit) -> Self {
        Self {
            path: path.into(),
            kind,
            unit,
            budget: None,
            of: None,
            parent: None,
            thread: None,
            is_wait: false,
            is_deferred: false,
        }
    }

    /// Returns the facts of a listed series and of its calls and self time, with their numbers.
    /// Calls and self times have no path of their own. The path of a series that is not timed is
    /// left out unless `has_path`.
    pub(super) fn of_listed(
        info: &SeriesInfo<'_>,
        has_path: bool,
    ) -> impl Iterator<Item = (u32, Self)> {
        let number = info.id.number();
        let has_path = has_path || info.kind == SeriesKind::Timer;
        let path = if has_path { info.path } else { "" };
        let own = Self {
            budget: info.budget,
            parent: info.parent.map(|id| id.number()),
            thread: info.thread.map(str::to_owned),
            is_wait: info.is_wait,
            is_deferred: info.is_deferred,
            ..Self::new(path, info.kind, info.unit)
        };
        let companion = |kind, unit| Self {
            of: Some(number),
            is_deferred: info.is_deferred,
            ..Self::new("", kind, unit)
        };
        let count = match info.kind {
            SeriesKind::Timer => SeriesKind::TimerCalls,
            _ => SeriesKind::HistogramSamples,
        };
        let calls = info.calls.map(|id| (id, companion(count, Unit::Count)));
        let self_time = info
            .self_time
            .map(|id| (id, companion(SeriesKind::TimerSelf, info.unit)));
        let companions = [calls, self_time].into_iter().flatten();
        let numbered = companions.map(|(id, facts)| (id.number(), facts));
        std::iter::once((number, own)).chain(numbered)
    }

    /// Returns the distance below which two values count as equal.
    pub(super) fn floor(&self) -> f32 {
        self.form().floor()
    }

    /// Returns whether it is a timer, or the calls, samples or self time of another series.
    pub(super) fn is_timed(&self) -> bool {
        self.form().is_timed()
    }

    /// Returns whether the value is a level that may leak.
    pub(super) fn may_leak(&self) -> bool {
        self.form().may_leak()
    }

    fn form(&self) -> Form {
        let (kind, unit) = (self.kind, self.unit);
        Form { kind, unit }
    }
}

/// The meaning of the values of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) kind: SeriesKind,
    pub(super) unit: Unit,
}

impl Form {
    /// Returns the distance below which two values count as equal.
    pub(super) fn floor(self) -> f32 {
        match self.unit {
            Unit::Milliseconds => 0.02,
            Unit::Seconds => 2e-5,
            Unit::Microseconds => 20.0,
            Unit::Bytes => 1024.0,
            Unit::Count => 0.5,
            // For angles, lengths and similar units, only the share of the usual value matters.
            _ => 1e-3,
        }
    }

    /// Returns whether it is a timer, or the calls, samples or self time of another series.
    pub(super) fn is_timed(self) -> bool {
        self.kind == SeriesKind::Timer || self.kind.is_companion()
    }

    /// Returns whether the value is a level that may leak: a number of bytes, or of things that
    /// come and go. A gauge without a unit may be anything, such as an angle.
    pub(super) fn may_leak(self) -> bool {
        match self.kind {
            SeriesKind::UpDownCounter => matches!(self.unit, Unit::Count | Unit::Bytes),
            SeriesKind::Gauge => self.unit == Unit::Bytes,
            _ => false,
        }
    }
}

/// The facts of all series by their numbers: two bytes for each series, and the whole facts of
/// those that are timed.
#[derive(Clone, Debug, Default)]
pub(super) struct AllFacts {
    /// The position in `forms` plus one; 0 for a number without a series.
    form_of: Vec<u16>,
    forms: Vec<Form>,
    /// The facts of the timers and of the series that belong to one.
    timed: HashMap<u32, Box<Facts>>,
    /// The budgets of the other series.
    budgets: HashMap<u32, f64>,
    /// The paths of the other series, as far as they are known.
    paths: HashMap<u32, Box<str>>,
}

impl AllFacts {
    /// Returns the end of the numbers of all series.
    pub(super) fn end(&self) -> u32 {
        self.form_of.len() as u32
    }

    /// Returns the form of a series; `None` for a number without a series.
    pub(super) fn form(&self, number: u32) -> Option<Form> {
        let form = *self.form_of.get(number as usize)?;
        self.forms.get(usize::from(form).checked_sub(1)?).copied()
    }

    /// Returns the facts of a timer, or of a series that belongs to one.
    pub(super) fn timed(&self, number: u32) -> Option<&Facts> {
        self.timed.get(&number).map(Box::as_ref)
    }

    /// Returns the path of a series: that of the timer for calls and self times. Empty if it is not
    /// known.
    pub(super) fn path(&self, number: u32) -> &str {
        let Some(facts) = self.timed.get(&number) else {
            return self.paths.get(&number).map_or("", Box::as_ref);
        };
        match facts.of.and_then(|of| self.timed.get(&of)) {
            Some(timer) if facts.path.is_empty() => &timer.path,
            _ => &facts.path,
        }
    }

    /// Returns the budget of a series.
    pub(super) fn budget(&self, number: u32) -> Option<f64> {
        let timed = self.timed.get(&number);
        let other = || self.budgets.get(&number).copied();
        timed.map_or_else(other, |facts| facts.budget)
    }

    /// Returns whether the facts of a series are these. Paths that are not stored count as equal.
    pub(super) fn has(&self, number: u32, facts: &Facts) -> bool {
        if facts.is_timed() {
            return self.timed(number) == Some(facts);
        }
        self.form(number) == Some(facts.form())
            && self.budget(number) == facts.budget
            && (facts.path.is_empty() || self.path(number) == facts.path)
    }

    /// Adds a series, or replaces its facts.
    pub(super) fn set(&mut self, number: u32, facts: Facts) {
        let (at, form) = (number as usize, facts.form());
        grow(&mut self.form_of, at + 1, 0);
        self.form_of[at] = self.position(form) + 1;
        self.timed.remove(&number);
        self.budgets.remove(&number);
        if facts.is_timed() {
            self.paths.remove(&number);
            self.timed.insert(number, Box::new(facts));
            return;
        }
        if let Some(budget) = facts.budget {
            self.budgets.insert(number, budget);
        }
        if !facts.path.is_empty() {
            self.set_path(number, &facts.path);
        }
    }

    /// Sets the path of a series that is not timed.
    pub(super) fn set_path(&mut self, number: u32, path: &str) {
        self.paths.insert(number, path.into());
    }

    /// Forgets the paths of all series that are not timed.
    pub(super) fn forget_paths(&mut self) {
        self.paths = HashMap::new();
    }

    /// Returns the position of a form. The last one stands for all beyond 65,535.
    fn position(&mut self, form: Form) -> u16 {
        let known = self.forms.iter().position(|known| *known == form);
        let at = known.unwrap_or_else(|| {
            self.forms.push(form);
            self.forms.len() - 1
        });
        at.min(usize::from(u16::MAX) - 1) as u16
    }
}

/// Lengthens a list with one entry for each series to at least `len`, with less spare capacity than
/// `Vec` would add.
pub(super) fn grow<T: Clone>(list: &mut Vec<T>, len: usize, value: T) {
    if list.len() >= len {
        return;
    }
    if list.capacity() < len {
        list.reserve_exact(len + len / 16 + 64 - list.len());
    }
    list.resize(len, value);
}
