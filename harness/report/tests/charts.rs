//! Charts of the HTML report: accuracy along an axis, and the stages of tasks.

use crate::browser::{browse, browser, console};
use crate::fixtures::{run, score};
use proptest::prelude::*;
use records::{Reason, Score, Stage, StageScore};
use report::details::Details;
use report::render::{html, markdown, tables, terminal};
use report::{RunData, build_report};

/// `of` samples of a task in each cell of an axis: (label, value, how many are right).
fn swept(task: &str, axis: &str, cells: &[(&str, &str, u32)], of: u32) -> Vec<Score> {
    let mut all = Vec::new();
    for (label, value, correct) in cells {
        for sample in 1..=of {
            let mut one = score(task, None, "reply", sample, 1, sample <= *correct);
            one.id = format!("{task}-{label}-{sample}");
            one.axis = vec![(axis.to_owned(), (*value).to_owned())];
            all.push(one);
        }
    }
    all
}

/// A run with an axis of numbers that two tasks share, one that is far from linear, and one of names.
fn sample(name: &str, less: u32) -> RunData {
    let mess = |right: [u32; 3]| [("clean", "0", right[0]), ("some", "10", right[1]), ("much", "30", right[2])];
    let mut scores = swept("orders", "mess", &mess([20, 17 - less, 9 - less]), 20);
    scores.extend(swept("visits", "mess", &mess([19, 18 - less, 14 - less]), 20));
    let lines = [("10", "10", 20), ("100", "100", 18 - less), ("1000", "1000", 6)];
    scores.extend(swept("needles", "lines", &lines, 20));
    let city = [("oslo", "oslo", 12), ("bergen", "bergen", 15 - less), ("troms", "troms", 0)];
    scores.extend(swept("weather", "city", &city, 20));
    run(name, "c0ffee", scores)
}

/// A run of a task with four stages, traced: `broken` says at which stage each sample breaks, if it does.
fn staged(name: &str, broken: &[Option<usize>]) -> RunData {
    let graph = [("load", vec![]), ("clean", vec!["load"]), ("join", vec!["clean"]), ("total", vec!["join", "clean"])];
    let mut scores = Vec::new();
    for (at, broken) in broken.iter().enumerate() {
        let mut one = score("visits", None, "reply", at as u32 + 1, 1, broken.is_none());
        one.stages = graph
            .iter()
            .enumerate()
            .map(|(place, (stage, after))| {
                // What comes after a break is wrong, but for one that is right by luck.
                let correct = broken.is_none_or(|broken| place < broken || (place > broken && at % 5 == 0));
                StageScore {
                    stage: Stage {
                        name: (*stage).to_owned(),
                        after: after.iter().map(|name: &&str| (*name).to_owned()).collect(),
                        tags: Vec::new(),
                    },
                    score: f64::from(u8::from(correct)),
                    correct,
                    reason: if correct { Reason::Right } else { Reason::Differs },
                    trap: None,
                    verdicts: Vec::new(),
                }
            })
            .collect();
        scores.push(one);
    }
    run(name, "c0ffee", scores)
}

fn funnels() -> Vec<RunData> {
    let first: Vec<Option<usize>> =
        (0..20).map(|at| [None, Some(1), None, Some(2), None, None, Some(1)][at % 7]).collect();
    let second: Vec<Option<usize>> = (0..20).map(|at| [None, None, Some(3), None][at % 4]).collect();
    vec![staged("baseline", &first), staged("treatment", &second)]
}

fn page(runs: &[RunData], least: Option<f64>) -> String {
    let report = build_report(runs, None);
    let details = vec![Details::default(); runs.len()];
    html::write_page(&html::Page { runs, report: &report, details: &details, least })
}

/// The drawings of a page, an element a line.
fn drawings(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("<svg class=\"drawing\"") {
        let (inside, next) = after.split_once("</svg>").expect("an end");
        found.push(format!("<svg class=\"drawing\"{inside}</svg>\n").replace("><", ">\n<"));
        rest = next;
    }
    found
}

#[test]
fn an_axis_of_numbers_as_it_is_drawn() {
    let drawn = drawings(&page(&[sample("baseline", 3), sample("treatment", 0)], Some(80.0)));
    // The shared axis, small charts of its two tasks, and the two other axes.
    assert_eq!(drawn.len(), 5);
    insta::assert_snapshot!("numbers", drawn[0]);
    assert!(drawn[3].contains(">lines (logarithmic)<") && drawn[3].contains("<polyline"));
}

#[test]
fn an_axis_of_names_has_no_line() {
    let drawn = drawings(&page(&[sample("baseline", 3)], None));
    let names = drawn.last().expect("a drawing");
    assert!(!names.contains("<polyline"));
    insta::assert_snapshot!("names", names);
}

#[test]
fn stages_as_they_are_drawn() {
    let drawn = drawings(&page(&funnels(), None));
    assert_eq!(drawn.len(), 1);
    insta::assert_snapshot!("stages", drawn[0]);
}

#[test]
fn what_is_drawn_is_a_table_too() {
    let runs = [sample("baseline", 3), sample("treatment", 0)];
    let told = build_report(&runs, None);
    let sections = tables::build_tables(&told);
    let titled =
        |title: &str| sections.iter().find(|section| section.title == title).unwrap_or_else(|| panic!("{title}"));
    let shared = titled("Accuracy by mess: orders and visits");
    let rows: Vec<Vec<&str>> =
        shared.rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect();
    assert_eq!(rows[1][0], "some (10)");
    assert!(rows[1][1].starts_with("72.5% (") && rows[1][2].starts_with("87.5% ("), "{rows:?}");
    for task in ["orders", "visits"] {
        assert_eq!(titled(&format!("Accuracy by mess: {task}")).rows.len(), 3);
    }
    // A task alone has one table.
    assert_eq!(
        sections
            .iter()
            .filter(|section| section.title.ends_with(": needles"))
            .filter(|section| section.title.starts_with("Accuracy by"))
            .count(),
        1
    );
    for text in [terminal::write_terminal(&sections), markdown::write_markdown("t", &[], &sections)] {
        assert!(text.contains("Accuracy by mess: orders and visits") && text.contains("some (10)"), "{text}");
    }
    let json = serde_json::to_value(&told).expect("JSON");
    let point = &json["runs"][0]["sweeps"][0]["points"][1];
    assert_eq!((&point["name"], &point["label"], &point["number"]), (&"10".into(), &"some".into(), &10.0.into()));
    assert_eq!((&point["correct"], &point["of"]), (&29.into(), &40.into()));
    let page = page(&runs, None);
    assert!(page.contains("href=\"#axes\"") && !page.contains("href=\"#stages\""));
}

#[test]
fn tasks_with_other_values_are_not_taken_together() {
    let mut scores = swept("a", "size", &[("10", "10", 4), ("20", "20", 2)], 5);
    scores.extend(swept("b", "size", &[("10", "10", 4), ("30", "30", 2)], 5));
    let told = build_report(&[run("r", "1", scores)], None);
    let tasks: Vec<&[String]> = told.runs[0].sweeps.iter().map(|sweep| sweep.tasks.as_slice()).collect();
    assert_eq!(tasks, [["a"], ["b"]]);
}

#[test]
fn a_pooled_interval_is_that_of_new_samples_of_these_tasks() {
    let told = build_report(&[sample("r", 3)], None);
    let sweep = &told.runs[0].sweeps[0];
    assert_eq!(sweep.tasks, ["orders", "visits"]);
    let of_tasks: Vec<_> =
        told.runs[0].axes.iter().filter(|curve| curve.axis == "mess").map(|curve| &curve.points[2].share).collect();
    let pooled = &sweep.points[2].share;
    assert_eq!((pooled.correct, pooled.of), (of_tasks[0].correct + of_tasks[1].correct, 40));
    // More samples, a narrower interval; but it is not that of one task.
    assert!(of_tasks.iter().all(|share| pooled.interval.width() < share.interval.width()));
    // A task alone has its own interval.
    let alone = told.runs[0].sweeps.iter().find(|sweep| sweep.axis == "lines").expect("a sweep");
    let own = told.runs[0].axes.iter().find(|curve| curve.axis == "lines").expect("a curve");
    assert_eq!(alone.points, own.points);
}

/// The numbers of an attribute, wherever a drawing has it.
fn numbers<'a>(drawing: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    let values = drawing.match_indices(&opening).filter_map(|(at, _)| drawing[at + opening.len()..].split('"').next());
    values.flat_map(|value| value.split([' ', ',', '(', ')', 'M', 'V', 'H'])).filter(|part| !part.is_empty()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever values, labels, and numbers of runs: every length is a number, and every mark is inside of its drawing.
    #[test]
    fn drawings_are_whole(
        cells in prop::collection::btree_map("[a-z_0-9]{1,24}", (prop_oneof![any::<i32>().prop_map(|n| n.to_string()), "\\PC{1,20}", (-30..30i32).prop_map(|e| format!("1e{e}"))], 0..6u32), 1..13),
        axis in "\\PC{0,40}",
        runs in 1..9usize,
        least in prop::option::of(0.0..100.0f64),
    ) {
        let cells: Vec<(&str, &str, u32)> = cells.iter().map(|(label, (value, correct))| (label.as_str(), value.as_str(), *correct)).collect();
        let runs: Vec<RunData> = (0..runs).map(|at| run(&format!("r{at}<"), "1", swept("t", &axis, &cells, 5))).collect();
        let page = page(&runs, least);
        for drawing in drawings(&page) {
            prop_assert!(!drawing.contains("NaN") && !drawing.contains("inf\"") && !drawing.contains("r0<"), "{drawing}");
            let view = numbers(&drawing, "viewBox");
            let (width, height): (f64, f64) = (view[2].parse().expect("a width"), view[3].parse().expect("a height"));
            for attribute in ["x1", "x2", "x"] {
                for x in numbers(&drawing, attribute) {
                    let x: f64 = x.parse().expect("a number");
                    prop_assert!((0.0..=width).contains(&x), "{attribute}={x} of {width}");
                }
            }
            for attribute in ["y1", "y2", "y"] {
                for y in numbers(&drawing, attribute) {
                    let y: f64 = y.parse().expect("a number");
                    prop_assert!((0.0..=height).contains(&y), "{attribute}={y} of {height}");
                }
            }
            for place in drawing.split("translate(").skip(1) {
                let (x, y) = place.split(')').next().and_then(|place| place.split_once(' ')).expect("a place");
                let (x, y): (f64, f64) = (x.parse().expect("a number"), y.parse().expect("a number"));
                prop_assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{x}, {y} of {width}, {height}");
            }
        }
    }

    /// Stages of any number, with any name, in any state.
    #[test]
    fn funnels_are_whole(broken in prop::collection::vec(prop::option::of(0..4usize), 1..12), name in "\\PC{0,60}", runs in 1..9usize) {
        let mut all: Vec<RunData> = (0..runs).map(|at| staged(&format!("r{at}"), &broken)).collect();
        for run in &mut all {
            for stage in run.scores.iter_mut().flat_map(|score| &mut score.stages) {
                if stage.stage.name == "join" {
                    stage.stage.name = format!("{name}\u{202e}<");
                }
            }
        }
        let page = page(&all, None);
        let drawn = drawings(&page);
        prop_assert_eq!(drawn.len(), 1);
        let turned = drawn[0].contains('\u{202e}');
        prop_assert!(!drawn[0].contains("NaN") && !turned);
        for x in numbers(&drawn[0], "width") {
            prop_assert!((0.0..=360.0).contains(&x.parse::<f64>().expect("a number")));
        }
    }
}

/// An axis of twelve months, and one of numbers with long labels, next to everything else that is drawn.
fn everything() -> Vec<RunData> {
    let mut runs = funnels();
    for (run, less) in runs.iter_mut().zip([3, 0]) {
        run.scores.extend(sample("", less).scores);
        let months = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let months: Vec<(&str, &str, u32)> =
            (7u32..).zip(months).map(|(right, month)| (month, month, right - less)).collect();
        run.scores.extend(swept("rain", "month", &months, 20));
        let words = [
            "WWWWWWWWWW_MMMMMMMMMM",
            "illicit_little_lilies",
            "plain",
            "not_so_plain",
            "hard",
            "a_label_that_is_longer_than_its_place",
        ];
        let values: Vec<String> = (1..=6).map(|power| (3u32.pow(power)).to_string()).collect();
        let cells: Vec<(&str, &str, u32)> = words
            .iter()
            .zip(&values)
            .zip([20, 19, 15, 12, 8, 4])
            .map(|((word, value), right)| (*word, value.as_str(), right - less))
            .collect();
        run.scores.extend(swept("reading", "difficulty", &cells, 20));
        run.info.expected = run.scores.len() as u64;
    }
    runs
}

/// The test's own script, where the page's policy is lifted: which texts of a drawing overlap, leave it, or are small.
const OVERLAPS: &str = r#"<script>
  const corners = (text) => {
    const { x, y, width, height } = text.getBBox(), turn = text.getCTM();
    // A line is higher than its letters.
    return [[x, y + height * .2], [x + width, y + height * .2], [x + width, y + height * .8], [x, y + height * .8]]
      .map(([x, y]) => [turn.a * x + turn.c * y + turn.e, turn.b * x + turn.d * y + turn.f]);
  };
  const apart = (a, b) => [[a[0], a[1]], [a[1], a[2]], [b[0], b[1]], [b[1], b[2]]].some(([from, to]) => {
    const along = (of) => of.map(([x, y]) => x * (to[0] - from[0]) + y * (to[1] - from[1]));
    const [of_a, of_b] = [along(a), along(b)];
    return Math.max(...of_a) <= Math.min(...of_b) || Math.max(...of_b) <= Math.min(...of_a);
  });
  const found = [];
  let count = 0;
  for (const drawing of document.querySelectorAll("svg.drawing")) {
    const texts = [...drawing.querySelectorAll("text")].filter((text) => text.textContent !== "");
    const { width, height } = drawing.getBoundingClientRect();
    const places = texts.map(corners);
    texts.forEach((text, at) => {
      count += 1;
      if (places[at].some(([x, y]) => x < -2 || y < -2 || x > width + 2 || y > height + 2)) found.push(`${text.textContent} leaves`);
      if (13 * width / drawing.viewBox.baseVal.width < 11.5) found.push(`${text.textContent} is small`);
      for (let other = 0; other < at; other += 1) {
        if (!apart(places[at], places[other])) found.push(`${text.textContent} over ${texts[other].textContent}`);
      }
    });
  }
  document.body.setAttribute("data-said", `${count > 60}|${found.join("|")}`);
</script></body>"#;

#[test]
fn in_a_browser_no_texts_of_a_drawing_overlap() {
    let Some(browser) = browser() else { return };
    let home = tempfile::tempdir().expect("temp");
    let path = home.path().join("report.html");
    let text = page(&everything(), None);
    let policy = |of: &str| text.split(of).nth(1).and_then(|rest| rest.split(';').next()).expect("a policy");
    let (styles, scripts) = (policy("style-src "), policy("script-src "));
    let test = text.replace(styles, "'unsafe-inline'").replace(scripts, "'unsafe-inline'").replace("</body>", OVERLAPS);
    // On a desk, and on a phone (a window has a least width, but not a page).
    for body in ["<body>", "<body style=\"width:390px\">"] {
        std::fs::write(&path, test.replace("<body>", body)).expect("written");
        let (dom, err) = browse(&browser, &path, &["--dump-dom", "--window-size=1200,900"]);
        assert_eq!(console(&err), Vec::<&str>::new());
        let said = dom.split("data-said=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("it ran");
        assert_eq!(said, "true|", "{body}");
    }
}

/// For people: `PICARDC_PICTURES=FOLDER` keeps a page with all charts, which a browser then shows.
#[test]
fn a_page_to_look_at() {
    let text = page(&everything(), None);
    assert_eq!(drawings(&text).len(), 8);
    if let Some(folder) = std::env::var_os("PICARDC_PICTURES") {
        std::fs::write(std::path::Path::new(&folder).join("charts.html"), text).expect("written");
    }
}
