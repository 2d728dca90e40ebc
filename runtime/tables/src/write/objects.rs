//! The lines of a JSON Lines file: an object on each, whose keys are the columns. A name with dots leads into objects: `user.name`.

/// Maximum number of objects around a cell; readers of JSON have a limit, too.
const MAX_DEPTH: usize = 64;

/// The text of a line around the cells of its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectLine {
    /// The columns in the order of the line, each after its text: `,"user":{"name":`.
    cells: Vec<(String, usize)>,
    /// The text after the last of them.
    end: String,
}

/// The value of a key.
enum Node<'n> {
    Cell(usize),
    Object(Vec<(&'n str, Node<'n>)>),
}

impl ObjectLine {
    /// Builds the line of columns with these names. Columns in the same object are adjacent in the line, at the place of the first of them.
    ///
    /// ```
    /// use tables::write::ObjectLine;
    ///
    /// let names = ["id", "user.name", "n", "user.age"].map(str::to_owned);
    /// let line = ObjectLine::new(&names).expect("an object");
    /// let mut out = String::new();
    /// line.write_cells(|column| ["7", "\"Ann\"", "null", "30"][column], &mut out);
    /// assert_eq!(out, r#"{"id":7,"user":{"name":"Ann","age":30},"n":null}"#);
    /// // `user` cannot be both a value and an object; the second of two such columns is returned.
    /// assert_eq!(ObjectLine::new(&["user", "user.name"].map(str::to_owned)), Err(1));
    /// ```
    ///
    /// # Errors
    /// A column for which the object has no place.
    pub fn new(columns: &[String]) -> Result<ObjectLine, usize> {
        let mut fields = Vec::new();
        for (at, name) in columns.iter().enumerate() {
            let keys: Vec<&str> = name.split('.').collect();
            if keys.len() > MAX_DEPTH || !place_cell(&mut fields, &keys, at) {
                return Err(at);
            }
        }
        let mut line = ObjectLine { cells: Vec::with_capacity(columns.len()), end: String::new() };
        line.add_fields(&fields);
        Ok(line)
    }

    /// Appends the line for the JSON texts of a row's cells, by column.
    pub fn write_cells<'c>(&self, cell: impl Fn(usize) -> &'c str, out: &mut String) {
        for (before, column) in &self.cells {
            out.push_str(before);
            out.push_str(cell(*column));
        }
        out.push_str(&self.end);
    }

    fn add_fields(&mut self, fields: &[(&str, Node<'_>)]) {
        self.end.push('{');
        for (at, (key, node)) in fields.iter().enumerate() {
            if at > 0 {
                self.end.push(',');
            }
            let start = self.end.len();
            self.end.push_str(key);
            quote_json(start, &mut self.end);
            self.end.push(':');
            match node {
                Node::Cell(column) => self.cells.push((std::mem::take(&mut self.end), *column)),
                Node::Object(fields) => self.add_fields(fields),
            }
        }
        self.end.push('}');
    }
}

/// Places a column at the path of its keys. Returns whether that place is free.
fn place_cell<'n>(fields: &mut Vec<(&'n str, Node<'n>)>, keys: &[&'n str], column: usize) -> bool {
    let Some((first, rest)) = keys.split_first() else { return false };
    let known = fields.iter_mut().find(|(key, _)| key == first);
    match (known, rest) {
        (None, []) => fields.push((first, Node::Cell(column))),
        (None, _) => {
            let mut inner = Vec::new();
            place_cell(&mut inner, rest, column);
            fields.push((first, Node::Object(inner)));
        }
        (Some((_, Node::Object(inner))), [_, ..]) => return place_cell(inner, rest, column),
        (Some(_), _) => return false,
    }
    true
}

/// Quotes the text that starts at `start`, as JSON does: only quotes, backslashes, and control characters are escaped.
pub(super) fn quote_json(start: usize, out: &mut String) {
    let text = out.get(start..).unwrap_or_default();
    if text.bytes().all(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
        out.insert(start, '"');
        return out.push('"');
    }
    let quoted = serde_json::Value::from(text).to_string();
    out.truncate(start);
    out.push_str(&quoted);
}
