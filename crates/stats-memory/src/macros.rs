//! The macros [`scope!`](crate::scope!) and [`alloc_name!`](crate::alloc_name!).

/// Enters a scope: this thread's allocations belong to it until the returned guard is dropped.
///
/// ```
/// use stats_memory::{Group, scope};
///
/// static RENDERING: Group = Group::new("rendering");
///
/// fn load() {
///     let _scope = scope!("Level/Load", group: RENDERING);
///     let _meshes = scope!("meshes"); // within it, and in its group
/// }
/// # load();
/// ```
///
/// The name is any `&'static str` constant, or a [`Timer`](stats_core::Timer) in a `static`. A
/// timer measures the scope as well, and the scope has its path as name, so one line says who takes
/// the time and who owns the memory:
///
/// ```
/// use stats_core::Timer;
/// use stats_memory::scope;
///
/// static PATHS: Timer = Timer::new("ai/pathfinding");
///
/// fn find_paths() {
///     let _scope = scope!(PATHS);
/// }
/// # find_paths();
/// ```
///
/// The group is a `static`. Without one, the scope stays in the group of the scope around it. Use
/// [`Tag::scope`](crate::Tag::scope()) for a name that is built at run time.
///
/// Entering and leaving take 3 to 4 ns together if the scope was last entered from the same
/// surrounding scope, and 15 to 25 ns otherwise. Without the feature `enabled`, both compile to
/// nothing. A timer adds the cost of [`Timer::scope`](stats_core::Timer::scope).
///
/// Guards may be dropped in any order, and one variable can hold one scope after another. Of the
/// open scopes, a thread is in the one that it entered last. `phase = scope!("next")` enters the
/// next scope inside the one that it replaces. Do not keep a scope across `.await`; enter it again
/// afterward. See [`Scope`](crate::Scope).
#[macro_export]
macro_rules! scope {
    ($name:expr) => {{
        static SITE: $crate::Site = $crate::Site::scope(&$name, ::core::option::Option::None);
        $crate::Enter::enter(&$name, &SITE)
    }};
    ($name:expr, group: $group:path) => {{
        static SITE: $crate::Site =
            $crate::Site::scope(&$name, ::core::option::Option::Some(&$group));
        $crate::Enter::enter(&$name, &SITE)
    }};
}

/// Names this thread's allocations until the returned guard is dropped. They stay in the current
/// scope.
///
/// ```
/// let _name = stats_memory::alloc_name!("height map");
/// let heights = vec![0.0_f32; 4096];
/// ```
///
/// Names do not nest: a name inside a name replaces it, and a scope inside a name is a child of the
/// surrounding scope. Costs the same as [`scope!`](crate::scope!).
#[macro_export]
macro_rules! alloc_name {
    ($name:expr) => {{
        static SITE: $crate::Site = $crate::Site::name(&$name);
        SITE.enter()
    }};
}
