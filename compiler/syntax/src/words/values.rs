//! Words of expressions, and words that join the parts of a statement.

use super::word::Class::{Duration, Filter, Infix, Link, Literal, Name, Prefix, Reading, Second};
use super::word::Word;

pub(super) const WORDS: &[Word] = &[
    Word::new(Link, "at", "").takes().reserved(),
    Word::new(Reading, "at \"${1:$.items}\"", "Which array of a JSON or YAML file is the table.").takes().reserved(),
    Word::new(Link, "from \"${1:fixture.csv}\"", "A fixture: the file is copied in, and read when checked.")
        .takes()
        .reserved(),
    Word::new(Link, "any_of", "").takes(),
    Word::new(Link, "as ${1:written \"#,##0\"}", "How the fields of the column are written."),
    Word::new(Link, "times ${1:1_000}", "What the number in a form is multiplied by.").takes(),
    Word::new(Link, "needed", "Only the files of the lake that the answer reads; `+ N` adds N others."),
    Word::new(Link, "hidden", "Files and folders whose names begin with `.` are in the lake, too."),
    Word::new(Second, "above", "").takes(),
    Word::new(Second, "others", ""),
    Word::new(Second, "line", ""),
    Word::new(Second, "only", ""),
    Word::new(Second, "lines", ""),
    Word::new(Second, "repeat", "").takes(),
    Word::new(Second, "by", "").takes(),
    Word::new(Second, "desc", "The greatest first."),
    Word::new(Prefix, "if ${1:condition} then ${2:a} else ${3:b}", "One of two values.").takes().reserved(),
    Word::new(Prefix, "not ", "The opposite.").takes().reserved(),
    Word::new(Literal, "true", "True.").reserved(),
    Word::new(Literal, "false", "False.").reserved(),
    Word::new(Literal, "null", "No value.").reserved(),
    Word::new(Name, "sandbox", "The root of the agent's sandbox."),
    Word::new(Infix, "and ", "Both hold.").takes().reserved(),
    Word::new(Infix, "or ", "One of the two holds, or both.").takes().reserved(),
    Word::new(Infix, "in ", "Is among the items of a list.").takes().reserved(),
    Word::new(Infix, "then ", "The value if the condition holds.").takes().reserved(),
    Word::new(Infix, "else ", "The value if it does not.").takes().reserved(),
    Word::new(Filter, "where ", "Only the rows that meet a condition.").takes().reserved(),
    Word::new(Duration, "second", ""),
    Word::new(Duration, "minute", ""),
    Word::new(Duration, "hour", ""),
    Word::new(Duration, "day", ""),
    Word::new(Duration, "week", ""),
    Word::new(Duration, "month", ""),
    Word::new(Duration, "year", ""),
];
