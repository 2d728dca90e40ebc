//! A compiled suite and its identity.

use std::sync::Arc;

use compiler::diagnostics::{Diagnostic, Severity};
use compiler::host::{Drawn, Host};
use compiler::sources::Content;
use compiler::{Compiled, Sources, compile};
use model::Plan;
use model::SourceId;
use model::suite::{LakeFile, StageMode, Task};
use runtime::bundle::{choose_schema_version, compute_source_digest};
use runtime::generate::Options;
use serde_json::json;

use crate::{Error, Instances, Located};

/// A source and the result of its compilation, with or without errors.
#[derive(Debug)]
pub struct Suite {
    compiled: Arc<Compiled>,
    /// The plan, if it differs from the compiled one: its stages are asked in another way, or more digests of its lakes are known.
    plan: Option<Plan>,
}

impl Suite {
    /// Compiles the suite whose root source is at `path`, read through `host`. It always succeeds: errors in the source, and a source that cannot be read, are
    /// reported in [`Suite::diagnostics`].
    pub fn compile(path: &str, host: &dyn Host) -> Suite {
        Suite::from_compiled(Arc::new(compile(path, host)))
    }

    /// Creates a suite from a compiled source, for example that of an editor.
    pub fn from_compiled(compiled: Arc<Compiled>) -> Suite {
        Suite { compiled, plan: None }
    }

    /// All errors and warnings, by file and place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.compiled.diagnostics
    }

    /// The samples that were drawn; `None` if the host has no observer, or the suite has errors without any sample.
    pub fn drawn(&self) -> Option<&Drawn> {
        self.compiled.drawn.as_ref()
    }

    /// All errors and warnings, with paths, lines, and columns.
    ///
    /// ```
    /// use api::{Memory, Suite};
    ///
    /// let source = "suite s { title \"S\" version \"1\" }\ntask t {\n  n : int 1..9\n  prompt \"Double <<m>>.\"\n  expect reply number n * 2\n}\n";
    /// let suite = Suite::compile("s.pcd", &Memory::new([("s.pcd", source)]));
    /// // A mistake is data: a code, a place, and what to write instead.
    /// let said = suite.locate_diagnostics().find(|said| said.severity == "error").expect("`m` is not declared");
    /// assert_eq!((said.code, said.place.file, said.place.line, said.place.column), ("E0201", "s.pcd", 4, 20));
    /// assert!(said.message.contains("`m`"), "{}", said.message);
    /// assert_eq!((suite.count_errors(), suite.plan().is_none()), (1, true));
    /// ```
    pub fn locate_diagnostics(&self) -> impl Iterator<Item = Located<'_>> {
        self.compiled.diagnostics.iter().map(|said| Located::new(said, &self.compiled.sources))
    }

    /// The number of diagnostics that are errors. A suite without errors can be built.
    pub fn count_errors(&self) -> usize {
        self.compiled.diagnostics.iter().filter(|said| said.severity() == Severity::Error).count()
    }

    /// The sources, which convert spans to lines and columns.
    pub fn sources(&self) -> &Sources {
        &self.compiled.sources
    }

    /// The plan from which instances are generated; `None` if the suite has errors.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref().or(self.compiled.plan.as_ref())
    }

    /// The name of the suite; empty if the suite has errors.
    pub fn name(&self) -> &str {
        self.plan().map_or("", |plan| plan.suite.name.as_str())
    }

    /// The tasks in source order; empty if the suite has errors.
    pub fn tasks(&self) -> &[Task] {
        self.plan().map_or(&[], |plan| plan.tasks.as_slice())
    }

    /// Returns the suite with its stages asked in the given mode. If they are asked one by one, tasks without stages are left out.
    #[must_use]
    pub fn with_stages(mut self, mode: StageMode) -> Suite {
        if !mode.is_whole() {
            self.plan = self.plan().map(|plan| plan.with_stage_mode(mode));
        }
        self
    }

    /// Adds the digests of all files in its lakes; the compiler knows only those of the files that it has read. `digest` returns the SHA-256 of a file in
    /// hexadecimal digits, by its path below the suite's folder. Then any edit of these files changes [`Suite::compute_sha256`], and [`Instances`] reject the
    /// edited files.
    ///
    /// # Errors
    /// The errors of `digest`.
    pub fn with_lake_digests<E>(mut self, mut digest: impl FnMut(&str) -> Result<String, E>) -> Result<Suite, E> {
        let is_known = |plan: &Plan| plan.lakes.iter().all(|lake| lake.files.iter().all(|file| file.sha256.is_some()));
        let Some(mut plan) = self.plan().filter(|plan| !is_known(plan)).cloned() else { return Ok(self) };
        for lake in &mut plan.lakes {
            let lake = Arc::make_mut(lake);
            let sources: Vec<String> = lake.files.iter().map(|file| lake.build_project_path(file)).collect();
            for (file, source) in lake.files.iter_mut().zip(sources).filter(|(file, _)| file.sha256.is_none()) {
                file.sha256 = Some(digest(&source)?);
            }
        }
        self.plan = Some(plan);
        Ok(self)
    }

    /// Returns the instances for these options.
    ///
    /// ```
    /// use api::{Error, Memory, Options, Suite};
    ///
    /// let source = "suite s { title \"S\" version \"1\" samples 3 }\n\
    ///               task t { n : int 1..9  prompt \"Double <<n>>.\" expect reply number n * 2 }\n";
    /// let suite = Suite::compile("s.pcd", &Memory::new([("s.pcd", source)]));
    /// let instances = suite.select_instances(Options::new("7"))?;
    /// assert_eq!(instances.count(), 3);
    /// assert_eq!(instances.get(0)?.id(), "t-1");
    /// // A seed is a text; the same one makes the same instances.
    /// let again = suite.select_instances(Options::new("7"))?;
    /// assert_eq!(again.get(2)?.prompt(), instances.get(2)?.prompt());
    /// assert!(matches!(instances.get(3), Err(Error::NoInstance { index: 3, count: 3 })));
    /// let other = Options { task: Some("u".to_owned()), ..Options::new("7") };
    /// assert!(matches!(suite.select_instances(other), Err(Error::Failed(_))));
    /// # Ok::<(), api::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the suite has errors, or no task matches the options.
    pub fn select_instances(&self, options: Options) -> Result<Instances<'_>, Error> {
        Instances::new(self.plan().ok_or(Error::NotBuildable)?, options)
    }

    /// Computes the SHA-256 over all files from which the suite was compiled (sources, word lists, fixtures), and the names and sizes of the files in its
    /// lakes.
    /// It is `source_sha256` in a bundle's manifest. The name of the root source and the location of the suite's folder do not count.
    pub fn compute_source_sha256(&self) -> String {
        // Files that are only in lakes are not read. If their names or sizes change, it is a different suite.
        self.digest_sources(Root::Unnamed, digest_size)
    }

    /// Whether a digest equals [`Suite::compute_source_sha256`], or its value in earlier versions of picardc, which included the name of the root source.
    pub fn has_source_sha256(&self, digest: &str) -> bool {
        [Root::Unnamed, Root::Named].into_iter().any(|root| self.digest_sources(root, digest_size) == digest)
    }

    /// Computes the SHA-256 over all files from which the suite was compiled, and all files in its lakes, as far as their contents are known
    /// ([`Suite::with_lake_digests`]). Without lakes, it equals [`Suite::compute_source_sha256`].
    pub fn compute_sha256(&self) -> String {
        self.digest_sources(Root::Unnamed, digest_content)
    }

    /// Computes [`Suite::compute_sha256`] as in earlier versions of picardc, with the name of the root source.
    pub fn compute_named_sha256(&self) -> String {
        self.digest_sources(Root::Named, digest_content)
    }

    /// Computes the digest of all files from which the suite was compiled, and of the files in lakes with the digests from `of_lent`.
    fn digest_sources(&self, named: Root, of_lent: impl Fn(&LakeFile) -> String) -> String {
        let sources = &self.compiled.sources;
        let root = sources.get(SourceId(0)).map_or("", |source| source.path.as_str());
        let folder = root.rfind('/').map_or("", |slash| &root[..=slash]);
        let bare = |(path, content): (&'_ str, Content<'_>)| {
            let sha256 = match content {
                Content::Bytes(bytes) => disk::digest::hash_sha256(bytes),
                Content::Digest(sha256) => disk::digest::encode_hex(sha256),
            };
            let name =
                if path == root && named == Root::Unnamed { "" } else { path.strip_prefix(folder).unwrap_or(path) };
            (name.to_owned(), sha256)
        };
        let lakes = self.plan().into_iter().flat_map(|plan| &plan.lakes);
        let lent = lakes.flat_map(|lake| lake.files.iter().map(|file| (lake.build_project_path(file), of_lent(file))));
        let all: Vec<(String, String)> = sources.list_content().into_iter().map(bare).chain(lent).collect();
        compute_source_digest(all.iter().map(|(path, sha256)| (path.as_str(), sha256.clone())))
    }

    /// Computes the SHA-256 over [`Suite::compute_sha256`], the seed, and the options. Two suites with the same identity generate the same instances, byte for
    /// byte, if all files of their lakes are known.
    ///
    /// ```
    /// use api::{Memory, Options, Suite};
    ///
    /// let compile = |path: &str, source: &str| Suite::compile(path, &Memory::new([(path, source)]));
    /// let source = "suite s { title \"S\" version \"1\" }\ntask t { n : int 1..9  prompt \"Double <<n>>.\" expect reply number n * 2 }\n";
    /// let options = Options::new("7");
    /// let identity = compile("s.pcd", source).compute_identity(&options);
    /// // The name of the file does not matter; a comment and a seed do.
    /// assert_eq!(compile("renamed.pcd", source).compute_identity(&options), identity);
    /// assert_ne!(compile("s.pcd", &format!("{source}# a comment\n")).compute_identity(&options), identity);
    /// assert_ne!(compile("s.pcd", source).compute_identity(&Options::new("8")), identity);
    /// ```
    pub fn compute_identity(&self, options: &Options) -> String {
        self.compute_identity_with(&self.compute_sha256(), options)
    }

    /// Computes [`Suite::compute_identity`] as in earlier versions of picardc, with [`Suite::compute_named_sha256`].
    pub fn compute_named_identity(&self, options: &Options) -> String {
        self.compute_identity_with(&self.compute_named_sha256(), options)
    }

    fn compute_identity_with(&self, sha256: &str, options: &Options) -> String {
        let Options { seed, samples, task, sandbox_root, traps } = options;
        let mut identity = json!({
            "schema": self.plan().map_or(1, choose_schema_version),
            "source_sha256": sha256,
            "seed": seed,
            "samples": samples,
            "task": task,
            "sandbox_root": sandbox_root,
        });
        if !traps {
            identity["no_traps"] = true.into();
        }
        if let Some(plan) = self.plan().filter(|plan| !plan.asked.is_whole()) {
            identity["stages"] = plan.asked.word().into();
        }
        disk::digest::hash_sha256(identity.to_string().as_bytes())
    }
}

/// How the root source is named in a digest. No other file has an empty name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    /// With an empty name.
    Unnamed,
    /// With its file name, as in earlier versions of picardc.
    Named,
}

/// The digest of the content of a file, if it is known; otherwise, that of its size.
fn digest_content(file: &LakeFile) -> String {
    file.sha256.clone().unwrap_or_else(|| digest_size(file))
}

/// The substitute for the content of a file that was not read.
fn digest_size(file: &LakeFile) -> String {
    disk::digest::hash_sha256(format!("{} bytes", file.size).as_bytes())
}
