// Cards that changed on disk while they were corrected here: both texts, one of which is chosen.

import { useEffect, useRef } from "preact/hooks";
import { tell } from "../actions";
import { type Conflict, conflicts, settle } from "../host/session";
import * as state from "../state";

/** The first conflict; the next one follows when it is settled. */
export function Conflicts() {
  const first = conflicts.value[0];
  return first ? <Choice key={first.side} conflict={first} /> : null;
}

function Choice({ conflict }: { conflict: Conflict }) {
  const { side, name, onDisk } = conflict;
  const dialog = useRef<HTMLElement>(null);
  useEffect(() => dialog.current?.focus(), []);
  return (
    <section ref={dialog} tabIndex={-1} class="conflict" role="alertdialog" aria-label={`${name} changed on disk`}>
      <h2>{name} changed on disk</h2>
      <p>The card of the {side} is not what it was when it was read. Nothing is lost until you choose.</p>
      <div class="texts">
        <label>Yours<textarea readOnly rows={10} value={state.document_.value.cards[side]} /></label>
        <label>On disk<textarea readOnly rows={10} value={onDisk} /></label>
      </div>
      <p class="chips">
        <button type="button" onClick={() => void tell(settle(conflict, "own"))}>Save yours over it</button>
        <button type="button" onClick={() => void tell(settle(conflict, "disk"))}>Take the one on disk</button>
      </p>
    </section>
  );
}
