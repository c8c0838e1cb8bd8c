//! The columns of PresentMon 1, which every tool for its logs reads.
//!
//! A row is a present at the end of its frame. The call of a row belongs to the frame after it.

use std::io::{self, Write};

use super::window::{Values, Window};
use crate::progress::Progress;

/// The columns.
const HEADER: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,\
msBetweenDisplayChange,msUntilRenderStart,msGPUActive";

/// Writes a row for each frame. Unknown values are 0.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let run = window.capture.run();
    let label = |name: &str, default: &str| {
        let label = run.labels.get(name).map_or(default, String::as_str);
        label.replace([',', '"', '\n', '\r'], "_")
    };
    let application = label("process", run.scenario.as_deref().unwrap_or("game.exe"));
    let process = label("pid", "1");
    let runtime = label("runtime", "Other");
    let mode = label("present mode", "Other");
    let [call, shown, between, gpu, dropped] = [
        "present/in present call",
        "display/latency",
        "display/between changes",
        "gpu/frame",
        "display/not shown",
    ]
    .map(|path| window.find(path));
    let of = |values: Option<&Values<'_>>, frame: u64| {
        values.and_then(|values| values.at(frame)).unwrap_or(0.0)
    };
    writeln!(output, "{HEADER}")?;
    let mut frames = window.frames().peekable();
    while let Some(frame) = frames.next() {
        let at = frame.index;
        let next_call = frames.peek().map_or(0.0, |next| of(call, next.index));
        let end_secs = frame.start_secs + frame.duration_ms / 1e3;
        writeln!(
            output,
            "{application},{process},0x1,{runtime},0,0,{},{end_secs:.9},{next_call:.6},{:.6},0,{mode},0,{:.6},{:.6},0,{:.6}",
            of(dropped, at),
            frame.duration_ms,
            of(shown, at),
            of(between, at),
            of(gpu, at),
        )?;
        progress.step();
    }
    Ok(())
}
