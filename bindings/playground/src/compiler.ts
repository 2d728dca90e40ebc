// The page's side of the worker.

import type { Transport } from "@codemirror/lsp-client";
import type { Ask, FromWorker, ToWorker } from "./protocol";

/// The module, fetched and compiled once for all workers. It is fetched here and not in a worker: the page has asked for it before any script ran.
let module: Promise<WebAssembly.Module> | undefined;

function compiled(): Promise<WebAssembly.Module> {
  module ??= WebAssembly.compileStreaming(fetch(new URL("picardc.wasm", document.baseURI)));
  // A failure may be the network's: the next worker asks again.
  module.catch(() => (module = undefined));
  return module;
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

export class Compiler {
  /// How long the last diagnostics took in the worker, in milliseconds.
  lastCheck = 0;
  onChecked: (milliseconds: number) => void = () => {};
  onReady: (milliseconds: number) => void = () => {};
  /// The compiler itself failed, or was ended because it was `late`: it has to be started again, and has no files then.
  onFailed: (why: string, late: boolean) => void = () => {};

  private worker!: Worker;
  private next = 0;
  private waiting = new Map<number, Waiting>();
  private handlers = new Set<(message: string) => void>();
  private watch: ReturnType<typeof setTimeout> | undefined;

  /// `most`: the seconds that one piece of work may take.
  constructor(private most = Infinity) {
    this.start();
  }

  start() {
    this.handlers.clear();
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data);
    this.worker.onerror = (event) => this.hear({ failed: event.message || "the worker cannot be started" });
    const { worker } = this;
    compiled().then(
      (module) => worker.postMessage({ module } satisfies ToWorker),
      (error) => worker === this.worker && this.hear({ failed: `the compiler cannot be loaded: ${error}` }),
    );
  }

  /// Ends it, whatever it does.
  stop() {
    clearTimeout(this.watch);
    this.worker.terminate();
  }

  ask<T>(ask: Ask): Promise<T> {
    const id = ++this.next;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.send({ id, ask });
    });
  }

  /// For the editor's client of the language server.
  transport(): Transport {
    return {
      send: (message) => {
        const parsed = JSON.parse(message);
        if (parsed.method === "initialize") {
          // It is told diagnostics and never asks for them; and it shows texts of the library.
          delete parsed.params.capabilities.textDocument.diagnostic;
          parsed.params.capabilities.workspace = { ...parsed.params.capabilities.workspace, textDocumentContent: {} };
        }
        this.send({ lsp: parsed });
      },
      subscribe: (handler) => this.handlers.add(handler),
      unsubscribe: (handler) => this.handlers.delete(handler),
    };
  }

  private send(message: ToWorker) {
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker) {
    if ("lsp" in message) {
      const text = JSON.stringify(message.lsp);
      this.handlers.forEach((handler) => handler(text));
    } else if ("checked" in message) {
      this.lastCheck = message.checked;
      this.onChecked(message.checked);
    } else if ("ready" in message) {
      this.onReady(message.ready.milliseconds);
    } else if ("busy" in message) {
      clearTimeout(this.watch);
      if (message.busy && this.most < Infinity) {
        this.watch = setTimeout(() => this.fail(`it took more than ${this.most} seconds`, true), this.most * 1000);
      }
    } else if ("failed" in message) {
      this.fail(message.failed, false);
    } else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if ("error" in message) waiting?.reject(new Error(message.error));
      else waiting?.resolve(message.ok);
    }
  }

  private fail(why: string, late: boolean) {
    this.stop();
    this.waiting.forEach(({ reject }) => reject(new Error("the compiler was started again")));
    this.waiting.clear();
    this.onFailed(why, late);
  }
}
