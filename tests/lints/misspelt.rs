//! Names of the data that are misspelt in a prompt, and words that only look like it.

use super::hold;

#[test]
fn misspelt_in_prompt() {
    let with = |prompts: &[&str]| {
        let build = |prompt: &&str| {
            format!(
                r#"lim : int 20..80 csv orders at "data/orders.csv" {{ rows 40..60 ID : serial WEIGHT : int 1..99 STATE : one_of ["pending", "shipped", "returned"] }} prompt "{prompt} Number only." expect reply number count(orders where WEIGHT > lim and STATE == "pending")"#
            )
        };
        prompts.iter().map(build).collect::<Vec<_>>()
    };
    let caught = with(&[
        "How many rows of <<orders>> with the STATE pending have a WIEGHT above <<lim>>?",
        "How many rows of <<orders>> with the STATE pending have a `wieght` above <<lim>>?",
        "How many rows of <<orders>> with the SATTE pending have a WEIGHT above <<lim>>?",
        "How many rows of <<orders>> with the STATE `pendng` have a WEIGHT above <<lim>>?",
        "How many rows of <<sandbox>>/data/order.csv with the STATE pending have a WEIGHT above <<lim>>?",
        "How many rows of <<sandbox>>/data/orders.cvs with the STATE pending have a WEIGHT above <<lim>>?",
    ]);
    let right = with(&[
        "How many rows of <<orders>> with the STATE pending have a WEIGHT above <<lim>>?",
        // Their plurals, and other words.
        "Look at the WEIGHTS and STATES in <<orders>>: how many pending rows are above <<lim>>?",
        "How many rows of <<orders>> with the `status` pending are heavier than <<lim>>?",
        "IMPORTANT: only pending rows count. How many of <<orders>> have a weight above <<lim>>?",
        "How many rows of <<orders>> with the STATE pending have a WEIGHT above <<lim>>? The weihgt is in kg.",
        "How many rows of <<sandbox>>/data/orders.csv with the STATE pending have a WEIGHT above <<lim>>?",
    ]);
    hold(
        "misspelt_in_prompt",
        &caught.iter().map(String::as_str).collect::<Vec<_>>(),
        &right.iter().map(String::as_str).collect::<Vec<_>>(),
    );
}
