//! A server without a window that reacts to what its statistics notice: it writes a line to its log,
//! saves the last minute, and stops its autopilot.
//!
//! ```sh
//! cargo run -p stats-capture --example react
//! ```

use std::thread::sleep;
use std::time::{Duration, Instant};

use stats_analysis::insight::{Event, Insight};
use stats_capture::{RecordingOptions, Recordings};
use stats_core::{Counter, Recorder, Timer};

static PATHS: Timer = Timer::new("ai/paths").budget(4.0);
static REQUESTS: Counter = Counter::new("ai/path-requests");

/// The ticks in which every enemy asks for a path at once.
const RUSHES: [u64; 2] = [200, 400];

fn main() {
    let mut options = RecordingOptions::default();
    options.folder = std::env::temp_dir().join("stats-react");
    options.recent = Duration::from_secs(60);
    let mut recordings = Recordings::new(options);
    let mut recorder = Recorder::new();
    let mut insight = Insight::new();
    let mut autopilot = true;
    for tick in 0..600 {
        if autopilot {
            play(tick);
        }
        recorder.end_frame();
        recordings.end_frame();
        insight.follow(&mut recorder);
        while let Some(event) = insight.poll_event() {
            println!("{:<11} {event}", event.name());
            if let Event::Hitch(hitch) = event {
                recordings.save_recent();
                // The second time, somebody should look.
                autopilot = hitch.repeats.is_none_or(|repeats| repeats.on < 2);
            }
        }
        if !autopilot {
            println!("            the autopilot stops");
            break;
        }
    }
    let control = recordings.control();
    while control.status().completing > 0 {
        recordings.end_frame();
        sleep(Duration::from_millis(4));
    }
    while let Some(saved) = control.poll_saved() {
        match saved {
            Ok(path) => println!("saved       {}", path.display()),
            Err(error) => println!("not saved   {error}"),
        }
    }
}

/// Plays one tick of the game.
fn play(tick: u64) {
    let requests = if RUSHES.contains(&tick) { 60 } else { 1 };
    REQUESTS.add(requests);
    {
        let _scope = PATHS.scope();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_micros(500) * requests as u32 {
            std::hint::spin_loop();
        }
    }
    sleep(Duration::from_millis(4));
}
