//! Makes the values of names in an imagined sample.

use model::Value;
use model::suite::NameId;

use super::chance::mix;
use super::draws;
use super::eval::Eval;
use super::fault::{Res, Stop};
use super::world::World;
use hir::NameSource;

/// Makes the value of a name whose dependencies are made.
pub(super) fn make_name(world: &World<'_>, id: NameId) -> Res<Value> {
    let task = world.task;
    let name = task.names.get(id).ok_or(Stop::Unknown)?;
    match &name.source {
        NameSource::Draw { draw, group, place } => draws::draw_name(Eval::new(world), id, draw, (group, *place)),
        NameSource::Compute(value) => Eval::new(world).evaluate(value),
        NameSource::Axis => {
            let axis = task.axes.iter().find(|axis| axis.slot == id).ok_or(Stop::Unknown)?;
            let at = mix(&[world.choices.seed, 1, u64::from(id.0)]) % axis.cells.len().max(1) as u64;
            let (_, value) = axis.cells.get(at as usize).ok_or(Stop::Unknown)?;
            Eval::new(world).evaluate(value)
        }
        NameSource::Row => {
            let values = task.each.as_ref().and_then(|each| each.find_values(id)).ok_or(Stop::Unknown)?;
            // All names of a row are of the same one.
            let at = mix(&[world.choices.seed, 2]) % values.len().max(1) as u64;
            values.get(at as usize).cloned().ok_or(Stop::Unknown)
        }
    }
}
