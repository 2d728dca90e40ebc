//! Two agents answer an instance in memory: the oracle, who knows the key, and null, who does nothing.

use std::borrow::Cow;
use std::sync::Arc;

use records::{Captured, Response, Score};
use runtime::Failure;
use runtime::bundle::{FilesAs, Progress, Recorder};
use runtime::failure::FailureKind;
use runtime::generate::{Generator, SandboxFile};
use score::{Solution, Start};

use crate::samples::{Made, fold};

/// What came of an instance.
pub struct Tried {
    /// Its place in the bundle's order.
    pub index: u64,
    /// Of the oracle; the sentence says why it has no answer.
    pub oracle: Result<Score, String>,
    /// Of null.
    pub null: Score,
}

/// Lets both answer every instance, in the bundle's order.
pub fn all(
    generator: &Generator<'_>,
    threads: usize,
    progress: &(impl Progress + Sync),
) -> Result<Vec<Tried>, Failure> {
    let recorder = Recorder::new(&generator.plan().suite, false);
    let made = fold(generator, threads, progress, |tried: &mut Vec<Result<Tried, (u64, Failure)>>, made| {
        let index = made.index;
        tried.push(one(&recorder, made).map_err(|failure| (index, failure)));
    })?;
    let mut all: Vec<_> = made.into_iter().flatten().collect();
    all.sort_unstable_by_key(|tried| match tried {
        Ok(tried) => tried.index,
        Err((index, _)) => *index,
    });
    all.into_iter().map(|tried| tried.map_err(|(_, failure)| failure)).collect()
}

/// The instance goes through the bundle's form, as it does on its way to a scorer.
fn one(recorder: &Recorder, made: Made) -> Result<Tried, Failure> {
    let (mut line, mut keys) = (Vec::new(), Vec::new());
    recorder.record(&mut line, &mut keys, &made.instance, FilesAs::Below("files/it"));
    let unread = |why: String| {
        let message = format!("the instance `{}` cannot be read back: {why}", made.instance.id);
        Failure::new(FailureKind::Io, message).help("this is a mistake of picardc: please report it")
    };
    let json = serde_json::from_slice(&line).map_err(|error| unread(error.to_string()))?;
    let instance = records::Instance::from_json(&json, None).map_err(|error| unread(error.message))?;
    let start = Sandbox { files: Arc::clone(&made.instance.files), folders: made.instance.folders };
    let idle = Solution::default();
    let score = |solution: &Solution| {
        let files = instance.key_paths().into_iter().map(|path| {
            let found = start.after(solution, &path);
            (path, found)
        });
        let response = Response {
            id: instance.id.clone(),
            trial: 1,
            reply: solution.reply.clone(),
            files: files.collect(),
            attempts: 1,
            ..Response::default()
        };
        score::score(&instance, Some(&response), 1, &start)
    };
    Ok(Tried {
        index: made.index,
        oracle: score::solve(&instance, &start).map(|solution| score(&solution)),
        null: score(&idle),
    })
}

/// A sandbox that is nowhere but in memory, as it stands before the first answer.
struct Sandbox {
    files: Arc<Vec<SandboxFile>>,
    folders: Vec<String>,
}

impl Start for Sandbox {
    fn file(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.files.iter().find(|file| file.path == path).map(|file| Cow::Borrowed(&file.bytes[..]))
    }
}

impl Sandbox {
    /// What stands at `path` (of a folder with a trailing `/`) when the solution's files and folders have been laid in.
    fn after(&self, solution: &Solution, path: &str) -> Captured {
        let path = path.strip_suffix('/').unwrap_or(path);
        if let Some((_, bytes)) = solution.files.iter().find(|(name, _)| name == path) {
            return Captured::file(bytes.clone());
        }
        if !solution.removes(path)
            && let Some(bytes) = self.file(path)
        {
            return Captured::file(bytes.into_owned());
        }
        let leads_to = |inner: &str| inner.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        let is_folder = |folder: &String| folder.trim_end_matches('/') == path || leads_to(folder);
        // A folder stays when what was in it is taken away.
        let stays = !solution.removes(path);
        let stood = self.folders.iter().any(is_folder) || self.files.iter().any(|file| leads_to(&file.path));
        let stands = stays && stood
            || solution.folders.iter().any(is_folder)
            || solution.files.iter().any(|(name, _)| leads_to(name));
        if stands { Captured::Folder } else { Captured::Absent }
    }
}
