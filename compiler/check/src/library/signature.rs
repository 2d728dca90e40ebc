//! Signatures of functions, parsed from the standard library, and matching of arguments.

use model::Span;

use hir::types::{Ty, TyKind};
use syntax::ast::{self, Format};

/// One overload of a function.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub params: Vec<ParamSig>,
    pub result: Pattern,
    pub result_nullable: bool,
    /// Its text: `csv_avg(values: csv column of number) -> float?`.
    pub text: String,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct ParamSig {
    pub name: String,
    pub optional: bool,
    pub variadic: bool,
    pub kind: ParamKind,
}

/// The kinds of parameters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ParamKind {
    Value(Pattern, bool),
    Relation {
        delimited: bool,
    },
    Column {
        delimited: bool,
        of: Pattern,
    },
    /// A file in this format, or any file.
    File(Option<Format>),
    Sql,
    /// Statements that change a database.
    Change,
    JsonPath,
    XPath,
    /// A JSONPath as a constant text.
    Place,
}

/// A set of types, with at most one variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Pattern {
    /// One type of [`SCALARS`].
    Single(TyKind),
    Number,
    Any,
    Rows,
    /// The state of a database after statements.
    State,
    /// The type of a query's column.
    Scalar,
    /// The type variable.
    Var,
    List(Box<Pattern>),
    /// A map from names to values.
    Object(Box<Pattern>),
}

/// The types of single values, by their words.
static SCALARS: [(&str, TyKind); 8] = [
    ("int", TyKind::Int),
    ("decimal", TyKind::Decimal(None)),
    ("float", TyKind::Float),
    ("text", TyKind::Text),
    ("bool", TyKind::Bool),
    ("date", TyKind::Date),
    ("datetime", TyKind::DateTime),
    ("duration", TyKind::Duration),
];

impl Signature {
    /// Parses a declaration. Fails with a span and a reason.
    pub fn from_declaration(def: &ast::FunctionDef) -> Result<Signature, (Span, String)> {
        let mut params = Vec::new();
        for param in &def.params {
            params.push(ParamSig {
                name: param.name.text.clone(),
                optional: param.optional,
                variadic: param.variadic,
                kind: parse_param_kind(&param.ty)?,
            });
        }
        let words: Vec<&str> = def.result.words.iter().map(|word| word.text.as_str()).collect();
        let result =
            parse_pattern(&words).ok_or_else(|| (def.result.span, format!("no type `{}`", words.join(" "))))?;
        let (text, _) = render_signature(def);
        Ok(Signature { params, result, result_nullable: def.result.nullable, text })
    }

    /// The minimum and the maximum number of arguments.
    pub fn arity(&self) -> (usize, usize) {
        let least = self.params.iter().filter(|param| !param.optional && !param.variadic).count();
        let most = if self.params.iter().any(|param| param.variadic) { usize::MAX } else { self.params.len() };
        (least, most)
    }

    /// The parameter for the argument at `index`.
    pub fn find_param(&self, index: usize) -> Option<&ParamSig> {
        self.params.get(index).or_else(|| self.params.last().filter(|param| param.variadic))
    }
}

/// Renders a signature, and each of its parameters.
pub fn render_signature(def: &ast::FunctionDef) -> (String, Vec<String>) {
    let written: Vec<String> = def.params.iter().map(render_param).collect();
    (format!("{}({}) -> {}", def.name.text, written.join(", "), render_type(&def.result)), written)
}

fn render_param(param: &ast::Param) -> String {
    let mark = if param.variadic {
        "..."
    } else if param.optional {
        "?"
    } else {
        ""
    };
    format!("{}{mark}: {}", param.name.text, render_type(&param.ty))
}

fn render_type(ty: &ast::TypeExpr) -> String {
    let words: Vec<&str> = ty.words.iter().map(|word| word.text.as_str()).collect();
    format!("{}{}", words.join(" "), if ty.nullable { "?" } else { "" })
}

fn parse_param_kind(ty: &ast::TypeExpr) -> Result<ParamKind, (Span, String)> {
    let words: Vec<&str> = ty.words.iter().map(|word| word.text.as_str()).collect();
    let kind = match words.as_slice() {
        ["sql"] => Some(ParamKind::Sql),
        ["change"] => Some(ParamKind::Change),
        ["jsonpath"] => Some(ParamKind::JsonPath),
        ["place"] => Some(ParamKind::Place),
        ["xpath"] => Some(ParamKind::XPath),
        ["file"] => Some(ParamKind::File(None)),
        [format, "file"] => Format::from_word(format).map(|format| ParamKind::File(Some(format))),
        ["relation"] => Some(ParamKind::Relation { delimited: false }),
        ["csv", "relation"] => Some(ParamKind::Relation { delimited: true }),
        ["column"] => Some(ParamKind::Column { delimited: false, of: Pattern::Any }),
        ["csv", "column"] => Some(ParamKind::Column { delimited: true, of: Pattern::Any }),
        ["column", "of", rest @ ..] => parse_pattern(rest).map(|of| ParamKind::Column { delimited: false, of }),
        ["csv", "column", "of", rest @ ..] => parse_pattern(rest).map(|of| ParamKind::Column { delimited: true, of }),
        rest => parse_pattern(rest).map(|pattern| ParamKind::Value(pattern, ty.nullable)),
    };
    kind.ok_or_else(|| (ty.span, format!("no type `{}`", words.join(" "))))
}

fn parse_pattern(words: &[&str]) -> Option<Pattern> {
    Some(match words {
        ["number"] => Pattern::Number,
        ["any"] => Pattern::Any,
        ["rows"] => Pattern::Rows,
        ["state"] => Pattern::State,
        ["scalar"] => Pattern::Scalar,
        ["list"] => Pattern::List(Box::new(Pattern::Any)),
        ["list", "of", rest @ ..] => Pattern::List(Box::new(parse_pattern(rest)?)),
        ["object", "of", rest @ ..] => Pattern::Object(Box::new(parse_pattern(rest)?)),
        [single] if single.len() == 1 && single.starts_with(|c: char| c.is_ascii_uppercase()) => Pattern::Var,
        [single] => {
            let (_, kind) = SCALARS.iter().find(|(word, _)| word == single)?;
            Pattern::Single(kind.clone())
        }
        _ => return None,
    })
}

impl Pattern {
    /// Whether a type, ignoring nullability, matches. `var` is the binding of the type variable; a match may bind or widen it.
    pub fn try_unify(&self, ty: &Ty, var: &mut Option<Ty>) -> bool {
        use TyKind as K;
        if ty.is_unknown() || ty.kind == K::Null {
            return true;
        }
        if matches!(ty.kind, K::State(_)) {
            return *self == Pattern::State;
        }
        match self {
            Pattern::Any => true,
            Pattern::State => false,
            // A decimal has any number of places.
            Pattern::Single(kind) => std::mem::discriminant(kind) == std::mem::discriminant(&ty.kind),
            Pattern::Number => ty.is_number(),
            Pattern::Rows => matches!(ty.kind, K::Rows(_)),
            Pattern::Scalar => ty.is_scalar(),
            Pattern::List(item) => match &ty.kind {
                K::List(of) => item.try_unify(of, var),
                _ => false,
            },
            Pattern::Object(value) => match &ty.kind {
                K::Map(of) => value.try_unify(of, var),
                K::Object(fields) => fields.iter().all(|(_, of)| value.try_unify(of, var)),
                _ => false,
            },
            Pattern::Var => {
                let bare = Ty::new(ty.kind.clone());
                let joined = Ty::join_next(var.as_ref(), &bare);
                let fits = joined.is_some();
                *var = joined.or(var.take());
                fits
            }
        }
    }

    /// Instantiates the pattern with the type variable and the type of a query's column.
    pub fn substitute_var(&self, var: &Option<Ty>, scalar: &Ty) -> Ty {
        Ty::new(match self {
            Pattern::Single(kind) => kind.clone(),
            Pattern::Rows | Pattern::State | Pattern::Scalar => return scalar.clone(),
            Pattern::Any | Pattern::Number => TyKind::Unknown,
            Pattern::Var => return var.clone().unwrap_or(Ty::UNKNOWN),
            Pattern::List(item) => TyKind::List(Box::new(item.substitute_var(var, scalar))),
            Pattern::Object(value) => TyKind::Map(Box::new(value.substitute_var(var, scalar))),
        })
    }

    /// Whether it matches only numbers.
    pub fn is_number(&self) -> bool {
        matches!(self, Pattern::Number | Pattern::Single(TyKind::Int | TyKind::Decimal(_) | TyKind::Float))
    }

    /// Describes it in the author's terms: `a number`, `a list of text`.
    pub fn describe_with_article(&self) -> String {
        match self {
            Pattern::Single(TyKind::Int) => "an int".to_owned(),
            Pattern::Number => "a number".to_owned(),
            Pattern::Any | Pattern::Var => "any value".to_owned(),
            Pattern::Scalar => "a single value".to_owned(),
            Pattern::Rows => "a result set".to_owned(),
            Pattern::State => "a state of a database".to_owned(),
            Pattern::List(item) if item.is_number() => format!("a list of {}s", item.as_noun()),
            Pattern::List(item) => format!("a list of {}", item.as_noun()),
            Pattern::Object(value) => format!("an object of {}", value.as_noun()),
            other => format!("a {}", other.as_noun()),
        }
    }

    /// Describes it without an article: `number`, `text`.
    pub fn as_noun(&self) -> &'static str {
        match self {
            Pattern::Single(kind) => SCALARS.iter().find(|(_, known)| known == kind).map_or("value", |(word, _)| *word),
            Pattern::Number => "number",
            Pattern::Any | Pattern::Var | Pattern::Scalar => "values",
            Pattern::Rows => "rows",
            Pattern::State => "state",
            Pattern::List(_) => "list",
            Pattern::Object(_) => "object",
        }
    }
}
