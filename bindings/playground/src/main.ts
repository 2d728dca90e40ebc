// The page: an editor on one side, an instance of what it says on the other.

import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import DOMPurify from "dompurify";
import { marked } from "marked";
import { AnalysisPane } from "./analysis";
import { Compiler } from "./compiler";
import { byId, el } from "./dom";
import { Editor } from "./editor";
import { PLAIN, list, load, path as pathOf } from "./examples";
import { colors } from "./highlight";
import { InstancePane } from "./instance";
import { Problems } from "./problems";
import type { Checked, Given } from "./protocol";
import { decode, encode, type Shared } from "./share";

/// A suite of anybody's may compute without end; the page is of use again after this time.
const SECONDS = 10;

const compiler = new Compiler(SECONDS);
const editor = new Editor(byId("editor"), compiler);
const problems = new Problems();
const pane = new InstancePane(compiler);
new AnalysisPane(() => ({
  files: [...files.filter((file) => file.path !== path), { path, text: editor.text() }],
  path,
  task: pane.which.task,
}));

let example = PLAIN;
let path = pathOf(example);
let files: Given[] = [];
let original = "";
let saving: ReturnType<typeof setTimeout> | undefined;
let written = "";

function say(text: string, kind: "good" | "bad" = "good") {
  const toast = byId("toast");
  toast.textContent = text;
  toast.dataset.kind = kind;
  toast.hidden = false;
  clearTimeout(toastTimer);
  // What went wrong stays until somebody goes on.
  if (kind === "good") toastTimer = setTimeout(hide, 3000);
  else for (const event of ["keydown", "pointerdown"]) addEventListener(event, hide, { once: true });
}

let toastTimer: ReturnType<typeof setTimeout> | undefined;
const hide = () => void (byId("toast").hidden = true);

/// Opens an example, with another text of its suite if the link has one.
async function open(shared: Shared) {
  const name = shared.example ?? PLAIN;
  files = await load(name);
  example = name;
  path = pathOf(name);
  original = files.find((file) => file.path === path)?.text ?? "";
  const text = shared.text ?? original;
  byId<HTMLSelectElement>("example").value = name;
  const { task, cell, variant, sample, seed } = shared;
  pane.reset(path, { task, cell: cell ?? 0, variant: variant ?? 0, sample: sample ?? 1, seed: seed ?? "1" });
  await compiler.ask({ do: "files", files });
  editor.open(path, text);
  remember();
}

function current(): Shared {
  const text = editor.text();
  const { task, cell, variant, sample, seed } = pane.which;
  return {
    example,
    text: text === original ? undefined : text,
    task,
    cell: cell || undefined,
    variant: variant || undefined,
    sample: sample === 1 ? undefined : sample,
    seed: seed === "1" ? undefined : seed,
  };
}

/// The address holds what is shown, so that a reload and a copied address bring it back.
function remember() {
  clearTimeout(saving);
  saving = setTimeout(async () => {
    written = `#${await encode(current())}`;
    history.replaceState(null, "", written);
  }, 400);
}

async function share() {
  written = `#${await encode(current())}`;
  history.replaceState(null, "", written);
  try {
    await navigator.clipboard.writeText(location.href);
    say("Link copied. It holds the source: nothing is stored on a server.");
  } catch {
    say("The address of this page holds the source. Copy it from the address bar.");
  }
}

function tab(name: string) {
  for (const each of document.querySelectorAll<HTMLElement>("[role=tab]")) {
    const chosen = each.id === `tab-${name}`;
    each.setAttribute("aria-selected", String(chosen));
    each.tabIndex = chosen ? 0 : -1;
    byId(each.getAttribute("aria-controls")!).hidden = !chosen;
  }
}

/// On a narrow page, one of the two sides is shown.
function side(name: "source" | "result") {
  document.body.dataset.side = name;
  byId("to-source").setAttribute("aria-pressed", String(name === "source"));
  byId("to-result").setAttribute("aria-pressed", String(name === "result"));
}

function markdown(text: string): DocumentFragment {
  return DOMPurify.sanitize(marked.parse(text, { async: false }), { RETURN_DOM_FRAGMENT: true });
}

async function explain(code: string) {
  const page = await compiler.ask<{ page: string }>({ do: "explain", code });
  const shown = byId("page");
  shown.replaceChildren(markdown(page.page));
  shown.querySelectorAll("pre").forEach((pre) => (pre.tabIndex = 0));
  tab("page");
  side("result");
  shown.scrollTop = 0;
  shown.focus();
}

/// The text of what is not the suite.
function show(uri: string, text: string): EditorView {
  const shown = byId("page");
  shown.replaceChildren(el("h2", {}, uri.replace(/^picardc:\/stdlib/, "Standard library").replace(/^file:\/\/\//, "")));
  const extensions = [colors, lineNumbers(), EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-label": uri, tabindex: "0" })];
  const view = new EditorView({ parent: shown, state: EditorState.create({ doc: text, extensions }) });
  tab("page");
  side("result");
  return view;
}

function theme(name: string | null) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
}

editor.onShow = show;
editor.onChange = remember;
editor.onProblems = (now, fixAll) => {
  problems.show(now, fixAll);
  problems.say(now, compiler.lastCheck);
};
pane.onChoice = remember;
problems.onReveal = (problem) => {
  side("source");
  editor.reveal(problem.from, problem.to);
};
problems.onExplain = (code) => void explain(code);

compiler.onReady = (milliseconds) => (document.documentElement.dataset.ready = milliseconds.toFixed(0));
compiler.onChecked = async (milliseconds) => {
  document.documentElement.dataset.checked = milliseconds.toFixed(2);
  const checked = await compiler.ask<Checked>({ do: "check", path });
  await pane.update(checked);
  document.documentElement.dataset.shown = String(Math.round(performance.now()));
  keep();
};

/// Keeps the page for use without a network. Not before it is shown: everything is fetched once more.
let kept = false;
function keep() {
  if (kept || !("serviceWorker" in navigator) || location.protocol === "file:") return;
  kept = true;
  navigator.serviceWorker.register("sw.js").catch((error) => console.warn("without a network this page will not open:", error));
}

let failures = 0;
compiler.onFailed = async (why, late) => {
  if (!late) failures += 1;
  if (failures > 5) {
    say(`picardc cannot be started here: ${why}`, "bad");
    return;
  }
  if (late) say(`The suite was stopped: it computed for more than ${SECONDS} seconds. It is read again when you edit it.`, "bad");
  else say(`picardc itself failed, and was started again: ${why}. Please report it, with the source.`, "bad");
  compiler.start();
  editor.connect();
  // The text that it failed on is read again only when it is edited.
  await compiler.ask({ do: "files", files });
  const again = () => {
    const { selection } = editor.view.state;
    editor.onChange = remember;
    editor.open(path, editor.text());
    editor.view.dispatch({ selection });
    editor.view.focus();
    remember();
  };
  // The view is in the middle of an update when it says that it changed.
  editor.onChange = () => {
    editor.onChange = remember;
    setTimeout(again, 0);
  };
};

byId("format").onclick = () => editor.format();
byId("share").onclick = () => void share();
byId("to-source").onclick = () => side("source");
byId("to-result").onclick = () => side("result");
byId("theme").onclick = () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  theme(next);
  localStorage.setItem("picardc-theme", next);
};
byId<HTMLSelectElement>("example").onchange = (event) => {
  const chosen = (event.target as HTMLSelectElement).value;
  open({ example: chosen }).catch((error: Error) => say(error.message, "bad"));
};
const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
tabs.forEach((each, at) => {
  each.onclick = () => tab(each.id.replace("tab-", ""));
  each.onkeydown = (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    if (step !== 0) {
      next.click();
      next.focus();
    }
  };
});
document.addEventListener("keydown", (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.code !== "Digit1" && event.code !== "Digit2") return;
  const source = event.code === "Digit1";
  side(source ? "source" : "result");
  if (source) editor.view.focus();
  else {
    tab("instance");
    byId("task").focus();
  }
  event.preventDefault();
});
addEventListener("hashchange", () => {
  if (location.hash === written) return;
  decode(location.hash).then(
    (shared) => shared && open(shared),
    (error: Error) => say(error.message, "bad"),
  );
});

theme(localStorage.getItem("picardc-theme"));
side("source");

/// The names of all examples. The page does not wait for them.
async function choices() {
  const examples = await list();
  byId<HTMLSelectElement>("example").append(
    el("optgroup", { label: "Suites that ship" }, ...examples.map(({ name, title }) => el("option", { value: name }, title))),
  );
  byId<HTMLSelectElement>("example").value = example;
}

async function begin() {
  byId("example").replaceChildren(el("option", { value: PLAIN }, "A first suite"));
  choices().catch((error: Error) => say(error.message, "bad"));
  let shared: Shared | null = null;
  try {
    shared = await decode(location.hash);
  } catch (error) {
    say((error as Error).message, "bad");
  }
  await open(shared ?? { example: PLAIN });
  if (new URLSearchParams(location.search).has("embed")) side("result");
}

if (new URLSearchParams(location.search).has("embed")) document.body.classList.add("embed");
begin().catch((error: Error) => say(error.message, "bad"));
