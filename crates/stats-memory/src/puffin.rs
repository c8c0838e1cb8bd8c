//! The crate `puffin`, with macros that also enter memory scopes.
//!
//! Import this module instead of the crate. Everything else is re-exported unchanged:
//!
//! ```
//! use stats_memory::puffin;
//!
//! fn load(mesh: &str) {
//!     puffin::profile_function!();
//!     puffin::profile_scope!("mesh", mesh);
//!     let vertices = vec![0_u8; 4096]; // in the scopes `load|mesh|crate`
//! #   drop(vertices);
//! }
//! # load("crate");
//! ```
//!
//! A scope of puffin that has data is two memory scopes: its name, and inside it the data. Each
//! distinct string takes a [tag](crate::MAX_TAGS). The memory scopes are entered whether or not
//! puffin's scopes are on. They take 3 to 4 ns, and 15 to 25 ns more with data.
//!
//! `profile_scope!` and `profile_function!` are memory scopes. The other macros of puffin, and
//! scopes in crates that import puffin itself, are not: puffin reports a scope only after its end.
//! For the scopes of egui, wgpu and other users of `profiling`, turn on its feature
//! `profile-with-tracing` and use [`MemoryLayer`](crate::MemoryLayer).

use std::sync::OnceLock;

use crate::ScopeName;
use crate::backend;

pub use crate::{__puffin_function as profile_function, __puffin_scope as profile_scope};
#[doc(hidden)]
pub use ::puffin as original;
pub use ::puffin::*;

/// The name of a function, set before its site is entered.
impl ScopeName for OnceLock<String> {
    fn name(&'static self) -> &'static str {
        self.get().map_or("", String::as_str)
    }
}

/// Enters the memory scope of a site, and the one of the data inside it.
#[doc(hidden)]
#[inline]
pub fn enter(site: &backend::Site, data: &(impl AsRef<str> + ?Sized)) -> backend::Scope {
    match data.as_ref() {
        "" => site.enter(),
        data => site.tag().scope(data).enter(),
    }
}

/// Works like puffin's macro, and also enters a memory scope with the same name.
#[doc(hidden)]
#[macro_export]
macro_rules! __puffin_scope {
    ($name:expr) => {
        $crate::puffin::profile_scope!($name, "");
    };
    ($name:expr, $data:expr) => {
        let data = &$data;
        let _memory = {
            static SITE: $crate::Site = $crate::Site::scope(&$name, ::core::option::Option::None);
            $crate::puffin::enter(&SITE, data)
        };
        $crate::puffin::original::profile_scope!($name, data);
    };
}

/// Works like puffin's macro, and also enters a memory scope with puffin's function name.
#[doc(hidden)]
#[macro_export]
macro_rules! __puffin_function {
    () => {
        $crate::puffin::profile_function!("");
    };
    ($data:expr) => {
        let data = &$data;
        let _memory = {
            static NAME: ::std::sync::OnceLock<::std::string::String> =
                ::std::sync::OnceLock::new();
            static SITE: $crate::Site = $crate::Site::scope(&NAME, ::core::option::Option::None);
            NAME.get_or_init(|| {
                $crate::puffin::clean_function_name($crate::puffin::current_function_name!())
            });
            $crate::puffin::enter(&SITE, data)
        };
        $crate::puffin::original::profile_function!(data);
    };
}
