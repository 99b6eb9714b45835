// The engine alone, in Node: what the page's workers run, without messages and without a page.

import { EMPTY, engine } from "../tests/module.mjs";
import { megabytes, ms, quantile, spread } from "./figures.mjs";

const EDITS = 200;
const WARM = 20;
const LONG_FRAMES = 10_121;

/** The text of a BVH with its frames over and over. */
export function lengthened(text, frames = LONG_FRAMES) {
  const [head, rest] = text.split(/(?<=\nMOTION\r?\n)/);
  const [, time, ...lines] = rest.split("\n").filter((line) => line.trim() !== "");
  const all = Array.from({ length: frames }, (_, frame) => lines[frame % lines.length]);
  return `${head}Frames: ${frames}\n${time}\n${all.join("\n")}\n`;
}

/** A document that the engine has not solved yet. */
const otherwise = (step) => ({ ...EMPTY, options: { arms: step / 100 } });

/** Milliseconds of an action, by the clock and of the processor, which other work on the machine changes less. */
function timed(action) {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  action();
  const { user, system } = process.cpuUsage(used);
  return { clock: performance.now() - begin, processor: (user + system) / 1000 };
}

function spreadOf(times) {
  const processor = times.map((time) => time.processor);
  return `${spread(times.map(({ clock }) => clock))}; processor ${ms(quantile(processor, 0.5))}`;
}

async function opened(motion, character) {
  const own = await engine();
  own.ask({ do: "open", side: "source", name: motion.name }, motion.bytes);
  own.ask({ do: "open", side: "target", name: character.name }, character.bytes);
  return own;
}

/** Turns the left upper arm a little more in each edit. */
function edits({ ask }) {
  const { fields } = ask({ do: "understand", document: EMPTY });
  const joint = fields.sides.target.joints.find(({ role }) => role?.name === "leftUpperArm").index;
  let document = EMPTY;
  return Array.from({ length: WARM + EDITS }, (_, step) => timed(() => {
    const change = { set: "pose", joint, turn: [0, 0.1 * (step + 1), 0] };
    const { card } = ask({ do: "edit", side: "target", document, edits: [change] }).fields;
    document = { ...document, cards: { source: "", target: card } };
    ask({ do: "frame", document, frame: 120 });
  })).slice(WARM);
}

/** Rows of the table, for a motion and a character, each `{ name, bytes }`. */
export async function moduleRows(motion, character) {
  const own = await opened(motion, character);
  const edit = edits(own);
  const frames = Array.from({ length: EDITS }, (_, frame) => timed(() => own.ask({ do: "frame", document: EMPTY, frame })));
  const solves = Array.from({ length: 12 }, (_, step) => {
    own.ask({ do: "understand", document: otherwise(step) });
    return timed(() => own.ask({ do: "solve", document: otherwise(step) }));
  }).slice(2);
  const { frames: count } = own.ask({ do: "solve", document: EMPTY }).fields;
  const text = lengthened(new TextDecoder().decode(motion.bytes));
  const long = await opened({ name: motion.name, bytes: new TextEncoder().encode(text).buffer }, character);
  const longest = Array.from({ length: 3 }, (_, step) => timed(() => long.ask({ do: "solve", document: otherwise(step) })));
  const fastest = (kind) => (Math.min(...longest.map((time) => time[kind])) / 1000).toFixed(2);
  const memory = long.memory.buffer.byteLength;
  return [
    ["an edit, in the engine: card, roles, calibration, plan, frame", "median ≤ 5 ms, 95 % ≤ 16 ms", spreadOf(edit)],
    ["scrubbing: a frame, in the engine", "median ≤ 2 ms", spreadOf(frames)],
    [`whole clip, ${count} frames, warm, in the engine`, "≤ 100 ms", spreadOf(solves)],
    [`whole clip, ${LONG_FRAMES} frames, in the engine, fastest of three`, "≤ 3 s, ≤ 400 MB",
      `${fastest("clock")} s; processor ${fastest("processor")} s; ${megabytes(memory)} of memory`],
  ];
}
