//! Analysis of the values of series: spikes, budgets, hitches, leaks, statistics, axes and number
//! formats. It depends on no user interface and reads no files.
//!
//! A history from [`stats_core`] is a sequence of numbers, one per frame. A panel needs answers
//! about it in every frame and at little cost: which frames stand out, how to draw a hundred
//! thousand frames on a thousand pixels, which range an axis has, how to format a number. This
//! crate computes these answers with pure functions and small types that are tested against their
//! definitions; the panels draw the answers.
//!
//! - Spikes: [`spike`] states the rule, [`spikes`] applies it as frames arrive.
//! - Budgets: [`budget`] reads what a person writes, [`over_budget`] finds the spans of frames above
//!   a limit.
//! - Many frames, few pixels: [`buckets`] decimate a window, [`stack`] adds up series, [`extremes`]
//!   and [`summary`] reduce a window to a few numbers. A [`track`] keeps spikes and precomputed
//!   blocks of one history (`pyramid.rs`), so that none of this reads every value again.
//! - Statistics: [`range_statistics`] of a range of frames, [`pace`] of a game, [`distribution`] of
//!   values.
//! - The causes of long frames, leaks, and periodic stalls: [`insight`]. What limits the frame rate:
//!   [`bottleneck`].
//! - Series that are computed from others: [`derived`]. Which series moved together:
//!   [`correlation`].
//! - What a person marked while playing: [`moments`]; what the program wrote to its log: [`log`];
//!   which team a series belongs to: [`teams`].
//! - Axes and text: [`axis`] and [`format`](mod@format). Short lists in order: [`sort`].
//!
//! Unless documented otherwise, values are finite and nothing panics. All results are in the unit
//! of the series.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod pyramid;

pub mod axis;
pub mod bottleneck;
pub mod buckets;
pub mod budget;
pub mod correlation;
pub mod derived;
pub mod distribution;
pub mod extremes;
pub mod format;
pub mod insight;
pub mod log;
pub mod moments;
pub mod over_budget;
pub mod pace;
pub mod range_statistics;
pub mod sort;
pub mod spike;
pub mod spikes;
pub mod stack;
pub mod summary;
pub mod teams;
pub mod track;
