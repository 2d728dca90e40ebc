//! The matchers: each holds a text, already cleaned and cut, against one accepted answer.

mod json;
mod list;
pub mod pattern;
pub mod query;
mod rows;
mod scalar;

use model::suite::Matcher;
use records::Reason;

use crate::Start;
use crate::finding::Finding;
use crate::got::Got;
use crate::key::{Key, shown};
use crate::read::clean;

/// Holds a value of JSON against an accepted answer: a text as it is read, any other value as its JSON says it, where texts are compared.
pub fn compare_value(got: Got, key: &Key<'_>, database: Option<&str>, start: &dyn Start) -> Finding {
    match key.matcher {
        Matcher::Json => json::is_value(&got, key),
        Matcher::List => list::is_array(got, key),
        Matcher::Rows => rows::are_items(got, key),
        _ => {
            let text = match got {
                Got::Text(text) => text,
                other => other.shown(),
            };
            match clean::plain(&text) {
                text if text.is_empty() => Finding::wrong(Reason::Empty, shown(key.value, &key.options("")), "nothing"),
                text => compare(&text, key, database, start),
            }
        }
    }
}

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
