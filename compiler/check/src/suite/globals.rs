//! The names that every task can use: domains, tables, and constants of the author and of the standard library.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::Span;
use tables::CellType;

use crate::context::{Checker, Global, ReadTable, TaskChecker};
use crate::domains::DrawChecker;
use syntax::ast::{self, ItemKind};
use syntax::diagnostics::wording::build_duplicate_diagnostic;
use syntax::diagnostics::wording::suggest_name;
use syntax::diagnostics::{Applicability, Code, Diagnostic};
use syntax::words;

impl<'a> Checker<'a> {
    /// Collects the items of all files. A duplicate name is reported at its second declaration.
    pub(crate) fn collect_globals(&mut self) {
        let project = self.project;
        for file in &project.library.files {
            for item in &file.items {
                match &item.kind {
                    ItemKind::Domain(def) => {
                        self.globals.library_domains.insert(&def.name.text, def);
                    }
                    ItemKind::Table(def) => drop(self.globals.library_tables.insert(&def.name.text, def)),
                    _ => {}
                }
            }
        }
        let (mut tables_read, mut lakes) = (Vec::new(), Vec::new());
        let mut seen: BTreeMap<&'a str, (Span, &'static str)> = BTreeMap::new();
        for (index, file) in project.files.iter().enumerate() {
            for item in &file.items {
                let (name, what): (&'a ast::Ident, &'static str) = match &item.kind {
                    ItemKind::Domain(def) => (&def.name, "domain"),
                    ItemKind::Table(def) => (&def.name, "table"),
                    ItemKind::TableFrom(table) => (&table.name, "table"),
                    ItemKind::Constant(def) => (&def.name, "constant"),
                    ItemKind::Lake(lake) => (&lake.name, "lake"),
                    ItemKind::Suite(suite) if index > 0 => {
                        self.report_used_suite(suite);
                        continue;
                    }
                    _ => continue,
                };
                // Domains are used after `:`, everything else after `=`, so there are two namespaces.
                let key = &name.text;
                if let Some((first, first_what)) = seen.get(key.as_str()).copied()
                    && (first_what == "domain") == (what == "domain")
                {
                    self.report(build_duplicate_diagnostic(name, what, first, first_what));
                    continue;
                }
                seen.insert(key, (name.span, what));
                match &item.kind {
                    ItemKind::Domain(_) if key != "date" && words::is_domain(key) => {
                        let message = format!("`{key}` is a word of the language");
                        let said = Diagnostic::new(Code::RESERVED_WORD, message, name.span, "taken");
                        self.report(said.help("choose another name for the domain"));
                    }
                    ItemKind::Domain(def) => drop(self.globals.domains.insert(key, def)),
                    ItemKind::Table(def) => drop(self.globals.tables.insert(key, def)),
                    ItemKind::Constant(def) => drop(self.globals.constants.insert(key, def)),
                    ItemKind::TableFrom(table) => tables_read.push(table),
                    ItemKind::Lake(lake) => lakes.push(lake),
                    _ => {}
                }
            }
        }
        // Check all declarations, used or not: an error in a shared file should not wait for its first use. Names that are declared before
        // their use have been checked by then, however long the chain is.
        let files: Vec<&'a ast::File> = project.iter_bottom_up().collect();
        let items = || files.iter().flat_map(|file| &file.items);
        for item in items() {
            if let ItemKind::Constant(def) = &item.kind {
                self.resolve_constant(&def.name.text, None);
            }
        }
        for item in items() {
            if let ItemKind::Domain(def) = &item.kind
                && self.globals.domains.contains_key(def.name.text.as_str())
            {
                self.resolve_named_domain(&def.name.text, None);
            }
        }
        // These tables are read once, used or not, and after all names that their columns can use. A table that cannot be read has been reported.
        for table in tables_read {
            let read = TaskChecker::new_global(self).read_table(table).unwrap_or_else(ReadTable::new_unread);
            self.globals.read.insert(&table.name.text, (table, read));
        }
        for lake in lakes {
            let read = self.read_lake(lake);
            self.globals.lakes.insert(&lake.name.text, Arc::new(read));
        }
        // The columns of a table can use names that exist only in a task, so only the names of their domains can be checked here.
        let tables: Vec<&'a ast::TableDef> = self.globals.tables.values().copied().collect();
        for rows in tables.iter().flat_map(|table| table.body.iter_rows_clauses()) {
            let said = Diagnostic::new(Code::MISPLACED, "a shared table can have only columns", rows, "not here");
            self.report(said.help("write `rows` where the table is used: csv hr : staff at \"hr.csv\" { rows 100 }"));
        }
        for column in tables.iter().flat_map(|table| &table.body.columns) {
            if let ast::ColumnKind::Draw(domain) = &column.kind
                && let ast::DomainKind::Named(named) = &domain.kind
                && named.range.is_none()
                && !words::is_domain(&named.name.text)
                // A type for files that are read needs no domain of that name.
                && CellType::from_name(&named.name.text).is_none()
                && self.resolve_named_domain(&named.name.text, Some(named.name.span)).is_none()
            {
                self.report_unknown_domain(&named.name);
            }
        }
    }

    fn report_used_suite(&mut self, suite: &ast::Suite) {
        let message = "a file that another file uses cannot declare a `suite`";
        let said = Diagnostic::new(Code::MISPLACED, message, suite.name.span, "only in the main file");
        self.report(said.help("move the shared domains, tables, and constants to their own file"));
    }

    /// Resolves the constant `name` and checks it on first use. `asked` is the span of its use.
    pub(crate) fn resolve_constant(&mut self, name: &str, asked: Option<Span>) -> Option<hir::Expr> {
        let (name, def): (&'a str, &'a ast::Compute) =
            self.globals.constants.get_key_value(name).map(|(name, def)| (*name, *def))?;
        if let Some(asked) = asked {
            self.record_reference(asked, def.name.span);
        }
        let unit = Global::Constant(name);
        if let Some(checked) = self.constants.get(name).cloned() {
            self.order.record_need(unit);
            self.note_duration_constant(&checked, def.value.span, asked);
            return Some(checked);
        }
        if self.order.is_open(unit) {
            let at = asked.unwrap_or(def.name.span);
            let message = format!("the constant `{name}` depends on itself");
            let said = Diagnostic::new(Code::CYCLE, message, at, "needs itself");
            self.report(said.label(def.name.span, "declared here").help("define one of the values without the others"));
            return Some(hir::Expr::unknown(at));
        }
        if !self.begin_unit(unit, def.name.span) {
            return Some(hir::Expr::unknown(def.value.span));
        }
        let mut checked = self.check_constant_expr(&def.value);
        if checked.as_constant().is_none() && !checked.is_broken() {
            let message = format!("`{name}` is outside the tasks, so it needs a fixed value");
            let label = "known only when the suite is built";
            let said = Diagnostic::new(Code::NOT_CONSTANT, message, def.value.span, label);
            self.report(said.help("move it into the task that needs it"));
        }
        if !self.end_unit(def.name.span) || checked.as_constant().is_none() {
            checked = hir::Expr::unknown(def.value.span);
        }
        self.note_duration_constant(&checked, def.value.span, asked);
        self.constants.insert(name, checked.clone());
        Some(checked)
    }

    /// Checks an expression outside any task.
    pub(crate) fn check_constant_expr(&mut self, value: &'a ast::Expr) -> hir::Expr {
        TaskChecker::new_global(self).check_expr(value)
    }

    /// Resolves a named domain and checks it on first use. Returns `None` if it does not exist.
    pub(crate) fn resolve_named_domain(&mut self, name: &str, asked: Option<Span>) -> Option<hir::Draw> {
        let find = |domains: &BTreeMap<&'a str, &'a ast::DomainDef>| {
            domains.get_key_value(name).map(|(name, def)| (*name, *def))
        };
        // The library refers to its own names, even if the author declares the same ones.
        let by_library = asked.is_some_and(|asked| self.sources.get(asked.file).is_some_and(|source| source.library));
        let own = if by_library { None } else { find(&self.globals.domains) };
        // A domain that uses its own name refers to the library: `domain city = city except "Mesa"`.
        let own = own.filter(|(name, _)| {
            !(self.order.is_open(Global::Domain(name, true)) && self.globals.library_domains.contains_key(*name))
        });
        let (is_own, (name, def)) = match own {
            Some(found) => (true, found),
            None => (false, find(&self.globals.library_domains)?),
        };
        if let Some(asked) = asked {
            self.record_reference(asked, def.name.span);
        }
        let unit = Global::Domain(name, is_own);
        if let Some(checked) = self.domains.get(&(name, is_own)).cloned() {
            self.order.record_need(unit);
            return Some(checked);
        }
        if self.order.is_open(unit) {
            let at = asked.unwrap_or(def.name.span);
            let said = Diagnostic::new(Code::CYCLE, format!("domain `{name}` contains itself"), at, "needs itself");
            self.report(said.label(def.name.span, "defined here").help("define one of the domains without the others"));
            return Some(hir::Draw::new_unknown(at));
        }
        if !self.begin_unit(unit, def.name.span) {
            return Some(hir::Draw::new_unknown(def.domain.span));
        }
        let mut checked = DrawChecker::new(&mut TaskChecker::new_global(self)).check_named_domain(&def.domain);
        if !self.end_unit(def.name.span) {
            checked = hir::Draw::new_unknown(def.domain.span);
        }
        self.domains.insert((name, is_own), checked.clone());
        Some(checked)
    }

    /// Reports that a domain does not exist.
    pub(crate) fn report_unknown_domain(&mut self, name: &ast::Ident) {
        let message = format!("`{}` is not a domain", name.text);
        let said =
            Diagnostic::new(Code::UNKNOWN_DOMAIN, message, name.span, "not a domain").with_unknown_name(&name.text);
        let declared = self.globals.domains.keys().chain(self.globals.library_domains.keys()).copied();
        let known: Vec<&str> = declared.chain(words::iter_domains().map(|word| word.text)).collect();
        let said = if self.globals.constants.contains_key(name.text.as_str()) {
            said.help(format!("`{0}` is a value, which needs `=`: NAME = {0}", name.text))
        } else if let Some(meant) = known.iter().find(|known| Some(**known) == find_domain_synonym(&name.text)) {
            said.help(format!("did you mean `{meant}`?")).fix(
                format!("replace `{}` with `{meant}`", name.text),
                Applicability::Safe,
                name.span,
                (*meant).to_owned(),
            )
        } else {
            suggest_name(said, name.span, &name.text, known)
        };
        self.report(said.with_default_help(
            "`picardc explain E0204` lists the domains; declare one with: domain NAME = one_of [ … ]",
        ));
    }
}

/// Returns our domain for a name from other languages, including the aliases and numbered variables of PICARD.
fn find_domain_synonym(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "integer" => "int",
        "auto_id" | "autoincrement" => "serial",
        "real" | "float" | "number" => "decimal",
        "name" | "full_name" => "person_name",
        "surname" => "last_name",
        "city_name" => "city",
        "company_name" => "company",
        "product_name" => "product",
        lower if lower.strip_prefix("entity").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit())) => {
            "word"
        }
        _ => return None,
    })
}
