//! Makes the answer of the oracle from a key. For the guess agent, the key has the values of other instances.

mod compose;
mod example;
mod panel;
mod parquet;
mod places;
mod states;
mod styles;
mod tests_of_keys;
mod told;
mod usual;
mod variant;
mod variants;
mod workbook;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use model::Value;
use model::answer_key::{Answer, DIGESTS, Expected, Slice, Subject, WHOLE};
use model::suite::Matcher;
use model::suite::matchers::{Reads, Takes};
use records::verdict::Difference;
use records::{Captured, Instance, Response, Score, Status, hash_sha256};

use crate::bytes::{encode_text, write_file};
use crate::describe::describe_subject;
use crate::laid_out::{has_typed_cells, is_workbook};
use crate::read::lines::{is_json_lines, split_lines};
use crate::rules::Rules;
use crate::score::score_response;
use crate::start_files::StartFiles;
use crate::state;
use compose::Part;
pub use panel::{Bad, BadReply, Known, list_bad_replies};
pub use tests_of_keys::{Attempt, judge_attempt};
pub use variant::VariantKind;
pub use variants::{Variants, try_variants};
pub(crate) use write::render_forms;

/// The reply and the changes of an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solution {
    /// The final reply; empty if the key does not read it.
    pub reply: String,
    /// The files to write: path in the sandbox, and content.
    pub files: Vec<(String, Vec<u8>)>,
    /// The folders to make, without a `/` at the end.
    pub folders: Vec<String>,
    /// Starting files and folders to remove first, with their contents; without a `/` at the end.
    pub removed: Vec<String>,
}

impl Solution {
    /// Whether the starting content of `path` is removed.
    pub fn is_removed(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        let is_above = |removed: &String| path.strip_prefix(removed.as_str()).is_some_and(|rest| rest.starts_with('/'));
        self.removed.iter().any(|removed| removed == path || is_above(removed))
    }

    /// Returns the response of an agent that completed with this solution: its reply, and the content of every path that the answer key reads.
    pub fn to_response(&self, instance: &Instance, start: &dyn StartFiles) -> Response {
        build_response(self, instance.list_key_paths(), instance, start)
    }
}

/// The `expect` of an instance for which no answer was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSolution {
    instance: String,
    /// Its index among the expectations that were asked.
    index: usize,
    subject: String,
    matcher: Matcher,
    /// The difference between the last answer and the expected one.
    difference: Option<Difference>,
}

impl NoSolution {
    /// Its index among the expectations of the instance: first its own, then those of its stages.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The `expect`, such as `reply number`.
    pub fn describe_expect(&self) -> String {
        format!("{} {}", self.subject, self.matcher.word())
    }

    /// The difference between the last answer and the expected one, if it is known.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_ref()
    }
}

impl fmt::Display for NoSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoSolution { instance, difference, .. } = self;
        let expect = self.describe_expect();
        write!(f, "{instance}: no answer was found: `expect {expect}` accepts none that its key could give")?;
        difference.as_ref().map_or(Ok(()), |Difference { expected, got, .. }| {
            write!(f, " (it expects {expected}; what was tried is {got})")
        })
    }
}

impl std::error::Error for NoSolution {}

/// Returns an answer that the key accepts, checked by [`score_response`]. The error names the `expect` for which none was found.
///
/// ```
/// use records::Instance;
/// use score::{score_response, solve_instance};
/// use serde_json::json;
///
/// let line = json!({
///     "id": "towns-1", "input": "Which?", "target": "", "files": {},
///     "metadata": {"picard": {
///         "schema": 1, "scorer": 3, "suite": "s", "version": "1.0.0", "task": "towns", "variant": null, "axis": {}, "sample": 1,
///         "draws": {}, "folders": [], "tags": [], "canary": null,
///         "expect": [
///             {"subject": "reply", "match": "list", "value": ["Ulm", "Bonn"]},
///             {"subject": {"file": "n.json"}, "match": "json", "value": {"n": 2}},
///         ],
///     }},
/// });
/// let instance = Instance::from_json(&line, None).expect("an instance");
/// let solution = solve_instance(&instance, &()).expect("a solution");
/// assert_eq!(solution.files[0].0, "n.json");
/// // The scorer accepts it, as it would accept an agent's.
/// let response = solution.to_response(&instance, &());
/// assert!(score_response(&instance, Some(&response), 1, &()).correct);
/// ```
pub fn solve_instance(instance: &Instance, start: &dyn StartFiles) -> Result<Solution, NoSolution> {
    let own: Vec<&Expected> = instance.iter_expects().collect();
    let solution = build_solution(instance, &own, start);
    explain_first_refusal(instance, &solution, &own, start).map_or(Ok(solution), Err)
}

/// Builds a solution subject by subject, with the first candidate that the expectations on it accept, or else with the first one.
fn build_solution(instance: &Instance, expects: &[&Expected], start: &dyn StartFiles) -> Solution {
    let of_reply: Vec<&Expected> =
        expects.iter().filter(|expect| matches!(expect.subject, Subject::Reply(_))).copied().collect();
    let parts: Vec<Part> = of_reply.iter().map(|expect| build_part(expect)).collect();
    let candidates = compose::list_candidates(&parts).map(|reply| Solution { reply, ..Solution::default() });
    let mut solution = choose_accepted(candidates, instance, &of_reply, start);
    let mut done: Vec<&str> = Vec::new();
    for expect in expects {
        match &expect.subject {
            Subject::Reply(_) => {}
            Subject::File(path) if !done.contains(&path.as_str()) => {
                done.push(path);
                let asked: Vec<&Expected> =
                    expects.iter().filter(|other| other.subject == expect.subject).copied().collect();
                fill_file(instance, path, &asked, start, &mut solution);
            }
            Subject::File(_) | Subject::Unchanged(_) => {}
            Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => {
                for path in paths {
                    match path.strip_suffix('/') {
                        Some(folder) if !instance.folders.iter().any(|known| known.trim_end_matches('/') == folder) => {
                            solution.folders.push(folder.to_owned());
                        }
                        Some(_) => {}
                        None => ensure_file(path, start, &mut solution),
                    }
                }
            }
        }
    }
    solution
}

fn fill_file(instance: &Instance, path: &str, asked: &[&Expected], start: &dyn StartFiles, solution: &mut Solution) {
    if let Some(bytes) = asked.iter().find_map(|expect| state::solve_database(expect, path, start)) {
        solution.files.retain(|(known, _)| known != path);
        solution.files.push((path.to_owned(), bytes));
        return;
    }
    let rules = Rules::from_scorer(instance.scorer);
    let exact: Vec<Vec<u8>> = asked
        .iter()
        .filter(|expect| expect.matcher.record().takes == Takes::Content)
        .flat_map(|expect| list_contents(expect, start, rules))
        .collect();
    let parts: Vec<Part> =
        asked.iter().filter(|expect| !expect.matcher.is_of_files()).map(|expect| build_part(expect)).collect();
    let absent = asked.iter().any(|expect| expect.matcher == Matcher::Absent);
    if absent && parts.is_empty() && exact.is_empty() && is_at_start(path, instance, start) {
        solution.removed.push(path.trim_end_matches('/').to_owned());
    }
    if parts.is_empty() && exact.is_empty() {
        if asked.iter().any(|expect| expect.matcher == Matcher::Exists) {
            ensure_file(path, start, solution);
        }
        return;
    }
    if exact.is_empty() && rules.reads_formats && has_typed_cells(path) {
        let bytes = if is_workbook(path) { workbook::write_workbook(asked) } else { parquet::write_file(asked) };
        solution.files.retain(|(known, _)| known != path);
        // If no such file holds the answer, a text under its name would not either.
        solution.files.extend(bytes.map(|bytes| (path.to_owned(), bytes)));
        return;
    }
    // If an expectation requires exact bytes, other candidates cannot satisfy it.
    let texts = compose::list_candidates(&parts).take(if exact.is_empty() { usize::MAX } else { 0 });
    let read = asked.iter().find(|expect| !expect.matcher.is_of_files());
    let is_lines = rules.reads_formats && is_json_lines(path);
    let written = texts.map(|text| {
        let lines = if is_lines { split_lines(&text) } else { None };
        // If the encoding lacks a character, no file can be correct.
        write_file(lines.as_deref().unwrap_or(&text), path, read.copied(), rules)
    });
    let files = exact.into_iter().chain(written).map(|bytes| vec![(path.to_owned(), bytes)]);
    let candidates = files.map(|files| Solution { files, ..Solution::default() });
    let chosen = choose_accepted(candidates, instance, asked, start);
    solution.files.retain(|(known, _)| known != path);
    solution.files.extend(chosen.files);
}

/// Returns the first candidate that all `asked` expectations accept, otherwise the first one.
fn choose_accepted(
    candidates: impl Iterator<Item = Solution>,
    instance: &Instance,
    asked: &[&Expected],
    start: &dyn StartFiles,
) -> Solution {
    let mut first = None;
    for candidate in candidates {
        if explain_first_refusal(instance, &candidate, asked, start).is_none() {
            return candidate;
        }
        first.get_or_insert(candidate);
    }
    first.unwrap_or_default()
}

/// Whether a file or folder exists at a path at the start.
fn is_at_start(path: &str, instance: &Instance, start: &dyn StartFiles) -> bool {
    let name = path.trim_end_matches('/');
    let below = format!("{name}/");
    let paths = instance.folders.iter().chain(instance.files.iter().map(|(path, _)| path));
    start.read_file(name).is_some()
        || paths.map(|path| path.trim_end_matches('/')).any(|at| at == name || at.starts_with(&below))
}

fn ensure_file(path: &str, start: &dyn StartFiles, solution: &mut Solution) {
    let stands = start.read_file(path).is_some() && !solution.is_removed(path);
    if !stands && !solution.files.iter().any(|(known, _)| known == path) {
        solution.files.push((path.to_owned(), b"done\n".to_vec()));
    }
}

/// Returns the contents that a `bytes` expectation accepts.
fn list_contents(expect: &Expected, start: &dyn StartFiles, rules: &Rules) -> Vec<Vec<u8>> {
    let text = |value: &Value| {
        let text = value.render_text();
        encode_text(&text, expect, rules).map_or_else(|_| text.as_bytes().to_vec(), |bytes| bytes.into_owned())
    };
    match &expect.answer {
        Some(Answer::Content(path)) => start.read_file(path).map(|bytes| bytes.into_owned()).into_iter().collect(),
        answer => answer.iter().flat_map(Answer::accepted_values).map(text).collect(),
    }
}

/// Builds the requirement of an `expect` on a text.
fn build_part(expect: &Expected) -> Part {
    let path = match &expect.subject {
        Subject::File(path) => path.as_str(),
        _ => "",
    };
    let values = expect.answer.iter().flat_map(Answer::accepted_values);
    // At a place, rows are JSON, too.
    let path = if expect.at.is_some() { "place.json" } else { path };
    let mut forms: Vec<String> = values
        .flat_map(|value| match value {
            Value::Rows(set) if expect.read.has_layout() => {
                write::render_laid_out(set, &expect.read, path).into_iter().collect()
            }
            value => write::render_forms(expect.matcher, value, path),
        })
        .collect();
    if expect.at.is_none() {
        // A told form may read the plain one as another value: `664.065` with `#.##0,00`.
        let told = told::list_told_styles(expect).into_iter();
        let more: Vec<String> = told.filter(|form| !forms.contains(form)).collect();
        forms.extend(more);
    }
    let at = expect.at.as_ref().map(|at| at.path.clone());
    let record = expect.matcher.record();
    let json = record.structured && record.reads == Reads::Text || matches!(record.takes, Takes::Number | Takes::Bool);
    let slice: Option<Slice> = match &expect.subject {
        Subject::Reply(slice) => slice.clone(),
        _ => None,
    };
    Part { slice, at, json, matcher: expect.matcher, forms }
}

/// Explains why the first `expect` of `asked` that rejects the solution does so; `None` if all accept it.
fn explain_first_refusal(
    instance: &Instance,
    solution: &Solution,
    asked: &[&Expected],
    start: &dyn StartFiles,
) -> Option<NoSolution> {
    let score = score_expectations(instance, solution, asked, start);
    let mut judged = asked.iter().zip(&score.verdicts).enumerate();
    let (index, (expect, verdict)) = judged.find(|(_, (_, verdict))| verdict.score < 1.0)?;
    Some(NoSolution {
        instance: instance.id.clone(),
        index,
        subject: describe_subject(expect),
        matcher: expect.matcher,
        difference: verdict.differences.first().cloned(),
    })
}

/// Scores a solution by these expectations only.
fn score_expectations(instance: &Instance, solution: &Solution, asked: &[&Expected], start: &dyn StartFiles) -> Score {
    let asking = Instance {
        expects: asked.iter().map(|expect| (*expect).clone()).collect(),
        stages: Vec::new(),
        // The starting files are needed only if an expectation is about other paths.
        files: match asked.iter().any(|expect| matches!(expect.subject, Subject::Only(_) | Subject::Unchanged(_))) {
            true => instance.files.clone(),
            false => Vec::new(),
        },
        draws: Vec::new(),
        ..instance.clone()
    };
    let response = build_response(solution, asking.list_key_paths(), instance, start);
    score_response(&asking, Some(&response), 1, start)
}

/// Builds the response of an agent that completed with this solution, with the content of these paths.
fn build_response(solution: &Solution, paths: Vec<String>, instance: &Instance, start: &dyn StartFiles) -> Response {
    let files = paths.into_iter().map(|path| {
        let found = capture_path(&path, instance, solution, start);
        (path, found)
    });
    Response {
        id: instance.id.clone(),
        trial: 1,
        status: Status::Done,
        reply: solution.reply.clone(),
        files: files.collect(),
        attempts: 1,
        ..Response::default()
    }
}

/// Returns the content of a path after the solution is applied.
fn capture_path(path: &str, instance: &Instance, solution: &Solution, start: &dyn StartFiles) -> Captured {
    if path == WHOLE || path == DIGESTS {
        return capture_all_paths(instance, solution, start);
    }
    let name = path.trim_end_matches('/');
    if let Some((_, bytes)) = solution.files.iter().find(|(known, _)| known == name) {
        return Captured::from_bytes(bytes.clone());
    }
    if !solution.is_removed(name)
        && let Some(bytes) = start.read_file(name)
    {
        return Captured::from_bytes(bytes.into_owned());
    }
    let below = format!("{name}/");
    let is_there = |known: &String| known.trim_end_matches('/') == name || known.starts_with(&below);
    // A folder stays when its contents are removed.
    let mut left = instance.folders.iter().chain(instance.files.iter().map(|(path, _)| path));
    let mut made = solution.folders.iter().chain(solution.files.iter().map(|(path, _)| path));
    if !solution.is_removed(name) && left.any(is_there) || made.any(is_there) {
        return Captured::Folder;
    }
    Captured::Absent
}

/// Returns all paths of the sandbox after the solution is applied, with the digests of its files.
fn capture_all_paths(instance: &Instance, solution: &Solution, start: &dyn StartFiles) -> Captured {
    let mut all: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut add = |path: &str, is_folder: bool, digest: Option<String>| {
        for (at, _) in path.match_indices('/') {
            all.insert(path[..=at].to_owned(), None);
        }
        all.insert(if is_folder { format!("{path}/") } else { path.to_owned() }, digest);
    };
    let kept = |path: &String| !solution.is_removed(path);
    for (path, content) in instance.files.iter().filter(|(path, _)| kept(path)) {
        add(path, false, start.digest_file(path, content));
    }
    instance.folders.iter().filter(|path| kept(path)).for_each(|path| add(path.trim_end_matches('/'), true, None));
    // A folder stays when its contents are removed.
    let above = solution.removed.iter().filter_map(|path| Some(path.rsplit_once('/')?.0.to_owned()));
    above.filter(kept).for_each(|folder| add(&folder, true, None));
    solution.files.iter().for_each(|(path, bytes)| add(path, false, Some(hash_sha256(bytes))));
    solution.folders.iter().for_each(|path| add(path, true, None));
    let (paths, sha256) = all.into_iter().unzip();
    Captured::Paths { paths, sha256 }
}
