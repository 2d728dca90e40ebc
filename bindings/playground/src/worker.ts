// Holds the compiler, so that typing never waits for it.

import { Picardc, initSync } from "../build/picardc_wasm.js";
import type { FromWorker, ToWorker } from "./protocol";

type Work = Exclude<ToWorker, { module: WebAssembly.Module }>;

const scope = self as unknown as DedicatedWorkerGlobalScope;
const send = (message: FromWorker) => scope.postMessage(message);

let picardc: Picardc | undefined;
const waiting: Work[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function ask(request: unknown): unknown {
  const answer = JSON.parse(picardc!.ask(JSON.stringify(request))) as { ok?: unknown; error?: string };
  if (answer.error !== undefined) throw new Refused(answer.error);
  return answer.ok;
}

class Refused extends Error {}

// A panic leaves the module in a state that nothing can be said of: the page starts another worker.
function guarded(work: () => void, refused: (why: string) => void) {
  // The page hears it at once, however long the work then takes.
  send({ busy: true });
  try {
    work();
    send({ busy: false });
  } catch (error) {
    if (error instanceof Refused) {
      refused(error.message);
      send({ busy: false });
    } else {
      send({ failed: String(error) });
      scope.close();
    }
  }
}

// After the messages that wait already: an edit that follows at once makes them useless.
function publishSoon() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    guarded(
      () => {
        const began = performance.now();
        const sent = ask({ do: "publish" }) as unknown[];
        const took = performance.now() - began;
        for (const message of sent) send({ lsp: message });
        if (sent.length > 0) send({ checked: took });
      },
      (why) => console.error(why),
    );
  }, 0);
}

function take(message: Work) {
  if ("lsp" in message) {
    guarded(
      () => {
        const answers = ask({ do: "lsp", message: message.lsp }) as unknown[];
        for (const answer of answers) send({ lsp: answer });
        if (!("id" in (message.lsp as object))) publishSoon();
      },
      (why) => console.error(why),
    );
    return;
  }
  const { id } = message;
  guarded(
    () => {
      const began = performance.now();
      const ok = ask(message.ask);
      send({ id, ok, milliseconds: performance.now() - began });
    },
    (error) => send({ id, error }),
  );
}

scope.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("module" in data) {
    guarded(
      () => {
        const began = performance.now();
        initSync({ module: data.module });
        picardc = new Picardc();
        send({ ready: { milliseconds: performance.now() - began } });
        waiting.splice(0).forEach(take);
      },
      (why) => send({ failed: why }),
    );
  } else if (picardc) take(data);
  else waiting.push(data);
};
