//! The schemas of JSON, YAML, and XML files, as shapes.

use model::Value;

use super::contents::Shape;
use super::definition::Fields;
use super::draft::Draft;
use super::types::{self, Kind};
use crate::import::Obstacle;
use crate::import::source;

/// Translates a JSON or YAML file to its shape, and to the source text after its path.
pub fn translate_tree(draft: &mut Draft, fields: &Fields<'_>) -> Result<(Shape, String), Obstacle> {
    fields.check_known_keys(&["schema"])?;
    let empty = Value::Object(Vec::new());
    let schema = fields.get("schema").unwrap_or(&empty);
    let message = [("message", "lorem_words"), ("timestamp", "date"), ("id", "id")];
    let message = Value::Object(message.map(|(key, ty)| (key.to_owned(), Value::from_text(ty))).to_vec());
    let (domain, shape) =
        Writer { draft, xml: false }.translate_schema(if *schema == empty { &message } else { schema })?;
    match (&shape, domain) {
        (Shape::Object(_), Written::Domain(body)) => Ok((shape, body)),
        (Shape::Array(_), Written::Domain(array)) => Ok((shape, format!(": {array}"))),
        _ => Err(Obstacle::new("the `schema` is neither an object nor an array").suggest("write a mapping of keys")),
    }
}

/// Translates an XML file to the name of its root, its shape, whether it has a namespace, and the source text after its path.
pub fn translate_xml(draft: &mut Draft, fields: &Fields<'_>) -> Result<(String, Shape, bool, String), Obstacle> {
    fields.check_known_keys(&["schema", "root_element", "namespace"])?;
    let root = fields.find_text("root_element")?.unwrap_or("root");
    let Some(Value::Object(keys)) = fields.get("schema") else {
        return Err(Obstacle::new("`schema` is not a mapping").suggest("write one key for each element"));
    };
    let namespace = fields.find_text("namespace")?;
    let first = namespace.map(|uri| format!("@xmlns = {}\n", source::render_string(uri))).unwrap_or_default();
    let (body, shape) = Writer { draft, xml: true }.translate_object(keys, &first)?;
    let root_name = source::require_name(root, "the name of an element")?;
    Ok((root.to_owned(), shape, namespace.is_some(), format!("{root_name} {body}")))
}

/// The declaration of a value: drawn after `:`, or given after `=`.
enum Written {
    Domain(String),
    Literal(String),
}

struct Writer<'d> {
    draft: &'d mut Draft,
    xml: bool,
}

impl Writer<'_> {
    fn translate_object(&mut self, keys: &[(String, Value)], first: &str) -> Result<(String, Shape), Obstacle> {
        let mut body = format!("{{\n{first}");
        let mut shapes = Vec::new();
        for (key, value) in keys {
            if key.contains("{{") {
                return Err(Obstacle::new(format!(
                    "the key `{key}` is drawn, and keys are named before anything is drawn"
                ))
                .suggest("write a fixed key"));
            }
            if key.starts_with('_') {
                return Err(Obstacle::new("a key that begins with `_` is not written to the file")
                    .suggest(format!("rename `{key}`")));
            }
            let name = source::require_name(key, "a key")?;
            let (written, shape) = self.translate_schema(value)?;
            body.push_str(&match written {
                Written::Domain(domain) => format!("{name} : {domain}\n"),
                Written::Literal(literal) => format!("{name} = {literal}\n"),
            });
            shapes.push((key.clone(), shape));
        }
        Ok((body + "}", Shape::Object(shapes)))
    }

    fn translate_schema(&mut self, node: &Value) -> Result<(Written, Shape), Obstacle> {
        match node {
            Value::Object(keys) => match keys.iter().find(|(key, _)| key == "type") {
                None => self.translate_object(keys, "").map(|(body, shape)| (Written::Domain(body), shape)),
                Some((_, Value::Text(ty))) => self.translate_typed(ty, &Fields::new("a value of the schema", node)?),
                Some(_) => {
                    Err(Obstacle::new("a field of a schema cannot be called `type`").cite(&[29]).suggest("rename it"))
                }
            },
            Value::Text(ty) => {
                let (domain, kind) = types::find_semantic_type(ty).ok_or_else(|| {
                    Obstacle::new(format!(
                        "`{ty}` in a schema is not a semantic type, and PICARD writes lorem words for it"
                    ))
                    .cite(&[25, 28])
                    .suggest(format!(
                        "name a type, or write the file in .pcd, where `= {}` is text",
                        source::render_string(ty)
                    ))
                })?;
                Ok((Written::Domain(domain.to_owned()), Shape::Leaf(kind)))
            }
            other => {
                let literal = source::render_literal(other)
                    .ok_or_else(|| Obstacle::new("a value of the schema cannot be written"))?;
                let shape = match other {
                    Value::Int(_) => Shape::Leaf(Kind::Int),
                    Value::Decimal(number) => Shape::Leaf(Kind::Decimal(number.places())),
                    Value::Float(_) => Shape::Leaf(Kind::Float),
                    Value::Bool(_) => Shape::Leaf(Kind::Bool),
                    Value::List(_) => Shape::Array(Box::new(Shape::Leaf(Kind::Unknown))),
                    _ => Shape::Leaf(Kind::Unknown),
                };
                Ok((Written::Literal(literal), shape))
            }
        }
    }

    fn translate_typed(&mut self, ty: &str, fields: &Fields<'_>) -> Result<(Written, Shape), Obstacle> {
        let only = |known: &[&str]| {
            let known: Vec<&str> = known.iter().copied().chain(["type"]).collect();
            match fields.as_slice().iter().find(|(key, _)| !known.contains(&key.as_str())) {
                None => Ok(()),
                Some((key, _)) => Err(Obstacle::new(format!(
                    "PICARD reads `type: {ty}` as the type of the value and ignores its `{key}`"
                ))
                .cite(&[28, 29])
                .suggest("write one type, or rename the field `type`")),
            }
        };
        let leaf = |domain: String, kind| Ok((Written::Domain(domain), Shape::Leaf(kind)));
        match ty {
            "array" => {
                only(if self.xml { &["count", "items", "element_name"] } else { &["count", "items"] })?;
                let items = fields.get("items").cloned().unwrap_or_else(|| Value::from_text("lorem_words"));
                let (item, shape) = match self.translate_schema(&items)? {
                    (Written::Domain(domain), shape) => (domain, shape),
                    (Written::Literal(literal), shape) => (format!("one_of [{literal}]"), shape),
                };
                let count = self.draft.translate_amount(fields, "count", 5)?;
                let array = format!("[ {item} ; {count} ]");
                let shape = Shape::Array(Box::new(shape));
                if !self.xml {
                    return Ok((Written::Domain(array), shape));
                }
                let element = fields.find_text("element_name")?.unwrap_or("item");
                let name = source::require_name(element, "an element")?;
                let container = Shape::Object(vec![(element.to_owned(), shape)]);
                Ok((Written::Domain(format!("{{ {name} : {array} }}")), container))
            }
            "object" => {
                if fields.get("additional_properties").is_some() {
                    return Err(Obstacle::new(
                        "`additional_properties` adds a drawn number of keys, which a file does not have here",
                    )
                    .suggest("name the keys"));
                }
                only(&["properties"])?;
                let keys = match fields.get("properties") {
                    None => &[],
                    Some(properties) => Fields::new("`properties`", properties)?.as_slice(),
                };
                self.translate_object(keys, "").map(|(body, shape)| (Written::Domain(body), shape))
            }
            "string" => {
                only(&["min_length", "max_length", "pattern"])?;
                if let Some(pattern) = fields.find_text("pattern")? {
                    let (domain, kind) = types::require_semantic_type(pattern)?;
                    return leaf(domain, kind);
                }
                if fields.get("min_length").is_none() && fields.get("max_length").is_none() {
                    return leaf("lorem words 1..8".to_owned(), Kind::Text);
                }
                let (least, most) = (parse_integer(fields, "min_length", 1)?, parse_integer(fields, "max_length", 50)?);
                leaf(format!("pattern \"[a-z]{{{least},{most}}}\""), Kind::Text)
            }
            "number" => {
                only(&["minimum", "maximum"])?;
                let (least, most) = (parse_number(fields, "minimum", 0.0)?, parse_number(fields, "maximum", 1000.0)?);
                leaf(format!("decimal {least:.2}..{most:.2}"), Kind::Decimal(2))
            }
            "integer" => {
                only(&["minimum", "maximum"])?;
                let (least, most) = (parse_integer(fields, "minimum", 1)?, parse_integer(fields, "maximum", 1000)?);
                leaf(format!("int {least}..{most}"), Kind::Int)
            }
            "boolean" | "null" => {
                only(&[])?;
                match (ty, self.xml) {
                    ("boolean", false) => leaf("bool".to_owned(), Kind::Bool),
                    ("boolean", true) => leaf("one_of [\"True\", \"False\"]".to_owned(), Kind::Text),
                    (_, true) => Ok((Written::Literal("\"None\"".to_owned()), Shape::Leaf(Kind::Text))),
                    (_, false) => leaf("lorem_word blank 100%".to_owned(), Kind::Unknown),
                }
            }
            other => {
                let (domain, kind) = types::require_semantic_type(other)?;
                only(&[])?;
                leaf(domain, kind)
            }
        }
    }
}

fn parse_integer(fields: &Fields<'_>, key: &str, default: i64) -> Result<i64, Obstacle> {
    match fields.get(key) {
        None => Ok(default),
        Some(Value::Int(number)) => Ok(*number),
        Some(_) => Err(Obstacle::new(format!("`{key}` is not a whole number")).suggest("write one")),
    }
}

fn parse_number(fields: &Fields<'_>, key: &str, default: f64) -> Result<f64, Obstacle> {
    let Some(value) = fields.get(key) else { return Ok(default) };
    let is_number = matches!(value, Value::Int(_) | Value::Decimal(_) | Value::Float(_));
    let number = value.render_text().parse().ok().filter(|_| is_number);
    number.ok_or_else(|| Obstacle::new(format!("`{key}` is not a number")).suggest("write one"))
}
