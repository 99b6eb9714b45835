// Asks the engine after a change: for the understanding and the frame at hand at once, for the whole clip when edits rest.

import { effect } from "@preact/signals";
import { Engine } from "./engine/engine";
import { Newest } from "./engine/newest";
import {
  EngineError, type CalibrationAnswer, type DepthsAnswer, type Document, type FrameAnswer, type Opened, type PosesAnswer,
  type Request, type Side, type Solved, type Understanding,
} from "./engine/protocol";
import * as state from "./state";

/** Milliseconds for which edits must rest before the whole clip is solved. */
const REST = 80;
/** Frames of poses that are asked for at once. */
const BLOCK = 2048;

/** Poses of a body: seven floats a joint, place and rotation. */
export interface Poses {
  joints: number;
  start: number;
  numbers: Float32Array;
}

interface Known {
  source: Poses | null;
  target: Poses | null;
  live: Poses | null;
  /** The result before the last edit; `start` counts back from the end, for a leading pose that is dropped is the first frame. */
  before: Poses | null;
  calibration: Float32Array | null;
  /** Of each joint that can be turned, the rotations of its segment's frame in the calibration pose without its own turn and
   * with it. */
  frames: Record<Side, Float32Array>;
}

/** The newest poses; the stage reads them. */
export const poses: Known = {
  source: null, target: null, live: null, before: null, calibration: null,
  frames: { source: new Float32Array(), target: new Float32Array() },
};

/** Poses of a side that the stage shows at the frame at hand. */
export function shown(side: Side): Poses | null {
  if (side === "source") return poses.source;
  return (state.showsBefore.peek() ? before() : null) ?? (state.isSolving.peek() ? poses.live : null) ?? poses.target;
}

/** Poses of the result before the last edit, `null` where they do not have the frame at hand, and of calibration poses. */
export function before(): Poses | null {
  if (state.compare.peek() === "calibration") return null;
  const own = poses.before && { ...poses.before, start: poses.before.start + state.frameCount.peek() };
  return own && covers(own, state.frame.peek()) ? own : null;
}

/** Numbers of a joint's frames: two rotations `x y z w`. */
export const FRAMES_STRIDE = 8;

function takeCalibration({ joints, frames, stride }: CalibrationAnswer, numbers: Float32Array): void {
  poses.calibration = numbers;
  const first = (stride / Float32Array.BYTES_PER_ELEMENT) * (joints[0] + joints[1]);
  const second = first + FRAMES_STRIDE * frames[0];
  poses.frames = { source: numbers.subarray(first, second), target: numbers.subarray(second) };
}

/** Draws the stage anew, and puts its camera at a side of the bodies, once there is a stage. */
export const drawing = { redraw: () => {}, view: (_from: state.View) => {} };

export class Work {
  private generation = 0;
  private timer: number | undefined;
  /** Steps of undo at the last edit: changes of one field are one step, and one edit. */
  private steps: readonly Document[] | null = null;
  private readonly answer = new Newest(() =>
    this.askOnce(this.generation, state.document_.peek()).catch((error: unknown) => this.fail(error)));
  /** An error of the document is told by the question that solves it. */
  private readonly depths = new Newest(() => this.askDepths().catch(() => void (state.depths.value = null)));
  private third: Engine | undefined;
  /** The document of the last pose that was taken. */
  private posed: Document | null = null;

  constructor(private readonly live: Engine, private readonly clip: Engine, private readonly module: WebAssembly.Module) {
    for (const engine of [live, clip]) watch(engine);
    effect(() => {
      void state.document_.value;
      void state.files.value;
      this.changed();
    });
    effect(() => {
      void state.frame.value;
      if (state.solved.peek() === null || state.isSolving.peek()) this.answer.want();
      else void this.block(state.frame.peek());
      drawing.redraw();
    });
    effect(() => {
      void [state.frame.value, state.showsDepth.value, state.isSolving.value];
      this.depths.want();
    });
  }

  /** Names the formats of files that are read, as a sentence. */
  async formats(): Promise<string> {
    return (await this.live.ask<{ formats: string }>({ do: "formats" })).fields.formats;
  }

  /** Opens a file in both workers. */
  async open(side: Side, name: string, bytes: ArrayBuffer, clip?: string): Promise<void> {
    const request: Request & { do: "open" } = { do: "open", side, name, ...(clip === undefined ? {} : { clip }) };
    const opened = await this.live.open<Opened>(request, bytes);
    await this.clip.open<Opened>(request, bytes);
    state.camera.value = null;
    poses.source = poses.target = poses.live = poses.before = poses.calibration = null;
    poses.frames = { source: new Float32Array(), target: new Float32Array() };
    state.solved.value = null;
    state.selected.value = state.picking.value = state.lastMoves.value = null;
    state.frame.value = 0;
    state.files.value = { ...state.files.value, [side]: { name, bytes, opened } };
  }

  /** The worker that solves the clips of a library, one after another. */
  library(): Engine {
    return (this.third ??= watch(new Engine(this.module)));
  }

  private changed(): void {
    this.generation += 1;
    this.keepBefore();
    state.isSolving.value = true;
    clearTimeout(this.timer);
    if (!state.files.value.source && !state.files.value.target) return;
    this.answer.want();
    this.timer = window.setTimeout(() => void this.solve(), REST);
  }

  /** Keeps the result as it is, where an edit begins. */
  private keepBefore(): void {
    const steps = state.undoSteps.peek();
    if (steps === this.steps) return;
    this.steps = steps;
    if (poses.target) poses.before = { ...poses.target, start: poses.target.start - state.frameCount.peek() };
  }

  /** Ends when the newest document is understood, and its frame at hand and its calibration poses are there. */
  answered(): Promise<void> {
    return this.answer.done();
  }

  private async askOnce(generation: number, document: Document): Promise<void> {
    const understood = this.live.ask<Understanding>({ do: "understand", document });
    // All three requests at once: the round trip costs as much as the answer.
    const frame = state.frame.peek();
    const posed = hasBoth() ? this.live.ask<FrameAnswer>({ do: "frame", document, frame }) : null;
    const calibrated = hasBoth() ? this.live.ask<CalibrationAnswer>({ do: "calibration", document }) : null;
    for (const asked of [posed, calibrated]) asked?.catch(() => undefined);
    const { fields } = await understood;
    // The pose comes before lists and figures are drawn, which takes longer; a failure of it is told after them.
    await posed?.catch(() => undefined);
    if (generation !== this.generation) return;
    state.understanding.value = fields;
    state.failure.value = fields.error;
    if (fields.error || !posed || !calibrated) return void (state.lastMoves.value = null);
    const answer = await posed;
    poses.live = { joints: answer.fields.joints, start: frame, numbers: new Float32Array(answer.bytes) };
    // No answer to a new document is none about an older edit either.
    if (answer.fields.moves !== null || document !== this.posed) state.lastMoves.value = answer.fields.moves;
    this.posed = document;
    const calibration = await calibrated;
    if (generation === this.generation) takeCalibration(calibration.fields, new Float32Array(calibration.bytes));
    drawing.redraw();
  }

  private async solve(): Promise<void> {
    if (!hasBoth()) return;
    const generation = this.generation;
    try {
      const { fields } = await this.clip.ask<Solved>({ do: "solve", document: state.document_.peek() });
      if (generation !== this.generation) return;
      const frame = Math.min(state.frame.peek(), Math.max(fields.frames - 1, 0));
      const start = Math.max(0, frame - BLOCK / 2);
      const [source, target] = await Promise.all([this.poses("source", start), this.poses("target", start)]);
      if (generation !== this.generation) return;
      Object.assign(poses, { source, target });
      state.solvedBefore.value = state.solved.peek();
      state.solved.value = fields;
      state.isSolving.value = false;
      state.frame.value = Math.min(state.frame.peek(), Math.max(fields.frames - 1, 0));
      // The frame at hand may be another one by now.
      await this.block(state.frame.peek());
    } catch (error) {
      if (generation === this.generation) this.fail(error);
    }
  }

  /** Asks for the block of frames about the one at hand, where it is not there. */
  private async block(frame: number): Promise<void> {
    for (const side of ["source", "target"] as const) {
      const own = poses[side];
      if (own && own.joints > 0 && covers(own, frame)) continue;
      const generation = this.generation;
      const next = await this.poses(side, Math.max(0, frame - BLOCK / 2));
      if (generation === this.generation) poses[side] = next;
    }
    drawing.redraw();
  }

  /** Asks how deep hands are in the body in the frame at hand, where that is shown. */
  private async askDepths(): Promise<void> {
    const frame = state.frame.peek();
    const isWanted = state.showsDepth.peek() && !state.isSolving.peek() && state.solved.peek() !== null;
    const answer = isWanted ? await this.clip.ask<DepthsAnswer>({ do: "depths", frame }) : null;
    state.depths.value = answer && { frame, ...answer.fields, numbers: new Float32Array(answer.bytes) };
  }

  private async poses(side: Side, start: number): Promise<Poses> {
    const { fields, bytes } = await this.clip.ask<PosesAnswer>({ do: "poses", side, start, count: BLOCK });
    return { joints: fields.joints, start, numbers: new Float32Array(bytes) };
  }

  private fail(error: unknown): void {
    if (error instanceof EngineError) {
      state.failure.value = error.failure;
    } else {
      state.say(String(error));
    }
    state.isSolving.value = false;
  }

  /** The bytes of the result in a format, of the newest document. */
  async write(format: (Request & { do: "write" })["format"]): Promise<ArrayBuffer> {
    await this.clip.ask({ do: "solve", document: state.document_.peek() });
    return (await this.clip.ask({ do: "write", format })).bytes;
  }

  /** Causes for which the files, or the one of a side, cannot be analysed with a document; none where they can. */
  async faults(document: Document, side: Side): Promise<string[]> {
    try {
      const { error, sides } = (await this.live.ask<Understanding>({ do: "understand", document })).fields;
      return error?.causes ?? sides[side]?.error ?? [];
    } catch (error) {
      if (error instanceof EngineError) return error.failure.causes;
      throw error;
    }
  }

  /** The text of a card after a request that edits or writes it. */
  async card(request: Request & { do: "edit" | "card" }): Promise<string> {
    return (await this.live.ask<{ card: string }>(request)).fields.card;
  }
}

/** Tells when an engine traps. */
function watch(engine: Engine): Engine {
  engine.onTrap = (error, request) => {
    state.trap.value = { error, request, cards: state.document_.peek().cards };
    state.say("The engine stopped and was started again with the same files and corrections. The last request has no answer; the next edit asks again.");
  };
  return engine;
}

export function covers(own: Poses, frame: number): boolean {
  const at = frame - own.start;
  return at >= 0 && (at + 1) * own.joints * 7 <= own.numbers.length;
}

function hasBoth(): boolean {
  const { source, target } = state.files.peek();
  return source !== undefined && target !== undefined;
}
