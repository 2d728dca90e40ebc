//! The facts of what is read from files: numbers of lines, words, and items.

use model::Value;
use model::domain::LoremUnit;
use model::functions::{Family, FunctionId, Kernel, Question, Reader};
use model::suite::{FileId, Scope, Shape};

use super::bounds::{count_lorem_parts, infer_lorem_bounds};
use super::{Fact, Facts, infer_count_bounds};
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
        self.count_lorem(file, LoremUnit::Words)
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

    /// The fact of a number that is counted in a file.
    pub(super) fn infer_counted(&self, function: FunctionId, args: &'a [Arg]) -> Option<Fact<'a>> {
        let bounds = match (function.kernel, args) {
            (Kernel::Reads(Reader::LineCount), [Arg::File(file)]) => self.count_lines(*file),
            (Kernel::Reads(Reader::WordCount), [Arg::File(file)]) => self.count_words(*file),
            (Kernel::Path(Family::Json | Family::Yaml, Question::Count), [Arg::File(file), Arg::Path(path)]) => {
                let shape = self.task.files.get(*file)?.content.shape()?;
                let names = path.text.strip_prefix("$.")?.split('.');
                let found = names.into_iter().try_fold(shape, |shape, name| match shape {
                    Shape::Object(fields) => fields.iter().find(|field| field.key == name).map(|field| &field.shape),
                    _ => None,
                });
                let Shape::Array(relation, _) = found? else { return None };
                self.count_rows(*relation)
            }
            _ => return None,
        };
        let int = |count: u64| Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        Some(Fact::from_range(int(bounds.least), int(bounds.most)))
    }
}
