//! A compiled suite and its identity.

use std::sync::Arc;

use compiler::diagnostics::{Diagnostic, Severity};
use compiler::host::Host;
use compiler::sources::Content;
use compiler::{Compiled, Sources, compile};
use model::Plan;
use model::SourceId;
use model::suite::{LakeFile, StageMode, Task};
use runtime::bundle::{choose_schema_version, compute_source_digest};
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
        Suite::from_compiled(Arc::new(compile(path, host)))
    }

    /// A suite that was compiled already, for an editor for example.
    pub fn from_compiled(compiled: Arc<Compiled>) -> Suite {
        Suite { compiled, plan: None }
    }

    /// All errors and warnings, by file and place.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.compiled.diagnostics
    }

    /// The same, with paths, lines, and columns.
    pub fn locate_diagnostics(&self) -> impl Iterator<Item = Located<'_>> {
        self.compiled.diagnostics.iter().map(|said| Located::new(said, &self.compiled.sources))
    }

    /// How many diagnostics are errors. A suite without errors can be built.
    pub fn count_errors(&self) -> usize {
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
    pub fn with_stages(mut self, mode: StageMode) -> Suite {
        if !mode.is_whole() {
            self.plan = self.plan().map(|plan| plan.with_stage_mode(mode));
        }
        self
    }

    /// The same suite, with the digest of every file that its lakes hand out. The compiler knows only those of files that it has read. `digest` gives the
    /// SHA-256 of a file, in hexadecimal digits, by its path below the suite's folder. Then [`Suite::compute_sha256`] is another one after any edit of them, and
    /// [`Instances`] refuse the edited files.
    ///
    /// # Errors
    /// What `digest` says.
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

    /// The instances that these options give.
    ///
    /// # Errors
    /// The suite has errors, or no task matches the options.
    pub fn select_instances(&self, options: Options) -> Result<Instances<'_>, Error> {
        Instances::new(self.plan().ok_or(Error::NotBuildable)?, options)
    }

    /// SHA-256 over every file that the suite was compiled from (sources, word lists, fixtures), and the names and sizes of those that lakes hand out:
    /// `source_sha256` in a bundle's manifest. The root source counts without its name, so neither its name nor the place of the suite's folder makes a difference.
    pub fn compute_source_sha256(&self) -> String {
        // Files that are only handed out are not read; where there are other ones, or longer ones, it is another suite.
        self.digest_sources(Root::Unnamed, digest_size)
    }

    /// Whether a digest is [`Suite::compute_source_sha256`], as this picardc computes it or as earlier ones did: those counted the root source under its name.
    pub fn has_source_sha256(&self, digest: &str) -> bool {
        Root::BOTH.into_iter().any(|root| self.digest_sources(root, digest_size) == digest)
    }

    /// SHA-256 over every file that the suite was compiled from, and every file that its lakes hand out, as far as their content is known
    /// ([`Suite::with_lake_digests`]). It is [`Suite::compute_source_sha256`] for a suite that hands out no lake.
    pub fn compute_sha256(&self) -> String {
        self.digest_sources(Root::Unnamed, digest_content)
    }

    /// [`Suite::compute_sha256`] as earlier versions of picardc computed it: the root source counts under its name.
    pub fn compute_named_sha256(&self) -> String {
        self.digest_sources(Root::Named, digest_content)
    }

    /// Over all that it was compiled from, and these digests of the files of lakes.
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

    /// SHA-256 over [`Suite::compute_sha256`], the seed, and the options: two suites with the same identity give the same instances, byte for byte, if all is known of
    /// their lakes.
    pub fn compute_identity(&self, options: &Options) -> String {
        self.compute_identity_with(&self.compute_sha256(), options)
    }

    /// [`Suite::compute_identity`] as earlier versions of picardc computed it, with [`Suite::compute_named_sha256`].
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
        if let (Some(plan), Some(fields)) =
            (self.plan().filter(|plan| !plan.asked.is_whole()), identity.as_object_mut())
        {
            fields.insert("stages".to_owned(), plan.asked.word().into());
        }
        disk::digest::hash_sha256(identity.to_string().as_bytes())
    }
}

/// How the root source counts in a digest. No other file has an empty name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    /// Without its name.
    Unnamed,
    /// Under its bare name, as in earlier versions of picardc.
    Named,
}

impl Root {
    const BOTH: [Root; 2] = [Root::Unnamed, Root::Named];
}

/// The digest of a file's content, as far as it is known.
fn digest_content(file: &LakeFile) -> String {
    file.sha256.clone().unwrap_or_else(|| digest_size(file))
}

/// Stands for the content of a file that was not read.
fn digest_size(file: &LakeFile) -> String {
    disk::digest::hash_sha256(format!("{} bytes", file.size).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;

    /// Finding: a suite that was only renamed had another identity.
    #[test]
    fn the_name_of_the_root_source_does_not_count() {
        let source = "suite s { title \"S\" version \"1\" }\ntask t { w : one_of lines \"words.txt\"  prompt \"Say <<w>>.\" expect reply text w }\n";
        let named = |root: &str, source: &str, words: &str| {
            let folder = root.rfind('/').map_or("", |slash| &root[..=slash]);
            let files = [(root.to_owned(), source), (format!("{folder}words.txt"), words)];
            let suite = Suite::compile(root, &Memory::new(files));
            assert_eq!(suite.count_errors(), 0, "{:?}", suite.diagnostics());
            suite
        };
        let options = Options::new("7");
        let first = named("a.pcd", source, "one\ntwo\n");
        for root in ["b.pcd", "in/a.pcd", "in/words.txt.pcd", "./é.pcd"] {
            let other = named(root, source, "one\ntwo\n");
            assert_eq!(
                (other.compute_sha256(), other.compute_source_sha256()),
                (first.compute_sha256(), first.compute_source_sha256()),
                "{root}"
            );
            assert_eq!(other.compute_identity(&options), first.compute_identity(&options), "{root}");
            // As before, when it counted.
            assert_eq!(other.compute_named_sha256() == first.compute_named_sha256(), root == "in/a.pcd", "{root}");
            assert!(
                other.has_source_sha256(&other.compute_named_sha256())
                    && other.has_source_sha256(&first.compute_source_sha256())
            );
            assert_ne!(other.compute_named_identity(&options), first.compute_identity(&options));
        }
        for other in [named("a.pcd", &format!("{source}#"), "one\ntwo\n"), named("a.pcd", source, "one\nthree\n")] {
            assert_ne!(other.compute_sha256(), first.compute_sha256());
            assert!(
                !other.has_source_sha256(&first.compute_source_sha256())
                    && !other.has_source_sha256(&first.compute_named_sha256())
            );
        }
    }
}
