//! The thread between the game and its viewers.
//!
//! [`hub`] is the thread. It accepts connections, whose first bytes [`head`] judges together with
//! [`hosts`], and serves each [`viewer`], within limits [`per_second`]. [`intake`] reads the records of
//! the game, and collects frames into blocks, which [`dispatch`] passes on. [`listing`] lists the
//! series.

mod dispatch;
mod head;
mod hosts;
pub(crate) mod hub;
mod intake;
mod listing;
mod per_second;
mod viewer;

pub(crate) use hosts::Rules;
pub(crate) use hub::Hub;
