//! Recordings of the run.

use std::ops::{Deref, DerefMut};

use bevy_app::App;
use bevy_ecs::prelude::*;
use stats_capture::{RecordingOptions, Recordings};

use crate::frame::{EndFrame, FrameEnd};
use crate::overlay::Overlay;

/// The recordings of the run, to start, stop and label them.
#[derive(Resource, Debug)]
pub struct Recording(Recordings);

impl Recording {
    /// Returns whether a recording is in progress, or the last frames are kept.
    pub(crate) fn is_active(&self) -> bool {
        let status = self.0.control().status();
        status.running.is_some() || status.recent.is_some()
    }
}

impl Deref for Recording {
    type Target = Recordings;

    fn deref(&self) -> &Recordings {
        &self.0
    }
}

impl DerefMut for Recording {
    fn deref_mut(&mut self) -> &mut Recordings {
        &mut self.0
    }
}

/// Adds recordings that the overlay controls, with these options or those of the environment.
pub(crate) fn add(app: &mut App, options: Option<&RecordingOptions>) {
    let recordings = match options {
        Some(options) => Recordings::new(options.clone()),
        None => Recordings::from_env().unwrap_or_else(|error| {
            bevy_log::error!("the run is not recorded: {error}");
            Recordings::new(RecordingOptions::default())
        }),
    };
    app.world_mut()
        .resource_mut::<Overlay>()
        .set_recording(recordings.control());
    app.insert_resource(Recording(recordings));
    app.add_systems(FrameEnd, end_frame.in_set(EndFrame));
}

fn end_frame(mut recording: ResMut<Recording>, mut has_begun: Local<bool>) {
    if std::mem::replace(&mut *has_begun, true) {
        recording.end_frame();
    } else {
        // Loading does not count as a frame.
        recording.restart_frame();
    }
}
