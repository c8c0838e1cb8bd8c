//! From the id of a scope to its name, once.

use std::collections::HashMap;
use std::sync::Arc;

use puffin::{ScopeCollection, ScopeDetails, ScopeId};

use crate::escape::segment;
use crate::tallies::{OVER_LIMIT, PlaceId, Tallies};

/// The number of a name.
pub(crate) type NameId = u32;

/// The most ids of scopes that are told apart. puffin hands them out from 1.
const MAX_IDS: usize = 1 << 16;

/// Of an id that has not been seen since names were last told.
const UNSEEN: NameId = 0;

/// The name of scopes of which puffin has not told it.
const UNKNOWN: NameId = 1;

/// All names in use.
pub(crate) struct Names {
    /// By id, as far as seen.
    of_ids: Vec<NameId>,
    all: Vec<Name>,
    by_segment: HashMap<Box<str>, NameId>,
    /// What puffin told. Cold: asked once for each id.
    told: ScopeCollection,
    has_unknown: bool,
}

struct Name {
    segment: Box<str>,
    place: PlaceId,
    /// How often it is open, on the thread being read.
    open: u32,
}

impl Default for Names {
    fn default() -> Self {
        // What stands for `UNSEEN` is never used.
        let all = ["", "unknown"]
            .map(|segment| Name {
                segment: segment.into(),
                place: OVER_LIMIT,
                open: 0,
            })
            .into();
        let (told, by_segment) = (ScopeCollection::default(), HashMap::new());
        Self {
            of_ids: Vec::new(),
            all,
            by_segment,
            told,
            has_unknown: false,
        }
    }
}

impl Names {
    /// Takes up what puffin tells of scopes.
    pub(crate) fn learn(&mut self, details: &[Arc<ScopeDetails>]) {
        for details in details.iter().filter(|details| has_id(details)) {
            if self.told.scopes_by_id().len() < MAX_IDS {
                self.told.insert(details.clone());
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

    /// Whether there were scopes without a name since names were last told.
    pub(crate) fn has_unknown(&self) -> bool {
        self.has_unknown
    }

    /// The name of a scope; `None` where it found no place.
    pub(crate) fn of(&mut self, id: u32, tallies: &mut Tallies) -> Option<NameId> {
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
        let name = match self.told.fetch_by_id(&id).cloned() {
            Some(details) => self.name(&segment(details.name()), &description(&details), tallies),
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
            unknown.place = tallies.make(
                "puffin/scopes/unknown",
                "Scopes of which puffin has not told the name",
            );
        }
        UNKNOWN
    }

    fn name(&mut self, segment: &str, description: &str, tallies: &mut Tallies) -> NameId {
        if let Some(&name) = self.by_segment.get(segment) {
            return name;
        }
        let place = tallies.make(&format!("puffin/scopes/{segment}"), description);
        // Not more than there are ids.
        let name = self.all.len() as NameId;
        self.all.push(Name {
            segment: segment.into(),
            place,
            open: 0,
        });
        self.by_segment.insert(segment.into(), name);
        name
    }

    /// How a name stands in a path.
    pub(crate) fn segment(&self, name: NameId) -> &str {
        self.all.get(name as usize).map_or("", |name| &name.segment)
    }

    /// A scope of this name begins.
    pub(crate) fn open(&mut self, name: NameId) {
        if let Some(name) = self.all.get_mut(name as usize) {
            name.open += 1;
        }
    }

    /// A scope of this name ends: the place of the name, and whether it ran inside no other of its
    /// name.
    pub(crate) fn close(&mut self, name: NameId) -> (PlaceId, bool) {
        let Some(name) = self.all.get_mut(name as usize) else {
            return (OVER_LIMIT, true);
        };
        name.open -= 1;
        (name.place, name.open == 0)
    }
}

/// Whether it is of a scope that puffin knows: the collection panics at one that has no id, which
/// itself is not public.
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
