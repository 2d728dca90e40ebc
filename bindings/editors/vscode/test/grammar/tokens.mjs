/** Lines of `.pcd` as VS Code's own tokenizer sees them: vscode-textmate over the extension's grammar, with a real SQL grammar beside it. */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import sql from "@shikijs/langs/sql";
import oniguruma from "vscode-oniguruma";
import textmate from "vscode-textmate";

const require = createRequire(import.meta.url);
const here = (path) => new URL(path, import.meta.url);

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);

const grammars = {
  "source.pcd": () => textmate.parseRawGrammar(readFileSync(here("../../syntaxes/pcd.tmLanguage.json"), "utf8"), "pcd.json"),
  "source.sql": () => sql.find((language) => language.scopeName === "source.sql"),
};

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => grammars[scope]?.() ?? null,
});

const grammar = await registry.loadGrammar("source.pcd");

/** Every token of a text: `{ line, start, text, scopes }`, lines and columns from 0. */
export function tokens(source) {
  const out = [];
  let stack = textmate.INITIAL;
  source.split("\n").forEach((text, line) => {
    const read = grammar.tokenizeLine(text, stack);
    if (read.stoppedEarly) throw new Error(`line ${line + 1} takes too long`);
    stack = read.ruleStack;
    for (const token of read.tokens) {
      out.push({ line, start: token.startIndex, text: text.slice(token.startIndex, token.endIndex), scopes: token.scopes });
    }
  });
  return out;
}
