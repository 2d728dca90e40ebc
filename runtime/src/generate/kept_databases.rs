//! The databases of a sandbox that must be unchanged: programs can write other bytes for the same content, so their content is compared.

use model::Format;
use model::answer_key::{Exceptions, Expected, Subject};
use sqlite::state::{MAX_BYTES, is_database_file};

use super::instance::Instance;

/// Notes them in the keys that need them.
pub(crate) fn note_kept_databases(instance: &mut Instance) {
    let is_asked = |expect: &Expected| matches!(expect.subject, Subject::Unchanged(_));
    let stages = || instance.stages.iter().flat_map(|stage| &stage.expects);
    if !instance.expects.iter().chain(stages()).any(is_asked) {
        return;
    }
    let generated = instance.files.iter().filter(|file| is_database_file(&file.bytes));
    let generated = generated.filter(|file| file.bytes.len() <= MAX_BYTES).map(|file| file.path.clone());
    // For a file of a lake only the name and the size are available.
    let of_lakes = instance.lakes.iter().flat_map(|given| {
        let databases = given.files().filter(|file| Format::from_path(&file.path) == Some(Format::Sqlite));
        databases.filter(|file| file.size <= MAX_BYTES as u64).map(|file| given.lake.build_sandbox_path(file))
    });
    let databases: Vec<String> = generated.chain(of_lakes).collect();
    let stages = instance.stages.iter_mut().flat_map(|stage| &mut stage.expects);
    for expect in instance.expects.iter_mut().chain(stages) {
        if let Subject::Unchanged(paths) = &expect.subject {
            let except = Exceptions::new(paths);
            expect.read.databases = databases.iter().filter(|path| !except.has_path(path)).cloned().collect();
        }
    }
}
