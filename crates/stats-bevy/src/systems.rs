//! Systems and schedules as timers.

use bevy_app::App;
use bevy_log::BoxedLayer;
use stats_tracing::StatsLayer;

/// Returns a layer that times Bevy's systems and schedules, for the `custom_layer` of its
/// `LogPlugin`.
///
/// ```
/// # use bevy_app::App;
/// use bevy_log::LogPlugin;
///
/// # let mut app = App::new();
/// app.add_plugins(LogPlugin {
///     // In a game: DefaultPlugins.set(LogPlugin { … })
///     custom_layer: stats_bevy::system_timers,
///     ..Default::default()
/// });
/// ```
///
/// A system has two paths. `tracing/<thread>/…/system: my_game::advance` is below the schedule in
/// which the system runs; if another thread runs it, it is directly below that thread.
/// `tracing/spans/system: my_game::advance` is the sum over all threads. Each run of a system takes
/// longer by the cost of an enabled span.
pub fn system_timers(_app: &mut App) -> Option<BoxedLayer> {
    Some(Box::new(StatsLayer::new().name_field("name")))
}
