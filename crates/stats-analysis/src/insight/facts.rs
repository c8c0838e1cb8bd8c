//! What an insight knows about a series, apart from its values.

use std::collections::HashMap;
use std::ops::Range;

use stats_core::{SeriesId, SeriesInfo, SeriesKind, Unit};

use super::budgets::Budgets;

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
    /// For calls, samples and self times: the number of the timer or histogram, which is set first.
    /// `None` otherwise.
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

    /// Returns the facts as an entry of a listing, without calls and self time.
    pub(super) fn info(&self, number: u32) -> SeriesInfo<'_> {
        let mut info = SeriesInfo::new(SeriesId::new(number), &self.path, self.kind, self.unit);
        info.budget = self.budget;
        info.parent = self.parent.map(SeriesId::new);
        info.thread = self.thread.as_deref();
        (info.is_wait, info.is_deferred) = (self.is_wait, self.is_deferred);
        info
    }
}

/// The meaning of the values of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    pub(super) kind: SeriesKind,
    pub(super) unit: Unit,
}

impl Form {
    pub(super) fn of(info: &SeriesInfo<'_>) -> Self {
        let (kind, unit) = (info.kind, info.unit);
        Self { kind, unit }
    }

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

/// The owners of the memory of the statistics themselves, by which `stats_core::own_memory` charges
/// it.
const OWNERS: [&str; 15] = [
    "stats-capi",
    "stats-capture",
    "stats-config",
    "stats-core",
    "stats-gpu",
    "stats-memory",
    "stats-memory-panel",
    "stats-metrics",
    "stats-openmetrics",
    "stats-otlp",
    "stats-overlay",
    "stats-process",
    "stats-puffin",
    "stats-remote",
    "stats-tracing",
];

/// The series of the group of memory that all of them share.
const OWN_GROUP: &str = "memory/groups/stats/";

/// Returns whether a level is memory of the statistics, which is no leak of the program.
pub(super) fn is_of_statistics(path: &str) -> bool {
    let scopes = path.strip_prefix("memory/scopes/");
    path == "memory/overhead"
        || path.starts_with(OWN_GROUP)
        || scopes.is_some_and(|scopes| scopes.split('/').any(|scope| OWNERS.contains(&scope)))
}

/// The number of paths for which memory is kept, and the bytes that a path usually takes at most.
const KEPT_PATHS: usize = 256;
const PATH_BYTES: usize = 64;

/// The facts of all series by their numbers: two bytes for each series, apart from budgets and paths.
/// The [`Structure`](super::structure::Structure) has those that only timers have.
#[derive(Clone, Debug, Default)]
pub(super) struct AllFacts {
    /// The position in `forms` plus one; 0 for a number without a series.
    form_of: Vec<u16>,
    forms: Vec<Form>,
    pub(super) budgets: Budgets,
    /// The places of the paths in `text`, as far as they are known.
    paths: HashMap<u32, Range<usize>>,
    text: String,
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

    /// Adds a series, or changes its form.
    pub(super) fn set_form(&mut self, number: u32, form: Form) {
        let at = number as usize;
        grow(&mut self.form_of, at + 1, 0);
        self.form_of[at] = self.position(form) + 1;
    }

    /// Returns the budget of a series.
    pub(super) fn budget(&self, number: u32) -> Option<f64> {
        self.budgets.get(number)
    }

    pub(super) fn set_budget(&mut self, number: u32, budget: Option<f64>) {
        self.budgets.set(number, budget);
    }

    /// Returns the path of a series; empty if it is not known.
    pub(super) fn path(&self, number: u32) -> &str {
        let place = self.paths.get(&number).cloned();
        place.map_or("", |place| &self.text[place])
    }

    pub(super) fn set_path(&mut self, number: u32, path: &str) {
        if self.path(number) != path {
            self.look_up_path(number, |text| text.push_str(path));
        }
    }

    /// Sets the path of a series, which `append` adds to a text, if it does.
    pub(super) fn look_up_path(&mut self, number: u32, append: impl FnOnce(&mut String)) {
        let start = self.text.len();
        append(&mut self.text);
        if self.text.len() > start {
            self.paths.insert(number, start..self.text.len());
        }
    }

    /// Forgets all paths, and keeps the memory of a few.
    pub(super) fn forget_paths(&mut self) {
        self.paths.clear();
        self.paths.shrink_to(KEPT_PATHS);
        self.text.clear();
        self.text.shrink_to(KEPT_PATHS * PATH_BYTES);
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

/// The last segments of the paths of waits for the display.
const DISPLAY_WAITS: [&str; 3] = ["present", "acquire", "vsync"];

/// Returns whether a declared wait is for the display, by its path.
pub(crate) fn is_display_wait(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or(path);
    DISPLAY_WAITS.contains(&last)
}
