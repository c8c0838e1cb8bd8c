//! Named sets of panes: those that the game brings, and those that the user keeps.

use crate::persist::saved::Preset;

/// All presets, those of the game first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presets {
    game: Vec<Preset>,
    own: Vec<Preset>,
}

impl Presets {
    /// Adds a preset of the game, or changes the one of that name.
    pub(crate) fn register(&mut self, preset: Preset) {
        put(&mut self.game, preset);
    }

    /// Keeps a preset of the user, or changes the one of that name.
    pub(crate) fn keep(&mut self, preset: Preset) {
        put(&mut self.own, preset);
    }

    /// Drops a preset of the user.
    pub(crate) fn forget(&mut self, name: &str) {
        self.own.retain(|preset| preset.name != name);
    }

    pub(crate) fn game(&self) -> &[Preset] {
        &self.game
    }

    pub(crate) fn own(&self) -> &[Preset] {
        &self.own
    }

    pub(crate) fn set_own(&mut self, own: Vec<Preset>) {
        self.own = own;
    }

    /// The preset of a name; the user's where both have one.
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
    fn a_name_is_there_once_and_the_users_comes_first() {
        let mut presets = Presets::default();
        presets.register(Preset::new("AI", vec![]));
        presets.register(Preset::new(
            "AI",
            vec![crate::persist::saved::SavedPane::new(["a"])],
        ));
        assert_eq!(
            (
                presets.game().len(),
                presets.find("AI").unwrap().panes.len()
            ),
            (1, 1)
        );
        presets.keep(Preset::new("AI", vec![]));
        assert_eq!(presets.find("AI").unwrap().panes.len(), 0);
        presets.forget("AI");
        assert_eq!(presets.find("AI").unwrap().panes.len(), 1);
        assert!(presets.find("none").is_none());
    }
}
