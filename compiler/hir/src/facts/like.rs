//! Patterns of SQL's LIKE, and whether they match a text of a domain.

use std::collections::BTreeSet;

use model::domain::TemplatePart;
use model::{Domain, Value};

use super::fact::MAX_LISTED;

/// A pattern of LIKE, with the rules of SQLite without ESCAPE: ASCII letters match in either case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Like {
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// `%`
    Any,
    /// `_`
    One,
    /// The character itself.
    Char(char),
}

/// The possible positions of a matcher: indexes of the next part of the pattern, 0 before the first.
type Places = BTreeSet<usize>;

/// The maximum length of a pattern that is compared with a domain; a longer one would take too long.
const MAX_PARTS: usize = 200;

impl Like {
    /// Parses a pattern.
    ///
    /// ```
    /// use hir::facts::Like;
    ///
    /// let like = Like::new("Be%_n");
    /// // Letter case does not count for ASCII letters; `_` is one character.
    /// assert!(like.is_match("Berlin") && like.is_match("BEXN") && !like.is_match("Ben"));
    /// assert!(!Like::new("é").is_match("É"));
    /// assert_eq!(Like::new("%paid%").extract_literal_core().as_deref(), Some("paid"));
    /// assert!(Like::new("%%").is_wildcard_only());
    /// ```
    pub fn new(pattern: &str) -> Like {
        let part = |c| match c {
            '%' => Part::Any,
            '_' => Part::One,
            c => Part::Char(c),
        };
        Like { parts: pattern.chars().map(part).collect() }
    }

    /// The pattern without `%` at its ends; `None` if the rest is empty or has wildcards.
    pub fn extract_literal_core(&self) -> Option<String> {
        let inner = self.parts.iter().skip_while(|part| **part == Part::Any);
        let mut inner: Vec<&Part> = inner.collect();
        while inner.last().is_some_and(|part| **part == Part::Any) {
            inner.pop();
        }
        let text = inner.into_iter().map(|part| match part {
            Part::Char(c) => Some(*c),
            _ => None,
        });
        text.collect::<Option<String>>().filter(|text| !text.is_empty())
    }

    /// Whether it consists of `%` only and so matches every text.
    pub fn is_wildcard_only(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| *part == Part::Any)
    }

    /// Whether it matches this text.
    pub fn is_match(&self, text: &str) -> bool {
        self.follow_text(&self.start_places(), text).contains(&self.parts.len())
    }

    /// Whether it may match a text of this domain; `false` only if it certainly does not.
    pub fn may_match(&self, domain: &Domain) -> bool {
        self.parts.len() > MAX_PARTS || self.follow_domain(&self.start_places(), domain).contains(&self.parts.len())
    }

    fn start_places(&self) -> Places {
        self.close_over_wildcards([0])
    }

    /// Adds the positions that are reached if a `%` matches the empty text.
    fn close_over_wildcards(&self, places: impl IntoIterator<Item = usize>) -> Places {
        let mut all = Places::new();
        for mut place in places {
            while all.insert(place) && self.parts.get(place) == Some(&Part::Any) {
                place += 1;
            }
        }
        all
    }

    /// The position after a character between `low` and `high`, if the part at `place` can match one.
    fn step_past(&self, place: usize, low: char, high: char) -> Option<usize> {
        match self.parts.get(place)? {
            Part::Any => Some(place),
            Part::One => Some(place + 1),
            Part::Char(c) => {
                let alike = [*c, c.to_ascii_lowercase(), c.to_ascii_uppercase()];
                alike.iter().any(|c| (low..=high).contains(c)).then_some(place + 1)
            }
        }
    }

    fn follow_text(&self, from: &Places, text: &str) -> Places {
        text.chars().fold(from.clone(), |places, c| {
            self.close_over_wildcards(places.into_iter().filter_map(|place| self.step_past(place, c, c)))
        })
    }

    /// The possible positions after a text of the domain, starting from one of the positions `from`.
    fn follow_domain(&self, from: &Places, domain: &Domain) -> Places {
        match domain {
            Domain::Pattern(pattern) => pattern
                .find_reachable(from, &|place, low, high| self.close_over_wildcards(self.step_past(place, low, high))),
            Domain::Template { parts } => parts.iter().fold(from.clone(), |places, part| match part {
                TemplatePart::Text(text) => self.follow_text(&places, text),
                TemplatePart::Domain(domain) => self.follow_domain(&places, domain),
            }),
            other => {
                let few = other.cardinality().is_some_and(|size| size <= MAX_LISTED as u128);
                match other.list_values().filter(|_| few) {
                    Some(values) => {
                        let render = |value: &Value| self.follow_text(from, &value.render_text());
                        values.iter().flat_map(render).collect()
                    }
                    // The domain is not analyzed here: any text is assumed.
                    None => from.first().map(|least| (*least..=self.parts.len()).collect()).unwrap_or_default(),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(source: &str) -> Domain {
        Domain::Pattern(model::pattern::Pattern::new(source).expect("a pattern"))
    }

    #[test]
    fn matches_as_sqlite_does() {
        for (like, text, wanted) in [
            ("Eng%", "Engineer", true),
            ("eng%", "ENGINEER", true),
            ("%neer", "Engineer", true),
            ("%gin%", "Engineer", true),
            ("E_gineer", "Engineer", true),
            ("E_gineer", "Eengineer", false),
            ("%", "", true),
            ("_%", "", false),
            ("", "", true),
            ("", "a", false),
            ("Ä", "ä", false),
            ("a%b%c", "aXbYcZc", true),
            ("a%b%c", "aXbYcZ", false),
        ] {
            assert_eq!(Like::new(like).is_match(text), wanted, "{text} LIKE {like}");
        }
    }

    #[test]
    fn a_pattern_without_a_match_is_proved() {
        let skus = pattern("[A-C]{2}-[0-9]{3}");
        for (like, wanted) in
            [("AB-%", true), ("ab-1_3", true), ("D%", false), ("%-12", false), ("%-1%9", true), ("____", false)]
        {
            assert_eq!(Like::new(like).may_match(&skus), wanted, "{like}");
        }
        let parts = vec![
            TemplatePart::Text("inv-".into()),
            TemplatePart::Domain(Box::new(Domain::Int { low: 2020, high: 2024, step: 1 })),
            TemplatePart::Domain(Box::new(skus)),
        ];
        let template = Domain::Template { parts };
        for (like, wanted) in [("inv-2021%", true), ("INV-2025%", false), ("%AA-000", true), ("inv%D%", false)] {
            assert_eq!(Like::new(like).may_match(&template), wanted, "{like}");
        }
    }

    #[test]
    fn the_core_of_a_pattern() {
        assert_eq!(Like::new("%neer%").extract_literal_core().as_deref(), Some("neer"));
        assert_eq!(Like::new("E_g%").extract_literal_core(), None);
        assert_eq!(Like::new("%").extract_literal_core(), None);
    }
}
