//! The matchers: each holds a text, already cleaned and cut, against one accepted answer.

mod json;
mod list;
pub mod pattern;
mod rows;
mod scalar;

use plan::suite::Matcher;
use records::Reason;

use crate::Start;
use crate::finding::Finding;
use crate::key::Key;

/// Holds a text against an accepted answer. `database` is what a query of the reply runs on.
pub fn compare(text: &str, key: &Key<'_>, database: Option<&str>, start: &dyn Start) -> Finding {
    match key.matcher {
        Matcher::Text => scalar::equals(text, key),
        Matcher::Contains => scalar::contains(text, key),
        Matcher::Matches => pattern::matches(text, key),
        Matcher::Number => scalar::is_number(text, key),
        Matcher::Json => json::is_json(text, key),
        Matcher::List => list::is_list(text, key),
        Matcher::Rows => rows::are_rows(text, key),
        Matcher::Sql => rows::is_query(text, key, database, start),
        Matcher::Bytes | Matcher::Exists | Matcher::Absent | Matcher::Unchanged | Matcher::Database => {
            Finding::wrong(Reason::BadKey, format!("`{}` is for files", key.matcher.word()), "")
        }
    }
}
