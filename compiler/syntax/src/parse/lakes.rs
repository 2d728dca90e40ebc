//! Parsing of files on disk: lakes, views, options of paths, and the positions of a column's cells.

use model::text_style::TextStyle;

use super::ast_builder::{AstBuilder, NameOf};
use super::grammar::{Pair, Rule};
use crate::ast::{
    Expr, ExprKind, Format, FromDisk, Headers, Lake, LakeUse, Needed, PathOption, PathOptionKind, Place, PlaceKind,
    Skip, Style, StyleKind, TableFrom, Unpivot, UnpivotValue, Until, View, Whole, Written,
};
use crate::diagnostics::{Code, Diagnostic};

impl AstBuilder<'_> {
    /// `lake NAME [at PATH] from "FOLDER" [hidden] { views }`
    pub fn parse_lake(&mut self, pair: Pair<'_>) -> Option<Lake> {
        let mut parts = pair.into_inner();
        let (mut name, mut at, mut from, mut hidden, mut after_at) = (None, None, None, None, false);
        for part in parts.next()?.into_inner() {
            match part.as_rule() {
                Rule::decl => name = Some(self.parse_declared(&part, NameOf::Value)),
                Rule::k_at => after_at = true,
                Rule::k_from => after_at = false,
                Rule::k_hidden => hidden = Some(self.span(&part)),
                Rule::string if after_at => at = Some(self.parse_string(part)),
                Rule::string => from = Some(self.parse_string(part)),
                _ => {}
            }
        }
        let views = parts.filter(|part| part.as_rule() == Rule::view).filter_map(|part| self.parse_view(part));
        Some(Lake { name: name?, at, from: from?, hidden, views: views.collect() })
    }

    /// `FORMAT NAME [: TABLE] from "GLOB" …`
    pub fn parse_view(&mut self, pair: Pair<'_>) -> Option<View> {
        let whole = pair.clone();
        let (doc, rest) = self.split_doc(pair);
        let mut rest = rest.into_iter();
        let head = rest.next()?;
        let span = self.join_span(self.span(&head), &whole);
        let mut parts = head.into_inner();
        let format = parts.next()?;
        let format_span = self.span(&format);
        let name = self.parse_declared(&parts.next()?, NameOf::Part);
        let table = parts.next().map(|table| self.parse_ident(&table));
        let format = Format::from_word(format.as_str())?;
        let from = self.parse_from_disk(rest.next()?)?;
        Some(View { doc, format, format_span, name, table, from, span })
    }

    /// `lake NAME [needed [LIST] [+ N]]`
    pub fn parse_lake_use(&mut self, pair: Pair<'_>) -> Option<LakeUse> {
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_lake);
        let name = self.parse_ident(&parts.next()?);
        let needed = parts.next().map(|needed| {
            let span = self.span(&needed);
            let (mut globs, mut others) = (None, None);
            for part in needed.into_inner() {
                match part.as_rule() {
                    Rule::k_needed => {}
                    Rule::list => globs = Some(self.parse_expr(part)),
                    _ => others = Some(self.parse_expr(part)),
                }
            }
            Needed { globs, others, span }
        });
        Some(LakeUse { name, needed })
    }

    /// `table NAME [: TABLE] from "FILE" …`
    pub fn parse_table_from(&mut self, pair: Pair<'_>) -> Option<TableFrom> {
        let mut parts = pair.into_inner();
        let (name, table) = self.parse_table_head(parts.next()?, NameOf::Value)?;
        Some(TableFrom { name, table, from: self.parse_from_disk(parts.next()?)? })
    }

    /// `from "FILE" OPTION… [{ columns }]`
    pub fn parse_from_disk(&mut self, pair: Pair<'_>) -> Option<FromDisk> {
        let span = self.span(&pair);
        let (mut path, mut options, mut body) = (None, Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::k_from => {}
                Rule::string => path = Some(self.parse_string(part)),
                Rule::body => body = Some(self.parse_body(part)),
                _ => options.extend(self.parse_path_option(part)),
            }
        }
        Some(FromDisk { path: path?, options, body, span })
    }

    /// `delimiter ";"`, `skip 2`, `quoted`, …
    pub fn parse_path_option(&mut self, pair: Pair<'_>) -> Option<PathOption> {
        use PathOptionKind as Kind;
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let argument = pair.into_inner().nth(1);
        let number = argument.as_ref().is_some_and(|argument| argument.as_rule() == Rule::number);
        let kind = match rule {
            Rule::quoted_all => Kind::Quoted,
            Rule::crlf => Kind::Crlf,
            Rule::utf8_mark => Kind::Bom,
            Rule::delimiter => Kind::Delimiter(self.parse_string(argument?)),
            Rule::encoding => Kind::Encoding(self.parse_string(argument?)),
            Rule::above => Kind::Above(self.parse_string(argument?)),
            Rule::below => Kind::Below(self.parse_string(argument?)),
            Rule::header => Kind::Header(self.parse_whole(&argument?, "the number of header rows")?),
            Rule::skip if number => Kind::Skip(Skip::Records(self.parse_whole(&argument?, "the number of records")?)),
            Rule::skip => Kind::Skip(Skip::Cell(self.parse_string(argument?))),
            Rule::until => match argument? {
                word if word.as_rule() == Rule::k_blank => Kind::Until(Until::Blank),
                text => Kind::Until(Until::Cell(self.parse_string(text))),
            },
            Rule::sheet => Kind::Sheet(self.parse_string(argument?)),
            Rule::missing => Kind::Missing(self.parse_exprs(argument?)),
            Rule::at_path => Kind::At(self.parse_string(argument?)),
            _ => return None,
        };
        Some(PathOption { kind, span })
    }

    /// Parses a counted number; `None` for a number that is not whole, which is reported.
    fn parse_whole(&mut self, pair: &Pair<'_>, what: &str) -> Option<Whole> {
        let span = self.span(pair);
        let value = pair.as_str().replace('_', "").parse();
        if value.is_err() {
            let message = format!("`{}` is not a whole number up to {}", pair.as_str(), u32::MAX);
            let said = Diagnostic::new(Code::SYNTAX, message, span, what);
            self.report(said.help("write a whole number, such as 2"));
        }
        Some(Whole { value: value.ok()?, span })
    }

    /// `from "Header"`, `from 3`, `from 19..32`
    pub fn parse_place(&mut self, pair: Pair<'_>) -> Option<Place> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner().filter(|part| !matches!(part.as_rule(), Rule::k_from | Rule::dots));
        let first = parts.next()?;
        let kind = match (first.as_rule(), parts.next()) {
            (Rule::string, _) => PlaceKind::Header(self.parse_string(first)),
            (_, None) => PlaceKind::Position(self.parse_whole(&first, "the position of the column")?),
            (_, Some(last)) => {
                let first = self.parse_whole(&first, "the first character")?;
                PlaceKind::Characters(first, self.parse_whole(&last, "the last character")?)
            }
        };
        Some(Place { kind, span })
    }

    /// `as STYLE…`
    pub fn parse_styles(&mut self, pair: Pair<'_>) -> Vec<Style> {
        pair.into_inner()
            .filter(|part| part.as_rule() == Rule::style)
            .filter_map(|part| self.parse_style(part))
            .collect()
    }

    fn parse_style(&mut self, pair: Pair<'_>) -> Option<Style> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let kind = match (first.as_rule(), TextStyle::from_word(first.as_str())) {
            (Rule::missing, _) => StyleKind::Missing(self.parse_exprs(first.into_inner().nth(1)?)),
            (_, Some(style)) => StyleKind::Text(style, self.parse_share(parts.next()?)?),
            (_, None) => {
                let pattern = self.parse_string(parts.next()?);
                let mut written = Written { pattern, times: None, share: None };
                for part in parts {
                    match part.as_rule() {
                        Rule::times => {
                            written.times = part.into_inner().nth(1).map(|times| self.parse_expr(times));
                        }
                        _ => written.share = self.parse_share(part),
                    }
                }
                StyleKind::Written(written)
            }
        };
        Some(Style { kind, span })
    }

    /// `5%`, `mess%`
    pub fn parse_share(&mut self, pair: Pair<'_>) -> Option<Expr> {
        let inner = pair.into_inner().next()?;
        if inner.as_rule() != Rule::share_of {
            return Some(self.parse_expr(inner));
        }
        let span = self.span(&inner);
        let name = self.parse_ident(&inner.into_inner().next()?);
        let value = Expr { span: name.span, kind: ExprKind::Path(vec![name]) };
        Some(Expr { kind: ExprKind::PercentOf(Box::new(value)), span })
    }

    /// `unpivot NAME [: DOMAIN], NAME : DOMAIN from HEADERS [as STYLE…], …`
    pub fn parse_unpivot(&mut self, pair: Pair<'_>) -> Option<Unpivot> {
        let (doc, rest) = self.split_doc(pair);
        let start = self.span(rest.first()?);
        let (mut name, mut domain) = (None, None);
        let mut values: Vec<UnpivotValue> = Vec::new();
        for part in rest {
            match part.as_rule() {
                Rule::decl => name = Some(self.parse_declared(&part, NameOf::Part)),
                Rule::domain => domain = Some(self.parse_domain(part)),
                Rule::unpivoted => values.extend(self.parse_unpivot_value(part)),
                _ => {}
            }
        }
        let span = start.extend_to(values.last()?.span);
        Some(Unpivot { doc, name: name?, domain, values, span })
    }

    fn parse_unpivot_value(&mut self, pair: Pair<'_>) -> Option<UnpivotValue> {
        let span = self.span(&pair);
        let (mut name, mut domain, mut headers, mut styles) = (None, None, None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => name = Some(self.parse_declared(&part, NameOf::Part)),
                Rule::domain => domain = Some(self.parse_domain(part)),
                Rule::list => headers = Some(Headers::List(self.parse_exprs(part))),
                Rule::string => headers = Some(Headers::Pattern(self.parse_string(part))),
                Rule::header_span => {
                    let mut ends = part.into_inner().filter(|end| end.as_rule() == Rule::string);
                    let first = self.parse_string(ends.next()?);
                    headers = Some(Headers::Span(first, self.parse_string(ends.next()?)));
                }
                Rule::styles => styles = self.parse_styles(part),
                _ => {}
            }
        }
        Some(UnpivotValue { name: name?, domain: domain?, headers: headers?, styles, span })
    }
}
