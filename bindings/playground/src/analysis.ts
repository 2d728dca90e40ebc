// What samples of a task tell. They take a while, so another worker makes them: the editor's stays free.

import { Compiler } from "./compiler";
import { byId, el } from "./dom";
import type { Analyzed, Given } from "./protocol";

const SAMPLES = 200;

export class AnalysisPane {
  private run: Compiler | null = null;
  private button = byId<HTMLButtonElement>("analyze");
  private shown = byId("analysis-body");

  /// `now` gives the files as they are, the path of the suite, and the chosen task.
  constructor(now: () => { files: Given[]; path: string; task: string | undefined }) {
    this.button.onclick = () => {
      const { files, path, task } = now();
      if (this.run) this.end("Stopped.");
      else if (task) void this.analyze(files, path, task);
      else this.say("The suite has no task that can be analyzed: repair its errors first.");
    };
  }

  private say(text: string) {
    this.shown.replaceChildren(el("p", { class: "quiet" }, text));
  }

  private end(text?: string) {
    this.run?.stop();
    this.run = null;
    this.button.textContent = "Analyze the task";
    if (text) this.say(text);
  }

  private async analyze(files: Given[], path: string, task: string) {
    const run = new Compiler();
    this.run = run;
    this.button.textContent = "Stop";
    this.say(`Generating ${SAMPLES} samples of ${task}…`);
    const failed = new Promise<never>((_, reject) => (run.onFailed = (why) => reject(new Error(why))));
    try {
      await run.ask({ do: "files", files });
      const analyzed = await Promise.race([run.ask<Analyzed>({ do: "analyze", path, task, samples: SAMPLES }), failed]);
      if (this.run !== run) return;
      this.end();
      this.shown.replaceChildren(
        el("p", { class: analyzed.good ? "badge good" : "badge weak" }, analyzed.good ? "✓ Worth asking" : "! Has weaknesses"),
        el("pre", { class: "text", tabindex: 0, role: "region", "aria-label": `Analysis of ${task}` }, analyzed.report),
      );
    } catch (error) {
      if (this.run === run) this.end(error instanceof Error ? error.message : String(error));
    }
  }
}
