//! Logs with the traps of PresentMon's formats, each a few rows of our own.

use super::super::Options;
use super::super::testing::{durations, fuzz, paths, read, read_with, refused, starts, values};

const HEADER_1: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,Dropped,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed\n";

/// A row of PresentMon 1: the application, its number, whether it was dropped, the time in ms, and
/// four times of the present.
fn row_1(app: &str, pid: u32, dropped: u32, at_ms: f64, ms: [f64; 4]) -> String {
    let [between, change, api, until] = ms;
    format!(
        "{app},{pid},0x1,DXGI,0,0,0,Composed: Flip,{dropped},{},{between},{change},{api},1.5,{until}\n",
        at_ms / 1e3
    )
}

/// Three frames of a game, between rows of the compositor, which has more of them.
fn two_processes() -> String {
    let mut text = HEADER_1.to_owned();
    let mut at_ms = 5_000.0;
    for (frame, ms) in [10.0, 12.0, 11.0].into_iter().enumerate() {
        for _ in 0..2 {
            text += &row_1("dwm.exe", 7, 0, at_ms, [8.0, 8.0, 0.1, 9.0]);
        }
        at_ms += ms;
        let dropped = u32::from(frame == 1);
        let shown = if frame == 1 { [0.0, 0.0] } else { [16.0, 20.0] };
        let api = frame as f64 + 1.0;
        text += &row_1(
            "game.exe",
            42,
            dropped,
            at_ms,
            [ms, shown[0], api, shown[1]],
        );
    }
    text
}

#[test]
fn text_before_the_names_is_skipped() {
    let log = read(format!(
        "warning: some events were lost.\n\nStarted recording.\n{}",
        two_processes()
    ));
    assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
}

#[test]
fn the_game_is_chosen_although_the_compositor_has_more_rows() {
    let log = read(two_processes());
    assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
    // The time of a row is the end of its frame.
    assert_eq!(starts(&log), [0.0, 10.0, 22.0]);
    assert_eq!(log.run.scenario.as_deref(), Some("game"));
    assert_eq!(log.run.labels["pid"], "42");
    assert_eq!(log.run.started_at, "2024-01-31T12:34:56.000Z");
    let said = &log.said[0];
    assert!(
        said.starts_with("presentmon 1: game.exe (pid 42), 3 frames; left out dwm.exe 6 rows;"),
        "{said}"
    );
    // A dropped frame is a frame that was not shown.
    assert_eq!(
        values(&log, "display/not shown"),
        [Some(0.0), Some(1.0), Some(0.0)]
    );
    assert_eq!(
        values(&log, "display/latency"),
        [Some(20.0), None, Some(20.0)]
    );
    assert_eq!(
        values(&log, "display/between changes"),
        [Some(16.0), None, Some(16.0)]
    );
    // The present of a row is part of the frame after it.
    assert_eq!(
        values(&log, "present/in present call"),
        [None, Some(1.0), Some(2.0)]
    );
    let present = log
        .series
        .iter()
        .find(|(record, _)| record.path == "present/in present call");
    assert!(present.unwrap().0.wait);
    assert_eq!(log.run.labels["present mode"], "Composed: Flip");
    assert_eq!(log.marks.len(), 0);
}

#[test]
fn another_process_is_chosen_by_name_or_number() {
    let of = |process: &str| {
        let options = Options {
            process: Some(process.to_owned()),
            ..Options::default()
        };
        read_with(two_processes(), &options).map(|logs| logs[0].frames.len())
    };
    for (process, frames) in [("dwm.exe", 6), ("DWM", 6), ("7", 6), ("game", 3), ("42", 3)] {
        assert_eq!(of(process), Ok(frames), "{process}");
    }
    let error = of("other.exe").unwrap_err();
    assert!(error.contains("no frames are of the process \"other.exe\"; the file has dwm.exe 6 rows, game.exe 3 rows"), "{error}");
}

#[test]
fn every_encoding_and_line_break_reads_the_same() {
    let text = two_processes();
    let expected = read(&text);
    let utf16: Vec<u8> = format!("\u{FEFF}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let lower = text.replace("MsBetweenPresents", "msBetweenPresents");
    let semicolons = text
        .replace('.', "#")
        .replace(',', ";")
        .replace('#', ",")
        .replace("game,exe", "game.exe")
        .replace("dwm,exe", "dwm.exe");
    for other in [
        utf16,
        format!("\u{FEFF}{text}").into_bytes(),
        text.replace('\n', "\r\n").into_bytes(),
        lower.into_bytes(),
        semicolons.into_bytes(),
    ] {
        let log = read(other);
        assert_eq!(
            (durations(&log), starts(&log)),
            (durations(&expected), starts(&expected))
        );
        assert_eq!(paths(&log), paths(&expected));
        assert_eq!(log.said, expected.said);
    }
}

#[test]
fn the_waits_of_version_2_3_belong_one_row_later_and_add_up_to_the_frame() {
    let header = "Application,ProcessID,SwapChainAddress,PresentMode,FrameType,TimeInQPC,MsBetweenPresents,MsInPresentAPI,MsUntilDisplayed,MsBetweenAppStart,MsCPUBusy,MsCPUWait,MsGPULatency,MsGPUTime,MsGPUBusy,MsAnimationError,CPUStartQPC\n";
    let mut text = header.to_owned();
    let rows = [(10.0, 2.0, 9.0), (11.5, 3.0, 9.5), (14.0, 1.0, 11.0)];
    let mut ticks = 24_669_616_043_510_u64;
    for (frame, (between, wait, busy)) in rows.into_iter().enumerate() {
        ticks += (between * 1e4) as u64;
        let shown = if frame == 1 { "NA" } else { "17.5" };
        text += &format!(
            "g.exe,1,0xA,Flip,Application,{ticks},{between},{wait},{shown},{},{busy},{wait},0.5,8,7,NA,1\n",
            busy + wait
        );
        text += &format!("g.exe,1,0xA,Flip,Repeated,{ticks},1,1,1,1,1,1,1,1,1,1,1\n");
    }
    let log = read(text);
    assert_eq!(durations(&log), [10.0, 11.5, 14.0]);
    assert_eq!(starts(&log), [0.0, 10.0, 21.5]);
    let (cpu, wait) = (values(&log, "frame/cpu"), values(&log, "frame/cpu wait"));
    assert_eq!(wait, [None, Some(2.0), Some(3.0)]);
    for frame in 1..3 {
        assert_eq!(
            cpu[frame].unwrap() + wait[frame].unwrap(),
            durations(&log)[frame]
        );
    }
    // The call is a part of that wait, so it has no series.
    let expected = [
        "frame/cpu",
        "frame/cpu wait",
        "gpu/frame",
        "gpu/time",
        "gpu/latency",
        "display/latency",
        "display/not shown",
    ];
    assert_eq!(paths(&log), expected);
    assert_eq!(
        values(&log, "display/not shown"),
        [Some(0.0), Some(1.0), Some(0.0)]
    );
    assert!(
        log.said[0].contains("left out 3 generated or repeated frames"),
        "{:?}",
        log.said
    );
}

#[test]
fn frame_times_of_version_2_0_look_forward() {
    let header = "Application,ProcessID,SwapChainAddress,PresentMode,CPUStartTime,FrameTime,CPUBusy,CPUWait,GPUBusy,DisplayLatency,DisplayedTime\n";
    let rows = "g.exe,1,0xA,Flip,100.5,10,9,1,7,30,16\ng.exe,1,0xA,Flip,110.5,12,10,2,8,NA,NA\ng.exe,1,0xA,Other,122.5,11,8,3,6,31,17\n";
    let log = read(format!("{header}{rows}"));
    assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
    assert_eq!(starts(&log), [0.0, 10.0, 22.0]);
    // In the same row.
    assert_eq!(
        values(&log, "frame/cpu wait"),
        [Some(1.0), Some(2.0), Some(3.0)]
    );
    assert_eq!(
        values(&log, "display/between changes"),
        [Some(16.0), None, Some(17.0)]
    );
    // A change of the present mode is a mark.
    let marks: Vec<_> = log
        .marks
        .iter()
        .map(|mark| (mark.name.as_str(), mark.begin))
        .collect();
    assert_eq!(marks, [("Flip", 0), ("Other", 2)]);
}

#[test]
fn each_clock_has_its_unit_and_a_log_without_one_counts_frame_times() {
    let of = |column: &str, times: [&str; 3]| {
        let mut text = format!(
            "Application,ProcessID,SwapChainAddress,{column},MsBetweenPresents,MsInPresentAPI\n"
        );
        for (time, ms) in times.into_iter().zip([10, 12, 11]) {
            text += &format!("g.exe,1,0xA,{time},{ms},1\n");
        }
        starts(&read(text))
    };
    // The third frame begins a millisecond late.
    for (column, times) in [
        ("TimeInSeconds", ["5.010", "5.022", "5.034"]),
        ("TimeInMs", ["5010", "5022", "5034"]),
        (
            "TimeInQPC",
            ["90000000100000", "90000000220000", "90000000340000"],
        ),
        (
            "QPCTime",
            ["90000000100000", "90000000220000", "90000000340000"],
        ),
        (
            "TimeInDateTime",
            [
                "2024-1-31 23:59:59.990",
                "2024-2-1 00:00:00.002",
                "2024-2-1 00:00:00.014",
            ],
        ),
    ] {
        // A date has too many digits for the last nanoseconds.
        let starts = of(column, times)
            .into_iter()
            .map(|ms| (ms * 1e4).round() / 1e4);
        assert_eq!(starts.collect::<Vec<_>>(), [0.0, 10.0, 23.0], "{column}");
    }
    assert_eq!(of("Other", ["1", "2", "3"]), [0.0, 10.0, 22.0]);
    assert_eq!(
        of("TimeInSeconds", ["5.010", "NA", "5.034"]),
        [0.0, 10.0, 23.0]
    );
}

#[test]
fn ragged_rows_and_facts_of_the_first_row_are_read() {
    // OCAT names the hardware in the first row only, in quotes if it has commas.
    let header = "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsInPresentAPI,Motherboard,Processor,GPU\n";
    let rows = "g.exe,1,0x0,1.010,10,1,\"Board, Rev 2\",A CPU,A GPU\ng.exe,1,0x0,1.022,12,1\ng.exe,1,0x0,1.033,11,1,,,\n";
    let log = read(format!("{header}{rows}g.exe,1,0x0,1.04"));
    assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
    assert_eq!(
        (
            log.run.machine.cpu.as_deref(),
            log.run.machine.gpu.as_deref()
        ),
        (Some("A CPU"), Some("A GPU"))
    );
    assert!(paths(&log).iter().all(|path| !path.starts_with("machine/")));
    assert!(log.said[0].starts_with("ocat: "), "{:?}", log.said);
    // CapFrameX puts facts above the header; FrameView pads its numbers.
    let facts = "//GameName=Game\n//Processor=B CPU\n//Comment=a = b\n";
    let log = read(format!("{facts}{header}g.exe,1,0x0, 1.010 , 10 ,1\n"));
    assert_eq!(
        (durations(&log), log.run.machine.cpu.as_deref()),
        (vec![10.0], Some("B CPU"))
    );
    assert_eq!(log.run.labels["comment"], "a = b");
}

#[test]
fn telemetry_becomes_series_unless_it_is_never_known() {
    let header = "Application,ProcessID,SwapChainAddress,MsBetweenPresents,GPUPower,GPUVoltage,GPUFanSpeed[0],CPUUtilization\n";
    let rows = "g.exe,1,0x0,10,50.5,NA,900,40\ng.exe,1,0x0,10,50.5,NA,NA,41\ng.exe,1,0x0,10,52.5,NA,910,-\n";
    let log = read(format!("{header}{rows}"));
    assert_eq!(
        paths(&log),
        [
            "machine/gpu power",
            "machine/gpu fan speed 0",
            "machine/cpu utilization"
        ]
    );
    assert_eq!(
        values(&log, "machine/gpu power"),
        [Some(50.5), Some(50.5), Some(52.5)]
    );
    assert_eq!(
        values(&log, "machine/gpu fan speed 0"),
        [Some(900.0), None, Some(910.0)]
    );
    assert_eq!(log.series[0].0.unit, "W");
}

#[test]
fn rows_without_a_frame_time_are_counted_and_too_many_are_refused() {
    let log_of = |bad: usize| {
        let mut text = HEADER_1.to_owned();
        for row in 0..100 {
            let ms = if row < bad {
                "NA".to_owned()
            } else {
                "10".to_owned()
            };
            text += &format!(
                "g.exe,1,0x1,DXGI,0,0,0,Flip,0,{},{ms},1,1,1,1\n",
                f64::from(row as u32) / 100.0
            );
        }
        text
    };
    let log = read(log_of(5));
    assert_eq!(log.frames.len(), 95);
    assert_eq!(
        log.said[1],
        "5 of 100 rows have no frame time and were left out (first: line 2: \"NA\")"
    );
    assert!(refused(log_of(6)).contains(
        "6 of 100 rows have no frame time (first: line 2: \"NA\"), which is more than 5 %"
    ));
    assert!(refused(log_of(100)).contains("no row has a frame time (first: line 2: \"NA\")"));
    let renamed = two_processes().replace("MsBetweenPresents", "Between");
    let error = refused(renamed);
    assert!(
        error.contains("no column has the frame time (looked for MsBetweenPresents, FrameTime,"),
        "{error}"
    );
    assert!(error.contains("--time COLUMN"), "{error}");
}

#[test]
fn a_log_of_samples_is_refused() {
    let mut text = HEADER_1.to_owned();
    for second in 0..20 {
        text += &row_1(
            "g.exe",
            1,
            0,
            f64::from(second) * 1e3,
            [16.0, 1.0, 1.0, 1.0],
        );
    }
    let error = refused(text);
    assert!(
        error.contains("of every 1000 ms, not of every frame: 20 rows cover 19.0 s"),
        "{error}"
    );
}

#[test]
fn changed_logs_are_read_or_refused() {
    fuzz(two_processes(), 1);
    fuzz(
        two_processes()
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<u8>>(),
        2,
    );
}

#[test]
fn a_frame_of_version_2_0_lasts_as_long_as_its_work_and_its_wait() {
    for (busy, wait, clock, gpu) in [
        ("CPUBusy", "CPUWait", "CPUStartQPC", "GPUBusy"),
        (
            "CPUDuration",
            "CPUFramePacingStall",
            "CPUFrameQPC",
            "GPUBusy",
        ),
    ] {
        let mut text = format!(
            "Application,ProcessID,SwapChainAddress,Runtime,{clock},{busy},{wait},GPULatency,{gpu},DisplayLatency,ClickToPhotonLatency\n"
        );
        for (start_ms, busy, wait) in [
            (5_000, 7.0, "3"),
            (5_010, 8.0, "4"),
            (5_022, 6.5, "NA"),
            (5_022, 6.5, "2.5"),
        ] {
            text += &format!(
                "game.exe,42,0x1,DXGI,{},{busy},{wait},1,5,20,NA\n",
                start_ms * 10_000
            );
        }
        // One row of four has no wait.
        assert!(
            refused(&text).contains("1 of 4 rows have no frame time"),
            "{}",
            refused(&text)
        );
        let log = read(text.replace("6.5,NA,", "6.5,2.5,").replace(
            "50220000,6.5,2.5,1,5,20,NA\ngame.exe,42,0x1,DXGI,50220000",
            "50220000",
        ));
        assert_eq!(
            (durations(&log), starts(&log)),
            (vec![10.0, 12.0, 9.0], vec![0.0, 10.0, 22.0])
        );
        assert_eq!(values(&log, "frame/cpu"), [Some(7.0), Some(8.0), Some(6.5)]);
        // The wait is of the same row.
        assert_eq!(
            values(&log, "frame/cpu wait"),
            [Some(3.0), Some(4.0), Some(2.5)]
        );
        assert_eq!(values(&log, "gpu/frame"), [Some(5.0); 3]);
        assert!(
            log.said[0].starts_with("presentmon 2.0: game.exe"),
            "{:?}",
            log.said
        );
        assert!(
            !paths(&log).iter().any(|path| path.starts_with("machine/")),
            "{:?}",
            paths(&log)
        );
    }
}
