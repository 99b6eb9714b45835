// Many results as a list, the worst first.

import { useEffect, useRef } from "preact/hooks";
import { tell } from "../actions";
import type { Grade } from "../engine/protocol";
import {
  acceptListed, current, downloadReview, filter, flagCurrent, isNoting, listed, type Mark, markCurrent, marks, openNext, openRow,
  type Row, rows, unmarked,
} from "../library";

const GRADES: Grade[] = ["FAIL", "LOOK", "PASS"];

export function Library() {
  if (rows.value.length === 0) return null;
  const { verdict, name, isUnmarked } = filter.value;
  const open = marks.value[current.value ?? ""];
  return (
    <section aria-labelledby="library">
      <h2 id="library">Library <span class="count">{rows.value.length}</span></h2>
      <p class="chips" role="group" aria-label="Verdict">
        {GRADES.map((grade) => (
          <button key={grade} type="button" aria-pressed={verdict === grade}
            onClick={() => (filter.value = { ...filter.value, verdict: verdict === grade ? null : grade })}>
            {grade} {rows.value.filter((row) => row.verdict === grade).length}
          </button>
        ))}
      </p>
      <input type="search" placeholder="name" aria-label="Filter results" value={name}
        onInput={(event) => (filter.value = { ...filter.value, name: event.currentTarget.value })} />
      <label><input type="checkbox" checked={isUnmarked}
        onChange={(event) => (filter.value = { ...filter.value, isUnmarked: event.currentTarget.checked })} /> without a mark</label>
      <ul class="list results">{listed.value.map((row) => <Result key={row.name} row={row} mark={marks.value[row.name]} />)}</ul>
      {open?.mark === "flagged" && <Note note={open.note ?? ""} />}
      <p class="chips">
        <button type="button" disabled={current.value === null} onClick={() => void tell(markCurrent({ mark: "accepted" }))}>Accept (A)</button>
        <button type="button" disabled={current.value === null} onClick={() => void tell(flagCurrent())}>Flag (X)</button>
        <button type="button" onClick={() => void tell(openNext())}>Next (N)</button>
        {verdict === "PASS" && unmarked.value.length > 0 &&
          <button type="button" onClick={() => void tell(acceptListed())}>Accept all {unmarked.value.length} PASS</button>}
        <button type="button" onClick={downloadReview}>Save review</button>
      </p>
    </section>
  );
}

/** The note of the row that is open: a row that was just flagged is typed in at once, Enter goes on to the next row. */
function Note({ note }: { note: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isNoting.value) input.current?.focus();
    isNoting.value = false;
  }, [isNoting.value]);
  return (
    <label class="option">Note <input ref={input} type="text" value={note}
      onChange={(event) => void tell(markCurrent({ mark: "flagged", note: event.currentTarget.value }))}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.currentTarget.blur();
        void tell(openNext());
      }} /></label>
  );
}

function Result({ row, mark }: { row: Row; mark: Mark | undefined }) {
  const { name, verdict, score, reason, error } = row;
  const sign = mark && { accepted: "✓", flagged: "⚑" }[mark.mark];
  return (
    <li>
      <button type="button" class="row" aria-current={current.value === name} onClick={() => void tell(openRow(row))}>
        <span class={`mark ${verdict ?? ""}`}>{error ? "none" : (verdict ?? "…")}</span>
        <span>{name}{(error ?? reason) && <small> {error ?? reason}</small>}</span>
        <span class="number">{sign && <span aria-label={mark.mark}>{sign} </span>}{score?.toFixed(2)}</span>
      </button>
    </li>
  );
}
