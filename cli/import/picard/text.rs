//! Texts with PICARD's placeholders, `{{name:argument:…}}`.

use crate::import::Obstacle;

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Literal text.
    Text(String),
    /// `{{artifacts}}`: the sandbox.
    Sandbox,
    /// `{{qs_id}}`: the ID of the test.
    Id,
    /// `{{expected_structure}}`: the expected folder structure.
    Structure,
    /// The path of the file with this index, inserted by [`super::task`].
    File(usize),
    /// A drawn value.
    Variable(Variable),
    /// Random text, such as `{{lorem:5s}}`: unit and number.
    Lorem(&'static str, u32),
    /// A function of the content of a file.
    Call(Call),
}

/// A drawn value, with the parts that identify it in a sample.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variable {
    /// `{{entity1:colors}}`: index and pool.
    Entity(u32, String),
    /// `{{semantic1:city}}`: index and type.
    Semantic(u32, String),
    /// `{{number1:5:50:round_500}}`: index, bounds, and type.
    Number(u32, u64, u64, String),
}

/// A call of a template function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The name.
    pub name: String,
    /// The arguments, trimmed.
    pub arguments: Vec<Vec<Piece>>,
}

impl Call {
    /// Renders the beginning of the call in PICARD's notation.
    pub fn render_beginning(&self) -> String {
        format!("`{{{{{}:…}}}}`", self.name)
    }
}

/// Marks the path of a file in a text.
pub fn mark_file(index: usize) -> String {
    format!("{{{{\u{1}{index}}}}}")
}

/// Parses a text.
///
/// # Errors
/// If it contains something that is not a placeholder that PICARD replaces: a sentence without a period.
pub fn parse_pieces(text: &str) -> Result<Vec<Piece>, Obstacle> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        push_text(&mut pieces, rest.get(..at).unwrap_or_default());
        let (piece, after) = parse_placeholder(rest.get(at + 2..).unwrap_or_default(), 0)?;
        pieces.push(piece);
        rest = after;
    }
    push_text(&mut pieces, rest);
    Ok(pieces)
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    match pieces.last_mut() {
        _ if text.is_empty() => {}
        Some(Piece::Text(before)) => before.push_str(text),
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}

/// The maximum nesting depth of placeholders: a variable in a function.
const DEEPEST: u32 = 2;

/// Parses the text after `{{` up to its `}}`. Returns the placeholder and the rest.
fn parse_placeholder(text: &str, depth: u32) -> Result<(Piece, &str), Obstacle> {
    let shown = || {
        let start: String = text.chars().take(40).collect();
        format!("`{{{{{start}`")
    };
    let mut inner = Vec::new();
    let mut rest = text;
    loop {
        let Some(at) = rest.find(['{', '}']) else {
            return Err(Obstacle::new(format!("the placeholder {} has no closing `}}}}`", shown())));
        };
        push_text(&mut inner, rest.get(..at).unwrap_or_default());
        let tail = rest.get(at..).unwrap_or_default();
        if let Some(after) = tail.strip_prefix("}}") {
            return Ok((classify_placeholder(inner)?, after));
        }
        if let Some(after) = tail.strip_prefix("{{") {
            if depth >= DEEPEST {
                return Err(Obstacle::new(format!("placeholders are nested too deep in {}", shown())));
            }
            let (piece, after) = parse_placeholder(after, depth + 1)?;
            inner.push(piece);
            rest = after;
        } else if let Some(after) = tail.strip_prefix('{') {
            push_text(&mut inner, "{");
            rest = after;
        } else {
            return Err(Obstacle::new(format!(
                "PICARD does not evaluate {}, because an argument has a `}}` in it",
                shown()
            ))
            .cite(&[6])
            .suggest("write the expectation in .pcd, where braces are allowed"));
        }
    }
}

/// Converts the text between the braces to a piece.
fn classify_placeholder(inner: Vec<Piece>) -> Result<Piece, Obstacle> {
    let name = match inner.first() {
        Some(Piece::Text(text)) => text.split(':').next().unwrap_or_default().to_owned(),
        _ => return Err(Obstacle::new("a placeholder is the name of a placeholder")),
    };
    if let [Piece::Text(text)] = inner.as_slice() {
        match text.as_str() {
            "artifacts" => return Ok(Piece::Sandbox),
            "qs_id" => return Ok(Piece::Id),
            "expected_structure" => return Ok(Piece::Structure),
            _ => {}
        }
        if let Some(index) = text.strip_prefix('\u{1}').and_then(|index| index.parse().ok()) {
            return Ok(Piece::File(index));
        }
        if let Some(piece) = parse_variable(text)? {
            return Ok(piece);
        }
    }
    if is_function(&name) {
        return Ok(Piece::Call(Call { name, arguments: split_arguments(&inner) }));
    }
    Err(Obstacle::new(format!("`{{{{{name}…}}}}` is not a placeholder of PICARD, which would show it as it is"))
        .suggest("correct its name"))
}

/// Whether PICARD has a function of this name.
fn is_function(name: &str) -> bool {
    const FILE: &[&str] = &["line", "word", "line_count", "word_count"];
    const CSV: &[&str] =
        &["cell", "value", "row", "column", "count", "sum", "avg", "count_where", "sum_where", "avg_where"];
    const TREE: &[&str] =
        &["path", "value", "count", "keys", "sum", "avg", "max", "min", "collect", "count_where", "filter"];
    const XML: &[&str] = &["value", "attr", "count", "exists", "collect", "sum", "avg", "max", "min"];
    const SQL: &[&str] = &["query", "value"];
    let families =
        [("file_", FILE), ("csv_", CSV), ("sqlite_", SQL), ("json_", TREE), ("yaml_", TREE), ("xpath_", XML)];
    families.into_iter().any(|(prefix, names)| name.strip_prefix(prefix).is_some_and(|rest| names.contains(&rest)))
}

/// Parses a variable or `lorem`; `None` if the text does not have the form of one.
fn parse_variable(text: &str) -> Result<Option<Piece>, Obstacle> {
    let mut parts = text.split(':');
    let head = parts.next().unwrap_or_default();
    let parts: Vec<&str> = parts.collect();
    if head == "lorem" {
        let lorem = match parts.as_slice() {
            [amount] => amount.char_indices().last().and_then(|(at, unit)| {
                let unit = match unit {
                    'l' => "lines",
                    's' => "sentences",
                    'p' => "paragraphs",
                    _ => return None,
                };
                Some(Piece::Lorem(unit, amount.get(..at)?.parse().ok()?))
            }),
            _ => None,
        };
        return lorem.map(Some).ok_or_else(|| {
            Obstacle::new(format!("`{{{{{text}}}}}` is not lorem text")).suggest("write `{{lorem:5l}}`")
        });
    }
    let kinds = ["entity", "semantic", "number"];
    let Some(kind) = kinds.into_iter().find(|kind| head.starts_with(kind)) else { return Ok(None) };
    let unread = || {
        Obstacle::new(format!("PICARD does not replace `{{{{{text}}}}}`"))
            .suggest("write an index without zeros before it, and bounds that are digits (defect 27)")
    };
    let digits = head.get(kind.len()..).unwrap_or_default();
    let index: u32 = parse_digits(digits).filter(|_| digits == "0" || !digits.starts_with('0')).ok_or_else(unread)?;
    let word =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let variable = match (kind, parts.as_slice()) {
        ("entity", []) => Variable::Entity(index, "default".to_owned()),
        ("entity", [pool]) if word(pool) => Variable::Entity(index, (*pool).to_owned()),
        ("semantic", [ty]) if word(ty) => Variable::Semantic(index, (*ty).to_owned()),
        ("number", [least, most, ty @ ..]) if ty.len() <= 1 && ty.iter().all(|ty| word(ty)) => {
            let (least, most) = parse_digits(least).zip(parse_digits(most)).ok_or_else(unread)?;
            Variable::Number(index, least, most, ty.first().copied().unwrap_or("integer").to_owned())
        }
        _ => return Err(unread()),
    };
    Ok(Some(Piece::Variable(variable)))
}

/// Parses a text that consists only of digits.
fn parse_digits<N: std::str::FromStr>(text: &str) -> Option<N> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Splits the text after the name at colons, and trims the parts.
fn split_arguments(inner: &[Piece]) -> Vec<Vec<Piece>> {
    let (mut arguments, mut current) = (Vec::new(), Vec::new());
    for piece in inner {
        let Piece::Text(text) = piece else {
            current.push(piece.clone());
            continue;
        };
        for (place, part) in text.split(':').enumerate() {
            if place > 0 {
                arguments.push(std::mem::take(&mut current));
            }
            push_text(&mut current, part);
        }
    }
    arguments.push(current);
    // Removes the name.
    arguments.remove(0);
    arguments.iter_mut().for_each(trim_pieces);
    arguments
}

fn trim_pieces(pieces: &mut Vec<Piece>) {
    if let Some(Piece::Text(text)) = pieces.first_mut() {
        *text = text.trim_start().to_owned();
    }
    if let Some(Piece::Text(text)) = pieces.last_mut() {
        *text = text.trim_end().to_owned();
    }
    pieces.retain(|piece| *piece != Piece::Text(String::new()));
}

/// Collects all variables of a text, including those in the arguments of functions.
pub fn collect_variables<'p>(pieces: &'p [Piece], found: &mut Vec<&'p Variable>) {
    for piece in pieces {
        match piece {
            Piece::Variable(variable) if !found.contains(&variable) => found.push(variable),
            Piece::Call(call) => call.arguments.iter().for_each(|argument| collect_variables(argument, found)),
            _ => {}
        }
    }
}

/// Renders a variable in PICARD's notation.
pub fn render_variable(variable: &Variable) -> String {
    match variable {
        Variable::Entity(index, pool) if pool == "default" => format!("{{{{entity{index}}}}}"),
        Variable::Entity(index, pool) => format!("{{{{entity{index}:{pool}}}}}"),
        Variable::Semantic(index, ty) => format!("{{{{semantic{index}:{ty}}}}}"),
        Variable::Number(index, least, most, ty) if ty == "integer" => format!("{{{{number{index}:{least}:{most}}}}}"),
        Variable::Number(index, least, most, ty) => format!("{{{{number{index}:{least}:{most}:{ty}}}}}"),
    }
}

/// Restores the original notation of a text.
pub fn restore_text(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Sandbox => "{{artifacts}}".to_owned(),
            Piece::Id => "{{qs_id}}".to_owned(),
            Piece::Structure => "{{expected_structure}}".to_owned(),
            Piece::File(_) | Piece::Lorem(..) => String::new(),
            Piece::Variable(variable) => render_variable(variable),
            Piece::Call(call) => call.render_beginning(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_text() {
        let city = Piece::Variable(Variable::Semantic(1, "city".to_owned()));
        let call = Call {
            name: "csv_count_where".to_owned(),
            arguments: vec![
                vec![Piece::Text("ID".to_owned())],
                vec![Piece::Text("CITY".to_owned())],
                vec![Piece::Text("==".to_owned())],
                vec![city.clone()],
                vec![Piece::Text("TARGET_FILE[crm]".to_owned())],
            ],
        };
        let text = "{\"n\": {{csv_count_where:ID: CITY :==:{{semantic1:city}}:TARGET_FILE[crm]}}}";
        let expected = [Piece::Text("{\"n\": ".to_owned()), Piece::Call(call), Piece::Text("}".to_owned())];
        assert_eq!(parse_pieces(text), Ok(expected.to_vec()));
        assert_eq!(parse_pieces("{{semantic1:city}}"), Ok(vec![city]));
        for wrong in ["{{entity01}}", "{{number1:-5:5}}", "{{nothing}}", "{{csv_sum:a}b:TARGET_FILE[d]}}", "{{open"] {
            assert!(parse_pieces(wrong).is_err(), "{wrong}");
        }
    }
}
