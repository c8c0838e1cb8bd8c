//! The stats overlay for [Bevy](https://bevy.org), as one plugin.
//!
//! ```no_run
//! # use bevy_app::App;
//! use stats_bevy::StatsOverlayPlugin;
//!
//! let mut app = App::new();
//! // app.add_plugins(DefaultPlugins);
//! app.add_plugins(StatsOverlayPlugin::default());
//! # app.run();
//! ```
//!
//! bevy_egui uses egui 0.36. Cargo may choose egui 0.37 for the overlay, which supports both; two
//! types named `Context` then differ. To prevent that, run once in the game:
//! `cargo update -p egui@0.37.0 --precise 0.36.2`.
//!
//! F3 cycles the overlay through hidden, HUD, watch and full. The overlay shows the game's own
//! counters (the crate `stats-core`), and those of Bevy:
//!
//! | series | value |
//! |---|---|
//! | `bevy/entities` | entities in the main world, with those that Bevy itself creates |
//! | `bevy/archetypes` | archetypes in the main world, including empty ones |
//! | `bevy/entities/<components>` | entities with exactly these components: see [Lists](#lists) |
//! | `bevy/assets/<type>`, `bevy/asset-bytes/<type>` | assets of this type, and their bytes in main memory |
//! | `bevy/<path>` | each diagnostic of the [`DiagnosticsStore`](bevy_diagnostic::DiagnosticsStore) |
//! | `bevy/render/<pass>/elapsed_cpu`, `elapsed_gpu` | the times of each render pass, with the feature `render` |
//! | `tracing/<thread>/…`, `tracing/spans/…` | systems and schedules, with the feature `systems` |
//!
//! # Frames
//!
//! A frame ends once per run of the main schedule, before [`First`](bevy_app::First), and the next
//! one begins there. It consists of, in this order, `First` to `Last`, the extraction into the
//! render world, and the wait for the next run. With pipelined rendering, the extraction first
//! waits for the render world to finish the previous frame. So if rendering is the bottleneck, a
//! frame takes as long as rendering does. The times of render passes are shown late: by one frame
//! for the CPU, and by a few for the GPU. `Startup` belongs to no frame.
//!
//! # Diagnostics
//!
//! Each diagnostic is a gauge. A new measurement sets it; without one it keeps its value, as
//! [`Diagnostic::value`](bevy_diagnostic::Diagnostic::value) does. If a frame has several
//! measurements, the newest counts. Values that are not finite are left out. A diagnostic without
//! measurements has no series yet. The suffix gives the unit: that of [`Unit::from_symbol`], or
//! `us`, `bytes`, `KiB`, `MiB` or `GiB`. Any other suffix is shown unchanged.
//!
//! [`Unit::from_symbol`]: stats_core::Unit::from_symbol
//!
//! # Lists
//!
//! While the overlay is visible or a run is recorded, the plugin lists what is in the main world, four
//! times a second. Otherwise the rows keep their last values:
//!
//! - **Entities** by archetype. The name of a row has the short names of its components, those of the
//!   game first. Each resource of Bevy is an entity, too; `bevy/entities/resources` has them all.
//! - **Assets** by type: their number, and the bytes of images (their pixels) and meshes (their
//!   attributes and indices) in main memory. What only the GPU has is in [stats-gpu]'s lists of a wgpu
//!   program, not in these. Types that were registered with `register_asset_reflect` are counted. Of
//!   the other types, `bevy/unlisted-asset-types` says how many there are; [`ListAssets`] adds one.
//!
//! A row exists from its first entity or asset on, and is 0 when all are gone. A list has 128 rows, and
//! `others` has the rest; of many new archetypes, those with the most entities get a row. A frame names
//! at most 8 new archetypes, and adds up the bytes of at most 4,096 assets. With more, a sample takes
//! several frames, and an asset that is added or removed during it may be missing or count twice.
//!
//! [stats-gpu]: https://docs.rs/stats-gpu
//!
//! # Input
//!
//! While the overlay is full, the game's input is empty: no key, button, finger or stick is
//! pressed, nothing moves, and there are no messages about input. To the game this looks as if the
//! window had lost the focus: when the overlay opens, everything that is pressed is released. When
//! it closes, everything that is still held stays released until it is pressed again, and sticks
//! return to their positions. The toggle key never reaches the game. A frame's input belongs to one
//! side as a whole: to the overlay if it is full when the frame begins, or if the toggle key opens
//! it in that frame.
//!
//! This covers [`ButtonInput`](bevy_input::ButtonInput) of keys and mouse buttons,
//! [`Touches`](bevy_input::touch::Touches), [`Gamepad`](bevy_input::gamepad::Gamepad), the
//! accumulated motion and scrolling of the mouse, and the messages from which they are made.
//! Systems that read any of the following need the run condition [`game_has_input`]:
//!
//! - messages, in systems of `PreUpdate` that do not run after [`StatsInputSystems`];
//! - `RawWinitWindowEvent`, `WindowEvent` and `RawGamepadEvent`, and thus `bevy_picking`: use the
//!   feature `picking` of bevy_egui, with which the overlay stops the pointer;
//! - the position of the cursor, `Window::cursor_position`.
//!
//! ```
//! # use bevy_app::{App, Update};
//! # use bevy_ecs::prelude::*;
//! use stats_bevy::game_has_input;
//!
//! # fn follow_the_cursor() {}
//! # let mut app = App::new();
//! app.add_systems(Update, follow_the_cursor.run_if(game_has_input));
//! ```
//!
//! A game that drives the overlay with a game pad reads the pad in `PreUpdate`, after
//! [`gamepad_event_processing_system`](bevy_input::gamepad::gamepad_event_processing_system) and
//! before [`StatsInputSystems`], and calls [`StatsOverlay::act`] of the resource [`Overlay`].
//!
//! # Features
//!
//! - `enabled` (default): without it, nothing is recorded or drawn, and no input is taken.
//! - `memory` (default): the memory view.
//! - `process` (default): the memory of the process.
//! - `render` (default): draws the overlay, measures render passes, and takes
//!   [pictures of hitches](StatsOverlayPlugin::pictures) if they are wanted. Without it the overlay runs
//!   and is not drawn, as in tests and on servers.
//! - `states` (default): [`MarkStates`].
//! - `capture`: records runs, with the variable `STATS_CAPTURE` or a key of the overlay; see
//!   `StatsOverlayPlugin::recordings`.
//! - `systems`: `system_timers`, a layer for Bevy's `LogPlugin` that times systems and schedules.
//!
//! # Internals
//!
//! - **A frame ends in a schedule of its own**, before `First`. No system of the game can be
//!   ordered before it, and a whole run of the main schedule belongs to one frame, as in Bevy's own
//!   frame time. If a frame ended in `Last`, the extraction and the wait for the render world would
//!   belong to the next frame.
//! - **Input is emptied instead of hidden by run conditions**, because other plugins read it, too.
//!   State is emptied inside `InputSystems`, before anything that runs after that set. Messages are
//!   cleared after egui has read them, and only all at once: removing some of them would show
//!   others to their readers again.
//! - **Diagnostics are gauges, not timers**: Bevy keeps only the newest value of each, and does not
//!   record the frame that a GPU time belongs to.
//! - **The plugin mirrors Bevy's diagnostics, but adds only the plugin that measures render
//!   passes**, because Bevy panics if a plugin is added twice. It adds that plugin in `finish`,
//!   after all others.
//!
//! [`StatsOverlay::act`]: stats_overlay::StatsOverlay::act

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod diagnostics;
mod frame;
mod input;
mod lists;
mod overlay;
#[cfg(feature = "render")]
mod pictures;
mod plugin;
#[cfg(feature = "capture")]
mod recording;
#[cfg(feature = "states")]
mod states;
#[cfg(feature = "systems")]
mod systems;

pub use input::{StatsInputSystems, game_has_input};
pub use lists::ListAssets;
pub use overlay::Overlay;
pub use plugin::StatsOverlayPlugin;
#[cfg(feature = "capture")]
pub use recording::Recording;
#[cfg(feature = "states")]
pub use states::MarkStates;
#[cfg(feature = "systems")]
pub use systems::system_timers;

#[cfg(feature = "capture")]
pub use stats_capture;
pub use stats_core;
pub use stats_overlay;
