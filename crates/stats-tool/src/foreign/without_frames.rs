//! Files that look like logs but contain no frames. Each is refused with the cure.

use std::path::Path;

use super::log::Log;
use super::{Format, Head, Options, Refusal};

pub(super) const FORMAT: Format = Format {
    name: "without-frames",
    program: "a program without frames",
    is: |head| refusal(head).is_some(),
    read,
    is_refused: true,
    is_strict: false,
};

fn read(file: &Path, _: &Options) -> Result<Vec<Log>, Refusal> {
    let head = Head::read(file).map_err(Refusal::Io)?;
    Err(Refusal::new(refusal(&head).unwrap_or_default()))
}

/// The first bytes of a file that gzip compressed.
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// Returns why a file is refused, and the cure; `None` if it is not.
fn refusal(head: &Head) -> Option<String> {
    if head.bytes.starts_with(&GZIP) {
        return Some("it is compressed; unpack it first, for example with `gunzip`".to_owned());
    }
    let first = head.first_line();
    let first = first.as_str();
    let sums = "it contains sums of scopes, not frames; ";
    let text = if first.contains("hardware monitoring log") {
        "it is an Afterburner log, with a row a second; it has no frames. PresentMon or CapFrameX record frames"
            .to_owned()
    } else if first.starts_with("0.1% min fps") || first.starts_with("1% min fps") {
        "it contains figures, not frames; name the log beside it".to_owned()
    } else if first.starts_with("name,src_file,src_line") {
        format!("{sums}Tracy exports no frames: record with this program's own capture")
    } else if first.starts_with("name;median time") || first.starts_with("name; median time") {
        format!("{sums}export the frame times of the Profile Analyzer, or save its .pdata file")
    } else if is_summary(first) {
        "it contains figures of whole runs, not frames; name the log with the frames".to_owned()
    } else if matches!(first.trim_matches('"'), "fps" | "framerate") && head.lines.len() > 1 {
        "it has the frame rate of each second, not frames; record the frame times".to_owned()
    } else if head.is_json()
        && (has(head, "\"traceEvents\"") || (has(head, "\"ph\"") && has(head, "\"ts\"")))
    {
        "it is a trace of events, which has no frames; record with PresentMon, CapFrameX or MangoHud".to_owned()
    } else {
        return None;
    };
    Some(text)
}

/// Returns whether a header, in lower case, is that of a summary: of FRAPS, FrameView or OCAT. People
/// write figures beside the frames of a table, which therefore is none.
fn is_summary(header: &str) -> bool {
    let names = || {
        header
            .split([',', ';', '\t'])
            .map(|name| name.trim().trim_matches('"'))
    };
    let is_of_frames = |name: &str| {
        let begins = ["frame time", "frametime", "frame_time", "msbetween"];
        name == "frame" || begins.iter().any(|begin| name.starts_with(begin))
    };
    if names().any(is_of_frames) {
        return false;
    }
    let is_average = |name: &str| name.starts_with("avg fps") || name.starts_with("average fps");
    let is_of_fraps = || names().eq(["frames", "time (ms)", "min", "max", "avg"]);
    names().any(is_average) || is_of_fraps()
}

fn has(head: &Head, text: &str) -> bool {
    head.text()
        .windows(text.len())
        .any(|bytes| bytes == text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::testing::refused;

    #[test]
    fn files_without_frames_are_refused_with_the_cure() {
        for (text, cure) in [
            (
                "0, 24-10-2025 16:56:05, Hardware monitoring log v1.6 ,,\n",
                "PresentMon or CapFrameX record frames",
            ),
            (
                "0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS\n1,2,3,4\n",
                "name the log beside it",
            ),
            (
                "name,src_file,src_line,total_ns\na,b,1,2\n",
                "Tracy exports no frames",
            ),
            (
                "Name; Median Time; Min Time\na; 1; 2\n",
                "export the frame times",
            ),
            ("{\"traceEvents\":[]}", "a trace of events"),
            (
                "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":2}]",
                "a trace of events",
            ),
            (
                "Frames, Time (ms), Min, Max, Avg\n 1200, 20000, 50, 70, 60.000\n",
                "name the log with the frames",
            ),
            (
                "TimeStamp,Application,GPU,Time (ms),Avg FPS,99th %\n2024-01-31,game.exe,A GPU,60000,60,50\n",
                "name the log with the frames",
            ),
            (
                "Application Name,Average FPS (Application),99.0th-percentile frame time (ms)\ngame.exe,60,20\n",
                "name the log with the frames",
            ),
            ("FPS\n60\n61\n", "record the frame times"),
            ("# run 3\nfps\n60\n61\n", "record the frame times"),
        ] {
            assert!(refused(text).contains(cure), "{}", refused(text));
        }
    }
}
