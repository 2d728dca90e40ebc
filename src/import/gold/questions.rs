//! The questions of a data set: a JSON list of objects.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::import::LeftOut;

use super::Layout;

/// A question with its gold query.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its number in the data set, or its place in the file, from 1.
    pub id: i64,
    /// The database that it is about: the name of a folder.
    pub db_id: String,
    pub question: String,
    /// What else an agent must know; empty where the data set says nothing.
    pub evidence: String,
    /// The gold query.
    pub sql: String,
    /// How hard it is, where the data set says so.
    pub difficulty: Option<String>,
    /// Why it cannot be used, in a word for `where`.
    pub left_out: Option<&'static str>,
    /// The same for people.
    pub why: Option<String>,
}

/// The questions of a file in its order; what is not a question goes to `left_out`.
///
/// # Errors
/// The file is not a list.
pub fn read(json: &Json, layout: &Layout, left_out: &mut Vec<LeftOut>) -> Result<Vec<Question>, String> {
    let Json::Array(items) = json else {
        return Err("it is not a JSON list".to_owned());
    };
    // Where one question has no number, or two have the same, their places are the numbers.
    let numbers: BTreeSet<i64> = items.iter().filter_map(number).collect();
    let numbered = numbers.len() == items.len();
    let mut questions = Vec::new();
    for (item, place) in items.iter().zip(1..) {
        let id = number(item).filter(|_| numbered).unwrap_or(place);
        match question(item, id, layout) {
            Ok(question) => questions.push(question),
            Err(why) => left_out.push(LeftOut { what: format!("question {id}"), why }),
        }
    }
    Ok(questions)
}

fn number(item: &Json) -> Option<i64> {
    item.get("question_id").and_then(Json::as_i64).filter(|number| *number >= 0)
}

fn question(item: &Json, id: i64, layout: &Layout) -> Result<Question, String> {
    let text = |key: &str| match item.get(key) {
        Some(Json::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(format!("it has no text `{key}`; write one")),
    };
    let optional = |key: &str| text(key).ok();
    let db_id = text("db_id")?;
    if !is_folder(&db_id) {
        return Err(format!(
            "`db_id` is `{db_id}`, which is not the name of a folder; write one of letters, digits, and `_`"
        ));
    }
    Ok(Question {
        id,
        db_id,
        question: text("question")?,
        evidence: optional("evidence").unwrap_or_default(),
        sql: text(layout.gold)?,
        difficulty: optional("difficulty"),
        left_out: None,
        why: None,
    })
}

/// Whether this can name a folder next to others, everywhere.
fn is_folder(name: &str) -> bool {
    !name.starts_with('.')
        && !name.ends_with('.')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{BIRD, SPIDER};
    use super::*;

    #[test]
    fn numbers_are_those_of_the_data_set_where_each_question_has_its_own() {
        let asked = |id: Json| json!({"question_id": id, "db_id": "d", "question": "Q?", "SQL": "SELECT 1"});
        let ids = |items: Json| -> Vec<i64> {
            let mut left_out = Vec::new();
            let questions = read(&items, &BIRD, &mut left_out).expect("a list");
            assert_eq!(left_out, []);
            questions.iter().map(|question| question.id).collect()
        };
        assert_eq!(ids(json!([asked(json!(7)), asked(json!(3))])), [7, 3]);
        assert_eq!(ids(json!([asked(json!(7)), asked(json!(7))])), [1, 2]);
        assert_eq!(ids(json!([asked(json!(7)), asked(json!(null))])), [1, 2]);
        assert_eq!(ids(json!([asked(json!("x")), asked(json!(-1))])), [1, 2]);
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
        let questions = read(&items, &SPIDER, &mut left_out).expect("a list");
        assert_eq!(questions.len(), 1);
        assert_eq!(
            (questions[0].id, questions[0].question.as_str(), questions[0].evidence.as_str()),
            (1, "How many?", "")
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
        assert!(read(&json!({}), &SPIDER, &mut left_out).is_err());
    }
}
