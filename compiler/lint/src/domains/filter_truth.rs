//! Whether a condition in a filter of JSONPath or XPath can be true, and whether it can be false.

use model::Value;
use model::suite::Op;

use super::filter_sides::{Class, Kind, SideFacts, infer_side};
use hir::facts::{Fact, Facts};
use hir::paths::condition::{Condition, Language, Operand, Pattern, Test};
use hir::paths::json::count_matches;
use hir::terms::{Known, Texts, compare_known, match_texts};
use sql::terms::MatchKind;

/// The possible results of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Possible {
    pub is_true: bool,
    pub is_false: bool,
}

impl Possible {
    const ANY: Possible = Possible { is_true: true, is_false: true };
    const NEVER: Possible = Possible { is_true: false, is_false: true };
    const ALWAYS: Possible = Possible { is_true: true, is_false: false };

    fn join(self, other: Possible) -> Possible {
        Possible { is_true: self.is_true || other.is_true, is_false: self.is_false || other.is_false }
    }
}

/// The maximum number of texts that are compared with a regular expression.
const MAX_TEXTS: u128 = 20_000;

/// Judges a condition. `None` if nothing is known of a side.
pub fn judge_condition<L>(facts: &Facts<'_>, condition: &Condition<L>) -> Option<Possible> {
    let side = |operand: &Operand| infer_side(facts, operand, condition.language);
    match &condition.test {
        Test::Exists(operand) => {
            let Operand::Values(reached) = operand else { return None };
            Some(Possible { is_true: true, is_false: reached.optional || reached.leaves.is_empty() })
        }
        Test::Compare(op, left, right) => {
            let (a, b) = (side(left)?, side(right)?);
            // Literals alone are not about the data.
            if a.literal && b.literal {
                return None;
            }
            Some(compare_sides(*op, &a, &b, condition.language))
        }
        Test::Matches(operand, pattern, text) => judge_pattern(&side(operand)?, *pattern, text),
    }
}

fn compare_sides(op: Op, a: &SideFacts<'_>, b: &SideFacts<'_>, language: Language) -> Possible {
    let compare = match language {
        Language::Json => compare_in_json,
        Language::XPath => compare_in_xpath,
    };
    let mut all: Option<Possible> = None;
    for one in &a.kinds {
        for other in &b.kinds {
            let next = compare(op, (a, one), (b, other));
            all = Some(all.map_or(next, |all| all.join(next)));
        }
    }
    let mut all = all.unwrap_or(Possible::ANY);
    if a.several || b.several {
        all.is_false = true;
    }
    match (a.absent || b.absent, language) {
        (false, _) => all,
        (true, Language::XPath) => compare_missing_in_xpath(op, all, (a, b)),
        (true, Language::Json) => all.join(compare_absent_in_json(op, a, b)),
    }
}

/// A node that is missing equals nothing, and differs from nothing; a null in XML may also be an empty text.
fn compare_missing_in_xpath(op: Op, all: Possible, (a, b): (&SideFacts<'_>, &SideFacts<'_>)) -> Possible {
    let is_empty_text = |side: &SideFacts<'_>| {
        side.kinds.iter().any(|kind| kind.known.fact.as_single_value() == Some(&Value::from_text("")))
    };
    let with_bool = a.kinds.iter().chain(&b.kinds).any(|kind| kind.class == Class::Bool);
    if with_bool || is_empty_text(a) || is_empty_text(b) {
        return Possible::ANY;
    }
    Possible { is_true: all.is_true || op == Op::Ne, is_false: true }
}

/// A null or missing value differs from every other value, and is neither less nor greater.
fn compare_absent_in_json(op: Op, a: &SideFacts<'_>, b: &SideFacts<'_>) -> Possible {
    let null = |side: &SideFacts<'_>| side.absent || side.kinds.iter().any(|kind| kind.class == Class::Null);
    if null(a) && null(b) {
        return Possible::ANY;
    }
    if op == Op::Ne { Possible::ALWAYS } else { Possible::NEVER }
}

fn compare_in_json(op: Op, (_, a): (&SideFacts<'_>, &Kind<'_>), (_, b): (&SideFacts<'_>, &Kind<'_>)) -> Possible {
    if a.class != b.class {
        return if op == Op::Ne { Possible::ALWAYS } else { Possible::NEVER };
    }
    match (a.class, op) {
        (Class::Text | Class::Number, _) => compare_values(op, &a.known, &b.known),
        (Class::Bool, Op::Eq | Op::Ne) => compare_values(op, &a.known, &b.known),
        (Class::Bool, Op::Lt | Op::Gt) => Possible::NEVER,
        _ => Possible::ANY,
    }
}

fn compare_values(op: Op, a: &Known<'_>, b: &Known<'_>) -> Possible {
    if a.fact.is_empty() || b.fact.is_empty() {
        return Possible::ANY;
    }
    let outcomes = compare_known(op, &without_null(a), &without_null(b));
    Possible { is_true: outcomes.is_true, is_false: outcomes.is_false }
}

fn without_null<'a>(known: &Known<'a>) -> Known<'a> {
    Known { fact: Fact { nullable: false, ..known.fact.clone() }, ..known.clone() }
}

fn compare_in_xpath(
    op: Op,
    (a_side, a): (&SideFacts<'_>, &Kind<'_>),
    (b_side, b): (&SideFacts<'_>, &Kind<'_>),
) -> Possible {
    let is_bool = |side: &SideFacts<'_>, kind: &Kind<'_>| side.literal && kind.class == Class::Bool;
    if is_bool(a_side, a) || is_bool(b_side, b) {
        return compare_with_bool(op, (a_side, a), (b_side, b));
    }
    let is_number = |side: &SideFacts<'_>, kind: &Kind<'_>| side.literal && kind.class == Class::Number;
    let by_number = !matches!(op, Op::Eq | Op::Ne) || is_number(a_side, a) || is_number(b_side, b);
    if !by_number {
        return match (as_written(a), as_written(b)) {
            (Some(a), Some(b)) => compare_values(op, &a, &b),
            _ => Possible::ANY,
        };
    }
    match (as_numbers(a), as_numbers(b)) {
        (Some(Numbers::None), _) | (_, Some(Numbers::None)) => {
            if op == Op::Ne {
                Possible::ALWAYS
            } else {
                Possible::NEVER
            }
        }
        (Some(Numbers::All(a)), Some(Numbers::All(b))) => compare_values(op, &a, &b),
        _ => Possible::ANY,
    }
}

/// `@paid = true()`: a path is true wherever it leads to a node, whatever its text is.
fn compare_with_bool(
    op: Op,
    (a_side, a): (&SideFacts<'_>, &Kind<'_>),
    (b_side, b): (&SideFacts<'_>, &Kind<'_>),
) -> Possible {
    let (literal, side) = if a_side.literal { (a, b_side) } else { (b, a_side) };
    let Some(Value::Bool(wanted)) = literal.known.fact.as_single_value() else { return Possible::ANY };
    if side.absent || !matches!(op, Op::Eq | Op::Ne) {
        return Possible::ANY;
    }
    if *wanted == (op == Op::Eq) { Possible::ALWAYS } else { Possible::NEVER }
}

/// The numbers that texts are converted to.
enum Numbers<'a> {
    /// No text is a number.
    None,
    /// All values are numbers.
    All(Box<Known<'a>>),
}

fn as_numbers<'a>(kind: &Kind<'a>) -> Option<Numbers<'a>> {
    match kind.class {
        Class::Number => Some(Numbers::All(Box::new(kind.known.clone()))),
        Class::Bool => Some(Numbers::None),
        Class::Text if kind.of_time => Some(Numbers::None),
        Class::Text => {
            let values = kind.known.fact.closed.as_ref().filter(|values| !values.is_empty())?;
            let numbers: Vec<Option<f64>> = values.iter().map(read_number).collect();
            if numbers.iter().all(Option::is_none) {
                return Some(Numbers::None);
            }
            let numbers: Vec<Value> =
                numbers.into_iter().collect::<Option<Vec<f64>>>()?.into_iter().map(Value::Float).collect();
            Some(Numbers::All(Box::new(Known::from_fact(Fact::from_values(&numbers)))))
        }
        Class::Null | Class::Compound => None,
    }
}

/// The number that XPath reads in a text.
fn read_number(value: &Value) -> Option<f64> {
    let text = value.as_text()?.trim_matches([' ', '\t', '\r', '\n']);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && digits != ".";
    if plain { text.parse().ok() } else { None }
}

/// The texts as which values are written.
fn as_written<'a>(kind: &Kind<'a>) -> Option<Known<'a>> {
    match kind.class {
        Class::Text => Some(kind.known.clone()),
        Class::Bool => {
            let words = ["true", "false"].map(Value::from_text);
            Some(Known::from_fact(Fact::from_values(&words)))
        }
        Class::Number if kind.whole => {
            let values = kind.known.fact.closed.as_ref().filter(|values| !values.is_empty())?;
            let written = values.iter().map(|value| Value::from_text(value.render_text()));
            Some(Known::from_fact(Fact::from_values(written)))
        }
        Class::Number | Class::Null | Class::Compound => None,
    }
}

fn judge_pattern(side: &SideFacts<'_>, pattern: Pattern, text: &str) -> Option<Possible> {
    let mut all: Option<Possible> = None;
    for kind in &side.kinds {
        let next = match pattern {
            Pattern::Whole | Pattern::Part if kind.class != Class::Text => Possible::NEVER,
            Pattern::Whole | Pattern::Part => judge_regex(&kind.known, text, pattern)?,
            Pattern::Contains | Pattern::Start => judge_part(&as_written(kind)?, text, pattern)?,
        };
        all = Some(all.map_or(next, |all| all.join(next)));
    }
    let all = all?;
    // Nothing contains only the empty text.
    Some(Possible { is_false: all.is_false || side.absent || side.several, ..all })
}

fn judge_part(known: &Known<'_>, text: &str, pattern: Pattern) -> Option<Possible> {
    if text.is_empty() {
        return Some(Possible::ALWAYS);
    }
    let part: String = text.chars().map(|c| if "*?[".contains(c) { format!("[{c}]") } else { c.to_string() }).collect();
    let glob = if pattern == Pattern::Contains { format!("*{part}*") } else { format!("{part}*") };
    let (is_true, is_false) = match_texts(&known.to_texts()?, &glob, MatchKind::Glob)?;
    Some(Possible { is_true, is_false })
}

fn judge_regex(known: &Known<'_>, regex: &str, pattern: Pattern) -> Option<Possible> {
    let listed = known.fact.closed.clone().filter(|values| !values.is_empty());
    let values = match (listed, &known.texts) {
        (Some(values), _) => values,
        (None, Some(Texts::Domain(domain))) if domain.cardinality()? <= MAX_TEXTS => domain.list_values()?,
        _ => return None,
    };
    let matched = count_matches(&values, regex, pattern)?;
    Some(Possible { is_true: matched > 0, is_false: matched < values.len() })
}
