//! Suites compiled in memory, and what is said of them.

use api::Memory;
use compiler::Compiled;
use compiler::diagnostics::Severity;

/// The path of the source that [`compile_text`] gives to the compiler.
pub const SOURCE: &str = "s.pcd";

/// A suite with these settings (`samples 40`) and one task with this body, whose first line is line 3.
pub fn build_suite_source(settings: &str, body: &str) -> String {
    format!("suite s {{ title \"S\" version \"1\" {settings} }}\ntask q {{\n{body}\n}}\n")
}

/// Compiles a source that uses no files.
pub fn compile_text(text: &str) -> Compiled {
    compile_with(text, &[])
}

/// Compiles a source that uses these files, as (path, content).
pub fn compile_with(text: &str, files: &[(&str, &[u8])]) -> Compiled {
    let mut host = Memory::new(files.iter().copied());
    host.insert_file(SOURCE, text);
    compiler::compile(SOURCE, &host)
}

/// The same without warnings: for tests of what a suite means, whose questions need not be good ones.
pub fn keep_errors(mut compiled: Compiled) -> Compiled {
    compiled.diagnostics.retain(|said| said.severity() == Severity::Error);
    compiled
}

/// The codes of all diagnostics, by place.
pub fn list_codes(compiled: &Compiled) -> Vec<&'static str> {
    compiled.diagnostics.iter().map(|said| said.code.id).collect()
}

/// All diagnostics as `E0203 at 9:31`: code, line, and column.
pub fn list_places(compiled: &Compiled) -> Vec<String> {
    let place = |said: &compiler::diagnostics::Diagnostic| {
        let start = compiled.sources.start_position(said.primary.span);
        format!("{} at {}:{}", said.code.id, start.line, start.column)
    };
    compiled.diagnostics.iter().map(place).collect()
}
