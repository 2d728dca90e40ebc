//! Imagines samples of a task, step by step in the order of a build, until one would stop the build.

use model::path::describe_problem;
use model::suite::{ColumnId, FileId, RelationId, Scope, Step};
use model::{Span, Value};

use super::eval::{Eval, Row};
use super::fault::{Fault, Res, Stop, What, fail};
use super::names::make_name;
use super::needs::Needs;
use super::tables::make_table;
use super::wanted::Wanted;
use super::world::{Choices, World};
use hir::{Draw, DrawDomain, Expr, Task};

/// How a build of an imagined sample ends.
pub(super) enum Ending {
    /// It stops here. This is what the place depends on.
    Stops(Fault, Needs),
    /// Nothing that is known stops it.
    Goes,
    /// A `require` is false, so the sample is drawn again.
    Rejected,
}

/// An imagined sample, and its ending.
pub(super) struct Trial<'w, 'a> {
    /// The sample, as far as it was made.
    pub world: World<'a>,
    /// The number of places that are not proved safe, and that had a value here.
    pub known: usize,
    wanted: &'w Wanted<'a>,
    /// What the `require`s depend on of which nobody knows whether they hold.
    doubts: Vec<&'w Needs>,
}

impl<'w, 'a> Trial<'w, 'a> {
    /// Imagines one sample of a task.
    pub(super) fn run(task: &'a Task, wanted: &'w Wanted<'a>, choices: Choices<'a>) -> (Trial<'w, 'a>, Ending) {
        let mut trial = Trial { world: World::new(task, choices), known: 0, wanted, doubts: Vec::new() };
        let ending = trial.make_all(task);
        (trial, ending)
    }

    fn make_all(&mut self, task: &'a Task) -> Ending {
        for step in &task.steps {
            match self.make_step(task, *step) {
                None => {}
                Some(ending) => return ending,
            }
        }
        for name in task.iter_ways().flat_map(|way| &way.steps) {
            if let Some(ending) = self.make_step(task, Step::Name(*name)) {
                return ending;
            }
        }
        for (expr, scope) in &self.wanted.texts {
            let made = self.check_text(expr, *scope);
            self.known += usize::from(made.is_ok());
            if let Some(ending) = self.end(made, |needs| needs.add_expr(task, expr, *scope)) {
                return ending;
            }
        }
        Ending::Goes
    }

    fn make_step(&mut self, task: &'a Task, step: Step) -> Option<Ending> {
        let wanted = self.wanted;
        match step {
            Step::Name(id) if wanted.needs.names.contains(&id) => {
                let made = make_name(&self.world, id);
                let made = self.world.keep_name(id, made);
                let checked = task.names.get(id).and_then(|name| name.source.draw()).is_some_and(is_only_checked);
                self.known += usize::from((made.is_ok() || checked) && wanted.open.names.contains(&id));
                self.end(made, |needs| needs.add_name(task, id))
            }
            Step::Relation(id) if wanted.needs.relations.contains(&id) => {
                let made = make_table(&self.world, id, &|column| wanted.needs.columns.contains(&(id, column)));
                let made = self.world.keep_table(id, made);
                self.count_known_columns(id);
                self.end(made, |needs| {
                    needs.add_relation(task, id);
                    let columns = wanted.needs.columns.iter().filter(|(relation, _)| *relation == id);
                    columns.for_each(|column| needs.add_column(task, *column));
                })
            }
            Step::File(id) => {
                let file = task.files.get(id)?;
                let made = self.check_path(task, id, &file.path);
                self.known += usize::from(made.is_ok() && wanted.unproved.contains(&file.path.span));
                self.end(made, |needs| needs.add_expr(task, &file.path, file.surrounding_scope()))
            }
            Step::Require(index) => {
                let (_, needs) = wanted.requires.iter().find(|(own, _)| *own as u32 == index)?;
                let require = task.requires.get(index as usize)?;
                match Eval::new(&self.world).is_true(&require.condition) {
                    Ok(true) => None,
                    Ok(false) => Some(Ending::Rejected),
                    Err(Stop::Unknown) => {
                        self.doubts.push(needs);
                        None
                    }
                    Err(stop) => self.end(Err(stop), |own| own.clone_from(needs)),
                }
            }
            Step::Name(_) | Step::Relation(_) => None,
        }
    }

    fn count_known_columns(&mut self, id: RelationId) {
        let Ok(table) = self.world.read_table(id) else { return };
        let open = self.wanted.open.columns.iter().filter(|(relation, _)| *relation == id);
        let is_known = |column: ColumnId| {
            let declared = self.world.task.find_column((id, column));
            table.read_column(column).is_ok()
                || declared.and_then(|column| column.source.draw()).is_some_and(is_only_checked)
        };
        let known = open.filter(|(_, column)| is_known(*column)).count();
        self.known += known + usize::from(self.wanted.open.relations.contains(&id));
    }

    /// Ends the build if a step failed, unless a `require` that is not known could prevent that.
    fn end(&self, made: Res<()>, collect: impl FnOnce(&mut Needs)) -> Option<Ending> {
        let Err(Stop::Fails(fault)) = made else { return None };
        let mut needs = Needs::default();
        collect(&mut needs);
        let doubtful = self.doubts.iter().any(|doubt| doubt.meets(&needs));
        Some(if doubtful { Ending::Goes } else { Ending::Stops(fault, needs) })
    }

    /// Evaluates a text, an answer, or a line of each row.
    fn check_text(&self, expr: &'a Expr, scope: Scope) -> Res<()> {
        let eval = Eval::new(&self.world);
        let Some(relation) = scope.row else { return eval.evaluate(expr).map(|_| ()) };
        let table = self.world.read_table(relation)?;
        for row in 0..table.count_known_rows()? {
            eval.with_row(Row::Of(table, row)).evaluate(expr)?;
        }
        Ok(())
    }

    /// Makes the path of a file, or those of its rows, and looks whether they can be stored.
    fn check_path(&self, task: &'a Task, id: FileId, path: &'a Expr) -> Res<()> {
        let scope = task.files.get(id).map(|file| file.surrounding_scope()).unwrap_or_default();
        let eval = Eval::new(&self.world);
        let Some(relation) = scope.row else { return look_at_path(eval.evaluate(path)?, path.span) };
        let table = self.world.read_table(relation)?;
        for row in 0..table.count_known_rows()? {
            look_at_path(eval.with_row(Row::Of(table, row)).evaluate(path)?, path.span)?;
        }
        Ok(())
    }
}

/// Whether only the bounds of a draw are looked at, and no value is made.
fn is_only_checked(draw: &Draw) -> bool {
    matches!(draw.domain, DrawDomain::Lorem { .. } | DrawDomain::Exactly(_))
}

fn look_at_path(path: Value, span: Span) -> Res<()> {
    let path = path.render_text().into_owned();
    match describe_problem(&path) {
        Some(problem) => fail(What::Path, span, format!("\"{path}\" {problem}")),
        None => Ok(()),
    }
}
