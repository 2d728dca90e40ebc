//! The scripted agents: what each calls, and what it replies.

use serde_json::json;

use crate::run::chat::{calls, messages, results, says, usage};
use crate::run::server::{Do, Request, stream};

/// The agents, each a variant.
pub const ARMS: [&str; 4] = ["perfect", "repairs", "never", "random"];

/// A question and its gold query.
#[derive(Clone, Debug)]
pub struct Gold {
    pub id: u64,
    pub db_id: String,
    pub question: String,
    pub sql: String,
}

/// What an agent does for a question: the SQL of its calls, in their order, and its reply.
pub struct Script {
    pub sql: Vec<String>,
    pub reply: String,
}

fn fenced(sql: &str) -> String {
    format!("Here it is:\n```sql\n{sql}\n```\n")
}

/// The script of an agent.
pub fn script(arm: &str, gold: &Gold) -> Script {
    let right = gold.sql.clone();
    let syntax = format!("SELEC {right}");
    let column = format!("SELECT no_such_column FROM ({right})");
    let table = "SELECT * FROM no_such_table".to_owned();
    let empty = format!("SELECT * FROM ({right}) WHERE 1 = 0");
    let twice = format!("SELECT * FROM ({right}) UNION ALL SELECT * FROM ({right})");
    let write = "CREATE TABLE scratch (a)".to_owned();
    let (sql, last) = match arm {
        "perfect" => (vec![right.clone()], right),
        "repairs" => (vec![column, right.clone()], right),
        "never" => (vec![syntax, table, column, empty.clone()], empty),
        // The number of the question says what happens; nothing else is drawn.
        _ => match gold.id % 7 {
            0 => (vec![syntax, empty, right.clone()], right),
            1 => (vec![twice.clone()], twice),
            2 => (vec![], right),
            3 => (vec![right.clone(), twice.clone()], twice),
            4 => (vec![write, right.clone()], right),
            5 => (vec![table, twice, column, right.clone(), right.clone()], right),
            _ => return Script { sql: vec![syntax], reply: "I do not know.".to_owned() },
        },
    };
    Script { sql, reply: fenced(&last) }
}

/// All agents, as one chat endpoint: it knows by the prompt which question is asked of which agent.
pub struct Agents(Vec<Gold>);

impl Agents {
    pub fn new(gold: Vec<Gold>) -> Agents {
        Agents(gold)
    }

    /// The next message of a conversation.
    pub fn answer(&self, request: &Request) -> Vec<Do> {
        let said = messages(request);
        let prompt = said.iter().find(|message| message["role"] == "user").expect("a prompt");
        let prompt = prompt["content"].as_str().expect("a text");
        let gold = self.0.iter().find(|gold| prompt.contains(&gold.question)).expect("a question that is known");
        let arm = ARMS.iter().find(|arm| prompt.contains(&format!("You are {arm}."))).expect("an agent");
        let script = script(arm, gold);
        let done = results(request).len();
        let mut pieces = match script.sql.get(done) {
            Some(sql) => calls(&[("run_sql", json!({"database": format!("{}.sqlite", gold.db_id), "sql": sql}))]),
            None => says(&script.reply),
        };
        // Tokens grow with the conversation, and differ between agents and questions.
        pieces.retain(|piece| !piece.contains("\"usage\""));
        let last = pieces.len().saturating_sub(1);
        pieces.insert(last, usage(100 + 10 * gold.id + 7 * done as u64, 3 + arm.len() as u64 + done as u64));
        stream(&pieces)
    }
}
