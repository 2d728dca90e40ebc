//! Values from generated instances, for hovers and hints: of names, columns, and placeholders.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use compiler::hir;
use compiler::query::lower_expr;
use model::{Plan, Value};
use runtime::Failure;
use runtime::generate::{Address, DescribedAt, Generator, Instance, Look, Options};

use crate::analysis::Analysis;
use crate::state::State;

/// The number of values that are shown.
pub const SHOWN: usize = 5;

/// The seed of the instances that are shown.
pub const SEED: &str = "1";

/// The maximum number of characters that are shown of a value.
const WIDTH: usize = 60;

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
        let written = if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            name.to_owned()
        } else {
            format!("`{name}`")
        };
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

fn look_with(analysis: &Analysis, task: u32, sample: u32, wanted: &[model::suite::Expr]) -> Option<Look> {
    let plan = analysis.analysed.compiled.plan.as_ref()?;
    let name = &plan.tasks.get(task as usize)?.name;
    let generator = Generator::new(plan, build_options(name, sample + 1, SEED)).ok()?;
    generator.inspect_instance(Address { task, cell: 0, variant: 0, sample }, SHOWN, wanted).ok()
}

/// Evaluates an expression of a task in its first instance; `None` if it depends on a row or cannot be evaluated.
pub fn evaluate_expr(analysis: &Analysis, task: u32, expr: &hir::Expr) -> Option<Value> {
    if is_row_dependent(expr) {
        return None;
    }
    let look = look_with(analysis, task, 0, &[lower_expr(expr)])?;
    look.values.into_iter().next().flatten()
}

/// The description of a database that a call makes in the first instance; `None` if the call depends on a row.
pub fn describe_database(analysis: &Analysis, task: u32, call: &hir::Expr) -> Option<DescribedAt> {
    if is_row_dependent(call) {
        return None;
    }
    let look = look_with(analysis, task, 0, &[lower_expr(call)])?;
    look.described.into_iter().find(|made| made.span == call.span)
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
    match &expr.kind {
        K::Unknown | K::Column(_) | K::OuterColumn(_) => true,
        K::Neg(inner) | K::Not(inner) => is_row_dependent(inner),
        K::Binary(_, sides) => is_row_dependent(&sides.0) || is_row_dependent(&sides.1),
        K::If(parts) => is_row_dependent(&parts.0) || is_row_dependent(&parts.1) || is_row_dependent(&parts.2),
        K::List(items) | K::Concat(items) => items.iter().any(is_row_dependent),
        K::Object(fields) => fields.iter().any(|(_, value)| is_row_dependent(value)),
        // A filter reads the rows of its own relation.
        K::Call(_, args) => args.iter().any(|arg| match arg {
            hir::Arg::Value(value) => is_row_dependent(value),
            hir::Arg::Sql(sql) => sql.params.iter().any(|(_, value)| is_row_dependent(value)),
            _ => false,
        }),
        K::Const(_) | K::Name(_) | K::FilePath(_) | K::Folder(_) | K::Sandbox => false,
    }
}

/// Renders a value as inline code, truncated if it is long.
pub fn render_value(value: &Value) -> String {
    let text = match value {
        Value::Null => "null".to_owned(),
        Value::List(_) | Value::Object(_) | Value::Rows(_) => value.to_json().to_string(),
        other => other.render_text().into_owned(),
    };
    render_inline_code(&text)
}

/// Renders a text as inline code, on one line.
pub fn render_inline_code(text: &str) -> String {
    let line = text.replace(['\n', '\r'], "⏎");
    let cut: String = line.chars().take(WIDTH).collect();
    let more = if cut.len() < line.len() { "…" } else { "" };
    // The fence has more backticks than any run of them in the text.
    let mut fence = "`".to_owned();
    while cut.contains(&fence) {
        fence.push('`');
    }
    let pad = if cut.starts_with('`') || cut.ends_with('`') || cut.is_empty() { " " } else { "" };
    format!("{fence}{pad}{cut}{pad}{fence}{more}")
}
