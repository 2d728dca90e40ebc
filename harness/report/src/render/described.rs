//! Tables of descriptions: how much they show in each arm, and the accuracy by visible share.

use statistics::summary::Quartiles;

use super::by::with_amounts;
use super::section::{Cell, Section};
use super::words::format_percent;
use crate::model::arm_sets::{ArmOf, ArmSet};
use crate::model::descriptions::{DescribedOf, RightWithin};

/// Builds both tables; empty if no arm has descriptions.
pub fn build_tables(set: &ArmSet, whose: &str) -> Vec<Section> {
    if set.arms.iter().all(|arm| arm.described.is_none()) {
        return Vec::new();
    }
    vec![build_quartile_table(set, whose), build_accuracy_table(set, whose)]
}

/// How an amount is shown, and its quartiles.
type Amount = (fn(f64) -> Cell, fn(&DescribedOf) -> &Option<Quartiles>);

/// Builds the table of amounts, one row for each amount and arm.
fn build_quartile_table(set: &ArmSet, whose: &str) -> Section {
    let number: fn(f64) -> Cell = |value| Cell::number(format!("{value:.0}"), value);
    let amounts: [(&str, Amount); 3] = [
        ("visible", (Cell::from_fraction, |of| &of.visible)),
        ("tokens of the description", (number, |of| &of.tokens)),
        ("tokens read", (number, |of| &of.prompt_tokens)),
    ];
    let heads = ["<amount", "<arm", "n", "least", "p25", "p50", "p75", "most"];
    let section = Section::new(format!("Descriptions {whose}"), &heads).with_note(
        "Visible: of the tables and columns that the expected query reads, the share that the description of the database names. Tokens of the description: \
         cl100k_base, the count of the suite. Tokens read: the count of the server, over all rounds of responses that ended. Quartiles by nearest rank.",
    );
    with_amounts(section, set, amounts, |(cell, of), arm| {
        let Quartiles { n, min, p25, median, p75, max } = of(arm.described.as_ref()?).as_ref()?;
        let ranks = [min, p25, median, p75, max].map(|value| cell(*value));
        Some(std::iter::once(Cell::count(*n)).chain(ranks).collect())
    })
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
    let bounds =
        if from == to { format_percent(*to) } else { format!("{} to {}", format_percent(*from), format_percent(*to)) };
    let mut cells = vec![Cell::number(bounds, *from), Cell::text(&arm.name)];
    cells.extend(match right.of {
        0 => [Cell::none(), Cell::none()],
        _ => [Cell::from_share(right), Cell::from_interval(right.interval)],
    });
    cells.extend([Cell::count(right.correct), Cell::count(right.of)]);
    cells
}
