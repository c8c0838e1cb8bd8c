//! The logs of other programs, as arguments and imported.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use stats_capture::{CaptureFile, Ended};
use stats_core::Source;
use stats_testing::Folder;

use crate::{Output, record, stats};

/// Writes a log of PresentMon 1 with frames of `ms`, every tenth of them three times as long.
fn presentmon(path: &Path, ms: f64, frames: u32) {
    let mut text = "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,MsBetweenPresents,MsInPresentAPI,MsUntilDisplayed,MsBetweenDisplayChange,msGPUActive\n".to_owned();
    let mut end_ms = 1_000.0;
    for frame in 0..frames {
        let ms = if frame % 10 == 9 {
            3.0 * ms
        } else {
            ms + f64::from(frame % 7) * 0.01
        };
        end_ms += ms;
        text += &format!(
            "game.exe,7,0x1,DXGI,0,{:.6},{ms},1.5,20,{ms},{}\n",
            end_ms / 1e3,
            ms - 1.0
        );
        text += &format!(
            "dwm.exe,2,0x2,DXGI,0,{:.6},16.7,0.1,20,16.7,1\n",
            end_ms / 1e3
        );
    }
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a temporary folder");
    std::fs::write(path, text).expect("a temporary file");
}

#[test]
fn a_log_is_read_wherever_a_run_is() {
    let folder = Folder::new("tool-import-run");
    presentmon(&folder.0.join("run.csv"), 10.0, 200);
    let output = stats(&folder.0, "report run.csv --format json");
    let report = output.ends(0).json();
    let said =
        "stats: run.csv: presentmon 1: game.exe (pid 7), 200 frames; left out dwm.exe 200 rows;";
    assert!(output.stderr.starts_with(said), "{}", output.stderr);
    assert_eq!(report["runs"][0]["file"], "run.csv");
    assert_eq!(report["runs"][0]["frames"], 200);
    for line in [
        "report run.csv --html run.html",
        "explain run.csv",
        "export run.csv --to csv",
        "gate run.csv",
        "compare --before run.csv --after run.csv",
    ] {
        let output = stats(&folder.0, line);
        let code = output.code;
        assert!(matches!(code, Some(0..=2)), "{line}: {}", output.stderr);
        let shown = output.stdout + &output.stderr;
        assert!(!shown.contains("log-0"), "{line}: {shown}");
    }
    // No temporary capture stays, and none is named.
    assert!(
        !std::fs::read_to_string(folder.0.join("run.html"))
            .unwrap()
            .contains("log-0")
    );
    assert_eq!(folder.names(), ["run.csv", "run.html"]);
}

/// Runs the tool with its temporary folders in `folder/tmp`, and a log on standard input.
fn stats_with_temporary(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    std::fs::create_dir_all(folder.0.join("tmp")).expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_stats"));
    command.args(arguments).current_dir(&folder.0);
    command.env("TMPDIR", folder.0.join("tmp"));
    command.env("TMP", folder.0.join("tmp"));
    command.stdin(File::open(folder.0.join(input)).expect("it was just written"));
    Output::of(&mut command)
}

#[test]
fn no_temporary_folder_is_left_of_a_log() {
    let folder = Folder::new("tool-import-temporary");
    presentmon(&folder.0.join("run.csv"), 10.0, 200);
    for line in [
        "report run.csv",
        "report -",
        "report run.csv missing.parquet",
        "explain run.csv",
        "explain run.csv --frame 99999",
        "export run.csv --to csv",
        "gate run.csv",
        "compare --before run.csv --after -",
    ] {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let output = stats_with_temporary(&folder, &arguments, "run.csv");
        let left = std::fs::read_dir(folder.0.join("tmp")).expect("a folder");
        assert_eq!(left.count(), 0, "{line}: {}", output.stderr);
    }
}

#[test]
fn a_log_on_standard_input_is_named_so() {
    let folder = Folder::new("tool-import-stdin");
    presentmon(&folder.0.join("run.csv"), 10.0, 200);
    let output = stats_with_temporary(&folder, &["report", "-", "--format", "json"], "run.csv");
    assert_eq!(output.ends(0).json()["runs"][0]["file"], "standard input");
    assert!(
        output
            .stderr
            .starts_with("stats: standard input: presentmon 1:"),
        "{}",
        output.stderr
    );
    let output = stats_with_temporary(&folder, &["trend", "-"], "run.csv");
    let shown = output.stdout + &output.stderr;
    assert!(!shown.contains("log-0"), "{shown}");
}

/// Windows has no such names.
#[cfg(unix)]
#[test]
fn the_name_of_a_log_is_escaped_in_every_format() {
    let folder = Folder::new("tool-import-names");
    let name = "a\"b<img src=x onerror=alert(1)>&c|d\u{1b}[31m.csv";
    presentmon(&folder.0.join(name), 10.0, 200);
    let run = |arguments: &[&str]| {
        let output = stats_with_temporary(&folder, &[&["report", name], arguments].concat(), name);
        output.ends(0);
        assert!(!output.stderr.contains('\u{1b}'), "{}", output.stderr);
        output
    };
    let report = run(&["--format", "json"]).ends(0).json();
    assert_eq!(report["runs"][0]["file"], name);

    let text = run(&["--html", "page.html"]).stdout;
    assert!(!text.contains('\u{1b}'), "{text}");
    let length = |is_wanted: &dyn Fn(&str) -> bool| {
        let line = text.lines().find(|line| is_wanted(line));
        line.expect("a line of the table").chars().count()
    };
    // The columns are as wide as the name that is shown, not as the path of a temporary file.
    assert_eq!(
        length(&|line| line.starts_with("  a\"b<img") && line.contains(" ns")),
        length(&|line| line.starts_with("  ") && line.contains("left out  ")),
        "{text}"
    );
    let page = std::fs::read_to_string(folder.0.join("page.html")).expect("it was written");
    assert!(page.contains("a&quot;b&lt;img src=x"), "the name is shown");
    assert!(!page.contains("<img src=x") && !page.contains('\u{1b}'));

    let markdown = run(&["--format", "markdown"]).stdout;
    assert!(
        markdown.contains("\\<img") && markdown.contains("c\\|d"),
        "{markdown}"
    );
    assert!(!markdown.contains("b<img") && !markdown.contains('\u{1b}'));
}

#[test]
fn two_folders_of_logs_are_compared() {
    let folder = Folder::new("tool-import-folders");
    for run in 0..4 {
        let ms = 10.0 + f64::from(run) * 0.01;
        presentmon(&folder.0.join(format!("a/{run}.csv")), ms, 200);
        presentmon(&folder.0.join(format!("b/{run}.csv")), ms * 1.2, 200);
    }
    // Summaries and other tables are no runs.
    std::fs::write(
        folder.0.join("a/0_summary.csv"),
        "0.1% Min FPS,1% Min FPS\n1,2\n",
    )
    .unwrap();
    std::fs::write(folder.0.join("a/notes.csv"), "a,b\n1,2\n").unwrap();
    let output = stats(&folder.0, "compare --before a --after b --html page.html");
    let text = &output.stderr;
    let table = "a/notes.csv is a table of no known program; `stats import --time COLUMN --unit ms` reads a table of frame \
                 times; the file is left out";
    assert!(text.contains(table), "{text}");
    assert!(!text.contains("0_summary"), "{text}");
    // The frames take 20 % longer, which four runs on each side tell.
    output.ends(1);
    output.prints("frame/p99-by-time");
    let page = std::fs::read_to_string(folder.0.join("page.html")).unwrap();
    assert!(page.contains("a/0.csv") && page.contains("b/3.csv"));
    // A folder with captures stands for these.
    record(&folder.0.join("a/run.parquet"), "smoke", 100, "import/work");
    let output = stats(&folder.0, "report a --format json");
    assert_eq!(
        output.ends(0).json()["runs"].as_array().map(Vec::len),
        Some(1)
    );
    let beside = "a has captures (1), which are read, and logs of other programs, which are not: 0.csv, 1.csv, 2.csv, 3.csv; \
                  name these logs, too, or move them to a folder of their own";
    output.says(beside);
}

#[test]
fn a_log_of_a_folder_that_cannot_be_read_is_named_and_the_others_are_runs() {
    let folder = Folder::new("tool-import-left-out");
    presentmon(&folder.0.join("a/1.csv"), 10.0, 200);
    presentmon(&folder.0.join("a/2.csv"), 10.0, 200);
    let write = |name: &str, text: &str| std::fs::write(folder.0.join(name), text).unwrap();
    write("a/cut.csv", "Application,MsBetweenPresents\ngame.exe,NA\n");
    write(
        "a/old.hml",
        "0, 24-10-2025 16:56:05, Hardware monitoring log v1.6 ,,\n",
    );
    write("a/x_summary.csv", "0.1% Min FPS,1% Min FPS\n1,2\n");
    // Notes and settings are no tables.
    write(
        "a/notes.txt",
        "The game crashed once.\nThen it did not, 1\n",
    );
    write("a/settings.json", "{\n  \"vsync\": 1\n}\n");
    let output = stats(&folder.0, "report a --format json");
    assert_eq!(
        output.ends(0).json()["runs"].as_array().map(Vec::len),
        Some(2)
    );
    let text = &output.stderr;
    for line in [
        "stats: a/cut.csv: no row has a frame time (first: line 2: \"NA\"); record the run again; the file is left out",
        "stats: a/old.hml is an Afterburner log, with a row a second",
        "stats: a/x_summary.csv contains figures, not frames; name the log beside it; the file is left out",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert_eq!(text.matches("is left out").count(), 3, "{text}");
    // A log that is named, and a folder in which no log can be read, is an error.
    let output = stats(&folder.0, "report a/1.csv a/cut.csv");
    output.ends(3);
    write("a/1.csv", "Application,MsBetweenPresents\n");
    write("a/2.csv", "Application,MsBetweenPresents\n");
    let output = stats(&folder.0, "report a");
    output.ends(3);
    let text = &output.stderr;
    assert!(
        text.contains("a/cut.csv: no row") && text.contains("a/1.csv: no row"),
        "{text}"
    );
    // More files than a screen has lines are counted.
    for number in 0..7 {
        write(&format!("a/table-{number}.csv"), "a,b\n1,2\n");
    }
    let text = stats(&folder.0, "import a").stderr;
    assert!(
        text.contains("4 more files are left out; name one of them"),
        "{text}"
    );
}

#[test]
fn a_file_that_is_no_log_is_refused_with_what_it_is() {
    let folder = Folder::new("tool-import-unknown");
    for (name, content, what) in [
        (
            "notes.txt",
            &b"The game crashed.\n"[..],
            "is neither a table nor the log of a known program",
        ),
        (
            "page.csv",
            b"<html>\n<p>1</p>\n",
            "is neither a table nor the log",
        ),
        (
            "x.json",
            b"{\"frames\": [1, 2]}",
            "is JSON of no known program",
        ),
        (
            "x.bin",
            b"\x01\0\0\0\x02",
            "is neither a text nor a recording of a known program",
        ),
        ("empty.csv", b"", "is empty; name another file"),
    ] {
        std::fs::write(folder.0.join(name), content).unwrap();
        let text = stats(&folder.0, &format!("import {name}")).stderr;
        assert!(text.contains(&format!("{name} {what}")), "{text}");
        assert!(!text.contains("--time"), "{text}");
    }
    presentmon(&folder.0.join("run.csv"), 10.0, 20);
    for (from, what) in [
        (
            "mangohud",
            "run.csv is no log of MangoHud; it looks like PresentMon, which is recognized without --from",
        ),
        (
            "capframex",
            "run.csv is no log of CapFrameX; it looks like PresentMon",
        ),
        (
            "puffin",
            "run.csv is no log of puffin; it looks like PresentMon",
        ),
    ] {
        let text = stats(&folder.0, &format!("import run.csv --from {from}")).stderr;
        assert!(text.contains(what), "{text}");
    }
    let text = stats(&folder.0, "import notes.txt --from mangohud").stderr;
    assert!(
        text.contains("notes.txt is no log of MangoHud; without --from, the file tells its format"),
        "{text}"
    );
}

#[test]
fn a_run_of_few_frames_says_that_no_hitch_was_looked_for() {
    let folder = Folder::new("tool-import-few");
    for (frames, is_examined) in [(60, false), (61, true)] {
        presentmon(&folder.0.join("run.csv"), 10.0, frames);
        let few = "Too few frames to find hitches: the first 60 of a run show what is usual; record a longer run.";
        let report = stats(&folder.0, "report run.csv").stdout;
        assert_eq!(report.contains("No hitch."), is_examined, "{report}");
        assert_eq!(
            report.matches(few).count(),
            if is_examined { 0 } else { 2 },
            "{report}"
        );
        let explained = stats(&folder.0, "explain run.csv").stdout;
        assert_eq!(explained.contains(few), !is_examined, "{explained}");
    }
}

#[test]
fn the_help_of_each_verb_that_reads_a_run_names_logs_and_standard_input() {
    let folder = Folder::new("tool-import-help");
    for verb in [
        "report", "compare", "gate", "trend", "explain", "export", "view",
    ] {
        if verb == "view" && !cfg!(feature = "view") {
            continue;
        }
        let help = stats(&folder.0, &format!("{verb} --help")).stdout;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            help.contains("of other programs") || help.contains("of another program"),
            "{help}"
        );
        assert!(help.contains("`-` for standard input"), "{help}");
    }
}

#[test]
fn the_figures_of_other_programs_are_in_the_json() {
    let folder = Folder::new("tool-import-peers");
    presentmon(&folder.0.join("run.csv"), 10.0, 200);
    let report = stats(&folder.0, "report run.csv --format json")
        .ends(0)
        .json();
    assert!(report["runs"][0].get("peers").is_none());
    let report = stats(&folder.0, "report run.csv --peers --format json")
        .ends(0)
        .json();
    let peers = report["runs"][0]["peers"].as_array().expect("a list");
    let figure = |name: &str| {
        let found = peers.iter().find(|peer| peer["name"] == name);
        found.unwrap_or_else(|| panic!("{name} is in {peers:?}"))
    };
    let maximum = figure("PresentMon: maximum");
    assert_eq!(
        (&maximum["value"], &maximum["here"], &maximum["unit"]),
        (&30.0.into(), &30.0.into(), &"ms".into())
    );
    assert_eq!(
        (&maximum["metric"], &maximum["definition"]),
        (&"frame/high-water".into(), &"the same".into())
    );
    let average = figure("CapFrameX: average");
    assert_eq!(average["unit"], "Hz");
    let (there, here) = (
        average["value"].as_f64().unwrap(),
        average["here"].as_f64().unwrap(),
    );
    assert!((there - here).abs() < 1e-9 * there, "{average}");
}

#[test]
fn import_writes_captures_and_prints_their_paths() {
    let folder = Folder::new("tool-import");
    presentmon(&folder.0.join("logs/a.csv"), 10.0, 50);
    presentmon(&folder.0.join("logs/b.csv"), 12.0, 60);
    std::fs::write(
        folder.0.join("logs/c_summary.csv"),
        "0.1% Min FPS,1% Min FPS\n1,2\n",
    )
    .unwrap();
    let output = stats(&folder.0, "import logs --out captures");
    output.ends(0);
    assert_eq!(output.stdout, "captures/a.parquet\ncaptures/b.parquet\n");
    let capture = CaptureFile::open(folder.0.join("captures/b.parquet")).unwrap();
    assert_eq!(
        (capture.frames(), capture.run().ended, capture.run().cost),
        (0..60, Ended::Clean, None)
    );
    // No file is replaced.
    let output = stats(&folder.0, "import logs/a.csv --out captures/a.parquet");
    output.ends(64);
    output.says("captures/a.parquet exists already; move it away");
    std::fs::write(folder.0.join("notes"), "kept").unwrap();
    let output = stats(&folder.0, "import logs/a.csv --out notes");
    output.ends(64);
    output.says("notes exists already; move it away");
    let output = stats(
        &folder.0,
        "import logs/a.csv --process DWM --out dwm.parquet",
    );
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (Some(0), "dwm.parquet\n")
    );
    // Beside the log; the others are imported although one cannot be read.
    let output = stats(
        &folder.0,
        "import logs/c_summary.csv logs/missing.csv logs/a.csv",
    );
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (Some(3), "logs/a.parquet\n")
    );
    let text = &output.stderr;
    assert!(
        text.contains("logs/c_summary.csv contains figures, not frames; name the log beside it"),
        "{text}"
    );
    assert!(text.contains("logs/missing.csv cannot be read"), "{text}");
    let output = stats(&folder.0, "import logs/a.parquet");
    output.ends(64);
    output.says("is a capture already");
}

#[test]
fn no_output_replaces_a_log_that_is_read() {
    let folder = Folder::new("tool-import-replace");
    let log = folder.0.join("logs/a.csv");
    presentmon(&log, 10.0, 300);
    let before = std::fs::read(&log).unwrap();
    for writer in [
        "report logs/a.csv --html",
        "report logs --html",
        "gate logs --html",
        "trend logs --html",
        "compare --before logs --after logs --html",
        "export logs/a.csv --to csv --out",
        "export logs/a.csv --redact --out",
    ] {
        let output = stats(&folder.0, &format!("{writer} logs/../logs/a.csv"));
        assert_eq!(output.code, Some(64), "{writer}: {}", output.stderr);
        output.says("logs/a.csv is read and would be lost; name another file to write");
        assert!(std::fs::read(&log).unwrap() == before, "{writer}");
    }
}

#[test]
fn a_known_column_without_a_unit_needs_only_the_unit() {
    let folder = Folder::new("tool-import-unit");
    std::fs::write(folder.0.join("x.csv"), "frametime\n10\n12\n9\n").unwrap();
    let output = stats(&folder.0, "import x.csv");
    output.ends(3);
    output
        .says("the column \"frametime\" has no unit in its name; --unit ms, s, us or ns tells it");
    stats(&folder.0, "import x.csv --unit ms").ends(0);
    let capture = CaptureFile::open(folder.0.join("x.parquet")).unwrap();
    assert_eq!(capture.frame(1).map(|frame| frame.duration_ms), Some(12.0));
}

#[test]
fn a_table_without_known_names_is_imported_by_its_column() {
    let folder = Folder::new("tool-import-table");
    std::fs::write(folder.0.join("x.csv"), "a,b\n10,1\n12,2\n9,3\n").unwrap();
    let output = stats(&folder.0, "report x.csv");
    output.ends(3);
    output.says("if it is the log of another program, `stats import` says how it is read");
    let output = stats(&folder.0, "import x.csv");
    output.ends(3);
    output.says("no column has the frame time (looked for");
    let output = stats(&folder.0, "import x.csv --time a --unit ms");
    assert_eq!(
        (output.code, output.stdout.as_str()),
        (Some(0), "x.parquet\n")
    );
    let capture = CaptureFile::open(folder.0.join("x.parquet")).unwrap();
    assert_eq!(capture.frame(1).map(|frame| frame.duration_ms), Some(12.0));
}

#[test]
fn hostile_files_end_with_a_sentence() {
    let folder = Folder::new("tool-import-hostile");
    let header = "Application,ProcessID,SwapChainAddress,MsBetweenPresents\n";
    let write = |name: &str, content: &[u8]| std::fs::write(folder.0.join(name), content).unwrap();
    write(
        "line.csv",
        &[header.as_bytes(), &vec![b'9'; 8 << 20]].concat(),
    );
    write(
        "quote.csv",
        &[header.as_bytes(), b"\"", &vec![b'\n'; 1 << 20]].concat(),
    );
    write(
        "columns.csv",
        &[
            &b"MsBetweenPresents"[..],
            &b",a".repeat(1_000_000),
            b"\n10\n",
        ]
        .concat(),
    );
    write("nul.csv", &[header.as_bytes(), b"a,1,2,\0\0\n"].concat());
    let deep = format!(
        "{{\"Info\":null,\"Runs\":[{{\"CaptureData\":{}",
        "[".repeat(1_000_000)
    );
    write("deep.json", deep.as_bytes());
    write("utf16.csv", b"\xFF\xFEa");
    write("empty.csv", b"");
    for name in [
        "line.csv",
        "quote.csv",
        "nul.csv",
        "deep.json",
        "utf16.csv",
        "empty.csv",
    ] {
        for verb in ["import", "report"] {
            let output = stats(&folder.0, &format!("{verb} {name}"));
            let text = &output.stderr;
            assert_eq!(output.code, Some(3), "{verb} {name}: {text}");
            assert!(
                text.starts_with("stats: ") && !text.contains("panicked"),
                "{verb} {name}: {text}"
            );
        }
    }
    let output = stats(&folder.0, "import columns.csv");
    assert!(matches!(output.code, Some(0 | 3)), "{}", output.stderr);
}

#[test]
fn a_log_with_times_of_both_sides_tells_what_limits_the_frame_rate() {
    let folder = Folder::new("tool-import-limit");
    for (name, busy, gpu) in [("gpu", 3.0, 9.9), ("cpu", 9.5, 4.0)] {
        let mut text = "Application,ProcessID,SwapChainAddress,TimeInMs,MsBetweenPresents,MsInPresentAPI,MsCPUBusy,MsCPUWait,MsGPUBusy,MsGPUTime\n".to_owned();
        for frame in 1..300 {
            let wait = 10.0 - busy;
            text += &format!(
                "game.exe,7,0x1,{},10,{wait},{busy},{wait},{gpu},{gpu}\n",
                frame * 10
            );
        }
        std::fs::write(folder.0.join(format!("{name}.csv")), text).expect("a temporary file");
        let output = stats(&folder.0, &format!("report {name}.csv"));
        let report = &output.stdout;
        let limit = format!("What limits the frame rate: {} bound", name.to_uppercase());
        assert!(report.contains(&limit), "{report}");
    }
    let output = stats(&folder.0, "report cpu.csv --peers --format markdown");
    let report = &output.stdout;
    assert!(
        report.contains("CapFrameX: P1 | 100.00 fps | 100.00 fps"),
        "{report}"
    );
    assert!(
        report.contains("PresentMon: maximum | 10.00 ms | 10.00 ms | the same"),
        "{report}"
    );
}

/// A recording of puffin with 100 frames, each with a scope in another. One is slow because of the
/// inner scope.
fn puffin(path: &Path) {
    let varint = |number: u64| [&[253][..], &number.to_le_bytes()].concat();
    let signed = |number: i64| varint((number << 1) as u64);
    let text = |text: &str| [varint(text.len() as u64), text.into()].concat();
    let part = |bytes: &[u8]| [&(bytes.len() as u32).to_le_bytes()[..], bytes].concat();
    let mut file = b"PUF0".to_vec();
    let mut begin_ns = 1_000_000_000_i64;
    for frame in 0..100_u64 {
        let inner_ns = if frame == 80 {
            60_000_000
        } else {
            2_000_000 + (frame % 7) as i64 * 1_000
        };
        let end_ns = begin_ns + 8_000_000 + inner_ns;
        let scope = |name: &str, begin_ns: i64, end_ns: i64, inner: &[u8]| {
            let mut bytes = vec![b'('];
            bytes.extend(begin_ns.to_le_bytes());
            bytes.extend([&[name.len() as u8], name.as_bytes(), &[0, 0]].concat());
            bytes.extend((inner.len() as u64).to_le_bytes());
            bytes.extend(inner);
            bytes.push(b')');
            bytes.extend(end_ns.to_le_bytes());
            bytes
        };
        let us = |us: i64| begin_ns + us * 1_000;
        let inner = [
            scope("load", us(500), us(1_000), &[]),
            scope("load", us(1_000), us(1_000) + inner_ns, &[]),
        ]
        .concat();
        let stream = scope("update", begin_ns, end_ns, &inner);
        let mut streams = [
            varint(1),
            vec![0],
            text("main"),
            varint(stream.len() as u64),
        ]
        .concat();
        streams.extend([stream, varint(2), varint(2), signed(0), signed(0)].concat());
        let numbers = [
            varint(frame),
            signed(begin_ns),
            signed(end_ns),
            varint(9),
            varint(2),
        ];
        file.extend(b"PFD3");
        file.extend(part(&numbers.concat()));
        file.extend((streams.len() as u32).to_le_bytes());
        file.push(0);
        file.extend(streams);
        begin_ns = end_ns;
    }
    std::fs::write(path, file).expect("a temporary file");
}

#[test]
fn the_scopes_of_a_puffin_recording_explain_its_frames() {
    let folder = Folder::new("tool-import-puffin");
    puffin(&folder.0.join("run.puffin"));
    let output = stats(&folder.0, "import run.puffin");
    output.ends(0);
    assert_eq!(
        folder.names(),
        ["run.parquet", "run.puffin", "run.spans.parquet"]
    );
    assert_eq!(
        output.stderr,
        "stats: run.puffin: puffin: 100 frames, 2 call paths\n"
    );
    for file in ["run.parquet", "run.puffin"] {
        let explained = stats(&folder.0, &format!("explain {file} --format json"))
            .ends(0)
            .json();
        let hitches = explained["hitches"].as_array().expect("a list");
        assert_eq!(hitches.len(), 1, "{explained}");
        assert_eq!(hitches[0]["frame"], 80);
        assert_eq!(hitches[0]["findings"][0]["path"], "puffin/main/update/load");
        let call = &hitches[0]["longest_call"];
        assert_eq!(
            (&call["of"], &call["ms"]),
            (&2.into(), &60.0.into()),
            "{call}"
        );
    }
    let report = stats(&folder.0, "report run.puffin").stdout;
    assert!(
        report.contains("1 hitch: in puffin/main/update/load, +58.0 ms."),
        "{report}"
    );
    // Old scopes would be taken for those of the new capture.
    std::fs::remove_file(folder.0.join("run.parquet")).expect("it was written");
    let output = stats(&folder.0, "import run.puffin");
    output.ends(64);
    output.says("run.spans.parquet exists already; move it away");
}

#[test]
fn what_the_machine_did_is_reported_and_not_compared() {
    let folder = Folder::new("tool-import-machine");
    for name in ["a.csv", "b.csv"] {
        let mut text = "fps,frametime,gpu_power,elapsed\n".to_owned();
        for row in 1..=100 {
            text += &format!("100,10,{},{}\n", 150 + row % 2, row * 10_000_000);
        }
        std::fs::write(folder.0.join(name), text).expect("a temporary file");
    }
    let mean = |report: &serde_json::Value| {
        let metrics = report["metrics"].as_array().expect("a list");
        let found = metrics
            .iter()
            .find(|metric| metric["name"] == "series/machine/gpu power/mean");
        found.and_then(|metric| metric["value"].as_f64())
    };
    let report = stats(&folder.0, "report a.csv --format json")
        .ends(0)
        .json();
    assert_eq!(mean(&report), Some(150.5));
    assert_eq!(mean(&report["runs"][0]), Some(150.5));
    let compared = stats(
        &folder.0,
        "compare --before a.csv --after b.csv --format json",
    );
    let text = &compared.stdout;
    assert!(
        text.contains("frame/mean") && !text.contains("gpu power/"),
        "{text}"
    );
}

#[test]
fn a_sampled_log_is_imported_without_figures_of_frames() {
    let folder = Folder::new("tool-import-sampled");
    let mut text = "fps,frametime,gpu_power,elapsed\n".to_owned();
    for row in 1..=100_u64 {
        text += &format!("100,10,{},{}\n", 150 + row % 2, row * 100_000_000);
    }
    std::fs::write(folder.0.join("run.csv"), text).expect("a temporary file");
    let output = stats(&folder.0, "import run.csv");
    output.ends(3);
    let output = stats(&folder.0, "import run.csv --sampled");
    output.ends(0);
    let said = "run.csv: sampled every 100 ms, so nothing is known about single frames";
    output.says(said);
    // As of any run without frames to judge.
    let output = stats(&folder.0, "report run.parquet");
    output.ends(2);
    let report = &output.stdout;
    assert!(
        report.contains("The log has samples, so nothing is known about its frames."),
        "{report}"
    );
    let output = stats(&folder.0, "report run.parquet --format json");
    let report = output.json();
    let metrics = report["metrics"].as_array().expect("a list");
    let names: Vec<_> = metrics
        .iter()
        .filter_map(|metric| metric["name"].as_str())
        .collect();
    assert!(
        names.contains(&"series/machine/gpu power/mean"),
        "{names:?}"
    );
    assert!(
        names.contains(&"series/sampled/frame time/mean"),
        "{names:?}"
    );
    assert!(!names.iter().any(|name| name.ends_with("fps")), "{names:?}");
}
