//! Reads lines of bounded length. Only the request id of a line that is too long is kept.

use std::io::{self, BufRead, Read as _};

use serde_json::Value as Json;

/// The maximum size of a message, in bytes.
pub(super) const LONGEST: u64 = 16 << 20;

/// The maximum size of an id, and of a name in a searched object, in bytes.
const LONGEST_ID: usize = 4096;

/// The lines of an input.
pub(super) struct Lines<R> {
    pub(super) input: R,
}

pub(super) enum Line {
    Whole(Vec<u8>),
    /// With the id of its request, or null.
    TooLong(Json),
}

impl<R: BufRead> Lines<R> {
    /// Returns the next nonblank line; `None` at the end of the input.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let mut line = Vec::new();
            let read = (&mut self.input).take(LONGEST).read_until(b'\n', &mut line)?;
            if read == 0 {
                return Ok(None);
            }
            if read as u64 == LONGEST && !line.ends_with(b"\n") {
                return self.read_rest(&line).map(|id| Some(Line::TooLong(id)));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Line::Whole(line)));
            }
        }
    }

    /// Reads the rest of a line that is too long. Returns its id, or null.
    fn read_rest(&mut self, begun: &[u8]) -> io::Result<Json> {
        let mut search = IdSearch::default();
        search.scan_bytes(begun);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = chunk.iter().position(|byte| *byte == b'\n');
            search.scan_bytes(chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default());
            let (used, is_last) = (end.map_or(chunk.len(), |end| end + 1), end.is_some() || chunk.is_empty());
            self.input.consume(used);
            if is_last {
                return Ok(search.id);
            }
        }
    }
}

/// Finds the value of `id` in a JSON object that arrives in pieces, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct IdSearch {
    /// The number of open brackets.
    depth: u32,
    /// Inside a string; then after a `\` in it.
    in_string: bool,
    is_escaped: bool,
    /// Directly in the object, after a `:`.
    in_value: bool,
    /// The name that was read last, or the value of `id`; `None` if it is too long.
    text: Option<Vec<u8>>,
    /// Whether `text` is the value of `id`.
    is_id: bool,
    /// The value of `id`, or null.
    id: Json,
    /// Whether the line does not begin with an object, or the object has ended.
    is_done: bool,
}

impl IdSearch {
    /// Reads further bytes.
    fn scan_bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.next(*byte));
    }

    fn next(&mut self, byte: u8) {
        if self.is_done {
            return;
        }
        if self.depth == 0 {
            self.is_done = !byte.is_ascii_whitespace() && byte != b'{';
            self.depth = u32::from(byte == b'{');
            self.text = Some(Vec::new());
            return;
        }
        if self.in_string {
            self.keep_byte(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.keep_byte(byte);
                self.in_string = true;
            }
            b'{' | b'[' => {
                self.keep_byte(byte);
                self.depth += 1;
            }
            b'}' | b']' if self.depth > 1 => {
                self.keep_byte(byte);
                self.depth -= 1;
            }
            b'}' | b']' => {
                self.complete_value();
                self.is_done = true;
            }
            b':' if self.depth == 1 && !self.in_value => {
                let name = self.text.take().and_then(|text| serde_json::from_slice::<String>(&text).ok());
                self.is_id = name.as_deref() == Some("id");
                self.in_value = true;
                self.text = self.is_id.then(Vec::new);
            }
            b',' if self.depth == 1 => {
                self.complete_value();
                self.in_value = false;
                self.text = Some(Vec::new());
            }
            _ => self.keep_byte(byte),
        }
    }

    fn keep_byte(&mut self, byte: u8) {
        match &mut self.text {
            Some(text) if text.len() >= LONGEST_ID => self.text = None,
            Some(text) => text.push(byte),
            None => {}
        }
    }

    /// Ends a value; if it is that of `id`, stores it.
    fn complete_value(&mut self) {
        if std::mem::take(&mut self.is_id) {
            let value = self.text.take().and_then(|text| serde_json::from_slice::<Json>(&text).ok());
            self.id = value.filter(|id| id.is_string() || id.is_number()).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(|number| number.to_string()),
            Just("null".to_owned()),
            ".{0,12}".prop_map(|text| Json::from(text).to_string()),
            Just(r#""\"id\":7,}\\""#.to_owned()),
            Just(r#""\u0069d""#.to_owned()),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let name =
                prop_oneof![Just("id".to_owned()), "[a-z\"\\\\]{0,3}"].prop_map(|name| Json::from(name).to_string());
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(" , "))),
                proptest::collection::vec((name, inner), 0..4).prop_map(|fields| {
                    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{name} : {value}")).collect();
                    format!("{{{}}}", fields.join(","))
                }),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// In whatever pieces it comes, the id is the one of the parsed message.
        #[test]
        fn the_id_is_that_of_the_message(message in value(), cut in 1_usize..9) {
            let mut search = IdSearch::default();
            message.as_bytes().chunks(cut).for_each(|chunk| search.scan_bytes(chunk));
            let parsed: Json = serde_json::from_str(&message).expect("JSON");
            let id = parsed.as_object().and_then(|fields| fields.get("id")).filter(|id| id.is_string() || id.is_number());
            prop_assert_eq!(&search.id, id.unwrap_or(&Json::Null), "{}", message);
        }

        #[test]
        fn what_is_not_json_is_read_in_bounded_memory(bytes in proptest::collection::vec(prop_oneof![Just(b'{'), Just(b'"'), Just(b':'), Just(b','), any::<u8>()], 0..200)) {
            let mut search = IdSearch::default();
            for _ in 0..100 {
                search.scan_bytes(&bytes);
            }
            prop_assert!(search.text.is_none_or(|text| text.len() <= LONGEST_ID));
        }
    }
}
