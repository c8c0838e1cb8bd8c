// The C interface of stats-core. Written by cbindgen; do not edit.
//
// All functions may be called from any thread. Those that can fail return a StatsStatus. A series is
// a number that stays valid until the process ends. Paths and other strings are NUL-terminated UTF-8,
// and are copied.

#ifndef STATS_H
#define STATS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The version of [`StatsApi`]. It stays the same if fields are added at the end. It changes if the
// meaning of a field changes, or if a function returns a new status.
#define STATS_API_VERSION 1

// The maximum number of scopes of memory that can be open on a thread.
#define STATS_MAX_MEMORY_SCOPES 255

// The maximum number of scopes that can be open on a thread.
#define STATS_MAX_SCOPES 256

// The result of a call. A call that returns an error has no effect.
typedef enum StatsStatus {
  // The call succeeded.
  STATS_STATUS_OK = 0,
  // A pointer is null.
  STATS_STATUS_NULL_POINTER = 1,
  // A string is not UTF-8.
  STATS_STATUS_INVALID_UTF8 = 2,
  // The number names no series.
  STATS_STATUS_UNKNOWN_SERIES = 3,
  // The series is of a kind that does not support the operation.
  STATS_STATUS_WRONG_KIND = 4,
  // A value is not finite, too large to be added to a total, or not a member of its enumeration.
  STATS_STATUS_INVALID_VALUE = 5,
  // A limit is reached: of series, histograms, groups, open scopes, waiting marks or units.
  STATS_STATUS_LIMIT_REACHED = 6,
  // No scope of this timer, or of memory, is open on this thread.
  STATS_STATUS_NO_SCOPE = 7,
  // The value is not known yet: end another frame.
  STATS_STATUS_NO_VALUE = 8,
  // A file cannot be written.
  STATS_STATUS_NOT_WRITTEN = 9,
  // The bytes do not fit into the budget of the group.
  STATS_STATUS_OVER_BUDGET = 10,
} StatsStatus;

// What happens to a mark in the current frame.
typedef enum StatsMarkEvent {
  // Something happened in this frame.
  STATS_MARK_EVENT_POINT = 0,
  // A span begins with this frame.
  STATS_MARK_EVENT_BEGIN = 1,
  // The open span of that name ends with this frame.
  STATS_MARK_EVENT_END = 2,
} StatsMarkEvent;

// The number of a series. 0 names none.
typedef uint32_t StatsSeries;

// The functions of a host, for its plugins. Each field is the function `stats_` plus its name.
typedef struct StatsApi {
  // [`API_VERSION`] of the host.
  uint32_t version;
  // The size of the host's table in bytes. A field beyond it does not exist.
  uint32_t size;
  // `stats_counter`
  enum StatsStatus (*counter)(const char *path, StatsSeries *series);
  // `stats_up_down_counter`
  enum StatsStatus (*up_down_counter)(const char *path, StatsSeries *series);
  // `stats_gauge`
  enum StatsStatus (*gauge)(const char *path, StatsSeries *series);
  // `stats_timer`
  enum StatsStatus (*timer)(const char *path, StatsSeries *series);
  // `stats_histogram`
  enum StatsStatus (*histogram)(const char *path, StatsSeries *series);
  // `stats_set_unit`
  enum StatsStatus (*set_unit)(StatsSeries series, const char *symbol);
  // `stats_describe`
  enum StatsStatus (*describe)(StatsSeries series, const char *description);
  // `stats_set_budget`
  enum StatsStatus (*set_budget)(StatsSeries series, double budget);
  // `stats_add`
  enum StatsStatus (*add)(StatsSeries series, double n);
  // `stats_set`
  enum StatsStatus (*set)(StatsSeries series, double value);
  // `stats_record`
  enum StatsStatus (*record)(StatsSeries series, double value);
  // `stats_scope_begin`
  enum StatsStatus (*scope_begin)(StatsSeries timer);
  // `stats_scope_end`
  enum StatsStatus (*scope_end)(StatsSeries timer);
  // `stats_mark`
  enum StatsStatus (*mark)(const char *name, uint32_t event);
} StatsApi;

// The number of a group of memory. 0 names none.
typedef uint32_t StatsGroup;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Registers or finds a counter: the sum of the numbers added in a frame.
//
// # Safety
//
// `path` must be null or a NUL-terminated string. `series` must be null or writable.
enum StatsStatus stats_counter(const char *path, StatsSeries *series);

// Registers or finds a level, which goes up and down and persists across frames.
//
// # Safety
//
// `path` must be null or a NUL-terminated string. `series` must be null or writable.
enum StatsStatus stats_up_down_counter(const char *path, StatsSeries *series);

// Registers or finds a gauge: the last value that was set.
//
// # Safety
//
// `path` must be null or a NUL-terminated string. `series` must be null or writable.
enum StatsStatus stats_gauge(const char *path, StatsSeries *series);

// Registers or finds a timer: the milliseconds and calls of a frame.
//
// # Safety
//
// `path` must be null or a NUL-terminated string. `series` must be null or writable.
enum StatsStatus stats_timer(const char *path, StatsSeries *series);

// Registers or finds a histogram: the distribution of samples.
//
// # Safety
//
// `path` must be null or a NUL-terminated string. `series` must be null or writable.
enum StatsStatus stats_histogram(const char *path, StatsSeries *series);

// Sets the unit by its symbol: `B`, `ms`, `%`, or any other. Timers refuse it, because they are in
// milliseconds. A unit that is already set is kept.
//
// # Safety
//
// The string must be null or NUL-terminated.
enum StatsStatus stats_set_unit(StatsSeries series, const char *symbol);

// Sets a one-sentence description. A description that is already set is kept.
//
// # Safety
//
// The string must be null or NUL-terminated.
enum StatsStatus stats_describe(StatsSeries series, const char *description);

// Sets the value above which a frame is over budget. A budget that is already set is kept.
enum StatsStatus stats_set_budget(StatsSeries series, double budget);

// Adds to a counter, a level or a gauge. A magnitude of 2⁵³ or more is an invalid value: the
// difference of unsigned integers is that large if it wraps around, and would hide all later
// values.
enum StatsStatus stats_add(StatsSeries series, double n);

// Sets a gauge.
enum StatsStatus stats_set(StatsSeries series, double value);

// Adds a sample to a histogram, or a call of `value` milliseconds to a timer. A magnitude of 2⁵³
// or more is an invalid value, as in `stats_add`.
enum StatsStatus stats_record(StatsSeries series, double value);

// Begins a scope of a timer on this thread. Scopes may be nested.
enum StatsStatus stats_scope_begin(StatsSeries timer);

// Ends the newest scope of a timer on this thread.
enum StatsStatus stats_scope_end(StatsSeries timer);

// Marks the current frame. `event` is a `StatsMarkEvent`: a point, or the start or end of a span.
//
// # Safety
//
// The string must be null or NUL-terminated.
enum StatsStatus stats_mark(const char *name, uint32_t event);

// Ends a frame of the program's recorder. For programs without a recorder in Rust; a plugin has
// that of its host. With the feature `allocator`, it publishes the series of memory before:
// `memory/groups/lua/total` is an up-down counter.
enum StatsStatus stats_end_frame(void);

// Reads the value of a series in the newest frame that `stats_end_frame` ended. The first call for
// a series returns `STATS_STATUS_NO_VALUE` until another frame ends, except for levels and gauges.
// A series that is not read for 120 frames is forgotten, and the next call then counts as the
// first.
//
// # Safety
//
// `value` must be null or writable.
enum StatsStatus stats_value(StatsSeries series, double *value);

// Returns the meaning of a `StatsStatus`, and what to do, in English. Never null. Valid forever;
// do not free it.
const char *stats_status_text(uint32_t status);

// Returns the functions of this library as a table, for plugins. Never null.
const struct StatsApi *stats_api(void);

// Allocates `bytes` bytes with the allocator of the program, in the scope of memory that the thread
// is in: aligned to 16 bytes, with 16 bytes more in front. Returns null if there is no memory.
void *stats_allocate(size_t bytes);

// Changes the size of a block to `bytes` bytes, and returns it at its new place. It stays in its
// scope of memory. Allocates if `block` is null. Returns null if there is no memory; the block is
// unchanged then.
//
// # Safety
//
// `block` must be null or a block of `stats_allocate` or of this function that is not freed.
void *stats_reallocate(void *block, size_t bytes);

// Frees a block. Null has no effect.
//
// # Safety
//
// `block` must be null or a block of `stats_allocate` or `stats_reallocate` that is not freed.
void stats_free(void *block);

// Registers or finds a group of memory. `budget_bytes` is its budget, or 0 for none; the first
// budget of a group applies. A group of the same name in Rust is the same group.
//
// # Safety
//
// `name` must be null or a NUL-terminated string. `group` must be null or writable.
enum StatsStatus stats_group(const char *name, uint64_t budget_bytes, StatsGroup *group);

// Checks that `bytes` more bytes fit into the budget of a group: for a library that can do without
// the memory, or that a limit should bind, such as a script engine. Returns
// `STATS_STATUS_OVER_BUDGET` if they do not fit. Any number fits without a budget.
enum StatsStatus stats_group_check(StatsGroup group, size_t bytes);

// Begins a scope of memory on this thread: what it allocates counts toward the group, the scope and
// the name. `group` is 0 to stay in the current group; `scope` and `name` are null for none. Scopes
// may be nested.
//
// Takes about 30 ns for a scope and as much for a name, and copies each the first time.
//
// # Safety
//
// `scope` and `name` must be null or NUL-terminated strings.
enum StatsStatus stats_memory_begin(StatsGroup group, const char *scope, const char *name);

// Ends the newest scope of memory on this thread.
enum StatsStatus stats_memory_end(void);

// Writes all live blocks to a file, with their sizes, groups, scopes and names, for `stats view`.
// The allocator of the program must be a tracking allocator, in a C program that of the feature
// `allocator`.
//
// # Safety
//
// `file` must be null or a NUL-terminated string.
enum StatsStatus stats_save_dump(const char *file);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* STATS_H */
