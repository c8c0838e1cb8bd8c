//! The scopes of a frame, call by call, and the lanes in which they ran.
//!
//! A scope is what differs from the one before it in its lane: its depth, its timer, when it began, and
//! how long it took. One that goes on ends with the frame.
//!
//! | field of a scope | bytes |
//! |---|---|
//! | depth, as a difference, and three flags: a wait, open, in another lane | 1 |
//! | the other lane | 1 or none |
//! | series, as a difference | 1 or 2 |
//! | begin in nanoseconds since the scope around it began, or the one beside it ended | 2 |
//! | duration in nanoseconds; none if it is open | 2 or 3 |

use stats_core::limits::TIMELINE_BYTES;
use stats_core::timeline::{LaneKind, Scope};

use super::Malformed;
use super::bytes::{Bytes, put_number, put_text, unzigzag, zigzag};

/// The most scopes of a frame: the others count as lost.
pub(crate) const MAX_SCOPES: usize = 1 << 15;

/// The most lanes at a time, and the longest name of one.
pub(crate) const MAX_LANES: usize = 1 << 12;
pub(crate) const MAX_LANE_NAME: usize = 256;

/// The most nanoseconds between a time and the begin of its frame, 73 minutes, so that a reader can add up
/// those of all scopes that it keeps. A scope that began earlier begins then.
pub(crate) const MAX_NS: i64 = 1 << 42;

const _: () = {
    let kept = (TIMELINE_BYTES / size_of::<Scope>()) as i64;
    // One from the first moment to the last.
    assert!(2 * MAX_NS <= i64::MAX / kept);
};

const IS_WAIT: u64 = 1;
const IS_OPEN: u64 = 1 << 1;
const IS_OTHER_LANE: u64 = 1 << 2;
const FLAGS: u32 = 3;

/// A frame with its scopes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrameScopes {
    pub(crate) index: u64,
    pub(crate) duration_ns: i64,
    pub(crate) lost: u64,
    /// Lane by lane.
    pub(crate) scopes: Vec<Call>,
}

/// A scope. Times are nanoseconds since the frame began.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Call {
    pub(crate) lane: u16,
    pub(crate) series: u32,
    pub(crate) depth: u8,
    pub(crate) is_wait: bool,
    pub(crate) begin_ns: i64,
    /// `None` if it goes on.
    pub(crate) end_ns: Option<i64>,
}

/// A lane that is new, or has another name or kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lane {
    pub(crate) number: u16,
    pub(crate) name: String,
    pub(crate) kind: LaneKind,
}

/// What the next scope differs from.
struct Before {
    scope: Call,
    /// When the last scope of each depth ended.
    ends_ns: [i64; 256],
}

impl Before {
    const NONE: Self = Self {
        scope: Call {
            lane: 0,
            series: 0,
            depth: 0,
            is_wait: false,
            begin_ns: 0,
            end_ns: None,
        },
        ends_ns: [0; 256],
    };

    fn begin(&mut self, lane: u16) {
        self.scope = Call {
            lane,
            series: self.scope.series,
            ..Self::NONE.scope
        };
        self.ends_ns = Self::NONE.ends_ns;
    }

    /// Returns the time from which a begin counts.
    fn base_ns(&self, depth: u8) -> i64 {
        if depth > self.scope.depth {
            self.scope.begin_ns
        } else {
            self.ends_ns[usize::from(depth)]
        }
    }

    fn follow(&mut self, scope: Call, frame_ns: i64) {
        self.scope = scope;
        self.ends_ns[usize::from(scope.depth)] = scope.end_ns.unwrap_or(frame_ns);
    }
}

impl FrameScopes {
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        let frame_ns = self.duration_ns.clamp(0, MAX_NS);
        put_number(out, self.index);
        put_number(out, frame_ns as u64);
        put_number(out, self.lost);
        put_number(out, self.scopes.len() as u64);
        let mut before = Before::NONE;
        for scope in &self.scopes {
            let scope = Call {
                begin_ns: scope.begin_ns.clamp(-MAX_NS, MAX_NS),
                end_ns: scope.end_ns.map(|end| end.clamp(-MAX_NS, MAX_NS)),
                ..*scope
            };
            let is_other_lane = scope.lane != before.scope.lane;
            if is_other_lane {
                before.begin(scope.lane);
            }
            let depth = zigzag(i64::from(scope.depth) - i64::from(before.scope.depth));
            let flags = (u64::from(scope.is_wait) * IS_WAIT)
                | (u64::from(scope.end_ns.is_none()) * IS_OPEN)
                | (u64::from(is_other_lane) * IS_OTHER_LANE);
            put_number(out, depth << FLAGS | flags);
            if is_other_lane {
                put_number(out, scope.lane.into());
            }
            let series = i64::from(scope.series) - i64::from(before.scope.series);
            put_number(out, zigzag(series));
            put_number(out, zigzag(scope.begin_ns - before.base_ns(scope.depth)));
            if let Some(end_ns) = scope.end_ns {
                put_number(out, (end_ns - scope.begin_ns).clamp(0, MAX_NS) as u64);
            }
            before.follow(scope, frame_ns);
        }
    }

    pub(super) fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        let index = bytes.number()?;
        if index >= 1 << 53 {
            return Err(Malformed);
        }
        let duration_ns = time(bytes.number()? as i64)?.max(0);
        let lost = bytes.number32()?.into();
        let count = bytes.count(MAX_SCOPES)?;
        let (mut scopes, mut before) = (Vec::new(), Before::NONE);
        for _ in 0..count {
            let head = bytes.number()?;
            if head & IS_OTHER_LANE != 0 {
                let lane = bytes.count(MAX_LANES - 1)?;
                before.begin(lane as u16);
            }
            let depth = i64::from(before.scope.depth).checked_add(unzigzag(head >> FLAGS));
            let depth = depth.and_then(|depth| u8::try_from(depth).ok());
            let depth = depth.ok_or(Malformed)?;
            let series = i64::from(before.scope.series).checked_add(unzigzag(bytes.number()?));
            let series = series.and_then(|series| u32::try_from(series).ok());
            let begin_ns = before.base_ns(depth).checked_add(unzigzag(bytes.number()?));
            let begin_ns = time(begin_ns.ok_or(Malformed)?)?;
            let mut scope = Call {
                lane: before.scope.lane,
                series: series.ok_or(Malformed)?,
                depth,
                is_wait: head & IS_WAIT != 0,
                begin_ns,
                end_ns: None,
            };
            if head & IS_OPEN == 0 {
                let duration_ns = time(i64::try_from(bytes.number()?).map_err(|_| Malformed)?)?;
                scope.end_ns = Some(time(begin_ns + duration_ns)?);
            }
            before.follow(scope, duration_ns);
            scopes.push(scope);
        }
        Ok(Self {
            index,
            duration_ns,
            lost,
            scopes,
        })
    }
}

/// Returns a time that is not too far from the begin of its frame.
fn time(ns: i64) -> Result<i64, Malformed> {
    (-MAX_NS..=MAX_NS)
        .contains(&ns)
        .then_some(ns)
        .ok_or(Malformed)
}

impl Lane {
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        put_number(out, self.number.into());
        put_text(
            out,
            &self.name[..self.name.floor_char_boundary(MAX_LANE_NAME)],
        );
        match self.kind {
            LaneKind::OtherProfiler => put_number(out, 1),
            LaneKind::Gpu { off_by_ns: None } => put_number(out, 2),
            LaneKind::Gpu {
                off_by_ns: Some(ns),
            } => {
                put_number(out, 3);
                put_number(out, ns);
            }
            // A kind of a later version is shown as a thread.
            _ => put_number(out, 0),
        }
    }

    pub(super) fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        let number = bytes.count(MAX_LANES - 1)? as u16;
        let name = bytes.text(MAX_LANE_NAME)?.to_owned();
        let kind = match bytes.number()? {
            0 => LaneKind::Thread,
            1 => LaneKind::OtherProfiler,
            2 => LaneKind::Gpu { off_by_ns: None },
            3 => LaneKind::Gpu {
                off_by_ns: Some(bytes.number()?),
            },
            _ => return Err(Malformed),
        };
        Ok(Self { number, name, kind })
    }
}
