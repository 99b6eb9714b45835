// The file host of `rebone studio`: files of the command line by number, cards and results in their places.

import type { Side } from "../engine/protocol";

/** A file of the host. */
export interface HostFile {
  number: number;
  name: string;
}

/** Files that are open from the start. */
export interface HostFiles {
  source: HostFile | null;
  target: HostFile | null;
  source_card: HostFile | null;
  target_card: HostFile | null;
  map: HostFile | null;
  contacts: HostFile | null;
  review: HostFile | null;
  writes_results: boolean;
}

/** A result of a batch. */
export interface HostRow {
  name: string;
  source: HostFile;
  target: HostFile;
  clip: number | null;
  source_card: HostFile | null;
  target_card: HostFile | null;
  verdict: string | null;
  score: number | null;
  reason: string | null;
  error: string | null;
}

/** Bytes of a file, with the tag of this state of it. */
interface Content {
  bytes: ArrayBuffer;
  tag: string;
}

/** The host refused a request; 0 where it does not answer. */
export class HostError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

const KEY = "rebone-token";

export class Server {
  private constructor(private readonly token: string) {}

  /** The host that this page comes from; `null` of a page from a disk. Takes the token out of the address bar. */
  static here(): Server | null {
    if (!location.protocol.startsWith("http")) return null;
    const given = /^#([0-9a-f]{32})$/.exec(location.hash)?.[1];
    if (given) {
      sessionStorage.setItem(KEY, given);
      history.replaceState(null, "", location.pathname);
    }
    const token = sessionStorage.getItem(KEY);
    return token ? new Server(token) : null;
  }

  private async ask(path: string, more: RequestInit = {}): Promise<Response> {
    const headers = new Headers(more.headers);
    headers.set("Authorization", `Bearer ${this.token}`);
    let answer: Response;
    try {
      answer = await fetch(`/api/${path}`, { ...more, headers });
    } catch {
      throw new HostError(0, "rebone studio does not answer: is it still running?");
    }
    if (!answer.ok) throw new HostError(answer.status, (await answer.text()) || answer.statusText);
    return answer;
  }

  async opened(): Promise<HostFiles> {
    return (await (await this.ask("opened")).json()) as HostFiles;
  }

  async library(): Promise<HostRow[]> {
    return (await (await this.ask("library")).json()) as HostRow[];
  }

  /** Reads a file; `null` where there is none. */
  async read({ number }: HostFile): Promise<Content | null> {
    const answer = await this.ask(`file/${number}`);
    if (answer.status === 204) return null;
    return { bytes: await answer.arrayBuffer(), tag: answer.headers.get("ETag") ?? "" };
  }

  /** Reads a text; the empty one, without a tag, where there is no file. */
  async readText(file: HostFile): Promise<{ text: string; tag: string | null }> {
    const content = await this.read(file);
    return { text: content ? new TextDecoder().decode(content.bytes) : "", tag: content?.tag ?? null };
  }

  /** Replaces a file that has this tag, or makes one where there is none; returns its new tag. */
  async write({ number }: HostFile, text: string, tag: string | null): Promise<string> {
    const headers: HeadersInit = tag === null ? { "If-None-Match": "*" } : { "If-Match": tag };
    const answer = await this.ask(`file/${number}`, { method: "PUT", body: text, headers });
    return answer.headers.get("ETag") ?? "";
  }

  /** Writes a result under this name, or with a number behind it where there is one; returns the name. */
  async writeResult(name: string, bytes: ArrayBuffer): Promise<string> {
    const [stem, end] = [name.replace(/\.[^.]*$/, ""), /\.[^.]*$/.exec(name)?.[0] ?? ""];
    for (let number = 1; ; number++) {
      const free = number === 1 ? name : `${stem}-${number}${end}`;
      try {
        await this.ask(`out/${encodeURIComponent(free)}`, { method: "PUT", body: bytes });
        return free;
      } catch (error) {
        if (!(error instanceof HostError && error.status === 409)) throw error;
      }
    }
  }
}

/** The card of a side among the files of the host. */
export function cardOf(files: HostFiles, side: Side): HostFile | null {
  return files[`${side}_card`];
}
