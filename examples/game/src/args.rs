//! The command line.
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{ArgAction, ArgGroup, CommandFactory, Parser, ValueEnum};

use crate::memory;
use crate::overlay::{Start, settings};
use crate::sim::faults::Fault;
use crate::sim::jobs::Pool;
use crate::sim::level::LEVELS;

const KEYS: &str = "\
Keys: WASD or arrows move, the mouse aims and shoots, Space fires the nova, the wheel zooms,
Tab or N loads the next level, P toggles the autopilot, 1 to 9 and 0 toggle planted faults,
F3 cycles the overlay, Q goes to the newest hitch, M marks a moment, Esc twice quits.";

const RUNNING: &str = "Running";
const SCRIPTED: &str = "Without a player";
const OVERLAY: &str = "Overlay";

/// A small game, instrumented with some three hundred counters.
#[derive(Clone, Debug, Parser, PartialEq)]
#[command(name = "game", after_help = KEYS, args_override_self = true)]
#[command(group = ArgGroup::new("ends").multiple(true))]
pub(crate) struct Args {
    /// Seed of the simulation
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed, help_heading = RUNNING)]
    pub(crate) seed: u64,
    /// First level, 1 or 2
    #[arg(long, value_name = "N", default_value = "1", value_parser = level, help_heading = RUNNING)]
    pub(crate) level: usize,
    /// Size of the window or of the pictures, in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x800", value_parser = size, help_heading = RUNNING)]
    pub(crate) size: (u32, u32),
    /// Worker threads, 1 to 64; the default is one per CPU core, 2 to 6
    #[arg(long, value_name = "N", default_value_t = Pool::default_workers(), value_parser = workers, help_heading = RUNNING)]
    pub(crate) workers: usize,
    /// Draw at most N frames per second, 1 to 1000
    #[arg(long, value_name = "N", value_parser = fps, help_heading = RUNNING)]
    pub(crate) fps_cap: Option<f64>,
    /// Do not wait for the display
    #[arg(long = "no-vsync", action = ArgAction::SetFalse, help_heading = RUNNING)]
    pub(crate) vsync: bool,
    /// Keep the main thread busy for MS milliseconds more in each frame, 0 to 1000
    #[arg(long, value_name = "MS", value_parser = load, help_heading = RUNNING)]
    pub(crate) cpu_load: Option<Duration>,
    /// Start with a planted fault; may be repeated
    #[arg(long = "fault", value_name = "NAME", value_enum, help_heading = RUNNING)]
    pub(crate) faults: Vec<Fault>,

    /// Let the game play itself, and exit after SECONDS of game time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, group = "ends", help_heading = SCRIPTED)]
    pub(crate) smoke: Option<f64>,
    /// Open no window; draw only if there is a graphics adapter
    #[arg(long, requires = "ends", help_heading = SCRIPTED)]
    pub(crate) headless: bool,
    /// Load each level twice, stay SECONDS in it and then in the menu, and exit
    #[arg(long, value_name = "SECONDS", value_parser = seconds, group = "ends", help_heading = SCRIPTED)]
    pub(crate) visit: Option<f64>,
    /// Write a PNG; may be repeated. The first --at is the time of the first --screenshot
    #[arg(long = "screenshot", value_name = "FILE", requires = "at", group = "ends", help_heading = SCRIPTED)]
    pub(crate) screenshots: Vec<PathBuf>,
    /// When to take the picture of a --screenshot, in seconds of game time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "screenshots", help_heading = SCRIPTED)]
    pub(crate) at: Vec<f64>,
    /// Play a scripted half minute, and write its pictures to DIR
    #[arg(long, value_name = "DIR", group = "ends", help_heading = SCRIPTED)]
    pub(crate) tour: Option<PathBuf>,
    /// Play a scripted hitch, and write the pictures of a film of it to DIR
    #[arg(long, value_name = "DIR", group = "ends", help_heading = SCRIPTED)]
    pub(crate) reel: Option<PathBuf>,
    /// Also write the report of a scripted run to FILE
    #[arg(long, value_name = "FILE", help_heading = SCRIPTED)]
    pub(crate) report: Option<PathBuf>,
    /// At the end, write each live allocation to FILE with its group, scopes and name
    #[arg(long, value_name = "FILE", help_heading = SCRIPTED)]
    pub(crate) memory_dump: Option<PathBuf>,
    /// Exit successfully even if a memory group exceeded its budget
    #[arg(long, help_heading = SCRIPTED)]
    pub(crate) allow_over_budget: bool,

    /// The view of the overlay at the start; the default is the HUD over the restored layout
    #[arg(long, value_name = "STATE", value_enum, help_heading = OVERLAY)]
    pub(crate) overlay: Option<Start>,
    /// The colors of the overlay
    #[arg(long, value_enum, default_value_t = Theme::Dark, help_heading = OVERLAY)]
    pub(crate) theme: Theme,
    /// Keep the overlay's settings in FILE; the default is a file in your config folder, or none if
    /// the game plays itself
    #[arg(long, value_name = "FILE", help_heading = OVERLAY)]
    pub(crate) settings: Option<PathBuf>,
    /// Do not read or write the overlay's settings
    #[arg(long, overrides_with = "settings", help_heading = OVERLAY)]
    pub(crate) no_settings: bool,
    /// Also record the puffin scopes of egui and wgpu, as puffin/…
    #[arg(long, help_heading = OVERLAY)]
    pub(crate) puffin: bool,
    /// Load a plugin from a dynamic library, and reload it when it changes
    #[arg(long, value_name = "FILE", help_heading = OVERLAY)]
    pub(crate) plugin: Option<PathBuf>,
    /// Let `stats view` show the overlay elsewhere, and print the address for it
    #[arg(long, help_heading = OVERLAY)]
    pub(crate) remote: bool,
    /// Do not measure GPU time
    #[arg(long = "no-gpu-timing", action = ArgAction::SetFalse, help_heading = OVERLAY)]
    pub(crate) gpu_timing: bool,

    /// The share of the agents and bodies of the full game. Tests use less than 1.
    #[arg(skip = 1.0)]
    pub(crate) population: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Theme {
    Dark,
    Light,
}

impl Default for Args {
    /// Returns those of an empty command line.
    fn default() -> Self {
        Self::parse_from(["game"])
    }
}

impl Args {
    /// Parses a command line, which begins with the program's name.
    pub(crate) fn checked(words: impl Iterator<Item = OsString>) -> Result<Self, clap::Error> {
        let args = Self::try_parse_from(words)?;
        let refused = |cure| Err(Self::command().error(ErrorKind::ValueValidation, cure));
        if args.screenshots.len() != args.at.len() {
            return refused(
                "give as many --at SECONDS as --screenshot FILE: the first --at is the time of the first \
                 --screenshot",
            );
        }
        if args.memory_dump.is_some() && !memory::TRACKED {
            return refused(
                "--memory-dump needs the memory tracker: build the game with the feature `memory`",
            );
        }
        Ok(args)
    }

    /// Returns the pictures to take, and when in seconds of game time.
    pub(crate) fn screenshots(&self) -> impl ExactSizeIterator<Item = (&PathBuf, f64)> {
        self.screenshots.iter().zip(self.at.iter().copied())
    }

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
            _ if self.no_settings => None,
            Some(file) => Some(file.clone()),
            None if self.is_scripted() => None,
            None => settings::default_file(|name| std::env::var_os(name)),
        }
    }
}

fn seconds(text: &str) -> Result<f64, &'static str> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or("it needs a number of seconds, such as 5")
}

fn fps(text: &str) -> Result<f64, &'static str> {
    let fps = text.parse().ok();
    let fps = fps.filter(|fps| (1.0..=1_000.0).contains(fps));
    fps.ok_or("it needs a number of frames from 1 to 1000, such as 30")
}

fn load(text: &str) -> Result<Duration, &'static str> {
    let ms = text.parse().ok();
    let ms = ms.filter(|ms| (0.0..=1_000.0).contains(ms));
    let load = ms.map(|ms: f64| Duration::from_secs_f64(ms / 1e3));
    load.ok_or("it needs a number of milliseconds from 0 to 1000, such as 20")
}

fn seed(text: &str) -> Result<u64, &'static str> {
    let seed = text.parse().ok();
    seed.ok_or("it needs a whole number, such as 7")
}

fn level(text: &str) -> Result<usize, &'static str> {
    let level = text.parse::<usize>().ok();
    let level = level.filter(|level| (1..=LEVELS).contains(level));
    level.map(|level| level - 1).ok_or("it needs 1 or 2")
}

fn size(text: &str) -> Result<(u32, u32), &'static str> {
    let side = |text: &str| text.parse().ok().filter(|side| (64..=8192).contains(side));
    let sides = text.split_once('x');
    sides
        .and_then(|(width, height)| Some((side(width)?, side(height)?)))
        .ok_or("it needs a width and a height from 64 to 8192 pixels, such as 1280x800")
}

fn workers(text: &str) -> Result<usize, &'static str> {
    let workers = text.parse().ok();
    let workers = workers.filter(|workers| (1..=64).contains(workers));
    workers.ok_or("it needs a number from 1 to 64")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Args, clap::Error> {
        Args::checked(format!("game {line}").split_whitespace().map(Into::into))
    }

    fn args(line: &str) -> Args {
        parsed(line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn an_empty_line_plays_with_the_defaults() {
        let default = Args::default();
        assert_eq!(args(""), default);
        assert_eq!(
            (default.seed, default.level, default.size),
            (1, 0, (1280, 800))
        );
        assert!(default.gpu_timing && default.vsync && !default.is_scripted());
        assert_eq!((default.theme, default.fps_cap), (Theme::Dark, None));
    }

    #[test]
    fn every_option_is_parsed() {
        let args = args(
            "--smoke 2.5 --seed 9 --headless --screenshot a.png --at 1 --screenshot b.png --at 2 --tour out --overlay graph \
             --theme light --fault worker-stall --fault packet-storm --level 2 --size 640x480 --workers 3 --no-gpu-timing \
             --allow-over-budget --report r.txt --remote --fps-cap 30 --no-vsync --cpu-load 2.5",
        );
        assert_eq!((&args.report, args.remote), (&Some("r.txt".into()), true));
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
            (args.fps_cap, args.vsync, args.cpu_load),
            (Some(30.0), false, Some(Duration::from_micros(2_500)))
        );
        assert_eq!(args.screenshots().nth(1), Some((&"b.png".into(), 2.0)));
        assert_eq!(
            (args.overlay, args.theme, args.tour),
            (Some(Start::Graph), Theme::Light, Some("out".into()))
        );
        assert!(!args.gpu_timing && args.allow_over_budget);
        assert_eq!(args.faults, [Fault::WorkerStall, Fault::PacketStorm]);
    }

    #[test]
    fn the_overlay_starts_with_each_of_its_views_and_the_help_names_it() {
        let help = Args::command().render_help().to_string();
        for view in stats_overlay::PaneView::ALL {
            let name = format!("{view:?}").to_lowercase();
            let line = format!("--overlay {name}");
            assert!(args(&line).overlay.is_some(), "{line}");
            assert!(help.contains(&name), "{name}");
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
            "--settings a.json --no-settings",
        ] {
            assert_eq!(args(line).settings_file(), None, "{line}");
        }
        assert_eq!(
            args("").settings_file(),
            settings::default_file(|name| std::env::var_os(name))
        );
        for line in [
            "--smoke 1 --settings a.json",
            "--no-settings --settings a.json",
            "--settings b.json --settings a.json",
        ] {
            assert_eq!(args(line).settings_file(), Some("a.json".into()), "{line}");
        }
    }

    #[test]
    fn a_dump_is_refused_if_memory_is_not_tracked() {
        let request = parsed("--memory-dump m.csv");
        assert_eq!(request.is_ok(), memory::TRACKED, "{request:?}");
        if let Ok(args) = request {
            assert_eq!(args.memory_dump, Some("m.csv".into()));
        }
    }

    #[test]
    fn help_wins_over_everything_that_follows() {
        let error = parsed("--seed 3 --help --nonsense").expect_err("no game");
        assert_eq!(error.kind(), ErrorKind::DisplayHelp);
        assert!(error.to_string().contains(KEYS));
    }

    #[test]
    fn an_error_names_its_cure() {
        for (line, cure) in [
            ("--nonsense", "--help"),
            ("--smoke", "SECONDS"),
            ("--smoke -1", "seconds"),
            ("--smoke NaN", "seconds"),
            ("--seed x", "whole number"),
            ("--fps-cap 0", "1 to 1000"),
            ("--fps-cap NaN", "1 to 1000"),
            ("--cpu-load 1001", "0 to 1000"),
            ("--cpu-load NaN", "0 to 1000"),
            ("--overlay upside-down", "hidden, hud"),
            ("--settings", "FILE"),
            ("--theme pink", "dark, light"),
            ("--fault gremlin", "path-hitch"),
            ("--memory-dump", "FILE"),
            ("--level 0", "1 or 2"),
            ("--level 3", "1 or 2"),
            ("--size 0x0", "1280x800"),
            ("--size 1280", "1280x800"),
            ("--workers 0", "1 to 64"),
            ("--headless", "--smoke <SECONDS>"),
            ("--screenshot a.png", "--at <SECONDS>"),
            (
                "--screenshot a.png --screenshot b.png --at 1",
                "as many --at SECONDS",
            ),
            ("--screenshot a.png --at 1 --at 2", "as --screenshot FILE"),
            ("--at 3", "--screenshot <FILE>"),
        ] {
            let error = parsed(line).expect_err(line).to_string();
            assert!(error.contains(cure), "{line}: {error}");
        }
    }
}
