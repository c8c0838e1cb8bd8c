//! The open scopes of timers, by thread.
//!
//! A scope knows how long it lasted. Its self time and the timer around it follow from the stack of
//! open scopes that each thread has.
//!
//! - [`stack`]: the stack, and its rules for scopes that do not end in the reverse of the order in
//!   which they began.
//! - [`origin`]: where a timer last ran, as a number in the timer's fourth cell.
//! - [`threads`]: the names of threads, by number.

mod origin;
mod stack;
mod threads;

pub(super) use origin::Origin;
pub(super) use stack::{
    Closed, Token, close, close_cold, depth_of, end_frame, is_stale, open, this_stack,
};
pub(super) use threads::{ThreadNumber, this_name, this_thread};
