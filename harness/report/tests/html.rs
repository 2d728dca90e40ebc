//! The HTML report: hostile texts, size, offline, and in a browser.

use std::fs;
use std::path::PathBuf;

use crate::browser::{browse, browser, console};
use crate::fixtures;
use crate::fixtures::{run, score};
use records::{Score, Status};
use report::details::Details;
use report::render::{html, junit};
use report::{RunData, Verification, build_report};

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
    let report = build_report(runs, None);
    let details = runs.iter().zip(&report.runs).enumerate().map(|(at, (run, told))| {
        let folder = home.path().join(at.to_string());
        fixtures::write(&folder, run, reply);
        assert_eq!(
            RunData::read_run(&folder, run.name.clone(), Verification::Required).expect("read").scores,
            run.scores
        );
        Details::read_details(&folder, told, most).expect("read")
    });
    let details: Vec<Details> = details.collect();
    html::write_page(&html::Page { runs, report: &report, details: &details, least: None })
}

/// What stands in quotes after each `attribute="`.
fn attributes<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    page.match_indices(&opening).filter_map(|(at, _)| page[at + opening.len()..].split('"').next()).collect()
}

#[test]
fn hostile_texts_are_read_as_texts() {
    let mut run = sample("<b>", HOSTILE, 4);
    for score in &mut run.scores {
        score.tags.push(HOSTILE.to_owned());
        score.axis.push((HOSTILE.to_owned(), score.sample.to_string()));
        if score.task == "orders" {
            (score.task, score.variant) = (format!("orders{HOSTILE}"), Some(format!("{}{HOSTILE}", score.sample % 2)));
        }
        score.verdicts[0].subject = format!("file {HOSTILE}");
    }
    run.info.bundle.title = HOSTILE.to_owned();
    run.info.bundle.suite = HOSTILE.to_owned();
    run.info.picardc = HOSTILE.to_owned();
    run.warnings = vec![format!("`{HOSTILE}` and {HOSTILE}")];
    let report = build_report(std::slice::from_ref(&run), None);
    let home = tempfile::tempdir().expect("temp");
    fixtures::write(home.path(), &run, HOSTILE);
    let details = [Details::read_details(home.path(), &report.runs[0], 100).expect("read")];
    let page = html::write_page(&html::Page { runs: &[run], report: &report, details: &details, least: Some(50.0) });
    assert_eq!(page.matches("<script>").count(), 1);
    assert_eq!(page.matches("</script>").count(), 1);
    assert!(!page.contains("<img") && !page.contains("<b>\"") && !page.contains('\u{0}') && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;document.title=&#39;owned&#39;"));
    // Nothing of it ends an attribute: every attribute is one of ours.
    for attribute in attribute_names(&page) {
        assert!(!attribute.starts_with("on"), "{attribute}");
    }
    for id in attributes(&page, "id") {
        assert!(id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '~')), "{id}");
    }
}

/// The names of attributes of all elements of the body.
fn attribute_names(page: &str) -> Vec<&str> {
    let body = page.split("<body>").nth(1).and_then(|rest| rest.split("<script>").next()).expect("a body");
    let mut names = Vec::new();
    for tag in body.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        // Outside of quotes, what is before `=` is a name.
        for outside in tag.split('"').step_by(2) {
            names.extend(
                outside
                    .split_whitespace()
                    .skip(usize::from(tag.starts_with(outside)))
                    .map(|name| name.trim_end_matches('=')),
            );
        }
    }
    names
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
    // A drawing has words, or is only a symbol next to a name; marks are drawings in a drawing.
    assert_eq!(count("<svg"), count("<svg class=\"symbol") + count("role=\"img\"") + count("<svg x="));
    assert_eq!(count("<svg class=\"symbol"), count("aria-hidden=\"true\" focusable=\"false\">"));
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
    assert!(whole.contains(&format!("10 of {failures} failures are listed, taken from the tasks in turn.")));
    // Both tasks are among the ten.
    assert!(whole.contains("<span class=\"id\">needles-") && whole.contains("<span class=\"id\">orders-"));
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
    insta::assert_snapshot!(junit::write_junit(&[run("mine", "1", scores)]));
}

#[test]
fn runs_side_by_side() {
    let page = page(&[sample("weak", "x", 9), sample("strong", "y", 2)], "z", 500);
    // The best run is first in the cards, and the other one is compared with it.
    let cards = page.split("class=\"cards\"").nth(1).and_then(|rest| rest.split("</ol>").next()).expect("cards");
    assert!(cards.find("strong") < cards.find("weak"), "{cards}");
    assert!(cards.contains("<dt>Difference to strong</dt><dd>−") && cards.contains("<p class=\"big\">"), "{cards}");
    for id in ["summary", "comparison", "failures", "cost", "details"] {
        assert!(page.contains(&format!("href=\"#{id}\"")) && page.contains(&format!("id=\"{id}\"")), "{id}");
    }
    // Commands of agents are in the details alone.
    assert_eq!(page.matches("cmd:x").count(), 2, "the table of whole runs, and the run's own details");
    assert!(page.split("id=\"details\"").nth(1).expect("details").matches("cmd:x").count() == 2);
    for part in ["<span class=\"by\">variant</span> json_file", "<span class=\"by\">lines</span> 100", "weakness: "] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn chips_count_what_is_listed() {
    let (a, b) = (sample("a", "x", 9), sample("b", "y", 2));
    let wrong = |run: &RunData| run.scores.iter().filter(|score| !score.correct).count();
    let alone = a.scores.iter().zip(&b.scores).filter(|(a, b)| a.correct != b.correct).count();
    let (of_a, of_b) = (wrong(&a), wrong(&b));
    let page = page(&[a, b], "z", 1_000);
    let chip = |key: &str, value: &str| -> usize {
        let start = format!("data-key=\"{key}\" data-value=\"{value}\">");
        let rest = page.split(&start).nth(1).unwrap_or_else(|| panic!("no chip {key} {value}"));
        let count = rest.split("class=\"count\">").nth(1).and_then(|rest| rest.split('<').next()).expect("a count");
        count.parse().expect("a number")
    };
    assert_eq!((chip("run", "0"), chip("run", "1"), chip("alone", "1")), (of_a, of_b, alone));
    assert_eq!(
        chip("part", "orders json_file") + chip("part", "orders text_reply") + chip("part", "needles"),
        of_a + of_b
    );
    assert_eq!(page.matches("<details class=\"failure\"").count(), of_a + of_b);
    assert_eq!(chip("reason", "differs") + chip("reason", "failed"), of_a + of_b);
    // The table of ends leads to the failures with that end.
    assert!(page.contains("<a href=\"#reason-failed\" data-only-run=\"0\" data-only-reason=\"failed\">"));
}

#[test]
fn one_task_and_one_run() {
    let page = page(&[run("only", "c0ffee", fixtures::samples("a", None, "reply", 1, 1))], "z", 100);
    assert!(page.contains("The trial completed.") && page.contains("Not correct: 0 of 1 response."));
    assert!(!page.contains("class=\"legend\"") && !page.contains(">spread<") && !page.contains("class=\"filters\""));
}

/// The variables of a block of the theme, as (name, color).
fn colors(block: &str) -> Vec<(&str, [f64; 3])> {
    let declared = block
        .split(';')
        .filter_map(|part| part.trim().split_once(":#").map(|(name, hex)| (name, hex.trim_end_matches('}'))));
    let channel = |hex: &str| {
        let value = f64::from(u8::from_str_radix(hex, 16).expect("two digits")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let color = |hex: &str| {
        let long: String = if hex.len() == 3 { hex.chars().flat_map(|c| [c, c]).collect() } else { hex.to_owned() };
        [&long[0..2], &long[2..4], &long[4..6]].map(channel)
    };
    declared.map(|(name, hex)| (name.rsplit("--").next().expect("a name"), color(hex))).collect()
}

/// The contrast of two colors, 1 to 21 (WCAG 2.2).
fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn contrast_is_enough_in_light_and_dark() {
    let (light, dark) = html::THEME.split_once("@media").expect("a dark theme");
    for (scheme, block) in [("light", light), ("dark", dark)] {
        let colors = colors(block);
        let color = |wanted: &str| {
            let found = colors.iter().find(|(name, _)| *name == wanted);
            found.unwrap_or_else(|| panic!("{scheme} has no --{wanted}")).1
        };
        let texts = ["text", "dim", "link", "warn", "least"].map(str::to_owned).into_iter();
        for text in texts.chain((0..8).map(|run| format!("run{run}"))) {
            for ground in ["page", "soft"] {
                let contrast = contrast(color(&text), color(ground));
                assert!(contrast >= 4.5, "{scheme}: --{text} on --{ground} has {contrast:.2}");
            }
        }
        for ground in ["missed", "added", "shade"] {
            let contrast = contrast(color("text"), color(ground));
            assert!(contrast >= 4.5, "{scheme}: --text on --{ground} has {contrast:.2}");
        }
    }
}

// In a browser.

#[test]
fn in_a_browser_it_runs_its_own_script_alone() {
    let Some(browser) = browser() else { return };
    let home = tempfile::tempdir().expect("temp");
    let path = home.path().join("report.html");
    let text = page(&[sample("a", HOSTILE, 4), sample("b", "y", 6)], HOSTILE, 100);
    fs::write(&path, &text).expect("written");
    let (dom, err) = browse(&browser, &path, &["--dump-dom"]);
    assert_eq!(console(&err), Vec::<&str>::new());
    assert!(
        dom.contains("<th scope=\"col\"><button type=\"button\" class=\"sort\">task</button></th>"),
        "its script did not run"
    );
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
      table.closest("details").open = true;
      const names = () => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent).join(" ");
      const head = table.tHead.rows[0].cells[1], button = head.querySelector("button");
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
    assert_eq!(said, "needles orders|true|ascending|orders needles|descending|needles orders|0|1");
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
