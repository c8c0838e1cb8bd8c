//! Tests of what a user of the overlay sees, one file per behavior. `off` tests the overlay without
//! the feature `enabled`.

#[cfg(feature = "enabled")]
mod agreement;
#[cfg(feature = "enabled")]
mod allocations;
#[cfg(feature = "enabled")]
mod baseline;
#[cfg(feature = "enabled")]
mod bindings;
#[cfg(feature = "enabled")]
mod budgets;
#[cfg(feature = "enabled")]
mod card;
#[cfg(feature = "enabled")]
mod click_through;
#[cfg(feature = "enabled")]
mod distribution;
#[cfg(feature = "enabled")]
mod first_steps;
#[cfg(feature = "enabled")]
mod formulas;
#[cfg(feature = "enabled")]
mod frame_marks;
#[cfg(feature = "enabled")]
mod graph;
#[cfg(feature = "enabled")]
mod hitch_pictures;
#[cfg(feature = "enabled")]
mod hitch_rows;
#[cfg(feature = "enabled")]
mod hitches;
#[cfg(feature = "enabled")]
mod holes;
#[cfg(feature = "enabled")]
mod host;
#[cfg(feature = "enabled")]
mod hostile;
#[cfg(feature = "enabled")]
mod hostile_views;
#[cfg(feature = "enabled")]
mod hosts;
#[cfg(feature = "enabled")]
mod hud;
#[cfg(feature = "enabled")]
mod kept;
#[cfg(feature = "enabled")]
mod late;
#[cfg(feature = "enabled")]
mod legend;
#[cfg(feature = "enabled")]
mod memory;
#[cfg(feature = "enabled")]
mod memory_dumps;
#[cfg(feature = "enabled")]
mod memory_filters;
#[cfg(feature = "enabled")]
mod memory_hostile;
#[cfg(feature = "enabled")]
mod memory_pages;
#[cfg(feature = "enabled")]
mod memory_panel;
#[cfg(feature = "enabled")]
mod memory_take;
#[cfg(not(feature = "enabled"))]
mod off;
#[cfg(feature = "enabled")]
mod over_budget;
#[cfg(feature = "enabled")]
mod panes;
#[cfg(feature = "enabled")]
mod pause;
#[cfg(feature = "enabled")]
mod pictures;
#[cfg(feature = "enabled")]
mod recording;
#[cfg(feature = "enabled")]
mod refresh;
#[cfg(feature = "enabled")]
mod scope_menu;
#[cfg(feature = "enabled")]
mod scoped;
#[cfg(feature = "enabled")]
mod search;
#[cfg(feature = "enabled")]
mod search_words;
#[cfg(feature = "enabled")]
mod settings;
#[cfg(feature = "enabled")]
mod statistics;
#[cfg(feature = "enabled")]
mod steady;
#[cfg(feature = "enabled")]
mod table;
#[cfg(feature = "enabled")]
mod table_rows;
#[cfg(feature = "enabled")]
mod teams;
#[cfg(feature = "enabled")]
mod timeline;
#[cfg(feature = "enabled")]
mod together;
#[cfg(feature = "enabled")]
mod toggle;
#[cfg(feature = "enabled")]
mod tooltips;
#[cfg(feature = "enabled")]
mod touch;
#[cfg(feature = "enabled")]
mod tree;
#[cfg(feature = "enabled")]
mod tree_rows;
#[cfg(feature = "enabled")]
mod unavailable;
#[cfg(feature = "enabled")]
mod video_memory;
#[cfg(feature = "enabled")]
mod watch;
#[cfg(feature = "enabled")]
mod watch_input;
#[cfg(feature = "enabled")]
mod ways_back;
