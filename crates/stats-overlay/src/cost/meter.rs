//! Measures the cost of the overlay itself, and lowers its refresh rate if the cost exceeds the
//! budget.
//!
//! There are two costs. A *full* frame rebuilds numbers and graphs, and a *light* frame repeats those
//! of the last full frame. Each is the median of its last 15 frames, so that a single hitch of the
//! machine has no effect. If every `n`th frame is full, the mean frame costs
//! `light + (full - light) / n`. If that exceeds the budget for 30 frames in a row, `n` doubles, up to
//! 8. If half of `n` would cost less than 4/5 of the budget, `n` halves.
//! The costs of both kinds of frame are measured separately, so a lower refresh rate does not look
//! like a cheaper overlay, and the level does not oscillate. It can still oscillate if full frames
//! become more expensive when they are more frequent. Each time it does, the wait before the next
//! attempt doubles.

use stats_core::{Counter, Unit};

use crate::cost::slowdown::Slowdown;
use stats_ui::instant::Instant;

/// The time that the overlay takes in each frame.
static OVERLAY_MS: Counter = Counter::new("stats/overlay-ms").unit(Unit::Milliseconds).describe(
    "processor time of the overlay itself: layout, graphs and numbers; without egui's tessellation and the GPU",
);

/// The time that ending each frame takes.
static END_FRAME_US: Counter = Counter::new("stats/end-frame-us")
    .unit(Unit::Microseconds)
    .describe("time the recorder takes to end a frame: it reads every watched counter");

/// The number of frames of each kind that a median is taken from.
const MEDIAN_OF: usize = 15;
/// The number of consecutive frames over the budget before the level rises.
const OVER: u32 = 30;
/// The number of frames that a level lasts before a lower one is tried: initially, and at most.
const PATIENCE: (u32, u32) = (60, 3840);
/// An excess within this many frames of a lower level counts as caused by it.
const RELAPSE: u32 = 600;
/// The share of the budget that a lower level may take by estimate.
const HEADROOM: f64 = 0.8;

/// What follows the text in a debug build.
const CURE: &str = ". Faster in this debug build: opt-level = 2";

/// Measures the time that the overlay takes in each frame, and decides how often it refreshes.
#[derive(Debug)]
pub(crate) struct CostMeter {
    full: RecentCosts,
    light: RecentCosts,
    level: Slowdown,
    /// Frames at this level.
    held: u32,
    /// Consecutive frames over the budget.
    over: u32,
    /// Frames since a lower level was tried.
    since_less: u32,
    /// Frames that a level lasts before a lower one is tried.
    patience: u32,
    /// Frames until the next full one.
    until_full: u32,
    is_full: bool,
    /// The budget of the previous frame.
    budget_ms: f64,
    /// The time spent in this frame so far; `None` while nothing was drawn.
    spent_ms: Option<f64>,
    /// The time spent in the previous frame beyond the usual one of its kind; 0 if nothing was drawn.
    beyond_ms: f64,
    /// With the cure, in a debug build.
    text: String,
    text_of: Option<(Slowdown, u64)>,
}

impl Default for CostMeter {
    fn default() -> Self {
        Self {
            full: RecentCosts::default(),
            light: RecentCosts::default(),
            level: Slowdown::None,
            held: 0,
            over: 0,
            since_less: u32::MAX,
            patience: PATIENCE.0,
            until_full: 0,
            is_full: true,
            budget_ms: 0.0,
            spent_ms: None,
            beyond_ms: 0.0,
            text: String::new(),
            text_of: None,
        }
    }
}

impl CostMeter {
    /// Ends a frame of the host and begins the next one. A frame in which nothing was drawn does
    /// not count. Call it once per frame.
    pub(crate) fn begin_frame(&mut self, budget_ms: f64) {
        if std::mem::replace(&mut self.budget_ms, budget_ms) != budget_ms {
            // A different budget requires a new search for the level.
            self.change(Slowdown::None);
        }
        let spent_ms = self.spent_ms.take();
        self.beyond_ms = 0.0;
        let Some(spent_ms) = spent_ms else {
            return;
        };
        let [kind, other] = match self.is_full {
            true => [&mut self.full, &mut self.light],
            false => [&mut self.light, &mut self.full],
        };
        let usual_ms = kind.usual().or_else(|| other.usual());
        self.beyond_ms = spent_ms - usual_ms.unwrap_or(0.0);
        kind.push(spent_ms);
        self.held = self.held.saturating_add(1);
        self.since_less = self.since_less.saturating_add(1);
        self.adapt(budget_ms);
        self.until_full = self
            .until_full
            .saturating_sub(1)
            .min(self.level.frames() - 1);
        self.is_full = self.until_full == 0;
        if self.is_full {
            self.until_full = self.level.frames();
        }
        self.write_text(budget_ms);
    }

    /// Adds the time that drawing took; several calls in a frame add up. Counts it in
    /// `stats/overlay-ms` as well.
    pub(crate) fn add_ms(&mut self, ms: f64) {
        if ms.is_finite() && ms >= 0.0 {
            OVERLAY_MS.add(ms);
            *self.spent_ms.get_or_insert(0.0) += ms;
        }
    }

    /// Returns whether the end of this frame changes a cost: something was drawn in it, or the previous one
    /// took more or less time than usual.
    pub(crate) fn is_to_end(&self) -> bool {
        self.spent_ms.is_some() || self.beyond_ms != 0.0
    }

    /// Returns the time spent in the previous frame beyond the median of its kind, in milliseconds: beyond
    /// that of the other kind while this one has few frames, and all of it while both have few.
    pub(crate) fn beyond_ms(&self) -> f64 {
        self.beyond_ms
    }

    /// Returns whether numbers and graphs may be rebuilt in this frame.
    pub(crate) fn is_full(&self) -> bool {
        self.is_full
    }

    /// Makes this frame full regardless of [`is_full`](Self::is_full), because the user changed
    /// something.
    pub(crate) fn set_full(&mut self) {
        self.is_full = true;
        self.until_full = self.level.frames();
    }

    #[cfg(test)]
    pub(super) fn slowdown(&self) -> Slowdown {
        self.level
    }

    /// Returns the mean cost of a frame, in milliseconds.
    pub(crate) fn cost_ms(&self) -> f64 {
        self.expected_ms(self.level)
    }

    /// Returns what a full frame cost when the level last changed, the budget, and how often
    /// graphs are refreshed; empty if that is every frame.
    pub(crate) fn text(&self) -> &str {
        self.text.strip_suffix(CURE).unwrap_or(&self.text)
    }

    /// Returns how often graphs are refreshed; empty if that is every frame.
    pub(crate) fn short_text(&self) -> &str {
        self.text().split_once(": ").map_or("", |(_, often)| often)
    }

    /// Returns the texts, the longest first: with the cure, if this is a debug build, without it, and
    /// the short one.
    pub(crate) fn texts(&self) -> [&str; 3] {
        [&self.text, self.text(), self.short_text()]
    }

    /// Returns the mean cost of a frame at a level. Light frames count as free until one was
    /// measured.
    fn expected_ms(&self, level: Slowdown) -> f64 {
        let light = self.light.median().unwrap_or(0.0);
        let full = self.full.median().unwrap_or(0.0).max(light);
        light + (full - light) / f64::from(level.frames())
    }

    fn adapt(&mut self, budget_ms: f64) {
        if self.level == Slowdown::None && self.held > RELAPSE {
            self.patience = PATIENCE.0;
        }
        let is_over = self.expected_ms(self.level) > budget_ms;
        self.over = if is_over {
            self.over.saturating_add(1)
        } else {
            0
        };
        if self.over >= OVER && self.level < Slowdown::Every8th {
            if self.since_less <= RELAPSE {
                self.patience = (self.patience * 2).min(PATIENCE.1);
            }
            self.change(self.level.more());
        } else if self.level > Slowdown::None
            && self.held >= self.patience
            && self.less_fits(budget_ms)
        {
            self.change(self.level.less());
            self.since_less = 0;
        }
    }

    /// Returns whether the faster level would leave some of the budget.
    fn less_fits(&self, budget_ms: f64) -> bool {
        self.expected_ms(self.level.less()) < budget_ms * HEADROOM
    }

    fn change(&mut self, level: Slowdown) {
        self.level = level;
        (self.held, self.over) = (0, 0);
    }

    fn write_text(&mut self, budget_ms: f64) {
        let of = Some((self.level, budget_ms.to_bits()));
        if self.text_of != of {
            self.text_of = of;
            let full_ms = self.expected_ms(Slowdown::None);
            self.text = self.level.text(full_ms, budget_ms);
            if cfg!(debug_assertions) && !self.text.is_empty() {
                self.text += CURE;
            }
        }
    }
}

/// Adds the time since `start` to `stats/end-frame-us` in the new frame. At `start`, the recorder
/// began to end a frame. The time is wall time, because a query of the processor time would usually
/// take longer than ending the frame.
pub(crate) fn count_end_frame(start: Instant) {
    END_FRAME_US.add(start.elapsed().as_secs_f64() * 1e6);
}

/// The most recent costs.
#[derive(Debug, Default)]
struct RecentCosts {
    costs_ms: [f64; MEDIAN_OF],
    /// The number of costs so far.
    count: usize,
}

impl RecentCosts {
    fn push(&mut self, cost_ms: f64) {
        self.costs_ms[self.count % MEDIAN_OF] = cost_ms;
        self.count += 1;
    }

    /// Returns the median; `None` while it is that of fewer than [`MEDIAN_OF`] frames, as of those in which
    /// the overlay opens.
    fn usual(&self) -> Option<f64> {
        self.median().filter(|_| self.count >= MEDIAN_OF)
    }

    fn median(&self) -> Option<f64> {
        let mut sorted = self.costs_ms;
        let sorted = &mut sorted[..self.count.min(MEDIAN_OF)];
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats_testing::Random;

    /// A game with the overlay. The test determines the cost of each frame.
    struct Game {
        meter: CostMeter,
        levels: Vec<Slowdown>,
        spent_ms: Vec<f64>,
    }

    impl Game {
        fn new() -> Self {
            Self {
                meter: CostMeter::default(),
                levels: Vec::new(),
                spent_ms: Vec::new(),
            }
        }

        /// Runs this many frames; `cost` returns the cost of a frame at a level, full or light.
        fn run(&mut self, frames: usize, mut cost: impl FnMut(Slowdown, bool) -> f64) -> &mut Self {
            for _ in 0..frames {
                let ms = cost(self.meter.slowdown(), self.meter.is_full());
                self.meter.add_ms(ms);
                self.spent_ms.push(ms);
                self.meter.begin_frame(1.0);
                self.levels.push(self.meter.slowdown());
            }
            self
        }

        fn changes(&self) -> usize {
            self.levels
                .windows(2)
                .filter(|pair| pair[0] != pair[1])
                .count()
        }

        fn mean_of_last(&self, frames: usize) -> f64 {
            self.spent_ms[self.spent_ms.len() - frames..]
                .iter()
                .sum::<f64>()
                / frames as f64
        }
    }

    fn costs(full: f64, light: f64) -> impl FnMut(Slowdown, bool) -> f64 {
        move |_, is_full| if is_full { full } else { light }
    }

    #[test]
    fn a_cheap_overlay_refreshes_with_every_frame() {
        let mut game = Game::new();
        game.run(2000, costs(0.99, 0.0));
        assert_eq!((game.changes(), game.meter.text()), (0, ""));
        assert!((game.meter.cost_ms() - 0.99).abs() < 1e-12);
    }

    #[test]
    fn an_expensive_overlay_slows_down_as_far_as_needed_and_stays_there() {
        for (full, light, level) in [
            (1.5, 0.1, Slowdown::Every2nd),
            (3.0, 0.2, Slowdown::Every4th),
            (6.0, 0.2, Slowdown::Every8th),
            (50.0, 0.0, Slowdown::Every8th),
            (5.0, 2.0, Slowdown::Every8th),
        ] {
            let mut game = Game::new();
            game.run(20_000, costs(full, light));
            assert_eq!(game.meter.slowdown(), level, "{full} {light}");
            // The level never goes back. A lower refresh rate is always cheaper, so its low cost is
            // no reason to raise the rate.
            assert_eq!(game.changes(), level as usize, "{full} {light}");
            let expected = light + (full - light) / f64::from(level.frames());
            assert!((game.mean_of_last(8000) - expected).abs() < 1e-9);
            assert!((game.meter.cost_ms() - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn an_overlay_that_has_become_cheap_refreshes_every_frame_again() {
        let mut game = Game::new();
        game.run(1000, costs(6.0, 0.1));
        assert_eq!(game.meter.slowdown(), Slowdown::Every8th);
        assert_eq!(
            (game.meter.text(), game.meter.short_text()),
            (
                "overlay 6 ms, over its budget of 1 ms: graphs every 8th frame",
                "graphs every 8th frame"
            )
        );
        game.run(1000, costs(0.5, 0.1));
        assert_eq!(
            (game.meter.slowdown(), game.meter.text()),
            (Slowdown::None, "")
        );
        assert_eq!(game.changes(), 6);
    }

    #[test]
    fn the_text_compares_the_cost_of_a_full_frame_with_the_budget_at_each_level() {
        let mut game = Game::new();
        let mut texts = Vec::new();
        for full in [2.5, 0.7004] {
            for _ in 0..1000 {
                game.run(1, costs(full, 0.1));
                texts.push(game.meter.text().to_owned());
            }
        }
        texts.dedup();
        assert_eq!(
            texts,
            [
                "",
                "overlay 2.5 ms, over its budget of 1 ms: graphs every 2nd frame",
                "overlay 2.5 ms, over its budget of 1 ms: graphs every 4th frame",
                "overlay 0.7 ms, again within its budget of 1 ms: graphs every 2nd frame",
                "",
            ]
        );
        for (full_ms, budget_ms, text) in [
            (1.001, 1.0, "overlay 1.01 ms, over its budget of 1 ms"),
            (
                0.999,
                1.0,
                "overlay 0.99 ms, again within its budget of 1 ms",
            ),
            (1.1, 1.0, "overlay 1.1 ms, over its budget of 1 ms"),
            (1.007, 1.006, "overlay 1.02 ms, over its budget of 1.01 ms"),
            (
                0.996,
                0.999,
                "overlay 0.99 ms, again within its budget of 1 ms",
            ),
        ] {
            let whole = Slowdown::Every2nd.text(full_ms, budget_ms);
            assert_eq!(whole, format!("{text}: graphs every 2nd frame"));
        }
    }

    #[test]
    fn one_hitch_in_four_frames_or_a_borderline_cost_changes_nothing() {
        let mut random = Random::new(5);
        let mut game = Game::new();
        game.run(20_000, |_, _| if random.below(4) == 0 { 30.0 } else { 0.5 });
        assert_eq!(game.changes(), 0);
        // The cost is just above the budget, with a noise of 10 %. Refreshing every second frame
        // halves it, but refreshing every frame again would never cost less than 4/5 of the budget.
        let mut game = Game::new();
        game.run(20_000, |_, is_full| {
            if is_full {
                1.0 + random.below(100) as f64 * 1e-3
            } else {
                0.05
            }
        });
        assert_eq!(
            (game.meter.slowdown(), game.changes()),
            (Slowdown::Every2nd, 1)
        );
    }

    #[test]
    fn a_level_that_keeps_failing_is_tried_less_and_less_often() {
        let mut game = Game::new();
        // The model does not know this: a full frame at the lower level costs four times as much.
        game.run(100_000, |level, is_full| match (level, is_full) {
            (Slowdown::None, true) => 2.0,
            (_, true) => 0.5,
            _ => 0.05,
        });
        assert!(game.changes() < 80, "{}", game.changes());
        let slowed = game.levels[50_000..]
            .iter()
            .filter(|&&level| level == Slowdown::Every2nd)
            .count();
        assert!(slowed > 49_000, "{slowed}");
    }

    #[test]
    fn the_first_light_frames_are_compared_with_full_ones() {
        let mut game = Game::new();
        game.run(20, costs(6.0, 5.0));
        assert_eq!(game.meter.beyond_ms(), 0.0);
        while game.meter.is_full() {
            game.run(1, costs(6.0, 5.0));
        }
        game.run(1, costs(6.0, 5.0));
        assert_eq!(game.meter.beyond_ms(), -1.0);
        game.run(1000, costs(6.0, 5.0));
        assert_eq!(game.meter.beyond_ms(), 0.0);
    }

    #[test]
    fn one_frame_in_n_is_full() {
        let mut game = Game::new();
        let mut fulls = Vec::new();
        game.run(5000, |_, is_full| {
            fulls.push(is_full);
            if is_full { 3.0 } else { 0.2 }
        });
        let full: Vec<usize> = (4000..5000).filter(|&at| fulls[at]).collect();
        assert_eq!(full.len(), 250);
        assert!(full.windows(2).all(|pair| pair[1] - pair[0] == 4));
        game.meter.set_full();
        assert!(game.meter.is_full());
    }

    #[test]
    fn frames_without_the_overlay_do_not_count_and_calls_in_a_frame_add_up() {
        let mut meter = CostMeter::default();
        for _ in 0..1000 {
            meter.add_ms(f64::NAN);
            meter.add_ms(-5.0);
            meter.begin_frame(1.0);
        }
        assert_eq!((meter.slowdown(), meter.cost_ms()), (Slowdown::None, 0.0));
        for _ in 0..40 {
            meter.add_ms(0.75);
            meter.add_ms(0.75);
            meter.begin_frame(1.0);
        }
        assert_eq!(meter.slowdown(), Slowdown::Every2nd);
        assert_eq!(
            meter.text(),
            "overlay 1.5 ms, over its budget of 1 ms: graphs every 2nd frame"
        );
        // A different budget requires a new search.
        meter.add_ms(1.0);
        meter.begin_frame(0.4996);
        assert_eq!((meter.slowdown(), meter.text()), (Slowdown::None, ""));
        for _ in 0..40 {
            meter.add_ms(1.0);
            meter.begin_frame(0.4996);
        }
        assert!(
            (meter.text()).starts_with("overlay 1.5 ms, over its budget of 0.5 ms"),
            "{}",
            meter.text()
        );
    }

    #[test]
    fn the_costs_are_ordinary_counters() {
        if !stats_core::ENABLED {
            return;
        }
        let mut recorder = stats_core::Recorder::new();
        let watches = [&OVERLAY_MS, &END_FRAME_US].map(|counter| recorder.watch(counter.id()));
        CostMeter::default().add_ms(1.5);
        let start = Instant::now();
        std::thread::sleep(std::time::Duration::from_millis(2));
        count_end_frame(start);
        recorder.end_frame();
        let [overlay_ms, end_us] = watches.map(|watch| recorder.history(&watch, 1).last().unwrap());
        // Other tests draw overlays at the same time.
        assert!(
            overlay_ms >= 1.5 && end_us >= 2000.0,
            "{overlay_ms} {end_us}"
        );
        for path in ["stats/overlay-ms", "stats/end-frame-us"] {
            assert!(stats_core::find(path).is_some(), "{path}");
        }
    }
}
