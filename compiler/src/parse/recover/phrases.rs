//! Rules of the grammar in an author's words.

use crate::parse::grammar::Rule;
use crate::parse::words;

/// `a, b or c`
pub(super) fn join(phrases: &[String], last: &str) -> String {
    match phrases {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., end] => format!("{} {last} {end}", most.join(", ")),
    }
}

/// Whether a rule is a value, a domain or a text: something that is *missing* where the line ends.
pub(super) fn is_value(rule: Rule) -> bool {
    phrase(rule) == Some("a domain")
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

/// What a rule is called; nothing for what is better said otherwise.
pub(super) fn phrase(rule: Rule) -> Option<&'static str> {
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
        Rule::quoted_wrongly => return None,
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
        Rule::only_item | Rule::only_setting | Rule::only_stmt | Rule::only_table | Rule::only_column => return None,
        Rule::only_rows | Rule::only_line | Rule::only_constraint | Rule::sql_write => return None,
        Rule::sql_comment | Rule::sql_piece | Rule::sql_unit | Rule::sql_inner => return None,
        Rule::path_piece | Rule::path_unit | Rule::path_inner | Rule::quoted => return None,

        Rule::domain | Rule::domain_core | Rule::named | Rule::domain_name => "a domain",
        Rule::object_domain | Rule::array | Rule::one_of_lines | Rule::one_of | Rule::weighted | Rule::pattern => {
            "a domain"
        }
        Rule::template | Rule::ref_ | Rule::lorem | Rule::modifier => "a domain",
        Rule::weight_of => "a value with its weight (`\"a\": 3`)",
        Rule::lorem_unit => "`words`, `sentences`, `paragraphs` or `lines`",
        Rule::suffix => "`blank`, `except` or `step`",
        Rule::keyword_arg | Rule::keyword => "`mean` or `sd`",
        Rule::count => "a number of rows",

        Rule::expect => "`expect`",
        Rule::on_reply | Rule::on_file | Rule::on_files | Rule::on_tree => "`reply`, `file`, `files` or `tree`",
        Rule::slice | Rule::last_line | Rule::fenced => "a part of the reply (`last line`, `after`, `fenced`)",
        Rule::match_ | Rule::matched | Rule::matcher | Rule::matcher_word | Rule::matcher_hole => {
            "a matcher (`text`, `number`, `json`, …)"
        }
        Rule::sql_match | Rule::k_sql => "a matcher (`text`, `number`, `json`, …)",
        Rule::state => "`exists`, `absent` or `unchanged`",
        Rule::file_name => "the name of a file",
        Rule::any_of => "`any_of`",
        Rule::option | Rule::within | Rule::rounded | Rule::unit_is | Rule::weight | Rule::ignore | Rule::flag => {
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
            return None;
        }

        Rule::body => "`{` and its columns",
        Rule::file_at => return None,
        Rule::sheet
        | Rule::k_sheet
        | Rule::read_option
        | Rule::later_option
        | Rule::later_word
        | Rule::later_columns => return None,
        Rule::delimiter | Rule::quoted_all | Rule::crlf | Rule::utf8_mark => return None,
        Rule::k_delimiter | Rule::k_quoted | Rule::k_crlf | Rule::k_bom => return None,
        Rule::tables => "`{` and its tables",
        Rule::root => "the root element's name",
        Rule::entry | Rule::column | Rule::key => "a column",
        Rule::attribute => "`@`",
        Rule::rows => "`rows`",
        Rule::line => "`line`",
        Rule::constraint | Rule::constraint_word => "`unique`, `key` or `index` with columns",
        Rule::together | Rule::name_or_quoted | Rule::tuple => "a name",
        Rule::data_head => "a file (`csv NAME at \"…\"`)",
        Rule::table_head | Rule::table_stmt | Rule::table_def | Rule::table_from => "a table",
        Rule::eq | Rule::eq_hole => "`=`",
        Rule::colon_hole => "`:`",
        Rule::comma => "`,`",
        Rule::dots => "`..`",
        Rule::semicolon => "`;`",
        Rule::punct | Rule::set_by => return None,
        Rule::lint => "the name of a lint",
        Rule::setting | Rule::setting_key | Rule::setting_word => "a setting",
        Rule::type_ | Rule::type_word => "a type",
        Rule::param => "a parameter",
        Rule::optional | Rule::variadic | Rule::nullable => return None,

        Rule::file
        | Rule::item
        | Rule::suite
        | Rule::suite_head
        | Rule::use_item
        | Rule::domain_def
        | Rule::constant
        | Rule::function => "an item",
        Rule::task | Rule::task_head => "a task",
        Rule::stmt
        | Rule::draw
        | Rule::compute
        | Rule::samples
        | Rule::axis
        | Rule::clutter
        | Rule::folder
        | Rule::require => "a statement",
        Rule::prompt | Rule::variant | Rule::variant_head | Rule::tags | Rule::allow | Rule::data => "a statement",
        Rule::require_hole | Rule::prompt_hole | Rule::hole | Rule::hole_here => return None,

        Rule::k_suite => "`suite`",
        Rule::k_use => "`use`",
        Rule::k_domain => "`domain`",
        Rule::k_table => "`table`",
        Rule::k_task => "`task`",
        Rule::k_fn => return None,
        Rule::k_format => "a format (`csv`, `sqlite`, `json`, …)",
        Rule::k_at => "`at`",
        Rule::k_from => "`from`",
        Rule::k_rows => "`rows`",
        Rule::k_line => "`line`",
        Rule::k_lines => "`lines`",
        Rule::k_samples => "`samples`",
        Rule::k_axis => "`axis`",
        Rule::k_clutter => "`clutter`",
        Rule::k_folder => "`folder`",
        Rule::k_require => "`require`",
        Rule::k_prompt => "`prompt`",
        Rule::k_variant => "`variant`",
        Rule::k_tags => "`tags`",
        Rule::k_allow => "`allow`",
        Rule::k_expect => "`expect`",
        Rule::k_blank => "`blank`",
        Rule::k_except => "`except`",
        Rule::k_step => "`step`",
        Rule::one_of_name => "a constant",
        Rule::k_one_of => "`one_of`",
        Rule::k_weighted => "`weighted`",
        Rule::k_pattern => "`pattern`",
        Rule::k_template => "`template`",
        Rule::k_ref => "`ref`",
        Rule::k_lorem => "`lorem`",
        Rule::k_where => "`where`",
        Rule::k_reply => "`reply`",
        Rule::k_file => "`file`",
        Rule::k_files => "`files`",
        Rule::k_tree => "`tree`",
        Rule::k_last => "`last line`",
        Rule::k_after => "`after`",
        Rule::k_fenced => "`fenced`",
        Rule::k_within => "`within`",
        Rule::k_rounded => "`rounded`",
        Rule::k_weight => "`weight`",
        Rule::k_ignore => "`ignore`",
        Rule::k_ordered => "`ordered`",
        Rule::k_unordered => "`unordered`",
        Rule::k_open => "`open`",
        Rule::k_unit => "`unit`",
        Rule::k_gate => "`gate`",
        Rule::k_if => "`if`",
        Rule::k_then => "`then`",
        Rule::k_else => "`else`",
        Rule::k_not => "`not`",
        Rule::k_in => "`in`",

        Rule::later | Rule::later_from | Rule::later_rows | Rule::stage | Rule::lake | Rule::trials => return None,
        Rule::lake_file | Rule::lake_option | Rule::lake_word | Rule::k_lake | Rule::k_stage | Rule::k_trials => {
            return None;
        }
        Rule::WHITESPACE | Rule::COMMENT | Rule::EOI | Rule::bom | Rule::doc | Rule::ws | Rule::idc => return None,
        Rule::item_ahead
        | Rule::match_word
        | Rule::head
        | Rule::head_word
        | Rule::domain_word
        | Rule::reserved
        | Rule::xpath_start
        | Rule::any_constant
        | Rule::ignored => {
            return None;
        }
    };
    Some(phrase)
}

/// Words that start a domain and are no names.
pub(super) const DOMAINS: &[&str] =
    &["one_of", "weighted", "pattern", "template", "lorem", "ref", "unique", "distinct", "sorted"];

/// The keywords that a rule can start with, for "did you mean".
pub(super) fn keyword(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::k_at => &["at"],
        Rule::k_from => &["from"],
        Rule::k_then => &["then"],
        Rule::k_else => &["else"],
        Rule::k_where => &["where"],
        Rule::k_lines => &["lines"],
        Rule::k_one_of => &["one_of"],
        Rule::k_line => &["line"],
        Rule::k_format => words::FORMATS,
        Rule::suffix => &["blank", "except", "step"],
        Rule::domain | Rule::named | Rule::domain_name => DOMAINS,
        Rule::lorem_unit => &["words", "sentences", "paragraphs", "lines"],
        Rule::on_reply | Rule::on_file | Rule::on_files | Rule::on_tree => &["reply", "file", "files", "tree"],
        Rule::k_reply => &["reply"],
        Rule::k_file => &["file"],
        Rule::k_files => &["files"],
        Rule::k_tree => &["tree"],
        Rule::slice => &["last", "after", "fenced"],
        Rule::state => &["exists", "absent", "unchanged"],
        Rule::matched | Rule::matcher | Rule::match_ => {
            &["text", "contains", "matches", "number", "json", "list", "rows", "bytes", "database"]
        }
        Rule::sql_match | Rule::k_sql => &["sql"],
        Rule::option => &["within", "rounded", "unit", "ignore", "ordered", "unordered", "open", "weight", "gate"],
        Rule::k_table | Rule::table_stmt => &["table"],
        _ => &[],
    }
}
