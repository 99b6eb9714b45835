// The calibration pose of a side by numbers: turns of the selected joint about the axes of its segment.

import { correct, edit } from "../actions";
import type { Side } from "../engine/protocol";
import * as state from "../state";
import { AXES, edits, mirrors, type Turn } from "../turns";
import { percent } from "./doubts";

export function Calibration() {
  const selected = state.selected.value;
  const side = selected?.side ?? "target";
  const summary = state.understanding.value?.sides[side];
  return (
    <section aria-labelledby="calibration">
      <h2 id="calibration">Calibration · {side}</h2>
      {summary?.calibration && (
        <p class="quiet">{summary.calibration}, {percent(summary.calibration_confidence ?? 0)} sure</p>
      )}
      {selected && <Turns side={side} joint={selected.joint} />}
      <p class="chips">
        <button type="button" onClick={() => void correct(side, { t_pose: true })}>As T pose</button>
        {side === "source" && (
          <button type="button" title="The pose of this frame is the calibration pose" onClick={() =>
            void edit(side, [{ set: "pose-of-frame", frame: state.frame.value }])}>This frame</button>
        )}
        <button type="button" onClick={() => reset(side)}>Reset all</button>
      </p>
      <p class="chips">
        {selected && <Level side={side} joint={selected.joint} />}
        {(["left", "right"] as const).map((from) => (
          <button key={from} type="button" onClick={() => void correct(side, { mirror: from })}>
            Mirror {from} to {from === "left" ? "right" : "left"}
          </button>
        ))}
        <label><input type="checkbox" checked={mirrors.value}
          onChange={(event) => (mirrors.value = event.currentTarget.checked)} /> both sides</label>
      </p>
      <Moves />
    </section>
  );
}

/** Calibrates the sole of the selected foot on a frame in which it stands flat: the frame at hand of the source, the first of
 * a target's own clip. */
function Level({ side, joint }: { side: Side; joint: number }) {
  const role = state.understanding.value?.sides[side]?.joints[joint]?.role?.name;
  const foot = /^(left|right)(Foot|Toes)$/.exec(role ?? "")?.[1];
  if (!foot) return null;
  const frame = side === "source" ? state.frame.value : 0;
  const level_feet: [number | null, number | null] = foot === "left" ? [frame, null] : [null, frame];
  return (
    <button type="button" title={side === "source" ? "The foot stands flat on the floor in this frame" : "The foot stands flat on the floor in the first frame of its own file"}
      onClick={() => void correct(side, { level_feet })}>Level this foot{side === "source" && ` in frame ${frame}`}</button>
  );
}

function Turns({ side, joint }: { side: Side; joint: number }) {
  const stated = state.understanding.value?.sides[side]?.turns ?? [];
  const turn = stated.find(([own]) => own === joint)?.[1] ?? [0, 0, 0];
  const set = (axis: number, degrees: number) => {
    if (!Number.isFinite(degrees)) return;
    const next = turn.with(axis, degrees) as Turn;
    void edit(side, edits(side, joint, next), `turn ${side} ${joint}`);
  };
  return (
    <div class="numbers">
      {AXES.map((axis, index) => (
        <label key={axis}>{axis}
          <input type="number" step={1} min={-180} max={180} value={turn[index]} data-axis={axis}
            onClick={({ currentTarget }) => currentTarget.select()}
            onKeyDown={(event) => step(event, turn[index] ?? 0, (degrees) => set(index, degrees))}
            onChange={(event) => set(index, event.currentTarget.valueAsNumber)} /> °
        </label>
      ))}
    </div>
  );
}

/** Arrow keys turn by a degree, with Shift by ten, with Alt by a tenth. */
function step(event: KeyboardEvent, degrees: number, set: (degrees: number) => void): void {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  const size = event.shiftKey ? 10 : event.altKey ? 0.1 : 1;
  set(Math.round(10 * (degrees + (event.key === "ArrowUp" ? size : -size))) / 10);
  event.preventDefault();
}

function reset(side: Side): void {
  const stated = state.understanding.value?.sides[side]?.turns ?? [];
  void edit(side, stated.map(([joint]) => ({ set: "pose", joint, turn: null })));
}

/** The joints that the last edit moved in the frame at hand. */
function Moves() {
  const moves = state.lastMoves.value;
  if (moves === null) return null;
  const joints = state.understanding.value?.sides.target?.joints ?? [];
  // Joints of a list, as of a finger, are one; those that turn most come first.
  const furthest = new Map<string, number>();
  for (const { joint, degrees } of moves) {
    const name = joints[joint]?.role?.name ?? joints[joint]?.name ?? `joint ${joint}`;
    furthest.set(name, Math.max(degrees, furthest.get(name) ?? 0));
  }
  const listed = [...furthest].sort(([, a], [, b]) => Math.round(10 * b) - Math.round(10 * a));
  const text = moves.length === 0
    ? "The last edit moves nothing here: arms and legs follow the directions of their bones, of which only the twist counts."
    : `The last edit moves ${listed.slice(0, 6).map(([name, degrees]) => `${name} ${degrees.toFixed(1)}°`).join(", ")}` +
      (listed.length > 6 ? ` and ${listed.length - 6} more` : "");
  return <p role="status" class="moves">{text}</p>;
}
