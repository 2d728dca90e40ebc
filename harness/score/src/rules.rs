//! The rules of each scorer, as one value that is handed down to whatever reads and compares.

use model::Scorer;
use model::text_folding::Always;

/// What the scorers do differently. A rule that is not here is the same in all of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// Decimals of the key carry the noise of doubles, as floats do; it never reaches a unit of what was asked for.
    pub tolerant_fractions: bool,
    /// Texts are the same where Unicode takes them for the same (NFC), and characters without width are blanks at the ends of items and cells too.
    pub canonical_texts: bool,
    /// `text`, `number` and `matches` open a reply that is one fenced block; a closing fence belongs neither to the last line nor to what follows a mark.
    pub opens_every_block: bool,
    /// Emphasis (`**`, `_`) that opens directly before a mark and closes directly after it, or at the end, is not part of what follows the mark.
    pub emphasized_marks: bool,
    /// Thoughts inside of a Harmony message are taken out of it.
    pub cleans_harmony: bool,
    /// A bool is itself in any case, a datetime may have a blank for its `T` and no seconds, a number a point and no digit before its exponent.
    pub lenient_spellings: bool,
    /// Lists and rows may be written as Python prints a list, or as one JSON value a line; the items of a list that are one a line may have quotes around them, or begin as a
    /// bullet or number does.
    pub more_forms: bool,
    /// Long answers are paired over an index of what can fit, with as many pairs as can be.
    pub indexed_pairs: bool,
    /// A text of which `ignore` leaves nothing is compared as it is.
    pub keeps_something: bool,
    /// A file's text, and the bytes that are expected of it, are in its encoding.
    pub encoded_files: bool,
    /// A database is unchanged where its rows and its schema are.
    pub unchanged_states: bool,
    /// A reply with far more values than are expected is not read: it cannot be right.
    pub bounded_replies: bool,
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
    unchanged_states: false,
    bounded_replies: false,
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

const THREE: Rules =
    Rules { keeps_something: true, encoded_files: true, unchanged_states: true, bounded_replies: true, ..TWO };

impl Rules {
    /// The rules of a scorer.
    pub fn from_scorer(scorer: Scorer) -> &'static Rules {
        match scorer {
            Scorer::One => &ONE,
            Scorer::Two => &TWO,
            Scorer::Three => &THREE,
        }
    }

    /// What every comparison of texts overlooks.
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
