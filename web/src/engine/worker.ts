// The worker: holds the WebAssembly module and answers one request after another.

import { type Instance, instantiate } from "./module";

type Start = { module: WebAssembly.Module };
type Question = { id: number; json: string; bytes: ArrayBuffer | null };

let engine: Instance | undefined;

addEventListener("message", ({ data }: MessageEvent<Start | Question>) => {
  if ("module" in data) {
    instantiate(data.module).then(
      (own) => {
        engine = own;
        postMessage({ started: true });
      },
      (error: unknown) => postMessage({ trap: String(error) }),
    );
    return;
  }
  try {
    if (!engine) throw new Error("the engine has not started");
    const answer = engine.ask(data.json, data.bytes);
    postMessage({ id: data.id, ...answer }, { transfer: [answer.bytes] });
  } catch (error) {
    postMessage({ trap: String(error), id: data.id });
  }
});
