// Keeps the document, undo, the view of the stage and files in the browser, so that a reload shows the same.

import { effect } from "@preact/signals";
import type { Document, Side } from "../engine/protocol";
import * as state from "../state";
import type { Work } from "../work";

/** Milliseconds by which what is kept may be behind; to write it takes some more. */
const BEHIND = 250;
const STORE = "kept";
/** Largest files that are kept, in bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

interface Kept {
  document: Document;
  undo: Document[];
  redo: Document[];
  view: state.StageView;
  saved: Record<Side, string>;
}

interface KeptFile {
  name: string;
  bytes: ArrayBuffer;
  clip: string | null;
}

function database(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("rebone-studio", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
}

function read<Value>(from: IDBDatabase, key: string): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const request = from.transaction(STORE).objectStore(STORE).get(key);
    request.onsuccess = () => resolve(request.result as Value | undefined);
    request.onerror = () => reject(request.error ?? new Error("cannot read"));
  });
}

function write(to: IDBDatabase, key: string, value: unknown): void {
  const store = to.transaction(STORE, "readwrite").objectStore(STORE);
  if (value === undefined) store.delete(key);
  else store.put(value, key);
}

/** Opens what was kept, and keeps what changes from now on. A browser that keeps nothing says nothing. */
export async function remember(work: Work): Promise<void> {
  let kept: IDBDatabase;
  try {
    kept = await database();
  } catch {
    return;
  }
  await restore(kept, work).catch((error: unknown) => state.say(`what was kept cannot be opened: ${String(error)}`));
  let newest: Kept;
  let timer: number | undefined;
  effect(() => {
    newest = {
      document: state.document_.value,
      undo: state.undoSteps.value,
      redo: state.redoSteps.value,
      view: state.currentView(),
      saved: state.savedCards.value,
    };
    // Changes that come one after another without a rest are kept as well.
    timer ??= window.setTimeout(() => {
      timer = undefined;
      write(kept, "document", newest);
    }, BEHIND);
  });
  effect(() => {
    for (const side of ["source", "target"] as const) {
      const file = state.files.value[side];
      if (file && file.bytes.byteLength > MAX_BYTES) continue;
      const clip = file?.opened.clip === null || file === undefined ? null : String(file.opened.clip);
      write(kept, side, file && ({ name: file.name, bytes: file.bytes, clip } satisfies KeptFile));
    }
  });
}

async function restore(kept: IDBDatabase, work: Work): Promise<void> {
  const document = await read<Kept>(kept, "document");
  for (const side of ["source", "target"] as const) {
    const file = await read<KeptFile>(kept, side);
    if (file) await work.open(side, file.name, file.bytes, file.clip ?? undefined);
  }
  if (!document) return;
  state.document_.value = document.document;
  state.undoSteps.value = document.undo;
  state.redoSteps.value = document.redo;
  state.savedCards.value = document.saved;
  state.restoreView(document.view ?? {});
}
