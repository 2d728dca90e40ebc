// The list of diagnostics below the editor.

import { byId, el, plural } from "./dom";
import type { Fix, Problem } from "./editor";

export class Problems {
  onReveal: (problem: Problem) => void = () => {};
  onExplain: (code: string) => void = () => {};
  private list = byId("problems");
  private count = byId("problem-count");
  private fixAll = byId<HTMLButtonElement>("fix-all");
  private status = byId("status");

  show(problems: Problem[], all: Fix | null) {
    this.list.replaceChildren(...problems.map((problem) => this.item(problem)));
    this.count.textContent = problems.length === 0 ? "" : String(problems.length);
    byId("problems-panel").classList.toggle("clean", problems.length === 0);
    this.fixAll.hidden = all === null;
    this.fixAll.onclick = () => all?.apply();
  }

  /// The line that says whether all is well, and how long that took.
  say(problems: Problem[], milliseconds: number) {
    const errors = problems.filter((problem) => problem.severity === "error").length;
    const warnings = problems.length - errors;
    const parts = [errors > 0 ? plural(errors, "error") : "no errors", warnings > 0 ? plural(warnings, "warning") : "no warnings"];
    this.status.dataset.state = errors > 0 ? "error" : warnings > 0 ? "warning" : "good";
    this.status.textContent = parts.join(", ");
    byId("time").textContent = `checked in ${milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0)} ms`;
  }

  private item(problem: Problem): HTMLElement {
    return el(
      "li",
      { class: problem.severity },
      el(
        "button",
        { type: "button", class: "place", onclick: () => this.onReveal(problem) },
        el("span", { class: "mark", "aria-hidden": "true" }, problem.severity === "error" ? "✗" : "!"),
        el("span", { class: "what" }, el("span", { class: "sr" }, `${problem.severity}: `), problem.message),
        el("span", { class: "line" }, `line ${problem.line}`),
      ),
      ...problem.notes.map((note) => el("p", { class: "note" }, note)),
      el(
        "div",
        { class: "row" },
        ...problem.fixes.map((fix) => el("button", { type: "button", class: "fix", onclick: fix.apply }, fix.title)),
        el("button", { type: "button", class: "link", onclick: () => this.onExplain(problem.code) }, `Explain ${problem.code}`),
      ),
    );
  }
}
