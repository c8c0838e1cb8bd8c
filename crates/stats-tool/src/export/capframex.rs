//! The JSON of CapFrameX, with one capture.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::window::{Values, Window};
use crate::progress::Progress;

/// The version of CapFrameX whose records have these fields.
const VERSION: &str = "1.7.0";

/// Writes a record. Unknown values are 0.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let run = window.capture.run();
    let frames: Vec<_> = window.frames().collect();
    let first_end_secs = frames
        .first()
        .map_or(0.0, |frame| frame.start_secs + frame.duration_ms / 1e3);
    let column = |path: &str| {
        let values: Option<&Values<'_>> = window.find(path);
        values.map(|values| {
            frames
                .iter()
                .map(|frame| values.at(frame.index).unwrap_or(0.0))
                .collect::<Vec<f64>>()
        })
    };
    let zeros = || vec![0.0; frames.len()];
    // The call of a row belongs to the frame after it.
    let mut calls = column("present/in present call").unwrap_or_else(zeros);
    if !calls.is_empty() {
        calls.remove(0);
        calls.push(0.0);
    }
    let dropped = column("display/not shown").unwrap_or_else(zeros);
    let mut data = json!({
        "TimeInSeconds": frames.iter().map(|frame| frame.start_secs + frame.duration_ms / 1e3 - first_end_secs).collect::<Vec<_>>(),
        "MsBetweenPresents": frames.iter().map(|frame| frame.duration_ms).collect::<Vec<_>>(),
        "MsInPresentAPI": calls,
        "MsBetweenDisplayChange": column("display/between changes").unwrap_or_else(zeros),
        "MsUntilRenderComplete": zeros(),
        "MsUntilDisplayed": column("display/latency").unwrap_or_else(zeros),
        "QPCTime": zeros(),
        "PresentMode": vec![0; frames.len()],
        "AllowsTearing": vec![0; frames.len()],
        "SyncInterval": vec![0; frames.len()],
        "Dropped": dropped.iter().map(|dropped| *dropped > 0.0).collect::<Vec<_>>(),
    });
    for (name, path) in [("CpuActive", "frame/cpu"), ("GpuActive", "gpu/frame")] {
        if let Some(values) = column(path) {
            data[name] = json!(values);
        }
    }
    frames.iter().for_each(|_| progress.step());
    let label = |name: &str| run.labels.get(name).cloned();
    let process = label("process").or_else(|| run.scenario.clone());
    let record = json!({
        "Hash": "",
        "Info": {
            "AppVersion": VERSION,
            "Processor": run.machine.cpu,
            "GameName": run.scenario.clone().or(label("process")),
            "ProcessName": process,
            "CreationDate": run.started_at,
            "OS": run.machine.os,
            "GPU": run.machine.gpu,
            "GPUDriverVersion": run.machine.driver,
            "Comment": label("comment").or_else(|| run.build.clone()),
            "ApiInfo": label("api"),
        },
        "Runs": [{
            "Hash": "",
            "PresentMonRuntime": label("runtime"),
            "CaptureData": data,
            "SensorData": Value::Null,
            "SensorData2": Value::Null,
            "RTSSFrameTimes": Value::Null,
        }],
    });
    serde_json::to_writer(output, &record).map_err(io::Error::from)
}
