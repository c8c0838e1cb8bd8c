//! The rule by which frames are noticed.

use super::usual::{Usual, UsualValue};

/// The number of frames at the beginning of a run that are never hitches. They show what is usual.
pub const WARM_UP_FRAMES: u32 = 60;
/// The minimum excess in milliseconds.
pub(super) const MIN_MS: f64 = 1.0;
/// The minimum excess as a multiple of the usual time.
pub(super) const MIN_PART: f64 = 0.25;
/// The excess that a player sees, however long a usual frame is: a refresh of a display of 240 Hz,
/// which is also about [`MIN_PART`] of a frame at 60 Hz.
const SEEN_MS: f64 = 1e3 / 240.0;
/// The minimum excess as a multiple of the record.
const RECORDS: f64 = 1.25;
/// A time is far from usual if its distance is more than this many scales. A longer time must also
/// be beyond the [`Tail`], unless a few scopes explain it.
const SCALES: f64 = 4.0;
/// A frame within the noise is noticed if its unusual scopes, and the time in no scope if that is
/// unusual, explain at least this share of its excess.
const EXPLAINED: f64 = 0.5;
/// A time explains the excess only if it is longer than usual by more than this many times three
/// scales. Its record does not matter: a stall in a frame that was short otherwise may have set it.
pub(super) const SURE: f64 = 4.0;
/// The time after a noticed frame, in milliseconds, during which another one is noticed only if its
/// excess is this many times as large.
const DEAD_MS: f64 = 200.0;
const LARGER: f64 = 1.5;
/// A time that exceeds the usual one by this share of the minimum excess is near a hitch.
const NEAR: f64 = 0.9;
/// If more than one frame in this many is near a hitch, such peaks are usual.
const NEAR_ONE_IN: u16 = 300;
/// The [`Measure::near_lately`] after the fourth of such peaks.
const NEAR_OFTEN: u16 = 3 * NEAR_ONE_IN;
/// The position of the running time in [`Trigger::measures`].
const RUNNING: usize = 3;
/// If more than this many consecutive frames are all longer, or all shorter, than usual, their time
/// is a new level.
const LEVEL: usize = 12;
/// If more than one in this many frames is long for a while, long frames are usual.
const OFTEN: u32 = 5;
/// The maximum of [`Measure::long_lately`], at which long frames are usual.
const MAX_LONG_LATELY: u32 = 16 * (OFTEN - 1);

/// Judges frames by their duration, by their time without waits, by the time in scopes, and by the
/// time in which their thread ran.
///
/// Vertical synchronization can hide a spike in the duration, and a wait for a worker can hide it
/// in the time without waits. The time in scopes shows the work even if the wait is not declared.
/// On a busy machine, these three vary with the time in which the thread waited for a processor. The
/// running time does not. It includes the time for which another thread ran longer than usual, as far as
/// the frame waited for that.
#[derive(Clone, Debug, Default)]
pub(super) struct Trigger {
    /// The duration, the time without waits, the time in scopes, and the [running](RUNNING) time with
    /// that of another thread for which the frame waited.
    measures: [Measure; 4],
    /// The time in no scope.
    outside: UsualValue,
    /// The time in which the thread waited for a processor.
    ready: UsualValue,
    since_noticed_ms: f64,
    was_long: bool,
    has_new_level: bool,
}

/// One of the times by which frames are judged.
#[derive(Clone, Debug, Default)]
struct Measure {
    usual: UsualValue,
    /// The times of the warm-up; empty after it.
    first: Vec<f64>,
    /// The excess of the frame that was noticed last, in milliseconds.
    noticed_rise: f64,
    /// The number of newest frames that were all longer, or all shorter, than usual.
    in_a_row: usize,
    is_shorter: bool,
    /// Rises by [`NEAR_ONE_IN`] in a usual frame that is [near](NEAR) a hitch, and falls by 1 in any
    /// other.
    near_lately: u16,
    /// The times of these frames.
    run: [f64; LEVEL + 1],
    /// Rises by [`OFTEN`] − 1 in a long frame, and falls by 1 in any other.
    long_lately: u32,
    tail: Tail,
}

/// The tail of a time that varies: how far the longest usual frames are from the usual time.
///
/// The excess beyond [`Tail::FROM`] scales has a mean, which is 0.54 scales for a normal
/// distribution, and more for one with a heavier tail. From it follows the distance that one usual
/// frame in two million exceeds. Frames that far out need not be known; they would be noticed, and
/// noticed frames are not learned.
#[derive(Clone, Copy, Debug)]
struct Tail {
    /// The mean distance from the usual time, over about a thousand frames.
    scale: f64,
    /// The number of frames that this mean includes, up to [`Tail::FRAMES`].
    frames: f64,
    /// The mean excess beyond the beginning of the tail, in scales.
    excess: f64,
    /// The number of frames that this mean includes, up to [`Tail::IN_TAIL`].
    in_tail: f64,
}

impl Default for Tail {
    fn default() -> Self {
        Self {
            scale: 0.0,
            frames: 0.0,
            excess: 0.6,
            in_tail: 20.0,
        }
    }
}

impl Tail {
    /// The distance at which the tail begins, in scales.
    const FROM: f64 = 2.0;
    /// The number of frames, and of frames in the tail, after which a mean forgets the oldest ones.
    const FRAMES: f64 = 1024.0;
    const IN_TAIL: f64 = 256.0;
    /// The largest excess that is learned, in scales.
    const MAX: f64 = 4.0;

    /// Takes the distance of a usual frame's time from the usual time.
    fn learn(&mut self, distance: f64) {
        self.frames = (self.frames + 1.0).min(Self::FRAMES);
        let limit = if self.scale > 0.0 {
            3.0 * self.scale
        } else {
            f64::INFINITY
        };
        self.scale += (distance.abs().min(limit) - self.scale) / self.frames;
        let excess = distance / self.scale.max(f64::MIN_POSITIVE) - Self::FROM;
        if excess > 0.0 {
            self.in_tail = (self.in_tail + 1.0).min(Self::IN_TAIL);
            self.excess += (excess.min(Self::MAX) - self.excess) / self.in_tail;
        }
    }

    /// Returns the distance, in scales, that one usual frame in two million exceeds.
    ///
    /// In units of the mean excess, the distance from the beginning of the tail is 7.8 for a normal
    /// distribution, 8 to 12 for log-normal ones, and 12 for an exponential tail.
    fn end(&self) -> f64 {
        Self::FROM + self.excess * (3.0 + 9.0 * self.excess).clamp(7.8, 12.0)
    }
}

/// The times of a frame, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    pub(super) frame: f64,
    /// The time in waits on the frame's thread.
    pub(super) waits: f64,
    /// The time in other scopes on the frame's thread.
    pub(super) scopes: f64,
    /// The time in which the thread ran, and in which it waited for a processor, if the system tells.
    pub(super) system: Option<(f64, f64)>,
}

/// The judgment of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judgment {
    /// The usual values learn from it.
    Usual,
    /// The frame is long, but it comes too soon after a noticed frame that was about as long. Or it
    /// did more work than usual in less time.
    Long,
    /// It is noticed, and will be explained.
    Noticed,
}

impl Measure {
    /// Returns the excess of a long frame, in milliseconds; 0 for any other frame. Also returns
    /// whether the time has reached a new level.
    fn judge(&mut self, ms: f64, is_explained: &impl Fn(f64) -> bool) -> (f64, bool) {
        let mut rise = self.rise(ms);
        if rise > 0.0 && !self.is_beyond(rise) && !is_explained(rise) {
            rise = 0.0;
        }
        if rise == 0.0 || (rise < 0.0) != self.is_shorter {
            self.in_a_row = 0;
        }
        self.is_shorter = rise < 0.0;
        self.long_lately = if rise > 0.0 {
            (self.long_lately + OFTEN - 1).min(MAX_LONG_LATELY)
        } else {
            self.long_lately.saturating_sub(1)
        };
        if rise == 0.0 {
            return (0.0, false);
        }
        self.run[self.in_a_row] = ms;
        self.in_a_row += 1;
        if self.in_a_row == self.run.len() {
            // The median, because the newest frame may be a hitch, and the first one a transition.
            self.run.sort_unstable_by(f64::total_cmp);
            self.usual.restart(self.run[LEVEL / 2]);
            (self.in_a_row, self.long_lately, self.noticed_rise) = (0, 0, 0.0);
            let rise = Some(self.rise(ms)).filter(|rise| self.is_beyond(*rise));
            return (rise.unwrap_or_default(), true);
        }
        let is_often = self.long_lately == MAX_LONG_LATELY;
        (if is_often { 0.0 } else { rise.max(0.0) }, false)
    }

    /// Returns how far a time is from usual, in milliseconds; 0 if it is near, and negative if it
    /// is shorter.
    fn rise(&self, ms: f64) -> f64 {
        let Self { usual, .. } = self;
        let rise = ms - usual.usual();
        let far = rise.abs();
        let is_far = usual.values_seen() >= WARM_UP_FRAMES
            && far > least_ms(usual.usual())
            && far > SCALES * usual.scale();
        if is_far { rise } else { 0.0 }
    }

    /// Returns whether an excess is beyond those of usual frames.
    fn is_beyond(&self, rise: f64) -> bool {
        rise > self.spread() && rise > RECORDS * self.usual.record()
    }

    /// Returns the distance from usual that usual frames rarely exceed.
    fn spread(&self) -> f64 {
        self.tail.end() * self.usual.scale().max(self.tail.scale)
    }

    fn learn(&mut self, ms: f64) {
        let near_ms = NEAR * least_ms(self.usual.usual());
        self.near_lately = if ms - self.usual.usual() >= near_ms {
            (self.near_lately + NEAR_ONE_IN).min(NEAR_OFTEN + NEAR_ONE_IN)
        } else {
            self.near_lately.saturating_sub(1)
        };
        if self.usual.values_seen() >= WARM_UP_FRAMES {
            self.tail.learn(ms - self.usual.usual());
        }
        // Limits the record to the noise: frames of the warm-up may be long, and a peak that is a
        // little too short to be noticed must not hide the next one.
        // If there are many such peaks, those that are a little longer are no hitches, either.
        let max_record = MIN_MS.max(self.spread());
        let max_record = if self.near_lately >= NEAR_OFTEN {
            max_record.max(near_ms)
        } else {
            max_record
        };
        let before = self.usual.values_seen();
        self.usual.learn(ms, max_record);
        let seen = self.usual.values_seen();
        // An unknown time is not learned.
        if seen > before && seen <= WARM_UP_FRAMES {
            self.first.push(ms);
            if seen == WARM_UP_FRAMES {
                self.usual.relearn(&mut std::mem::take(&mut self.first));
                (self.tail.scale, self.tail.frames) = (self.usual.scale(), seen.into());
            }
        }
    }
}

/// Returns the minimum excess of a noticed frame, in milliseconds, by the usual time.
pub(super) fn least_ms(usual_ms: f64) -> f64 {
    MIN_MS.max((MIN_PART * usual_ms).min(SEEN_MS))
}

impl Trigger {
    pub(super) fn usual_ms(&self) -> f64 {
        self.measures[0].usual.usual()
    }

    /// Returns how much less than usual the thread of a frame waited for a processor, in milliseconds;
    /// 0 if it is less than [`MIN_MS`].
    ///
    /// On a busy machine, such a frame is short, whatever it does.
    pub(super) fn spared_ms(&self, system: Option<(f64, f64)>) -> f64 {
        let spared_ms = system.map_or(0.0, |(_, ready_ms)| self.ready.usual() - ready_ms);
        // What the thread usually runs for, no frame is spared.
        let running_ms = self.measures[RUNNING].usual.usual();
        let spared_ms = spared_ms.min(self.usual_ms() - running_ms);
        if spared_ms >= MIN_MS { spared_ms } else { 0.0 }
    }

    /// Returns what is usual for the frame time, in milliseconds.
    pub(super) fn usual(&self) -> Usual {
        self.measures[0].usual.get()
    }

    /// Returns the number of frames that the warm-up still lacks.
    pub(super) fn frames_to_learn(&self) -> u32 {
        WARM_UP_FRAMES.saturating_sub(self.measures[0].usual.values_seen())
    }

    /// Returns whether any of the newest frames' times was far from usual.
    pub(super) fn is_away(&self) -> bool {
        self.measures.iter().any(|measure| measure.in_a_row > 0)
    }

    /// Returns whether a time reached a new level in the newest frame.
    pub(super) fn has_new_level(&self) -> bool {
        self.has_new_level
    }

    /// Adds the time of frames that are not judged.
    pub(super) fn skip(&mut self, ms: f64) {
        self.since_noticed_ms += ms.max(0.0);
        self.was_long = false;
    }

    /// Judges a frame. `new_ms` returns the total excess of the scopes that took longer than usual
    /// by more than [`SURE`] times the distance beyond which a time is unusual. `waited_for_ms` returns
    /// how much longer than usual the frame waited for another thread that, as the system tells, ran
    /// longer.
    pub(super) fn judge(
        &mut self,
        times: Times,
        new_ms: impl Fn() -> f64,
        waited_for_ms: impl FnOnce() -> f64,
    ) -> Judgment {
        let outside_ms = times.frame - times.waits - times.scopes;
        let outside = self.outside;
        let new_ms = || {
            let excess_ms = outside_ms - outside.usual();
            let is_new = excess_ms > SURE * 3.0 * outside.scale();
            new_ms() + if is_new { excess_ms } else { 0.0 }
        };
        let is_explained = |excess_ms: f64| new_ms() >= EXPLAINED * excess_ms;
        let (running_ms, ready_ms) = times.system.unwrap_or((f64::NAN, f64::NAN));
        let (mut is_long, mut is_larger) = (false, false);
        // More work is not a hitch if a shorter wait more than offsets it, unless that wait was only for
        // a processor.
        let longer_ms = times.frame + self.spared_ms(times.system) - self.usual_ms();
        let is_shorter = longer_ms < -MIN_MS;
        let waited_for_ms = if longer_ms >= MIN_MS && times.system.is_some() {
            waited_for_ms()
        } else {
            0.0
        };
        let measured = [
            times.frame,
            times.frame - times.waits,
            times.scopes,
            running_ms + waited_for_ms,
        ];
        self.has_new_level = false;
        for (at, (measure, ms)) in self.measures.iter_mut().zip(measured).enumerate() {
            let (rise, is_new_level) = measure.judge(ms, &is_explained);
            self.has_new_level |= is_new_level;
            // Builds beside the program began or ended.
            if at == 0 && is_new_level && ready_ms.is_finite() {
                self.ready.restart(ready_ms);
            }
            is_long |= rise > 0.0;
            is_larger |= rise > LARGER * measure.noticed_rise;
        }
        let since_noticed_ms = self.since_noticed_ms;
        self.since_noticed_ms += times.frame.max(0.0);
        let was_long = std::mem::replace(&mut self.was_long, is_long && !is_shorter);
        let measures = self.measures.iter_mut().zip(measured);
        if !is_long {
            measures.for_each(|(measure, ms)| measure.learn(ms));
            self.outside.learn(outside_ms, f64::INFINITY);
            self.ready.learn(ready_ms, f64::INFINITY);
            return Judgment::Usual;
        }
        // Long frames in a row are one hitch.
        if is_shorter || (was_long || since_noticed_ms < DEAD_MS) && !is_larger {
            return Judgment::Long;
        }
        self.since_noticed_ms = 0.0;
        for (measure, ms) in measures {
            measure.noticed_rise = (ms - measure.usual.usual()).max(0.0);
        }
        Judgment::Noticed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_much_larger_hitch_soon_after_another_one_is_noticed() {
        let mut trigger = Trigger::default();
        let mut judge = |ms: f64| {
            let times = Times {
                frame: ms,
                ..Times::default()
            };
            trigger.judge(times, || 0.0, || 0.0)
        };
        for frame in 0..300 {
            assert_eq!(judge(2.0 + f64::from(frame % 7) / 10.0), Judgment::Usual);
        }
        assert_eq!(judge(12.0), Judgment::Noticed);
        assert_eq!(judge(2.0), Judgment::Usual);
        assert_eq!(
            judge(16.0),
            Judgment::Long,
            "less than 1.5 times the excess"
        );
        assert_eq!(judge(2.0), Judgment::Usual);
        assert_eq!(judge(40.0), Judgment::Noticed);
        assert_eq!(judge(50.0), Judgment::Long);
    }

    /// A trigger that has learned frames of `usual_ms`, which vary by 3 %.
    fn learned(usual_ms: f64) -> Trigger {
        let mut trigger = Trigger::default();
        assert_eq!(play(&mut trigger, usual_ms, 300), 0);
        trigger
    }

    /// Plays frames that vary by 3 %, and returns how many are noticed.
    fn play(trigger: &mut Trigger, usual_ms: f64, frames: u32) -> usize {
        let judgments = (0..frames).map(|at| {
            let times = Times {
                frame: usual_ms * (1.0 + f64::from(at * 7 % 11 % 7) / 200.0),
                ..Times::default()
            };
            trigger.judge(times, || 0.0, || 0.0)
        });
        let noticed = |judgment: &Judgment| *judgment == Judgment::Noticed;
        judgments.filter(noticed).count()
    }

    #[test]
    fn hitches_are_noticed_right_after_the_warm_up_even_if_frames_in_it_load() {
        for load_ms in [0.0, 500.0, 5000.0] {
            for loads in [0..1, 1..2, 3..4, 9..12, 20..21, 40..45, 59..60] {
                let mut trigger = Trigger::default();
                for frame in 0..WARM_UP_FRAMES {
                    let load_ms = if loads.contains(&frame) { load_ms } else { 0.0 };
                    assert_eq!(play(&mut trigger, 16.6 + load_ms, 1), 0);
                }
                assert_eq!(play(&mut trigger, 33.3, 1), 1, "{load_ms} {loads:?}");
                assert_eq!(play(&mut trigger, 16.6, 100), 0, "{load_ms} {loads:?}");
            }
        }
        // One long frame in every two, three or six is usual from the beginning, as in a game at
        // 50 Hz on a display of 60 Hz.
        for one_in in [2, 3, 6] {
            let mut trigger = Trigger::default();
            let ms = |frame: usize| {
                if frame.is_multiple_of(one_in) {
                    33.3
                } else {
                    16.6
                }
            };
            let noticed = (0..2_400).map(|frame| play(&mut trigger, ms(frame), 1));
            assert_eq!(noticed.sum::<usize>(), 0, "{one_in}");
        }
    }

    #[test]
    fn a_new_level_is_one_hitch_and_hitches_are_noticed_soon_after_it() {
        for (before, after) in [(16.0, 33.0), (33.0, 16.0), (16.0, 100.0), (5.0, 8.0)] {
            for frames in [13, 14, 20, 60, 120, 400] {
                let mut trigger = learned(before);
                let rises = usize::from(after > before);
                assert_eq!(play(&mut trigger, after, frames), rises);
                assert_eq!(play(&mut trigger, 3.0 * after, 1), 1, "{after} {frames}");
                assert_eq!(play(&mut trigger, after, 60), 0);
                // Return to the earlier level.
                let mut trigger = learned(before);
                play(&mut trigger, after, frames);
                assert_eq!(play(&mut trigger, before, 13), 1 - rises);
                assert_eq!(play(&mut trigger, before, 60), 0);
                assert_eq!(play(&mut trigger, 3.0 * before, 1), 1, "{before} {frames}");
            }
            // Right before the level is known, and in the frame in which it becomes known.
            for frames in 1..=12 {
                let mut trigger = learned(before);
                play(&mut trigger, after, frames);
                assert_eq!(play(&mut trigger, 9.0 * after, 1), 1, "{after} {frames}");
                play(&mut trigger, after, 30);
                assert_eq!(play(&mut trigger, 9.0 * after, 1), 1, "{after} {frames}");
            }
        }
    }

    #[test]
    fn an_hour_of_frames_that_vary_by_up_to_14_percent_has_no_hitch_but_a_slow_scope_is_one() {
        let mut random = stats_testing::Random::new(11);
        let mut normal = || {
            let sum: u64 = (0..12).map(|_| random.below(1_000_000)).sum();
            sum as f64 / 1e6 - 6.0
        };
        let mut noticed = 0;
        for noise in [0.05, 0.08, 0.11, 0.14] {
            let mut trigger = Trigger::default();
            let mut judge = |ms: f64, new_ms: f64| {
                let times = Times {
                    frame: ms,
                    scopes: ms,
                    ..Times::default()
                };
                trigger.judge(times, || new_ms, || 0.0)
            };
            for _ in 0..54_000 {
                let judgment = judge(16.6 * f64::exp(noise * normal()), 0.0);
                noticed += usize::from(judgment == Judgment::Noticed);
            }
            let ms = 16.6 * (1.0 + 4.5 * noise);
            if ms > 1.3 * 16.6 {
                assert_eq!(judge(ms, 0.0), Judgment::Usual, "{noise}");
                let new_ms = 3.7 * noise * 16.6;
                assert_eq!(judge(ms, new_ms), Judgment::Noticed, "{noise}");
            }
        }
        assert!(noticed <= 1, "{noticed}");
    }

    /// Returns the numbers of noticed frames of a game whose frames vary in some ways, each for 20,000
    /// frames: with normal and exponential noise, and with waves of it.
    fn noticed_in_noise(usual_ms: f64, noise: f64) -> [usize; 3] {
        [0, 1, 2].map(|kind| {
            let mut random = stats_testing::Random::new(41 + kind);
            let mut trigger = Trigger::default();
            let mut wave = 0.0;
            let noticed = (0..20_000).filter(|_| {
                let mut uniform = || (random.below(1_000_000) + 1) as f64 / 1e6;
                let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                let far = match kind {
                    0 => normal,
                    1 => -uniform().ln() - 1.0,
                    _ => {
                        wave = 0.8 * wave + 0.6 * normal;
                        wave
                    }
                };
                let ms = usual_ms * (1.0 + noise * far);
                let times = Times {
                    frame: ms,
                    scopes: ms,
                    ..Times::default()
                };
                trigger.judge(times, || 0.0, || 0.0) == Judgment::Noticed
            });
            noticed.count()
        })
    }

    #[test]
    fn noise_with_peaks_near_the_smallest_hitch_again_and_again_is_no_hitch() {
        for usual_ms in [8.0, 16.7, 33.3, 66.7] {
            for noise in [0.002, 0.01, 0.03] {
                for one_in in [10, 30, 60, 120] {
                    let mut random = stats_testing::Random::new(7);
                    let mut uniform = || (random.below(1_000_000) + 1) as f64 / 1e6;
                    let mut trigger = Trigger::default();
                    let (mut peaks, mut noticed) = (0, 0);
                    for frame in 0..24_000 {
                        let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                        let is_peak = frame % one_in == 5;
                        let peak = f64::from(u8::from(is_peak)) * (0.9 + 0.15 * uniform());
                        let ms = usual_ms * (1.0 + noise * normal) + peak * least_ms(usual_ms);
                        let times = Times {
                            frame: ms,
                            scopes: ms,
                            ..Times::default()
                        };
                        let is_noticed = trigger.judge(times, || 0.0, || 0.0) == Judgment::Noticed;
                        if frame >= 12_000 {
                            peaks += usize::from(is_peak);
                            noticed += usize::from(is_noticed);
                        }
                    }
                    println!("{usual_ms} ms, {noise}, 1 in {one_in}: {noticed} of {peaks}");
                    assert!(
                        noticed * 8 <= peaks,
                        "{usual_ms} {noise} {one_in}: {noticed} of {peaks}"
                    );
                    // They hide no peak that is larger, unless the noise is.
                    let ms = usual_ms + 1.4 * least_ms(usual_ms);
                    if usual_ms < 40.0 && noise == 0.002 && one_in >= 30 {
                        let times = Times {
                            frame: ms,
                            scopes: ms,
                            ..Times::default()
                        };
                        trigger.skip(1e3);
                        assert_eq!(trigger.judge(times, || 0.0, || 0.0), Judgment::Noticed);
                    }
                }
            }
        }
    }

    #[test]
    fn noise_of_slow_frames_is_no_hitch() {
        for usual_ms in [8.0, 16.7, 33.3, 50.0, 100.0] {
            for noise in [0.005, 0.02, 0.05, 0.1, 0.14] {
                let noticed = noticed_in_noise(usual_ms, noise);
                println!("{usual_ms} ms, {noise}: {noticed:?}");
                assert!(
                    noticed.iter().all(|count| *count <= 1),
                    "{usual_ms} {noise}"
                );
            }
        }
    }

    #[test]
    fn a_peak_that_a_player_sees_is_noticed_at_any_frame_rate_and_again_after_a_smaller_one() {
        for usual_ms in [8.0, 16.7, 33.3, 66.7] {
            let learned = || {
                let mut trigger = Trigger::default();
                for frame in 0..300_u32 {
                    let noise_ms = f64::from(frame * 7 % 11) / 30.0;
                    assert_eq!(
                        play_exact(&mut trigger, usual_ms + noise_ms),
                        Judgment::Usual
                    );
                }
                trigger
            };
            let least_ms = least_ms(usual_ms + 0.2);
            for more in [1.15, 1.3, 1.9] {
                let mut trigger = learned();
                let peak = play_exact(&mut trigger, usual_ms + more * least_ms);
                assert_eq!(peak, Judgment::Noticed, "{usual_ms} {more}");
                // A peak that is just too small is usual, and hides no other one.
                let mut trigger = learned();
                let small = play_exact(&mut trigger, usual_ms + 0.9 * least_ms);
                assert_eq!(small, Judgment::Usual, "{usual_ms} {more}");
                let peak = play_exact(&mut trigger, usual_ms + more * least_ms);
                assert_eq!(
                    peak,
                    Judgment::Noticed,
                    "{usual_ms} {more} after a smaller one"
                );
            }
        }
        // A frame of 41.5 ms at 30 Hz.
        let mut trigger = Trigger::default();
        for _ in 0..80 {
            play_exact(&mut trigger, 33.3);
        }
        assert_eq!(play_exact(&mut trigger, 41.47), Judgment::Noticed);
    }

    fn play_exact(trigger: &mut Trigger, ms: f64) -> Judgment {
        let times = Times {
            frame: ms,
            ..Times::default()
        };
        trigger.judge(times, || 0.0, || 0.0)
    }

    #[test]
    fn frames_that_are_often_long_are_usual_after_a_while() {
        for one_in in [2, 3, 4, 20, 60] {
            let mut trigger = learned(16.6);
            let mut noticed = [0; 2];
            for frame in 0..3600 {
                let ms = if frame % one_in == 0 { 33.3 } else { 16.6 };
                noticed[frame / 1800] += play(&mut trigger, ms, 1);
            }
            if one_in < OFTEN as usize {
                assert!(noticed[0] < 30 && noticed[1] == 0, "{one_in} {noticed:?}");
            } else {
                assert_eq!(noticed, [1800 / one_in; 2], "{one_in}");
            }
            assert_eq!(play(&mut trigger, 16.6, 600), 0);
            assert_eq!(play(&mut trigger, 150.0, 1), 1, "{one_in}");
        }
    }

    #[test]
    fn a_frame_that_is_shorter_than_usual_is_no_hitch() {
        let mut trigger = Trigger::default();
        let mut judge = |frame: f64, waits: f64| {
            let times = Times {
                frame,
                waits,
                scopes: frame - waits,
                system: None,
            };
            trigger.judge(times, || 0.0, || 0.0)
        };
        for _ in 0..300 {
            assert_eq!(judge(6.0, 4.0), Judgment::Usual);
        }
        assert_eq!(judge(4.5, 0.5), Judgment::Long, "less waiting, more work");
        assert_eq!(
            judge(6.0, 1.0),
            Judgment::Noticed,
            "the wait hides the work"
        );
    }

    #[test]
    fn a_hitch_is_compared_with_the_excess_of_the_same_measure() {
        let mut trigger = Trigger::default();
        // The display's refresh hides the first one.
        let mut judge = |frame: f64, work: f64| {
            let times = Times {
                frame,
                waits: frame - work,
                scopes: work,
                system: None,
            };
            trigger.judge(times, || 0.0, || 0.0)
        };
        for _ in 0..300 {
            assert_eq!(judge(16.0, 4.0), Judgment::Usual);
        }
        assert_eq!(judge(16.0, 13.0), Judgment::Noticed);
        assert_eq!(judge(16.0, 4.0), Judgment::Usual);
        assert_eq!(judge(32.0, 20.0), Judgment::Noticed, "16 ms longer, not 0");
    }

    #[test]
    fn a_frame_that_ran_for_longer_is_noticed_however_long_it_waited_for_a_processor() {
        let judge = |trigger: &mut Trigger, running: f64, ready: f64| {
            let times = Times {
                frame: running + ready,
                waits: 0.0,
                scopes: running + ready,
                system: Some((running, ready)),
            };
            trigger.judge(times, || 0.0, || 0.0)
        };
        let mut learned = Trigger::default();
        for frame in 0..600 {
            // Every third frame loses the processor.
            let ready = f64::from(frame % 3 / 2 * (50 + frame % 50));
            judge(&mut learned, 8.0 + f64::from(frame % 7) / 40.0, ready);
        }
        for ready in [0.0, 10.0, 60.0, 90.0] {
            let mut trigger = learned.clone();
            assert_eq!(
                judge(&mut trigger, 23.0, ready),
                Judgment::Noticed,
                "{ready}"
            );
            let mut trigger = learned.clone();
            assert_eq!(judge(&mut trigger, 8.1, ready), Judgment::Usual, "{ready}");
        }
    }
}
