//! What the words of a question tell about a finding. English prompts only, whose words are in `syntax::prompts`; in doubt, a finding is not reported.
//!
//! | file | what |
//! | --- | --- |
//! | `words` | a question as words and sentences |
//! | `unit` | which rows it counts or sums |
//! | `phrases` | other phrases of it |

mod phrases;
mod unit;
mod words;

use phrases::{
    has_choice, has_mean_of_groups, is_about_none_of, is_asking_for_none, is_asking_for_place, is_asking_for_zero,
    is_blank_zero, is_counting_rows, is_mean_without_zero, is_per,
};
use syntax::prompts::english::queries::{CAN_SHARE, MEANS, PAIRS, SHARED_NAMES};
use words::{has_any, split_words};

pub use unit::{Otherwise, Unit};

/// The words of a question on which a finding depends.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// It is reported unless the question has one of these words or phrases.
    Without(&'static str),
    /// It is reported if the question has one of these words or phrases.
    With(&'static str),
    /// It is reported if the question asks for the rows of a table that a join repeats.
    Unit(Unit),
    /// It is reported unless the question asks for each value of this column.
    NotPer(String),
    /// It is reported unless the question asks for means of groups.
    NotMeans,
    /// It is reported if the question asks for rows without a match, too.
    WithNone,
    /// It is reported if the question asks for 0 in the absence of rows of a table; next to an operator, also if it mentions things without them.
    NullForNone {
        /// The table.
        rows: String,
        /// Whether something is computed with the value.
        in_arithmetic: bool,
    },
    /// It is reported if the question names these values as alternatives: "high or low".
    Choice(Vec<String>),
    /// It is reported if the question counts the rows of this table, and not the values of this column.
    CountsRows(String, String),
    /// It is reported if the question says that a missing value of this column counts as 0.
    BlankIsZero(String),
    /// It is reported if the question asks for a mean, and does not say that something counts as 0.
    BlankIsNotZero,
    /// It is reported if the question asks for a place among values, such as the second highest, and does not say whether equal values count once.
    Place,
}

impl Asked {
    /// Whether it is reported only if the words of a question are known.
    pub fn needs_question(&self) -> bool {
        matches!(
            self,
            Asked::Choice(_) | Asked::CountsRows(..) | Asked::BlankIsZero(_) | Asked::BlankIsNotZero | Asked::Place
        )
    }

    /// Whether a question reports the finding.
    pub fn is_met(&self, question: &str) -> bool {
        match self {
            Asked::Without(words) => !has_any(question, words),
            Asked::With(words) => has_any(question, words),
            Asked::Unit(unit) => !has_any(question, PAIRS) && unit.is_asked(&split_words(question)),
            Asked::NotPer(column) => {
                let is_same_meant = has_any(question, SHARED_NAMES) && !has_any(question, CAN_SHARE);
                !is_per(&split_words(question), column) && !is_same_meant
            }
            Asked::NotMeans => !has_any(question, MEANS) && !has_mean_of_groups(question),
            Asked::WithNone => is_asking_for_none(&split_words(question)),
            Asked::NullForNone { rows, in_arithmetic } => {
                let words = split_words(question);
                is_asking_for_zero(&words) || *in_arithmetic && is_about_none_of(&words, rows)
            }
            Asked::Choice(values) => has_choice(question, values),
            Asked::CountsRows(table, column) => is_counting_rows(question, table, column),
            Asked::BlankIsZero(column) => is_blank_zero(question, column),
            Asked::BlankIsNotZero => is_mean_without_zero(question),
            Asked::Place => is_asking_for_place(question),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::prompts::english::queries::DIFFERENT;

    fn unit(counted: bool, otherwise: Otherwise) -> Asked {
        let (repeated, others) = ("customers".to_owned(), vec!["tbl_orders".to_owned()]);
        Asked::Unit(Unit { repeated, others, counted, otherwise })
    }

    #[test]
    fn counted_rows_are_named_after_the_cue() {
        let asked = unit(true, Otherwise::Silence);
        for (question, met) in [
            ("How many customers placed an order in March?", true),
            ("What is the number of active customers with an order?", true),
            ("How many orders from customers in Mesa are open?", false),
            ("How many of the customers' orders are open?", false),
            ("How many customer orders are open?", false),
            ("How many customers were served?", false),
            ("How many customers are there with an order?", true),
            ("How many are there? Look at customers.", false),
            ("For each order, how many customers are there?", false),
            ("Wie viele Kunden gibt es?", false),
        ] {
            assert_eq!(asked.is_met(question), met, "{question}");
        }
    }

    #[test]
    fn summed_rows_meet_a_condition() {
        for (question, silence, report) in [
            ("What is the total CREDIT of the customers with an open order?", true, true),
            ("What is the total CREDIT of customers who placed an order?", true, true),
            ("What is the total CREDIT over all orders?", false, false),
            ("The sum of CREDIT for each order's customer.", false, false),
            ("What is the total CREDIT?", false, true),
        ] {
            assert_eq!(unit(false, Otherwise::Silence).is_met(question), silence, "{question}");
            assert_eq!(unit(false, Otherwise::Report).is_met(question), report, "{question}");
        }
    }

    #[test]
    fn a_mean_without_zeros() {
        for (question, met) in [
            ("What is the mean of the measured hours? An empty cell means that the recorder was off.", true),
            ("What is the average SCORE?", true),
            ("What is the median RAIN? Nothing was measured where it is empty.", true),
            ("What is the mean RAIN? Empty counts as 0.", false),
            ("What is the mean RAIN? An empty cell stands for a day without rain, zero millimetres.", false),
            ("What is the mean TIP? An empty cell means that there was no tip.", false),
            ("What is the mean TIP? Where it is empty, the guest gave nothing.", false),
            ("How many hours are there?", false),
            ("Wie hoch ist der Durchschnitt?", false),
        ] {
            assert_eq!(Asked::BlankIsNotZero.is_met(question), met, "{question}");
        }
    }

    #[test]
    fn words_and_phrases() {
        assert!(!Asked::Without(DIFFERENT).is_met("How many DIFFERENT cities?"));
        assert!(Asked::Without(DIFFERENT).is_met("How many indifferent cities?"));
        assert!(Asked::With(PAIRS).is_met("Count the pairs."));
        assert!(!Asked::NotPer("NAME".to_owned()).is_met("The total for each NAME"));
        assert!(Asked::NotPer("NAME".to_owned()).is_met("The total for each customer: NAME and total"));
        assert!(!Asked::NotMeans.is_met("The mean of the ships' mean HOURS."));
        assert!(Asked::NotMeans.is_met("What is the average HOURS? Round the average."));
        assert!(Asked::WithNone.is_met("List every customer, including those without orders."));
        assert!(Asked::WithNone.is_met("Count 0 for a customer that has none."));
        assert!(Asked::WithNone.is_met("Customers that never ordered appear with 0."));
        assert!(!Asked::WithNone.is_met("List every customer with orders, including the date."));
    }
}
