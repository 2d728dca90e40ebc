// Links that hold the source: the part of the address after `#`, which browsers never send to a server.

/// What a link says. `example` names the files that the source is used with.
export type Shared = { example?: string; text?: string; task?: string; cell?: number; variant?: number; sample?: number; seed?: string };

/// The most bytes that a link may unpack to: more than any suite has.
const MOST = 2_000_000;

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as TransformStream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("the link holds too much");
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function encode(shared: Shared): Promise<string> {
  if (shared.text === undefined) {
    const fields = Object.entries(shared).filter(([, value]) => value !== undefined && value !== "");
    return new URLSearchParams(fields.map(([key, value]) => [key, String(value)])).toString();
  }
  const bytes = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `c=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/// What a fragment says; `null` if it is empty. Throws a sentence if it cannot be read.
export async function decode(fragment: string): Promise<Shared | null> {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const packed = fields.get("c");
  const number = (name: string) => (fields.has(name) ? Number(fields.get(name)) || 0 : undefined);
  if (packed === null) {
    if (!fields.has("example")) return null;
    return {
      example: fields.get("example") ?? undefined,
      task: fields.get("task") ?? undefined,
      cell: number("cell"),
      variant: number("variant"),
      sample: number("sample"),
      seed: fields.get("seed") ?? undefined,
    };
  }
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(Uint8Array.from(binary, (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw"), MOST);
    const shared = JSON.parse(new TextDecoder().decode(bytes)) as Shared;
    if (typeof shared.text !== "string") throw new Error("it holds no source");
    return shared;
  } catch (error) {
    throw new Error(`The link cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
