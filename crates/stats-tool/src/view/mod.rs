//! `stats view`: captures, journals, memory dumps and running games in a window.
//!
//! - [`captures`]: the overlay, showing one capture, or two side by side.
//! - [`dumps`]: the memory panel, showing memory dumps.
//! - [`game`]: the overlay, showing games that run elsewhere.
//! - [`games`]: several of them on one axis.
//! - [`recordings`](mod@recordings): captures of what arrives from such a game.
//! - [`serve`]: the same in a browser.
//!
//! This verb needs the feature `view`, which is on by default. A CI machine turns it off and
//! compiles no user interface.

mod captures;
mod dumps;
mod game;
mod games;
mod recordings;
mod serve;

use std::path::{Path, PathBuf};

use eframe::egui::ViewportBuilder;
use stats_config::Config;
use stats_core::{SeriesId, SeriesInfo};
use stats_overlay::StatsOverlay;

use crate::failure::{Failure, Outcome};
use crate::input::{files, one_file};
use crate::output::{begins_like_run, name_of, say};

/// The arguments of `stats view`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// One or two captures, journals, logs of other programs or memory dumps, or `-` for standard
    /// input; two are compared, the earlier one first. Or the addresses of running games,
    /// stats://HOST:PORT#TOKEN, in quotes; the first one has the axis
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Compare with this capture: its frames are baseline A
    #[arg(long, value_name = "RUN")]
    baseline: Option<String>,
    /// Show a running game in a browser, by the address that is printed, until Ctrl+C. Browsers on
    /// other machines reach it only with an address: --serve=0.0.0.0, --serve=10.0.0.5:9000
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ""
    )]
    serve: Option<String>,
}

/// The initial size of the window, in points.
const SIZE: [f32; 2] = [1280.0, 800.0];

/// The folder for recordings of a running game, as in the game itself.
const RECORDINGS: &str = "captures";

/// Returns the overlay of a window, with the teams of `stats.toml`.
fn overlay() -> StatsOverlay {
    let mut overlay = StatsOverlay::viewer();
    match Config::find(".") {
        Ok(Some(config)) => overlay.set_teams(config.team_list()),
        Ok(None) => {}
        Err(error) => say(format_args!("the teams are not known: {error}")),
    }
    overlay
}

/// Returns a series of one of several sources, under its path and with its ids among all of them.
fn placed<'a>(
    mut info: SeriesInfo<'a>,
    path: &'a str,
    id: impl Fn(SeriesId) -> SeriesId,
) -> SeriesInfo<'a> {
    (info.id, info.path) = (id(info.id), path);
    for other in [&mut info.calls, &mut info.self_time, &mut info.parent] {
        *other = other.map(&id);
    }
    info
}

/// Shows files in a window until it is closed. Finds errors before the window opens.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    if arguments.files.iter().any(|file| games::is_address(file)) {
        return show_games(arguments);
    }
    if arguments.serve.is_some() {
        return Err(Failure::Usage(
            "--serve is for a running game: name its address, stats://HOST:PORT#TOKEN, in quotes"
                .into(),
        ));
    }
    let files = files(&arguments.files)?;
    if files.len() > 2 {
        return Err(Failure::Usage(format!(
            "{} files given, but at most 2 can be compared",
            files.len()
        )));
    }
    let are_captures: Vec<bool> = files.iter().map(|file| is_capture(file)).collect();
    if are_captures.contains(&true) != are_captures.iter().all(|is| *is) {
        return Err(Failure::Usage(
            "a capture cannot be compared with a memory dump; name two files of one kind".into(),
        ));
    }
    let title = title(&files);
    if are_captures[0] {
        let content = captures::Content::open(&files)?;
        let baseline = match &arguments.baseline {
            Some(run) => captures::baseline(&one_file(run)?)?,
            None => Vec::new(),
        };
        show(&title, move |_| {
            Box::new(captures::Window::new(content, baseline))
        })
    } else if arguments.baseline.is_some() {
        Err(Failure::Usage(
            "--baseline is for captures; name two memory dumps to compare them".into(),
        ))
    } else {
        files.iter().try_for_each(|file| dumps::check(file))?;
        show(&title, move |ctx| Box::new(dumps::Window::new(ctx, files)))
    }
}

/// Shows running games in a window until it is closed.
fn show_games(arguments: &Arguments) -> Result<Outcome, Failure> {
    let addresses = &arguments.files;
    if !addresses.iter().all(|file| games::is_address(file)) || arguments.baseline.is_some() {
        return Err(Failure::Usage(
            "running games are shown alone: name addresses, without files and --baseline".into(),
        ));
    }
    if let Some(place) = &arguments.serve {
        if addresses.len() > 1 {
            return Err(Failure::Usage(
                "--serve shows one game: name one address; without --serve, several are shown"
                    .into(),
            ));
        }
        return serve::run(&addresses[0], place);
    }
    let games = games::Games::connect(addresses)?;
    let title = format!("{} – stats", games.program());
    show(&title, move |_| {
        Box::new(game::Window::new(games, RECORDINGS))
    })
}

/// Opens a window, and returns when it is closed.
fn show(
    title: &str,
    app: impl FnOnce(&eframe::egui::Context) -> Box<dyn eframe::App> + 'static,
) -> Result<Outcome, Failure> {
    let viewport = ViewportBuilder::default()
        .with_title(title)
        .with_inner_size(SIZE);
    let options = eframe::NativeOptions {
        viewport,
        ..Default::default()
    };
    let ran = eframe::run_native(
        title,
        options,
        Box::new(|creation| Ok(app(&creation.egui_ctx))),
    );
    ran.map_err(|error| Failure::NoWindow(without_source(&error.to_string()).to_owned()))?;
    Ok(Outcome::Fine)
}

/// Removes the source location that errors of winit begin with.
fn without_source(why: &str) -> &str {
    let after = why
        .split_once(".rs:")
        .and_then(|(_, rest)| rest.split_once(": "));
    after.map_or(why, |(_, cause)| cause)
}

/// Returns whether a file is named like a capture or a journal, or begins like one. Returns `false`
/// for anything that cannot be read as a file, because reading it as a dump reports the error.
fn is_capture(file: &Path) -> bool {
    if !file.is_file() {
        return false;
    }
    if (file.extension()).is_some_and(|end| end == "parquet" || end == "journal") {
        return true;
    }
    begins_like_run(file)
}

/// Returns the title of a window with these files.
fn title(files: &[PathBuf]) -> String {
    let names: Vec<String> = files.iter().map(|file| name(file)).collect();
    format!("{} – stats", names.join(" → "))
}

/// Returns the name of a file, without its folder.
fn name(file: &Path) -> String {
    let file = PathBuf::from(name_of(file));
    file.file_name()
        .unwrap_or(file.as_os_str())
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_running_game_is_served() {
        let arguments = Arguments {
            files: vec!["run.parquet".to_owned()],
            baseline: None,
            serve: Some(String::new()),
        };
        let error = run(&arguments).map(|_| ()).expect_err("it is no game");
        let text = error.to_string();
        assert!(matches!(error, Failure::Usage(_)) && text.contains("stats://HOST:PORT#TOKEN"));
    }

    #[test]
    fn games_are_not_mixed_with_files_and_one_is_served() {
        let game = "stats://127.0.0.1:1#0123456789abcdef0123456789abcdef";
        let said = |files: &[&str], serve: Option<&str>| {
            let arguments = Arguments {
                files: files.iter().map(|file| (*file).to_owned()).collect(),
                baseline: None,
                serve: serve.map(str::to_owned),
            };
            let error = run(&arguments).map(|_| ()).expect_err("it is wrong");
            assert!(matches!(error, Failure::Usage(_)));
            error.to_string()
        };
        assert!(said(&[game, "run.parquet"], None).contains("without files"));
        assert!(said(&["run.parquet", game], None).contains("without files"));
        assert!(said(&[game, game], Some("")).contains("one address"));
    }

    #[test]
    fn the_title_names_the_files_from_before_to_after() {
        assert_eq!(
            title(&["a/first.csv".into(), "b/second.csv".into()]),
            "first.csv → second.csv – stats"
        );
        assert_eq!(name(Path::new("/")), "/");
    }
}
