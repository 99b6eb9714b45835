// The card of a side as text. Typing here and clicking elsewhere change one document.

import { setCard } from "../actions";
import * as state from "../state";
import { side } from "./understood";

export function CardText() {
  const failure = state.failure.value;
  const line = failure?.side === side.value ? failure.line : null;
  return (
    <section aria-labelledby="card">
      <h2 id="card">Card · {side.value}</h2>
      <textarea spellcheck={false} rows={12} aria-label={`Rig card of the ${side.value}`} value={state.document_.value.cards[side.value]}
        aria-invalid={line !== null} placeholder={'up = "+Y"\n\n[roles]\nleftToes = []'}
        onInput={(event) => setCard(side.value, event.currentTarget.value, `card ${side.value}`)} />
      {line !== null && <p class="failure" role="alert">line {line}: {failure?.causes.join(": ")}</p>}
    </section>
  );
}
