//! The playground and the site, as `./dist site` builds them: the compiler of the browser says and makes what the native one does, and the page works in a
//! browser, with keys alone, without a network, and within its times.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};

use testing::{CommandOutput, has_integrations, root};

/// Whether a program runs; says so if not.
fn has(program: &str) -> bool {
    let there = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: {program} cannot be run");
    }
    there
}

/// The folder of the site, built once; `None`, with the reason printed, where it cannot be.
fn site() -> Option<&'static Path> {
    static SITE: OnceLock<Option<PathBuf>> = OnceLock::new();
    SITE.get_or_init(|| {
        if !has_integrations("the site") {
            return None;
        }
        if !["clang", "llvm-ar", "node", "npm"].into_iter().all(has) {
            return None;
        }
        let target =
            Command::new("rustc").args(["--print", "target-libdir", "--target", "wasm32-unknown-unknown"]).output();
        let installed = target.is_ok_and(|output| Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir());
        let added = || {
            Command::new("rustup")
                .args(["target", "add", "wasm32-unknown-unknown"])
                .output()
                .is_ok_and(|output| output.status.success())
        };
        if !installed && !added() {
            eprintln!("skipped: the target wasm32-unknown-unknown is not installed, and rustup cannot add it");
            return None;
        }
        let built = root().join("target/site");
        let ran = CommandOutput::from(
            Command::new(root().join("dist")).arg("site").arg(&built).output().expect("./dist runs"),
        );
        assert!(ran.status.success(), "{}", ran.join_output());
        Some(built)
    })
    .as_deref()
}

/// One at a time: the page is held to its times.
static ALONE: Mutex<()> = Mutex::new(());

fn node(program: &str, args: &[&Path]) -> String {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let ran = CommandOutput::from(
        Command::new("node")
            .arg(root().join("bindings/playground/tests").join(program))
            .args(args)
            .output()
            .expect("node runs"),
    );
    println!("{}", ran.join_output());
    assert!(ran.status.success(), "{}", ran.join_output());
    ran.out
}

#[test]
fn the_browser_compiles_as_the_program_does() {
    let Some(site) = site() else { return };
    let said = node(
        "same.mjs",
        &[
            &root().join("target/web-bindings"),
            &site.join("playground/picardc.wasm"),
            Path::new(env!("CARGO_BIN_EXE_picardc")),
        ],
    );
    assert!(said.contains("are the same"), "{said}");
}

#[test]
fn the_page_works_in_a_browser() {
    let Some(site) = site() else { return };
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    if !Path::new(&chromium).exists() {
        eprintln!("skipped: {chromium} does not exist: CHROMIUM names a browser");
        return;
    }
    let said = node("browser.mjs", &[site, &root().join("target/playground-shots")]);
    assert!(said.contains("without a network") && said.contains("keys alone"), "{said}");
}
