//! Evaluates the examples of an instance, which are in no answer key.

use model::answer_key::{Answer, Example, Panel, Said, Wanted};
use model::suite::{ColumnId, Expect, Expr, RelationId};
use model::{Span, Value};

use super::answers;
use super::cell::InstanceDraft;
use super::context::Eval;
use super::failures::Res;
use super::{Address, Generator};
use crate::Failure;

/// What selftest tries with an expectation of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InstanceTests {
    /// The author's examples.
    pub examples: Vec<ComputedExample>,
    /// Whether bad replies are tried.
    pub panel: PanelState,
    /// All values that the answer can have, if they are known and not too many.
    pub choices: Vec<Value>,
}

/// An example of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct ComputedExample {
    /// Whether it must be correct.
    pub verdict: Wanted,
    /// The answer, or why it cannot be computed.
    pub said: Result<Said, Failure>,
    /// Its place in the source.
    pub span: Span,
}

/// Whether bad replies are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PanelState {
    /// They are tried.
    #[default]
    On,
    /// The author allows weak answers.
    Off,
}

impl Generator<'_> {
    /// Evaluates what selftest tries with each expectation of an instance, in their order.
    pub fn compute_tests(&self, address: Address) -> Result<Vec<InstanceTests>, Failure> {
        let task = self.find_task(address)?.task;
        let variant = task.variants.get(address.variant as usize);
        let expects = variant.map_or(&task.expects, |variant| &variant.expects);
        let is_plain =
            |expect: &Expect| expect.tests.examples.is_empty() && !matches!(expect.tests.panel, Panel::Column(..));
        if expects.iter().all(is_plain) {
            return Ok(expects.iter().map(build_plain_tests).collect());
        }
        let (mut cell, _) = self.make_cell(address)?;
        for name in variant.iter().flat_map(|variant| &variant.steps) {
            cell.make_name(*name).map_err(|failure| *failure)?;
        }
        let tests = expects.iter().map(|expect| InstanceTests {
            examples: expect.tests.examples.iter().map(|example| compute_example(&cell, expect, example)).collect(),
            choices: match expect.tests.panel {
                Panel::Column(relation, column) => list_choices(&cell, relation, column),
                _ => build_plain_tests(expect).choices,
            },
            ..build_plain_tests(expect)
        });
        Ok(tests.collect())
    }
}

/// Builds what depends on no draw.
fn build_plain_tests(expect: &Expect) -> InstanceTests {
    let choices = match &expect.tests.panel {
        Panel::Values(values) => values.clone(),
        _ => Vec::new(),
    };
    let panel = if expect.tests.panel == Panel::Off { PanelState::Off } else { PanelState::On };
    InstanceTests { examples: Vec::new(), panel, choices }
}

/// Lists the different values of a column, if they are not too many.
fn list_choices(cell: &InstanceDraft<'_>, relation: RelationId, column: ColumnId) -> Vec<Value> {
    let table = cell.tables.get(relation).and_then(Option::as_ref);
    let Some((table, cells)) = table.and_then(|table| Some((table, table.columns.get(column)?))) else {
        return Vec::new();
    };
    match Panel::from_values((0..table.rows).map(|row| cells.get(row).into_value())) {
        Panel::Values(values) => values,
        _ => Vec::new(),
    }
}

fn compute_example(cell: &InstanceDraft<'_>, expect: &Expect, example: &Example<Expr>) -> ComputedExample {
    let evaluate = || -> Res<Said> {
        Ok(match &example.said {
            Said::Others => Said::Others,
            Said::Text(text) => {
                let text = answers::evaluate_value(Eval::new(cell), text)?;
                Said::Text(Value::from_text(text.render_text().into_owned()))
            }
            Said::Value(value) => {
                let asked = Expect { answer: Some(Answer::One(value.clone())), ..expect.clone() };
                match answers::evaluate_answer(Eval::new(cell), &asked)? {
                    Some(Answer::One(value)) => Said::Value(value),
                    _ => Said::Others,
                }
            }
        })
    };
    ComputedExample { verdict: example.verdict, said: evaluate().map_err(|failure| *failure), span: example.span }
}
