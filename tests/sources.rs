//! What a suite is made of: the files that are read for it, and its identity.

use std::fs;

use api::{Memory, Options, Suite};
use compiler::host::{Entry, EntryKind, Host as _, ReadError};
use host::Disk;

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

#[test]
fn only_files_below_the_root_sources_folder_are_read() {
    let home = tempfile::tempdir().expect("temp");
    let at = |path: &str| format!("{}/{path}", home.path().display());
    fs::create_dir_all(at("suite/inner")).expect("created");
    for path in ["suite/a.pcd", "suite/inner/b.txt", "secret"] {
        fs::write(at(path), path).expect("written");
    }
    let disk = Disk::new(&at("suite/a.pcd"));
    assert_eq!(disk.read_file(&at("suite/a.pcd")), Ok(b"suite/a.pcd".to_vec()));
    assert_eq!(disk.read_file(&at("suite/inner/b.txt")), Ok(b"suite/inner/b.txt".to_vec()));
    assert_eq!(disk.read_file(&at("suite/none")), Err(ReadError::NotFound));
    assert_eq!(disk.read_file(&at("suite/inner")), Err(ReadError::Other("it is a folder".into())));
    let outside = Err(ReadError::Other("it lies outside the project folder".into()));
    for path in
        [at("secret"), at("suite/../secret"), at("suite/inner/../../secret"), "/etc/passwd".into(), "secret".into()]
    {
        assert_eq!(disk.read_file(&path), outside, "{path}");
        assert!(disk.list_folder(&path).is_err(), "{path}");
    }
    let file = Entry { path: "b.txt".into(), kind: EntryKind::File(17) };
    assert_eq!(disk.list_folder(&at("suite/inner")), Ok(vec![file]));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("secret"), at("suite/link")).expect("linked");
        assert_eq!(disk.read_file(&at("suite/link")), outside);
        // A folder that is a link says so, wherever it leads.
        for (link, to, said) in [
            ("near", at("suite/inner"), "it is a link"),
            ("far", at("elsewhere"), "it is a link that leads out of the project folder"),
            ("lost", at("nowhere"), "it is a link that leads to nothing"),
        ] {
            fs::create_dir_all(at("elsewhere/below")).expect("created");
            std::os::unix::fs::symlink(to, at(&format!("suite/{link}"))).expect("linked");
            assert_eq!(
                disk.list_folder(&at(&format!("suite/{link}"))),
                Err(ReadError::Other(said.to_owned())),
                "{link}"
            );
        }
        let below = Err(ReadError::Other("`far` is a link that leads out of the project folder".to_owned()));
        assert_eq!(disk.list_folder(&at("suite/far/below")), below);
        std::os::unix::fs::symlink(at("suite/inner"), at("suite/other")).expect("linked");
        let link = Err(ReadError::Other("it is a link".into()));
        assert_eq!(disk.list_folder(&at("suite/other")), link);
    }
}
