//! Files on the disk: lakes, views, options of paths, and where the cells of a column are.

use super::grammar::{Pair, Rule};
use super::walk::Walker;
use crate::ast::{
    Expr, ExprKind, Format, FromDisk, Headers, Ident, Lake, LakeUse, Needed, PathOption, PathOptionKind, Place,
    PlaceKind, Skip, Span, Style, StyleKind, TableFrom, Unpivot, UnpivotValue, Until, View, Whole,
};
use crate::diagnostics::{Code, Diagnostic};

impl Walker<'_> {
    /// `lake NAME [at PATH] from "FOLDER" { views }`
    pub fn lake(&mut self, pair: Pair<'_>) -> Option<Lake> {
        let mut parts = pair.into_inner();
        let mut lake = self.lake_head(parts.next()?)?;
        lake.views = parts.filter(|part| part.as_rule() == Rule::view).filter_map(|part| self.view(part)).collect();
        Some(lake)
    }

    /// `lake NAME [at PATH] from "FOLDER"`, without its views.
    pub fn lake_head(&mut self, pair: Pair<'_>) -> Option<Lake> {
        let (mut name, mut at, mut from, mut after_at) = (None, None, None, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => name = Some(self.declared(&part, true)),
                Rule::k_at => after_at = true,
                Rule::k_from => after_at = false,
                Rule::string if after_at => at = Some(self.string(part)),
                Rule::string => from = Some(self.string(part)),
                _ => {}
            }
        }
        Some(Lake { name: name?, at, from: from?, views: Vec::new() })
    }

    /// `FORMAT NAME [: TABLE] from "GLOB" …`
    pub fn view(&mut self, pair: Pair<'_>) -> Option<View> {
        let whole = pair.clone();
        let (doc, rest) = self.documented(pair);
        let mut rest = rest.into_iter();
        let head = rest.next()?;
        let span = self.span_from(self.span(&head), &whole);
        let (format, format_span, name, table) = self.view_head(head)?;
        let from = self.on_disk(rest.next()?)?;
        Some(View { doc, format, format_span, name, table, from, span })
    }

    /// `FORMAT NAME [: TABLE]`
    pub fn view_head(&mut self, pair: Pair<'_>) -> Option<(Format, Span, Ident, Option<Ident>)> {
        let mut parts = pair.into_inner();
        let format = parts.next()?;
        let format_span = self.span(&format);
        let name = self.declared(&parts.next()?, false);
        let table = parts.next().map(|table| self.ident(&table));
        Some((Format::of(format.as_str())?, format_span, name, table))
    }

    /// `lake NAME [needed [LIST] [+ N]]`
    pub fn lake_use(&mut self, pair: Pair<'_>) -> Option<LakeUse> {
        let mut parts = pair.into_inner().filter(|part| part.as_rule() != Rule::k_lake);
        let name = self.ident(&parts.next()?);
        let needed = parts.next().map(|needed| {
            let span = self.span(&needed);
            let (mut globs, mut others) = (None, None);
            for part in needed.into_inner() {
                match part.as_rule() {
                    Rule::k_needed => {}
                    Rule::list => globs = Some(self.expr(part)),
                    _ => others = Some(self.expr(part)),
                }
            }
            Needed { globs, others, span }
        });
        Some(LakeUse { name, needed })
    }

    /// `table NAME [: TABLE] from "FILE" …`
    pub fn table_from(&mut self, pair: Pair<'_>) -> Option<TableFrom> {
        let mut parts = pair.into_inner();
        let (name, table) = self.table_head(parts.next()?, true)?;
        Some(TableFrom { name, table, from: self.on_disk(parts.next()?)? })
    }

    /// `from "FILE" OPTION… [{ columns }]`
    pub fn on_disk(&mut self, pair: Pair<'_>) -> Option<FromDisk> {
        let span = self.span(&pair);
        self.disk_parts(span, pair.into_inner())
    }

    /// What an opening rule reads before its `{`: its head, and the file.
    pub fn opened<'p>(&mut self, pair: Pair<'p>) -> Option<(Pair<'p>, FromDisk)> {
        let whole = pair.clone();
        let mut parts = pair.into_inner();
        let head = parts.next()?;
        let span = self.span_from(self.span(&parts.clone().next()?), &whole);
        Some((head, self.disk_parts(span, parts)?))
    }

    fn disk_parts<'p>(&mut self, span: Span, parts: impl Iterator<Item = Pair<'p>>) -> Option<FromDisk> {
        let (mut path, mut options, mut body) = (None, Vec::new(), None);
        for part in parts {
            match part.as_rule() {
                Rule::k_from => {}
                Rule::string => path = Some(self.string(part)),
                Rule::body => body = Some(self.body(part)),
                _ => options.extend(self.path_option(part)),
            }
        }
        Some(FromDisk { path: path?, options, body, span })
    }

    /// `delimiter ";"`, `skip 2`, `quoted`, …
    pub fn path_option(&mut self, pair: Pair<'_>) -> Option<PathOption> {
        use PathOptionKind as Kind;
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let argument = pair.into_inner().nth(1);
        let number = argument.as_ref().is_some_and(|argument| argument.as_rule() == Rule::number);
        let kind = match rule {
            Rule::quoted_all => Kind::Quoted,
            Rule::crlf => Kind::Crlf,
            Rule::utf8_mark => Kind::Bom,
            Rule::delimiter => Kind::Delimiter(self.string(argument?)),
            Rule::encoding => Kind::Encoding(self.string(argument?)),
            Rule::above => Kind::Above(self.string(argument?)),
            Rule::below => Kind::Below(self.string(argument?)),
            Rule::header => Kind::Header(self.whole(&argument?, "the number of header rows")?),
            Rule::skip if number => Kind::Skip(Skip::Records(self.whole(&argument?, "the number of records")?)),
            Rule::skip => Kind::Skip(Skip::Cell(self.string(argument?))),
            Rule::until => match argument? {
                word if word.as_rule() == Rule::k_blank => Kind::Until(Until::Blank),
                text => Kind::Until(Until::Cell(self.string(text))),
            },
            Rule::sheet => Kind::Sheet(self.string(argument?)),
            Rule::missing => Kind::Missing(self.exprs(argument?)),
            Rule::at_path => Kind::At(self.string(argument?)),
            _ => return None,
        };
        Some(PathOption { kind, span })
    }

    /// A number that is written out, of things that are counted; `None` for another, which has been said.
    fn whole(&mut self, pair: &Pair<'_>, what: &str) -> Option<Whole> {
        let span = self.span(pair);
        let value = pair.as_str().replace('_', "").parse();
        if value.is_err() {
            self.report(
                Diagnostic::new(
                    Code::SYNTAX,
                    format!("`{}` is not a whole number up to {}", pair.as_str(), u32::MAX),
                    span,
                    what.to_owned(),
                )
                .help("write a whole number, such as 2"),
            );
        }
        Some(Whole { value: value.ok()?, span })
    }

    /// `from "Header"`, `from 3`, `from 19..32`
    pub fn place(&mut self, pair: Pair<'_>) -> Option<Place> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner().filter(|part| !matches!(part.as_rule(), Rule::k_from | Rule::dots));
        let first = parts.next()?;
        let kind = match (first.as_rule(), parts.next()) {
            (Rule::string, _) => PlaceKind::Header(self.string(first)),
            (_, None) => PlaceKind::Position(self.whole(&first, "the position of the column")?),
            (_, Some(last)) => {
                let first = self.whole(&first, "the first character")?;
                PlaceKind::Characters(first, self.whole(&last, "the last character")?)
            }
        };
        Some(Place { kind, span })
    }

    /// `as STYLE…`
    pub fn styles(&mut self, pair: Pair<'_>) -> Vec<Style> {
        pair.into_inner().filter(|part| part.as_rule() == Rule::style).filter_map(|part| self.style(part)).collect()
    }

    fn style(&mut self, pair: Pair<'_>) -> Option<Style> {
        let span = self.span(&pair);
        let mut parts = pair.into_inner();
        let first = parts.next()?;
        let kind = match first.as_rule() {
            Rule::missing => StyleKind::Missing(self.exprs(first.into_inner().nth(1)?)),
            Rule::k_case => StyleKind::Case(self.share(parts.next()?)?),
            Rule::k_space => StyleKind::Space(self.share(parts.next()?)?),
            _ => {
                let pattern = self.string(parts.next()?);
                StyleKind::Written(pattern, parts.next().and_then(|share| self.share(share)))
            }
        };
        Some(Style { kind, span })
    }

    /// `5%`, `mess%`
    pub fn share(&mut self, pair: Pair<'_>) -> Option<Expr> {
        let inner = pair.into_inner().next()?;
        if inner.as_rule() != Rule::share_of {
            return Some(self.expr(inner));
        }
        let span = self.span(&inner);
        let name = self.ident(&inner.into_inner().next()?);
        let value = Expr { span: name.span, kind: ExprKind::Path(vec![name]) };
        Some(Expr { kind: ExprKind::PercentOf(Box::new(value)), span })
    }

    /// `unpivot NAME [: DOMAIN], NAME : DOMAIN from HEADERS [as STYLE…], …`
    pub fn unpivot(&mut self, pair: Pair<'_>) -> Option<Unpivot> {
        let (doc, rest) = self.documented(pair);
        let start = self.span(rest.first()?);
        let (mut name, mut domain) = (None, None);
        let mut values: Vec<UnpivotValue> = Vec::new();
        for part in rest {
            match part.as_rule() {
                Rule::decl => name = Some(self.declared(&part, false)),
                Rule::domain => domain = Some(self.domain(part)),
                Rule::unpivoted => values.extend(self.unpivoted(part)),
                _ => {}
            }
        }
        let span = start.to(values.last()?.span);
        Some(Unpivot { doc, name: name?, domain, values, span })
    }

    fn unpivoted(&mut self, pair: Pair<'_>) -> Option<UnpivotValue> {
        let span = self.span(&pair);
        let (mut name, mut domain, mut headers, mut styles) = (None, None, None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::decl => name = Some(self.declared(&part, false)),
                Rule::domain => domain = Some(self.domain(part)),
                Rule::list => headers = Some(Headers::List(self.exprs(part))),
                Rule::string => headers = Some(Headers::Pattern(self.string(part))),
                Rule::header_span => {
                    let mut ends = part.into_inner().filter(|end| end.as_rule() == Rule::string);
                    let first = self.string(ends.next()?);
                    headers = Some(Headers::Span(first, self.string(ends.next()?)));
                }
                Rule::styles => styles = self.styles(part),
                _ => {}
            }
        }
        Some(UnpivotValue { name: name?, domain: domain?, headers: headers?, styles, span })
    }
}
