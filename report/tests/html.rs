//! The HTML report: hostile texts, size, offline, and in a browser.

mod fixtures;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fixtures::{run, score};
use records::{Score, Status};
use report::details::Details;
use report::render::{html, junit};
use report::{RunData, report};

const HOSTILE: &str =
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'\"&\u{0}\u{202e}";

/// A run with an axis, variants, several ends, and whatever `text` is in every text that an agent or author chooses.
fn sample(name: &str, text: &str, wrong: u32) -> RunData {
    let mut scores: Vec<Score> = Vec::new();
    for size in ["10", "100", "1000"] {
        for sample in 1..=20 {
            let mut one = score("needles", None, "reply", sample, 1, sample > wrong * size.len() as u32 / 2);
            one.id = format!("needles-{size}-{sample}");
            one.axis = vec![("lines".to_owned(), size.to_owned())];
            one.rounds = Some(1 + (sample * 7 + size.len() as u32) % 6);
            one.tags = vec!["text".to_owned()];
            scores.push(one);
        }
    }
    for (variant, subject, better) in [("json_file", "file a.json", 0), ("text_reply", "reply", 8)] {
        for sample in 1..=20 {
            scores.push(score("orders", Some(variant), subject, sample, 1, sample > wrong + better));
        }
    }
    for score in scores.iter_mut().filter(|score| !score.correct) {
        score.verdicts[0].differences[0].got = text.to_owned();
        if score.sample == 2 {
            (score.status, score.error) = (Status::Failed, Some(text.to_owned()));
        }
    }
    let mut run = run(name, "c0ffee", scores);
    run.info.agent = format!("cmd:{text}");
    run
}

fn page(runs: &[RunData], reply: &str, most: usize) -> String {
    let home = tempfile::tempdir().expect("temp");
    let report = report(runs, None);
    let details = runs.iter().zip(&report.runs).enumerate().map(|(at, (run, told))| {
        let folder = home.path().join(at.to_string());
        fixtures::write(&folder, run, reply);
        assert_eq!(RunData::read(&folder, run.name.clone(), false).expect("read").scores, run.scores);
        Details::read(&folder, told, most).expect("read")
    });
    html::write(&report, &details.collect::<Vec<_>>())
}

/// What stands in quotes after each `attribute="`.
fn attributes<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    page.match_indices(&opening).filter_map(|(at, _)| page[at + opening.len()..].split('"').next()).collect()
}

#[test]
fn hostile_texts_are_read_as_texts() {
    let page = page(&[sample("<b>", HOSTILE, 4)], HOSTILE, 100);
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains("<img") && !page.contains("<b>\"") && !page.contains('\u{0}') && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;document.title=&#39;owned&#39;"));
}

#[test]
fn it_asks_nothing_of_any_network() {
    let page = page(&[sample("a", "x", 4), sample("b", "y", 6)], "z", 100);
    for attribute in ["src", "srcset", "href", "xlink:href", "action", "poster", "data"] {
        for value in attributes(&page, attribute) {
            assert!(value.starts_with('#'), "{attribute}={value}");
        }
    }
    assert!(!page.contains("@import") && !page.contains("url(") && !page.contains("fetch(") && !page.contains("://"));
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn everyone_can_read_it() {
    let page = page(&[sample("a", "x", 4), sample("b", "y", 6)], "z", 100);
    for landmark in
        ["<html lang=\"en\">", "<header>", "<nav aria-label=", "<main id=\"content\">", "<footer>", "class=\"skip\""]
    {
        assert!(page.contains(landmark), "{landmark}");
    }
    let count = |text: &str| page.matches(text).count();
    assert_eq!(count("<table"), count("<caption>"));
    assert_eq!(count("<th "), count("<th scope="));
    assert_eq!(count("<svg"), count("<desc>"));
    assert_eq!(count("<svg role=\"img\""), count("<svg"));
    for query in ["prefers-color-scheme", "prefers-reduced-motion", "@media print"] {
        assert!(page.contains(query), "{query}");
    }
    let mut ids = attributes(&page, "id");
    ids.sort_unstable();
    let before = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), before, "an id comes twice");
    for anchor in attributes(&page, "href") {
        assert!(ids.contains(&&anchor[1..]), "{anchor} leads nowhere");
    }
}

#[test]
fn its_size_is_bounded() {
    let long = "word ".repeat(200_000);
    let run = sample("a", "x", 9);
    let whole = page(std::slice::from_ref(&run), &long, 10);
    assert!(whole.len() < 400_000, "{}", whole.len());
    assert!(whole.contains("996000 more characters"));
    let failures = run.scores.iter().filter(|score| !score.correct).count();
    assert!(whole.contains(&format!("10 of them are shown, task by task in turn; {} more are", failures - 10)));
    // Both tasks are among the ten.
    assert!(whole.contains("<summary><b>needles-") && whole.contains("<summary><b>orders-"));
}

#[test]
fn the_same_bytes_again() {
    let runs = [sample("a", "x", 4), sample("b", "y", 6)];
    assert_eq!(page(&runs, "z", 50), page(&runs, "z", 50));
}

#[test]
fn junit_as_it_is_written() {
    let mut scores = fixtures::samples("orders", None, "reply", 2, 3);
    scores.push(Score {
        status: Status::Timeout,
        error: Some("its 300 s were up".to_owned()),
        ..score("needles", None, "file <a>&\u{1}.txt", 1, 1, false)
    });
    insta::assert_snapshot!(junit::write(&[run("mine", "1", scores)]));
}

// In a browser.

/// A headless browser that asks nobody anything, or why there is none.
fn browser() -> Option<PathBuf> {
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
fn browse(browser: &Path, page: &Path, flags: &[&str]) -> (String, String) {
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
fn console(err: &str) -> Vec<&str> {
    err.lines().filter(|line| line.contains(":CONSOLE")).collect()
}

#[test]
fn in_a_browser_it_runs_its_own_script_alone() {
    let Some(browser) = browser() else { return };
    let home = tempfile::tempdir().expect("temp");
    let path = home.path().join("report.html");
    let text = page(&[sample("a", HOSTILE, 4), sample("b", "y", 6)], HOSTILE, 100);
    fs::write(&path, &text).expect("written");
    let (dom, err) = browse(&browser, &path, &["--dump-dom"]);
    assert_eq!(console(&err), Vec::<&str>::new());
    assert!(dom.contains("<th scope=\"col\"><button type=\"button\">task</button></th>"), "its script did not run");
    assert!(dom.contains("<title>desk 1.0.0: Order desk</title>"));
    // A script that is not the page's own does nothing, even if it got in.
    fs::write(&path, text.replace("<footer>", "<script>document.title='owned'</script><footer>")).expect("written");
    let (dom, err) = browse(&browser, &path, &["--dump-dom"]);
    assert!(dom.contains("<title>desk 1.0.0: Order desk</title>"));
    assert_eq!(console(&err).len(), 1, "{err}");
}

#[test]
fn in_a_browser_tables_are_sorted() {
    let Some(browser) = browser() else { return };
    let home = tempfile::tempdir().expect("temp");
    let path = home.path().join("report.html");
    let text = page(&[sample("a", "x", 4)], "z", 100);
    // The test's own script, where the page's policy is taken away.
    let policy = text.split("script-src ").nth(1).and_then(|rest| rest.split(';').next()).expect("a policy");
    let test = r#"<script>
      const table = [...document.querySelectorAll("table.sortable")].find((table) => table.caption.textContent === "Accuracy by task");
      const names = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent).join(" ");
      const head = table.tHead.rows[0].cells[3], button = head.querySelector("button");
      const said = [names()];
      button.focus();
      said.push(String(document.activeElement === button));
      for (let click = 0; click < 2; click += 1) { button.click(); said.push(head.getAttribute("aria-sort"), names()); }
      window.dispatchEvent(new Event("beforeprint"));
      said.push(String(document.querySelectorAll("details:not([open])").length));
      window.dispatchEvent(new Event("afterprint"));
      said.push(String(document.querySelectorAll("details[open]").length));
      document.body.setAttribute("data-said", said.join("|"));
    </script></body>"#;
    fs::write(&path, text.replace(policy, "'unsafe-inline'").replace("</body>", test)).expect("written");
    let (dom, err) = browse(&browser, &path, &["--dump-dom"]);
    assert_eq!(console(&err), Vec::<&str>::new());
    let said = dom.split("data-said=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("it ran");
    assert_eq!(said, "needles orders|true|ascending|orders needles|descending|needles orders|0|0");
}

/// For people: `PICARDC_PICTURES=FOLDER` keeps the page and a picture of it, light and dark.
#[test]
fn in_a_browser_it_can_be_drawn() {
    let Some(browser) = browser() else { return };
    let home = tempfile::tempdir().expect("temp");
    let folder = std::env::var_os("PICARDC_PICTURES").map_or_else(|| home.path().to_owned(), PathBuf::from);
    let path = folder.join("report.html");
    fs::write(
        &path,
        page(&[sample("baseline", "about 12", 6), sample("treatment", "12.0", 3)], "It is about 12.", 100),
    )
    .expect("written");
    for (name, flag) in [("light", "--lang=en"), ("dark", "--force-dark-mode")] {
        let picture = folder.join(format!("{name}.png"));
        let shot = format!("--screenshot={}", picture.display());
        browse(&browser, &path, &[&shot, "--window-size=1200,2600", flag]);
        let bytes = fs::read(&picture).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000, "{} bytes", bytes.len());
    }
}
