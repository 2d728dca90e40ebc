// What the page and its worker say to each other, and the answers of the compiler (bindings/wasm/src/request.rs).

export type Which = { task?: string; cell?: number; variant?: number; sample?: number; seed?: string };

export type Given = { path: string; text?: string; base64?: string };

export type Ask =
  | { do: "files"; files: Given[] }
  | { do: "check"; path: string }
  | ({ do: "preview"; path: string } & Which)
  | ({ do: "file"; path: string; file: string } & Which)
  | ({ do: "grade"; path: string; reply: string; files: [string, string][]; solved: boolean } & Which)
  | ({ do: "solve"; path: string } & Which)
  | { do: "analyze"; path: string; task: string; samples: number }
  | { do: "explain"; code: string };

export type Task = {
  name: string;
  doc: string | null;
  samples: number;
  tags: string[];
  cells: string[];
  variants: string[];
};

export type Checked = { name: string; errors: number; diagnostics: unknown[]; tasks: Task[]; source_sha256: string };

export type Table = { name: string; count: string; columns: string[]; rows: string[][] };

export type GivenFile = { path: string; bytes: number } & (
  | { kind: "text"; format: string; text: string; cut: boolean }
  | { kind: "database"; tables: Table[] }
  | { kind: "binary" }
);

export type Expected = {
  name: string | null;
  subject: string;
  matcher: string;
  of: string | null;
  accepted: string[];
  options: string[];
  traps: { name: string; value: string }[];
  gate: boolean;
  weight: string;
};

export type Instance = {
  id: string;
  task: string;
  sample: number;
  attempt: number;
  tags: string[];
  prompt: string;
  drawn: { name: string; value: string; axis?: string }[];
  files: GivenFile[];
  lakes: { at: string; files: { path: string; bytes: number }[] }[];
  folders: string[];
  expected: Expected[];
  key_paths: string[];
};

export type Verdict = {
  name?: string;
  subject: string;
  matcher: string;
  score: number;
  reason: string;
  trap?: string;
  differences: { at: string; expected: string; got: string }[];
};

export type Score = { correct: boolean; score: number; verdicts: Verdict[] };

export type Solved = { reply: string; files: [string, string][]; others: string[]; folders: string[]; removed: string[] };

export type Analyzed = { report: string; good: boolean };

// To the worker: the compiler's module, once; then requests with a number, and messages of the editor.
export type ToWorker = { module: WebAssembly.Module } | { id: number; ask: Ask } | { lsp: unknown };

// From it. `checked` follows diagnostics: how long they took, in milliseconds. `busy` is said before each piece of work, and after it.
export type FromWorker =
  | { ready: { milliseconds: number } }
  | { id: number; ok: unknown; milliseconds: number }
  | { id: number; error: string }
  | { lsp: unknown }
  | { checked: number }
  | { busy: boolean }
  | { failed: string };
