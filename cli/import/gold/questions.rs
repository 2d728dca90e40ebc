//! The questions of a data set, which is a JSON list of objects.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use crate::import::{LeftOut, Obstacle};

use super::layout::Layout;
use super::verdict::Rejection;

/// A question with its gold query.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The ID in the data set, or the position in the file, from 1.
    pub id: String,
    /// The database, as the name of a folder.
    pub db_id: String,
    pub question: String,
    /// Further information for the agent; empty if the data set has none.
    pub evidence: String,
    /// The gold query.
    pub sql: String,
    /// The difficulty, if the data set states it.
    pub difficulty: Option<String>,
    /// Why the question cannot be used.
    pub rejected: Option<Rejection>,
}

/// Parses the questions of a file in order. Items that are not questions are added to `left_out`, and changed IDs to `notes`.
///
/// # Errors
/// If the file is not a list.
pub fn parse_questions(
    json: &Json,
    layout: &Layout,
    left_out: &mut Vec<LeftOut>,
    notes: &mut Vec<String>,
) -> Result<Vec<Question>, Obstacle> {
    let Json::Array(items) = json else {
        return Err(Obstacle::new("it is not a JSON list"));
    };
    let mut questions = Vec::new();
    for (item, id) in items.iter().zip(assign_ids(items, notes)) {
        match parse_question(item, &id, layout) {
            Ok(question) => questions.push(question),
            Err(why) => left_out.push(LeftOut { what: format!("question {id}"), why: why.to_string() }),
        }
    }
    Ok(questions)
}

/// The maximum number of characters of an ID, without the number of a repeated one.
const LONGEST_ID: usize = 48;

/// Assigns an ID to each item: its own, if no earlier item has the same. A repeated one gets a number from 2, such as `137_2`; a missing one becomes `row_` and
/// the position. If no item has an ID, the ID is the position. As in instances, IDs consist of ASCII letters, digits, and `_`, and letter case does not
/// distinguish them.
fn assign_ids(items: &[Json], notes: &mut Vec<String>) -> Vec<String> {
    let own: Vec<Option<String>> = items.iter().map(find_own_id).collect();
    if own.iter().all(Option::is_none) {
        return (1..=items.len()).map(|place| place.to_string()).collect();
    }
    let mut used: BTreeSet<String> =
        own.iter().flatten().filter(|id| is_plain(id)).map(|id| id.to_lowercase()).collect();
    // The unchanged IDs that are already used by a question, and the next number to try for an ID.
    let (mut kept, mut next): (BTreeSet<String>, BTreeMap<String, u32>) = (BTreeSet::new(), BTreeMap::new());
    let mut changed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut ids = Vec::new();
    for (place, own) in (1..).zip(&own) {
        let base = own.as_deref().map_or_else(|| format!("row_{place}"), to_plain_id);
        let folded = base.to_lowercase();
        let is_own = own.as_ref() == Some(&base);
        let mut id = base.clone();
        let is_taken = if is_own { !kept.insert(folded.clone()) } else { used.contains(&folded) };
        if is_taken {
            let number = next.entry(folded).or_insert(2);
            while used.contains(&id.to_lowercase()) {
                id = format!("{base}_{number}");
                *number += 1;
            }
        }
        used.insert(id.to_lowercase());
        match own {
            None => notes.push(format!("the question at place {place} has no id of its own, so its id is `{id}`")),
            Some(own) if *own != id => changed.entry(own).or_default().push(id.clone()),
            Some(_) => {}
        }
        ids.push(id);
    }
    for (own, others) in changed {
        let shown: Vec<String> = others.iter().take(3).map(|id| format!("`{id}`")).collect();
        let more = match others.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let shown = shown.join(", ");
        notes.push(match is_plain(own) {
            true => format!("several questions have the id `{own}`; the later ones are {shown}{more}"),
            false => format!("the id `{own}` has characters that ids cannot have; it is written {shown}{more}"),
        });
    }
    ids
}

/// Returns the item's own ID: a number or a text.
fn find_own_id(item: &Json) -> Option<String> {
    match item.get("question_id")? {
        Json::Number(number) => number.as_u64().map(|number| number.to_string()),
        Json::String(text) => {
            Some(text.trim().to_owned()).filter(|text| text.contains(|c: char| c.is_ascii_alphanumeric()))
        }
        _ => None,
    }
}

/// Replaces the characters that IDs cannot contain, and truncates the ID.
fn to_plain_id(id: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    id.chars().take(LONGEST_ID).map(plain).collect()
}

fn is_plain(id: &str) -> bool {
    to_plain_id(id) == id
}

fn parse_question(item: &Json, id: &str, layout: &Layout) -> Result<Question, Obstacle> {
    let text = |key: &str| match item.get(key) {
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(Obstacle::new(format!("it has no text `{key}`")).suggest("write one")),
    };
    let optional = |key: &str| text(key).ok();
    let db_id = text("db_id")?;
    if !is_folder(&db_id) {
        return Err(Obstacle::new(format!("`db_id` is `{db_id}`, which is not the name of a folder"))
            .suggest("write one of letters, digits, and `_`"));
    }
    Ok(Question {
        id: id.to_owned(),
        db_id,
        question: text("question")?,
        evidence: optional("evidence").unwrap_or_default(),
        sql: text(layout.gold)?,
        difficulty: optional("difficulty"),
        rejected: None,
    })
}

/// Whether this can be the name of a folder on every system.
fn is_folder(name: &str) -> bool {
    !name.starts_with('.')
        && !name.ends_with('.')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::layout::{BIRD, SPIDER};
    use super::*;

    fn asked(id: &Json) -> Json {
        json!({"question_id": id, "db_id": "d", "question": "Q?", "SQL": "SELECT 1"})
    }

    /// The ids of questions with these ids in the file, and what is said.
    fn ids_of(ids: &[Json]) -> (Vec<String>, Vec<String>) {
        let (mut left_out, mut notes) = (Vec::new(), Vec::new());
        let items = Json::Array(ids.iter().map(asked).collect());
        let questions = parse_questions(&items, &BIRD, &mut left_out, &mut notes).expect("a list");
        assert_eq!(left_out, []);
        (questions.into_iter().map(|question| question.id).collect(), notes)
    }

    #[test]
    fn ids_are_those_of_the_data_set() {
        let ids = |items: Json| ids_of(items.as_array().expect("a list"));
        assert_eq!(ids(json!([7, 3, "q_9"])), (vec!["7".to_owned(), "3".to_owned(), "q_9".to_owned()], vec![]));
        assert_eq!(ids(json!([null, -1, "-"])).0, ["1", "2", "3"]);
        let (found, said) = ids(json!([137, 137, 205, "137_2", 206, 137, null, "a-b"]));
        assert_eq!(found, ["137", "137_3", "205", "137_2", "206", "137_4", "row_7", "a_b"]);
        assert_eq!(
            said,
            [
                "the question at place 7 has no id of its own, so its id is `row_7`",
                "several questions have the id `137`; the later ones are `137_3`, `137_4`",
                "the id `a-b` has characters that ids cannot have; it is written `a_b`",
            ]
        );
    }

    proptest::proptest! {
        /// Whatever ids a file has: those that are there once are kept, all are different, the first of equal ones keeps it, and each change is said.
        #[test]
        fn no_id_is_lost(ids in proptest::collection::vec(proptest::prop_oneof![
            proptest::strategy::Strategy::prop_map(0_u64..12, |id| json!(id)),
            proptest::strategy::Strategy::prop_map("[1-3]([_-][2-4])?|row_[1-9]|[abAB]", |id: String| json!(id)),
            proptest::strategy::Just(json!(null)), proptest::strategy::Just(json!([1])), proptest::strategy::Just(json!("a b")),
        ], 1..24)) {
            let (found, said) = ids_of(&ids);
            let distinct: BTreeSet<String> = found.iter().map(|id| id.to_lowercase()).collect();
            assert_eq!(distinct.len(), ids.len(), "{ids:?}: {found:?}");
            assert!(found.iter().all(|id| is_plain(id)));
            let own: Vec<Option<String>> = ids.iter().map(|id| find_own_id(&asked(id))).collect();
            if own.iter().all(Option::is_none) {
                assert_eq!(found, (1..=ids.len()).map(|place| place.to_string()).collect::<Vec<_>>());
                assert!(said.is_empty());
                return Ok(());
            }
            for (at, id) in own.iter().enumerate() {
                let folded = |id: &Option<String>| id.as_ref().filter(|id| is_plain(id)).map(|id| id.to_lowercase());
                let is_first = folded(id).is_some() && own.iter().position(|other| folded(other) == folded(id)) == Some(at);
                let is_kept = id.as_ref() == Some(&found[at]);
                assert!(is_kept == is_first, "{ids:?}: {found:?}");
                assert!(is_kept || said.iter().any(|note| note.contains(&format!("`{}`", found[at])) || note.contains(" more")), "{said:?}");
            }
        }
    }

    #[test]
    fn what_is_not_a_question_is_left_out() {
        let items = json!([
            {"db_id": "d", "question": " How many? ", "query": "SELECT 1;", "query_toks": ["SELECT"]},
            {"db_id": "d", "question": "How many?", "SQL": "SELECT 1"},
            {"db_id": "../d", "question": "How many?", "query": "SELECT 1"},
            {"db_id": "d", "question": "", "query": "SELECT 1"},
            "SELECT 1",
        ]);
        let mut left_out = Vec::new();
        let questions = parse_questions(&items, &SPIDER, &mut left_out, &mut Vec::new()).expect("a list");
        assert_eq!(questions.len(), 1);
        assert_eq!(
            (questions[0].id.as_str(), questions[0].question.as_str(), questions[0].evidence.as_str()),
            ("1", "How many?", "")
        );
        let said: Vec<String> = left_out.iter().map(|left| format!("{}: {}", left.what, left.why)).collect();
        assert_eq!(
            said,
            [
                "question 2: it has no text `query`; write one",
                "question 3: `db_id` is `../d`, which is not the name of a folder; write one of letters, digits, and `_`",
                "question 4: it has no text `question`; write one",
                "question 5: it has no text `db_id`; write one",
            ]
        );
        assert!(parse_questions(&json!({}), &SPIDER, &mut left_out, &mut Vec::new()).is_err());
    }
}
