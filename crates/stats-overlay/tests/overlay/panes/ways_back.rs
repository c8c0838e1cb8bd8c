//! The ways back: Esc goes back one layer at a time; Space, R and the buttons return to the newest
//! frames.

use egui::{Event, Key, PointerButton, Popup, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Recorder, counter};
use stats_overlay::{Action, FRAME_TIME, Mode, PaneView, Preset, SavedPane, StatsOverlay};

use crate::host::{Host, click, harness, press, value_of};

/// A way back to the newest frames.
type Way<'a> = &'a dyn Fn(&mut Harness<'_, Host>);

/// A mistake of the user, or its correction.
type Change = fn(&mut StatsOverlay);

const SIZE: Vec2 = vec2(1280.0, 800.0);

/// The layers that can be open above the panes, in the order in which Esc closes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layers {
    menu: bool,
    search: bool,
    sheet: Option<Action>,
    memory: bool,
    selected: bool,
    mode: Mode,
}

impl Layers {
    const SHEETS: [Option<Action>; 4] = [
        None,
        Some(Action::ToggleHelp),
        Some(Action::ToggleSettings),
        Some(Action::ToggleProblems),
    ];

    /// Returns every combination with two of the sheets, and each of the other sheets with
    /// everything else open.
    fn all() -> impl Iterator<Item = Self> {
        let of = |bits: usize, sheet: usize| Self {
            menu: bits & 1 > 0,
            search: bits & 2 > 0,
            memory: bits & 4 > 0,
            selected: bits & 8 > 0,
            sheet: Self::SHEETS[sheet],
            mode: Mode::Full,
        };
        let combinations = (0..16).flat_map(move |bits| [of(bits, 0), of(bits, 1)]);
        combinations.chain([of(15, 2), of(15, 3)])
    }

    /// Returns the layers that one press of Esc leaves open.
    fn peeled(mut self) -> Self {
        if self.menu {
            self.menu = false;
        } else if self.search && !self.memory {
            self.search = false;
        } else if self.sheet.is_some() {
            self.sheet = None;
        } else if self.memory {
            self.memory = false;
        } else if self.selected {
            self.selected = false;
        }
        // The last layer stays.
        self
    }

    /// Returns the number of presses of Esc that close all layers, and two more.
    fn presses(self) -> usize {
        let mut layers = self;
        let mut count = 2;
        while layers.peeled() != layers {
            (layers, count) = (layers.peeled(), count + 1);
        }
        count
    }

    fn open(self, harness: &mut Harness<'_, Host>) {
        let overlay = &mut harness.state_mut().overlay;
        overlay.set_mode(Mode::Full);
        overlay.set_search(if self.search { "ways" } else { "" });
        overlay.select_frames(self.selected.then_some(10..20));
        if self.memory {
            overlay.act(Action::ToggleMemory);
        }
        self.sheet.into_iter().for_each(|sheet| overlay.act(sheet));
        harness.run_steps(2);
        if self.menu {
            click(harness, "Menu");
        }
    }

    fn shown(harness: &Harness<'_, Host>) -> Self {
        let overlay = &harness.state().overlay;
        let is_full = overlay.mode() == Mode::Full;
        let has = |label: &str| harness.query_by_label_contains(label).is_some();
        let sheets = [
            ("help hidden, HUD, watch, full", Action::ToggleHelp),
            ("for each watched series", Action::ToggleSettings),
            // Other tests of this process may have caused some.
            ("No problems", Action::ToggleProblems),
            ("Copy all", Action::ToggleProblems),
        ];
        let sheet = sheets.into_iter().find(|(label, _)| has(label));
        Self {
            menu: Popup::is_any_open(&harness.ctx),
            search: !overlay.search().is_empty(),
            sheet: sheet.map(|(_, action)| action),
            memory: is_full && harness.query_by_label("Search counters").is_none(),
            selected: overlay.selected_frames().is_some(),
            mode: overlay.mode(),
        }
    }
}

fn recorded(scope: &'static str) -> Harness<'static, Host> {
    let _ = counter(&format!("{scope}/a"));
    let mut harness = harness(SIZE, Host::full(scope));
    harness.run_steps(2);
    harness.state_mut().record(899, |_| {});
    harness.run_steps(10);
    harness
}

#[test]
fn escape_closes_exactly_one_layer_in_every_combination() {
    let mut harness = recorded("ways-layers");
    for layers in Layers::all() {
        layers.open(&mut harness);
        let mut expected = layers;
        assert_eq!(Layers::shown(&harness), expected, "{layers:?}");
        for _ in 0..layers.presses() {
            expected = expected.peeled();
            press(&mut harness, Key::Escape);
            assert_eq!(Layers::shown(&harness), expected, "{layers:?}");
        }
        // The memory view covers the search, which it leaves as it is.
        harness.state_mut().overlay.set_search("");
    }
}

#[test]
fn a_game_pad_goes_back_as_the_key_does() {
    let mut harness = recorded("ways-pad");
    let layers = Layers {
        menu: true,
        search: true,
        sheet: Some(Action::ToggleHelp),
        memory: false,
        selected: true,
        mode: Mode::Full,
    };
    layers.open(&mut harness);
    let mut expected = layers;
    for _ in 0..layers.presses() {
        expected = expected.peeled();
        harness.state_mut().overlay.act(Action::Back);
        harness.run_steps(2);
        assert_eq!(Layers::shown(&harness), expected);
    }
}

#[test]
fn escape_in_the_search_box_clears_the_search_and_leaves_the_box() {
    let mut harness = recorded("ways-box");
    press(&mut harness, Key::Slash);
    harness.event(Event::Text("/".to_owned()));
    harness.run_steps(2);
    harness.event(Event::Text("ways box".to_owned()));
    harness.run_steps(2);
    assert_eq!(harness.state().overlay.search(), "ways box");
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().overlay.search(), "");
    press(&mut harness, Key::Space);
    assert!(
        harness.state().overlay.paused(),
        "the box no longer has the keyboard"
    );
    assert_eq!(harness.state().overlay.search(), "");
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
}

/// Types a space and letters that are keys of the panel.
fn type_text(harness: &mut Harness<'_, impl Sized>) {
    for (key, text) in [(Key::R, "r"), (Key::Space, " "), (Key::N, "n")] {
        harness.key_down(key);
        harness.event(Event::Text(text.to_owned()));
        harness.key_up(key);
        harness.step();
    }
    harness.run_steps(2);
}

#[test]
fn an_item_of_a_menu_is_chosen_by_keys() {
    let mut harness = recorded("ways-menu-keys");
    click(&mut harness, "Menu");
    harness.get_by_label_contains("Add a pane").focus();
    harness.run_steps(2);
    press(&mut harness, Key::Enter);
    assert_eq!(harness.state().overlay.pane_count(), 2);
}

#[test]
fn a_preset_leaves_the_memory_view() {
    let mut harness = recorded("ways-preset");
    let overlay = &mut harness.state_mut().overlay;
    overlay.add_preset(Preset::new("two", vec![SavedPane::new(["a"]); 2]));
    overlay.act(Action::ToggleMemory);
    harness.run_steps(2);
    assert!(harness.query_by_label("Search counters").is_none());
    assert!(harness.state_mut().overlay.show_preset("two"));
    harness.run_steps(2);
    assert!(harness.query_by_label("Search counters").is_some());
    assert_eq!(harness.state().overlay.pane_count(), 2);
}

#[test]
fn a_text_field_in_a_menu_keeps_space_and_letters() {
    let mut harness = recorded("ways-menu-field");
    click(&mut harness, "Presets");
    click(&mut harness, "Preset name");
    type_text(&mut harness);
    assert_eq!(value_of(&harness, "Preset name"), "r n");
    let overlay = &harness.state().overlay;
    assert!(!overlay.paused() && overlay.pane_count() == 1);
    press(&mut harness, Key::Escape);
    assert!(!Popup::is_any_open(&harness.ctx));
    press(&mut harness, Key::Escape);
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
}

#[test]
fn escape_in_a_field_of_the_settings_leaves_the_field_and_its_value() {
    let mut harness = recorded("ways-settings-field");
    press(&mut harness, Key::O);
    let before = harness.state().overlay.settings().clone();
    let budget = format!("{:.2} ms", 1000.0 / 60.0);
    harness.get_by_value(&budget).click();
    harness.run_steps(3);
    type_text(&mut harness);
    assert!(!harness.state().overlay.paused());
    harness.event(Event::Text("99".to_owned()));
    harness.run_steps(2);
    press(&mut harness, Key::Escape);
    assert_eq!(*harness.state().overlay.settings(), before);
    assert!(
        harness
            .query_by_label_contains("for each watched")
            .is_some()
    );
    press(&mut harness, Key::Escape);
    assert!(
        harness
            .query_by_label_contains("for each watched")
            .is_none()
    );
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
}

#[test]
fn a_text_field_of_the_host_keeps_space_and_letters_beside_an_embedded_panel() {
    let (mut overlay, mut recorder, mut text) =
        (StatsOverlay::new(), Recorder::new(), String::new());
    let mut harness = Harness::builder().with_size(SIZE).build_ui_state(
        |ui, (overlay, recorder, text): &mut (StatsOverlay, Recorder, String)| {
            let field = ui.text_edit_singleline(text);
            stats_ui::accessibility::name_field(ui.ctx(), field.id, "Host field");
            overlay.ui_with(ui, recorder);
        },
        (
            std::mem::take(&mut overlay),
            std::mem::take(&mut recorder),
            std::mem::take(&mut text),
        ),
    );
    harness.run_steps(2);
    harness.get_by_label("Host field").click();
    harness.run_steps(2);
    type_text(&mut harness);
    assert_eq!(harness.state().2, "r n");
    let overlay = &harness.state().0;
    assert!(!overlay.paused() && overlay.pane_count() == 1);
}

fn is_live(harness: &Harness<'_, Host>) -> bool {
    harness.query_by_label("Paused").is_none()
        && harness.query_by_label("Resume").is_none()
        && harness.query_by_label("Back to newest").is_none()
        && !harness.state().overlay.paused()
}

#[test]
fn every_way_back_ends_the_pause_and_follows_the_newest_frames() {
    let double_click = |harness: &mut Harness<'_, Host>| {
        let at = harness.get_by_label("All frames").rect().center();
        harness.event(Event::PointerMoved(at));
        for pressed in [true, false, true, false] {
            harness.event(Event::PointerButton {
                pos: at,
                button: PointerButton::Primary,
                pressed,
                modifiers: egui::Modifiers::NONE,
            });
            harness.run_steps(1);
        }
    };
    let ways: [(&str, Way<'_>); 6] = [
        ("Resume", &|harness| click(harness, "Resume")),
        ("R", &|harness| press(harness, Key::R)),
        ("Space", &|harness| press(harness, Key::Space)),
        ("the menu", &|harness| {
            click(harness, "Menu");
            click(harness, "Back to newest R");
        }),
        ("code", &|harness| {
            harness.state_mut().overlay.set_paused(false);
        }),
        ("a double click", &double_click),
    ];
    let mut harness = recorded("ways-live");
    for (name, back) in ways {
        press(&mut harness, Key::Space);
        for _ in 0..3 {
            press(&mut harness, Key::Comma);
        }
        harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::ArrowLeft);
        harness.run_steps(3);
        assert!(harness.query_by_label("Paused").is_some(), "{name}");
        back(&mut harness);
        harness.run_steps(3);
        assert!(is_live(&harness), "{name}");
    }
}

#[test]
fn resuming_keeps_the_selected_frames_and_r_deselects_them() {
    let mut harness = recorded("ways-selected");
    press(&mut harness, Key::Space);
    harness.state_mut().overlay.select_frames(Some(850..860));
    harness.run_steps(2);
    press(&mut harness, Key::Space);
    assert_eq!(
        harness.state().overlay.selected_frames(),
        Some(850..860),
        "resuming loses nothing"
    );
    press(&mut harness, Key::R);
    assert_eq!(harness.state().overlay.selected_frames(), None);
}

#[test]
fn a_series_that_was_deselected_by_mistake_has_all_its_values_again() {
    let path = "ways-slip/x";
    let count = counter(path);
    let mut harness = harness(SIZE, Host::full("ways-slip"));
    harness.state_mut().overlay.select(path);
    harness.state_mut().overlay.set_view(PaneView::Table);
    harness.state_mut().overlay.preset("other", [FRAME_TIME]);
    harness.state_mut().overlay.preset("slip", [path]);
    harness.run_steps(2);
    let slips: [(&str, [Change; 2]); 3] = [
        (
            "deselected and selected",
            [
                |overlay| overlay.deselect("ways-slip/x"),
                |overlay| overlay.select("ways-slip/x"),
            ],
        ),
        (
            "another preset and back",
            [
                |overlay| assert!(overlay.show_preset("other")),
                |overlay| assert!(overlay.show_preset("slip")),
            ],
        ),
        (
            "its pane removed, and selected in the next",
            [
                |overlay| overlay.act(Action::RemovePane),
                |overlay| overlay.select("ways-slip/x"),
            ],
        ),
    ];
    for (round, (name, [slip, back])) in slips.into_iter().enumerate() {
        let end = 100 * (round as u64 + 1);
        harness
            .state_mut()
            .record(end - 50, |frame| count.add(frame as f64));
        harness.run_steps(2);
        slip(&mut harness.state_mut().overlay);
        harness.run_steps(2);
        harness
            .state_mut()
            .record(end, |frame| count.add(frame as f64));
        harness.run_steps(2);
        back(&mut harness.state_mut().overlay);
        harness.state_mut().overlay.set_view(PaneView::Table);
        harness.run_steps(10);
        for frame in end - 15..=end {
            let row = value_of(&harness, &format!("frame {frame}"));
            assert!(row.ends_with(&frame.to_string()), "{name}: {frame}: {row}");
        }
    }
    // A minute later its history ends, whether the overlay is hidden or not.
    harness.state_mut().overlay.deselect(path);
    harness.state_mut().overlay.set_mode(Mode::Hidden);
    harness.run_steps(2);
    harness.state_mut().record(301, |_| {});
    assert_eq!(harness.state().recorder.watched(), 1);
    harness.input_mut().time = Some(harness.ctx.input(|input| input.time) + 61.0);
    harness.run_steps(1);
    harness.state_mut().record(302, |_| {});
    assert_eq!(harness.state().recorder.watched(), 0);
}
