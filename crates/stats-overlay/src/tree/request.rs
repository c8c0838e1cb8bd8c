//! What the tree asks others to do, and what is dragged out of it.

/// Something that a row was told to do and that the tree cannot do by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeRequest {
    /// Show a series in the HUD, or not any more.
    Pin {
        /// The path of the series.
        path: String,
        /// Whether it is to be shown.
        on: bool,
    },
    /// Show these series in a pane of their own.
    NewPane {
        /// Their paths, in the order of the tree.
        paths: Vec<String>,
    },
}

/// The payload of egui's drag and drop while rows of the tree are dragged: the series at or below
/// the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dragged {
    pub(crate) paths: Vec<String>,
}
