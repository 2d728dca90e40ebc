//! `vacuous_expectation`: the prompt asks about data, and nothing that is expected depends on it: only the form of a reply, the existence of a file, or keys that the
//! prompt gives. A heuristic as far as it reads what the prompt asks for.

use std::collections::BTreeSet;

use model::pattern::compile_anchored;
use model::suite::matchers::Takes;
use model::suite::{ColumnId, Matcher, NameId, RelationId};
use model::{Span, Value};

use super::dependence::flow::{Flow, Followed};
use super::paths::{Part, Template, resolve_path_list};
use super::prompt_content::{Telling, Way, has_any_word};
use crate::context::{TaskCx, report_once};
use hir::{DrawDomain, Expect, ExprKind, NameSource, Subject, Task};
use names::prose::find_name_groups;
use syntax::diagnostics::wording::join_with_and;
use syntax::diagnostics::{Code, Diagnostic};
use syntax::prompts::english::data::{ANY, CONTENT, SUCH, WHICH};

/// The endings of files whose content expectations compare.
const COMPARED: &[&str] = &[
    "csv", "tsv", "txt", "json", "jsonl", "yaml", "yml", "xml", "md", "db", "sqlite", "xlsx", "parquet", "ini", "log",
];
/// The number of values of a column that are tried.
const MAX_TRIED: u128 = 12;
/// The number of names in a diagnostic.
const MAX_NAMED: usize = 4;

/// Reports ways of asking in which no expectation compares what the prompt asks for.
pub(super) fn report_unread_data<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    if task.notes.is_static || task.each.is_some() {
        return;
    }
    report_weak_parts(cx, ways, said);
    for way in ways {
        let is_known = !way.tellings.is_empty() && way.tellings.iter().all(|telling| !telling.opaque);
        let Some(weak) = find_weak(task, way).filter(|_| is_known) else { continue };
        let names_data = |telling: &Telling| telling.files.iter().any(|file| has_rows(task, *file));
        if !way.tellings.iter().all(names_data) {
            continue;
        }
        let lint = WeakExpectations { cx, way };
        if let Some((new, unread)) = lint.check_weak(&weak) {
            // Values that are computed and never used are a part of the same mistake.
            let computed = task.names.iter().filter(|name| matches!(name.source, NameSource::Compute(_)));
            let computed = computed.map(|name| name.span);
            let parts: Vec<Span> = unread.into_iter().flat_map(|own| computed.clone().chain([own])).collect();
            said.retain(|known| known.code != Code::UNUSED_NAME || !parts.contains(&known.primary.span));
            report_once(new, said);
        }
    }
}

/// Reports a pattern that accepts every value of a column, and an open object without the keys that the prompt asks for, also next to other expectations.
fn report_weak_parts<'a>(cx: &TaskCx<'a>, ways: &[Way<'a>], said: &mut Vec<Diagnostic>) {
    for way in ways.iter().filter(|way| !way.tellings.is_empty() && way.tellings.iter().all(|telling| !telling.opaque))
    {
        let lint = WeakExpectations { cx, way };
        for expect in way.asked.expects.iter().copied() {
            let new = match expect.matcher.record().takes {
                Takes::Pattern if way.asked.expects.len() > 1 => lint.check_pattern_part(expect),
                Takes::Json if is_open_with_given_values(cx.task, expect, way) => lint.check_open(expect, None),
                _ => None,
            };
            new.into_iter().for_each(|new| report_once(new, said));
        }
    }
}

/// An expectation that does not compare what is asked for.
enum Weak<'a> {
    /// A constant pattern.
    Form(&'a Expect, Vec<String>),
    /// A file that exists.
    Exists(&'a Expect, Template),
    /// A constant.
    Fixed(&'a Expect),
    /// An open object whose values the prompt gives.
    Open(&'a Expect),
}

/// Finds the first weak expectation of a way. `None` if another one compares something.
fn find_weak<'a>(task: &'a Task, way: &Way<'a>) -> Option<Weak<'a>> {
    let mut found = None;
    for expect in way.asked.expects.iter().copied() {
        let weak = match (&expect.subject, expect.matcher) {
            _ if expect.matcher.record().takes == Takes::Pattern => {
                let answer = expect.answer_expr()?.resolve_name(task);
                let patterns = answer.as_constant_items()?.iter().map(|item| item.as_text().map(str::to_owned));
                Weak::Form(expect, patterns.collect::<Option<_>>()?)
            }
            (Subject::File(path), Matcher::Exists) => {
                let path = Template::from_expr(task, path);
                if !is_new_file(task, &path) {
                    continue;
                }
                Weak::Exists(expect, path)
            }
            (Subject::File(_), Matcher::Unchanged | Matcher::Absent) if expect.at.is_none() => continue,
            (Subject::Unchanged(_), _) => continue,
            (Subject::Files(list) | Subject::Tree(list) | Subject::Only(list), _) => {
                let paths = resolve_path_list(task, list)?;
                let mut paths = paths.iter().map(|path| Template::from_expr(task, path));
                let Some(path) = paths.find(|path| is_new_file(task, path)) else { continue };
                Weak::Exists(expect, path)
            }
            _ if is_open_with_given_values(task, expect, way) => Weak::Open(expect),
            _ if is_constant(task, expect) => Weak::Fixed(expect),
            _ if is_given(task, expect, way) => continue,
            _ => return None,
        };
        found.get_or_insert(weak);
    }
    found
}

/// Whether an expectation of a text or a number is a constant.
fn is_constant(task: &Task, expect: &Expect) -> bool {
    let is_single =
        matches!(expect.matcher, Matcher::Contains | Matcher::Text | Matcher::Number) && !expect.is_any_of();
    is_single && expect.answer_expr().is_some_and(|answer| answer.resolve_name(task).as_constant().is_some())
}

/// Whether an expectation of a text or a number is a value that every wording shows.
fn is_given(task: &Task, expect: &Expect, way: &Way<'_>) -> bool {
    let is_single =
        matches!(expect.matcher, Matcher::Contains | Matcher::Text | Matcher::Number) && !expect.is_any_of();
    let is_shown = |id: NameId| way.tellings.iter().all(|telling| telling.names.contains(&id));
    is_single
        && expect
            .answer_expr()
            .is_some_and(|answer| matches!(answer.resolve_name(task).kind, ExprKind::Name(id) if is_shown(id)))
}

/// Whether a path is that of a file that the agent is not given, and whose content can be compared: not a picture or a program.
pub(super) fn is_new_file(task: &Task, path: &Template) -> bool {
    let ending = match path.last_component().last() {
        Some(Part::Text(name)) => name.rsplit_once('.').map(|(_, ending)| ending.to_lowercase()),
        _ => None,
    };
    let is_compared = ending.is_some_and(|ending| COMPARED.contains(&ending.as_str()));
    is_compared
        && !path.folder
        && !task.files.iter().any(|file| Template::from_expr(task, &file.path).is_same_file(path))
}

/// Whether an expectation is an open object of values that all wordings show, or that are constants.
fn is_open_with_given_values(task: &Task, expect: &Expect, way: &Way<'_>) -> bool {
    let Some(answer) =
        expect.answer_expr().filter(|_| expect.matcher.record().takes == Takes::Json && !expect.is_any_of())
    else {
        return false;
    };
    let answer = answer.resolve_name(task);
    let is_open = expect.find_governing_options("").is_some_and(|options| options.open);
    let is_object = matches!(answer.kind, ExprKind::Object(_) | ExprKind::Const(Value::Object(_)));
    let is_given = |leaf: &hir::Expr| match leaf.kind {
        ExprKind::Const(_) => true,
        ExprKind::Name(id) => way.tellings.iter().all(|telling| telling.names.contains(&id)),
        _ => false,
    };
    is_open && is_object && expect.at.is_none() && answer.list_leaves().iter().all(|(leaf, _)| is_given(leaf))
}

/// Whether a file has data: rows that are drawn.
fn has_rows(task: &Task, file: model::suite::FileId) -> bool {
    task.relations.iter().any(|relation| relation.file == Some(file))
}

struct WeakExpectations<'l, 'a> {
    cx: &'l TaskCx<'a>,
    way: &'l Way<'a>,
}

impl<'a> WeakExpectations<'_, 'a> {
    /// Builds the diagnostic of a weak expectation, with the place of a name that nothing compares.
    fn check_weak(&self, weak: &Weak<'a>) -> Option<(Diagnostic, Option<Span>)> {
        let unread = self.find_unread_name();
        let said = match weak {
            Weak::Form(expect, patterns) => self.check_form(expect, patterns, unread)?,
            Weak::Exists(expect, path) => self.check_exists(expect, path, unread)?,
            Weak::Fixed(expect) => {
                let answer = expect.answer_expr().filter(|_| unread.is_some())?;
                let message = "the only expected value is a constant, and nothing compares the answer";
                Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "does not depend on the data")
                    .help("also expect the computed value")
            }
            Weak::Open(expect) => self.check_open(expect, unread)?,
        };
        let name = unread.and_then(|id| self.cx.task.names.get(id));
        let said = match name {
            Some(name) => {
                let place = if let NameSource::Compute(value) = &name.source { value.span } else { name.span };
                said.label(place, format!("`{}` is compared with nothing", name.name))
            }
            None => said,
        };
        Some((said, name.map(|name| name.span)))
    }

    /// Reports a pattern that accepts every value of a column, if the task computes one of them and compares it with nothing.
    fn check_pattern_part(&self, expect: &Expect) -> Option<Diagnostic> {
        let patterns = expect.answer_expr()?.resolve_name(self.cx.task).as_constant_items()?.iter();
        let patterns: Vec<String> = patterns.map(|item| item.as_text().map(str::to_owned)).collect::<Option<_>>()?;
        self.find_accepted_column(&patterns)?;
        let unread = self.find_unread_name()?;
        self.check_form(expect, &patterns, Some(unread))
    }

    fn check_form(&self, expect: &Expect, patterns: &[String], unread: Option<NameId>) -> Option<Diagnostic> {
        // An example of the form does not make the answer free.
        let is_free = |telling: &Telling| {
            has_any_word(&telling.lower_prompt, ANY)
                || has_any_word(&telling.lower_prompt, SUCH) && !has_any_word(&telling.lower_prompt, WHICH)
        };
        if self.way.tellings.iter().any(is_free) {
            return None;
        }
        let column = self.find_accepted_column(patterns);
        let answer = expect.answer_expr()?;
        let message = match column {
            Some(column) => format!("the pattern accepts every `{}`, not only the right one", column.name),
            None if unread.is_some() && patterns.iter().all(|pattern| is_wide(pattern)) => {
                "the pattern only checks the form, and nothing compares the answer".to_owned()
            }
            None => return None,
        };
        let said = Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "does not depend on the data");
        let said = match column {
            Some(column) => said.label(column.span, "declared here"),
            None => said,
        };
        Some(
            said.help(
                "compare the reply with the computed answer, such as `text` or `number`, or put it into the pattern",
            ),
        )
    }

    fn check_exists(&self, expect: &Expect, path: &Template, unread: Option<NameId>) -> Option<Diagnostic> {
        let describes = |telling: &Telling| has_any_word(&telling.lower_prompt, CONTENT);
        if unread.is_none() && !self.way.tellings.iter().all(describes) {
            return None;
        }
        let path = path.format_path(self.cx.task);
        let message = format!("any content of `{path}` is accepted, even none: it only has to exist");
        let said = Diagnostic::new(Code::VACUOUS_EXPECTATION, message, expect.span, "its content is not compared");
        Some(said.help("expect the content, such as `csv`, `json`, or `text` with the computed answer"))
    }

    fn check_open(&self, expect: &Expect, unread: Option<NameId>) -> Option<Diagnostic> {
        let answer = expect.answer_expr()?;
        let own: Vec<String> = match &answer.resolve_name(self.cx.task).kind {
            ExprKind::Object(fields) => fields.iter().map(|(key, _)| key.clone()).collect(),
            ExprKind::Const(Value::Object(fields)) => fields.iter().map(|(key, _)| key.clone()).collect(),
            _ => return None,
        };
        let telling = self.way.tellings.first()?;
        let groups = find_name_groups(&telling.prompt);
        let asked = groups.into_iter().find(|group| own.iter().any(|key| group.names.contains(key)));
        let others: Vec<String> = asked
            .into_iter()
            .flat_map(|group| group.names)
            .filter(|name| !own.contains(name))
            .take(MAX_NAMED)
            .collect();
        if others.is_empty() && unread.is_none() {
            return None;
        }
        let keys = own.iter().take(MAX_NAMED).map(String::as_str);
        let message = match own.as_slice() {
            [] => "nothing of the object is compared: it is `open` and has no keys".to_owned(),
            _ => format!(
                "only {} is compared, which the prompt gives: `open` accepts anything for the other keys",
                join_with_and(keys)
            ),
        };
        let help = match others.as_slice() {
            [] => "add the computed values to the object".to_owned(),
            _ => format!("add the keys that the prompt asks for: {}", join_with_and(others.iter().map(String::as_str))),
        };
        let said = Diagnostic::new(Code::VACUOUS_EXPECTATION, message, answer.span, "does not depend on the data");
        Some(said.help(help))
    }

    /// Finds a column of a file in the prompt, of which the patterns accept every value.
    fn find_accepted_column(&self, patterns: &[String]) -> Option<&'a hir::Column> {
        let task = self.cx.task;
        let patterns: Vec<_> = patterns.iter().filter_map(|source| compile_anchored(source).ok()).collect();
        let is_named = |file| self.way.tellings.iter().all(|telling| telling.files.contains(&file));
        let relations = task.relations.iter_enumerated().filter(|(_, own)| own.file.is_some_and(is_named));
        let mut columns =
            relations.flat_map(|(id, own)| own.iter_written_columns().map(move |(at, own)| (id, at, own)));
        columns
            .find(|(relation, at, _)| {
                let tried = self.list_values((*relation, *at));
                let fits = |text: &String| patterns.iter().any(|pattern| pattern.is_match(text));
                tried.len() > 1 && tried.iter().all(fits)
            })
            .map(|(.., column)| column)
    }

    /// Lists values of a column: all, or some of those of its domain.
    fn list_values(&self, (relation, column): (RelationId, ColumnId)) -> Vec<String> {
        let fact = self.cx.facts().lookup_column(relation, column);
        let render = |value: &Value| value.render_text().into_owned();
        if let Some(values) = fact.closed.as_deref() {
            return values.iter().map(render).collect();
        }
        let Some((domain, size)) = fact.domain.and_then(|domain| Some((domain, domain.cardinality()?))) else {
            return Vec::new();
        };
        let step = (size / MAX_TRIED).max(1);
        let indexes = (0..MAX_TRIED.min(size)).map(|at| at * step).chain([size.saturating_sub(1)]);
        indexes.filter_map(|index| domain.value_at(index)).map(|value| render(&value)).collect()
    }

    /// Finds a value of the data that neither an expectation nor a prompt reads: it was computed for the answer.
    fn find_unread_name(&self) -> Option<NameId> {
        let task = self.cx.task;
        let mut used = Flow::new(task, Followed::All);
        task.iter_expects().for_each(|expect| used.add_expect(expect));
        used.add_given();
        task.prompt.wordings.iter().for_each(|wording| used.add_expr(wording));
        task.iter_ways().flat_map(|way| &way.prompt.wordings).for_each(|wording| used.add_expr(wording));
        let named = self.list_named();
        let reads_data = |id: NameId| {
            let mut flow = Flow::new(task, Followed::All);
            flow.add_name(id);
            !flow.relations.is_empty()
        };
        let unread = task.names.iter_enumerated().filter(|(id, name)| match &name.source {
            NameSource::Compute(_) => !used.names.contains(id) && reads_data(*id),
            NameSource::Draw { draw, .. } => matches!(draw.domain, DrawDomain::Ref { .. }) && !named.contains(id),
            _ => false,
        });
        // The last one is the answer, if some are computed from others.
        unread.map(|(id, _)| id).max()
    }

    /// Lists the names that any expression of the task uses.
    fn list_named(&self) -> BTreeSet<NameId> {
        let mut named = BTreeSet::new();
        self.cx.task.visit_exprs(&mut |_, expr, _| expr.visit_names(&mut |id| named.extend([id])));
        named
    }
}

/// Whether a pattern has many texts.
fn is_wide(pattern: &str) -> bool {
    ["[", "\\d", "\\w", ".", "+", "*"].iter().any(|mark| pattern.contains(mark))
}
