//! Blocks that are parsed part by part: the settings of a suite, the statements of a task, the tables and columns of a file.

use super::{Context, Recovery};
use crate::ast::{Body, Content, Setting, Stmt, StmtKind, TableStmt};
use crate::parse::ast_builder::NameOf;
use crate::parse::grammar::Rule;
use crate::parse::limits::HOPELESS;
use crate::words::{self, Class};

impl Recovery<'_, '_> {
    pub(super) fn recover_settings(&mut self, mut index: usize, limit: usize) -> Vec<Setting> {
        let mut settings = Vec::new();
        while self.skip_docs(index, limit) < limit && self.count_reported() < HOPELESS {
            let to = self.find_segment_end(index, limit, Context::Setting);
            match self.try_parse(Rule::setting, index, to) {
                Some((pair, next)) => {
                    settings.extend(self.walker.parse_setting(pair));
                    index = next;
                }
                None => {
                    self.report_junk(index, to, Context::Setting);
                    index = to;
                }
            }
        }
        settings
    }

    pub(super) fn recover_statements(&mut self, mut index: usize, limit: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        while self.skip_docs(index, limit) < limit && self.count_reported() < HOPELESS {
            let to = self.find_segment_end(index, limit, Context::Statement);
            let head = self.skip_docs(index, limit);
            if let Some((pair, next)) = self.try_parse(Rule::stmt, index, to) {
                body.extend(self.walker.parse_stmt(pair));
                index = next;
                continue;
            }
            let before = self.count_reported();
            let inner = self.recover_statement_block(head, to);
            let next = match inner {
                Some((_, open)) => self.blocks.skip_group(open).min(limit),
                None => to,
            };
            if inner.is_none() || self.count_reported() == before {
                self.report_junk(index, to, Context::Statement);
            }
            if let Some(kind) = inner.map(|(kind, _)| kind).or_else(|| self.salvage_statement(head, to)) {
                let span = self.walker.make_span(self.token_start(head), self.end_before(next));
                body.push(Stmt { doc: self.collect_doc(index, head), kind, span });
            }
            index = next.max(index + 1);
        }
        body
    }

    /// Parses a statement with a block part by part. Also returns the index of its `{`.
    pub(super) fn recover_statement_block(&mut self, head: usize, to: usize) -> Option<(StmtKind, usize)> {
        let word = self.blocks.text(head).to_owned();
        match word.as_str() {
            "variant" if self.blocks.is_missing_brace(head + 1) || self.is_token(head + 2, "{") => {
                let name = self.parse_name(head + 1, NameOf::Part);
                let open = if self.blocks.is_missing_brace(head + 1) { head + 1 } else { head + 2 };
                self.check_closed(open, &word, &name.text);
                let body = self.recover_statements(open + 1, self.blocks.find_end(open));
                Some((StmtKind::Variant { name, body }, open))
            }
            "stage" => {
                let open = (head..to).find(|index| self.is_block_start(*index))?;
                let lacking = usize::from(self.blocks.is_missing_brace(open));
                let (pair, next) = self.try_parse(Rule::stage_head, head, open + lacking)?;
                if next != open + lacking {
                    return None;
                }
                let mut stage = self.walker.parse_stage_head(pair)?;
                self.check_closed(open, &word, &stage.name.text);
                stage.body = self.recover_statements(open + 1, self.blocks.find_end(open));
                Some((StmtKind::Stage(stage), open))
            }
            word if (word == "table" || words::is_of_class(Class::Format, word))
                && (head..to)
                    .take_while(|index| !self.is_token(*index, "{"))
                    .any(|index| self.is_token(index, "from")) =>
            {
                self.read_statement(head, to)
            }
            "table" => {
                let (table, open) = self.recover_table(head, head, to, NameOf::Value)?;
                Some((StmtKind::Table(table), open))
            }
            word if words::is_of_class(Class::Format, word) => {
                let open = (head..to).find(|index| self.is_block_start(*index))?;
                let lacking = usize::from(self.blocks.is_missing_brace(open));
                let (pair, next) = self.try_parse(Rule::data_head, head, open + lacking)?;
                let next = next - lacking;
                let named_root = next + 1 == open && self.blocks.is_word(next);
                if next != open && !named_root {
                    return None;
                }
                let mut data = self.walker.parse_data_head(pair)?;
                self.check_closed(open, word, &data.name.text.clone());
                let first = self.skip_docs(open + 1, self.blocks.find_end(open));
                data.content = if (self.is_token(first, "table") || self.is_token(first, "view"))
                    && !self.blocks.is_declaration(first)
                {
                    Content::Tables(self.recover_tables(open + 1, self.blocks.find_end(open)))
                } else {
                    let root = if named_root { Some(self.parse_name(next, NameOf::Part)) } else { None };
                    Content::Body { root, body: self.recover_columns(open) }
                };
                Some((StmtKind::Data(data), open))
            }
            _ => None,
        }
    }

    /// `table NAME [: TABLE] {`
    pub(super) fn recover_table(
        &mut self,
        from: usize,
        head: usize,
        to: usize,
        of: NameOf,
    ) -> Option<(TableStmt, usize)> {
        let open = (head..to).find(|index| self.is_block_start(*index))?;
        let lacking = usize::from(self.blocks.is_missing_brace(open));
        let (pair, next) = self.try_parse(Rule::table_head, head, open + lacking)?;
        if next != open + lacking {
            return None;
        }
        let (name, table) = self.walker.parse_table_head(pair, of)?;
        self.check_closed(open, "table", &name.text);
        let body = self.recover_columns(open);
        let span = self.walker.make_span(self.token_start(head), self.end_before(self.blocks.skip_group(open)));
        Some((TableStmt { doc: self.collect_doc(from, head), name, table, body, view: None, span }, open))
    }

    pub(super) fn recover_tables(&mut self, mut index: usize, limit: usize) -> Vec<TableStmt> {
        let mut tables = Vec::new();
        while self.skip_docs(index, limit) < limit && self.count_reported() < HOPELESS {
            let to = self.find_segment_end(index, limit, Context::Table);
            let head = self.skip_docs(index, limit);
            if let Some((pair, next)) = self.try_parse(Rule::table_stmt, index, to) {
                tables.extend(self.walker.parse_table_stmt(pair, NameOf::Part));
                index = next;
                continue;
            }
            if let Some((pair, next)) = self.try_parse(Rule::query_view, index, to) {
                tables.extend(self.walker.parse_query_view(pair));
                index = next;
                continue;
            }
            let before = self.count_reported();
            let table =
                if self.is_token(head, "table") { self.recover_table(index, head, to, NameOf::Part) } else { None };
            let next = table.as_ref().map_or(to, |(_, open)| self.blocks.skip_group(*open).min(limit));
            if table.is_none() || self.count_reported() == before {
                self.report_junk(index, to, Context::Table);
            }
            tables.extend(table.map(|(table, _)| table));
            index = next.max(index + 1);
        }
        tables
    }

    /// Parses the rows and columns in the block that `open` opens.
    pub(super) fn recover_columns(&mut self, open: usize) -> Body {
        let (mut index, limit) = (open + 1, self.blocks.find_end(open));
        let span = self.walker.make_span(self.token_start(open), self.end_before(self.blocks.skip_group(open)));
        let mut body = Body::new_empty(span);
        while self.skip_docs(index, limit) < limit && self.count_reported() < HOPELESS {
            let to = self.find_segment_end(index, limit, Context::Column);
            let head = self.skip_docs(index, limit);
            let rule = match self.blocks.text(head) {
                "rows" if !self.blocks.is_declaration(head) => Rule::rows,
                "line" if !self.blocks.is_declaration(head) => Rule::line,
                "unpivot" if !self.blocks.is_declaration(head) => Rule::unpivot,
                "allow" if !self.blocks.is_declaration(head) => Rule::allow,
                _ if self.is_constraint(head) => Rule::constraint,
                _ => Rule::column,
            };
            let from = if matches!(rule, Rule::column | Rule::unpivot) { index } else { head };
            match self.try_parse(rule, from, to) {
                Some((pair, next)) => {
                    self.walker.parse_body_entry(pair, &mut body);
                    index = next;
                }
                None => {
                    self.report_junk(index, to, Context::Column);
                    if let Some(column) = self.salvage_column(index, head, to) {
                        body.columns.push(column);
                    }
                    index = to;
                }
            }
        }
        body
    }
}
