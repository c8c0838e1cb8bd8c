//! Where the time of the threads went in the copied frames, as far as the system tells.
//!
//! The system tells how long a thread waited for a processor in a frame, but not when. The series
//! that have these times belong to the name of a thread, as the lanes do.

use std::collections::HashMap;

use stats_core::{Source, Watch};

use crate::data::recent::{Columns, Recent};

/// Where the time of a thread went in a frame, in milliseconds. The rest is the time in which it ran.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ThreadTimes {
    /// It could run, but waited for a processor.
    pub(crate) ready_ms: f64,
    /// It slept, or waited for something else.
    pub(crate) blocked_ms: f64,
}

/// A lane of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ThreadLane<'a> {
    pub(super) id: usize,
    /// The name of the thread. Several lanes may have it, and then nothing is known of each.
    pub(super) name: &'a str,
    pub(super) is_frame_thread: bool,
}

/// Reads the times of the lanes.
#[derive(Debug, Default)]
pub(super) struct TimesReader {
    /// By lane: whether it is the lane of the frame's thread, and the watches of `ready` and `blocked`. Lanes
    /// without these series are missing.
    watches: HashMap<usize, (bool, [Watch; 2])>,
    /// What was known of lanes and series when the watches were looked for.
    looked_at: Option<(u64, u64)>,
    /// The number of times that watches were found. Never 0 afterward.
    revision: u32,
}

impl TimesReader {
    /// Returns a number that changes when more times may be known; 0 if none are.
    pub(super) fn revision(&self) -> u32 {
        self.revision
    }

    /// Watches the series of the lanes, if there may be new ones. `lanes_revision` changes with the
    /// lanes.
    pub(super) fn watch<'a>(
        &mut self,
        source: &mut dyn Source,
        recent: &Recent,
        lanes_revision: u64,
        lanes: impl Iterator<Item = ThreadLane<'a>>,
    ) {
        let key = Some((source.generation(), lanes_revision));
        if std::mem::replace(&mut self.looked_at, key) == key {
            return;
        }
        let lanes: Vec<ThreadLane<'_>> = lanes.collect();
        let is_single = |lane: &ThreadLane<'_>| {
            let of_name = lanes.iter().filter(|other| other.name == lane.name);
            of_name.count() == 1
        };
        let mut before = std::mem::take(&mut self.watches);
        let mut columns = Columns::default();
        for lane in lanes.iter().filter(|lane| is_single(lane)) {
            let known = (before.remove(&lane.id)).filter(|known| known.0 == lane.is_frame_thread);
            let is_new = known.is_none();
            let watch = || watch_lane(source, recent, lane, &mut columns);
            let watches = known.map(|known| known.1).or_else(watch);
            if let Some(watches) = watches {
                self.watches
                    .insert(lane.id, (lane.is_frame_thread, watches));
                self.revision += u32::from(is_new);
            }
        }
    }

    /// Returns the times of a lane in a frame; `None` if they are unknown.
    pub(super) fn read(&self, source: &dyn Source, lane: usize, frame: u64) -> Option<ThreadTimes> {
        let (_, [ready, blocked]) = self.watches.get(&lane)?;
        let value = |watch| source.history(watch, usize::MAX).at(frame);
        Some(ThreadTimes {
            ready_ms: value(ready)?,
            blocked_ms: value(blocked)?,
        })
    }
}

fn watch_lane(
    source: &mut dyn Source,
    recent: &Recent,
    lane: &ThreadLane<'_>,
    columns: &mut Columns,
) -> Option<[Watch; 2]> {
    let folder = match lane.is_frame_thread {
        true => "frame".to_owned(),
        false => format!("threads/{}", lane.name.replace('/', "-")),
    };
    let mut watch = |name: &str| {
        let id = source.find(&format!("{folder}/{name}"))?;
        Some(recent.watch(source, id, columns))
    };
    Some([watch("ready")?, watch("blocked")?])
}

#[cfg(all(test, feature = "enabled"))]
mod tests {
    use super::*;
    use stats_core::{Recorder, gauge};

    #[test]
    fn times_of_which_one_is_unknown_are_unknown() {
        gauge("threads/half-known/ready").set(1);
        gauge("threads/half-known/blocked").set(2);
        let mut recorder = Recorder::new();
        let ready = recorder
            .find("threads/half-known/ready")
            .expect("it is registered");
        let mut recent = Recent::default();
        for frame in 0..3 {
            recorder.end_frame();
            let mut values = vec![f64::NAN; ready.number() as usize + 1];
            values[ready.number() as usize] = 1.0;
            recent.take(frame, 16.0, &values, &[]);
        }
        let lane = ThreadLane {
            id: 7,
            name: "half-known",
            is_frame_thread: false,
        };
        let mut reader = TimesReader::default();
        reader.watch(&mut recorder, &recent, 1, [lane].into_iter());
        recorder.end_frame();
        let both = ThreadTimes {
            ready_ms: 1.0,
            blocked_ms: 2.0,
        };
        assert_eq!(reader.read(&recorder, 7, 3), Some(both));
        let (_, [of_ready, _]) = &reader.watches[&7];
        assert_eq!(recorder.history(of_ready, usize::MAX).at(1), Some(1.0));
        assert_eq!(reader.read(&recorder, 7, 1), None);
    }
}
