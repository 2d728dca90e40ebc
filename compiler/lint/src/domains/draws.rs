//! Draws that are probably not meant: `constant_draw`, `odd_weights`, `seldom_drawn`.

use model::{Domain, Span, Value};

use crate::chance::{Law, find_likeliest};
use crate::context::{TaskCx, report_once};
use hir::{ColumnSource, Draw, DrawDomain, Expr, FileContent};
use syntax::bounds::Bounds;
use syntax::diagnostics::{Code, Diagnostic};

use super::words::format_value;

/// Reports odd draws of names and columns.
pub fn report_odd_draws<'a>(cx: &TaskCx<'a>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    for name in &task.names {
        let found = name.source.draw().and_then(|draw| check_draw(&name.name, name.span, draw, None));
        found.into_iter().for_each(|new| report_once(new, said));
    }
    for (id, relation) in task.relations.iter_enumerated() {
        let bounds = cx.facts().count_rows(id);
        let rows = bounds.known_max().map(|most| Bounds { most, ..bounds });
        for column in &relation.columns {
            let ColumnSource::Draw { draw, .. } = &column.source else { continue };
            check_draw(&column.name, column.span, draw, rows).into_iter().for_each(|new| report_once(new, said));
        }
    }
    for file in &task.files {
        if let FileContent::DrawnText(draw) = &file.content {
            check_draw(&file.name, file.span, draw, None).into_iter().for_each(|new| report_once(new, said));
        }
    }
}

/// Reports the first oddity of a draw. `rows` is the maximum number of rows if it draws a column.
fn check_draw(name: &str, declared: Span, draw: &Draw, rows: Option<Bounds>) -> Option<Diagnostic> {
    if draw.blank_per_million == 1_000_000 {
        let said = build_constant(name, "null", draw, declared).help("use a share below 100%, or remove the column");
        return Some(said);
    }
    if let DrawDomain::Exactly(count) = &draw.domain {
        return check_exact_count(name, count, draw, rows);
    }
    let DrawDomain::Fixed(domain) = &draw.domain else { return None };
    // With nulls, there are two values.
    let constant = if draw.may_be_blank() { None } else { check_constant(name, domain, draw, declared) };
    constant
        .or_else(|| check_narrow(name, domain, draw))
        .or_else(|| check_weights(name, domain, draw, declared))
        .or_else(|| check_seldom(name, domain, draw, rows))
        .or_else(|| check_seldom_blank(name, draw, rows))
}

fn check_constant(name: &str, domain: &Domain, draw: &Draw, declared: Span) -> Option<Diagnostic> {
    let only = match domain {
        Domain::Bool { per_million: 0 } => Value::Bool(false),
        Domain::Bool { per_million: 1_000_000 } => Value::Bool(true),
        Domain::Int { .. } | Domain::Decimal { .. } | Domain::Date { .. } | Domain::DateTime { .. } => {
            domain.value_at(0).filter(|_| domain.cardinality() == Some(1))?
        }
        Domain::Pattern(_) | Domain::Zipf { .. } => domain.value_at(0).filter(|_| domain.cardinality() == Some(1))?,
        _ => return None,
    };
    let value = format_value(&only);
    let past_end = match domain {
        Domain::Int { low, high, .. } => low != high,
        Domain::Decimal { low, high, .. } => low != high,
        Domain::Date { low, high, .. } => low != high,
        Domain::DateTime { low, high, .. } => low != high,
        _ => false,
    };
    let help = match (past_end, domain) {
        (true, _) => "make the step smaller than the range".to_owned(),
        (_, Domain::Bool { .. }) => format!("draw both values, such as `bool 50%`, or write `{name} = {value}`"),
        _ => format!("widen the range, or write `{name} = {value}`"),
    };
    let said = build_constant(name, &value, draw, declared);
    let said = if past_end { said.note("the first step is already beyond the upper bound") } else { said };
    Some(said.help(help))
}

/// Reports `bool exactly K` with all rows of a table, or with none.
fn check_exact_count(name: &str, count: &Expr, draw: &Draw, rows: Option<Bounds>) -> Option<Diagnostic> {
    let Bounds { least, most } = rows.filter(|rows| rows.most > 1)?;
    let count = match count.as_constant()? {
        Value::Int(count) => u64::try_from(*count).ok()?,
        _ => return None,
    };
    let value = match count {
        // The author says that there are none.
        0 => return None,
        count if least == most && count == most => "true",
        _ => return None,
    };
    let message = format!("`{name}` is always {value}");
    let said = Diagnostic::new(Code::CONSTANT_DRAW, message, draw.span, format!("{count} of {most} rows are true"));
    Some(said.help(format!("use a number between 0 and {most}, or write `{name} = {value}`")))
}

/// Reports a distribution whose values nearly all round to the same number.
fn check_narrow(name: &str, domain: &Domain, draw: &Draw) -> Option<Diagnostic> {
    let Domain::Distributed { .. } = domain else { return None };
    let best = find_likeliest(&Law::from_domain(domain)?).filter(|best| best.share > 0.99)?;
    let value = format_value(&best.reply);
    let message = format!("`{name}` is nearly always {value}");
    let said = Diagnostic::new(Code::CONSTANT_DRAW, message, draw.span, "`sd` is small against the step");
    Some(said.help("use a larger `sd` or a smaller step"))
}

fn build_constant(name: &str, value: &str, draw: &Draw, declared: Span) -> Diagnostic {
    let message = format!("`{name}` is always {value}");
    let at = if declared.file == draw.span.file { draw.span } else { declared };
    Diagnostic::new(Code::CONSTANT_DRAW, message, at, "draws only one value")
}

/// Reports an item that is never drawn, or weights that look like percentages and do not sum to 100.
fn check_weights(name: &str, domain: &Domain, draw: &Draw, declared: Span) -> Option<Diagnostic> {
    let Domain::Weighted { items } = domain else { return None };
    let at = if declared.file == draw.span.file { draw.span } else { declared };
    if let Some((never, _)) = items.iter().find(|(_, weight)| *weight == 0) {
        let message = format!("`{name}` is never {}: its weight is 0", format_value(never));
        let said = Diagnostic::new(Code::ODD_WEIGHTS, message, at, "a weight of 0");
        return Some(said.help("give the item a weight of at least 1, or remove it"));
    }
    let total: u64 = items.iter().map(|(_, weight)| *weight).sum();
    let even = items.iter().all(|(_, weight)| items.first().is_some_and(|(_, first)| first == weight));
    let rounded = items.iter().all(|(_, weight)| weight.is_multiple_of(5));
    // One more or less can come from rounding.
    let is_near = (85..=115).contains(&total) && !(99..=101).contains(&total);
    // A zero too many: 50 instead of 5.
    let has_zero_too_many = |(_, weight): &(Value, u64)| {
        *weight < 100 && weight.is_multiple_of(10) && total.checked_sub(weight - weight / 10) == Some(100)
    };
    let is_odd = is_near || items.iter().filter(|item| has_zero_too_many(item)).count() == 1;
    (is_odd && rounded && !even && items.len() > 2).then(|| {
        let message = format!("the weights of `{name}` sum to {total}, not 100");
        let said = Diagnostic::new(Code::ODD_WEIGHTS, message, at, format!("{total} in all"));
        said.note("weights are relative, so they need not sum to 100; these look like percentages")
            .help("correct the weight that is wrong")
    })
}

/// Reports a share below 1% in a table in which no row is likely to have it.
fn check_seldom(name: &str, domain: &Domain, draw: &Draw, rows: Option<Bounds>) -> Option<Diagnostic> {
    let Domain::Bool { per_million } = domain else { return None };
    let value = if *per_million < 500_000 { "true" } else { "false" };
    build_seldom(name, value, (*per_million).min(1_000_000 - per_million.min(&1_000_000)), draw, rows)
}

fn check_seldom_blank(name: &str, draw: &Draw, rows: Option<Bounds>) -> Option<Diagnostic> {
    build_seldom(name, "null", draw.blank_per_million, draw, rows)
}

fn build_seldom(name: &str, value: &str, per_million: u32, draw: &Draw, rows: Option<Bounds>) -> Option<Diagnostic> {
    let rows = rows.map(|rows| rows.most).filter(|rows| *rows > 0)?;
    // Fewer than one row in two samples.
    let expected = rows as f64 * f64::from(per_million) / 1e6;
    if per_million == 0 || per_million >= 10_000 || expected >= 0.5 {
        return None;
    }
    let message = format!("`{name}` is hardly ever {value}: {} of {rows} rows on average", format_few(expected));
    let percent = f64::from(per_million) / 10_000.0;
    let said = Diagnostic::new(Code::SELDOM_DRAWN, message, draw.span, format!("{percent}% of the rows"));
    Some(said.help(format!("shares are percentages: for {percent} of 1, write {}%", percent * 100.0)))
}

fn format_few(number: f64) -> String {
    let text = format!("{number:.2}");
    if text == "0.00" { "less than 0.01".to_owned() } else { text.trim_end_matches('0').to_owned() }
}
