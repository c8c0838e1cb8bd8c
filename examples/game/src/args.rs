//! The command line.
use std::fmt;
use std::path::PathBuf;

use crate::memory;
use crate::overlay::{Start, settings};
use crate::sim::faults::Fault;
use crate::sim::jobs::Pool;
use crate::sim::level::LEVELS;

/// The text that `--help` prints.
pub(crate) const HELP: &str = "\
A small game, instrumented with some three hundred counters.

Usage: game [OPTIONS]

Running
  --seed N               seed of the simulation [default: 1]
  --level N              first level, 1 or 2 [default: 1]
  --size WxH             size of the window or of the pictures, in pixels [default: 1280x800]
  --workers N            worker threads, 1 to 64 [default: one per CPU core, 2 to 6]
  --fault NAME           start with a planted fault: path-hitch, growing-array, draw-calls,
                         worker-stall, packet-storm, one-in-a-thousand, slow-leak,
                         periodic-stall, late-worker or two-systems; may be repeated

Without a player
  --smoke SECONDS        let the game play itself, and exit after SECONDS of game time
  --headless             open no window; draw only if there is a graphics adapter
  --visit SECONDS        load each level twice, stay SECONDS in it and then in the menu, and exit
  --screenshot FILE --at SECONDS
                         write a PNG at that game time; may be repeated
  --tour DIR             play a scripted half minute, and write its pictures to DIR
  --reel DIR             play a scripted hitch, and write the pictures of a film of it to DIR
  --report FILE          also write the report of a scripted run to FILE
  --memory-dump FILE     at the end, write each live allocation to FILE with its group, scopes and name
  --allow-over-budget    exit successfully even if a memory group exceeded its budget

Overlay
  --overlay STATE        start with hidden, hud, watch, tree, graph, table, distribution, statistics,
                         hitches, timeline or costs
                         [default: hud]
  --theme THEME          dark or light [default: dark]
  --settings FILE        keep the overlay's settings in FILE [default: a file in your config folder,
                         or none if the game plays itself]
  --no-settings          do not read or write the overlay's settings
  --puffin               also record the puffin scopes of egui and wgpu, as puffin/…
  --plugin FILE          load a plugin from a dynamic library, and reload it when it changes
  --remote               let `stats view` show the overlay elsewhere, and print the address for it
  --no-gpu-timing        do not measure GPU time

  -h, --help             print this help

Keys: WASD or arrows move, the mouse aims and shoots, Space fires the nova, the wheel zooms,
Tab or N loads the next level, P toggles the autopilot, 1 to 9 and 0 toggle planted faults,
F3 cycles the overlay, Q goes to the newest hitch, M marks a moment, Esc twice quits.
";

/// A picture to take.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Screenshot {
    pub(crate) file: PathBuf,
    /// When to take it, in seconds of game time.
    pub(crate) at: f64,
}

/// Where the overlay's settings are stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Settings {
    /// In the user's config folder; nowhere in a scripted run.
    Default,
    File(PathBuf),
    None,
}

/// A parsed command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Args {
    /// The length of a run without a player, in seconds of game time.
    pub(crate) smoke: Option<f64>,
    /// How long a visit stays in each level, in seconds of game time.
    pub(crate) visit: Option<f64>,
    pub(crate) seed: u64,
    pub(crate) headless: bool,
    pub(crate) screenshots: Vec<Screenshot>,
    /// The folder for the pictures of the tour.
    pub(crate) tour: Option<PathBuf>,
    /// The folder for the pictures of the film.
    pub(crate) reel: Option<PathBuf>,
    /// The view of the overlay at the start. `None`: the HUD over the restored layout.
    pub(crate) overlay: Option<Start>,
    pub(crate) settings: Settings,
    /// Whether to record the puffin scopes of egui and wgpu.
    pub(crate) puffin: bool,
    /// Whether viewers elsewhere may watch the game, even if `STATS_REMOTE` is not set.
    pub(crate) remote: bool,
    /// The dynamic library of a plugin.
    pub(crate) plugin: Option<PathBuf>,
    /// Whether to measure GPU time.
    pub(crate) gpu_timing: bool,
    pub(crate) light_theme: bool,
    pub(crate) faults: Vec<Fault>,
    /// The file for the report of a scripted run, which is printed in any case.
    pub(crate) report: Option<PathBuf>,
    /// The file for the live allocations at the end.
    pub(crate) memory_dump: Option<PathBuf>,
    /// Whether a scripted run succeeds even if a memory group exceeded its budget.
    pub(crate) allow_over_budget: bool,
    /// The first level, counted from 0.
    pub(crate) level: usize,
    /// The share of the agents and bodies of the full game. Tests use less than 1.
    pub(crate) population: f32,
    /// The size of the window or of the pictures, in pixels.
    pub(crate) size: (u32, u32),
    pub(crate) workers: usize,
}

impl Default for Args {
    fn default() -> Self {
        Self {
            smoke: None,
            visit: None,
            seed: 1,
            headless: false,
            screenshots: Vec::new(),
            tour: None,
            reel: None,
            overlay: None,
            settings: Settings::Default,
            puffin: false,
            remote: false,
            plugin: None,
            gpu_timing: true,
            light_theme: false,
            faults: Vec::new(),
            report: None,
            memory_dump: None,
            allow_over_budget: false,
            level: 0,
            population: 1.0,
            size: (1280, 800),
            workers: Pool::default_workers(),
        }
    }
}

impl Args {
    /// Returns whether the game plays itself, with a fixed number of steps per frame.
    pub(crate) const fn is_scripted(&self) -> bool {
        self.smoke.is_some() || self.visit.is_some() || self.has_folder() || self.headless
    }

    /// Returns whether the run writes a series of pictures into a folder.
    pub(crate) const fn has_folder(&self) -> bool {
        self.tour.is_some() || self.reel.is_some()
    }

    /// Returns the file of the overlay's settings, or `None` if they are not stored.
    pub(crate) fn settings_file(&self) -> Option<PathBuf> {
        match &self.settings {
            Settings::Default if self.is_scripted() => None,
            Settings::Default => settings::default_file(|name| std::env::var_os(name)),
            Settings::File(file) => Some(file.clone()),
            Settings::None => None,
        }
    }
}

/// The error if a command line is invalid. Its text names the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgsError {
    /// An unknown option.
    Unknown(String),
    /// An option without its value, and what the value should be.
    Missing(&'static str, &'static str),
    /// An option with an invalid value, and what the value should be.
    Invalid(&'static str, String, &'static str),
    /// An option that needs another one.
    Incomplete(&'static str),
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(option) => {
                write!(f, "unknown option '{option}'; --help lists all options")
            }
            Self::Missing(option, expected) => write!(f, "{option} needs a value: {expected}"),
            Self::Invalid(option, value, expected) => {
                write!(f, "{option} cannot be '{value}'; it needs {expected}")
            }
            Self::Incomplete(cure) => f.write_str(cure),
        }
    }
}

/// The request of a command line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    Play(Box<Args>),
    Help,
}

/// Parses a command line, without the program's name.
pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Request, ArgsError> {
    let (mut args, mut words) = (Args::default(), words);
    let mut picture: Option<PathBuf> = None;
    while let Some(word) = words.next() {
        if word == "--help" || word == "-h" {
            return Ok(Request::Help);
        }
        option(&word, &mut words, &mut args, &mut picture)?;
    }
    if picture.is_some() {
        return Err(ArgsError::Incomplete(
            "--screenshot needs a time: add --at SECONDS after it",
        ));
    }
    let ends = args.smoke.is_some()
        || args.visit.is_some()
        || args.has_folder()
        || !args.screenshots.is_empty();
    if args.headless && !ends {
        return Err(ArgsError::Incomplete(
            "--headless would never end: add --smoke SECONDS, --visit SECONDS, --screenshot FILE --at SECONDS, --tour DIR or --reel DIR",
        ));
    }
    if args.memory_dump.is_some() && !memory::TRACKED {
        return Err(ArgsError::Incomplete(
            "--memory-dump needs the memory tracker: build the game with the feature `memory`",
        ));
    }
    Ok(Request::Play(Box::new(args)))
}

/// Parses the option `word`. Its value, if it has one, is the next of `words`. `picture` is a
/// `--screenshot` without a time so far.
fn option(
    word: &str,
    words: &mut dyn Iterator<Item = String>,
    args: &mut Args,
    picture: &mut Option<PathBuf>,
) -> Result<(), ArgsError> {
    const SECONDS: &str = "a number of seconds, such as 5";
    const OVERLAY: &str = "hidden, hud, watch, tree, graph, table, distribution, statistics, \
                           hitches, timeline or costs";
    match word {
        "--smoke" => args.smoke = Some(value("--smoke", SECONDS, words, seconds)?),
        "--visit" => args.visit = Some(value("--visit", SECONDS, words, seconds)?),
        "--seed" => {
            args.seed = value("--seed", "a whole number, such as 7", words, |text| {
                text.parse().ok()
            })?
        }
        "--headless" => args.headless = true,
        "--screenshot" => {
            let file = value(
                "--screenshot",
                "a file to write, such as shot.png",
                words,
                path,
            )?;
            if picture.replace(file).is_some() {
                return Err(ArgsError::Incomplete(
                    "each --screenshot needs its own time: add --at SECONDS after it",
                ));
            }
        }
        "--at" => {
            let at = value("--at", SECONDS, words, seconds)?;
            let file = picture.take().ok_or(ArgsError::Incomplete(
                "--at needs a picture: add --screenshot FILE before it",
            ))?;
            args.screenshots.push(Screenshot { file, at });
        }
        "--reel" => args.reel = Some(value("--reel", "a folder for the pictures", words, path)?),
        "--tour" => args.tour = Some(value("--tour", "a folder for the pictures", words, path)?),
        "--overlay" => args.overlay = Some(value("--overlay", OVERLAY, words, Start::from_name)?),
        "--settings" => {
            args.settings = value(
                "--settings",
                "a file, such as overlay.json",
                words,
                |text| path(text).map(Settings::File),
            )?;
        }
        "--puffin" => args.puffin = true,
        "--remote" => args.remote = true,
        "--plugin" => {
            let file = value(
                "--plugin",
                "a dynamic library, such as target/debug/libplugin.so",
                words,
                path,
            )?;
            args.plugin = Some(file);
        }
        "--no-settings" => args.settings = Settings::None,
        "--no-gpu-timing" => args.gpu_timing = false,
        "--theme" => args.light_theme = value("--theme", "dark or light", words, theme)?,
        "--fault" => {
            let expected = "path-hitch, growing-array, draw-calls, worker-stall, packet-storm, one-in-a-thousand, slow-leak, periodic-stall, late-worker or two-systems";
            args.faults
                .push(value("--fault", expected, words, Fault::from_name)?);
        }
        "--report" => {
            let file = value(
                "--report",
                "a file to write, such as report.txt",
                words,
                path,
            )?;
            args.report = Some(file);
        }
        "--memory-dump" => {
            let file = value(
                "--memory-dump",
                "a file to write, such as memory.csv",
                words,
                path,
            )?;
            args.memory_dump = Some(file);
        }
        "--allow-over-budget" => args.allow_over_budget = true,
        "--level" => args.level = value("--level", "1 or 2", words, level)?,
        "--size" => {
            args.size = value(
                "--size",
                "a width and a height from 64 to 8192 pixels, such as 1280x800",
                words,
                size,
            )?
        }
        "--workers" => args.workers = value("--workers", "a number from 1 to 64", words, workers)?,
        _ => return Err(ArgsError::Unknown(word.to_owned())),
    }
    Ok(())
}

/// Takes the next word as the value of an option.
fn value<T>(
    option: &'static str,
    expected: &'static str,
    words: &mut dyn Iterator<Item = String>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, ArgsError> {
    let text = words.next().ok_or(ArgsError::Missing(option, expected))?;
    read(&text).ok_or(ArgsError::Invalid(option, text, expected))
}

fn path(text: &str) -> Option<PathBuf> {
    Some(PathBuf::from(text))
}

fn seconds(text: &str) -> Option<f64> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=86_400.0).contains(seconds))
}

fn theme(text: &str) -> Option<bool> {
    match text {
        "dark" => Some(false),
        "light" => Some(true),
        _ => None,
    }
}

fn level(text: &str) -> Option<usize> {
    text.parse::<usize>()
        .ok()
        .filter(|level| (1..=LEVELS).contains(level))
        .map(|level| level - 1)
}

fn size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once('x')?;
    let side = |text: &str| {
        text.parse::<u32>()
            .ok()
            .filter(|side| (64..=8192).contains(side))
    };
    Some((side(width)?, side(height)?))
}

fn workers(text: &str) -> Option<usize> {
    text.parse()
        .ok()
        .filter(|workers| (1..=64).contains(workers))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, ArgsError> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    fn args(line: &str) -> Args {
        match parsed(line) {
            Ok(Request::Play(args)) => *args,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn an_empty_line_plays_with_the_defaults() {
        assert_eq!(args(""), Args::default());
    }

    #[test]
    fn every_option_is_parsed() {
        let args = args(
            "--smoke 2.5 --seed 9 --headless --screenshot a.png --at 1 --screenshot b.png --at 2 --tour out --overlay graph \
             --theme light --fault worker-stall --fault packet-storm --level 2 --size 640x480 --workers 3 --no-gpu-timing \
             --allow-over-budget --report r.txt --remote",
        );
        assert_eq!((args.report, args.remote), (Some("r.txt".into()), true));
        assert_eq!(
            (
                args.smoke,
                args.seed,
                args.headless,
                args.level,
                args.size,
                args.workers
            ),
            (Some(2.5), 9, true, 1, (640, 480), 3)
        );
        assert_eq!(
            args.screenshots[1],
            Screenshot {
                file: "b.png".into(),
                at: 2.0
            }
        );
        assert_eq!(
            (args.overlay, args.light_theme, args.tour),
            (Some(Start::Graph), true, Some("out".into()))
        );
        assert!(!args.gpu_timing && args.allow_over_budget);
        assert_eq!(args.faults, [Fault::WorkerStall, Fault::PacketStorm]);
    }

    #[test]
    fn the_overlay_starts_with_each_of_its_views_and_the_help_names_it() {
        for view in stats_overlay::PaneView::ALL {
            let name = format!("{view:?}").to_lowercase();
            let line = format!("--overlay {name}");
            assert!(args(&line).overlay.is_some(), "{line}");
            assert!(HELP.contains(&name), "{name}");
            let error = parsed("--overlay ?").expect_err("there is no such view");
            assert!(error.to_string().contains(&name), "{error}");
        }
    }

    #[test]
    fn a_scripted_run_leaves_the_settings_of_the_player_alone() {
        for line in [
            "--smoke 1",
            "--tour out",
            "--reel out",
            "--headless --smoke 1",
            "--no-settings",
            "--smoke 1 --no-settings",
        ] {
            assert_eq!(args(line).settings_file(), None, "{line}");
        }
        assert_eq!(
            args("").settings_file(),
            settings::default_file(|name| std::env::var_os(name))
        );
        assert_eq!(
            args("--smoke 1 --settings a.json").settings_file(),
            Some("a.json".into())
        );
    }

    #[test]
    fn a_dump_is_refused_if_memory_is_not_tracked() {
        let request = parsed("--memory-dump m.csv");
        assert_eq!(request.is_ok(), memory::TRACKED, "{request:?}");
        if let Ok(Request::Play(args)) = request {
            assert_eq!(args.memory_dump, Some("m.csv".into()));
        }
    }

    #[test]
    fn help_wins_over_everything_that_follows() {
        assert_eq!(parsed("--seed 3 --help --nonsense"), Ok(Request::Help));
    }

    #[test]
    fn an_error_names_its_cure() {
        for (line, cure) in [
            ("--nonsense", "--help"),
            ("--smoke", "seconds"),
            ("--smoke -1", "seconds"),
            ("--smoke NaN", "seconds"),
            ("--seed x", "whole number"),
            ("--overlay upside-down", "hidden, hud"),
            ("--settings", "a file"),
            ("--theme pink", "dark or light"),
            ("--fault gremlin", "path-hitch"),
            ("--memory-dump", "a file"),
            ("--level 0", "1 or 2"),
            ("--level 3", "1 or 2"),
            ("--size 0x0", "1280x800"),
            ("--size 1280", "1280x800"),
            ("--workers 0", "1 to 64"),
            ("--headless", "--smoke SECONDS"),
            ("--screenshot a.png", "--at SECONDS"),
            (
                "--screenshot a.png --screenshot b.png --at 1",
                "--at SECONDS",
            ),
            ("--at 3", "--screenshot FILE"),
        ] {
            let error = parsed(line).expect_err(line).to_string();
            assert!(error.contains(cure), "{line}: {error}");
        }
    }
}
