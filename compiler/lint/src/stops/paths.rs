//! Proofs that a path can always be stored, and that two paths are never the same, from the possible texts of each.

use std::cell::RefCell;
use std::collections::BTreeSet;

use model::path::{describe_problem, fold_path};
use model::suite::{Extra, Scope};
use model::{Domain, Span, Value};

use super::phases::Phases;
use super::plain_paths::is_plain_path;
use hir::facts::Facts;
use hir::terms::{States, Texts, Work};
use hir::texts::{has_only, infer_texts, is_shorter};
use hir::types::TyKind;
use hir::{DrawDomain, Expr, ExprKind, File, NameSource};

/// Paths with fewer characters than this have few enough bytes, in ASCII and in any letters.
const SHORT_ASCII: usize = 250;
const SHORT: usize = 60;

/// The most characters of a range that are looked at one by one.
const MAX_RANGE: usize = 2048;

/// The most rows that surely do not have too many files.
const MAX_ROWS: u64 = 60_000;

/// The most pairs of paths that are compared.
const MAX_PAIRS: usize = 10_000;

/// The beginnings of names that Windows reserves for devices, in lower case. After the last two, a digit follows.
const DEVICES: [&str; 8] = ["con", "prn", "aux", "nul", "conin$", "conout$", "com", "lpt"];

/// Whether a path can always be stored. False if that is not known.
pub(super) fn is_storable<'a>(facts: &Facts<'a>, path: &'a Expr, scope: Scope) -> bool {
    infer_pieces(facts, path, scope).is_some_and(|texts| is_short_plain_path(&texts))
        || infer_texts(facts, path, scope).is_some_and(|texts| are_storable(&texts))
}

/// Whether a path of a file, or that of a folder with a slash at its end, can always be stored.
pub(super) fn is_storable_entry<'a>(facts: &Facts<'a>, path: &'a Expr) -> bool {
    let cut = |texts: Texts<'a>| cut_last_slash(&texts).unwrap_or(texts);
    let scope = Scope::default();
    infer_pieces(facts, path, scope).is_some_and(|texts| is_short_plain_path(&cut(texts)))
        || infer_texts(facts, path, scope).is_some_and(|texts| are_storable(&cut(texts)))
}

/// The texts of each piece of a path: fewer than the texts of the path, and enough for most.
fn infer_pieces<'a>(facts: &Facts<'a>, path: &'a Expr, scope: Scope) -> Option<Texts<'a>> {
    let pieces = path.as_pieces().iter().map(|piece| infer_texts(facts, piece, scope));
    pieces.collect::<Option<_>>().map(Texts::Joined)
}

/// Texts without the slash at their ends. `None` if one of them may have none.
fn cut_last_slash<'a>(texts: &Texts<'a>) -> Option<Texts<'a>> {
    match texts {
        Texts::Joined(parts) => {
            let (last, before) = parts.split_last()?;
            let last = cut_last_slash(last)?;
            Some(Texts::Joined(before.iter().cloned().chain([last]).collect()))
        }
        Texts::Listed(values) => {
            let cut = |value: &Value| value.render_text().strip_suffix('/').map(Value::from_text);
            values.iter().map(cut).collect::<Option<Vec<_>>>().map(|values| Texts::Listed(values.into()))
        }
        _ => None,
    }
}

/// Whether all texts are paths that can be stored.
fn are_storable(texts: &Texts<'_>) -> bool {
    if let Texts::Listed(paths) = texts {
        return paths.iter().all(|path| describe_problem(&path.render_text()).is_none());
    }
    let is_short = is_shorter(texts, SHORT) || is_shorter(texts, SHORT_ASCII) && has_only(texts, |c| c.is_ascii());
    if !is_short || is_plain_path(texts) {
        return is_short;
    }
    let reader = Reader::default();
    let start = reader.number(Part::default());
    let ends = texts.read(&[start].into(), &Work::default(), &|state, low, high| {
        let mut next: States = (low..=high).take(MAX_RANGE).map(|c| reader.step(state, c)).collect();
        if (low..=high).nth(MAX_RANGE).is_some() {
            next.insert(BAD);
        }
        next
    });
    ends.is_some_and(|ends| ends.iter().all(|state| reader.is_good_end(*state)))
}

/// Whether paths are plain, and so short that they can be stored.
fn is_short_plain_path(texts: &Texts<'_>) -> bool {
    is_plain_path(texts) && is_shorter(texts, SHORT_ASCII)
}

/// The state of a reader that has read what no path can have.
const BAD: usize = 0;

/// What was read of a part between slashes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Part {
    /// Whether anything was read.
    started: bool,
    /// What was read before the first period, in lower case, if that can be the name of a device, or the beginning of one.
    stem: Option<String>,
    /// Whether a period was read.
    has_period: bool,
    /// Whether the last character can be at no end.
    is_open: bool,
}

/// Reads paths; its states are numbered from 1.
#[derive(Default)]
struct Reader {
    known: RefCell<Vec<Part>>,
}

impl Reader {
    fn number(&self, part: Part) -> usize {
        let mut known = self.known.borrow_mut();
        let at = known.iter().position(|own| *own == part).unwrap_or_else(|| {
            known.push(part);
            known.len() - 1
        });
        at + 1
    }

    fn find_part(&self, state: usize) -> Option<Part> {
        self.known.borrow().get(state.checked_sub(1)?).cloned()
    }

    fn step(&self, state: usize, c: char) -> usize {
        let Some(part) = self.find_part(state) else { return BAD };
        if c == '/' {
            return if part.can_end() { self.number(Part::default()) } else { BAD };
        }
        match part.read(c) {
            Some(next) => self.number(next),
            None => BAD,
        }
    }

    fn is_good_end(&self, state: usize) -> bool {
        self.find_part(state).is_some_and(|part| part.can_end())
    }
}

impl Part {
    /// What was read after a further character; `None` if no part can have it there.
    fn read(&self, c: char) -> Option<Part> {
        let is_plain = c.is_ascii_graphic() || c == ' ' || c.is_alphabetic() && !c.is_ascii();
        let begins = !self.started;
        if !is_plain || "<>:\"|?*\\".contains(c) || begins && matches!(c, ' ' | '.') {
            return None;
        }
        // Letters of other scripts can have a form in ASCII.
        if !c.is_ascii() && c.to_uppercase().any(|upper| upper.is_ascii()) {
            return None;
        }
        let has_period = self.has_period || c == '.';
        let stem = match &self.stem {
            stem if has_period => stem.clone(),
            None if !begins => None,
            stem => {
                let longer = format!("{}{}", stem.as_deref().unwrap_or_default(), c.to_ascii_lowercase());
                may_be_device(&longer).then_some(longer)
            }
        };
        Some(Part { started: true, stem, has_period, is_open: matches!(c, '.' | ' ') })
    }

    fn can_end(&self) -> bool {
        self.started && !self.is_open && !self.stem.as_deref().is_some_and(is_device)
    }
}

/// Whether a text is the beginning of the name of a device, with blanks after it.
fn may_be_device(text: &str) -> bool {
    let text = text.trim_end();
    is_device(text) || DEVICES.iter().any(|device| device.starts_with(text))
}

fn is_device(stem: &str) -> bool {
    describe_problem(&format!("{}.x", stem.trim_end())).is_some()
}

/// Lists the drawn paths that can be the same as another one, or as that of another row.
pub(super) fn list_doubtful_paths(phases: &Phases<'_, '_>) -> Vec<Span> {
    // All files are put together when the sample is accepted.
    let (task, facts) = (phases.task(), phases.late());
    let mut paths: Vec<(&Expr, Scope)> = task.files.iter().map(|file| (&file.path, file.surrounding_scope())).collect();
    let split = task.files.iter_enumerated().filter(|(_, file)| file.split && file.path.as_constant().is_none());
    let mut doubts: Vec<Span> = split
        .filter(|(id, file)| !are_rows_apart(phases.facts_of_file(*id), file))
        .map(|(_, file)| file.path.span)
        .collect();
    paths.extend(task.extras.iter().filter_map(Extra::placed_path).map(|(path, _)| (path, Scope::default())));
    for (at, second) in paths.iter().enumerate() {
        let is_drawn = |path: &Expr| path.as_constant().is_none();
        let mut others = paths.iter().take(at).filter(|first| is_drawn(first.0) || is_drawn(second.0));
        if others.any(|first| !are_apart(facts, *first, *second)) {
            doubts.push(second.0.span);
        }
    }
    doubts
}

/// Whether rows have the same file only if the value in its path is the same.
fn are_rows_apart<'a>(facts: &Facts<'a>, file: &'a File) -> bool {
    let scope = file.surrounding_scope();
    let few = scope.row.is_none_or(|rows| facts.count_rows(rows).most <= MAX_ROWS);
    let mut drawn = file.path.as_pieces().iter().filter(|piece| piece.as_constant().is_none());
    let (Some(piece), None) = (drawn.next(), drawn.next()) else { return false };
    let folded = || {
        let values = facts.infer_expr(piece, scope).closed?;
        let mut texts: Vec<String> = values.iter().map(|value| fold_path(&value.render_text())).collect();
        let all = texts.len();
        texts.sort_unstable();
        texts.dedup();
        Some(texts.len() == all)
    };
    few && (matches!(piece.ty.kind, TyKind::Int | TyKind::Date) || folded() == Some(true))
}

/// Whether two paths are never the same, and none of them is a folder of the other.
pub(super) fn are_apart<'a>(
    facts: &Facts<'a>,
    (one, in_one): (&'a Expr, Scope),
    (other, in_other): (&'a Expr, Scope),
) -> bool {
    let listed = list_paths(facts, one, in_one).zip(list_paths(facts, other, in_other));
    let are_few = |(a, b): &(Vec<Value>, Vec<Value>)| a.len().saturating_mul(b.len()) <= MAX_PAIRS;
    if listed.as_ref().filter(|listed| are_few(listed)).is_some_and(|(a, b)| are_listed_apart(a, b)) {
        return true;
    }
    // What both begin with is the same text in a sample.
    let same = count_same_pieces(one, other);
    let (rest, other_rest) = (list_after(one, same), list_after(other, same));
    if differ_from(find_fixed(rest.first()).chars(), find_fixed(other_rest.first()).chars())
        || are_names_apart(facts, rest, other_rest)
    {
        return true;
    }
    // Files of one folder with other endings.
    let is_flat = |pieces: &'a [Expr], scope: Scope| {
        pieces.iter().all(|piece| {
            infer_texts(facts, piece, scope).is_some_and(|texts| has_only(&texts, |c| c != '/' && c.is_ascii()))
        })
    };
    let have_other_endings =
        differ_from(find_fixed(rest.last()).chars().rev(), find_fixed(other_rest.last()).chars().rev());
    have_other_endings && is_flat(rest, in_one) && is_flat(other_rest, in_other)
        || listed.filter(|listed| !are_few(listed)).is_some_and(|(a, b)| are_listed_apart(&a, &b))
}

/// Whether no path of one list is in the other one, or is a folder of one there.
fn are_listed_apart(a: &[Value], b: &[Value]) -> bool {
    let fold = |paths: &[Value]| paths.iter().map(|path| fold_path(&path.render_text())).collect::<BTreeSet<String>>();
    let (a, b) = (fold(a), fold(b));
    let has_none_of = |paths: &BTreeSet<String>, others: &BTreeSet<String>| {
        let is_there = |path: &str| others.contains(path);
        let mut folders = paths.iter().flat_map(|path| path.match_indices('/').filter_map(|(at, _)| path.get(..at)));
        !folders.any(is_there) && !paths.iter().any(|path| is_there(path))
    };
    has_none_of(&a, &b) && has_none_of(&b, &a)
}

/// All possible texts of a path, if they are few.
fn list_paths<'a>(facts: &Facts<'a>, path: &'a Expr, scope: Scope) -> Option<Vec<Value>> {
    if let Some(known) = facts.infer_expr(path, scope).closed {
        return Some(known.to_vec());
    }
    let mut texts = vec![String::new()];
    for piece in path.as_pieces() {
        let fact = facts.infer_expr(piece, scope);
        let values: Vec<Value> = match (&fact.closed, fact.as_int_range()) {
            (Some(values), _) => values.to_vec(),
            (None, Some((low, high))) if high.checked_sub(low)? < MAX_PAIRS as i64 => {
                (low..=high).map(Value::Int).collect()
            }
            _ => return None,
        };
        if texts.len().saturating_mul(values.len()) > MAX_PAIRS {
            return None;
        }
        let longer =
            texts.iter().flat_map(|text| values.iter().map(move |value| format!("{text}{}", value.render_text())));
        texts = longer.collect();
    }
    Some(texts.into_iter().map(Value::Text).collect())
}

/// Whether two paths begin with different names of one statement, before a period or a slash, or the end: words that differ in more than their case.
fn are_names_apart<'a>(facts: &Facts<'a>, one: &'a [Expr], other: &'a [Expr]) -> bool {
    let find_word = |path: &'a [Expr]| {
        let (first, rest) = path.split_first()?;
        let ExprKind::Name(id) = first.kind else { return None };
        let NameSource::Draw { draw, group, .. } = &facts.task().names.get(id)?.source else { return None };
        let texts = infer_texts(facts, first, Scope::default())?;
        let is_word = has_only(&texts, |c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
            || matches!(&draw.domain, DrawDomain::Fixed(domain) if are_parts_apart(domain));
        let ends = rest.first().is_none_or(|next| find_fixed(Some(next)).starts_with(['.', '/']));
        (draw.unique && !draw.may_be_blank() && is_word && ends).then_some((id, group))
    };
    find_word(one).zip(find_word(other)).is_some_and(|((one, group), (other, same))| one != other && group == same)
}

/// Whether all texts of a domain are in ASCII, without periods and slashes, and differ in more than the case of their letters.
fn are_parts_apart(domain: &Domain) -> bool {
    let few = domain.cardinality().is_some_and(|size| size <= MAX_PAIRS as u128);
    let Some(values) = domain.list_values().filter(|_| few) else { return false };
    let texts: Vec<_> = values.iter().map(Value::render_text).collect();
    let folded: BTreeSet<String> = texts.iter().map(|text| fold_path(text)).collect();
    folded.len() == texts.len() && texts.iter().all(|text| text.is_ascii() && !text.contains(['.', '/']))
}

/// The pieces of a path after some of them.
fn list_after(path: &Expr, after: usize) -> &[Expr] {
    let pieces = path.as_pieces();
    pieces.get(after.min(pieces.len())..).unwrap_or_default()
}

/// The text of a piece that is fixed, in small letters; empty for others.
fn find_fixed(piece: Option<&Expr>) -> String {
    let text = piece.and_then(Expr::as_constant).map(|text| text.render_text().into_owned());
    text.filter(|text| text.is_ascii()).unwrap_or_default().to_ascii_lowercase()
}

/// The number of pieces at the beginning of two paths that have the same value in a sample: fixed texts and names.
fn count_same_pieces(one: &Expr, other: &Expr) -> usize {
    let pairs = one.as_pieces().iter().zip(other.as_pieces());
    pairs
        .take_while(|(a, b)| match (&a.kind, &b.kind) {
            (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            _ => false,
        })
        .count()
}

/// Whether two texts have another character at a place that both have.
fn differ_from(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> bool {
    a.zip(b).any(|(a, b)| a != b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hir::texts::build_int;

    fn listed(texts: &[&str]) -> Texts<'static> {
        Texts::Listed(texts.iter().map(|text| Value::from_text(*text)).collect())
    }

    #[test]
    fn parts_are_safe_only_if_every_combination_is() {
        let text = |text: &str| listed(&[text]);
        let (words, device) = (|| listed(&["lake", "north"]), || listed(&["lake", "con"]));
        let long = "b".repeat(300);
        let cases = [
            (true, vec![text("total.csv")]),
            (true, vec![words(), text(".csv")]),
            (false, vec![device(), text(".csv")]),
            (true, vec![device(), text("_all.csv")]),
            (true, vec![text("x"), device()]),
            (false, vec![text("com"), build_int(), text(".txt")]),
            (true, vec![text("part_"), build_int(), text(".txt")]),
            (true, vec![build_int(), text(".txt")]),
            (true, vec![words(), text("_"), words(), text(".csv")]),
            (true, vec![words(), text("/"), words(), text(".csv")]),
            (false, vec![words(), text("/"), device(), text(".csv")]),
            (false, vec![words(), text("//"), words(), text(".csv")]),
            (false, vec![words(), text("/")]),
            // `co` and `n`.
            (false, vec![listed(&["co", "north"]), listed(&["n", "lake"])]),
            // Blanks around the name of a device do not count.
            (false, vec![device(), text(" .x"), build_int(), text(".csv")]),
            (false, vec![words(), text(".")]),
            (false, vec![words(), text(" : ")]),
            (false, vec![listed(&["a", ""])]),
            (false, vec![listed(&["a"]), text(&long)]),
            (false, Vec::new()),
        ];
        for (at, (safe, parts)) in cases.into_iter().enumerate() {
            assert_eq!(are_storable(&Texts::Joined(parts)), safe, "case {at}");
        }
    }
}
