//! The possible texts of expressions, and proofs about their characters.

use model::domain::LoremUnit;
use model::functions::{
    FunctionId, JOIN, Kernel, LIST, LOWER, NTH, PAD_LEFT, QueryResult, REPLACE, Reader, SLICE, SPLIT, UPPER,
};
use model::suite::{ColumnId, FileId, RelationId, Scope};
use model::value::is_insignificant_char;
use model::{Domain, Value, ValueType};
use sql::terms::Term;

use crate::facts::{Fact, Facts};
use crate::terms::{Case, States, TermFacts, Texts, Work, build_filler, count_marks};
use crate::text_parts::{infer_written_cell, join_items, take_slice};
use crate::types::TyKind;
use crate::{Arg, ColumnSource, Draw, DrawDomain, Expr, ExprKind, FileContent, Rows, Sql};

/// How many names and columns are followed for one text.
const MAX_DEPTH: u32 = 12;

/// The most characters of a range that are looked at one by one.
const MAX_RANGE: u32 = 2048;

/// The characters with which ints and dates are written, and other numbers and datetimes; and how many of them at most.
const OF_DIGITS: &[(char, char)] = &[('0', '9')];
const OF_INTS: &[(char, char)] = &[('0', '9'), ('-', '-')];
const OF_NUMBERS: &[(char, char)] = &[('0', '9'), ('-', '.'), ('+', '+'), (':', ':'), ('T', 'T'), ('e', 'e')];
const LONGEST_INT: usize = 20;
const DATE: usize = 10;
const LONGEST_NUMBER: usize = 48;
const SHORTEST_DATETIME: usize = 16;

/// What `date`, `time`, and `datetime` of SQLite write, with a letter that is not blank first.
const OF_MOMENTS: &[(char, char)] = &[('0', '9'), ('-', '.'), (':', ':'), (' ', ' ')];

/// The letters of `strftime` for which it writes digits, and the most characters for one of them.
const MOMENT_LETTERS: &str = "YmdHMSjFRTWUwus";
const LONGEST_PART: usize = 20;

/// The characters with which texts are filled up, and the most of them.
const ZEROS: &[(char, char)] = &[('0', '0')];
const BLANKS: &[(char, char)] = &[(' ', ' ')];
const MAX_FILLED: i64 = 400;

/// The first character of a line or a word of a filler text; the others of a line, which is a sentence, and of a word; and how many of them at most.
const OF_FILLER_STARTS: &[(char, char)] = &[('A', 'Z'), ('a', 'z')];
const OF_FILLER: &[(char, char)] = &[('A', 'Z'), ('a', 'z'), (' ', ' '), ('.', '.')];
const OF_FILLER_WORDS: &[(char, char)] = &[('A', 'Z'), ('a', 'z'), ('.', '.')];
pub(crate) const LONGEST_SENTENCE: usize = 400;
const LONGEST_WORD: usize = 20;

/// The possible texts of an expression as it is written into a text. Null is not among them. `None` if they are not known.
pub fn infer_texts<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope) -> Option<Texts<'a>> {
    infer_at(facts, expr, scope, MAX_DEPTH)
}

fn infer_at<'a>(facts: &Facts<'a>, expr: &'a Expr, scope: Scope, depth: u32) -> Option<Texts<'a>> {
    let depth = depth.checked_sub(1)?;
    let inner = |part: &'a Expr| infer_at(facts, part, scope, depth);
    let fact = facts.infer_expr(expr, scope);
    let known = list_of_fact(&fact).or_else(|| match expr.ty.kind {
        TyKind::Int => Some(build_int_of(&fact)),
        TyKind::Date => Some(Texts::Of { ranges: OF_INTS, least: DATE, most: DATE }),
        TyKind::Decimal(_) | TyKind::Float => Some(Texts::Of { ranges: OF_NUMBERS, least: 1, most: LONGEST_NUMBER }),
        TyKind::DateTime => Some(Texts::Of { ranges: OF_NUMBERS, least: SHORTEST_DATETIME, most: LONGEST_NUMBER }),
        _ => None,
    });
    known.or_else(|| match &expr.kind {
        ExprKind::Concat(parts) => parts.iter().map(inner).collect::<Option<_>>().map(Texts::Joined),
        ExprKind::If(parts) => Some(Texts::Either(vec![inner(&parts.1)?, inner(&parts.2)?])),
        ExprKind::Name(id) => infer_at(facts, facts.task().find_computed(*id)?, Scope::default(), depth),
        ExprKind::Column(_) | ExprKind::OuterColumn(_) => {
            let (relation, column) = expr.find_cell(scope)?;
            infer_source(facts, relation, &facts.task().find_column((relation, column))?.source, depth)
        }
        ExprKind::Call(function, args) if function.picks.is_some() || is_cell_value(*function) => match args.as_slice()
        {
            [Arg::Column { relation, column, .. }, ..] => infer_column(facts, (*relation, *column), depth),
            [Arg::Value(list), rest @ ..] => infer_items(facts, list, scope, depth).or_else(|| match rest {
                [Arg::Value(at)] if *function == NTH => take_split(list, at, &inner),
                _ => None,
            }),
            _ => None,
        },
        ExprKind::Call(function, args) => {
            let value = |arg: &'a Arg| match arg {
                Arg::Value(value) => inner(value),
                _ => None,
            };
            match args.as_slice() {
                [Arg::Relation { relation, .. }, _, Arg::Value(at)] if is_cell(*function) => {
                    infer_written_cell(facts, *relation, at, scope, depth)
                }
                [Arg::File(file), ..] => infer_part(facts, function.kernel, *file, depth),
                [arg] if *function == UPPER => Some(Texts::Cased(Box::new(keep_ascii(value(arg)?)?), Case::Upper)),
                [arg] if *function == LOWER => Some(Texts::Cased(Box::new(keep_ascii(value(arg)?)?), Case::Lower)),
                [text, Arg::Value(from), Arg::Value(to)] if *function == SLICE => {
                    let find = |at: &'a Expr| facts.infer_expr(at, scope).as_int_range();
                    take_slice(value(text)?, find(from)?, find(to)?)
                }
                [text, part, by] if *function == REPLACE => {
                    let only = |arg: &Arg| match arg {
                        Arg::Value(value) => value.as_constant().and_then(as_character),
                        _ => None,
                    };
                    let map = vec![(only(part)?, Some(only(by)?))];
                    Some(Texts::Translated(Box::new(value(text)?), map))
                }
                [.., Arg::Sql(sql)] if function.query == Some(QueryResult::Value) => {
                    infer_output(facts, sql, 0, scope, depth)
                }
                [text, Arg::Value(width), Arg::Value(fill)] if *function == PAD_LEFT => {
                    let (_, high) = facts.infer_expr(width, scope).as_int_range()?;
                    let ranges = match fill.as_constant()?.as_text()? {
                        "0" => ZEROS,
                        " " => BLANKS,
                        _ => return None,
                    };
                    let most = usize::try_from(high.clamp(0, MAX_FILLED)).ok().filter(|_| high <= MAX_FILLED)?;
                    Some(Texts::Joined(vec![Texts::Of { ranges, least: 0, most }, value(text)?]))
                }
                [Arg::Value(list), by] if *function == JOIN => join_items(facts, (list, value(by)?), scope, depth),
                _ if function.is_first_known() => args.iter().map(value).collect::<Option<_>>().map(Texts::Either),
                _ => None,
            }
        }
        _ => None,
    })
}

/// The possible texts of `nth(split(TEXT, "."), 2)`, if the text surely has as many parts.
fn take_split<'a>(list: &'a Expr, at: &Expr, infer: &dyn Fn(&'a Expr) -> Option<Texts<'a>>) -> Option<Texts<'a>> {
    let ExprKind::Call(function, args) = &list.kind else { return None };
    let ([Arg::Value(text), Arg::Value(by)], Some(Value::Int(at))) = (args.as_slice(), at.as_constant()) else {
        return None;
    };
    let mark = by.as_constant().and_then(as_character).filter(|_| *function == SPLIT)?;
    let (skipped, whole) = (usize::try_from(*at).ok()?.checked_sub(1)?, infer(text)?);
    let (low, high) = count_marks(&whole, mark)?;
    if skipped > low {
        return None;
    }
    let rest = (0..skipped).fold(whole, |rest, _| Texts::After(Box::new(rest), mark));
    Some(match () {
        () if skipped < low => Texts::Before(Box::new(rest), mark),
        () if skipped == high => rest,
        () => Texts::Either(vec![rest.clone(), Texts::Before(Box::new(rest), mark)]),
    })
}

/// The only character of a text.
fn as_character(value: &Value) -> Option<char> {
    let mut chars = value.as_text()?.chars();
    let (Some(only), None) = (chars.next(), chars.next()) else { return None };
    Some(only)
}

fn is_cell_value(function: FunctionId) -> bool {
    matches!(function.kernel, Kernel::Reads(Reader::CellValue))
}

/// The possible texts of the items of a list.
pub(crate) fn infer_items<'a>(facts: &Facts<'a>, list: &'a Expr, scope: Scope, depth: u32) -> Option<Texts<'a>> {
    match &list.resolve_name(facts.task()).kind {
        ExprKind::List(items) => {
            items.iter().map(|item| infer_at(facts, item, scope, depth)).collect::<Option<_>>().map(Texts::Either)
        }
        ExprKind::Call(function, args) => match args.as_slice() {
            [.., Arg::Sql(sql)] if function.query == Some(QueryResult::List) => {
                infer_output(facts, sql, 0, scope, depth)
            }
            [Arg::Column { relation, column, .. }] if *function == LIST => {
                infer_column(facts, (*relation, *column), depth)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The possible texts of the cells of a column of texts.
pub(crate) fn infer_column<'a>(facts: &Facts<'a>, place: (RelationId, ColumnId), depth: u32) -> Option<Texts<'a>> {
    let declared = facts.task().find_column(place).filter(|declared| declared.ty.kind == TyKind::Text)?;
    list_of_fact(&facts.lookup_column(place.0, place.1))
        .or_else(|| infer_source(facts, place.0, &declared.source, depth))
}

/// The possible texts of an output column of a query.
fn infer_output<'a>(facts: &Facts<'a>, sql: &'a Sql, at: usize, scope: Scope, depth: u32) -> Option<Texts<'a>> {
    let depth = depth.checked_sub(1)?;
    let output = sql.analysis.columns.get(at).filter(|_| sql.analysis.understood)?;
    if let Some(place) = output.origin {
        return infer_column(facts, place, depth);
    }
    let term = output.term.as_deref()?;
    TermFacts { facts, sql, scope }.infer(term).to_texts().or_else(|| read_moment(term))
}

/// The possible texts of a function of SQLite that writes a moment.
fn read_moment<'a>(term: &Term) -> Option<Texts<'a>> {
    let Term::Call(name, args) = term else { return None };
    let number = || Texts::Of { ranges: OF_NUMBERS, least: 1, most: LONGEST_PART };
    match (name.as_str(), args.as_slice()) {
        ("date" | "time" | "datetime", _) => {
            Some(Texts::Joined(vec![number(), Texts::Of { ranges: OF_MOMENTS, least: 0, most: LONGEST_PART }]))
        }
        ("strftime", [Term::Literal(Value::Text(format)), ..]) => {
            let (mut parts, mut letters) = (Vec::new(), format.chars());
            while let Some(letter) = letters.next() {
                let written = if letter == '%' { letters.next()? } else { letter };
                parts.push(if letter != '%' || written == '%' {
                    Texts::Listed([Value::Text(written.to_string())].into_iter().collect())
                } else if MOMENT_LETTERS.contains(written) {
                    number()
                } else {
                    return None;
                });
            }
            Some(Texts::Joined(parts))
        }
        _ => None,
    }
}

/// The possible texts of a line or a word of a text file.
fn infer_part<'a>(facts: &Facts<'a>, kernel: Kernel, file: FileId, depth: u32) -> Option<Texts<'a>> {
    let Kernel::Reads(reader) = kernel else { return None };
    match (reader, &facts.task().files.get(file)?.content) {
        (Reader::Line, FileContent::TextLines { line, relation, form: None }) => {
            infer_at(facts, line, Scope::with_row(*relation), depth)
        }
        // Lines of one word.
        (Reader::Word, FileContent::TextLines { line, relation, form: None }) => {
            let lines = infer_at(facts, line, Scope::with_row(*relation), depth)?;
            (is_never_empty(&lines) && has_only(&lines, |c| !c.is_whitespace())).then_some(lines)
        }
        (Reader::Line, FileContent::DrawnText(draw)) if find_filler_unit(draw) == Some(LoremUnit::Lines) => {
            Some(begin_with_letter(OF_FILLER, LONGEST_SENTENCE))
        }
        (Reader::Word, FileContent::DrawnText(draw)) => {
            find_filler_unit(draw).map(|_| begin_with_letter(OF_FILLER_WORDS, LONGEST_WORD))
        }
        _ => None,
    }
}

/// Whether a function reads a cell by its row and its column.
fn is_cell(function: FunctionId) -> bool {
    matches!(function.kernel, Kernel::Reads(Reader::Cell))
}

/// The unit in which a filler text is counted. `None` for other draws.
pub(crate) fn find_filler_unit(draw: &Draw) -> Option<LoremUnit> {
    match &draw.domain {
        DrawDomain::Lorem { unit, .. } | DrawDomain::Fixed(Domain::Lorem { unit, .. }) => Some(*unit),
        _ => None,
    }
}

/// The possible texts of the cells of a column.
pub fn infer_cells<'a>(
    facts: &Facts<'a>,
    relation: RelationId,
    source: &'a ColumnSource,
    fact: &Fact<'a>,
) -> Option<Texts<'a>> {
    list_of_fact(fact).or_else(|| infer_source(facts, relation, source, MAX_DEPTH))
}

fn infer_source<'a>(
    facts: &Facts<'a>,
    relation: RelationId,
    source: &'a ColumnSource,
    depth: u32,
) -> Option<Texts<'a>> {
    let depth = depth.checked_sub(1)?;
    match (source, &facts.task().relations.get(relation)?.rows) {
        (ColumnSource::Compute(value), _) => infer_at(facts, value, Scope::with_row(relation), depth),
        (ColumnSource::Given(given), _) => {
            let cells = given.cells.values.iter().filter(|value| !value.is_null());
            Some(Texts::Listed(cells.cloned().collect()))
        }
        (ColumnSource::Result(at), Rows::Query(name)) => {
            let sql = facts.task().find_computed(*name)?.resolve_name(facts.task()).find_query()?;
            infer_output(facts, sql, usize::try_from(*at).ok()?, Scope::default(), depth)
        }
        (ColumnSource::Taken(column), Rows::Taken { from, .. }) => infer_column(facts, (*from, *column), depth),
        _ => None,
    }
}

/// The texts of a fact: those that are listed, or those of its domain.
fn list_of_fact<'a>(fact: &Fact<'a>) -> Option<Texts<'a>> {
    if let Some(values) = &fact.closed {
        return Some(Texts::Listed(values.clone()));
    }
    fact.domain.filter(|domain| domain.value_type() == ValueType::Text).and_then(|domain| match domain {
        Domain::Lorem { unit, low, high } => build_filler(*unit, *low, *high),
        domain => Texts::from_domain(domain),
    })
}

/// Filler texts of a letter and at most `most` characters after it.
fn begin_with_letter<'a>(ranges: &'static [(char, char)], most: usize) -> Texts<'a> {
    let start = Texts::Of { ranges: OF_FILLER_STARTS, least: 1, most: 1 };
    Texts::Joined(vec![start, Texts::Of { ranges, least: 0, most }])
}

/// An int, or a date, as it is written.
pub fn build_int<'a>() -> Texts<'a> {
    Texts::Of { ranges: OF_INTS, least: 1, most: LONGEST_INT }
}

/// An int of a fact, as it is written.
pub(crate) fn build_int_of<'a>(fact: &Fact<'_>) -> Texts<'a> {
    let digits = |int: i64| int.checked_ilog10().map_or(1, |power| power as usize + 1);
    match fact.as_int_range() {
        Some((low @ 0.., high)) => Texts::Of { ranges: OF_DIGITS, least: digits(low), most: digits(high) },
        _ => build_int(),
    }
}

/// Texts whose letters are those whose case is known to change.
fn keep_ascii<'a>(texts: Texts<'a>) -> Option<Texts<'a>> {
    has_only(&texts, |c| c.is_ascii()).then_some(texts)
}

/// Whether no text is blank, or empty.
pub fn is_never_blank(texts: &Texts<'_>) -> bool {
    match texts {
        Texts::Listed(values) => {
            return values.iter().all(|value| !value.render_text().chars().all(is_insignificant_char));
        }
        Texts::Joined(parts) if parts.iter().any(is_never_blank) => return true,
        _ => {}
    }
    let ends = texts.read(&[0].into(), &Work::default(), &|state, low, high| {
        let chars = || (low..=high).take(MAX_RANGE as usize);
        let is_wide = u32::from(high) - u32::from(low) >= MAX_RANGE;
        let blank = state == 0 && (is_wide || chars().any(is_insignificant_char));
        let visible = state == 1 || is_wide || chars().any(|c| !is_insignificant_char(c));
        [blank.then_some(0), visible.then_some(1)].into_iter().flatten().collect::<States>()
    });
    ends.is_some_and(|ends| !ends.contains(&0))
}

/// Whether no text is empty.
pub fn is_never_empty(texts: &Texts<'_>) -> bool {
    let ends = texts.read(&[0].into(), &Work::default(), &|_, _, _| [1].into());
    ends.is_some_and(|ends| !ends.contains(&0))
}

/// Whether all characters of all texts are such.
pub fn has_only(texts: &Texts<'_>, is_such: impl Fn(char) -> bool) -> bool {
    read_all(texts, &is_such)
}

fn read_all(texts: &Texts<'_>, is_such: &dyn Fn(char) -> bool) -> bool {
    match texts {
        Texts::Listed(values) => return values.iter().all(|value| value.render_text().chars().all(is_such)),
        Texts::Joined(parts) if parts.iter().all(|part| read_all(part, is_such)) => return true,
        _ => {}
    }
    let ends = texts.read(&[0].into(), &Work::default(), &|state, low, high| {
        let is_wide = u32::from(high) - u32::from(low) >= MAX_RANGE;
        let all = !is_wide && (low..=high).all(is_such);
        [if all { state } else { 1 }].into()
    });
    ends.is_some_and(|ends| !ends.contains(&1))
}

/// Whether all texts have fewer characters than this.
pub fn is_shorter(texts: &Texts<'_>, most: usize) -> bool {
    if let Some(longest) = find_longest(texts) {
        return longest < most;
    }
    let count = |count: usize, _, _| [(count + 1).min(most)].into();
    texts.read(&[0].into(), &Work::default(), &count).is_some_and(|ends| !ends.contains(&most))
}

/// The most characters of a text, if that is simple to find out.
pub(crate) fn find_longest(texts: &Texts<'_>) -> Option<usize> {
    match texts {
        Texts::Listed(values) => values.iter().map(|value| value.render_text().chars().count()).max(),
        Texts::Joined(parts) => parts.iter().map(find_longest).sum(),
        Texts::Of { most, .. } => Some(*most),
        _ => None,
    }
}

/// Whether a character is neither a control character nor one that must not be interchanged.
pub fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a value is written without control characters.
pub fn is_printable_value(value: &Value) -> bool {
    value.render_text().chars().all(is_printable)
}
