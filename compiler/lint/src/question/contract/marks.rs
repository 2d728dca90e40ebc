//! `other_mark`: the prompt says what a mark in a file means, and the key takes it for something else: a number, a value that is not known, or nothing at all.

use model::suite::Op;
use model::{Decimal, Value};

use super::super::untold_convention::extract_affixes;
use super::clauses::{Clause, Meaning, read_clauses, read_rules};
use super::shown::{FileColumn, FileColumns};
use super::wording::Wording;
use crate::context::{Asked, report_once};
use hir::{Arg, ColumnSource, Expr, ExprKind, Task};
use sql::lex::{Kind, Token, tokenize_sql};
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::Aggregate;

/// Compares what a wording says of marks with how their columns are read, and with what the answers compute.
pub(super) fn report_marks<'a>(
    wording: &Wording<'_, 'a>,
    asked: &Asked<'a>,
    columns: &FileColumns<'_, 'a>,
    said: &mut Vec<Diagnostic>,
) {
    let prompt = &wording.telling.prompt;
    for clause in read_clauses(prompt).into_iter().chain(read_rules(prompt)) {
        let found = columns.list().iter().filter(|column| column.is_read).find_map(|column| {
            let lint = Lint { task: wording.cx.task, asked, column, clause: &clause };
            let mistake = match &clause.meaning {
                Meaning::Missing => lint.check_missing(),
                Meaning::Zero => lint.check_zero(),
                Meaning::NoneOf(what) => is_same_thing(column, what).then(|| lint.check_zero())?,
                Meaning::LeftOut => lint.check_left_out(),
            }?;
            Some((column, mistake))
        });
        let Some((column, (what, place, help))) = found else { continue };
        let span = wording.locate_text(&clause.text);
        let mut new = Diagnostic::new(Code::OTHER_MARK, what, place, "taken so here").label(span, "said here");
        if let ColumnSource::Given(given) = &column.column.source
            && let Some(read) = &given.read
        {
            new = new.label(read.files.span, format!("`{}` is read with these marks", column.name));
        }
        report_once(new.help(help), said);
        return;
    }
}

/// Checks whether a text begins with a form of a word in the name of a column: "complaint" and `COMPLAINTS`.
fn is_same_thing(column: &FileColumn<'_>, what: &str) -> bool {
    const STEM: usize = 3;
    let header = match &column.column.source {
        ColumnSource::Given(given) => given.read.as_ref().and_then(|read| read.header.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    let names = format!("{} {header}", column.name).to_lowercase();
    let words = names.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() >= STEM);
    let stems: Vec<&str> = words.filter_map(|word| word.get(..word.len().min(6))).collect();
    what.split(' ').any(|word| stems.iter().any(|stem| word.starts_with(stem)))
}

struct Lint<'l, 'a> {
    task: &'l Task,
    asked: &'l Asked<'a>,
    column: &'l FileColumn<'a>,
    clause: &'l Clause,
}

/// The message, the place of the declaration, and the help.
type Mistake = (String, model::Span, String);

impl Lint<'_, '_> {
    /// Finds a mark of missing values that is a number of the column.
    fn check_missing(&self) -> Option<Mistake> {
        let ColumnSource::Given(given) = &self.column.column.source else { return None };
        let is_value = |mark: &&String| {
            let Ok(number) = mark.parse::<Decimal>() else { return false };
            let fits = |value: &Value| value.as_decimal() == Some(number);
            given.cells.values.iter().any(fits) && !self.is_handled(number)
        };
        let mark = self.clause.marks.iter().find(is_value)?;
        let name = self.column.name;
        Some((
            format!("the prompt says that `{mark}` marks a missing value, but `{name}` reads it as a number"),
            self.column.at,
            format!("declare that it is null: {name} : … as missing [\"{mark}\"]"),
        ))
    }

    /// Checks whether an answer compares the column with a constant.
    fn is_handled(&self, mark: Decimal) -> bool {
        let column = self.column;
        let is_limit = |part: &Expr| match &part.kind {
            ExprKind::Const(value) => value.as_decimal() == Some(mark),
            ExprKind::Binary(Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge, sides) => {
                let is_column = |side: &Expr| side.as_column_id() == Some(column.place.1);
                is_column(&sides.0) && sides.1.as_constant().is_some()
                    || is_column(&sides.1) && sides.0.as_constant().is_some()
            }
            ExprKind::Call(_, args) => {
                args.iter().any(|arg| matches!(arg, Arg::Sql(sql) if compares_column(&sql.text, column.name)))
            }
            _ => false,
        };
        self.asked.iter_answers().any(|answer| answer.has_part_through_names(self.task, is_limit))
    }

    /// Finds a mark for 0 that is null in the column, and an aggregate that skips nulls.
    fn check_zero(&self) -> Option<Mistake> {
        let column = self.column;
        let mark =
            self.clause.marks.iter().find(|mark| column.missing.iter().any(|own| own.to_lowercase() == **mark))?;
        let skips = |aggregate: Option<Aggregate>| {
            matches!(aggregate, Some(Aggregate::Mean | Aggregate::Median | Aggregate::Low | Aggregate::Deviation))
        };
        let mut found = None;
        for answer in self.asked.iter_answers() {
            answer.visit_through_names(self.task, &mut |part| {
                let ExprKind::Call(function, args) = &part.kind else { return };
                let is_own = match args.first() {
                    Some(Arg::Column { relation, column: id, .. }) => {
                        (*relation, *id) == column.place && skips(function.aggregate)
                    }
                    Some(Arg::Sql(sql)) => averages_column(&sql.text, column.name),
                    _ => false,
                };
                if is_own {
                    found.get_or_insert(part.span);
                }
            });
        }
        let name = column.name;
        if mark == "0" {
            return Some((
                format!("the prompt says that `0` is a value, but `{name}` is null there, and the key leaves it out"),
                found?,
                format!("remove \"0\" from the marks of `{name}`: missing [\"\"]"),
            ));
        }
        Some((
            format!("the prompt says that `{mark}` means 0, but `{name}` is null there, and the key leaves it out"),
            found?,
            format!("compute with 0 instead of null: divide the sum by the number of rows, or use coalesce({name}, 0)"),
        ))
    }

    /// Finds a mark that only some cells are written with at random.
    fn check_left_out(&self) -> Option<Mistake> {
        let (mark, (_, share)) = self.clause.marks.iter().find_map(|mark| {
            let has_mark = |pattern: &str| {
                extract_affixes(pattern).iter().any(|(affix, _)| affix.to_lowercase().contains(mark.as_str()))
            };
            Some((mark, self.column.noise.iter().find(|(pattern, _)| has_mark(pattern))?))
        })?;
        let name = self.column.name;
        Some((
            format!(
                "the prompt leaves out values with `{mark}`, but the key counts them: `{name}` has it in cells that are drawn"
            ),
            *share,
            format!(
                "let a column that is written say which values these are, or say in the prompt that `{mark}` means nothing"
            ),
        ))
    }
}

fn list_tokens(query: &str) -> Vec<Token<'_>> {
    tokenize_sql(query).into_iter().filter(|token| !matches!(token.kind, Kind::Blank | Kind::Comment)).collect()
}

/// Checks whether a query compares a column.
fn compares_column(query: &str, name: &str) -> bool {
    let tokens = list_tokens(query);
    tokens.windows(2).any(|pair| match pair {
        [column, next] => {
            column.to_unquoted().eq_ignore_ascii_case(name)
                && (next.is_any("BETWEEN NOT IN IS LIKE")
                    || ["<", ">", "=", "<=", ">=", "<>", "!=", "=="].iter().any(|sign| next.is_punct(sign)))
        }
        _ => false,
    })
}

/// Checks whether a query computes a mean of the cells of a column.
fn averages_column(query: &str, name: &str) -> bool {
    let tokens = list_tokens(query);
    tokens.iter().enumerate().any(|(at, token)| {
        let rest: Vec<&str> = tokens.iter().skip(at + 1).take(5).map(|token| token.text).collect();
        let is_own = |column: &str| column.trim_matches('"').eq_ignore_ascii_case(name);
        token.is_any("AVG MEDIAN MIN")
            && match rest.as_slice() {
                ["(", column, ")", ..] => is_own(column),
                ["(", _, ".", column, ")"] => is_own(column),
                _ => false,
            }
    })
}
