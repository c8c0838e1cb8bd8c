//! Presets: named sets of panes, from the game and from the user.

use crate::persist::saved::Preset;

/// All presets, and the typed name of a new one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presets {
    game: Vec<Preset>,
    pub(super) own: Vec<Preset>,
    /// The name typed so far for a new preset.
    pub(super) typed: String,
}

impl Presets {
    /// Adds a preset of the game, or replaces the game's preset of the same name.
    pub(crate) fn register(&mut self, preset: Preset) {
        put(&mut self.game, preset);
    }

    /// Adds a preset of the user, or replaces the user's preset of the same name.
    pub(super) fn keep(&mut self, preset: Preset) {
        put(&mut self.own, preset);
    }

    /// Removes a preset of the user.
    pub(super) fn forget(&mut self, name: &str) {
        self.own.retain(|preset| preset.name != name);
    }

    /// Returns the game's presets, except those that a user's preset of the same name replaces.
    pub(super) fn game_not_replaced(&self) -> impl Iterator<Item = &Preset> {
        let is_own = |preset: &&Preset| self.own.iter().any(|own| own.name == preset.name);
        self.game.iter().filter(move |preset| !is_own(preset))
    }

    /// Finds a preset by its name. A user's preset takes precedence over the game's.
    pub(crate) fn find(&self, name: &str) -> Option<&Preset> {
        self.own
            .iter()
            .chain(&self.game)
            .find(|preset| preset.name == name)
    }
}

fn put(presets: &mut Vec<Preset>, preset: Preset) {
    match presets.iter_mut().find(|held| held.name == preset.name) {
        Some(held) => *held = preset,
        None => presets.push(preset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_unique_and_the_users_preset_comes_first() {
        let mut presets = Presets::default();
        presets.register(Preset::new("AI", vec![]));
        presets.register(Preset::new(
            "AI",
            vec![crate::persist::saved::SavedPane::new(["a"])],
        ));
        assert_eq!(
            (
                presets.game_not_replaced().count(),
                presets.find("AI").unwrap().panes.len()
            ),
            (1, 1)
        );
        presets.keep(Preset::new("AI", vec![]));
        assert_eq!(presets.find("AI").unwrap().panes.len(), 0);
        assert_eq!(presets.game_not_replaced().count(), 0);
        presets.forget("AI");
        assert_eq!(presets.find("AI").unwrap().panes.len(), 1);
        assert!(presets.find("none").is_none());
    }
}
