//! A compiled suite and its identity.

use compiler::diagnostics::{Diagnostic, Severity};
use compiler::host::Host;
use compiler::{Compiled, Sources, compile};
use plan::Plan;
use plan::SourceId;
use plan::suite::Task;
use runtime::bundle::{schema, source_digest};
use runtime::generate::Options;
use serde_json::json;

use crate::{Error, Instances, Located};

/// A source and everything that the compiler found in it, with errors or without.
#[derive(Debug)]
pub struct Suite {
    compiled: Compiled,
}

impl Suite {
    /// Compiles the suite whose root source is at `path`, read through `host`. It always succeeds: what is wrong with the source, and that it cannot be
    /// read, is in [`Suite::diagnostics`].
    pub fn compile(path: &str, host: &dyn Host) -> Suite {
        Suite { compiled: compile(path, host) }
    }

    /// All errors and warnings, by file and place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.compiled.diagnostics
    }

    /// The same, with paths, lines, and columns.
    pub fn located(&self) -> impl Iterator<Item = Located<'_>> {
        self.compiled.diagnostics.iter().map(|said| Located::new(said, &self.compiled.sources))
    }

    /// How many diagnostics are errors. A suite without errors can be built.
    pub fn errors(&self) -> usize {
        self.compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error).count()
    }

    /// The sources, which give the line and column of a span.
    pub fn sources(&self) -> &Sources {
        &self.compiled.sources
    }

    /// What instances are made from; `None` if the suite has errors.
    pub fn plan(&self) -> Option<&Plan> {
        self.compiled.plan.as_ref()
    }

    /// The suite's name; empty if the suite has errors.
    pub fn name(&self) -> &str {
        self.plan().map_or("", |plan| plan.suite.name.as_str())
    }

    /// Its tasks in source order; none if the suite has errors.
    pub fn tasks(&self) -> &[Task] {
        self.plan().map_or(&[], |plan| plan.tasks.as_slice())
    }

    /// The instances that these options give.
    ///
    /// # Errors
    /// The suite has errors, or no task matches the options.
    pub fn instances(&self, options: Options) -> Result<Instances<'_>, Error> {
        Instances::new(self.plan().ok_or(Error::NotBuildable)?, options)
    }

    /// SHA-256 over every file that the suite was compiled from (sources, word lists, fixtures), and the names and sizes of those that lakes hand out:
    /// `source_sha256` in a bundle's manifest. The root source
    /// counts under its bare name, so it makes no difference where the suite's folder is.
    pub fn source_sha256(&self) -> String {
        let sources = &self.compiled.sources;
        let root = sources.get(SourceId(0)).map_or("", |source| source.path.as_str());
        let folder = root.rfind('/').map_or("", |slash| &root[..=slash]);
        let bare = |(path, bytes)| (str::strip_prefix(path, folder).unwrap_or(path), bytes);
        // Files that are only handed out are not read; where there are other ones, or longer ones, it is another suite.
        let lakes = self.plan().into_iter().flat_map(|plan| &plan.lakes);
        let lent: Vec<(String, String)> = lakes
            .flat_map(|lake| lake.files.iter().map(|file| (lake.source(file), format!("{} bytes", file.size))))
            .collect();
        let lent = lent.iter().map(|(path, size)| (path.as_str(), size.as_bytes()));
        source_digest(sources.content().into_iter().map(bare).chain(lent))
    }

    /// SHA-256 over the source, the seed, and the options: two suites with the same identity give the same instances, byte for byte.
    pub fn identity(&self, options: &Options) -> String {
        let Options { seed, samples, task, sandbox_root } = options;
        let identity = json!({
            "schema": self.plan().map_or(1, schema),
            "source_sha256": self.source_sha256(),
            "seed": seed,
            "samples": samples,
            "task": task,
            "sandbox_root": sandbox_root,
        });
        disk::digest::sha256(identity.to_string().as_bytes())
    }
}
