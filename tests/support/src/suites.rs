//! Suites compiled in memory, and their diagnostics.

use api::Memory;
use compiler::Compiled;
use compiler::diagnostics::Severity;

/// The path of the source in [`compile_text`].
pub const SOURCE: &str = "s.pcd";

/// Builds a suite with these settings (such as `samples 40`) and one task with this body, whose first line is line 3.
pub fn build_suite_source(settings: &str, body: &str) -> String {
    format!("suite s {{ title \"S\" version \"1\" {settings} }}\ntask q {{\n{body}\n}}\n")
}

/// Compiles a source that uses no files.
pub fn compile_text(text: &str) -> Compiled {
    compile_with(text, &[])
}

/// Compiles a source that uses these files, given as (path, content).
pub fn compile_with(text: &str, files: &[(&str, &[u8])]) -> Compiled {
    let mut host = Memory::new(files.iter().copied());
    host.insert_file(SOURCE, text);
    compiler::compile(SOURCE, &host)
}

/// Removes the warnings: for tests of the meaning of a suite, whose questions need not be good.
pub fn keep_errors(mut compiled: Compiled) -> Compiled {
    compiled.diagnostics.retain(|said| said.severity() == Severity::Error);
    compiled
}

/// Returns the codes of all diagnostics, by place.
pub fn list_codes(compiled: &Compiled) -> Vec<&'static str> {
    compiled.diagnostics.iter().map(|said| said.code.id).collect()
}

/// Returns all diagnostics in the form `E0203 at 9:31`: code, line, and column.
pub fn list_places(compiled: &Compiled) -> Vec<String> {
    let place = |said: &compiler::diagnostics::Diagnostic| {
        let start = compiled.sources.start_position(said.primary.span);
        format!("{} at {}:{}", said.code.id, start.line, start.column)
    };
    compiled.diagnostics.iter().map(place).collect()
}
