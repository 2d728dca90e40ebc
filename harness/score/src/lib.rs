//! Scores responses: pure functions of instance, reply, and captured files.
//!
//! ```text
//! Response ─read: clean, slice→ text ─read: number, json, table, sql→ ResponseValue ─matchers (Key → Leaf, matching)→ Finding → Verdict → Score
//! ```
//!
//! No disk, no network, no clock but the one that stops an endless query. The rules are those of the scorer that the bundle was made with (`rules`);
//! docs: reference/scoring.md.
//!
//! ```
//! use records::{Instance, Reason, Response, Status};
//! use score::score_response;
//! use serde_json::json;
//!
//! // One line of a bundle: a number within 0.5, and a file, which is worth as much.
//! let line = json!({
//!     "id": "sums-1", "input": "How much?", "target": "41.5", "files": {},
//!     "metadata": {"picard": {
//!         "schema": 1, "scorer": 3, "suite": "s", "version": "1.0.0", "task": "sums", "variant": null, "axis": {}, "sample": 1,
//!         "draws": {}, "folders": [], "tags": [], "canary": null,
//!         "expect": [
//!             {"subject": "reply", "match": "number", "value": {"decimal": "41.5"}, "options": {"": {"within": "0.5"}}},
//!             {"subject": {"file": "done.txt"}, "match": "exists"},
//!         ],
//!     }},
//! });
//! let instance = Instance::from_json(&line, None).expect("an instance");
//! let reply = |text: &str| Response { reply: text.to_owned(), ..Response::default() };
//! let score = score_response(&instance, Some(&reply("$41.80")), 1, &());
//! assert_eq!((score.verdicts[0].reason, score.verdicts[1].reason), (Reason::Right, Reason::NoFile));
//! assert_eq!((score.correct, score.score), (false, 0.5));
//! // A response that did not complete is wrong in all, and so is none.
//! let failed = Response { status: Status::Failed, ..reply("41.5") };
//! assert_eq!(score_response(&instance, Some(&failed), 1, &()).score, 0.0);
//! assert_eq!(score_response(&instance, None, 1, &()).verdicts[0].reason, Reason::NoResponse);
//! ```

mod accepted;
mod attempts;
mod bytes;
mod captured;
mod days;
mod describe;
mod exact;
mod finding;
mod full_match;
mod got;
mod grade;
mod index;
mod key;
mod laid_out;
mod matchers;
mod matching;
mod order;
mod paths;
mod read;
mod rules;
mod score;
mod solve;
mod start_files;
mod state;
mod text;
mod told;
mod traps;
mod unchanged_tree;

pub use accepted::{find_number_range, is_text_accepted, list_accepted_texts, list_number_ranges};
pub use attempts::{AgentAction, classify_answer, find_sql_expectation, score_attempts};
pub use describe::describe_subject;
use records::Instance;
pub use score::score_response;
pub use solve::{Attempt, Bad, BadReply, Known, NoSolution, Solution, VariantKind, Variants};
pub use solve::{judge_attempt, list_bad_replies, solve_instance, try_variants};
pub use start_files::StartFiles;
pub use state::Covered;
pub use traps::is_right;

/// Returns the covered changes of the first expectation of `database` whose tolerance covers some expected changes; `None` if no tolerance does.
pub fn find_covered_changes(instance: &Instance, start: &dyn StartFiles) -> Option<Covered> {
    let rules = rules::Rules::from_scorer(instance.scorer);
    instance.iter_expects().find_map(|expect| state::count_covered_changes(expect, start, rules))
}
