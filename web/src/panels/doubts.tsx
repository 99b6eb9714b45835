// Guesses of the program that a person should look at, the worst first.

import type { Doubt } from "../engine/protocol";
import * as state from "../state";
import { oneSided, startPicking } from "./understood";

export function percent(confidence: number): string {
  return `${Math.round(100 * confidence)} %`;
}

export function Doubts() {
  const doubts = state.understanding.value?.doubts ?? [];
  const failure = state.failure.value;
  const count = doubts.length + oneSided.value.length;
  const isEmpty = count === 0 && !failure;
  return (
    <section aria-labelledby="doubts">
      <h2 id="doubts">Doubts {count > 0 && <span class="count">{count}</span>}</h2>
      {failure && (
        <div class="failure" role="alert">
          {failure.side && <b>{failure.side}{failure.line ? `, line ${failure.line} of its card` : ""}: </b>}
          {failure.causes.map((cause) => <p key={cause}>{cause}</p>)}
          {failure.help && <p>{failure.help}</p>}
        </div>
      )}
      {isEmpty && state.understanding.value && <p class="quiet">Nothing. All roles and poses are certain.</p>}
      <ul class="list">
        {doubts.map((doubt) => <Row key={doubt.side + doubt.text} doubt={doubt} />)}
        {oneSided.value.map(({ side, role, other }) => (
          <li key={side + role}>
            <button type="button" class="row" onClick={() => startPicking(role, side)}>
              <span class={`mark ${side}`} aria-label="look">?</span>
              <span>{side}: {role} has no joint, {other} has one</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ doubt }: { doubt: Doubt }) {
  const mark = doubt.blocks ? "!" : doubt.kind === "warning" ? "·" : "?";
  const select = () => {
    if (doubt.joint !== null) state.selected.value = { side: doubt.side, joint: doubt.joint };
  };
  return (
    <li>
      <button type="button" class="row" onClick={select}>
        <span class={`mark ${doubt.side}`} aria-label={doubt.blocks ? "blocks" : "look"}>{mark}</span>
        <span>{doubt.side}: {doubt.text}</span>
        {doubt.confidence !== null && <span class="number">{percent(doubt.confidence)}</span>}
      </button>
    </li>
  );
}
