//! The timeline of a recorder: the scopes of its frames, while somebody reads them.

use super::frame_clock::FrameClock;
use crate::SeriesId;
use crate::limits::{MAX_SERIES, PEEK_FRAMES, TIMELINE_BYTES};
use crate::live::clock::{Instant, nanoseconds};
use crate::live::reentrancy::OWNER;
use crate::live::registry::{generation, read_catalog};
use crate::live::spans::SpanCollector;
use crate::own_memory;
use crate::timeline::{NewScope, Timeline};

/// Collects scopes while it is asked for, and divides them into frames.
#[derive(Debug, Default)]
pub(super) struct LiveTimeline {
    /// `None` while nobody asks.
    collector: Option<SpanCollector>,
    timeline: Timeline,
    /// The current frame at the last call of [`ask`](Self::ask).
    asked: u64,
    /// When the current frame began; `None` if only the host knows.
    began: Option<Instant>,
    /// The number of lost scopes that frames have counted.
    lost: u64,
    waits: Waits,
}

impl LiveTimeline {
    pub(super) fn is_armed(&self) -> bool {
        self.collector.is_some()
    }

    /// Returns the timeline, and collects for the next [`PEEK_FRAMES`] frames.
    pub(super) fn ask(&mut self, clock: &FrameClock) -> &mut Timeline {
        self.asked = clock.next_frame();
        if self.collector.is_none() {
            let _memory = own_memory(OWNER);
            // Otherwise, the next call begins.
            self.collector = SpanCollector::try_begin();
            self.lost = 0;
            self.began.get_or_insert_with(Instant::now);
            self.timeline.limit(TIMELINE_BYTES, clock.capacity());
        }
        &mut self.timeline
    }

    pub(super) fn restart_frame(&mut self) {
        self.began = Some(Instant::now());
    }

    /// Ends a frame. `now` is the current moment, if it is known.
    pub(super) fn end_frame(&mut self, frame: u64, now: Option<Instant>) {
        if self.collector.is_some() && frame.saturating_sub(self.asked) >= PEEK_FRAMES {
            self.collector = None;
            self.timeline.clear();
        }
        let Some(collector) = &mut self.collector else {
            self.began = now;
            return;
        };
        let end = now.unwrap_or_else(Instant::now);
        let began = self.began.replace(end).unwrap_or(end);
        let timeline = &mut self.timeline;
        timeline.push_frame(frame, nanoseconds(began)..nanoseconds(end));
        collector.try_take();
        if let Some(lost) = collector.try_lost() {
            timeline.lose(lost - self.lost);
            self.lost = lost;
        }
        self.waits.refresh();
        let mut add = |scope: NewScope<'_>| {
            timeline.add(NewScope {
                is_wait: self.waits.is_wait(scope.series),
                ..scope
            });
        };
        for lane in collector.lanes() {
            lane.iter().for_each(&mut add);
        }
        // Inner ones first, as they end.
        let open = collector.open().iter().rev();
        open.for_each(|open| add(open.new_scope()));
        timeline.settle();
    }
}

/// Which timers measure waiting, so that the registry is not asked for each scope.
#[derive(Debug, Default)]
struct Waits {
    /// The listing's generation for which they are known.
    generation: u64,
    /// By slot.
    known: Vec<Option<bool>>,
}

impl Waits {
    /// Forgets what may have changed.
    fn refresh(&mut self) {
        let generation = generation();
        if self.generation != generation {
            self.generation = generation;
            self.known.clear();
        }
    }

    fn is_wait(&mut self, series: SeriesId) -> bool {
        let slot = series.number() as usize;
        if slot >= MAX_SERIES {
            // Nobody registered it.
            return false;
        }
        if self.known.len() <= slot {
            self.known.resize(slot + 1, None);
        }
        *self.known[slot]
            .get_or_insert_with(|| read_catalog(|catalog| catalog.is_wait(series.number())))
    }
}
