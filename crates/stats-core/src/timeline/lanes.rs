//! The lanes of scopes: threads, and the GPU.

/// The maximum number of lanes that have scopes at a time. Scopes of further ones are lost.
const MAX_LANES: usize = 1 << 12;

/// What runs in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LaneKind {
    /// The scopes of a thread.
    Thread,
    /// The scopes that another profiler, such as puffin, timed on a thread. They have depths of
    /// their own, so they have a lane of their own as well.
    OtherProfiler,
    /// The passes of a GPU.
    Gpu {
        /// By how much their place on the clock of the frames may be off. Durations, and distances
        /// between passes, are exact. `None` if the clock of the GPU could not be compared: the
        /// passes of a frame are then drawn from its begin on.
        off_by_ns: Option<u64>,
    },
}

impl LaneKind {
    fn is_like(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// A lane of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lane<'a> {
    /// Identifies the lane as long as a frame that is kept has scopes in it.
    pub number: u16,
    /// The name of the thread or of the GPU. Several threads may have the same name.
    pub name: &'a str,
    /// What runs in it.
    pub kind: LaneKind,
}

#[derive(Debug, Default)]
pub(super) struct Lanes {
    entries: Vec<Entry>,
    /// The lane of the last scope: usually that of the next one.
    recent: usize,
}

#[derive(Debug)]
struct Entry {
    key: u64,
    name: String,
    kind: LaneKind,
    /// The newest frame with scopes in it.
    last_frame: u64,
    /// The number of frames outside the ring that have scopes in it.
    pins: u32,
}

impl Lanes {
    /// Returns the number of the lane of `key` for a scope of a frame. Reuses one that no frame from
    /// `oldest` on uses.
    pub(super) fn number(
        &mut self,
        (key, name, kind): (u64, &str, LaneKind),
        frame: u64,
        oldest: u64,
    ) -> Option<u16> {
        let is_it = |lane: &Entry| lane.key == key && lane.kind.is_like(kind);
        let is_free = |lane: &Entry| lane.pins == 0 && lane.last_frame < oldest;
        let recent = Some(self.recent).filter(|at| self.entries.get(*at).is_some_and(is_it));
        let known = recent.or_else(|| self.entries.iter().position(is_it));
        let at = match known.or_else(|| self.entries.iter().position(is_free)) {
            Some(at) => at,
            None if self.entries.len() < MAX_LANES => {
                self.entries.push(Entry {
                    key,
                    name: String::new(),
                    kind,
                    last_frame: frame,
                    pins: 0,
                });
                self.entries.len() - 1
            }
            None => return None,
        };
        self.recent = at;
        let lane = &mut self.entries[at];
        if lane.key != key || lane.name != name {
            name.clone_into(&mut lane.name);
            lane.last_frame = frame;
        }
        (lane.key, lane.kind) = (key, kind);
        lane.last_frame = lane.last_frame.max(frame);
        Some(at as u16)
    }

    pub(super) fn get(&self, number: u16) -> Lane<'_> {
        let lane = self.entries.get(usize::from(number));
        Lane {
            number,
            name: lane.map_or("", |lane| lane.name.as_str()),
            kind: lane.map_or(LaneKind::Thread, |lane| lane.kind),
        }
    }

    /// Keeps a lane, or no longer, for a frame outside the ring.
    pub(super) fn pin(&mut self, number: u16, is_pinned: bool) {
        if let Some(lane) = self.entries.get_mut(usize::from(number)) {
            lane.pins = if is_pinned {
                lane.pins + 1
            } else {
                lane.pins.saturating_sub(1)
            };
        }
    }
}
