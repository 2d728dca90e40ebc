//! Diagnostics for cells that do not fit the declaration of their column.

use std::sync::Arc;

use model::Value;
use model::suite::Told;
use model::value::group_digits;
use tables::limits::MAX_BYTES;
use tables::{
    CellType, ColumnFormat, ColumnNote, DomainChecker, DomainViolation, Misfit, Misfits, Pattern, Place, Proposal,
    Proposed, SplitFormat, TextSide, TwoPatterns,
};

use super::fixes;
use super::shape::{DeclaredColumn, DeclaredTable, is_nullable};
use super::sources::{Origins, Source};
use super::styles::with_article;
use crate::context::Checker;
use crate::lakes::LakeChecker;
use hir::fixture::notes;
use syntax::ast::StyleKind;
use syntax::diagnostics::{Applicability, Code, Diagnostic, Edit, Fix};
use syntax::string::quote_string;

/// The maximum number of cells that are shown.
const SHOWN: usize = 5;

/// The cells of one column that do not fit, in all files.
#[derive(Default)]
pub(super) struct ColumnMisfits {
    pub count: usize,
    /// The place, the text, and an explanation of the first cells.
    pub first: Vec<(String, String, String)>,
    /// Two patterns that read the same cell differently.
    pub two_readings: Option<(usize, usize)>,
    /// Whether any cell has a fraction of a second.
    pub fraction: bool,
    /// Whether any cell does not match the pattern that splits it.
    pub unsplit: bool,
}

impl ColumnMisfits {
    /// Adds the cells of one file.
    pub fn add_misfits(&mut self, path: &str, misfits: &Misfits, ty: CellType) {
        self.count += misfits.count;
        for (line, cell, misfit) in &misfits.first {
            if self.first.len() < SHOWN {
                let place =
                    if *line == 0 { format!("the header of `{path}`") } else { format!("line {line} of `{path}`") };
                self.first.push((place, cell.clone(), explain_misfit(misfit, ty, cell)));
            }
        }
        self.fraction |= misfits.first.iter().any(|(_, _, misfit)| *misfit == Misfit::Fraction);
        self.unsplit |= misfits.first.iter().any(|(_, _, misfit)| *misfit == Misfit::Unsplit);
        let ambiguous = misfits.first.iter().find_map(|(_, _, misfit)| match misfit {
            Misfit::TwoReadings { first, second } => Some((*first, *second)),
            _ => None,
        });
        self.two_readings = self.two_readings.or(ambiguous);
    }
}

/// Explains why a cell does not fit, unless that is obvious from its text.
fn explain_misfit(misfit: &Misfit, ty: CellType, cell: &str) -> String {
    match misfit {
        Misfit::Empty | Misfit::Unreadable => String::new(),
        Misfit::Unsplit => ", which does not match `line`".to_owned(),
        Misfit::Unwritten => ", which is not as `written` says".to_owned(),
        Misfit::TooLarge => format!(", which is too large for {}", with_article(ty)),
        Misfit::Places(0) => ", which has decimals".to_owned(),
        Misfit::Places(most) => format!(", which has more than {most} places"),
        Misfit::Grouped => {
            let (whole, digits) = (cell.trim().split('.').next().unwrap_or_default(), cell.trim().replace('.', ""));
            format!(", which is {whole} with a decimal point, and {digits} with groups of digits")
        }
        Misfit::Currency(first) => format!(", where another field has `{first}`"),
        Misfit::NoSuchDay => ", which is not in the calendar".to_owned(),
        Misfit::Fraction => ", which has a fraction of a second: a datetime has whole seconds".to_owned(),
        Misfit::TwoReadings { .. } => ", which two patterns read differently".to_owned(),
    }
}

impl<'a> LakeChecker<'_, '_, 'a> {
    /// Checks that all values of a column are in its domain. Reports it if not. `written` returns the text of a field in the file.
    pub(super) fn prove_cells(
        &mut self,
        proved: &DeclaredColumn<'a>,
        values: &[Value],
        origins: &Origins<'_>,
        mut written: impl FnMut(&mut Checker<'a>, usize) -> Option<String>,
    ) -> bool {
        let domain = &proved.domain;
        let proof = domain.within.as_ref().map(DomainChecker::new);
        let mut wrong = ColumnMisfits::default();
        // Whether all values would be in the domain without the spaces at their ends.
        let mut blanks = true;
        let mut empty = 0;
        for (row, value) in values.iter().enumerate().filter(|(_, value)| !value.is_null()) {
            let why = if domain.except.iter().any(|except| except.is_same(value)) {
                ", which is excepted".to_owned()
            } else {
                match proof.as_ref().map(|proof| proof.check_value(value)) {
                    None | Some(Ok(())) => continue,
                    Some(Err(DomainViolation::Below(low))) => format!(", less than {}", low.render_text()),
                    Some(Err(DomainViolation::Above(high))) => format!(", more than {}", high.render_text()),
                    Some(Err(DomainViolation::Step)) => ", which is between two steps".to_owned(),
                    Some(Err(DomainViolation::List | DomainViolation::Pattern)) => String::new(),
                }
            };
            wrong.count += 1;
            blanks &= matches!(value, Value::Text(text) if text.trim() != &**text
                && proof.as_ref().is_some_and(|proof| proof.check_value(&Value::from_text(text.trim())).is_ok()));
            empty += usize::from(matches!(value, Value::Text(text) if text.trim().is_empty()));
            if wrong.first.len() < SHOWN {
                let text = written(self.task.cx, row).unwrap_or_else(|| value.render_text().into_owned());
                wrong.first.push((origins.describe_line_in_file(row), text, why));
            }
        }
        if wrong.count == 0 {
            return true;
        }
        let message = match wrong.count {
            1 => format!("a field of `{}` is not in its domain", proved.name.text),
            count => {
                format!("{} fields of `{}` are not in its domain", group_digits(count as u64), proved.name.text)
            }
        };
        let said = Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, message, domain.span, "declared here");
        let said = said.note(render_misfits(&wrong));
        let name = &proved.name.text;
        self.task.cx.report(match (empty, wrong.count - empty) {
            (0, _) if blanks => {
                let computed = format!("read `_{name} : text`, and compute {name} = trim(_{name})");
                said.help(format!("they have blanks at their ends: {computed}"))
            }
            (0, _) => said.help("widen the domain, or correct the file"),
            (_, rest) => {
                let marks = [String::new()];
                let help = "make empty fields null: as missing [\"\"]";
                let said = match rest {
                    0 => said.help(help),
                    _ => said.help(format!("{help}; for the others, widen the domain, or correct the file")),
                };
                let patterns = proved.spots.styles.iter().any(|style| matches!(style.kind, StyleKind::Written(..)));
                // A fix would remove the other marks and patterns of the column.
                let edit = fixes::build_style_edit(&proved.spots, &[], &marks)
                    .filter(|_| !patterns && !is_nullable(proved.spots.styles));
                fixes::offer_choices(said, edit)
            }
        });
        false
    }
}

impl<'a> Checker<'a> {
    /// Reports cells that do not have the type of their column.
    pub(super) fn report_misfits(
        &mut self,
        declared: &DeclaredTable<'a>,
        column: usize,
        wrong: &ColumnMisfits,
        sources: &[Source],
    ) {
        let Some(proved) = declared.read.get(column) else { return };
        let name = &proved.name.text;
        let ty = proved.domain.ty;
        if let Some((first, second)) = wrong.two_readings {
            let pattern = |at: usize| declared.shape.reading(column)?.written.get(at).map(Pattern::source);
            let (Some(first), Some(second), Some((_, cell, _))) =
                (pattern(first), pattern(second), wrong.first.first())
            else {
                return;
            };
            let message = format!("{} has two readings", quote_cell(cell));
            let label = format!("`{first}` and `{second}` both match");
            let said = Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, message, proved.domain.span, label);
            let help = format!("remove the pattern that `{name}` is not written with");
            let said = said.note(render_misfits(wrong)).help(help);
            self.report(
                [first, second]
                    .into_iter()
                    .fold(said, |said, other| offer_pattern_removal(said, declared, column, other)),
            );
            return;
        }
        if wrong.unsplit {
            let message = match wrong.count {
                1 => format!("a field with `{name}` does not match `line`"),
                count => format!("{} fields with `{name}` do not match `line`", group_digits(count as u64)),
            };
            let said = Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, message, proved.domain.span, "declared here");
            let help = "change `line`, or make such fields null in each of its columns: as missing [\"\"]";
            self.report(said.note(render_misfits(wrong)).help(help));
            return;
        }
        let message = match wrong.count {
            1 => format!("a field of `{name}` is not {}", with_article(ty)),
            count => format!("{} fields of `{name}` are not {}s", group_digits(count as u64), ty.name()),
        };
        let mut note = render_misfits(wrong);
        let read = self.read_again(declared, sources).unwrap_or_default();
        let files = sources.iter().zip(&read).map(|(source, bytes)| (source.inner.as_str(), &**bytes));
        let Proposed { proposal, seen } = match read.is_empty() {
            true => Proposed::default(),
            false => tables::propose_reading(&declared.shape, column, files),
        };
        let percent = matches!(&proposal, Some(Proposal::Way { way, .. }) if way.ty.is_number() && way.written.iter().any(|told| told.pattern.contains('%')));
        if percent {
            note.push_str("\n`%` in a pattern divides by 100: `50%` is 0.5");
        }
        // Facts that keep the fields from being read, or that a proposal assumes.
        let is_known = |seen: &&ColumnNote| match seen {
            ColumnNote::Missing(_) => true,
            ColumnNote::Percent(_) => percent,
            _ => false,
        };
        // What a proposal takes marks for is said with it: `Negative`, `Multiples`.
        for seen in seen.iter().filter(|seen| !is_known(seen)) {
            note.push('\n');
            note.push_str(&notes::describe_seen(seen));
        }
        let (mut edits, mut retyped) = (Vec::new(), None);
        let help = match proposal {
            Some(Proposal::Way { way, missing, marks }) => {
                if way.ty == ty {
                    let own = if marks.is_empty() { select_own_marks(proved, &missing) } else { &missing };
                    edits.extend(fixes::build_style_edit(&proved.spots, &way.written, own));
                } else {
                    retyped = self.build_retype_fix(proved, &way, &missing, &marks);
                }
                suggest_declaration(name, ty, &way, &missing, &marks)
            }
            Some(Proposal::Grouped { pattern, cell }) => {
                let (pattern, cell) = (quote_string(&pattern), quote_cell(&cell));
                note.push_str(&format!(
                    "\n`int as written {pattern}` and `decimal` both read every field, but {cell} differently"
                ));
                format!("choose the one that the file means: {name} : int as written {pattern} or {name} : decimal")
            }
            Some(Proposal::Either(TwoPatterns { first, second, cell })) => {
                let cell = quote_cell(&cell);
                note.push_str(&format!("\n`{first}` and `{second}` both read every field, but {cell} differently"));
                let missing = declared.shape.reading(column).map_or(&[][..], |reading| &reading.missing);
                let own = select_own_marks(proved, missing);
                let styled = |pattern: &String| fixes::build_style_edit(&proved.spots, &[pattern.clone().into()], own);
                edits.extend([&first, &second].into_iter().filter_map(styled));
                let (first, second) = (quote_string(&first), quote_string(&second));
                format!("choose the one that the file means: as written {first} or as written {second}")
            }
            Some(Proposal::Split { split, missing }) => suggest_split(declared, column, name, (&split, &missing)),
            None if wrong.fraction => {
                format!("read `{name}` as text, and take the parts that you need with `slice`: {name} : text")
            }
            None => format!("read the column as it is, and compute from it: {name} : text"),
        };
        let said = Diagnostic::new(Code::FIELD_NOT_IN_DOMAIN, message, proved.domain.span, "declared here");
        let mut said = fixes::offer_choices(said.note(note).help(help), edits);
        said.fixes.extend(retyped);
        self.report(said);
    }

    /// Builds a fix that changes the type of a column whose domain is only a type, together with the null marks that it needs.
    fn build_retype_fix(
        &self,
        proved: &DeclaredColumn<'a>,
        way: &ColumnFormat,
        missing: &[String],
        marks: &[String],
    ) -> Option<Fix> {
        let at = proved.domain.span;
        if self.sources.text(at) != proved.domain.ty.name() {
            return None;
        }
        let styles = match (proved.spots.styles, way.written.as_slice(), marks) {
            ([], [], []) => None,
            (.., []) => Some(fixes::build_style_edit(&proved.spots, &way.written, select_own_marks(proved, missing))?),
            _ => Some(fixes::build_style_edit(&proved.spots, &way.written, missing)?),
        };
        let edits = std::iter::once((at, way.ty.name().to_owned())).chain(styles);
        let edits = edits.map(|(span, text)| Edit { span, text }).collect();
        let message = format!("declare `{}` as {}", proved.name.text, way.ty.name());
        Some(Fix { message, applicability: Applicability::Unsafe, edits })
    }

    /// Reads the files of a view again, for a proposal that fits all of them. Returns `None` if they are too large to be in memory at once.
    fn read_again(&mut self, declared: &DeclaredTable<'a>, sources: &[Source]) -> Option<Vec<Arc<[u8]>>> {
        let at = declared.read.first()?.at;
        let mut held = Vec::new();
        let mut size = 0usize;
        for source in sources {
            let bytes = self.read_source(source, declared.shape.layout.format, at)?;
            size = size.saturating_add(bytes.len());
            if size > MAX_BYTES {
                return None;
            }
            held.push(bytes);
        }
        Some(held)
    }
}

/// Suggests a declaration with which all cells can be read.
fn suggest_declaration(name: &str, ty: CellType, way: &ColumnFormat, missing: &[String], marks: &[String]) -> String {
    let null = || {
        let known =
            marks.iter().map(|mark| if mark.is_empty() { "empty fields".to_owned() } else { format!("`{mark}`") });
        known.collect::<Vec<_>>().join(" and ")
    };
    let marked = if marks.is_empty() { &[][..] } else { missing };
    let styles = notes::render_style_clause(&way.written, marked);
    let other = way.ty.name();
    match (way.ty == ty, way.written.is_empty(), marks.is_empty()) {
        (false, _, true) => format!("declare it as {other}: {name} : {other}{styles}"),
        (false, _, false) => format!("declare it as {other}, and make {} null: {name} : {other}{styles}", null()),
        (true, _, true) => format!("write how the fields are written:{styles}"),
        (true, true, false) => format!("make {} null:{styles}", null()),
        (true, false, false) => format!("write how the fields are written, and make {} null:{styles}", null()),
    }
}

/// Suggests two columns for the cells of one.
fn suggest_split(
    declared: &DeclaredTable<'_>,
    column: usize,
    name: &str,
    (split, missing): (&SplitFormat, &[String]),
) -> String {
    let text = name_text(name, split);
    let place = match declared.shape.columns.get(column).map(|column| &column.place) {
        Some(Place::Header(header)) => quote_string(header),
        Some(Place::Position(at)) => at.to_string(),
        _ => return format!("read the column as it is, and compute from it: {name} : text"),
    };
    let styles = notes::render_style_clause(&split.number.written, missing);
    let nulls = notes::render_style_clause(&[], missing);
    let (line, ty) = (split.render_line(name, &text), split.number.ty.name());
    format!("read it as two columns: line \"{line}\" from {place}  {name} : {ty}{styles}  {text} : text{nulls}")
}

/// Returns a name for the text next to the numbers of a column.
fn name_text(name: &str, split: &SplitFormat) -> String {
    let part = if split.side == TextSide::Before { "TAG" } else { "UNIT" };
    format!("{name}_{part}")
}

/// Returns `marks` if the column declares its own null marks, and nothing if they come from the path.
fn select_own_marks<'m>(proved: &DeclaredColumn<'_>, marks: &'m [String]) -> &'m [String] {
    if is_nullable(proved.spots.styles) { marks } else { &[] }
}

/// Adds a fix that removes one of the patterns of a column.
fn offer_pattern_removal(said: Diagnostic, declared: &DeclaredTable<'_>, column: usize, pattern: &str) -> Diagnostic {
    let edit = || {
        let (proved, reading) = declared.read.get(column).zip(declared.shape.reading(column))?;
        let others = reading.written.iter().filter(|other| other.source() != pattern);
        let written: Vec<Told> = others.map(Pattern::to_told).collect();
        fixes::build_style_edit(&proved.spots, &written, select_own_marks(proved, &reading.missing))
    };
    match edit() {
        Some((at, text)) => {
            said.fix(format!("remove `written {}`", quote_string(pattern)), Applicability::Unsafe, at, text)
        }
        None => said,
    }
}

/// Quotes a cell for messages, with at most 60 characters.
fn quote_cell(text: &str) -> String {
    let cut: String = text.chars().take(60).collect();
    if cut.len() < text.len() { format!("`{cut}…`") } else { format!("`{cut}`") }
}

/// Renders one line per cell, such as: line 9 of `x.csv` is `M`
fn render_misfits(wrong: &ColumnMisfits) -> String {
    let place = |place: &str, text: &str, why: &str| match text {
        "" => format!("{place} is empty"),
        text => format!("{place} is {}{why}", quote_cell(text)),
    };
    let mut lines: Vec<String> = wrong.first.iter().map(|(at, text, why)| place(at, text, why)).collect();
    if wrong.count > wrong.first.len() {
        lines.push(format!("and {} more", group_digits((wrong.count - wrong.first.len()) as u64)));
    }
    lines.join("\n")
}
