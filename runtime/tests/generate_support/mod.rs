//! Builds plans by hand, as `lower` would.
#![allow(dead_code, missing_docs)]

use model::answer_key::{Answer, Subject};
use model::domain::{LoremUnit, TemplatePart};
use model::functions::FunctionId;
use model::suite::*;
use model::{Decimal, Domain, Format, Span, TiVec, Value, ValueType};
use runtime::Failure;
use runtime::generate::{Address, Generator, Instance, Options as Build};

/// A suite of one task, under construction.
pub struct Suite {
    pub plan: Plan,
}

pub fn task(name: &str, samples: u32) -> Task {
    Task {
        name: name.into(),
        span: span(),
        doc: None,
        samples,
        tags: vec![],
        each: None,
        axes: vec![],
        names: TiVec::new(),
        files: TiVec::new(),
        relations: TiVec::new(),
        steps: vec![],
        requires: vec![],
        extras: vec![],
        lakes: vec![],
        means: Default::default(),
        prompt: Prompt::default(),
        expects: vec![],
        variants: vec![],
        stages: TiVec::new(),
        asked: Default::default(),
        notes: (),
    }
}

pub fn span() -> Span {
    Span::default()
}

impl Suite {
    pub fn new() -> Suite {
        let suite =
            SuiteInfo { name: "test".into(), title: "Test".into(), version: "1.0.0".into(), ..SuiteInfo::default() };
        Suite {
            plan: Plan {
                edition: 1,
                suite,
                domains: TiVec::new(),
                lakes: TiVec::new(),
                tasks: vec![task("t", 3)],
                ..Plan::default()
            },
        }
    }

    pub fn task(&mut self) -> &mut Task {
        self.plan.tasks.last_mut().unwrap()
    }

    pub fn domain(&mut self, domain: Domain) -> DomainExpr {
        self.plan.domains.push(domain);
        DomainExpr::Fixed(self.plan.domains.last_key().expect("just pushed"))
    }

    /// `name : draw`
    pub fn draw(&mut self, name: &str, draw: Draw) -> NameId {
        self.draw_in(name, draw, name, 0)
    }

    pub fn draw_in(&mut self, name: &str, draw: Draw, group: &str, place: u32) -> NameId {
        self.name(name, NameSource::Draw { draw, group: group.into(), place })
    }

    /// `name = expr`
    pub fn compute(&mut self, name: &str, expr: Expr) -> NameId {
        self.name(name, NameSource::Compute(expr))
    }

    pub fn name(&mut self, name: &str, source: NameSource) -> NameId {
        let is_axis = matches!(source, NameSource::Axis);
        let task = self.task();
        let id = task.names.next_key();
        task.names.push(Name { name: name.into(), span: span(), ty: (), source });
        if !is_axis {
            task.steps.push(Step::Name(id));
        }
        id
    }

    pub fn axis(&mut self, name: &str, cells: &[(&str, i64)]) -> NameId {
        let slot = self.name(name, NameSource::Axis);
        let cells = cells.iter().map(|(label, value)| (label.to_string(), int(*value))).collect();
        let task = self.task();
        task.axes.push(Axis { name: name.into(), slot, cells });
        task.steps.push(Step::Name(slot));
        slot
    }

    pub fn require(&mut self, condition: Expr) {
        let task = self.task();
        task.steps.push(Step::Require(task.requires.len() as u32));
        task.requires.push(Require { condition, span: span() });
    }

    pub fn relation(&mut self, name: &str, rows: (i64, i64), columns: Vec<Column>) -> RelationId {
        self.relation_rows(name, (int(rows.0), int(rows.1)), columns)
    }

    pub fn relation_rows(&mut self, name: &str, rows: (Expr, Expr), columns: Vec<Column>) -> RelationId {
        let order = (0..columns.len() as u32).map(ColumnId).collect();
        let table = name.rsplit('.').next().unwrap().to_owned();
        let task = self.task();
        let id = task.relations.next_key();
        task.relations.push(Relation {
            name: name.into(),
            table,
            span: span(),
            file: None,
            rows: Rows::Count(rows.0, rows.1),
            columns: columns.into(),
            order,
            constraints: vec![],
            by: None,
        });
        task.steps.push(Step::Relation(id));
        id
    }

    pub fn file(&mut self, name: &str, path: Expr, content: FileContent) -> FileId {
        let format = match &content {
            FileContent::Delimited { .. } => Format::Csv,
            FileContent::Sqlite { .. } => Format::Sqlite,
            _ => Format::Text,
        };
        self.file_as(format, name, path, content)
    }

    pub fn file_as(&mut self, format: Format, name: &str, path: Expr, content: FileContent) -> FileId {
        let task = self.task();
        let id = task.files.next_key();
        for relation in content.relations() {
            task.relations[*relation].file = Some(id);
        }
        task.files.push(File {
            name: name.into(),
            span: span(),
            format,
            path,
            split: false,
            like: None,
            form: None,
            content,
        });
        task.steps.push(Step::File(id));
        id
    }

    pub fn csv(&mut self, name: &str, rows: (i64, i64), columns: Vec<Column>) -> (FileId, RelationId) {
        let relation = self.relation(name, rows, columns);
        let content = delimited(relation);
        (self.file(name, text(&format!("{name}.csv")), content), relation)
    }

    pub fn prompt(&mut self, wording: Expr) {
        self.task().prompt.wordings.push(wording);
    }

    pub fn expect(&mut self, matcher: Matcher, value: Expr) {
        let expect = expect(Subject::Reply(None), matcher, Some(value));
        self.task().expects.push(expect);
    }

    pub fn generator(&self) -> Generator<'_> {
        self.try_generator(None).unwrap()
    }

    pub fn try_generator(&self, task: Option<&str>) -> Result<Generator<'_>, Failure> {
        let build = Build { task: task.map(str::to_owned), ..Build::new("7") };
        Generator::new(&self.plan, build)
    }

    pub fn instance(&self) -> Result<Instance, Failure> {
        self.generator().generate_instance(Address { task: 0, cell: 0, variant: 0, sample: 0 })
    }

    pub fn all(&self) -> Vec<Instance> {
        let generator = self.generator();
        (0..generator.count_instances())
            .map(|at| generator.generate_instance(generator.resolve_address(at).unwrap()).unwrap())
            .collect()
    }

    /// The value of an expression over the task's names, as an answer.
    pub fn value(&self, expr: Expr) -> Result<Value, Failure> {
        let mut with = Suite { plan: self.plan.clone() };
        with.expect(Matcher::Json, expr);
        Ok(with.instance()?.expects.pop().unwrap().single_value().cloned().unwrap())
    }
}

/// As a plain CSV file has it.
pub fn delimited(relation: RelationId) -> FileContent {
    FileContent::Delimited { form: Form::from_delimiter(','), relation }
}

pub fn expect(subject: Subject<Expr>, matcher: Matcher, value: Option<Expr>) -> Expect {
    Expect {
        name: None,
        at: None,
        subject,
        matcher,
        answer: value.map(Answer::One),
        options: vec![],
        weight: Decimal::from_int(1),
        gate: false,
        database: None,
        among: None,
        read: model::answer_key::Read::default(),
        columns: Vec::new(),
        tests: Default::default(),
        traps: Vec::new(),
        span: span(),
    }
}

pub fn variant(name: &str, prompt: &str) -> Variant {
    Variant { name: name.into(), prompt: Prompt { wordings: vec![text(prompt)] }, ..Variant::default() }
}

pub fn draw(domain: DomainExpr) -> Draw {
    Draw {
        domain,
        ty: (),
        unique: false,
        sorted: false,
        blank_per_million: 0,
        blank: None,
        except: vec![],
        span: span(),
    }
}

pub fn unique(domain: DomainExpr) -> Draw {
    Draw { unique: true, ..draw(domain) }
}

pub fn column(name: &str, value_type: ValueType, draw: Draw) -> Column {
    let source = ColumnSource::Draw { group: name.into(), place: 0, of: 1, draw: draw.clone() };
    Column {
        name: name.into(),
        span: span(),
        helper: name.starts_with('_'),
        ty: (),
        cells: Cells { value_type, nullable: draw.blank_per_million > 0, primary_key: false, unique: draw.unique },
        references: None,
        source,
    }
}

pub fn serial(suite: &mut Suite, name: &str) -> Column {
    let domain = suite.domain(Domain::Serial);
    let column = column(name, ValueType::Int, draw(domain));
    Column { cells: Cells { primary_key: true, unique: true, ..column.cells }, ..column }
}

pub fn computed(name: &str, value_type: ValueType, expr: Expr) -> Column {
    let source = ColumnSource::Compute(expr);
    Column {
        name: name.into(),
        span: span(),
        helper: name.starts_with('_'),
        ty: (),
        cells: Cells { value_type, nullable: false, primary_key: false, unique: false },
        references: None,
        source,
    }
}

pub fn ints(low: i64, high: i64) -> Domain {
    Domain::Int { low, high, step: 1 }
}

pub fn words(items: &[&str]) -> Domain {
    Domain::OneOf { items: items.iter().map(|item| Value::from_text(*item)).collect() }
}

pub fn many_words(n: usize) -> Domain {
    Domain::OneOf { items: (0..n).map(|at| Value::from_text(format!("word{at:04}"))).collect() }
}

pub fn person() -> Domain {
    let part = |prefix: &str, n: usize| {
        let items = (0..n).map(|at| Value::from_text(format!("{prefix}{at}"))).collect();
        TemplatePart::Domain(Box::new(Domain::OneOf { items }))
    };
    Domain::Template { parts: vec![part("First", 29), TemplatePart::Text(" ".into()), part("Last", 34)] }
}

pub fn lorem(unit: LoremUnit, count: u32) -> Domain {
    Domain::Lorem { unit, low: count, high: count }
}

pub fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

pub fn int(value: i64) -> Expr {
    Expr::Const(Value::Int(value))
}

pub fn dec(value: &str) -> Expr {
    Expr::Const(Value::Decimal(d(value)))
}

pub fn text(value: &str) -> Expr {
    Expr::Const(Value::from_text(value))
}

pub fn null() -> Expr {
    Expr::Const(Value::Null)
}

pub fn binary(left: Expr, op: Op, right: Expr) -> Expr {
    Expr::Binary { op, args: Box::new((left, right)), span: span() }
}

pub fn col(column: u32) -> Expr {
    Expr::Column(ColumnId(column))
}

pub fn call(function: &str, args: Vec<Arg>) -> Expr {
    let function = FunctionId::from_name(function).expect("a function");
    Expr::Call(Box::new(Call { function, args, span: span() }))
}

pub fn of(relation: RelationId, column: u32) -> Arg {
    Arg::Column { relation, column: ColumnId(column), filter: None }
}

pub fn of_where(relation: RelationId, column: u32, filter: Expr) -> Arg {
    Arg::Column { relation, column: ColumnId(column), filter: Some(filter) }
}

pub fn rows_of(relation: RelationId) -> Arg {
    Arg::Relation { relation, filter: None }
}

pub fn sql(query: &str, scope: SqlScope, params: Vec<(&str, Expr)>, columns: Vec<Option<ValueType>>) -> Arg {
    let params = params.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Arg::Sql(Sql { text: query.into(), scope, params, columns, span: span() })
}

pub fn list_of(values: &Value) -> Vec<Value> {
    match values {
        Value::List(items) => items.clone(),
        other => panic!("{other:?} is no list"),
    }
}
