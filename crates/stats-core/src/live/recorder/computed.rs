//! How a recorder reads the series that are computed from others.

use std::sync::Arc;

use super::recorder::{History, Recorder};
use super::watch::Watch;
use crate::SeriesId;
use crate::live::computed::{Computed, Definition, settle};
use crate::live::reentrancy::OWNER;
use crate::live::registry::{find, generation};
use crate::live::ring::Ring;
use crate::own_memory;

impl Recorder {
    pub(super) fn watch_computed(&mut self, id: SeriesId, definition: Arc<Definition>) -> Watch {
        self.hold_computed(id, definition);
        self.newest.make_room(self.watches.len() + 1);
        let Self {
            clock,
            watches,
            computed,
            rings,
            ..
        } = self;
        watches.watch(id, || {
            *rings += 1;
            let frame = clock.next_frame();
            if let Some(computed) = computed.ask(id, frame) {
                computed.is_watched_in(frame);
                computed.keep(Ring::new(clock.capacity(), frame, *rings));
            }
            History::Computed(id)
        })
    }

    /// Starts to read a computed series, or continues to.
    pub(super) fn hold_computed(&mut self, id: SeriesId, definition: Arc<Definition>) {
        let frame = self.clock.next_frame();
        if self.computed.ask(id, frame).is_none() {
            let _memory = own_memory(OWNER);
            let mut computed = Computed::begin(definition, frame);
            self.watch_inputs(&mut computed);
            self.computed.push(id, computed);
        }
    }

    /// Watches the inputs that are registered and not watched yet.
    fn watch_inputs(&mut self, computed: &mut Computed) {
        let paths = computed.definition.computation.inputs();
        for (path, input) in paths.iter().zip(&mut computed.inputs) {
            if input.is_none() {
                *input = find(path).map(|id| self.watch(id));
            }
        }
    }

    /// Computes what is known at the end of the frame `frame`.
    pub(super) fn end_frame_of_computed(&mut self, frame: u64) {
        for at in 0..self.survey.computed().len() {
            let id = self.survey.computed()[at];
            if self.computed.ask(id, frame).is_none()
                && let Some(definition) = crate::live::computed::find(id)
            {
                self.hold_computed(id, definition);
            }
        }
        if !self.computed.reads_any() {
            return;
        }
        let before = std::mem::replace(&mut self.computed.generation, generation());
        let is_new = self.computed.generation != before;
        let (end, capacity) = (frame + 1, self.clock.capacity());
        for at in 0..self.computed.len() {
            let Some(mut computed) = self.computed.take(at) else {
                continue;
            };
            if !computed.is_settled {
                // A series gets its unit after it is registered, so its unit is read a frame later.
                let is_complete = computed.inputs.iter().all(Option::is_some);
                computed.is_settled = is_complete && settle(&computed.definition);
                if is_new && !is_complete {
                    self.watch_inputs(&mut computed);
                }
            }
            let frame_ms = |frame| self.frame(frame).map_or(f64::NAN, |of| of.duration_ms);
            let history = |watch: &Watch, frames| self.history(watch, frames);
            computed.advance(end, capacity, history, frame_ms);
            self.computed.put(at, computed);
        }
        self.computed.forget_unused(frame);
        for at in 0..self.survey.computed().len() {
            let id = self.survey.computed()[at];
            let computed = self.computed.ask(id, frame);
            self.survey.put_computed(id, computed.as_deref());
        }
    }
}
