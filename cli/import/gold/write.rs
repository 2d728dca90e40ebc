//! The suite of a data set, and the rows that it reads.

use serde_json::{Value as Json, json};

use crate::import::source::{escape_text, render_doc_comment, render_string};

use super::layout::Layout;
use super::questions::Question;

/// The locations of the suite and its data.
pub struct Place<'a> {
    /// The name of the suite.
    pub suite: &'a str,
    pub layout: &'a Layout,
    /// The folder of the databases, relative to the folder of the suite.
    pub databases: &'a str,
    /// The file of the rows, next to the suite.
    pub rows: &'a str,
}

/// Renders the rows that the suite reads, as JSON: one for each question, including those that are left out.
pub fn render_rows(questions: &[Question]) -> String {
    let facts = Facts::from_questions(questions);
    let rows = questions.iter().map(|question| {
        let number = question.id.parse::<u64>().ok().filter(|_| facts.numbers);
        let id = number.map_or_else(|| Json::from(question.id.as_str()), Json::from);
        let mut row = json!({"question_id": id, "db_id": question.db_id, "question": question.question});
        if facts.evidence {
            row["evidence"] = question.evidence.as_str().into();
        }
        row["SQL"] = question.sql.as_str().into();
        if facts.difficulty {
            row["difficulty"] = question.difficulty.as_deref().into();
        }
        if facts.left_out {
            row["left_out"] = question.rejected.as_ref().map(|rejected| rejected.word).into();
        }
        row
    });
    let lines: Vec<String> = rows.map(|row| format!("  {row}")).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// The columns of the rows.
struct Facts {
    /// Whether all IDs are numbers.
    numbers: bool,
    evidence: bool,
    difficulty: bool,
    left_out: bool,
}

impl Facts {
    fn from_questions(questions: &[Question]) -> Facts {
        Facts {
            numbers: questions.iter().all(|question| question.id.bytes().all(|byte| byte.is_ascii_digit())),
            evidence: questions.iter().any(|question| !question.evidence.is_empty()),
            difficulty: !questions.is_empty() && questions.iter().all(|question| question.difficulty.is_some()),
            left_out: questions.iter().any(|question| question.rejected.is_some()),
        }
    }
}

/// Renders the suite, not formatted, with these `allow` statements in its task.
pub fn render_suite(place: &Place<'_>, questions: &[Question], allows: &str) -> String {
    let facts = Facts::from_questions(questions);
    let Layout { name, tag, .. } = place.layout;
    let filter = if facts.left_out { " where left_out == null" } else { "" };
    let tags = if facts.difficulty { "  tags [q.difficulty]\n" } else { "" };
    let evidence = if facts.evidence { " <<q.evidence>>" } else { "" };
    let databases = escape_text(place.databases);
    [
        render_doc_comment(&format!(
            "Questions in the layout of {name} with their published gold queries, an instance each."
        )),
        format!("suite {} {{\n", place.suite),
        format!("  title {}\n", render_string(&format!("{name}: {}", place.suite.replace('_', " ")))),
        "  version \"1.0.0\"\n".to_owned(),
        format!("  tags [{tag}, sql, published]\n}}\n\n"),
        format!("table questions from {}\n\n", render_string(place.rows)),
        render_doc_comment("A reply is correct if its query returns the rows of the gold query."),
        format!("task ask {{\n{allows}"),
        format!("  each q in questions key question_id by db_id{filter}\n"),
        format!("  sqlite db at \"<<q.db_id>>.sqlite\" from \"{databases}/<<q.db_id>>/<<q.db_id>>.sqlite\"\n"),
        tags.to_owned(),
        "  prompt \"\"\"\nThe SQLite database <<db>> has these tables:\n\n<<schema(db)>>\n\n".to_owned(),
        format!("<<q.question>>{evidence}\n\nReply with one query in a fenced block marked `sql`.\n\"\"\"\n"),
        "  expect reply fenced \"sql\" sql db query(db, q.SQL)\n}\n".to_owned(),
    ]
    .concat()
}
