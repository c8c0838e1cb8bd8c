//! The names of scopes, each looked up once by puffin's id.

use std::collections::HashMap;
use std::sync::Arc;

use puffin::{ScopeCollection, ScopeDetails, ScopeId};

use super::tallies::{OVER_LIMIT, PlaceId, Tallies};
use crate::escape::bounded;

/// The number of a name.
pub(super) type NameId = u32;

/// The maximum number of scope ids. puffin assigns them from 1.
const MAX_IDS: usize = 1 << 16;

/// The entry of an id that has not been seen since puffin last reported names.
const UNSEEN: NameId = 0;

/// The name of scopes whose name puffin has not reported.
const UNKNOWN: NameId = 1;

/// All names in use.
pub(super) struct Names {
    /// The name of each id, up to the highest id seen.
    of_ids: Vec<NameId>,
    all: Vec<Name>,
    by_segment: HashMap<Box<str>, NameId>,
    /// The names that puffin has reported. Looked up once for each id.
    reported: ScopeCollection,
    has_unknown: bool,
}

struct Name {
    segment: Box<str>,
    place: PlaceId,
    /// The number of scopes of this name that are open on the thread being read.
    open: u32,
}

impl Default for Names {
    fn default() -> Self {
        // The entry of `UNSEEN` is never used.
        let all = ["", "unknown"]
            .map(|segment| Name {
                segment: segment.into(),
                place: OVER_LIMIT,
                open: 0,
            })
            .into();
        let (reported, by_segment) = (ScopeCollection::default(), HashMap::new());
        Self {
            of_ids: Vec::new(),
            all,
            by_segment,
            reported,
            has_unknown: false,
        }
    }
}

impl Names {
    /// Learns the names that puffin reports.
    pub(super) fn learn(&mut self, details: &[Arc<ScopeDetails>]) {
        for details in details.iter().filter(|details| has_id(details)) {
            if self.reported.scopes_by_id().len() < MAX_IDS {
                self.reported.insert(details.clone());
            }
        }
        if !details.is_empty() && self.has_unknown {
            self.of_ids
                .iter_mut()
                .filter(|name| **name == UNKNOWN)
                .for_each(|name| *name = UNSEEN);
            self.has_unknown = false;
        }
    }

    /// Returns whether scopes without a name were seen since puffin last reported names.
    pub(super) fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// Returns the name of a scope, or `None` if its id is out of range.
    pub(super) fn of(&mut self, id: u32, tallies: &mut Tallies) -> Option<NameId> {
        match self.of_ids.get(id as usize) {
            Some(&name) if name != UNSEEN => Some(name),
            _ => self.find(id, tallies),
        }
    }

    #[cold]
    fn find(&mut self, id: u32, tallies: &mut Tallies) -> Option<NameId> {
        let at = usize::try_from(id).ok().filter(|at| *at < MAX_IDS)?;
        if at >= self.of_ids.len() {
            self.of_ids.resize(at + 1, UNSEEN);
        }
        let id = ScopeId(id.try_into().ok()?);
        let name = match self.reported.fetch_by_id(&id).cloned() {
            Some(details) => self.name(&bounded(details.name()), &description(&details), tallies),
            None => self.unknown(tallies),
        };
        self.of_ids[at] = name;
        Some(name)
    }

    fn unknown(&mut self, tallies: &mut Tallies) -> NameId {
        self.has_unknown = true;
        if let Some(unknown) = self
            .all
            .get_mut(UNKNOWN as usize)
            .filter(|unknown| unknown.place == OVER_LIMIT)
        {
            unknown.place = tallies.add_place(
                "puffin/scopes/unknown",
                "scopes whose name puffin has not reported",
            );
        }
        UNKNOWN
    }

    fn name(&mut self, segment: &str, description: &str, tallies: &mut Tallies) -> NameId {
        if let Some(&name) = self.by_segment.get(segment) {
            return name;
        }
        let place = tallies.add_place(&format!("puffin/scopes/{segment}"), description);
        // Does not overflow: there are no more names than ids.
        let name = self.all.len() as NameId;
        self.all.push(Name {
            segment: segment.into(),
            place,
            open: 0,
        });
        self.by_segment.insert(segment.into(), name);
        name
    }

    /// Returns the segment of a path for a name.
    pub(super) fn segment(&self, name: NameId) -> &str {
        self.all.get(name as usize).map_or("", |name| &name.segment)
    }

    /// Records that a scope of this name begins.
    pub(super) fn open(&mut self, name: NameId) {
        if let Some(name) = self.all.get_mut(name as usize) {
            name.open += 1;
        }
    }

    /// Records that a scope of this name ends. Returns the place of the name, and whether the scope
    /// was outermost: not inside another of the same name.
    pub(super) fn close(&mut self, name: NameId) -> (PlaceId, bool) {
        let Some(name) = self.all.get_mut(name as usize) else {
            return (OVER_LIMIT, true);
        };
        name.open -= 1;
        (name.place, name.open == 0)
    }
}

/// Returns whether the details have an id. puffin's collection panics on details without one, and
/// the id itself is not public.
fn has_id(details: &ScopeDetails) -> bool {
    let mut bare = ScopeDetails::default();
    bare.scope_name.clone_from(&details.scope_name);
    bare.function_name.clone_from(&details.function_name);
    bare.file_path.clone_from(&details.file_path);
    bare.line_nr = details.line_nr;
    *details != bare
}

fn description(details: &ScopeDetails) -> String {
    match (details.scope_name.is_some(), details.location()) {
        (true, place) if !details.function_name.is_empty() => {
            format!("{}, {place}", details.function_name)
        }
        (_, place) => place,
    }
}
