//! What screen readers (and tests) know of things that are painted rather than made of widgets.

use egui::accesskit::{Node, Rect as NodeRect, Role, Toggled};
use egui::{Context, Id, Rect};

/// Names something that only shows: `label` says what it is, `value` what it says.
pub fn describe(ctx: &Context, id: Id, rect: Rect, label: impl FnOnce() -> (String, String)) {
    ctx.accesskit_node_builder(id, |node| {
        let (label, value) = label();
        // Not a label: of that the value would be the name.
        node.set_role(Role::Status);
        place(node, rect);
        node.set_label(label);
        node.set_value(value);
    });
}

/// Names a check box that is painted; `None` is neither selected nor deselected.
pub fn describe_checkbox(
    ctx: &Context,
    id: Id,
    selected: Option<bool>,
    label: impl FnOnce() -> (String, String),
) {
    ctx.accesskit_node_builder(id, |node| {
        let (label, value) = label();
        node.set_role(Role::CheckBox);
        node.set_label(label);
        node.set_value(value);
        node.set_toggled(match selected {
            Some(true) => Toggled::True,
            Some(false) => Toggled::False,
            None => Toggled::Mixed,
        });
    });
}

/// Names a button that is painted.
pub fn describe_button(ctx: &Context, id: Id, label: impl FnOnce() -> String) {
    ctx.accesskit_node_builder(id, |node| {
        node.set_role(Role::Button);
        node.set_label(label());
    });
}

/// Names a button that is on or off.
pub fn describe_toggle(ctx: &Context, id: Id, on: bool, label: impl FnOnce() -> String) {
    ctx.accesskit_node_builder(id, |node| {
        node.set_label(label());
        node.set_toggled(if on { Toggled::True } else { Toggled::False });
    });
}

/// Names the head of a column that can be clicked; `value` says whether the rows are sorted by it.
pub fn describe_head(ctx: &Context, id: Id, label: impl FnOnce() -> (String, String)) {
    ctx.accesskit_node_builder(id, |node| {
        let (label, value) = label();
        node.set_role(Role::ColumnHeader);
        node.set_label(label);
        node.set_value(value);
    });
}

/// Names a row of a tree: how many it is below, and whether it is open; `None` where nothing is
/// below it.
pub fn describe_row(
    ctx: &Context,
    id: Id,
    (depth, open): (u32, Option<bool>),
    label: impl FnOnce() -> (String, String),
) {
    ctx.accesskit_node_builder(id, |node| {
        let (label, value) = label();
        node.set_role(Role::TreeItem);
        node.set_level(depth as usize + 1);
        if let Some(open) = open {
            node.set_expanded(open);
        }
        node.set_label(label);
        node.set_value(value);
    });
}

/// Names a field for text, which has no label of its own.
pub fn name_field(ctx: &Context, id: Id, label: &str) {
    ctx.accesskit_node_builder(id, |node| node.set_label(label));
}

fn place(node: &mut Node, rect: Rect) {
    node.set_bounds(NodeRect {
        x0: rect.min.x.into(),
        y0: rect.min.y.into(),
        x1: rect.max.x.into(),
        y1: rect.max.y.into(),
    });
}
