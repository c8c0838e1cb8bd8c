//! The views of a pane by name.

use egui::Key;

use crate::input::action::Action;
use crate::input::saved_field::Named;
use crate::views::views;

/// Defines [`PaneView`] from the list of views.
macro_rules! define {
    ($(
        $what:literal $Name:ident $folder:ident::$View:ident $(($Choices:ident))?
        $does:literal $($($Shift:literal)? $Key:ident $Toggle:ident)?;
    )*) => {
        /// How a pane shows its series. The default is [`Graph`](Self::Graph).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum PaneView {
            $(#[doc = concat!($what, ".")] $Name,)*
        }

        impl PaneView {
            /// All views, in the order of the bar above a pane.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Returns the name on the bar above a pane.
            pub(crate) const fn label(self) -> &'static str {
                match self {
                    $(Self::$Name => stringify!($Name),)*
                }
            }

            /// Returns the sentence that explains the view, with its key.
            pub(crate) const fn help(self) -> &'static str {
                match self {
                    $(Self::$Name => concat!($what $(, " (", $($Shift,)? stringify!($Key), ")")?),)*
                }
            }

            /// Returns a description of the action that shows the view.
            pub(super) const fn describe(self) -> &'static str {
                match self {
                    $(Self::$Name => $does,)*
                }
            }

            /// Returns the name of the action that shows the view.
            pub(super) const fn toggle_name(self) -> &'static str {
                match self {
                    $(Self::$Name => concat!("Toggle", stringify!($Name)),)*
                }
            }

            /// Returns whether the key that shows the view is pressed with Shift.
            pub(super) const fn has_shift(self) -> bool {
                match self {
                    $(Self::$Name => !concat!($($($Shift)?)?).is_empty(),)*
                }
            }

            /// Returns the key that shows the view.
            pub(super) const fn key(self) -> Option<Key> {
                match self {
                    $(Self::$Name => [$(Key::$Key)?].first().copied(),)*
                }
            }
        }

        impl Named for PaneView {
            const NAMES: &'static [(&'static str, Self)] =
                &[$((stringify!($folder), Self::$Name)),*];
        }

        #[expect(non_upper_case_globals, reason = "they are used like the variants")]
        impl Action {
            $($(
                #[doc = concat!("[`ToggleView`](Self::ToggleView) for [`PaneView::", stringify!($Name), "`].")]
                pub const $Toggle: Self = Self::ToggleView(PaneView::$Name);
            )?)*
        }
    };
}

views!(define);

impl Default for PaneView {
    fn default() -> Self {
        Self::Graph
    }
}
