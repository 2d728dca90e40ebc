//! `equal_ways`: two variants that ask the same question with the same answer, two such stages, or two equal wordings of a prompt.

use hir::{Expect, Expr, ExprKind, Prompt, Subject, Task, Variant};
use model::Value;
use model::suite::NameId;

use crate::context::TaskCx;
use syntax::diagnostics::{Code, Diagnostic};

/// The maximum number of names that are replaced with their definitions, because names composed of names can double each time.
const MAX_INLINED: u32 = 200;

pub(super) fn report_equal_ways(cx: &TaskCx<'_>, said: &mut Vec<Diagnostic>) {
    let task = cx.task;
    let prompts = std::iter::once(&task.prompt).chain(task.iter_ways().map(|way| &way.prompt));
    prompts.for_each(|prompt| said.extend(check_wordings(task, prompt)));
    let variants: Vec<&Variant> = task.variants.iter().collect();
    report_pairs(task, &variants, "variant", said);
    let stages: Vec<&Variant> = task.stages.iter().map(|stage| &stage.way).collect();
    report_pairs(task, &stages, "stage", said);
}

fn report_pairs(task: &Task, ways: &[&Variant], noun: &str, said: &mut Vec<Diagnostic>) {
    let contents: Vec<Content> = ways.iter().map(|way| Content::from_way(task, way)).collect();
    for (index, (later, own)) in ways.iter().zip(&contents).enumerate() {
        let before = ways.iter().zip(&contents).take(index);
        let Some((first, _)) =
            before.into_iter().find(|(first, content)| *content == own && is_equipped_alike(first, later))
        else {
            continue;
        };
        let message = format!("{noun}s `{}` and `{}` are equal", first.name, later.name);
        said.push(
            Diagnostic::new(Code::EQUAL_WAYS, message, later.span, "same prompt, same expectations")
                .label(first.span, "the other one")
                .with_labels(later.prompt.wordings.first().map(|wording| (wording.span, "the same prompt")))
                .help(format!("change the prompt of one of them, or remove {noun} `{}`", later.name)),
        );
    }
}

/// Whether two ways have the same lakes and tools.
fn is_equipped_alike(first: &Variant, later: &Variant) -> bool {
    let lakes = |way: &Variant| way.lakes.iter().map(|used| (used.lake, used.files.clone())).collect::<Vec<_>>();
    let means = |way: &Variant| (way.means.tools.clone(), way.means.calls);
    means(first) == means(later) && lakes(first) == lakes(later)
}

/// What a way asks and expects, without names and layout.
struct Content {
    wordings: Vec<Expr>,
    expects: Vec<Expect>,
}

impl PartialEq for Content {
    /// Files are compared each for itself, so the order of expectations does not matter.
    fn eq(&self, other: &Content) -> bool {
        let has_all = |a: &Content, b: &Content| a.expects.iter().all(|expect| b.expects.contains(expect));
        self.wordings == other.wordings
            && self.expects.len() == other.expects.len()
            && has_all(self, other)
            && has_all(other, self)
    }
}

impl Content {
    fn from_way(task: &Task, way: &Variant) -> Content {
        let mut wordings: Vec<Expr> = way.prompt.wordings.iter().map(|wording| normalize_expr(task, wording)).collect();
        wordings.dedup();
        let expects = way.expects.iter().map(|expect| normalize_expect(task, expect)).collect();
        Content { wordings, expects }
    }
}

fn normalize_expect(task: &Task, expect: &Expect) -> Expect {
    let mut normal = expect.map_exprs(&mut |expr| normalize_expr(task, expr));
    normal.name = None;
    normal.span = model::Span::default();
    if let Subject::Reply(Some(_)) = &normal.subject {
        // The text of a marker is compared as it is.
        normal.subject = expect.map_exprs(&mut |expr| expr.without_spans()).subject;
    }
    normal
}

/// An expression without spans, in which computed names are replaced with their definitions.
fn normalize_expr(task: &Task, expr: &Expr) -> Expr {
    let mut normal = expr.clone();
    inline_names(task, &mut normal, &mut MAX_INLINED.clone());
    let mut normal = normal.without_spans();
    collapse_blanks(&mut normal);
    normal
}

fn inline_names(task: &Task, expr: &mut Expr, left: &mut u32) {
    if let ExprKind::Name(id) = expr.kind
        && *left > 0
        && let Some(value) = find_own_definition(task, id)
    {
        *left -= 1;
        *expr = value.clone();
        return inline_names(task, expr, left);
    }
    expr.visit_children_mut(&mut |child| inline_names(task, child, left));
}

/// The definition of a name that a variant or stage computes for itself.
fn find_own_definition(task: &Task, id: NameId) -> Option<&Expr> {
    let is_own = task.iter_ways().any(|way| way.steps.contains(&id));
    task.find_computed(id).filter(|_| is_own)
}

/// Replaces runs of blanks in constant texts with one space.
fn collapse_blanks(expr: &mut Expr) {
    if let ExprKind::Const(Value::Text(text)) = &mut expr.kind {
        let words: Vec<&str> = text.split_whitespace().collect();
        *text = words.join(" ");
    }
    expr.visit_children_mut(&mut collapse_blanks);
}

/// Reports the first wording that is equal to an earlier one.
fn check_wordings(task: &Task, prompt: &Prompt) -> Option<Diagnostic> {
    let normal: Vec<Expr> = prompt.wordings.iter().map(|wording| normalize_expr(task, wording)).collect();
    let (at, first) = normal.iter().enumerate().find_map(|(at, own)| {
        let first = normal.iter().take(at).position(|other| other == own)?;
        Some((at, first))
    })?;
    let (later, first) = (prompt.wordings.get(at)?, prompt.wordings.get(first)?);
    let said = Diagnostic::new(Code::EQUAL_WAYS, "two wordings of the prompt are equal", later.span, "the same again");
    Some(said.label(first.span, "first here").help("write another wording, or remove this one"))
}
