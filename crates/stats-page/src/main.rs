//! The page of `stats view --serve`: the overlay in a browser, showing a game that is elsewhere.
//!
//! `scripts/page` compiles it to WebAssembly, and adds `index.html` and `start.js`. The page connects to
//! the server that it came from, which passes everything on to the game.
#![forbid(unsafe_code)]

#[cfg(target_family = "wasm")]
mod app;

/// Starts the overlay in the canvas of the page, or says why it does not start.
#[cfg(target_family = "wasm")]
fn main() {
    wasm_bindgen_futures::spawn_local(async {
        if let Err(why) = app::start().await {
            app::say(&why);
        }
    });
}

#[cfg(not(target_family = "wasm"))]
fn main() {
    eprintln!(
        "this is a page for browsers: build it with scripts/page, and show it with stats view --serve"
    );
}
