//! The place of a counter: the destination of its values.
//!
//! Every kind of counter comes in two forms, which differ only in a type parameter `P`:
//! `Counter` is `Counter<Static>`, for a `static` whose path is known at compile time, and
//! [`CounterHandle`](crate::CounterHandle) is `Counter<Handle>`, for a path that is made at run
//! time. A function that takes either form takes `&Counter<impl Place>`:
//!
//! ```
//! use stats_core::{Counter, place::Place};
//!
//! static SHOTS: Counter = Counter::new("game/shots");
//!
//! fn fire(shots: &Counter<impl Place>) {
//!     shots.increment();
//! }
//!
//! fire(&SHOTS);
//! fire(&stats_core::counter("game/player-1/shots"));
//! ```
//!
//! [`Place`] is sealed: [`Static`] and [`Handle`] are its only implementations, and they have no
//! operations of their own.

pub use crate::backend::{Handle, Place, Static};
