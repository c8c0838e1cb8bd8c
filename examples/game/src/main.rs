//! A small game with its own loop, watched by some three hundred counters: the overlay's showcase.
mod app;
mod args;
mod camera;
mod events;
mod game;
mod headless;
mod hud;
mod input;
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
    let summary = if args.headless { headless::run(&args).map(Some) } else { app::run(&args) };
    match summary {
        Ok(summary) => {
            summary.iter().for_each(|line| println!("{line}"));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("game: {error}");
            ExitCode::FAILURE
        }
    }
}
