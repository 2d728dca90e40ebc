//! Paths inside of strings: files that `use`, `from` and `one_of lines` may name.

use std::fs;

use gen_lsp_types::CompletionItemKind as Item;

use super::{Offer, Offers};
use crate::analysis::Analysis;
use crate::context::Context;
use crate::features::navigate::folder;

/// The most entries of a folder that are offered.
const MOST: usize = 500;

/// Offers the entries of the folder that is written so far. Gives where the part that is completed begins.
pub fn offer(offers: &mut Offers, analysis: &Analysis, text: &str, context: &Context<'_>, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or("");
    let opened = before.rfind('"').map_or(offset, |at| at + 1);
    let Some(written) = before.get(opened..).filter(|written| !written.contains('\n')) else { return offset };
    let outer = context.frames.len().checked_sub(2).and_then(|at| context.frames.get(at));
    let words = outer.map(|frame| frame.words.as_slice()).unwrap_or_default();
    let extension = match words {
        ["use", "\""] => Some(".pcd"),
        [.., "from", "\""] | [.., "one_of", "lines", "\""] => None,
        _ => return offset,
    };
    let inner = written.rfind('/').map_or("", |slash| written.get(..=slash).unwrap_or(""));
    // Nothing outside the project.
    if inner.starts_with('/') || inner.split('/').any(|part| part == "..") {
        return offset;
    }
    let base = folder(analysis);
    let place = if base.is_empty() && inner.is_empty() { ".".to_owned() } else { format!("{base}{inner}") };
    let mut names: Vec<(String, bool)> = fs::read_dir(place)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.to_owned(), entry.file_type().ok()?.is_dir())))
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    names.sort();
    for (name, is_folder) in names.into_iter().take(MOST) {
        let itself = analysis.root.ends_with(&format!("/{inner}{name}"));
        if is_folder {
            offers.add(Offer::new(format!("{name}/"), Item::Folder, 1));
        } else if !itself && extension.is_none_or(|extension| name.ends_with(extension)) {
            offers.add(Offer::new(name, Item::File, 0));
        }
    }
    opened + inner.len()
}
