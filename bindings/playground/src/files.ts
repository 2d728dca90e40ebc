// A file of a sandbox, as a person looks at it.

import { el, grouped, plural, size } from "./dom";
import type { GivenFile, Table } from "./protocol";

/// The most rows and characters that are put into the page.
const MOST_ROWS = 100;
const MOST_TEXT = 20_000;

export function summary(file: GivenFile): string {
  if (file.kind === "database") return `SQLite, ${plural(file.tables.length, "table")}, ${size(file.bytes)}`;
  return size(file.bytes);
}

export function content(file: GivenFile): HTMLElement {
  if (file.kind === "database") return database(file.tables);
  if (file.kind === "binary") return el("p", { class: "quiet" }, "This file is not a text. Download it to look inside.");
  const separator = file.format === "tsv" ? "\t" : ",";
  if (file.format === "csv" || file.format === "tsv") {
    const [head, ...rows] = records(file.text, separator);
    // A file with another separator, or with a title above its columns, is shown as it is.
    if (head && head.length > 1 && rows.slice(0, 20).every((row) => row.length === head.length)) {
      const more = file.cut ? "at least " : "";
      return el("div", {}, grid(head, rows), el("p", { class: "quiet" }, `${more}${plural(rows.length, "row")}`));
    }
  }
  const text = file.text.length > MOST_TEXT ? `${file.text.slice(0, MOST_TEXT)}\n…` : file.text;
  return el("pre", { class: "text", tabindex: 0, role: "region", "aria-label": `Content of ${file.path}` }, text);
}

function database(tables: Table[]): HTMLElement {
  return el(
    "div",
    {},
    ...tables.map((table, at) =>
      el(
        "details",
        { class: "table", open: at === 0 },
        el("summary", {}, el("code", {}, table.name), ` ${plural(Number(table.count), "row")}`),
        grid(table.columns, table.rows, Number(table.count)),
      ),
    ),
  );
}

function grid(columns: string[], rows: string[][], count = rows.length): HTMLElement {
  const shown = rows.slice(0, MOST_ROWS);
  const numeric = columns.map((_, at) => shown.length > 0 && shown.every((row) => /^-?[\d.,]*$/.test(row[at] ?? "") || row[at] === "null"));
  const cell = (text: string, at: number) => el("td", { class: numeric[at] ? "number" : undefined }, text);
  const scroller = el(
    "div",
    { class: "grid", tabindex: 0, role: "region", "aria-label": `Table of ${columns.length} columns` },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...columns.map((name, at) => el("th", { scope: "col", class: numeric[at] ? "number" : undefined }, name)))),
      el("tbody", {}, ...shown.map((row) => el("tr", {}, ...row.map(cell)))),
    ),
  );
  if (shown.length < count) return el("div", {}, scroller, el("p", { class: "quiet" }, `the first ${grouped(shown.length)} of ${grouped(count)} rows`));
  return scroller;
}

/// Records of a CSV text (RFC 4180).
export function records(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, boolean] = [[], "", false];
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[at + 1] === '"') {
        cell += c;
        at += 1;
      } else quoted = false;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = "";
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[at + 1] === "\n") at += 1;
      rows.push([...row, cell]);
      [row, cell] = [[], ""];
    } else cell += c;
  }
  if (row.length > 0 || cell !== "") rows.push([...row, cell]);
  return rows;
}
