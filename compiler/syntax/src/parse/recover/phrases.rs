//! Rules of the grammar in the author's terms.

use crate::diagnostics::wording::join_names;
use crate::parse::grammar::Rule;
use crate::words::{self, Class, Word};
use std::fmt;

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
                write!(f, "{}{after}", join_names(words::list_names(*class), "or", usize::MAX))
            }
        }
    }
}

/// The naming of rules in messages.
#[derive(Clone, Copy)]
enum Called {
    By(Phrase),
    /// The rules are not mentioned in messages.
    Nothing,
}

const fn said(phrase: &'static str) -> Called {
    Called::By(Phrase::Said(phrase))
}

const fn one_of(class: Class, after: &'static str) -> Called {
    Called::By(Phrase::OneOf(class, after))
}

/// The naming of the rules that are not called after a word.
const CALLED: &[(&str, Called)] = &[
    // Expressions and their parts.
    ("expr arith lone operand arg answer prefix minus branch placeholder held form form_of", said("a value")),
    ("atom chain literal constant_word glued paren call callee object", said("a value")),
    ("number range", said("a number")),
    ("percent share share_of", said("a percentage")),
    ("duration unit", said("a duration")),
    ("date datetime glued_date", said("a date")),
    ("string triple single triple_text single_text escape", said("a text in quotes")),
    ("list", said("a list in `[ ]`")),
    ("args", said("arguments in `( )`")),
    ("path name any_name quoted_name quoted_text any_ident decl head_key", said("a name")),
    ("together name_or_quoted tuple", said("a name")),
    ("field field_key", said("a key")),
    ("field_hole colon_hole", said("`:`")),
    ("raw_arg raw_last raw raw_sql raw_path sql_start", said("SQL, JSONPath or XPath")),
    ("infix arith_infix and_or comparison membership arith_op", said("an operator")),
    // Domains.
    ("domain domain_core named domain_name object_domain array", said("a domain")),
    ("one_of_lines one_of weighted pattern template ref_ lorem modifier", said("a domain")),
    ("weight_of", said("a value with its weight (`\"a\": 3`)")),
    ("lorem_unit", one_of(Class::Unit, "")),
    ("suffix", one_of(Class::Suffix, "")),
    ("keyword_arg keyword", one_of(Class::Argument, "")),
    ("count", said("a number of rows")),
    ("one_of_name", said("a constant")),
    // Expectations.
    ("row_key", said("`key`")),
    ("row_by", said("`by`")),
    ("expect", said("`expect`")),
    ("on_reply on_file on_files on_tree", one_of(Class::Subject, "")),
    ("slice last_line fenced between", said("a part of the reply (`last line`, `after`, `fenced`, `at`)")),
    ("match_ matched matcher matcher_word matcher_hole", said("a matcher (`text`, `number`, `json`, …)")),
    ("sql_match k_sql", said("a matcher (`text`, `number`, `json`, …)")),
    ("state", one_of(Class::State, "")),
    ("file_name", said("the name of a file")),
    ("any_of", said("`any_of`")),
    (
        "option within rounded graded unit_is told sorted_by cell_as among",
        said("an option (`within`, `rounded`, `ordered`, …)"),
    ),
    ("weight ignore trap example flag flag_word", said("an option (`within`, `rounded`, `ordered`, …)")),
    // Files and tables.
    ("body", said("`{` and its columns")),
    ("from_disk from_rel", said("`from`")),
    ("style", one_of(Class::Style, "")),
    ("unpivot", said("`unpivot`")),
    ("unpivoted", said("a column with its headers")),
    ("header_span", said("headers")),
    ("lake lake_head", said("a lake")),
    ("view view_head query_view", said("a view")),
    ("needed", said("`needed`")),
    ("tables", said("`{` and its tables")),
    ("root", said("the root element's name")),
    ("entry column key", said("a column")),
    ("attribute", said("`@`")),
    ("rows", said("`rows`")),
    ("line", said("`line`")),
    ("constraint constraint_word", one_of(Class::Constraint, " with columns")),
    ("data_head", said("a file (`csv NAME at \"…\"`)")),
    ("table_head table_stmt table_def table_from", said("a table")),
    ("k_format", said("a format (`csv`, `sqlite`, `json`, …)")),
    // Signs, statements, and items.
    ("eq eq_hole", said("`=`")),
    ("comma", said("`,`")),
    ("dots", said("`..`")),
    ("semicolon", said("`;`")),
    ("lint", said("the name of a lint")),
    ("setting setting_key setting_word", said("a setting")),
    ("type_ type_word", said("a type")),
    ("param", said("a parameter")),
    ("file item suite suite_head use_item domain_def constant function", said("an item")),
    ("task task_head", said("a task")),
    ("stmt draw compute data lake_use variant_head stage_head", said("a statement")),
    ("after_stages", said("`after`")),
    // What nobody writes, or what is rarely meant.
    ("only_item only_setting only_stmt only_table only_column only_view only_unpivot", Called::Nothing),
    ("only_rows only_line only_constraint", Called::Nothing),
    ("sql_write sql_comment sql_piece sql_unit sql_inner path_piece path_unit path_inner quoted", Called::Nothing),
    ("wrong_op double_and double_or triple_eq not_eq single_eq mod_op bang set_by quoted_wrongly", Called::Nothing),
    ("delimiter encoding above below header skip until sheet missing at_path valued_word", Called::Nothing),
    (
        "file_at valued bare quoted_all crlf utf8_mark place styles repeated ordered_by unchanged_but in_columns sort_key label",
        Called::Nothing,
    ),
    ("punct optional variadic nullable require_hole prompt_hole hole hole_here later judged", Called::Nothing),
    ("WHITESPACE COMMENT EOI bom doc ws idc item_ahead match_word head head_word domain_word", Called::Nothing),
    ("reserved xpath_start any_constant ignored", Called::Nothing),
];

/// Rules that are reported as *missing* at the end of a line, besides domains.
const VALUES: &str =
    "expr arith lone domain string answer list number percent count prefix placeholder arg field path named";

/// Whether a rule is among names that are separated by blanks.
fn is_among(rule: Rule, names: &str) -> bool {
    let rule = format!("{rule:?}");
    names.split(' ').any(|name| name == rule)
}

/// The naming of a rule that is not called after a word.
fn find_called(rule: Rule) -> Option<Called> {
    CALLED.iter().find(|(rules, _)| is_among(rule, rules)).map(|(_, called)| *called)
}

/// The word that a rule is called after: `at` for `k_at`, `axis` for `axis`.
fn find_word(rule: Rule) -> Option<&'static Word> {
    iter_rule_words(rule).next()
}

/// The uses of the word that a rule is called after.
pub(super) fn iter_rule_words(rule: Rule) -> impl Iterator<Item = &'static Word> {
    let name = format!("{rule:?}");
    words::iter_uses(name.strip_prefix("k_").unwrap_or(&name))
}

/// The phrase for a rule; `None` if the rule is not mentioned in messages.
pub(super) fn find_phrase(rule: Rule) -> Option<Phrase> {
    match find_called(rule) {
        Some(Called::By(phrase)) => Some(phrase),
        Some(Called::Nothing) => None,
        None => {
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
    find_phrase(rule) == Some(Phrase::Said("a domain")) || is_among(rule, VALUES)
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
            let known = find_called(*rule).is_some() || find_word(*rule).is_some();
            assert!(known, "`{rule:?}` needs a phrase in `CALLED`, or a word in `syntax/words`");
        }
    }

    #[test]
    fn every_name_in_the_tables_is_a_rule() {
        // pest's own rule is not among them.
        let rules: Vec<String> = Rule::all_rules().iter().chain([&Rule::EOI]).map(|rule| format!("{rule:?}")).collect();
        let named = CALLED.iter().map(|(rules, _)| *rules).chain([VALUES]).flat_map(|names| names.split(' '));
        let unknown: Vec<&str> = named.filter(|name| !rules.iter().any(|rule| rule == name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }
}
