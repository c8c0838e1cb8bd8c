//! The list of the views of a pane.

/// Calls the macro `$make` with all views, in the order of the bar above a pane.
///
/// An entry has, in this order:
///
/// - the sentence that explains the view;
/// - its name, on the bar and in code;
/// - the folder of its code, which is also its name in saved files;
/// - the type of its state, in the file `view.rs` of that folder;
/// - the type of its saved choices, if it has any, in `choices.rs`;
/// - the words for its action in the help, the key, perhaps with `"Shift+"`, and the name of that action.
///
/// Everything else that depends on the kind of a view follows from this list. Only the parts of the
/// overlay that name one view name it elsewhere, such as the key that explains a frame in the
/// hitches.
macro_rules! views {
    ($make:ident) => {
        $make! {
            "Lines over the frames"
            Graph graph::GraphView(GraphChoices) "graph";
            "A row of numbers for each frame"
            Table table::TableView(TableChoices) "graph or table" T ToggleTable;
            "Bars: how often each value occurred"
            Distribution distribution::DistributionView(DistributionChoices)
                "distribution or graph" D ToggleDistribution;
            "The frame time or a timer in figures: percentiles, slowest frame, frames over 60 ms"
            Statistics statistics::StatisticsView(StatisticsChoices)
                "frame statistics" M ToggleStatistics;
            "The frames that were longer than usual, and what made them long"
            Hitches hitches::HitchesView "hitches and their causes" U ToggleHitches;
            "The calls of the timers in a frame: when, on which thread, inside which others"
            Timeline timeline::TimelineView "timeline of a frame" Z ToggleTimeline;
            "What each timer costs: calls, time in itself, longest call"
            Costs costs::CostsView(CostsChoices) "what costs most" "Shift+" Z ToggleCosts;
        }
    };
}

pub(crate) use views;
