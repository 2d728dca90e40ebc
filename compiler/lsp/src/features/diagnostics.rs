//! Diagnostics: published for each version of a text, and returned on request.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use compiler::diagnostics::{Code, Diagnostic, Label, Severity};
use gen_lsp_types as lsp;
use lsp_server::Notification;

use crate::analysis::Analysis;
use crate::edits::is_superseded;
use crate::state::State;
use crate::uri;

/// The notifications for an editor that does not request diagnostics: the diagnostics of every file whose version or diagnostics changed since the last
/// notification.
pub fn collect_diagnostic_notifications(state: &mut State) -> Vec<Notification> {
    if state.client.pulls {
        return Vec::new();
    }
    let open: Vec<String> = state.workspace.documents.keys().cloned().collect();
    let mut now: BTreeMap<String, Vec<lsp::Diagnostic>> = BTreeMap::new();
    let mut sent = Vec::new();
    let mut compiled: BTreeSet<String> = BTreeSet::new();
    for path in open {
        let said = catch_panic(|| {
            let root = state.workspace.resolve_root(&path);
            let is_new = compiled.insert(root.clone());
            if is_new { group_by_file(&state.workspace.compile_suite(&root)) } else { BTreeMap::new() }
        });
        let said = said.unwrap_or_else(|why| {
            let words = describe_panic(why.as_ref());
            sent.push(build_log_message(&format!("the compiler failed on {path}: {words}")));
            BTreeMap::from([(path, vec![build_failure_diagnostic(words)])])
        });
        for (path, said) in said {
            let known = now.entry(path).or_default();
            // Several suites may use the same file.
            for diagnostic in said {
                if !known.contains(&diagnostic) {
                    known.push(diagnostic);
                }
            }
        }
    }
    for path in state.published.keys() {
        now.entry(path.clone()).or_default();
    }
    for (path, diagnostics) in now {
        let document = state.workspace.documents.get(&path);
        let version = document.map(|document| document.version);
        let before = state.published.get(&path);
        // An editor waits for an empty list when a file has no problems, and for a list for each version, because it shifts the shown ranges as somebody types.
        let told = before.is_some_and(|(last, before)| *last == version && *before == diagnostics);
        if told || (before.is_none() && diagnostics.is_empty() && document.is_none()) {
            continue;
        }
        let params = lsp::PublishDiagnosticsParams {
            uri: document.map_or_else(|| uri::from_path(&path), |document| document.uri.clone()),
            version,
            diagnostics: diagnostics.clone(),
        };
        if let Ok(params) = serde_json::to_value(params) {
            sent.push(Notification { method: "textDocument/publishDiagnostics".to_owned(), params });
        }
        if diagnostics.is_empty() && document.is_none() {
            state.published.remove(&path);
        } else {
            state.published.insert(path, (version, diagnostics));
        }
    }
    sent
}

/// Returns the diagnostics of a document, and of the other files of its suite.
pub fn handle_document_diagnostic(
    state: &mut State,
    params: lsp::DocumentDiagnosticParams,
) -> lsp::DocumentDiagnosticReport {
    let path = uri::to_path(&params.text_document.uri);
    let said = catch_panic(|| group_by_file(&state.workspace.analyze_file(&path)));
    let mut files = said.unwrap_or_else(|why| {
        BTreeMap::from([(path.clone(), vec![build_failure_diagnostic(describe_panic(why.as_ref()))])])
    });
    let items = files.remove(&path).unwrap_or_default();
    let related: HashMap<lsp::Uri, lsp::RelatedDocument> = files
        .into_iter()
        // The editor requests the diagnostics of open files itself.
        .filter(|(path, _)| !state.workspace.documents.contains_key(path))
        .map(|(path, items)| {
            (uri::from_path(&path), lsp::FullDocumentDiagnosticReport { result_id: None, items }.into())
        })
        .collect();
    let report = lsp::RelatedFullDocumentDiagnosticReport {
        related_documents: (!related.is_empty()).then_some(related),
        full_document_diagnostic_report: lsp::FullDocumentDiagnosticReport { result_id: None, items },
    };
    report.into()
}

/// Runs the work. Fails with its panic, unless that is a cancellation.
fn catch_panic<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|why| {
        if is_superseded(why.as_ref()) {
            // The caller that set the limit handles the cancellation.
            resume_unwind(why);
        }
        why
    })
}

/// The message of a panic.
pub fn describe_panic(why: &(dyn Any + Send)) -> &str {
    let text = why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
    text.unwrap_or("it does not say why")
}

/// Builds the diagnostic for a document on which the compiler panicked.
fn build_failure_diagnostic(words: &str) -> lsp::Diagnostic {
    let message = format!(
        "picardc itself failed on this text, so nothing else is said of it: {words}\nhelp: this is a defect of picardc; please report it, with the file"
    );
    lsp::Diagnostic {
        range: lsp::Range::default(),
        severity: Some(lsp::DiagnosticSeverity::Error),
        source: Some("picardc".to_owned()),
        message: message.into(),
        ..lsp::Diagnostic::default()
    }
}

/// Builds a message for the editor's log.
pub fn build_log_message(message: &str) -> Notification {
    let params = serde_json::json!({ "type": 1, "message": format!("picardc: {message}") });
    Notification { method: "window/logMessage".to_owned(), params }
}

/// The diagnostics of a suite, grouped by the author's files.
fn group_by_file(analysis: &Analysis) -> BTreeMap<String, Vec<lsp::Diagnostic>> {
    let own = analysis.sources().iter().filter(|(_, source)| !source.library);
    let mut files: BTreeMap<String, Vec<lsp::Diagnostic>> =
        own.map(|(_, source)| (source.path.clone(), Vec::new())).collect();
    for said in select_diagnostics(analysis) {
        let path = analysis.source(said.primary.span.file).map(|source| source.path.clone());
        if let (Some(path), Some(diagnostic)) = (path, translate_diagnostic(analysis, said)) {
            files.entry(path).or_default().push(diagnostic);
        }
    }
    files
}

/// The diagnostics of a suite, with those of drawn samples if they were drawn. A file of shared declarations that no suite uses yet is not reported for a missing `suite`.
pub fn select_diagnostics(analysis: &Analysis) -> impl Iterator<Item = &Diagnostic> {
    let part = is_part(analysis);
    let compiled = &analysis.analysed.compiled;
    let observed = analysis.observed.get().into_iter().flatten();
    compiled.diagnostics.iter().chain(observed).filter(move |said| {
        let no_suite = compiled.hir.is_none() && said.code == Code::MISSING_PART && said.primary.span.end == 0;
        !(part && no_suite)
    })
}

/// Whether the root is a file for use by others: it has declarations, but neither a suite nor a task.
fn is_part(analysis: &Analysis) -> bool {
    use compiler::query::Kind;
    let declared = analysis.list_declarations(model::SourceId(0));
    !declared.is_empty() && declared.iter().all(|item| !matches!(item.kind, Kind::Suite | Kind::Task))
}

/// Converts a diagnostic to the protocol's form.
pub fn translate_diagnostic(analysis: &Analysis, said: &Diagnostic) -> Option<lsp::Diagnostic> {
    let mut message = said.message.clone();
    if !said.primary.message.is_empty() {
        message.push_str(&format!(" ({})", said.primary.message));
    }
    for (word, text) in said.iter_notes() {
        message.push_str(&format!("\n{word}: {text}"));
    }
    let related: Vec<lsp::DiagnosticRelatedInformation> =
        said.secondary.iter().filter_map(|label| build_related_information(analysis, label)).collect();
    Some(lsp::Diagnostic {
        range: analysis.find_range(said.primary.span)?,
        severity: Some(match said.severity() {
            Severity::Error => lsp::DiagnosticSeverity::Error,
            Severity::Warning => lsp::DiagnosticSeverity::Warning,
        }),
        code: Some(said.code.id.to_owned().into()),
        code_description: Some(lsp::CodeDescription { href: uri::build_page_uri(said.code.id) }),
        source: Some("picardc".to_owned()),
        message: message.into(),
        tags: (said.code.name.starts_with("unused")).then(|| vec![lsp::DiagnosticTag::Unnecessary]),
        related_information: (!related.is_empty()).then_some(related),
        data: Some(match &said.observed {
            None => serde_json::json!({ "name": said.code.name }),
            Some(observed) => serde_json::json!({ "name": said.code.name, "observed": observed }),
        }),
    })
}

fn build_related_information(analysis: &Analysis, label: &Label) -> Option<lsp::DiagnosticRelatedInformation> {
    let location = analysis.find_location(label.span)?;
    Some(lsp::DiagnosticRelatedInformation { location, message: label.message.clone() })
}
