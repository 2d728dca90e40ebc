//! Tables of descriptions: how much they show in each arm, and the accuracy by visible share.

use statistics::summary::Quartiles;

use super::section::{Cell, Section};
use super::words::{format_accuracy_percent, format_interval, format_percent};
use crate::model::arm_sets::{ArmOf, ArmSet};
use crate::model::descriptions::{DescribedOf, RightWithin};
use crate::model::share::Share;

/// Builds both tables; empty if no arm has descriptions.
pub fn build_tables(set: &ArmSet, whose: &str) -> Vec<Section> {
    if set.arms.iter().all(|arm| arm.described.is_none()) {
        return Vec::new();
    }
    vec![build_quartile_table(set, whose), build_accuracy_table(set, whose)]
}

/// The quartiles of an amount.
type Of = fn(&DescribedOf) -> &Option<Quartiles>;

/// Builds the table of amounts, one row for each amount and arm.
fn build_quartile_table(set: &ArmSet, whose: &str) -> Section {
    let amounts: [(&str, bool, Of); 3] = [
        ("visible", true, |of| &of.visible),
        ("tokens of the description", false, |of| &of.tokens),
        ("tokens read", false, |of| &of.prompt_tokens),
    ];
    let heads = ["<amount", "<arm", "n", "least", "p25", "p50", "p75", "most"];
    let mut section = Section::new(format!("Descriptions {whose}"), &heads).with_note(
        "Visible: of the tables and columns that the expected query reads, the share that the description of the database names. Tokens of the description: \
         cl100k_base, the count of the suite. Tokens read: the count of the server, over all rounds of responses that ended. Quartiles by nearest rank.",
    );
    for (what, is_share, of) in amounts {
        let found = |arm: &ArmOf| arm.described.as_ref().and_then(|described| of(described).clone());
        if set.arms.iter().all(|arm| found(arm).is_none()) {
            continue;
        }
        let cell =
            |value: f64| Cell::number(if is_share { format_percent(value) } else { format!("{value:.0}") }, value);
        for arm in &set.arms {
            let mut cells = vec![Cell::text(what), Cell::text(&arm.name)];
            cells.extend(found(arm).map_or_else(
                || vec![Cell::none(); 6],
                |one| {
                    let ranks = [one.min, one.p25, one.median, one.p75, one.max].map(cell);
                    std::iter::once(Cell::count(one.n)).chain(ranks).collect()
                },
            ));
            section.push_row(cells);
        }
    }
    section
}

/// Builds the table of accuracy, one row for each range of visible shares and arm.
fn build_accuracy_table(set: &ArmSet, whose: &str) -> Section {
    let heads = ["<visible", "<arm", "accuracy", "95% CI", "correct", "of"];
    let mut section = Section::new(format!("Accuracy by what is visible, {whose}"), &heads).with_note(
        "In the parts that the quartiles of all arms make; equal shares are in one part. Missing and failed responses are incorrect.",
    );
    let first = set.arms.iter().find_map(|arm| arm.described.as_ref());
    for at in 0..first.map_or(0, |described| described.right.len()) {
        for arm in &set.arms {
            let Some(part) = arm.described.as_ref().and_then(|described| described.right.get(at)) else { continue };
            section.push_row(build_part_cells(part, arm));
        }
    }
    section
}

fn build_part_cells(part: &RightWithin, arm: &ArmOf) -> Vec<Cell> {
    let RightWithin { from, to, right } = part;
    let Share { correct, of, accuracy, interval: ends, .. } = right;
    let bounds =
        if from == to { format_percent(*to) } else { format!("{} to {}", format_percent(*from), format_percent(*to)) };
    let mut cells = vec![Cell::number(bounds, *from), Cell::text(&arm.name)];
    cells.extend(match *of {
        0 => [Cell::none(), Cell::none()],
        _ => [Cell::number(format_accuracy_percent(right), *accuracy), Cell::number(format_interval(*ends), ends.low)],
    });
    cells.extend([Cell::count(*correct), Cell::count(*of)]);
    cells
}
