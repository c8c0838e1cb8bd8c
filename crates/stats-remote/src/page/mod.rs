//! The page that shows a game in a browser, handed out by `stats view --serve`.
//!
//! [`files`] has the page, [`server`] accepts connections and answers each on a thread of its own, and
//! [`relay`] connects a page with the game. So the page has one origin, and the game answers no page.

mod files;
mod relay;
mod server;
#[cfg(all(test, feature = "enabled"))]
mod tests;

pub use files::Page;
pub use server::{DEFAULT_PAGE_PORT, PageServer};
