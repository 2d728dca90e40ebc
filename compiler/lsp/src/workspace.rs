//! The suites that files belong to, and their compiled versions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use compiler::host::{Host, MAX_SOURCE_BYTES};
use compiler::query::analyse_suite;
use compiler::syntax::lex::{self, Kind};

use crate::analysis::Analysis;
use crate::disk::{Disk, DiskSnapshot, MakeHost};
use crate::documents::{Documents, Overlay};
use crate::edits::Edits;
use crate::position::Encoding;

/// The number of compilations after which a host is replaced. It caches SQLite's answers, and the cache would otherwise only grow.
const FRESH: u32 = 500;

/// The number of folders above a file that are searched for a suite that uses it.
const ABOVE: usize = 8;

/// Open buffers, and the suites compiled from them.
pub struct Workspace {
    /// The buffers.
    pub documents: Documents,
    /// The unit in which positions are counted.
    pub encoding: Encoding,
    /// The folders that the editor has open.
    pub folders: Vec<String>,
    /// The edits that make the current compilation obsolete.
    pub edits: Edits,
    /// The cached content of files that suites read.
    pub disk: Disk,
    make_host: MakeHost,
    hosts: BTreeMap<String, (Box<dyn Host>, u32)>,
    known: Suites,
}

/// Suites as last compiled.
#[derive(Clone, Default)]
struct Suites {
    /// The current version of each suite, by root.
    compiled: BTreeMap<String, Arc<Analysis>>,
    /// The last version of each suite that had a plan, by root.
    good: BTreeMap<String, Arc<Analysis>>,
    /// The root of each file, if it was determined.
    roots: BTreeMap<String, String>,
}

/// Suites as last compiled, and the cached content of files that they read.
#[derive(Clone, Default)]
pub struct WorkspaceSnapshot {
    suites: Suites,
    seen: Arc<DiskSnapshot>,
}

impl Workspace {
    /// Creates a workspace without open buffers.
    pub fn new(make_host: MakeHost) -> Workspace {
        Workspace {
            documents: Documents::default(),
            encoding: Encoding::default(),
            folders: Vec::new(),
            edits: Edits::default(),
            disk: Disk::new(Arc::clone(&make_host)),
            make_host,
            hosts: BTreeMap::new(),
            known: Suites::default(),
        }
    }

    /// Discards the suites that were compiled from the changed buffer at `path`.
    pub fn discard_compiled(&mut self, path: &str) {
        self.known
            .compiled
            .retain(|root, analysis| root != path && analysis.find_file(path).is_none() && !is_incomplete(analysis));
        // The file may now declare a suite or be used by one, or no longer do so.
        self.known.roots.clear();
    }

    /// Discards everything, because anything on disk may have changed.
    pub fn discard_all(&mut self) {
        self.known.compiled.clear();
        self.known.roots.clear();
        self.disk.clear_cache();
    }

    /// Discards everything that was kept only for a file that was closed.
    pub fn close_file(&mut self, path: &str) {
        self.discard_compiled(path);
        self.hosts.retain(|root, _| self.documents.contains_key(root));
        self.known.good.retain(|root, _| self.documents.contains_key(root));
    }

    /// A snapshot for another thread.
    pub fn take_snapshot(&self) -> WorkspaceSnapshot {
        WorkspaceSnapshot { suites: self.known.clone(), seen: self.disk.take_snapshot() }
    }

    /// Merges the results of another thread. Suites that it discarded because of an edit keep their last version here.
    pub fn merge_snapshot(&mut self, WorkspaceSnapshot { suites, seen }: WorkspaceSnapshot) {
        self.disk.replace_snapshot(seen);
        self.known.compiled.extend(suites.compiled);
        self.known.good = suites.good;
        self.known.roots.extend(suites.roots);
        self.known.roots.retain(|path, _| self.documents.contains_key(path));
        let roots: BTreeSet<&String> = self.known.roots.values().collect();
        self.known.compiled.retain(|root, _| roots.contains(root));
    }

    /// Whether the suite of an open file was compiled before, and no compilation has to be awaited.
    pub fn has_learnt(&self, path: &str) -> bool {
        let analysis = self.known.roots.get(path).and_then(|root| self.known.compiled.get(root));
        analysis.is_some_and(|analysis| analysis.find_file(path).is_some())
    }

    /// Compiles the suite that a file belongs to.
    pub fn analyze_file(&mut self, path: &str) -> Arc<Analysis> {
        let root = self.resolve_root(path);
        self.compile_suite(&root)
    }

    /// Compiles the suite at `root`, or returns the cached version.
    pub fn compile_suite(&mut self, root: &str) -> Arc<Analysis> {
        if let Some(known) = self.known.compiled.get(root) {
            return Arc::clone(known);
        }
        let analysis = Arc::new(self.compile_with(root, &BTreeMap::new()));
        if analysis.analysed.compiled.plan.is_some() {
            self.known.good.insert(root.to_owned(), Arc::clone(&analysis));
        }
        self.known.compiled.insert(root.to_owned(), Arc::clone(&analysis));
        analysis
    }

    /// Compiles the suite at `root` with replaced texts for some files. The result is not cached.
    pub fn compile_with(&mut self, root: &str, instead: &BTreeMap<String, String>) -> Analysis {
        let (host, used) = match self.hosts.remove(root) {
            Some((host, used)) if used < FRESH => (host, used + 1),
            _ => ((self.make_host)(root), 0),
        };
        let overlay = Overlay { behind: host.as_ref(), documents: &self.documents, instead, edits: &self.edits };
        // Even after a cancellation or panic, the host's cache of SQLite's answers stays valid.
        let analysed = catch_unwind(AssertUnwindSafe(|| analyse_suite(root, &overlay)));
        self.hosts.insert(root.to_owned(), (host, used));
        match analysed {
            Ok(analysed) => Analysis::new(root.to_owned(), analysed, self.encoding),
            Err(why) => resume_unwind(why),
        }
    }

    /// The suites that are compiled at present.
    pub fn iter_suites(&self) -> impl Iterator<Item = &Arc<Analysis>> {
        self.known.compiled.values()
    }

    /// The last version of the suite without errors, for features that need values.
    pub fn find_last_good(&mut self, root: &str) -> Option<Arc<Analysis>> {
        self.compile_suite(root);
        self.known.good.get(root).cloned()
    }

    /// The root of the file at `path`: the file itself if it declares a suite; otherwise a file in its folder or above whose suite uses it; failing that, the
    /// file itself.
    pub fn resolve_root(&mut self, path: &str) -> String {
        if let Some(known) = self.known.roots.get(path) {
            return known.clone();
        }
        let root = self.find_root(path);
        self.known.roots.insert(path.to_owned(), root.clone());
        root
    }

    /// The roots of the suites with an open file.
    pub fn list_open_roots(&mut self) -> BTreeSet<String> {
        let open: Vec<String> = self.documents.keys().cloned().collect();
        open.iter().map(|path| self.resolve_root(path)).collect()
    }

    fn find_root(&mut self, path: &str) -> String {
        let text = self.read_text(path).unwrap_or_default();
        if has_suite(&text) {
            return path.to_owned();
        }
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        for candidate in self.list_candidates(path) {
            let Some(text) = self.read_text(&candidate) else { continue };
            // A suite that uses the file indirectly need not name it.
            let may_use = text.contains("use") && (text.contains(&name) || text.contains(".pcd"));
            if may_use && has_suite(&text) && self.compile_suite(&candidate).find_file(path).is_some() {
                return candidate;
            }
        }
        path.to_owned()
    }

    /// The sources in the folder of a file and in the folders above, nearest first: open files, and files on disk.
    fn list_candidates(&self, path: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut folder = path;
        for _ in 0..ABOVE {
            let Some(slash) = folder.rfind('/') else { break };
            let prefix = folder.get(..=slash).unwrap_or("");
            let here = |other: &str| {
                other != path
                    && other.strip_prefix(prefix).is_some_and(|rest| !rest.contains('/') && rest.ends_with(".pcd"))
            };
            let mut names: BTreeSet<String> = self.documents.keys().filter(|other| here(other)).cloned().collect();
            if let Ok(entries) = fs::read_dir(prefix) {
                names.extend(
                    entries
                        .flatten()
                        .filter_map(|entry| Some(format!("{prefix}{}", entry.file_name().to_str()?)))
                        .filter(|other| here(other)),
                );
            }
            found.extend(names);
            folder = folder.get(..slash).unwrap_or("");
            if self.folders.iter().any(|open| open.trim_end_matches('/') == folder) {
                break;
            }
        }
        found
    }

    /// Creates a host that reads files from disk, for the suite at `root`.
    pub fn build_host(&self, root: &str) -> Box<dyn Host> {
        (self.make_host)(root)
    }

    /// The text of a file: of its buffer, or else on disk.
    pub fn read_text(&self, path: &str) -> Option<String> {
        match self.documents.get(path) {
            Some(document) => Some(document.text.clone()),
            None => String::from_utf8((self.make_host)(path).read_at_most(path, MAX_SOURCE_BYTES).ok()?).ok(),
        }
    }
}

/// Whether a file of the suite could not be read. A file that is opened now may be that file.
fn is_incomplete(analysis: &Analysis) -> bool {
    use compiler::diagnostics::Code;
    analysis.analysed.compiled.diagnostics.iter().any(|said| said.code == Code::UNREADABLE_FILE)
}

/// Whether a text declares a suite. This is checked after every edit, so it scans tokens and does not parse.
fn has_suite(text: &str) -> bool {
    if !text.contains("suite") {
        return false;
    }
    let lexed = lex::guess_tokens(text);
    let mut depth = 0u32;
    let mut after_word = false;
    lexed.iter_code().any(|token| {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        let declares = after_word && matches!(token.kind, Kind::Word | Kind::Quoted);
        after_word = depth == 0 && token.kind == Kind::Word && token.text(text) == "suite";
        declares
    })
}
