//! Witnesses: a few rows for which two readings of a query differ, found by running both.
//!
//! A lint that says that a query does not mean what it seems to mean gives a [`Reading`]: the query as its author may read it. Small tables are drawn
//! from what is known of the columns, SQLite runs both queries on them, and the first rows on which the results differ are made as few and as simple as
//! possible. So a witness is never wrong. It is searched only for a finding that is reported.
//!
//! | file | content |
//! | --- | --- |
//! | `setting` | the tables of a query, and values that their columns can have |
//! | `draft` | rows of these tables |
//! | `search` | the search, and the removal of what does not matter |
//! | `wording` | the sentence |

mod draft;
mod search;
mod setting;
mod wording;

use std::sync::Arc;

use syntax::host::Sqlite;

use crate::analyser::Analyser;
use crate::request::is_same_name;
use setting::Setting;

/// A change of a query's text: bytes, and what replaces them.
pub type Change = ((usize, usize), String);

/// Another reading of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The changes that make the query the one that runs; none if it runs as it is.
    one: Vec<Change>,
    /// The changes that make it the other one.
    other: Vec<Change>,
    /// What is different in the other query, for "with …"; `None` if SQLite may return either result.
    instead: Option<String>,
}

impl Reading {
    /// A reading that its author probably means.
    pub fn new(instead: impl Into<String>, other: impl IntoIterator<Item = Change>) -> Reading {
        Reading { one: Vec::new(), other: other.into_iter().collect(), instead: Some(instead.into()) }
    }

    /// One change, which is shown as it is.
    pub fn new_shown(bytes: (usize, usize), text: impl Into<String>) -> Reading {
        let text = text.into();
        Reading::new(format!("`{text}`"), [(bytes, text)])
    }

    /// Two orders of rows that tie: both results are possible.
    pub fn new_either(one: Change, other: Change) -> Reading {
        Reading { one: vec![one], other: vec![other], instead: None }
    }

    /// Whether a change has this name.
    fn names(&self, name: &str) -> bool {
        let is_word_end = |c: char| !c.is_alphanumeric() && c != '_';
        let has_name = |text: &String| text.split(is_word_end).any(|word| is_same_name(word, name));
        self.one.iter().chain(&self.other).any(|(_, text)| has_name(text))
    }
}

/// A reading of a query, and the tables on which it is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    reading: Reading,
    setting: Arc<Setting>,
}

impl Witness {
    /// The witness of a reading, of which the tables are not known yet.
    pub fn new(reading: Reading) -> Witness {
        Witness { reading, setting: Arc::default() }
    }

    /// Describes rows for which the readings differ.
    pub fn describe(&self, sqlite: &dyn Sqlite) -> Option<String> {
        let found = search::find_difference(&self.setting, &self.reading, sqlite)?;
        wording::describe(&self.setting, &self.reading, &found)
    }
}

/// Gives witnesses the tables of the query, which has been visited.
pub fn set_tables(analyser: &Analyser<'_>, witnesses: Vec<&mut Witness>) {
    if witnesses.is_empty() {
        return;
    }
    let setting = Arc::new(Setting::from_query(analyser).unwrap_or_default());
    for witness in witnesses {
        witness.setting = Arc::clone(&setting);
    }
}
