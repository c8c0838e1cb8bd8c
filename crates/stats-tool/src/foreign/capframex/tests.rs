//! Records with the traps of CapFrameX's format.

use super::super::Options;
use super::super::testing::{durations, fuzz, paths, read, read_with, refused, starts, values};

const RUN: &str = r#"{"Hash":"A","PresentMonRuntime":"DXGI","CaptureData":{
    "TimeInSeconds":[0,0.012,0.023],"MsBetweenPresents":[10,12,11],"MsInPresentAPI":[1,2,3],
    "MsUntilDisplayed":[20,0,21],"MsBetweenDisplayChange":[16,null,17],"Dropped":[false,true,false],
    "GpuActive":[0,0,0],"PcLatency":null,"QPCTime":[1,2,3],"PresentMode":[3,3,3]},
    "SensorData":{"GpuUsage":[1]},"SensorData2":{
    "MeasureTime":{"Name":"MeasureTime","Type":"Time","Values":[0.01,0.02]},
    "BetweenMeasureTime":{"Name":"BetweenMeasureTime","Type":"Time","Values":[0.01,0.01]},
    "/gpu/0/power/0":{"Name":"GPU Power","Type":"Power","Values":[140,150]},
    "/gpu/0/clock/0":{"Name":"GPU Core","Type":"Clock","Values":[1800,null]},
    "/short":{"Name":"Short","Type":"Load","Values":[1]}}}"#;

fn record(runs: &[&str]) -> String {
    format!(
        r#"{{"Hash":"B","Info":{{"AppVersion":"1.7","GameName":"Game","ProcessName":"game.exe","GPU":"A GPU",
        "Processor":null,"CreationDate":"2022-12-14T21:34:30Z","Comment":"low"}},"Runs":[{}]}}"#,
        runs.join(",")
    )
}

#[test]
fn frames_sensors_and_facts_are_read() {
    let marked = format!("\u{FEFF}{}", record(&[RUN]).replace('\n', "\r\n"));
    let utf_16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let texts: [Vec<u8>; 4] = [
        record(&[RUN]).into(),
        utf_16(&record(&[RUN])),
        utf_16(&marked),
        marked.into(),
    ];
    for text in texts {
        let log = read(text);
        assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
        assert_eq!(starts(&log), [0.0, 10.0, 22.0]);
        let expected = [
            "present/in present call",
            "display/latency",
            "display/between changes",
            "display/not shown",
            "machine/gpu power",
            "machine/gpu core clock",
        ];
        assert_eq!(paths(&log), expected);
        assert_eq!(
            values(&log, "present/in present call"),
            [None, Some(1.0), Some(2.0)]
        );
        assert_eq!(
            values(&log, "display/latency"),
            [Some(20.0), None, Some(21.0)]
        );
        assert_eq!(
            values(&log, "display/not shown"),
            [Some(0.0), Some(1.0), Some(0.0)]
        );
        // The newest value before the present; none before the first.
        assert_eq!(
            values(&log, "machine/gpu power"),
            [None, Some(140.0), Some(150.0)]
        );
        assert_eq!(
            values(&log, "machine/gpu core clock"),
            [None, Some(1800.0), None]
        );
        assert_eq!(log.run.scenario.as_deref(), Some("Game"));
        assert_eq!(
            (log.run.machine.gpu.as_deref(), &log.run.machine.cpu),
            (Some("A GPU"), &None)
        );
        assert_eq!(log.run.started_at, "2022-12-14T21:34:30Z");
        assert_eq!(
            (
                log.run.labels["imported"].as_str(),
                log.run.labels["comment"].as_str()
            ),
            ("capframex 1.7", "low")
        );
    }
}

#[test]
fn each_capture_of_a_record_is_a_run() {
    let logs = read_with(
        record(&[RUN, &RUN.replace("[10,12,11]", "[9,12,11]")]),
        &Options::default(),
    )
    .unwrap();
    let first: Vec<f64> = logs.iter().map(|log| log.frames[0].duration_ms).collect();
    assert_eq!(first, [10.0, 9.0]);
}

#[test]
fn what_is_no_record_is_refused_with_a_sentence() {
    for (text, expected) in [
        (
            record(&[RUN]).replace("[10,12,11]", "[10,null,11]"),
            "CaptureData.MsBetweenPresents[1] is no frame time",
        ),
        (
            record(&[RUN]).replace("[10,12,11]", "[]"),
            "CaptureData has no MsBetweenPresents",
        ),
        (
            record(&[RUN]).replace("\"Runs\":[", "\"Runs\":[{},"),
            "capture 1: CaptureData has no MsBetweenPresents",
        ),
        (record(&[]), "it has no captures"),
        (
            record(&[RUN]).replace(
                "[1,2,3]",
                &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
            ),
            "it is no JSON of CapFrameX",
        ),
        (
            record(&[RUN])[..300].to_owned(),
            "it is no JSON of CapFrameX",
        ),
    ] {
        let error = refused(&text);
        assert!(error.contains(expected), "{error}");
    }
    // An array of another length costs only itself.
    let log = read(record(&[RUN]).replace("[20,0,21]", "[20]"));
    assert!(!paths(&log).contains(&"display/latency"));
    assert!(
        log.said[1].starts_with("MsUntilDisplayed has 1 values for 3 frames"),
        "{:?}",
        log.said
    );
}

#[test]
fn changed_records_are_read_or_refused() {
    fuzz(record(&[RUN]), 4);
}
