//! The smallest host: an eframe app with three counters and the overlay. F3 cycles the overlay from
//! hidden to HUD to panes over the app to full. Your selection is restored in the next run. A plot
//! of the app's own shows one of the counters, too.
//!
//! The same app runs in a browser, without recordings, which need files, and without viewers elsewhere:
//! see `index.html`.
#![forbid(unsafe_code)]

mod screenshots;

use eframe::egui;
#[cfg(not(target_arch = "wasm32"))]
use stats_capture::{RecordingOptions, Recordings};
use stats_core::{Counter, Gauge, Timer, Unit, Watch};
use stats_overlay::{STORAGE_KEY, SavedState, SeriesLine, StatsOverlay};
#[cfg(not(target_arch = "wasm32"))]
use stats_remote::Remote;

use crate::screenshots::Screenshots;

static CLICKS: Counter = Counter::new("app/clicks").describe("clicks on the button");
static POINTER_X: Gauge = Gauge::new("app/pointer-x").unit(Unit::Pixels);
static WORK: Timer = Timer::new("app/work")
    .budget(2.0)
    .describe("work per frame, as set by the slider");

#[cfg(not(target_arch = "wasm32"))]
fn main() -> eframe::Result {
    let options = eframe::NativeOptions::default();
    eframe::run_native(
        "Stats overlay in eframe",
        options,
        Box::new(|creation| {
            let mut app = App::new(creation.storage);
            app.screenshots.is_on = std::env::args().any(|word| word == "--pictures");
            Ok(Box::new(app))
        }),
    )
}

/// Starts the app in the canvas of the page.
#[cfg(target_arch = "wasm32")]
fn main() {
    use eframe::wasm_bindgen::{JsCast, JsValue};

    let start = async || -> Result<(), JsValue> {
        let document = eframe::web_sys::window().and_then(|window| window.document());
        let canvas = document.and_then(|document| document.get_element_by_id("app"));
        let canvas = canvas.ok_or("the page has no element `app`")?;
        let create: eframe::AppCreator<'_> =
            Box::new(|creation| Ok(Box::new(App::new(creation.storage))));
        let options = eframe::WebOptions::default();
        (eframe::WebRunner::new().start(canvas.dyn_into()?, options, create)).await
    };
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(error) = start().await {
            eframe::web_sys::console::error_1(&error);
        }
    });
}

struct App {
    overlay: StatsOverlay,
    /// Records the run between two presses of a key, and into the file named by the variable
    /// `STATS_CAPTURE`.
    #[cfg(not(target_arch = "wasm32"))]
    recordings: Recordings,
    /// Lets `stats view` show the overlay elsewhere, if the variable `STATS_REMOTE` is set.
    #[cfg(not(target_arch = "wasm32"))]
    remote: Option<Remote>,
    screenshots: Screenshots,
    work: u64,
    /// Keeps the history of the timer in the plot.
    plotted: Watch,
}

impl App {
    fn new(storage: Option<&dyn eframe::Storage>) -> Self {
        let mut overlay = StatsOverlay::new(); // overlay, line 1
        match SavedState::load_with(|key| storage?.get_string(key)) {
            Ok(saved) => saved.iter().for_each(|saved| overlay.restore(saved)),
            Err(error) => eprintln!("the overlay starts with its defaults: {error}"),
        }
        #[cfg(not(target_arch = "wasm32"))]
        let recordings = {
            let recordings = Recordings::from_env().unwrap_or_else(|error| {
                eprintln!("the run is not recorded: {error}");
                Recordings::new(RecordingOptions::default())
            });
            overlay.set_recording(recordings.control());
            recordings
        };
        #[cfg(not(target_arch = "wasm32"))]
        let remote = Remote::from_env().unwrap_or_else(|error| {
            eprintln!("no viewer can watch the app: {error}");
            None
        });
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(remote) = &remote {
            eprintln!("stats view '{}'", remote.address());
        }
        Self {
            plotted: overlay.recorder_mut().watch(WORK.id()),
            overlay,
            #[cfg(not(target_arch = "wasm32"))]
            recordings,
            #[cfg(not(target_arch = "wasm32"))]
            remote,
            screenshots: Screenshots::default(),
            work: 10_000,
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(window) = frame.winit_window() {
            self.overlay.follow_window(window);
        }
        #[cfg(target_arch = "wasm32")]
        let _ = frame;
        egui::CentralPanel::default().show(ui, |ui| {
            ui.heading("Press F3");
            if ui.button("Count a click").clicked() {
                CLICKS.increment();
            }
            ui.add(egui::Slider::new(&mut self.work, 0..=1_000_000).text("work per frame"));
            let plot = egui_plot::Plot::new("work")
                .height(160.0)
                .y_axis_label("ms");
            plot.show(ui, |plot| {
                let values = self.overlay.recorder().history(&self.plotted, 600);
                plot.add(SeriesLine::new("app/work", values));
            });
        });
        WORK.time(|| (0..self.work).fold(0_u64, |sum, number| std::hint::black_box(sum ^ number)));
        POINTER_X.set(ui.input(|input| input.pointer.latest_pos().map_or(0.0, |at| at.x)));
        self.overlay.show(ui.ctx()); // overlay, line 2
        self.screenshots.follow(&mut self.overlay, ui.ctx());
        // egui may repeat a pass within a frame, and only the first pass counts.
        #[cfg(not(target_arch = "wasm32"))]
        if ui.ctx().current_pass_index() == 0 {
            self.recordings.end_frame();
        }
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(remote) = &mut self.remote {
            remote.publish(self.overlay.recorder_mut());
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.overlay
            .saved()
            .save_with(storage.get_string(STORAGE_KEY), |key, text| {
                storage.set_string(key, text)
            });
    }
}
