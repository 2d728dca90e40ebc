//! Window functions: how their values depend on the order of the rows.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, Function, NamedWindowDefinition, NamedWindowExpr, Select, WindowFrame, WindowFrameBound, WindowFrameUnits,
    WindowSpec, WindowType,
};

use super::expressions::{find_last_name, visit_calls};
use super::request::is_same_name;
use super::scope::Ordered;

/// How the value of a window function depends on the order of rows with equal sort keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `ROW_NUMBER`: a unique number.
    Number,
    /// `RANK`, `DENSE_RANK`: the same number for tied rows.
    Rank,
    /// `LAG`, `LEAD`, `NTILE`, and aggregates over `ROWS`: each tied row has another value.
    Value,
    /// `FIRST_VALUE`, `LAST_VALUE`, and `NTH_VALUE`: the value of one of the tied rows, the same for all of them.
    Extreme,
}

impl Effect {
    /// The effect of a call; `None` if tied rows do not matter.
    pub fn from_call(function: &Function, window: &WindowSpec) -> Option<Effect> {
        let name = find_last_name(&function.name)?.value.to_ascii_lowercase();
        let by_rows = window
            .window_frame
            .as_ref()
            .is_some_and(|frame| frame.units == WindowFrameUnits::Rows && !is_whole_partition(frame));
        match name.as_str() {
            "row_number" => Some(Effect::Number),
            "rank" | "dense_rank" => Some(Effect::Rank),
            "lag" | "lead" | "ntile" => Some(Effect::Value),
            "first_value" | "last_value" | "nth_value" if by_rows => Some(Effect::Value),
            "first_value" | "last_value" | "nth_value" => Some(Effect::Extreme),
            "percent_rank" | "cume_dist" => None,
            "group_concat" | "string_agg" => Some(Effect::Value),
            _ => by_rows.then_some(Effect::Value),
        }
    }
}

impl Effect {
    /// The kind of the value.
    pub fn into_kind(self) -> Ordered {
        match self {
            Effect::Number => Ordered::Number,
            Effect::Rank => Ordered::Rank,
            Effect::Value | Effect::Extreme => Ordered::Value,
        }
    }
}

/// Whether a frame has all rows of the partition.
fn is_whole_partition(frame: &WindowFrame) -> bool {
    matches!(
        (&frame.start_bound, &frame.end_bound),
        (WindowFrameBound::Preceding(None), Some(WindowFrameBound::Following(None)))
    )
}

/// Whether an expression calls a window function.
pub fn has_window(expr: &Expr) -> bool {
    let check = |function: &Function| match function.over.is_some() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    visit_calls(expr, check).is_break()
}

/// Calls `visit` for each window function of an expression, with its window.
pub fn visit_windows(expr: &Expr, select: &Select, visit: &mut dyn FnMut(&Function, &WindowSpec)) {
    let _ = visit_calls(expr, |function| {
        if let Some(window) = function.over.as_ref().and_then(|over| find_window(over, select)) {
            visit(function, window);
        }
        ControlFlow::<()>::Continue(())
    });
}

/// The window of a call, if it does not extend another one.
fn find_window<'s>(over: &'s WindowType, select: &'s Select) -> Option<&'s WindowSpec> {
    match over {
        WindowType::WindowSpec(spec) => spec.window_name.is_none().then_some(spec),
        WindowType::NamedWindow(name) => {
            let named = |window: &&'s NamedWindowDefinition| is_same_name(&window.0.value, &name.value);
            match &select.named_window.iter().find(named)?.1 {
                NamedWindowExpr::WindowSpec(spec) => spec.window_name.is_none().then_some(spec),
                NamedWindowExpr::NamedWindow(_) => None,
            }
        }
    }
}
