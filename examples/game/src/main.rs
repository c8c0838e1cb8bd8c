//! A small game with its own loop, watched by some three hundred counters: the overlay's showcase.
mod app;
mod args;
mod camera;
mod events;
mod game;
mod headless;
mod hud;
mod input;
mod memory;
mod overlay;
mod render;
mod report;
mod scopes;
mod script;
mod settings;
mod sim;
#[cfg(test)]
mod tests;
mod tour;

use std::process::ExitCode;

use args::Request;
use game::Ending;

fn main() -> ExitCode {
    let args = match args::parse(std::env::args().skip(1)) {
        Ok(Request::Play(args)) => args,
        Ok(Request::Help) => {
            print!("{}", args::HELP);
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("game: {error}");
            return ExitCode::from(2);
        }
    };
    let ended = if args.headless {
        headless::run(&args).map(Some)
    } else {
        app::run(&args)
    };
    match ended {
        Ok(ending) => ending.map_or(ExitCode::SUCCESS, |ending| {
            tell(&ending, args.allow_over_budget)
        }),
        Err(error) => {
            eprintln!("game: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what a run has to say. It fails where a group of memory was ever over its budget, unless
/// that is allowed.
fn tell(ending: &Ending, allow_over_budget: bool) -> ExitCode {
    println!("{}", ending.text);
    if ending.over_budget.is_empty() || allow_over_budget {
        return ExitCode::SUCCESS;
    }
    eprintln!(
        "game: over its memory budget: {}; --memory-dump FILE or the memory view (F3, then B) shows who holds it, \
         --allow-over-budget lets it pass",
        ending.over_budget
    );
    ExitCode::FAILURE
}
