//! Reads files as declared and converts them to the rows of a relation.

use std::sync::Arc;

use model::decimal::MAX_PLACES;
use model::value::group_digits;
use model::{Date, Decimal, Format, Value, ValueType};
use tables::limits::MAX_CELLS;
use tables::read::TableData;
use tables::{CellType, Fault, FaultKind, Misfit, Misfits, Pattern, Place, UnreadRecords, UnreadRegions};

use super::faults::record_word;
use super::misread;
use super::shape::{DeclaredColumn, DeclaredTable};
use super::sources::{Origins, Source};
use crate::context::{Checker, ReadColumn, ReadTable};
use crate::lakes::LakeChecker;
use hir::fixture::{self, CachedReader, FixtureColumn};
use hir::read_tables::{ReadAs, ReadFile, ReadFiles, find_total_row};
use syntax::ast::{self, Ident};
use syntax::diagnostics::wording::format_count;
use syntax::diagnostics::{Code, Diagnostic};

/// The parts of a table and how its columns are computed from them: if both are equal, so are the values.
pub(super) struct Parts<'p> {
    pub parts: &'p [Arc<TableData>],
    pub how: String,
    pub origins: &'p Origins<'p>,
}

/// Finds the columns whose numbers have another currency in a later file, with the first such number.
fn find_currency_faults(parts: &[Arc<TableData>], sources: &[Source]) -> Vec<Fault> {
    let columns = parts.first().map_or(0, |part| part.amounts.len());
    let faults = (0..columns).filter_map(|column| {
        let mut amounts =
            parts.iter().zip(sources).filter_map(|(part, source)| Some((part.amounts.get(column)?.as_ref()?, source)));
        let first = amounts.next()?.0.currency;
        let (other, source) = amounts.find(|(amount, _)| amount.currency != first)?;
        let first = vec![(other.line, other.cell.clone(), Misfit::Currency(first))];
        let kind = FaultKind::Misfits { column, misfits: Misfits { count: 1, first } };
        Some(Fault { path: source.inner.clone(), line: other.line, kind })
    });
    faults.collect()
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Reads the rows of files as declared, one file after another. Returns `None` after reporting an error.
    pub(super) fn read_rows(
        &mut self,
        declared: &DeclaredTable<'a>,
        relation: (&str, &'a Ident),
        sources: &[Source],
        from: &'a ast::FromDisk,
    ) -> Option<ReadTable> {
        let mut parts: Vec<Arc<TableData>> = Vec::new();
        let mut digests: Vec<[u8; 32]> = Vec::new();
        let mut faults: Vec<Fault> = Vec::new();
        let (mut cells, mut is_misread) = (0_usize, false);
        let shared = CachedReader::with_shape(&declared.shape);
        for source in sources {
            let bytes = self.task.cx.read_source(source, declared.shape.layout.format, from.path.span)?;
            if !is_misread {
                is_misread = misread::report_other_encoding(self.task.cx, declared, source, &bytes, from);
            }
            let (sha256, part) = shared.read_part(&source.inner, &bytes);
            self.task.cx.note_content(source, sha256);
            match part {
                Ok(part) => {
                    cells = cells.saturating_add(part.columns.iter().map(Vec::len).sum());
                    parts.push(part);
                    digests.push(sha256);
                }
                Err(found) => faults.extend(found.iter().cloned()),
            }
            if cells > MAX_CELLS {
                self.task.cx.report_too_many_cells(relation.0, from);
                return None;
            }
            self.task.cx.host.check_cancellation();
        }
        if faults.is_empty() {
            faults = find_currency_faults(&parts, sources);
        }
        if !faults.is_empty() {
            self.task.cx.report_faults(declared, &faults, sources, from);
            return None;
        }
        let format = declared.shape.layout.format;
        self.task.cx.report_unread_rows(
            parts.iter().map(|part| (&part.cut, part.records.len())),
            sources,
            format,
            from,
        );
        misread::report_other_date_orders(self.task.cx, declared, &parts);
        let origins = Origins::from_parts(sources, &parts);
        // Results that depend only on the parts are computed once, even if the suite is edited repeatedly.
        let how = declared.read.iter().map(|proved| {
            let DeclaredColumn { name, domain, nullable, .. } = proved;
            format!("{} {} {nullable};", name.text, domain.build_equality_key())
        });
        let how: String = std::iter::once("read ".to_owned()).chain(how).collect();
        let read = fixture::compute_once(&parts, &how, || self.join_parts(declared, &parts, &origins))?;
        self.task.cx.report_guessed_years(declared, &read, &origins);
        let mut table = Parts { parts: &parts, how, origins: &origins };
        let columns = self.task.cx.with_computed(declared, relation, read, &mut table)?;
        let keys = self.task.cx.prove_keys(declared, relation.0, &columns, &table)?;
        let mut columns = columns;
        for (at, proved) in declared.read.iter().enumerate() {
            let mut patterns = declared.shape.reading(at).into_iter().flat_map(|reading| &reading.written);
            if let Some(percent) = patterns.find(|pattern| pattern.is_percent())
                && let Some(column) = columns.iter_mut().find(|column| column.name == proved.name.text)
            {
                column.given.percent = Some(percent.source().to_owned());
            }
        }
        note_readings(declared, &parts, &describe_sources(sources, &digests), from, &mut columns);
        let columns = columns.into_iter().filter(|column| !column.name.starts_with('_')).collect();
        Some(ReadTable { rows: origins.len() as u32, columns, keys, unread: false })
    }

    /// Joins the columns of all files, and proves that each is in its domain. Returns `None` after reporting one that is not.
    fn join_parts(
        &mut self,
        declared: &DeclaredTable<'a>,
        parts: &[Arc<TableData>],
        origins: &Origins<'_>,
    ) -> Option<Vec<FixtureColumn>> {
        let mut columns: Vec<Vec<Value>> = vec![Vec::with_capacity(origins.len()); declared.read.len()];
        for part in parts {
            for (all, of_file) in columns.iter_mut().zip(&part.columns) {
                all.extend(of_file.iter().cloned());
            }
        }
        let mut read = Vec::with_capacity(columns.len());
        let mut sound = true;
        for (at, (proved, values)) in declared.read.iter().zip(columns).enumerate() {
            // The text of a field is read again only if it must be shown.
            let mut texts: Vec<Option<Vec<Value>>> = Vec::new();
            sound &= self.prove_cells(proved, &values, origins, |checker, row| {
                let (file, in_file) = origins.find_in_file(row)?;
                let source = origins.source(row)?;
                texts.resize(texts.len().max(file + 1), None);
                let known = texts.get_mut(file)?;
                if known.is_none() {
                    let bytes = checker.read_source(source, declared.shape.layout.format, proved.at)?;
                    *known = tables::propose::read_column_texts(&declared.shape, at, &source.inner, &bytes);
                }
                known.as_ref()?.get(in_file)?.as_text().map(str::to_owned)
            });
            let (value_type, values) = unify_column_type(proved.domain.ty, values);
            let column = fixture::build_column(proved.name.text.clone(), value_type, values);
            read.push(FixtureColumn { nullable: column.nullable || proved.nullable, ..column });
        }
        sound.then_some(read)
    }
}

/// Lists the paths of files with the digests of their contents.
fn describe_sources<'s>(sources: &'s [Source], digests: &[[u8; 32]]) -> Vec<(&'s str, [u8; 32])> {
    sources.iter().zip(digests).map(|(source, digest)| (source.inner.as_str(), *digest)).collect()
}

/// Notes with each column how it was read.
fn note_readings(
    declared: &DeclaredTable<'_>,
    parts: &[Arc<TableData>],
    sources: &[(&str, [u8; 32])],
    from: &ast::FromDisk,
    columns: &mut [ReadColumn],
) {
    let of_file = |(part, (path, digest)): (&Arc<TableData>, &(&str, [u8; 32]))| {
        let cells = declared.read.iter().zip(&part.columns);
        let cells: Vec<(&str, &[Value])> =
            cells.map(|(column, values)| (column.name.text.as_str(), values.as_slice())).collect();
        // With columns that become rows, a row of the file is not one of the table.
        let total = declared.shape.unpivot.is_none().then(|| find_total_row(&cells, part.records.len())).flatten();
        let (path, digest) = ((*path).to_owned(), *digest);
        let title = list_title(&part.cut);
        ReadFile { path, rows: part.records.len(), digest, header: part.header.clone(), title, total }
    };
    let files = parts.iter().zip(sources).map(of_file).collect();
    let files = Arc::new(ReadFiles { span: from.path.span, files });
    for (at, proved) in declared.read.iter().enumerate() {
        let Some(column) = columns.iter_mut().find(|column| column.name == proved.name.text) else { continue };
        let reading = declared.shape.reading(at);
        let header = declared.shape.columns.get(at).and_then(|column| match &column.place {
            Place::Header(header) => Some(header.clone()),
            _ => None,
        });
        column.given.read = Some(Arc::new(ReadAs {
            header,
            at: proved.at,
            written: reading.iter().flat_map(|reading| &reading.written).map(|own| own.source().to_owned()).collect(),
            is_scaled: reading.iter().flat_map(|reading| &reading.written).any(|own| own.times().is_some()),
            missing: reading.map(|reading| reading.missing.clone()).unwrap_or_default(),
            files: Arc::clone(&files),
        }));
    }
}

impl<'a> Checker<'a> {
    /// Reports years of two digits that fall into two centuries, if no bounds are declared.
    fn report_guessed_years(&mut self, declared: &DeclaredTable<'a>, columns: &[FixtureColumn], origins: &Origins<'_>) {
        for (at, (proved, column)) in declared.read.iter().zip(columns).enumerate() {
            let patterns = declared.shape.reading(at).map_or(&[][..], |reading| &reading.written);
            if patterns.is_empty() || !patterns.iter().all(Pattern::is_year_guessed) {
                continue;
            }
            let dates = || {
                (0..).zip(column.values.iter()).filter_map(|(row, value)| match value {
                    Value::Date(date) => Some((*date, row)),
                    Value::DateTime(moment) => Some((moment.date(), row)),
                    _ => None,
                })
            };
            let (Some((first, early)), Some((last, late))) = (dates().min(), dates().max()) else { continue };
            if first.to_ymd().0 >= 2000 || last.to_ymd().0 < 2000 {
                continue;
            }
            let name = &proved.name.text;
            let word = proved.domain.ty.name();
            let message = format!("two-digit years of `{name}` are read as 1970 to 2069");
            let place = |row: usize, date: Date| {
                format!("{} is read as {}", origins.describe_line_in_file(row), Value::Date(date).render_text())
            };
            let said = Diagnostic::new(Code::TWO_DIGIT_YEARS, message, proved.domain.span, "no bounds say which years");
            let said = said.note(format!("{}\n{}", place(early, first), place(late, last)));
            self.report(said.help(format!(
                "write the first and the last date that `{name}` can be, such as `{word} {:04}-01-01..{:04}-12-31`",
                first.to_ymd().0,
                last.to_ymd().0
            )));
        }
    }

    /// Reports a table with too many cells, because all of its values are in memory at once.
    pub(super) fn report_too_many_cells(&mut self, name: &str, from: &'a ast::FromDisk) {
        let message = format!("`{name}` has more than {} cells", group_digits(MAX_CELLS as u64));
        let said = Diagnostic::new(Code::BAD_FIXTURE, message, from.path.span, "too many to be read");
        self.report(said.help("declare only the columns that you need, match fewer files, or split the view"));
    }

    /// Reports records of files that nothing reads, because they might be intended as rows.
    pub(super) fn report_unread_rows<'c>(
        &mut self,
        parts: impl Iterator<Item = (&'c UnreadRegions, usize)>,
        sources: &[Source],
        format: Format,
        from: &'a ast::FromDisk,
    ) {
        /// The number of records for a title, a blank line, and a note.
        const FEW: u32 = 3;
        for ((cut, rows), source) in parts.zip(sources) {
            let below = &cut.below;
            if below.records > FEW {
                let message = format!(
                    "{} of `{}` are never read",
                    format_count(below.records, record_word(format)),
                    source.inner
                );
                let at = from.options.iter().find(|option| option.kind.word() == "until");
                let at = at.map_or(from.path.span, |option| option.span);
                let said = Diagnostic::new(Code::UNREAD_ROWS, message, at, "the rows end before them");
                self.report(said.note(describe_first_left(below)).help("if they are rows, change `until`"));
                return;
            }
            let between = &cut.between;
            if between.records > 0 {
                let rows = between.records as usize + rows;
                let message = format!(
                    "{} of {} of `{}` do not match `line`",
                    between.records,
                    format_count(rows as u32, "line"),
                    source.inner
                );
                let at =
                    from.body.as_ref().and_then(|body| body.lines.first()).map_or(from.path.span, |line| line.span);
                let said = Diagnostic::new(Code::UNREAD_ROWS, message, at, "they are not rows");
                self.report(said.note(describe_first_left(between)).help("if they are rows, change `line`"));
                return;
            }
        }
    }
}

/// The first lines above a header.
pub(super) fn list_title(cut: &UnreadRegions) -> Vec<String> {
    cut.above.shown.iter().map(|shown| shown.text.clone()).collect()
}

fn describe_first_left(left: &UnreadRecords) -> String {
    left.shown.first().map_or_else(String::new, |shown| format!("the first is line {}: `{}`", shown.line, shown.text))
}

/// Returns the values of a column and their common type. Decimals get the maximum number of decimal places.
pub(super) fn unify_column_type(ty: CellType, values: Vec<Value>) -> (ValueType, Vec<Value>) {
    let plain = match ty {
        CellType::Int => ValueType::Int,
        CellType::Float => ValueType::Float,
        CellType::Date => ValueType::Date,
        CellType::DateTime => ValueType::DateTime,
        CellType::Bool => ValueType::Bool,
        CellType::Text => ValueType::Text,
        CellType::Decimal(places) => {
            let written = values.iter().filter_map(|value| match value {
                Value::Decimal(value) => Some(value.places()),
                _ => None,
            });
            let most = places.unwrap_or_else(|| written.max().unwrap_or(0)).min(MAX_PLACES);
            let rescaled = |value: &Value| match value {
                Value::Decimal(value) => value.with_places(most).map(Value::Decimal),
                Value::Int(value) => Decimal::from_int(*value).with_places(most).map(Value::Decimal),
                other => Some(other.clone()),
            };
            return match values.iter().map(rescaled).collect::<Option<Vec<Value>>>() {
                Some(values) => (ValueType::Decimal(most), values),
                // A number has too many digits for these decimal places.
                None => {
                    let doubles = values.into_iter().map(|value| value.as_f64().map_or(Value::Null, Value::Float));
                    (ValueType::Float, doubles.collect())
                }
            };
        }
    };
    (plain, values)
}
