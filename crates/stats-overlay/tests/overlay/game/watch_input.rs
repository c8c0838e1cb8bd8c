//! While the panes are watched, the game keeps all input. Two programs get the same input, one with
//! the panes over everything and one with a hidden overlay. Only their pictures differ.

use egui::{
    Context, Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, RawInput, Rect,
    TouchDeviceId, TouchId, TouchPhase, Vec2, vec2,
};
use egui_kittest::Harness;
use stats_overlay::{FRAME_TIME, Mode, PaneView, SavedPane, StatsOverlay};
use stats_testing::Random;

use crate::painted::texts;
use crate::scoped::Scoped;

const SIZE: Vec2 = vec2(800.0, 600.0);

/// A program with widgets of all kinds under the overlay.
struct Program {
    overlay: StatsOverlay,
    recorder: Scoped,
    overlay_first: bool,
    seen: Seen,
}

/// The input that reaches the program.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    events: Vec<Event>,
    clicks: usize,
    right_clicks: usize,
    level: f32,
    text: String,
    scrolled: f32,
    hovered: [bool; 3],
    dragged: Vec2,
    wants: [bool; 4],
}

impl Program {
    fn new(mode: Mode, overlay_first: bool) -> Self {
        let mut overlay = StatsOverlay::new();
        let mut settings = overlay.settings().clone();
        (settings.watch_share, settings.overlay_budget_ms) = (1.0, 100.0);
        overlay.set_settings(&settings);
        overlay.set_mode(mode);
        let pane_of = |&view: &PaneView| {
            let mut pane = SavedPane::new([FRAME_TIME, "watch-input/x"]);
            pane.view = view;
            pane
        };
        let panes: Vec<SavedPane> = PaneView::ALL.iter().map(pane_of).collect();
        overlay.show_panes(&panes);
        let mut recorder = Scoped::new("watch-input");
        let counter = stats_core::counter("watch-input/x").budget(40.0);
        let watch = recorder.watch(counter.id());
        recorder.mark("loading", stats_core::MarkEvent::Begin);
        for frame in 0..400_u32 {
            counter.add(f64::from(frame % 50));
            recorder.end_frame_at(f64::from(frame + 1) * 0.016);
        }
        drop(watch);
        Self {
            overlay,
            recorder,
            overlay_first,
            seen: Seen::default(),
        }
    }

    fn ui(&mut self, ui: &mut egui::Ui) {
        stats_ui::retained::keep_texts(ui.ctx());
        if self.overlay_first {
            self.overlay.show_with(ui.ctx(), &mut self.recorder);
        }
        let seen = &mut self.seen;
        ui.input(|input| seen.events.extend_from_slice(&input.events));
        egui::Panel::bottom("bottom").show(ui, |ui| {
            let area = egui::ScrollArea::vertical().max_height(120.0);
            let scrolled = area.show_viewport(ui, |ui, viewport| {
                ui.set_min_size(vec2(300.0, 3000.0));
                viewport.top()
            });
            seen.scrolled = scrolled.inner;
        });
        egui::CentralPanel::default().show(ui, |ui| {
            let button = ui.button("A button").on_hover_text("A tooltip");
            seen.clicks += usize::from(button.clicked());
            seen.right_clicks += usize::from(button.secondary_clicked());
            let slider = ui.add(egui::Slider::new(&mut seen.level, 0.0..=100.0));
            let field = ui.text_edit_singleline(&mut seen.text);
            seen.hovered = [&button, &slider, &field].map(egui::Response::hovered);
            let (_, rect) = ui.allocate_space(vec2(300.0, 80.0));
            let id = ui.make_persistent_id("dragged");
            let dragged = ui.interact(rect, id, egui::Sense::click_and_drag());
            seen.dragged += dragged.drag_delta();
        });
        egui::Window::new("A window")
            .fixed_pos([420.0, 40.0])
            .show(ui.ctx(), |ui| {
                ui.label("that can be hovered");
            });
        if !self.overlay_first {
            self.overlay.show_with(ui.ctx(), &mut self.recorder);
        }
        let ctx = ui.ctx();
        self.seen.wants = [
            ctx.egui_wants_pointer_input(),
            ctx.egui_wants_keyboard_input(),
            ctx.egui_is_using_pointer(),
            ctx.is_pointer_over_egui(),
        ];
    }
}

fn harness(program: Program) -> Harness<'static, Program> {
    Harness::builder()
        .with_size(SIZE)
        .with_step_dt(1.0 / 60.0)
        .with_accessibility_check(false)
        .build_ui_state(|ui, program: &mut Program| program.ui(ui), program)
}

/// Places on the widgets of the program, and beside them.
const WIDGETS: [Pos2; 8] = [
    Pos2::new(10.0, 12.0),
    Pos2::new(20.0, 45.0),
    Pos2::new(40.0, 68.0),
    Pos2::new(80.0, 68.0),
    Pos2::new(60.0, 110.0),
    Pos2::new(440.0, 60.0),
    Pos2::new(100.0, 540.0),
    Pos2::new(500.0, 300.0),
];

/// Returns some input at or near a widget.
fn event(random: &mut Random, pos: &mut Pos2, down: &mut Option<PointerButton>) -> Event {
    let modifiers = Modifiers::NONE;
    match random.below(10) {
        0..=2 => {
            let near = WIDGETS[random.below(WIDGETS.len() as u64) as usize];
            *pos = near + vec2(random.below(30) as f32, random.below(9) as f32);
            Event::PointerMoved(*pos)
        }
        3..=6 => {
            let pressed = down.is_none();
            let secondary = random.below(5) == 0;
            let button = down.take().unwrap_or(if secondary {
                PointerButton::Secondary
            } else {
                PointerButton::Primary
            });
            *down = pressed.then_some(button);
            Event::PointerButton {
                pos: *pos,
                button,
                pressed,
                modifiers,
            }
        }
        7 => Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, random.below(80) as f32 - 40.0),
            phase: TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
            modifiers,
        },
        8 if random.below(2) == 0 => {
            let keys = [Key::Space, Key::T, Key::N, Key::Tab, Key::W];
            Event::Key {
                key: keys[random.below(5) as usize],
                physical_key: None,
                pressed: random.below(2) == 0,
                repeat: false,
                modifiers,
            }
        }
        8 => Event::Touch {
            device_id: TouchDeviceId(1),
            id: TouchId(random.below(2)),
            phase: [TouchPhase::Start, TouchPhase::Move, TouchPhase::End][random.below(3) as usize],
            pos: *pos,
            force: None,
        },
        _ => Event::Text("a".to_owned()),
    }
}

#[test]
fn the_program_sees_the_same_input_as_under_a_hidden_overlay() {
    for overlay_first in [false, true] {
        let mut random = Random::new(7);
        let (mut pos, mut down) = (Pos2::ZERO, None);
        let mut hidden = harness(Program::new(Mode::Hidden, overlay_first));
        let mut watched = harness(Program::new(Mode::Watch, overlay_first));
        let mut tooltips = 0;
        for step in 0..600 {
            // Pauses now and then, so that tooltips appear.
            for _ in 0..if step % 100 < 60 { random.below(3) } else { 0 } {
                let event = event(&mut random, &mut pos, &mut down);
                hidden.event(event.clone());
                watched.event(event);
            }
            hidden.step();
            watched.step();
            assert_eq!(
                hidden.state().seen,
                watched.state().seen,
                "step {step}, {overlay_first}"
            );
            hidden.state_mut().seen.events.clear();
            watched.state_mut().seen.events.clear();
            let widgets =
                |ctx: &Context| ctx.viewport(|viewport| viewport.prev_pass.widgets.clone());
            assert!(
                widgets(&hidden.ctx) == widgets(&watched.ctx),
                "the panes have a widget in step {step}"
            );
            let painted = texts(&watched.output().shapes).into_iter();
            let painted: Vec<&str> = painted.map(|(text, _)| text.galley.text()).collect();
            tooltips += usize::from(painted.contains(&"A tooltip"));
            // In debug builds, egui paints its warnings with a flame.
            assert!(
                !painted.iter().any(|text| text.contains('🔥')),
                "{painted:?}"
            );
            assert!(painted.len() > texts(&hidden.output().shapes).len() + 10);
            assert!(!watched.state().overlay.wants_input());
        }
        let seen = &watched.state().seen;
        assert!(
            seen.clicks > 2
                && !seen.text.is_empty()
                && seen.level > 0.0
                && seen.dragged != Vec2::ZERO,
            "the input reached the widgets: {seen:?}"
        );
        assert!(tooltips > 0, "no tooltip was shown");
    }
}

/// Returns what egui reports about the pointer and the keyboard in each step of a game without
/// widgets. `runs` is whether egui runs the passes; otherwise, the host begins and ends them
/// itself.
fn wants_of_a_game(mode: Mode, runs: bool) -> Vec<([bool; 4], egui::CursorIcon, bool)> {
    let (ctx, mut overlay) = (Context::default(), StatsOverlay::new());
    let mut settings = overlay.settings().clone();
    settings.watch_share = 1.0;
    overlay.set_settings(&settings);
    overlay.set_mode(mode);
    let step = |step: u32| {
        let at = Pos2::new((step * 37 % 800) as f32, (step * 53 % 600) as f32);
        let button = Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed: step.is_multiple_of(2),
            modifiers: Modifiers::NONE,
        };
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(f64::from(step) / 60.0),
            events: vec![Event::PointerMoved(at), button],
            ..RawInput::default()
        };
        let mut output = if runs {
            ctx.run_ui(input, |ui| overlay.show(ui.ctx()))
        } else {
            ctx.begin_pass(input);
            overlay.show(&ctx);
            ctx.end_pass()
        };
        output.textures_delta.clear();
        assert!(!overlay.wants_input());
        let wants = [
            ctx.egui_wants_pointer_input(),
            ctx.egui_wants_keyboard_input(),
            ctx.egui_is_using_pointer(),
            ctx.is_pointer_over_egui(),
        ];
        let paints = output.shapes.len() > 5;
        (wants, output.platform_output.cursor_icon, paints)
    };
    (0..200).map(step).collect()
}

#[test]
fn egui_wants_no_input_in_a_game_without_widgets() {
    for runs in [false, true] {
        let hidden = wants_of_a_game(Mode::Hidden, runs);
        let watched = wants_of_a_game(Mode::Watch, runs);
        for (step, (hidden, watched)) in hidden.iter().zip(&watched).enumerate() {
            assert_eq!((hidden.0, hidden.1), (watched.0, watched.1), "{step}");
            assert!(!hidden.2 && watched.2);
            // Without a root `Ui`, egui treats the whole screen as a panel.
            assert!(!runs || watched.0 == [false; 4], "{step}: {watched:?}");
        }
    }
}

#[test]
fn only_the_toggle_key_is_taken_from_the_keyboard() {
    let mut harness = harness(Program::new(Mode::Watch, true));
    harness.run_steps(2);
    for key in [Key::Space, Key::W, Key::Escape, Key::H, Key::F3] {
        harness.key_press(key);
        harness.step();
        let seen =
            harness.state().seen.events.iter().any(
                |event| matches!(event, Event::Key { key: of, pressed: true, .. } if *of == key),
            );
        assert_eq!(seen, key != Key::F3, "{key:?}");
        harness.step();
    }
    assert_eq!(harness.state().overlay.mode(), Mode::Full);
    assert!(!harness.state().overlay.paused());
}
