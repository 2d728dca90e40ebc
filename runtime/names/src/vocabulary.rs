//! Words of columns and tables that can replace each other: synonyms, words for similar things, and words that look alike but mean
//! something else.

use std::sync::LazyLock;

use super::abbreviations::{SHORT_FORM, find_phrase, list_meanings};
use super::index::Index;

/// Words for the same thing: where the rest of two names agrees, so do they.
const SYNONYMS: &[&[&str]] = &[
    &["salary", "pay", "wage"],
    &["city", "town"],
    &["phone", "telephone", "tel", "mobile"],
    &["email", "mail"],
    &["sex", "gender"],
    &["zip", "postal", "postcode"],
    &["picture", "image", "photo"],
    &["vendor", "supplier"],
    &["customer", "client"],
    &["employee", "worker", "staff"],
    &["country", "nation"],
    &["begin", "start", "started", "begun"],
    &["end", "finish", "ended", "finished"],
    &["updated", "modified", "changed"],
    &["removed", "deleted"],
    &["purchase", "bought"],
    &["delivered", "delivery"],
    &["note", "remark"],
    &["website", "homepage"],
    &["quantity", "count"],
    &["maximum", "highest"],
    &["minimum", "lowest"],
    &["average", "mean"],
    &["total", "sum"],
    &["author", "writer"],
    &["movie", "film"],
    &["car", "automobile"],
    &["doctor", "physician"],
    &["teacher", "instructor"],
    &["student", "pupil"],
    &["boss", "supervisor"],
    &["job", "occupation", "profession"],
    &["company", "firm"],
    &["store", "shop"],
    &["street", "road"],
    &["birthplace", "hometown"],
    &["url", "link"],
    &["tax", "vat"],
    &["at", "on"],
];

/// Words for similar things, which may both exist: worth a suggestion, but never applied without asking.
const NEAR: &[&[&str]] = &[
    &["price", "cost", "fee", "charge"],
    &["amount", "value", "total", "sum"],
    &["state", "status", "stage", "phase"],
    &["type", "kind", "category", "class", "group"],
    &["title", "name", "label"],
    &["region", "area", "zone", "territory", "district"],
    &["date", "day", "time", "datetime", "timestamp"],
    &["description", "summary", "comment", "note", "text", "body", "content"],
    &["id", "key", "code", "number", "reference", "identifier"],
    &["manager", "boss", "head", "lead", "supervisor"],
    &["revenue", "income", "sales", "turnover"],
    &["order", "purchase"],
    &["product", "item", "article", "goods"],
    &["score", "grade", "mark", "rating", "points"],
    &["department", "division", "team", "unit"],
    &["location", "place", "site", "address", "city"],
    &["job", "role", "position", "title"],
    &["company", "organization", "business"],
    &["size", "length", "volume"],
    &["discount", "rebate"],
    &["user", "account", "member", "login"],
    &["count", "number", "quantity", "total"],
    &["duration", "length", "time"],
    &["created", "added", "registered", "inserted"],
    &["hired", "joined", "employed"],
    &["rate", "percent", "share", "ratio"],
    &["zip", "post"],
];

/// Words that look like others and mean something else.
const LOOKALIKES: &[&str] = &[
    "accept",
    "except",
    "actual",
    "annual",
    "arrived",
    "buyer",
    "by",
    "base",
    "care",
    "case",
    "cast",
    "coat",
    "county",
    "course",
    "cause",
    "data",
    "day",
    "dead",
    "deal",
    "debit",
    "credit",
    "drive",
    "driver",
    "east",
    "west",
    "employer",
    "expected",
    "father",
    "mother",
    "female",
    "male",
    "file",
    "final",
    "fine",
    "five",
    "from",
    "form",
    "front",
    "game",
    "gate",
    "gross",
    "grows",
    "has",
    "hair",
    "home",
    "host",
    "in",
    "inner",
    "input",
    "output",
    "is",
    "its",
    "land",
    "lane",
    "late",
    "latest",
    "left",
    "right",
    "life",
    "line",
    "list",
    "live",
    "load",
    "loan",
    "lost",
    "made",
    "main",
    "mark",
    "mass",
    "mate",
    "max",
    "min",
    "mode",
    "model",
    "mount",
    "net",
    "new",
    "next",
    "not",
    "of",
    "off",
    "old",
    "older",
    "open",
    "or",
    "out",
    "over",
    "owner",
    "own",
    "paid",
    "part",
    "party",
    "past",
    "path",
    "plan",
    "plane",
    "plant",
    "plate",
    "port",
    "prior",
    "public",
    "quality",
    "race",
    "rank",
    "read",
    "real",
    "rent",
    "rest",
    "risk",
    "role",
    "rule",
    "sale",
    "same",
    "seat",
    "sell",
    "seller",
    "send",
    "sent",
    "set",
    "side",
    "sign",
    "sort",
    "stop",
    "tag",
    "take",
    "task",
    "term",
    "test",
    "to",
    "trade",
    "train",
    "tree",
    "trip",
    "true",
    "under",
    "up",
    "use",
    "used",
    "valid",
    "via",
    "view",
    "visit",
    "wait",
    "wave",
    "wide",
    "wife",
    "wind",
    "won",
    "word",
    "work",
    "zone",
    "arrival",
    "departure",
    "born",
    "die",
    "died",
    "hot",
    "cold",
    "high",
    "low",
    "day",
    "night",
    "am",
    "pm",
    "win",
    "loss",
];

static SYNONYM: LazyLock<Index> = LazyLock::new(|| Index::from_table(SYNONYMS));
static NEARLY: LazyLock<Index> = LazyLock::new(|| Index::from_table(NEAR));
static LOOKALIKE: LazyLock<Index> = LazyLock::new(|| Index::from_table(&[LOOKALIKES]));

/// Whether both are words for the same thing; short forms count as the words that they abbreviate.
pub fn is_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| SYNONYM.has_both(a, b)))
}

/// Whether both are words for near things.
pub fn is_near_synonym(a: &str, b: &str) -> bool {
    list_meanings(a).any(|a| list_meanings(b).any(|b| NEARLY.has_both(a, b)))
}

/// Whether a word exists: then a word one stroke away is not a misspelling of it.
pub fn is_known(word: &str) -> bool {
    [&SHORT_FORM, &SYNONYM, &NEARLY, &LOOKALIKE].iter().any(|index| index.has_word(word)) || find_phrase(word).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::abbreviations::SHORT_FORMS;
    use super::*;

    #[test]
    fn the_tables_are_as_large_as_they_say_and_have_no_word_twice_in_a_group() {
        assert!(SHORT_FORMS.len() >= 60 && SYNONYMS.len() >= 30, "{} {}", SHORT_FORMS.len(), SYNONYMS.len());
        for group in SHORT_FORMS.iter().chain(SYNONYMS).chain(NEAR) {
            assert!(group.len() > 1, "{group:?}");
            for (index, word) in group.iter().enumerate() {
                assert!(!group[..index].contains(word), "{group:?}");
                assert!(word.chars().all(|c| c.is_ascii_lowercase()), "{word}");
            }
        }
    }

    #[test]
    fn short_forms_are_synonyms_of_what_their_words_are() {
        assert!(is_synonym("sal", "pay") && !is_synonym("cost", "price") && is_near_synonym("cost", "price"));
    }
}
