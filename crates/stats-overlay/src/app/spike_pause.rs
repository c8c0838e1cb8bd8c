//! Pausing by itself when a chosen series has a spike: not right after the start, and not right
//! after going on.

use stats_core::{Source, Watch};

use crate::data::selection::FRAME_TIME;
use crate::input::settings::Settings;
use stats_analysis::spikes::SpikeTrack;

/// How many frames are searched in a pass. A history that was there before the choice is caught up
/// with over several.
const ALLOWANCE: usize = 500;

/// Follows the chosen series while the overlay is hidden, too.
#[derive(Debug, Default)]
pub(crate) struct SpikePause {
    chosen: Option<Chosen>,
    /// When the first frame was seen.
    started_secs: Option<f64>,
    /// When the views last went on after a pause.
    resumed_secs: Option<f64>,
    was_paused: bool,
}

/// The series whose spikes pause the views.
#[derive(Debug)]
struct Chosen {
    path: String,
    /// `None` for the frame time, and while the series is missing.
    watch: Option<Watch>,
    /// The generation of the listing that it was last looked for in.
    looked_in: Option<u64>,
    spikes: SpikeTrack,
    /// Spikes before this frame do not count: they are older than the choice.
    from: u64,
}

impl SpikePause {
    /// Takes in the newest frames. Returns the frame of a spike that is to pause the views; `limit`
    /// is the value above which a frame is one by its budget.
    ///
    /// Costs nothing while no series is chosen; otherwise the search of one series, a fraction of a
    /// microsecond a frame.
    pub(crate) fn look(
        &mut self,
        source: &mut dyn Source,
        settings: &Settings,
        limit: Option<f64>,
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
            self.chosen = Some(Chosen::new(path, source.frames().end));
        }
        let spike = self.chosen.as_mut()?.look(source, limit);
        let late_enough = now_secs - started >= settings.pause_delay_secs
            && self
                .resumed_secs
                .is_none_or(|resumed| now_secs - resumed >= settings.pause_cooldown_secs);
        spike.filter(|_| late_enough && !paused)
    }

    /// Forgets what belongs to one source before another one is drawn.
    pub(crate) fn detach(&mut self) {
        self.chosen = None;
    }
}

impl Chosen {
    fn new(path: &str, from: u64) -> Self {
        Self {
            path: path.to_owned(),
            watch: None,
            looked_in: None,
            spikes: SpikeTrack::default(),
            from,
        }
    }

    /// The newest spike since the last look.
    fn look(&mut self, source: &mut dyn Source, limit: Option<f64>) -> Option<u64> {
        if self.path != FRAME_TIME
            && self.watch.is_none()
            && self.looked_in != Some(source.generation())
        {
            self.looked_in = Some(source.generation());
            self.watch = source.find(&self.path).map(|id| source.watch(id));
        }
        let window = match &self.watch {
            // Frame 0 began with the recorder, not where a frame before it ended.
            _ if self.path == FRAME_TIME => source.frame_times(usize::MAX).within(1..u64::MAX),
            Some(watch) => source.history(watch, usize::MAX),
            None => return None,
        };
        self.spikes.update(window, limit, &mut { ALLOWANCE });
        let newest = self
            .spikes
            .spikes()
            .next_back()
            .filter(|&frame| frame >= self.from)?;
        self.from = newest + 1;
        Some(newest)
    }
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
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

    /// Frames of 10 ms; those in `slow` take 100 ms. Tells when the views would have been paused,
    /// in frames; they go on at once.
    fn paused_at(settings: &Settings, slow: &[u64]) -> Vec<u64> {
        let (mut recorder, mut pause) = (Recorder::new(), SpikePause::default());
        let (mut now_secs, mut found) = (0.0, Vec::new());
        for frame in 0..1500 {
            now_secs += if slow.contains(&frame) { 0.1 } else { 0.01 };
            recorder.end_frame_at(now_secs);
            if let Some(spike) = pause.look(&mut recorder, settings, None, false, now_secs) {
                found.push(spike);
                // Paused for a frame.
                pause.look(&mut recorder, settings, None, true, now_secs);
            }
        }
        found
    }

    #[test]
    fn a_spike_pauses_but_not_right_after_the_start_nor_right_after_going_on() {
        // 300 frames are 3 s; 700 is after 7 s; 800 is a second after that; 1000 three.
        assert_eq!(paused_at(&settings(), &[300, 700, 800, 1000]), [700, 1000]);
        let at_once = Settings {
            pause_delay_secs: 0.0,
            pause_cooldown_secs: 0.0,
            ..settings()
        };
        assert_eq!(paused_at(&at_once, &[300, 700, 702]), [300, 700, 702]);
    }

    #[test]
    fn nothing_pauses_where_nothing_is_chosen() {
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
    fn the_first_frame_is_no_spike_however_long_it_took() {
        let (mut recorder, mut pause) = (Recorder::new(), SpikePause::default());
        let at_once = Settings {
            pause_delay_secs: 0.0,
            pause_cooldown_secs: 0.0,
            ..settings()
        };
        assert_eq!(
            pause.look(&mut recorder, &at_once, Some(20.0), false, 0.0),
            None
        );
        for (now_secs, found) in [(3600.0, None), (3600.01, None), (3600.11, Some(2))] {
            recorder.end_frame_at(now_secs);
            assert_eq!(
                pause.look(&mut recorder, &at_once, Some(20.0), false, now_secs),
                found,
                "{now_secs}"
            );
        }
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
        assert_eq!(pause.look(&mut recorder, &at_once, None, false, 9.0), None);
    }
}
