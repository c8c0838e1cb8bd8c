//! The end of a frame.

use bevy_app::{App, First, MainScheduleOrder};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};

use crate::diagnostics::{publish_diagnostics, publish_world};
use crate::overlay::Overlay;

/// The schedule in which a frame ends: once per run of the main schedule, before [`First`]. No
/// system of [`First`] can be ordered before it.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FrameEnd;

/// The systems that end the frame, after its values have been published.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct EndFrame;

pub(crate) fn add(app: &mut App) {
    let mut schedule = Schedule::new(FrameEnd);
    // A few short systems: other threads would take longer to wake.
    schedule.set_executor(SingleThreadedExecutor::new());
    app.add_schedule(schedule);
    app.init_resource::<MainScheduleOrder>();
    app.world_mut()
        .resource_mut::<MainScheduleOrder>()
        .insert_before(First, FrameEnd);
    app.add_systems(
        FrameEnd,
        (
            (publish_diagnostics, publish_world).before(EndFrame),
            end_frame.in_set(EndFrame),
        ),
    );
}

fn end_frame(mut overlay: ResMut<Overlay>) {
    overlay.end_frame();
}
