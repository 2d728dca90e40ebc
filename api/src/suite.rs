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
    /// The plan, where it is not the compiled one: its stages are asked in another way than the source says, or more is known of its lakes.
    plan: Option<Plan>,
}

impl Suite {
    /// Compiles the suite whose root source is at `path`, read through `host`. It always succeeds: what is wrong with the source, and that it cannot be
    /// read, is in [`Suite::diagnostics`].
    pub fn compile(path: &str, host: &dyn Host) -> Suite {
        Suite::of(Arc::new(compile(path, host)))
    }

    /// A suite that was compiled already, for an editor for example.
    pub fn of(compiled: Arc<Compiled>) -> Suite {
        Suite { compiled, plan: None }
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
        self.plan.as_ref().or(self.compiled.plan.as_ref())
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
            self.plan = self.plan().map(|plan| plan.staged(mode));
        }
        self
    }

    /// The same suite, with the digest of every file that its lakes hand out. The compiler knows only those of files that it has read. `digest` gives the
    /// SHA-256 of a file, in hexadecimal digits, by its path below the suite's folder. Then [`Suite::sha256`] is another one after any edit of them, and
    /// [`Instances`] refuse the edited files.
    ///
    /// # Errors
    /// What `digest` says.
    pub fn knowing<E>(mut self, mut digest: impl FnMut(&str) -> Result<String, E>) -> Result<Suite, E> {
        let is_known = |plan: &Plan| plan.lakes.iter().all(|lake| lake.files.iter().all(|file| file.sha256.is_some()));
        let Some(mut plan) = self.plan().filter(|plan| !is_known(plan)).cloned() else { return Ok(self) };
        for lake in &mut plan.lakes {
            let lake = Arc::make_mut(lake);
            let sources: Vec<String> = lake.files.iter().map(|file| lake.source(file)).collect();
            for (file, source) in lake.files.iter_mut().zip(sources).filter(|(file, _)| file.sha256.is_none()) {
                file.sha256 = Some(digest(&source)?);
            }
        }
        self.plan = Some(plan);
        Ok(self)
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
        // Files that are only handed out are not read; where there are other ones, or longer ones, it is another suite.
        self.digest(of_size)
    }

    /// SHA-256 over every file that the suite was compiled from, and every file that its lakes hand out, as far as their content is known
    /// ([`Suite::knowing`]). It is [`Suite::source_sha256`] for a suite that hands out no lake.
    pub fn sha256(&self) -> String {
        self.digest(|file| file.sha256.clone().unwrap_or_else(|| of_size(file)))
    }

    /// Over all that it was compiled from, and these digests of the files of lakes.
    fn digest(&self, of_lent: impl Fn(&LakeFile) -> String) -> String {
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
        let lakes = self.plan().into_iter().flat_map(|plan| &plan.lakes);
        let lent = lakes.flat_map(|lake| lake.files.iter().map(|file| (lake.source(file), of_lent(file))));
        let all: Vec<(String, String)> = sources.content().into_iter().map(bare).chain(lent).collect();
        source_digest(all.iter().map(|(path, sha256)| (path.as_str(), sha256.clone())))
    }

    /// SHA-256 over [`Suite::sha256`], the seed, and the options: two suites with the same identity give the same instances, byte for byte, if all is known of
    /// their lakes.
    pub fn identity(&self, options: &Options) -> String {
        let Options { seed, samples, task, sandbox_root, traps } = options;
        let mut identity = json!({
            "schema": self.plan().map_or(1, schema),
            "source_sha256": self.sha256(),
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

/// Stands for the content of a file that was not read.
fn of_size(file: &LakeFile) -> String {
    disk::digest::sha256(format!("{} bytes", file.size).as_bytes())
}
