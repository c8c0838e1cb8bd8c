//! Marks the frames of each state.

use bevy_app::{App, Last};
use bevy_ecs::prelude::*;
use bevy_state::state::{StateTransitionEvent, States};
use stats_core::MarkEvent;

use crate::overlay::Overlay;

/// Adds [`mark_states`](Self::mark_states) to an [`App`].
pub trait MarkStates {
    /// Marks the frames that the app spends in each state of the type `S` as a span with the name
    /// of the state, such as `GameState::Loading`.
    ///
    /// A span begins with the frame in which the state is entered, and ends with the frame in which
    /// it is exited; both frames belong to it. Recordings include the marks. The statistics of
    /// frame times can leave out the frames of a state, such as loading.
    ///
    /// ```
    /// # use bevy_app::App;
    /// # use bevy_state::prelude::*;
    /// # use bevy_state::app::StatesPlugin;
    /// # use stats_bevy::Overlay;
    /// use stats_bevy::MarkStates;
    ///
    /// #[derive(States, Clone, PartialEq, Eq, Hash, Debug, Default)]
    /// enum GameState {
    ///     #[default]
    ///     Loading,
    ///     Playing,
    /// }
    ///
    /// # let mut app = App::new();
    /// # app.add_plugins(StatesPlugin).init_resource::<Overlay>();
    /// app.init_state::<GameState>().mark_states::<GameState>();
    /// # app.update();
    /// ```
    fn mark_states<S: States>(&mut self) -> &mut Self;
}

impl MarkStates for App {
    fn mark_states<S: States>(&mut self) -> &mut Self {
        if stats_core::ENABLED {
            self.add_message::<StateTransitionEvent<S>>();
            self.add_systems(Last, mark::<S>);
        }
        self
    }
}

fn mark<S: States>(
    mut transitions: MessageReader<StateTransitionEvent<S>>,
    mut overlay: ResMut<Overlay>,
    #[cfg(feature = "capture")] mut recording: Option<ResMut<crate::Recording>>,
) {
    for transition in transitions.read() {
        for (state, event) in [
            (&transition.exited, MarkEvent::End),
            (&transition.entered, MarkEvent::Begin),
        ] {
            if let Some(state) = state {
                let name = name_of(state);
                overlay.mark(&name, event);
                #[cfg(feature = "capture")]
                if let Some(recording) = &mut recording {
                    recording.mark(&name, event);
                }
            }
        }
    }
}

/// Returns `GameState::Loading` for a state of the type `my_game::GameState`.
fn name_of<S: States>(state: &S) -> String {
    let name = short_name(std::any::type_name::<S>());
    format!("{name}::{state:?}")
}

/// Returns `Wrapper` for `my_game::Wrapper<other::Inner>`.
fn short_name(type_name: &str) -> &str {
    let path = type_name.split('<').next().unwrap_or(type_name);
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_no_modules_and_no_parameters() {
        for (type_name, name) in [
            ("my_game::menu::GameState", "GameState"),
            ("GameState", "GameState"),
            ("my_game::Wrapper<other::Inner>", "Wrapper"),
        ] {
            assert_eq!(short_name(type_name), name);
        }
    }
}
