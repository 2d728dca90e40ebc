//! `unexpected_key`: the prompt asks for a JSON key that the answer does not have. An agent that follows the prompt is wrong.
//!
//! Names are read from groups in the prompt: in a displayed object, in a list with one line per name, or in a row of names. If one name of a group is
//! expected, the group is about keys.

use std::collections::BTreeSet;

use model::suite::Shape;
use model::suite::matchers::Takes;
use model::{Span, Value};

use super::prompt_content::{Telling, Way, has_word};
use super::unmentioned_key::is_key_mentioned;
use crate::context::{TaskCx, report_once};
use hir::types::{Ty, TyKind};
use hir::{Expr, ExprKind, FileContent};
use names::prose::{DRAWN, Group, find_name_groups};
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum number of keys in a diagnostic.
const MAX_NAMED_KEYS: usize = 5;

pub(super) fn report_unexpected_keys<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways {
        let mut expected = Keys::default();
        let mut object: Option<Span> = None;
        for expect in &way.asked.expects {
            let Some(value) = expect.answer_expr() else { continue };
            // The keys around the place are expected too, but unknown.
            expected.open |= expect.at.is_some();
            expected.open |= expect.options.iter().any(|(_, options)| options.open);
            let record = expect.matcher.record();
            // Columns are not keys, but a prompt can ask for both.
            if record.keys || record.takes == Takes::Rows {
                let before = expected.names.len();
                expected.add_expr(cx.task, value, 0);
                if record.keys && expected.names.len() > before {
                    object.get_or_insert(value.span);
                }
            }
        }
        let Some(object) = object.filter(|_| !expected.open) else { continue };
        for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
            let asked = find_unexpected_keys(cx.task, telling, &expected.names);
            let missing = expected.names.iter().filter(|name| !is_key_mentioned(telling, name)).count();
            // A prompt that does not name an expected key has already been reported.
            if asked.is_empty() || asked.len() <= missing {
                continue;
            }
            report_once(build_diagnostic(cx, way, telling, &asked, object), said);
            break;
        }
    }
}

/// The keys of the expected objects.
#[derive(Default)]
struct Keys {
    names: BTreeSet<String>,
    /// Whether other keys are possible.
    open: bool,
}

impl Keys {
    fn add_expr(&mut self, task: &hir::Task, value: &Expr, depth: u32) {
        match &value.kind {
            _ if depth > 64 => self.open = true,
            ExprKind::Object(fields) => {
                for (name, field) in fields {
                    self.names.insert(name.clone());
                    self.add_expr(task, field, depth + 1);
                }
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.add_expr(task, item, depth + 1)),
            ExprKind::Const(known) => self.add_constant(known),
            ExprKind::Name(id) if let Some(source) = task.find_computed(*id) => self.add_expr(task, source, depth + 1),
            _ => self.add_type(&value.ty),
        }
    }

    fn add_type(&mut self, ty: &Ty) {
        match &ty.kind {
            TyKind::Object(fields) | TyKind::Rows(fields) => {
                for (name, field) in fields {
                    self.names.insert(name.clone());
                    self.add_type(field);
                }
            }
            TyKind::List(item) => self.add_type(item),
            TyKind::Unknown | TyKind::Map(_) => self.open = true,
            _ => {}
        }
    }

    fn add_constant(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    self.names.insert(name.clone());
                    self.add_constant(field);
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.add_constant(item)),
            Value::Rows(set) => self.names.extend(set.columns.iter().cloned()),
            _ => {}
        }
    }
}

/// Finds the keys that a wording asks for and the answer lacks, in text order.
fn find_unexpected_keys(task: &hir::Task, telling: &Telling, expected: &BTreeSet<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let data = telling.text.get(telling.prompt.len()..).unwrap_or_default();
    for Group { names, of_keys, .. } in find_name_groups(&telling.prompt) {
        if !names.iter().any(|name| expected.contains(name)) {
            continue;
        }
        for name in names {
            let is_data = || has_word(data, &name) || is_in_data(task, &name);
            if !expected.contains(&name) && !name.contains(DRAWN) && !out.contains(&name) && (of_keys || !is_data()) {
                out.push(name);
            }
        }
    }
    out
}

/// Checks whether a name is that of a table, file, column, or key in the sandbox: the prompt then names it as a place to look.
fn is_in_data(task: &hir::Task, name: &str) -> bool {
    fn is_in_shape(shape: &Shape, name: &str) -> bool {
        match shape {
            Shape::Cell(..) => false,
            Shape::Object(fields) => fields.iter().any(|field| field.key == name || is_in_shape(&field.shape, name)),
            Shape::Array(_, inner) => is_in_shape(inner, name),
        }
    }
    task.relations.iter().any(|relation| {
        relation.name == name || relation.table == name || relation.columns.iter().any(|column| column.name == name)
    }) || task.files.iter().any(|file| match &file.content {
        _ if file.name == name => true,
        FileContent::Tree { shape, .. } => is_in_shape(shape, name),
        FileContent::ComputedTree(value) => {
            let mut keys = Keys::default();
            keys.add_expr(task, value, 0);
            keys.open || keys.names.contains(name)
        }
        _ => false,
    })
}

fn build_diagnostic(cx: &TaskCx<'_>, way: &Way<'_>, telling: &Telling, asked: &[String], object: Span) -> Diagnostic {
    let place = |name: &str| {
        let wordings = way.asked.prompts.iter().map(|wording| wording.span);
        wordings.into_iter().find_map(|wording| {
            let text = cx.sources.text(wording);
            let inner = |c: char| c.is_alphanumeric() || c == '_';
            let whole =
                |(at, _): &(usize, &str)| !text[..*at].ends_with(inner) && !text[at + name.len()..].starts_with(inner);
            let start = wording.start + text.match_indices(name).find(whole)?.0 as u32;
            Some(Span::new(wording.file, start, start + name.len() as u32))
        })
    };
    let first = asked.first().map_or("", String::as_str);
    let shown: Vec<String> = asked.iter().take(MAX_NAMED_KEYS).map(|name| format!("`{name}`")).collect();
    let message = match (shown.as_slice(), asked.len().saturating_sub(MAX_NAMED_KEYS)) {
        ([one], _) => format!("the prompt asks for the key {one}, but the answer lacks it"),
        ([one, other], _) => format!("the prompt asks for the keys {one} and {other}, but the answer lacks them"),
        ([most @ .., last], 0) => {
            format!("the prompt asks for the keys {}, and {last}, but the answer lacks them", most.join(", "))
        }
        (some, more) => {
            format!("the prompt asks for the keys {}, and {more} more, but the answer lacks them", some.join(", "))
        }
    };
    let others = asked.iter().skip(1).take(MAX_NAMED_KEYS - 1).filter_map(|name| place(name));
    Diagnostic::new(Code::UNEXPECTED_KEY, message, place(first).unwrap_or(telling.span), "asked for here")
        .with_labels(others.map(|span| (span, "and this")))
        .label(object, "expected here")
        .help(format!("add `{first}` to the expected object, or write `open` after it to accept other keys"))
}
