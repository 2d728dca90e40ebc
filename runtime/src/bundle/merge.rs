//! Joins the shards of one build into the same bundle, byte for byte, that a build without `--shard` writes.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};

use super::atomic::Staging;
use super::digest::{FileDigests, HashingFile};
use super::manifest::{BuildOptions, MANIFEST_LIMIT, Manifest};
use super::{Progress, Shard, Summary, failures, statics};
use crate::Failure;

/// A bundle to join.
struct Part<'a> {
    path: &'a Path,
    manifest: Manifest,
    shard: Shard,
}

/// Joins bundles into `out`; their order does not matter. Rejects bundles that do not belong together and bundles changed after their build. When
/// `cancel` becomes true, it stops and removes what it wrote.
pub fn merge_bundles(
    parts: &[&Path],
    out: &Path,
    force: bool,
    progress: &dyn Progress,
    cancel: &AtomicBool,
) -> Result<Summary, Failure> {
    let mut parts = parts.iter().map(|path| open_part(path)).collect::<Result<Vec<_>, Failure>>()?;
    check_parts(&parts)?;
    parts.sort_by_key(|part| part.shard.index);
    let Some(first) = parts.first() else { return Err(failures::new_usage("there is nothing to merge")) };
    let mut manifest = first.manifest.clone();
    manifest.options.shard = None;
    let staging = Staging::new(out, force)?;
    let folder = staging.folder().to_owned();
    manifest.instances_sha256 =
        join_files(&parts, &folder, "instances.jsonl", cancel, |manifest| Some(manifest.instances_sha256.as_str()))?;
    manifest.keys_sha256 = match manifest.options.split_keys {
        true => Some(join_files(&parts, &folder, "keys.jsonl", cancel, |manifest| manifest.keys_sha256.as_deref())?),
        false => None,
    };
    let mut all = FileDigests::new(&folder);
    for part in &parts {
        let mut own = FileDigests::new(&folder);
        for top in ["files", statics::FOLDER] {
            copy_files(part, top, &folder, &mut own, &mut all, cancel)?;
        }
        if own.compute_digest()? != part.manifest.files_sha256 {
            return Err(build_changed_failure(part.path, "files"));
        }
        progress.report_written(part.manifest.instances);
    }
    let files = all.file_count();
    manifest.files_sha256 = all.compute_digest()?;
    manifest.instances = parts.iter().map(|part| part.manifest.instances).sum();
    for (name, count) in &mut manifest.tasks {
        let here = |part: &Part<'_>| part.manifest.tasks.get(name).and_then(Json::as_u64).unwrap_or(0);
        *count = parts.iter().map(here).sum::<u64>().into();
    }
    manifest.write_bundle(staging, files, cancel)
}

fn open_part(path: &Path) -> Result<Part<'_>, Failure> {
    let shown = disk::show_path(&path);
    let bytes = match disk::read_regular(&path.join("manifest.json"), MANIFEST_LIMIT) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Err(failures::new_usage(format!("`{shown}` is not a bundle: it does not contain manifest.json")));
        }
        Err(error) => return Err(failures::new_io(format!("read {shown}/manifest.json"), &error)),
    };
    let manifest = Manifest::from_bytes(&bytes)
        .map_err(|why| failures::new_usage(format!("`{shown}` is not a bundle that can be merged: {why}")))?;
    match manifest.options.shard {
        Some(shard) if shard.index >= 1 && shard.index <= shard.of => Ok(Part { path, manifest, shard }),
        Some(_) => Err(failures::new_usage(format!("`{shown}` names a shard that cannot be"))),
        None => Err(failures::new_usage(format!("`{shown}` is a whole bundle, not a shard"))
            .help("merge takes what `build --shard I/N` wrote")),
    }
}

/// Checks that the parts belong to one build and that each shard occurs exactly once.
fn check_parts(parts: &[Part<'_>]) -> Result<(), Failure> {
    let Some((first, others)) = parts.split_first() else { return Ok(()) };
    for other in others {
        if let Some(what) = find_difference(first, other) {
            return Err(failures::new_usage(format!(
                "`{}` and `{}` are not of one build: {what}",
                disk::show_path(&first.path),
                disk::show_path(&other.path)
            ))
            .help("build every shard from the same source with the same seed and options"));
        }
    }
    let mut seen: Vec<&Part<'_>> = parts.iter().collect();
    seen.sort_by_key(|part| part.shard.index);
    if let Some([one, two]) = seen.windows(2).find_map(|pair| match pair {
        [one, two] if one.shard.index == two.shard.index => Some([one, two]),
        _ => None,
    }) {
        return Err(failures::new_usage(format!(
            "`{}` and `{}` are both shard {}",
            disk::show_path(&one.path),
            disk::show_path(&two.path),
            one.shard
        )));
    }
    let of = first.shard.of;
    let missing: Vec<String> = (1..=of)
        .filter(|index| !parts.iter().any(|part| part.shard.index == *index))
        .take(10)
        .map(|index| format!("{index}/{of}"))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(failures::new_usage(format!("missing: shard {}", missing.join(", ")))) }
}

/// Describes the first difference that shows that two shards are not of one build.
fn find_difference(one: &Part<'_>, two: &Part<'_>) -> Option<String> {
    let (a, b) = (&one.manifest, &two.manifest);
    let differ = |what: &str, a: &dyn std::fmt::Display, b: &dyn std::fmt::Display| Some(format!("{what} {a} and {b}"));
    let options = |manifest: &Manifest| BuildOptions { shard: None, ..manifest.options.clone() };
    let tasks = |manifest: &Manifest| manifest.tasks.keys().cloned().collect::<Vec<_>>();
    if a.suite.name != b.suite.name {
        differ("the suites are", &a.suite.name, &b.suite.name)
    } else if a.seed != b.seed {
        differ("the seeds are", &a.seed, &b.seed)
    } else if a.source_sha256 != b.source_sha256 {
        Some("they were compiled from different sources".to_owned())
    } else if a.edition != b.edition {
        differ("the editions are", &a.edition, &b.edition)
    } else if one.shard.of != two.shard.of {
        differ("the shards are", &one.shard, &two.shard)
    } else if options(a) != options(b) {
        Some(format!("the options differ in {}", list_differing_options(&options(a), &options(b))))
    } else if a.compiler != b.compiler {
        differ("they were built by picardc", &a.compiler.version, &b.compiler.version)
    } else if a.suite != b.suite || a.canary != b.canary || tasks(a) != tasks(b) {
        Some("their manifests differ".to_owned())
    } else {
        None
    }
}

/// Names the flags of `build` in which two shards differ. The number of the shard is not compared.
fn list_differing_options(a: &BuildOptions, b: &BuildOptions) -> String {
    // Without `..`, so a new option is compared, too.
    let BuildOptions { samples, task, sandbox_root, inline, split_keys, no_traps, shard: _, stages } = a;
    let flags = [
        ("--samples", *samples != b.samples),
        ("--task", *task != b.task),
        ("--sandbox-root", *sandbox_root != b.sandbox_root),
        ("--inline", *inline != b.inline),
        ("--split-keys", *split_keys != b.split_keys),
        ("--no-traps", *no_traps != b.no_traps),
        ("--stages", *stages != b.stages),
    ];
    flags.iter().filter(|(_, differs)| *differs).map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn build_changed_failure(path: &Path, what: &str) -> Failure {
    failures::new_usage(format!(
        "`{}` was changed after it was built: its {what} do not have the digest that its manifest tells",
        disk::show_path(&path)
    ))
}

/// Concatenates the parts' files of this name and returns the digest of the result.
fn join_files(
    parts: &[Part<'_>],
    folder: &Path,
    name: &str,
    cancel: &AtomicBool,
    told: fn(&Manifest) -> Option<&str>,
) -> Result<String, Failure> {
    let write = |error: io::Error| failures::new_io(format!("write {name}"), &error);
    let mut whole = HashingFile::new(File::create_new(folder.join(name)).map_err(write)?);
    let mut buffer = vec![0; 1 << 16];
    for part in parts {
        let read = |error: io::Error| failures::new_io(format!("read {}/{name}", disk::show_path(&part.path)), &error);
        let mut file = disk::open_regular(&part.path.join(name)).map_err(read)?;
        let mut own = Sha256::new();
        loop {
            let count = file.read(&mut buffer).map_err(read)?;
            if count == 0 {
                break;
            }
            failures::check_cancelled(cancel)?;
            own.update(&buffer[..count]);
            whole.write_bytes(&buffer[..count]).map_err(write)?;
        }
        if told(&part.manifest) != Some(disk::digest::encode_hex(&own.finalize()).as_str()) {
            return Err(build_changed_failure(part.path, name));
        }
    }
    Ok(whole.into_digest())
}

/// Copies the folder `top` of a part. A file that an earlier part copied already (one shared by variants, or one below `static/`) must be equal. Adds the
/// digests of all files to `own`, and those of copied files to `all`.
fn copy_files(
    part: &Part<'_>,
    top: &str,
    folder: &Path,
    own: &mut FileDigests,
    all: &mut FileDigests,
    cancel: &AtomicBool,
) -> Result<(), Failure> {
    if !part.path.join(top).exists() {
        return Ok(());
    }
    let mut folders = vec![PathBuf::from(top)];
    while let Some(at) = folders.pop() {
        let from = part.path.join(&at);
        let read = |error: io::Error| failures::new_io(format!("read {}", disk::show_path(&from)), &error);
        fs::create_dir_all(folder.join(&at))
            .map_err(|error| failures::new_io(format!("create {}", to_slashed(&at)), &error))?;
        for entry in fs::read_dir(&from).map_err(read)? {
            failures::check_cancelled(cancel)?;
            let entry = entry.map_err(read)?;
            let path = at.join(entry.file_name());
            let kind = entry.file_type().map_err(read)?;
            if kind.is_dir() {
                folders.push(path);
                continue;
            }
            if !kind.is_file() {
                return Err(build_changed_failure(part.path, "files"));
            }
            let (name, to) = (to_slashed(&path), folder.join(&path));
            let mut file = disk::open_regular(&part.path.join(&path)).map_err(read)?;
            let write = |error: io::Error| failures::new_io(format!("write {name}"), &error);
            let sha256 = if to.exists() {
                let (_, sha256) = statics::digest_file(&mut file).map_err(read)?;
                let (_, other) = File::open(&to).and_then(|mut file| statics::digest_file(&mut file)).map_err(write)?;
                if sha256 != other {
                    let shown = disk::show_path(&part.path);
                    let failure = failures::new_usage(format!("{name} differs between `{shown}` and another shard"));
                    let is_static = top == statics::FOLDER;
                    return Err(if is_static {
                        failure.help("build every shard from the same files")
                    } else {
                        failure
                    });
                }
                sha256
            } else {
                let (_, sha256) = statics::copy_file(file, &to).map_err(write)?;
                all.add_file(&sha256, &name)?;
                sha256
            };
            own.add_file(&sha256, &name)?;
        }
    }
    Ok(())
}

/// Renders a path with `/` as separator, as in bundles.
fn to_slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use model::suite::StageMode;

    use super::{BuildOptions, list_differing_options};

    #[test]
    fn every_option_that_differs_is_named() {
        let options = BuildOptions {
            samples: None,
            task: None,
            sandbox_root: "/sandbox".to_owned(),
            inline: false,
            split_keys: false,
            no_traps: false,
            shard: None,
            stages: StageMode::Whole,
        };
        let same = || options.clone();
        for (flag, other) in [
            ("--samples", BuildOptions { samples: Some(3), ..same() }),
            ("--task", BuildOptions { task: Some("q*".to_owned()), ..same() }),
            ("--sandbox-root", BuildOptions { sandbox_root: "/work".to_owned(), ..same() }),
            ("--inline", BuildOptions { inline: true, ..same() }),
            ("--split-keys", BuildOptions { split_keys: true, ..same() }),
            ("--no-traps", BuildOptions { no_traps: true, ..same() }),
            ("--stages", BuildOptions { stages: StageMode::Each, ..same() }),
        ] {
            assert_eq!(list_differing_options(&options, &other), flag);
        }
        assert_eq!(list_differing_options(&options, &same()), "");
    }
}
