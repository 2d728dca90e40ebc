//! Edits that can be applied together.

use compiler::Sources;
use compiler::diagnostics::{Edit, Fix};
use model::span::Span;

/// Selects the fixes that do not conflict, in source order; of two conflicting fixes, the first wins. A fix is applied completely or not at all.
pub fn select_disjoint<'f>(fixes: &[(String, &'f Fix)], sources: &Sources) -> Vec<(String, &'f Fix)> {
    let first = |fix: &Fix| fix.edits.iter().map(|edit| edit.span).min();
    let mut ordered: Vec<&(String, &Fix)> = fixes.iter().collect();
    ordered.sort_by_key(|(_, fix)| first(fix));
    let mut taken: Vec<Span> = Vec::new();
    let mut chosen = Vec::new();
    for (words, fix) in ordered {
        let free =
            |edit: &Edit| taken.iter().all(|other| !is_overlapping(edit.span, *other)) && has_valid_span(edit, sources);
        if fix.edits.iter().all(free) {
            taken.extend(fix.edits.iter().map(|edit| edit.span));
            chosen.push((words.clone(), *fix));
        }
    }
    chosen
}

/// Whether two edits share a byte, or their order would matter.
fn is_overlapping(a: Span, b: Span) -> bool {
    let empty = a.start == a.end || b.start == b.end;
    let apart = if empty { a.end < b.start || b.end < a.start } else { a.end <= b.start || b.end <= a.start };
    a.file == b.file && !apart
}

fn has_valid_span(edit: &Edit, sources: &Sources) -> bool {
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    sources.get(edit.span.file).is_some_and(|source| source.text.get(start..end).is_some())
}

#[cfg(test)]
mod tests {
    use compiler::diagnostics::{Applicability, apply_fixes};
    use model::SourceId;
    use proptest::prelude::*;

    use super::*;

    fn replace(ranges: &[(u32, u32, &str)]) -> Fix {
        let edit = |(start, end, text): &(u32, u32, &str)| Edit {
            span: Span::new(SourceId(0), *start, *end),
            text: (*text).to_owned(),
        };
        Fix { message: String::new(), applicability: Applicability::Safe, edits: ranges.iter().map(edit).collect() }
    }

    fn made(text: &str, fixes: &[Fix]) -> (Vec<String>, String) {
        let mut sources = Sources::default();
        let file = sources.add_source("a.pcd", text);
        let named: Vec<(String, &Fix)> =
            fixes.iter().enumerate().map(|(index, fix)| (index.to_string(), fix)).collect();
        let chosen = select_disjoint(&named, &sources);
        let fixes: Vec<&Fix> = chosen.iter().map(|(_, fix)| *fix).collect();
        let mut texts = apply_fixes(&fixes, &sources).expect("they fit");
        (chosen.into_iter().map(|(name, _)| name).collect(), texts.remove(&file).unwrap_or_else(|| text.to_owned()))
    }

    #[test]
    fn the_first_of_two_that_overlap_wins_and_a_fix_goes_as_a_whole() {
        let fixes = [
            replace(&[(4, 7, "TWO")]),
            replace(&[(0, 3, "ONE"), (6, 8, "-")]),
            replace(&[(6, 9, "late")]),
            replace(&[(13, 13, "!")]),
            replace(&[(99, 100, "outside")]),
        ];
        assert_eq!(made("one two three", &fixes), (vec!["1".into(), "3".into()], "ONE tw-three!".into()));
        assert_eq!(made("ab", &[replace(&[(1, 1, "x")]), replace(&[(1, 1, "y")])]).1, "axb");
        assert_eq!(made("é", &[replace(&[(1, 2, "x")])]).1, "é");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// What no edit covers stays, in its order.
        #[test]
        fn only_what_is_covered_changes(ranges in prop::collection::vec((0u32..30, 0u32..6), 0..6)) {
            let text: String = ('A'..='~').take(30).collect();
            let fixes: Vec<Fix> = ranges.iter().map(|(start, long)| replace(&[(*start, (start + long).min(30), "·")])).collect();
            let (chosen, changed) = made(&text, &fixes);
            let kept: String = (0u32..).zip(text.chars()).filter(|(at, _)| {
                chosen.iter().filter_map(|name| ranges.get(name.parse::<usize>().ok()?)).all(|(start, long)| *at < *start || *at >= start + long)
            }).map(|(_, letter)| letter).collect();
            prop_assert_eq!(changed.replace('·', ""), kept);
            prop_assert_eq!(changed.matches('·').count(), chosen.len());
        }
    }
}
