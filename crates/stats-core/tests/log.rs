//! The records that the program's logger receives.

use std::sync::Mutex;

use log::{Level, LevelFilter, Log, Metadata, Record};

/// Keeps every record.
struct Capture(Mutex<Vec<(Level, String, String)>>);

static CAPTURE: Capture = Capture(Mutex::new(Vec::new()));

impl Log for Capture {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Info
    }

    fn log(&self, record: &Record<'_>) {
        let line = (
            record.level(),
            record.target().to_owned(),
            record.args().to_string(),
        );
        self.0
            .lock()
            .expect("no test panics while it logs")
            .push(line);
    }

    fn flush(&self) {}
}

/// Returns the records of one call.
fn logged(level: Level) -> Vec<(Level, String, String)> {
    stats_core::log_report(level);
    std::mem::take(&mut CAPTURE.0.lock().expect("no test panics while it logs"))
}

/// One test, because the process has one logger and one set of histograms.
#[test]
fn each_line_of_the_report_is_a_record_with_level_and_target() {
    log::set_logger(&CAPTURE).expect("no other logger is set");
    log::set_max_level(LevelFilter::Trace);
    let nothing = (
        Level::Warn,
        "stats".to_owned(),
        "no samples were recorded".to_owned(),
    );
    assert_eq!(logged(Level::Warn), std::slice::from_ref(&nothing));

    stats_core::histogram("io/pack")
        .unit(stats_core::Unit::Milliseconds)
        .record(823.2);
    stats_core::histogram("ai/delta").record(-3.0);
    let _empty = stats_core::histogram("io/unpack").id();
    let records = logged(Level::Info);
    if stats_core::ENABLED {
        let lines: Vec<&str> = records.iter().map(|(_, _, line)| &**line).collect();
        assert_eq!(lines.join("\n"), stats_core::report().to_string());
        let first: Vec<_> = lines
            .iter()
            .map(|line| line.split_whitespace().next())
            .collect();
        assert_eq!(
            first,
            [Some("histogram"), Some("ai/delta"), Some("io/pack")]
        );
        assert!(
            lines
                .iter()
                .all(|line| line.chars().count() == lines[0].chars().count()),
            "{lines:#?}"
        );
        assert!(
            records
                .iter()
                .all(|(level, target, _)| (*level, &**target) == (Level::Info, "stats"))
        );
        assert!(lines[2].contains("823.2"), "{}", lines[2]);
    } else {
        assert_eq!(records, [(Level::Info, nothing.1, nothing.2)]);
    }

    let at_exit = stats_core::log_report_at_exit(Level::Info);
    let taken = || std::mem::take(&mut *CAPTURE.0.lock().expect("no test panics while it logs"));
    assert_eq!(taken(), []);
    drop(at_exit);
    assert_eq!(taken(), logged(Level::Info));

    assert_eq!(
        logged(Level::Debug),
        [],
        "the logger does not accept that level"
    );
}
