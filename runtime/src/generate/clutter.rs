//! Noise files: a few lines of filler text, under names that no file of the task has.

use model::domain::LoremUnit;
use model::suite::Expr;

use super::context::Eval;
use super::failures::{Res, fail, fail_computation};
use super::instance::SandboxFile;
use super::lorem;
use super::paths::{self, NodeKind, Tree};
use super::streams;
use crate::failure::FailureKind;

/// Extensions of noise files.
const EXTENSIONS: [&str; 4] = ["txt", "log", "md", "bak"];
/// Their number of lines: the minimum, and the number of possible values (3 to 10).
const LINES: (u64, u128) = (3, 8);
/// Number of names tried before generation fails.
const TRIES: u32 = 1000;

/// Adds the files of the `index`-th clutter statement to `files`. Row r of its stream makes file r.
pub(crate) fn add_noise_files<'a>(
    eval: Eval<'a>,
    index: usize,
    count: &'a Expr,
    within: Option<&'a Expr>,
    tree: &mut Tree,
    files: &mut Vec<SandboxFile>,
) -> Res<()> {
    let count = eval.evaluate_int(count)?;
    let Ok(count) = u32::try_from(count) else {
        return fail_computation(format!("there cannot be {count} noise files"));
    };
    let within = match within {
        None => String::new(),
        Some(folder) => match eval.evaluate_text(folder)? {
            here if matches!(here.as_str(), "." | "./") => String::new(),
            folder => format!("{}/", paths::ensure_safe(folder.trim_end_matches('/'))?),
        },
    };
    let mut stream = eval.cell.keys.derive_stream(&["clutter", &index.to_string()]);
    for _ in 0..count {
        let word = stream.next();
        let words = stream.derive_child(word);
        let mut candidates = (0..TRIES).map(|_| {
            let stem = lorem::draw_word(words);
            let number = streams::to_index(streams::next(words), 9000) + 1000;
            let extension = EXTENSIONS[streams::to_index(streams::next(words), EXTENSIONS.len() as u128) as usize];
            format!("{within}{stem}_{number}.{extension}")
        });
        let Some(path) = candidates.find(|candidate| !tree.is_taken(candidate)) else {
            return fail(FailureKind::PathAtBuild, format!("no name is left for a noise file in {within:?}"));
        };
        tree.add_path(&path, NodeKind::File)?;
        let lines = LINES.0 + streams::to_index(streams::next(words), LINES.1);
        let mut content = String::new();
        lorem::write_text(LoremUnit::Lines, lines, words, &mut content);
        content.push('\n');
        files.push(SandboxFile { path, bytes: content.into_bytes().into() });
    }
    Ok(())
}
