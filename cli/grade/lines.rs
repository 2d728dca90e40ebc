//! `picardc grade --lines`: reads responses and writes their scores until the input ends.

use std::io::{self, BufRead as _, Read as _};
use std::path::Path;

use records::jsonl::to_json_line;
use records::{Bundle, Error, Index, Score};
use serde_json::{Map, Value as Json, json};

use super::{MAX_RESPONSE_BYTES, build_unknown_error, parse_fields, parse_response, score_response, to_exit};
use crate::console::Console;
use crate::exit::Exit;

/// Scores the lines of standard input as they arrive. The exit status is that of the worst line.
///
/// # Errors
/// If the bundle or standard input cannot be read.
pub(super) fn grade_lines(bundle: &Bundle, console: &Console) -> Result<Exit, Error> {
    let mut index = Index::new(bundle)?;
    let (mut input, mut read) = (io::stdin().lock(), Vec::new());
    let mut worst = Exit::Done;
    loop {
        read.clear();
        let size = (&mut input).take(MAX_RESPONSE_BYTES + 1).read_until(b'\n', &mut read);
        if size.map_err(|error| Error::new_io("read", Path::new("-"), &error))? == 0 {
            return Ok(worst);
        }
        if read.len() as u64 > MAX_RESPONSE_BYTES {
            return Err(Error::new_usage(format!("a line of standard input has more than {MAX_RESPONSE_BYTES} bytes")));
        }
        if read.trim_ascii().is_empty() {
            continue;
        }
        let (json, ended) = match parse_fields(&read) {
            Ok(response) => {
                let id = response.get("id").cloned();
                let told = grade_response(bundle, &mut index, response).and_then(|score| as_json(&score));
                told.unwrap_or_else(|error| render_refusal(id, &error))
            }
            Err(error) => render_refusal(None, &error),
        };
        worst = worst.max(console.print_data(&to_json_line(json), ended));
    }
}

fn as_json(score: &Score) -> Result<(String, Exit), Error> {
    let json = serde_json::to_string(score).map_err(|error| Error::new_outside(error.to_string()))?;
    Ok((json, to_exit(score)))
}

/// Renders a line that explains why a response could not be scored.
fn render_refusal(id: Option<Json>, error: &Error) -> (String, Exit) {
    let ended = if error.outside { Exit::Outside } else { Exit::Usage };
    (json!({"id": id, "error": error.message, "help": error.help}).to_string(), ended)
}

fn grade_response(bundle: &Bundle, index: &mut Index, response: Map<String, Json>) -> Result<Score, Error> {
    let Some(id) = response.get("id").and_then(Json::as_str) else {
        let what = if response.contains_key("id") {
            "the `id` of the response is not a string"
        } else {
            "the response has no `id`"
        };
        return Err(Error::new_usage(what).help("give the id of the instance that was asked, as a string"));
    };
    let Some(instance) = index.find_instance(id)? else {
        return Err(build_unknown_error(id, index.list_ids().into_iter()));
    };
    let response = parse_response(response, &instance)?;
    score_response(bundle, &instance, &response, ("the response has no `files`", "give them as in `responses.jsonl`"))
}
