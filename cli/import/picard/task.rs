//! A test as a task: rendered, checked by the compiler, and rendered again in another form if it is rejected.

use api::{Memory, Suite};

use super::definition::Test;
use super::draft::{self, Draft, Form, Place};
use super::{files, keys, text};
use crate::import::Obstacle;
use crate::import::judge::{self, Lint, Refusal};
use crate::import::source;

/// The number of samples of each question that are checked.
const TRIED: u32 = 5;

/// A task that the compiler accepts.
#[derive(Debug)]
pub struct Task {
    /// The name.
    pub name: String,
    /// The number of samples.
    pub samples: i64,
    /// The source text between its braces.
    pub body: String,
}

/// Translates a test.
///
/// # Errors
/// Why it is left out, with advice: sentences without the last period.
pub fn translate_test(test: &Test<'_>) -> Result<Task, Obstacle> {
    let mut form = Form::default();
    let mut allowed: Vec<Lint> = Vec::new();
    loop {
        let (draft, statements) = build_statements(test, form)?;
        let allows: String = allowed
            .iter()
            .filter_map(|lint| Some((lint.name, find_lint_reason(lint.name)?)))
            .fold(String::new(), |text, (name, why)| format!("{text}allow {name} {}\n", source::render_string(why)));
        let name = draft.id().to_owned();
        let body = format!("{allows}{statements}");
        let whole = format!(
            "suite judged {{ title \"x\" version \"1\" }}\ntask {name} {{\nsamples {}\n{body}}}\n",
            test.samples
        );
        let suite = Suite::compile("judged.pcd", &Memory::new([("judged.pcd", whole)]));
        match judge::collect_lints(&suite) {
            Err(Refusal { code: Some("E0303"), .. }) if !form.require => form.require = true,
            Err(Refusal { code: Some("E0301" | "E0302"), .. }) if draft.guessed && !form.unknown_is_text => {
                form.unknown_is_text = true;
            }
            Err(Refusal { why, .. }) => return Err(Obstacle::new(format!("the compiler refuses it: {why}"))),
            Ok(lints) => {
                let fresh: Vec<Lint> =
                    lints.into_iter().filter(|lint| allowed.iter().all(|known| known.name != lint.name)).collect();
                if let Some(lint) = fresh.iter().find(|lint| find_lint_reason(lint.name).is_none()) {
                    return Err(Obstacle::new(format!("the compiler doubts it: {} (`{}`)", lint.message, lint.name)));
                }
                if fresh.is_empty() {
                    judge::check_samples(&suite, TRIED)
                        .map_err(|refusal| Obstacle::new(format!("a sample of it cannot be used: {}", refusal.why)))?;
                    return Ok(Task { name, samples: test.samples, body });
                }
                allowed.extend(fresh);
            }
        }
    }
}

/// Returns the reason why a lint is expected for an imported task; `None` if the lint makes the key doubtful.
fn find_lint_reason(lint: &str) -> Option<&'static str> {
    Some(match lint {
        "unused_name" => "the test in PICARD generates it, too",
        "unmentioned_file" | "unmentioned_output" => "the question describes the file in its own words",
        "unmentioned_key" => "the question describes the keys in its own words",
        "unexpected_key" => "the question mentions the key in another sense",
        "punctuated_word" => "as in PICARD, the word can include its period",
        "constant_answer" => "as in PICARD, no cell is empty, and the number of rows is fixed",
        "ambiguous_precision" => "PICARD compares every digit",
        "sql_integer_division" => "the query is the one of the test",
        "unshared_tiebreak" | "join_on_no_key" | "cartesian_join" | "unused_cte" => "the query is the one of the test",
        "multiplied_rows" | "unmatched_rows" | "merged_groups" | "nulls_left_out" => "the query is the one of the test",
        "duplicates_dropped" | "mean_of_means" | "unbracketed_or" => "the query is the one of the test",
        "vacuous_predicate" => "the condition is the one of the test",
        "constant_draw" => "the test in PICARD generates it, too",
        "untold_literal" | "unread_condition" | "unread_column" => {
            "the question describes the condition in its own words"
        }
        "other_comparison" | "other_condition" | "other_aggregate" | "other_column" | "other_count" => {
            "the question describes the answer in its own words"
        }
        "other_precision" | "other_order" | "other_unit" | "other_form" | "other_place" => {
            "the question describes the form of the answer in its own words"
        }
        _ => return None,
    })
}

/// Renders the statements of the task.
fn build_statements(test: &Test<'_>, form: Form) -> Result<(Draft, String), Obstacle> {
    let structure =
        if test.scoring == "directory_structure" { test.require_paths("expected_structure")? } else { Vec::new() };
    let mut texts = vec![test.template];
    texts.extend(structure.iter().copied());
    let mut draft = Draft::new(test, form, draft::collect_valued(&texts)?);
    files::declare_files(&mut draft, test)?;
    let prompt = translate_prompt(&mut draft, test.template)?;
    let mut layout = String::new();
    if !structure.is_empty() {
        draft.names.reserve_name("layout");
        let paths: Vec<String> =
            structure.iter().map(|path| keys::quote_path(&mut draft, path)).collect::<Result<_, _>>()?;
        layout = format!("layout = [{}]\n", paths.join(", "));
    } else if test.template.contains("{{expected_structure}}") {
        return Err(Obstacle::new("the question draws `{{expected_structure}}`, which only `directory_structure` has")
            .suggest("remove it"));
    }
    let expect = keys::translate_expectation(&mut draft, test)?;
    let clutter: i64 = test.components.iter().filter_map(|component| component.clutter).sum();
    let clutter = if clutter > 0 { format!("clutter {clutter}\n") } else { String::new() };
    let statements =
        format!("{}{layout}{clutter}prompt {}\n{expect}\n", draft.render_statements(), source::render_block(&prompt));
    Ok((draft, statements))
}

/// Translates the question to the text between the quotes of the prompt.
fn translate_prompt(draft: &mut Draft, template: &str) -> Result<String, Obstacle> {
    let mut question = template.replace("{{artifacts}}/{{qs_id}}", "{{artifacts}}");
    // The path of a file becomes the name of the file; longer paths are replaced first.
    let mut targets: Vec<(usize, String)> = draft.files.iter().map(|file| file.target.clone()).enumerate().collect();
    targets.sort_by_key(|(_, target)| std::cmp::Reverse(target.len()));
    for (index, target) in targets {
        question = replace_path(&question, &format!("{{{{artifacts}}}}/{target}"), &text::mark_file(index));
    }
    draft.render_pieces(&text::parse_pieces(&question)?, Place::Question)
}

/// Replaces a path in a text, except where it is the beginning of a longer one.
fn replace_path(text: &str, path: &str, mark: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(path) {
        let (before, after) = (rest.get(..at).unwrap_or_default(), rest.get(at + path.len()..).unwrap_or_default());
        let mut next = after.chars();
        let longer = match next.next() {
            Some('.') => next.next().is_some_and(char::is_alphanumeric),
            Some(c) => c.is_alphanumeric() || matches!(c, '_' | '-' | '/'),
            None => false,
        };
        out.push_str(before);
        out.push_str(if longer { path } else { mark });
        rest = after;
    }
    out + rest
}
