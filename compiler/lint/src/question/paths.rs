//! Paths as templates of constant parts and names. Two templates can be equal always or in some samples.

use std::cmp::Ordering;

use model::suite::NameId;
use model::{Domain, Value};

use super::prompt_content::find_name_source;
use hir::{Draw, DrawDomain, Expr, ExprKind, NameSource, Subject};

/// A part of a path.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    /// A constant text.
    Text(String),
    /// A drawn name, or an axis.
    Name(NameId),
    /// A part with an unknown value.
    Other,
}

/// A path, split into components, each of which consists of parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Template {
    /// The components, outermost first; never empty.
    pub components: Vec<Vec<Part>>,
    /// Whether it is written with a trailing `/`.
    pub folder: bool,
}

impl Template {
    /// Converts a path to a template.
    pub fn from_expr(task: &hir::Task, path: &Expr) -> Template {
        let mut parts = Vec::new();
        flatten_parts(task, path, &mut parts, 0);
        let mut components: Vec<Vec<Part>> = vec![Vec::new()];
        for part in parts {
            let Part::Text(text) = part else {
                if let Some(last) = components.last_mut() {
                    last.push(part);
                }
                continue;
            };
            for (index, piece) in text.split('/').enumerate() {
                if index > 0 {
                    components.push(Vec::new());
                }
                let Some(last) = components.last_mut() else { continue };
                match last.last_mut() {
                    _ if piece.is_empty() => {}
                    Some(Part::Text(before)) => before.push_str(piece),
                    _ => last.push(Part::Text(piece.to_owned())),
                }
            }
        }
        let folder = components.len() > 1 && components.last().is_some_and(Vec::is_empty);
        // Remove the empty components of a trailing `/` and of the `/` in `<<sandbox>>/x`.
        components.retain(|component| !component.is_empty());
        Template { components, folder }
    }

    /// Returns the last component.
    pub fn last_component(&self) -> &[Part] {
        self.components.last().map_or(&[], Vec::as_slice)
    }

    /// Checks whether both are the same file in every sample, ignoring letter case.
    pub fn is_same_file(&self, other: &Template) -> bool {
        let known = |template: &Template| !template.components.iter().flatten().any(|part| *part == Part::Other);
        known(self) && known(other) && self.fold_case() == other.fold_case()
    }

    fn fold_case(&self) -> Vec<Vec<Part>> {
        let fold = |part: &Part| match part {
            Part::Text(text) => Part::Text(text.to_lowercase()),
            other => other.clone(),
        };
        self.components.iter().map(|component| component.iter().map(fold).collect()).collect()
    }

    /// Formats the path for messages, with its names as written: `<<dir>>/x.csv`.
    pub fn format_path(&self, task: &hir::Task) -> String {
        let component = |parts: &Vec<Part>| format_parts(task, parts);
        self.components.iter().map(component).collect::<Vec<_>>().join("/")
    }
}

/// Formats parts as an author would write them.
pub(super) fn format_parts(task: &hir::Task, parts: &[Part]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Name(id) => {
                format!("<<{}>>", task.names.get(*id).map_or("…", |name| name.name.as_str()))
            }
            Part::Other => "<<…>>".to_owned(),
        })
        .collect()
}

/// Returns the text of parts that are a single constant.
pub(super) fn as_constant(parts: &[Part]) -> Option<&str> {
    match parts {
        [Part::Text(text)] => Some(text),
        _ => None,
    }
}

fn flatten_parts(task: &hir::Task, expr: &Expr, out: &mut Vec<Part>, depth: u32) {
    match &expr.kind {
        // No real path has this many parts, but names composed of names can double each time.
        _ if depth > 64 || out.len() > 256 => out.push(Part::Other),
        ExprKind::Const(value) => out.push(Part::Text(value.render_text().into_owned())),
        ExprKind::Concat(pieces) => {
            for piece in pieces {
                if out.len() <= 256 {
                    flatten_parts(task, piece, out, depth + 1);
                }
            }
        }
        ExprKind::Sandbox => out.push(Part::Text(String::new())),
        ExprKind::Folder(path) => out.push(Part::Text(path.clone())),
        ExprKind::FilePath(file) => match task.files.get(*file) {
            Some(file) => flatten_parts(task, &file.path, out, depth + 1),
            None => out.push(Part::Other),
        },
        ExprKind::Name(id) => match find_name_source(task, *id) {
            Some(NameSource::Compute(source)) => {
                flatten_parts(task, source, out, depth + 1);
            }
            Some(NameSource::Draw { .. } | NameSource::Axis | NameSource::Row) => out.push(Part::Name(*id)),
            None => out.push(Part::Other),
        },
        _ => out.push(Part::Other),
    }
}

/// Resolves the list of paths in an expectation, each with its span. Returns `None` if the list is computed.
pub(super) fn resolve_path_list(task: &hir::Task, list: &Expr) -> Option<Vec<Expr>> {
    match &list.kind {
        ExprKind::List(items) => Some(items.clone()),
        ExprKind::Const(Value::List(items)) => {
            Some(items.iter().map(|item| Expr::constant(item.clone(), list.ty.clone(), list.span)).collect())
        }
        ExprKind::Name(id) => resolve_path_list(task, task.find_computed(*id)?),
        _ => None,
    }
}

/// Lists the paths that must exist after the agent.
pub(super) fn list_expected_paths(task: &hir::Task, expect: &hir::Expect) -> Vec<Expr> {
    match &expect.subject {
        Subject::File(_) if !expect.matcher.record().leaves => Vec::new(),
        Subject::File(path) => vec![path.clone()],
        Subject::Files(list) | Subject::Tree(list) | Subject::Only(list) => {
            resolve_path_list(task, list).unwrap_or_default()
        }
        Subject::Unchanged(_) | Subject::Reply(_) => Vec::new(),
    }
}

/// Finds names whose values make two templates equal in some samples and not in others. Returns `None` if that cannot be proved.
///
/// `depth` is the depth of the first path compared with that of the second: if it is less, the first is a file where the second needs a folder.
pub(super) fn find_meeting_names(task: &hir::Task, a: &Template, b: &Template, depth: Ordering) -> Option<Vec<NameId>> {
    if a.components.len().cmp(&b.components.len()) != depth {
        return None;
    }
    let mut names = Vec::new();
    for (one, other) in a.components.iter().zip(&b.components) {
        unify_components(task, one, other, &mut names)?;
    }
    (!names.is_empty()).then_some(names)
}

/// Checks whether two components can be equal, and adds the names that must have certain values for that.
fn unify_components(task: &hir::Task, a: &[Part], b: &[Part], names: &mut Vec<NameId>) -> Option<()> {
    match (as_constant(a), as_constant(b)) {
        (Some(a), Some(b)) => return (a.to_lowercase() == b.to_lowercase()).then_some(()),
        (Some(text), None) => return unify_with_text(task, b, text, names),
        (None, Some(text)) => return unify_with_text(task, a, text, names),
        (None, None) => {}
    }
    if a.len() != b.len() {
        return None;
    }
    for pair in a.iter().zip(b) {
        match pair {
            (Part::Text(a), Part::Text(b)) if a.to_lowercase() == b.to_lowercase() => {}
            (Part::Name(a), Part::Name(b)) if a == b => {}
            (Part::Name(a), Part::Name(b)) if may_agree(task, *a, *b) => names.extend([*a, *b]),
            _ => return None,
        }
    }
    Some(())
}

/// Checks whether a component that contains one name can equal a constant text.
fn unify_with_text(task: &hir::Task, parts: &[Part], text: &str, names: &mut Vec<NameId>) -> Option<()> {
    let (before, id, behind) = match parts {
        [Part::Name(id)] => ("", id, ""),
        [Part::Text(before), Part::Name(id)] => (before.as_str(), id, ""),
        [Part::Name(id), Part::Text(behind)] => ("", id, behind.as_str()),
        [Part::Text(before), Part::Name(id), Part::Text(behind)] => (before.as_str(), id, behind.as_str()),
        _ => return None,
    };
    let text = text.to_lowercase();
    let wanted = text.strip_prefix(&before.to_lowercase())?.strip_suffix(&behind.to_lowercase())?;
    let (draw, domain) = find_fixed_draw(task, *id)?;
    let excepted = collect_excepted_values(draw)?;
    let value = find_value_rendering(domain, wanted)?;
    if excepted.iter().any(|except| except.is_same(&value)) || has_requirement(task, *id, None) {
        return None;
    }
    names.push(*id);
    Some(())
}

/// Finds a value of the domain that renders as this text, ignoring letter case.
fn find_value_rendering(domain: &Domain, wanted: &str) -> Option<Value> {
    let reads = |value: &Value| value.render_text().chars().flat_map(char::to_lowercase).eq(wanted.chars());
    if let Domain::Pattern(pattern) = domain {
        let cases = [wanted.to_owned(), wanted.to_uppercase()];
        return cases.into_iter().find(|text| pattern.index_of(text).is_some()).map(Value::Text);
    }
    domain.list_values()?.iter().find(|value| reads(value)).cloned()
}

/// Checks whether two drawn names can have equal values (ignoring letter case) but need not.
fn may_agree(task: &hir::Task, a: NameId, b: NameId) -> bool {
    if has_requirement(task, a, Some(b)) {
        return false;
    }
    let (
        Some(NameSource::Draw { draw: first, group: one, .. }),
        Some(NameSource::Draw { draw: second, group: other, .. }),
    ) = (find_name_source(task, a), find_name_source(task, b))
    else {
        return false;
    };
    let apart = first.unique && second.unique && one == other;
    if let (
        DrawDomain::Ref { relation: r, column: c, together: t, filter: None },
        DrawDomain::Ref { relation: s, column: d, together: u, filter: None },
    ) = (&first.domain, &second.domain)
    {
        let whole = t.is_empty() && u.is_empty() && first.except.is_empty() && second.except.is_empty();
        return whole && !apart && (r, c) == (s, d);
    }
    let (Some((_, domain)), Some((_, also))) = (find_fixed_draw(task, a), find_fixed_draw(task, b)) else {
        return false;
    };
    let (Some(not), Some(nor)) = (collect_excepted_values(first), collect_excepted_values(second)) else {
        return false;
    };
    if apart {
        return has_case_variants(domain);
    }
    if domain == also && not.is_empty() && nor.is_empty() {
        return domain.cardinality().is_some_and(|values| values > 1);
    }
    let (Some(values), Some(others)) = (domain.list_values(), also.list_values()) else { return false };
    let values = values.iter().filter(|value| !not.iter().any(|except| except.is_same(value)));
    let mut others = others.iter().filter(|value| !nor.iter().any(|except| except.is_same(value)));
    let values: std::collections::BTreeSet<String> = values.map(|value| value.render_text().to_lowercase()).collect();
    others.any(|value| values.contains(&value.render_text().to_lowercase()))
}

/// Checks whether two values of a domain differ only in letter case.
fn has_case_variants(domain: &Domain) -> bool {
    if let Domain::Pattern(pattern) = domain {
        let n = pattern.count_texts();
        return [0, n / 2, n.saturating_sub(1)].into_iter().filter_map(|at| pattern.text_at(at)).any(|text| {
            let (low, high) = (text.to_lowercase(), text.to_uppercase());
            low != high && pattern.index_of(&low).is_some() && pattern.index_of(&high).is_some()
        });
    }
    let Some(values) = domain.list_values() else { return false };
    let mut folded: Vec<String> = values.iter().map(|value| value.render_text().to_lowercase()).collect();
    let all = folded.len();
    folded.sort();
    folded.dedup();
    folded.len() < all
}

fn find_fixed_draw(task: &hir::Task, id: NameId) -> Option<(&Draw, &Domain)> {
    let draw = find_name_source(task, id)?.draw()?;
    match &draw.domain {
        DrawDomain::Fixed(domain) => Some((draw, domain)),
        _ => None,
    }
}

/// Collects the excluded values, if all of them are known.
fn collect_excepted_values(draw: &Draw) -> Option<Vec<Value>> {
    let values: Option<Vec<&[Value]>> = draw.except.iter().map(Expr::as_constant_items).collect();
    Some(values?.concat())
}

/// Checks whether a `require` reads the name, or both names, because it may keep them apart.
fn has_requirement(task: &hir::Task, a: NameId, b: Option<NameId>) -> bool {
    task.iter_conditions().any(|condition| {
        // A computed name may depend on either.
        let (mut has_a, mut has_b, mut computed) = (false, b.is_none(), false);
        condition.visit_names(&mut |id| {
            has_a |= id == a;
            has_b |= Some(id) == b;
            computed |= task.find_computed(id).is_some();
        });
        computed || (has_a && has_b)
    })
}
