//! Scopes and names in one line.

/// Begins a scope: until what it returns is dropped, this thread's allocations count to it.
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
/// The name is any `&'static str` constant, the group a `static`; without one the group of the
/// scope around it stays. A name that is made at run time goes by
/// [`Tag::scope`](crate::Tag::scope()). Entering and leaving take about 2 ns where the scope was
/// entered from the same scope the last time, 20 ns otherwise; nothing without the feature
/// `enabled`.
///
/// Scopes may end in any order, and a variable may be given one after the other: the thread is in
/// the last entered of those that it holds. `phase = scope!("next")` begins the next one within the
/// one that it replaces. Behind an `.await`, enter anew. See [`Scope`](crate::Scope).
#[macro_export]
macro_rules! scope {
    ($name:expr) => {{
        static SITE: $crate::Site = $crate::Site::scope($name, ::core::option::Option::None);
        SITE.enter()
    }};
    ($name:expr, group: $group:path) => {{
        static SITE: $crate::Site =
            $crate::Site::scope($name, ::core::option::Option::Some(&$group));
        SITE.enter()
    }};
}

/// Names this thread's allocations, until what it returns is dropped, within the scope that it is
/// in.
///
/// ```
/// let _name = stats_memory::alloc_name!("height map");
/// let heights = vec![0.0_f32; 4096];
/// ```
///
/// Names do not nest: a name within a name replaces it, and a scope within a name is a scope of the
/// one around. Takes what [`scope!`](crate::scope!) takes.
#[macro_export]
macro_rules! alloc_name {
    ($name:expr) => {{
        static SITE: $crate::Site = $crate::Site::name($name);
        SITE.enter()
    }};
}
