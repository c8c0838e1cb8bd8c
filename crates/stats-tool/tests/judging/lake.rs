//! A lake: its summary, its site, and questions about it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use stats_testing::{Folder, Random};

use super::{Output, Run, stats};

/// Records runs of a build into a lake, and returns the folder of the captures.
fn record(folder: &Folder, build: &str, times: usize, run: &Run) -> PathBuf {
    let path = format!("lake/build={build}/platform=test/scenario={}", run.scenario);
    let path = folder.0.join(path);
    let named = Run {
        build: Some(build.to_owned()),
        ..run.clone()
    };
    named.record_times(times, path.clone());
    path
}

#[test]
fn a_folder_that_is_no_lake_is_told_what_a_lake_is() {
    let folder = Folder::new("lake-none");
    let runs = Run::default().record_times(1, folder.0.join("runs"));
    for name in [".", &runs] {
        stats(&folder, &["summarize", name]).expect(
            3,
            &[
                "has no captures in folders named build=…",
                "name the folder of --lake",
            ],
        );
    }
}

#[test]
fn a_summary_contains_the_current_version_of_each_capture_once() {
    let folder = Folder::new("tool-lake");
    let captures = record(&folder, "1.0", 3, &Run::default());
    let summarize = || stats(&folder, &["summarize", "lake"]);
    summarize().expect(0, &["3 runs added", "which has 3"]);
    summarize().expect(0, &["0 runs added", "which has 3"]);
    record(&folder, "1.1", 1, &Run::default());
    let slower = Run {
        ms: 30.0,
        ..Run::default()
    };
    slower.record(captures.join("run-001.parquet"), &mut Random::new(7));
    // Left by a call that was killed.
    let left = folder.0.join("lake/summary/metrics/00009.parquet");
    std::fs::write(&left, "part").unwrap();
    summarize().expect(0, &["2 runs added", "which has 4"]);
    assert!(!left.exists());
    let trend = stats(&folder, &["trend", "lake", "--format", "json"]).json();
    assert_eq!(trend["runs"].as_array().unwrap().len(), 4);
    stats(&folder, &["summarize", "lake", "--again"]).expect(0, &["4 runs added", "which has 4"]);
}

#[test]
fn a_damaged_capture_is_named_and_the_others_are_summarized() {
    let folder = Folder::new("tool-lake-damaged");
    let captures = record(&folder, "1.0", 2, &Run::default());
    let damaged = captures.join("run-000.parquet");
    let bytes = std::fs::read(&damaged).unwrap();
    std::fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
    stats(&folder, &["summarize", "lake"]).expect(
        3,
        &[
            "run-000.parquet is damaged",
            "copy the file again",
            "1 run added",
        ],
    );
    stats(&folder, &["query", "lake", "--ask", "none"]).expect(64, &["worst-hitches"]);
    std::fs::write(folder.0.join("lake/summary/parts.json"), "{").unwrap();
    stats(&folder, &["trend", "lake"]).expect(3, &["parts.json is damaged", "stats summarize"]);
}

#[test]
fn repairing_a_summary_keeps_all_parts_that_can_be_read() {
    let folder = Folder::new("tool-lake-repair");
    let lake = folder.0.join("lake");
    let runs = || {
        let trend = stats(&folder, &["trend", "lake", "--format", "json"]).json();
        trend["runs"].as_array().unwrap().len()
    };
    // Two parts with two runs each. The captures of the first are deleted afterward.
    let captures = record(&folder, "1.0", 2, &Run::default());
    stats(&folder, &["summarize", "lake"]).expect(0, &["which has 2"]);
    record(&folder, "1.1", 2, &Run::default());
    stats(&folder, &["summarize", "lake"]).expect(0, &["which has 4"]);
    std::fs::remove_dir_all(captures).unwrap();

    // Without the list, no run is lost, and the file of a killed call adds none.
    let list = lake.join("summary/parts.json");
    std::fs::write(&list, "{").unwrap();
    std::fs::write(lake.join("summary/runs/00007.parquet"), "part").unwrap();
    stats(&folder, &["trend", "lake"]).expect(3, &["parts.json is damaged", "summarize --again"]);
    stats(&folder, &["summarize", "lake"]).expect(3, &["summarize --again"]);
    stats(&folder, &["summarize", "lake", "--again"])
        .expect(0, &["parts.json is damaged", "2 runs added", "which has 4"]);
    assert_eq!(runs(), 4);

    // A damaged part is kept, and its captures are read again.
    let part = |table: &str| {
        let files = std::fs::read_dir(lake.join("summary").join(table)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        files
            .filter(|file| file.extension().is_some_and(|end| end == "parquet"))
            .max()
            .unwrap()
    };
    let metrics = part("metrics");
    let bytes = std::fs::read(&metrics).unwrap();
    std::fs::write(&metrics, &bytes[..bytes.len() / 2]).unwrap();
    stats(&folder, &["trend", "lake"]).expect(3, &["summarize --again"]);
    stats(&folder, &["summarize", "lake", "--again"]).expect(0, &["is damaged", "2 runs added"]);
    assert_eq!(runs(), 2);
    assert!(metrics.with_extension("damaged").exists());
    stats(&folder, &["summarize", "lake"]).expect(0, &["0 runs added", "which has 2"]);
    assert!(metrics.with_extension("damaged").exists());

    // A newer format is not damage.
    std::fs::write(&list, r#"{"format": 9, "parts": []}"#).unwrap();
    stats(&folder, &["summarize", "lake", "--again"]).expect(3, &["newer `stats`"]);
}

#[test]
fn a_lake_and_its_captures_have_the_same_trend() {
    let folder = Folder::new("tool-lake-trend");
    let captures = record(&folder, "1.0", 8, &Run::default());
    let slower = Run {
        ms: 15.0,
        commit: "def".into(),
        ..Run::default()
    };
    let mut random = Random::new(3);
    for at in 0..6 {
        slower.record(captures.join(format!("slower-{at}.parquet")), &mut random);
    }
    stats(&folder, &["summarize", "lake"]).expect(0, &[]);
    let captures = captures.to_str().unwrap();
    let [mut of_captures, mut of_lake] =
        [captures, "lake"].map(|runs| stats(&folder, &["trend", runs, "--format", "json"]).json());
    for trend in [&mut of_captures, &mut of_lake] {
        for run in trend["runs"].as_array_mut().unwrap() {
            // One of the paths is absolute.
            run["file"].take();
        }
    }
    // A busy machine may change what the system measured, such as the time without a processor.
    let events = of_captures["events"].as_array().unwrap().iter();
    let changes = events.map(|event| event["changes"].as_array().unwrap());
    let of_frames = changes.filter(|all| all.iter().any(|one| one["name"] == "frame/median"));
    assert_eq!(of_frames.count(), 1);
    assert_eq!(of_captures, of_lake);
}

#[test]
fn a_site_links_its_pages_and_unchanged_reports_are_not_rewritten() {
    let folder = Folder::new("tool-lake-site");
    record(&folder, "1.0", 2, &Run::default());
    let other = Run {
        scenario: "menu & map",
        ..Run::default()
    };
    record(&folder, "1.0", 1, &other);
    stats(&folder, &["summarize", "lake"]).expect(0, &[]);
    let write = || {
        stats(&folder, &["trend", "lake", "--html", "site"])
            .expect(2, &[])
            .code
    };
    write();
    let site = folder.0.join("site");
    let index = std::fs::read_to_string(site.join("index.html")).unwrap();
    let pages = links(&index);
    assert_eq!(pages.len(), 2, "{pages:?}");
    let mut reports = BTreeMap::new();
    for page in &pages {
        let page = std::fs::read_to_string(site.join(page)).unwrap();
        roxmltree::Document::parse_with_options(&page, options()).expect("well-formed");
        let (back, to_reports): (Vec<_>, Vec<_>) = links(&page)
            .into_iter()
            .partition(|address| address == "index.html");
        assert_eq!(back.len(), 1, "a page links to the index");
        for report in to_reports {
            let path = site.join(&report);
            let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
            reports.insert(path, modified);
        }
    }
    assert_eq!(reports.len(), 3);
    write();
    for (path, modified) in reports {
        assert_eq!(
            std::fs::metadata(path).unwrap().modified().unwrap(),
            modified
        );
    }
}

#[test]
fn a_report_that_cannot_be_written_changes_the_exit_code() {
    let folder = Folder::new("tool-lake-reports");
    let captures = record(&folder, "1.0", 9, &Run::default());
    stats(&folder, &["summarize", "lake"]).expect(0, &[]);
    let write = || stats(&folder, &["trend", "lake", "--html", "site"]);
    write().expect(0, &[]);
    let damaged = captures.join("run-004.parquet");
    let bytes = std::fs::read(&damaged).unwrap();
    std::fs::write(&damaged, &bytes[..bytes.len() / 2]).unwrap();
    write().expect(
        3,
        &["run-004.parquet is damaged", "the run has no new report"],
    );
}

fn options() -> roxmltree::ParsingOptions {
    roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    }
}

/// Returns the addresses of other pages, each once.
fn links(page: &str) -> Vec<String> {
    let addresses = page.split("href=\"").skip(1);
    let addresses = addresses.filter_map(|rest| rest.split('"').next());
    let mut links: Vec<String> = addresses
        .filter(|address| address.ends_with(".html"))
        .map(str::to_owned)
        .collect();
    links.sort();
    links.dedup();
    links
}

#[test]
fn an_error_about_an_engine_says_how_to_fix_it() {
    let folder = Folder::new("tool-lake-engine");
    record(&folder, "1.0", 1, &Run::default());
    stats(&folder, &["query", "lake", "SELECT 1"]).expect(64, &["stats summarize"]);
    stats(&folder, &["summarize", "lake"]).expect(0, &[]);
    stats(&folder, &["query", "lake", "SELECT 1", "--engine", "mysql"])
        .expect(64, &["spark://HOST:PORT"]);
    let unreachable = [
        "query",
        "lake",
        "SELECT 1",
        "--engine",
        "spark://127.0.0.1:1",
    ];
    stats(&folder, &unreachable)
        .expect(3, &["spark://127.0.0.1:1 cannot be reached", "master runs"]);
    // Nothing is installed.
    let mut without_python = Command::new(env!("CARGO_BIN_EXE_stats"));
    without_python
        .args(["query", "lake", "SELECT 1"])
        .current_dir(&folder.0)
        .env("PATH", "")
        .env("XDG_CACHE_HOME", folder.0.join("cache"));
    Output::of(&mut without_python).expect(3, &["no package duckdb", "-m pip install duckdb"]);
    assert!(!folder.0.join("cache").exists());
}

/// A folder whose name would be a pattern.
const LAKE: &str = "la[k]e *{1}? + 100%";

/// The engines and the report compute the same numbers from the same captures, and both engines
/// give the same answer to every question.
#[test]
#[ignore = "needs DuckDB, Spark and Java, which `scripts/test fleet` installs"]
fn the_report_duckdb_and_spark_agree() {
    let folder = Folder::new("tool-lake-engines");
    // One run per build, so that a report describes the same frames as a row of the answer. The
    // captures have different series, and in one, a series has fractions instead of whole numbers.
    for (build, ms, draw_calls) in [
        ("1.0", 10.0, 500.0),
        ("1.1 beta", 14.0, 500.5),
        ("10", 12.0, 400.0),
    ] {
        let run = Run {
            ms,
            draw_calls,
            slow_every: 97,
            ..Run::default()
        };
        if build == "10" {
            stats_core::gauge("engines/added").set(2.5);
        }
        record(&folder, &build.replace(' ', "%20"), 1, &run);
    }
    // Names that would be patterns.
    let moved = |from: PathBuf, to: &str| {
        std::fs::rename(&from, from.with_file_name(to)).expect("names of Unix");
    };
    let captures = "lake/build=10/platform=test/scenario=fly-through";
    moved(
        folder.0.join(captures).join("run-000.parquet"),
        "run-[0]*{a}?.parquet",
    );
    moved(folder.0.join("lake"), LAKE);
    stats(&folder, &["summarize", LAKE]).expect(0, &[]);
    let mut cluster = Cluster::start();
    let waiting = ["query", LAKE, "--ask", "worst-hitches", "--engine"];
    let mut waiting = Command::new(env!("CARGO_BIN_EXE_stats"))
        .args(waiting)
        .arg(&cluster.address)
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut note = String::new();
    let mut said = BufReader::new(waiting.stderr.take().expect("it is piped"));
    said.read_line(&mut note).expect("UTF-8");
    assert!(
        note.contains("no worker of the cluster has a free core"),
        "{note}"
    );
    cluster.add_workers();
    assert!(waiting.wait().expect("it is a child").success());
    let engines = ["duckdb", cluster.address.as_str()];
    for name in [
        "worst-hitches",
        "changed-series",
        "memory-by-level",
        "over-budget",
        "machines-that-differ",
    ] {
        let [duckdb, spark] = engines.map(|engine| ask(&folder, name, engine));
        assert_eq!(duckdb, spark, "{name}");
    }
    let series = "SELECT build, min(\"renderer/draw-calls\") AS least,
        max(\"renderer/draw-calls\") AS most, avg(\"engines/added\") AS added
        FROM frames GROUP BY build ORDER BY build";
    let [duckdb, spark] = engines.map(|engine| answer(&folder, &[series, "--engine", engine]));
    assert_eq!(duckdb, spark);
    assert_eq!(
        duckdb["rows"],
        serde_json::json!([
            ["1.0", 500.0, 500.0, null],
            ["1.1 beta", 500.5, 500.5, null],
            ["10", 400.0, 400.0, 2.5],
        ])
    );
    let [duckdb, spark] = engines.map(|engine| ask(&folder, "frame-percentiles", engine));
    assert_eq!(duckdb, spark);
    let rows = duckdb["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let build = row[0].as_str().unwrap().replace(' ', "%20");
        let run = format!("{LAKE}/build={build}/platform=test/scenario=fly-through");
        let report = stats(&folder, &["report", &run, "--format", "json"]).json();
        let metric = |name: &str| {
            let metrics = report["metrics"].as_array().unwrap();
            metrics
                .iter()
                .find(|metric| metric["name"] == name)
                .unwrap()["value"]
                .clone()
        };
        for (column, name) in [
            (2, "run/frames"),
            (3, "frame/median"),
            (4, "frame/p95-by-frame"),
            (5, "frame/p99-by-frame"),
            (6, "frame/p95-by-time"),
            (7, "frame/p99-by-time"),
            (8, "frame/high-water"),
        ] {
            assert_eq!(
                row[column].as_f64(),
                metric(name).as_f64(),
                "{build}: {name}"
            );
        }
    }
    let wrong = stats(
        &folder,
        &[
            "query",
            LAKE,
            "SELECT nothing FROM runs",
            "--engine",
            &cluster.address,
        ],
    );
    wrong.expect(64, &["Spark rejects the question", "nothing"]);
}

/// The summary cannot detect this damage, because the capture keeps its size and its modification
/// time.
#[test]
#[ignore = "needs DuckDB, which `scripts/test fleet` installs"]
fn a_capture_that_is_damaged_later_is_named_and_left_out_of_an_answer() {
    let folder = Folder::new("tool-lake-later");
    let captures = record(&folder, "1.0", 2, &Run::default());
    stats(&folder, &["summarize", "lake"]).expect(0, &["2 runs added"]);
    let damaged = captures.join("run-000.parquet");
    let modified = std::fs::metadata(&damaged).unwrap().modified().unwrap();
    let mut bytes = std::fs::read(&damaged).unwrap();
    bytes[4..4000].fill(0xff);
    std::fs::write(&damaged, &bytes).unwrap();
    let file = std::fs::File::options().write(true).open(&damaged);
    file.unwrap().set_modified(modified).unwrap();
    let question =
        "SELECT run, count(*) AS frames, sum(duration_ns) AS ns FROM frames GROUP BY run";
    let answer = stats(&folder, &["query", "lake", question, "--format", "csv"]);
    answer.expect(
        3,
        &[
            "run-000.parquet is damaged",
            "copy the file again",
            "its frames are left out",
            "run-001.parquet,701,",
        ],
    );
    assert!(!answer.stdout.contains("run-000"), "{}", answer.stdout);
    // A question about the summary needs no captures.
    stats(&folder, &["query", "lake", "--ask", "worst-hitches"]).expect(0, &[]);
}

fn ask(folder: &Folder, name: &str, engine: &str) -> Value {
    answer(folder, &["--ask", name, "--engine", engine])
}

fn answer(folder: &Folder, arguments: &[&str]) -> Value {
    let line = [&["query", LAKE, "--format", "json"], arguments].concat();
    let ended = stats(folder, &line);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended.json()
}

/// A standalone cluster on the loopback interface.
struct Cluster {
    address: String,
    processes: Vec<Child>,
}

impl Cluster {
    /// Starts a master.
    fn start() -> Self {
        let socket = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = socket.local_addr().expect("a free port").port();
        drop(socket);
        let mut cluster = Self {
            address: format!("spark://127.0.0.1:{port}"),
            processes: Vec::new(),
        };
        let port = port.to_string();
        cluster.add("master.Master", &["--port", &port]);
        let began = std::time::Instant::now();
        while std::net::TcpStream::connect(&cluster.address["spark://".len()..]).is_err() {
            assert!(began.elapsed().as_secs() < 120, "the master does not start");
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        cluster
    }

    /// Starts two workers.
    fn add_workers(&mut self) {
        let address = self.address.clone();
        for _ in 0..2 {
            let arguments = ["--cores", "1", "--memory", "1g", &address];
            self.add("worker.Worker", &arguments);
        }
    }

    fn add(&mut self, class: &str, arguments: &[&str]) {
        let home = PathBuf::from(std::env::var_os("SPARK_HOME").expect("SPARK_HOME is set"));
        let process = Command::new(home.join("bin/spark-class"))
            .arg(format!("org.apache.spark.deploy.{class}"))
            .args(["--host", "127.0.0.1", "--webui-port", "0"])
            .args(arguments)
            .env("SPARK_LOCAL_IP", "127.0.0.1")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.processes.push(process.expect("Spark starts"));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            // Fails if the process has already ended.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
