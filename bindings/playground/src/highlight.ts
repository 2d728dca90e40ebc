// Colors: comments, strings, and numbers at once; names by what they mean, as soon as the language server says it.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { RangeSetBuilder, StateEffect, StateField, type Extension } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import { tags } from "@lezer/highlight";

type Reading = { triple: boolean; hole: boolean };

/// Without a list of words: they are the server's.
export const pcd = StreamLanguage.define<Reading>({
  name: "pcd",
  startState: () => ({ triple: false, hole: false }),
  token(stream, state) {
    if (state.triple) {
      if (stream.match('"""')) state.triple = false;
      else stream.next();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match('"""')) {
      state.triple = true;
      return "string";
    }
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/^\d[\d_]*(?:\.\d+|-\d\d-\d\d(?:T[\d:]+)?)?%?/)) return "number";
    if (stream.match(/^[\p{L}_][\p{L}\d_]*/u)) return "variableName";
    stream.next();
    return null;
  },
  languageData: {
    commentTokens: { line: "#" },
    closeBrackets: { brackets: ["(", "[", "{", '"'] },
    indentOnInput: /^\s*[}\]]$/,
  },
});

const style = HighlightStyle.define([
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.string, class: "t-string" },
  { tag: tags.number, class: "t-number" },
]);

type Legend = { tokenTypes: string[]; tokenModifiers: string[] };
type Tokens = { data: number[]; legend: Legend };

export const setTokens = StateEffect.define<Tokens>();

/// Texts in a string are not colored as names again: the server's types win where both say something.
const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(known, transaction) {
    let now = known.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setTokens)) now = decorations(effect.value, transaction.state.doc);
    }
    return now;
  },
  provide: (self) => EditorView.decorations.from(self),
});

const marks = new Map<string, Decoration>();

function mark(classes: string): Decoration {
  let known = marks.get(classes);
  if (!known) marks.set(classes, (known = Decoration.mark({ class: classes })));
  return known;
}

function decorations({ data, legend }: Tokens, doc: EditorView["state"]["doc"]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let [line, character] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [lines, characters, length, type, modifiers] = data.slice(at, at + 5) as [number, number, number, number, number];
    line += lines;
    character = lines === 0 ? character + characters : characters;
    if (line >= doc.lines) break;
    const { from, to } = doc.line(line + 1);
    const [start, end] = [from + character, Math.min(from + character + length, to)];
    if (start >= end) continue;
    const more = legend.tokenModifiers.filter((_, bit) => modifiers & (1 << bit)).map((word) => ` m-${word}`);
    builder.add(start, end, mark(`t-${legend.tokenTypes[type]}${more.join("")}`));
  }
  return builder.finish();
}

export const colors: Extension = [pcd, syntaxHighlighting(style), field];
