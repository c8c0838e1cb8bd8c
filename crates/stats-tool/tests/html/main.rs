//! The HTML files of the verbs, as an XML parser and a browser see them.

mod answer;
mod browser;
#[path = "../common/command.rs"]
mod command;
mod sides;
mod work;
#[path = "../common/written.rs"]
mod written;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base64::prelude::{BASE64_STANDARD, Engine};
use command::stats;
use roxmltree::{Document, ParsingOptions};
use stats_capture::{Capture, CaptureOptions};
use stats_core::{MarkEvent, Unit};
use stats_testing::{Folder, Random};

/// A name that would be an element, an attribute or an address if it were not escaped.
const HOSTILE: &str = "</script><script>alert('x')</script>\"&amp; \u{1}\u{202e}";

/// Records frames with some series and marks.
fn record(path: &Path, frames: u64, series: &[&str], work: u64) {
    let mut options = CaptureOptions::default();
    options.scenario = Some(format!("tour {HOSTILE}"));
    options.labels = [(HOSTILE.to_owned(), HOSTILE.to_owned())].into();
    let mut capture = Capture::create(path, options).expect("the folder can be written");
    let counters: Vec<_> = series
        .iter()
        .map(|path| stats_core::counter(path).budget(50.0))
        .collect();
    let unknown = stats_core::gauge("html/unknown");
    let mut random = Random::new(work);
    capture.mark(HOSTILE, MarkEvent::Begin);
    for frame in 0..frames {
        for counter in &counters {
            counter.add(random.below(90) + work);
        }
        unknown.set(f64::NAN);
        if frame == 2 {
            capture.mark(HOSTILE, MarkEvent::End);
            capture.mark("checkpoint", MarkEvent::Point);
        }
        capture.end_frame();
    }
    capture.finish().expect("the folder can be written");
}

/// The series of stalls belong to the process, so only one run with stalls is recorded at a time.
static STALLS: Mutex<()> = Mutex::new(());

/// Records frames of 10 ms. Every `every` frames, one scope takes 90 ms longer.
fn record_stalls(path: &Path, frames: u64, every: u64) {
    let _one_at_a_time = STALLS.lock().expect("no test fails while it records");
    let mut options = CaptureOptions::default();
    options.scenario = Some("stalls".to_owned());
    let mut capture = Capture::create(path, options).expect("the folder can be written");
    let (usual, slow) = (
        stats_core::timer("stalls/usual"),
        stats_core::timer("stalls/slow"),
    );
    let level = stats_core::gauge("stalls/level")
        .unit(Unit::Bytes)
        .budget(1e9);
    let mut random = Random::new(9);
    let mut now = 0.0;
    capture.end_frame_at(now);
    for frame in 1..frames {
        let more_ms = if frame % every == 0 { 90.0 } else { 0.0 };
        let usual_ms = 10.0 + random.below(100) as f64 / 100.0;
        usual.record_ms(usual_ms);
        slow.record_ms(0.1 + more_ms);
        level.set(1e6 + 1e4 * frame as f64);
        now += (usual_ms + more_ms + 0.2) / 1e3;
        capture.end_frame_at(now);
        if more_ms > 0.0 {
            let [width, height] = [1280, 720];
            let blue = [0, 0, 255, 0].repeat((width * height) as usize);
            capture.picture(frame, width, height, blue);
        }
    }
    capture.finish().expect("the folder can be written");
}

/// Returns the rows of a table of a page, each with the texts of its cells.
fn rows(document: &Document<'_>, table: &str) -> Vec<Vec<String>> {
    let has_name = |node: &roxmltree::Node<'_, '_>| node.attribute("aria-label") == Some(table);
    let table = document.descendants().find(has_name);
    let body = table.and_then(|table| table.descendants().find(|node| node.has_tag_name("tbody")));
    let rows = body.into_iter().flat_map(|body| body.children());
    let text = |cell: roxmltree::Node<'_, '_>| {
        let texts = cell.descendants().filter(|node| node.is_text());
        texts.filter_map(|node| node.text()).collect()
    };
    rows.map(|row| row.children().map(text).collect()).collect()
}

/// Runs `stats`, and returns the page that it writes to `page.html`.
fn page(folder: &Path, line: &str) -> String {
    let output = stats(folder, &format!("{line} --html page.html"));
    let error = &output.stderr;
    // 2: too few runs to tell.
    assert!(matches!(output.code, Some(0 | 2)), "{line}: {error}");
    std::fs::read_to_string(folder.join("page.html")).expect("it was written")
}

/// Records a lake with two scenarios and writes its site. One scenario becomes slower.
fn record_site(folder: &Path) {
    let runs = folder.join("lake/build=1/platform=test/scenario=all");
    std::fs::create_dir_all(&runs).expect("the folder can be written");
    let long = format!("html/{}", "a-very-long-name-".repeat(20));
    for run in 0..12 {
        let work = if run < 7 { 0 } else { 400 };
        let path = runs.join(format!("a-{run:02}-{}.parquet", "long-".repeat(30)));
        record(&path, 60, &["html/short", &long], run + work);
    }
    record_stalls(&runs.join("b.parquet"), 200, 100);
    let config = "[gate]\nmay_fail = [\"series/html/*\"]\n\
                  [budgets]\n\"stalls/level\" = \"1 kB\"\n\
                  [teams]\n\"<a> & 'b'\" = [\"none/*\"]\nhtml = [\"html/*\"]\nstalls = [\"stalls/*\"]\n";
    std::fs::write(folder.join("stats.toml"), config).expect("writable");
    stats(folder, "summarize lake").ends(0);
    let output = stats(folder, "trend lake --html site");
    let error = &output.stderr;
    // 2: the newest scenario has too few runs to tell.
    assert_eq!(output.code, Some(2), "{error}");
}

/// Returns all files in a folder and its subfolders, sorted.
fn pages_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("it was written");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let below = paths.into_iter().flat_map(|path| {
        if path.is_dir() {
            pages_below(&path)
        } else {
            vec![path]
        }
    });
    below.collect()
}

#[test]
fn the_pages_of_a_site_are_well_formed_and_link_to_each_other() {
    let folder = Folder::new("html-site");
    record_site(&folder.0);
    let site = folder.0.join("site");
    let pages = pages_below(&site);
    assert_eq!(pages.len(), 1 + 2 + 13 + 3);
    let mut linked = BTreeSet::from([site.join("index.html")]);
    for page in &pages {
        let text = std::fs::read_to_string(page).expect("it was written");
        let document = check_with_links(&text);
        linked.extend(
            links(&document)
                .iter()
                .map(|link| page.with_file_name(link)),
        );
    }
    assert_eq!(linked, pages.into_iter().collect());
    let index = std::fs::read_to_string(site.join("index.html")).expect("it was written");
    let index = check_with_links(&index);
    let verdicts: Vec<String> = (rows(&index, "Scenarios").into_iter())
        .map(|mut row| row.remove(1))
        .collect();
    assert!(
        verdicts[0].starts_with("? There are too few runs"),
        "{verdicts:?}"
    );
    assert!(verdicts[1].starts_with("✗ "), "{verdicts:?}");
}

#[test]
fn a_site_has_a_page_for_each_team_with_its_series_and_hitches() {
    let folder = Folder::new("html-teams");
    record_site(&folder.0);
    let site = folder.0.join("site");
    let index = std::fs::read_to_string(site.join("index.html")).expect("it was written");
    let index = check_with_links(&index);
    let teams = rows(&index, "Teams");
    let verdict = |team: &str| {
        let row = teams.iter().find(|row| row[0] == team);
        row.expect("a row for each team")[1].as_str()
    };
    assert_eq!(teams.len(), 3, "{teams:?}");
    assert_eq!(verdict("html"), "✗ Team html is getting worse");
    verdict("<a> & 'b'");
    let page_of = |team: &str| {
        // A scenario may have the same name.
        let is_it = |node: &roxmltree::Node<'_, '_>| {
            let page = node.attribute("href").unwrap_or_default();
            page.starts_with("team-") && node.text() == Some(team)
        };
        let link = index.descendants().find(is_it);
        let page = link
            .and_then(|link| link.attribute("href"))
            .expect("a link");
        std::fs::read_to_string(site.join(page)).expect("it was written")
    };

    let html = page_of("html");
    let html = check_with_links(&html);
    let newest = rows(&html, "Newest runs");
    let tour = newest.iter().find(|row| row[0].starts_with("tour"));
    let tour = tour.expect("a row for each scenario");
    // Both series have a budget; those of other tests are in the capture, too.
    assert!(
        tour[5].parse::<usize>().is_ok_and(|budgets| budgets >= 2),
        "{tour:?}"
    );
    assert_eq!(tour[6], "100.0 %", "{tour:?}");
    let series = rows(&html, "Series");
    let short = series
        .iter()
        .find(|row| row[0] == "html/short" && row[1].starts_with("tour"));
    let short = short.expect("a row for each series");
    // A number of frames: the share of those with a value is in the table above.
    assert_eq!(short[5], "in code", "{short:?}");
    assert!(matches!(short[6].parse::<u32>(), Ok(1..=60)), "{short:?}");
    let graphs: Vec<&str> = (html.descendants())
        .filter_map(|node| node.attribute("aria-label"))
        .collect();
    assert!(
        graphs.contains(&"teams/html/over-budget over 12 runs"),
        "{graphs:?}"
    );

    let stalls = page_of("stalls");
    let stalls = check_with_links(&stalls);
    let series = rows(&stalls, "Series");
    let level = series
        .iter()
        .find(|row| row[0] == "stalls/level" && row[1] == "stalls");
    let level = level.unwrap_or_else(|| panic!("a row for each series: {series:?}"));
    assert_eq!(level[5], "1,000 B", "the budget of stats.toml: {level:?}");
    let mut hitches = rows(&stalls, "Hitches");
    hitches.retain(|row| row[2] == "stalls");
    let [hitch] = &hitches[..] else {
        panic!("the run has one hitch: {hitches:?}");
    };
    assert_eq!(
        (&*hitch[0], &*hitch[4], &*hitch[7]),
        ("b", "100", "stalls/slow")
    );
    let report = links(&stalls)
        .into_iter()
        .find(|link| link.starts_with("runs/b-"));
    assert!(report.is_some_and(|report| site.join(report).exists()));

    let none = page_of("<a> & 'b'");
    check_with_links(&none);
    assert!(none.contains("The newest runs have no series of the team."));
}

/// Checks that a page is well-formed and self-contained.
fn check(page: &str) -> Document<'_> {
    let document = check_with_links(page);
    assert_eq!(links(&document), [""; 0]);
    document
}

/// Returns the addresses of other pages.
fn links<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
    let addresses = document
        .descendants()
        .filter_map(|node| node.attribute("href"));
    addresses
        .filter(|address| !address.starts_with('#'))
        .collect()
}

/// Checks that a page is well-formed, and needs no other file to be shown.
fn check_with_links(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(page, options).expect("it is well-formed");
    for word in ["http:", "https:", "@import", "url(", "<link", "<iframe"] {
        assert!(!page.contains(word), "{word}");
    }
    let scripts = document
        .descendants()
        .filter(|node| node.has_tag_name("script"));
    assert_eq!(scripts.count(), 2, "the data and the script of the page");
    for node in document.descendants().filter(|node| node.is_element()) {
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "a handler");
            if attribute.name() == "src" {
                let is_inside = attribute.value().starts_with("data:image/jpeg;base64,");
                assert!(is_inside, "an address");
            }
            if attribute.name() == "href"
                && let Some(part) = attribute.value().strip_prefix('#')
            {
                let is_it = |node: &roxmltree::Node<'_, '_>| node.attribute("id") == Some(part);
                assert_eq!(document.descendants().filter(is_it).count(), 1, "{part}");
            }
        }
    }
    document
}

fn data(document: &Document<'_>) -> serde_json::Value {
    let is_data = |node: &roxmltree::Node<'_, '_>| node.attribute("id") == Some("data");
    let data = document
        .descendants()
        .find(is_data)
        .and_then(|node| node.text());
    serde_json::from_str(data.expect("there is data")).expect("it is JSON")
}

#[test]
fn a_report_with_hostile_names_is_one_well_formed_file() {
    let folder = Folder::new("html-report");
    let path = format!("html/{HOSTILE}");
    record(
        &folder.0.join("run.parquet"),
        100,
        &["html/plain", &path],
        0,
    );
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let shown = path.replace(['\u{1}', '\u{202e}'], "\u{fffd}");
    let is_named = |node: roxmltree::Node<'_, '_>| node.text() == Some(&shown);
    assert!(document.descendants().any(is_named), "the name is shown");
    let data = data(&document);
    assert_eq!(data["runs"][0]["frames"], 100);
    let metrics = data["metrics"].as_array().expect("a list");
    assert!(
        metrics
            .iter()
            .any(|one| one["name"] == format!("series/{path}/mean"))
    );
    for part in [
        "commands",
        "identity",
        "data-quality",
        "budgets",
        "frames",
        "distribution",
        "hitches",
        "leaks-and-stalls",
        "series",
        "definitions",
    ] {
        assert!(page.contains(&format!("<section id=\"{part}\">")), "{part}");
    }
}

#[test]
fn a_report_has_the_pictures_of_the_slowest_frames() {
    let folder = Folder::new("html-pictures");
    record_stalls(&folder.0.join("run.parquet"), 300, 30);
    let damaged = folder.0.join("run.pictures/frame-60.png");
    let png = std::fs::read(&damaged).expect("there is a picture");
    std::fs::write(&damaged, &png[..png.len() / 2]).expect("writable");
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let figures: Vec<_> = (document.descendants())
        .filter(|node| node.has_tag_name("figure"))
        .filter(|node| {
            node.parent_element()
                .and_then(|parent| parent.attribute("class"))
                == Some("pictures")
        })
        .collect();
    assert_eq!(figures.len(), 8, "as many as a capture keeps");
    let mut shown = 0;
    for figure in figures {
        let texts: String = figure
            .descendants()
            .filter_map(|node| node.text())
            .collect();
        let Some(image) = figure.children().find(|node| node.has_tag_name("img")) else {
            assert!(texts.contains("frame-60.png cannot be read"), "{texts}");
            continue;
        };
        assert!(texts.contains("stalls/slow"), "{texts}");
        let (_, data) = image
            .attribute("src")
            .and_then(|src| src.split_once(','))
            .expect("data");
        let jpeg = BASE64_STANDARD.decode(data).expect("Base64");
        let picture = image::load_from_memory(&jpeg)
            .expect("an image")
            .into_rgb8();
        assert_eq!(picture.dimensions(), (480, 270));
        let [red, green, blue] = picture.get_pixel(240, 135).0;
        assert!(red < 8 && green < 8 && blue > 247, "{red} {green} {blue}");
        shown += 1;
    }
    assert_eq!(shown, 7);

    // The list of hitches has the same pictures, smaller.
    let in_list = |node: &roxmltree::Node<'_, '_>| {
        let mut around = node.ancestors();
        around.any(|node| node.attribute("aria-label") == Some("Hitches"))
    };
    let images = document
        .descendants()
        .filter(|node| node.has_tag_name("img"));
    let mut small = 0;
    for image in images.filter(in_list) {
        let source = image.attribute("src").and_then(|src| src.split_once(','));
        let jpeg = BASE64_STANDARD
            .decode(source.expect("data").1)
            .expect("Base64");
        let picture = image::load_from_memory(&jpeg).expect("an image");
        assert_eq!((picture.width(), picture.height()), (160, 90));
        let row = image
            .ancestors()
            .find(|node| node.has_tag_name("tr"))
            .expect("a row");
        let frame = row
            .first_element_child()
            .and_then(|cell| cell.text())
            .expect("a frame");
        assert_eq!(
            image.attribute("alt"),
            Some(&*format!("The screen in frame {frame}"))
        );
        small += 1;
    }
    assert_eq!(small, 7, "a picture that cannot be read is left out");
}

#[test]
fn a_report_of_few_frames_and_of_several_runs_is_well_formed() {
    let folder = Folder::new("html-few");
    for frames in [0, 1, 2] {
        let name = format!("{frames}.parquet");
        record(&folder.0.join(&name), frames, &["html/few"], 0);
        check(&page(&folder.0, &format!("report {name}")));
    }
    check(&page(&folder.0, "report 0.parquet 1.parquet 2.parquet"));
    check(&page(&folder.0, "report 2.parquet --warm-up 100"));
    check(&page(
        &folder.0,
        "compare --before 0.parquet --after 1.parquet",
    ));
    check(&page(
        &folder.0,
        "compare --before 2.parquet --after 0.parquet",
    ));
}

#[test]
fn a_comparison_is_one_well_formed_file_with_every_metric() {
    let folder = Folder::new("html-compare");
    let path = format!("html/{HOSTILE}");
    for run in 0..3 {
        let work = 100 * run;
        record(&folder.0.join(format!("a{run}.parquet")), 60, &[&path], run);
        record(
            &folder.0.join(format!("b{run}.parquet")),
            60,
            &[&path],
            1000 + work,
        );
    }
    let page = page(&folder.0, "compare --before a*.parquet --after b*.parquet");
    let document = check(&page);
    let others = data(&document)["comparison"]["others"]
        .as_array()
        .map(Vec::len);
    let is_name = |node: &roxmltree::Node<'_, '_>| {
        let table = node.ancestors().find(|node| node.has_tag_name("div"));
        node.has_tag_name("th")
            && node.parent_element().is_some_and(|row| row.has_children())
            && table.and_then(|table| table.attribute("aria-label")) == Some("Metrics")
    };
    let in_body =
        |node: &roxmltree::Node<'_, '_>| node.ancestors().any(|node| node.has_tag_name("tbody"));
    let listed = document
        .descendants()
        .filter(is_name)
        .filter(in_body)
        .count();
    assert_eq!(Some(listed), others);
    assert!(
        page.contains("aligned at 2 marks"),
        "the span and the point"
    );
}

#[test]
fn a_report_lists_the_exceeded_budgets() {
    let folder = Folder::new("html-budgets");
    record(&folder.0.join("run.parquet"), 50, &["html/over"], 60);
    let over = page(&folder.0, "report run.parquet");
    assert!(over.contains("verdict bad"));
    assert!(over.contains("html/over is over its budget of 50 in 100.0 % of the frames"));
    std::fs::write(
        folder.0.join("stats.toml"),
        "[budgets]\n\"html/*\" = 1000\n",
    )
    .expect("writable");
    let within = page(&folder.0, "report run.parquet");
    assert!(
        within.contains("verdict good"),
        "the budget of stats.toml counts"
    );
}

#[test]
fn a_report_names_the_culprit_of_each_hitch_leaks_and_periodic_stalls() {
    let folder = Folder::new("html-culprits");
    record_stalls(&folder.0.join("run.parquet"), 1200, 100);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let hitches = rows(&document, "Hitches");
    assert_eq!(hitches.len(), 11, "{hitches:?}");
    for hitch in &hitches {
        assert_eq!(hitch[5], "stalls/slow");
        let share: f64 = hitch[6].trim_end_matches(" %").parse().expect("a number");
        assert!(share > 90.0, "{hitch:?}");
        assert!(hitch[7].contains("stalls/slow"), "{hitch:?}");
    }
    let repeats = rows(&document, "Repeated culprits");
    assert_eq!(repeats.len(), 1);
    assert_eq!(&repeats[0][..2], ["stalls/slow", "11"]);
    let number = |text: &str| -> f64 {
        let digits = text.split(' ').next().expect("a number before the unit");
        digits.parse().expect("a number")
    };
    // What is due to others does not count.
    let own_ms = hitches
        .iter()
        .map(|hitch| number(&hitch[4]) * number(&hitch[6]) / 100.0);
    let own_ms: f64 = own_ms.sum();
    assert!(
        (number(&repeats[0][2]) / own_ms - 1.0).abs() < 0.006,
        "{repeats:?} {own_ms}"
    );
    assert!(repeats[0][3].starts_with("100, 200, 300"), "{repeats:?}");
    assert_eq!(repeats[0][4], "every 100 frames");
    let lasting = rows(&document, "Leaks and stalls");
    assert!(
        lasting.iter().any(|row| row[0] == "stalls/level"),
        "{lasting:?}"
    );
    assert!(
        page.contains("<td class=\"number\">100 frames</td>"),
        "{lasting:?}"
    );
}

#[test]
fn a_report_begins_with_its_answer_and_ends_with_commands() {
    let folder = Folder::new("html-answer");
    record_stalls(&folder.0.join("run.parquet"), 560, 100);
    record(&folder.0.join("calm.parquet"), 50, &["html/calm"], 0);
    let text = |node: roxmltree::Node<'_, '_>| -> String {
        let texts = node.descendants().filter(|node| node.is_text());
        texts.filter_map(|node| node.text()).collect()
    };
    let stalls = page(&folder.0, "report run.parquet");
    let calm = page(&folder.0, "report calm.parquet");
    for (page, has_hitches) in [(&stalls, true), (&calm, false)] {
        let document = check(page);
        let main = document
            .descendants()
            .find(|node| node.has_tag_name("main"));
        let parts: Vec<_> = main.expect("a page has parts").children().collect();
        let ids: Vec<_> = parts
            .iter()
            .filter_map(|part| part.attribute("id"))
            .collect();
        assert_eq!(
            (ids[0], ids[ids.len() - 1]),
            ("frames", "commands"),
            "{ids:?}"
        );
        let first = text(parts[0]);
        let band = document
            .descendants()
            .find(|node| node.attribute("id") == Some("verdict"));
        let band = text(band.expect("a page has a band"));
        let answer = "5 hitches, all in stalls/slow, +";
        assert_eq!(band.contains(answer), has_hitches, "{band}");
        assert_eq!(band.contains(", every 100 frames."), has_hitches, "{band}");
        assert!(first.contains(" fps on average, "), "{first}");
        let few = "Too few frames to find hitches: the first 60";
        assert_eq!(first.contains(few), !has_hitches, "{first}");
        // The legend has what the graph shows, and no more.
        assert_eq!(page.contains("class=\"key hitch-key\""), has_hitches);
        assert_eq!(first.contains("frame 100frame 200"), has_hitches, "{first}");
        let has_budget = page.contains("class=\"budget\"");
        assert_eq!(page.contains("class=\"key budget-key\""), has_budget);
    }
}

#[test]
fn series_with_one_value_are_folded_and_the_culprit_comes_first() {
    let folder = Folder::new("html-interest");
    record_stalls(&folder.0.join("run.parquet"), 560, 100);
    let page = page(&folder.0, "report run.parquet");
    let document = check(&page);
    let names = |table: &str| -> Vec<String> {
        let rows = rows(&document, table).into_iter();
        rows.map(|mut row| row.remove(0)).collect()
    };
    let (varying, constant) = (names("Series"), names("Constant series"));
    assert!(
        varying[0] == "stalls/slow" || varying[1] == "stalls/slow",
        "{varying:?}"
    );
    let problems = "stats/problems".to_owned();
    assert!(!varying.contains(&problems) && constant.contains(&problems));
}

#[test]
fn a_gate_writes_the_page_of_its_verdict() {
    let folder = Folder::new("html-gate");
    for run in 0..3 {
        record_stalls(&folder.0.join(format!("a{run}.parquet")), 200, 100);
        record_stalls(&folder.0.join(format!("b{run}.parquet")), 200, 20);
    }
    let over = "gate a0.parquet --html page.html";
    std::fs::write(folder.0.join("stats.toml"), "[budgets]\nframe = 5\n").expect("writable");
    stats(&folder.0, over).ends(1);
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("it was written");
    let document = check(&page);
    assert!(page.contains("verdict bad") && page.contains("frame is over its budget of 5"));
    assert_eq!(data(&document)["outcome"], "worse");
    std::fs::write(
        folder.0.join("stats.toml"),
        "[gate]\nmay_fail = [\"frame/mean\"]\n",
    )
    .expect("writable");
    let worse = "gate b*.parquet --baseline a*.parquet --history a*.parquet --html page.html";
    stats(&folder.0, worse).ends(1);
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("it was written");
    let document = check(&page);
    assert!(page.contains("verdict bad") && page.contains("frame/mean is worse by"));
    assert_eq!(data(&document)["verb"], "gate");
    assert!(
        page.contains("frame/mean over 6 runs"),
        "the history has the runs themselves"
    );
}

#[test]
fn text_markdown_and_pages_have_the_same_sections_in_the_same_order() {
    let folder = Folder::new("html-sections");
    record_stalls(&folder.0.join("a.parquet"), 300, 100);
    record_stalls(&folder.0.join("b.parquet"), 300, 50);
    for (line, graphs) in [
        (
            "report a.parquet",
            &["pictures", "definitions", "commands"][..],
        ),
        (
            "compare --before a.parquet --after b.parquet",
            &[
                "frames",
                "distribution",
                "hitches",
                "leaks-and-stalls",
                "difference-by-self-time",
                "definitions",
                "commands",
            ],
        ),
        (
            "trend a.parquet b.parquet",
            &["history", "definitions", "commands"],
        ),
    ] {
        let page = page(&folder.0, line);
        let document = check(&page);
        let sections = document
            .descendants()
            .filter(|node| node.has_tag_name("section"));
        let mut of_page: Vec<&str> = sections.filter_map(|node| node.attribute("id")).collect();
        for graph in graphs {
            assert!(of_page.contains(graph), "{line}: {graph} of {of_page:?}");
        }
        of_page.retain(|id| !graphs.contains(id));
        let id = |title: &str| title.to_lowercase().replace(' ', "-");
        let text = stats(&folder.0, line).stdout;
        let titles = text
            .split("\n\n")
            .skip(1)
            .filter_map(|part| part.lines().next());
        assert_eq!(titles.map(id).collect::<Vec<_>>(), of_page, "{line}");
        let markdown = stats(&folder.0, &format!("{line} --format markdown"));
        let markdown = markdown.stdout;
        let titles = markdown.lines().filter_map(|line| line.strip_prefix("## "));
        assert_eq!(titles.map(id).collect::<Vec<_>>(), of_page, "{line}");
    }
}

/// There are more frames than columns of pixels, so even more frames would not enlarge the page.
#[test]
fn a_page_of_120_series_is_smaller_than_its_limit() {
    let folder = Folder::new("html-size");
    let paths: Vec<String> = (0..120)
        .map(|at| format!("html/system-{}/series-{at}", at % 9))
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    record(&folder.0.join("run.parquet"), 4000, &paths, 0);
    let page = page(&folder.0, "report run.parquet");
    check(&page);
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
}
