//! Menus. The functions take trait objects, for the reason that [`tooltip`](crate::tooltip) has.

use egui::containers::menu::MenuButton;
use egui::{ComboBox, Popup, PopupKind, Response, Ui};

/// Like `Ui::menu_button`: in a menu, a menu beside it.
pub fn submenu(ui: &mut Ui, name: &str, contents: &mut dyn FnMut(&mut Ui)) {
    ui.menu_button(name, contents);
}

/// Like `MenuButton::ui`.
pub fn menu(ui: &mut Ui, button: MenuButton<'_>, contents: &mut dyn FnMut(&mut Ui)) {
    button.ui(ui, contents);
}

/// Like `ComboBox::show_ui`. Returns the response of the button.
pub fn combo_box(ui: &mut Ui, list: ComboBox, contents: &mut dyn FnMut(&mut Ui)) -> Response {
    list.show_ui(ui, contents).response
}

/// Like `Popup::show`.
pub fn show(popup: Popup<'_>, contents: &mut dyn FnMut(&mut Ui)) {
    popup.show(contents);
}

/// Shows a menu while one is open that a click with the secondary button opened. It is above the panel
/// of the overlay, which is kept on top of the layers that contain menus.
pub fn context_menu(response: &Response, contents: &mut dyn FnMut(&mut Ui)) {
    let id = Popup::default_response_id(response);
    if response.secondary_clicked() || Popup::is_id_open(&response.ctx, id) {
        let menu = Popup::context_menu(response).kind(PopupKind::Tooltip);
        show(menu, contents);
    }
}
