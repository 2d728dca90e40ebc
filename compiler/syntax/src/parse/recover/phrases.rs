//! Rules of the grammar in the author's terms.

use crate::parse::grammar::Rule;
use crate::words::{self, Class, Word};
use std::fmt;

/// `a, b or c`
pub(super) fn join_phrases(phrases: &[String], last: &str) -> String {
    match phrases {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// The phrase for a rule in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phrase {
    /// A fixed phrase, such as `a value`.
    Said(&'static str),
    /// A word of the language.
    Word(&'static str),
    /// One of the words of a class, and the text after it.
    OneOf(Class, &'static str),
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Phrase::Said(phrase) => f.write_str(phrase),
            Phrase::Word(word) => write!(f, "`{word}`"),
            Phrase::OneOf(class, after) => {
                let words: Vec<String> = words::list_names(*class).iter().map(|word| format!("`{word}`")).collect();
                write!(f, "{}{after}", join_phrases(&words, "or"))
            }
        }
    }
}

/// The naming of a rule in messages.
enum Called {
    By(Phrase),
    /// The rule is not mentioned in messages.
    Nothing,
    /// It is named by the word that the rule is called after.
    ByWord,
}

fn one_of(class: Class, after: &'static str) -> Called {
    Called::By(Phrase::OneOf(class, after))
}

/// The word that a rule is called after: `at` for `k_at`, `axis` for `axis`.
fn find_word(rule: Rule) -> Option<&'static Word> {
    let name = format!("{rule:?}");
    words::iter_uses(name.strip_prefix("k_").unwrap_or(&name)).next()
}

/// The phrase for a rule; `None` if the rule is not mentioned in messages.
pub(super) fn find_phrase(rule: Rule) -> Option<Phrase> {
    match classify_rule(rule) {
        Called::By(phrase) => Some(phrase),
        Called::Nothing => None,
        Called::ByWord => {
            let word = find_word(rule)?;
            let keyword = format!("{rule:?}").starts_with("k_");
            match word.class {
                Class::Library
                | Class::Planned
                | Class::PlannedOption
                | Class::Writing
                | Class::Reading
                | Class::Style => None,
                _ if keyword => Some(Phrase::Word(word.label)),
                _ => Some(Phrase::Said("a statement")),
            }
        }
    }
}

/// Whether a rule is a value, a domain, or a text, which is reported as *missing* at the end of a line.
pub(super) fn is_value(rule: Rule) -> bool {
    find_phrase(rule) == Some(Phrase::Said("a domain"))
        || matches!(
            rule,
            Rule::expr
                | Rule::arith
                | Rule::lone
                | Rule::domain
                | Rule::string
                | Rule::answer
                | Rule::list
                | Rule::number
                | Rule::percent
                | Rule::count
        )
        || matches!(rule, Rule::prefix | Rule::placeholder | Rule::arg | Rule::field | Rule::path | Rule::named)
}

/// The naming of a rule that is not called after a word.
fn classify_rule(rule: Rule) -> Called {
    let phrase = match rule {
        Rule::expr
        | Rule::arith
        | Rule::lone
        | Rule::operand
        | Rule::arg
        | Rule::answer
        | Rule::prefix
        | Rule::minus
        | Rule::branch => "a value",
        Rule::placeholder | Rule::held => "a value",
        Rule::atom
        | Rule::chain
        | Rule::literal
        | Rule::constant_word
        | Rule::glued
        | Rule::paren
        | Rule::call
        | Rule::callee
        | Rule::object => "a value",
        Rule::quoted_wrongly => return Called::Nothing,
        Rule::number | Rule::range => "a number",
        Rule::percent => "a percentage",
        Rule::duration | Rule::unit => "a duration",
        Rule::date | Rule::datetime | Rule::glued_date => "a date",
        Rule::string | Rule::triple | Rule::single | Rule::triple_text | Rule::single_text | Rule::escape => {
            "a text in quotes"
        }
        Rule::list => "a list in `[ ]`",
        Rule::args => "arguments in `( )`",
        Rule::path => "a name",
        Rule::name
        | Rule::any_name
        | Rule::quoted_name
        | Rule::quoted_text
        | Rule::any_ident
        | Rule::decl
        | Rule::head_key => "a name",
        Rule::field | Rule::field_key => "a key",
        Rule::field_hole => "`:`",
        Rule::form | Rule::form_of => "a value",
        Rule::raw_arg | Rule::raw_last | Rule::raw | Rule::raw_sql | Rule::raw_path | Rule::sql_start => {
            "SQL, JSONPath or XPath"
        }
        Rule::only_item | Rule::only_setting | Rule::only_stmt | Rule::only_table | Rule::only_column => {
            return Called::Nothing;
        }
        Rule::only_view | Rule::only_unpivot => return Called::Nothing,
        Rule::only_rows | Rule::only_line | Rule::only_constraint | Rule::sql_write => return Called::Nothing,
        Rule::sql_comment | Rule::sql_piece | Rule::sql_unit | Rule::sql_inner => return Called::Nothing,
        Rule::path_piece | Rule::path_unit | Rule::path_inner | Rule::quoted => return Called::Nothing,

        Rule::domain | Rule::domain_core | Rule::named | Rule::domain_name => "a domain",
        Rule::object_domain | Rule::array | Rule::one_of_lines | Rule::one_of | Rule::weighted | Rule::pattern => {
            "a domain"
        }
        Rule::template | Rule::ref_ | Rule::lorem | Rule::modifier => "a domain",
        Rule::weight_of => "a value with its weight (`\"a\": 3`)",
        Rule::lorem_unit => return one_of(Class::Unit, ""),
        Rule::suffix => return one_of(Class::Suffix, ""),
        Rule::keyword_arg | Rule::keyword => return one_of(Class::Argument, ""),
        Rule::count => "a number of rows",

        Rule::row_key => "`key`",
        Rule::row_by => "`by`",
        Rule::expect => "`expect`",
        Rule::on_reply | Rule::on_file | Rule::on_files | Rule::on_tree => return one_of(Class::Subject, ""),
        Rule::label => return Called::Nothing,
        Rule::slice | Rule::last_line | Rule::fenced => "a part of the reply (`last line`, `after`, `fenced`, `at`)",
        Rule::match_ | Rule::matched | Rule::matcher | Rule::matcher_word | Rule::matcher_hole => {
            "a matcher (`text`, `number`, `json`, …)"
        }
        Rule::sql_match | Rule::k_sql => "a matcher (`text`, `number`, `json`, …)",
        Rule::state => return one_of(Class::State, ""),
        Rule::file_name => "the name of a file",
        Rule::any_of => "`any_of`",
        Rule::option | Rule::within | Rule::rounded | Rule::graded | Rule::unit_is => {
            "an option (`within`, `rounded`, `ordered`, …)"
        }
        Rule::weight | Rule::ignore | Rule::trap | Rule::flag | Rule::flag_word => {
            "an option (`within`, `rounded`, `ordered`, …)"
        }

        Rule::infix | Rule::arith_infix | Rule::and_or | Rule::comparison | Rule::membership | Rule::arith_op => {
            "an operator"
        }
        Rule::wrong_op
        | Rule::double_and
        | Rule::double_or
        | Rule::triple_eq
        | Rule::not_eq
        | Rule::single_eq
        | Rule::mod_op
        | Rule::bang => {
            return Called::Nothing;
        }

        Rule::body => "`{` and its columns",
        Rule::file_at => return Called::Nothing,
        Rule::delimiter | Rule::encoding | Rule::above | Rule::below | Rule::header | Rule::skip | Rule::until => {
            return Called::Nothing;
        }
        Rule::valued | Rule::bare | Rule::sheet | Rule::missing | Rule::at_path => return Called::Nothing,
        Rule::quoted_all | Rule::crlf | Rule::utf8_mark => return Called::Nothing,
        Rule::from_disk => "`from`",
        Rule::place | Rule::styles => return Called::Nothing,
        Rule::style => return one_of(Class::Style, ""),
        Rule::share | Rule::share_of => "a percentage",
        Rule::unpivot => "`unpivot`",
        Rule::unpivoted => "a column with its headers",
        Rule::header_span => "headers",
        Rule::from_rel => "`from`",
        Rule::repeated | Rule::ordered_by => return Called::Nothing,
        Rule::on_rel | Rule::rel_open => return Called::Nothing,
        Rule::on_disk | Rule::data_open | Rule::table_open | Rule::view_open => return Called::Nothing,
        Rule::lake | Rule::lake_head => "a lake",
        Rule::view | Rule::view_head | Rule::query_view => "a view",
        Rule::lake_use => "a statement",
        Rule::needed => "`needed`",
        Rule::tables => "`{` and its tables",
        Rule::root => "the root element's name",
        Rule::entry | Rule::column | Rule::key => "a column",
        Rule::attribute => "`@`",
        Rule::rows => "`rows`",
        Rule::line => "`line`",
        Rule::constraint | Rule::constraint_word => return one_of(Class::Constraint, " with columns"),
        Rule::together | Rule::name_or_quoted | Rule::tuple => "a name",
        Rule::data_head => "a file (`csv NAME at \"…\"`)",
        Rule::table_head | Rule::table_stmt | Rule::table_def | Rule::table_from => "a table",
        Rule::eq | Rule::eq_hole => "`=`",
        Rule::colon_hole => "`:`",
        Rule::comma => "`,`",
        Rule::dots => "`..`",
        Rule::semicolon => "`;`",
        Rule::punct | Rule::set_by => return Called::Nothing,
        Rule::lint => "the name of a lint",
        Rule::setting | Rule::setting_key | Rule::setting_word => "a setting",
        Rule::type_ | Rule::type_word => "a type",
        Rule::param => "a parameter",
        Rule::optional | Rule::variadic | Rule::nullable => return Called::Nothing,

        Rule::file
        | Rule::item
        | Rule::suite
        | Rule::suite_head
        | Rule::use_item
        | Rule::domain_def
        | Rule::constant
        | Rule::function => "an item",
        Rule::task | Rule::task_head => "a task",
        Rule::stmt | Rule::draw | Rule::compute | Rule::data | Rule::variant_head | Rule::stage_head => "a statement",
        Rule::after_stages => "`after`",
        Rule::require_hole | Rule::prompt_hole | Rule::hole | Rule::hole_here => return Called::Nothing,

        Rule::k_format => "a format (`csv`, `sqlite`, `json`, …)",
        Rule::one_of_name => "a constant",

        Rule::later | Rule::judged => return Called::Nothing,
        Rule::WHITESPACE | Rule::COMMENT | Rule::EOI | Rule::bom | Rule::doc | Rule::ws | Rule::idc => {
            return Called::Nothing;
        }
        Rule::item_ahead
        | Rule::match_word
        | Rule::head
        | Rule::head_word
        | Rule::domain_word
        | Rule::reserved
        | Rule::xpath_start
        | Rule::any_constant
        | Rule::ignored => {
            return Called::Nothing;
        }
        _ => return Called::ByWord,
    };
    Called::By(Phrase::Said(phrase))
}

/// The keywords that a rule can start with, for "did you mean".
pub(super) fn list_keywords(rule: Rule) -> Vec<&'static str> {
    let class = match rule {
        Rule::k_format => Class::Format,
        Rule::suffix => Class::Suffix,
        Rule::lorem_unit => Class::Unit,
        Rule::on_reply | Rule::on_file | Rule::on_files | Rule::on_tree => Class::Subject,
        Rule::slice => Class::Slice,
        Rule::state => Class::State,
        Rule::matched | Rule::matcher | Rule::match_ | Rule::sql_match | Rule::k_sql => Class::Matcher,
        Rule::option => Class::Option,
        Rule::domain | Rule::named | Rule::domain_name => return list_domain_words(),
        Rule::k_table | Rule::table_stmt => return vec!["table"],
        Rule::k_one_of => return vec!["one_of"],
        _ => return find_word(rule).map(|word| word.text).filter(|word| is_joining_word(word)).into_iter().collect(),
    };
    words::list_names(class)
}

/// Whether a word joins the parts of a statement, so a misspelling of it occurs in the middle.
fn is_joining_word(word: &str) -> bool {
    words::is_any(&[Class::Link, Class::Second, Class::Infix, Class::Filter, Class::Subject], word)
}

/// Words that begin a domain but are not its name.
pub(super) fn list_domain_words() -> Vec<&'static str> {
    [words::list_names(Class::Form), words::list_names(Class::Modifier)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_named_after_a_word_or_has_a_phrase() {
        for rule in Rule::all_rules() {
            let known = !matches!(classify_rule(*rule), Called::ByWord) || find_word(*rule).is_some();
            assert!(known, "`{rule:?}` needs a phrase in `called`, or a word in `syntax/words`");
        }
    }
}
