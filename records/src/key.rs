//! The answer key: what an instance expects, as it stands in `metadata.picard.expect` (docs: reference/bundle.md).

use plan::suite::{Ignore, Matcher, Options, Within};
use plan::{Decimal, Value};
use serde_json::{Map, Value as Json};

use crate::Error;

/// One `expect`.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// What is read.
    pub subject: Subject,
    /// How it is compared.
    pub matcher: Matcher,
    /// With what; `None` for `exists`, `absent`, `unchanged`.
    pub answer: Option<Answer>,
    /// JSON pointers and what governs the value there (`""` the whole); the nearest one above a leaf wins.
    pub options: Vec<(String, Options)>,
    /// Its share of the score, more than 0.
    pub weight: Decimal,
    /// If it fails, the score is 0.
    pub gate: bool,
    /// For `sql`: the path, in the sandbox, of the database that the query runs on.
    pub database: Option<String>,
}

/// What an `expect` reads.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// The reply, or a part of it.
    Reply(Option<Slice>),
    /// A file's content.
    File(String),
    /// Files that must be there.
    Files(Vec<String>),
    /// Files and folders (with a trailing `/`) that must be there.
    Tree(Vec<String>),
}

/// A part of the reply.
#[derive(Clone, Debug, PartialEq)]
pub enum Slice {
    /// The last line that is not blank.
    LastLine,
    /// What follows the last place where this text stands.
    After(String),
    /// What stands in the last fenced block, of this language if one is given.
    Fenced(Option<String>),
}

/// What is right.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// This.
    One(Value),
    /// Any of these.
    AnyOf(Vec<Value>),
    /// The bytes of the file at this path of the sandbox, as they were at the start.
    Content(String),
}

impl Expect {
    /// The options of the whole answer (pointer `""`).
    pub fn whole(&self) -> Options {
        self.options.iter().find(|(at, _)| at.is_empty()).map(|(_, options)| options.clone()).unwrap_or_default()
    }

    /// Reads one element of `expect`.
    pub fn from_json(json: &Json) -> Result<Expect, Error> {
        let object = json.as_object().ok_or_else(|| bad("an `expect` is no object"))?;
        let matcher = object.get("match").cloned().ok_or_else(|| bad("an `expect` has no `match`"))?;
        let matcher: Matcher =
            serde_json::from_value(matcher.clone()).map_err(|_| bad(format!("there is no matcher {matcher}")))?;
        let answer = match (object.get("value"), object.get("any_of"), object.get("content")) {
            (Some(value), None, None) => Some(Answer::One(value_of(value)?)),
            (None, Some(Json::Array(items)), None) => {
                Some(Answer::AnyOf(items.iter().map(value_of).collect::<Result<_, _>>()?))
            }
            (None, None, Some(Json::String(path))) => Some(Answer::Content(path.clone())),
            (None, None, None) => None,
            _ => {
                return Err(bad(
                    "an `expect` has two of `value`, `any_of`, and `content`, an `any_of` that is not an array, or a `content` that is not a path",
                ));
            }
        };
        let options = match object.get("options") {
            None => Vec::new(),
            Some(Json::Object(map)) => map
                .iter()
                .map(|(pointer, options)| Ok((pointer.clone(), options_of(options, matcher)?)))
                .collect::<Result<_, Error>>()?,
            Some(_) => return Err(bad("the `options` of an `expect` are no object")),
        };
        let weight = match object.get("weight") {
            None => Decimal::from_int(1),
            Some(weight) => weight.to_string().parse().map_err(|_| bad(format!("the weight {weight} is no number")))?,
        };
        if weight <= Decimal::from_int(0) {
            return Err(bad(format!("the weight {weight} is not greater than 0")));
        }
        Ok(Expect {
            subject: subject_of(object)?,
            matcher,
            answer,
            options,
            weight,
            gate: object.get("gate").and_then(Json::as_bool).unwrap_or(false),
            database: object.get("database").and_then(Json::as_str).map(str::to_owned),
        })
    }

    /// Paths below the sandbox that this key reads (folders with a trailing `/`): of a database also those of its log and its journal.
    pub fn paths(&self) -> Vec<String> {
        match &self.subject {
            Subject::Reply(_) => Vec::new(),
            Subject::File(path) if self.matcher == Matcher::Database => {
                vec![path.clone(), log_path(path), journal_path(path)]
            }
            Subject::File(path) => vec![path.clone()],
            Subject::Files(paths) | Subject::Tree(paths) => paths.clone(),
        }
    }
}

/// Where SQLite keeps what was written to a database in WAL mode and is not in the database yet.
pub fn log_path(database: &str) -> String {
    format!("{database}-wal")
}

/// Where SQLite keeps the old pages of a database while it changes them.
pub fn journal_path(database: &str) -> String {
    format!("{database}-journal")
}

fn bad(message: impl Into<String>) -> Error {
    Error::usage(message).help("build the bundle again with this version of picardc")
}

fn value_of(json: &Json) -> Result<Value, Error> {
    Value::from_key_json(json).ok_or_else(|| bad(format!("{json} is no value of an answer key")))
}

fn subject_of(object: &Map<String, Json>) -> Result<Subject, Error> {
    let subject = object.get("subject").ok_or_else(|| bad("an `expect` has no `subject`"))?;
    if subject == "reply" {
        return Ok(Subject::Reply(object.get("slice").map(slice_of).transpose()?));
    }
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let texts = |json: &Json| json.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
    let known = match subject.as_object().and_then(|only| only.iter().next()) {
        Some((word, path)) if word == "file" => text(path).map(Subject::File),
        Some((word, paths)) if word == "files" => texts(paths).map(Subject::Files),
        Some((word, paths)) if word == "tree" => texts(paths).map(Subject::Tree),
        _ => None,
    };
    known.ok_or_else(|| bad(format!("there is no subject {subject}")))
}

fn slice_of(json: &Json) -> Result<Slice, Error> {
    if json == "last_line" {
        return Ok(Slice::LastLine);
    }
    let known = match json.as_object().and_then(|only| only.iter().next()) {
        Some((word, Json::String(text))) if word == "after" => Some(Slice::After(text.clone())),
        Some((word, Json::String(language))) if word == "fenced" => Some(Slice::Fenced(Some(language.clone()))),
        Some((word, Json::Null)) if word == "fenced" => Some(Slice::Fenced(None)),
        _ => None,
    };
    known.ok_or_else(|| bad(format!("there is no slice {json}")))
}

fn options_of(json: &Json, matcher: Matcher) -> Result<Options, Error> {
    let object = json.as_object().ok_or_else(|| bad("options are no object"))?;
    let within = match object.get("within") {
        None => None,
        Some(within) => {
            let text = within.as_str().unwrap_or_default();
            let (digits, percent) = text.strip_suffix('%').map_or((text, false), |digits| (digits, true));
            let by: Decimal = digits.parse().map_err(|_| bad(format!("`within` {within} is no tolerance")))?;
            Some(if percent { Within::Percent(by) } else { Within::Absolute(by) })
        }
    };
    let (mut ignore, mut parts): (Vec<Ignore>, Vec<String>) = (Vec::new(), Vec::new());
    if let Some(words) = object.get("ignore") {
        let unknown = |_| bad(format!("`ignore` {words} is unknown"));
        match matcher {
            Matcher::Database => parts = serde_json::from_value(words.clone()).map_err(unknown)?,
            _ => ignore = serde_json::from_value(words.clone()).map_err(unknown)?,
        }
    }
    let rounded = match object.get("rounded") {
        None => None,
        Some(places) => {
            let known = places.as_u64().and_then(|places| u8::try_from(places).ok());
            Some(known.ok_or_else(|| bad(format!("`rounded` {places} is no number of places")))?)
        }
    };
    let unit = match object.get("unit") {
        None => None,
        Some(Json::String(unit)) => Some(unit.clone()),
        Some(unit) => return Err(bad(format!("`unit` {unit} is not a text"))),
    };
    let flag = |name: &str| object.get(name).and_then(Json::as_bool);
    Ok(Options { within, rounded, ignore, ordered: flag("ordered"), unit, open: flag("open").unwrap_or(false), parts })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_what_build_writes() {
        let expect = Expect::from_json(&json!({
            "subject": {"file": "out.json"}, "match": "json",
            "value": {"a": {"decimal": "12.50"}, "b": {"object": {"decimal": "x"}}, "c": {"int": "9007199254740993"}},
            "options": {"/a": {"within": "1%", "ignore": ["case"]}, "": {"rounded": 2, "ordered": false},
                        "/b": {"unit": "kg", "open": true}},
            "weight": 0.5, "gate": true
        }))
        .expect("a key");
        assert_eq!(expect.subject, Subject::File("out.json".into()));
        assert_eq!(expect.weight, "0.5".parse().expect("a decimal"));
        assert!(expect.gate);
        assert_eq!(expect.whole().rounded, Some(2));
        let at = |pointer: &str| {
            expect.options.iter().find(|(at, _)| at == pointer).map(|(_, options)| options).expect("options")
        };
        assert_eq!(at("/a").within, Some(Within::Percent(Decimal::from_int(1))));
        assert_eq!((at("/b").unit.as_deref(), at("/b").open), (Some("kg"), true));
        let Some(Answer::One(Value::Object(fields))) = &expect.answer else { panic!("{:?}", expect.answer) };
        assert_eq!(fields[0].1, Value::Decimal("12.50".parse().expect("a decimal")));
        assert_eq!(fields[1].1, Value::Object(vec![("decimal".into(), Value::text("x"))]));
        assert_eq!(fields[2].1, Value::Int(9_007_199_254_740_993));
    }

    #[test]
    fn says_what_it_cannot_read() {
        let message = |json| Expect::from_json(&json).expect_err("wrong").message;
        assert_eq!(message(json!({"subject": "reply", "match": "guess"})), "there is no matcher \"guess\"");
        assert_eq!(message(json!({"subject": {"page": "x"}, "match": "text"})), "there is no subject {\"page\":\"x\"}");
    }
}
