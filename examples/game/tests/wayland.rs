//! The game in a window under Wayland, in a compositor without a display, if one is installed.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use stats_testing::Folder;

/// A running compositor.
struct Weston(Child);

impl Weston {
    /// Starts weston, whose socket is `display` in `folder`. Prints that the test is skipped, and
    /// returns `None`, if it is not installed.
    fn start(folder: &Path, display: &str) -> Option<Self> {
        let child = Command::new("weston")
            .args([
                "--backend=headless-backend.so",
                "--width=640",
                "--height=480",
            ])
            .arg(format!("--socket={display}"))
            .arg(format!("--log={}", folder.join("weston.log").display()))
            .env("XDG_RUNTIME_DIR", folder)
            .spawn();
        let Ok(child) = child else {
            eprintln!("skipped: weston is not installed");
            return None;
        };
        let weston = Self(child);
        for _ in 0..300 {
            if folder.join(display).exists() {
                return Some(weston);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("weston did not start within 30 seconds");
    }
}

impl Drop for Weston {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_game_plays_and_takes_pictures_under_wayland() {
    let folder = Folder::new("wayland");
    let Some(_weston) = Weston::start(&folder.0, "game") else {
        return;
    };
    let pictures = [0.2, 0.6].map(|at| (at, folder.0.join(format!("{at}.png"))));
    let mut game = Command::new(env!("CARGO_BIN_EXE_game"));
    game.args("--smoke 0.8 --size 320x200 --overlay graph --allow-over-budget".split(' '))
        .env_remove("DISPLAY")
        .env("WAYLAND_DISPLAY", "game")
        .env("XDG_RUNTIME_DIR", &folder.0);
    for (at, file) in &pictures {
        game.arg("--screenshot")
            .arg(file)
            .args(["--at", &at.to_string()]);
    }
    let output = game.output().expect("the game can be started");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let [first, second] = pictures.map(|(_, file)| std::fs::read(file).expect("it was taken"));
    assert_ne!(first, second, "the pictures of two moments differ");
    assert!(first.len() > 5_000, "the picture is not empty");
}
