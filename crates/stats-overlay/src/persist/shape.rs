//! The structure of a saved document, which finds and keeps the values that cannot be read.
//!
//! Before a document is read, [`Shape::set_aside`] moves such values into an object named `$kept`
//! beside them. Before it is written, [`Shape::put_back`] moves them back.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::input::saved_field::Kept;

/// The field that carries unreadable values through serde.
const SET_ASIDE: &str = "$kept";

/// The structure of a JSON object: its lists, and the objects in it.
pub(super) struct Shape {
    /// Returns whether all these fields can be read as they are.
    reads: fn(&Kept) -> bool,
    defaults: fn() -> Value,
    /// The lists with a maximum length.
    limits: &'static [(&'static str, usize)],
    /// The fields that are objects, or lists of objects.
    objects: &'static [(&'static str, Self)],
}

impl Shape {
    /// Returns the structure of a `T`, with the limits of its lists and the structures of its
    /// objects.
    pub(super) const fn of<T: Default + Serialize + DeserializeOwned>(
        limits: &'static [(&'static str, usize)],
        objects: &'static [(&'static str, Self)],
    ) -> Self {
        Self {
            reads: reads::<T>,
            defaults: || serde_json::to_value(T::default()).unwrap_or_default(),
            limits,
            objects,
        }
    }

    /// Moves everything that cannot be read out of the way: unknown names and values of other types
    /// into [`SET_ASIDE`], and items of a list into a second list whose name ends in `_kept`.
    pub(super) fn set_aside(&self, value: &mut Value) {
        let Value::Object(fields) = value else { return };
        let mut rests = Vec::new();
        for &(name, limit) in self.limits {
            if let Some(Value::Array(items)) = fields.get_mut(name) {
                let rest = items.split_off(limit.min(items.len()));
                rests.push((name.to_owned(), rest));
            }
        }
        self.each_object(fields, Self::set_aside);
        let mut aside: Kept = fields.remove_entry(SET_ASIDE).into_iter().collect();
        if !(self.reads)(fields) {
            let defaults = (self.defaults)();
            for (name, value) in std::mem::take(fields) {
                let reads = |value| (self.reads)(&Kept::from_iter([(name.clone(), value)]));
                let is_list = defaults.get(&name).is_some_and(Value::is_array);
                match value {
                    value if reads(value.clone()) => drop(fields.insert(name, value)),
                    Value::Array(items) if is_list => {
                        let (read, rest): (Vec<_>, _) = items
                            .into_iter()
                            .partition(|item| reads(Value::Array(vec![item.clone()])));
                        fields.insert(name.clone(), Value::Array(read));
                        rests.push((name, rest));
                    }
                    value if is_list => rests.push((name, vec![value])),
                    value => drop(aside.insert(name, value)),
                }
            }
        }
        for (name, rest) in rests.into_iter().filter(|(_, rest)| !rest.is_empty()) {
            keep_beside(fields, &name, rest);
        }
        if !aside.is_empty() {
            fields.insert(SET_ASIDE.to_owned(), Value::Object(aside));
        }
    }

    /// Moves the values that were set aside back to their fields, except fields that no longer have
    /// their default.
    pub(super) fn put_back(&self, value: &mut Value) {
        let Value::Object(fields) = value else { return };
        self.each_object(fields, Self::put_back);
        if let Some(Value::Object(aside)) = fields.remove(SET_ASIDE) {
            let defaults = (self.defaults)();
            for (name, kept) in aside {
                if fields.get(&name) == defaults.get(&name) {
                    fields.insert(name, kept);
                }
            }
        }
    }

    fn each_object(&self, fields: &mut Kept, each: fn(&Self, &mut Value)) {
        for (name, shape) in self.objects {
            match fields.get_mut(*name) {
                Some(Value::Array(items)) => items.iter_mut().for_each(|item| each(shape, item)),
                Some(object) => each(shape, object),
                None => {}
            }
        }
    }
}

/// Returns whether a `T` can be read from `fields` and knows all names in them.
fn reads<T: Serialize + DeserializeOwned>(fields: &Kept) -> bool {
    let Ok(read) = T::deserialize(fields) else {
        return false;
    };
    let mut texts = fields
        .iter()
        .filter(|(_, value)| value.is_string())
        .peekable();
    // An unknown name is read as the default, which is written as another name.
    texts.peek().is_none()
        || serde_json::to_value(read)
            .is_ok_and(|written| texts.all(|(name, value)| written.get(name) == Some(value)))
}

/// Appends items to the second list of a field, whose name ends in `_kept`.
fn keep_beside(fields: &mut Kept, name: &str, rest: Vec<Value>) {
    match fields
        .entry(format!("{name}_kept"))
        .or_insert_with(|| Value::Array(Vec::new()))
    {
        Value::Array(kept) => kept.extend(rest),
        kept => *kept = Value::Array([vec![kept.take()], rest].concat()),
    }
}

#[cfg(test)]
mod tests {
    use egui::Key;
    use serde_json::json;

    use super::*;
    use crate::data::selection::MAX_SELECTED;
    use crate::input::mode::PaneView;
    use crate::persist::saved::{MAX_PANES, SavedState};

    #[test]
    fn unknown_fields_and_names_are_written_back() {
        let text = json!({
            "version": 1, "new": { "a": [1, 2.5, null] },
            "settings": { "key": "F99", "new": 18446744073709551615_u64, "palette": "sepia" },
            "presets": [{ "name": "n", "new": 0.1, "panes": [{ "new": true, "view": "pie", "sort": { "new": 1 } }] }],
            "layout": { "panes": [{ "range": "fair", "value_scale": "square", "new": "x" }], "new": {} },
            "baselines": [{ "name": "A", "new": 1, "series": [{ "path": "a", "new": [2] }] }],
        });
        let saved: SavedState = text.to_string().parse().unwrap();
        assert_eq!(
            (saved.settings.key, saved.presets[0].panes[0].view),
            (Some(Key::F3), PaneView::Graph)
        );
        let written: Value = serde_json::from_str(&saved.to_string()).unwrap();
        for place in [
            "/new",
            "/settings/key",
            "/settings/new",
            "/settings/palette",
            "/presets/0/new",
            "/presets/0/panes/0/new",
            "/presets/0/panes/0/view",
            "/presets/0/panes/0/sort/new",
            "/layout/panes/0/range",
            "/layout/panes/0/value_scale",
            "/layout/panes/0/new",
            "/layout/new",
            "/baselines/0/new",
            "/baselines/0/series/0/new",
        ] {
            assert_eq!(written.pointer(place), text.pointer(place), "{place}");
        }
        let mut changed = saved;
        changed.settings.key = None;
        changed.presets[0].panes[0].view = PaneView::Table;
        let written: Value = serde_json::from_str(&changed.to_string()).unwrap();
        assert_eq!(written.pointer("/settings/key"), Some(&Value::Null));
        assert_eq!(
            written.pointer("/presets/0/panes/0/view"),
            Some(&json!("table"))
        );
    }

    #[test]
    fn the_unreadable_part_of_a_newer_version_is_kept() {
        let text = json!({
            "version": 7,
            "settings": { "opacity": { "sheet": 0.5 }, "scale": 2.0 },
            "favorites": "all",
            "layout": { "panes": [7, { "paths": ["a", null] }], "active": [0] },
        });
        let saved: SavedState = text.to_string().parse().unwrap();
        assert_eq!((saved.settings.opacity, saved.settings.scale), (0.96, 2.0));
        assert_eq!(saved.layout.panes[0].paths, ["a"]);
        let written: Value = serde_json::from_str(&saved.to_string()).unwrap();
        for place in [
            "/version",
            "/settings/opacity",
            "/settings/scale",
            "/layout/active",
        ] {
            assert_eq!(written.pointer(place), text.pointer(place), "{place}");
        }
        assert_eq!(written.pointer("/favorites_kept"), Some(&json!(["all"])));
        assert_eq!(written.pointer("/layout/panes_kept"), Some(&json!([7])));
        assert_eq!(
            written.pointer("/layout/panes/0/paths_kept"),
            Some(&json!([null]))
        );
        assert_eq!(saved.to_string().parse::<SavedState>().unwrap(), saved);
    }

    #[test]
    fn the_rest_of_a_long_list_is_kept() {
        let paths: Vec<String> = (0..MAX_SELECTED + 3)
            .map(|number| format!("many/{number}"))
            .collect();
        let panes: Vec<Value> = (0..MAX_PANES + 2)
            .map(|number| json!({ "paths": paths, "weight": number + 1 }))
            .collect();
        let saved: SavedState =
            json!({ "layout": { "panes": panes, "panes_kept": ["earlier"], "active": 99 } })
                .to_string()
                .parse()
                .unwrap();
        assert_eq!(
            (saved.layout.panes.len(), saved.layout.active),
            (MAX_PANES, MAX_PANES - 1)
        );
        assert_eq!(saved.layout.panes[3].paths, paths[..MAX_SELECTED]);
        let written: Value = serde_json::from_str(&saved.to_string()).unwrap();
        assert_eq!(
            written.pointer("/layout/panes_kept"),
            Some(&json!(["earlier", panes[MAX_PANES], panes[MAX_PANES + 1]]))
        );
        assert_eq!(
            written.pointer("/layout/panes/3/paths_kept"),
            Some(&json!(paths[MAX_SELECTED..]))
        );
        assert_eq!(saved.to_string().parse::<SavedState>().unwrap(), saved);
    }
}
