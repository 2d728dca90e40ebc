//! Scores the SQL that an agent ran before its answer, in the same way as the answer. It changes no score.

use std::collections::HashMap;

use model::answer_key::{Expected, Subject};
use model::suite::Matcher;
use model::suite::matchers::Reads;
use records::attempt::{Attempt, Class};
use records::{Instance, Reason, Response};

use crate::matchers::query;
use crate::read::sql;
use crate::rules::Rules;
use crate::score;
use crate::start_files::StartFiles;

/// The maximum number of statements of one response that are run again.
pub const MAX_SCORED: usize = 100;

/// An action of an agent that is relevant to its attempts, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentAction {
    /// SQL on the database that the answer is about, with the number of the call.
    Here(u32, String),
    /// SQL on a database that does not exist.
    Nowhere(u32),
    /// SQL on another database.
    Elsewhere(u32),
    /// The database file was replaced or removed by another tool: later attempts are on another database.
    Overwritten,
}

/// Returns the expectation that attempts are scored by: the only `expect … sql` of an instance, if there is exactly one.
pub fn find_sql_expectation(instance: &Instance) -> Option<&Expected> {
    let mut all = instance.expects.iter().filter(|expect| is_sql(expect));
    all.next().filter(|_| all.next().is_none())
}

fn is_sql(expect: &Expected) -> bool {
    expect.matcher == Matcher::Sql && expect.matcher.record().reads == Reads::Query && expect.database.is_some()
}

/// Classifies each attempt by its result on the starting database, compared as the `expect` compares it.
pub fn score_attempts(
    instance: &Instance,
    expect: &Expected,
    tried: &[AgentAction],
    start: &dyn StartFiles,
) -> Vec<Attempt> {
    let rules = Rules::from_scorer(instance.scorer);
    let bytes = expect.database.as_deref().and_then(|path| start.read_file(path));
    let mut known: HashMap<&str, Class> = HashMap::new();
    let (mut attempts, mut scored, mut is_same) = (Vec::new(), 0, bytes.is_some());
    for one in tried {
        let (call, class) = match one {
            AgentAction::Overwritten => {
                is_same = false;
                continue;
            }
            AgentAction::Nowhere(call) => (*call, Class::NoDatabase),
            AgentAction::Elsewhere(call) => (*call, Class::Unscored),
            AgentAction::Here(call, _) if !is_same || scored == MAX_SCORED => (*call, Class::Unscored),
            AgentAction::Here(call, text) => {
                scored += 1;
                let class = *known.entry(text).or_insert_with(|| query::classify_query(text, expect, rules, start));
                is_same = !bytes
                    .as_deref()
                    .is_some_and(|bytes| class.is_failed() && sql::has_changing_statement(bytes, text));
                (*call, class)
            }
        };
        attempts.push(Attempt { call, class });
    }
    attempts
}

/// Classifies the query of the answer; `None` if the answer has none.
pub fn classify_answer(
    instance: &Instance,
    expect: &Expected,
    response: &Response,
    start: &dyn StartFiles,
) -> Option<Class> {
    if !matches!(expect.subject, Subject::Reply(_)) || expect.at.is_some() {
        return None;
    }
    let (finding, text) = score::judge_query(instance, expect, response, start)?;
    if finding.is_right() {
        return Some(Class::Right);
    }
    if matches!(finding.reason, Reason::NoSlice | Reason::Empty | Reason::NoResponse) || text.is_empty() {
        return None;
    }
    Some(query::classify_query(&text, expect, Rules::from_scorer(instance.scorer), start))
}
