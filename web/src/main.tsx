// Starts the page: unpacks the engine, opens what was kept, draws.

import { render } from "preact";
import { begin, openBytes, tell } from "./actions";
import { compiled, Engine } from "./engine/engine";
import { remember } from "./host/memory";
import { conflicts, openNamed, server } from "./host/session";
import { listenToKeys, play } from "./keys";
import { isReviewUnsaved, listBatch } from "./library";
import { App } from "./panels/app";
import { Stage } from "./stage/stage";
import * as state from "./state";
import { Work } from "./work";

declare const SAMPLES: { clip: string; rig: string };

/** Opens the files and the library of `rebone studio`. */
async function openHost(work: Work): Promise<void> {
  const files = await openNamed(work);
  if (server && files) await listBatch(server, files, work);
}

async function main(): Promise<void> {
  const module = await compiled(document.getElementById("engine")?.textContent ?? "");
  const work = new Work(new Engine(module), new Engine(module), module);
  begin(work);
  const bytes = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;
  const parts = {
    makeStage: (canvas: HTMLCanvasElement) => {
      const stage = new Stage(canvas);
      Object.assign(globalThis, { studio: { stage, state, work, conflicts, isReviewUnsaved } });
      return stage;
    },
    openSample: async () => {
      await openBytes("source", "walk.bvh", bytes(SAMPLES.clip));
      await openBytes("target", "seven-spine.bvh", bytes(SAMPLES.rig));
    },
  };
  const root = document.getElementById("page");
  if (!root) return;
  render(<App parts={parts} />, root);
  listenToKeys();
  play();
  state.formats.value = await work.formats();
  await remember(work);
  await tell(openHost(work));
  addEventListener("beforeunload", (event) => {
    if (state.hasUnsavedCards.peek() || isReviewUnsaved.peek()) event.preventDefault();
  });
  root.dataset["ready"] = "true";
}

main().catch((error: unknown) => {
  document.body.textContent = `The page cannot start: ${String(error)}`;
});
