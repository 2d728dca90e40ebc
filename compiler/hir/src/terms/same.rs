//! Terms that have the same value wherever neither is null: `COALESCE(x, '')` and `x`.

use sql::terms::Term;

/// Functions that return null if one of their arguments is null.
const STRICT: &str = "abs ceil ceiling date datetime floor instr julianday length lower ltrim max min replace round rtrim strftime substr time trim unixepoch upper";

/// Whether two terms are written differently, and have the same value wherever neither is null.
pub fn are_same_where_present(a: &Term, b: &Term) -> bool {
    if a == b || !(has_choice(a) || has_choice(b)) {
        return false;
    }
    let mut present = Vec::new();
    collect_present(a, &mut present);
    collect_present(b, &mut present);
    let same = reduce(a, &present) == reduce(b, &present);
    same && !present.is_empty() && !a.has_unknown()
}

fn is_first_known(name: &str) -> bool {
    matches!(name, "coalesce" | "ifnull")
}

/// Whether a term chooses between values.
fn has_choice(term: &Term) -> bool {
    let mut found = false;
    term.visit(&mut |term| {
        found |= matches!(term, Term::Case(..))
            || matches!(term, Term::Call(name, _) if is_first_known(name) || name == "iif");
    });
    found
}

/// The columns with whose null a term is null.
fn collect_present<'t>(term: &'t Term, present: &mut Vec<&'t Term>) {
    match term {
        Term::Column { .. } | Term::Cell { .. } => present.push(term),
        Term::Operator(_, sides) => {
            collect_present(&sides.0, present);
            collect_present(&sides.1, present);
        }
        Term::Negative(inner) | Term::Cast(_, inner) => collect_present(inner, present),
        Term::Call(name, args) if STRICT.split_ascii_whitespace().any(|known| known == name) => {
            args.iter().for_each(|arg| collect_present(arg, present));
        }
        Term::Call(name, args) if name == "nullif" => {
            args.first().into_iter().for_each(|arg| collect_present(arg, present));
        }
        _ => {}
    }
}

/// A term without what it is only where one of the columns is null.
fn reduce(term: &Term, present: &[&Term]) -> Term {
    let is_present = |term: &Term| present.contains(&term) || matches!(term, Term::Literal(value) if !value.is_null());
    match term {
        Term::Call(name, args) if is_first_known(name) => match args.split_first() {
            Some((first, _)) if is_present(first) => first.clone(),
            _ => Term::Call("coalesce".to_owned(), args.iter().map(|arg| reduce(arg, present)).collect()),
        },
        Term::Call(name, args) if name == "iif" => match args.as_slice() {
            [condition, yes, no] => choose(condition, (yes, no), present),
            _ => term.clone(),
        },
        Term::Call(name, args) => Term::Call(name.clone(), args.iter().map(|arg| reduce(arg, present)).collect()),
        Term::Case(branches, otherwise) => match branches.as_slice() {
            [(condition, result)] => choose(condition, (result, otherwise), present),
            _ => term.clone(),
        },
        Term::Operator(operator, sides) => {
            Term::Operator(*operator, Box::new((reduce(&sides.0, present), reduce(&sides.1, present))))
        }
        Term::Negative(inner) => Term::Negative(Box::new(reduce(inner, present))),
        Term::Cast(affinity, inner) => Term::Cast(*affinity, Box::new(reduce(inner, present))),
        other => other.clone(),
    }
}

/// What a condition on null chooses where the columns are not null.
fn choose(condition: &Term, (yes, no): (&Term, &Term), present: &[&Term]) -> Term {
    let is_null = |term: &Term| matches!(term, Term::Is(sides) if sides.1 == Term::NULL && present.contains(&&sides.0));
    match condition {
        condition if is_null(condition) => reduce(no, present),
        Term::Not(inner) if is_null(inner) => reduce(yes, present),
        _ => Term::Case(vec![(condition.clone(), reduce(yes, present))], Box::new(reduce(no, present))),
    }
}
