//! What the overlay and the memory panel share in their looks and behavior.
//!
//! Both draw dense lists over a game, with tiny text and painted rows. They should look alike, be
//! readable over any picture, and be usable by a screen reader. What serves that in both belongs
//! here:
//!
//! - the look: [`theme`], [`palette`], [`shapes`], [`icons`];
//! - [`retained`] shapes, which cost little while they stay as they are;
//! - the hands: [`pointer`](mod@pointer) in scaled layers, the [`tree`] actions of keys and game
//!   pads, [`accessibility`];
//! - names on screen: [`text`] on one line, and their order in lists, [`sort_key`];
//! - [`instant`], the clock that also works in a browser.
//!
//! Colors and signs live here even if only one panel uses them, so that a meaning has one look.
//! Views do not: a list, a graph or a table belongs to the panel that shows it. What a number says
//! belongs to `stats-analysis`, which knows nothing of egui.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod accessibility;
pub mod icons;
pub mod instant;
pub mod palette;
pub mod pointer;
pub mod retained;
pub mod shapes;
pub mod sort_key;
pub mod text;
pub mod theme;
pub mod tree;
