//! Which suite a file belongs to, and what was compiled so far.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use compiler::host::{Host, MAX_SOURCE_BYTES};
use compiler::query::analyse_suite;
use compiler::syntax::lex::{self, Kind};

use crate::analysis::Analysis;
use crate::disk::{Disk, DiskSnapshot};
use crate::documents::{Documents, Overlay};
use crate::edits::Edits;
use crate::position::Encoding;

/// A host caches SQLite's answers. It is replaced after this number of compilations, or the cache would only grow.
const FRESH: u32 = 500;

/// The number of folders above a file that are searched for a suite that uses it.
const ABOVE: usize = 8;

/// Makes a host for the suite at a path.
pub type MakeHost = Arc<dyn Fn(&str) -> Box<dyn Host> + Send + Sync>;

/// Open buffers, and the suites compiled from them.
pub struct Workspace {
    /// The buffers.
    pub documents: Documents,
    /// How positions are counted.
    pub encoding: Encoding,
    /// The folders that the editor has open.
    pub folders: Vec<String>,
    /// Whether what is compiled is still wanted.
    pub edits: Edits,
    /// What is in the files that suites read.
    pub disk: Disk,
    make_host: MakeHost,
    hosts: BTreeMap<String, (Box<dyn Host>, u32)>,
    /// By root: the suite as it is now.
    compiled: BTreeMap<String, Arc<Analysis>>,
    /// By root: the suite when it last had a plan.
    good: BTreeMap<String, Arc<Analysis>>,
    /// By file: its root, where that was worked out.
    roots: BTreeMap<String, String>,
}

/// Suites as they were last compiled.
#[derive(Clone, Default)]
pub struct WorkspaceSnapshot {
    compiled: BTreeMap<String, Arc<Analysis>>,
    good: BTreeMap<String, Arc<Analysis>>,
    roots: BTreeMap<String, String>,
    seen: Arc<DiskSnapshot>,
}

impl Workspace {
    /// Nothing open.
    pub fn new(make_host: MakeHost) -> Workspace {
        Workspace {
            documents: Documents::default(),
            encoding: Encoding::default(),
            folders: Vec::new(),
            edits: Edits::default(),
            disk: Disk::new(Arc::clone(&make_host)),
            make_host,
            hosts: BTreeMap::new(),
            compiled: BTreeMap::new(),
            good: BTreeMap::new(),
            roots: BTreeMap::new(),
        }
    }

    /// The buffer at `path` changed: discards the suites that were compiled from it.
    pub fn discard_compiled(&mut self, path: &str) {
        self.compiled
            .retain(|root, analysis| root != path && analysis.find_file(path).is_none() && !is_incomplete(analysis));
        // A file may begin or cease to declare a suite, or to be used by one.
        self.roots.clear();
    }

    /// Anything on disk may have changed.
    pub fn discard_all(&mut self) {
        self.compiled.clear();
        self.roots.clear();
        self.disk.clear_cache();
    }

    /// A file was closed: discards what was kept only for it.
    pub fn close_file(&mut self, path: &str) {
        self.discard_compiled(path);
        let open: BTreeSet<String> = self.documents.iter().map(|(path, _)| path.clone()).collect();
        self.hosts.retain(|root, _| open.contains(root));
        self.good.retain(|root, _| open.contains(root));
    }

    /// What is known of the open files, to be handed to another thread.
    pub fn take_snapshot(&self) -> WorkspaceSnapshot {
        WorkspaceSnapshot {
            compiled: self.compiled.clone(),
            good: self.good.clone(),
            roots: self.roots.clone(),
            seen: self.disk.take_snapshot(),
        }
    }

    /// Takes what another thread found out. What it does not know any more, because it was edited, stays as it was.
    pub fn merge_snapshot(&mut self, known: WorkspaceSnapshot) {
        self.compiled.extend(known.compiled);
        self.good = known.good;
        self.disk.replace_snapshot(known.seen);
        self.roots.extend(known.roots);
        self.roots.retain(|path, _| self.documents.get(path).is_some());
        let roots: BTreeSet<&String> = self.roots.values().collect();
        self.compiled.retain(|root, _| roots.contains(root));
    }

    /// Whether the suite of an open file was compiled once, so that nothing is to be waited for.
    pub fn has_learnt(&self, path: &str) -> bool {
        let analysis = self.roots.get(path).and_then(|root| self.compiled.get(root));
        analysis.is_some_and(|analysis| analysis.find_file(path).is_some())
    }

    /// The suite that a file belongs to, compiled.
    pub fn analyze_file(&mut self, path: &str) -> Arc<Analysis> {
        let root = self.resolve_root(path);
        self.compile_suite(&root)
    }

    /// The suite at `root`, compiled.
    pub fn compile_suite(&mut self, root: &str) -> Arc<Analysis> {
        if let Some(known) = self.compiled.get(root) {
            return Arc::clone(known);
        }
        let analysis = Arc::new(self.compile_with(root, &BTreeMap::new()));
        if analysis.analysed.compiled.plan.is_some() {
            self.good.insert(root.to_owned(), Arc::clone(&analysis));
        }
        self.compiled.insert(root.to_owned(), Arc::clone(&analysis));
        analysis
    }

    /// The suite at `root`, compiled as if some files were other texts. Nothing is kept.
    pub fn compile_with(&mut self, root: &str, instead: &BTreeMap<String, String>) -> Analysis {
        let (host, used) = match self.hosts.remove(root) {
            Some((host, used)) if used < FRESH => (host, used + 1),
            _ => ((self.make_host)(root), 0),
        };
        let overlay = Overlay { behind: host.as_ref(), documents: &self.documents, instead, edits: &self.edits };
        // Given up or failed, the host still knows what SQLite said.
        let analysed = catch_unwind(AssertUnwindSafe(|| analyse_suite(root, &overlay)));
        self.hosts.insert(root.to_owned(), (host, used));
        match analysed {
            Ok(analysed) => Analysis::new(root.to_owned(), analysed, self.encoding),
            Err(why) => resume_unwind(why),
        }
    }

    /// The suites as they are now, as far as they were compiled.
    pub fn iter_suites(&self) -> impl Iterator<Item = &Analysis> {
        self.compiled.values().map(Arc::as_ref)
    }

    /// The suite when it last had no error, for what needs values.
    pub fn find_last_good(&mut self, root: &str) -> Option<Arc<Analysis>> {
        self.compile_suite(root);
        self.good.get(root).cloned()
    }

    /// The file that declares the suite of the file at `path`: itself, or one in its folder or above that uses it; failing that, itself.
    pub fn resolve_root(&mut self, path: &str) -> String {
        if let Some(known) = self.roots.get(path) {
            return known.clone();
        }
        let root = self.find_root(path);
        self.roots.insert(path.to_owned(), root.clone());
        root
    }

    fn find_root(&mut self, path: &str) -> String {
        let text = self.read_text(path).unwrap_or_default();
        if has_suite(&text) {
            return path.to_owned();
        }
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        for candidate in self.list_candidates(path) {
            let Some(text) = self.read_text(&candidate) else { continue };
            // One that uses it by way of another need not name it.
            let may_use = text.contains("use") && (text.contains(&name) || text.contains(".pcd"));
            if may_use && has_suite(&text) && self.compile_suite(&candidate).find_file(path).is_some() {
                return candidate;
            }
        }
        path.to_owned()
    }

    /// The sources in the folder of a file and those above, nearest first: open ones, then those on disk.
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
            let mut names: BTreeSet<String> =
                self.documents.iter().map(|(path, _)| path.clone()).filter(|other| here(other)).collect();
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

    /// Files as they are on disk, for the suite at `root`.
    pub fn build_host(&self, root: &str) -> Box<dyn Host> {
        (self.make_host)(root)
    }

    /// The text of a file: the buffer's, or what is on disk.
    pub fn read_text(&self, path: &str) -> Option<String> {
        match self.documents.get(path) {
            Some(document) => Some(document.text.clone()),
            None => String::from_utf8((self.make_host)(path).read_at_most(path, MAX_SOURCE_BYTES).ok()?).ok(),
        }
    }
}

/// Whether a file of the suite could not be read: one that is opened now may be it.
fn is_incomplete(analysis: &Analysis) -> bool {
    use compiler::diagnostics::Code;
    analysis.analysed.compiled.diagnostics.iter().any(|said| said.code == Code::UNREADABLE_FILE)
}

/// Whether a text declares a suite. This is asked after every edit, so it looks at the tokens and does not parse.
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
