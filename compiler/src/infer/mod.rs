//! Inference of declarations from files: from bytes to source that reads them. The resulting source has been checked on the file.
//!
//! ```text
//! bytes ─layout→ Layout ─columns→ Columns ─render→ source ─verify→ source that `check` accepts
//! ```
//!
//! | module | what |
//! | --- | --- |
//! | `layout` | the encoding, the delimiter, and the position of the table in the file |
//! | `columns` | the columns of a table: names and keys; the guesser of `tables` determines the types of their fields |
//! | `lost_cells` | cells that are not in any column |
//! | `trees` | the arrays of JSON and YAML files |
//! | `names` | names of columns and tables, free and valid |
//! | `render` | declarations as source |
//! | `verify` | checks of a declaration in its own suite |
//! | `wanted` | what is asked for |
//! | `source` | the columns of a table declared without columns |

mod columns;
mod layout;
mod lost_cells;
mod names;
mod render;
mod source;
mod trees;
mod verify;
mod wanted;

use std::sync::Arc;

use model::Format;
use model::format::{Holds, is_gzip, strip_gzip};
use tables::{CellType, Encoding, Layout, Unreadable};

use lost_cells::Lost;
pub use source::{find_bare_table, render_columns};
pub use tables::guess::marks::is_mark;
pub use wanted::{Form, Wanted};

use syntax::host::Host;

/// A pattern that reads all of these fields as values of the named type without losing information.
///
/// ```
/// use compiler::infer::infer_pattern;
///
/// assert_eq!(infer_pattern(&["31.12.2024", "01.02.2024"], "date").as_deref(), Some("dd.MM.yyyy"));
/// assert_eq!(infer_pattern(&["1.234,50 €", "12,00 €"], "decimal").as_deref(), Some("#.##0,00 €"));
/// // Two units: one pattern would lose which is which.
/// assert_eq!(infer_pattern(&["5 kg", "700 g"], "int"), None);
/// ```
pub fn infer_pattern(fields: &[&str], ty: &str) -> Option<String> {
    let asked = CellType::from_name(ty).filter(|ty| ty.is_number() || ty.is_calendar())?;
    let way = tables::guess::infer_format(fields, Some(asked)).ok()?;
    let fits = way.ty == asked && !tables::guess::can_merge_texts(&way, fields);
    match way.written.as_slice() {
        [told] if fits && told.times.is_none() => Some(told.pattern.clone()),
        _ => None,
    }
}

/// The declarations of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// One declaration for each of its tables.
    pub declarations: Vec<String>,
    /// A comment with the number of cells that are not in any column.
    pub lost: String,
}

/// Infers the declarations of a file, one for each of its tables. Each passes `check` on the file.
///
/// ```
/// use api::Memory;
/// use compiler::infer::{Form, Wanted, infer_declarations};
///
/// let host = Memory::new(Vec::<(String, Vec<u8>)>::new());
/// let wanted = Wanted { form: Form::View, path: "towns.csv", sheet: None };
/// let found = infer_declarations(wanted, b"TOWN,SINCE\nUlm,01.02.2024\nBonn,15.03.2024\n", &host).expect("a table");
/// assert_eq!(found.declarations.len(), 1);
/// assert!(found.declarations[0].contains("dd.MM.yyyy"), "{}", found.declarations[0]);
/// ```
///
/// # Errors
/// Returns an error if the file cannot be declared in this form.
pub fn infer_declarations(wanted: Wanted<'_>, bytes: &[u8], host: &dyn Host) -> Result<Inferred, Unreadable> {
    let is_known = |format: &Format| *format != Format::File && (format.is_packable() || !is_gzip(wanted.path));
    let format = Format::from_path(strip_gzip(wanted.path)).filter(is_known).unwrap_or(Format::Text);
    let content = tables::gzip::open_file(format, wanted.path, bytes)?;
    let file = verify::File { wanted, bytes: Arc::from(&*content), stored: Arc::from(bytes), host };
    let bytes = &*content;
    if let Some(sheet) = wanted.sheet.filter(|_| format.holds != Holds::Tables) {
        let message = format!("`{}` has no sheet `{sheet}`", wanted.path);
        return Err(Unreadable::new(message, "leave `--sheet` out: only workbooks have sheets"));
    }
    let (layouts, more) = guess_layouts(format, wanted, bytes)?;
    // A fixture is declared as one file, regardless of its number of tables.
    let whole = wanted.form == Form::Fixture && layouts.len() != 1;
    let mut taken = Vec::new();
    let mut found = Vec::new();
    let mut lost = Lost::default();
    for (name, layout) in layouts.into_iter().filter(|_| !whole) {
        let name = names::make_table_name(&name, &mut taken);
        if let Some((declaration, columns)) = file.declare_table(&name, &layout)? {
            found.push(declaration);
            lost.add(&columns.lost);
        }
    }
    if found.is_empty() {
        found.push(file.declare_file(&names::make_table_name(extract_stem(wanted.path), &mut taken), format)?);
    }
    let more = match more {
        0 => String::new(),
        1 => "# not declared: 1 more array\n".to_owned(),
        more => format!("# not declared: {} more arrays\n", model::value::group_digits(more as u64)),
    };
    Ok(Inferred { declarations: found, lost: format!("{more}{}", lost.render_comment()) })
}

/// The layouts of a file's tables, each with a name, and the number of further tables.
fn guess_layouts(
    format: Format,
    wanted: Wanted<'_>,
    bytes: &[u8],
) -> Result<(Vec<(String, Layout)>, usize), Unreadable> {
    let stem = extract_stem(wanted.path);
    let mut more = 0;
    let found = match format.holds {
        Holds::Cells(1..) => {
            let found = layout::guess_delimited_layout(format, wanted.path, bytes)?;
            found.into_iter().map(|layout| (stem.to_owned(), layout)).collect()
        }
        Holds::Tables => layout::guess_sheet_layouts(bytes, wanted.path, wanted.sheet)?
            .into_iter()
            .map(|(sheet, layout)| (sheet.map_or_else(|| stem.to_owned(), |sheet| format!("{stem}_{sheet}")), layout))
            .collect(),
        Holds::Tree => {
            let (arrays, others) = trees::find_arrays(format, bytes)?;
            more = others;
            let named = arrays.into_iter();
            named
                .map(|(key, at)| (key.unwrap_or_else(|| stem.to_owned()), Layout { at, ..Layout::from_format(format) }))
                .collect()
        }
        Holds::Text | Holds::Cells(_) => match layout::guess_encoding(bytes) {
            Some(encoding) => vec![(stem.to_owned(), Layout { encoding, ..Layout::from_format(format) })],
            None => Vec::new(),
        },
        Holds::Columns => vec![(stem.to_owned(), Layout::from_format(format))],
        Holds::Elements | Holds::Page => guess_part_layouts(format, bytes, stem),
        Holds::Database | Holds::Bytes => Vec::new(),
    };
    Ok((found, more))
}

/// The tables of an XML file or an HTML page: the only table, or each that can be selected.
fn guess_part_layouts(format: Format, bytes: &[u8], stem: &str) -> Vec<(String, Layout)> {
    let encoding =
        if format.reading.contains(&"encoding") { layout::guess_encoding(bytes) } else { Some(Encoding::Utf8) };
    let Some(encoding) = encoding else { return Vec::new() };
    let plain = Layout { encoding, ..Layout::from_format(format) };
    let read = |layout: &Layout| tables::read_records(layout, "", bytes).is_ok_and(|records| !records.rows.is_empty());
    if read(&plain) {
        return vec![(stem.to_owned(), plain)];
    }
    let mut chosen: Vec<String> = tables::list_choices(&plain, bytes).into_iter().map(|choice| choice.at).collect();
    if format.holds == Holds::Elements {
        // The root element of XML is not a row, and elements inside rows are columns.
        chosen.retain(|at| at.matches('/').count() > 1);
        let has_rows = |at: &str| {
            let layout = Layout { at: Some(at.to_owned()), ..plain.clone() };
            tables::read_records(&layout, "", bytes).is_ok_and(|found| found.rows.len() > 1)
        };
        let several: Vec<String> = chosen.iter().filter(|at| has_rows(at)).cloned().collect();
        if !several.is_empty() {
            chosen = several;
        }
        let outer = chosen.clone();
        chosen.retain(|at| {
            !outer.iter().any(|other| at.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('/')))
        });
    }
    let chosen = chosen.into_iter();
    let named = chosen.map(|at| {
        let last = at.rsplit('/').next().unwrap_or(&at);
        let name =
            if last.bytes().all(|byte| byte.is_ascii_digit()) { format!("{stem}_{last}") } else { last.to_owned() };
        (name, Layout { at: Some(at), ..plain.clone() })
    });
    named.filter(|(_, layout)| read(layout)).take(MAX_PARTS).collect()
}

/// The maximum number of tables of one file that are declared.
const MAX_PARTS: usize = 16;

fn extract_stem(path: &str) -> &str {
    let name = strip_gzip(path.rsplit('/').next().unwrap_or(path));
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
