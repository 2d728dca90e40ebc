//! Values from generated instances, for hovers and hints: of names, columns, and placeholders.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use compiler::diagnostics::wording::quote_ident;
use compiler::hir;
use compiler::query::lower_expr;
use model::suite::Scope;
use model::{Plan, Value};
use runtime::Failure;
use runtime::generate::{Address, DescribedAt, Generator, Instance, Look, Options};

use crate::analysis::Analysis;
use crate::render::render_value;
use crate::state::State;

/// The number of values that are shown.
pub const SHOWN: usize = 5;

/// The seed of the instances that are shown.
pub const SEED: &str = "1";

impl State {
    /// The suite that provides values for this one: itself, or its last version without errors.
    pub fn with_values(&mut self, analysis: &Arc<Analysis>) -> Option<Arc<Analysis>> {
        if analysis.analysed.compiled.plan.is_some() {
            return Some(Arc::clone(analysis));
        }
        self.workspace.find_last_good(&analysis.root)
    }

    /// Draws five values of a domain that is in scope at the top level of the root file.
    pub fn sample_domain(&mut self, analysis: &Analysis, name: &str) -> Vec<String> {
        let Some(source) = analysis.source(model::SourceId(0)) else { return Vec::new() };
        let written = quote_ident(name);
        // Only the declarations are compiled, with a small suite of our own that draws from the domain.
        let mut text = String::new();
        for item in analysis.find_ast(model::SourceId(0)).map(|file| file.items.as_slice()).unwrap_or_default() {
            use compiler::ast::ItemKind as K;
            if !matches!(item.kind, K::Suite(_) | K::Task(_)) {
                text.push_str(analysis.sources().text(item.span));
                text.push('\n');
            }
        }
        text.push_str(&format!(
            "suite sampled {{ title \"t\" version \"1\" }}\ntask sampled {{ sampled_value : {written} prompt \"<<sampled_value>>\" expect reply contains sampled_value }}\n"
        ));
        if let Some(known) = self.sampled.get(&text) {
            return known.clone();
        }
        let instead = BTreeMap::from([(source.path.clone(), text.clone())]);
        let compiled = self.workspace.compile_with(&source.path, &instead);
        let looks = (0..SHOWN as u32).filter_map(|sample| inspect_sample(&compiled, 0, sample));
        let values: Vec<String> = looks.filter_map(|look| look.names.first().map(render_value)).collect();
        // Each edit of a domain adds an entry to the cache.
        if self.sampled.len() > 200 {
            self.sampled.clear();
        }
        self.sampled.insert(text, values.clone());
        values
    }
}

fn build_options(task: &str, samples: u32, seed: &str) -> Options {
    Options { samples: Some(samples), task: Some(task.to_owned()), ..Options::new(seed) }
}

/// Generates a sample (numbered from 0) in the first cell of a task; the result is cached.
pub fn inspect_sample(analysis: &Analysis, task: u32, sample: u32) -> Option<Arc<Look>> {
    let looks = || analysis.looks.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = looks().get(&(task, sample)) {
        return known.clone();
    }
    let look = look_with(analysis, task, sample, &[]).map(Arc::new);
    looks().insert((task, sample), look.clone());
    look
}

/// A task, and its first sample.
pub fn inspect_first<'a>(analysis: &'a Analysis, task: &str) -> Option<(&'a hir::Task, Arc<Look>)> {
    let (index, task) = analysis.find_task(task)?;
    Some((task, inspect_sample(analysis, index, 0)?))
}

/// The expressions of a task that have one value in an instance, each before those inside it. Expressions of columns have a value in each row.
pub fn list_instance_exprs(task: &hir::Task) -> Vec<&hir::Expr> {
    let mut found = Vec::new();
    task.visit_exprs(&mut |_, expr, scope| {
        if scope == Scope::default() {
            expr.visit_exprs(&mut |expr| found.push(expr));
        }
    });
    found
}

fn look_with(analysis: &Analysis, task: u32, sample: u32, wanted: &[model::suite::Expr]) -> Option<Look> {
    let plan = analysis.analysed.compiled.plan.as_ref()?;
    let name = &plan.tasks.get(task as usize)?.name;
    let generator = Generator::new(plan, build_options(name, sample + 1, SEED)).ok()?;
    generator.inspect_instance(Address { task, cell: 0, variant: 0, sample }, SHOWN, wanted).ok()
}

/// The first instance of a task, with the value of an expression; `None` if it depends on a row or the suite has errors.
fn look_for(analysis: &Analysis, task: u32, expr: &hir::Expr) -> Option<Look> {
    if is_row_dependent(expr) { None } else { look_with(analysis, task, 0, &[lower_expr(expr)]) }
}

/// Evaluates an expression of a task in its first instance; `None` if it depends on a row or cannot be evaluated.
pub fn evaluate_expr(analysis: &Analysis, task: u32, expr: &hir::Expr) -> Option<Value> {
    look_for(analysis, task, expr)?.values.into_iter().next().flatten()
}

/// The description of a database that a call makes in the first instance; `None` if the call depends on a row.
pub fn describe_database(analysis: &Analysis, task: u32, call: &hir::Expr) -> Option<DescribedAt> {
    look_for(analysis, task, call)?.described.into_iter().find(|made| made.span == call.span)
}

/// Generates an instance of a task; `sample` is numbered from 1.
pub fn generate_instance(plan: &Plan, task: &str, sample: u32, seed: &str) -> Result<Instance, Failure> {
    let at = plan.tasks.iter().position(|known| known.name == task);
    let generator = Generator::new(plan, build_options(task, sample.max(1), seed))?;
    let task = at.unwrap_or_default() as u32;
    generator.generate_instance(Address { task, cell: 0, variant: 0, sample: sample.max(1) - 1 })
}

/// Whether an expression reads the current row and therefore has no single value.
fn is_row_dependent(expr: &hir::Expr) -> bool {
    use hir::ExprKind as K;
    let mut found = matches!(expr.kind, K::Unknown | K::Column(_) | K::OuterColumn(_));
    // A filter reads the rows of its own relation.
    expr.visit_children(&mut |child, rows| found |= rows.is_none() && is_row_dependent(child));
    found
}
