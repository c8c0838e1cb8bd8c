//! The metadata methods that every static and every handle has.

/// Writes `unit`, `budget` and `describe` for one type, for its statics (`const`) and for its
/// handles.
macro_rules! metadata {
    ($type:ident: $($unit:ident)?) => {
        impl $type<$crate::backend::Static> {
            $(
                /// Says what one unit of a value means. Default:
                /// [`Unit::Count`](crate::Unit::Count).
                #[must_use]
                pub const fn $unit(self, unit: $crate::Unit) -> Self {
                    Self { place: self.place.unit(unit) }
                }
            )?

            /// Says above which value a frame is over budget, in the series' unit. Finite; default:
            /// none.
            #[must_use]
            pub const fn budget(self, budget: f64) -> Self {
                Self { place: self.place.budget(budget) }
            }

            /// Says in a sentence what is counted, for whoever reads the listing.
            #[must_use]
            pub const fn describe(self, description: &'static str) -> Self {
                Self { place: self.place.describe(description) }
            }
        }

        impl $type<$crate::backend::Handle> {
            $(
                /// Says what one unit of a value means. What is known already stands; see
                /// [`Problem`](crate::Problem).
                pub fn $unit(self, unit: $crate::Unit) -> Self {
                    Self { place: self.place.unit(unit) }
                }
            )?

            /// Says above which value a frame is over budget. What is known already stands.
            pub fn budget(self, budget: f64) -> Self {
                Self { place: self.place.budget(budget) }
            }

            /// Says in a sentence what is counted. What is known already stands.
            pub fn describe(self, description: &str) -> Self {
                Self { place: self.place.describe(description) }
            }
        }

        impl<P: $crate::backend::Place> $type<P> {
            /// The id to watch the series by; registers it if this is its first use.
            ///
            /// Of a counter that clashed with another kind, or found no slot, it names no series:
            /// windows stay empty.
            #[must_use]
            pub fn id(&self) -> $crate::SeriesId {
                self.place.series_id()
            }
        }
    };
}

pub(crate) use metadata;
