//! A task under construction: names, draws, files, and computed values.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::contents::File;
use super::definition::{Amount, Fields, Test};
use super::expression::Expr;
use super::text::{self, Piece, Variable};
use super::types::{self, Kind};
use crate::import::Obstacle;
use crate::import::source::{self, Names};

/// The place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the question, a path, or a key, where only the variables of the question have values.
    Question,
    /// In the content of a file, where PICARD draws variables, too.
    Content,
}

/// The options of the translation that are tried if the compiler rejects the first form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// Values that may be null get a name, and samples in which one is null are drawn again.
    pub require: bool,
    /// Values of unknown kind are translated as texts.
    pub unknown_is_text: bool,
}

/// A drawn value of the task.
#[derive(Debug)]
struct Draw {
    variable: Variable,
    name: String,
    domain: String,
    kind: Kind,
}

/// The task under construction.
#[derive(Debug)]
pub struct Draft {
    /// The used names.
    pub names: Names,
    /// The form that is tried.
    pub form: Form,
    /// The files declared so far.
    pub files: Vec<Rc<File>>,
    /// Whether a value of unknown kind occurred.
    pub guessed: bool,
    id: String,
    valued: BTreeSet<Variable>,
    draws: Vec<Draw>,
    lorem: Vec<(String, String)>,
    computed: Vec<(String, String, bool)>,
}

impl Draft {
    /// Creates an empty task. `valued` contains the variables to which PICARD gives a value.
    pub fn new(test: &Test<'_>, form: Form, valued: BTreeSet<Variable>) -> Draft {
        let mut names = Names::default();
        for component in &test.components {
            for (_, value) in component.content.as_slice() {
                reserve_names(&mut names, value);
            }
        }
        let digits = test.id.starts_with(|c: char| c.is_ascii_digit());
        let word = source::to_identifier(&test.id, "q");
        let id = if digits { word.replacen("q_", "q", 1) } else { format!("q_{word}") };
        Draft {
            names,
            form,
            files: Vec::new(),
            guessed: false,
            id,
            valued,
            draws: Vec::new(),
            lorem: Vec::new(),
            computed: Vec::new(),
        }
    }

    /// The name of the task, such as `q301`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name and kind of a drawn value. Draws it at the first call.
    pub fn draw_variable(&mut self, variable: &Variable, place: Place) -> Result<(String, Kind), Obstacle> {
        if place == Place::Question && !self.valued.contains(variable) {
            return Err(explain_unvalued(variable));
        }
        if let Some(draw) = self.draws.iter().find(|draw| draw.variable == *variable) {
            return Ok((draw.name.clone(), draw.kind));
        }
        let (wanted, domain, kind) = types::translate_variable(variable)?;
        let name = self.names.take_name(&wanted, "value");
        self.draws.push(Draw { variable: variable.clone(), name: name.clone(), domain, kind });
        Ok((name, kind))
    }

    /// Renders the text between the quotes of a string.
    pub fn render_pieces(&mut self, pieces: &[Piece], place: Place) -> Result<String, Obstacle> {
        let mut out = String::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.push_str(&source::escape_text(text)),
                Piece::Sandbox => out.push_str("<<sandbox>>"),
                Piece::Id => out.push_str(&self.id),
                Piece::Structure => out.push_str("\\n```\\n<<tree(layout)>>\\n```"),
                Piece::File(index) => {
                    let file = self.files.get(*index).ok_or_else(|| {
                        Obstacle::new("a placeholder has a control character in it").suggest("remove it")
                    })?;
                    out.push_str(&format!("<<{}>>", file.name));
                }
                Piece::Variable(variable) => out.push_str(&format!("<<{}>>", self.draw_variable(variable, place)?.0)),
                Piece::Lorem(unit, count) if place == Place::Content => {
                    let name = self.names.take_name("lorem_text", "lorem_text");
                    out.push_str(&format!("<<{name}>>"));
                    self.lorem.push((name, format!("lorem {unit} {count}")));
                }
                Piece::Lorem(..) => {
                    return Err(Obstacle::new("PICARD replaces `{{lorem:…}}` only in the content of files")
                        .suggest("write the text"));
                }
                Piece::Call(call) => {
                    return Err(Obstacle::new(format!(
                        "PICARD evaluates {} only in answer keys, and shows it as it is elsewhere",
                        call.render_beginning()
                    ))
                    .cite(&[23, 24])
                    .suggest("write the file or the question in .pcd"));
                }
            }
        }
        Ok(out)
    }

    /// Renders a path below the sandbox as the text between the quotes of a string.
    pub fn render_path(&mut self, target: &str) -> Result<String, Obstacle> {
        let pieces = text::parse_pieces(target)?;
        if target.starts_with('/') || pieces.contains(&Piece::Sandbox) {
            return Err(Obstacle::new(format!("the path `{target}` is outside the sandbox"))
                .cite(&[52])
                .suggest("begin it with `{{artifacts}}/`"));
        }
        self.render_pieces(&pieces, Place::Question)
    }

    /// Removes `{{artifacts}}/` and `{{qs_id}}/` from a path of the test, because each instance has its own sandbox.
    pub fn strip_sandbox(target: &str) -> String {
        let mut path = target.trim();
        if let Some(rest) = path.strip_prefix("{{artifacts}}/") {
            path = rest;
        }
        path = path.strip_prefix("test_artifacts/").unwrap_or(path);
        while let Some(rest) = path.strip_prefix("{{qs_id}}/") {
            path = rest;
        }
        path.replace("/{{qs_id}}/", "/")
    }

    /// Translates a number of rows, lines, or elements.
    pub fn translate_amount(&mut self, fields: &Fields<'_>, key: &str, default: i64) -> Result<String, Obstacle> {
        match fields.parse_amount(key, default)? {
            Amount::Number(number) => Ok(number.max(0).to_string()),
            Amount::Text(text) => match text::parse_pieces(text)?.as_slice() {
                [Piece::Variable(variable)] => Ok(self.draw_variable(variable, Place::Content)?.0),
                _ => Err(Obstacle::new(format!("`{key}: {text}` is neither a number nor a variable"))
                    .suggest("write a number")),
            },
        }
    }

    /// Gives an expression a name if its kind is unknown, or if it may be null and the form requires a value.
    pub fn name_expression(&mut self, mut expr: Expr) -> Expr {
        let named = self.form.require && expr.nullable;
        if named || expr.kind == Kind::Unknown {
            let name = self.names.take_name("answer", "answer");
            let text = std::mem::replace(&mut expr.text, name.clone());
            self.computed.push((name, text, named));
        }
        if expr.kind == Kind::Unknown {
            self.guessed = true;
            if self.form.unknown_is_text {
                expr.kind = Kind::Text;
            }
        }
        expr
    }

    /// Renders the statements before the prompt.
    pub fn render_statements(&self) -> String {
        let mut out = String::new();
        let mut domains: Vec<&str> = Vec::new();
        for draw in &self.draws {
            if !domains.contains(&draw.domain.as_str()) {
                domains.push(&draw.domain);
            }
        }
        for domain in domains {
            let names: Vec<&str> =
                self.draws.iter().filter(|draw| draw.domain == domain).map(|draw| draw.name.as_str()).collect();
            // Names of files and folders must not collide.
            let entities =
                self.draws.iter().any(|draw| draw.domain == domain && matches!(draw.variable, Variable::Entity(..)));
            let distinct = if names.len() > 1 && entities { "distinct " } else { "" };
            out.push_str(&format!("{} : {distinct}{domain}\n", names.join(", ")));
        }
        for (name, domain) in &self.lorem {
            out.push_str(&format!("{name} : {domain}\n"));
        }
        for file in &self.files {
            out.push_str(&file.declaration);
            out.push('\n');
        }
        for (name, value, _) in &self.computed {
            out.push_str(&format!("{name} = {value}\n"));
        }
        let required: Vec<String> =
            self.computed.iter().filter(|(.., needed)| *needed).map(|(name, ..)| format!("{name} != null")).collect();
        if !required.is_empty() {
            out.push_str(&format!("require {}\n", required.join(" and ")));
        }
        out
    }

    /// Finds the file that the last argument of a function names.
    pub fn find_file(&self, argument: &[Piece]) -> Result<Rc<File>, Obstacle> {
        let text = match argument {
            [Piece::Text(text)] => text.clone(),
            pieces => text::restore_text(pieces),
        };
        let found = match text.strip_prefix("TARGET_FILE[").and_then(|rest| rest.strip_suffix(']')) {
            Some(component) => self.files.iter().find(|file| file.component == component.trim()),
            None => {
                let path = Draft::strip_sandbox(&text);
                self.files.iter().find(|file| file.target == path)
            }
        };
        found.cloned().ok_or_else(|| {
            let names: Vec<String> =
                self.files.iter().map(|file| format!("`TARGET_FILE[{}]`", file.component)).collect();
            let known = if names.is_empty() {
                "the test has none".to_owned()
            } else {
                format!("there is {}", names.join(", "))
            };
            Obstacle::new(format!("`{text}` is not a file of the test (defects 2 and 52): {known}"))
        })
    }
}

fn explain_unvalued(variable: &Variable) -> Obstacle {
    let shown = text::render_variable(variable);
    Obstacle::new(format!("`{shown}` is not in the question, so PICARD never gives it a value"))
        .cite(&[22])
        .suggest("use it in the question, or write another")
}

/// Reserves the names of columns and keys in a file: in conditions, a name of the task must differ from them.
fn reserve_names(names: &mut Names, value: &model::Value) {
    match value {
        model::Value::Text(text) => names.reserve_name(text),
        model::Value::List(items) => items.iter().for_each(|item| reserve_names(names, item)),
        model::Value::Object(fields) => {
            for (key, value) in fields {
                names.reserve_name(key);
                reserve_names(names, value);
            }
        }
        _ => {}
    }
}

/// Collects all variables of the question and of the paths that it draws: those to which PICARD gives a value.
pub fn collect_valued(texts: &[&str]) -> Result<BTreeSet<Variable>, Obstacle> {
    let mut all = BTreeSet::new();
    for text in texts {
        let pieces = text::parse_pieces(text)?;
        let mut found = Vec::new();
        text::collect_variables(&pieces, &mut found);
        all.extend(found.into_iter().cloned());
    }
    Ok(all)
}
