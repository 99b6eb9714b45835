// The list of keys.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export const isHelpOpen = signal(false);

const KEYS: [string, string][] = [
  ["Space", "play"], [", .", "a frame back, ahead"], ["[ ]", "worst frame before, after"], ["P", "pick the joint of the selected role"],
  ["Esc", "let go"], ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"], ["Ctrl+S", "save cards"], ["?", "this list"],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={() => (isHelpOpen.value = false)}>
      <h2>Keys</h2>
      <dl>{KEYS.map(([keys, what]) => [<dt key={keys}>{keys}</dt>, <dd key={`${keys}-`}>{what}</dd>])}</dl>
      <button type="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}
