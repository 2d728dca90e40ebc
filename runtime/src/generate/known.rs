//! Values that depend on no draw are kept for the process, under a digest of all that they are computed from: an editor asks for the same ones at every key.

use std::fmt::{self, Write as _};
use std::sync::{Arc, Weak};

use model::compute::Fixed;
use model::kept::{Kept, Key};
use model::suite::{Arg, ColumnSource, Expr, NameSource, Rows, Task};
use model::uses::Uses;
use model::{Plan, Span, Value};

use super::fixed::Part;

/// The bytes of values that are kept, about.
const MOST: usize = 16 << 20;

/// Columns that are given, where they lie.
type Given = Arc<[Weak<[Value]>]>;

static KNOWN: Kept<(Given, Fixed, Cost)> = Kept::new(MOST);

/// The work of the queries of an expression, in steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cost {
    /// Of its own queries.
    pub own: u64,
    /// Of what is made for it: each part once, whatever it is made for.
    pub parts: Vec<(Part, u64)>,
}

/// What an expression is computed from.
pub(crate) struct Basis {
    key: Key,
    /// The columns that are given. A key has their addresses, which no other column has as long as these are there.
    given: Given,
}

impl Basis {
    /// Of an expression of a task; `None` where it takes more than names and given tables.
    pub fn of(plan: &Plan, task: &Task, expr: &Expr, uses: &Uses<'_>) -> Option<Basis> {
        if !uses.files.is_empty() {
            return None;
        }
        let mut digest = Digest(blake3::Hasher::new());
        let mut given = Vec::new();
        digest.note(&plan.edition);
        digest.expr(expr)?;
        for axis in &task.axes {
            digest.note(&(axis.slot, axis.cells.len()));
            axis.cells.iter().try_for_each(|(_, value)| digest.expr(value))?;
        }
        digest.note(&task.rows());
        for id in &uses.names {
            digest.note(id);
            match &task.names.get(*id)?.source {
                NameSource::Axis => digest.note(&"axis"),
                NameSource::Row => {
                    let values = task.each.as_ref()?.values(*id)?;
                    digest.note(&("row", Arc::as_ptr(values).cast::<Value>() as usize));
                    given.push(Arc::downgrade(values));
                }
                NameSource::Compute(expr) => digest.expr(expr)?,
                NameSource::Draw { .. } => return None,
            }
        }
        for id in &uses.relations {
            let relation = task.relations.get(*id)?;
            let Rows::Given(rows) = relation.rows else { return None };
            digest.note(&(id, &relation.name, &relation.table, rows, relation.columns.len(), &relation.order));
            for column in &relation.columns {
                let ColumnSource::Given(values) = &column.source else { return None };
                let place = Arc::as_ptr(&values.values).cast::<Value>() as usize;
                digest.note(&(&column.name, column.helper, column.cells, place, values.values.len()));
                given.push(Arc::downgrade(&values.values));
            }
            for constraint in &relation.constraints {
                digest.note(&(&constraint.kind, &constraint.columns));
            }
        }
        Some(Basis { key: digest.0.finalize().into(), given: given.into() })
    }

    /// What is known of it.
    pub fn known(&self) -> Option<(Fixed, Cost)> {
        KNOWN.find(&self.key).map(|(_, found, cost)| (found, cost))
    }

    /// Keeps what it is.
    pub fn keep(self, found: &Fixed, cost: Cost) {
        let values = match found {
            Fixed::Values(values) => values.iter().map(size).sum(),
            Fixed::Unknown => 0,
            // What is said of it has a place, which is not part of the key; and what is left of a budget is not part of it either.
            Fixed::Fails(_) | Fixed::TooMuch => return,
        };
        let more = size_of_val(&*self.given) + size_of_val(&*cost.parts);
        KNOWN.keep(self.key, values + more, (self.given, found.clone(), cost));
    }
}

/// About how many bytes a value has.
fn size(value: &Value) -> usize {
    let own = match value {
        Value::Text(text) => text.len(),
        Value::List(items) => items.iter().map(size).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + size(value)).sum(),
        Value::Rows(rows) => rows.rows.iter().flatten().map(size).sum(),
        _ => 0,
    };
    own + size_of::<Value>()
}

/// A digest of what is written to it.
struct Digest(blake3::Hasher);

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}

impl Digest {
    fn note(&mut self, what: &dyn fmt::Debug) {
        // A hasher takes everything.
        let _ = write!(self, "{what:?};");
    }

    /// An expression, wherever it is in the source; `None` if a file or its path is part of it.
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        let mut bare = expr.clone();
        erase(&mut bare)?;
        self.note(&bare);
        Some(())
    }
}

/// Takes the places in the source out of an expression.
fn erase(expr: &mut Expr) -> Option<()> {
    match expr {
        Expr::FilePath(_) => None,
        Expr::Const(_) | Expr::Name(_) | Expr::Column(_) | Expr::OuterColumn(_) | Expr::Folder(_) | Expr::Sandbox => {
            Some(())
        }
        Expr::Neg(inner) | Expr::Not(inner) => erase(inner),
        Expr::Binary { args, span, .. } => {
            *span = Span::default();
            erase(&mut args.0)?;
            erase(&mut args.1)
        }
        Expr::If(parts) => {
            erase(&mut parts.0)?;
            erase(&mut parts.1)?;
            erase(&mut parts.2)
        }
        Expr::List(items) | Expr::Concat(items) => items.iter_mut().try_for_each(erase),
        Expr::Object(fields) => fields.iter_mut().try_for_each(|(_, value)| erase(value)),
        Expr::Call(call) => {
            call.span = Span::default();
            call.args.iter_mut().try_for_each(|arg| match arg {
                Arg::Value(value) => erase(value),
                Arg::Relation { filter, .. } | Arg::Column { filter, .. } => filter.iter_mut().try_for_each(erase),
                Arg::Each { value, filter, .. } => {
                    erase(value)?;
                    filter.iter_mut().try_for_each(erase)
                }
                Arg::File(_) | Arg::Path(_) => None,
                Arg::Sql(sql) => {
                    sql.span = Span::default();
                    sql.params.iter_mut().try_for_each(|(_, value)| erase(value))
                }
            })
        }
    }
}
