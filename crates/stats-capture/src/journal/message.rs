//! Finds the messages of Arrow IPC streams in a file, and trusts none of their lengths.
//!
//! ```text
//!  message       = 0xFFFFFFFF  length: i32  metadata  body
//!  end-of-stream = 0xFFFFFFFF  0: i32
//! ```
//!
//! The metadata are a flatbuffer and a seal of `length` bytes together. They contain the length of
//! the body.

use std::fs::File;
use std::io::{BufReader, Read, Seek};

use arrow_ipc::{Message, root_as_message_with_opts};
use flatbuffers::VerifierOptions;

use super::seal::is_sealed;

/// The marker before each message.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// The number of bytes before the metadata.
pub(super) const PREFIX: u64 = 8;

/// The messages of a file, in order.
#[derive(Debug)]
pub(super) struct Messages {
    reader: BufReader<File>,
    at: u64,
    len: u64,
    metadata: Vec<u8>,
    /// The length of the newest body.
    body_len: u64,
}

/// The position of a message in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct MessagePlace {
    pub(super) metadata_at: u64,
    pub(super) metadata_len: usize,
    pub(super) body_len: usize,
}

impl MessagePlace {
    pub(super) fn body_at(&self) -> u64 {
        self.metadata_at + self.metadata_len as u64
    }
}

/// The next item in a file.
#[derive(Debug)]
pub(super) enum Next {
    /// A complete message.
    Message(MessagePlace),
    /// The end of a stream.
    EndOfStream,
    /// The end of the file, between messages.
    EndOfFile,
    /// The file ends within a message, which is lost.
    Cut,
    /// The bytes are not a message.
    Damage {
        /// Why.
        what: String,
        /// The position of the next message, if it is certain.
        next: Option<u64>,
    },
}

impl Next {
    fn damage(what: impl Into<String>) -> Self {
        Self::Damage {
            what: what.into(),
            next: None,
        }
    }
}

impl Messages {
    pub(super) fn new(file: File) -> std::io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self {
            reader: BufReader::new(file),
            at: 0,
            len,
            metadata: Vec::new(),
            body_len: 0,
        })
    }

    /// Returns the position of the next message.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Returns the length of the file.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Finds the next message, and moves past it.
    pub(super) fn next(&mut self) -> std::io::Result<Next> {
        let left = self.len.saturating_sub(self.at);
        if left == 0 {
            return Ok(Next::EndOfFile);
        }
        let mut prefix = [0; PREFIX as usize];
        let known = (left.min(PREFIX)) as usize;
        self.reader.read_exact(&mut prefix[..known])?;
        if prefix[..known.min(4)] != CONTINUATION[..known.min(4)] {
            return Ok(Next::damage("a message does not begin with its marker"));
        }
        if left < PREFIX {
            return Ok(Next::Cut);
        }
        let [_, _, _, _, length @ ..] = prefix;
        let Ok(metadata_len) = u32::try_from(i32::from_le_bytes(length)) else {
            return Ok(Next::damage("a message has a negative length"));
        };
        if metadata_len == 0 {
            self.at += PREFIX;
            return Ok(Next::EndOfStream);
        }
        if u64::from(metadata_len) > left - PREFIX {
            return Ok(Next::Cut);
        }
        self.metadata.resize(metadata_len as usize, 0);
        self.reader.read_exact(&mut self.metadata)?;
        if !is_sealed(&self.metadata) {
            return Ok(Next::Damage {
                what: "the checksum of a message is wrong".into(),
                next: self.after_damage()?,
            });
        }
        let body_len = match parse(&self.metadata) {
            Ok(message) => message.bodyLength(),
            Err(what) => return Ok(Next::damage(what)),
        };
        let Ok(body_len) = u64::try_from(body_len) else {
            return Ok(Next::damage("a message has a negative length"));
        };
        if body_len > left - PREFIX - u64::from(metadata_len) {
            return Ok(Next::Cut);
        }
        let Ok(skipped) = i64::try_from(body_len) else {
            return Ok(Next::Cut);
        };
        self.reader.seek_relative(skipped)?;
        let place = MessagePlace {
            metadata_at: self.at + PREFIX,
            metadata_len: metadata_len as usize,
            body_len: body_len as usize,
        };
        self.at = place.body_at() + body_len;
        self.body_len = body_len;
        Ok(Next::Message(place))
    }

    /// Returns the position after a message with damaged metadata. Assumes that its body has the
    /// length in the metadata, or that of the previous body; `None` unless an undamaged message
    /// follows.
    fn after_damage(&mut self) -> std::io::Result<Option<u64>> {
        let body_at = self.at + PREFIX + self.metadata.len() as u64;
        let stated = parse(&self.metadata).ok();
        let stated = stated.and_then(|message| u64::try_from(message.bodyLength()).ok());
        for body_len in stated.into_iter().chain([self.body_len]) {
            let Some(next) = body_at.checked_add(body_len) else {
                continue;
            };
            if self.is_message(next)? {
                return Ok(Some(next));
            }
        }
        Ok(None)
    }

    /// Returns whether there is a message with undamaged metadata at this position.
    fn is_message(&mut self, at: u64) -> std::io::Result<bool> {
        let mut prefix = Vec::new();
        if at.saturating_add(PREFIX) > self.len {
            return Ok(false);
        }
        read_at(&mut self.reader, at, PREFIX as usize, &mut prefix)?;
        let (marker, length) = prefix.split_at(CONTINUATION.len());
        let length = length.try_into().map_or(0, u32::from_le_bytes);
        let is_within = at + PREFIX + u64::from(length) <= self.len;
        if marker != CONTINUATION || length == 0 || !is_within {
            return Ok(false);
        }
        let mut metadata = Vec::new();
        read_at(
            &mut self.reader,
            at + PREFIX,
            length as usize,
            &mut metadata,
        )?;
        Ok(is_sealed(&metadata))
    }

    /// Moves to the message at this position.
    pub(super) fn skip_to(&mut self, at: u64) -> std::io::Result<()> {
        self.at = at;
        self.reader.seek(std::io::SeekFrom::Start(at))?;
        Ok(())
    }

    /// Returns the metadata of the message that was found last.
    pub(super) fn metadata(&self) -> &[u8] {
        &self.metadata
    }

    /// Reads a part of the file before the next message, and keeps the position.
    pub(super) fn read(&mut self, at: u64, len: usize, into: &mut Vec<u8>) -> std::io::Result<()> {
        read_at(&mut self.reader, at, len, into)?;
        self.reader.seek(std::io::SeekFrom::Start(self.at))?;
        Ok(())
    }
}

/// Reads a part of a file. Its length must have been checked against the file's.
pub(super) fn read_at(
    mut reader: impl Read + Seek,
    at: u64,
    len: usize,
    into: &mut Vec<u8>,
) -> std::io::Result<()> {
    reader.seek(std::io::SeekFrom::Start(at))?;
    into.resize(len, 0);
    reader.read_exact(into)
}

/// Returns the message that `metadata` describes.
pub(super) fn parse(metadata: &[u8]) -> Result<Message<'_>, String> {
    // Enough tables for a schema with the maximum number of series, and few enough to verify within
    // seconds.
    let options = VerifierOptions {
        max_tables: 1 << 24,
        ..VerifierOptions::default()
    };
    root_as_message_with_opts(&options, metadata)
        .map_err(|error| format!("a message cannot be read: {error}"))
}
