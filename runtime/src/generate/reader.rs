//! Computes the answer of a reader who has only the files and knows how they are written: relations are assembled from the rows read back, and the
//! answer is computed from them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use model::Value;
use model::answer_key::{Answer, Expected, Subject};
use model::reads::Reads;
use model::suite::matchers::Takes;
use model::suite::{Expect, Expr, FileId, Relation, RelationId, Rows, Task};
use model::uses::Uses;
use tables::write::Folds;

use super::cell::InstanceDraft;
use super::context::Eval;
use super::failures::Res;
use super::recovered_rows::{RecoveredRows, Shown, is_read};
use super::replaced::Replaced;
use super::stages;
use super::{Address, Generator};
use super::{answers, readback};
use crate::Failure;

/// The conclusions of a reader of the files.
#[derive(Debug)]
pub struct Believed {
    /// The answer key computed from the files.
    pub key: Result<BelievedKey, Failure>,
    /// The same if the reader also knew the columns of [`Believed::computed`]; `None` if that list is empty.
    pub told: Option<Result<BelievedKey, Failure>>,
    /// Columns that the answer reads and that cannot be read back, although something in the files is computed from them: `ledger.VOID`.
    pub computed: Vec<String>,
    /// Columns that are not in any file, which are null to the reader.
    pub absent: Vec<String>,
}

/// An answer key computed by a reader.
#[derive(Debug)]
pub struct BelievedKey {
    /// Expectations of the question.
    pub expects: Vec<Expected>,
    /// Expectations of each stage that is scored with it.
    pub stages: Vec<Vec<Expected>>,
}

/// A relation assembled from files.
struct Read {
    id: RelationId,
    rows: RecoveredRows,
    /// The same with texts as written in the files; `None` if all texts are clean.
    shown: Option<RecoveredRows>,
}

impl Generator<'_> {
    /// Computes the answer of an instance for a reader who has only the files and these prompts. Returns `None` if the answer reads nothing that is
    /// written in a form the reader has to know.
    pub fn compute_believed(&self, address: Address, prompts: &[&str]) -> Result<Option<Believed>, Failure> {
        let (cell, _) = self.make_cell(address)?;
        compute_believed(cell, address.variant, prompts).map_err(|failure| *failure)
    }
}

fn compute_believed(mut cell: InstanceDraft<'_>, variant: u32, prompts: &[&str]) -> Res<Option<Believed>> {
    let task = cell.task;
    let variant = task.variants.get(variant as usize);
    for name in variant.iter().flat_map(|variant| &variant.steps) {
        cell.make_name(*name)?;
    }
    stages::list_scored_stages(task).try_for_each(|stage| stages::make_names(&mut cell, stage))?;
    let expects = variant.map_or(&task.expects, |variant| &variant.expects).as_slice();
    let in_stages = stages::list_scored_stages(task).flat_map(|stage| &stage.way.expects);
    let mut exprs: Vec<&Expr> = Vec::new();
    expects.iter().chain(in_stages).for_each(|expect| expect.visit_exprs(&mut |expr| exprs.push(expr)));
    let needed = Uses::from_computations(task, exprs.iter().copied());
    let reads = Reads::from_computations(task, exprs);

    let mut said = Believed {
        key: Ok(BelievedKey { expects: Vec::new(), stages: Vec::new() }),
        told: None,
        computed: Vec::new(),
        absent: Vec::new(),
    };
    let mut shown = Shown::default();
    let mut found: Vec<(RelationId, &Relation, Res<Vec<RecoveredRows>>)> = Vec::new();
    for id in &needed.relations {
        let (files, Some(relation)) = (list_read_files(task, *id), task.relations.get(*id)) else { continue };
        if !files.is_empty() {
            let portions = files.iter().map(|file| RecoveredRows::read_rows(&cell, *file, *id, &mut shown)).collect();
            found.push((*id, relation, portions));
        }
    }
    if !shown.is_empty() {
        let clean = clean_texts(&cell);
        shown.remove_known(|text| {
            let mut told = clean.texts.iter().map(String::as_str).chain(prompts.iter().copied());
            clean.values.contains(text) || told.any(|told| told.contains(text))
        });
    }
    let mut read = Vec::new();
    for (id, relation, portions) in found {
        let joined = portions.and_then(|portions| {
            let other = match shown.is_empty() {
                true => None,
                false => Some(RecoveredRows::from_portions(&cell, (id, relation), portions.clone(), Some(&shown))?),
            };
            Ok((RecoveredRows::from_portions(&cell, (id, relation), portions, None)?, other))
        });
        match joined {
            Ok((rows, shown)) => {
                let (computed, absent) = list_unread_columns((id, relation), &rows, &reads);
                said.computed.extend(computed);
                said.absent.extend(absent);
                read.push(Read { id, rows, shown });
            }
            Err(failure) => return Ok(Some(Believed { key: Err(*failure), ..said })),
        }
    }
    if read.is_empty() {
        return Ok(None);
    }
    let asked = Asked { cell: &cell, expects, needed: &needed, read: &read, knows_computed: false };
    said.key = asked.compute_shown_key(&shown).map_err(|failure| *failure);
    if !said.computed.is_empty() {
        said.told = Some(Asked { knows_computed: true, ..asked }.compute_shown_key(&shown).map_err(|failure| *failure));
    }
    Ok(Some(said))
}

/// The question for a reader, and the relations read.
struct Asked<'c, 'a> {
    cell: &'c InstanceDraft<'a>,
    expects: &'a [Expect],
    needed: &'c Uses<'a>,
    read: &'c [Read],
    /// Whether columns from which others are computed are known.
    knows_computed: bool,
}

impl Asked<'_, '_> {
    /// Computes the answer key with the letter case and spaces of the files. It is computed from clean texts, because a reader compares and sorts
    /// without regard to them; if the same texts result from those in the files, the answer contains them as they are there.
    fn compute_shown_key(&self, shown: &Shown) -> Res<BelievedKey> {
        let mut key = self.compute_key(|one| &one.rows)?;
        if shown.is_empty() {
            return Ok(key);
        }
        let mut letters = Letters { shown, seen: HashMap::new() };
        if let Ok(mut other) = self.compute_key(|one| one.shown.as_ref().unwrap_or(&one.rows)) {
            visit_texts(&mut other, &mut |text| letters.record_text(text));
        }
        visit_texts(&mut key, &mut |text| letters.restore_letters(text));
        Ok(key)
    }

    /// Computes the answer key from these rows of the relations read.
    fn compute_key(&self, rows: fn(&Read) -> &RecoveredRows) -> Res<BelievedKey> {
        let Asked { cell, expects, needed, read, knows_computed } = *self;
        let mut replaced: Vec<Replaced> = Vec::with_capacity(read.len());
        for one in read {
            let truth = if knows_computed { Some(Eval::new(cell).find_table(one.id)?) } else { None };
            if let Some(relation) = cell.task.relations.get(one.id) {
                let table = Rc::new(rows(one).build_table(relation, truth));
                replaced.push(Replaced { relation: one.id, column: None, table });
            }
        }
        let task = cell.task;
        let (other, _) = cell.replace_relations(&replaced, needed)?;
        let mut expects: Vec<_> =
            expects.iter().map(|expect| answers::evaluate_expect(Eval::new(&other), expect)).collect::<Res<_>>()?;
        let stages = stages::list_scored_stages(task)
            .map(|stage| stages::evaluate_stage(stage, |expect| answers::evaluate_expect(Eval::new(&other), expect)));
        let mut stages = stages.collect::<Res<Vec<_>>>()?;
        stages::complete_keys(&mut expects, &mut stages);
        Ok(BelievedKey { expects, stages })
    }
}

/// The letter case and spaces of a reader's answer.
struct Letters<'s> {
    shown: &'s Shown,
    /// Texts of the answer that is computed from the files' own texts, by the key that makes them equal.
    seen: HashMap<String, BTreeSet<String>>,
}

impl Letters<'_> {
    fn record_text(&mut self, text: &str) {
        self.seen.entry(Folds::of_all_styles().fold_key(text).into_owned()).or_default().insert(text.to_owned());
    }

    fn restore_letters(&self, text: &mut String) {
        let seen = self.seen.get(Folds::of_all_styles().fold_key(text).as_ref());
        if seen.is_some_and(|seen| seen.contains(text)) {
            return;
        }
        let other = seen.and_then(|seen| seen.first()).map(String::as_str).or_else(|| self.shown.find_shown(text));
        if let Some(other) = other.map(str::to_owned) {
            *text = other;
        }
    }
}

/// Calls `visit` for every text of an answer key: texts of answers, and paths.
fn visit_texts(key: &mut BelievedKey, visit: &mut dyn FnMut(&mut String)) {
    for expect in key.expects.iter_mut().chain(key.stages.iter_mut().flatten()) {
        match &mut expect.subject {
            Subject::File(path) => visit(path),
            Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) | Subject::Unchanged(paths) => {
                paths.iter_mut().for_each(&mut *visit)
            }
            Subject::Reply(_) => {}
        }
        // The content of a database is compared row by row, by keys.
        let values = match &mut expect.answer {
            Some(Answer::One(value)) if expect.matcher.record().takes != Takes::State => std::slice::from_mut(value),
            Some(Answer::AnyOf(values)) if expect.matcher.record().takes != Takes::State => values.as_mut_slice(),
            _ => &mut [],
        };
        values.iter_mut().for_each(|value| visit_value_texts(value, visit));
    }
}

fn visit_value_texts(value: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    match value {
        Value::Text(text) => visit(text),
        Value::List(items) => items.iter_mut().for_each(|item| visit_value_texts(item, visit)),
        Value::Object(fields) => fields.iter_mut().for_each(|(_, value)| visit_value_texts(value, visit)),
        Value::Rows(set) => set.rows.iter_mut().flatten().for_each(|cell| visit_value_texts(cell, visit)),
        _ => {}
    }
}

/// Texts that the files contain unchanged.
struct Clean {
    /// Values of columns.
    values: HashSet<String>,
    /// The whole text of files without rows, and the paths of all files.
    texts: Vec<String>,
}

fn clean_texts(cell: &InstanceDraft<'_>) -> Clean {
    let mut clean = Clean { values: HashSet::new(), texts: Vec::new() };
    for relation in cell.task.relations.keys() {
        let Some(own) = cell.task.relations.get(relation) else { continue };
        let (Some(file), Ok(table)) = (own.file, Eval::new(cell).find_table(relation)) else { continue };
        let form = cell.task.files.get(file).and_then(|file| file.content.form());
        for (id, _) in own.iter_written_columns() {
            let folds = form.map_or(Folds::default(), |form| readback::collect_folds(form.find_styles(id)));
            let Some(column) = table.columns.get(id).filter(|_| folds == Folds::default()) else { continue };
            let texts = (0..table.rows).filter_map(|row| column.get(row).as_text().map(str::to_owned));
            clean.values.extend(texts);
        }
    }
    for (id, file) in cell.task.files.iter_enumerated() {
        let rendered = cell.files.get(id).and_then(Option::as_ref);
        if let Some(rendered) = rendered {
            clean.texts.extend(rendered.paths().map(str::to_owned));
            if file.content.relations().is_empty() {
                clean.texts.extend(rendered.text().map(str::to_owned));
            }
        }
    }
    clean
}

/// Lists the files from which rows of a relation are read, if these are written in a form that the reader has to know. Empty if the rows are
/// unchanged in a file, or in no file, in which case the prompt may state them.
fn list_read_files(task: &Task, id: RelationId) -> Vec<FileId> {
    let Some(relation) = task.relations.get(id) else { return Vec::new() };
    let is_seen = match &relation.rows {
        Rows::Lines(_) | Rows::View(_) => true,
        Rows::Query(name) => {
            let bases = task.find_computed(*name).map(|value| Uses::from_computation(task, value).relations);
            bases.is_some_and(|bases| bases.iter().filter(|base| **base != id).all(|base| is_known(task, *base)))
        }
        _ => relation.file.is_some_and(|own| !is_read(task, own)),
    };
    if is_seen { Vec::new() } else { list_source_files(task, id) }
}

/// Lists the files that contain rows of a relation: its own file, and files whose rows are taken from it.
fn list_source_files(task: &Task, id: RelationId) -> Vec<FileId> {
    let has = |file: &FileId| {
        let relations = task.files.get(*file).map_or(&[][..], |file| file.content.relations());
        relations.iter().any(|relation| {
            let rows = task.relations.get(*relation).map(|relation| &relation.rows);
            *relation == id || matches!(rows, Some(Rows::Taken { from, .. }) if *from == id)
        })
    };
    task.files.keys().filter(|file| is_read(task, *file) && has(file)).collect()
}

/// Checks whether the rows of a relation are in files, or computed from such rows.
fn is_known(task: &Task, id: RelationId) -> bool {
    let Some(relation) = task.relations.get(id) else { return false };
    relation.file.is_some()
        || matches!(relation.rows, Rows::Query(_) | Rows::Lines(_) | Rows::View(_))
        || !list_source_files(task, id).is_empty()
}

/// Lists the columns of a relation that cannot be read: those from which something in a file is computed, and others that the answer needs.
fn list_unread_columns(
    (id, relation): (RelationId, &Relation),
    rows: &RecoveredRows,
    reads: &Reads,
) -> (Vec<String>, Vec<String>) {
    let own = id;
    let unread = relation.iter_own_columns().filter(|(id, _)| !rows.has_column(*id));
    let (computed, absent): (Vec<_>, Vec<_>) = unread.partition(|(id, _)| rows.is_computed_from(*id));
    // Helpers are usually only an intermediate step of a written column.
    let seen: BTreeSet<_> = absent.iter().filter(|(_, column)| !column.helper).map(|(id, _)| *id).collect();
    let absent = absent.into_iter().filter(|(id, _)| seen.is_empty() || seen.contains(id));
    let absent = absent.filter(|(id, column)| reads.has_column_named(own, *id, &column.name));
    let name = |column: &str| format!("{}.{column}", relation.name);
    (
        computed.into_iter().map(|(_, column)| name(&column.name)).collect(),
        absent.map(|(_, column)| name(&column.name)).collect(),
    )
}
