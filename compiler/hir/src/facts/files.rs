//! The facts of what is read from files: numbers of lines, words, and items.

use model::Value;
use model::domain::LoremUnit;
use model::functions::{Family, FunctionId, Kernel, Question, Reader};
use model::suite::{FileId, Scope, Shape};

use super::bounds::{count_lorem_parts, infer_lorem_bounds};
use super::steps::{Step, follow_steps, read_steps};
use super::words::count_words;
use super::{Fact, Facts, infer_count_bounds, sum_range};
use crate::types::{Ty, TyKind};
use crate::{Arg, DrawDomain, Expr, FileContent};
use syntax::bounds::Bounds;

impl<'a> Facts<'a> {
    /// The number of lines of a text file.
    pub fn count_lines(&self, file: FileId) -> Bounds {
        match self.task.files.get(file).map(|file| &file.content) {
            Some(FileContent::TextLines { relation, form: None, .. }) => self.count_rows(*relation),
            Some(FileContent::ComputedText(text)) => self.count_lines_of(&self.infer_expr(text, Scope::default())),
            _ => self.count_lorem(file, LoremUnit::Lines),
        }
    }

    /// At most the number of lines of a text.
    fn count_lines_of(&self, text: &Fact<'_>) -> Bounds {
        let count = |text: &Value| text.as_text().map(|text| text.matches(['\n', '\r']).count() as u64 + 1);
        let most = text.closed.as_deref().and_then(|texts| texts.iter().map(count).max()?);
        Bounds { least: 0, most: most.unwrap_or(u64::MAX) }
    }

    /// The number of words of a text file.
    pub fn count_words(&self, file: FileId) -> Bounds {
        let Some(own) = self.task.files.get(file) else { return Bounds::ANY };
        match &own.content {
            FileContent::ComputedText(text) if own.form.is_none() => count_words(self, text, own.surrounding_scope()),
            FileContent::TextLines { relation, line, form: None } if own.form.is_none() => {
                count_words(self, line, Scope::with_row(*relation)).multiply_by(self.count_rows(*relation))
            }
            _ => self.count_lorem(file, LoremUnit::Words),
        }
    }

    fn count_lorem(&self, file: FileId, unit: LoremUnit) -> Bounds {
        let Some(FileContent::DrawnText(draw)) = self.task.files.get(file).map(|file| &file.content) else {
            return Bounds::ANY;
        };
        let known = match &draw.domain {
            DrawDomain::Lorem { unit: has, low, high } => {
                let number = |bound: &'a Expr| self.infer_expr(bound, Scope::default());
                count_lorem_parts(*has, infer_count_bounds(&number(low), &number(high)), unit)
            }
            _ => infer_lorem_bounds(draw, unit),
        };
        known.unwrap_or(Bounds::ANY)
    }

    /// The number of items of an array to which keys lead.
    fn count_items<'t>(&self, shape: &Shape, keys: impl Iterator<Item = &'t str>) -> Option<Bounds> {
        let Shape::Array(relation, _) = follow_keys(shape, keys)? else { return None };
        self.count_rows(*relation).into()
    }

    /// The fact of an int that a path of keys leads to, or of a number of those that a path leads to.
    pub(super) fn infer_path_value(&self, function: FunctionId, args: &'a [Arg], ty: &Ty) -> Option<Fact<'a>> {
        let (Kernel::Path(family, question), [Arg::File(file), Arg::Path(path)]) = (function.kernel, args) else {
            return None;
        };
        let content = &self.task.files.get(*file)?.content;
        let shape = content.shape()?;
        let found = match question {
            Question::Value if family != Family::Xml => follow_keys(shape, path.text.strip_prefix("$.")?.split('.'))?,
            Question::Sum | Question::Max | Question::Min => {
                let steps = read_steps(family, &path.text)?;
                let is_root = |step: &Step| matches!((step, content), (Step::Deep(name), FileContent::Tree { root: Some(root), .. }) if name == root);
                follow_steps(self, shape, family, &steps).filter(|_| !steps.iter().any(is_root))?.shape
            }
            _ => return None,
        };
        let Shape::Cell(relation, column) = found else { return None };
        let is_int = self.task.find_column((*relation, *column))?.ty.kind == TyKind::Int && ty.kind == TyKind::Int;
        let cell = self.lookup_column(*relation, *column);
        let cell = match question {
            _ if !is_int => return None,
            // One of them or more are added; without any, the sum is null.
            Question::Sum => {
                let ends = sum_range(cell.range.as_ref()?, 1, self.count_rows(*relation).most)?;
                Fact::from_range(ends.0, ends.1).with_null_if(cell.nullable)
            }
            _ => cell,
        };
        Some(Fact { unique: false, ..cell.with_null_if(ty.nullable) })
    }

    /// The fact of a number that is counted in a file.
    pub(super) fn infer_counted(&self, function: FunctionId, args: &'a [Arg]) -> Option<Fact<'a>> {
        let bounds = match (function.kernel, args) {
            (Kernel::Reads(Reader::LineCount), [Arg::File(file)]) => self.count_lines(*file),
            (Kernel::Reads(Reader::WordCount), [Arg::File(file)]) => self.count_words(*file),
            (Kernel::Path(Family::Json | Family::Yaml, Question::Count), [Arg::File(file), Arg::Path(path)]) => {
                let shape = self.task.files.get(*file)?.content.shape()?;
                self.count_items(shape, path.text.strip_prefix("$.")?.split('.'))?
            }
            (Kernel::Path(Family::Xml, Question::Count), [Arg::File(file), Arg::Path(path)]) => {
                let FileContent::Tree { root: Some(root), shape } = &self.task.files.get(*file)?.content else {
                    return None;
                };
                let rest = path.text.strip_prefix('/')?.strip_prefix(root.as_str())?.strip_prefix('/')?;
                self.count_items(shape, rest.split('/'))?
            }
            _ => return None,
        };
        let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        Some(Fact::from_range(int(bounds.least), int(bounds.most)))
    }
}

/// What keys lead to, from object to object.
fn follow_keys<'s, 't>(shape: &'s Shape, mut keys: impl Iterator<Item = &'t str>) -> Option<&'s Shape> {
    keys.try_fold(shape, |shape, key| match shape {
        Shape::Object(fields) => {
            fields.iter().find(|field| field.key == key && !field.attribute).map(|field| &field.shape)
        }
        _ => None,
    })
}
