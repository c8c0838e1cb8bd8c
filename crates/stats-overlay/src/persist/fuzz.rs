//! Feeds tens of thousands of damaged texts to the two parsers. No text makes a parser panic or
//! run without end, and every accepted text means the same after it is written and read again.

use super::saved::{PaneLayout, Preset, SavedPane, SavedState};
use crate::input::mode::{HudSize, Mode, Place};
use crate::input::pane_view::PaneView;
use crate::input::saved_field::Named;
use crate::views::views;
use stats_testing::Random;

const ROUNDS: usize = 30_000;

fn paths(random: &mut Random, end: u64) -> Vec<String> {
    (0..random.below(end)).map(|_| random.path()).collect()
}

fn panes(random: &mut Random) -> Vec<SavedPane> {
    (0..random.below(4)).map(|_| pane(random)).collect()
}

/// Defines `pane`, which returns any choices of each view.
macro_rules! define {
    ($(
        $what:literal $Name:ident $folder:ident::$View:ident $(($Choices:ident))?
        $does:literal $($($Shift:literal)? $Key:ident $Toggle:ident)?;
    )*) => {
        fn pane(random: &mut Random) -> SavedPane {
            SavedPane {
                paths: paths(random, 6),
                name: random.path(),
                view: PaneView::ALL[random.below(PaneView::ALL.len() as u64) as usize],
                weight: 0.05 + random.below(1_000_000) as f32 * 1e-5,
                $($($folder: crate::$folder::choices::$Choices::random(random),)?)*
            }
        }
    };
}

views!(define);

fn saved(random: &mut Random) -> SavedState {
    let mut saved = SavedState::default();
    saved.settings.opacity = 0.3 + random.below(700_000) as f32 * 1e-6;
    saved.settings.frame_budget_ms =
        (random.below(3) > 0).then(|| 1000.0 / (1 + random.below(500)) as f64);
    saved.settings.display_hz = (random.below(2) == 0).then(|| 10.0 + random.below(990) as f64);
    saved.settings.excluded_marks = paths(random, 3);
    saved.settings.seconds = random.below(2) == 0;
    saved.settings.hud_place = Place::NAMES[random.below(8) as usize].1;
    saved.settings.hud_size = HudSize::NAMES[random.below(4) as usize].1;
    saved.settings.hud_statistics = random.below(2) == 0;
    saved.settings.hitches = random.below(2) == 0;
    saved.settings.hitches_while_hidden = random.below(2) == 0;
    saved.settings.flight_recorder = random.below(2) == 0;
    saved.settings.first_steps = random.below(2) == 0;
    saved.settings.cycle_watch = random.below(2) == 0;
    saved.settings.watch_place = Place::NAMES[random.below(8) as usize].1;
    saved.settings.watch_share = 0.2 + random.below(800_000) as f32 * 1e-6;
    saved.settings.pause_on_spike = (random.below(2) == 0).then(|| random.path());
    saved.presets = (0..random.below(3))
        .map(|_| Preset::new(&random.path(), panes(random)))
        .collect();
    saved.favorites = paths(random, 5);
    saved.colors = (0..random.below(4))
        .map(|_| (random.path(), random.below(16) as usize))
        .collect();
    saved.pinned = paths(random, 5);
    saved.layout.mode = (random.below(2) == 0).then(|| Mode::NAMES[random.below(4) as usize].1);
    saved.layout.panes = panes(random);
    saved.layout.active = random.below(saved.layout.panes.len() as u64) as usize;
    saved
}

/// Changes, removes, repeats and inserts bytes, and sometimes inserts a piece of the grammar.
fn damage(text: &str, random: &mut Random, pieces: &[&str]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() as u64) as usize;
        let end = (at + random.below(30) as usize).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.extend_from_within(at..end),
            4 => bytes.truncate(at),
            _ => drop(bytes.splice(
                at..at,
                pieces[random.below(pieces.len() as u64) as usize].bytes(),
            )),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_saved_state_is_read_back_the_same() {
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let saved = saved(&mut random);
        assert_eq!(saved.to_string().parse::<SavedState>().unwrap(), saved);
        let line = saved.layout.to_line();
        assert!(
            line.bytes()
                .all(|byte| byte == b' ' || byte.is_ascii_graphic()),
            "{line}"
        );
        assert_eq!(
            PaneLayout::from_line(&line).unwrap(),
            saved.layout,
            "{line}"
        );
    }
}

/// Damages the texts of random states, sometimes by inserting one of `pieces`, and parses them.
/// `accepts` checks the result, and returns whether the parser accepted the text.
fn fuzz<T>(
    seed: u64,
    pieces: &[&str],
    text: impl Fn(&SavedState) -> String,
    parse: impl Fn(&str) -> T,
    accepts: impl Fn(&str, T) -> bool,
) {
    let (mut random, mut accepted) = (Random::new(seed), 0);
    for _ in 0..ROUNDS {
        let text = text(&saved(&mut random));
        let text = damage(&text, &mut random, pieces);
        accepted += usize::from(accepts(&text, parse(&text)));
    }
    assert!(
        (ROUNDS / 200..ROUNDS).contains(&accepted),
        "{accepted} of {ROUNDS} were accepted"
    );
}

#[test]
fn damaged_json_is_refused_or_means_the_same_when_written_again() {
    let pieces = "{ } [ ] , : \" null true 1e308 -0.0 1E-400 18446744073709551616 \\ud800 \\u0000 \
                  \"version\":2, \"view\":\"pie\", {\"a\": \"sort\":{},";
    let pieces: Vec<&str> = pieces.split(' ').collect();
    let parse = |text: &str| text.parse::<SavedState>();
    fuzz(2, &pieces, SavedState::to_string, parse, |text, read| {
        match &read {
            Ok(saved) => {
                assert_eq!(parse(&saved.to_string()).unwrap(), *saved, "{text}");
            }
            Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
        }
        read.is_ok()
    });
}

#[test]
fn a_damaged_line_is_refused_or_means_the_same_when_written_again() {
    let pieces = "stats-view 1 |stats-view |eyJ9|=|-|_|+|/| |\n|\u{ad}|\u{fc}|0|AAAA";
    let pieces: Vec<&str> = pieces.split('|').collect();
    let (line, parse) = (
        |saved: &SavedState| saved.layout.to_line(),
        PaneLayout::from_line,
    );
    fuzz(3, &pieces, line, parse, |line, read| {
        match &read {
            Ok(layout) => assert_eq!(parse(&layout.to_line()).unwrap(), *layout, "{line}"),
            Err(error) => assert!(error.to_string().len() < 1000, "{error}"),
        }
        read.is_ok()
    });
}
