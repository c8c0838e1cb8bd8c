//! The contents of the page.

use eframe::egui;
use eframe::wasm_bindgen::{JsCast, JsValue};
use stats_overlay::{Mode, StatsOverlay};
use stats_remote::{RemoteAddress, RemoteSource};

/// Connects to the server of the page, and draws until the page is closed.
pub(crate) async fn start() -> Result<(), String> {
    let window = web_sys::window().ok_or("this is no page")?;
    let address = address(&window)?;
    let document = window.document();
    let canvas = document.and_then(|document| document.get_element_by_id("app"));
    let canvas = canvas.ok_or("the page has no element app")?;
    let canvas = canvas
        .dyn_into()
        .map_err(|_| "its element app is no canvas")?;
    let source = RemoteSource::open(&address).map_err(|error| error.to_string())?;
    let runner = eframe::WebRunner::new();
    let started = runner.start(
        canvas,
        eframe::WebOptions::default(),
        Box::new(|_| {
            Ok(Box::new(Page {
                source,
                overlay: StatsOverlay::viewer(),
                title: String::new(),
            }))
        }),
    );
    started.await.map_err(|error| {
        format!(
            "The overlay needs WebGL 2, which this browser does not offer: {}",
            error.as_string().unwrap_or_default()
        )
    })?;
    say("");
    Ok(())
}

/// Shows a text below the canvas, or none.
pub(crate) fn say(text: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(place) = document.and_then(|document| document.get_element_by_id("text")) {
        place.set_text_content(Some(text));
    }
}

/// Returns the address of the server with the token of the game, and removes the token from the
/// address bar.
fn address(window: &web_sys::Window) -> Result<RemoteAddress, String> {
    let unreadable = |_: JsValue| "the page has no address".to_owned();
    let location = window.location();
    let token = location.hash().map_err(unreadable)?;
    let host = location.hostname().map_err(unreadable)?;
    let port = location.port().map_err(unreadable)?;
    // Nothing, or `?rounded`: the server has a page at no other.
    let rounded = location.search().map_err(unreadable)?;
    // A browser leaves out the port of HTTP.
    let port = if port.is_empty() { "80" } else { &port };
    if !token.is_empty() {
        let path = location.pathname().map_err(unreadable)?;
        let history = window.history().map_err(unreadable)?;
        let replaced = history.replace_state_with_url(&JsValue::NULL, "", Some(&path));
        replaced.map_err(unreadable)?;
    }
    format!("stats://{host}:{port}{rounded}{token}").parse().map_err(|_| {
        "This page has no token of a game. Open the address again that `stats view --serve` printed: \
         the page removes the token from the address bar."
            .to_owned()
    })
}

/// The overlay over the whole page.
struct Page {
    source: RemoteSource,
    overlay: StatsOverlay,
    /// The name of the game in the title.
    title: String,
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.source.pump();
        let status = self.source.status();
        self.overlay
            .set_program(&status.program, &status.to_string());
        if status.program != self.title
            && let Some(document) = web_sys::window().and_then(|window| window.document())
        {
            self.title.clone_from(&status.program);
            document.set_title(&format!("{} – stats", self.title));
        }
        self.overlay.show_with(ui.ctx(), &mut self.source);
        // A page cannot close itself.
        self.overlay.set_mode(Mode::Full);
    }
}
