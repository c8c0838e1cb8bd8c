//! The packets of a recording: one for each frame.
//!
//! ```text
//! PFD1 | length | frame, zstd                                                       puffin 0.8
//! PFD2 | length | numbers | length | streams, zstd                                  puffin 0.13
//! PFD3 | length | numbers | length | compression, 1 byte | streams                  puffin 0.15
//! PFD4 | length | numbers | length | compression, 1 byte | streams | length | names puffin 0.19
//! ```
//!
//! Lengths are four bytes, the lowest first. The numbers are the index, the begin and the end in
//! nanoseconds, the bytes and the scopes. The frame of `PFD1` has the streams after the index.

use std::io::{self, ErrorKind, Read};

use super::super::Refusal;
use super::numbers::Rest;
use super::unpack::Compression;

/// The maximum size of a part of a packet, in bytes.
const MAX_PART: u32 = 1 << 28;

/// A frame of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Recorded {
    pub(super) index: u64,
    pub(super) begin_ns: i64,
    pub(super) end_ns: i64,
}

/// A frame with its scopes.
#[derive(Debug)]
pub(super) struct Packet {
    pub(super) frame: Recorded,
    /// The streams of the threads; `None` if they are damaged.
    pub(super) streams: Option<Vec<u8>>,
    /// Whether a scope of a stream has a number, whose name is in some packet.
    pub(super) has_numbers: bool,
    /// The names that are new in this packet; `None` if they are damaged.
    pub(super) names: Option<Vec<(u32, String)>>,
}

impl Packet {
    /// Reads a packet; `None` at the end of the recording.
    pub(super) fn read(reader: &mut impl Read) -> Result<Option<Self>, Refusal> {
        let mut header = [0; 4];
        match reader.read_exact(&mut header) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            other => other.map_err(Refusal::Io)?,
        }
        let version = match &header {
            [0, 0, 0, 0] => return Ok(None),
            [b'P', b'F', b'D', version @ b'1'..=b'4'] => version - b'0',
            _ => {
                return Err(Refusal::new(
                    "it has frames of a version of puffin that cannot be read (before 0.8, or newer than 0.20); record \
                     with another version",
                ));
            }
        };
        if version == 1 {
            return whole(part(reader)?).map(Some);
        }
        let numbers = part(reader)?;
        let frame = frame_of(&mut Rest(&numbers)).ok_or_else(damaged)?;
        let length = length(reader)?;
        let compression = match version {
            2 => Some(Compression::Zstd),
            _ => {
                let mut byte = [0];
                reader.read_exact(&mut byte).map_err(Refusal::Io)?;
                Compression::of(byte[0])
            }
        };
        let packed = bytes(reader, length)?;
        let names = match version {
            4 => names_of(&mut Rest(&part(reader)?)),
            _ => Some(Vec::new()),
        };
        Ok(Some(Self {
            frame,
            streams: compression.and_then(|compression| compression.unpack(packed)),
            has_numbers: version == 4,
            names,
        }))
    }
}

/// Reads the only part of a packet of the first version.
fn whole(packed: Vec<u8>) -> Result<Packet, Refusal> {
    let all = Compression::Zstd.unpack(packed).ok_or_else(damaged)?;
    let mut rest = Rest(&all);
    let frame = || {
        let index = rest.number()?;
        let before = rest.0.len();
        let all = rest;
        skip_streams(&mut rest)?;
        let streams = all.0[..before - rest.0.len()].to_vec();
        Some((
            Recorded {
                index,
                begin_ns: rest.signed()?,
                end_ns: rest.signed()?,
            },
            streams,
        ))
    };
    let mut frame = frame;
    let (frame, streams) = frame().ok_or_else(damaged)?;
    Ok(Packet {
        frame,
        streams: Some(streams),
        has_numbers: false,
        names: Some(Vec::new()),
    })
}

fn frame_of(rest: &mut Rest<'_>) -> Option<Recorded> {
    Some(Recorded {
        index: rest.number()?,
        begin_ns: rest.signed()?,
        end_ns: rest.signed()?,
    })
}

/// The scopes of a thread in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream<'a> {
    /// When the thread was first seen, which tells threads of the same name apart.
    pub(super) since_ns: Option<i64>,
    pub(super) thread: &'a str,
    pub(super) bytes: &'a [u8],
}

impl<'a> Stream<'a> {
    /// Takes a stream.
    pub(super) fn take(rest: &mut Rest<'a>) -> Option<Self> {
        let since_ns = rest.optional(Rest::signed)?;
        let (thread, bytes) = (rest.text()?, rest.counted()?);
        // The number of scopes, the depth, and the range.
        let _ = (
            rest.number()?,
            rest.number()?,
            rest.signed()?,
            rest.signed()?,
        );
        Some(Self {
            since_ns,
            thread,
            bytes,
        })
    }
}

fn skip_streams(rest: &mut Rest<'_>) -> Option<()> {
    for _ in 0..rest.number()? {
        Stream::take(rest)?;
    }
    Some(())
}

/// Takes the names of scopes: numbers, and the name of the scope or of its function.
fn names_of(rest: &mut Rest<'_>) -> Option<Vec<(u32, String)>> {
    let mut names = Vec::new();
    for _ in 0..rest.number()? {
        let number = rest.optional(Rest::number)?;
        let scope = rest.optional(Rest::text)?;
        let function = rest.text()?;
        let _ = (rest.text()?, rest.number()?);
        if let Some(number) = number.and_then(|number| u32::try_from(number).ok()) {
            names.push((number, scope.unwrap_or(function).to_owned()));
        }
    }
    Some(names)
}

fn damaged() -> Refusal {
    Refusal::new("a frame of it is damaged; save the recording again")
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

/// Reads a part after its length.
fn part(reader: &mut impl Read) -> Result<Vec<u8>, Refusal> {
    let length = length(reader)?;
    bytes(reader, length)
}

/// Reads bytes, without room for more than there are.
fn bytes(reader: &mut impl Read, length: u32) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let read = reader.take(length.into()).read_to_end(&mut bytes);
    if read.map_err(Refusal::Io)? < length as usize {
        return Err(Refusal::Io(io::Error::from(ErrorKind::UnexpectedEof)));
    }
    Ok(bytes)
}
