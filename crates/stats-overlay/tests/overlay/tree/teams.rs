//! The teams of a program in the search: in the tree, and in the list of hitches.

use egui::{Event, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use stats_core::{Source, gauge, timer};
use stats_overlay::{Mode, PaneView, Team};

use crate::allocations::fewest_in_a_frame;
use crate::hitches::planted::{end_frame, play, with_hitch};
use crate::host::{Host, click, harness, value_of};

const SIZE: Vec2 = vec2(1280.0, 800.0);

/// A team that owns the paths with this begin.
fn team(name: &str, begin: &str) -> Team {
    let begin = begin.to_owned();
    Team::new(name, move |path| path.starts_with(&begin))
}

fn is_shown(harness: &Harness<'_, Host>, label: &str) -> bool {
    harness.query_by_label(label).is_some()
}

#[test]
fn the_tree_shows_the_series_of_a_team_or_of_the_others() {
    let paths = ["teams-tree/ai/cost", "teams-tree/net/cost"];
    paths.iter().for_each(|path| gauge(path).set(1.0));
    let mut harness = harness(SIZE, Host::full("teams-tree"));
    let search = |harness: &mut Harness<'_, Host>, typed: &str| {
        harness.state_mut().overlay.set_search(typed);
        harness.run_steps(3);
        paths.map(|path| is_shown(harness, path))
    };
    assert_eq!(search(&mut harness, "team:ai"), [false; 2]);
    assert!(is_shown(&harness, "No team is called “ai”"));
    // Teams that come later are known without typing again.
    let teams = [
        team("AI", "teams-tree/ai/"),
        team("Net code", "teams-tree/net/"),
    ];
    harness.state_mut().overlay.set_teams(teams);
    assert_eq!(search(&mut harness, "team:ai"), [true, false]);
    assert_eq!(search(&mut harness, "-team:ai cost"), [false, true]);
    assert_eq!(search(&mut harness, "team:net-code"), [false, true]);
    assert_eq!(search(&mut harness, "team:n cost"), [false, true]);
    assert_eq!(search(&mut harness, "team:ai team:n"), [false; 2]);
    assert_eq!(search(&mut harness, "team:sound"), [false; 2]);
    assert!(is_shown(&harness, "No team is called “sound”"));
    assert!(is_shown(&harness, "The teams are team:ai, team:net-code."));
    // An unknown team that is excluded leaves out nothing.
    assert_eq!(search(&mut harness, "-team:sound cost"), [true; 2]);
    assert_eq!(search(&mut harness, "-team:sound nothing"), [false; 2]);
    assert!(is_shown(
        &harness,
        "No counter matches “-team:sound nothing”"
    ));
    // A team may own nothing.
    let teams = [
        team("AI", "elsewhere/"),
        team("Net code", "teams-tree/net/"),
    ];
    harness.state_mut().overlay.set_teams(teams);
    assert_eq!(search(&mut harness, "team:ai"), [false; 2]);
    let help = "A team's word matches what the team owns. A counter must match all words.";
    assert!(is_shown(&harness, help));

    search(&mut harness, "");
    harness.event(Event::Text("/".to_owned()));
    harness.run_steps(3);
    click(&mut harness, "Search for team:net-code");
    assert_eq!(harness.state().overlay.search(), "team:net-code");
}

#[test]
fn the_list_of_hitches_shows_those_of_a_team() {
    let scope = "teams-hitches";
    let mut harness = with_hitch(scope, Mode::Full);
    let row = "Hitch in frame 100";
    assert!(is_shown(&harness, row));
    let teams = [
        team("ai", "teams-hitches/ai/"),
        team("rendering", "teams-hitches/render"),
    ];
    harness.state_mut().overlay.set_teams(teams);
    let note = "No row matches the search, which leaves out 1 row";
    for (typed, is_listed) in [
        ("team:ai", true),
        ("team:rendering", false),
        ("-team:rendering", true),
        ("-team:ai", false),
        ("render", true),
        ("team:sound", false),
    ] {
        harness.state_mut().overlay.set_search(typed);
        play(&mut harness, scope, 2);
        assert_eq!(is_shown(&harness, row), is_listed, "{typed}");
        match is_listed {
            true => assert!(!is_shown(&harness, "About hitches"), "{typed}"),
            false => assert_eq!(value_of(&harness, "About hitches"), note, "{typed}"),
        }
    }
    harness.state_mut().overlay.set_search("");
    play(&mut harness, scope, 2);
    assert!(is_shown(&harness, row));
}

#[test]
fn a_list_with_rows_of_several_teams_says_how_many_are_left_out() {
    let scope = "teams-several";
    let mut harness = with_hitch(scope, Mode::Full);
    play(&mut harness, scope, 100);
    let render = |harness: &mut Harness<'_, Host>| {
        timer(&format!("{scope}/render")).record_ms(14.0);
        end_frame(harness.state_mut(), scope, 30.0, 1.0);
        harness.run_steps(1);
    };
    render(&mut harness);
    play(&mut harness, scope, 5);
    let rows = ["Hitch in frame 100", "Hitch in frame 241"];
    assert!(rows.iter().all(|row| is_shown(&harness, row)));
    let teams = [team("ai", "teams-several/ai/")];
    harness.state_mut().overlay.set_teams(teams);
    harness.state_mut().overlay.set_search("team:ai");
    play(&mut harness, scope, 2);
    assert_eq!(rows.map(|row| is_shown(&harness, row)), [true, false]);
    assert!(is_shown(&harness, "The search leaves out 1 row"));
}

#[test]
fn a_search_for_a_team_allocates_no_more_than_one_for_a_path() {
    let allocations = |scope: &'static str, typed: &str, has_other: bool| {
        let mut host = Host::new(scope);
        host.overlay.set_mode(Mode::Full);
        host.overlay.set_view(PaneView::Hitches);
        host.overlay
            .set_teams([team("ai", &format!("{scope}/ai/"))]);
        host.overlay.set_search(typed);
        fewest_in_a_frame(&mut host, SIZE, |host| {
            let is_of_ai = host.recorder.frames().end == 120;
            let is_of_other = host.recorder.frames().end == 160 && has_other;
            if is_of_other {
                timer(&format!("{scope}/render")).record_ms(14.0);
            }
            let paths_ms = if is_of_ai { 13.0 } else { 1.0 };
            let frame_ms = if is_of_ai || is_of_other { 28.0 } else { 16.0 };
            end_frame(host, scope, frame_ms, paths_ms);
        })
    };
    // All find the same row.
    let path = allocations("teams-steady-a", "teams-steady-a/ai/", false);
    let team = allocations("teams-steady-b", "team:ai", false);
    assert!(team <= path, "{team} and {path}");
    // One row is left out.
    let of_two = allocations("teams-steady-c", "team:ai", true);
    assert!(of_two <= path, "{of_two} and {path}");
}
