//! What expectations read, in the words of authors.

use model::answer_key::{Expected, Slice, Subject};

use crate::got::quote_json;

/// Describes the subject as an author writes it.
pub fn describe_subject(expect: &Expected) -> String {
    // The root of a YAML file is not a place that an author wrote.
    let place = expect.at.as_ref().filter(|at| !(at.yaml && at.path.as_str() == "$"));
    let place = place.map_or_else(String::new, |at| format!(" at {}", quote_json(at.path.as_str())));
    format!("{}{}{place}", describe_part(&expect.subject), expect.read.describe_part())
}

fn describe_part(subject: &Subject) -> String {
    let list = |word: &str, paths: &[String]| match paths {
        [one] => format!("{word} {one}"),
        several => format!("{word} ({})", several.len()),
    };
    match subject {
        Subject::Reply(None) => "reply".to_owned(),
        Subject::Reply(Some(Slice::LastLine)) => "reply last line".to_owned(),
        Subject::Reply(Some(Slice::After(mark))) => format!("reply after {}", quote_json(mark)),
        Subject::Reply(Some(Slice::Fenced(None))) => "reply fenced".to_owned(),
        Subject::Reply(Some(Slice::Fenced(Some(language)))) => {
            format!("reply fenced {}", quote_json(language))
        }
        Subject::Reply(Some(Slice::Tag(name))) => format!("reply in {}", quote_json(name)),
        Subject::Reply(Some(Slice::Between(open, close))) => {
            format!("reply in {}..{}", quote_json(open), quote_json(close))
        }
        Subject::File(path) => format!("file {path}"),
        Subject::Files(paths) => list("files", paths),
        Subject::Tree(paths) => list("tree", paths),
        Subject::Only(paths) => list("tree only", paths),
        // The matcher follows: `tree unchanged`.
        Subject::Unchanged(_) => "tree".to_owned(),
    }
}
