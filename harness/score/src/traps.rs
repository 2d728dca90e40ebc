//! Traps whose value is a correct answer.

use std::borrow::Cow;

use model::Scorer;
use model::answer_key::{Answer, Expected, Trap};

use crate::accepted::ask_whole_reply;
use crate::rules::Rules;
use crate::score::is_reply_right;
use crate::solve::render_forms;

/// Whether the value of a trap is a correct answer: the matcher does not distinguish it from the expected value, exact or rounded as the question asks, or
/// the answer does not have the trap's place.
pub fn is_right(expect: &Expected, trap: &Trap, scorer: Scorer) -> bool {
    let Some(Expected { answer: Some(Answer::One(value)), .. }) = expect.with_trap(trap) else { return true };
    let asked = ask_whole_reply(expect);
    let rounded = match expect.round_value(&value) {
        Cow::Owned(rounded) => Some(rounded),
        Cow::Borrowed(_) => None,
    };
    let rules = Rules::from_scorer(scorer);
    let values = [Some(&value), rounded.as_ref()].into_iter().flatten();
    values.flat_map(|value| render_forms(expect.matcher, value, "")).any(|reply| is_reply_right(&asked, reply, rules))
}

#[cfg(test)]
mod tests {
    use model::answer_key::Subject;
    use model::suite::{Matcher, Options};
    use model::{Decimal, Value};

    use super::*;

    #[test]
    fn a_trap_that_is_the_answer_once_it_is_rounded_is_right() {
        let expect = |rounded| Expected {
            name: None,
            at: None,
            subject: Subject::Reply(None),
            matcher: Matcher::Number,
            answer: Some(Answer::One(Value::Float(2.604_603))),
            options: vec![(String::new(), Options { rounded, ..Options::default() })],
            weight: Decimal::from_int(1),
            gate: false,
            database: None,
            among: None,
            read: model::answer_key::Read::default(),
            columns: Vec::new(),
            tests: Default::default(),
            traps: Vec::new(),
            span: (),
        };
        let trap = |value| Trap { name: "repeat".into(), at: String::new(), value: Value::Float(value) };
        let is = |rounded, value| is_right(&expect(rounded), &trap(value), Scorer::CURRENT);
        // Both are 2.605 with three decimals.
        assert!(is(Some(3), 2.605_209) && !is(None, 2.605_209));
        assert!(!is(Some(3), 2.606_6) && !is(Some(4), 2.605_209));
    }
}
