//! A compiled suite and its identity.

use std::sync::Arc;

use compiler::diagnostics::{Diagnostic, Severity};
use compiler::host::Host;
use compiler::sources::Content;
use compiler::{Compiled, Sources, compile};
use plan::Plan;
use plan::SourceId;
use plan::suite::{LakeFile, StageMode, Task};
use runtime::bundle::{schema, source_digest};
use runtime::generate::Options;
use serde_json::json;

use crate::{Error, Instances, Located};

/// A source and everything that the compiler found in it, with errors or without.
#[derive(Debug)]
pub struct Suite {
    compiled: Arc<Compiled>,
    /// The plan whose stages are asked in another way than the source says.
    staged: Option<Plan>,
}

impl Suite {
    /// Compiles the suite whose root source is at `path`, read through `host`. It always succeeds: what is wrong with the source, and that it cannot be
    /// read, is in [`Suite::diagnostics`].
    pub fn compile(path: &str, host: &dyn Host) -> Suite {
        Suite::of(Arc::new(compile(path, host)))
    }

    /// A suite that was compiled already, for an editor for example.
    pub fn of(compiled: Arc<Compiled>) -> Suite {
        Suite { compiled, staged: None }
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
        self.staged.as_ref().or(self.compiled.plan.as_ref())
    }

    /// The suite's name; empty if the suite has errors.
    pub fn name(&self) -> &str {
        self.plan().map_or("", |plan| plan.suite.name.as_str())
    }

    /// Its tasks in source order; none if the suite has errors.
    pub fn tasks(&self) -> &[Task] {
        self.plan().map_or(&[], |plan| plan.tasks.as_slice())
    }

    /// The same suite, with the stages of its tasks asked in this way. Where they are asked one by one, tasks without stages are left out.
    #[must_use]
    pub fn staged(mut self, mode: StageMode) -> Suite {
        if !mode.is_whole() {
            self.staged = self.plan().map(|plan| plan.staged(mode));
        }
        self
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
        let bare = |(path, content): (&'_ str, Content<'_>)| {
            let sha256 = match content {
                Content::Bytes(bytes) => disk::digest::sha256(bytes),
                Content::Digest(sha256) => disk::digest::hex(sha256),
            };
            (path.strip_prefix(folder).unwrap_or(path).to_owned(), sha256)
        };
        // Files that are only handed out are not read; where there are other ones, or longer ones, it is another suite.
        let lakes = self.plan().into_iter().flat_map(|plan| &plan.lakes);
        let lent = lakes.flat_map(|lake| {
            let size = |file: &LakeFile| disk::digest::sha256(format!("{} bytes", file.size).as_bytes());
            lake.files.iter().map(move |file| (lake.source(file), size(file)))
        });
        let all: Vec<(String, String)> = sources.content().into_iter().map(bare).chain(lent).collect();
        source_digest(all.iter().map(|(path, sha256)| (path.as_str(), sha256.clone())))
    }

    /// SHA-256 over the source, the seed, and the options: two suites with the same identity give the same instances, byte for byte.
    pub fn identity(&self, options: &Options) -> String {
        let Options { seed, samples, task, sandbox_root, traps } = options;
        let mut identity = json!({
            "schema": self.plan().map_or(1, schema),
            "source_sha256": self.source_sha256(),
            "seed": seed,
            "samples": samples,
            "task": task,
            "sandbox_root": sandbox_root,
        });
        if !traps {
            identity["no_traps"] = true.into();
        }
        if let (Some(plan), Some(fields)) =
            (self.plan().filter(|plan| !plan.asked.is_whole()), identity.as_object_mut())
        {
            fields.insert("stages".to_owned(), plan.asked.word().into());
        }
        disk::digest::sha256(identity.to_string().as_bytes())
    }
}
