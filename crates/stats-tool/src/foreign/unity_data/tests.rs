//! Data of all versions, built byte by byte.

use stats_capture::RecordedKind;

use super::super::testing::{durations, fuzz, paths, read, refused, starts, values};

const NAMES: [&str; 4] = ["PlayerLoop", "Update", "WaitForTargetFPS", "Job/A"];
const THREADS: [&str; 3] = ["1:Main Thread", "1:Job.Worker", "2:Job.Worker"];

/// A marker: the position of its name, its milliseconds, and its depth.
type Marker = (u32, f32, u32);

/// A frame: its start in seconds, its milliseconds, and the markers of threads by position.
type Frame<'a> = (f64, f32, &'a [(u32, &'a [Marker])]);

fn data(version: u32, frames: &[Frame<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let number = |number: u32, bytes: &mut Vec<u8>| bytes.extend(number.to_le_bytes());
    number(version, &mut bytes);
    number(300, &mut bytes);
    number(frames.len() as u32, &mut bytes);
    for (start_secs, ms, threads) in frames {
        match version {
            1 => {}
            2..=5 => bytes.extend(start_secs.to_le_bytes()),
            _ => bytes.extend((start_secs * 1e3).to_le_bytes()),
        }
        bytes.extend(ms.to_le_bytes());
        number(threads.len() as u32, &mut bytes);
        for (thread, markers) in *threads {
            number(*thread, &mut bytes);
            number(markers.len() as u32, &mut bytes);
            for (name, ms, depth) in *markers {
                number(*name, &mut bytes);
                bytes.extend(ms.to_le_bytes());
                number(*depth, &mut bytes);
                if version == 3 {
                    bytes.extend(1.0_f32.to_le_bytes());
                }
            }
        }
    }
    for names in [&NAMES[..], &THREADS] {
        number(names.len() as u32, &mut bytes);
        for name in names {
            bytes.push(name.len() as u8);
            bytes.extend(name.as_bytes());
        }
    }
    bytes
}

const MAIN: &[Marker] = &[
    (0, 9.0, 1),
    (1, 4.0, 2),
    (3, 1.0, 3),
    (1, 2.0, 2),
    (2, 2.5, 2),
];
const WORKER: &[Marker] = &[(3, 0.5, 1)];
const FRAMES: [Frame<'_>; 3] = [
    (5.0, 10.0, &[(0, MAIN), (1, WORKER), (2, WORKER)]),
    (5.010_5, 12.0, &[(0, &[(0, 12.0, 1)])]),
    (5.022_5, 11.0, &[(0, MAIN)]),
];

#[test]
fn markers_of_every_version_are_timers_by_call_path() {
    for version in 1..=7 {
        let log = read(data(version, &FRAMES));
        assert_eq!(durations(&log), [10.0, 12.0, 11.0]);
        // The first version has no starts.
        let gap = if version == 1 { 0.0 } else { 0.5 };
        assert_eq!(starts(&log), [0.0, 10.0 + gap, 22.0 + gap], "{version}");
        let path = |name: &str| format!("unity/Main Thread/PlayerLoop{name}");
        for (path, expected) in [
            (path(""), [9.0, 12.0, 9.0]),
            (path("/self"), [0.5, 12.0, 0.5]),
            (path("/Update"), [6.0, 0.0, 6.0]),
            (path("/Update/calls"), [2.0, 0.0, 2.0]),
            (path("/Update/self"), [5.0, 0.0, 5.0]),
            (path("/Update/Job%2FA"), [1.0, 0.0, 1.0]),
            (path("/WaitForTargetFPS"), [2.5, 0.0, 2.5]),
            // The workers of a pool add up.
            ("unity/Job.Worker/Job%2FA".to_owned(), [1.0, 0.0, 0.0]),
        ] {
            assert_eq!(values(&log, &path), expected.map(Some), "{version} {path}");
        }
        assert_eq!(log.said, ["unity profile analyzer: 3 frames, 5 call paths"]);
        let waits = log.series.iter().filter(|(record, _)| record.wait);
        let waits: Vec<_> = waits
            .map(|(record, _)| (&*record.path, record.kind))
            .collect();
        let wait = path("/WaitForTargetFPS");
        assert_eq!(
            waits,
            [
                (&*wait, RecordedKind::Timer),
                (&*format!("{wait}/self"), RecordedKind::TimerSelf)
            ]
        );
        let update = log
            .series
            .iter()
            .find(|(record, _)| record.path == path("/Update"));
        let record = &update.expect("a series").0;
        assert_eq!(
            (record.parent.as_deref(), record.thread.as_deref()),
            (Some(&*path("")), Some("Main Thread"))
        );
        assert!(log.timeline.scopes.is_empty());
    }
}

#[test]
fn damaged_data_are_refused_with_the_cure() {
    let good = data(7, &FRAMES);
    for cut in [20, 100, good.len() - 1] {
        let error = refused(&good[..cut]);
        assert!(
            error.contains("it is cut off; save the data of the Profile Analyzer again")
                || error == "it has no known format",
            "{error}"
        );
    }
    for frames in [
        // A depth of 0, a negative time, and a thread without a name.
        (5.0, 10.0, &[(0, &[(0, 9.0, 0)][..])][..]),
        (5.0, 10.0, &[(0, &[(0, -9.0, 1)])]),
        (5.0, 10.0, &[(9, &[(0, 9.0, 1)])]),
    ] {
        assert!(refused(data(7, &[frames])).contains("it is damaged"));
    }
    // A depth without a marker around it, and a name that is not there.
    let log = read(data(
        7,
        &[(
            5.0,
            10.0,
            &[(0, &[(0, 9.0, 7), (1, 1.0, u32::MAX), (99, 1.0, 1)])],
        )],
    ));
    assert!(
        paths(&log).contains(&"unity/Main Thread/PlayerLoop/Update"),
        "{:?}",
        paths(&log)
    );
    assert!(
        paths(&log).contains(&"unity/Main Thread/unknown"),
        "{:?}",
        paths(&log)
    );
}

#[test]
fn changed_data_are_read_or_refused() {
    for version in [1, 3, 7] {
        fuzz(data(version, &FRAMES), 9 + u64::from(version));
    }
}
