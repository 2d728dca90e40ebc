//! Completion for tables that are read: lakes and their views, options of a path, and the formats of column fields.

use compiler::ast::Format;
use compiler::infer;
use compiler::query::{Declaration, Kind, TablePreview};
use compiler::syntax::string::quote_string;
use compiler::syntax::words::{self, Class};
use gen_lsp_types::CompletionItemKind as Item;
use model::format::Holds;

use super::super::offer::{Offer, Offers};
use super::cursor::{CursorContext, is_value_end, split_at_sign};
use super::statements::list_body_words;
use crate::context::Block;
use crate::reading;

/// The types of columns that are read, each with common patterns of such fields.
const TYPES: [(&str, &[&str]); 7] = [
    ("int", &["#,##0", "#.##0"]),
    ("decimal", &["#,##0.00", "#.##0,00", "0.0%"]),
    ("float", &["#,##0.00", "#.##0,00"]),
    ("date", &["dd.MM.yyyy", "MM/dd/yyyy", "d MMMM yyyy"]),
    ("datetime", &["dd.MM.yyyy HH:mm", "yyyy-MM-dd HH:mm:ss"]),
    ("bool", &[]),
    ("text", &["@ km"]),
];

/// The properties of a row's file that a computed column can read.
const OF_FILE: [(&str, &str); 5] = [
    ("path", "the path in the lake"),
    ("folder", "the folder in the lake"),
    ("name", "the name of the file"),
    ("stem", "the name without its ending"),
    ("row", "the number of the record in its file"),
];

/// Whether the completions depend on the fields of files.
pub fn must_read_fields(words: &[&str]) -> bool {
    words.contains(&"as") || words.last() == Some(&"encoding") || words.last() == Some(&"sheet")
}

impl CursorContext<'_> {
    /// Completes the head of a lake.
    pub(super) fn offer_in_lake_head(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            ["lake", _] => offers.add_bare_words(["from", "at"], 0),
            ["lake", _, "at", "\""] => offers.add_bare_words(["from"], 0),
            _ => {}
        }
    }

    /// Completes `lake NAME …` in a task. Returns whether the statement may be complete.
    pub(super) fn offer_in_lake_use(&self, offers: &mut Offers, words: &[&str]) -> bool {
        match words {
            [] => self.offer_items(offers, Kind::Lake, Item::Module, "lake"),
            [_] => offers.add_words(words::iter_uses("needed"), 0),
            [_, "needed", .., "+"] => self.offer_in_expression(offers, &[], &[]),
            _ => {}
        }
        !words.is_empty() && words.last() != Some(&"+")
    }

    /// Completes a view.
    pub(super) fn offer_in_view(&self, offers: &mut Offers, words: &[&str]) {
        match words {
            [] => {
                for format in Format::ALL.iter().filter(|format| is_table(**format)) {
                    let ending = format.endings.first().copied().unwrap_or(format.word());
                    let (word, ending) = (format.word(), ending.trim_start_matches('.'));
                    let offer = Offer::new(word, Item::Keyword, 0).with_detail(format.noun);
                    offers.add_offer(offer.with_snippet(format!("{word} ${{1:name}} from \"${{2:*.{ending}}}\"")));
                }
                // On a new line, an option may still belong to the view above.
                let (at, _) = self.context.find_block();
                let opened = self.context.frames.get(at).map_or(0, |frame| frame.opened + 1);
                if self.text.get(opened..self.context.start).is_some_and(|above| !above.trim().is_empty()) {
                    offers.add_words(words::iter_class(Class::Reading), 1);
                }
            }
            [_, _] | [_, _, ":", _] => offers.add_bare_words(["from"], 0),
            [_, _, ":"] => self.offer_reusable_tables(offers),
            [_, _, rest @ ..] => {
                self.offer_read_options(offers, rest);
            }
            _ => {}
        }
    }

    /// Completes the words after `from "FILE"`: the unused options of the file's format. Returns whether the words so far are complete.
    pub(super) fn offer_read_options(&self, offers: &mut Offers, words: &[&str]) -> bool {
        let Some((_, _, used)) = split_at_sign(words, &["from"]) else { return false };
        match used.last() {
            Some(&"until") => offers.add_bare_words(["blank"], 0),
            Some(&"header") => offers.add_bare_words(["0", "1", "2"], 0),
            Some(&"encoding") => self.offer_texts(offers, self.glimpse.map(list_encodings).unwrap_or_default()),
            Some(&"sheet") => {
                self.offer_texts(offers, self.glimpse.map(|seen| seen.sheets.clone()).unwrap_or_default())
            }
            Some(last) if !words::is_of_class(Class::Reading, last) && *last != "from" => {
                let fits = |word: &str| self.look.is_none_or(|look| look.layout.format.reading.contains(&word));
                let options =
                    words::iter_class(Class::Reading).filter(|word| fits(word.text) && !used.contains(&word.text));
                offers.add_words(options, 0);
                return true;
            }
            _ => {}
        }
        false
    }

    fn offer_texts(&self, offers: &mut Offers, texts: Vec<String>) {
        for (text, rank) in texts.iter().zip(0..) {
            offers.add_offer(Offer::new(quote_string(text), Item::Value, u8::min(rank, 9)));
        }
    }

    /// Completes a line in the body of a table that is read.
    pub(super) fn read_column(&self, offers: &mut Offers, words: &[&str]) {
        let is_text = self.look.is_some_and(|look| look.layout.format.holds == Holds::Text);
        let lines = || {
            list_body_words().filter(move |word| match word.text {
                "rows" | "index" => false,
                "line" => is_text,
                "unpivot" => !is_text,
                _ => true,
            })
        };
        let Some((_, sign, rest)) = split_at_sign(words, &[":", "="]) else {
            match words {
                [] => offers.add_words(lines(), 0),
                ["allow"] => {}
                ["unpivot", rest @ ..] if rest.contains(&"from") && is_value_end(rest) => {
                    offers.add_words(words::iter_uses("as"), 0)
                }
                [first, ..] if words::is_any(&[Class::Constraint, Class::Body], first) && words.contains(&"(") => {
                    offers.add_words(lines(), 2);
                }
                _ => {}
            }
            return;
        };
        if sign == "=" {
            self.offer_in_expression(offers, rest, &[]);
            if is_value_end(rest) {
                offers.add_words(lines(), 2);
            }
        } else if let Some((_, _, styles)) = split_at_sign(rest, &["as"]) {
            if styles.is_empty() || is_value_end(styles) {
                self.offer_read_styles(offers, rest.first().copied().unwrap_or_default(), styles);
            }
            if is_value_end(styles) {
                offers.add_words(lines(), 2);
            }
        } else if let Some((_, _, place)) = split_at_sign(rest, &["from"]) {
            if is_value_end(place) {
                offers.add_words(words::iter_uses("as"), 0);
                offers.add_words(lines(), 2);
            }
        } else if is_value_end(rest) || TYPES.iter().any(|(word, _)| rest == [*word]) {
            // These seven types do not need bounds here.
            let doc = "The header below which its fields are, or their place: `from 3`.";
            offers.add_offer(Offer::new("from", Item::Keyword, 0).with_snippet("from \"$1\"").with_doc(doc));
            offers.add_words(words::iter_uses("as"), 0);
            offers.add_words(lines(), 2);
        } else {
            if rest.is_empty() {
                offers.add_bare_words(TYPES.iter().map(|(word, _)| *word), 0);
            }
            self.offer_in_domain(offers, rest);
        }
    }

    /// Completes `as`: patterns of the type, first the one that reads the column's fields, and `missing`.
    fn offer_read_styles(&self, offers: &mut Offers, ty: &str, written: &[&str]) {
        let column = self.glimpse.and_then(|seen| seen.find_column(&self.find_header()?));
        let fields: Vec<&str> = column.iter().flat_map(|column| &column.fields).map(String::as_str).collect();
        // In a column of numbers or dates, a common null mark is not a value.
        let is_mark = |field: &&str| infer::is_mark(field);
        let (nulls, values): (Vec<&str>, Vec<&str>) =
            if matches!(ty, "text" | "bool") { (Vec::new(), fields) } else { fields.into_iter().partition(is_mark) };
        let spell = |pattern: &str| format!("written {}", quote_string(pattern));
        if !written.contains(&"written")
            && !values.is_empty()
            && ty != "text"
            && let Some(pattern) = infer::infer_pattern(&values, ty)
        {
            let detail =
                if values.len() == 1 { "reads the field".to_owned() } else { format!("reads {} fields", values.len()) };
            offers.add_offer(Offer::new(spell(&pattern), Item::Value, 0).with_detail(detail));
        }
        if !written.contains(&"missing") {
            if !nulls.is_empty() {
                let marks: Vec<String> = nulls.iter().map(|mark| quote_string(mark)).collect();
                let label = format!("missing [{}]", marks.join(", "));
                offers.add_offer(Offer::new(label, Item::Value, 0).with_detail("not a value"));
            }
            offers.add_words(words::iter_class(Class::Style).filter(|word| word.text == "missing"), 2);
        }
        for pattern in list_patterns(ty) {
            offers.add_offer(Offer::new(spell(pattern), Item::Value, 1));
        }
        if ty != "bool" {
            offers.add_words(words::iter_class(Class::Style).filter(|word| word.text == "written"), 2);
        }
    }

    /// The header of the current column: the string after `from`, or its name.
    fn find_header(&self) -> Option<String> {
        let (at, _) = self.context.find_block();
        let frame = self.context.frames.get(at)?;
        let column = self.text.get(frame.begins..self.context.start)?;
        match column.split_once("from \"") {
            Some((_, rest)) => rest.split_once('"').map(|(header, _)| header.to_owned()),
            None => frame.words.first().map(|name| (*name).to_owned()),
        }
    }

    /// Offers the properties of the row's file, after `file.` in a computed column.
    pub(super) fn offer_file_properties(&self, offers: &mut Offers) {
        for (name, what) in OF_FILE {
            offers.add_offer(Offer::new(name, Item::Property, 0).with_detail(what));
        }
    }

    /// Offers the declared columns of the view around the cursor.
    pub(super) fn offer_view_columns(&self, offers: &mut Offers) {
        let Some((lake, _)) = self.context.find_around(Block::Lake) else { return };
        let Some(lake) = lake.words.get(1) else { return };
        let Some(view) = self.context.find_head().and_then(|head| head.words.get(1)) else { return };
        let named = |declared: &&Declaration, name: &str| declared.name.text == name;
        for (file, _) in self.analysis.sources().iter().filter(|(_, source)| !source.library) {
            let lake =
                self.analysis.list_declarations(file).iter().find(|item| item.kind == Kind::Lake && named(item, lake));
            let view = lake.and_then(|lake| lake.inner.iter().find(|inner| named(inner, view)));
            for column in view.map(|view| view.inner.as_slice()).unwrap_or_default() {
                offers.add_offer(Offer::from_name(&column.name.text, Item::Field, 0, "column"));
            }
        }
        offers.add_offer(Offer::new("file", Item::Property, 1).with_detail("the file of the row: file.stem, file.row"));
    }

    /// Whether the cursor is in the body of a table that is read.
    pub(super) fn is_reading(&self) -> bool {
        reading::is_in_read_body(self.context)
    }
}

/// Common patterns of fields of a type.
pub(super) fn list_patterns(ty: &str) -> &'static [&'static str] {
    TYPES.iter().find(|(word, _)| *word == ty).map_or(&[], |(_, patterns)| *patterns)
}

/// Whether files of a format are read as tables.
fn is_table(format: Format) -> bool {
    !matches!(format.holds, Holds::Database | Holds::Bytes)
}

/// The encodings of the table's files, the most likely first.
pub fn list_encodings(seen: &TablePreview) -> Vec<String> {
    seen.encodings.iter().map(|encoding| encoding.word().to_owned()).collect()
}
