//! Blocks that are parsed part by part: the settings of a suite, the statements of a task, the tables and columns of a file.

use super::{Context, Part, Recovery};
use crate::ast::{Body, Content, Setting, Stmt, StmtKind, TableStmt};
use crate::parse::ast_builder::{AstBuilder, NameOf};
use crate::parse::grammar::{Pair, Rule};
use crate::parse::limits::HOPELESS;
use crate::words::{self, Class};

impl Recovery<'_, '_> {
    /// Passes each part between two tokens to `read`, which returns the first token after what it has read.
    pub(super) fn recover_parts(
        &mut self,
        mut from: usize,
        limit: usize,
        context: Context,
        mut read: impl FnMut(&mut Self, Part) -> usize,
    ) {
        while self.skip_docs(from, limit) < limit && self.count_reported() < HOPELESS {
            let to = self.find_segment_end(from, limit, context);
            let head = self.skip_docs(from, limit);
            from = read(self, Part { from, head, to, limit, context });
        }
    }

    /// Reads a part whose block is parsed part by part, and explains it as a whole if none of its parts has an error. `read` also returns the index of the
    /// `{`. Returns the first token after the part.
    pub(super) fn recover_block<T>(
        &mut self,
        part: Part,
        read: impl FnOnce(&mut Self) -> Option<(T, usize)>,
    ) -> (Option<T>, usize) {
        let before = self.count_reported();
        let found = read(self);
        let next = found.as_ref().map_or(part.to, |(_, open)| self.blocks.skip_group(*open).min(part.limit));
        if found.is_none() || self.count_reported() == before {
            self.report_junk(part.from, part.to, part.context);
        }
        (found.map(|(found, _)| found), next.max(part.from + 1))
    }

    pub(super) fn recover_settings(&mut self, from: usize, limit: usize) -> Vec<Setting> {
        let mut settings = Vec::new();
        self.recover_parts(from, limit, Context::Setting, |this, part| {
            let Some((pair, next)) = this.try_parse(Rule::setting, part.from, part.to) else {
                this.report_junk(part.from, part.to, Context::Setting);
                return part.to;
            };
            settings.extend(this.walker.parse_setting(pair));
            next
        });
        settings
    }

    pub(super) fn recover_statements(&mut self, from: usize, limit: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        self.recover_parts(from, limit, Context::Statement, |this, part| {
            if let Some((pair, next)) = this.try_parse(Rule::stmt, part.from, part.to) {
                body.extend(this.walker.parse_stmt(pair));
                return next;
            }
            let (kind, next) = this.recover_block(part, |this| this.recover_statement_block(part.head, part.to));
            if let Some(kind) = kind.or_else(|| this.salvage_statement(part.head, part.to)) {
                let span = this.walker.make_span(this.token_start(part.head), this.end_before(next));
                body.push(Stmt { doc: this.collect_doc(part.from, part.head), kind, span });
            }
            next
        });
        body
    }

    /// Parses a statement with a block part by part. Also returns the index of its `{`.
    fn recover_statement_block(&mut self, head: usize, to: usize) -> Option<(StmtKind, usize)> {
        match self.blocks.text(head) {
            "variant" if self.blocks.is_missing_brace(head + 1) || self.is_token(head + 2, "{") => {
                let name = self.parse_name(head + 1, NameOf::Part);
                let open = if self.blocks.is_missing_brace(head + 1) { head + 1 } else { head + 2 };
                self.check_closed(open, "variant", &name.text);
                let body = self.recover_statements(open + 1, self.blocks.find_end(open));
                Some((StmtKind::Variant { name, body }, open))
            }
            "stage" => {
                let (mut stage, open) = self.try_parse_opening(Rule::stage, head, to, AstBuilder::parse_stage)?;
                self.check_closed(open, "stage", &stage.name.text);
                stage.body = self.recover_statements(open + 1, self.blocks.find_end(open));
                Some((StmtKind::Stage(stage), open))
            }
            "table" if self.is_read(head, to) => {
                let (table, open) = self.recover_table_from(head, to)?;
                Some((StmtKind::TableFrom(table), open))
            }
            "table" => {
                let (table, open) = self.recover_table(head, head, to, NameOf::Value)?;
                Some((StmtKind::Table(table), open))
            }
            word if words::is_of_class(Class::Format, word) => {
                let (mut data, open) = self.try_parse_opening(Rule::data, head, to, |walker, pair| {
                    if ends_with_body(&pair) { walker.parse_data(pair) } else { None }
                })?;
                self.check_closed(open, word, &data.name.text);
                let end = self.blocks.find_end(open);
                let first = self.skip_docs(open + 1, end);
                let tables = self.is_token(first, "table") || self.is_token(first, "view");
                match &mut data.content {
                    Content::Fixture(from) => self.recover_disk_columns(from, open),
                    Content::Taken(from) => {
                        from.span.end = self.end_before(open) as u32;
                        from.body = Some(self.recover_columns(open));
                    }
                    content if tables && !self.blocks.is_declaration(first) => {
                        *content = Content::Tables(self.recover_tables(open + 1, end));
                    }
                    Content::Body { body, .. } => *body = self.recover_columns(open),
                    _ => return None,
                }
                Some((StmtKind::Data(data), open))
            }
            _ => None,
        }
    }

    /// Whether `from` is in the head of a part: it reads a file, or the rows of another table.
    fn is_read(&self, head: usize, to: usize) -> bool {
        (head..to).take_while(|index| !self.is_token(*index, "{")).any(|index| self.is_token(index, "from"))
    }

    /// `table NAME [: TABLE] {`
    fn recover_table(&mut self, from: usize, head: usize, to: usize, of: NameOf) -> Option<(TableStmt, usize)> {
        let parse = |walker: &mut AstBuilder<'_>, pair: Pair<'_>| walker.parse_table_stmt(pair, of);
        let (mut table, open) = self.try_parse_opening(Rule::table_stmt, head, to, parse)?;
        self.check_closed(open, "table", &table.name.text);
        table.body = self.recover_columns(open);
        table.span = self.make_block_span(head, open);
        Some((TableStmt { doc: self.collect_doc(from, head), ..table }, open))
    }

    fn recover_tables(&mut self, from: usize, limit: usize) -> Vec<TableStmt> {
        let mut tables = Vec::new();
        self.recover_parts(from, limit, Context::Table, |this, part| {
            if let Some((pair, next)) = this.try_parse(Rule::table_stmt, part.from, part.to) {
                tables.extend(this.walker.parse_table_stmt(pair, NameOf::Part));
                return next;
            }
            if let Some((pair, next)) = this.try_parse(Rule::query_view, part.from, part.to) {
                tables.extend(this.walker.parse_query_view(pair));
                return next;
            }
            let (table, next) = this.recover_block(part, |this| {
                if !this.is_token(part.head, "table") {
                    return None;
                }
                this.recover_table(part.from, part.head, part.to, NameOf::Part)
            });
            tables.extend(table);
            next
        });
        tables
    }

    /// The rule of a part of a table's body.
    pub(super) fn find_column_rule(&self, head: usize) -> Rule {
        let word = if self.blocks.is_declaration(head) { "" } else { self.blocks.text(head) };
        match word {
            "rows" => Rule::rows,
            "line" => Rule::line,
            "unpivot" => Rule::unpivot,
            "allow" => Rule::allow,
            _ if self.is_constraint(head) => Rule::constraint,
            _ => Rule::column,
        }
    }

    /// Parses the rows and columns in the block that `open` opens.
    pub(super) fn recover_columns(&mut self, open: usize) -> Body {
        let mut body = Body::new_empty(self.make_block_span(open, open));
        self.recover_parts(open + 1, self.blocks.find_end(open), Context::Column, |this, part| {
            let rule = this.find_column_rule(part.head);
            let from = if matches!(rule, Rule::column | Rule::unpivot) { part.from } else { part.head };
            let Some((pair, next)) = this.try_parse(rule, from, part.to) else {
                this.report_junk(part.from, part.to, Context::Column);
                body.columns.extend(this.salvage_column(part.from, part.head, part.to));
                return part.to;
            };
            this.walker.parse_body_entry(pair, &mut body);
            next
        });
        body
    }
}

/// Whether a file ends with a block of columns, and not with a value in braces.
fn ends_with_body(pair: &Pair<'_>) -> bool {
    match pair.clone().into_inner().next_back() {
        Some(last) if matches!(last.as_rule(), Rule::from_disk | Rule::from_rel) => ends_with_body(&last),
        last => last.is_some_and(|last| last.as_rule() == Rule::body),
    }
}
