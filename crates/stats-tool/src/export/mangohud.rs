//! A log of MangoHud since 0.7, with a row for each frame.

use std::io::{self, Write};

use super::window::Window;
use crate::progress::Progress;

/// The names of the facts. Readers compare the whole line.
const FACTS: &str = "os,cpu,gpu,ram,kernel,driver,cpuscheduler";

/// The columns of the machine, and the series that they come from, each with the value of one of
/// its units.
const COLUMNS: [(&str, &str, f64); 9] = [
    ("cpu_load", "machine/cpu load", 1.0),
    ("gpu_load", "machine/gpu load", 1.0),
    ("cpu_temp", "machine/cpu temp", 1.0),
    ("gpu_temp", "machine/gpu temp", 1.0),
    ("gpu_core_clock", "machine/gpu core clock", 1.0),
    ("gpu_mem_clock", "machine/gpu mem clock", 1.0),
    ("gpu_vram_used", "machine/gpu vram used", GIB),
    ("gpu_power", "machine/gpu power", 1.0),
    ("ram_used", "machine/ram used", GIB),
];

const GIB: f64 = (1_u64 << 30) as f64;

/// Writes a row for each frame. Unknown values are 0, as MangoHud writes them. No value has a comma.
pub(super) fn write(
    window: &Window<'_>,
    output: &mut dyn Write,
    progress: &mut Progress,
) -> io::Result<()> {
    let run = window.capture.run();
    let machine = &run.machine;
    let plain = |text: Option<&str>| {
        text.unwrap_or_default()
            .replace([',', '"', '\n', '\r'], " ")
    };
    let ram = machine.memory_bytes.map(|bytes| (bytes / 1024).to_string());
    let facts = [
        machine.os.as_deref(),
        machine.cpu.as_deref(),
        machine.gpu.as_deref(),
        ram.as_deref(),
        run.labels.get("kernel").map(String::as_str),
        machine.driver.as_deref(),
        machine.power.as_deref(),
    ]
    .map(plain);
    writeln!(output, "{FACTS}\n{}", facts.join(","))?;
    let names = COLUMNS.map(|(name, ..)| name).join(",");
    writeln!(output, "fps,frametime,{names},elapsed")?;
    let columns = COLUMNS.map(|(_, path, one)| (window.find(path), one));
    for frame in window.frames() {
        let fps = if frame.duration_ms > 0.0 {
            1e3 / frame.duration_ms
        } else {
            0.0
        };
        write!(output, "{fps:.6},{:.6}", frame.duration_ms)?;
        for (values, one) in &columns {
            let value = values
                .and_then(|values| values.at(frame.index))
                .unwrap_or(0.0);
            write!(output, ",{}", value / one)?;
        }
        let end_ns = (frame.start_secs * 1e9).round() + (frame.duration_ms * 1e6).round();
        writeln!(output, ",{end_ns:.0}")?;
        progress.step();
    }
    Ok(())
}
