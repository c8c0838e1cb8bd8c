//! Interned stacks of scopes: each stack is a scope on top of a parent stack.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::names::Names;

/// The empty stack.
pub(crate) const NO_SCOPES: u32 = 0;

/// The maximum number of scopes of a stack. Deeper scopes count as the last one.
pub(crate) const MAX_SCOPES: u16 = 256;

/// A scope and the stack below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stack {
    pub(crate) parent: u32,
    /// The scope's name.
    pub(crate) name: u32,
    pub(crate) depth: u16,
    /// Whether deeper scopes were cut off and count as this one.
    pub(crate) is_cut: bool,
}

/// Stacks with consecutive numbers from 0. A parent has a lower number than its children.
#[derive(Clone, Debug)]
pub(crate) struct Stacks {
    stacks: Vec<Stack>,
    numbers: HashTable<u32>,
    state: RandomState,
}

impl Default for Stacks {
    fn default() -> Self {
        Self {
            stacks: vec![Stack::default()],
            numbers: HashTable::new(),
            state: RandomState::default(),
        }
    }
}

impl Stacks {
    pub(crate) fn len(&self) -> usize {
        self.stacks.len()
    }

    pub(crate) fn get(&self, number: u32) -> Stack {
        self.stacks
            .get(number as usize)
            .copied()
            .unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Stack> {
        self.stacks.iter().copied()
    }

    pub(crate) fn find(&self, parent: u32, name: u32) -> Option<u32> {
        self.numbers
            .find(self.state.hash_one((parent, name)), |&number| {
                is(self.get(number), parent, name)
            })
            .copied()
    }

    /// Returns the stack with another scope on top; the same stack if it already has
    /// [`MAX_SCOPES`].
    pub(super) fn enter(&mut self, parent: u32, name: u32) -> u32 {
        let Self {
            stacks,
            numbers,
            state,
        } = self;
        let depth = stacks[parent as usize].depth + 1;
        if depth > MAX_SCOPES {
            stacks[parent as usize].is_cut = true;
            return parent;
        }
        let hash = state.hash_one((parent, name));
        if let Some(&number) =
            numbers.find(hash, |&number| is(stacks[number as usize], parent, name))
        {
            return number;
        }
        // Four billion distinct stacks do not fit into memory.
        let number = stacks.len() as u32;
        stacks.push(Stack {
            parent,
            name,
            depth,
            is_cut: false,
        });
        numbers.insert_unique(hash, number, |&number| {
            let Stack { parent, name, .. } = stacks[number as usize];
            state.hash_one((parent, name))
        });
        number
    }

    /// Returns whether a dump writes a stack as `written`. Its names must not contain `|` or `\`.
    fn is_written(&self, names: &Names, mut number: u32, written: &str) -> bool {
        let mut rest = written;
        while number != NO_SCOPES {
            let Stack { parent, name, .. } = self.get(number);
            let Some(before) = rest.strip_suffix(names.get(name)) else {
                return false;
            };
            if parent == NO_SCOPES {
                return before.is_empty();
            }
            let Some(before) = before.strip_suffix('|') else {
                return false;
            };
            (number, rest) = (parent, before);
        }
        rest.is_empty()
    }
}

fn is(stack: Stack, parent: u32, name: u32) -> bool {
    (stack.parent, stack.name) == (parent, name)
}

/// Finds stacks by their text in a dump, so that most lines need not be split into scopes.
#[derive(Debug, Default)]
pub(super) struct WrittenStacks {
    /// The numbers of stacks by the hash of their text, except for text with a `\` and for stacks
    /// that are too deep.
    numbers: HashTable<(u64, u32)>,
    state: RandomState,
    /// A buffer for the name of a scope without escapes.
    scope: String,
}

impl WrittenStacks {
    /// Returns the number of a stack as a dump writes it: scopes separated by `|`, outermost first,
    /// with a `\` before each `|` and `\` within a name.
    pub(super) fn enter(&mut self, written: &str, names: &mut Names, stacks: &mut Stacks) -> u32 {
        if written.is_empty() {
            return NO_SCOPES;
        }
        if memchr::memchr(b'\\', written.as_bytes()).is_some() {
            return self.enter_escaped(written, names, stacks);
        }
        let hash = self.state.hash_one(written);
        let is_it = |&(other, number): &(u64, u32)| {
            other == hash && stacks.is_written(names, number, written)
        };
        if let Some(&(_, number)) = self.numbers.find(hash, is_it) {
            return number;
        }
        let number = written.split('|').fold(NO_SCOPES, |parent, scope| {
            stacks.enter(parent, names.intern(scope))
        });
        if stacks.is_written(names, number, written) {
            self.numbers
                .insert_unique(hash, (hash, number), |&(hash, _)| hash);
        }
        number
    }

    /// Returns the number of a stack whose text contains a `\`. A `\` before any other character
    /// than `|` and `\` is literal.
    fn enter_escaped(&mut self, written: &str, names: &mut Names, stacks: &mut Stacks) -> u32 {
        let mut number = NO_SCOPES;
        self.scope.clear();
        let mut letters = written.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '|' => {
                    number = stacks.enter(number, names.intern(&self.scope));
                    self.scope.clear();
                }
                '\\' => self.scope.push(
                    letters
                        .next_if(|next| matches!(next, '|' | '\\'))
                        .unwrap_or('\\'),
                ),
                _ => self.scope.push(letter),
            }
        }
        stacks.enter(number, names.intern(&self.scope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the scopes of a stack, outermost first.
    fn scopes(names: &Names, stacks: &Stacks, mut number: u32) -> Vec<String> {
        let mut scopes = Vec::new();
        while number != NO_SCOPES {
            let stack = stacks.get(number);
            scopes.insert(0, names.get(stack.name).to_owned());
            number = stack.parent;
        }
        scopes
    }

    #[test]
    fn stacks_are_split_at_unescaped_bars() {
        let (mut names, mut stacks, mut written) = (
            Names::default(),
            Stacks::default(),
            WrittenStacks::default(),
        );
        let cases: [(&str, &[&str]); 9] = [
            ("", &[]),
            ("a", &["a"]),
            ("a|b", &["a", "b"]),
            (r"a\|b", &["a|b"]),
            (r"a\\|b", &[r"a\", "b"]),
            (r"C:\dir|b", &[r"C:\dir", "b"]),
            (r"a\", &[r"a\"]),
            ("a||b", &["a", "", "b"]),
            ("|", &["", ""]),
        ];
        for _ in 0..2 {
            for (text, expected) in cases {
                let number = written.enter(text, &mut names, &mut stacks);
                assert_eq!(scopes(&names, &stacks, number), expected, "{text}");
            }
        }
        assert_eq!(stacks.len(), 12, "{stacks:?}");
    }

    #[test]
    fn scopes_that_are_too_deep_count_as_the_last_scope() {
        let (mut names, mut stacks, mut written) = (
            Names::default(),
            Stacks::default(),
            WrittenStacks::default(),
        );
        let deep = vec!["s"; 10_000].join("|");
        let number = written.enter(&deep, &mut names, &mut stacks);
        assert_eq!(
            scopes(&names, &stacks, number).len(),
            usize::from(MAX_SCOPES)
        );
        let is_cut = |number| stacks.get(number).is_cut;
        assert!(is_cut(number) && (NO_SCOPES..number).all(|number| !is_cut(number)));
        for depth in [255, 256, 257] {
            let same = written.enter(&deep[..2 * depth - 1], &mut names, &mut stacks) == number;
            assert_eq!(same, depth >= 256, "{depth}");
        }
        assert_eq!(stacks.len(), usize::from(MAX_SCOPES) + 1);
    }
}
