//! Words of expressions, and words that join the parts of a statement.

use super::Class::{Duration, Filter, Infix, Link, Literal, Name, Prefix, Reading, Second};
use super::Word;
use model::suite::Op;

pub(super) const WORDS: &[Word] = &[
    Word::plain(Link, "at", "").takes().reserved(),
    Word::new(Reading, "at", "at \"${1:$.items}\"", "Which array of a JSON or YAML file is the table.")
        .takes()
        .reserved(),
    Word::new(Link, "from", "from \"${1:fixture.csv}\"", "A fixture: the file is copied in, and read when checked.")
        .takes()
        .reserved(),
    Word::plain(Link, "any_of", "").takes(),
    Word::new(Link, "as", "as ${1:written \"#,##0\"}", "How the fields of the column are written."),
    Word::new(Link, "needed", "needed", "Only the files of the lake that the answer reads; `+ N` adds N others."),
    Word::plain(Second, "above", "").takes(),
    Word::plain(Second, "line", ""),
    Word::plain(Second, "only", ""),
    Word::plain(Second, "lines", ""),
    Word::plain(Second, "repeat", "").takes(),
    Word::plain(Second, "by", "").takes(),
    Word::plain(Second, "desc", "The greatest first."),
    Word::new(Prefix, "if", "if ${1:condition} then ${2:a} else ${3:b}", "One of two values.").takes().reserved(),
    Word::new(Prefix, "not", "not ", "The opposite.").takes().reserved(),
    Word::plain(Literal, "true", "True.").reserved(),
    Word::plain(Literal, "false", "False.").reserved(),
    Word::plain(Literal, "null", "No value.").reserved(),
    Word::plain(Name, "sandbox", "The root of the agent's sandbox."),
    Word::new(Infix, Op::And.word(), "and ", "Both hold.").takes().reserved(),
    Word::new(Infix, Op::Or.word(), "or ", "One of the two holds, or both.").takes().reserved(),
    Word::new(Infix, Op::In.word(), "in ", "Is among the items of a list.").takes().reserved(),
    Word::new(Infix, "then", "then ", "The value if the condition holds.").takes().reserved(),
    Word::new(Infix, "else", "else ", "The value if it does not.").takes().reserved(),
    Word::new(Filter, "where", "where ", "Only the rows that meet a condition.").takes().reserved(),
    Word::plain(Duration, "second", ""),
    Word::plain(Duration, "minute", ""),
    Word::plain(Duration, "hour", ""),
    Word::plain(Duration, "day", ""),
    Word::plain(Duration, "week", ""),
    Word::plain(Duration, "month", ""),
    Word::plain(Duration, "year", ""),
];
