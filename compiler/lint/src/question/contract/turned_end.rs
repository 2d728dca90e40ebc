//! Superlatives of a measure of which less is more: the brightest star has the lowest magnitude, and the fastest runner the shortest time.

use super::sql_shape::SqlShape;
use super::tokens::Text;
use sql::lex::Token;
use syntax::prompts::english::turned::{MOMENTS, TURNED};
use syntax::prompts::{Aggregate, End};

/// Says what a question asks for, and that its SQL takes the other end of such a measure.
pub(super) fn check_turned_end(text: &Text<'_>, shape: &SqlShape<'_>) -> Option<String> {
    let aggregate = shape.find_aggregate().filter(|_| shape.aggregates == 1);
    let (tokens, own) = match (&aggregate, shape.find_taken_end()) {
        (Some(found), _) => (&found.argument, find_end(found.aggregate)?),
        (None, Some((term, end))) if shape.aggregates == 0 => (&term.tokens, end),
        _ => return None,
    };
    let column = find_column(tokens)?;
    let words: Vec<&str> = column.split('_').collect();
    let is_moment = words.iter().any(|word| MOMENTS.contains(word));
    let mut found = TURNED.iter().filter(|turned| {
        let is_measure = words.last().is_some_and(|last| turned.measures.contains(last));
        is_measure && text.find_any(&[turned.superlative]).is_some()
    });
    let turned = found.next().filter(|_| found.next().is_none() && !is_moment)?;
    let what = if own == End::High { "highest" } else { "lowest" };
    (own != turned.end).then(|| format!("asks for `{}`, but its SQL takes the {what} `{column}`", turned.superlative))
}

/// The column that some tokens are, in lower case.
fn find_column(tokens: &[Token<'_>]) -> Option<String> {
    match tokens {
        [column] | [_, _, column] if column.is_name() => Some(column.to_unquoted().to_lowercase()),
        _ => None,
    }
}

fn find_end(aggregate: Aggregate) -> Option<End> {
    match aggregate {
        Aggregate::High => Some(End::High),
        Aggregate::Low => Some(End::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superlatives_of_measures_of_which_less_is_more() {
        let is_told = |question: &str, sql: &str| {
            let shape = SqlShape::new(sql).expect("a query");
            check_turned_end(&Text::from_plain(question), &shape).is_some()
        };
        for (question, order, told) in [
            ("Which star is the brightest?", "mag DESC", true),
            ("Which star is the brightest?", "s.mag DESC", true),
            ("Which star is the brightest?", "mag", false),
            ("Which star is the faintest?", "app_magnitude", true),
            ("Who was the fastest?", "finish_time DESC", true),
            ("Who was the fastest?", "finish_time", false),
            ("Who was the fastest?", "speed DESC", false),
            ("Which train was the fastest?", "departure_time DESC", false),
            ("Which lamp is the brightest?", "lumens DESC", false),
            ("Which star is the farthest?", "mag DESC", false),
        ] {
            assert_eq!(is_told(question, &format!("SELECT name FROM t s ORDER BY {order} LIMIT 1")), told, "{order}");
        }
        assert!(is_told("What is the magnitude of the brightest star?", "SELECT MAX(mag) FROM stars"));
        assert!(!is_told("What is the magnitude of the brightest star?", "SELECT MIN(mag) FROM stars"));
    }
}
