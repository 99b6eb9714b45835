// The timeline: contacts of source and result, a metric as a curve, reasons of the verdict, worst frames, the frame at hand.

import type { Contact, Finding } from "../engine/protocol";
import * as state from "../state";
import { CurveLane } from "./curve";

export function Timeline() {
  const solved = state.solved.value;
  const count = Math.max(state.frameCount.value, 1);
  const verdict = solved?.report.verdict;
  const before = state.solvedBefore.value?.report.verdict;
  const isFaulty = state.failure.value !== null;
  return (
    <section class={`timeline${state.isSolving.value || isFaulty ? " pale" : ""}`} aria-label="Timeline">
      <div class="bar">
        <button type="button" aria-pressed={state.isPlaying.value} aria-label="Play"
          onClick={() => (state.isPlaying.value = !state.isPlaying.value)}>{state.isPlaying.value ? "⏸" : "▶"}</button>
        <output class="frame">{state.frame.value} / {count - 1}</output>
        <output>{(state.frame.value * state.frameTime.value).toFixed(2)} s</output>
        <select aria-label="Speed" value={String(state.speed.value)}
          onChange={(event) => (state.speed.value = Number(event.currentTarget.value))}>
          {[0.25, 0.5, 1, 2].map((speed) => <option key={speed} value={String(speed)}>{speed}×</option>)}
        </select>
        {verdict && (
          <span class={`verdict ${isFaulty ? "quiet" : verdict.verdict}`} data-verdict={verdict.verdict}>
            {isFaulty && "before the error: "}{verdict.verdict} {verdict.score.toFixed(2)}
            {before && (before.verdict !== verdict.verdict || before.score.toFixed(2) !== verdict.score.toFixed(2)) &&
              <small> was {before.verdict} {before.score.toFixed(2)}</small>}
          </span>
        )}
        <span class="quiet">{state.isSolving.value && state.files.value.target ? "solving…" : verdict?.reasons[0]?.text}</span>
      </div>
      <input type="range" class="scrub" min={0} max={count - 1} value={state.frame.value} aria-label="Frame"
        onInput={(event) => (state.frame.value = event.currentTarget.valueAsNumber)} />
      {solved && <Bars count={count} />}
      {verdict && <Reasons reasons={verdict.reasons} />}
      {solved && solved.report.warnings.length > 0 && (
        <ul class="list" aria-label="Warnings">
          {solved.report.warnings.map((text) => <li key={text} class="quiet">· {text}</li>)}
        </ul>
      )}
    </section>
  );
}

/** Rows of contacts: of each part one for the source, one for the result; then a curve, and marks of reasons and worst frames.
 * By keys, the slider and `,` `.` go to frames. */
function Bars({ count }: { count: number }) {
  const solved = state.solved.value;
  if (!solved) return null;
  const parts = [...new Set([...solved.contacts.source, ...solved.contacts.result].map(({ part }) => part))];
  const own = (solved.report.contacts?.contacts ?? [])
    .filter(({ on }) => on !== undefined)
    .map((contact) => ({ ...contact, frames: contact.frames.map(state.onStage) as [number, number] }));
  const pairs = [...new Set(own.map(({ part, on }) => `${part} on ${on ?? ""}`))];
  return (
    <div class="bars">
      {parts.map((part) => (
        <div key={part} class="lane">
          <span>{part}</span>
          <div class="two">
            <Lane contacts={solved.contacts.source.filter((own) => own.part === part)} count={count} kind="source" />
            <Lane contacts={solved.contacts.result.filter((own) => own.part === part)} count={count} kind="target" />
          </div>
        </div>
      ))}
      {pairs.map((pair) => (
        <div key={pair} class="lane">
          <span>{pair}</span>
          <Lane contacts={own.filter(({ part, on }) => `${part} on ${on ?? ""}` === pair)} count={count} kind="target" />
        </div>
      ))}
      <CurveLane />
      <ReasonMarks reasons={solved.report.verdict?.reasons ?? []} count={count} />
      <div class="lane">
        <span>worst frames</span>
        <div class="marks">
          {solved.worst.map((frame) => (
            <button key={frame} type="button" style={{ left: `${(100 * frame) / count}%` }} aria-label={`frame ${frame}`}
              title={`frame ${frame}`} onClick={() => state.goTo(frame)}>▲</button>
          ))}
        </div>
      </div>
    </div>
  );
}

function Lane({ contacts, count, kind }: { contacts: Contact[]; count: number; kind: "source" | "target" }) {
  return (
    <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" class={kind} role="img" onClick={(event) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      state.goTo(Math.floor((count * (event.clientX - left)) / width));
    }}
      aria-label={`${kind}: ${contacts.map(({ frames }) => `${frames[0]} to ${frames[1]}`).join(", ") || "none"}`}>
      {contacts.map(({ frames, slack, reason }) => (
        <rect key={frames[0]} x={frames[0]} width={frames[1] - frames[0]} height={1} class={slack && reason ? "slack" : ""}>
          <title>{`frames ${frames[0]} to ${frames[1]}${slack && reason ? `, ${(1000 * slack).toFixed(0)} mm off: ${reason}` : ""}`}</title>
        </rect>
      ))}
    </svg>
  );
}

/** Marks at the first frames of reasons that have one. */
function ReasonMarks({ reasons, count }: { reasons: Finding[]; count: number }) {
  const marks = reasons.flatMap(({ text, frames, verdict }) => (frames ? [{ text, frame: state.onStage(frames[0]), verdict }] : []));
  if (marks.length === 0) return null;
  return (
    <div class="lane">
      <span>reasons</span>
      <div class="marks">
        {marks.map(({ text, frame, verdict }) => (
          <button key={text} type="button" class={verdict} style={{ left: `${(100 * frame) / count}%` }} aria-label={`frame ${frame}: ${text}`}
            title={`frame ${frame}: ${text}`} onClick={() => state.goTo(frame)}>▼</button>
        ))}
      </div>
    </div>
  );
}

function Reasons({ reasons }: { reasons: Finding[] }) {
  return (
    <ul class="list reasons">
      {reasons.map(({ text, frames, verdict, help }) => (
        <li key={text}>
          <button type="button" class="row" onClick={() => frames && state.goTo(state.onStage(frames[0]))}>
            <span class={`mark ${verdict}`}>{verdict}</span>
            <span>{text}{frames && ` (frame ${frames[0]}${frames[1] > frames[0] ? ` to ${frames[1]}` : ""})`}</span>
            {help && <span class="quiet">{help}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Goes to the worst frame after the one at hand, or before it. */
export function toWorst(step: 1 | -1): void {
  const worst = state.solved.value?.worst ?? [];
  const now = state.frame.value;
  const next = step > 0 ? worst.find((frame) => frame > now) : worst.findLast((frame) => frame < now);
  if (next !== undefined) state.frame.value = next;
}
