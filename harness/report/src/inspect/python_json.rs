//! Converts JSON as Python writes it to standard JSON.

use std::io::{self, Read};

/// Reads JSON in which numbers can be `NaN`, `Infinity`, and `-Infinity`, and replaces these by `null`. All other bytes are unchanged.
pub struct Finite<R> {
    inner: R,
    state: State,
    /// Bytes that were converted but not returned yet, and the position of the next one.
    out: Vec<u8>,
    given: usize,
}

/// The position in the JSON text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Outside strings.
    Outside,
    /// In a string.
    Inside,
    /// In a string, after a `\`.
    Escaped,
    /// After a `-` that was not returned yet.
    Minus,
    /// In the name of a number that was replaced.
    Word,
}

impl<R: Read> Finite<R> {
    /// Converts the text of a reader.
    pub fn new(inner: R) -> Finite<R> {
        Finite { inner, state: State::Outside, out: Vec::new(), given: 0 }
    }

    fn take_byte(&mut self, byte: u8) {
        if self.state == State::Minus {
            self.state = State::Outside;
            if byte != b'I' {
                self.out.push(b'-');
            }
        }
        if self.state == State::Word {
            if byte.is_ascii_alphabetic() {
                return;
            }
            self.state = State::Outside;
        }
        self.state = match (self.state, byte) {
            (State::Outside, b'-') => {
                self.state = State::Minus;
                return;
            }
            // No other word of JSON has an uppercase letter.
            (State::Outside, b'N' | b'I') => {
                self.out.extend_from_slice(b"null");
                self.state = State::Word;
                return;
            }
            (State::Outside, b'"') | (State::Escaped, _) => State::Inside,
            (State::Inside, b'"') => State::Outside,
            (State::Inside, b'\\') => State::Escaped,
            (state, _) => state,
        };
        self.out.push(byte);
    }
}

impl<R: Read> Read for Finite<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.out.len() {
            self.out.clear();
            self.given = 0;
            let mut block = [0; 1 << 14];
            let count = self.inner.read(&mut block)?;
            if count == 0 {
                return Ok(0);
            }
            for byte in block.iter().take(count) {
                self.take_byte(*byte);
            }
        }
        let left = self.out.get(self.given..).unwrap_or_default();
        let count = left.len().min(into.len());
        for (to, from) in into.iter_mut().zip(left) {
            *to = *from;
        }
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn finite(text: &str) -> String {
        let mut out = String::new();
        Finite::new(text.as_bytes()).read_to_string(&mut out).expect("text");
        out
    }

    #[test]
    fn numbers_that_json_does_not_have_are_null() {
        assert_eq!(
            finite(r#"{"a":NaN,"b":[Infinity,-Infinity,-1],"NaN \"-Infinity":"N\\"}"#),
            r#"{"a":null,"b":[null,null,-1],"NaN \"-Infinity":"N\\"}"#
        );
        assert_eq!(finite("-Infinity"), "null");
    }

    proptest! {
        #[test]
        fn json_stays_as_it_is(text in ".*", number in any::<i64>()) {
            let json = serde_json::json!({ "a": text.as_str(), text: number, "b": [null, true, -0.5] }).to_string();
            prop_assert_eq!(finite(&json), json);
        }
    }
}
