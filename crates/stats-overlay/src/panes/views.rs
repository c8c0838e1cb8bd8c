//! The views of a pane, and their choices as they are saved.

use crate::input::pane_view::PaneView;
use crate::persist::saved::SavedPane;
use crate::view::View;
use crate::views::views;

/// Defines [`Views`] from the list of views.
macro_rules! define {
    ($(
        $what:literal $Name:ident $folder:ident::$View:ident $(($Choices:ident))?
        $does:literal $($($Shift:literal)? $Key:ident $Toggle:ident)?;
    )*) => {
        /// The state of each view of a pane.
        #[derive(Default)]
        pub(crate) struct Views {
            $(pub(crate) $folder: crate::$folder::view::$View,)*
        }

        impl Views {
            /// Returns a view.
            pub(crate) fn get(&self, view: PaneView) -> &dyn View {
                match view {
                    $(PaneView::$Name => &self.$folder,)*
                }
            }

            /// Returns a view, which the caller may change.
            pub(crate) fn get_mut(&mut self, view: PaneView) -> &mut dyn View {
                match view {
                    $(PaneView::$Name => &mut self.$folder,)*
                }
            }

            /// Copies the choices of all views into `saved`.
            pub(super) fn save(&self, saved: &mut SavedPane) {
                $($(saved.$folder = crate::$folder::choices::$Choices::clone(&self.$folder.choices);)?)*
            }

            /// Restores the choices of all views.
            pub(super) fn restore(&mut self, saved: &SavedPane) {
                $($(self.$folder.choices = crate::$folder::choices::$Choices::clone(&saved.$folder);)?)*
            }
        }
    };
}

views!(define);

impl Views {
    /// Calls `change` with every view.
    pub(crate) fn each(&mut self, mut change: impl FnMut(&mut dyn View)) {
        for &view in PaneView::ALL {
            change(self.get_mut(view));
        }
    }
}
