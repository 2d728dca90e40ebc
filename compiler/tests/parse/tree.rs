//! The tree that some texts become.

use crate::parse::render::read;
use compiler::ast::*;

/// An expression with parentheses around every operation.
fn shape(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Path(path) => path.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("."),
        ExprKind::Paren(inner) => format!("[{}]", shape(inner)),
        ExprKind::Unary { op, operand } => format!("({op:?} {})", shape(operand)),
        ExprKind::Binary { op, left, right, .. } => format!("({} {op:?} {})", shape(left), shape(right)),
        ExprKind::If { condition, then, otherwise } => {
            format!("(if {} {} {})", shape(condition), shape(then), shape(otherwise))
        }
        other => format!("{other:?}"),
    }
}

fn constant(text: &str) -> Expr {
    let (mut file, diagnostics) = read(&format!("x = {text}\n"));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    match file.items.remove(0).kind {
        ItemKind::Constant(constant) => constant.value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn operators_have_ranks() {
    for (text, wanted) in [
        ("a or b and c", "(a Or (b And c))"),
        ("not a and b", "((Not a) And b)"),
        ("not a == b", "(Not (a Eq b))"),
        ("a + b * c - d", "((a Add (b Mul c)) Sub d)"),
        ("-a * b", "((Neg a) Mul b)"),
        ("a - -b", "(a Sub (Neg b))"),
        ("a + 1 <= b * 2", "((a Add 1) Le (b Mul 2))"),
        ("a not in b or c in d", "((a NotIn b) Or (c In d))"),
        ("(a or b) and c", "([(a Or b)] And c)"),
        ("if a then b else if c then d else 1 + 2", "(if a b (if c d (1 Add 2)))"),
        ("a / b / c", "((a Div b) Div c)"),
        ("not not a", "(Not (Not a))"),
    ] {
        assert_eq!(shape(&constant(text)), wanted, "{text}");
    }
}

#[test]
fn literals_have_their_values() {
    assert_eq!(constant("9_223_372_036_854_775_807").kind, ExprKind::Int(i64::MAX));
    assert_eq!(constant("12.50").kind, ExprKind::Decimal("12.50".parse().unwrap()));
    assert_eq!(constant("2024-02-29").kind, ExprKind::Date(model::Date::new(2024, 2, 29).unwrap()));
    assert_eq!(
        constant("2024-03-01T10:00").kind,
        ExprKind::DateTime(model::DateTime::parse_iso("2024-03-01T10:00").unwrap())
    );
    for (text, months, seconds) in [
        ("90 days", 0, 90 * 86_400),
        ("1 day", 0, 86_400),
        ("2 weeks", 0, 14 * 86_400),
        ("3 months", 3, 0),
        ("2 years", 24, 0),
        ("5 minutes", 0, 300),
        ("1 second", 0, 1),
    ] {
        assert_eq!(constant(text).kind, ExprKind::Duration(model::Duration { months, seconds }), "{text}");
    }
}

#[test]
fn raw_text_is_a_slice_of_the_source() {
    let text = "x = <<sqlite_query: db, SELECT ')' -- >> no\n FROM t WHERE a ->> '$.b' > (1 >> 2)  >>\n";
    let (file, diagnostics) = read(text);
    assert!(diagnostics.is_empty());
    let ItemKind::Constant(Compute { value: Expr { kind: ExprKind::Placeholder(inner), .. }, .. }) =
        &file.items[0].kind
    else {
        panic!()
    };
    let ExprKind::Call(call) = &inner.kind else { panic!() };
    let ArgValue::Raw(raw) = &call.args[1].value else { panic!() };
    assert_eq!(raw.text, "SELECT ')' -- >> no\n FROM t WHERE a ->> '$.b' > (1 >> 2)");
    assert_eq!(&text[raw.span.start as usize..raw.span.end as usize], raw.text);
    assert!(call.placeholder && call.callee.text == "sqlite_query");
    for (text, kind) in [
        ("<<value: -- hi\n SELECT 1>>", RawKind::Sql),
        ("<<q: a, $.b[0]>>", RawKind::JsonPath),
        ("<<q: a, /b/c>>", RawKind::XPath),
        ("<<q: a, /*/c>>", RawKind::XPath),
        ("<<q: a, /b/*/c[d]>>", RawKind::XPath),
        ("<<v: /* a */ WITH x AS (SELECT 1) SELECT 1>>", RawKind::Sql),
    ] {
        let ExprKind::Placeholder(inner) = constant(text).kind else { panic!() };
        let ExprKind::Call(call) = inner.kind else { panic!() };
        assert!(matches!(&call.args.last().unwrap().value, ArgValue::Raw(raw) if raw.kind == kind), "{text}");
    }
}

#[test]
fn docs_stand_with_what_they_tell_of() {
    let source = "## A suite.\n##\n## Of two.\nsuite s { ## Its name.\n title \"S\" }\n## A task.\ntask t {\n  ## A word.\n  a : word\n  ## Rows.\n  csv c at \"c\" {\n    ## Key.\n    A : serial\n  }\n}\n## Left over.\n";
    let (file, diagnostics) = read(source);
    assert!(diagnostics.is_empty());
    assert_eq!(file.items[0].doc.as_ref().unwrap().text, "A suite.\n\nOf two.");
    let ItemKind::Suite(suite) = &file.items[0].kind else { panic!() };
    assert_eq!(suite.settings[0].doc.as_ref().unwrap().text, "Its name.");
    let ItemKind::Task(task) = &file.items[1].kind else { panic!() };
    assert_eq!(task.body[0].doc.as_ref().unwrap().text, "A word.");
    let StmtKind::Data(Data { content: Content::Body { body, .. }, .. }) = &task.body[1].kind else { panic!() };
    assert_eq!(body.columns[0].doc.as_ref().unwrap().text, "Key.");
    assert_eq!(file.comments.len(), 9);
}

#[test]
fn what_stands_around_a_mistake_is_in_the_tree() {
    let source = "task t {\n  a : word\n  promt \"x\"\n  b : int 1..\n  csv c at \"c\" {\n    rows 3\n    A : serial\n    B serial\n    C : one_of [\n    D = 1\n  }\n  variant v {\n    prompt \"x\"\n    expct reply\n    expect reply text a\n  }\n}\ntask u { prompt \"u\" }\n";
    let (file, diagnostics) = read(source);
    assert_eq!(diagnostics.len(), 5, "{diagnostics:#?}");
    let ItemKind::Task(task) = &file.items[0].kind else { panic!() };
    let names: Vec<String> = task
        .body
        .iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Draw { names, .. } => names[0].text.clone(),
            StmtKind::Data(Data { name, content: Content::Body { body, .. }, .. }) => {
                let columns: Vec<&str> = body.columns.iter().map(|column| column.keys[0].name.text.as_str()).collect();
                format!("{} {}", name.text, columns.join(" "))
            }
            StmtKind::Variant { name, body } => format!("{} {}", name.text, body.len()),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(names, ["a", "b", "c A C D", "v 2"]);
    assert!(matches!(&file.items[1].kind, ItemKind::Task(_)));
}

#[test]
fn a_file_from_a_table_has_its_rows_and_how_they_are_written() {
    let source = "task t {\n  csv a : b at \"p\" crlf above \"x\" from db.t where N > 1 {\n    rows repeat mess%\n    rows repeat 5%\n    rows by `A B` desc\n    rows by N\n    A = N as case 5% written \"0\" n%\n    B : bool m%\n  }\n  csv c at \"q\" from r\n}\n";
    let (file, diagnostics) = read(source);
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    let text = |span: Span| &source[span.start as usize..span.end as usize];
    let ItemKind::Task(task) = &file.items[0].kind else { panic!() };
    let taken = |at: usize| match &task.body[at].kind {
        StmtKind::Data(data) => match &data.content {
            Content::Taken(from) => (data, from),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let (data, from) = taken(0);
    assert_eq!(data.table.as_ref().unwrap().text, "b");
    assert_eq!(data.options.iter().map(|option| option.kind.word()).collect::<Vec<_>>(), ["crlf", "above"]);
    assert!(matches!(&from.rel.kind, ExprKind::Path(path) if path.len() == 2));
    assert_eq!((text(from.rel.span), text(from.filter.as_ref().unwrap().span)), ("db.t", "N > 1"));
    assert!(text(from.span).starts_with("from db.t") && text(from.span).ends_with('}'));
    let body = from.body.as_ref().unwrap();
    assert_eq!(
        body.repeats.iter().map(|repeat| text(repeat.span)).collect::<Vec<_>>(),
        ["rows repeat mess%", "rows repeat 5%"]
    );
    let ExprKind::PercentOf(mess) = &body.repeats[0].share.kind else { panic!() };
    assert_eq!((text(body.repeats[0].share.span), text(mess.span)), ("mess%", "mess"));
    assert!(matches!(body.repeats[1].share.kind, ExprKind::Percent(_)));
    let orders: Vec<_> =
        body.orders.iter().map(|order| (order.column.text.as_str(), order.desc, text(order.span))).collect();
    assert_eq!(orders, [("A B", true, "rows by `A B` desc"), ("N", false, "rows by N")]);
    let styles: Vec<_> = body.columns[0].styles.iter().map(|style| text(style.span)).collect();
    assert_eq!(styles, ["case 5%", "written \"0\" n%"]);
    let ColumnKind::Draw(Domain { kind: DomainKind::Named(named), .. }) = &body.columns[1].kind else { panic!() };
    assert!(matches!(named.operand.as_ref().unwrap().kind, ExprKind::PercentOf(_)));
    let (_, from) = taken(1);
    assert_eq!((text(from.span), &from.body, &from.filter), ("from r", &None, &None));
}

#[test]
fn a_mark_and_foreign_line_ends_are_tolerated() {
    let source = "\u{FEFF}suite s { title \"S\" }\r\ntask t {\r\n  prompt \"x\"\r\n}\r\n";
    let (file, diagnostics) = read(source);
    assert!(diagnostics.is_empty());
    assert_eq!(file.items.len(), 2);
    let (file, diagnostics) = read(&source.replace("prompt", "promt"));
    assert_eq!((file.items.len(), diagnostics.len()), (2, 1));
}
