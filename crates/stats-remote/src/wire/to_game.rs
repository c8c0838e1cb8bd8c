//! The messages of a viewer.

use super::bytes::{Bytes, put_number, put_text};
use super::{Malformed, VERSION};
use crate::token::Token;

/// The largest message that a game reads.
pub(crate) const MAX_MESSAGE: usize = 64 << 10;

/// The most ids in a message.
pub(crate) const MAX_IDS: usize = 4096;

/// The longest name of a viewer.
const MAX_NAME: usize = 200;

/// The number that stands for the clock of the frames in a [`Want`].
pub(crate) const CLOCK: u32 = u32::MAX;

/// The number that stands for the scopes of the frames in a [`Want`]. If it has no end, the newest frames
/// follow a few frames later, and those that have changed are sent again.
pub(crate) const SCOPES: u32 = u32::MAX - 1;

/// A message of a viewer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ToGame {
    /// The first message.
    Hello(Hello),
    /// Sends the values of these series from now on. The flag says that values of a series are
    /// deferred.
    Watch(Vec<(u32, bool)>),
    Unwatch(Vec<u32>),
    /// The rows on screen, whose newest values are sent a few times a second. Replaces the last.
    Rows(Vec<u32>),
    /// The histograms whose distributions are sent, as often as they change. Replaces the last.
    Histograms(Vec<u32>),
    /// Asks for values of the past. The requests are for the same frames.
    Want(Vec<Want>),
    /// The number of the newest block that was applied. The game is at most
    /// [`CREDIT`](super::to_viewer::CREDIT) blocks ahead.
    Ack(u64),
    /// Returned as it is.
    Ping(u64),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Hello {
    pub(crate) version: u64,
    pub(crate) token: Token,
    pub(crate) name: String,
    /// Whether times may be rounded to whole nanoseconds, which takes fewer bytes.
    pub(crate) is_rounded: bool,
}

impl Hello {
    /// Returns the greeting of this version.
    pub(crate) fn new(token: Token, name: &str, is_rounded: bool) -> Self {
        Self {
            version: VERSION,
            token,
            name: name.chars().take(MAX_NAME / 4).collect(),
            is_rounded,
        }
    }
}

/// A request for the values of frames `from..to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Want {
    /// A series that is watched, [`CLOCK`] or [`SCOPES`].
    pub(crate) series: u32,
    pub(crate) from: u64,
    pub(crate) to: u64,
}

/// Begins each greeting, so that another program is not taken for a viewer.
const MAGIC: &[u8] = b"stats";

impl ToGame {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            Self::Hello(hello) => {
                out.push(0);
                out.extend_from_slice(MAGIC);
                put_number(&mut out, hello.version);
                out.extend_from_slice(hello.token.bytes());
                put_text(&mut out, &hello.name);
                out.push(hello.is_rounded.into());
            }
            Self::Watch(series) => {
                out.push(1);
                put_number(&mut out, series.len() as u64);
                for (id, is_deferred) in series {
                    put_number(&mut out, u64::from(*id) << 1 | u64::from(*is_deferred));
                }
            }
            Self::Unwatch(ids) => {
                out.push(2);
                put_ids(&mut out, ids);
            }
            Self::Rows(ids) => {
                out.push(3);
                put_ids(&mut out, ids);
            }
            Self::Want(wants) => {
                let first = wants.first();
                out.push(4);
                put_number(&mut out, first.map_or(0, |want| want.from));
                put_number(&mut out, first.map_or(0, |want| want.to));
                let ids: Vec<u32> = wants.iter().map(|want| want.series).collect();
                put_ids(&mut out, &ids);
            }
            Self::Ack(block) => {
                out.push(5);
                put_number(&mut out, *block);
            }
            Self::Ping(number) => {
                out.push(6);
                put_number(&mut out, *number);
            }
            Self::Histograms(ids) => {
                out.push(7);
                put_ids(&mut out, ids);
            }
        }
        out
    }

    pub(crate) fn decode(message: &[u8]) -> Result<Self, Malformed> {
        let mut bytes = Bytes::new(message);
        let message = match bytes.byte()? {
            0 => Self::Hello(hello(&mut bytes)?),
            1 => {
                let count = bytes.count(MAX_IDS)?;
                let series = (0..count).map(|_| {
                    let number = bytes.number()?;
                    let id = u32::try_from(number >> 1).map_err(|_| Malformed)?;
                    Ok((id, number & 1 == 1))
                });
                Self::Watch(series.collect::<Result<_, _>>()?)
            }
            2 => Self::Unwatch(ids(&mut bytes)?),
            3 => Self::Rows(ids(&mut bytes)?),
            4 => {
                let (from, to) = (bytes.number()?, bytes.number()?);
                let ids = ids(&mut bytes)?.into_iter();
                Self::Want(ids.map(|series| Want { series, from, to }).collect())
            }
            5 => Self::Ack(bytes.number()?),
            6 => Self::Ping(bytes.number()?),
            7 => Self::Histograms(ids(&mut bytes)?),
            _ => return Err(Malformed),
        };
        bytes.end()?;
        Ok(message)
    }
}

fn hello(bytes: &mut Bytes<'_>) -> Result<Hello, Malformed> {
    if bytes.take(MAGIC.len())? != MAGIC {
        return Err(Malformed);
    }
    let (version, token) = (bytes.number()?, Token::new(bytes.array()?));
    if version != VERSION {
        // What follows is that version's own: the game refuses it by its number.
        bytes.skip_rest();
        let (name, is_rounded) = (String::new(), false);
        return Ok(Hello {
            version,
            token,
            name,
            is_rounded,
        });
    }
    Ok(Hello {
        version,
        token,
        name: bytes.text(MAX_NAME)?.to_owned(),
        is_rounded: bytes.flag()?,
    })
}

fn put_ids(out: &mut Vec<u8>, ids: &[u32]) {
    put_number(out, ids.len() as u64);
    ids.iter().for_each(|id| put_number(out, (*id).into()));
}

fn ids(bytes: &mut Bytes<'_>) -> Result<Vec<u32>, Malformed> {
    let count = bytes.count(MAX_IDS)?;
    (0..count).map(|_| bytes.number32()).collect()
}
