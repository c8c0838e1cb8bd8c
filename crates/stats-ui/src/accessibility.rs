//! Accessibility of painted shapes: describes shapes that are not egui widgets to screen readers
//! and tests.
//!
//! Each function fills in the node that belongs to `id`. Texts are closures, because they are built
//! only while a screen reader or a test asks for them.

use egui::accesskit::{Node, Rect as NodeRect, Role, Toggled};
use egui::{Context, Id, Rect};

/// Returns whether a screen reader or a test asks for descriptions. If not, a view need not compute
/// the ids of its parts.
pub fn is_on(ctx: &Context) -> bool {
    ctx.accesskit_node_builder(egui::accesskit_root_id(), |_| ())
        .is_some()
}

/// Describes something that only shows a value: `label` returns its name and its value.
pub fn describe(ctx: &Context, id: Id, rect: Rect, label: impl FnOnce() -> (String, String)) {
    if is_on(ctx) {
        // Not a label: its value would become its name.
        describe_as(ctx, id, Role::Status, label(), Detail::Place(rect));
    }
}

/// Describes a painted check box. `None` means partly selected. `label` returns its name and its
/// value.
pub fn describe_checkbox(
    ctx: &Context,
    id: Id,
    selected: Option<bool>,
    label: impl FnOnce() -> (String, String),
) {
    if is_on(ctx) {
        describe_as(ctx, id, Role::CheckBox, label(), Detail::Selected(selected));
    }
}

/// Describes a painted button.
pub fn describe_button(ctx: &Context, id: Id, label: impl FnOnce() -> String) {
    if is_on(ctx) {
        set_label(ctx, id, label(), Detail::Button);
    }
}

/// Describes a button that is on or off.
pub fn describe_toggle(ctx: &Context, id: Id, on: bool, label: impl FnOnce() -> String) {
    if is_on(ctx) {
        set_label(ctx, id, label(), Detail::Selected(Some(on)));
    }
}

/// Describes the heading of a column that can be clicked. `label` returns its name, and the
/// direction if the rows are sorted by it.
pub fn describe_head(ctx: &Context, id: Id, label: impl FnOnce() -> (String, String)) {
    if is_on(ctx) {
        describe_as(ctx, id, Role::ColumnHeader, label(), Detail::None);
    }
}

/// Describes a row of a tree by its depth (the number of its ancestors), whether it is open (`None`
/// if it has no children), its name and its value.
pub fn describe_row(
    ctx: &Context,
    id: Id,
    (depth, open): (u32, Option<bool>),
    label: impl FnOnce() -> (String, String),
) {
    if is_on(ctx) {
        describe_as(ctx, id, Role::TreeItem, label(), Detail::Row(depth, open));
    }
}

/// Adds an explanation to a node.
pub fn explain(ctx: &Context, id: Id, text: &str) {
    ctx.accesskit_node_builder(id, |node| node.set_description(text));
}

/// Names a text field, which has no label of its own.
pub fn name_field(ctx: &Context, id: Id, label: &str) {
    ctx.accesskit_node_builder(id, |node| node.set_label(label));
}

/// What a node has beside its texts.
enum Detail {
    None,
    Button,
    Place(Rect),
    /// Whether it is on; `None` means partly.
    Selected(Option<bool>),
    /// The depth of a row, and whether it is open.
    Row(u32, Option<bool>),
}

impl Detail {
    fn set(self, node: &mut Node) {
        match self {
            Self::None => {}
            Self::Button => node.set_role(Role::Button),
            Self::Place(rect) => node.set_bounds(NodeRect {
                x0: rect.min.x.into(),
                y0: rect.min.y.into(),
                x1: rect.max.x.into(),
                y1: rect.max.y.into(),
            }),
            Self::Selected(selected) => node.set_toggled(match selected {
                Some(true) => Toggled::True,
                Some(false) => Toggled::False,
                None => Toggled::Mixed,
            }),
            Self::Row(depth, open) => {
                node.set_level(depth as usize + 1);
                if let Some(open) = open {
                    node.set_expanded(open);
                }
            }
        }
    }
}

// Not generic: the functions above are compiled for each text.

fn set_label(ctx: &Context, id: Id, label: String, detail: Detail) {
    ctx.accesskit_node_builder(id, |node| {
        node.set_label(label);
        detail.set(node);
    });
}

fn describe_as(ctx: &Context, id: Id, role: Role, texts: (String, String), detail: Detail) {
    ctx.accesskit_node_builder(id, |node| {
        let (label, value) = texts;
        node.set_role(role);
        node.set_label(label);
        node.set_value(value);
        detail.set(node);
    });
}
