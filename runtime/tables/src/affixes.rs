//! The text around a number, before and after its digits. Text that changes the value is never dropped.

/// The text around the digits of a number, without its sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Affixes<'t> {
    /// Before the digits.
    pub before: &'t str,
    /// After the digits.
    pub after: &'t str,
}

/// The possible meaning of the text around a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// The number is negative: brackets, a minus that is not at the front, `Cr` and `Dr`, a direction, or an era.
    Sign,
    /// The number is multiplied: `K`, `M`, `bn`.
    Scale,
    /// The number is not exact: `<`, `~`, `±`.
    Limit,
}

/// Words that multiply a number, in lower case.
const SCALES: [&str; 23] = [
    "k",
    "b",
    "bn",
    "mn",
    "tn",
    "tsd",
    "mio",
    "mrd",
    "mill",
    "lakh",
    "crore",
    "thousand",
    "million",
    "millions",
    "billion",
    "billions",
    "trillion",
    "hundred",
    "dozen",
    "tausend",
    "millionen",
    "milliarden",
    "thousands",
];

/// A million; `5 m` are meters.
const MILLION: &str = "M";

/// Words after a number for one side of zero, of the equator, or of an account.
const SIDES: [&str; 14] = ["Cr", "Dr", "CR", "DR", "cr", "dr", "BC", "BCE", "AD", "CE", "N", "S", "E", "W"];

/// Words that change a number, in lower case, with their position and their possible meaning. A unit with the same spelling (`5 min`) is on the other side.
const WORDS: &[(&str, Beside, Mark)] = &[
    ("minus", Beside::Either, Mark::Sign),
    ("neg", Beside::Either, Mark::Sign),
    ("negative", Beside::Either, Mark::Sign),
    ("negativ", Beside::Either, Mark::Sign),
    ("overdrawn", Beside::Either, Mark::Sign),
    ("overdraft", Beside::Either, Mark::Sign),
    ("loss", Beside::Either, Mark::Sign),
    ("deficit", Beside::Either, Mark::Sign),
    ("debit", Beside::Either, Mark::Sign),
    ("credit", Beside::Either, Mark::Sign),
    ("owed", Beside::Either, Mark::Sign),
    ("owing", Beside::Either, Mark::Sign),
    ("verlust", Beside::Either, Mark::Sign),
    ("soll", Beside::Either, Mark::Sign),
    ("haben", Beside::Either, Mark::Sign),
    ("under", Beside::Either, Mark::Limit),
    ("over", Beside::Either, Mark::Limit),
    ("above", Beside::Either, Mark::Limit),
    ("below", Beside::Either, Mark::Limit),
    ("max", Beside::Either, Mark::Limit),
    ("maximum", Beside::Either, Mark::Limit),
    ("min", Beside::Before, Mark::Limit),
    ("minimum", Beside::Either, Mark::Limit),
    ("up", Beside::Either, Mark::Limit),
    ("upto", Beside::Before, Mark::Limit),
    ("less", Beside::Either, Mark::Limit),
    ("fewer", Beside::Either, Mark::Limit),
    ("more", Beside::Either, Mark::Limit),
    ("least", Beside::Either, Mark::Limit),
    ("most", Beside::Either, Mark::Limit),
    ("about", Beside::Either, Mark::Limit),
    ("around", Beside::Before, Mark::Limit),
    ("almost", Beside::Before, Mark::Limit),
    ("nearly", Beside::Before, Mark::Limit),
    ("roughly", Beside::Before, Mark::Limit),
    ("approx", Beside::Either, Mark::Limit),
    ("approximately", Beside::Either, Mark::Limit),
    ("circa", Beside::Either, Mark::Limit),
    ("ca", Beside::Before, Mark::Limit),
    ("plus", Beside::After, Mark::Limit),
    ("unter", Beside::Either, Mark::Limit),
    ("über", Beside::Either, Mark::Limit),
    ("bis", Beside::Either, Mark::Limit),
    ("ab", Beside::Before, Mark::Limit),
    ("mindestens", Beside::Either, Mark::Limit),
    ("höchstens", Beside::Either, Mark::Limit),
    ("etwa", Beside::Before, Mark::Limit),
    ("rund", Beside::Before, Mark::Limit),
    ("percent", Beside::Either, Mark::Scale),
    ("pct", Beside::Either, Mark::Scale),
    ("percentage", Beside::Either, Mark::Scale),
    ("prozent", Beside::Either, Mark::Scale),
    ("prozentpunkte", Beside::After, Mark::Scale),
    ("permille", Beside::Either, Mark::Scale),
    ("promille", Beside::Either, Mark::Scale),
    ("cent", Beside::AfterPer, Mark::Scale),
    ("mille", Beside::AfterPer, Mark::Scale),
    ("points", Beside::AfterPercent, Mark::Scale),
    ("point", Beside::AfterPercent, Mark::Scale),
    ("pts", Beside::AfterPercent, Mark::Scale),
    ("bps", Beside::After, Mark::Scale),
];

/// The side of a number on which a word changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    Before,
    After,
    Either,
    /// After the number and after `per`.
    AfterPer,
    /// After the number and after `%`.
    AfterPercent,
}

/// Signs that multiply a number.
const SHARES: [char; 2] = ['‰', '‱'];

/// Signs of a limit or an inexact number.
const LIMITS: [char; 10] = ['<', '>', '≤', '≥', '~', '≈', '±', '=', '^', '≠'];

/// Opening brackets, each with its closing one.
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];

/// Checks for a minus or a dash that can be one.
pub fn is_minus(char: char) -> bool {
    matches!(char, '-' | '\u{2212}' | '–' | '—')
}

impl<'t> Affixes<'t> {
    /// Checks whether both sides are empty.
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Renders both sides as quoted in messages: `$`, `( )`.
    pub fn render_sides(&self) -> String {
        match (self.before.trim(), self.after.trim()) {
            (before, "") => before.to_owned(),
            ("", after) => after.to_owned(),
            (before, after) => format!("{before} {after}"),
        }
    }

    /// Checks whether the text is exactly one currency sign, on one side.
    pub fn is_currency(&self) -> bool {
        let one = |text: &str| {
            let mut chars = text.trim().chars();
            chars.next().is_some_and(model::numeral::is_currency) && chars.next().is_none()
        };
        one(self.before) && self.after.is_empty() || self.before.is_empty() && one(self.after)
    }

    /// Returns the possible meaning for the number; `None` for a unit, a currency, or a name.
    pub fn find_mark(&self) -> Option<Mark> {
        let Affixes { before, after } = *self;
        if self.is_sign() {
            return Some(Mark::Sign);
        }
        if before.contains(LIMITS) || after.contains(LIMITS) {
            return Some(Mark::Limit);
        }
        if self.is_scale() {
            return Some(Mark::Scale);
        }
        self.find_word_mark()
    }

    /// Returns the possible meaning of the words around the number.
    fn find_word_mark(&self) -> Option<Mark> {
        let Affixes { before, after } = *self;
        WORDS.iter().find_map(|(word, beside, mark)| {
            let has = |text: &str| split_words(text).any(|own| own.to_lowercase() == *word);
            let found = match beside {
                Beside::Before => has(before),
                Beside::After => has(after),
                Beside::Either => has(before) || has(after),
                Beside::AfterPer => has(after) && split_words(after).any(|own| own.eq_ignore_ascii_case("per")),
                Beside::AfterPercent => has(after) && after.contains('%'),
            };
            found.then_some(*mark)
        })
    }

    /// Checks whether the text may be a sign.
    fn is_sign(&self) -> bool {
        let Affixes { before, after } = *self;
        self.is_in_brackets()
            || has_minus_before(before)
            || has_minus_after(after)
            || split_words(after).any(|word| SIDES.contains(&word))
    }

    /// Checks whether a bracket before the number is left open, or one after it is closed.
    fn is_in_brackets(&self) -> bool {
        BRACKETS.iter().any(|(open, close)| {
            let opened = self.before.matches(*open).count() > self.before.matches(*close).count();
            let closed = self.after.matches(*close).count() > self.after.matches(*open).count();
            opened || closed
        })
    }

    /// Checks whether the number may be multiplied: by the word that follows it, or by a letter after an amount of money.
    fn is_scale(&self) -> bool {
        let Affixes { before, after } = *self;
        let scale = |word: &str| SCALES.contains(&word.to_lowercase().as_str()) || word == MILLION;
        let of_money = before.contains(model::numeral::is_currency) && split_words(after).next() == Some("m");
        // A digit that is not ASCII: `5²`, `5½`. In a unit it follows a letter: `m²`.
        let digit = |text: &str| has_apart(text, char::is_numeric);
        after.contains(SHARES) || of_money || split_words(after).any(scale) || digit(before) || digit(after)
    }

    /// Checks whether the text in a pattern that an author declares is a sign: round brackets are accounting notation, others are not.
    pub fn is_declared_sign(&self) -> bool {
        let Affixes { before, after } = *self;
        let open = before.matches('(').count() > before.matches(')').count();
        let close = after.matches(')').count() > after.matches('(').count();
        open && close || has_minus_before(before) || has_minus_after(after)
    }

    /// Returns the word in a pattern that an author declares that multiplies the number. Only those directly after the digits cannot be units.
    pub fn find_declared_scale(&self) -> Option<&'t str> {
        const TOLD: [&str; 12] = ["K", "k", "M", "B", "bn", "Bn", "BN", "mn", "Mn", "MN", "mio", "Mio"];
        let touches = self.after.starts_with(char::is_alphabetic);
        split_words(self.after).next().filter(|word| touches && TOLD.contains(word))
    }

    /// Collects its letters and currency signs, in order.
    pub fn collect_letters(&self) -> String {
        let told = |char: &char| char.is_alphabetic() || model::numeral::is_currency(*char);
        self.before.chars().chain([' ']).chain(self.after.chars()).filter(told).collect()
    }
}

/// Splits a text into runs of letters.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphabetic()).filter(|word| !word.is_empty())
}

/// Checks whether a character of a kind occurs that does not directly follow a letter.
fn has_apart(text: &str, is_kind: impl Fn(char) -> bool) -> bool {
    let before = std::iter::once(' ').chain(text.chars());
    before.zip(text.chars()).any(|(before, char)| is_kind(char) && !before.is_alphabetic())
}

/// Checks for a minus that is not the hyphen of a word: `$-`, but not `A-`.
fn has_minus_before(text: &str) -> bool {
    has_apart(text, is_minus)
}

/// Checks for a minus at the end of the text or before other signs: `100-`, `100 -`, `5- €`; not `5-day`, and not `5,-`, which is a price without cents.
fn has_minus_after(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    chars.iter().enumerate().any(|(at, char)| {
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let price = matches!(before, Some(',' | '.'));
        let word = chars.get(at + 1).is_some_and(|next| next.is_alphanumeric());
        is_minus(*char) && !price && !word
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_a_number_is_a_mark() {
        for (before, after, guessed, told) in [
            ("", "", None, None),
            ("$", "", None, None),
            ("", " kg", None, None),
            ("", " m²", None, None),
            ("", "%", None, None),
            ("", "-day", None, None),
            ("", ",-", None, None),
            ("A-", "", None, None),
            ("", " (est.)", None, None),
            ("(", ")", Some(Mark::Sign), Some(Mark::Sign)),
            ("($", ")", Some(Mark::Sign), Some(Mark::Sign)),
            ("(", "%)", Some(Mark::Sign), Some(Mark::Sign)),
            ("[", "]", Some(Mark::Sign), None),
            ("", "-", Some(Mark::Sign), Some(Mark::Sign)),
            ("", " -", Some(Mark::Sign), Some(Mark::Sign)),
            ("", "- €", Some(Mark::Sign), Some(Mark::Sign)),
            ("$-", "", Some(Mark::Sign), Some(Mark::Sign)),
            ("", " Dr", Some(Mark::Sign), None),
            ("", "° S", Some(Mark::Sign), None),
            ("", "K", Some(Mark::Scale), Some(Mark::Scale)),
            ("$", "M", Some(Mark::Scale), Some(Mark::Scale)),
            ("", "bn €", Some(Mark::Scale), Some(Mark::Scale)),
            ("", " million", Some(Mark::Scale), None),
            ("", " M", Some(Mark::Scale), None),
            ("", "m", None, None),
            ("$", "m", Some(Mark::Scale), None),
            ("", "²", Some(Mark::Scale), None),
            ("", "½", Some(Mark::Scale), None),
            ("<", "", Some(Mark::Limit), None),
            ("", "±", Some(Mark::Limit), None),
            ("minus ", "", Some(Mark::Sign), None),
            ("Minus ", " kg", Some(Mark::Sign), None),
            ("", " neg.", Some(Mark::Sign), None),
            ("", " overdrawn", Some(Mark::Sign), None),
            ("loss ", "", Some(Mark::Sign), None),
            ("under ", "", Some(Mark::Limit), None),
            ("max. ", "", Some(Mark::Limit), None),
            ("min ", "", Some(Mark::Limit), None),
            ("", " min", None, None),
            ("up to ", "", Some(Mark::Limit), None),
            ("", " or less", Some(Mark::Limit), None),
            ("", " or more", Some(Mark::Limit), None),
            ("at least ", "", Some(Mark::Limit), None),
            ("über ", " €", Some(Mark::Limit), None),
            ("", " percent", Some(Mark::Scale), None),
            ("", " per cent", Some(Mark::Scale), None),
            ("", " cent", None, None),
            ("", " %-points", Some(Mark::Scale), None),
            ("", " points", None, None),
            ("", " overs", None, None),
        ] {
            let around = Affixes { before, after };
            let scale = around.find_declared_scale().map(|_| Mark::Scale);
            let declared = if around.is_declared_sign() { Some(Mark::Sign) } else { scale };
            assert_eq!((around.find_mark(), declared), (guessed, told), "{around:?}");
        }
    }
}
