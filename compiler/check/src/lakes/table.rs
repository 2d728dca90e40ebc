//! The declaration of a table that is read from files.

use model::format::Holds;
use model::{Format, Span};
use syntax::ast::{self, Ident};

/// The declaration of a table that is read from files.
pub(crate) struct Table<'a> {
    pub format: Format,
    pub format_at: Span,
    /// `: TABLE`
    pub table: Option<&'a Ident>,
    pub from: &'a ast::FromDisk,
}

impl<'a> Table<'a> {
    /// Returns the table of a fixture.
    pub fn from_fixture(data: &'a ast::Data, from: &'a ast::FromDisk) -> Table<'a> {
        Table { format: data.format, format_at: data.format_span, table: data.table.as_ref(), from }
    }

    /// Checks whether the file of a fixture is read as declared: the declaration selects a sheet of a workbook, or says more about reading.
    pub fn is_read_as_declared(&self) -> bool {
        let mut options = self.from.options.iter();
        self.has_read_options() || options.any(|option| option.kind.word() == "sheet")
    }

    /// Checks whether the declaration contains more about reading the file than its format implies.
    pub fn has_read_options(&self) -> bool {
        let plain =
            |option: &ast::PathOption| ["delimiter", "sheet", "quoted", "crlf", "bom"].contains(&option.kind.word());
        // In these formats, the rows must be selected, or every option says how the file is read.
        let chosen = matches!(self.format.holds, Holds::Elements | Holds::Page | Holds::Cells(0) | Holds::Columns);
        chosen || self.table.is_some() || self.from.body.is_some() || !self.from.options.iter().all(plain)
    }
}
