//! `picardc grade --lines`: a response in, a score out, until the input ends.

use std::io::{self, BufRead as _, Read as _};
use std::path::Path;

use records::jsonl::line;
use records::{Bundle, Error, Index, Score};
use serde_json::{Map, Value as Json, json};

use super::{MOST, exit, fields, parsed, scored, unknown};
use crate::console::Console;
use crate::exit::Exit;

/// Scores lines of standard input as they come. The worst of them says how the command ends.
///
/// # Errors
/// The bundle or standard input cannot be read.
pub(super) fn run(bundle: &Bundle, console: &Console) -> Result<Exit, Error> {
    let mut index = Index::new(bundle)?;
    let (mut input, mut read) = (io::stdin().lock(), Vec::new());
    let mut worst = Exit::Done;
    loop {
        read.clear();
        let size = (&mut input).take(MOST + 1).read_until(b'\n', &mut read);
        if size.map_err(|error| Error::io("read", Path::new("-"), &error))? == 0 {
            return Ok(worst);
        }
        if read.len() as u64 > MOST {
            return Err(Error::usage(format!("a line of standard input has more than {MOST} bytes")));
        }
        if read.trim_ascii().is_empty() {
            continue;
        }
        let (json, ended) = match fields(&read) {
            Ok(response) => {
                let id = response.get("id").cloned();
                let told = one(bundle, &mut index, response).and_then(|score| as_json(&score));
                told.unwrap_or_else(|error| refused(id, &error))
            }
            Err(error) => refused(None, &error),
        };
        worst = worst.max(console.data(&line(json), ended));
    }
}

fn as_json(score: &Score) -> Result<(String, Exit), Error> {
    let json = serde_json::to_string(score).map_err(|error| Error::outside(error.to_string()))?;
    Ok((json, exit(score)))
}

/// A line that says why another could not be scored.
fn refused(id: Option<Json>, error: &Error) -> (String, Exit) {
    let ended = if error.outside { Exit::Outside } else { Exit::Usage };
    (json!({"id": id, "error": error.message, "help": error.help}).to_string(), ended)
}

fn one(bundle: &Bundle, index: &mut Index, response: Map<String, Json>) -> Result<Score, Error> {
    let Some(id) = response.get("id").and_then(Json::as_str) else {
        let what = if response.contains_key("id") {
            "the `id` of the response is not a string"
        } else {
            "the response has no `id`"
        };
        return Err(Error::usage(what).help("give the id of the instance that was asked, as a string"));
    };
    let Some(instance) = index.get(id)? else { return Err(unknown(id, index.ids().into_iter())) };
    let response = parsed(response, &instance)?;
    scored(bundle, &instance, &response, ("the response has no `files`", "give them as in `responses.jsonl`"))
}
