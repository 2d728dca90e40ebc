//! Same source, seed and options, same bytes: at any number of threads, in one piece or in shards; another seed, other bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

fn picardc(args: &[&str]) {
    testing::expect_success(testing::root(), args);
}

fn suite(name: &str) -> String {
    format!("{}/suites/{name}.pcd", env!("CARGO_MANIFEST_DIR"))
}

/// Every file of a bundle, by its path there.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = testing::read_files(folder);
    assert!(files.contains_key("manifest.json"), "a bundle has a manifest");
    files
}

fn built(folder: &TempDir, name: &str, args: &[&str]) -> PathBuf {
    let out = folder.path().join(name);
    let mut all = vec!["build", "-o", out.to_str().expect("UTF-8"), "--quiet"];
    all.extend(args);
    picardc(&all);
    out
}

#[test]
fn bundles_repeat_at_any_number_of_threads() {
    let folder = TempDir::new().expect("temp");
    for name in ["past", "failure_modes"] {
        for layout in [&[][..], &["--inline"], &["--split-keys"]] {
            let build = |label: &str, threads: &str| {
                let path = suite(name);
                let mut args = vec![path.as_str(), "--seed", "7", "--threads", threads];
                args.extend(layout);
                content(&built(&folder, &format!("{name}-{label}-{}", layout.len()), &args))
            };
            let once = build(&format!("one{layout:?}"), "1");
            for threads in ["1", "2", "8"] {
                assert!(
                    build(&format!("t{threads}{layout:?}"), threads) == once,
                    "{name} {layout:?} differs at {threads} threads"
                );
            }
        }
    }
}

#[test]
fn four_shards_merged_are_the_bundle() {
    let folder = TempDir::new().expect("temp");
    for name in ["past", "failure_modes"] {
        for layout in [&[][..], &["--inline"], &["--split-keys"]] {
            let path = suite(name);
            let label = format!("{name}{}", layout.join(""));
            let mut args = vec![path.as_str(), "--seed", "7"];
            args.extend(layout);
            let whole = content(&built(&folder, &format!("{label}-whole"), &args));
            let shards: Vec<PathBuf> = (1..=4)
                .map(|shard| {
                    let part = format!("{shard}/4");
                    let mut args = args.clone();
                    args.extend(["--shard", part.as_str()]);
                    built(&folder, &format!("{label}-{shard}"), &args)
                })
                .collect();
            let merged = folder.path().join(format!("{label}-merged"));
            let mut args = vec!["merge", "-o", merged.to_str().expect("UTF-8")];
            // In any order.
            args.extend(shards.iter().rev().map(|shard| shard.to_str().expect("UTF-8")));
            picardc(&args);
            assert!(content(&merged) == whole, "{label}: merged shards differ");
        }
    }
}

/// Files with all that a form can do to rows: many of one table, repeats, an order, every style, encodings, texts around, and answers with traps.
const DIRTY: &str = r##"
suite dirty {
  title   "Dirty"
  version "1"
  samples 9
}

task sales {
  axis mess = { clean: 0, some: 15, much: 40 }
  table sales {
    rows 60..90
    NO   : serial
    SHOP : one_of ["Kiel", "Málaga", "Sankt Peter", "Oslo"]
    WHO  : template "<<first_name>> <<last_name>>"
    DAY  : date 2023-01-01..2024-12-31
    PAY  : decimal 0.00..9_999.99
    N    : int 0..500 blank 10%
  }
  csv parts at "lake/<<SHOP>>.csv" delimiter ";" crlf encoding "windows-1252" above "Shop <<SHOP>>\n" below "\nSource: sales" from sales {
    rows repeat mess%
    rows by PAY desc
    No  = NO
    Who = WHO as case mess% space mess%
    Day = DAY as written "dd.MM.yyyy"
    Pay = PAY as written "#,##0.00"
    N   = N as missing ["n/a", "-"]
  }
  csv again at "lake/all.csv" header 2 bom from sales where N != null {
    rows repeat 20%
    No        = NO
    `Of / Who` = WHO as case 30%
    `Of / Pay` = PAY
    `Of / X`   : int 1..9
  }
  prompt """
    The tables in <<sandbox>>/lake have rows that appear twice: they count once. Capitals and blanks do not matter, `n/a` and `-` are missing. `all.csv` is another table.
    Reply with a JSON object: `n`, the sum of `N`, and `first`, whose name comes first in the alphabet.
    """
  expect reply json { n: coalesce(sum(sales.N), 0), first: coalesce(min(sales.WHO), "") ignore case, space }
}

task notes {
  table notes {
    rows 30..40
    NO   : serial
    WEEK : int 1..5
    TAG  : pattern "[A-Z]{3}[0-9]{2}"
    SIZE : int 1..900
  }
  text lines at "week_<<WEEK>>.txt" above "Week <<WEEK>>" encoding "utf-16le" from notes {
    rows repeat 10%
    line "<<Tag>>: <<No>>, <<Size>> kg"
    No   = NO
    Tag  = TAG as case 20%
    Size = SIZE as written "#,##0"
  }
  prompt "What is the sum of all sizes in the files of the weeks in <<sandbox>>? Lines that appear twice count once. Reply with the number only."
  expect reply number coalesce(sum(notes.SIZE), 0)
}
"##;

#[test]
fn dirty_files_are_the_same_at_any_number_of_threads_and_in_shards() {
    let folder = TempDir::new().expect("temp");
    let path = folder.path().join("dirty.pcd");
    fs::write(&path, DIRTY).expect("written");
    let suite = path.to_str().expect("UTF-8");
    for (label, layout) in [("plain", None), ("keys", Some("--split-keys"))] {
        let build = |name: &str, more: &[&str]| {
            let mut args = vec![suite, "--seed", "7"];
            args.extend(layout);
            args.extend(more);
            built(&folder, &format!("{label}-{name}"), &args)
        };
        let once = content(&build("once", &["--threads", "1"]));
        let keys = if layout.is_some() { "keys.jsonl" } else { "instances.jsonl" };
        let of = |file: &str| String::from_utf8_lossy(&once[file]).into_owned();
        for dirt in ["parts.repeat", "parts.Who.case", "parts.Who.space", "lines.repeat"] {
            assert!(of(keys).contains(dirt), "{label}: an answer has the trap {dirt}");
        }
        assert!(
            once.keys().any(|path| path.ends_with("Kiel.csv")) && once.keys().any(|path| path.ends_with("week_1.txt"))
        );
        for threads in ["1", "2", "8"] {
            let again = content(&build(&format!("t{threads}"), &["--threads", threads]));
            assert!(again == once, "{label}: differs at {threads} threads");
        }
        let shards: Vec<PathBuf> = ["1/3", "2/3", "3/3"]
            .iter()
            .map(|shard| build(&format!("s{}", &shard[..1]), &["--shard", shard, "--threads", "2"]))
            .collect();
        let merged = folder.path().join(format!("{label}-merged"));
        let mut args = vec!["merge", "-o", merged.to_str().expect("UTF-8")];
        args.extend(shards.iter().rev().map(|shard| shard.to_str().expect("UTF-8")));
        picardc(&args);
        assert!(content(&merged) == once, "{label}: merged shards differ");
    }
}

/// One instance with so many cells that the columns which are drawn alone are filled by several threads: before and after a computed one, sorted, null at times.
const LARGE: &str = r#"
suite large {
  title "Large"
  version "1"
  samples 1
}

task sums {
  limit : int 1..9
  table t {
    rows 6_000
    NO    : serial
    NAME  : template "<<last_name>>, <<first_name>>" blank 3%
    DAY   : sorted date 2023-01-01..2024-12-31
    TWICE = NO * 2
    N     : int 0..50_000 blank 4%
    PAY   : decimal 0.00..9_999.99 except 7.00
    WORDS : lorem words 2..5
    KIND  : one_of ["a", "b", "c"]
    NEXT  = coalesce(N, 0) + TWICE
  }
  csv f at "t.csv" from t
  prompt "What is the sum of `NEXT` and <<limit>> in <<f>>? Reply with the number only."
  expect reply number sum(t.NEXT) + limit
}
"#;

#[test]
fn columns_of_a_large_table_are_the_same_at_any_number_of_threads() {
    let folder = TempDir::new().expect("temp");
    let source = folder.path().join("large.pcd");
    fs::write(&source, LARGE).expect("written");
    let source = source.to_str().expect("UTF-8");
    let build = |threads: &str| content(&built(&folder, threads, &[source, "--seed", "7", "--threads", threads]));
    let once = build("1");
    assert!(once.keys().any(|path| path.ends_with("t.csv")), "{:?}", once.keys());
    for threads in ["2", "3", "8"] {
        assert!(build(threads) == once, "differs at {threads} threads");
    }
}

/// Of several columns that fail, the first is named, whichever thread is done first.
#[test]
fn the_first_column_that_fails_is_named_at_any_number_of_threads() {
    let folder = TempDir::new().expect("temp");
    let source = folder.path().join("fails.pcd");
    let rows = r#"    A : int 1..9
    B : int low..9
    C : int low..9
    D : lorem words 40..60
    E : int low..9"#;
    let text = LARGE.replace("    NO    : serial\n", &format!("{rows}\n    NO    : serial\n"));
    fs::write(&source, text.replace("  limit : int 1..9\n", "  limit : int 1..9\n  low : int 5..12\n"))
        .expect("written");
    let source = source.to_str().expect("UTF-8");
    let said: Vec<String> = ["1", "2", "8"]
        .iter()
        .map(|threads| {
            let args = ["build", "-o", "out", source, "--seed", "4", "--threads", threads, "--quiet"];
            testing::run_picardc(folder.path(), &args).join_output()
        })
        .collect();
    assert!(said[0].contains("B : int low..9"), "{}", said[0]);
    assert!(said.iter().all(|other| *other == said[0]), "{said:#?}");
}

#[test]
fn another_seed_gives_other_bytes() {
    let folder = TempDir::new().expect("temp");
    let seven = content(&built(&folder, "seven", &[&suite("past"), "--seed", "7"]));
    let eight = content(&built(&folder, "eight", &[&suite("past"), "--seed", "8"]));
    let lines = |bundle: &BTreeMap<String, Vec<u8>>| {
        String::from_utf8(bundle["instances.jsonl"].clone())
            .expect("UTF-8")
            .lines()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let same = lines(&seven).iter().zip(lines(&eight)).filter(|(a, b)| **a == *b).count();
    assert_eq!(same, 0, "instances that did not change with the seed");
}

/// Instances by id, and the bytes of their files.
fn instances(bundle: &Path) -> BTreeMap<String, (serde_json::Value, BTreeMap<String, Vec<u8>>)> {
    let text = fs::read_to_string(bundle.join("instances.jsonl")).expect("instances");
    text.lines()
        .map(|line| {
            let mut instance: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let files = instance["files"].as_object().cloned().unwrap_or_default();
            let files = files
                .iter()
                .map(|(to, from)| (to.clone(), fs::read(bundle.join(from.as_str().expect("a path"))).expect("a file")))
                .collect();
            // The draws of what is new are listed too; everything else must be as it was.
            instance["metadata"]["picard"]["draws"] = serde_json::Value::Null;
            (instance["id"].as_str().expect("an id").to_owned(), (instance, files))
        })
        .collect()
}

const BASE: &str = r#"suite s { title "S" version "1.0.0" samples 12 }
task q {
  a : word
  n : int 1..1_000_000
  csv hr at "hr.csv" {
    rows 9
    NAME : person_name
    PAY  : salary
  }
  prompt "<<a>> <<n>> <<hr>>"
  expect reply number sum(hr.PAY) + n
}
"#;

#[test]
fn adding_a_task_a_name_or_a_sample_changes_no_other_value() {
    let folder = TempDir::new().expect("temp");
    let build = |label: &str, source: &str, flags: &[&str]| {
        let path = folder.path().join(format!("{label}.pcd"));
        fs::write(&path, source).expect("written");
        let mut args = vec![path.to_str().expect("UTF-8"), "--seed", "s"];
        args.extend(flags);
        instances(&built(&folder, label, &args))
    };
    let base = build("base", BASE, &[]);
    assert_eq!(base.len(), 12);
    let with_task =
        BASE.replace("task q {", "task first { w : word prompt \"say <<w>>\" expect reply text w }\ntask q {");
    let with_name = BASE
        .replace("  n : int", "  extra : word\n  allow unused_name \"to see that nothing else changes\"\n  n : int");
    for (label, bundle) in [
        ("task", build("task", &with_task, &[])),
        ("name", build("name", &with_name, &[])),
        ("sample", build("sample", BASE, &["--samples", "40"])),
        ("only", build("only", &with_task, &["--task", "q"])),
    ] {
        for (id, instance) in &base {
            assert_eq!(bundle.get(id), Some(instance), "{label}: {id}");
        }
    }
}

#[test]
fn adding_a_column_or_a_row_changes_no_other_cell() {
    let folder = TempDir::new().expect("temp");
    let rows = |label: &str, source: &str| {
        let path = folder.path().join(format!("{label}.pcd"));
        fs::write(&path, source).expect("written");
        let bundle = instances(&built(&folder, label, &[path.to_str().expect("UTF-8"), "--seed", "s"]));
        bundle
            .into_values()
            .map(|(_, files)| String::from_utf8(files["hr.csv"].clone()).expect("UTF-8"))
            .collect::<Vec<_>>()
    };
    let base = rows("base", BASE);
    let wider = rows("wider", &BASE.replace("    PAY  :", "    DEPT : department\n    PAY  :"));
    let longer = rows("longer", &BASE.replace("rows 9", "rows 15"));
    for ((base, wider), longer) in base.iter().zip(&wider).zip(&longer) {
        assert!(longer.starts_with(base.as_str()), "{base}\n{longer}");
        let without: Vec<String> = wider
            .lines()
            .map(|line| {
                line.split(',')
                    .enumerate()
                    .filter(|(index, _)| *index != 1)
                    .map(|(_, cell)| cell)
                    .collect::<Vec<_>>()
                    .join(",")
            })
            .collect();
        assert_eq!(base.lines().collect::<Vec<_>>(), without);
    }
}
