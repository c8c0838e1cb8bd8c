//! What is bounded, and by how much.

/// How many frames a [`Recorder`](crate::Recorder) holds unless told otherwise: a good minute at 60 a second, 32 KiB
/// a watched series.
pub const DEFAULT_HISTORY: usize = 4096;

/// The most frames a [`Recorder`](crate::Recorder) holds: 128 MiB a watched series.
pub const MAX_HISTORY: usize = 1 << 24;

/// The most series that can be registered, the core's own included; a timer or a histogram counts
/// as two or three.
pub const MAX_SERIES: usize = 1023 * 1024;

/// The most histograms that can be registered.
pub const MAX_HISTOGRAMS: usize = 1022;

/// How many marks a [`Recorder`](crate::Recorder) holds at most: 400 KiB, and their names.
pub const MAX_MARKS: usize = 4096;

/// The characters of a mark's name that are kept.
pub const MAX_MARK_NAME: usize = 200;

/// How many frames late a value of a [`Late`] source may come: while the frame that many after its
/// own is under way.
pub const LATE_FRAMES: u64 = 64;

/// For how many frames a peek or a survey goes on without being asked for again.
pub const PEEK_FRAMES: u64 = 120;
