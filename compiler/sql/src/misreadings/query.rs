//! A query as tokens, and its misreadings.

use crate::lex::Token;

/// A query as someone may misread it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misreading {
    /// What is read in another way, for people.
    pub name: String,
    /// The other query.
    pub text: String,
    /// What it means if the result is always the same.
    pub sameness: Sameness,
}

/// What it means that a misreading never changes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// The data does not test the part that is misread.
    Weak,
    /// It is to be expected: for example, no value is missing, or every row has a partner.
    Usual,
    /// The data does not test the ends of a range. If it does, the prompt must say whether they are included.
    Ends,
}

/// A query and its tokens.
pub struct Query<'t> {
    /// Its text.
    pub text: &'t str,
    /// Its tokens, without comments and blanks.
    pub tokens: Vec<Token<'t>>,
}

impl<'t> Query<'t> {
    /// Returns a token.
    pub fn get(&self, at: usize) -> Option<&Token<'t>> {
        self.tokens.get(at)
    }

    /// Whether there is one of these keywords at an index.
    pub fn is_any(&self, at: usize, keywords: &str) -> bool {
        self.get(at).is_some_and(|token| token.is_any(keywords))
    }

    /// Whether there is this operator or bracket at an index.
    pub fn is_punct(&self, at: usize, text: &str) -> bool {
        self.get(at).is_some_and(|token| token.is_punct(text))
    }

    /// Returns the text from the first byte of a token to the last byte of another.
    pub fn slice(&self, first: usize, last: usize) -> &'t str {
        let (Some(first), Some(last)) = (self.get(first), self.get(last)) else { return "" };
        self.text.get(first.start..last.end()).unwrap_or("")
    }

    /// Returns the query with other text in place of the tokens from `first` to `last`.
    pub fn replace_tokens(&self, first: usize, last: usize, with: &str) -> String {
        let (Some(first), Some(last)) = (self.get(first), self.get(last)) else { return self.text.to_owned() };
        let (before, after) = (self.text.get(..first.start), self.text.get(last.end()..));
        format!("{}{with}{}", before.unwrap_or(""), after.unwrap_or(""))
    }

    /// Finds the last of these keywords before an index, in the same brackets.
    pub fn find_before(&self, at: usize, keywords: &str) -> Option<usize> {
        let mut depth = 0_usize;
        for before in (0..at).rev() {
            if self.is_punct(before, ")") {
                depth += 1;
            } else if self.is_punct(before, "(") {
                depth = depth.checked_sub(1)?;
            } else if depth == 0 && self.is_any(before, keywords) {
                return Some(before);
            }
        }
        None
    }

    /// Lists the indexes after one, up to the end of its brackets, that are in no brackets of their own.
    pub fn list_level(&self, from: usize) -> Vec<usize> {
        let (mut depth, mut level) = (0_usize, Vec::new());
        for at in from + 1..self.tokens.len() {
            if self.is_punct(at, "(") {
                depth += 1;
            } else if self.is_punct(at, ")") {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                continue;
            }
            if depth == 0 || depth == 1 && self.is_punct(at, "(") {
                level.push(at);
            }
        }
        level
    }

    /// Whether an `AND` belongs to `BETWEEN`.
    pub fn is_of_between(&self, at: usize) -> bool {
        let before = self.find_before(at, "BETWEEN AND OR WHERE HAVING ON");
        before.is_some_and(|before| self.is_any(before, "BETWEEN"))
    }

    /// Whether the tables before a `WHERE` are joined by commas. Then its conditions may be those of the join.
    pub fn has_comma_join(&self, clause: usize) -> bool {
        let from = self.find_before(clause, "FROM").filter(|_| self.is_any(clause, "WHERE"));
        let Some(from) = from else { return false };
        self.list_level(from).into_iter().take_while(|at| *at < clause).any(|at| self.is_punct(at, ","))
    }
}
