//! What holds of every text that can be read.

use compiler::ast::{File, SourceId};
use compiler::fmt::{self, Refusal, render_meaning};
use compiler::parse::parse_library;

/// Formats a text, and checks it: it means the same, has the same comments, and stays as it is. `Ok(None)` where it cannot be read.
pub fn hold(source: &str) -> Result<Option<String>, String> {
    let text = fmt::normalize_text(source);
    let (before, diagnostics) = parse_library(&text, SourceId(0));
    let after = match fmt::format_source(source) {
        Ok(_) if !diagnostics.is_empty() => return Err("a text with mistakes was formatted".to_owned()),
        Ok(after) => after,
        Err(Refusal::Mistakes(said)) if said == diagnostics && !said.is_empty() => return Ok(None),
        Err(said) => return Err(format!("not formatted: {said:?}")),
    };
    let (read, diagnostics) = parse_library(&after, SourceId(0));
    let fail = |why: &str| Err(format!("{why}\n--- before\n{text}\n--- after\n{after}"));
    if !diagnostics.is_empty() {
        return fail(&format!("it cannot be read any more: {diagnostics:?}"));
    }
    if comments(&before, &text) != comments(&read, &after) {
        return fail("the comments are not the same");
    }
    let (meant, means) = (render_meaning(before), render_meaning(read));
    if meant != means {
        return fail(&format!("it means something else: {}", difference(&meant, &means)));
    }
    match fmt::format_source(&after) {
        Ok(twice) if twice == after => {}
        Ok(twice) => return fail(&format!("it is not stable: {}", difference(&after, &twice))),
        Err(said) => return fail(&format!("not formatted again: {said:?}")),
    }
    if after.contains('\r') && !text.contains('\r') || !after.is_empty() && !after.ends_with('\n') {
        return fail("its lines do not end as they should");
    }
    Ok(Some(after))
}

/// The comments, in order.
fn comments(file: &File, text: &str) -> Vec<String> {
    file.comments.iter().map(|span| text[span.start as usize..span.end as usize].to_owned()).collect()
}

/// Both from where they differ.
fn difference(a: &str, b: &str) -> String {
    let at = a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map_or(a.len().min(b.len()), |((at, _), _)| at);
    let show =
        |text: &str| text[..].chars().skip(a[..at].chars().count().saturating_sub(40)).take(160).collect::<String>();
    format!("\n{:?}\n{:?}", show(a), show(b))
}
