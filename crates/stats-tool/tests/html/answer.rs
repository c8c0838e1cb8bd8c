//! What a report says first, and what its parts say of the same budgets and hitches.

use std::path::Path;

use roxmltree::{Document, Node};
use stats_testing::Folder;

use super::written::WrittenRun;
use super::{check, page, rows};

/// The time of a usual frame, and what a search adds to it.
const USUAL_MS: f64 = 10.0;
const SEARCH_MS: f64 = 50.0;

/// Writes a run of `frames` frames. A search makes those of `searches` long. In every frame, a step
/// waits for a job.
fn write_run(file: &Path, frames: u64, searches: &[u64]) {
    let searches: Vec<_> = searches.iter().map(|frame| (*frame, SEARCH_MS)).collect();
    write_searches(file, frames, &searches);
}

/// Writes such a run, with the time of each search.
fn write_searches(file: &Path, frames: u64, searches: &[(u64, f64)]) {
    let more_ms = |frame: u64| {
        let search = searches.iter().find(|(at, _)| *at == frame);
        search.map_or(0.0, |(_, ms)| *ms)
    };
    let mut run = WrittenRun::new(frames, |frame| USUAL_MS + more_ms(frame));
    let wait = run.timer("jobs/wait", |_| 4.0);
    (wait.parent, wait.budget) = (Some("flock/step".to_owned()), Some(3.0));
    wait.wait = true;
    run.timer("flock/step", |_| 4.5).budget = Some(3.0);
    run.timer("render/draw", |_| 4.0).budget = Some(3.0);
    run.timer("paths/search", |frame| 0.1 + more_ms(frame))
        .budget = Some(6.0);
    // One frame is over the budget of `net/send`, none over that of `net/receive`.
    let send_ms = |frame| if frame == 7 { 1.5 } else { 0.5 };
    run.timer("net/send", send_ms).budget = Some(1.0);
    run.timer("net/receive", |_| 0.5).budget = Some(1.0);
    for (frame, _) in searches {
        let line = format!("log warn game::paths: no path in frame {frame}");
        run.point(&line, *frame);
    }
    run.point("loading a level with a long name", 0);
    run.write(file);
}

fn text(node: Node<'_, '_>) -> String {
    let texts = node.descendants().filter_map(|node| match node.is_text() {
        true => node.text(),
        false => None,
    });
    texts.collect()
}

/// Returns the headline and the sentences of the band.
fn band(document: &Document<'_>) -> (String, Vec<String>) {
    let band = document
        .descendants()
        .find(|node| node.attribute("id") == Some("verdict"))
        .expect("a page has a band");
    let all = |name: &str| -> Vec<String> {
        let nodes = band.descendants().filter(|node| node.has_tag_name(name));
        nodes.map(text).collect()
    };
    (all("h2").concat(), all("li"))
}

#[test]
fn the_band_begins_with_the_hitches_and_ends_with_waits_and_what_contains_them() {
    let folder = Folder::new("html-first");
    // One of the searches does not come.
    let searches: Vec<u64> = (2..12).filter(|at| *at != 4).map(|at| 50 * at).collect();
    write_run(&folder.0.join("run.parquet"), 600, &searches);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let (headline, sentences) = band(&document);
    assert_eq!(headline, "✗ Over 4 of 6 budgets, 9 hitches");
    let begins = [
        "9 hitches, all in paths/search, +50.0 ms, every 50 frames (9 of 10 times).",
        "paths/search is over its budget of 6.00 ms in 1.5 % of the frames",
        "render/draw is over its budget",
        "jobs/wait is over its budget",
        "flock/step is over its budget",
    ];
    assert_eq!(sentences.len(), begins.len(), "{sentences:?}");
    for (sentence, begin) in sentences.iter().zip(begins) {
        assert!(sentence.starts_with(begin), "{sentence} is not {begin}");
    }
    // Every other place says the same of the interval.
    assert_eq!(
        rows(&document, "Repeated culprits")[0][4],
        "every 50 frames (9 of 10 times)"
    );
    let stalls = rows(&document, "Leaks and stalls");
    assert_eq!(&stalls[0][..3], ["paths/search", "50 frames", "9 of 10"]);
}

/// Writes a run of 600 frames in which each timer is longer in some frames, by that many milliseconds.
fn write_timers(file: &Path, timers: &[(&str, f64, &[u64])]) {
    let more_ms = |(_, ms, frames): &(&str, f64, &[u64]), frame: u64| match frames.contains(&frame)
    {
        true => *ms,
        false => 0.0,
    };
    let all_ms = |frame| timers.iter().map(|one| more_ms(one, frame)).sum::<f64>();
    let mut run = WrittenRun::new(600, |frame| USUAL_MS + all_ms(frame));
    for one in timers {
        run.timer_on("main", one.0, |frame| 1.0 + more_ms(one, frame));
    }
    run.write(file);
}

#[test]
fn two_culprits_of_the_same_hitches_recur_alike() {
    let folder = Folder::new("html-two-culprits");
    let frames: Vec<u64> = (2..12).map(|at| 50 * at).collect();
    let timers: [(&str, f64, &[u64]); 2] = [
        ("audio/mix", 28.0, &frames),
        ("dialogue/parse", 22.0, &frames),
    ];
    write_timers(&folder.0.join("run.parquet"), &timers);
    let page = page(&folder.0, "report run.parquet");
    let culprits = rows(&check(&page), "Repeated culprits");
    let recurs: Vec<[&str; 3]> = (culprits.iter())
        .map(|row| [&*row[0], &*row[1], &*row[4]])
        .collect();
    let each = ["audio/mix", "dialogue/parse"].map(|name| [name, "10", "every 50 frames"]);
    assert_eq!(recurs, each);
}

#[test]
fn hitches_beside_those_of_a_stall_are_not_said_to_recur() {
    let folder = Folder::new("html-beside-stall");
    let mut frames: Vec<u64> = (2..12).map(|at| 50 * at).collect();
    frames.extend([123, 371]);
    let timers: [(&str, f64, &[u64]); 2] =
        [("paths/search", 50.0, &frames), ("net/send", 50.0, &[281])];
    write_timers(&folder.0.join("run.parquet"), &timers);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    assert_eq!(
        band(&document).1[0],
        "13 hitches: 12 in paths/search, 1 in net/send, +50.0 ms, 10 of those in paths/search every 50 frames."
    );
    let culprits = rows(&document, "Repeated culprits");
    assert_eq!(culprits[0][1], "12");
    assert_eq!(culprits[0][4], "10 of them every 50 frames");
}

#[test]
fn the_hitches_of_a_stall_are_counted_in_runs_whose_series_are_in_another_order() {
    let folder = Folder::new("html-other-order");
    let frames: Vec<u64> = (2..12).map(|at| 50 * at).collect();
    let first: [(&str, f64, &[u64]); 2] =
        [("paths/search", 50.0, &frames), ("net/send", 50.0, &[])];
    write_timers(&folder.0.join("a.parquet"), &first);
    let second: [(&str, f64, &[u64]); 3] = [
        ("audio/mix", 50.0, &[]),
        ("paths/search", 50.0, &[123, 371]),
        ("net/send", 50.0, &[281]),
    ];
    write_timers(&folder.0.join("b.parquet"), &second);
    let page = page(&folder.0, "report a.parquet b.parquet");
    assert_eq!(
        band(&check(&page)).1[0],
        "13 hitches: 12 in paths/search, 1 in net/send, +50.0 ms, 10 of those in paths/search every 50 frames."
    );
}

#[test]
fn the_first_frames_have_a_background_that_the_legend_explains() {
    let folder = Folder::new("html-first-frames");
    let legend = "the first 60 frames: they show what is usual, so none is a hitch";
    for (frames, is_shown) in [(600, true), (60, false)] {
        write_run(&folder.0.join("run.parquet"), frames, &[]);
        let page = page(&folder.0, "report run.parquet");
        check(&page);
        assert_eq!(page.contains(legend), is_shown, "{frames}");
        // A tenth of the width of 1100.
        let background = "<path class=\"first-frames\" d=\"M0.0 0H110.0V";
        assert_eq!(page.contains(background), is_shown, "{frames}");
    }
}

#[test]
fn a_frame_in_which_the_program_stood_still_is_none_of_the_first_frames() {
    let folder = Folder::new("html-stood-still");
    let mut run = WrittenRun::new(550, |_| USUAL_MS);
    run.point("log warn stats::stopped: the whole program stood still", 20);
    run.write(folder.0.join("run.parquet"));
    let page = page(&folder.0, "report run.parquet");
    // 61 of 550 frames, on a width of 1100.
    assert!(page.contains("<path class=\"first-frames\" d=\"M0.0 0H122.0V"));
}

#[test]
fn a_time_of_several_threads_is_called_a_sum() {
    let folder = Folder::new("html-sums");
    let sums = |thread: Option<&str>| -> Option<String> {
        let mut run = WrittenRun::new(200, |_| USUAL_MS);
        run.timer("flock/step", |_| 4.0).thread = thread.map(str::to_owned);
        let steering = run.timer("flock/steering", |_| 14.0);
        (steering.parent, steering.budget) = (Some("flock/step".to_owned()), Some(8.0));
        let pass = run.timer("gpu/shadows", |_| 14.0);
        (pass.parent, pass.budget) = (Some("gpu/scene".to_owned()), Some(8.0));
        run.timer("net/ping", |_| 14.0).budget = Some(8.0);
        run.write(folder.0.join("run.parquet"));
        let text = super::stats(&folder.0, "report run.parquet").stdout;
        let about = "Sums of the times of several threads, which may be longer than their frame: ";
        let named = text.split_once(about)?.1.lines().next()?;
        Some(named.to_owned())
    };
    assert_eq!(sums(Some("main")).as_deref(), Some("flock/steering."));
    assert_eq!(sums(None), None, "the capture does not know its threads");
}

#[test]
fn the_band_counts_the_budgets_that_the_table_shows_as_exceeded() {
    let folder = Folder::new("html-counts");
    write_run(&folder.0.join("run.parquet"), 600, &[]);
    let frames = |allowed: f64| {
        let config = format!("[gate]\nover_budget_percent = {allowed}\n");
        std::fs::write(folder.0.join("stats.toml"), config).expect("writable");
        let page = page(&folder.0, "report run.parquet");
        let document = check(&page);
        let table = rows(&document, "Budgets");
        let words: Vec<String> = table.iter().map(|row| row[2].clone()).collect();
        (band(&document).0, words, page)
    };
    let never = "2 other series are never over budget.";
    let (headline, words, page) = frames(1.0);
    assert_eq!(headline, "✗ Over 3 of 6 budgets");
    assert_eq!(words, ["OVER", "OVER", "OVER", "allowed"]);
    let rule = "A series is over its budget if more than 1 % of its frames are: 3 of 6 are, and 1 \
                other is in fewer frames.";
    assert!(page.contains(rule) && page.contains(never));
    // Three bars are bad, and one reaches over the line.
    assert_eq!(page.matches("class=\"bad\"").count(), 3);
    assert_eq!(page.matches("class=\"unsure\"").count(), 1);
    let (headline, words, page) = frames(0.0);
    assert_eq!(headline, "✗ Over 4 of 6 budgets");
    assert_eq!(words, ["OVER"; 4]);
    assert!(page.contains(never));
    let (headline, words, page) = frames(100.0);
    assert_eq!(headline, "? Not judged");
    assert_eq!(words, ["not judged"; 4]);
    assert!(page.contains(never) && page.contains("Frames are over 4 of 6 budgets."));
    assert!(!page.contains("class=\"bad\""));
}

#[test]
fn the_slowest_frames_of_a_run_without_a_hitch_have_no_shares_and_no_culprit() {
    let folder = Folder::new("html-slowest");
    write_run(&folder.0.join("run.parquet"), 200, &[]);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    assert_eq!(rows(&document, "Hitches"), [[""; 0]; 0]);
    let slowest = rows(&document, "Slowest frames");
    assert_eq!(slowest.len(), 5);
    for row in &slowest {
        assert!(row.iter().all(|cell| !cell.contains('%')), "{row:?}");
    }
    let part = document
        .descendants()
        .find(|node| node.attribute("id") == Some("hitches"));
    let part = text(part.expect("a part of the page"));
    assert!(part.starts_with("HitchesNo frame is a hitch. These are the slowest frames."));
    for word in ["culprit", "excess", "share"] {
        assert!(!part.contains(word), "{word}: {part}");
    }
}

#[test]
fn each_line_of_the_log_is_beside_one_hitch() {
    let folder = Folder::new("html-log");
    let searches: Vec<u64> = (2..12).map(|at| 50 * at).collect();
    write_run(&folder.0.join("run.parquet"), 600, &searches);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let hitches = rows(&document, "Hitches");
    assert_eq!(hitches.len(), searches.len());
    for frame in searches {
        let line = format!("no path in frame {frame}");
        let with_line = hitches
            .iter()
            .filter(|row| row.iter().any(|cell| cell.ends_with(&line)));
        assert_eq!(with_line.count(), 1, "{line}");
    }
    let text = super::stats(&folder.0, "report run.parquet --format markdown").stdout;
    assert_eq!(text.matches("no path in frame 200 ").count(), 1, "{text}");
}

#[test]
fn text_has_the_log_of_the_longest_hitches() {
    let folder = Folder::new("html-long-log");
    // The longest one is the last of more than text lists.
    let mut searches: Vec<(u64, f64)> = (2..14).map(|at| (50 * at, SEARCH_MS)).collect();
    searches.push((700, SEARCH_MS + 10.0));
    write_searches(&folder.0.join("run.parquet"), 750, &searches);
    let text = super::stats(&folder.0, "report run.parquet").stdout;
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("no path in"))
        .collect();
    assert_eq!(lines.len(), 10, "{text}");
    assert!(lines[0].ends_with("no path in frame 700"), "{text}");
    assert!(lines[1].ends_with("no path in frame 100"), "{text}");
}

#[test]
fn the_band_of_a_gate_begins_with_the_hitches() {
    let folder = Folder::new("html-gate-first");
    write_run(&folder.0.join("run.parquet"), 600, &[200, 300, 400, 500]);
    super::stats(&folder.0, "gate run.parquet --html page.html").ends(1);
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("it was written");
    let sentences = band(&check(&page)).1;
    assert!(
        sentences[0].starts_with("4 hitches, all in paths/search"),
        "{sentences:?}"
    );
    assert!(
        sentences[1].contains(" is over its budget of "),
        "{sentences:?}"
    );
}

#[test]
fn shares_of_subsystems_add_up_to_the_frame_and_teams_have_a_table_of_their_own() {
    let folder = Folder::new("html-self-time");
    let mut run = WrittenRun::new(200, |_| USUAL_MS);
    run.timer_on("main", "ai/paths", |_| 4.0);
    run.timer_on("main", "render/draw", |_| 5.0);
    run.write(folder.0.join("run.parquet"));
    let config = "[teams]\nai = [\"ai/*\"]\npaths = [\"ai/paths\"]\nui = [\"ui/*\"]\n";
    std::fs::write(folder.0.join("stats.toml"), config).expect("writable");
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let part = document
        .descendants()
        .find(|node| node.attribute("id") == Some("self-time"))
        .expect("it has self times");
    let tables = part.descendants().filter(|node| node.has_tag_name("tbody"));
    let of_row = |row: Node<'_, '_>| -> Vec<String> { row.children().map(text).collect() };
    let tables: Vec<Vec<Vec<String>>> = tables
        .map(|table| table.children().map(of_row).collect())
        .collect();
    let shares = |of: &[Vec<String>]| -> Vec<(String, String)> {
        let row = |row: &Vec<String>| (row[0].clone(), row[3].clone());
        of.iter().map(row).collect()
    };
    let expected = |rows: &[(&str, &str)]| -> Vec<(String, String)> {
        let row = |(name, share): &(&str, &str)| ((*name).to_owned(), (*share).to_owned());
        rows.iter().map(row).collect()
    };
    let [subsystems, teams] = &tables[..] else {
        panic!("{tables:?}");
    };
    let whole = [("render", "50 %"), ("ai", "40 %"), ("in no scope", "10 %")];
    assert_eq!(shares(subsystems), expected(&whole));
    let each = [("ai", "40 %"), ("paths", "40 %"), ("ui", "0 %")];
    assert_eq!(shares(teams), expected(&each));
    assert!(text(part).contains("need not add up to 100 %"));
}

#[test]
fn the_axis_is_directly_below_its_graph_and_names_of_marks_are_whole() {
    let folder = Folder::new("html-axis");
    write_run(&folder.0.join("a.parquet"), 600, &[300, 400]);
    write_run(&folder.0.join("b.parquet"), 600, &[300, 400]);
    for (line, graphs) in [
        ("report a.parquet", 1),
        ("compare --before a.parquet --after b.parquet", 2),
    ] {
        let page = page(&folder.0, line);
        let document = check(&page);
        let is_graph = |node: &Node<'_, '_>| node.attribute("class") == Some("frame");
        let in_strip = |node: &Node<'_, '_>| {
            let mut around = node.ancestors();
            around.any(|node| node.attribute("class") == Some("zoom"))
        };
        let mut count = 0;
        for graph in document.descendants().filter(is_graph).filter(in_strip) {
            let next = graph.next_sibling_element().expect("the axis");
            assert_eq!(next.attribute("class"), Some("ticks"));
            assert!(text(next).starts_with("0 s"), "{}", text(next));
            count += 1;
        }
        assert_eq!(count, graphs, "{line}");
        // Each graph has a legend of its lines.
        assert!(page.contains("class=\"key hitch-key\""));
        let both = "after: frame time, from the fastest";
        assert_eq!(page.contains(both), graphs == 2);
        // A mark of one frame has room for its name.
        let name = "loading a level with a long name";
        let label = document
            .descendants()
            .find(|node| node.is_element() && node.text() == Some(name))
            .expect("the mark is shown");
        let style = label.attribute("style").expect("a place");
        let width = style
            .split("width:")
            .nth(1)
            .and_then(|rest| rest.split('%').next());
        let width: f64 = width.and_then(|width| width.parse().ok()).expect("a width");
        assert!(width > 25.0, "{style}");
    }
}

#[test]
fn a_bar_that_ends_before_its_value_is_broken() {
    let folder = Folder::new("html-bars");
    for (search, breaks) in [(&[300][..], 2), (&[], 0)] {
        write_run(&folder.0.join("run.parquet"), 600, search);
        let page = page(&folder.0, "report run.parquet");
        check(&page);
        assert_eq!(
            page.matches("class=\"break\"").count(),
            breaks,
            "{search:?}"
        );
    }
}
