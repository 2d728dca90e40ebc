//! The `target` of an instance: the expected answer, for people and for harnesses that compare text. Scoring reads only `metadata.picard.expect`.
//!
//! | answer key | target |
//! | --- | --- |
//! | one `expect` | its rendering, a string |
//! | one `expect any_of` | the renderings of the alternatives, a list of strings |
//! | several `expect` | a string: the JSON array of their targets, in source order |
//!
//! | matcher | rendering |
//! | --- | --- |
//! | `text`, `contains`, `matches`, `number`, `bytes` | the value as in prompts; for `bytes NAME`, the word and that file's path |
//! | `json`, `list`, `rows`, `sql` | compact JSON (result sets as arrays of objects) |
//! | `database` | compact JSON: the rows that the answer removes and adds |
//! | `exists` | `exists PATH` for one file; for `files` and `tree`, the JSON array of the paths |
//! | `absent`, `unchanged` | the word and the path; for several paths, the word and their JSON array |
//!
//! A number with `rounded D` is shown rounded (half away from zero).

use model::Value;
use model::answer_key::{Answer, Expected, Subject};
use model::suite::Matcher;
use serde::Serialize;

/// A target. Inspect accepts a string or a list of strings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Target {
    /// One answer.
    One(String),
    /// Several alternatives.
    AnyOf(Vec<String>),
}

/// Builds the target of an answer key.
pub fn build_target(expects: &[Expected]) -> Target {
    match expects {
        [] => Target::One(String::new()),
        [one] => build_single_target(one),
        several => {
            let parts: Vec<Target> = several.iter().map(build_single_target).collect();
            Target::One(serde_json::to_string(&parts).unwrap_or_default())
        }
    }
}

fn build_single_target(expect: &Expected) -> Target {
    match &expect.answer {
        None => Target::One(describe_presence(expect)),
        Some(Answer::One(value)) => Target::One(render_value(expect, value)),
        Some(Answer::AnyOf(values)) => Target::AnyOf(values.iter().map(|value| render_value(expect, value)).collect()),
        Some(Answer::Content(path)) => Target::One(format!("{} {path}", expect.matcher.word())),
    }
}

fn describe_presence(expect: &Expected) -> String {
    let array = |paths: &[String]| serde_json::Value::from(paths).to_string();
    let (several, paths) = match &expect.subject {
        Subject::Reply(_) => (false, "reply".to_owned()),
        Subject::File(path) => (false, path.clone()),
        Subject::Files(paths) | Subject::Tree(paths) | Subject::Only(paths) => (true, array(paths)),
        Subject::Unchanged(paths) if paths.is_empty() => (true, "sandbox".to_owned()),
        Subject::Unchanged(paths) => (true, format!("sandbox except {}", array(paths))),
    };
    if several && expect.matcher == Matcher::Exists { paths } else { format!("{} {paths}", expect.matcher.word()) }
}

fn render_value(expect: &Expected, value: &Value) -> String {
    let value = expect.round_value(value);
    if expect.matcher.record().structured { value.to_json().to_string() } else { value.render_text().into_owned() }
}

#[cfg(test)]
mod tests {
    use model::Decimal;
    use model::suite::Options;

    use super::*;

    fn expect(matcher: Matcher, value: Option<Value>) -> Expected {
        Expected {
            name: None,
            at: None,
            subject: Subject::File("a/b.txt".into()),
            matcher,
            answer: value.map(Answer::One),
            options: Vec::new(),
            weight: Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: model::answer_key::Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        }
    }

    fn one(text: &str) -> Target {
        Target::One(text.into())
    }

    #[test]
    fn scalars_and_json() {
        assert_eq!(build_target(&[expect(Matcher::Text, Some(Value::Int(7)))]), one("7"));
        let list = Value::List(vec![Value::from_text("a"), Value::Int(2)]);
        assert_eq!(build_target(&[expect(Matcher::Text, Some(list.clone()))]), one("a, 2"));
        assert_eq!(build_target(&[expect(Matcher::List, Some(list))]), one(r#"["a",2]"#));
    }

    #[test]
    fn presence_names_the_path() {
        assert_eq!(build_target(&[expect(Matcher::Exists, None)]), one("exists a/b.txt"));
        let mut several = expect(Matcher::Exists, None);
        several.subject = Subject::Tree(vec!["a/".into(), "a/b.txt".into()]);
        assert_eq!(build_target(&[several.clone()]), one(r#"["a/","a/b.txt"]"#));
        several.matcher = Matcher::Absent;
        assert_eq!(build_target(&[several]), one(r#"absent ["a/","a/b.txt"]"#));
    }

    #[test]
    fn alternatives_are_a_list_and_several_expects_one_json_array() {
        let mut any = expect(Matcher::Text, None);
        any.answer = Some(Answer::AnyOf(vec![Value::from_text("a"), Value::from_text("b")]));
        assert_eq!(build_target(&[any.clone()]), Target::AnyOf(vec!["a".into(), "b".into()]));
        let json = expect(Matcher::Json, Some(Value::Object(vec![("n".into(), Value::Int(1))])));
        assert_eq!(build_target(&[any, json]), one(r#"[["a","b"],"{\"n\":1}"]"#));
    }

    #[test]
    fn rounded_is_shown_where_it_governs() {
        let third = Value::Float(2.0 / 3.0);
        let mut json = expect(
            Matcher::Json,
            Some(Value::Object(vec![
                ("a/b".into(), third.clone()),
                ("c".into(), Value::List(vec![third.clone(), Value::Int(3)])),
            ])),
        );
        let options = |rounded| Options { rounded, ..Options::default() };
        json.options = vec![("/a~1b".into(), options(Some(2))), ("/c".into(), options(Some(1)))];
        assert_eq!(build_target(&[json.clone()]), one(r#"{"a/b":0.67,"c":[0.7,3]}"#));
        json.options = vec![(String::new(), options(Some(1))), ("/c/0".into(), options(None))];
        assert_eq!(build_target(&[json]), one(r#"{"a/b":0.7,"c":[0.6666666666666666,3]}"#));
        let mut number = expect(Matcher::Number, Some(Value::Float(2.5)));
        number.options = vec![(String::new(), options(Some(2)))];
        assert_eq!(build_target(&[number]), one("2.50"));
    }
}
