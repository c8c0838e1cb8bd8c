//! The data of Unity's Profile Analyzer, `.pdata`: frames with the markers of each thread.
//!
//! ```text
//! version, 4 bytes | offset, 4 | frames, 4 | frames | markers, 4 | names | threads, 4 | names
//! frame:  start in ms, 8 (in s before version 6; absent in 1) | ms, 4 | threads, 4 | threads
//! thread: position of its name, 4 | markers, 4 | markers
//! marker: position of its name, 4 | ms, 4 | depth from 1, 4 (| ms of markers in it, 4, in version 3)
//! ```
//!
//! The lowest byte of a number is first. Markers are in the order in which they began, so the ones
//! around a marker are those before it with a lower depth; when a marker began is not in the file.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;

use stats_capture::RecordedKind::TimerCalls;

use super::calls::{MAX_DEPTH, Tree, add_calls, said_of_calls};
use super::log::{Log, consecutive};
use super::{Format, Head, Options, Refusal};

pub(super) const FORMAT: Format = Format {
    name: "unity",
    program: "Unity's Profile Analyzer",
    is,
    read,
    is_refused: false,
    is_strict: true,
};

/// The newest version.
const NEWEST: u32 = 7;

/// The maximum number of frames, and of names.
const MAX_COUNT: u32 = 1 << 24;

/// The maximum number of threads in a frame.
const MAX_THREADS: u32 = 1 << 12;

/// The maximum length of a name, in bytes.
const MAX_NAME: u32 = 1 << 12;

/// The size of the numbers before the first frame.
const START: usize = 12;

fn is(head: &Head) -> bool {
    let number = |at: usize| {
        let bytes = head.bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let of = || {
        let (version, offset, frames) = (number(0)?, number(4)?, number(8)?);
        let is_start = (1..=NEWEST).contains(&version)
            && offset < MAX_COUNT
            && (1..MAX_COUNT).contains(&frames);
        let mut reader = Reader {
            reader: head.bytes.get(START..)?,
            version,
        };
        let (start, ms, threads) = reader.frame().ok()?;
        let is_time = start.is_finite() && start >= 0.0 && (0.0..1e7).contains(&ms);
        Some(is_start && is_time && threads <= MAX_THREADS)
    };
    of().unwrap_or(false)
}

fn read(file: &Path, _: &Options) -> Result<Vec<Log>, Refusal> {
    let mut bytes = BufReader::new(File::open(file).map_err(Refusal::Io)?);
    read_all(&mut bytes, file)
        .map(|log| vec![log])
        .map_err(|refusal| match refusal {
            Refusal::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Refusal::new("it is cut off; save the data of the Profile Analyzer again")
            }
            other => other,
        })
}

fn read_all(bytes: &mut impl Read, file: &Path) -> Result<Log, Refusal> {
    let mut reader = Reader {
        reader: bytes,
        version: 0,
    };
    reader.version = reader.number()?;
    let _offset = reader.number()?;
    let frames = reader.count("frames", MAX_COUNT)?;
    let (mut starts, mut durations) = (Vec::new(), Vec::new());
    let mut markers = Markers::default();
    for frame in 0..frames {
        let (start_ms, ms, threads) = reader.frame()?;
        starts.push(start_ms / 1e3);
        durations.push(f64::from(ms));
        if threads > MAX_THREADS {
            return Err(damaged());
        }
        for _ in 0..threads {
            markers.read(&mut reader, frame)?;
        }
    }
    let names = reader.names()?;
    let threads = reader.names()?;
    let has_starts = reader.version > 1;
    let mut log = Log::new("unity profile analyzer");
    let starts = if has_starts {
        starts
    } else {
        consecutive(&durations)
    };
    log.set_frames(&starts, &durations)?;
    let mut tree = markers.tree;
    for thread in &mut tree.threads {
        let name = thread
            .name
            .parse()
            .ok()
            .and_then(|at: usize| threads.get(at));
        thread.name = without_number(name.ok_or_else(damaged)?).to_owned();
    }
    let names: HashMap<u32, String> = (0..).zip(names).collect();
    let positions: Vec<u32> = (0..frames).collect();
    add_calls(&mut log, "unity", &tree, &names, &positions);
    let paths = log.series.len() / 3;
    log.said.insert(
        0,
        said_of_calls("unity profile analyzer", frames as usize, paths),
    );
    for (record, _) in &mut log.series {
        // `WaitForTargetFPS`, `Gfx.WaitForPresentOnGfxThread` and others.
        let name = record.path.trim_end_matches("/self").rsplit('/').next();
        record.wait =
            record.kind != TimerCalls && name.is_some_and(|name| name.contains("WaitFor"));
    }
    log.set_started_at(file);
    Ok(log)
}

/// Returns the name of a thread without the number before it, as in `1:Main Thread`. So the threads of
/// a pool have one name.
fn without_number(name: &str) -> &str {
    match name.split_once(':') {
        Some((number, name)) if number.parse::<u32>().is_ok() => name.trim(),
        _ => name,
    }
}

fn damaged() -> Refusal {
    Refusal::new("it is damaged; save the data of the Profile Analyzer again")
}

/// Reads the numbers of a version.
struct Reader<R> {
    reader: R,
    version: u32,
}

impl<R: Read> Reader<R> {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Refusal> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).map_err(Refusal::Io)?;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u32, Refusal> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn count(&mut self, of: &str, most: u32) -> Result<u32, Refusal> {
        let count = self.number()?;
        if count > most {
            return Err(Refusal::new(format!(
                "it claims {count} {of}, which no data has; save the data of the Profile Analyzer again"
            )));
        }
        Ok(count)
    }

    /// Reads the beginning of a frame: its start and its duration in milliseconds, and the number of
    /// threads.
    fn frame(&mut self) -> Result<(f64, f32, u32), Refusal> {
        let start_ms = match self.version {
            1 => 0.0,
            2..6 => f64::from_le_bytes(self.bytes()?) * 1e3,
            _ => f64::from_le_bytes(self.bytes()?),
        };
        Ok((start_ms, f32::from_le_bytes(self.bytes()?), self.number()?))
    }

    /// Reads texts after their number. The length of a text has seven bits a byte.
    fn names(&mut self) -> Result<Vec<String>, Refusal> {
        let count = self.count("names", MAX_COUNT)?;
        let mut names = Vec::new();
        for _ in 0..count {
            let (mut length, mut shift) = (0_u32, 0);
            loop {
                let [byte] = self.bytes()?;
                length |= u32::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 {
                    break;
                }
                if shift > 21 {
                    return Err(damaged());
                }
            }
            if length > MAX_NAME {
                return Err(damaged());
            }
            let mut bytes = vec![0; length as usize];
            self.reader.read_exact(&mut bytes).map_err(Refusal::Io)?;
            names.push(super::text::text(&bytes));
        }
        Ok(names)
    }
}

/// The markers of all frames. The names of threads come at the end of the file, so threads are made
/// of numbers first.
#[derive(Debug, Default)]
struct Markers {
    tree: Tree,
    /// The nodes around the newest marker.
    around: Vec<Option<u32>>,
}

impl Markers {
    /// Reads the markers of a thread in a frame.
    fn read<R: Read>(&mut self, reader: &mut Reader<R>, frame: u32) -> Result<(), Refusal> {
        let thread = reader.number()?;
        let count = reader.number()?;
        let thread = self.tree.thread(&thread.to_string(), None);
        self.around.clear();
        for _ in 0..count {
            let name = reader.number()?;
            let ms = f32::from_le_bytes(reader.bytes()?);
            let depth = reader.number()?;
            if reader.version == 3 {
                reader.number()?;
            }
            if !(0.0..1e9).contains(&ms) || depth == 0 {
                return Err(damaged());
            }
            let Some(thread) = thread else { continue };
            self.around.truncate(depth as usize - 1);
            let depth = self.around.len();
            let node = self
                .tree
                .node(thread, self.around.last().copied(), depth, name);
            if let Some(node) = node {
                self.tree
                    .add(node, frame, (f64::from(ms) * 1e6).round() as u64);
            }
            if depth <= MAX_DEPTH {
                self.around.push(node);
            }
        }
        Ok(())
    }
}
