//! Blocks read part by part: the settings of a suite, the statements of a task, the tables and columns of a file.

use super::{Context, Recovery};
use crate::ast::{Body, Content, Setting, Stmt, StmtKind, TableStmt};
use crate::parse::grammar::Rule;
use crate::parse::limits::HOPELESS;
use crate::syntax::words::{self, Class};

impl Recovery<'_, '_> {
    pub(super) fn settings(&mut self, mut index: usize, limit: usize) -> Vec<Setting> {
        let mut settings = Vec::new();
        while self.head(index, limit) < limit && self.reported() < HOPELESS {
            let to = self.segment(index, limit, Context::Setting);
            match self.attempt(Rule::setting, index, to) {
                Some((pair, next)) => {
                    settings.extend(self.walker.setting(pair));
                    index = next;
                }
                None => {
                    self.junk(index, to, Context::Setting);
                    index = to;
                }
            }
        }
        settings
    }

    pub(super) fn statements(&mut self, mut index: usize, limit: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        while self.head(index, limit) < limit && self.reported() < HOPELESS {
            let to = self.segment(index, limit, Context::Statement);
            let head = self.head(index, limit);
            if let Some((pair, next)) = self.attempt(Rule::stmt, index, to) {
                body.extend(self.walker.stmt(pair));
                index = next;
                continue;
            }
            let before = self.reported();
            let inner = self.statement_block(head, to);
            let next = match inner {
                Some((_, open)) => self.blocks.skip(open).min(limit),
                None => to,
            };
            if inner.is_none() || self.reported() == before {
                self.junk(index, to, Context::Statement);
            }
            if let Some(kind) = inner.map(|(kind, _)| kind).or_else(|| self.salvage_statement(head, to)) {
                let span = self.walker.at(self.start(head), self.end_before(next));
                body.push(Stmt { doc: self.doc(index, head), kind, span });
            }
            index = next.max(index + 1);
        }
        body
    }

    /// A statement with a block, read part by part. Gives the `{` too.
    pub(super) fn statement_block(&mut self, head: usize, to: usize) -> Option<(StmtKind, usize)> {
        let word = self.blocks.text(head).to_owned();
        match word.as_str() {
            "variant" if self.blocks.lacks_brace(head + 1) || self.is(head + 2, "{") => {
                let name = self.name(head + 1, false);
                let open = if self.blocks.lacks_brace(head + 1) { head + 1 } else { head + 2 };
                self.check_closed(open, &word, &name.text);
                let body = self.statements(open + 1, self.blocks.end(open));
                Some((StmtKind::Variant { name, body }, open))
            }
            "stage" => {
                let open = (head..to).find(|index| self.opens(*index))?;
                let lacking = usize::from(self.blocks.lacks_brace(open));
                let (pair, next) = self.attempt(Rule::stage_head, head, open + lacking)?;
                if next != open + lacking {
                    return None;
                }
                let mut stage = self.walker.stage_head(pair)?;
                self.check_closed(open, &word, &stage.name.text);
                stage.body = self.statements(open + 1, self.blocks.end(open));
                Some((StmtKind::Stage(stage), open))
            }
            word if (word == "table" || words::is(Class::Format, word))
                && (head..to).take_while(|index| !self.is(*index, "{")).any(|index| self.is(index, "from")) =>
            {
                self.read_statement(head, to)
            }
            "table" => {
                let (table, open) = self.table(head, head, to, true)?;
                Some((StmtKind::Table(table), open))
            }
            word if words::is(Class::Format, word) => {
                let open = (head..to).find(|index| self.opens(*index))?;
                let lacking = usize::from(self.blocks.lacks_brace(open));
                let (pair, next) = self.attempt(Rule::data_head, head, open + lacking)?;
                let next = next - lacking;
                let named_root = next + 1 == open && self.blocks.is_word(next);
                if next != open && !named_root {
                    return None;
                }
                let mut data = self.walker.data_head(pair)?;
                self.check_closed(open, word, &data.name.text.clone());
                let first = self.head(open + 1, self.blocks.end(open));
                data.content = if (self.is(first, "table") || self.is(first, "view")) && !self.blocks.declares(first) {
                    Content::Tables(self.tables(open + 1, self.blocks.end(open)))
                } else {
                    let root = if named_root { Some(self.name(next, false)) } else { None };
                    Content::Body { root, body: self.columns(open) }
                };
                Some((StmtKind::Data(data), open))
            }
            _ => None,
        }
    }

    /// `table NAME [: TABLE] {`
    pub(super) fn table(&mut self, from: usize, head: usize, to: usize, value: bool) -> Option<(TableStmt, usize)> {
        let open = (head..to).find(|index| self.opens(*index))?;
        let lacking = usize::from(self.blocks.lacks_brace(open));
        let (pair, next) = self.attempt(Rule::table_head, head, open + lacking)?;
        if next != open + lacking {
            return None;
        }
        let (name, table) = self.walker.table_head(pair, value)?;
        self.check_closed(open, "table", &name.text);
        let body = self.columns(open);
        let span = self.walker.at(self.start(head), self.end_before(self.blocks.skip(open)));
        Some((TableStmt { doc: self.doc(from, head), name, table, body, view: None, span }, open))
    }

    pub(super) fn tables(&mut self, mut index: usize, limit: usize) -> Vec<TableStmt> {
        let mut tables = Vec::new();
        while self.head(index, limit) < limit && self.reported() < HOPELESS {
            let to = self.segment(index, limit, Context::Table);
            let head = self.head(index, limit);
            if let Some((pair, next)) = self.attempt(Rule::table_stmt, index, to) {
                tables.extend(self.walker.table_stmt(pair, false));
                index = next;
                continue;
            }
            if let Some((pair, next)) = self.attempt(Rule::query_view, index, to) {
                tables.extend(self.walker.query_view(pair));
                index = next;
                continue;
            }
            let before = self.reported();
            let table = if self.is(head, "table") { self.table(index, head, to, false) } else { None };
            let next = table.as_ref().map_or(to, |(_, open)| self.blocks.skip(*open).min(limit));
            if table.is_none() || self.reported() == before {
                self.junk(index, to, Context::Table);
            }
            tables.extend(table.map(|(table, _)| table));
            index = next.max(index + 1);
        }
        tables
    }

    /// The rows and columns in the block that `open` opens.
    pub(super) fn columns(&mut self, open: usize) -> Body {
        let (mut index, limit) = (open + 1, self.blocks.end(open));
        let span = self.walker.at(self.start(open), self.end_before(self.blocks.skip(open)));
        let mut body = Body::empty(span);
        while self.head(index, limit) < limit && self.reported() < HOPELESS {
            let to = self.segment(index, limit, Context::Column);
            let head = self.head(index, limit);
            let rule = match self.blocks.text(head) {
                "rows" if !self.blocks.declares(head) => Rule::rows,
                "line" if !self.blocks.declares(head) => Rule::line,
                "unpivot" if !self.blocks.declares(head) => Rule::unpivot,
                "allow" if !self.blocks.declares(head) => Rule::allow,
                _ if self.constrains(head) => Rule::constraint,
                _ => Rule::column,
            };
            let from = if matches!(rule, Rule::column | Rule::unpivot) { index } else { head };
            match self.attempt(rule, from, to) {
                Some((pair, next)) => {
                    self.walker.entry(pair, &mut body);
                    index = next;
                }
                None => {
                    self.junk(index, to, Context::Column);
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
