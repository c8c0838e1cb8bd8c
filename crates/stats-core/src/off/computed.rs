//! Series that are computed from others: nobody reads them.

use std::sync::Arc;

use crate::SeriesId;
use crate::computed::Computation;

pub(crate) fn add_computed(_: &str, _: &str, _: Arc<dyn Computation>) -> Option<SeriesId> {
    None
}
