//! A browser for tests of pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A headless browser that asks nobody anything, or why there is none.
pub fn browser() -> Option<PathBuf> {
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|ran| ran.success())
    });
    if found.is_none() {
        eprintln!("skipped: there is no Chromium here (Debian: apt-get install chromium)");
    }
    found.map(PathBuf::from)
}

/// What the browser says of a page with these flags: its standard output and error.
pub fn browse(browser: &Path, page: &Path, flags: &[&str]) -> (String, String) {
    let home = tempfile::tempdir().expect("temp");
    let (out, err) = (home.path().join("out"), home.path().join("err"));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-dev-shm-usage", "--enable-logging=stderr", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
        .args(flags)
        .arg(format!("file://{}", page.display()))
        .stdout(fs::File::create(&out).expect("made"))
        .stderr(fs::File::create(&err).expect("made"))
        .spawn()
        .expect("started");
    let begun = Instant::now();
    while child.try_wait().expect("asked").is_none() {
        if begun.elapsed() > Duration::from_secs(90) {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the browser did not end within 90 s");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    (fs::read_to_string(out).expect("read"), fs::read_to_string(err).expect("read"))
}

/// Errors of the page's console; other lines are of the browser's own affairs.
pub fn console(err: &str) -> Vec<&str> {
    err.lines().filter(|line| line.contains(":CONSOLE")).collect()
}
