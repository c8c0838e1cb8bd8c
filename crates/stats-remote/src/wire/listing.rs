//! The entries of a listing: everything about a series except its values.

use stats_core::{SeriesId, SeriesInfo, SeriesKind, Unit};

use super::Malformed;
use super::bytes::{Bytes, put_float, put_number, put_text};

/// The longest path, description, reason or name of a thread, in bytes. Longer ones are cut.
const MAX_TEXT: usize = 4096;

/// The longest symbol of a unit.
const MAX_SYMBOL: usize = 64;

/// The kinds of series, by their numbers.
const KINDS: [SeriesKind; 9] = [
    SeriesKind::Counter,
    SeriesKind::UpDownCounter,
    SeriesKind::Gauge,
    SeriesKind::Timer,
    SeriesKind::TimerCalls,
    SeriesKind::TimerSelf,
    SeriesKind::Histogram,
    SeriesKind::HistogramSamples,
    SeriesKind::FrameTime,
];

/// An entry with texts of its own.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) id: u32,
    pub(crate) kind: SeriesKind,
    pub(crate) unit: Unit,
    pub(crate) path: String,
    pub(crate) budget: Option<f64>,
    pub(crate) description: Option<String>,
    pub(crate) unavailable: Option<String>,
    pub(crate) calls: Option<u32>,
    pub(crate) self_time: Option<u32>,
    pub(crate) parent: Option<u32>,
    pub(crate) thread: Option<String>,
    pub(crate) is_wait: bool,
    pub(crate) is_deferred: bool,
}

impl Entry {
    /// Returns the entry as a source lists it.
    pub(crate) fn info(&self) -> SeriesInfo<'_> {
        let id = SeriesId::new(self.id);
        let mut info = SeriesInfo::new(id, &self.path, self.kind, self.unit);
        info.budget = self.budget;
        info.description = self.description.as_deref();
        info.unavailable = self.unavailable.as_deref();
        info.calls = self.calls.map(SeriesId::new);
        info.self_time = self.self_time.map(SeriesId::new);
        info.parent = self.parent.map(SeriesId::new);
        info.thread = self.thread.as_deref();
        info.is_wait = self.is_wait;
        info.is_deferred = self.is_deferred;
        info
    }
}

/// Appends an entry. `before` is the path of the entry before it in the message: only what differs
/// from its beginning is sent.
pub(crate) fn put_entry(out: &mut Vec<u8>, info: &SeriesInfo<'_>, before: &str) {
    let path = cut(info.path);
    let kind = KINDS.iter().position(|kind| *kind == info.kind);
    put_number(out, info.id.number().into());
    // A kind of a later version is shown as a gauge: its value is what it is.
    out.push(kind.unwrap_or(2) as u8);
    put_text(out, info.unit.symbol());
    let same = shared(before, path);
    put_number(out, same as u64);
    put_text(out, &path[same..]);
    let options = [
        info.budget.is_some(),
        info.description.is_some(),
        info.unavailable.is_some(),
        info.calls.is_some(),
        info.self_time.is_some(),
        info.parent.is_some(),
        info.thread.is_some(),
        info.is_wait,
        info.is_deferred,
    ];
    let bits = |bits, (bit, is_set): (usize, bool)| bits | u64::from(is_set) << bit;
    put_number(out, options.into_iter().enumerate().fold(0, bits));
    if let Some(budget) = info.budget {
        put_float(out, budget);
    }
    for text in [info.description, info.unavailable].into_iter().flatten() {
        put_text(out, cut(text));
    }
    for id in [info.calls, info.self_time, info.parent]
        .into_iter()
        .flatten()
    {
        put_number(out, id.number().into());
    }
    if let Some(thread) = info.thread {
        put_text(out, cut(thread));
    }
}

/// Reads an entry.
pub(crate) fn entry(bytes: &mut Bytes<'_>, before: &str) -> Result<Entry, Malformed> {
    let id = bytes.number32()?;
    let kind = *KINDS.get(usize::from(bytes.byte()?)).ok_or(Malformed)?;
    // A unit too many is left out; the values are still right.
    let unit = Unit::from_symbol(bytes.text(MAX_SYMBOL)?).unwrap_or_default();
    let same = bytes.count(before.len())?;
    let mut path = before.get(..same).ok_or(Malformed)?.to_owned();
    path.push_str(bytes.text(MAX_TEXT - same)?);
    let options = bytes.number()?;
    let has = |bit: u32| options >> bit & 1 == 1;
    let text = |is_there: bool, bytes: &mut Bytes<'_>| match is_there {
        true => bytes.text(MAX_TEXT).map(|text| Some(text.to_owned())),
        false => Ok(None),
    };
    let series = |is_there: bool, bytes: &mut Bytes<'_>| match is_there {
        true => bytes.number32().map(Some),
        false => Ok(None),
    };
    Ok(Entry {
        id,
        kind,
        unit,
        path,
        budget: if has(0) { Some(bytes.float()?) } else { None },
        description: text(has(1), bytes)?,
        unavailable: text(has(2), bytes)?,
        calls: series(has(3), bytes)?,
        self_time: series(has(4), bytes)?,
        parent: series(has(5), bytes)?,
        thread: text(has(6), bytes)?,
        is_wait: has(7),
        is_deferred: has(8),
    })
}

/// Returns a text up to the largest length.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// Returns the number of bytes with which both texts begin.
fn shared(a: &str, b: &str) -> usize {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    b.floor_char_boundary(same)
}
