//! What is proved of a form in which a table is written: that whoever knows the form can read the table back.

use std::collections::BTreeSet;

use plan::domain::TemplatePart;
use plan::suite::{ColumnId, FARTHEST, FileId, Form, RelationId, Style};
use plan::{Domain, Span, Value};
use tabular::header::JOINT;
use tabular::{CellType, Dropped, Encoding, Line, Misfit, Pattern, PatternError, PatternErrorKind, Piece, Reading};

use super::written::{Seen, cell_type};
use crate::ast;
use crate::check::model::TaskChecker;
use crate::check::say::spell;
use crate::diagnostics::{Applicability, Code, Diagnostic};
use crate::facts::Fact;
use crate::hir::{self, Checked, ColumnSource, DrawDomain, Expr, ExprKind};

/// The most values of a column by which patterns are compared.
const MOST_EXAMPLES: usize = 400;

impl TaskChecker<'_, '_> {
    /// The column whose values another has: of the table that its rows are taken from, or that it refers to.
    pub(in crate::check) fn origin_of(&self, mut relation: RelationId, mut column: ColumnId) -> (RelationId, ColumnId) {
        for _ in 0..FARTHEST {
            let source = self.relations.get(relation).and_then(|decl| decl.columns.get(column)).map(|own| &own.source);
            (relation, column) = match source {
                Some(ColumnSource::Taken(of)) => match self.declared[relation].taken {
                    Some(from) => (from, *of),
                    None => break,
                },
                Some(ColumnSource::Compute(Expr { kind: ExprKind::Column(of), .. })) => (relation, *of),
                Some(ColumnSource::Draw { draw, .. }) => match &draw.domain {
                    DrawDomain::Ref { relation, column, .. } => (*relation, *column),
                    _ => break,
                },
                _ => break,
            };
        }
        (relation, column)
    }

    /// All values that a column can have besides null, where they are a list that is known.
    pub(super) fn closed_column(&self, relation: RelationId, column: ColumnId) -> Option<Vec<Value>> {
        let (relation, column) = self.origin_of(relation, column);
        let source = &self.relations.get(relation)?.columns.get(column)?.source;
        let fact = match source {
            ColumnSource::Draw { draw, .. } => match &draw.domain {
                DrawDomain::Fixed(domain) => Fact::of_domain(domain).closed,
                _ => None,
            },
            ColumnSource::Given(given) => given.seen.fact(&given.cells.values).closed.clone(),
            _ => None,
        };
        fact.map(|values| values.iter().cloned().collect())
    }

    /// Says why nothing can be written by a pattern.
    pub(super) fn say_unwritable(&mut self, error: &PatternError, source: &str, text: Span, column: &hir::Column) {
        let name = &column.name;
        let mut said = match &error.kind {
            PatternErrorKind::Drops(Dropped::Decimals { needed }) => {
                let places = match column.ty.kind {
                    crate::types::TyKind::Decimal(Some(places)) => places,
                    _ => *needed,
                };
                let unit = if places == 1 { "place" } else { "places" };
                Diagnostic::new(
                    Code::BAD_STYLE,
                    format!("`\"{source}\"` drops the decimals of `{name}`"),
                    text,
                    format!("`{name}` has {places} {unit}"),
                )
                .help("write as many zeros after the point")
            }
            PatternErrorKind::Drops(what) => {
                let (what, add) = match what {
                    Dropped::Year => ("year", "yyyy"),
                    Dropped::Month => ("month", "MM"),
                    Dropped::Day => ("day", "dd"),
                    _ => ("time", "HH:mm:ss"),
                };
                let message = format!("`\"{source}\"` drops the {what} of `{name}`");
                Diagnostic::new(Code::BAD_STYLE, message, text, "incomplete")
                    .help(format!("add `{add}` to the pattern"))
            }
            PatternErrorKind::OfFloat => Diagnostic::new(
                Code::BAD_STYLE,
                format!("`written` needs fixed places, but `{name}` is a float"),
                text,
                "of a float",
            )
            .help(format!("round({}, 2) has two places", spell(name))),
            _ => Diagnostic::new(Code::BAD_STYLE, format!("`{source}` can only be read"), text, "cannot be written")
                .help("write year, month, and day"),
        };
        said = said.label(column.span, "declared here");
        let wider = match &error.kind {
            PatternErrorKind::Drops(Dropped::Decimals { needed }) => with_places(source, *needed, &column.ty),
            _ => None,
        };
        if let Some(instead) = error.instead.as_ref().or(wider.as_ref()) {
            said = said.help(format!("write: written \"{instead}\""));
            let all = self.cx.sources.inside(text, source, (0, source.len()));
            if let Some(all) = all.filter(|_| !instead.contains(['"', '\\', '<'])) {
                said = said.fix(format!("replace with `{instead}`"), Applicability::Safe, all, instead.clone());
            }
        }
        self.cx.say(said);
    }

    /// The domain that all values of a column are drawn from, where nothing of it is left out.
    fn drawn_domain(&self, relation: RelationId, column: ColumnId) -> Option<&Domain> {
        let (relation, column) = self.origin_of(relation, column);
        match &self.relations.get(relation)?.columns.get(column)?.source {
            ColumnSource::Draw { draw, .. } if draw.except.is_empty() => match &draw.domain {
                DrawDomain::Fixed(domain) => Some(domain),
                _ => None,
            },
            _ => None,
        }
    }

    /// Values that a column can have: all, or some of them.
    fn examples(&self, relation: RelationId, column: ColumnId) -> Vec<Value> {
        if let Some(closed) = self.closed_column(relation, column) {
            return closed.into_iter().take(MOST_EXAMPLES).collect();
        }
        let Some(domain) = self.drawn_domain(relation, column) else { return Vec::new() };
        let Some(count) = domain.cardinality().filter(|count| *count > 0) else { return Vec::new() };
        let wanted = count.min(MOST_EXAMPLES as u128);
        (0..wanted).filter_map(|at| domain.value_at(at * (count - 1) / (wanted - 1).max(1))).collect()
    }

    /// Whether the styles of a column fit together and its values; says so if not.
    pub(super) fn proved_styles(&mut self, relation: RelationId, column: ColumnId, seen: &[Seen<'_>]) -> bool {
        let own = &self.relations[relation].columns[column];
        let (name, declared, ty) = (own.name.clone(), own.span, own.ty.clone());
        let Some(cell) = cell_type(&ty) else { return true };
        let marks = seen.iter().find_map(|seen| match &seen.style {
            Style::Missing(marks) => Some((marks.as_slice(), seen.ast)),
            _ => None,
        });
        if let Some((_, style)) = marks.filter(|_| !ty.nullable) {
            let message = format!("`missing` needs nulls, but `{name}` is never null");
            let said = Diagnostic::new(Code::BAD_STYLE, message, style.span, "writes nulls");
            let said = said.label(declared, "declared here");
            self.cx.say(said.help("remove `missing`, or let the column be null: blank 5%"));
            return false;
        }
        let mut patterns: Vec<(Pattern, &ast::Style)> = Vec::new();
        let mut usual = true;
        for seen in seen {
            if let Style::Written { pattern, share } = &seen.style {
                usual &= share.is_some();
                patterns.extend(Pattern::parse(pattern, cell).ok().map(|pattern| (pattern, seen.ast)));
            }
        }
        let examples = self.examples(relation, column);
        for (pattern, style) in &patterns {
            if let Some(lost) = examples.iter().find(|value| pattern.write(value).is_none()) {
                let lost = lost.render().into_owned();
                let at = pattern_span(style);
                let message = format!("`\"{}\"` cannot write {lost}", pattern.source());
                let said = Diagnostic::new(Code::BAD_STYLE, message, at, format!("`{name}` can be {lost}"));
                let help = match cell.is_calendar() {
                    true => "write the year with four digits: `yyyy`; `yy` means 1970 to 2069",
                    false => "choose a pattern that has room for every value",
                };
                self.cx.say(said.label(declared, "declared here").help(help));
                return false;
            }
        }
        let all: Vec<Pattern> = patterns.iter().map(|(pattern, _)| pattern.clone()).collect();
        let reading = tabular::write::reading(cell, false, &[], &all, usual);
        let written_marks = marks.map_or(&[][..], |(marks, _)| marks);
        self.one_reading(&reading, &patterns, &examples, (&name, declared))
            && self.marks_are_no_values((relation, column), &reading, written_marks, marks.map(|(_, style)| style))
    }

    /// Whether what a pattern writes is read as the same value by all of them; says so if not.
    fn one_reading(
        &mut self,
        reading: &Reading,
        patterns: &[(Pattern, &ast::Style)],
        examples: &[Value],
        (name, declared): (&str, Span),
    ) -> bool {
        for (index, (pattern, style)) in patterns.iter().enumerate() {
            for value in examples {
                let Some(cell) = pattern.write(value) else { continue };
                let other = match reading.read_text(&cell) {
                    Ok(_) => continue,
                    Err(Misfit::TwoReadings { first, second }) => {
                        if first == index {
                            second
                        } else {
                            first
                        }
                    }
                    Err(_) => continue,
                };
                let (source, at) = (pattern.source(), pattern_span(style));
                let said = match patterns.get(other) {
                    Some((second, other)) => Diagnostic::new(
                        Code::BAD_STYLE,
                        format!("`{source}` and `{}` cannot be told apart", second.source()),
                        at,
                        format!("both can match `{cell}`"),
                    )
                    .label(pattern_span(other), "the other pattern"),
                    None => Diagnostic::new(
                        Code::BAD_STYLE,
                        format!("`{source}` cannot be told from how `{name}` is usually written"),
                        at,
                        format!("`{cell}` has two readings"),
                    )
                    .label(declared, "declared here"),
                };
                self.cx.say(said.help("choose patterns of which each value fits one alone"));
                return false;
            }
        }
        true
    }

    /// Whether no mark of null is a value; says so if one is.
    fn marks_are_no_values(
        &mut self,
        (relation, column): (RelationId, ColumnId),
        reading: &Reading,
        marks: &[String],
        style: Option<&ast::Style>,
    ) -> bool {
        let own = &self.relations[relation].columns[column];
        let (name, declared, nullable) = (own.name.clone(), own.span, own.ty.nullable);
        let domain = self.drawn_domain(relation, column);
        let is_value = |mark: &str| match reading.read_text(mark) {
            Ok(value) => domain.is_some_and(|domain| domain.contains(&value)),
            Err(_) => false,
        };
        // Without marks, nulls are empty.
        let implied = [String::new()];
        let all = if marks.is_empty() && nullable { &implied[..] } else { marks };
        let Some(mark) = all.iter().find(|mark| is_value(mark)) else { return true };
        let shown = if mark.is_empty() { "\"\"" } else { mark.as_str() };
        let message = format!("`{shown}` is a null mark and a value of `{name}`");
        let said = match style {
            Some(style) => Diagnostic::new(Code::BAD_STYLE, message, style.span, "nulls are written so")
                .label(declared, "declared here")
                .help("use a mark that is not a value, such as \"n/a\""),
            None => Diagnostic::new(Code::BAD_STYLE, message, declared, "its nulls are empty fields")
                .help(format!("write nulls in another way: {} … as missing [\"n/a\"]", spell(&name))),
        };
        self.cx.say(said);
        false
    }

    /// Proves what can be proved of a form as a whole; `line` is that of a text.
    pub(super) fn proved_form(
        &mut self,
        file: FileId,
        form: &Form<Checked>,
        relation: RelationId,
        line: Option<&Expr>,
    ) {
        self.groups_in_order(form, relation);
        self.nulls_are_told(form, relation);
        self.rows_differ(file, form, relation);
        self.encoding_has_all(file, form, relation, line);
    }

    /// Where a table is read back, nulls of columns without styles are told from their values.
    fn nulls_are_told(&mut self, form: &Form<Checked>, relation: RelationId) {
        if self.declared[relation].taken.is_none() && !form.is_read_back() {
            return;
        }
        for column in self.column_ids(relation) {
            let own = &self.relations[relation].columns[column];
            let Some(cell) = cell_type(&own.ty).filter(|_| !own.helper && form.styles(column).is_empty()) else {
                continue;
            };
            if !self.marks_are_no_values((relation, column), &Reading::plain(cell), &[], None) {
                return;
            }
        }
    }

    /// Of a header of two rows, a column that is in no group may not come after one that is: it would be read into that group.
    fn groups_in_order(&mut self, form: &Form<Checked>, relation: RelationId) {
        if form.header != 2 {
            return;
        }
        let own = self.relations[relation].own_columns().filter(|(_, column)| !column.helper);
        let mut grouped: Vec<(&str, &hir::Column)> = Vec::new();
        for (_, column) in own {
            match column.name.split_once(JOINT) {
                Some((group, _)) => grouped.push((group, column)),
                None => {
                    let (Some((group, before)), Some((_, first))) = (grouped.last(), grouped.first()) else { continue };
                    let message = format!("column `{}` would join the group `{group}`", column.name);
                    let label = format!("after `{}`", before.name);
                    let said = Diagnostic::new(Code::BAD_STYLE, message, column.span, label);
                    let said = said.help(format!("move it before `{}`", first.name));
                    self.cx.say(said);
                    return;
                }
            }
        }
    }

    /// Rows that are there twice are told from rows that are alike by a key that is written.
    fn rows_differ(&mut self, file: FileId, form: &Form<Checked>, relation: RelationId) {
        let Some(share) = form.repeat.as_ref().filter(|share| share.value() != Some(&Value::Int(0))) else { return };
        let written = self.known_to_readers(file, relation);
        if self.keys_of(relation, FARTHEST).iter().any(|key| key.iter().all(|column| written.contains(column))) {
            return;
        }
        let from = self.declared[relation].taken.unwrap_or(relation);
        let table = self.relations[from].name.clone();
        let keys = self.keys_of(from, FARTHEST);
        let key = keys.iter().min_by_key(|key| key.len()).map(|key| {
            let names = key.iter().filter_map(|column| self.relations[from].columns.get(*column));
            names.map(|column| spell(&column.name)).collect::<Vec<_>>().join(" and ")
        });
        let at = self
            .bodies_of(file)
            .iter()
            .rev()
            .find_map(|body| body.repeats.first())
            .map_or(share.span, |repeat| repeat.span);
        let said = Diagnostic::new(
            Code::BAD_STYLE,
            "`rows repeat` needs rows that differ",
            at,
            format!("no key of `{table}` is written"),
        );
        self.cx.say(match key {
            Some(key) => said.help(format!("write {key} in a column")),
            None => said.help(format!("give `{table}` a key, such as ID : serial, and write it in a column")),
        });
    }

    /// The columns of a relation whose cells are in its file as they are: in columns of their own, or in the path.
    pub(in crate::check) fn known_to_readers(&self, file: FileId, relation: RelationId) -> BTreeSet<ColumnId> {
        let mut known = BTreeSet::new();
        for (id, column) in self.relations[relation].own_columns().filter(|(_, column)| !column.helper) {
            known.insert(id);
            known.extend(cell_of(&column.source));
        }
        let path = self.files[file].path.as_ref();
        let pieces = match path.map(|path| (&path.kind, path)) {
            Some((ExprKind::Concat(pieces), _)) => pieces.as_slice(),
            Some((_, path)) => std::slice::from_ref(path),
            None => &[],
        };
        known.extend(pieces.iter().filter(|_| self.files[file].split).filter_map(column_of));
        known
    }

    /// Columns of which no two rows of a relation have the same.
    pub(in crate::check) fn keys_of(&self, relation: RelationId, depth: usize) -> Vec<Vec<ColumnId>> {
        let (Some(decl), Some(known)) = (self.relations.get(relation), self.declared.get(relation)) else {
            return Vec::new();
        };
        let alone =
            decl.columns.iter_enumerated().filter(|(_, column)| hir::is_unique(&column.source) && !column.ty.nullable);
        let mut keys: Vec<Vec<ColumnId>> = alone.map(|(id, _)| vec![id]).collect();
        keys.extend(decl.constraints.iter().filter(|known| known.is_unique()).map(|known| known.columns.clone()));
        keys.extend(known.keys.iter().map(|key| key.iter().map(|at| ColumnId(*at as u32)).collect()));
        if let Some(from) = known.taken.filter(|_| depth > 0) {
            let here = |of: &ColumnId| {
                decl.columns.position(|column| matches!(column.source, ColumnSource::Taken(taken) if taken == *of))
            };
            let of_rel = self.keys_of(from, depth - 1);
            keys.extend(of_rel.iter().filter_map(|key| key.iter().map(here).collect::<Option<Vec<_>>>()));
        }
        // A column that is another's cells is a key where that is.
        let same = |id: &ColumnId| decl.columns.get(*id).and_then(|column| cell_of(&column.source));
        let copies: Vec<Vec<ColumnId>> = decl
            .columns
            .keys()
            .filter_map(|id| same(&id).filter(|of| keys.contains(&vec![*of])).map(|_| vec![id]))
            .collect();
        keys.extend(copies);
        keys
    }

    /// The encoding has every character that is surely written.
    fn encoding_has_all(&mut self, file: FileId, form: &Form<Checked>, relation: RelationId, line: Option<&Expr>) {
        let Some(encoding) = Encoding::of(&form.encoding).filter(|encoding| *encoding != Encoding::Utf8) else {
            return;
        };
        let options = self.options_of(file);
        let at = options.iter().find_map(|option| match &option.kind {
            ast::PathOptionKind::Encoding(text) => Some(text.span),
            _ => None,
        });
        let Some(at) = at else { return };
        let mut lacked: Option<(char, Span, String)> = None;
        let mut look = |text: &str, span: Span, what: &dyn Fn() -> String| {
            if lacked.is_none()
                && let Some(char) = encoding.lacks(text)
            {
                lacked = Some((char, span, what()));
            }
        };
        for text in form.above.iter().chain(&form.below).chain(line) {
            text.each(&mut |part| {
                if let ExprKind::Const(Value::Text(fixed)) = &part.kind {
                    look(fixed, part.span, &|| "written here".to_owned());
                }
            });
        }
        for (id, column) in self.relations[relation].own_columns().filter(|(_, column)| !column.helper) {
            if form.header > 0 && self.declared[relation].format.is_some_and(ast::Format::is_cells) {
                look(&column.name, column.span, &|| "in its name".to_owned());
            }
            for style in form.styles(id) {
                let texts: &[String] = match style {
                    Style::Written { pattern, .. } => std::slice::from_ref(pattern),
                    Style::Missing(marks) => marks,
                    Style::Case(_) | Style::Space(_) => &[],
                };
                texts.iter().for_each(|text| look(text, column.span, &|| "in its style".to_owned()));
            }
            for value in self.examples(relation, id) {
                look(&value.render(), column.span, &|| format!("in a value of `{}`", column.name));
            }
            if let Some(domain) = self.drawn_domain(relation, id) {
                for text in fixed_texts(domain) {
                    look(&text, column.span, &|| format!("in a value of `{}`", column.name));
                }
            }
        }
        let Some((char, span, label)) = lacked else { return };
        let message = format!("{} has no `{char}`", encoding.word());
        let said = Diagnostic::new(Code::BAD_STYLE, message, span, label).label(at, "written in this encoding");
        self.cx.say(said.help("choose an encoding that has it, such as \"utf-8\" or \"utf-16le\""));
    }

    /// Whether the cells of a line can be told from each other; says so if not.
    pub(super) fn proved_line(&mut self, relation: RelationId, line: &Expr, span: Span) {
        if line.is_broken() {
            return;
        }
        let parts = match &line.kind {
            ExprKind::Concat(parts) => parts.as_slice(),
            _ => std::slice::from_ref(line),
        };
        let mut pieces: Vec<(Piece, Span)> = Vec::new();
        for part in parts {
            let piece = match &part.kind {
                ExprKind::Const(value) => Piece::Text(value.render().into_owned()),
                ExprKind::Column(column) => {
                    let own = &self.relations[relation].columns[*column];
                    Piece::Column(usize::from(*column), cell_type(&own.ty).unwrap_or(CellType::Text))
                }
                _ => {
                    let said = Diagnostic::new(
                        Code::BAD_STYLE,
                        "only columns of a line can be read back",
                        part.span,
                        "computed here",
                    );
                    self.cx.say(said.help("compute it in a column, and name that in the line: <<NAME>>"));
                    return;
                }
            };
            pieces.push((piece, part.span));
        }
        let read: Vec<Piece> = pieces.iter().map(|(piece, _)| piece.clone()).collect();
        if let Err(error) = Line::new(&read) {
            let names: Vec<String> = self.relations[relation].columns.iter().map(|own| own.name.clone()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            self.say_line(error, &pieces, &names, span, false);
        }
    }
}

/// The column of its row that a column is computed as.
fn cell_of(source: &ColumnSource) -> Option<ColumnId> {
    match source {
        ColumnSource::Compute(value) => column_of(value),
        _ => None,
    }
}

fn column_of(expr: &Expr) -> Option<ColumnId> {
    match expr.kind {
        ExprKind::Column(column) => Some(column),
        _ => None,
    }
}

/// Where the pattern of a style is.
fn pattern_span(style: &ast::Style) -> Span {
    match &style.kind {
        ast::StyleKind::Written(text, _) => text.span,
        _ => style.span,
    }
}

/// All characters that values of a domain may have, where these are few; of texts with drawn parts those of their fixed parts too.
fn fixed_texts(domain: &Domain) -> Vec<String> {
    match domain {
        Domain::Pattern(pattern) => vec![pattern.characters().collect()],
        Domain::Template { parts } => parts
            .iter()
            .flat_map(|part| match part {
                TemplatePart::Text(text) => vec![text.clone()],
                TemplatePart::Domain(domain) => fixed_texts(domain),
            })
            .collect(),
        Domain::OneOf { .. } | Domain::Weighted { .. } => {
            domain.closed().iter().flatten().map(|value| value.render().into_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// A pattern of numbers that has as many places as are needed.
fn with_places(source: &str, needed: u8, ty: &crate::types::Ty) -> Option<String> {
    let at = source.rfind('0')? + 1;
    let (head, tail) = source.split_at(at);
    let has = head.len() - head.trim_end_matches('0').len();
    let needed = usize::from(needed);
    let zeros = |count: usize| "0".repeat(count);
    let more = needed.checked_sub(has).map(zeros);
    let ways = [more.unwrap_or_default(), format!(".{}", zeros(needed)), format!(",{}", zeros(needed))];
    let fits = |pattern: &String| Pattern::parse(pattern, cell_type(ty)?).ok()?.for_writing().ok();
    ways.iter().map(|way| format!("{head}{way}{tail}")).find(|pattern| fits(pattern).is_some())
}
