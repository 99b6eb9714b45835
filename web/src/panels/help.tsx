// The list of keys.

import { useEffect, useRef } from "preact/hooks";
import { KEYS } from "../keys";
import * as state from "../state";

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={() => (state.isHelpOpen.value = false)}>
      <h2>Keys</h2>
      <dl>{KEYS.map(({ shown, does }) => [<dt key={shown}>{shown}</dt>, <dd key={`${shown}-`}>{does}</dd>])}</dl>
      <button type="button" onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  );
}
