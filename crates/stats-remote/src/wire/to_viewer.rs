//! The messages of a game.

use stats_core::{Mark, SeriesInfo};

use super::bytes::{put_float, put_number, put_text};
use super::column::{self, FORM_BITS};
use super::distribution::Gained;
use super::listing::{Entry, put_entry};
use super::scopes::{FrameScopes, Lane};

/// The largest message that a viewer reads.
pub(crate) const MAX_MESSAGE: usize = 1 << 20;

/// The number of blocks that a game sends before the first is acknowledged.
pub(crate) const CREDIT: u64 = 32;

/// The largest number of frames in a block, of series in a block, and of values in both.
pub(crate) const MAX_BLOCK_FRAMES: usize = 64;
pub(crate) const MAX_SERIES: usize = 4096;
pub(crate) const MAX_BLOCK_VALUES: usize = 1 << 16;

/// The most entries of a listing, and of marks, in a message.
pub(crate) const MAX_ENTRIES: usize = 8192;
/// The bytes of the paths in a message. A path may repeat the beginning of the one before it, so
/// they may be many more than those of the message.
pub(super) const MAX_PATHS: usize = 1 << 20;
pub(crate) const MAX_MARKS: usize = stats_core::limits::MAX_MARKS;

/// The longest name or sentence in bytes.
pub(super) const MAX_TEXT: usize = 4096;

/// A message of a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ToViewer {
    Welcome(Welcome),
    List(List),
    Values(Values),
    Past(Past),
    Newest(Vec<(u32, f64)>),
    Marks(Marks),
    /// These series are not sent: too many are watched.
    Refused(Vec<u32>),
    /// The number of a ping, and the time at which the game heard it, on the clock of its frames in
    /// seconds. `None` before the first frame.
    Pong(u64, Option<f64>),
    /// The name of the thread that ends the frames.
    Thread(String),
    /// Samples of a histogram.
    Gained(Gained),
    /// Lanes of scopes that are new or changed.
    Lanes(Vec<Lane>),
    Scopes(FrameScopes),
    /// The last message: why the connection ends.
    Bye(String),
}

/// The answer to a greeting.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Welcome {
    /// Random: a game that was started again has another.
    pub(crate) session: [u8; 16],
    pub(crate) program: String,
    pub(crate) process: u32,
    /// The number of series that can be watched at a time, by all viewers together.
    pub(crate) max_watches: u64,
}

/// A part of the listing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct List {
    /// Whether all series that the game has now were sent.
    pub(crate) is_complete: bool,
    pub(crate) entries: Vec<Entry>,
}

/// The values of consecutive frames.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values {
    /// One more than that of the block before.
    pub(crate) block: u64,
    pub(crate) first_frame: u64,
    pub(crate) starts_secs: Vec<f64>,
    pub(crate) durations_ms: Vec<f64>,
    /// For each series its value in each frame. NaN if it is not known.
    pub(crate) series: Vec<(u32, Vec<f64>)>,
}

/// Values of the past, in part or whole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Past {
    /// A series, or [`CLOCK`](super::to_game::CLOCK), which has two columns. It may also be
    /// [`SCOPES`](super::to_game::SCOPES), which has no columns, and says that the scopes of the frames
    /// before `first_frame` were sent.
    pub(crate) series: u32,
    pub(crate) first_frame: u64,
    /// Whether it is the last answer to a request.
    pub(crate) is_done: bool,
    pub(crate) values: Vec<f64>,
    /// The durations in milliseconds of the clock; otherwise empty.
    pub(crate) durations_ms: Vec<f64>,
}

/// Marks that are new or changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Marks {
    /// The number of all marks.
    pub(crate) total: usize,
    /// Marks and their positions.
    pub(crate) marks: Vec<(usize, Mark)>,
}

/// The types, by their numbers.
pub(super) const WELCOME: u8 = 0;
pub(super) const LIST: u8 = 1;
pub(super) const VALUES: u8 = 2;
pub(super) const PAST: u8 = 3;
pub(super) const NEWEST: u8 = 4;
pub(super) const MARKS: u8 = 5;
pub(super) const REFUSED: u8 = 6;
pub(super) const PONG: u8 = 7;
pub(super) const BYE: u8 = 8;
pub(super) const THREAD: u8 = 9;
pub(super) const GAINED: u8 = 10;
pub(super) const LANES: u8 = 11;
pub(super) const SCOPES: u8 = 12;

pub(crate) fn encode_welcome(welcome: &Welcome) -> Vec<u8> {
    let mut out = vec![WELCOME];
    out.extend_from_slice(&welcome.session);
    put_text(&mut out, short(&welcome.program));
    put_number(&mut out, welcome.process.into());
    put_number(&mut out, welcome.max_watches);
    out
}

/// Collects entries of a listing in a message.
pub(crate) struct ListWriter {
    entries: Vec<u8>,
    count: u64,
    /// The bytes of the paths, as the viewer keeps them.
    paths: usize,
    before: String,
}

impl ListWriter {
    pub(crate) const fn new() -> Self {
        Self {
            entries: Vec::new(),
            count: 0,
            paths: 0,
            before: String::new(),
        }
    }

    pub(crate) fn push(&mut self, info: &SeriesInfo<'_>) {
        put_entry(&mut self.entries, info, &self.before);
        self.before.clear();
        self.before.push_str(info.path);
        self.count += 1;
        self.paths += info.path.len();
    }

    /// Returns whether a further entry belongs in another message.
    pub(crate) const fn is_full(&self) -> bool {
        self.entries.len() >= 32 << 10
            || self.paths >= MAX_PATHS / 2
            || self.count == MAX_ENTRIES as u64
    }

    pub(crate) fn encode(&self, is_complete: bool) -> Vec<u8> {
        let mut out = vec![LIST, u8::from(is_complete)];
        put_number(&mut out, self.count);
        out.extend_from_slice(&self.entries);
        out
    }
}

/// A column that was encoded once for all viewers.
#[derive(Debug)]
pub(crate) struct Column {
    form: u8,
    bytes: Vec<u8>,
}

impl Column {
    pub(crate) fn new(values: &[f64]) -> Self {
        let mut bytes = Vec::new();
        let form = column::encode(values, &mut bytes);
        Self { form, bytes }
    }

    /// Like [`new`](Self::new), with [rounded](column::rounded) values.
    pub(crate) fn rounded(values: &[f64], steps: f64) -> Self {
        let rounded = |value: &f64| column::rounded(*value, steps);
        Self::new(&values.iter().map(rounded).collect::<Vec<_>>())
    }

    /// Appends the column, with a number before its form.
    fn put(&self, out: &mut Vec<u8>, number: u64) {
        put_number(out, number << FORM_BITS | u64::from(self.form));
        out.extend_from_slice(&self.bytes);
    }
}

/// Encodes [`Values`]. The ids of the series ascend.
///
/// The ids come first, as runs of those that follow each other: how many ids are left out before the run,
/// and how many it has. The forms of all columns follow, two in a byte, and then the columns.
pub(crate) fn encode_values<'a>(
    block: u64,
    first_frame: u64,
    frames: usize,
    clock: [&Column; 2],
    series: impl Iterator<Item = (u32, &'a Column)>,
) -> Vec<u8> {
    let (ids, columns): (Vec<u32>, Vec<&Column>) = series.unzip();
    let mut out = vec![VALUES];
    put_number(&mut out, block);
    put_number(&mut out, first_frame);
    put_number(&mut out, frames as u64);
    clock.iter().for_each(|column| column.put(&mut out, 0));
    put_number(&mut out, ids.len() as u64);
    let mut next = 0;
    for run in ids.chunk_by(|a, b| b.checked_sub(*a) == Some(1)) {
        // A run of one is the usual one if a few of many series are watched.
        let is_longer = run.len() > 1;
        let left_out = u64::from(run[0].saturating_sub(next));
        put_number(&mut out, left_out << 1 | u64::from(is_longer));
        if is_longer {
            put_number(&mut out, run.len() as u64);
        }
        next = run[run.len() - 1].saturating_add(1);
    }
    for pair in columns.chunks(2) {
        let second = pair.get(1).map_or(0, |column| column.form);
        out.push(pair[0].form | second << FORM_BITS);
    }
    for column in columns {
        out.extend_from_slice(&column.bytes);
    }
    out
}

pub(crate) fn encode_past(past: &Past) -> Vec<u8> {
    let mut out = vec![PAST, u8::from(past.is_done)];
    put_number(&mut out, past.series.into());
    put_number(&mut out, past.first_frame);
    put_number(&mut out, past.values.len() as u64);
    Column::new(&past.values).put(&mut out, 0);
    if !past.durations_ms.is_empty() {
        Column::new(&past.durations_ms).put(&mut out, 0);
    }
    out
}

pub(crate) fn encode_newest(values: &[(u32, f64)]) -> Vec<u8> {
    let mut out = vec![NEWEST];
    put_number(&mut out, values.len() as u64);
    for (id, value) in values {
        Column::new(&[*value]).put(&mut out, (*id).into());
    }
    out
}

/// Encodes [`Marks`] in as many messages as it takes.
pub(crate) fn encode_marks<'a>(
    total: usize,
    marks: impl Iterator<Item = (usize, &'a Mark)>,
) -> Vec<Vec<u8>> {
    let (mut messages, mut part, mut count) = (Vec::new(), Vec::new(), 0);
    let finish = |part: &mut Vec<u8>, count: &mut u64| {
        let mut out = vec![MARKS];
        put_number(&mut out, total as u64);
        put_number(&mut out, *count);
        out.append(part);
        *count = 0;
        out
    };
    for (position, mark) in marks {
        put_number(&mut part, position as u64);
        put_number(&mut part, mark.frames.start);
        put_number(&mut part, mark.frames.end);
        part.push(mark.is_point.into());
        put_text(&mut part, &mark.name);
        count += 1;
        if part.len() >= 32 << 10 {
            messages.push(finish(&mut part, &mut count));
        }
    }
    if count > 0 {
        messages.push(finish(&mut part, &mut count));
    }
    messages
}

pub(crate) fn encode_refused(ids: &[u32]) -> Vec<u8> {
    let mut out = vec![REFUSED];
    put_number(&mut out, ids.len() as u64);
    ids.iter().for_each(|id| put_number(&mut out, (*id).into()));
    out
}

pub(crate) fn encode_pong(number: u64, game_secs: Option<f64>) -> Vec<u8> {
    let mut out = vec![PONG];
    put_number(&mut out, number);
    if let Some(secs) = game_secs {
        put_float(&mut out, secs);
    }
    out
}

pub(crate) fn encode_thread(name: &str) -> Vec<u8> {
    let mut out = vec![THREAD];
    put_text(&mut out, short(name));
    out
}

pub(crate) fn encode_gained(gained: &Gained) -> Vec<u8> {
    let mut out = vec![GAINED];
    gained.put(&mut out);
    out
}

/// Encodes lanes in as many messages as it takes.
pub(crate) fn encode_lanes<'a>(lanes: impl Iterator<Item = &'a Lane>) -> Vec<Vec<u8>> {
    // A lane has a name of at most 256 bytes.
    const PART: usize = 128;
    let lanes: Vec<&Lane> = lanes.collect();
    let message = |part: &[&Lane]| {
        let mut out = vec![LANES];
        put_number(&mut out, part.len() as u64);
        part.iter().for_each(|lane| lane.put(&mut out));
        out
    };
    lanes.chunks(PART).map(message).collect()
}

pub(crate) fn encode_scopes(frame: &FrameScopes) -> Vec<u8> {
    let mut out = vec![SCOPES];
    frame.put(&mut out);
    out
}

pub(crate) fn encode_bye(reason: &str) -> Vec<u8> {
    let mut out = vec![BYE];
    put_text(&mut out, short(reason));
    out
}

/// Returns a text up to the largest length.
fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}
