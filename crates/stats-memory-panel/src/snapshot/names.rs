//! Interned texts: each distinct text is stored once and identified by a number.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Texts with consecutive numbers from 0, stored as one string.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    /// The end of each text.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    state: RandomState,
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the text of a number; empty if the number is unknown.
    pub(crate) fn get(&self, number: u32) -> &str {
        text_of(&self.text, &self.ends, number)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.numbers
            .find(self.state.hash_one(name), |&number| {
                self.get(number) == name
            })
            .copied()
    }

    /// Returns the number of a text; a new number if the text is new.
    pub(super) fn intern(&mut self, name: &str) -> u32 {
        let Self {
            text,
            ends,
            numbers,
            state,
        } = self;
        let hash = state.hash_one(name);
        if let Some(&number) = numbers.find(hash, |&number| text_of(text, ends, number) == name) {
            return number;
        }
        // Four billion distinct texts do not fit into memory.
        let number = ends.len() as u32;
        text.push_str(name);
        ends.push(text.len());
        numbers.insert_unique(hash, number, |&number| {
            state.hash_one(text_of(text, ends, number))
        });
        number
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|number| self.get(number))
    }
}

fn text_of<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
    let at = number as usize;
    let start = if at == 0 {
        0
    } else {
        ends.get(at - 1).copied().unwrap_or(0)
    };
    ends.get(at)
        .and_then(|&end| text.get(start..end))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_number_and_a_number_has_one_text() {
        let mut names = Names::default();
        for round in 0..2 {
            for number in 0..5000_u32 {
                let name = if number == 7 {
                    String::new()
                } else {
                    format!("n{number}\0")
                };
                assert_eq!(names.intern(&name), number, "in round {round}");
                assert_eq!(names.find(&name), Some(number));
                assert_eq!(names.get(number), name);
            }
        }
        assert_eq!(
            (names.len(), names.find("n"), names.get(5000)),
            (5000, None, "")
        );
    }
}
