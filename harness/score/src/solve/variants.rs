//! What is tried next to the oracle's answer: the same answer in other styles and other states of the same content, which must be correct, and answers that are wrong by one
//! step, which must not be.

use std::collections::BTreeMap;

use model::Value;
use model::answer_key::{Exceptions, Expected, Subject};
use model::suite::Options;
use records::Instance;

use super::states::list_states;
use super::styles::list_styles;
use super::told::{rewrite_values, write_form};
use super::variant::{Variant, VariantKind};
use super::write::render_laid_out;
use super::{Solution, score_expectations};
use crate::bytes::write_file;
use crate::describe::describe_subject;
use crate::paths::SIDECARS;
use crate::rules::Rules;
use crate::start_files::StartFiles;

/// What was tried, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// The number of variants of each kind.
    pub tried: BTreeMap<VariantKind, u64>,
    /// The first that is judged wrongly, for people: `` `reply number` rejects "**5**" ``.
    pub misjudged: Option<String>,
}

/// Tries variants of the oracle's answer, which must be correct.
///
/// ```
/// use records::Instance;
/// use score::{VariantKind, solve_instance, try_variants};
/// use serde_json::json;
///
/// let line = json!({
///     "id": "days-1", "input": "When?", "target": "", "files": {},
///     "metadata": {"picard": {
///         "schema": 1, "scorer": 3, "suite": "s", "version": "1.0.0", "task": "days", "variant": null, "axis": {}, "sample": 1,
///         "draws": {}, "folders": [], "tags": [], "canary": null,
///         "expect": [{"subject": "reply", "match": "date", "value": {"date": "2024-03-01"}}],
///     }},
/// });
/// let instance = Instance::from_json(&line, None).expect("an instance");
/// let solution = solve_instance(&instance, &()).expect("a solution");
/// let variants = try_variants(&instance, &solution, &());
/// assert_eq!(variants.misjudged, None);
/// // `2024-01-03`, `01.03.2024`, `03/01/2024`: none of them is the first of March unless a form is told.
/// assert_eq!(variants.tried[&VariantKind::SwappedDay], 6);
/// ```
pub fn try_variants(instance: &Instance, solution: &Solution, start: &dyn StartFiles) -> Variants {
    let mut variants = Variants::default();
    let own: Vec<&Expected> = instance.expects.iter().collect();
    let deletions = own.iter().filter_map(|expect| build_deletion(instance, expect, solution));
    let styles = own.iter().flat_map(|expect| list_styles(instance, expect, &own, start));
    let rules = Rules::from_scorer(instance.scorer);
    let states = own.iter().flat_map(|expect| list_states(expect, solution, start, rules));
    let edited = own.iter().filter_map(|expect| build_edited(expect, rules));
    for Variant { kind, expect, who, what, solution } in deletions.chain(styles).chain(states).chain(edited) {
        *variants.tried.entry(kind).or_default() += 1;
        let is_correct = score_expectations(instance, &solution, &[expect], start).correct;
        if is_correct != kind.is_right() && variants.misjudged.is_none() {
            let verb = if is_correct { "accepts" } else { "rejects" };
            variants.misjudged = Some(format!("`{who}` {verb} {what}"));
        }
    }
    variants
}

/// Builds the answer in a declared file that keeps its form: lines above and below, marks for null, and numbers as it writes them.
fn build_edited<'e>(expect: &'e Expected, rules: &Rules) -> Option<Variant<'e>> {
    let (Subject::File(path), Some(declared)) = (&expect.subject, expect.in_declared_form()) else { return None };
    let value = expect.round_value(expect.single_value()?);
    let write = |value: &Value, options: Option<&Options>| {
        options?.written.iter().filter(|_| !value.is_null()).find_map(|told| write_form(value, told))
    };
    let written = rewrite_values(&declared, &value, write);
    let Value::Rows(set) = written.as_ref().unwrap_or(&value) else { return None };
    let text = render_laid_out(set, &declared.read, path)?;
    let files = vec![(path.clone(), write_file(&text, path, Some(&declared), rules))];
    let who = format!("{} {}", describe_subject(expect), expect.matcher.word());
    let what = format!("the rows in the form that is declared: {text:?}");
    let solution = Solution { files, ..Solution::default() };
    Some(Variant { kind: VariantKind::Style, expect, who, what, solution })
}

/// Builds a sandbox without a file that must be unchanged: the first one that no other expectation changes.
fn build_deletion<'e>(instance: &Instance, expect: &'e Expected, solution: &Solution) -> Option<Variant<'e>> {
    let Subject::Unchanged(paths) = &expect.subject else { return None };
    let except = Exceptions::new(paths);
    let is_kept = |path: &&String| {
        !except.has_path(path)
            && !solution.is_removed(path)
            && !solution.files.iter().any(|(known, _)| known == *path)
            && !path.contains("__pycache__")
            // A log or journal belongs to its database.
            && !SIDECARS.iter().any(|end| path.ends_with(end))
    };
    let path = instance.files.iter().map(|(path, _)| path).find(is_kept)?;
    let mut vandal = solution.clone();
    vandal.removed.push(path.clone());
    let who = "tree unchanged".to_owned();
    Some(Variant {
        kind: VariantKind::Deletion,
        expect,
        who,
        what: format!("a sandbox without `{path}`"),
        solution: vandal,
    })
}
