//! What limits the frame rate in a range of frames.

use crate::sort::sort_by;
use std::fmt;
use std::sync::Arc;

use super::limit::Limit;
use super::rule::{Beside, FrameTimes, Refresh};
use super::series::MAX_SERIES;
use crate::format::percent_text;

/// Waits with a smaller share are not named.
const LEAST_NAMED: f64 = 0.01;
/// The number of declared waits that are named.
const NAMED_WAITS: usize = 3;

/// What limits the frame rate in a range of frames. Displayed, it is a sentence without a period:
/// `CPU bound 62 % (frame thread), GPU bound 30 %, waiting for the display 8 %, waiting for a processor 0 %`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bottleneck {
    parts_ms: [f64; Limit::ALL.len()],
    /// The longest declared waits, the longest first.
    waits: [Option<(Arc<str>, f64)>; NAMED_WAITS],
    knows_gpu: bool,
    knows_ready: bool,
}

impl Bottleneck {
    pub(super) fn new(knows_gpu: bool, knows_ready: bool) -> Self {
        Self {
            knows_gpu,
            knows_ready,
            ..Self::default()
        }
    }

    /// Adds a frame. `wait` returns the time of a declared wait by its position, which is below the number
    /// beside it. If the waits for the display are [too long](FrameTimes::is_beyond_display) for a
    /// display, it also returns theirs. The part of each wait is added to `waits`.
    pub(super) fn add(
        &mut self,
        mut times: FrameTimes,
        beside: [Option<Beside>; 2],
        refresh: Refresh,
        (wait, count): (&dyn Fn(usize, bool) -> Option<f64>, usize),
        waits: &mut [f64; MAX_SERIES],
    ) {
        if let Some(limit) = times.limit(beside, refresh) {
            self.parts_ms[limit as usize] += times.frame_ms;
            return;
        }
        let [running_ms, ready_ms, blocked_ms] =
            [times.running_ms, times.ready_ms, times.blocked_ms].map(|ms| ms.unwrap_or(0.0));
        let sum = running_ms + ready_ms + blocked_ms;
        // Without the wait for the display that something else caused, the parts are shorter than
        // the frame.
        let scale = if sum > 0.0 { times.frame_ms / sum } else { 0.0 };
        let mut add = |limit: Limit, ms: f64| self.parts_ms[limit as usize] += ms * scale;
        add(Limit::Cpu, running_ms);
        add(Limit::Machine, ready_ms);
        add(Limit::Display, times.display_ms);
        let blocked_ms = blocked_ms - times.display_ms;
        let gpu_wait_ms = times.gpu_wait_ms.clamp(0.0, blocked_ms.max(0.0));
        add(Limit::Gpu, gpu_wait_ms);
        let blocked_ms = blocked_ms - gpu_wait_ms;
        let wait = |at: usize| wait(at, times.is_beyond_display);
        let waited_ms: f64 = (0..count).filter_map(wait).sum();
        // Waits may lie in each other, and one that was preempted is longer than it was blocked.
        let part = if waited_ms > blocked_ms {
            blocked_ms / waited_ms
        } else {
            1.0
        };
        for (at, total) in waits.iter_mut().enumerate().take(count) {
            *total += wait(at).unwrap_or(0.0) * part * scale;
        }
        add(Limit::Wait, waited_ms * part);
        let rest = match times.ready_ms {
            Some(_) => Limit::Blocked,
            // It may have had no processor.
            None => Limit::Unknown,
        };
        add(rest, blocked_ms - waited_ms * part);
    }

    pub(super) fn name_waits<'a>(
        &mut self,
        waits: &[f64; MAX_SERIES],
        path: impl Fn(usize) -> &'a Arc<str>,
    ) {
        let mut left = *waits;
        for named in &mut self.waits {
            let longest = (0..MAX_SERIES).max_by(|a, b| left[*a].total_cmp(&left[*b]));
            let Some(longest) = longest.filter(|at| left[*at] > 0.0) else {
                return;
            };
            *named = Some((Arc::clone(path(longest)), left[longest]));
            left[longest] = 0.0;
        }
    }

    fn total_ms(&self) -> f64 {
        self.parts_ms.iter().sum()
    }

    /// Returns the share of the time with a limit, from 0 to 1; the shares of all limits add up to 1.
    /// `None` if the limit is not measured: any limit without frames, [`Limit::Gpu`] if there is neither a
    /// time of the GPU nor a declared wait for the GPU, and [`Limit::Machine`] if the system does not tell
    /// how long a thread waits for a processor.
    #[must_use]
    pub fn share(&self, limit: Limit) -> Option<f64> {
        let total_ms = self.total_ms();
        let is_measured = match limit {
            Limit::Gpu => self.knows_gpu,
            Limit::Machine => self.knows_ready,
            _ => true,
        };
        (is_measured && total_ms > 0.0).then(|| self.parts_ms[limit as usize] / total_ms)
    }

    /// Returns what limits most of the time; [`Limit::Unknown`] without frames.
    #[must_use]
    pub fn limit(&self) -> Limit {
        let share = |limit: Limit| (limit, self.share(limit).unwrap_or(0.0));
        let most = (Limit::ALL.map(share).into_iter())
            .reduce(|most, one| if one.1 > most.1 { one } else { most });
        most.map_or(Limit::Unknown, |(limit, share)| {
            if share > 0.0 { limit } else { Limit::Unknown }
        })
    }

    /// Returns the paths of the three longest declared waits of [`Limit::Wait`] with their shares, the
    /// longest first.
    pub fn waits(&self) -> impl Iterator<Item = (&str, f64)> {
        let total_ms = self.total_ms();
        let waits = self.waits.iter().flatten();
        waits.map(move |(path, ms)| (&**path, ms / total_ms))
    }

    /// Returns the limits with their names, such as `CPU bound` or `waiting in jobs/wait`, and their
    /// shares from 0 to 1, the largest first. Each wait that [`waits`](Self::waits) returns has a
    /// share of its own. CPU, GPU, display and machine are listed even with a share of 0, all others from
    /// a hundredth. A limit that is not measured is missing. If more than 99 % of the time is unknown, only
    /// the unknown part is listed. Empty without frames.
    #[must_use]
    pub fn named_shares(&self) -> Vec<(Limit, String, f64)> {
        let measured = Limit::ALL.map(|limit| (limit, self.share(limit)));
        let measured = measured.into_iter();
        let mut shares: Vec<(Limit, f64)> = measured
            .filter_map(|(limit, share)| Some((limit, share?)))
            .collect();
        sort_by(&mut shares, |a, b| b.1.total_cmp(&a.1));
        let is_unknown =
            |&(limit, share): &(Limit, f64)| limit == Limit::Unknown && share > 1.0 - LEAST_NAMED;
        if shares.first().is_some_and(is_unknown) {
            shares.truncate(1);
        }
        let mut named = Vec::new();
        for (limit, share) in shares {
            let is_always = matches!(
                limit,
                Limit::Cpu | Limit::Gpu | Limit::Display | Limit::Machine
            );
            if !is_always && share < LEAST_NAMED {
                continue;
            }
            if limit == Limit::Wait {
                let waits = self.waits().enumerate();
                let waits = waits.filter(|(at, (_, share))| *at == 0 || *share >= LEAST_NAMED);
                named.extend(
                    waits.map(|(_, (path, share))| (limit, format!("waiting in {path}"), share)),
                );
            } else {
                named.push((limit, limit.phrase().to_owned(), share));
            }
        }
        named
    }
}

impl fmt::Display for Bottleneck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = self.named_shares();
        if matches!(shares[..], [] | [(Limit::Unknown, ..)]) {
            return f.write_str("unknown, because the system does not tell where the time went");
        }
        for (at, (limit, name, share)) in shares.iter().enumerate() {
            let between = if at == 0 { "" } else { ", " };
            write!(f, "{between}{name} {}", percent_text(*share))?;
            if *limit == Limit::Cpu {
                f.write_str(" (frame thread)")?;
            }
        }
        Ok(())
    }
}
