// One instance: what an agent is given, a place to answer it, and, when asked for, its answer key.

import type { Compiler } from "./compiler";
import { byId, el, grouped, plural, size } from "./dom";
import { content, summary } from "./files";
import type { Checked, Expected, Instance, Score, Solved, Task, Verdict, Which } from "./protocol";

export class InstancePane {
  /// Which instance is shown; all fields are set once a suite was checked.
  which: Which = { seed: "1", sample: 1 };
  onChoice: () => void = () => {};
  private tasks: Task[] = [];
  private path = "";
  private shown: Instance | null = null;
  private asked = 0;
  private solved = false;

  private task = byId<HTMLSelectElement>("task");
  private way = byId<HTMLSelectElement>("way");
  private sample = byId<HTMLInputElement>("sample");
  private seed = byId<HTMLInputElement>("seed");
  private body = byId("instance-body");
  private note = byId("instance-note");

  constructor(private compiler: Compiler) {
    const changed = (change: () => void) => () => {
      change();
      this.onChoice();
      void this.show();
    };
    this.task.onchange = changed(() => {
      this.which = { task: this.task.value, cell: 0, variant: 0, sample: 1, seed: this.which.seed };
      this.choices();
    });
    this.way.onchange = changed(() => {
      const [cell, variant] = this.way.value.split("/").map(Number);
      Object.assign(this.which, { cell, variant });
    });
    this.sample.onchange = changed(() => {
      this.which.sample = Math.max(1, Math.min(1_000_000, Math.round(Number(this.sample.value)) || 1));
      this.sample.value = String(this.which.sample);
    });
    this.seed.onchange = changed(() => {
      this.which.seed = this.seed.value.trim() || "1";
      this.seed.value = this.which.seed;
    });
    byId("next").onclick = () => {
      this.sample.value = String((this.which.sample ?? 1) + 1);
      this.sample.dispatchEvent(new Event("change"));
    };
    byId("fresh").onclick = () => {
      this.seed.value = String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000);
      this.seed.dispatchEvent(new Event("change"));
    };
  }

  /// Another suite: nothing of the last one is kept.
  reset(path: string, which: Which) {
    this.path = path;
    this.which = { sample: 1, seed: "1", ...which };
    this.shown = null;
    this.tasks = [];
    this.body.replaceChildren();
  }

  /// The suite was checked: shows the instance as it is now.
  async update(checked: Checked) {
    if (checked.errors > 0) {
      const what = `The suite has ${plural(checked.errors, "error")}`;
      this.say(this.shown ? `${what}, so this is the last instance that could be generated.` : `${what}, so it cannot generate instances yet.`);
      this.body.classList.toggle("stale", this.shown !== null);
      return;
    }
    this.tasks = checked.tasks;
    this.choices();
    await this.show();
  }

  private say(text: string) {
    this.note.textContent = text;
    this.note.hidden = text === "";
  }

  private choices() {
    const { tasks, which } = this;
    const task = tasks.find((known) => known.name === which.task) ?? tasks[0];
    if (!task) return;
    which.task = task.name;
    this.task.replaceChildren(...tasks.map((each) => el("option", { value: each.name, selected: each === task }, each.name)));
    const cells = task.cells.length > 0 ? task.cells : [""];
    const variants = task.variants.length > 0 ? task.variants : [""];
    const ways = cells.flatMap((cell, c) => variants.map((variant, v) => ({ value: `${c}/${v}`, label: [cell, variant].filter(Boolean).join(", ") })));
    const known = ways.some((way) => way.value === `${which.cell ?? 0}/${which.variant ?? 0}`);
    if (!known) Object.assign(which, { cell: 0, variant: 0 });
    byId("way-field").hidden = ways.length < 2;
    this.way.replaceChildren(
      ...ways.map(({ value, label }) => el("option", { value, selected: value === `${which.cell ?? 0}/${which.variant ?? 0}` }, label)),
    );
    this.sample.value = String(which.sample ?? 1);
    this.seed.value = which.seed ?? "1";
  }

  private async show() {
    const asked = ++this.asked;
    try {
      const instance = await this.compiler.ask<Instance>({ do: "preview", path: this.path, ...this.which });
      if (asked !== this.asked) return;
      this.say("");
      this.body.classList.remove("stale");
      // What is typed stays while the question is the same.
      if (JSON.stringify(instance) === JSON.stringify(this.shown)) return;
      const open = new Set([...this.body.querySelectorAll<HTMLDetailsElement>("details[open][data-part]")].map((each) => each.dataset.part));
      this.shown = instance;
      this.solved = false;
      this.body.replaceChildren(...this.parts(instance, open));
    } catch (error) {
      if (asked !== this.asked) return;
      this.say(error instanceof Error ? error.message : String(error));
      this.body.classList.toggle("stale", this.shown !== null);
    }
  }

  private parts(instance: Instance, open: Set<string | undefined>): HTMLElement[] {
    const task = this.tasks.find((each) => each.name === instance.task);
    const head = el(
      "header",
      { class: "instance-head" },
      el("h2", {}, instance.id),
      task?.doc ? el("p", { class: "doc" }, task.doc) : null,
      instance.tags.length > 0 ? el("p", { class: "tags" }, ...instance.tags.map((tag) => el("span", { class: "tag" }, tag))) : null,
    );
    const drawn = el(
      "details",
      { class: "card", "data-part": "drawn", open: open.has("drawn") },
      el("summary", {}, "Drawn values", el("span", { class: "count" }, grouped(instance.drawn.length))),
      el(
        "dl",
        { class: "drawn" },
        ...instance.drawn.flatMap(({ name, value, axis }) => [
          el("dt", {}, el("code", {}, name)),
          el("dd", {}, el("code", {}, value), axis ? el("span", { class: "quiet" }, ` axis, ${axis}`) : null),
        ]),
      ),
    );
    const key = el(
      "details",
      { class: "card key", "data-part": "key", open: open.has("key") },
      el("summary", {}, "Answer key", el("span", { class: "count" }, grouped(instance.expected.length))),
      el("ol", { class: "expected" }, ...instance.expected.map(expected)),
    );
    return [
      head,
      el("section", { class: "card" }, el("h3", {}, "Prompt"), el("p", { class: "prompt" }, instance.prompt.trim())),
      this.files(instance),
      this.answer(instance),
      key,
      instance.drawn.length > 0 ? drawn : null,
    ].filter((part) => part !== null);
  }

  private files(instance: Instance): HTMLElement | null {
    const { files, lakes, folders } = instance;
    if (files.length + lakes.length + folders.length === 0) return null;
    const given = files.map((file, at) =>
      el(
        "details",
        { class: "file", open: at === 0 && files.length < 4 },
        el("summary", {}, el("code", {}, file.path), el("span", { class: "count" }, summary(file))),
        content(file),
        el("button", { type: "button", class: "link", onclick: () => void this.download(file.path) }, `Download ${file.path.split("/").at(-1)}`),
      ),
    );
    const handed = lakes.map((lake) =>
      el(
        "details",
        { class: "file" },
        el("summary", {}, el("code", {}, `${lake.at}/`), el("span", { class: "count" }, `lake, ${plural(lake.files.length, "file")}`)),
        el("ul", {}, ...lake.files.map((file) => el("li", {}, el("code", {}, file.path), ` ${size(file.bytes)}`))),
      ),
    );
    const empty = folders.map((folder) => el("p", { class: "file" }, el("code", {}, `${folder}/`), el("span", { class: "count" }, "empty folder")));
    return el("section", { class: "card" }, el("h3", {}, "Files"), ...given, ...handed, ...empty);
  }

  private async download(path: string) {
    const { base64 } = await this.compiler.ask<{ base64: string }>({ do: "file", path: this.path, file: path, ...this.which });
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const url = URL.createObjectURL(new Blob([bytes]));
    el("a", { href: url, download: path.split("/").at(-1) ?? path }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  private answer(instance: Instance): HTMLElement {
    const reply = el("textarea", { id: "reply", rows: 2, placeholder: "Reply as an agent would", spellcheck: "false" });
    const paths = instance.key_paths.filter((path) => !path.endsWith("/") && !/\.(db|sqlite3?|xlsx)$/.test(path));
    const files = paths.map((path, at) => ({ path, area: el("textarea", { id: `written-${at}`, rows: 3, spellcheck: "false" }), touched: false }));
    files.forEach((file) => (file.area.oninput = () => (file.touched = true)));
    const verdict = el("div", { class: "verdict", "aria-live": "polite" });
    const grade = async () => {
      try {
        const written = files.filter((file) => file.touched).map((file): [string, string] => [file.path, file.area.value]);
        const asked = { do: "grade", path: this.path, reply: reply.value, files: written, solved: this.solved, ...this.which } as const;
        verdict.replaceChildren(scored(await this.compiler.ask<Score>(asked)));
      } catch (error) {
        verdict.replaceChildren(el("p", { class: "wrong" }, error instanceof Error ? error.message : String(error)));
      }
    };
    const solve = async () => {
      try {
        const solved = await this.compiler.ask<Solved>({ do: "solve", path: this.path, ...this.which });
        this.solved = true;
        reply.value = solved.reply;
        for (const [path, text] of solved.files) {
          const file = files.find((each) => each.path === path);
          if (file) Object.assign(file, { touched: true }).area.value = text;
        }
        await grade();
      } catch (error) {
        verdict.replaceChildren(el("p", { class: "wrong" }, error instanceof Error ? error.message : String(error)));
      }
    };
    const submit = (event: Event) => {
      event.preventDefault();
      void grade();
    };
    reply.onkeydown = (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
    };
    return el(
      "form",
      { class: "card answer", onsubmit: submit },
      el("h3", {}, "Your answer"),
      el("label", { for: "reply" }, "Reply"),
      reply,
      ...files.flatMap((file) => [el("label", { for: file.area.id }, "File ", el("code", {}, file.path)), file.area]),
      el(
        "div",
        { class: "row" },
        el("button", { type: "submit", class: "primary" }, "Score"),
        el("button", { type: "button", onclick: () => void solve() }, "Fill in a correct answer"),
      ),
      verdict,
    );
  }
}

function expected(each: Expected): HTMLElement {
  const facts = [...each.options, each.gate ? "gate" : "", each.weight === "1" ? "" : `weight ${each.weight}`].filter(Boolean);
  return el(
    "li",
    {},
    el("p", {}, each.name ? el("code", {}, `${each.name}: `) : null, el("code", {}, `${each.subject} ${each.matcher}`), each.of ? el("code", {}, ` of ${each.of}`) : null),
    ...each.accepted.map((text) => el("pre", { class: "value", tabindex: 0 }, text)),
    facts.length > 0 ? el("p", { class: "quiet" }, facts.join(" · ")) : null,
    each.traps.length > 0
      ? el(
          "details",
          {},
          el("summary", {}, `${plural(each.traps.length, "known mistake")}`),
          el("ul", {}, ...each.traps.map((trap) => el("li", {}, el("code", {}, trap.name), " gives ", el("code", {}, trap.value)))),
        )
      : null,
  );
}

const WORDS: Record<string, string> = {
  right: "correct",
  differs: "differs",
  partial: "partly correct",
  trapped: "a known mistake",
  empty: "nothing to read",
  no_slice: "the part of the reply is missing",
  no_file: "the file is missing",
  not_a_number: "not exactly one number",
  not_json: "not JSON",
  not_rows: "not rows of a table",
};

function scored(score: Score): HTMLElement {
  const percent = `${(score.score * 100).toFixed(score.score === 0 || score.score === 1 ? 0 : 1)}%`;
  return el(
    "div",
    { class: score.correct ? "right" : "wrong" },
    el("p", { class: "result" }, score.correct ? "✓ Correct" : "✗ Not correct", el("span", { class: "count" }, `score ${percent}`)),
    score.correct ? null : el("ul", {}, ...score.verdicts.filter((verdict) => verdict.reason !== "right").map(judged)),
  );
}

function judged(verdict: Verdict): HTMLElement {
  const why = WORDS[verdict.reason] ?? verdict.reason.replaceAll("_", " ");
  return el(
    "li",
    {},
    el("code", {}, verdict.name ? `${verdict.name} (${verdict.subject})` : verdict.subject),
    ` ${why}${verdict.trap ? `: ${verdict.trap}` : ""}`,
    ...verdict.differences.map((each) =>
      el("p", { class: "difference" }, each.at ? `${each.at}: ` : null, "expected ", el("code", {}, each.expected), ", got ", el("code", {}, each.got)),
    ),
  );
}
