//! Completion inside strings that name files or parts of them: paths, globs, headers, encodings, and sheets.

use std::collections::BTreeSet;
use std::fs;

use compiler::ast::Format;
use compiler::query::{TablePreview, list_lake_folders};
use compiler::syntax::string::quote_string;
use compiler::{Entry, EntryKind};
use gen_lsp_types::CompletionItemKind as Item;
use model::glob::is_path_match;

use super::code::list_encodings;
use super::offer::{Offer, Offers};
use crate::analysis::Analysis;
use crate::context::{Block, Context, Frame, Open};
use crate::disk::extract_folder;
use crate::reading;
use crate::state::State;

/// The maximum number of entries that are offered.
const MAX_OFFERED: usize = 500;

/// The maximum number of files of a lake that are searched for globs, and the maximum number of globs that are tried.
const MAX_FILES: usize = 5_000;
const MAX_GLOBS: usize = 50;

/// The role of a string.
enum StringRole {
    /// A file, with this extension if there is one.
    File(Option<&'static str>),
    Folder,
    /// Files of a lake: with this format if it is known, and the lake's folder.
    Lake(Option<Format>, Option<String>),
    /// A part of the table that is read, offered from its preview.
    Part(fn(&mut Offers, &TablePreview)),
}

/// Completes the string around the cursor. Returns the start of the text that is completed.
pub fn offer_in_string(
    offers: &mut Offers,
    state: &mut State,
    analysis: &Analysis,
    text: &str,
    context: &Context<'_>,
    offset: usize,
) -> usize {
    let before = text.get(..offset).unwrap_or("");
    let opened = before.rfind('"').map_or(offset, |at| at + 1);
    let Some(written) = before.get(opened..).filter(|written| !written.contains('\n')) else { return offset };
    let Some(spot) = classify_string(analysis, text, context) else { return offset };
    match spot {
        StringRole::File(_) | StringRole::Folder => return offer_paths(offers, analysis, (opened, written), &spot),
        StringRole::Lake(format, lake) => {
            let listed = lake.and_then(|lake| state.workspace.disk.list_folder(&analysis.root, &lake));
            offer_globs(offers, &listed.unwrap_or_default(), format);
        }
        StringRole::Part(offer_part) => {
            let look = reading::parse_look(text, context);
            if let Some(seen) = look.and_then(|look| state.workspace.disk.load_glimpse(&analysis.root, &look)) {
                offer_part(offers, &seen);
            }
        }
    }
    opened
}

/// Determines the role of the string around the cursor.
fn classify_string(analysis: &Analysis, text: &str, context: &Context<'_>) -> Option<StringRole> {
    let outer = |above: usize| -> Option<&Frame<'_>> { context.frames.get(context.frames.len().checked_sub(above)?) };
    let frame = outer(2)?;
    // The words before a list determine the role of its strings.
    let frame = if frame.kind == Open::List { outer(3)? } else { frame };
    let words = frame.words.as_slice();
    Some(match (frame.kind, words) {
        (_, ["use", "\""]) => StringRole::File(Some(".pcd")),
        (_, [.., "one_of", "lines", "\""]) => StringRole::File(None),
        (_, ["lake", name, "needed", ..]) => {
            let folder = |file| {
                let lakes = list_lake_folders(file);
                lakes.into_iter().find(|(lake, _)| lake.text == **name).map(|(_, folder)| folder)
            };
            StringRole::Lake(None, analysis.analysed.iter_files().find_map(folder))
        }
        (Open::Block(Block::Lake), [format, _, .., "from", "\""]) => {
            StringRole::Lake(Format::from_word(format), reading::find_lake_folder(text, context))
        }
        (Open::Block(Block::File), ["lake", _, .., "from", "\""]) => StringRole::Folder,
        (Open::Block(Block::Body), _) if reading::is_in_read_body(context) => {
            let last = words.iter().rev().find(|word| !matches!(**word, "\"" | "[" | ".."))?;
            return (*last == "from").then_some(StringRole::Part(offer_headers));
        }
        (_, [.., option @ ("encoding" | "sheet" | "at" | "skip" | "until"), "\""]) if reading::is_read(words) => {
            StringRole::Part(match *option {
                "encoding" => |offers, seen| offer_texts(offers, &list_encodings(seen)),
                "sheet" => |offers, seen| offer_texts(offers, &seen.sheets),
                "skip" => |offers, seen| offer_texts(offers, &seen.starts),
                "until" => |offers, seen| offer_texts(offers, &seen.ends),
                _ => offer_table_places,
            })
        }
        (_, [.., "from", "\""]) => StringRole::File(None),
        _ => return None,
    })
}

/// Offers the entries of the folder in the path so far that fit the role.
fn offer_paths(offers: &mut Offers, analysis: &Analysis, (opened, written): (usize, &str), role: &StringRole) -> usize {
    let inner = written.rfind('/').map_or("", |slash| written.get(..=slash).unwrap_or(""));
    // Paths outside the project are not offered.
    if inner.starts_with('/') || inner.split('/').any(|part| part == "..") {
        return opened + written.len();
    }
    let base = extract_folder(&analysis.root);
    let place = if base.is_empty() && inner.is_empty() { ".".to_owned() } else { format!("{base}{inner}") };
    let mut names: Vec<(String, bool)> = fs::read_dir(place)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.to_owned(), entry.file_type().ok()?.is_dir())))
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    names.sort();
    for (name, is_folder) in names.into_iter().take(MAX_OFFERED) {
        let itself = analysis.root.ends_with(&format!("/{inner}{name}"));
        if is_folder {
            // A lake's folder is written without a trailing `/`; typing `/` completes inside it.
            let label = if let StringRole::Folder = role { name } else { format!("{name}/") };
            offers.add_offer(Offer::new(label, Item::Folder, 1));
        } else if let StringRole::File(ending) = role
            && !itself
            && ending.is_none_or(|ending| name.ends_with(ending))
        {
            offers.add_offer(Offer::new(name, Item::File, 0));
        }
    }
    opened + inner.len()
}

/// Offers globs that match several files of a lake, and its files; those of the format first.
fn offer_globs(offers: &mut Offers, listed: &[Entry], format: Option<Format>) {
    let files: Vec<&str> = listed
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::File(_)))
        .map(|entry| entry.path.as_str())
        .take(MAX_FILES)
        .collect();
    let fits =
        |path: &str| format.is_none_or(|format| Format::from_path(path).is_none_or(|own| own.is_read_as(format)));
    let mut globs: BTreeSet<String> = BTreeSet::new();
    for path in files.iter().filter(|path| fits(path)) {
        let (folder, name) = path.rfind('/').map_or(("", *path), |slash| path.split_at(slash + 1));
        let Some((stem, ending)) = name.rsplit_once('.') else { continue };
        globs.insert(format!("{folder}*.{ending}"));
        if !folder.is_empty() {
            globs.insert(format!("**/*.{ending}"));
        }
        // For example, `landings_2021.csv` matches `landings_*.csv`.
        let numbered = stem.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '_');
        let sign = stem.get(numbered.len()..).and_then(|rest| rest.chars().next());
        if let Some(sign) = sign.filter(|_| !numbered.is_empty()) {
            let sign = if sign.is_ascii_digit() { String::new() } else { sign.to_string() };
            globs.insert(format!("{folder}{numbered}{sign}*.{ending}"));
        }
        if globs.len() > MAX_GLOBS {
            break;
        }
    }
    for glob in globs {
        let count = files.iter().filter(|path| is_path_match(&glob, path)).count();
        if count > 1 {
            offers.add_offer(Offer::new(glob, Item::File, 0).with_detail(format!("{count} files")));
        }
    }
    for path in files.into_iter().take(MAX_OFFERED) {
        offers.add_offer(Offer::new(path, Item::File, if fits(path) { 1 } else { 2 }));
    }
}

/// Offers the headers of the files in the preview, in their order.
fn offer_headers(offers: &mut Offers, seen: &TablePreview) {
    for (column, place) in seen.columns.iter().filter(|column| !column.name.is_empty()).zip(0_usize..) {
        let fields: Vec<&str> = column.fields.iter().take(3).map(String::as_str).collect();
        let mut detail = fields.join(", ");
        if column.files < seen.read {
            detail = format!("in {} of {} files · {detail}", column.files, seen.read);
        }
        offers.add_offer(build_text_offer(&column.name, Item::Field, place).with_detail(detail));
    }
}

/// Offers the parts of a file that can be its table.
fn offer_table_places(offers: &mut Offers, seen: &TablePreview) {
    for (place, choice) in seen.choices.iter().enumerate() {
        offers.add_offer(build_text_offer(&choice.at, Item::Value, place).with_detail(&choice.shows));
    }
}

/// Offers texts in the given order.
fn offer_texts(offers: &mut Offers, texts: &[String]) {
    for (place, text) in texts.iter().enumerate() {
        offers.add_offer(build_text_offer(text, Item::Value, place));
    }
}

/// Offers a text inside of a string in quotes, at this place of the list.
fn build_text_offer(text: &str, kind: Item, place: usize) -> Offer {
    let quoted = quote_string(text);
    let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(&quoted);
    Offer { order: Some(place), ..Offer::new(text, kind, 0).with_insert(inner) }
}
