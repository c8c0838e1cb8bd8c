//! Reads the messages of a game, which a viewer trusts as little as a game trusts a viewer.

use std::ops::Range;

use stats_core::Mark;

use super::Malformed;
use super::bytes::Bytes;
use super::column::{self, FORM_BITS, MAX_FRAMES};
use super::distribution::Gained;
use super::listing::{Entry, entry};
use super::scopes::{FrameScopes, Lane, MAX_LANES};
use super::to_game::MAX_IDS;
use super::to_viewer::*;

/// The bits of a form.
const FORM: u8 = (1 << FORM_BITS) - 1;

impl ToViewer {
    pub(crate) fn decode(message: &[u8]) -> Result<Self, Malformed> {
        if message.len() > MAX_MESSAGE {
            return Err(Malformed);
        }
        let mut bytes = Bytes::new(message);
        let bytes = &mut bytes;
        let message = match bytes.byte()? {
            WELCOME => Self::Welcome(welcome(bytes)?),
            LIST => Self::List(list(bytes)?),
            VALUES => Self::Values(values(bytes)?),
            PAST => Self::Past(past(bytes)?),
            NEWEST => Self::Newest(newest(bytes)?),
            MARKS => Self::Marks(marks(bytes)?),
            REFUSED => {
                let count = bytes.count(MAX_IDS)?;
                let ids = (0..count).map(|_| bytes.number32());
                Self::Refused(ids.collect::<Result<_, _>>()?)
            }
            PONG => {
                let number = bytes.number()?;
                let is_known = !bytes.is_empty();
                Self::Pong(number, if is_known { Some(bytes.float()?) } else { None })
            }
            THREAD => Self::Thread(bytes.text(MAX_TEXT)?.to_owned()),
            GAINED => Self::Gained(Gained::read(bytes)?),
            LANES => {
                let count = bytes.count(MAX_LANES)?;
                let lanes = (0..count).map(|_| Lane::read(bytes));
                Self::Lanes(lanes.collect::<Result<_, _>>()?)
            }
            SCOPES => Self::Scopes(FrameScopes::read(bytes)?),
            BYE => Self::Bye(bytes.text(MAX_TEXT)?.to_owned()),
            _ => return Err(Malformed),
        };
        bytes.end()?;
        Ok(message)
    }
}

fn welcome(bytes: &mut Bytes<'_>) -> Result<Welcome, Malformed> {
    Ok(Welcome {
        session: bytes.array()?,
        program: bytes.text(MAX_TEXT)?.to_owned(),
        process: bytes.number32()?,
        max_watches: bytes.number()?,
    })
}

fn list(bytes: &mut Bytes<'_>) -> Result<List, Malformed> {
    let is_complete = bytes.flag()?;
    let count = bytes.count(MAX_ENTRIES)?;
    let (mut entries, mut paths) = (Vec::<Entry>::new(), 0);
    for _ in 0..count {
        let before = entries.last().map_or("", |entry| &entry.path);
        let entry = entry(bytes, before)?;
        paths += entry.path.len();
        if paths > MAX_PATHS {
            return Err(Malformed);
        }
        entries.push(entry);
    }
    Ok(List {
        is_complete,
        entries,
    })
}

fn values(bytes: &mut Bytes<'_>) -> Result<Values, Malformed> {
    let block = bytes.number()?;
    let first_frame = bytes.number()?;
    let frames = bytes.count(MAX_BLOCK_FRAMES)?;
    check_frames(first_frame, frames)?;
    let (starts_secs, durations_ms) = (column(bytes, frames)?.1, column(bytes, frames)?.1);
    let count = bytes.count(MAX_SERIES)?;
    if count * frames > MAX_BLOCK_VALUES {
        return Err(Malformed);
    }
    let ids = runs(bytes, count)?;
    let forms = bytes.take(count.div_ceil(2))?;
    let mut series = Vec::new();
    for (at, id) in ids.into_iter().enumerate() {
        let form = forms[at / 2] >> (FORM_BITS * (at as u32 % 2)) & FORM;
        let mut values = Vec::new();
        column::decode(form, frames, bytes, &mut values)?;
        series.push((id, values));
    }
    Ok(Values {
        block,
        first_frame,
        starts_secs,
        durations_ms,
        series,
    })
}

/// Reads ids that ascend.
fn runs(bytes: &mut Bytes<'_>, count: usize) -> Result<Vec<u32>, Malformed> {
    let (mut ids, mut next) = (Vec::new(), 0_u64);
    while ids.len() < count {
        let head = bytes.number()?;
        let len = match head & 1 {
            0 => 1,
            _ => bytes.count(count - ids.len())?,
        };
        let first = next + (head >> 1);
        next = first + len as u64;
        // No larger id than that of a `u32`, and no run without any.
        if len == 0 || next > 1 << 32 {
            return Err(Malformed);
        }
        ids.extend((first..next).map(|id| id as u32));
    }
    Ok(ids)
}

fn past(bytes: &mut Bytes<'_>) -> Result<Past, Malformed> {
    let is_done = bytes.flag()?;
    let series = bytes.number32()?;
    let first_frame = bytes.number()?;
    let frames = bytes.count(MAX_FRAMES)?;
    check_frames(first_frame, frames)?;
    let values = column(bytes, frames)?.1;
    let durations_ms = match bytes.is_empty() {
        true => Vec::new(),
        false => column(bytes, frames)?.1,
    };
    Ok(Past {
        series,
        first_frame,
        is_done,
        values,
        durations_ms,
    })
}

fn newest(bytes: &mut Bytes<'_>) -> Result<Vec<(u32, f64)>, Malformed> {
    let count = bytes.count(MAX_SERIES)?;
    let mut newest = Vec::new();
    for _ in 0..count {
        let (id, values) = column(bytes, 1)?;
        newest.push((u32::try_from(id).map_err(|_| Malformed)?, values[0]));
    }
    Ok(newest)
}

fn marks(bytes: &mut Bytes<'_>) -> Result<Marks, Malformed> {
    let total = bytes.count(MAX_MARKS)?;
    let count = bytes.count(total)?;
    let mut marks = Vec::new();
    for _ in 0..count {
        let position = bytes.number()?;
        if position >= total as u64 {
            return Err(Malformed);
        }
        let frames: Range<u64> = bytes.number()?..bytes.number()?;
        let is_end = frames.end == u64::MAX || is_frame(frames.end);
        if frames.is_empty() || !is_frame(frames.start) || !is_end {
            return Err(Malformed);
        }
        let is_point = bytes.flag()?;
        let name = bytes.text(MAX_TEXT)?;
        marks.push((position as usize, Mark::new(name, frames, is_point)));
    }
    Ok(Marks { total, marks })
}

/// Reads a column, and the number before its form.
pub(super) fn column(bytes: &mut Bytes<'_>, frames: usize) -> Result<(u64, Vec<f64>), Malformed> {
    let head = bytes.number()?;
    let form = head as u8 & FORM;
    let mut values = Vec::new();
    column::decode(form, frames, bytes, &mut values)?;
    Ok((head >> FORM_BITS, values))
}

/// Fails if an index of a frame is larger than any game reaches, so that a viewer can add to it.
fn check_frames(first: u64, frames: usize) -> Result<(), Malformed> {
    let end = first.checked_add(frames as u64);
    end.filter(|end| is_frame(*end))
        .map(|_| ())
        .ok_or(Malformed)
}

const fn is_frame(index: u64) -> bool {
    index < 1 << 53
}
