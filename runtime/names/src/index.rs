//! An index of groups of words.

use std::collections::HashMap;

/// Finds the groups of a table that contain a word, without a search through the table.
pub struct Index {
    groups: HashMap<&'static str, Vec<usize>>,
    /// The first word of each group.
    firsts: Vec<&'static str>,
}

impl Index {
    /// Indexes a text in which each line is a group of words.
    pub fn from_lines(lines: &'static str) -> Index {
        let mut index = Index { groups: HashMap::new(), firsts: Vec::new() };
        for (number, line) in lines.lines().enumerate() {
            index.firsts.push(line.split(' ').next().unwrap_or(""));
            line.split(' ').for_each(|word| index.groups.entry(word).or_default().push(number));
        }
        index
    }

    /// Returns the groups that contain a word.
    pub fn find_groups(&self, word: &str) -> &[usize] {
        self.groups.get(word).map_or(&[], Vec::as_slice)
    }

    /// Returns the first word of a group.
    pub fn first_word(&self, group: usize) -> Option<&'static str> {
        self.firsts.get(group).copied()
    }

    /// Checks whether any group contains the word.
    pub fn has_word(&self, word: &str) -> bool {
        self.groups.contains_key(word)
    }

    /// Checks whether one group contains both words.
    pub fn has_both(&self, a: &str, b: &str) -> bool {
        let others = self.find_groups(b);
        self.find_groups(a).iter().any(|group| others.contains(group))
    }
}
