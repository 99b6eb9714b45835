// A worker with the engine in it: asks, and starts it anew where the module traps.

import { EngineError, type Failure, type Request, type Side } from "./protocol";

declare const WORKER_SOURCE: string;

type Reply =
  | { started: true }
  | { id: number; json: string; bytes: ArrayBuffer }
  | { trap: string; id?: number };

interface Waiting {
  json: string;
  resolve(answer: { fields: unknown; bytes: ArrayBuffer }): void;
  reject(error: Error): void;
}

/** A file that was opened, kept to open it again in a worker that is started anew. */
interface OpenFile {
  request: Request;
  bytes: ArrayBuffer;
}

export class Engine {
  private worker: Worker | undefined;
  private ready: Promise<void> = Promise.resolve();
  private waiting = new Map<number, Waiting>();
  private files = new Map<Side, OpenFile>();
  private lastId = 0;
  /** Number of questions that were asked. */
  asked = 0;
  /** Called with the error and the JSON of the request that trapped, `null` if unknown, after the worker is started anew. */
  onTrap: (error: string, request: string | null) => void = () => {};

  constructor(private readonly module: WebAssembly.Module) {
    this.start();
  }

  private start(): void {
    const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
    const worker = new Worker(url);
    this.worker = worker;
    this.ready = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Reply>) => {
        if ("started" in data) {
          URL.revokeObjectURL(url);
          resolve();
        } else if ("trap" in data) {
          reject(new Error(data.trap));
          const request = this.waiting.get(data.id ?? 0)?.json ?? null;
          this.restart(data.trap);
          this.onTrap(data.trap, request);
        } else {
          this.take(data);
        }
      };
      worker.onerror = (event) => reject(new Error(event.message));
    });
    this.ready.catch(() => undefined);
    worker.postMessage({ module: this.module });
    for (const { request, bytes } of this.files.values()) {
      this.send(request, bytes.slice(0)).catch(() => undefined);
    }
  }

  /** Ends the worker, with all questions under way, and starts another with the same files. */
  restart(reason: string): void {
    this.worker?.terminate();
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    this.start();
    for (const waiting of lost) waiting.reject(new Error(reason));
  }

  private take({ id, json, bytes }: { id: number; json: string; bytes: ArrayBuffer }): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    const fields = JSON.parse(json) as Failure | { ok: true };
    if (fields.ok) waiting?.resolve({ fields, bytes });
    else waiting?.reject(new EngineError(fields));
  }

  private async send(request: Request, bytes: ArrayBuffer | null): Promise<{ fields: unknown; bytes: ArrayBuffer }> {
    await this.ready;
    const id = ++this.lastId;
    this.asked += 1;
    return new Promise((resolve, reject) => {
      const message = { id, json: JSON.stringify(request), bytes };
      this.waiting.set(id, { json: message.json, resolve, reject });
      this.worker?.postMessage(message, bytes ? [bytes] : []);
    });
  }

  /** Asks; the answer's fields are those of the request's kind. */
  async ask<Fields>(request: Request): Promise<{ fields: Fields; bytes: ArrayBuffer }> {
    const answer = await this.send(request, null);
    if (request.do === "close") this.files.delete(request.side);
    return answer as { fields: Fields; bytes: ArrayBuffer };
  }

  /** Opens a file. */
  async open<Fields>(request: Request & { do: "open" }, bytes: ArrayBuffer): Promise<Fields> {
    const { fields } = await this.send(request, bytes.slice(0));
    this.files.set(request.side, { request, bytes });
    return fields as Fields;
  }
}

/** Unpacks the module that the page holds: gzip as base64. */
export async function compiled(packed: string): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}
