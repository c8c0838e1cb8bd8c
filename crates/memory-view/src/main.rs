//! Shows memory dumps of the tracking allocator by owner: `memory-view FILE` opens one,
//! `memory-view BEFORE AFTER` compares two.
//!
//! A separate thread reads the files while the window is already open. The memory panel does the
//! rest; the overlay shows the same one.
#![forbid(unsafe_code)]

mod app;
mod arguments;
mod dump_error;
mod loading;
#[cfg(test)]
mod real_dump;
#[cfg(test)]
mod testing;

use std::process::ExitCode;

use arguments::Request;
use eframe::egui::ViewportBuilder;

/// The exit code if the arguments are invalid, or name files that cannot be opened.
const USAGE: u8 = 2;

/// The initial size of the window, in points.
const SIZE: [f32; 2] = [1100.0, 720.0];

fn main() -> ExitCode {
    let files = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(Request::Open(files)) => files,
        Ok(Request::Print(text)) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("memory-view: {problem}\n\n{}", arguments::HELP);
            return ExitCode::from(USAGE);
        }
    };
    // Problems that are known without reading the files are reported before a window opens.
    for file in &files {
        if let Err(error) = loading::check(file) {
            eprintln!("memory-view: {error}");
            return ExitCode::from(USAGE);
        }
    }
    let title = app::title(&files);
    let viewport = ViewportBuilder::default()
        .with_title(&title)
        .with_inner_size(SIZE);
    let options = eframe::NativeOptions {
        viewport,
        ..Default::default()
    };
    let ran = eframe::run_native(
        &title,
        options,
        Box::new(|creation| Ok(Box::new(app::App::new(&creation.egui_ctx, files)))),
    );
    match ran {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("memory-view: {}", no_window(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

/// Says why there is no window, and what it needs. Only some of the errors end with a period.
fn no_window(error: &str) -> String {
    let error = error.trim_end().trim_end_matches('.');
    format!("no window could be opened: {error}. It needs a display and a Vulkan driver.")
}

#[cfg(test)]
mod tests {
    use super::no_window;

    #[test]
    fn an_error_ends_with_one_period() {
        let expected = "no window could be opened: DISPLAY is not set. It needs a display and a Vulkan driver.";
        for error in [
            "DISPLAY is not set",
            "DISPLAY is not set.",
            "DISPLAY is not set.\n",
        ] {
            assert_eq!(no_window(error), expected);
        }
    }
}
