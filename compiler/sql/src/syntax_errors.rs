//! Syntax errors in SQL: their positions, and the probable intention.

use model::ddl::quote_name;

use super::lex::{Kind, Token};
use super::names;
use super::request::{Query, is_same_name};
use super::unknown_columns::{Unknown, describe_unknown_column, find_spaced_name};
use super::{params, sqlite_errors};
use ::names as suggest;
use syntax::ast::Span;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::host::SqlError;

/// Keywords whose misspelling causes a syntax error.
const KEYWORDS: &str = "AND AS ASC BETWEEN BY CASE CAST CROSS DESC DISTINCT ELSE END EXCEPT EXISTS FROM FULL GROUP HAVING \
    INNER INTERSECT IS JOIN LEFT LIKE LIMIT NATURAL NOT NULL OFFSET ORDER OUTER PARTITION SELECT THEN \
    UNION USING WHEN WHERE";

/// Syntax of other databases, by the word at which SQLite stops.
const ELSEWHERE: [(&str, &str); 9] = [
    ("ILIKE", "`LIKE` already ignores the case of English letters"),
    ("INTERVAL", "add to a day with `date(DAY, '+7 days')`"),
    ("TOP", "write `LIMIT n` at the end of the query"),
    ("FETCH", "write `LIMIT n`"),
    ("ANY", "write `IN (SELECT …)`"),
    ("SOME", "write `IN (SELECT …)`"),
    ("DIV", "`/` between whole numbers already drops the fraction"),
    ("QUALIFY", "put the window function in a subquery, and its condition in the outer WHERE"),
    ("SIMILAR", "use `LIKE` or `GLOB`"),
];

/// Whether SQLite's message is about a syntax error.
pub fn is_syntax(message: &str) -> bool {
    message.starts_with("near \"")
        || message.starts_with("incomplete input")
        || message.starts_with("unrecognized token")
}

fn build_error(message: impl Into<String>, span: Span, label: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::SQL_SYNTAX, message, span, label)
}

/// Reports invalid characters and unclosed quotes; returns `false` if there are any.
pub fn check_characters(query: &Query<'_>, found: &mut Vec<Diagnostic>) -> bool {
    const CURLY: [char; 7] = ['\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{201e}', '\u{201a}', '\u{b4}'];
    for (index, token) in query.tokens.iter().enumerate() {
        let span = query.to_token_span(token);
        match token.kind {
            Kind::Unclosed => {
                let first = token.text.chars().next().unwrap_or('\'');
                let open = query.to_span((token.start, token.start + first.len_utf8()));
                let help = match first {
                    '\'' => "write text in single quotes, and double a single quote inside it: 'O''Brien'",
                    '[' => "close it with `]`",
                    _ => "write names with spaces in double quotes: \"REG DT\"",
                };
                found.push(build_error("the quote is never closed", open, "opened here").help(help));
                return false;
            }
            Kind::Stray => {
                found.push(build_stray_error(query, index, token));
                return false;
            }
            Kind::Word if token.text.contains(CURLY) => {
                let straight = token.text.replace(CURLY, "'");
                let whole = straight.len() > 2 && straight.starts_with('\'') && straight.ends_with('\'');
                let mut diagnostic = build_error("SQL does not accept curly quotes", span, "not straight quotes")
                    .help("write text in straight single quotes: 'Engineering'");
                if whole {
                    let applicability = Applicability::Safe;
                    diagnostic = diagnostic.fix(format!("replace with {straight}"), applicability, span, straight);
                }
                found.push(diagnostic);
                return false;
            }
            _ => {}
        }
    }
    true
}

fn build_stray_error(query: &Query<'_>, index: usize, token: &Token<'_>) -> Diagnostic {
    let span = query.to_token_span(token);
    let diagnostic = build_error(format!("SQL has no `{}`", token.text), span, "not SQL");
    let next = query.tokens.get(index + 1);
    let replace = |diagnostic: Diagnostic, new: &str| {
        diagnostic.help(format!("write `{new}`")).replace(Applicability::Safe, span, new)
    };
    match token.text {
        "&&" => replace(diagnostic, "AND"),
        "{" => {
            let inner = query.tokens.iter().skip(index).find(|token| token.kind == Kind::Word);
            match inner.filter(|name| params::is_value(query, name.text)) {
                Some(name) => diagnostic.help(format!("write values of the task by name: `:{}`", name.text)),
                None => diagnostic.help("write values of the task by name: `:name`"),
            }
        }
        ":" if next.is_some_and(|next| next.text.starts_with(':')) => {
            let span = query.to_span((token.start, token.end() + 1));
            build_error("SQLite has no `::`", span, "not SQL").help("write `CAST(value AS INTEGER)`")
        }
        ":" => diagnostic.help("write a parameter without a space: `:name`"),
        "#" => diagnostic.help("a comment in SQL starts with `--`"),
        "!" => diagnostic.help("write `NOT`, or `<>` for \"not equal\""),
        "^" => diagnostic.help("a power is written `pow(a, b)`"),
        _ => diagnostic,
    }
}

/// Explains a syntax error.
pub fn report_syntax_error(query: &Query<'_>, ddl: &[String], refusal: &SqlError, found: &mut Vec<Diagnostic>) {
    if let Some(diagnostic) = check_brackets(query) {
        found.push(diagnostic);
        return;
    }
    let near = refusal.message.strip_prefix("near \"").and_then(|rest| rest.strip_suffix("\": syntax error"));
    let at = refusal.offset.and_then(|offset| query.find_token_at(offset)).map(|(index, _)| index);
    let at = at.or_else(|| query.tokens.iter().position(|token| near == Some(token.text)));
    let Some((index, token)) = at.and_then(|index| Some((index, query.tokens.get(index)?))) else {
        let end = query.tokens.last().map_or(0, Token::end);
        let (start, _) = query.tokens.last().map_or((0, 0), |token| (token.start, token.end()));
        if let Some(diagnostic) = check_misspelt_keyword(query, ddl, query.tokens.len()) {
            found.push(diagnostic);
            return;
        }
        let diagnostic = build_error("the query is incomplete", query.to_span((start, end)), "something must follow")
            .help("complete the query: `SELECT COLUMN FROM TABLE WHERE CONDITION`");
        found.push(diagnostic);
        return;
    };
    if refusal.message.starts_with("unrecognized token") {
        let help = "a name that starts with a digit is written in double quotes, a text in single quotes";
        let glued = query.tokens.get(index + 1).filter(|next| next.start == token.end());
        let end = glued.map_or(token.end(), Token::end);
        let message = format!("`{}` is neither a number nor a name", query.slice_text((token.start, end)));
        found.push(build_error(message, query.to_span((token.start, end)), "not SQL").help(help));
        return;
    }
    found.push(
        check_spaced_column(query, index)
            .or_else(|| check_keyword_as_table(query, ddl, index))
            .or_else(|| check_extra_comma(query, index))
            .or_else(|| check_misspelt_keyword(query, ddl, index))
            .or_else(|| check_keyword_as_name(query, ddl, index))
            .or_else(|| check_foreign_syntax(query, index))
            .or_else(|| check_missing_separator(query, ddl, index))
            .unwrap_or_else(|| build_generic_error(query, index, token)),
    );
}

fn build_generic_error(query: &Query<'_>, index: usize, token: &Token<'_>) -> Diagnostic {
    let diagnostic = build_error(
        format!("the query cannot be read at `{}`", token.text),
        query.to_token_span(token),
        "unexpected here",
    );
    if token.kind == Kind::Word && quote_name(token.text) != token.text {
        return diagnostic.help(format!(
            "`{}` is an SQL keyword that does not fit here; write a name in double quotes: \"{0}\"",
            token.text
        ));
    }
    match index.checked_sub(1).and_then(|before| query.tokens.get(before)) {
        Some(before) => diagnostic.help(format!("after `{}`, SQL expects something else", before.text)),
        None => diagnostic,
    }
}

/// Reports an unmatched bracket.
fn check_brackets(query: &Query<'_>) -> Option<Diagnostic> {
    let mut open: Vec<&Token<'_>> = Vec::new();
    for token in query.tokens {
        if token.is_punct("(") {
            open.push(token);
        } else if token.is_punct(")") && open.pop().is_none() {
            let span = query.to_token_span(token);
            return Some(
                build_error("the bracket does not close anything", span, "no `(` before it")
                    .help("remove it, or open a bracket before it")
                    .fix("remove it", Applicability::Unsafe, span, ""),
            );
        }
    }
    let last = open.last()?;
    let help = "close it with `)`";
    Some(build_error("the bracket is never closed", query.to_token_span(last), "opened here").help(help))
}

/// Reports a comma before a keyword or a closing bracket.
fn check_extra_comma(query: &Query<'_>, index: usize) -> Option<Diagnostic> {
    let token = query.tokens.get(index)?;
    let comma = query.tokens.get(index.checked_sub(1)?).filter(|before| before.is_punct(","))?;
    let ends = token.is_punct(")") || token.is_any("FROM WHERE GROUP ORDER LIMIT HAVING UNION");
    ends.then(|| {
        let span = query.to_token_span(comma);
        build_error(format!("nothing is between the comma and `{}`", token.text), span, "one comma too many")
            .help("remove the comma, or name another column")
            .fix("remove the comma", Applicability::Safe, span, "")
    })
}

/// Whether the query can be parsed further if these bytes are replaced.
fn is_edit_helpful(query: &Query<'_>, ddl: &[String], (start, end): (usize, usize), new: &str, behind: usize) -> bool {
    let (Some(head), Some(tail)) = (query.text.get(..start), query.text.get(end..)) else { return false };
    match query.sqlite.prepare_query(ddl, &format!("{head}{new}{tail}")) {
        Ok(_) => true,
        Err(error) if !is_syntax(&error.message) => true,
        Err(error) => {
            let moved = behind + new.len();
            !error.message.starts_with("incomplete")
                && error.offset.is_some_and(|offset| offset + (end - start) > moved)
        }
    }
}

/// Reports a misspelled keyword at the position where SQLite stops, or just before it.
fn check_misspelt_keyword(query: &Query<'_>, ddl: &[String], index: usize) -> Option<Diagnostic> {
    let stop = query.tokens.get(index).map_or(query.text.len(), Token::end);
    for at in [Some(index), index.checked_sub(1), index.checked_sub(2), index.checked_sub(3)].into_iter().flatten() {
        let Some(token) = query.tokens.get(at).filter(|token| token.kind == Kind::Word) else { continue };
        if token.is_any(KEYWORDS) || ELSEWHERE.iter().any(|(word, _)| token.is_keyword(word)) {
            continue;
        }
        // `FORM orders`: the table `orders` is not a misspelled `ORDER`.
        if query.request.tables.iter().any(|table| is_same_name(table.name, token.text)) {
            continue;
        }
        let near = KEYWORDS.split(' ').filter(|keyword| suggest::suggest_keyword(token.text, [*keyword]).is_some());
        let meant =
            near.into_iter().find(|keyword| is_edit_helpful(query, ddl, (token.start, token.end()), keyword, stop));
        if let Some(keyword) = meant {
            let span = query.to_token_span(token);
            return Some(
                build_error(format!("`{}` looks like a misspelt `{keyword}`", token.text), span, "misspelt").suggest(
                    Applicability::Safe,
                    span,
                    keyword,
                ),
            );
        }
    }
    None
}

/// Reports an unquoted column name with blanks.
fn check_spaced_column(query: &Query<'_>, index: usize) -> Option<Diagnostic> {
    let stop = query.tokens.get(index)?.start;
    let scope = sqlite_errors::collect_mentioned_columns(query);
    let columns: Vec<&str> = scope.columns.iter().map(|reached| reached.column.as_str()).collect();
    for token in
        query.tokens.iter().take(index + 1).skip(index.saturating_sub(4)).filter(|token| token.kind == Kind::Word)
    {
        if find_spaced_name(query, token.text, token.start, &columns).is_some_and(|(_, end)| end > stop) {
            let unknown = Unknown { name: token.text, quoted: false, bare: false, bytes: (token.start, token.end()) };
            return Some(describe_unknown_column(query, &unknown, &scope, None));
        }
    }
    None
}

/// Reports a keyword in place of a table or column that does not exist, with SQLite's message for the quoted keyword.
fn check_keyword_as_table(query: &Query<'_>, ddl: &[String], index: usize) -> Option<Diagnostic> {
    let token = query.tokens.get(index).filter(|token| token.kind == Kind::Word)?;
    let before = query.tokens.get(index.checked_sub(1)?)?;
    let dotted = before.is_punct(".");
    if !dotted && !before.is_keyword("FROM") && !before.is_keyword("JOIN") {
        return None;
    }
    let (head, tail) = (query.text.get(..token.start)?, query.text.get(token.end()..)?);
    let refusal = query.sqlite.prepare_query(ddl, &format!("{head}\"{}\"{tail}", token.text)).err()?;
    let owner = if dotted { query.tokens.get(index.checked_sub(2)?).filter(|owner| owner.is_name()) } else { None };
    let owner_name = owner.map(Token::to_unquoted);
    if refusal
        .message
        .strip_prefix("no such table: ")
        .is_some_and(|table| is_same_name(table.rsplit('.').next().unwrap_or(table), token.text))
    {
        let start = owner.map_or(token.start, |owner| owner.start);
        let span = query.to_span((start, token.end()));
        let found = names::describe_unknown_table(
            query,
            query.slice_text((start, token.end())),
            owner_name.as_deref(),
            token.text,
            span,
        );
        return (dotted || found.meant.is_some()).then_some(found.diagnostic);
    }
    let column = refusal.message.strip_prefix("no such column: ")?;
    if !dotted
        || !column
            .split(" - should this")
            .next()?
            .trim_matches('"')
            .to_ascii_lowercase()
            .ends_with(&token.text.to_ascii_lowercase())
    {
        return None;
    }
    let unknown = Unknown { name: token.text, quoted: false, bare: false, bytes: (token.start, token.end()) };
    Some(describe_unknown_column(query, &unknown, &sqlite_errors::collect_mentioned_columns(query), None))
}

/// Reports a column or table whose name is an SQL keyword.
fn check_keyword_as_name(query: &Query<'_>, ddl: &[String], index: usize) -> Option<Diagnostic> {
    let stop = query.tokens.get(index)?.end();
    for at in [Some(index), index.checked_sub(1)].into_iter().flatten() {
        let Some(token) = query.tokens.get(at).filter(|token| token.kind == Kind::Word) else { continue };
        let tables = query.request.tables.iter();
        let mut names =
            tables.flat_map(|table| std::iter::once(table.name).chain(table.columns.iter().map(|column| column.name)));
        let Some(name) = names.find(|name| is_same_name(name, token.text)) else { continue };
        let quoted = quote_name(name);
        if quoted != name && is_edit_helpful(query, ddl, (token.start, token.end()), &quoted, stop) {
            let span = query.to_token_span(token);
            return Some(
                build_error(format!("`{}` is a keyword of SQL", token.text), span, "read as a keyword")
                    .help(format!("as a name it is written in double quotes: {quoted}"))
                    .fix(format!("replace with {quoted}"), Applicability::Safe, span, quoted),
            );
        }
    }
    None
}

/// Reports syntax of another database.
fn check_foreign_syntax(query: &Query<'_>, index: usize) -> Option<Diagnostic> {
    let token = query.tokens.get(index)?;
    let before = |back: usize| index.checked_sub(back).and_then(|at| query.tokens.get(at));
    let span = query.to_token_span(token);
    if let Some(first) = before(3).filter(|first| first.is_keyword("EXTRACT") && token.is_keyword("FROM")) {
        return Some(
            build_error("SQLite has no `EXTRACT`", query.to_token_span(first), "not in SQLite")
                .help("write `CAST(strftime('%Y', DAY) AS INTEGER)`; %m is the month, %d the day"),
        );
    }
    if let Some(word) =
        before(1).filter(|word| token.kind == Kind::Text && (word.is_keyword("DATE") || word.is_keyword("TIMESTAMP")))
    {
        let whole = query.to_span((word.start, token.end()));
        return Some(
            build_error(format!("SQLite has no `{} '…'`", word.text), whole, "not in SQLite")
                .help(format!("a date is text here: write {}", token.text))
                .fix(format!("remove `{}`", word.text), Applicability::Safe, whole, token.text),
        );
    }
    if token.is_keyword("ISNULL") && query.tokens.get(index + 1).is_some_and(|next| next.is_punct("(")) {
        return Some(
            build_error("SQLite has no function `ISNULL`", span, "not in SQLite")
                .help("write `ifnull(VALUE, OTHERWISE)`"),
        );
    }
    for at in [Some(token), before(1), before(2)].into_iter().flatten() {
        if let Some((word, help)) = ELSEWHERE.iter().find(|(word, _)| at.is_keyword(word)) {
            return Some(
                build_error(format!("SQLite has no `{word}`"), query.to_token_span(at), "not in SQLite").help(*help),
            );
        }
    }
    if token.is_punct("=") && before(1).is_some_and(|operator| operator.is_punct("=")) {
        return Some(build_error("two `=` with a space between them", span, "one too many").help("write `=`"));
    }
    None
}

/// Reports a missing comma or AND.
fn check_missing_separator(query: &Query<'_>, ddl: &[String], index: usize) -> Option<Diagnostic> {
    let token = query.tokens.get(index)?;
    let before = query
        .tokens
        .get(index.checked_sub(1)?)
        .filter(|before| before.kind != Kind::Punct || before.is_punct(")") || before.is_punct("*"))?;
    for (new, what) in [(",", "a comma"), (" AND", "`AND`")] {
        let place = (before.end(), before.end());
        let operand =
            token.is_name() || matches!(token.kind, Kind::Text | Kind::Number | Kind::Param) || token.is_punct("(");
        if operand && is_edit_helpful(query, ddl, place, new, token.end()) {
            let label = format!("{} is missing before this", if new == "," { "a comma" } else { "`AND`" });
            return Some(
                build_error(
                    format!("{what} is missing between `{}` and `{}`", before.text, token.text),
                    query.to_token_span(token),
                    label,
                )
                .help(format!("write `{}{new} {}`", before.text, token.text))
                .fix(
                    format!("insert `{}`", new.trim()),
                    Applicability::Unsafe,
                    query.to_span(place),
                    new,
                ),
            );
        }
    }
    None
}
