//! The texts that an expectation accepts, for analyses that look for answers which need no work.

use model::answer_key::{Answer, Expected, Read, Subject};
use model::suite::matchers::Takes;
use model::{Scorer, Value};

use crate::key::{Key, Leaf};
use crate::rules::Rules;
use crate::score::is_reply_right;
use crate::solve::render_forms;

/// Returns the same expectation on a whole reply, wherever its answer is read.
pub fn ask_whole_reply(expect: &Expected) -> Expected {
    Expected { subject: Subject::Reply(None), at: None, read: Read::default(), traps: Vec::new(), ..expect.clone() }
}

/// Whether an expectation accepts a text as its answer, wherever that is read: in the reply, a part of it, or a file.
pub fn is_text_accepted(expect: &Expected, text: &str, scorer: Scorer) -> bool {
    is_reply_right(&ask_whole_reply(expect), text.to_owned(), Rules::from_scorer(scorer))
}

/// Returns texts that an expectation accepts: one for each of its values, and several for a pattern.
pub fn list_accepted_texts(expect: &Expected) -> Vec<String> {
    let most = if expect.matcher.record().takes == Takes::Pattern { usize::MAX } else { 1 };
    let values = expect.answer.iter().flat_map(Answer::accepted_values);
    values.flat_map(|value| render_forms(expect.matcher, value, "").into_iter().take(most)).collect()
}

/// Returns the range of the numbers that an expectation accepts for a number at a JSON pointer of its answer, ends included. The ends are rounded to
/// doubles. `None` if the value is not a number.
pub fn find_number_range(expect: &Expected, value: &Value, pointer: &str, scorer: Scorer) -> Option<(f64, f64)> {
    match Key::new(expect, value, None, Rules::from_scorer(scorer)).build_leaf(value, pointer) {
        Leaf::Number(span) => Some((span.low.to_f64(), span.high.to_f64())),
        _ => None,
    }
}

/// Returns such a range for each of an expectation's values. Empty if one is not a number.
pub fn list_number_ranges(expect: &Expected, scorer: Scorer) -> Vec<(f64, f64)> {
    let several = matches!(expect.answer, Some(Answer::AnyOf(_)));
    let values = expect.answer.iter().flat_map(Answer::accepted_values).enumerate();
    let range = |(at, value): (usize, &Value)| {
        let pointer = if several { format!("/{at}") } else { String::new() };
        find_number_range(expect, value, &pointer, scorer)
    };
    values.map(range).collect::<Option<Vec<_>>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use model::Decimal;
    use model::suite::{Matcher, Options, Within};

    use super::*;

    fn expect(matcher: Matcher, answer: Answer, options: Options) -> Expected {
        Expected {
            name: None,
            at: None,
            subject: Subject::File("a.txt".into()),
            matcher,
            answer: Some(answer),
            options: vec![(String::new(), options)],
            weight: Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        }
    }

    #[test]
    fn numbers_are_accepted_within_their_ranges() {
        let within = Options { within: Some(Within::Absolute(Decimal::from_int(5))), ..Options::default() };
        let several = Answer::AnyOf(vec![Value::Int(1), Value::Int(40)]);
        let expect = expect(Matcher::Number, several, within);
        assert_eq!(list_number_ranges(&expect, Scorer::CURRENT), [(-4.0, 6.0), (35.0, 45.0)]);
        assert!(is_text_accepted(&expect, "6", Scorer::CURRENT) && is_text_accepted(&expect, "35", Scorer::CURRENT));
        assert!(!is_text_accepted(&expect, "7", Scorer::CURRENT));
        assert_eq!(list_accepted_texts(&expect), ["1", "40"]);
    }

    #[test]
    fn texts_have_no_ranges() {
        let expect = expect(Matcher::Contains, Answer::One(Value::from_text("Ulm")), Options::default());
        assert!(list_number_ranges(&expect, Scorer::CURRENT).is_empty());
        assert!(is_text_accepted(&expect, "Bonn, Ulm, Kiel", Scorer::CURRENT));
    }
}
