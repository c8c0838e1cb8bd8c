//! Files with the traps of Unreal Engine's format.

use stats_capture::{Ended, MarkKind, RecordedKind};

use super::super::testing::{durations, fuzz, paths, read, refused, starts, values};

const NAMES: &str = "EVENTS,Exclusive/GameThread/Paths,Exclusive/RenderThread/EventWait,GPU/Shadows,FrameTime,MemoryFreeMB,GameThreadTime,GPUTime";
const ROWS: &str = "Load;Spawn##2.5,1,2,3,10,1000,6,8\n,1.5,2.5,3.5,12,1000,7,9,600\nLoad ends,1,2,3,11,1001,6,8,601\n";
const END: &str = ",Shaders/Loaded\n[HasHeaderRowAtEnd],1,[platform],Windows,[os],Windows 11 [10.0.26100] ,[cpu],A CPU,[deviceprofile],[odd],[targetframerate],60,[starttimestamp],1748095037,[commandline],\" \"E:\\My Games\\Demo, final.exe\" -a=b,c\"\n";

fn file() -> String {
    format!("{NAMES}\n{ROWS}{NAMES}{END}")
}

#[test]
fn rows_that_grow_have_the_names_at_the_end() {
    let log = read(file());
    assert_eq!(
        (durations(&log), starts(&log)),
        (vec![10.0, 12.0, 11.0], vec![0.0, 10.0, 22.0])
    );
    assert_eq!(
        paths(&log),
        [
            "Paths",
            "EventWait",
            "gpu/Shadows",
            "machine/memory free",
            "frame/cpu",
            "gpu/frame",
            "Shaders/Loaded"
        ]
    );
    assert_eq!(
        values(&log, "Shaders/Loaded"),
        [None, Some(600.0), Some(601.0)]
    );
    assert_eq!(values(&log, "frame/cpu"), [Some(6.0), Some(7.0), Some(6.0)]);
    assert_eq!(
        values(&log, "machine/memory free")[0],
        Some(1000.0 * (1 << 20) as f64)
    );
    let record = |path: &str| {
        &log.series
            .iter()
            .find(|(record, _)| record.path == path)
            .unwrap()
            .0
    };
    let wait = record("EventWait");
    assert_eq!(
        (wait.kind, wait.thread.as_deref(), wait.wait),
        (RecordedKind::TimerSelf, Some("RenderThread"), true)
    );
    assert_eq!(record("frame/cpu").budget, Some(1e3 / 60.0));
    assert_eq!(log.run.ended, Ended::Clean);
}

#[test]
fn events_are_points_and_our_own_spans() {
    let log = read(file());
    let marks: Vec<_> = log
        .marks
        .iter()
        .map(|mark| (mark.name.as_str(), mark.kind, mark.begin, mark.end))
        .collect();
    assert_eq!(
        marks,
        [
            ("Load", MarkKind::Span, 0, Some(2)),
            ("Spawn", MarkKind::Point, 0, Some(1))
        ]
    );
}

#[test]
fn metadata_are_pairs_by_position_and_the_command_line_is_last() {
    let run = read(file()).run;
    assert_eq!(run.machine.os.as_deref(), Some("Windows 11 [10.0.26100]"));
    assert_eq!(
        (run.platform.as_str(), run.labels["device profile"].as_str()),
        ("Windows", "[odd]")
    );
    assert_eq!(run.started_at, "2025-05-24T13:57:17Z");
    assert_eq!(run.command, [r#""E:\My Games\Demo, final.exe" -a=b,c"#]);
    assert_eq!(run.labels["target frame rate"], "60");
}

#[test]
fn a_file_of_a_killed_program_has_neither_names_nor_metadata_at_the_end() {
    let log = read(format!("{NAMES}\n{ROWS},1,2,3,1"));
    assert_eq!(
        (durations(&log), log.run.ended),
        (vec![10.0, 12.0, 11.0], Ended::Recovered)
    );
    assert!(
        log.said
            .iter()
            .any(|said| said.starts_with("1 column that appears later has no name")),
        "{:?}",
        log.said
    );
    assert_eq!(log.run.started_at, "2024-01-31T12:34:56.000Z");
}

#[test]
fn utf_16_and_events_in_another_column_read_the_same() {
    let expected = read(file());
    let utf16: Vec<u8> = format!("\u{FEFF}{}", file())
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(durations(&read(utf16)), durations(&expected));
    let log = read("FrameTime,EVENTS,GPU/A\n10,Hit,1\n11,,2\n");
    assert_eq!(
        (log.marks[0].name.as_str(), durations(&log)),
        ("Hit", vec![10.0, 11.0])
    );
    let error = refused("EVENTS,GPU/A\n,1\n");
    assert!(
        error.contains(
            "no column has the frame time (looked for FrameTime; the file has EVENTS, GPU/A)"
        ),
        "{error}"
    );
}

#[test]
fn changed_files_are_read_or_refused() {
    fuzz(file(), 5);
}

#[test]
fn a_file_without_events_has_the_times_of_threads() {
    let header = "FrameTime,GameThreadTime,RenderThreadTime\n";
    let log = read(format!(
        "{header}10,6,8\n12,7,9\n[HasHeaderRowAtEnd],1,[platform],Windows\n{header}"
    ));
    assert_eq!(durations(&log), [10.0, 12.0]);
    assert_eq!(paths(&log), ["frame/cpu", "RenderThreadTime"]);
    assert_eq!(log.run.platform, "Windows");
}
