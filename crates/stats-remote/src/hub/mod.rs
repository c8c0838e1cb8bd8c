//! The thread between the game and its viewers.
//!
//! [`hub`] is the thread. It accepts connections, whose first bytes [`http`](crate::http) judges, and
//! serves each [`viewer`], within limits [`per_second`]. [`intake`] reads the records of the game, and
//! collects frames into blocks, which [`dispatch`] passes on: [`encoded`] once for all viewers, with or
//! without [`rounding`]. [`listing`] lists the series, [`distributions`] reads histograms,
//! [`lanes`] has those of scopes, and [`game_clock`] tells the time of the game.

mod dispatch;
mod distributions;
mod encoded;
mod game_clock;
pub(crate) mod hub;
mod intake;
mod lanes;
mod listing;
mod per_second;
mod rounding;
mod viewer;

pub(crate) use hub::Hub;
