//! Composes one text that satisfies several `expect`s.

use model::Singular;
use model::answer_key::Slice;
use model::suite::Matcher;
use model::suite::matchers::Takes;

use super::places;

/// The requirement of one `expect` on a text.
pub struct Part {
    /// The slice of the text that it reads.
    pub slice: Option<Slice>,
    /// The place in the text's JSON that it reads.
    pub at: Option<Singular>,
    /// Whether its forms are JSON of a value that is not a text.
    pub json: bool,
    /// How it compares: the whole text, or a part of it.
    pub matcher: Matcher,
    /// Texts that satisfy it, the best first.
    pub forms: Vec<String>,
}

impl Part {
    /// Whether its form is looked for in a text that may hold more.
    pub fn is_searched(&self) -> bool {
        let record = self.matcher.record();
        record.loose && record.takes != Takes::Texts
    }
}

/// The maximum number of combinations of the parts' forms that are tried.
const MAX_CHOICES: usize = 256;

/// Lists candidate texts, the likeliest first.
pub fn list_candidates(parts: &[Part]) -> impl Iterator<Item = String> {
    let choices: usize =
        parts.iter().map(|part| part.forms.len()).try_fold(1usize, usize::checked_mul).unwrap_or(usize::MAX);
    (0..if parts.is_empty() { 0 } else { choices.min(MAX_CHOICES) }).flat_map(move |choice| {
        let mut rest = choice;
        let chosen: Vec<(&Part, &str)> = parts
            .iter()
            .filter_map(|part| {
                let form = part.forms.get(rest % part.forms.len().max(1))?;
                rest /= part.forms.len().max(1);
                Some((part, form.as_str()))
            })
            .collect();
        build_layouts(&chosen)
    })
}

pub(super) fn build_layouts(chosen: &[(&Part, &str)]) -> Vec<String> {
    if chosen.iter().any(|(part, _)| part.at.is_some()) {
        return places::build_documents(chosen);
    }
    let of = |wanted: fn(&Part) -> bool| chosen.iter().filter(move |(part, _)| wanted(part)).map(|(_, form)| *form);
    let all: Vec<&str> = of(|part| part.slice.is_none()).collect();
    let searched = of(|part| part.slice.is_none() && part.is_searched());
    let last: Vec<&str> = of(|part| matches!(part.slice, Some(Slice::LastLine))).collect();
    let mut lines: Vec<String> = searched.map(str::to_owned).collect();
    // An expectation without a language reads the last block of all, so its block comes last.
    let fenced = |named: bool| {
        chosen.iter().filter_map(move |(part, form)| match &part.slice {
            Some(Slice::Fenced(language)) if language.is_some() == named => {
                Some(render_block(language.as_deref().unwrap_or_default(), form))
            }
            _ => None,
        })
    };
    lines.extend(fenced(true).chain(fenced(false)));
    lines.extend(build_enclosed(chosen));
    let marked = chosen.iter().filter_map(|(part, form)| match &part.slice {
        Some(Slice::After(mark)) => Some(format!("{mark} {form}")),
        _ => None,
    });
    lines.extend(marked);
    let mut out = Vec::new();
    let mut push = |text: String| {
        if !out.contains(&text) {
            out.push(text);
        }
    };
    let joined = lines.join("\n");
    if chosen.len() == 1 && !all.is_empty() {
        push(all.join("\n"));
    }
    if last.is_empty() {
        push(joined);
    } else {
        push([&lines[..], &[last[0].to_owned()]].concat().join("\n"));
        push(joined);
    }
    // A text for one expectation on everything may satisfy all.
    for text in &all {
        push((*text).to_owned());
        push(render_block("", text));
        push(format!("{}\n{text}", lines.join("\n")));
    }
    out.retain(|text| !text.is_empty());
    out
}

/// Builds the parts that are between two marks. What several expectations ask for in the same part is in one.
fn build_enclosed(chosen: &[(&Part, &str)]) -> Vec<String> {
    let mut slices: Vec<&Slice> = Vec::new();
    for (part, _) in chosen {
        if let Some(slice @ (Slice::Tag(_) | Slice::Between(..))) = &part.slice
            && !slices.contains(&slice)
        {
            slices.push(slice);
        }
    }
    let build = |slice: &Slice| {
        let here = || chosen.iter().filter(|(part, _)| part.slice.as_ref() == Some(slice));
        // Texts that are searched can be next to each other; any other one must be all of the part.
        let whole = here().find(|(part, _)| !part.matcher.record().loose).map(|(_, form)| (*form).to_owned());
        let text = whole.unwrap_or_else(|| here().map(|(_, form)| *form).collect::<Vec<_>>().join("\n"));
        enclose_text(slice, &text)
    };
    slices.into_iter().map(build).collect()
}

/// Puts a text into a part of a reply that is between two marks; for any other part, it stays as it is.
pub fn enclose_text(slice: &Slice, text: &str) -> String {
    match slice {
        Slice::Tag(name) => format!("<{name}>{text}</{name}>"),
        Slice::Between(open, close) => format!("{open}{text}{close}"),
        _ => text.to_owned(),
    }
}

/// Renders a fenced block; the fence is longer than any in the text.
fn render_block(language: &str, body: &str) -> String {
    let mut fence = "```".to_owned();
    while body.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{body}\n{fence}")
}
