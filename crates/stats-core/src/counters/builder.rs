//! The methods that describe a series, shared by all statics and handles.

/// Implements `unit`, `budget` and `describe` for one type: for its statics (`const`) and for its
/// handles.
macro_rules! metadata {
    ($type:ident: $($unit:ident)?) => {
        impl $type<$crate::backend::Static> {
            $(
                /// Sets the unit of the values. Default: [`Unit::Count`](crate::Unit::Count).
                #[must_use]
                pub const fn $unit(self, unit: $crate::Unit) -> Self {
                    Self { place: self.place.unit(unit) }
                }
            )?

            /// Sets the value above which a frame is over budget, in the series' unit. Must be
            /// finite; default: none.
            #[must_use]
            pub const fn budget(self, budget: f64) -> Self {
                Self { place: self.place.budget(budget) }
            }

            /// Sets a one-sentence description of the series, for readers of the listing.
            #[must_use]
            pub const fn describe(self, description: &'static str) -> Self {
                Self { place: self.place.describe(description) }
            }
        }

        impl $type<$crate::backend::Handle> {
            $(
                /// Sets the unit of the values. A unit that is already set is kept; see
                /// [`Problem`](crate::Problem).
                pub fn $unit(self, unit: $crate::Unit) -> Self {
                    Self { place: self.place.unit(unit) }
                }
            )?

            /// Sets the value above which a frame is over budget. A budget that is already set is
            /// kept.
            pub fn budget(self, budget: f64) -> Self {
                Self { place: self.place.budget(budget) }
            }

            /// Sets a one-sentence description of the series. A description that is already set is
            /// kept.
            pub fn describe(self, description: &str) -> Self {
                Self { place: self.place.describe(description) }
            }
        }

        impl<P: $crate::backend::Place> $type<P> {
            /// Returns the id by which to watch the series; registers it on first use.
            ///
            /// If the path belongs to another kind of series, or no slot was free, the id names no
            /// series and its history stays empty.
            #[must_use]
            pub fn id(&self) -> $crate::SeriesId {
                self.place.series_id()
            }
        }
    };
}

pub(crate) use metadata;
