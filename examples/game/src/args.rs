//! The command line.
use std::fmt;
use std::path::PathBuf;

use crate::memory;
use crate::overlay::View;
use crate::settings;
use crate::sim::faults::Fault;
use crate::sim::jobs::Pool;
use crate::sim::level::LEVELS;

/// What `--help` prints.
pub(crate) const HELP: &str = "\
A small game, watched by some three hundred counters.

Usage: game [OPTIONS]

  --smoke SECONDS        play itself and exit after SECONDS of game time
  --seed N               the seed that decides everything (1)
  --headless             no window: simulate, and draw pictures where a graphics adapter exists
  --screenshot FILE --at SECONDS
                         write a PNG at that game time; may be given several times
  --tour DIR             the scripted half-minute of game time, leaving its pictures in DIR
  --overlay STATE        start with the overlay hidden, hud, tree, graph, table, distribution or statistics (hud)
  --settings FILE        where the overlay's settings are kept (a file in your config folder; none in runs that play themselves)
  --no-settings          neither read nor write the overlay's settings
  --puffin               record the scopes of egui and wgpu too, as puffin/…
  --no-gpu-timing        do not ask the graphics device how long its passes take
  --theme THEME          dark or light, for the overlay (dark)
  --fault NAME           start with a planted fault: path-hitch, growing-array, draw-calls,
                         worker-stall or packet-storm; may be given several times
  --level N              start with level 1 or 2 (1)
  --memory-dump FILE     write every live allocation to FILE at the end, with its group, scopes and name
  --allow-over-budget    do not fail where a group of memory was over its budget
  --size WxH             size of the window or the pictures in pixels (1280x800)
  --workers N            worker threads (as many as the machine has, 2 to 6)
  --help                 this text

Keys: WASD or arrows move, mouse aims and shoots, Space nova, wheel zooms, Tab or N next level,
P autopilot, 1 to 5 planted faults, F3 overlay, Esc quits.
";

/// A picture to be taken.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Screenshot {
    pub(crate) file: PathBuf,
    /// Game time in seconds.
    pub(crate) at: f64,
}

/// Where the overlay's settings are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Settings {
    /// In the user's config folder; nowhere in runs that play themselves.
    Default,
    File(PathBuf),
    None,
}

/// The command line, understood.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Args {
    pub(crate) smoke: Option<f64>,
    pub(crate) seed: u64,
    pub(crate) headless: bool,
    pub(crate) screenshots: Vec<Screenshot>,
    pub(crate) tour: Option<PathBuf>,
    /// `None`: the HUD, over whatever is remembered.
    pub(crate) overlay: Option<View>,
    pub(crate) settings: Settings,
    /// Whether the scopes of egui and wgpu are recorded.
    pub(crate) puffin: bool,
    pub(crate) gpu_timing: bool,
    pub(crate) light_theme: bool,
    pub(crate) faults: Vec<Fault>,
    /// Where the live allocations are written at the end.
    pub(crate) memory_dump: Option<PathBuf>,
    /// Whether a run that plays itself passes in spite of a group of memory over its budget.
    pub(crate) allow_over_budget: bool,
    /// Counted from 0.
    pub(crate) level: usize,
    pub(crate) size: (u32, u32),
    pub(crate) workers: usize,
}

impl Default for Args {
    fn default() -> Self {
        Self {
            smoke: None,
            seed: 1,
            headless: false,
            screenshots: Vec::new(),
            tour: None,
            overlay: None,
            settings: Settings::Default,
            puffin: false,
            gpu_timing: true,
            light_theme: false,
            faults: Vec::new(),
            memory_dump: None,
            allow_over_budget: false,
            level: 0,
            size: (1280, 800),
            workers: Pool::default_workers(),
        }
    }
}

impl Args {
    /// Whether the game plays itself, at a pace of its own.
    pub(crate) const fn is_scripted(&self) -> bool {
        self.smoke.is_some() || self.tour.is_some() || self.headless
    }

    /// The file of the overlay's settings; `None` where they are not kept.
    pub(crate) fn settings_file(&self) -> Option<PathBuf> {
        match &self.settings {
            Settings::Default if self.is_scripted() => None,
            Settings::Default => settings::file(|name| std::env::var_os(name)),
            Settings::File(file) => Some(file.clone()),
            Settings::None => None,
        }
    }
}

/// Why a command line was not understood. The text names the cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ArgsError {
    /// An option that there is not.
    Unknown(String),
    /// An option without its value.
    Missing(&'static str, &'static str),
    /// A value that does not fit its option.
    Invalid(&'static str, String, &'static str),
    /// Options that make sense only with others.
    Incomplete(&'static str),
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(option) => {
                write!(f, "there is no option '{option}'; --help lists them all")
            }
            Self::Missing(option, wanted) => write!(f, "{option} needs a value: give it {wanted}"),
            Self::Invalid(option, value, wanted) => {
                write!(f, "{option} cannot be '{value}': give it {wanted}")
            }
            Self::Incomplete(cure) => f.write_str(cure),
        }
    }
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Request {
    Play(Args),
    Help,
}

/// Reads a command line, without the program's own name.
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
    let ends = args.smoke.is_some() || args.tour.is_some() || !args.screenshots.is_empty();
    if args.headless && !ends {
        return Err(ArgsError::Incomplete(
            "--headless would never end: add --smoke SECONDS, --screenshot FILE --at SECONDS or --tour DIR",
        ));
    }
    if args.memory_dump.is_some() && !memory::TRACKED {
        return Err(ArgsError::Incomplete(
            "--memory-dump needs the memory tracker: build the game with its feature memory",
        ));
    }
    Ok(Request::Play(args))
}

fn option(
    word: &str,
    words: &mut dyn Iterator<Item = String>,
    args: &mut Args,
    picture: &mut Option<PathBuf>,
) -> Result<(), ArgsError> {
    const SECONDS: &str = "a number of seconds, such as 5";
    const OVERLAY: &str = "hidden, hud, tree, graph, table, distribution or statistics";
    match word {
        "--smoke" => args.smoke = Some(value("--smoke", SECONDS, words, seconds)?),
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
                |text| Some(PathBuf::from(text)),
            )?;
            if picture.replace(file).is_some() {
                return Err(ArgsError::Incomplete(
                    "each --screenshot needs a time of its own: add --at SECONDS after it",
                ));
            }
        }
        "--at" => {
            let at = value("--at", SECONDS, words, seconds)?;
            let file = picture.take().ok_or(ArgsError::Incomplete(
                "--at needs a picture: put --screenshot FILE before it",
            ))?;
            args.screenshots.push(Screenshot { file, at });
        }
        "--tour" => {
            args.tour = Some(value(
                "--tour",
                "a folder for the pictures",
                words,
                |text| Some(PathBuf::from(text)),
            )?)
        }
        "--overlay" => args.overlay = Some(value("--overlay", OVERLAY, words, View::from_name)?),
        "--settings" => {
            args.settings = value(
                "--settings",
                "a file, such as overlay.json",
                words,
                |text| Some(Settings::File(text.into())),
            )?;
        }
        "--puffin" => args.puffin = true,
        "--no-settings" => args.settings = Settings::None,
        "--no-gpu-timing" => args.gpu_timing = false,
        "--theme" => args.light_theme = value("--theme", "dark or light", words, theme)?,
        "--fault" => {
            let wanted = "path-hitch, growing-array, draw-calls, worker-stall or packet-storm";
            args.faults
                .push(value("--fault", wanted, words, Fault::from_name)?);
        }
        "--memory-dump" => {
            let file = value(
                "--memory-dump",
                "a file to write, such as memory.csv",
                words,
                |text| Some(PathBuf::from(text)),
            )?;
            args.memory_dump = Some(file);
        }
        "--allow-over-budget" => args.allow_over_budget = true,
        "--level" => args.level = value("--level", "1 or 2", words, level)?,
        "--size" => {
            args.size = value(
                "--size",
                "two numbers of pixels between 64 and 8192, such as 1280x800",
                words,
                size,
            )?
        }
        "--workers" => args.workers = value("--workers", "a number from 1 to 64", words, workers)?,
        _ => return Err(ArgsError::Unknown(word.to_owned())),
    }
    Ok(())
}

fn value<T>(
    option: &'static str,
    wanted: &'static str,
    words: &mut dyn Iterator<Item = String>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, ArgsError> {
    let text = words.next().ok_or(ArgsError::Missing(option, wanted))?;
    read(&text).ok_or(ArgsError::Invalid(option, text, wanted))
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
            Ok(Request::Play(args)) => args,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn an_empty_line_plays_with_the_defaults() {
        assert_eq!(args(""), Args::default());
    }

    #[test]
    fn every_option_is_understood() {
        let args = args(
            "--smoke 2.5 --seed 9 --headless --screenshot a.png --at 1 --screenshot b.png --at 2 --tour out --overlay graph \
             --theme light --fault worker-stall --fault packet-storm --level 2 --size 640x480 --workers 3 --no-gpu-timing \
             --allow-over-budget",
        );
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
            (Some(View::Graph), true, Some("out".into()))
        );
        assert!(!args.gpu_timing && args.allow_over_budget);
        assert_eq!(args.faults, [Fault::WorkerStall, Fault::PacketStorm]);
    }

    #[test]
    fn a_run_that_plays_itself_leaves_the_players_settings_alone() {
        for line in [
            "--smoke 1",
            "--tour out",
            "--headless --smoke 1",
            "--no-settings",
            "--smoke 1 --no-settings",
        ] {
            assert_eq!(args(line).settings_file(), None, "{line}");
        }
        assert_eq!(
            args("").settings_file(),
            settings::file(|name| std::env::var_os(name))
        );
        assert_eq!(
            args("--smoke 1 --settings a.json").settings_file(),
            Some("a.json".into())
        );
    }

    #[test]
    fn a_dump_is_refused_where_there_is_nothing_to_dump() {
        let asked = parsed("--memory-dump m.csv");
        assert_eq!(asked.is_ok(), memory::TRACKED, "{asked:?}");
        if let Ok(Request::Play(args)) = asked {
            assert_eq!(args.memory_dump, Some("m.csv".into()));
        }
    }

    #[test]
    fn help_wins_over_everything_after_it() {
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
