//! Witnesses: a few rows for which two readings of a query differ, found by running both.
//!
//! A lint that says that a query does not mean what it seems to mean gives a [`Reading`]: the query as its author may read it. Small tables are drawn
//! from what is known of the columns, SQLite runs both queries on them, and the first rows on which the results differ are made as few and as simple as
//! possible. So a witness is never wrong. It is searched only for a finding that is reported.
//!
//! | file | content |
//! | --- | --- |
//! | `reading` | another reading of a query |
//! | `setting` | the tables of a query, and values that their columns can have |
//! | `collect` | these, from a query that has been visited |
//! | `draft` | rows of these tables |
//! | `search` | the search, and the removal of what does not matter |
//! | `wording` | the sentence |

pub mod collect;
mod draft;
mod reading;
mod search;
mod setting;
mod wording;

use std::sync::Arc;

use syntax::host::Sqlite;

pub use reading::{Change, Reading};
use setting::Setting;

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

    /// Gives it the tables of its query.
    fn set_setting(&mut self, setting: &Arc<Setting>) {
        self.setting = Arc::clone(setting);
    }

    /// Describes rows for which the readings differ.
    pub fn describe(&self, sqlite: &dyn Sqlite) -> Option<String> {
        let found = search::find_difference(&self.setting, &self.reading, sqlite)?;
        wording::describe(&self.setting, &self.reading, &found)
    }
}
