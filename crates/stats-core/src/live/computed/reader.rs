//! The computed series of one recorder.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::table::Definition;
use crate::Evaluate;
use crate::limits::PEEK_FRAMES;
use crate::live::recorder::Watch;
use crate::live::ring::{Ring, position};
use crate::{FrameSlice, SeriesId};

/// The computed series that a recorder reads. Empty while it reads none.
#[derive(Debug, Default)]
pub(crate) struct ComputedReader {
    /// The computed series, each after the series that it needs, unless one of these was registered
    /// later. `None` while the series at this place is computed.
    all: Vec<(SeriesId, Option<Box<Computed>>)>,
    /// The places in `all`.
    places: HashMap<SeriesId, usize>,
    /// The generation of the listing in which the inputs were looked for.
    pub(crate) generation: u64,
}

/// A series that is computed, and its inputs.
pub(crate) struct Computed {
    pub(crate) definition: Arc<Definition>,
    evaluate: Box<Evaluate>,
    /// By input; `None` for one that is not registered yet.
    pub(crate) inputs: Box<[Option<Watch>]>,
    /// The values of the inputs in a frame. Reused memory.
    values: Box<[f64]>,
    /// The first frame that was not computed.
    known_end: u64,
    /// The value of the frame before that; `None` if it is not known.
    pub(crate) value: Option<f64>,
    /// The newest frame whose value differs from the one before.
    pub(crate) changed: Option<u64>,
    /// The values other than 0 of the frames before the newest one that became known with it.
    pub(crate) passed: Vec<(u64, f64)>,
    /// The frame in which somebody last asked for it, and the one in which a watch existed.
    asked: u64,
    watched: u64,
    ring: Option<Ring>,
    /// Whether it is decided which unit it has.
    pub(crate) is_settled: bool,
}

impl fmt::Debug for Computed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Computed");
        shown.field("inputs", &self.inputs);
        shown.finish_non_exhaustive()
    }
}

impl ComputedReader {
    pub(crate) fn reads_any(&self) -> bool {
        !self.all.is_empty()
    }

    pub(crate) fn watches_of_inputs(&self) -> HashMap<SeriesId, usize> {
        let all = self.all.iter().filter_map(|(_, of)| of.as_ref());
        let mut watches = HashMap::new();
        for input in all.flat_map(|computed| computed.inputs.iter().flatten()) {
            *watches.entry(input.id()).or_default() += 1;
        }
        watches
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Continues to read a series in the frame `frame`; `None` if it is not being read.
    pub(crate) fn ask(&mut self, id: SeriesId, frame: u64) -> Option<&mut Computed> {
        let at = *self.places.get(&id)?;
        let computed = self.all[at].1.as_mut()?;
        computed.asked = frame;
        Some(computed)
    }

    /// Adds a series that comes after those that it needs.
    pub(crate) fn push(&mut self, id: SeriesId, computed: Box<Computed>) {
        self.places.insert(id, self.all.len());
        self.all.push((id, Some(computed)));
    }

    /// Takes a series out of its place, to work with the recorder; [`put`](Self::put) puts it back.
    pub(crate) fn take(&mut self, at: usize) -> Option<Box<Computed>> {
        self.all.get_mut(at)?.1.take()
    }

    pub(crate) fn put(&mut self, at: usize, computed: Box<Computed>) {
        self.all[at].1 = Some(computed);
    }

    /// Forgets the series that nobody has asked for, and the histories of those without a watch.
    pub(crate) fn forget_unused(&mut self, frame: u64) {
        let before = self.all.len();
        self.all.retain_mut(|(_, computed)| {
            let Some(computed) = computed else {
                return false;
            };
            if computed.watched != frame {
                computed.ring = None;
            }
            frame.saturating_sub(computed.asked) <= PEEK_FRAMES
        });
        if self.all.len() != before {
            let ids = self.all.iter().map(|(id, _)| *id);
            self.places = ids.zip(0..).collect();
        }
    }

    /// Returns the newest `frames` values of a watched series, among those `held`.
    pub(crate) fn window(&self, id: SeriesId, frames: usize, held: Range<u64>) -> FrameSlice<'_> {
        let computed = (self.places.get(&id)).and_then(|at| self.all[*at].1.as_ref());
        let found = computed.and_then(|of| Some((of.known_end, of.ring.as_ref()?)));
        match found {
            Some((end, ring)) => ring.window(end, frames).within(held),
            None => FrameSlice::new(held.end, &[], &[]),
        }
    }

    /// Changes the number of frames in histories.
    pub(crate) fn resize(&mut self, history: usize) {
        for computed in self.all.iter_mut().filter_map(|(_, of)| of.as_mut()) {
            let end = computed.known_end;
            let ring = computed.ring.take();
            computed.ring = ring.map(|ring| ring.resized(history, end));
        }
    }
}

impl Computed {
    /// Starts to read a series in the frame `frame`, without inputs.
    pub(crate) fn begin(definition: Arc<Definition>, frame: u64) -> Box<Self> {
        let inputs = definition.computation.inputs().len();
        Box::new(Self {
            evaluate: definition.computation.begin(),
            definition,
            inputs: (0..inputs).map(|_| None).collect(),
            values: vec![f64::NAN; inputs].into(),
            known_end: frame,
            value: None,
            changed: None,
            passed: Vec::new(),
            asked: frame,
            watched: frame,
            ring: None,
            is_settled: false,
        })
    }

    /// Begins the history of a watch.
    pub(crate) fn keep(&mut self, ring: Ring) {
        self.ring = Some(ring);
    }

    /// Notes that a watch exists in a frame.
    pub(crate) fn is_watched_in(&mut self, frame: u64) {
        self.watched = frame;
    }

    /// Computes the frames before `end` that are known now, for a recorder that keeps `capacity`
    /// frames. `history` returns a window that ends with the newest known frame of an input, and
    /// `frame_ms` the duration of a frame.
    pub(crate) fn advance<'a>(
        &mut self,
        end: u64,
        capacity: usize,
        history: impl Fn(&Watch, usize) -> FrameSlice<'a>,
        frame_ms: impl Fn(u64) -> f64,
    ) {
        let watches = self.inputs.iter().flatten();
        let ends = watches.map(|watch| history(watch, 0).frames().end);
        let known = ends.fold(end, u64::min);
        let has_no_values = self.definition.has_no_values();
        self.passed.clear();
        while self.known_end < known {
            let frame = self.known_end;
            let value = match has_no_values {
                true => f64::NAN,
                false => {
                    for (value, input) in self.values.iter_mut().zip(&self.inputs) {
                        let input = input.as_ref();
                        let found =
                            input.and_then(|of| history(of, (end - frame) as usize).at(frame));
                        *value = found.unwrap_or(f64::NAN);
                    }
                    (self.evaluate)(&self.values, frame_ms(frame))
                }
            };
            let value = Some(value).filter(|value| value.is_finite());
            if value != self.value {
                self.changed = Some(frame);
            }
            self.value = value;
            if frame + 1 < known
                && let Some(value) = value.filter(|value| *value != 0.0)
            {
                self.passed.push((frame, value));
            }
            if let Some(ring) = &mut self.ring {
                ring.put(position(frame, capacity), value.unwrap_or(f64::NAN));
            }
            self.known_end += 1;
        }
    }
}
