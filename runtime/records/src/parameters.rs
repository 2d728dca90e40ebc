//! All parameters of the model and the agent, besides the limits: recorded at the start of a run, and compared when it continues.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// The parameters: their names in `run.json`, and in messages.
const KNOWN: [(&str, &str); 16] = [
    ("temperature", "--temperature"),
    ("top_p", "--top-p"),
    ("max_tokens", "--max-tokens"),
    ("seed", "--model-seed"),
    (REQUEST, "--request"),
    (MASKED, "the digest of --request"),
    ("system", "--system"),
    ("tools", "the description of the built-in tools"),
    ("query", "the query of the address"),
    (PROGRAM, "the program's file"),
    ("env", "--env"),
    (READ, "--read"),
    ("memory_mib", "--memory"),
    ("allow_unix", "--allow-unix"),
    ("sandbox", "--sandbox"),
    ("ignore_tools", "--ignore-tools"),
];

/// The files of a program, with their digests.
pub const PROGRAM: &str = "program";

/// The paths that a program may read, with the digests of files.
pub const READ: &str = "read";

/// Additional parameters of a request.
const REQUEST: &str = "request";

/// Digests of the masked ones among them.
const MASKED: &str = "masked";

/// Number of hexadecimal digits that are recorded of a secret's digest: enough to notice another value, too few to reveal it.
pub const DIGITS: usize = 4;

/// Maximum length of a text that a message repeats.
const SHOWN: usize = 40;

/// The parameters of a run by name. An applicable parameter without a value is `null`; a missing one does not apply, or was not recorded by an older version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Parameters(Map<String, Json>);

/// A parameter whose value changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, if its content changed.
    pub file: Option<String>,
    /// `--temperature was 0 and is 1.5`
    pub sentence: String,
}

impl Parameters {
    /// Sets a parameter. `name` is one of the table above.
    pub fn set(&mut self, name: &str, value: impl Into<Json>) {
        assert!(KNOWN.iter().any(|(known, _)| *known == name), "{name}");
        self.0.insert(name.to_owned(), value.into());
    }

    /// Returns a parameter.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.get(name)
    }

    /// Returns all parameters, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Applies `mask` to every value.
    pub fn mask_texts(mut self, mask: &dyn Fn(&mut Json)) -> Parameters {
        self.0.values_mut().for_each(mask);
        self
    }

    /// Records a digest of each parameter of a request that is masked here but not in `plain`, by which a changed value is noticed.
    pub fn note_masked(&mut self, plain: &Parameters) {
        let request = |parameters: &Parameters| parameters.get(REQUEST).and_then(Json::as_object).cloned();
        let (Some(plain), Some(masked)) = (request(plain), request(self)) else { return };
        let differs = plain.iter().filter(|(name, value)| masked.get(*name) != Some(*value));
        let digest = |name: &str, value: &Json| {
            let digest = disk::digest::hash_sha256(format!("{name}={value}").as_bytes());
            digest.get(..DIGITS).unwrap_or_default().to_owned()
        };
        let digests: Map<String, Json> =
            differs.map(|(name, value)| (name.clone(), Json::String(digest(name, value)))).collect();
        if !digests.is_empty() {
            self.set(MASKED, digests);
        }
    }

    /// Lists the changed parameters. A parameter that was not recorded does not count as changed.
    pub fn list_changes(&self, now: &Parameters) -> Vec<Change> {
        let mut changes = Vec::new();
        for (name, called) in KNOWN {
            let (Some(was), Some(is)) = (self.get(name), now.get(name)) else { continue };
            match (was.as_object(), is.as_object()) {
                (Some(was), Some(is)) => {
                    let new = is.keys().filter(|key| !was.contains_key(*key));
                    for key in was.keys().chain(new) {
                        let (was, is) = (was.get(key), is.get(key));
                        if !is_same(was, is) {
                            let is_file = matches!(name, PROGRAM | READ) && was.is_some() && is.is_some();
                            let file = is_file.then(|| key.clone());
                            changes.push(Change {
                                file,
                                sentence: format!(
                                    "{called} `{key}` was {} and is {}",
                                    render_entry(was),
                                    render_entry(is)
                                ),
                            });
                        }
                    }
                }
                _ if is_same(Some(was), Some(is)) => {}
                _ => {
                    let sentence = format!("{called} was {} and is {}", render_parameter(was), render_parameter(is));
                    changes.push(Change { file: None, sentence });
                }
            }
        }
        changes
    }

    /// Lists the applicable parameters that this record lacks.
    pub fn list_unknown<'n>(was: Option<&Parameters>, now: &'n Parameters) -> Vec<&'n str> {
        let known = |name: &str| was.is_some_and(|was| was.get(name).is_some());
        let called = |name: &'n str| KNOWN.iter().find(|(known, _)| *known == name).map_or(name, |(_, called)| *called);
        now.iter().filter(|(name, _)| !known(name)).map(|(name, _)| called(name)).collect()
    }
}

/// Compares values; `1` and `1.0` are the same to a server.
fn is_same(a: Option<&Json>, b: Option<&Json>) -> bool {
    match (a, b) {
        (Some(Json::Number(a)), Some(Json::Number(b))) => {
            a == b || a.as_f64() == b.as_f64() && a.is_f64() != b.is_f64()
        }
        _ => a == b,
    }
}

/// Renders a parameter for people.
fn render_parameter(value: &Json) -> String {
    match value {
        Json::Null | Json::Bool(false) => "not given".to_owned(),
        Json::Bool(true) => "given".to_owned(),
        other => render_entry(Some(other)),
    }
}

/// Renders an entry of a parameter for people: short, and different for different values.
fn render_entry(value: Option<&Json>) -> String {
    let text = match value {
        None => return "not given".to_owned(),
        Some(Json::String(text)) => text.clone(),
        // `0` as it was given, not `0.0`.
        Some(Json::Number(number)) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        Some(other) => other.to_string(),
    };
    if text.chars().count() <= SHOWN {
        return format!("`{text}`");
    }
    let digest = disk::digest::hash_sha256(text.as_bytes());
    let start: String = text.chars().take(SHOWN / 2).collect();
    format!("`{start}…` (sha256 {})", digest.get(..8).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(json: Json) -> Parameters {
        serde_json::from_value(json).expect("parameters")
    }

    fn told(was: Json, is: Json) -> Vec<String> {
        of(was).list_changes(&of(is)).into_iter().map(|change| change.sentence).collect()
    }

    #[test]
    fn another_masked_value_is_noticed() {
        let noted = |value: Json| {
            let mut masked = of(json!({"request": {"x_token": "[x_token]", "a": 1}}));
            masked.note_masked(&of(json!({"request": {"x_token": value, "a": 1}})));
            masked
        };
        let first = noted(json!("a long secret"));
        assert!(!serde_json::to_string(&first).expect("JSON").contains("long"));
        assert_eq!(first.get("masked").and_then(Json::as_object).map(Map::len), Some(1));
        assert_eq!(first.list_changes(&noted(json!("a long secret"))), []);
        let changes = first.list_changes(&noted(json!("another secret")));
        assert!(
            changes.len() == 1 && changes[0].sentence.starts_with("the digest of --request `x_token` was"),
            "{changes:?}"
        );
    }

    #[test]
    fn what_differs_is_named() {
        let was =
            json!({"temperature": null, "request": {"a": 1, "b": "x"}, "allow_unix": false, "program": {"a.py": "12"}});
        assert_eq!(told(was.clone(), was.clone()), [] as [&str; 0]);
        let is =
            json!({"temperature": 0.5, "request": {"a": 2, "c": null}, "allow_unix": true, "program": {"a.py": "13"}});
        let expected = [
            "--temperature was not given and is `0.5`",
            "--request `a` was `1` and is `2`",
            "--request `b` was `x` and is not given",
            "--request `c` was not given and is `null`",
            "the program's file `a.py` was `12` and is `13`",
            "--allow-unix was not given and is given",
        ];
        assert_eq!(told(was, is.clone()), expected);
        assert_eq!(told(json!({}), is.clone()), [] as [&str; 0], "what was not recorded is not known to differ");
        assert_eq!(Parameters::list_unknown(None, &of(is)).len(), 4);
        assert_eq!(told(json!({"seed": 1}), json!({"seed": 1.0})), [] as [&str; 0]);
        let long = |end: &str| json!({"system": {"with_tools": "word ".repeat(100) + end}});
        let told = told(long("a"), long("b"));
        let (was, is) = told[0].split_once(" and is ").expect("both");
        assert!(
            was.starts_with("--system `with_tools` was `word word") && was.len() < 90 && !was.ends_with(is),
            "{was}"
        );
    }
}
