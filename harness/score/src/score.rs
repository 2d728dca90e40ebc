//! Scores one response with one answer key.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use model::answer_key::{
    Answer, At, DIGESTS, Expected, Slice, Subject, Trap, WHOLE, build_journal_path, build_wal_path,
};
use model::singular::Step;
use model::suite::Matcher;
use model::suite::matchers::{Fence, Reads, Takes};
use model::wrapping::{
    list_unwrapped, list_unwrapped_mathematics, read_typography, remove_closed_emphasis, remove_code, remove_emphasis,
};
use records::verdict::combine_verdicts;
use records::{Captured, Instance, Reason, Response, Score, StageScore, Status, Verdict};
use sqlite::state::{is_database_file, recover_database};

use crate::bytes;
use crate::describe::describe_subject;
use crate::finding::{Finding, choose_best};
use crate::got::ResponseValue;
use crate::key::{Key, count_values, render_expected};
use crate::laid_out;
use crate::matchers;
use crate::paths;
use crate::read::document::parse_document;
use crate::read::limit::Limit;
use crate::read::slice::{is_mathematics, open_block};
use crate::read::{clean, slice};
use crate::rules::Rules;
use crate::start_files::StartFiles;
use crate::state;
use crate::text::compose_letters;
use crate::unchanged_tree::{Contents, check_unchanged_tree};

/// Scores `response`; `None` is a missing response.
///
/// The rules are those of the scorer for which the instance was built. A response that did not complete is wrong in all expectations. It is *correct* if every
/// `expect` is full. The score is their weighted mean, and 0 if a gate is not full. Stages are scored in the same way, separately.
pub fn score_response(instance: &Instance, response: Option<&Response>, trial: u32, start: &dyn StartFiles) -> Score {
    let scored = response.filter(|response| response.status.is_scored());
    let sight = scored
        .map(|response| ResponseReader::new(Some(instance), response, start, Rules::from_scorer(instance.scorer)));
    let judged = |expect: &Expected| {
        let finding = match &sight {
            Some(sight) => sight.judge_expectation(expect),
            None => Finding { score: 0.0, reason: Reason::NoResponse, differences: Vec::new() },
        };
        let trap = sight.as_ref().filter(|_| !finding.is_right()).and_then(|sight| sight.find_trap(expect));
        build_verdict(expect, finding, trap)
    };
    let verdicts: Vec<Verdict> = instance.expects.iter().map(judged).collect();
    let stages = instance.stages.iter().map(|key| {
        let verdicts = key.expects.iter().map(judged).collect();
        StageScore::from_verdicts(&key.stage, verdicts)
    });
    let stages = stages.collect();
    let (correct, worth) = combine_verdicts(&verdicts);
    Score {
        id: instance.id.clone(),
        trial,
        task: instance.task.clone(),
        variant: instance.variant.clone(),
        each: instance.each.clone(),
        axis: instance.axis.iter().map(|(name, value)| (name.clone(), value.render_text().into_owned())).collect(),
        sample: instance.sample,
        tags: instance.tags.clone(),
        described: instance.described.clone(),
        status: response.map_or(Status::Missing, |response| response.status),
        error: response.and_then(|response| response.error.clone()),
        correct,
        score: worth,
        verdicts,
        stage: instance.stage.clone(),
        stages,
        attempts: None,
        first_right: None,
        answer_class: None,
        rounds: response.and_then(|response| response.rounds),
        tool_calls: response.and_then(|response| response.tool_calls),
        sql_retries: response.and_then(|response| response.sql_retries),
        prompt_tokens: response.and_then(|response| response.prompt_tokens),
        completion_tokens: response.and_then(|response| response.completion_tokens),
        cost: response.and_then(|response| response.cost),
        wall_ms: response.map(|response| response.wall_ms),
        first_tool_ms: response.and_then(|response| response.first_tool_ms),
        first_sql_ms: response.and_then(|response| response.first_sql_ms),
    }
}

/// Builds the verdict of an `expect`. If the answer is equal to the value of a trap, names the trap, which changes only the reason.
fn build_verdict(expect: &Expected, finding: Finding, trap: Option<&Trap>) -> Verdict {
    Verdict {
        name: expect.name.clone(),
        subject: describe_subject(expect),
        matcher: expect.matcher.word().to_owned(),
        score: finding.score,
        weight: expect.weight.to_f64(),
        gate: expect.gate,
        reason: if trap.is_some() { Reason::Trapped } else { finding.reason },
        trap: trap.map(|trap| trap.name.clone()),
        differences: finding.differences,
    }
}

/// Scores a reply by an `expect … sql`. Returns the finding and the query in the reply.
pub(crate) fn judge_query(
    instance: &Instance,
    expect: &Expected,
    response: &Response,
    start: &dyn StartFiles,
) -> Option<(Finding, String)> {
    let sight = Some(response)
        .filter(|one| one.status.is_scored())
        .map(|one| ResponseReader::new(Some(instance), one, start, Rules::from_scorer(instance.scorer)))?;
    let Subject::Reply(part) = &expect.subject else { return None };
    Some((sight.judge_expectation(expect), sight.extract_query(expect, part.as_ref())))
}

/// Whether a reply satisfies an expectation on the reply.
pub(crate) fn is_reply_right(expect: &Expected, reply: String, rules: &'static Rules) -> bool {
    let response = Response { reply, ..Response::default() };
    ResponseReader::new(None, &response, &(), rules).judge_expectation(expect).is_right()
}

/// The maximum work for the traps of one response: the sum, over the compared traps, of the number of values in the trap times the number of bytes of the
/// subject.
/// Further traps are skipped.
const MAX_OF_TRAPS: u64 = 200_000_000;

/// A text parsed as JSON or YAML, or why it is neither.
type Document = Rc<Result<ResponseValue, Finding>>;

/// Reads the parts of a response.
struct ResponseReader<'a> {
    /// The instance of the response; `None` if only a reply is read.
    instance: Option<&'a Instance>,
    response: &'a Response,
    start: &'a dyn StartFiles,
    /// The reply without thoughts.
    reply: Cow<'a, str>,
    rules: &'static Rules,
    /// Parsed files in which places are looked up: by path, by whether texts are composed, and by whether it may be YAML.
    documents: RefCell<HashMap<(String, bool, bool), Document>>,
    /// The captured content of each path; the first if a path occurs twice.
    files: HashMap<&'a str, &'a Captured>,
    /// The remaining work for traps, of [`MAX_OF_TRAPS`].
    left: Cell<u64>,
}

impl<'a> ResponseReader<'a> {
    fn new(
        instance: Option<&'a Instance>,
        response: &'a Response,
        start: &'a dyn StartFiles,
        rules: &'static Rules,
    ) -> ResponseReader<'a> {
        ResponseReader {
            instance,
            response,
            start,
            reply: clean::clean_reply(&response.reply, rules),
            rules,
            documents: RefCell::default(),
            files: response.files.iter().rev().map(|(path, found)| (path.as_str(), found)).collect(),
            left: Cell::new(MAX_OF_TRAPS),
        }
    }

    /// Returns the captured content of a path; `Absent` if the response does not have it.
    fn find_captured(&self, path: &str) -> &'a Captured {
        self.files.get(path).copied().unwrap_or(&Captured::Absent)
    }

    /// Returns the first trap whose value would be correct in place of the expected one.
    fn find_trap<'e>(&self, expect: &'e Expected) -> Option<&'e Trap> {
        let is_equal =
            |trap: &&Trap| expect.with_trap(trap).is_some_and(|other| self.judge_expectation(&other).is_right());
        let bytes = self.count_bytes(&expect.subject);
        let is_looked_at = |trap: &&Trap| {
            let left = self.left.get().checked_sub(bytes.saturating_mul(count_values(&trap.value)));
            left.inspect(|left| self.left.set(*left)).is_some()
        };
        expect.traps.iter().filter(|_| expect.matcher.record().has_traps()).filter(is_looked_at).find(is_equal)
    }

    /// Returns the number of bytes that an expectation reads.
    fn count_bytes(&self, subject: &Subject) -> u64 {
        let bytes = match subject {
            Subject::Reply(_) => self.response.reply.len(),
            Subject::File(path) => match self.find_captured(path) {
                Captured::Text { text } => text.len(),
                _ => 0,
            },
            Subject::Files(_) | Subject::Tree(_) | Subject::Only(_) | Subject::Unchanged(_) => 0,
        };
        bytes as u64
    }

    /// Compares the text of a file with the answer. It is parsed as a document only once for all places.
    fn judge_text(&self, expect: &Expected, path: &str) -> Finding {
        let key = expect.at.as_ref().map(|at| (path.to_owned(), self.is_composed(expect.matcher), at.yaml));
        let known = key.as_ref().and_then(|key| self.documents.borrow().get(key).cloned());
        if let (Some(at), Some(read)) = (&expect.at, known) {
            return self.judge_place(expect, at, &read);
        }
        let text = match bytes::read_text(self.find_captured(path), path, expect, self.rules) {
            Ok(text) => text,
            Err(finding) => return finding,
        };
        let text = self.compose_text(expect.matcher, &text);
        match (&expect.at, key) {
            (Some(_), _) if text.is_empty() => report_empty(expect),
            (Some(at), Some(key)) => {
                let read = Rc::new(self.read_document(path, &text, at));
                self.documents.borrow_mut().insert(key, Rc::clone(&read));
                self.judge_place(expect, at, &read)
            }
            _ => self.compare_answers(expect, &text, self.rules.for_files()),
        }
    }

    /// Parses the parts of a file that are needed for all places.
    fn read_document(&self, path: &str, text: &str, at: &At) -> Result<ResponseValue, Finding> {
        let of_file = |expect: &&Expected| matches!(&expect.subject, Subject::File(other) if other == path);
        let asked: Vec<&Expected> = self.instance.iter().flat_map(|one| one.iter_expects()).filter(of_file).collect();
        let places = asked.iter().copied().filter_map(|expect: &Expected| expect.at.as_ref()).chain([at]);
        let places: Vec<&[Step]> = places.map(|at| at.path.steps()).collect();
        parse_document(text, at, &places, &self.build_limit(asked))
    }

    /// Returns the limit on the number of kept values for these expectations.
    fn build_limit<'e>(&self, expects: impl IntoIterator<Item = &'e Expected>) -> Limit {
        if !self.rules.bounded_replies {
            return Limit::without_bound();
        }
        let values = expects.into_iter().flat_map(|expect| expect.answer.iter().flat_map(Answer::accepted_values));
        Limit::from_expected(values.map(count_values).fold(1, u64::saturating_add))
    }

    /// Compares the value at a place of a document with each accepted answer.
    fn judge_place(&self, expect: &Expected, at: &At, read: &Result<ResponseValue, Finding>) -> Finding {
        let got = match read {
            Ok(got) => got,
            Err(finding) => return finding.clone(),
        };
        let Some(got) = got.find_at(&at.path) else {
            return Finding::wrong(Reason::NoSlice, format!("a value at {}", at.path), "no such place");
        };
        choose_best(expect, |value, alternative| {
            let key = Key::new(expect, value, alternative, self.rules);
            matchers::compare_value(got.clone(), &key, expect.database.as_deref(), self.start)
        })
    }

    fn judge_expectation(&self, expect: &Expected) -> Finding {
        match &expect.subject {
            Subject::Files(paths) | Subject::Tree(paths) => {
                paths::check_all_exist(paths, |path| self.find_captured(path))
            }
            Subject::Only(paths) => {
                let before = self.instance.map(collect_start_paths).unwrap_or_default();
                paths::check_only_listed(
                    paths,
                    |path| self.find_captured(path),
                    self.find_captured(WHOLE),
                    &before,
                    |path| self.is_database(path),
                )
            }
            Subject::Unchanged(paths) => match self.instance {
                Some(instance) => check_unchanged_tree(paths, self.find_captured(DIGESTS), instance, self.start, self),
                None => Finding::wrong(Reason::NoResponse, "a sandbox", "only a reply"),
            },
            Subject::File(path) => {
                let finding = self.judge_file(expect, path);
                let declared = expect.in_declared_form().filter(|_| !finding.is_right() && self.rules.reads_formats);
                let other = declared.map(|declared| self.judge_file(&declared, path));
                other.filter(|other| other.score > finding.score).unwrap_or(finding)
            }
            Subject::Reply(slice) => self.judge_reply(expect, slice.as_ref()),
        }
    }

    /// Judges one file in the form in which the expectation reads it.
    fn judge_file(&self, expect: &Expected, path: &str) -> Finding {
        match expect.matcher {
            Matcher::Exists => paths::check_exists(self.find_captured(path)),
            Matcher::Absent => paths::check_absent(self.find_captured(path)),
            Matcher::Bytes => bytes::compare_file(expect, self.find_captured(path), self.start, self.rules),
            Matcher::Unchanged => self.judge_unchanged(path),
            Matcher::Database => {
                state::judge_database(expect, path, &self.collect_database_files(path), self.start, self.rules)
            }
            _ if laid_out::has_layout(expect, path, self.rules) => {
                laid_out::judge_file(expect, path, self.find_captured(path), self.start, self.rules.for_files())
            }
            _ => self.judge_text(expect, path),
        }
    }

    /// Returns the captured files of a database.
    fn collect_database_files(&self, path: &str) -> state::Files<'a> {
        state::Files {
            database: self.find_captured(path),
            log: self.find_captured(&build_wal_path(path)),
            journal: self.find_captured(&build_journal_path(path)),
        }
    }

    /// Whether a file is unchanged: for a database, its rows and its schema, otherwise its bytes.
    fn judge_unchanged(&self, path: &str) -> Finding {
        let state = self.compare_database(path).filter(|_| self.rules.unchanged_states);
        state.unwrap_or_else(|| paths::check_unchanged(path, self.find_captured(path), self.start))
    }

    fn judge_reply(&self, expect: &Expected, slice: Option<&Slice>) -> Finding {
        if expect.matcher.record().takes == Takes::Content {
            return self.judge_exact(expect, slice);
        }
        let reply = self.compose_text(expect.matcher, &self.reply);
        let Some(text) = self.cut_part(expect.matcher, slice.filter(|_| !reply.is_empty()), &reply) else {
            return Finding::wrong(Reason::NoSlice, describe_subject(expect), "no such part");
        };
        let finding = self.judge_unfenced(expect, slice, &text);
        // These matchers compare the whole reply, so if the unchanged text is the answer, cleaning removed too much.
        if !finding.is_right() && slice.is_none() && !expect.matcher.record().loose {
            let raw = clean::normalize_text(&self.response.reply);
            let raw = self.compose_text(expect.matcher, &raw);
            if raw != text && self.judge_unfenced(expect, slice, &raw).is_right() {
                return Finding::right();
            }
        }
        finding
    }

    /// Compares a reply or a part of it character by character, but for one line end at its end: cleaned, or all of it as it is.
    fn judge_exact(&self, expect: &Expected, slice: Option<&Slice>) -> Finding {
        let Some(text) = self.cut_part(expect.matcher, slice, &self.reply) else {
            return Finding::wrong(Reason::NoSlice, describe_subject(expect), "no such part");
        };
        if text.is_empty() {
            return report_empty(expect);
        }
        choose_best(expect, |value, _| {
            let cleaned = bytes::compare_text(value, &text);
            let whole = slice.is_none().then(|| bytes::compare_text(value, &self.response.reply));
            whole.filter(Finding::is_right).unwrap_or(cleaned)
        })
    }

    /// Returns the query in a reply; empty if the reply has none.
    fn extract_query(&self, expect: &Expected, part: Option<&Slice>) -> String {
        let reply = self.compose_text(expect.matcher, &self.reply);
        let Some(text) = self.cut_part(expect.matcher, part, &reply) else { return String::new() };
        match open_block(part, &text) {
            Some(body) => clean::normalize_text(body).into_owned(),
            None => text.into_owned(),
        }
    }

    /// Cuts the part that is compared out of a reply; `None` if it lacks that part.
    fn cut_part<'t>(&self, matcher: Matcher, part: Option<&Slice>, reply: &'t str) -> Option<Cow<'t, str>> {
        let Some(part) = part else { return Some(Cow::Borrowed(reply)) };
        slice::cut_slice(reply, &self.compose_slice(matcher, part), self.rules).map(clean::normalize_text)
    }

    fn is_composed(&self, matcher: Matcher) -> bool {
        let record = matcher.record();
        self.rules.canonical_texts && record.reads != Reads::Query && record.takes != Takes::Content
    }

    /// Returns a text in composed form; a query is unchanged, because its texts must match those of the database, and so is a text that is compared exactly.
    fn compose_text<'t>(&self, matcher: Matcher, text: &'t str) -> Cow<'t, str> {
        if self.is_composed(matcher) { compose_letters(text) } else { Cow::Borrowed(text) }
    }

    /// Returns the slice with its mark in the same form as the text.
    fn compose_slice(&self, matcher: Matcher, slice: &Slice) -> Slice {
        slice.map_texts(&mut |mark| self.compose_text(matcher, mark).into_owned())
    }

    /// Compares a text with the answer. If it is one fenced block, the matcher decides: forms that are often fenced are read inside the block; other matchers,
    /// which may expect the fence itself, read the text both with and without it.
    fn judge_unfenced(&self, expect: &Expected, slice: Option<&Slice>, text: &str) -> Finding {
        let compare = |text: &str| self.compare_readings(expect, slice, text);
        let body = open_block(slice, text);
        if let Some(at) = &expect.at {
            let inside = clean::normalize_text(body.unwrap_or(text));
            return match inside.is_empty() {
                true => report_empty(expect),
                false => self.judge_place(
                    expect,
                    at,
                    &parse_document(&inside, at, &[at.path.steps()], &self.build_limit([expect])),
                ),
            };
        }
        let Some(body) = body else { return compare(text) };
        let inside = if self.rules.opens_every_block { clean::normalize_text(body) } else { Cow::Borrowed(body) };
        match expect.matcher.record().fence {
            Fence::Opened => compare(&inside),
            Fence::Either if self.rules.opens_every_block => {
                let whole = compare(text);
                if whole.is_right() { whole } else { compare(&inside) }
            }
            _ => compare(text),
        }
    }

    /// Compares a text of the reply with the answer: as it is, and without the marks around it.
    fn compare_readings(&self, expect: &Expected, slice: Option<&Slice>, text: &str) -> Finding {
        let whole = self.compare_answers(expect, text, self.rules);
        // A forbidden value is in neither reading. Another one of `among` can be a part of a longer value, of which only a part is emphasized.
        let is_settled = match expect.matcher {
            Matcher::Lacks => whole.reason == Reason::Present,
            _ => whole.is_right() && expect.among.is_none(),
        };
        if is_settled || !self.rules.unwraps_answers {
            return whole;
        }
        let mut inside = match expect.matcher {
            Matcher::Contains | Matcher::Lacks => {
                let plain = remove_emphasis(text);
                let typed = read_typography(plain.as_deref().unwrap_or(text));
                plain.into_iter().chain(typed).collect()
            }
            Matcher::Json => remove_code(text).map(str::to_owned).into_iter().collect(),
            other if !other.record().is_unwrapped() => return whole,
            _ if is_mathematics(slice) => list_unwrapped_mathematics(text),
            _ => list_unwrapped(text),
        };
        // Part of a number or day may be emphasized (`**40** kg`), but no part of a text.
        if matches!(expect.matcher, Matcher::Number | Matcher::Date) {
            inside.extend(remove_closed_emphasis(inside.last().map_or(text, String::as_str)));
            // A tilde before a number means about.
            inside.extend(
                Some(text)
                    .filter(|text| !text.starts_with('~'))
                    .iter()
                    .flat_map(|text| list_unwrapped_mathematics(text)),
            );
        }
        inside.iter().fold(whole, |best, inside| {
            let finding = self.compare_answers(expect, inside, self.rules);
            if finding.reason == Reason::Present || finding.score > best.score { finding } else { best }
        })
    }

    /// Compares `text` with each accepted answer.
    fn compare_answers(&self, expect: &Expected, text: &str, rules: &'static Rules) -> Finding {
        if text.is_empty() {
            return report_empty(expect);
        }
        choose_best(expect, |value, alternative| {
            let key = Key::new(expect, value, alternative, rules);
            matchers::compare_text(text, &key, expect.database.as_deref(), self.start)
        })
    }
}

impl Contents for ResponseReader<'_> {
    fn compare_database(&self, path: &str) -> Option<Finding> {
        let before = self.start.read_file(path).filter(|before| is_database_file(before))?;
        let [log, journal] =
            [build_wal_path(path), build_journal_path(path)].map(|beside| self.start.read_file(&beside));
        let before = recover_database(&before, log.as_deref(), journal.as_deref());
        state::check_unchanged(&before, &self.collect_database_files(path))
    }

    fn is_database(&self, path: &str) -> bool {
        self.start.read_file(path).is_some_and(|bytes| is_database_file(&bytes))
            || self.find_captured(path).to_bytes().is_some_and(|bytes| is_database_file(&bytes))
    }
}

/// Returns the paths at the start, with the folders above them.
fn collect_start_paths(instance: &Instance) -> HashSet<&str> {
    let files = instance.files.iter().map(|(path, _)| path.as_str());
    paths::with_folders(files.chain(instance.folders.iter().map(String::as_str)))
}

/// Returns the finding for an empty text, which is never correct.
fn report_empty(expect: &Expected) -> Finding {
    let expected = match &expect.answer {
        Some(Answer::One(value)) => render_expected(value, &expect.whole_options()),
        _ => format!("`{}`", expect.matcher.word()),
    };
    Finding::wrong(Reason::Empty, expected, "nothing")
}
