//! A test of PICARD as its YAML defines it. Keys that PICARD ignores are refused: they are misspelled, or promise what it does not do.

use model::Value;
use tables::tree::{Tree, mark_of};

/// One test.
#[derive(Debug)]
pub struct Test<'t> {
    /// Its `question_id`, as text.
    pub id: String,
    /// How many samples.
    pub samples: i64,
    /// The question.
    pub template: &'t str,
    /// How it is scored.
    pub scoring: &'t str,
    fields: Fields<'t>,
    /// The files.
    pub components: Vec<Component<'t>>,
}

/// A file to generate.
#[derive(Debug)]
pub struct Component<'t> {
    /// `create_csv` …
    pub kind: &'t str,
    /// How `TARGET_FILE[…]` names it.
    pub name: &'t str,
    /// Where it is.
    pub target: &'t str,
    /// What is in it.
    pub content: Fields<'t>,
    /// How many noise files; PICARD reads it but never generates them.
    pub clutter: Option<i64>,
}

/// The fields of a mapping, under a name for messages.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'t> {
    what: &'static str,
    fields: &'t [(String, Value)],
}

impl<'t> Fields<'t> {
    /// Of a mapping.
    pub fn new(what: &'static str, value: &'t Value) -> Result<Fields<'t>, String> {
        match value {
            Value::Object(fields) => Ok(Fields { what, fields }),
            _ => Err(format!("{what} is not a mapping; write `key: value` lines")),
        }
    }

    /// All of them.
    pub fn as_slice(&self) -> &'t [(String, Value)] {
        self.fields
    }

    /// A field that is there and not null.
    pub fn get(&self, key: &str) -> Option<&'t Value> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// A field that has to be text.
    pub fn require_text(&self, key: &str) -> Result<&'t str, String> {
        match self.get(key) {
            Some(Value::Text(text)) => Ok(text),
            Some(_) => Err(format!("`{key}` of {} is not text; put it in quotes", self.what)),
            None => Err(format!("{} has no `{key}`; add it", self.what)),
        }
    }

    /// Only these keys.
    pub fn check_known_keys(&self, known: &[&str]) -> Result<(), String> {
        match self.fields.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            Some((key, _)) => {
                let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                let (what, known) = (self.what, known.join(", "));
                Err(format!(
                    "PICARD ignores the key `{key}` of {what} (defect 26); remove or correct it: the keys are {known}"
                ))
            }
            None => Ok(()),
        }
    }

    /// A whole number or its digits; a placeholder as it is written.
    pub fn parse_amount(&self, key: &str, default: i64) -> Result<Amount<'t>, String> {
        match self.get(key) {
            None => Ok(Amount::Number(default)),
            Some(Value::Int(number)) => Ok(Amount::Number(*number)),
            Some(Value::Text(text)) => Ok(match text.trim().parse() {
                Ok(number) => Amount::Number(number),
                Err(_) => Amount::Text(text),
            }),
            Some(_) => Err(format!("`{key}` of {} is not a whole number", self.what)),
        }
    }
}

/// How many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount<'t> {
    /// A number.
    Number(i64),
    /// A text with a placeholder.
    Text(&'t str),
}

const TEST: &[&str] = &[
    "question_id",
    "samples",
    "template",
    "scoring_type",
    "file_to_read",
    "expected_content",
    "files_to_check",
    "expected_structure",
    "expected_response",
    "sandbox_setup",
];
const COMPONENT: &[&str] = &["type", "name", "target_file", "content", "config", "depends_on", "clutter"];

/// How a test is called where it has no id.
pub fn describe_test(test: &Value, number: usize) -> String {
    let id = match test {
        Value::Object(fields) => fields.iter().find(|(key, _)| key == "question_id"),
        _ => None,
    };
    match id {
        Some((_, value @ (Value::Text(_) | Value::Int(_)))) => format!("question {}", value.render_text()),
        _ => format!("test {number}"),
    }
}

/// The tests of a file.
pub fn find_tests(tree: &Tree) -> Result<&[Value], String> {
    let tests = match &tree.value {
        Value::Object(fields) => fields.iter().find(|(key, _)| key == "tests").map(|(_, value)| value),
        _ => None,
    };
    match tests {
        Some(Value::List(tests)) => Ok(tests),
        _ => Err("the file has no list `tests`".to_owned()),
    }
}

/// The first place in a value that cannot be read unambiguously.
pub fn find_ambiguity(tree: &Tree, value: &Value) -> Option<String> {
    if let Some(problem) = mark_of(value).and_then(|mark| tree.marks.find_problem(mark)) {
        return Some(format!("{}; {}", problem.message, problem.help));
    }
    match value {
        Value::List(items) => items.iter().find_map(|item| find_ambiguity(tree, item)),
        Value::Object(fields) => fields.iter().find_map(|(_, value)| find_ambiguity(tree, value)),
        _ => None,
    }
}

impl<'t> Test<'t> {
    /// Reads it.
    ///
    /// # Errors
    /// A key is missing or one too many: a sentence without a period.
    pub fn from_value(value: &'t Value) -> Result<Test<'t>, String> {
        let fields = Fields::new("the test", value)?;
        fields.check_known_keys(TEST)?;
        let id = match fields.get("question_id") {
            Some(value @ (Value::Text(_) | Value::Int(_))) => value.render_text().into_owned(),
            _ => return Err("the test has no `question_id` that is a number or text; add it".to_owned()),
        };
        let samples = match fields.get("samples") {
            Some(Value::Int(samples)) if *samples >= 1 => *samples,
            _ => return Err("`samples` is not a whole number of at least 1, so PICARD asks nothing; set it".to_owned()),
        };
        let template = fields.require_text("template")?;
        let scoring = fields.require_text("scoring_type")?;
        let components = match fields.get("sandbox_setup") {
            None => Vec::new(),
            Some(setup) => {
                let setup = Fields::new("`sandbox_setup`", setup)?;
                setup.check_known_keys(&["components"])?;
                match setup.get("components") {
                    Some(Value::List(components)) => {
                        components.iter().map(parse_component).collect::<Result<_, _>>()?
                    }
                    _ => {
                        return Err("`sandbox_setup` has no list `components`, which PICARD rejects; add it".to_owned());
                    }
                }
            }
        };
        let test = Test { id, samples, template, scoring, fields, components };
        test.check_names()?;
        Ok(test)
    }

    /// What is expected.
    pub fn require_text(&self, key: &str) -> Result<&'t str, String> {
        let text = self.fields.require_text(key)?;
        if text.trim().is_empty() {
            return Err(format!(
                "`{key}` is empty, so an empty answer would be correct (defect 26); write what is expected"
            ));
        }
        Ok(text)
    }

    /// A list of paths.
    pub fn require_paths(&self, key: &str) -> Result<Vec<&'t str>, String> {
        let wrong = || format!("`{key}` is not a list of paths; write one");
        match self.fields.get(key) {
            Some(Value::List(items)) if !items.is_empty() => items
                .iter()
                .map(|item| if let Value::Text(path) = item { Ok(path.as_str()) } else { Err(wrong()) })
                .collect(),
            Some(Value::Text(path)) if key == "files_to_check" => Ok(vec![path.as_str()]),
            _ => Err(wrong()),
        }
    }

    /// Names are used once, and dependencies lead to components without a cycle.
    fn check_names(&self) -> Result<(), String> {
        for (place, component) in self.components.iter().enumerate() {
            let name = component.name;
            if self.components.iter().take(place).any(|before| before.name == name) {
                return Err(format!(
                    "two components are called `{name}`, and PICARD uses the first (defect 34); rename one"
                ));
            }
        }
        Ok(())
    }
}

fn parse_component(value: &Value) -> Result<Component<'_>, String> {
    let fields = Fields::new("a component", value)?;
    fields.check_known_keys(COMPONENT)?;
    let content = match fields.get("content") {
        None => Fields { what: "`content`", fields: &[] },
        Some(content) => Fields::new("`content`", content)?,
    };
    if matches!(fields.get("config"), Some(Value::Object(config)) if !config.is_empty()) {
        return Err("PICARD ignores the `config` of a component (defect 34); remove it".to_owned());
    }
    let clutter = match fields.get("clutter") {
        None => None,
        Some(clutter) => {
            let clutter = Fields::new("`clutter`", clutter)?;
            clutter.check_known_keys(&["count", "pattern"])?;
            match clutter.parse_amount("count", 3)? {
                Amount::Number(count) => Some(count),
                Amount::Text(_) => return Err("`count` of `clutter` is not a number; write one".to_owned()),
            }
        }
    };
    Ok(Component {
        kind: fields.require_text("type")?,
        name: fields.require_text("name")?,
        target: fields.require_text("target_file")?,
        content,
        clutter,
    })
}

/// What a component depends on has to be there. The order of files follows from what they use, so nothing else remains of it.
pub fn check_dependencies(tests: &Value) -> Result<(), String> {
    let Value::Object(fields) = tests else { return Ok(()) };
    let setup = fields.iter().find(|(key, _)| key == "sandbox_setup").map(|(_, value)| value);
    let Some(Value::Object(setup)) = setup else { return Ok(()) };
    let Some((_, Value::List(components))) = setup.iter().find(|(key, _)| key == "components") else { return Ok(()) };
    let field = |component: &Value, key: &str| match component {
        Value::Object(fields) => fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()),
        _ => None,
    };
    let mut before: Vec<String> = Vec::new();
    for component in components {
        let wanted: Vec<String> = match field(component, "depends_on") {
            Some(Value::List(names)) => names.iter().map(|name| name.render_text().into_owned()).collect(),
            Some(name @ Value::Text(_)) => vec![name.render_text().into_owned()],
            _ => Vec::new(),
        };
        if let Some(name) = wanted.iter().find(|name| !before.contains(name)) {
            return Err(format!(
                "a component depends on `{name}`, which does not come before it, and PICARD ignores that (defect 34); correct the name, or \
                 move the component"
            ));
        }
        if let Some(name) = field(component, "name") {
            before.push(name.render_text().into_owned());
        }
    }
    Ok(())
}
