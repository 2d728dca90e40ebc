//! The rules of each scorer, as one value that is passed to all code that reads and compares.

use model::Scorer;
use model::text_folding::Always;

/// The rules that differ between scorers.
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// Decimals of the key have the rounding noise of doubles, as floats do; it never reaches a unit of the requested precision.
    pub tolerant_fractions: bool,
    /// Canonically equivalent texts (NFC) are the same, and zero-width characters at the ends of items and cells are ignored.
    pub canonical_texts: bool,
    /// `text`, `number`, and `matches` read inside a reply that is one fenced block; a closing fence is part neither of the last line nor of the text after a
    /// mark.
    pub opens_every_block: bool,
    /// Emphasis (`**`, `_`) that opens directly before a mark and closes directly after it, or at the end, is not part of the text after the mark.
    pub emphasized_marks: bool,
    /// Thoughts inside a Harmony message are removed.
    pub cleans_harmony: bool,
    /// A boolean can have any letter case, a datetime a space instead of `T` and no seconds, a number a point without a digit before its exponent.
    pub lenient_spellings: bool,
    /// Lists and rows may be written as Python prints a list, or as one JSON value per line. The items of a list with one item per line may be in quotes, or
    /// begin like a bullet or number.
    pub more_forms: bool,
    /// Long answers are paired with an index of candidates, and with the maximum number of pairs.
    pub indexed_pairs: bool,
    /// A text of which `ignore` would leave nothing is compared unchanged.
    pub keeps_something: bool,
    /// The text of a file, and its expected bytes, are in the file's encoding.
    pub encoded_files: bool,
    /// The extension of a file says how it is read: `.jsonl` is a value on each line, and what is in a `.gz` file counts.
    pub reads_formats: bool,
    /// A database is unchanged if its rows and its schema are.
    pub unchanged_states: bool,
    /// The triggers and views of a database count, and what virtual tables declare.
    pub compares_schemas: bool,
    /// An ignored key of a database means that the keys of new rows may be any.
    pub pairs_new_rows: bool,
    /// A reply with far more values than expected is not read: it cannot be correct.
    pub bounded_replies: bool,
    /// Marks around a whole answer, item, or cell of a reply do not belong to it.
    pub unwraps_answers: bool,
    /// The digits of a number may be grouped by blanks, apostrophes, or `_`, and its exponent written as `× 10^3`.
    pub written_numbers: bool,
    /// A piece of text is also true or false as `yes`, `no`, `y`, `n`, `t`, or `f`.
    pub written_bools: bool,
    /// Dates in items and cells are read as dates, and the bools of rows may be `1` and `0`.
    pub typed_items: bool,
    /// A list in one line may have semicolons between its items.
    pub splits_at_semicolons: bool,
    /// The letter case of a mark counts only where the mark is also written exactly.
    pub folded_marks: bool,
}

const ONE: Rules = Rules {
    tolerant_fractions: false,
    canonical_texts: false,
    opens_every_block: false,
    emphasized_marks: false,
    cleans_harmony: false,
    lenient_spellings: false,
    more_forms: false,
    indexed_pairs: false,
    keeps_something: false,
    encoded_files: false,
    reads_formats: false,
    unchanged_states: false,
    compares_schemas: false,
    pairs_new_rows: false,
    bounded_replies: false,
    unwraps_answers: false,
    written_numbers: false,
    written_bools: false,
    typed_items: false,
    splits_at_semicolons: false,
    folded_marks: false,
};

const TWO: Rules = Rules {
    tolerant_fractions: true,
    canonical_texts: true,
    opens_every_block: true,
    emphasized_marks: true,
    cleans_harmony: true,
    lenient_spellings: true,
    more_forms: true,
    indexed_pairs: true,
    ..ONE
};

const THREE: Rules = Rules {
    keeps_something: true,
    encoded_files: true,
    reads_formats: true,
    unchanged_states: true,
    compares_schemas: true,
    pairs_new_rows: true,
    bounded_replies: true,
    unwraps_answers: true,
    written_numbers: true,
    written_bools: true,
    typed_items: true,
    splits_at_semicolons: true,
    folded_marks: true,
    ..TWO
};

/// Programs read files, so their content is not unwrapped.
const THREE_OF_FILES: Rules = Rules { unwraps_answers: false, ..THREE };

impl Rules {
    /// Returns the rules of a scorer.
    pub fn from_scorer(scorer: Scorer) -> &'static Rules {
        match scorer {
            Scorer::One => &ONE,
            Scorer::Two => &TWO,
            Scorer::Three => &THREE,
        }
    }

    /// Returns the rules for what is in a file.
    pub fn for_files(&'static self) -> &'static Rules {
        if self.unwraps_answers { &THREE_OF_FILES } else { self }
    }

    /// Returns the differences that every comparison of texts ignores.
    pub fn to_always(&self) -> Always {
        Always {
            canonical: self.canonical_texts,
            datetimes: self.lenient_spellings,
            keeps_something: self.keeps_something,
        }
    }
}

/// What all scorers say alike.
#[cfg(test)]
pub fn assert_same_for_all<T: std::fmt::Debug + PartialEq>(said: impl Fn(&'static Rules) -> T) -> T {
    let [first, others @ ..] = Scorer::ALL.map(|scorer| said(Rules::from_scorer(scorer)));
    others.iter().for_each(|other| assert_eq!(first, *other));
    first
}
