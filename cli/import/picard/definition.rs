//! A test of PICARD as defined in YAML. Keys that PICARD ignores are rejected: they are misspelled, or promise something that PICARD does not do.

use model::Value;
use tables::tree::{Tree, mark_of};

use crate::import::Obstacle;

/// One test.
#[derive(Debug)]
pub struct Test<'t> {
    /// The `question_id`, as text.
    pub id: String,
    /// The number of samples.
    pub samples: i64,
    /// The question, with placeholders.
    pub template: &'t str,
    /// The scoring type.
    pub scoring: &'t str,
    fields: Fields<'t>,
    /// The files.
    pub components: Vec<Component<'t>>,
}

/// A file to generate.
#[derive(Debug)]
pub struct Component<'t> {
    /// The type, such as `create_csv`.
    pub kind: &'t str,
    /// The name in `TARGET_FILE[…]`.
    pub name: &'t str,
    /// The path.
    pub target: &'t str,
    /// The description of the content.
    pub content: Fields<'t>,
    /// The number of noise files. PICARD parses it but never generates them.
    pub clutter: Option<i64>,
}

/// The fields of a mapping, with a name for messages.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'t> {
    what: &'static str,
    fields: &'t [(String, Value)],
}

impl<'t> Fields<'t> {
    /// Creates the fields of a mapping.
    ///
    /// # Errors
    /// If the value is not a mapping.
    pub fn new(what: &'static str, value: &'t Value) -> Result<Fields<'t>, Obstacle> {
        match value {
            Value::Object(fields) => Ok(Fields { what, fields }),
            _ => Err(Obstacle::new(format!("{what} is not a mapping")).suggest("write `key: value` lines")),
        }
    }

    /// All fields.
    pub fn as_slice(&self) -> &'t [(String, Value)] {
        self.fields
    }

    /// Returns a field that exists and is not null.
    pub fn get(&self, key: &str) -> Option<&'t Value> {
        let field = self.fields.iter().find(|(name, _)| name == key);
        field.map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// Returns a field that must be a text.
    pub fn require_text(&self, key: &str) -> Result<&'t str, Obstacle> {
        match self.get(key) {
            Some(Value::Text(text)) => Ok(text),
            Some(_) => Err(Obstacle::new(format!("`{key}` of {} is not text", self.what)).suggest("put it in quotes")),
            None => Err(Obstacle::new(format!("{} has no `{key}`", self.what)).suggest("add it")),
        }
    }

    /// Returns a field that must be a text if it exists.
    pub fn find_text(&self, key: &str) -> Result<Option<&'t str>, Obstacle> {
        self.get(key).map(|_| self.require_text(key)).transpose()
    }

    /// Returns a field that is a mapping, if it exists; its name in messages is `what`.
    fn find_fields(&self, what: &'static str, key: &str) -> Result<Option<Fields<'t>>, Obstacle> {
        self.get(key).map(|value| Fields::new(what, value)).transpose()
    }

    /// Checks that all keys are known.
    pub fn check_known_keys(&self, known: &[&str]) -> Result<(), Obstacle> {
        match self.fields.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            Some((key, _)) => {
                let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                let (what, known) = (self.what, known.join(", "));
                Err(Obstacle::new(format!("PICARD ignores the key `{key}` of {what}"))
                    .cite(&[26])
                    .suggest(format!("remove or correct it: the keys are {known}")))
            }
            None => Ok(()),
        }
    }

    /// Parses a whole number, or a text with its digits. A text with a placeholder is returned as written.
    pub fn parse_amount(&self, key: &str, default: i64) -> Result<Amount<'t>, Obstacle> {
        match self.get(key) {
            None => Ok(Amount::Number(default)),
            Some(Value::Int(number)) => Ok(Amount::Number(*number)),
            Some(Value::Text(text)) => Ok(match text.trim().parse() {
                Ok(number) => Amount::Number(number),
                Err(_) => Amount::Text(text),
            }),
            Some(_) => Err(Obstacle::new(format!("`{key}` of {} is not a whole number", self.what))),
        }
    }
}

/// A number, or a placeholder for one.
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

/// Names a test: by its ID, or by its number.
pub fn describe_test(test: &Value, number: usize) -> String {
    match test.find_field("question_id") {
        Some(value @ (Value::Text(_) | Value::Int(_))) => format!("question {}", value.render_text()),
        _ => format!("test {number}"),
    }
}

/// Returns the tests of a file.
pub fn find_tests(tree: &Tree) -> Result<&[Value], Obstacle> {
    match tree.value.find_field("tests") {
        Some(Value::List(tests)) => Ok(tests),
        _ => Err(Obstacle::new("the file has no list `tests`")),
    }
}

/// Checks that no place in a value is ambiguous in YAML. The error describes the first one.
pub fn check_ambiguity(tree: &Tree, value: &Value) -> Result<(), Obstacle> {
    if let Some(problem) = mark_of(value).and_then(|mark| tree.marks.find_problem(mark)) {
        return Err(Obstacle::new(&problem.message).suggest(&problem.help));
    }
    match value {
        Value::List(items) => items.iter().try_for_each(|item| check_ambiguity(tree, item)),
        Value::Object(fields) => fields.iter().try_for_each(|(_, value)| check_ambiguity(tree, value)),
        _ => Ok(()),
    }
}

impl<'t> Test<'t> {
    /// Parses a test.
    ///
    /// # Errors
    /// If a key is missing or unknown: a sentence without a period.
    pub fn from_value(value: &'t Value) -> Result<Test<'t>, Obstacle> {
        let fields = Fields::new("the test", value)?;
        fields.check_known_keys(TEST)?;
        let Some(id @ (Value::Text(_) | Value::Int(_))) = fields.get("question_id") else {
            return Err(Obstacle::new("the test has no `question_id` that is a number or text").suggest("add it"));
        };
        let Some(Value::Int(samples @ 1..)) = fields.get("samples") else {
            return Err(Obstacle::new("`samples` is not a whole number of at least 1, so PICARD asks nothing")
                .suggest("set it"));
        };
        let template = fields.require_text("template")?;
        let scoring = fields.require_text("scoring_type")?;
        let components = match fields.find_fields("`sandbox_setup`", "sandbox_setup")? {
            None => Vec::new(),
            Some(setup) => {
                setup.check_known_keys(&["components"])?;
                let Some(Value::List(components)) = setup.get("components") else {
                    return Err(Obstacle::new("`sandbox_setup` has no list `components`, which PICARD rejects")
                        .suggest("add it"));
                };
                components.iter().map(parse_component).collect::<Result<_, _>>()?
            }
        };
        let id = id.render_text().into_owned();
        let test = Test { id, samples: *samples, template, scoring, fields, components };
        test.check_names()?;
        Ok(test)
    }

    /// Returns an expected text, which must not be empty.
    pub fn require_text(&self, key: &str) -> Result<&'t str, Obstacle> {
        let text = self.fields.require_text(key)?;
        if text.trim().is_empty() {
            return Err(Obstacle::new(format!("`{key}` is empty, so an empty answer would be correct"))
                .cite(&[26])
                .suggest("write what is expected"));
        }
        Ok(text)
    }

    /// Returns a list of paths.
    pub fn require_paths(&self, key: &str) -> Result<Vec<&'t str>, Obstacle> {
        let wrong = || Obstacle::new(format!("`{key}` is not a list of paths")).suggest("write one");
        match self.fields.get(key) {
            Some(Value::List(items)) if !items.is_empty() => items
                .iter()
                .map(|item| if let Value::Text(path) = item { Ok(path.as_str()) } else { Err(wrong()) })
                .collect(),
            Some(Value::Text(path)) if key == "files_to_check" => Ok(vec![path.as_str()]),
            _ => Err(wrong()),
        }
    }

    /// Checks that the names of components are unique.
    fn check_names(&self) -> Result<(), Obstacle> {
        for (place, component) in self.components.iter().enumerate() {
            let name = component.name;
            if self.components.iter().take(place).any(|before| before.name == name) {
                return Err(Obstacle::new(format!("two components are called `{name}`, and PICARD uses the first"))
                    .cite(&[34])
                    .suggest("rename one"));
            }
        }
        Ok(())
    }
}

fn parse_component(value: &Value) -> Result<Component<'_>, Obstacle> {
    let fields = Fields::new("a component", value)?;
    fields.check_known_keys(COMPONENT)?;
    let content = fields.find_fields("`content`", "content")?.unwrap_or(Fields { what: "`content`", fields: &[] });
    if matches!(fields.get("config"), Some(Value::Object(config)) if !config.is_empty()) {
        return Err(Obstacle::new("PICARD ignores the `config` of a component").cite(&[34]).suggest("remove it"));
    }
    let clutter = match fields.find_fields("`clutter`", "clutter")? {
        None => None,
        Some(clutter) => {
            clutter.check_known_keys(&["count", "pattern"])?;
            let Amount::Number(count) = clutter.parse_amount("count", 3)? else {
                return Err(Obstacle::new("`count` of `clutter` is not a number").suggest("write one"));
            };
            Some(count)
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

/// Checks that every component depends only on earlier ones. Dependencies have no other effect, because the order of files follows from their use.
pub fn check_dependencies(tests: &Value) -> Result<(), Obstacle> {
    let components = tests.find_field("sandbox_setup").and_then(|setup| setup.find_field("components"));
    let Some(Value::List(components)) = components else { return Ok(()) };
    let mut before: Vec<String> = Vec::new();
    for component in components {
        let wanted: Vec<String> = match component.find_field("depends_on") {
            Some(Value::List(names)) => names.iter().map(|name| name.render_text().into_owned()).collect(),
            Some(Value::Text(name)) => vec![name.clone()],
            _ => Vec::new(),
        };
        if let Some(name) = wanted.iter().find(|name| !before.contains(name)) {
            return Err(Obstacle::new(format!(
                "a component depends on `{name}`, which does not come before it, and PICARD ignores that"
            ))
            .cite(&[34])
            .suggest("correct the name, or move the component"));
        }
        before.extend(component.find_field("name").map(|name| name.render_text().into_owned()));
    }
    Ok(())
}
