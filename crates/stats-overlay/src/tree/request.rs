//! The requests of the tree's rows to other parts, and the payload of drags out of the tree.

/// A click on a row that changes more than the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TreeRequest {
    /// Pin a series to the HUD, or unpin it.
    Pin {
        /// The path of the series.
        path: String,
        /// Whether to pin it.
        on: bool,
    },
    /// Edit the budget of a series.
    EditBudget {
        /// The path of the series.
        path: String,
    },
    /// List what moved together with a series.
    FindTogether {
        /// The path of the series.
        path: String,
    },
    /// Add a series that is computed from others.
    AddFormula {
        /// The path of the series.
        path: String,
        /// What the user typed.
        formula: String,
    },
    /// Forget the formula of a series.
    RemoveFormula {
        /// The path of the series.
        path: String,
    },
    /// Show these series in a new pane.
    NewPane {
        /// Their paths, in the order of the tree.
        paths: Vec<String>,
    },
}

/// The payload of egui's drag and drop while a row of the tree is dragged: the series in that row
/// or below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dragged {
    pub(crate) paths: Vec<String>,
}
