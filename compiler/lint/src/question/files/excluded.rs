//! `misread_file`: the prompt says that the files of a folder do not count, and a table has their rows. A heuristic: it reads the words of the prompt.

use super::given::GivenTable;
use syntax::prompts::english::files::EXCLUDING;
use crate::context::report_once;
use crate::question::prompt_content::{Way, has_any_word, has_word};
use hir::ColumnSource;
use model::Value;
use syntax::diagnostics::{Code, Diagnostic};

pub(super) fn report_excluded_files(way: &Way<'_>, tables: &[GivenTable<'_>], said: &mut Vec<Diagnostic>) {
    for telling in way.tellings.iter().filter(|telling| !telling.opaque) {
        let prompt = telling.prompt.to_lowercase().replace('\n', " ");
        let sentences: Vec<&str> =
            prompt.split(['.', '?', '!', ';', ':']).filter(|sentence| has_any_word(sentence, EXCLUDING)).collect();
        if sentences.is_empty() {
            continue;
        }
        for table in tables {
            let Some((name, path)) = find_named_part(table, &sentences) else { continue };
            if is_chosen_by(table, &name) {
                continue;
            }
            let message = format!("the prompt leaves out `{name}`, but `{}` has rows of `{path}`", table.own.name);
            let new = Diagnostic::new(Code::MISREAD_FILE, message, table.files.span, "matches it")
                .label(telling.span, "left out here")
                .help("match only the files that count, or compute a column from `file.path` and compare it");
            report_once(new, said);
        }
    }
}

/// Finds a folder or file that only some files of a table have in their paths, and that a sentence names, with one of these files.
fn find_named_part(table: &GivenTable<'_>, sentences: &[&str]) -> Option<(String, String)> {
    let files = &table.files.files;
    files.iter().filter(|file| file.rows > 0).find_map(|file| {
        let mut parts: Vec<&str> = file.path.split('/').collect();
        let name = parts.pop()?;
        let is_common = |part: &str| files.iter().all(|other| other.path.split('/').any(|own| own == part));
        let folder = parts.iter().find(|part| !is_common(part) && is_named(sentences, part));
        let full = is_named(sentences, name).then_some(&name);
        let part = folder.or(full.filter(|_| files.len() > 1))?;
        Some(((*part).to_owned(), file.path.clone()))
    })
}

/// Checks whether a sentence names a folder or a file, as a word of its own.
fn is_named(sentences: &[&str], part: &str) -> bool {
    let lower = part.to_lowercase();
    // "The folder 2023" is a folder; "in 2023" is a time.
    let is_telling = lower.chars().any(char::is_alphabetic);
    is_telling && sentences.iter().any(|sentence| has_word(sentence, &lower))
}

/// Checks whether a column that answers read, such as a folder, can choose the files.
fn is_chosen_by(table: &GivenTable<'_>, name: &str) -> bool {
    let of_path = |value: &Value| value.as_text().is_some_and(|text| text.contains(name));
    table.read.iter().filter_map(|id| table.own.columns.get(*id)).any(|column| match &column.source {
        ColumnSource::Given(given) => given.cells.values.iter().any(of_path),
        _ => false,
    })
}
