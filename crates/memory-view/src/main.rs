//! Who holds the memory: `memory-view FILE` opens a dump of the tracking allocator,
//! `memory-view FILE FILE` compares two.

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

/// What the process ends with where its arguments, or the files that they name, are of no use.
const USAGE: u8 = 2;

/// The size of the window when it is opened, in points.
const SIZE: [f32; 2] = [1100.0, 720.0];

fn main() -> ExitCode {
    let files = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(Request::Open(files)) => files,
        Ok(Request::Say(text)) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(problem) => {
            eprintln!("memory-view: {problem}\n\n{}", arguments::HELP);
            return ExitCode::from(USAGE);
        }
    };
    // What can be told without a window is.
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
    let ended = eframe::run_native(
        &title,
        options,
        Box::new(|creation| Ok(Box::new(app::App::new(&creation.egui_ctx, files)))),
    );
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("memory-view: {}", no_window(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

/// Why there is no window, and what it takes. Some errors are sentences with a full stop, some are
/// not.
fn no_window(error: &str) -> String {
    let error = error.trim_end().trim_end_matches('.');
    format!("no window could be opened: {error}. It needs a display, and a driver for Vulkan.")
}

#[cfg(test)]
mod tests {
    use super::no_window;

    #[test]
    fn an_error_ends_with_one_full_stop() {
        let expected = "no window could be opened: DISPLAY is not set. It needs a display, and a driver for Vulkan.";
        for error in [
            "DISPLAY is not set",
            "DISPLAY is not set.",
            "DISPLAY is not set.\n",
        ] {
            assert_eq!(no_window(error), expected);
        }
    }
}
