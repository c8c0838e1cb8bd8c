//! A trace of TrackEvents, for [ui.perfetto.dev](https://ui.perfetto.dev) and its trace processor.
//!
//! One track contains the frames as slices. Each mark name has a track with its spans and points,
//! and each series has a counter track. If there is a file of scopes beside the capture, each
//! thread has a track with its scopes. Field numbers are those of
//! `protos/perfetto/trace/trace_packet.proto` and `track_event/*.proto`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Write};

use stats_capture::MarkKind;
use stats_core::Source;

use super::protobuf::Message;
use super::scopes::{Edge, edges};
use super::window::Window;
use crate::metrics::frame_name;
use crate::progress::Progress;

/// `Trace.packet`.
const PACKET: u32 = 1;

/// Fields of `TracePacket`.
mod packet {
    pub(super) const TIMESTAMP: u32 = 8;
    pub(super) const SEQUENCE: u32 = 10;
    pub(super) const TRACK_EVENT: u32 = 11;
    pub(super) const TRACK_DESCRIPTOR: u32 = 60;
}

/// Fields of `TrackDescriptor`, and of the `CounterDescriptor` in it.
mod descriptor {
    pub(super) const UUID: u32 = 1;
    pub(super) const NAME: u32 = 2;
    pub(super) const PARENT: u32 = 5;
    pub(super) const COUNTER: u32 = 8;
    pub(super) const COUNTER_UNIT_NAME: u32 = 6;
}

/// Fields of `TrackEvent`.
mod event {
    pub(super) const TYPE: u32 = 9;
    pub(super) const TRACK: u32 = 11;
    pub(super) const NAME: u32 = 23;
    pub(super) const DOUBLE_COUNTER: u32 = 44;
}

/// `TrackEvent.Type`.
#[derive(Clone, Copy)]
enum Kind {
    SliceBegin = 1,
    SliceEnd = 2,
    Instant = 3,
    Counter = 4,
}

/// The only sequence of packets.
const SEQUENCE: u64 = 1;

/// The parent of all other tracks.
const ROOT: u64 = 1;
/// The track of the frames.
const FRAMES: u64 = 2;
/// The first track of a mark. The tracks of threads and series follow.
const FIRST: u64 = 3;

/// Writes a run as a trace. Times count from the beginning of the capture.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let mut trace = Trace {
        output,
        packet: Message::default(),
    };
    let scenario = window.capture.run().scenario.as_deref();
    trace.track(ROOT, scenario.unwrap_or("run"), None, None)?;
    trace.track(FRAMES, "frames", Some(ROOT), None)?;
    let frames = window.frames().map(|frame| Slice {
        name: format!("frame {}", frame.index),
        begin_ns: nanoseconds(frame.start_secs),
        end_ns: nanoseconds(frame.start_secs)
            .saturating_add((frame.duration_ms * 1e6).round() as u64),
    });
    trace.slices(FRAMES, frames)?;
    let mut next = marks(window, &mut trace)?;
    for (thread, scopes) in &window.scopes {
        trace.track(next, thread, Some(ROOT), None)?;
        for (at_ns, edge) in edges(scopes) {
            match edge {
                Edge::Begin(path) => {
                    trace.event(at_ns, next, Kind::SliceBegin, Some(path), None)?;
                }
                Edge::End => trace.event(at_ns, next, Kind::SliceEnd, None, None)?,
            }
        }
        next += 1;
    }
    for (track, series) in (next..).zip(&window.series) {
        let unit = Some(series.record.unit.as_str());
        let name = frame_name(series.record.kind, &series.record.path);
        trace.track(track, &name, Some(ROOT), unit)?;
        for frame in window.frames() {
            if let Some(value) = series.at(frame.index) {
                let at_ns = nanoseconds(frame.start_secs);
                trace.event(at_ns, track, Kind::Counter, None, Some(value))?;
            }
        }
        progress.step();
    }
    Ok(())
}

/// Writes the parts of marks that are in the window. Returns the next free track.
fn marks(window: &Window<'_>, trace: &mut Trace<'_>) -> io::Result<u64> {
    let mut tracks: HashMap<&str, (u64, Vec<Slice>)> = HashMap::new();
    let (mut next, frames) = (FIRST, &window.frames);
    let recorded: Vec<u64> = window.frames().map(|frame| frame.index).collect();
    for mark in window.capture.mark_records() {
        let end = mark.end.unwrap_or(frames.end).min(frames.end);
        let begin = mark.begin.max(frames.start);
        if begin >= end {
            continue;
        }
        let (track, slices) = match tracks.entry(&mark.name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                trace.track(next, &mark.name, Some(ROOT), None)?;
                next += 1;
                entry.insert((next - 1, Vec::new()))
            }
        };
        // A dropped frame has no time, so use the nearest recorded frame within the mark.
        let position = |frame| recorded.partition_point(|known| *known < frame);
        let known = recorded[position(begin)..position(end)].iter();
        let mut known = known.filter_map(|frame| window.capture.frame(*frame));
        let Some(first) = known.next() else { continue };
        let last = known.next_back().unwrap_or(first);
        let (begin_ns, end_ns) = (
            nanoseconds(first.start_secs),
            nanoseconds(last.start_secs + last.duration_ms / 1e3),
        );
        if mark.kind == MarkKind::Point {
            trace.event(begin_ns, *track, Kind::Instant, Some(&mark.name), None)?;
        } else {
            slices.push(Slice {
                name: mark.name.clone(),
                begin_ns,
                end_ns,
            });
        }
    }
    let mut with_slices: Vec<_> = tracks.into_values().collect();
    with_slices.sort_unstable_by_key(|(track, _)| *track);
    for (track, mut slices) in with_slices {
        slices.sort_by_key(|slice| slice.begin_ns);
        trace.slices(track, slices)?;
    }
    Ok(next)
}

fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

/// A slice of a track.
struct Slice {
    name: String,
    begin_ns: u64,
    end_ns: u64,
}

/// A trace that is being written.
struct Trace<'a> {
    output: &'a mut dyn Write,
    /// The packet under construction, kept to reuse the memory.
    packet: Message,
}

impl Trace<'_> {
    /// Writes the name of a track and, for a counter, its unit.
    fn track(
        &mut self,
        track: u64,
        name: &str,
        parent: Option<u64>,
        counter_unit: Option<&str>,
    ) -> io::Result<()> {
        let mut descriptor = Message::default();
        descriptor.number(descriptor::UUID, track);
        descriptor.text(descriptor::NAME, name);
        if let Some(parent) = parent {
            descriptor.number(descriptor::PARENT, parent);
        }
        if let Some(unit) = counter_unit {
            let mut counter = Message::default();
            if !unit.is_empty() {
                counter.text(descriptor::COUNTER_UNIT_NAME, unit);
            }
            descriptor.message(descriptor::COUNTER, &counter);
        }
        self.packet.number(packet::SEQUENCE, SEQUENCE);
        self.packet.message(packet::TRACK_DESCRIPTOR, &descriptor);
        self.write()
    }

    /// Writes the slices of a track, which are sorted by when they begin. Ends each slice no later
    /// than the next one begins, because an end closes the newest open slice.
    fn slices(&mut self, track: u64, slices: impl IntoIterator<Item = Slice>) -> io::Result<()> {
        let mut slices = slices.into_iter().peekable();
        while let Some(Slice {
            name,
            begin_ns,
            end_ns,
        }) = slices.next()
        {
            let next = slices.peek().map_or(u64::MAX, |next| next.begin_ns);
            self.event(begin_ns, track, Kind::SliceBegin, Some(&name), None)?;
            self.event(end_ns.min(next), track, Kind::SliceEnd, None, None)?;
        }
        Ok(())
    }

    fn event(
        &mut self,
        at_ns: u64,
        track: u64,
        kind: Kind,
        name: Option<&str>,
        value: Option<f64>,
    ) -> io::Result<()> {
        let mut event = Message::default();
        event.number(event::TYPE, kind as u64);
        event.number(event::TRACK, track);
        if let Some(name) = name {
            event.text(event::NAME, name);
        }
        if let Some(value) = value {
            event.double(event::DOUBLE_COUNTER, value);
        }
        self.packet.number(packet::TIMESTAMP, at_ns);
        self.packet.number(packet::SEQUENCE, SEQUENCE);
        self.packet.message(packet::TRACK_EVENT, &event);
        self.write()
    }

    fn write(&mut self) -> io::Result<()> {
        let mut trace = Message::default();
        trace.message(PACKET, &self.packet);
        self.packet.clear();
        self.output.write_all(trace.as_bytes())
    }
}
