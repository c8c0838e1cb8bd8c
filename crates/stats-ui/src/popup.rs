//! Menus. The functions take trait objects, for the reason that [`tooltip`](crate::tooltip) has.

use egui::{Popup, Response, Ui};

/// Like `Ui::menu_button`. Returns the response of the button.
pub fn menu_button(ui: &mut Ui, name: &str, contents: &mut dyn FnMut(&mut Ui)) -> Response {
    ui.menu_button(name, contents).response
}

/// Like `Popup::show`.
pub fn show(popup: Popup<'_>, contents: &mut dyn FnMut(&mut Ui)) {
    popup.show(contents);
}
