//! Parsing of `expect`: the subject, the matcher, the expected value, and the options.

use super::ast_builder::AstBuilder;
use super::grammar::{Pair, Rule};
use crate::ast::{
    Answer, CellMatch, Examples, Expect, Expr, ExprKind, Ident, Matcher, Opt, OptKind, Slice, SortColumn, StringLit,
    Subject,
};
use model::answer_key::Wanted;

impl AstBuilder<'_> {
    /// `expect [NAME:] SUBJECT MATCHER VALUE [options]`
    pub fn parse_expect(&mut self, pair: Pair<'_>) -> Option<Expect> {
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_expect).peekable();
        let label = parts.next_if(|part| part.as_rule() == Rule::label);
        let label = label.and_then(|label| label.into_inner().next()).map(|name| self.parse_ident(&name));
        let mut expect = self.parse_subject(parts.next()?)?;
        expect.label = label;
        expect.options = parts.filter_map(|part| self.parse_option(part)).collect();
        Some(expect)
    }

    fn parse_subject(&mut self, pair: Pair<'_>) -> Option<Expect> {
        let rule = pair.as_rule();
        let mut parts = pair.into_inner();
        let keyword = self.span(&parts.next()?);
        let mut subject = match rule {
            Rule::on_reply => Subject::Reply { span: keyword, slice: None },
            Rule::on_file => {
                let next = parts.next()?;
                if next.as_rule() == Rule::file_name {
                    let span = self.span(&next);
                    let name = self.parse_ident(&next.into_inner().next()?);
                    Subject::File(Expr { kind: ExprKind::Path(vec![name]), span })
                } else {
                    Subject::File(self.parse_string_expr(next))
                }
            }
            Rule::on_files => Subject::Files(self.parse_expr(parts.next()?)),
            _ => {
                let next = parts.next()?;
                match next.as_rule() {
                    Rule::k_only => Subject::Only(self.parse_expr(parts.next()?)),
                    Rule::unchanged_but => {
                        let span = self.span(&next);
                        let except = next.into_inner().find(|part| part.as_rule() == Rule::expr);
                        Subject::Unchanged { span, except: except.map(|list| self.parse_expr(list)) }
                    }
                    _ => Subject::Tree(self.parse_expr(next)),
                }
            }
        };
        let (mut at, mut matcher, mut database, mut answer) = (None, None, None, None);
        let mut reading = Vec::new();
        for part in parts {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::at_path if at.is_none() => at = self.parse_at_path(part),
                Rule::slice if part.clone().into_inner().next()?.as_rule() == Rule::at_path => {
                    at = self.parse_at_path(part.into_inner().next()?);
                }
                Rule::slice => {
                    if let Subject::Reply { slice, .. } = &mut subject {
                        *slice = self.parse_slice(part);
                    }
                }
                Rule::state => {
                    matcher = Some((Matcher::from_word(part.as_str())?, span));
                }
                Rule::sql_match => {
                    let mut inner = part.into_inner();
                    matcher = Some((Matcher::Sql, self.span(&inner.next()?)));
                    database = Some(self.parse_ident(&inner.next()?));
                    answer = self.parse_answer(inner.next()?);
                }
                Rule::matched => {
                    let first = part.clone().into_inner().next()?;
                    if first.as_rule() == Rule::matcher_hole {
                        let word = self.span(&first);
                        matcher = Some((Matcher::from_word(self.text(word))?, word));
                        answer =
                            Some(Answer { any_of: false, value: self.report_missing_expr(word, "the expected value") });
                    } else {
                        matcher = Some((Matcher::from_word(first.as_str())?, self.span(&first)));
                        answer = self.parse_answer(part.into_inner().nth(1)?);
                    }
                }
                // A second `at`, too, which is reported later.
                _ if rule == Rule::on_file => reading.extend(self.parse_path_option(part)),
                _ => {}
            }
        }
        Some(Expect { label: None, subject, at, reading, matcher, database, answer, options: Vec::new() })
    }

    /// `at "$.path"`
    fn parse_at_path(&mut self, pair: Pair<'_>) -> Option<StringLit> {
        Some(self.parse_string(pair.into_inner().nth(1)?))
    }

    fn parse_slice(&mut self, pair: Pair<'_>) -> Option<Slice> {
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let span = self.span(&first);
        match first.as_rule() {
            Rule::last_line => Some(Slice::LastLine(span)),
            Rule::k_after => Some(Slice::After(self.parse_string(parts.next()?))),
            Rule::between => {
                let mut texts = first.into_inner().filter(|part| part.as_rule() == Rule::string);
                let open = self.parse_string(texts.next()?);
                Some(match texts.next() {
                    Some(close) => Slice::Between(open, self.parse_string(close)),
                    None => Slice::Tag(open),
                })
            }
            _ => {
                let language = first.into_inner().nth(1).map(|language| self.parse_string(language));
                Some(Slice::Fenced(span, language))
            }
        }
    }

    fn parse_answer(&mut self, pair: Pair<'_>) -> Option<Answer> {
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        if first.as_rule() == Rule::any_of {
            return Some(Answer { any_of: true, value: self.parse_expr(parts.next()?) });
        }
        Some(Answer { any_of: false, value: self.parse_expr(first) })
    }

    /// `within 0.01`, `ordered`, …
    pub fn parse_option(&mut self, pair: Pair<'_>) -> Option<Opt> {
        let span = self.span(&pair);
        let mut option = pair.into_inner();
        let inner = option.next()?;
        let rule = inner.as_rule();
        let mut columns = option.next().map(|pair| self.parse_paths(pair.into_inner().skip(1))).unwrap_or_default();
        let mut parts = inner.into_inner();
        let keyword = parts.next()?;
        if rule == Rule::judged {
            let word = self.parse_ident(&keyword);
            self.report_not_yet(&word);
            return None;
        }
        let kind = match rule {
            Rule::within => OptKind::Within(self.parse_expr(parts.next()?)),
            Rule::rounded => OptKind::Rounded(self.parse_expr(parts.next()?)),
            Rule::graded => {
                // After `above`.
                let above = parts.nth(1);
                OptKind::Graded(above.map(|above| self.parse_expr(above)))
            }
            Rule::unit_is => OptKind::Unit(self.parse_string_expr(parts.next()?)),
            Rule::told => {
                let pattern = self.parse_string_expr(parts.next()?);
                // After `times`.
                let times = parts.next().and_then(|times| times.into_inner().nth(1));
                OptKind::Written(pattern, times.map(|times| self.parse_expr(times)))
            }
            Rule::weight => OptKind::Weight(self.parse_expr(parts.next()?)),
            Rule::ignore => OptKind::Ignore(self.parse_paths(parts)),
            Rule::sorted_by => {
                // After `by`.
                let keys = parts.skip(1).filter_map(|key| {
                    let mut words = key.into_inner();
                    let name = self.parse_ident(&words.next()?);
                    Some(SortColumn { name, is_descending: words.next().is_some() })
                });
                OptKind::OrderedBy(keys.collect())
            }
            Rule::cell_as => {
                columns = parts.next().map(|pair| self.parse_paths(pair.into_inner().skip(1))).unwrap_or_default();
                OptKind::Cells(CellMatch::from_word(keyword.as_str())?)
            }
            Rule::among => OptKind::Among(self.parse_expr(parts.next()?)),
            Rule::example => {
                let verdict = match keyword.as_rule() {
                    Rule::k_accepts => Wanted::Accepted,
                    _ => Wanted::Rejected,
                };
                let mut parts = parts.peekable();
                let examples = match parts.next_if(|part| part.as_rule() == Rule::k_others) {
                    Some(_) => Examples::Others,
                    None => Examples::Values(parts.map(|part| self.parse_expr(part)).collect()),
                };
                OptKind::Example(verdict, examples)
            }
            Rule::trap => {
                let name = |part: Pair<'_>| Expr {
                    span: self.span(&part),
                    kind: ExprKind::Path(vec![self.parse_ident(&part)]),
                };
                OptKind::Trap(parts.map(name).collect())
            }
            _ => match keyword.as_rule() {
                Rule::k_ordered => OptKind::Ordered,
                Rule::k_unordered => OptKind::Unordered,
                Rule::k_open => OptKind::Open,
                Rule::k_schema => OptKind::Schema,
                _ => OptKind::Gate,
            },
        };
        Some(Opt { kind, columns, span })
    }

    /// Parses names with periods: words, or columns.
    fn parse_paths<'p>(&mut self, paths: impl Iterator<Item = Pair<'p>>) -> Vec<Vec<Ident>> {
        paths.map(|path| path.into_inner().map(|word| self.parse_ident(&word)).collect()).collect()
    }
}
