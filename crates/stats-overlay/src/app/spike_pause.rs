//! Pauses the views automatically at a spike of a chosen series. Frames over budget do not pause:
//! they can go on for minutes, so the views would hardly ever run.
//!
//! The series is searched in every mode, so that a hidden overlay catches the spike as well. Spikes
//! shortly after the start, or shortly after the user resumes, do not pause.

use stats_analysis::format::whole_text;
use stats_analysis::spikes::SpikeTrack;
use stats_core::{Source, Watch};
use stats_ui::text::one_line;

use crate::app::state::App;
use crate::data::selection;
use crate::input::settings::Settings;

/// The number of frames searched in a pass. If the history is long when the series is chosen, the
/// search takes several passes.
const ALLOWANCE: usize = 500;

/// The search for the spike that pauses the views.
#[derive(Debug, Default)]
pub(super) struct SpikePause {
    chosen: Option<ChosenSeries>,
    /// The time of the first pass.
    started_secs: Option<f64>,
    /// When the views were last resumed.
    resumed_secs: Option<f64>,
    was_paused: bool,
}

/// The series whose spikes pause the views.
#[derive(Debug)]
struct ChosenSeries {
    path: String,
    /// `None` for the frame time, or while the series is missing.
    watch: Option<Watch>,
    /// The generation of the listing in which the series was last looked up.
    looked_in: Option<u64>,
    spikes: SpikeTrack,
    /// Spikes before this frame do not count: they are older than the choice, or have paused the
    /// views already.
    from: u64,
}

impl SpikePause {
    /// Searches the newest frames. Returns the frame of a spike that is to pause the views.
    ///
    /// Costs nothing while no series is chosen. Otherwise, it costs the search of one series: a
    /// fraction of a microsecond per frame.
    fn search(
        &mut self,
        source: &mut dyn Source,
        settings: &Settings,
        paused: bool,
        now_secs: f64,
    ) -> Option<u64> {
        let started = *self.started_secs.get_or_insert(now_secs);
        if std::mem::replace(&mut self.was_paused, paused) && !paused {
            self.resumed_secs = Some(now_secs);
        }
        let Some(path) = &settings.pause_on_spike else {
            self.chosen = None;
            return None;
        };
        if self
            .chosen
            .as_ref()
            .is_none_or(|chosen| chosen.path != *path)
        {
            self.chosen = Some(ChosenSeries::new(path, source.frames().end));
        }
        let spike = self.chosen.as_mut()?.search(source);
        let late_enough = now_secs - started >= settings.pause_delay_secs
            && self
                .resumed_secs
                .is_none_or(|resumed| now_secs - resumed >= settings.pause_cooldown_secs);
        spike.filter(|_| late_enough && !paused)
    }

    /// Forgets the series of the current source, before another one is shown.
    pub(super) fn detach(&mut self) {
        self.chosen = None;
    }
}

impl ChosenSeries {
    fn new(path: &str, from: u64) -> Self {
        Self {
            path: path.to_owned(),
            watch: None,
            looked_in: None,
            spikes: SpikeTrack::default(),
            from,
        }
    }

    /// Returns the newest spike since the last search.
    fn search(&mut self, source: &mut dyn Source) -> Option<u64> {
        if self.watch.is_none() && self.looked_in != Some(source.generation()) {
            self.looked_in = Some(source.generation());
            let id = selection::find(source, &self.path).map(|(id, ..)| id);
            self.watch = id.map(|id| source.watch(id));
        }
        let window = source.history(self.watch.as_ref()?, usize::MAX);
        // Skip frame 0: it began when the recorder was created, not when a frame ended.
        let window = window.within(1..u64::MAX);
        self.spikes.update(window, &mut { ALLOWANCE });
        let newest = self
            .spikes
            .spikes()
            .next_back()
            .filter(|&frame| frame >= self.from)?;
        self.from = newest + 1;
        Some(newest)
    }
}

impl App {
    /// Pauses at a spike of the series that the settings name, and moves it into view.
    pub(super) fn pause_at_spike(&mut self, source: &mut dyn Source, now_secs: f64) {
        let paused = self.playback.is_paused();
        let found = self
            .spike_pause
            .search(source, &self.settings, paused, now_secs);
        let Some(frame) = found else { return };
        self.look_at(frame, source);
        let path = self.settings.pause_on_spike.as_deref().unwrap_or_default();
        self.notice.say(format!(
            "Paused at a spike of {} in frame {}",
            one_line(path, 60),
            whole_text(frame as f64)
        ));
    }
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use crate::data::selection::FRAME_TIME;
    use stats_core::Recorder;

    fn settings() -> Settings {
        let (pause_on_spike, pause_delay_secs, pause_cooldown_secs) =
            (Some(FRAME_TIME.to_owned()), 5.0, 2.0);
        Settings {
            pause_on_spike,
            pause_delay_secs,
            pause_cooldown_secs,
            ..Settings::default()
        }
    }

    /// Records frames of 10 ms, and of 100 ms for the frames in `slow`. Returns the frames at which
    /// the views pause. They resume in the next frame.
    fn paused_at(settings: &Settings, slow: &[u64]) -> Vec<u64> {
        let (mut recorder, mut pause) = (Recorder::new(), SpikePause::default());
        let (mut now_secs, mut found) = (0.0, Vec::new());
        for frame in 0..1500 {
            now_secs += if slow.contains(&frame) { 0.1 } else { 0.01 };
            recorder.end_frame_at(now_secs);
            if let Some(spike) = pause.search(&mut recorder, settings, false, now_secs) {
                found.push(spike);
                // The views stay paused for this frame.
                pause.search(&mut recorder, settings, true, now_secs);
            }
        }
        found
    }

    #[test]
    fn a_spike_does_not_pause_right_after_the_start_or_a_resume() {
        // Frame 300 is at 3 s, and frame 700 at 7 s; frames 800 and 1000 are 1 s and 3 s later.
        assert_eq!(paused_at(&settings(), &[300, 700, 800, 1000]), [700, 1000]);
        let at_once = Settings {
            pause_delay_secs: 0.0,
            pause_cooldown_secs: 0.0,
            ..settings()
        };
        assert_eq!(paused_at(&at_once, &[300, 700, 702]), [300, 700, 702]);
    }

    #[test]
    fn nothing_pauses_if_no_series_is_chosen() {
        assert_eq!(
            paused_at(
                &Settings {
                    pause_on_spike: None,
                    ..settings()
                },
                &[700]
            ),
            [0; 0]
        );
        assert_eq!(
            paused_at(
                &Settings {
                    pause_on_spike: Some("missing".to_owned()),
                    ..settings()
                },
                &[700]
            ),
            [0; 0]
        );
    }

    #[test]
    fn the_first_frame_is_neither_a_spike_nor_part_of_the_past() {
        let (mut recorder, mut pause) = (Recorder::new(), SpikePause::default());
        let at_once = Settings {
            pause_delay_secs: 0.0,
            pause_cooldown_secs: 0.0,
            ..settings()
        };
        let mut now_secs = 3600.0;
        for frame in 0..=17 {
            recorder.end_frame_at(now_secs);
            now_secs += if frame == 16 { 0.1 } else { 0.01 };
            let found = pause.search(&mut recorder, &at_once, false, now_secs);
            assert_eq!(found, (frame == 17).then_some(17));
        }
    }

    #[test]
    fn the_calls_of_a_timer_pause_as_well() {
        let timer = stats_core::Timer::new("test/spike-pause/timer");
        let mut recorder = Recorder::new();
        let at_once = Settings {
            pause_on_spike: Some("test/spike-pause/timer/calls".to_owned()),
            pause_delay_secs: 0.0,
            ..settings()
        };
        let mut pause = SpikePause::default();
        for frame in 0..100 {
            for _ in 0..if frame == 90 { 50 } else { 5 } {
                timer.record(std::time::Duration::from_micros(1));
            }
            let now_secs = f64::from(frame) * 0.01;
            recorder.end_frame_at(now_secs);
            let found = pause.search(&mut recorder, &at_once, false, now_secs);
            assert_eq!(found, (frame == 90).then_some(90));
        }
    }

    #[test]
    fn frames_over_budget_do_not_pause() {
        let settings = Settings {
            frame_budget_ms: Some(5.0),
            ..settings()
        };
        assert_eq!(paused_at(&settings, &[]), [0; 0]);
    }

    #[test]
    fn a_spike_from_before_the_choice_does_not_pause() {
        let (mut recorder, mut pause) = (Recorder::new(), SpikePause::default());
        for frame in 0..400 {
            recorder
                .end_frame_at(f64::from(frame) * 0.01 + f64::from(u8::from(frame >= 390)) * 0.1);
        }
        let at_once = Settings {
            pause_delay_secs: 0.0,
            ..settings()
        };
        assert_eq!(pause.search(&mut recorder, &at_once, false, 9.0), None);
    }
}
