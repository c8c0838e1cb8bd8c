//! The recordings of puffin, `.puffin`: frames with their scopes.
//!
//! A file is `PUF0`, and a packet for each frame. The viewer keeps only the slowest and the most
//! recent frames, so indices have holes.
//!
//! - [`packets`], [`unpack`], [`numbers`]: the packets.
//! - [`scopes`]: the scopes of all packets, by call path.
//! - [`timeline`]: the timeline of a run.

mod numbers;
mod packets;
mod scopes;
#[cfg(test)]
mod tests;
mod timeline;
mod unpack;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use super::calls::{add_calls, said_of_calls};
use super::log::Log;
use super::{Format, Head, Options, Refusal};
use packets::{Packet, Recorded};
use scopes::Scopes;

pub(super) const FORMAT: Format = Format {
    name: "puffin",
    program: "puffin",
    is: |head: &Head| head.bytes.starts_with(MAGIC),
    read,
    is_refused: false,
    is_strict: true,
};

/// The maximum number of missing frames for each frame, and in any case. A capture with more of them is
/// not read.
const MAX_MISSING: (u64, u64) = (16, 60_000);

/// The beginning of a file.
const MAGIC: &[u8] = b"PUF0";

fn read(file: &Path, _: &Options) -> Result<Vec<Log>, Refusal> {
    let mut reader = BufReader::new(File::open(file).map_err(Refusal::Io)?);
    reader
        .read_exact(&mut [0; MAGIC.len()])
        .map_err(Refusal::Io)?;
    let mut recording = Recording::default();
    loop {
        match Packet::read(&mut reader) {
            Ok(Some(packet)) => recording.take(packet),
            Ok(None) => break,
            Err(Refusal::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => {
                recording.is_cut = true;
                break;
            }
            Err(refusal) => return Err(refusal),
        }
    }
    recording.into_log(file).map(|log| vec![log])
}

/// The packets of a file so far.
#[derive(Debug, Default)]
struct Recording {
    /// In the order of the file.
    frames: Vec<Recorded>,
    /// The positions of frames, by index. The slowest frames may come before the most recent ones,
    /// and again among them.
    known: HashMap<u64, usize>,
    scopes: Scopes,
    names: HashMap<u32, String>,
    is_cut: bool,
}

impl Recording {
    fn take(&mut self, packet: Packet) {
        match packet.names {
            Some(names) => self.names.extend(names),
            None => self.scopes.damaged += 1,
        }
        let at = self.frames.len();
        if self.known.contains_key(&packet.frame.index) || u32::try_from(at).is_err() {
            return;
        }
        self.known.insert(packet.frame.index, at);
        self.frames.push(packet.frame);
        match packet.streams {
            Some(streams) => self.scopes.take(at as u32, &streams, packet.has_numbers),
            None => self.scopes.damaged += 1,
        }
    }

    fn into_log(self, file: &Path) -> Result<Log, Refusal> {
        let mut order: Vec<usize> = (0..self.frames.len()).collect();
        order.sort_unstable_by_key(|at| self.frames[*at]);
        let Some(first) = order.first().map(|at| self.frames[*at]) else {
            return Err(Refusal::new(
                "it has no complete frame; save the recording again",
            ));
        };
        let frames = || order.iter().map(|at| self.frames[*at]);
        let mut log = Log::new("puffin");
        let starts =
            frames().map(|frame| frame.begin_ns.saturating_sub(first.begin_ns) as f64 / 1e9);
        let durations =
            frames().map(|frame| frame.end_ns.saturating_sub(frame.begin_ns) as f64 / 1e6);
        log.set_frames(&starts.collect::<Vec<_>>(), &durations.collect::<Vec<_>>())?;
        let last = order.last().map_or(first, |at| self.frames[*at]);
        let most = order.len() as u64 * (MAX_MISSING.0 + 1) + MAX_MISSING.1;
        if last.index - first.index < most {
            for (frame, recorded) in log.frames.iter_mut().zip(frames()) {
                frame.index = recorded.index - first.index;
            }
        } else {
            log.said.push(
                "nearly all frames between these are missing, so these are numbered anew"
                    .to_owned(),
            );
        }
        let mut positions = vec![0; order.len()];
        for (position, at) in (0..).zip(&order) {
            positions[*at] = position;
        }
        let count = order.len();
        let (mut scopes, mut names) = (self.scopes, self.names);
        names.extend(scopes.names_of_streams());
        let paths = add_calls(&mut log, "puffin", &scopes.tree, &names, &positions);
        timeline::add(&mut log, &scopes, &paths, &positions, first.begin_ns);
        let timers = log.series.len() / 3;
        log.said.insert(0, said_of_calls("puffin", count, timers));
        if self.is_cut {
            log.said
                .push("the last frame is cut off and was left out".to_owned());
        }
        log.set_started_at(file);
        Ok(log)
    }
}
