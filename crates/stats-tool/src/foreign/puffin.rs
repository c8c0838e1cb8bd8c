//! The recordings of puffin, `.puffin`: frames with their scopes.
//!
//! A file is `PUF0`, and for each frame `PFD` with a version, the length of the frame's numbers, and
//! these: index, begin and end in nanoseconds, bytes and scopes, as integers of variable length. The
//! scopes follow, compressed; only the frames are read. The viewer keeps only the slowest and the
//! most recent frames, so indices have holes.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

use super::log::Log;
use super::{Format, Head, Options, Refusal};

pub(super) const FORMAT: Format = Format {
    name: "puffin",
    program: "puffin",
    is: |head: &Head| head.bytes.starts_with(MAGIC),
    read,
    is_refused: false,
    is_strict: true,
};

/// The beginning of a file.
const MAGIC: &[u8] = b"PUF0";

/// The maximum size of a part of a frame, in bytes.
const MAX_PART: u32 = 1 << 28;

/// The frame of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Recorded {
    index: u64,
    begin_ns: i64,
    end_ns: i64,
}

fn read(file: &Path, _: &Options) -> Result<Vec<Log>, Refusal> {
    let mut reader = BufReader::new(File::open(file).map_err(Refusal::Io)?);
    let mut magic = [0; 4];
    reader.read_exact(&mut magic).map_err(Refusal::Io)?;
    let mut frames = Vec::new();
    let mut is_cut = false;
    loop {
        match frame(&mut reader) {
            Ok(Some(frame)) => frames.push(frame),
            Ok(None) => break,
            Err(Refusal::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => {
                is_cut = true;
                break;
            }
            Err(refusal) => return Err(refusal),
        }
    }
    // The slowest frames may come before the most recent ones, and again among them.
    frames.sort_unstable();
    frames.dedup_by_key(|frame| frame.index);
    let Some(first) = frames.first() else {
        return Err(Refusal::new(
            "it has no complete frame; save the recording again",
        ));
    };
    let (begin_ns, first_index) = (first.begin_ns, first.index);
    let mut log = Log::new("puffin");
    let durations = frames
        .iter()
        .map(|frame| frame.end_ns.saturating_sub(frame.begin_ns) as f64 / 1e6);
    let starts = frames
        .iter()
        .map(|frame| frame.begin_ns.saturating_sub(begin_ns) as f64 / 1e9);
    log.set_frames(&starts.collect::<Vec<_>>(), &durations.collect::<Vec<_>>())?;
    for (frame, recorded) in log.frames.iter_mut().zip(&frames) {
        frame.index = recorded.index - first_index;
    }
    log.said.push(format!(
        "puffin: {} frames, without their scopes",
        frames.len()
    ));
    if is_cut {
        log.said
            .push("the last frame is cut off and was left out".to_owned());
    }
    log.set_started_at(file);
    Ok(vec![log])
}

/// Reads a frame; `None` at the end.
fn frame(reader: &mut impl Read) -> Result<Option<Recorded>, Refusal> {
    let mut header = [0; 4];
    match reader.read_exact(&mut header) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other.map_err(Refusal::Io)?,
    }
    let version = match &header {
        [0, 0, 0, 0] => return Ok(None),
        [b'P', b'F', b'D', version @ b'2'..=b'4'] => version - b'0',
        _ => {
            return Err(Refusal::new(
                "it has frames of a version of puffin that cannot be read (before 0.13, or newer than 0.20); record with \
                 another version",
            ));
        }
    };
    let numbers = part(reader)?;
    let mut numbers = &numbers[..];
    let recorded = Recorded {
        index: varint(&mut numbers).map_err(Refusal::Io)?,
        begin_ns: zigzag(varint(&mut numbers).map_err(Refusal::Io)?),
        end_ns: zigzag(varint(&mut numbers).map_err(Refusal::Io)?),
    };
    // The scopes: their length comes before the kind of compression, of one byte.
    let scopes = length(reader)?;
    skip(reader, u64::from(scopes) + u64::from(version >= 3)).map_err(Refusal::Io)?;
    if version >= 4 {
        let names = length(reader)?;
        skip(reader, names.into()).map_err(Refusal::Io)?;
    }
    Ok(Some(recorded))
}

fn length(reader: &mut impl Read) -> Result<u32, Refusal> {
    let mut length = [0; 4];
    reader.read_exact(&mut length).map_err(Refusal::Io)?;
    let length = u32::from_le_bytes(length);
    if length > MAX_PART {
        return Err(Refusal::new(
            "a frame claims an impossible size; save the recording again",
        ));
    }
    Ok(length)
}

/// Reads the numbers of a frame, which are few.
fn part(reader: &mut impl Read) -> Result<Vec<u8>, Refusal> {
    let length = length(reader)?;
    let mut bytes = Vec::new();
    reader
        .take(length.into())
        .read_to_end(&mut bytes)
        .map_err(Refusal::Io)?;
    if bytes.len() < length as usize {
        return Err(Refusal::Io(ErrorKind::UnexpectedEof.into()));
    }
    Ok(bytes)
}

fn skip(reader: &mut impl Read, bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut reader.take(bytes), &mut io::sink())?;
    if skipped < bytes {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok(())
}

/// Reads an integer: up to 250 in one byte, and otherwise after a byte that tells its size.
fn varint(bytes: &mut &[u8]) -> io::Result<u64> {
    let mut take = |count: usize| -> io::Result<u64> {
        let mut number = [0; 8];
        bytes.read_exact(&mut number[..count])?;
        Ok(u64::from_le_bytes(number))
    };
    match take(1)? {
        251 => take(2),
        252 => take(4),
        253 => take(8),
        small => Ok(small),
    }
}

/// Returns the signed number that an unsigned one stands for: 0, −1, 1, −2 and so on.
fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{durations, fuzz, read, refused, starts};
    use super::zigzag;

    /// A frame of version 4 without scopes.
    fn frame(index: u8, begin_ns: i64, end_ns: i64) -> Vec<u8> {
        let signed = |ns: i64| [&[253][..], &((ns << 1) as u64).to_le_bytes()].concat();
        let numbers = [&[index][..], &signed(begin_ns), &signed(end_ns), &[0, 0]].concat();
        let mut bytes = b"PFD4".to_vec();
        bytes.extend((numbers.len() as u32).to_le_bytes());
        bytes.extend(numbers);
        bytes.extend([3, 0, 0, 0, 1, 9, 9, 9]);
        bytes.extend([2, 0, 0, 0, 7, 7]);
        bytes
    }

    fn file() -> Vec<u8> {
        let begin = 1_754_660_609_545_096_612;
        let frames = [
            frame(5, begin + 40_000_000, begin + 52_000_000),
            frame(2, begin, begin + 10_000_000),
            frame(3, begin + 10_500_000, begin + 20_000_000),
            frame(5, begin + 40_000_000, begin + 52_000_000),
        ];
        [&b"PUF0"[..], &frames.concat()].concat()
    }

    #[test]
    fn frames_are_in_order_and_their_holes_are_kept() {
        let mut bytes = file();
        for cut in [0, 3] {
            bytes.truncate(bytes.len() - cut);
            let log = read(&bytes);
            assert_eq!(durations(&log), [10.0, 9.5, 12.0]);
            assert_eq!(starts(&log), [0.0, 10.5, 40.0]);
            let indices: Vec<_> = log.frames.iter().map(|frame| frame.index).collect();
            assert_eq!(indices, [0, 1, 3]);
            assert_eq!(log.said.len(), 1 + usize::from(cut > 0));
        }
    }

    #[test]
    fn other_versions_and_impossible_sizes_are_refused() {
        assert!(refused(b"PUF0PFD9").contains("version of puffin"));
        assert!(refused(b"PUF0").contains("no complete frame"));
        assert!(refused(b"PUF0PFD4\xFF\xFF\xFF\xFF").contains("impossible size"));
        assert_eq!([0, 1, 2, 3].map(zigzag), [0, -1, 1, -2]);
    }

    #[test]
    fn changed_recordings_are_read_or_refused() {
        fuzz(file(), 7);
    }
}
