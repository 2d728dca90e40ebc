//! Declarations as source.

use model::format::Holds;
use model::suite::Told;
use model::{Format, path};
use tables::{CellType, Layout, Pattern, Place, Reading, Skip, Until};

use super::columns::{Columns, Found, FoundSplit, Unpivoted};
use super::names::quote_name;
use super::wanted::{Form, Wanted};
use hir::fixture::notes;
use syntax::fmt;
use syntax::string::{quote_list, quote_string};

/// Renders the options of a path.
pub(super) fn render_options(layout: &Layout) -> String {
    let plain = Layout::from_format(layout.format);
    let text = |word: &str, value: &str| format!(" {word} {}", quote_string(value));
    let options = [
        (layout.delimiter != plain.delimiter).then(|| text("delimiter", &char::from(layout.delimiter).to_string())),
        (layout.encoding != plain.encoding).then(|| text("encoding", layout.encoding.word())),
        layout.at.as_deref().map(|at| text("at", at)),
        layout.sheet.as_deref().map(|sheet| text("sheet", sheet)),
        layout.skip.as_ref().map(|skip| match skip {
            Skip::Records(count) => format!(" skip {count}"),
            Skip::Cell(cell) => text("skip", cell),
        }),
        (layout.header != plain.header).then(|| format!(" header {}", layout.header)),
        layout.until.as_ref().map(|until| match until {
            Until::Blank => " until blank".to_owned(),
            Until::Cell(cell) => text("until", cell),
        }),
        (!layout.missing.is_empty()).then(|| format!(" missing {}", quote_list(&layout.missing))),
    ];
    options.into_iter().flatten().collect()
}

/// Renders the lines of a body, without its braces.
pub(super) fn render_body(columns: &Columns) -> Vec<String> {
    let comment = |note: &String| format!("# {note}");
    let mut lines: Vec<String> = columns.notes.iter().map(comment).collect();
    for column in &columns.found {
        lines.extend(column.notes.iter().map(comment));
        match &column.split {
            Some(split) => lines.extend(render_split(column, split)),
            None => lines.push(render_column(column)),
        }
    }
    if let Some(found) = &columns.unpivot {
        lines.extend(found.notes.iter().map(comment));
        lines.push(render_unpivot(found));
    }
    if !columns.key.is_empty() {
        let names: Vec<String> = columns.key.iter().map(|key| quote_name(key)).collect();
        lines.push(format!("key ({})", names.join(", ")));
    }
    lines
}

/// Renders the two columns of a field.
fn render_split(column: &Found, split: &FoundSplit) -> [String; 3] {
    let place = match &column.place {
        Some(Place::Header(header)) => quote_string(header),
        Some(Place::Position(at)) => at.to_string(),
        _ => quote_string(&column.name),
    };
    let (number, text) = (quote_name(&column.name), quote_name(&split.text));
    let texts = Reading { missing: split.number.missing.clone(), ..Reading::from_type(CellType::Text) };
    [
        format!("line \"{}\" from {place}", split.format.render_line(&number, &text)),
        format!("{number} : {}{}", split.number.ty.name(), render_styles(&split.number)),
        format!("{text} : text{}", render_styles(&texts)),
    ]
}

fn render_column(column: &Found) -> String {
    let reading = &column.reading;
    let from = match &column.place {
        None | Some(Place::Line | Place::Part(_)) => String::new(),
        Some(Place::Header(header)) => format!(" from {}", quote_string(header)),
        Some(Place::Position(at)) => format!(" from {at}"),
        Some(Place::Characters(first, last)) => format!(" from {first}..{last}"),
    };
    format!("{} : {}{from}{}", quote_name(&column.name), reading.ty.name(), render_styles(reading))
}

/// Renders the style of a column, if it needs one. Nulls of a format with its own null need no mark.
fn render_styles(reading: &Reading) -> String {
    debug_assert!(reading.ty != CellType::Bool || reading.written.is_empty());
    let written: Vec<Told> = reading.written.iter().map(Pattern::to_told).collect();
    notes::render_style_clause(&written, &reading.missing)
}

/// Renders the columns whose headers are values.
fn render_unpivot(unpivot: &Unpivoted) -> String {
    let ty = if unpivot.ty == CellType::Text { String::new() } else { format!(" : {}", unpivot.ty.name()) };
    let (first, last) = (quote_string(&unpivot.headers.0), quote_string(&unpivot.headers.1));
    let value = format!("{} : {} from {first}..{last}", quote_name(&unpivot.value), unpivot.reading.ty.name());
    format!("unpivot {}{ty}, {value}{}", quote_name(&unpivot.name), render_styles(&unpivot.reading))
}

/// Renders a declaration: its form, the path, the options, and the body.
pub(super) fn render_declaration(
    wanted: Wanted<'_>,
    name: &str,
    format: Format,
    options: &str,
    body: &[String],
) -> String {
    let file = wanted.path.rsplit('/').next().unwrap_or(wanted.path);
    let head = match wanted.form {
        Form::View => format!("{} {name} from {}{options}", format.word(), quote_string(file)),
        Form::Table => format!("table {name} from {}{options}", quote_string(wanted.path)),
        Form::Fixture => {
            let at = if path::describe_problem(file).is_none() { file } else { "data" };
            format!("{} {name} at {} from {}{options}", format.word(), quote_string(at), quote_string(wanted.path))
        }
    };
    if body.is_empty() {
        return format!("{head}\n");
    }
    let lines: String = body.iter().map(|line| format!("  {line}\n")).collect();
    format!("{head} {{\n{lines}}}\n")
}

/// Whether a table of the format has columns that can be declared.
pub(super) fn has_body(format: Format) -> bool {
    !matches!(format.holds, Holds::Database | Holds::Text | Holds::Bytes)
}

/// Formats a declaration like `picardc fmt`.
pub(super) fn format_declaration(form: Form, declaration: &str) -> String {
    let (before, after) = match form {
        Form::Table => ("", ""),
        Form::View => ("lake l from \"f\" {\n", "}\n"),
        Form::Fixture => ("task t {\n", "}\n"),
    };
    let Ok(laid_out) = fmt::format_source(&format!("{before}{declaration}{after}")) else {
        return declaration.to_owned();
    };
    if before.is_empty() {
        return laid_out;
    }
    let inner = laid_out.lines().skip(1).filter(|line| line.starts_with("  "));
    inner.map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
}
