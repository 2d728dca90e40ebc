//! The tables of the PICARD paper, made again from its counts.

use crate::fixtures::{TABLE_7, failure_modes, run, score};
use report::render::section::Section;
use report::render::tables::build_tables;
use report::{RunData, build_report};

/// Table 8: file output, direct output, overall, weakness pattern.
const TABLE_8: [(&str, [&str; 4]); 10] = [
    ("Llama3.3-70B Instruct", ["100.0%", "100.0%", "100.0%", "none"]),
    ("Llama4-Maverick", ["100.0%", "100.0%", "100.0%", "none"]),
    ("Qwen3-Plus-latest", ["100.0%", "75.0%", "87.5%", "direct output"]),
    ("Qwen3-4B", ["50.0%", "72.5%", "61.3%", "file output"]),
    ("Amazon Nova Premier", ["100.0%", "12.5%", "56.3%", "direct output"]),
    ("Llama4 Scout", ["55.0%", "42.5%", "48.8%", "balanced"]),
    ("Qwen3-Turbo-latest", ["25.0%", "65.0%", "45.0%", "file output"]),
    ("Amazon Nova Pro", ["5.0%", "65.0%", "35.0%", "file output"]),
    ("Qwen2.5 72B Instruct", ["47.5%", "7.5%", "27.5%", "direct output"]),
    ("Mistral Large 2", ["17.5%", "0.0%", "8.8%", "both, or task"]),
];

fn models() -> Vec<RunData> {
    TABLE_7.iter().map(|(model, counts)| failure_modes(model, *counts)).collect()
}

fn section(sections: &[Section], title: &str) -> Section {
    sections.iter().find(|section| section.title == title).cloned().unwrap_or_else(|| panic!("no table {title}"))
}

fn texts(section: &Section) -> Vec<Vec<&str>> {
    section.rows.iter().map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect()
}

#[test]
fn tables_6_and_7() {
    let sections = build_tables(&build_report(&models(), None));
    let overall = section(&sections, "Overall");
    let breakdown = section(&sections, "Response formatting: big_orders");
    let heads: Vec<&str> = breakdown.columns.iter().map(|column| column.head.as_str()).collect();
    assert_eq!(
        heads,
        ["run", "json_file", "accuracy", "text_file", "accuracy", "json_reply", "accuracy", "text_reply", "accuracy"]
    );
    for ((model, counts), (row, whole)) in TABLE_7.iter().zip(texts(&breakdown).iter().zip(texts(&overall))) {
        let mut wanted = vec![(*model).to_owned()];
        for count in counts {
            wanted.extend([format!("{count}/20"), format!("{}.0%", count * 5)]);
        }
        assert_eq!(row, &wanted);
        assert_eq!(whole[4..6], [counts.iter().sum::<u32>().to_string(), "80".to_owned()]);
    }
    let percents: Vec<&str> = texts(&overall).iter().map(|row| row[1]).collect();
    let wanted = ["100.0%", "100.0%", "87.5%", "61.3%", "56.3%", "48.8%", "45.0%", "35.0%", "27.5%", "8.8%"];
    assert_eq!(percents, wanted);
}

#[test]
fn table_8() {
    let sections = build_tables(&build_report(&models(), None));
    let outputs = section(&sections, "Output format instruction following: big_orders");
    for ((model, wanted), row) in TABLE_8.iter().zip(texts(&outputs)) {
        assert_eq!((row[0], &row[1..]), (*model, &wanted[..]));
    }
}

#[test]
fn a_report_of_two_models_as_it_is_read() {
    let runs = [failure_modes("Llama4 Scout", [13, 9, 3, 14]), failure_modes("Qwen3-4B", [10, 10, 15, 14])];
    let report = build_report(&runs, None);
    insta::assert_snapshot!(report::render::terminal::write_terminal(&build_tables(&report)));
}

/// Rounds of one question that give a row of tables 2 to 5.
fn rounds(rounds: &[(u32, u32)]) -> Vec<String> {
    let each = rounds.iter().flat_map(|(rounds, times)| std::iter::repeat_n(*rounds, *times as usize));
    let scores = each.zip(1..).map(|(rounds, sample)| {
        let mut score = score("q104", None, "reply", sample, 1, true);
        score.rounds = Some(rounds);
        score
    });
    let sections = build_tables(&build_report(&[run("m", "1", scores.collect())], None));
    section(&sections, "Rounds").rows[0][2..6].iter().map(|cell| cell.text.clone()).collect()
}

#[test]
fn rows_of_tables_2_to_5() {
    // Twenty rounds each whose average, maximum, minimum and mode are the paper's: Llama3.3-70B on Q101, Llama4 Scout on Q202, Qwen3-4b-bf16 on Q402.
    assert_eq!(rounds(&[(5, 17), (4, 1), (3, 2)]), ["4.75", "5", "3", "5"]);
    assert_eq!(rounds(&[(2, 14), (20, 2), (4, 1), (5, 1), (11, 1), (15, 1)]), ["5.15", "20", "2", "2"]);
    assert_eq!(
        rounds(&[(20, 4), (12, 3), (13, 3), (6, 3), (4, 2), (5, 1), (9, 2), (11, 1), (14, 1)]),
        ["11.45", "20", "4", "20"]
    );
}
