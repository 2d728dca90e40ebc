//! A cache of values that no draw affects. It lasts as long as the process and is keyed by a digest of all inputs: an editor asks for the same values
//! at every keystroke.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Weak};

use model::cache::{Cache, Key};
use model::compute::Evaluation;
use model::suite::{Arg, ColumnSource, Expr, NameSource, Rows, Step, Task};
use model::uses::Uses;
use model::{Plan, Span, Value};

/// Approximate maximum size of the cached values in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The given columns, as weak references to their allocations.
type Given = Arc<[Weak<[Value]>]>;

static KNOWN: Cache<(Given, Evaluation, Cost)> = Cache::new(MAX_BYTES);

/// The cost of an expression's queries, in steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cost {
    /// Steps of its own queries.
    pub own: u64,
    /// Steps of the parts that are made for it. Each part counts once, even if several expressions need it.
    pub parts: Vec<(Step, u64)>,
}

impl Cost {
    /// Checks whether the expression needs a query.
    pub fn has_query(&self) -> bool {
        self.own > 0 || !self.parts.is_empty()
    }
}

/// The inputs of an expression.
pub(crate) struct ConstantKey {
    key: Key,
    /// The given columns. A key contains their addresses, which no other column can have while these references exist.
    given: Given,
}

impl ConstantKey {
    /// Creates the key of an expression of a task; `None` if it needs anything except names and given tables.
    pub fn try_new(plan: &Plan, task: &Task, expr: &Expr, uses: &Uses<'_>) -> Option<ConstantKey> {
        if !uses.files.is_empty() {
            return None;
        }
        let mut digest = Digest(blake3::Hasher::new());
        let mut given = Vec::new();
        digest.hash_debug(&plan.edition);
        digest.hash_expr(expr)?;
        for axis in &task.axes {
            digest.hash_debug(&(axis.slot, axis.cells.len()));
            axis.cells.iter().try_for_each(|(_, value)| digest.hash_expr(value))?;
        }
        digest.hash_debug(&task.count_rows());
        for id in &uses.names {
            digest.hash_debug(id);
            match &task.names.get(*id)?.source {
                NameSource::Axis => digest.hash_debug(&"axis"),
                NameSource::Row => {
                    let values = task.each.as_ref()?.find_values(*id)?;
                    digest.hash_debug(&("row", Arc::as_ptr(values).cast::<Value>() as usize));
                    given.push(Arc::downgrade(values));
                }
                NameSource::Compute(expr) => digest.hash_expr(expr)?,
                NameSource::Draw { .. } => return None,
            }
        }
        for id in &uses.relations {
            let relation = task.relations.get(*id)?;
            let Rows::Given(rows) = relation.rows else { return None };
            digest.hash_debug(&(id, &relation.name, &relation.table, rows, relation.columns.len(), &relation.order));
            for column in &relation.columns {
                let ColumnSource::Given(values) = &column.source else { return None };
                let place = Arc::as_ptr(&values.values).cast::<Value>() as usize;
                digest.hash_debug(&(&column.name, column.helper, column.cells, place, values.values.len()));
                given.push(Arc::downgrade(&values.values));
            }
            for constraint in &relation.constraints {
                digest.hash_debug(&(&constraint.kind, &constraint.columns));
            }
        }
        Some(ConstantKey { key: digest.0.finalize().into(), given: given.into() })
    }

    /// Returns the cached result.
    pub fn find_known(&self) -> Option<(Evaluation, Cost)> {
        KNOWN.find_value(&self.key).map(|(_, found, cost)| (found, cost))
    }

    /// Adds the result to the cache.
    pub fn keep_value(self, found: &Evaluation, cost: Cost) {
        let values = match found {
            Evaluation::Values(values) => values.iter().map(estimate_value_size).sum(),
            Evaluation::Unknown => 0,
            // A failure contains a place in the source, which is not part of the key; the remaining budget is not part of it either.
            Evaluation::Fails(_) | Evaluation::TooMuch => return,
        };
        let more = size_of_val(&*self.given) + size_of_val(&*cost.parts);
        KNOWN.insert_value(self.key, values + more, (self.given, found.clone(), cost));
    }
}

/// Returns a cached value, or makes it and adds it to the cache; `size` estimates its number of bytes.
pub(super) fn load_cached<V: Clone>(
    cache: &Cache<V>,
    key: Key,
    make: impl FnOnce() -> V,
    size: impl FnOnce(&V) -> usize,
) -> V {
    cache.find_value(&key).unwrap_or_else(|| {
        let made = make();
        // A result is not kept if the end of the process caused it.
        if !::sqlite::is_stopped() {
            cache.insert_value(key, size(&made), made.clone());
        }
        made
    })
}

/// Estimates the size of a value in bytes.
pub(super) fn estimate_value_size(value: &Value) -> usize {
    let own = match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.iter().map(estimate_value_size).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + estimate_value_size(value)).sum(),
        Value::Rows(rows) => rows.rows.iter().flatten().map(estimate_value_size).sum(),
        _ => 0,
    };
    own + size_of::<Value>()
}

/// Computes the digest of everything written to it.
struct Digest(blake3::Hasher);

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Digest {
    fn hash_debug(&mut self, what: &dyn fmt::Debug) {
        // A hasher never fails.
        let _ = write!(self, "{what:?};");
    }

    /// Adds an expression regardless of its place in the source; `None` if it contains a file or its path.
    fn hash_expr(&mut self, expr: &Expr) -> Option<()> {
        let mut bare = expr.clone();
        remove_spans(&mut bare)?;
        self.hash_debug(&bare);
        Some(())
    }
}

/// Removes the places in the source from an expression; `None` if it contains a file or its path.
fn remove_spans(expr: &mut Expr) -> Option<()> {
    match expr {
        Expr::FilePath(_) => None,
        Expr::Const(_) | Expr::Name(_) | Expr::Column(_) | Expr::OuterColumn(_) | Expr::Folder(_) | Expr::Sandbox => {
            Some(())
        }
        Expr::Neg(inner) | Expr::Not(inner) => remove_spans(inner),
        Expr::Binary { args, span, .. } => {
            *span = Span::default();
            remove_spans(&mut args.0)?;
            remove_spans(&mut args.1)
        }
        Expr::If(parts) => {
            remove_spans(&mut parts.0)?;
            remove_spans(&mut parts.1)?;
            remove_spans(&mut parts.2)
        }
        Expr::List(items) | Expr::Concat(items) => items.iter_mut().try_for_each(remove_spans),
        Expr::Object(fields) => fields.iter_mut().try_for_each(|(_, value)| remove_spans(value)),
        Expr::Call(call) => {
            call.span = Span::default();
            call.args.iter_mut().try_for_each(|arg| match arg {
                Arg::Value(value) => remove_spans(value),
                Arg::Relation { filter, .. } | Arg::Column { filter, .. } => {
                    filter.iter_mut().try_for_each(remove_spans)
                }
                Arg::Each { value, filter, .. } => {
                    remove_spans(value)?;
                    filter.iter_mut().try_for_each(remove_spans)
                }
                Arg::File(_) | Arg::Path(_) => None,
                Arg::Sql(sql) => {
                    sql.span = Span::default();
                    sql.params.iter_mut().try_for_each(|(_, value)| remove_spans(value))
                }
            })
        }
    }
}
