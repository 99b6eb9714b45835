// The state of the page as signals: panels and stage read it, actions change it.

import { computed, signal } from "@preact/signals";
import type { DepthsAnswer, Document, Failure, FrameAnswer, Opened, Side, Solved, Understanding } from "./engine/protocol";

/** A file that is open. */
export interface OpenFile {
  name: string;
  bytes: ArrayBuffer;
  opened: Opened;
}

/** Arrangement of both bodies on the stage. */
export type Compare = "overlay" | "side-by-side" | "onion" | "before" | "calibration";
/** The side from which the camera looks. */
export type View = "front" | "side" | "top";
/** Of a body: its skin, its bones, or both. */
export type Look = "skin" | "bones" | "both";

const EMPTY_DOCUMENT: Document = {
  cards: { source: "", target: "" },
  map: "",
  contacts: "",
  options: {},
};

/** The formats of files that are read, as a sentence. */
export const formats = signal("");
export const files = signal<Partial<Record<Side, OpenFile>>>({});
export const document_ = signal<Document>(EMPTY_DOCUMENT);
export const understanding = signal<Understanding | null>(null);
export const solved = signal<Solved | null>(null);
/** Verdict before the last edit. */
export const solvedBefore = signal<Solved | null>(null);
/** Whether the newest document has not been solved yet. */
export const isSolving = signal(false);
export const lastMoves = signal<FrameAnswer["moves"]>(null);
/** The error of the newest document, with its causes. */
export const failure = signal<Omit<Failure, "ok"> | null>(null);
/** The last trap of the engine: its error, the JSON of the request under way, the cards. */
export const trap = signal<{ error: string; request: string | null; cards: Document["cards"] } | null>(null);
/** Messages for the person, the newest last. */
export const messages = signal<string[]>([]);

export const frame = signal(0);
export const isPlaying = signal(false);
export const isHelpOpen = signal(false);
export const speed = signal(1);
export const selected = signal<{ side: Side; joint: number } | null>(null);
/** A role whose joints are being picked. */
export interface Picking {
  side: Side;
  role: string;
  joints: number[];
  isList: boolean;
  /** The joints that were picked last, with which the body cannot be analysed, why, and the document for which that holds. */
  refused?: { joints: number[]; causes: string[]; document: Document };
}
export const picking = signal<Picking | null>(null);
export const compare = signal<Compare>("overlay");
/** The key that shows the result before the last edit is held. */
export const isBeforeHeld = signal(false);
/** The stage shows the result before the last edit. */
export const showsBefore = computed(() => isBeforeHeld.value || compare.value === "before");
/** The selected joint can be turned on the stage. */
export const isTurning = computed(() => compare.value === "calibration" && selected.value !== null && picking.value === null);
export const look = signal<Look>("both");
export const follows = signal(true);
/** The stage shows how deep hands of the result are in its body. */
export const showsDepth = signal(false);
/** The surface samples near the body in a frame of the result: place and signed distance, four numbers each. */
export const depths = signal<(DepthsAnswer & { frame: number; numbers: Float32Array }) | null>(null);
/** Metres, +Y up. */
type Point = [number, number, number];
/** The camera and the point that it looks at; `null` until the bodies are framed. */
export const camera = signal<{ position: Point; target: Point } | null>(null);

const VIEW_SIGNALS = { frame, compare, look, follows, showsDepth, camera };
/** What the stage shows, and from where. */
export type StageView = { [Name in keyof typeof VIEW_SIGNALS]: (typeof VIEW_SIGNALS)[Name]["value"] };

export function currentView(): StageView {
  return Object.fromEntries(Object.entries(VIEW_SIGNALS).map(([name, { value }]) => [name, value])) as StageView;
}

/** Shows a view again; what it does not have stays. */
export function restoreView(view: Partial<StageView>): void {
  for (const [name, own] of Object.entries(VIEW_SIGNALS)) {
    const value = view[name as keyof StageView];
    if (value !== undefined) (own as { value: unknown }).value = value;
  }
}

/** Number of frames of the clip that is used. */
export const frameCount = computed(
  () => solved.value?.frames ?? files.value.source?.opened.frames ?? 0,
);
export const frameTime = computed(
  () => solved.value?.frame_time ?? files.value.source?.opened.frame_time ?? 1 / 30,
);

/** Goes to a frame of the stage, or to the nearest that there is. */
export function goTo(to: number): void {
  frame.value = Math.min(Math.max(to, 0), Math.max(frameCount.value - 1, 0));
}

/** The frame on the stage of a frame of a report, which counts from the begin of the source's file. */
export function onStage(frame: number): number {
  return frame - (solved.value?.first_frame ?? 0);
}

/** Name of the file of a side without its ending. */
export function stem(side: Side): string {
  return (files.value[side]?.name ?? side).replace(/\.[^.]*$/, "");
}

/** Documents that can be gone back to, and forward. */
export const undoSteps = signal<Document[]>([]);
export const redoSteps = signal<Document[]>([]);
/** Cards as they were saved last. */
export const savedCards = signal<Record<Side, string>>({ source: "", target: "" });
export const hasUnsavedCards = computed(() => {
  const { source, target } = document_.value.cards;
  return source !== savedCards.value.source || target !== savedCards.value.target;
});

const MAX_UNDO = 200;
/** Milliseconds in which changes of one field are one step of undo. */
const ONE_STEP = 1000;
let lastStep = { field: "", at: 0 };

/** Changes the document as one step of undo; changes of one field shortly after each other are one step. */
export function change(next: Document, field: string, now = performance.now()): void {
  const isSame = field !== "" && field === lastStep.field && now - lastStep.at < ONE_STEP;
  if (!isSame) undoSteps.value = [...undoSteps.value, document_.value].slice(-MAX_UNDO);
  lastStep = { field, at: now };
  redoSteps.value = [];
  document_.value = next;
}

/** Begins anew: no corrections, nothing to undo. */
export function begin(): void {
  document_.value = EMPTY_DOCUMENT;
  savedCards.value = EMPTY_DOCUMENT.cards;
  undoSteps.value = redoSteps.value = [];
}

export function undo(): void {
  step(undoSteps, redoSteps);
}

export function redo(): void {
  step(redoSteps, undoSteps);
}

function step(from: typeof undoSteps, to: typeof undoSteps): void {
  const next = from.value.at(-1);
  if (!next) return;
  from.value = from.value.slice(0, -1);
  to.value = [...to.value, document_.value];
  lastStep = { field: "", at: 0 };
  document_.value = next;
}

export function say(text: string): void {
  messages.value = [...messages.value, text].slice(-5);
}

export function closeMessages(): void {
  messages.value = [];
  trap.value = null;
}
