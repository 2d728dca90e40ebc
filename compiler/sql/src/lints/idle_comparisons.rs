//! `impossible_predicate` and `vacuous_predicate` for comparisons that no row decides, in SQL of data sets, whose other comparisons are not judged: with the literal NULL, and of a
//! text that a function returns with a number.

use model::Value;
use model::suite::Op;

use super::findings::Finding;
use crate::predicates::{Atom, Operand, Predicates, Side, Test};
use crate::terms::{Operator, Term};
use syntax::diagnostics::{Code, Diagnostic};

/// Functions that return texts. A column of texts is converted before it is compared with a number, but not a text of a function.
const OF_TEXTS: &str =
    "strftime date time datetime substr substring upper lower trim ltrim rtrim replace printf format hex";

/// Finds comparisons that are the same for every row.
pub fn find_idle_comparisons(predicates: &Predicates) -> Vec<Finding> {
    predicates
        .atoms
        .iter()
        .filter_map(|atom| {
            find_compared_null(atom).or_else(|| find_compared_text(atom)).or_else(|| find_short_text(atom))
        })
        .collect()
}

/// Finds `x = NULL` and `x <> NULL`, which are never true.
fn find_compared_null(atom: &Atom) -> Option<Finding> {
    let is_null = |side: &Operand| matches!(side.value, Side::Literal(Value::Null));
    let Test::Compare(op, left, right) = &atom.test else { return None };
    if !is_null(left) && !is_null(right) {
        return None;
    }
    let (written, meant) = if *op == Op::Eq { ("= NULL", "IS NULL") } else { ("<> NULL", "IS NOT NULL") };
    let said = Diagnostic::new(
        Code::IMPOSSIBLE_PREDICATE,
        format!("a comparison with NULL, such as `{written}`, is never true"),
        atom.span,
        "never",
    );
    Some(Finding::new_unconditional(said.help(format!("write `{meant}`"))))
}

/// Finds `strftime('%Y', DAY) = 2023`: to SQLite, any text is above all numbers.
fn find_compared_text(atom: &Atom) -> Option<Finding> {
    let (compared, op) = match &atom.test {
        Test::Compare(op, left, right) => match (find_call(left), find_call(right)) {
            (Some(call), None) if is_number(right) => (call, *op),
            (None, Some(call)) if is_number(left) => (call, op.swap_sides()),
            _ => return None,
        },
        Test::Between { value, low, high } if is_number(low) && is_number(high) => (find_call(value)?, Op::Lt),
        Test::In { value, items } if items.iter().all(is_number) => (find_call(value)?, Op::Eq),
        _ => return None,
    };
    let is_met = matches!(op, Op::Ne | Op::Gt | Op::Ge) != atom.negated;
    let (code, often) = match is_met {
        true => (Code::VACUOUS_PREDICATE, "always"),
        false => (Code::IMPOSSIBLE_PREDICATE, "never"),
    };
    let message = format!("a comparison of `{compared}`, which returns text, with a number is {often} true");
    let help = "write the number as text, such as `'2023'`, or convert the text: `CAST(… AS INTEGER)`";
    Some(Finding::new_unconditional(Diagnostic::new(code, message, atom.span, often).help(help)))
}

/// Finds `strftime('%m', DAY) = '3'`: the month is `03`.
fn find_short_text(atom: &Atom) -> Option<Finding> {
    let Test::Compare(op @ (Op::Eq | Op::Ne), left, right) = &atom.test else { return None };
    let read = |call: &Operand, value: &Operand| match (&call.value, &value.value) {
        (Side::Computed(term), Side::Literal(Value::Text(text))) => match term.as_ref() {
            Term::Call(name, args) if name == "strftime" => match args.first()? {
                Term::Literal(Value::Text(format)) => Some((format.clone(), text.clone())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let (format, text) = read(left, right).or_else(|| read(right, left))?;
    let length = count_characters(&format).filter(|length| *length != text.chars().count())?;
    let is_met = (*op == Op::Ne) != atom.negated;
    let (code, often) = match is_met {
        true => (Code::VACUOUS_PREDICATE, "always"),
        false => (Code::IMPOSSIBLE_PREDICATE, "never"),
    };
    let message =
        format!("`strftime('{format}', …)` has {length} characters, so a comparison with '{text}' is {often} true");
    Some(Finding::new_unconditional(
        Diagnostic::new(code, message, atom.span, often).help("write leading zeros: `'03'`"),
    ))
}

/// The number of characters that a format of `strftime` returns, if it is always the same.
fn count_characters(format: &str) -> Option<usize> {
    let mut chars = format.chars();
    let mut length = 0;
    while let Some(first) = chars.next() {
        length += match first {
            '%' => match chars.next()? {
                'd' | 'H' | 'I' | 'm' | 'M' | 'S' | 'W' | 'U' | 'V' => 2,
                'j' => 3,
                'Y' | 'G' => 4,
                'F' => 10,
                'w' | 'u' | '%' => 1,
                _ => return None,
            },
            _ => 1,
        };
    }
    Some(length)
}

/// The name of the function of texts that a side is.
fn find_call(side: &Operand) -> Option<&str> {
    let Side::Computed(term) = &side.value else { return None };
    match term.as_ref() {
        Term::Call(name, _) if syntax::prompts::has_listed(OF_TEXTS, name) => Some(name),
        Term::Operator(Operator::Concatenate, _) => Some("||"),
        _ => None,
    }
}

fn is_number(side: &Operand) -> bool {
    matches!(side.value, Side::Literal(Value::Int(_) | Value::Float(_) | Value::Decimal(_)))
}
