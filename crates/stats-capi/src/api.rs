//! The table of functions that a host hands to its plugins.

use std::ffi::c_char;

use crate::functions::*;
use crate::{StatsSeries, StatsStatus};

/// The version of [`StatsApi`]. It stays the same if fields are added at the end. It changes if the
/// meaning of a field changes, or if a function returns a new status.
pub const API_VERSION: u32 = 1;

/// The functions of a host, for its plugins. Each field is the function `stats_` plus its name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StatsApi {
    /// [`API_VERSION`] of the host.
    pub version: u32,
    /// The size of the host's table in bytes. A field beyond it does not exist.
    pub size: u32,
    /// `stats_counter`
    pub counter: unsafe extern "C" fn(path: *const c_char, series: *mut StatsSeries) -> StatsStatus,
    /// `stats_up_down_counter`
    pub up_down_counter:
        unsafe extern "C" fn(path: *const c_char, series: *mut StatsSeries) -> StatsStatus,
    /// `stats_gauge`
    pub gauge: unsafe extern "C" fn(path: *const c_char, series: *mut StatsSeries) -> StatsStatus,
    /// `stats_timer`
    pub timer: unsafe extern "C" fn(path: *const c_char, series: *mut StatsSeries) -> StatsStatus,
    /// `stats_histogram`
    pub histogram:
        unsafe extern "C" fn(path: *const c_char, series: *mut StatsSeries) -> StatsStatus,
    /// `stats_set_unit`
    pub set_unit: unsafe extern "C" fn(series: StatsSeries, symbol: *const c_char) -> StatsStatus,
    /// `stats_describe`
    pub describe:
        unsafe extern "C" fn(series: StatsSeries, description: *const c_char) -> StatsStatus,
    /// `stats_set_budget`
    pub set_budget: extern "C" fn(series: StatsSeries, budget: f64) -> StatsStatus,
    /// `stats_add`
    pub add: extern "C" fn(series: StatsSeries, n: f64) -> StatsStatus,
    /// `stats_set`
    pub set: extern "C" fn(series: StatsSeries, value: f64) -> StatsStatus,
    /// `stats_record`
    pub record: extern "C" fn(series: StatsSeries, value: f64) -> StatsStatus,
    /// `stats_scope_begin`
    pub scope_begin: extern "C" fn(timer: StatsSeries) -> StatsStatus,
    /// `stats_scope_end`
    pub scope_end: extern "C" fn(timer: StatsSeries) -> StatsStatus,
    /// `stats_mark`
    pub mark: unsafe extern "C" fn(name: *const c_char, event: u32) -> StatsStatus,
}

/// The functions of this library.
pub(crate) static API: StatsApi = StatsApi {
    version: API_VERSION,
    size: size_of::<StatsApi>() as u32,
    counter: stats_counter,
    up_down_counter: stats_up_down_counter,
    gauge: stats_gauge,
    timer: stats_timer,
    histogram: stats_histogram,
    set_unit: stats_set_unit,
    describe: stats_describe,
    set_budget: stats_set_budget,
    add: stats_add,
    set: stats_set,
    record: stats_record,
    scope_begin: stats_scope_begin,
    scope_end: stats_scope_end,
    mark: stats_mark,
};
