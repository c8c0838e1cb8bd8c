//! The copy of a source's listing.
//!
//! All texts are stored in one string, and entries are in the order in which they were read. The
//! *companions* of a timer (its calls and self time) or a histogram (its samples) have entries of
//! their own. A long listing is read in parts over several passes; later changes of the source are
//! merged into the copy. The tree sorts the paths (`tree/model.rs`).

use std::ops::{ControlFlow, Range};

use stats_analysis::pace::limit;
use stats_core::source::Listed;
use stats_core::{SeriesId, SeriesInfo, SeriesKind, Source, Unit};

use crate::data::allowance::Allowance;

/// The segments below a timer and a histogram that name their calls, samples and self time, and the
/// suffixes used instead if another series has that path.
const CALLS: [&str; 2] = ["/calls", "/calls (timer)"];
const SELF: [&str; 2] = ["/self", "/self (timer)"];
const SAMPLES: [&str; 2] = ["/samples", "/samples (histogram)"];

/// Returns the path of the timer or histogram whose calls, samples or self time have this path, if
/// there is one.
pub(crate) fn recorder_of(path: &str) -> Option<&str> {
    let mut suffixes = CALLS.iter().chain(&SELF).chain(&SAMPLES);
    suffixes.find_map(|suffix| path.strip_suffix(suffix))
}

/// Returns the kind of a timer's or histogram's companion that a path names; `None` if it has no
/// such companion.
pub(crate) fn companion_kind(path: &str, recorder: SeriesKind) -> Option<SeriesKind> {
    let kinds = [SeriesKind::TimerSelf, count_of(recorder)];
    let names = |kind: &SeriesKind| suffixes(*kind).iter().any(|suffix| path.ends_with(suffix));
    kinds.into_iter().find(names)
}

/// Returns the kind of the series that counts how often a timer or a histogram recorded.
fn count_of(recorder: SeriesKind) -> SeriesKind {
    match recorder {
        SeriesKind::Histogram => SeriesKind::HistogramSamples,
        _ => SeriesKind::TimerCalls,
    }
}

/// Returns the path of a companion of this kind, below the path of its timer or histogram.
/// `is_taken` returns whether another series has a path.
pub(crate) fn companion_path(
    path: &str,
    kind: SeriesKind,
    is_taken: impl Fn(&str) -> bool,
) -> String {
    let [name, long_name] = suffixes(kind).map(|suffix| format!("{path}{suffix}"));
    if is_taken(&name) { long_name } else { name }
}

/// Returns the suffixes of a companion of this kind.
fn suffixes(kind: SeriesKind) -> [&'static str; 2] {
    match kind {
        SeriesKind::Histogram | SeriesKind::HistogramSamples => SAMPLES,
        SeriesKind::TimerSelf => SELF,
        _ => CALLS,
    }
}

/// Calls `visit` with some series of a source until it breaks, and returns the end of the numbers in
/// use. If the source can only list all series, calls it with all, and returns `None`.
pub(crate) fn list_or_all(
    source: &dyn Source,
    series: Listed,
    visit: &mut dyn FnMut(SeriesInfo<'_>) -> ControlFlow<()>,
) -> Option<u32> {
    let end = source.list(series, visit);
    if end.is_none() {
        source.list(Listed::All, visit);
    }
    end
}

/// Returns a visitor that never breaks.
pub(crate) fn going_on(
    mut visit: impl FnMut(SeriesInfo<'_>),
) -> impl FnMut(SeriesInfo<'_>) -> ControlFlow<()> {
    move |info| {
        visit(info);
        ControlFlow::Continue(())
    }
}

/// The number of ids that are read at once.
const PART: usize = 256;

/// One series of the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) id: SeriesId,
    pub(crate) kind: SeriesKind,
    pub(crate) unit: Unit,
}

/// A part of the text: its begin and its end.
type Span = (u32, u32);

/// An entry as it is stored.
#[derive(Clone, Copy, Debug)]
struct Stored {
    id: SeriesId,
    path: Span,
    /// The position of its kind and its unit in [`Listing::forms`].
    form: u16,
}

/// All series of a source. Entries keep their indices when others are added.
///
/// An entry takes 16 bytes, and 4 for each number of an id, in addition to its texts, and more if it has a budget, a description or
/// no values.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    text: String,
    entries: Vec<Stored>,
    /// Each kind with each of its units.
    forms: Vec<(SeriesKind, Unit)>,
    budgets: Few<f64>,
    descriptions: Few<Span>,
    /// Why entries have no values.
    unavailable: Few<Span>,
    /// Indexed by the number of an id: the entry's index plus one, or 0 if there is none.
    entry_of_id: Vec<u32>,
}

/// What few of the entries have, by their indices in ascending order.
#[derive(Debug, Default)]
struct Few<T>(Vec<(u32, T)>);

impl<T: Copy> Few<T> {
    fn get(&self, entry: u32) -> Option<T> {
        Some(self.0[self.find(entry).ok()?].1)
    }

    fn set(&mut self, entry: u32, value: Option<T>) {
        match (self.find(entry), value) {
            (Ok(at), Some(value)) => self.0[at].1 = value,
            (Ok(at), None) => _ = self.0.remove(at),
            (Err(at), Some(value)) => self.0.insert(at, (entry, value)),
            (Err(_), None) => {}
        }
    }

    fn find(&self, entry: u32) -> Result<usize, usize> {
        // A new entry is the last one.
        match self.0.last() {
            Some((last, _)) if *last >= entry => self.0.binary_search_by_key(&entry, |(at, _)| *at),
            _ => Err(self.0.len()),
        }
    }
}

/// The part of a listing that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The ids before this number are read.
    pub(crate) read: u32,
    /// The end of the ids in use; 0 while unknown.
    pub(crate) end: u32,
    /// Whether everything is read.
    pub(crate) is_read: bool,
}

impl Listing {
    /// Reads the next part after `progress`, of 256 ids. If a source can only list all of its
    /// series, reads all of them at once. Returns `false` without reading if the allowance is used
    /// up.
    pub(crate) fn read_part(
        &mut self,
        source: &dyn Source,
        progress: &mut Progress,
        allowance: &mut Allowance,
    ) -> bool {
        let count = allowance.take(PART, 1);
        if count == 0 {
            return false;
        }
        let until = progress.read.saturating_add(count as u32);
        let part = Listed::Numbers(progress.read..until);
        let end = list_or_all(source, part, &mut going_on(|info| self.add(&info)));
        if let Some(end) = end
            && progress.end == 0
        {
            self.reserve(end as usize);
        }
        let read = end.map_or(self.len() as u32, |end| until.min(end));
        let end = end.unwrap_or(read);
        let is_read = read == end;
        *progress = Progress { read, end, is_read };
        true
    }

    /// Reserves memory for a long listing, because moving a growing listing takes milliseconds.
    fn reserve(&mut self, series: usize) {
        self.entries.reserve_exact(series);
        self.entry_of_id.reserve_exact(series);
        // The other paths are about as long as the first ones.
        let each = self.text.len() / self.entries.len().max(1);
        self.text.reserve_exact(series * (each + each / 8 + 1));
    }

    /// Merges the changes since a generation of the source. Returns `false` if the whole listing
    /// must be read, because the source does not report changes, or a series has another path or
    /// kind.
    pub(crate) fn read_changes(&mut self, source: &dyn Source, since: u64) -> bool {
        let mut is_merged = true;
        let listed = source.list(Listed::ChangedSince(since), &mut |info| {
            is_merged = self.take_in(&info);
            match is_merged {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        listed.is_some() && is_merged
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the length of all texts, in bytes.
    pub(crate) fn text_len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn entry(&self, at: u32) -> Entry {
        let Stored { id, form, .. } = self.entries[at as usize];
        let (kind, unit) = self.forms[usize::from(form)];
        Entry { id, kind, unit }
    }

    pub(crate) fn path(&self, at: u32) -> &str {
        self.slice(self.entries[at as usize].path)
    }

    pub(crate) fn budget(&self, at: u32) -> Option<f64> {
        self.budgets.get(at)
    }

    /// Returns all series that have a budget, and the value above which each is over it.
    pub(crate) fn limits(&self) -> impl Iterator<Item = (SeriesId, f64)> {
        let budgets = self.budgets.0.iter();
        budgets.map(|&(at, budget)| {
            let Entry { id, kind, .. } = self.entry(at);
            (id, limit(kind, budget))
        })
    }

    pub(crate) fn description(&self, at: u32) -> &str {
        self.slice(self.descriptions.get(at).unwrap_or_default())
    }

    /// Returns why a series has no values; empty if it has values.
    pub(crate) fn unavailable(&self, at: u32) -> &str {
        self.slice(self.unavailable.get(at).unwrap_or_default())
    }

    pub(crate) fn entry_of(&self, id: SeriesId) -> Option<u32> {
        self.entry_of_id.get(id.number() as usize)?.checked_sub(1)
    }

    /// Returns whether an entry is a companion, with a path that another series may have.
    pub(crate) fn may_be_renamed(&self, at: u32) -> bool {
        let kind = self.entry(at).kind;
        kind.is_companion() && self.path(at).ends_with(suffixes(kind)[0])
    }

    /// Gives a companion another path, because another series has its path.
    pub(crate) fn rename(&mut self, at: u32) {
        let path = self.entries[at as usize].path;
        let [suffix, long_suffix] = suffixes(self.entry(at).kind);
        let of = path.0 as usize..path.1 as usize - suffix.len();
        self.entries[at as usize].path = self.push_companion(of, long_suffix);
    }

    /// Merges a new or changed series. Returns `false` if its path or its kind has changed.
    pub(crate) fn take_in(&mut self, info: &SeriesInfo<'_>) -> bool {
        let Some(at) = self.entry_of(info.id) else {
            self.add(info);
            return true;
        };
        if self.path(at) != info.path || self.entry(at).kind != info.kind {
            return false;
        }
        if self.description(at) != info.description.unwrap_or_default() {
            let description = self.push_some(info.description);
            self.descriptions.set(at, description);
        }
        if self.unavailable(at) != info.unavailable.unwrap_or_default() {
            self.set_unavailable(at, info);
        }
        self.entries[at as usize].form = self.form(info.kind, info.unit);
        self.budgets.set(at, info.budget);
        true
    }

    /// Stores why a series, and thus its companions, have no values.
    fn set_unavailable(&mut self, at: u32, info: &SeriesInfo<'_>) {
        let unavailable = self.push_some(info.unavailable);
        self.unavailable.set(at, unavailable);
        for companion in [info.calls, info.self_time].into_iter().flatten() {
            if let Some(companion) = self.entry_of(companion) {
                self.unavailable.set(companion, unavailable);
            }
        }
    }

    fn slice(&self, (start, end): Span) -> &str {
        &self.text[start as usize..end as usize]
    }

    /// Adds a series and, for a timer or a histogram, its companions as children.
    ///
    /// Offsets into the text have 32 bits; series beyond 4 GiB of text are left out.
    fn add(&mut self, info: &SeriesInfo<'_>) {
        if self.text.len()
            + info.path.len() * 3
            + info.description.map_or(0, str::len)
            + info.unavailable.map_or(0, str::len)
            + 32
            > u32::MAX as usize
        {
            return;
        }
        let path = self.push_text(info.path);
        let at = self.push(info.id, span(path.clone()), (info.kind, info.unit));
        let description = self.push_some(info.description);
        let unavailable = self.push_some(info.unavailable);
        self.descriptions.set(at, description);
        self.unavailable.set(at, unavailable);
        self.budgets.set(at, info.budget);
        let companions = [
            (info.calls, count_of(info.kind), Unit::Count),
            (info.self_time, SeriesKind::TimerSelf, info.unit),
        ];
        for (id, kind, unit) in companions {
            let Some(id) = id else { continue };
            let path = self.push_companion(path.clone(), suffixes(kind)[0]);
            let at = self.push(id, path, (kind, unit));
            self.unavailable.set(at, unavailable);
        }
    }

    /// Adds an entry, and returns its index.
    fn push(&mut self, id: SeriesId, path: Span, (kind, unit): (SeriesKind, Unit)) -> u32 {
        let (number, at) = (id.number() as usize, self.entries.len() as u32);
        if number >= self.entry_of_id.len() {
            self.entry_of_id.resize(number + 1, 0);
        }
        let form = self.form(kind, unit);
        self.entries.push(Stored { id, path, form });
        self.entry_of_id[number] = at + 1;
        at
    }

    /// Returns the position of a kind with a unit. The last one stands for all beyond 65,535.
    fn form(&mut self, kind: SeriesKind, unit: Unit) -> u16 {
        let known = self.forms.iter().rposition(|form| *form == (kind, unit));
        let at = known.unwrap_or_else(|| {
            self.forms.push((kind, unit));
            self.forms.len() - 1
        });
        at.min(usize::from(u16::MAX)) as u16
    }

    /// Appends the path of a companion.
    fn push_companion(&mut self, of: Range<usize>, suffix: &str) -> Span {
        let start = self.text.len();
        self.text.extend_from_within(of);
        self.text.push_str(suffix);
        span(start..self.text.len())
    }

    /// Appends a text that is not empty.
    fn push_some(&mut self, text: Option<&str>) -> Option<Span> {
        let text = text.filter(|text| !text.is_empty())?;
        Some(span(self.push_text(text)))
    }

    fn push_text(&mut self, text: &str) -> Range<usize> {
        let start = self.text.len();
        self.text.push_str(text);
        start..self.text.len()
    }
}

fn span(range: Range<usize>) -> Span {
    (range.start as u32, range.end as u32)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a listing of counters with these paths.
    pub(crate) fn listing_of(paths: &[impl AsRef<str>]) -> Listing {
        let mut listing = Listing::default();
        for (number, path) in paths.iter().enumerate() {
            listing.add(&SeriesInfo::new(
                SeriesId::new(number as u32),
                path.as_ref(),
                SeriesKind::Counter,
                Unit::Count,
            ));
        }
        listing
    }

    /// Returns a listing of these series, for tests of timers and their calls.
    pub(crate) fn listing_of_infos(infos: &[&SeriesInfo<'_>]) -> Listing {
        let mut listing = Listing::default();
        infos.iter().for_each(|info| listing.add(info));
        listing
    }

    fn timer(id: u32, path: &str) -> SeriesInfo<'_> {
        let (kind, unit) = (SeriesKind::Timer, Unit::Milliseconds);
        SeriesInfo::new(SeriesId::new(id), path, kind, unit)
    }

    #[test]
    fn a_timer_adds_its_calls_and_its_self_time() {
        let mut info = timer(1, "ai/paths");
        info.calls = Some(SeriesId::new(2));
        info.self_time = Some(SeriesId::new(3));
        let listing = listing_of_infos(&[&info]);
        assert_eq!(
            [0, 1, 2].map(|at| listing.path(at)),
            ["ai/paths", "ai/paths/calls", "ai/paths/self"]
        );
        assert_eq!(listing.entry(1).kind, SeriesKind::TimerCalls);
        assert_eq!(listing.entry(2).kind, SeriesKind::TimerSelf);
        assert_eq!(listing.entry(2).unit, Unit::Milliseconds);
        assert_eq!(recorder_of("ai/paths/self (timer)"), Some("ai/paths"));
        assert_eq!(recorder_of(listing.path(1)), Some("ai/paths"));
        assert_eq!(recorder_of("ai/paths"), None);
        assert_eq!(recorder_of("ai/paths/calls (timer)"), Some("ai/paths"));
    }

    #[test]
    fn an_entry_takes_16_bytes() {
        assert_eq!(size_of::<Stored>(), 16);
    }

    /// Compares a listing with the entries of the newest facts.
    #[test]
    fn changes_replace_what_few_series_have() {
        let mut random = stats_testing::Random::new(4);
        let texts = [None, Some("a"), Some("b")];
        let paths: Vec<String> = (0..40).map(|number| format!("series/{number}")).collect();
        let mut listing = Listing::default();
        let mut newest = Vec::new();
        for step in 0..1000 {
            let number = if newest.len() < paths.len() && step % 3 == 0 {
                newest.len()
            } else {
                random.index(newest.len())
            };
            let mut info = timer(number as u32, &paths[number]);
            info.unit = [Unit::Milliseconds, Unit::Custom("ticks")][random.index(2)];
            info.budget = [None, Some(1.0), Some(2.0)][random.index(3)];
            info.description = texts[random.index(3)];
            info.unavailable = texts[random.index(3)];
            assert!(listing.take_in(&info));
            match newest.get_mut(number) {
                Some(known) => *known = info,
                None => newest.push(info),
            }
            for (at, info) in (0..).zip(&newest) {
                let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
                assert_eq!(listing.entry(at).unit, info.unit);
                assert_eq!(listing.budget(at), info.budget);
                assert_eq!(listing.description(at), text(info.description));
                assert_eq!(listing.unavailable(at), text(info.unavailable));
            }
            let limits = newest
                .iter()
                .filter_map(|info| Some((info.id, info.budget?)));
            assert!(listing.limits().eq(limits));
        }
    }

    #[test]
    fn a_series_and_its_calls_keep_the_reason_for_having_no_values() {
        let mut listing = Listing::default();
        let mut info = timer(1, "gpu/frame");
        info.calls = Some(SeriesId::new(2));
        info.unavailable = Some("not here");
        listing.add(&info);
        listing.add(&timer(3, "gpu/more"));
        let reasons = |listing: &Listing| [0, 1, 2].map(|at| listing.unavailable(at).to_owned());
        assert_eq!(reasons(&listing), ["not here", "not here", ""]);
        for reason in [None, Some("another reason"), Some("another reason")] {
            info.unavailable = reason;
            assert!(listing.take_in(&info));
            let reason = reason.unwrap_or_default();
            assert_eq!(reasons(&listing), [reason, reason, ""]);
        }
    }
}
