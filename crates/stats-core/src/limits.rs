//! The limits of the core. They keep memory bounded for any program.

/// The number of frames that a [`Recorder`](crate::Recorder) keeps by default: a little over a
/// minute at 60 frames per second, 32 KiB for each watched series.
pub const DEFAULT_HISTORY: usize = 4096;

/// The largest number of frames that a [`Recorder`](crate::Recorder) can keep: 128 MiB for each
/// watched series.
pub const MAX_HISTORY: usize = 1 << 24;

/// The largest number of series, including the core's own. A timer counts as four, a histogram
/// as two or three.
pub const MAX_SERIES: usize = 1023 * 1024;

/// The largest number of histograms.
pub const MAX_HISTOGRAMS: usize = 1022;

/// The largest number of marks that a [`Recorder`](crate::Recorder) keeps: 400 KiB, and their
/// names.
pub const MAX_MARKS: usize = 4096;

/// The number of characters of a mark's name that are kept.
pub const MAX_MARK_NAME: usize = 200;

/// The number of bytes of a [`LogLine`](crate::LogLine) that are kept, with its level and target.
/// The mark of a frame also has at most [`MAX_MARK_NAME`] characters of them.
pub const MAX_LOG_LINE: usize = 256;

/// The number of [lines of the log](crate::LogLine) that wait for the end of a frame; each further
/// one replaces the oldest.
pub const MAX_LOG_LINES: usize = 256;

/// The number of [lines of the log](crate::LogLine) with which one frame is marked.
pub const MAX_FRAME_LOG_LINES: usize = 32;

/// The number of frames by which a value of a [`DeferredSource`](crate::DeferredSource) may be
/// late.
pub const LATE_FRAMES: u64 = 64;

/// The number of frames for which a peek or a survey continues without being repeated.
pub const PEEK_FRAMES: u64 = 120;

/// The number of series that a survey adds in one frame, which takes about half a millisecond. A
/// survey of more series takes several frames to become complete.
pub const SURVEY_GROWTH: usize = 1 << 13;

/// The number of series in a [group](crate::source::Survey::still_groups) of a survey.
pub const SURVEY_GROUP: usize = 64;

/// The number of ticks that a clock of [`Ticks`](crate::Ticks) keeps, 8 KiB for each series that is
/// read. If more end in one frame, the frame is unknown.
pub const TICK_HISTORY: usize = 1024;

/// The number of series that a clock of [`Ticks`](crate::Ticks) shows, besides its own two.
pub const MAX_TICK_SERIES: usize = 64;

/// The bytes of scopes that a [`Recorder`](crate::Recorder) keeps while somebody reads its
/// [timeline](crate::timeline): half a minute of 300 scopes in each of 60 frames per second.
pub const TIMELINE_BYTES: usize = 16 << 20;
