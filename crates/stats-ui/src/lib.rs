//! The look and behavior that the overlay and the memory panel share.
//!
//! Both draw dense lists over a game, with tiny text and painted rows. They should look alike, be
//! readable over any picture, and be usable with a screen reader. Code that serves both belongs
//! here:
//!
//! - the look: [`theme`], [`palette`], [`shapes`], [`icons`];
//! - [`retained`]: shapes that are kept until their contents change, and
//!   [`text_revision`](mod@text_revision): whether texts laid out in earlier passes are still
//!   valid;
//! - interaction: scrolled rows, a [`list`], and the actions of a [`tree`]; the
//!   [`pointer`](mod@pointer) in scaled layers, [`tooltip`]s and menus ([`popup`]),
//!   [`accessibility`];
//! - names on screen: [`text`] on one line, and their order in lists, [`sort_key`];
//! - [`instant`]: a clock that also works in a browser; [`job`]: work that no frame waits for.
//!
//! Colors and signs live here even if only one panel uses them, so that a meaning has one look.
//! Views do not: a graph or a table belongs to the panel that shows it. The meaning of
//! numbers belongs to `stats-analysis`, which knows nothing of egui.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod accessibility;
mod galleys;
pub mod icons;
pub mod instant;
pub mod job;
pub mod list;
pub mod palette;
pub mod pointer;
pub mod popup;
pub mod retained;
pub mod shapes;
pub mod sort_key;
pub mod text;
pub mod text_revision;
pub mod theme;
pub mod tooltip;
pub mod tree;
