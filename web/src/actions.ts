// Actions of a person: each is one edit of the document, or a file that is opened or written.

import type { CardChange, Document, Edit, OutputFormat, Side } from "./engine/protocol";
import { EngineError } from "./engine/protocol";
import { download } from "./host/download";
import { saveCard, saveResult } from "./host/session";
import { listClips } from "./library";
import type { OpenFile } from "./state";
import * as state from "./state";
import type { Work } from "./work";

let work: Work;

export function begin(own: Work): void {
  work = own;
}

/** Does something, and says what failed. */
export async function tell(doing: Promise<unknown>): Promise<void> {
  try {
    await doing;
  } catch (error) {
    state.say(error instanceof EngineError ? error.message : String(error));
  }
}

/** Replaces the card of a side. */
export function setCard(side: Side, card: string, field = "", at?: number): void {
  const now = state.document_.value;
  if (now.cards[side] === card) return;
  state.change({ ...now, cards: { ...now.cards, [side]: card } }, field, at);
}

/** Edits of cards one after another, so that each is made of the card that the one before wrote. */
let rewriting: Promise<void> = Promise.resolve();

/** Edits the card of a side, and ends when what follows is on the stage. Edits of one field at times shortly after each other
 * are one step of undo. */
export function edit(side: Side, edits: Edit[], field = "", at?: number): Promise<void> {
  const ask = (document: Document) => work.card({ do: "edit", side, document, edits });
  return rewrite(side, ask, field, at).then(() => work.answered());
}

/** Writes the card of a side with a correction. */
export function correct(side: Side, change: CardChange): Promise<void> {
  return rewrite(side, (document) => work.card({ do: "card", side, document, ...change }));
}

/** Replaces the card of a side by what is made of the document. An undo or another file meanwhile counts more. */
function rewrite(side: Side, ask: (document: Document) => Promise<string>, field = "", at?: number): Promise<void> {
  const file = state.files.value[side];
  rewriting = rewriting.then(() => tell((async () => {
    if (state.files.value[side] !== file) return;
    const document = state.document_.value;
    const card = await ask(document);
    const isNewest = state.document_.value.cards[side] === document.cards[side] && state.files.value[side] === file;
    if (isNewest) setCard(side, card, field, at);
  })()));
  return rewriting;
}

export function setOption(name: string, value: unknown): void {
  const now = state.document_.value;
  const options = { ...now.options };
  if (value === undefined) delete options[name];
  else options[name] = value;
  state.change({ ...now, options }, name);
}

/** Bytes of the largest card, map or file of contacts. */
const MAX_TEXT_BYTES = 4 << 20;
const TEXTS = /\.(toml|tsv|txt|json)$/i;

/** Files that are opened one after another: those that were dropped last are the ones that stay. */
let opening: Promise<void> = Promise.resolve();

/** Opens files that were dropped or chosen. The one with motion is the source; a card, a map or contacts are used. */
export function openFiles(list: File[], wanted?: Side): Promise<void> {
  opening = opening.then(() => tell(openAll(list, wanted)));
  return opening;
}

async function openAll(list: File[], wanted?: Side): Promise<void> {
  await openMotions(list.filter(({ name }) => !TEXTS.test(name)), wanted);
  for (const file of list.filter(({ name }) => TEXTS.test(name))) await openText(file, wanted);
}

/** Uses a card, a map or contacts. */
async function openText(file: File, wanted?: Side): Promise<void> {
  if (file.size > MAX_TEXT_BYTES) return state.say(`${file.name}: found ${file.size} bytes, expected at most ${MAX_TEXT_BYTES}`);
  const text = await file.text();
  if (/\.toml$/i.test(file.name)) setCard(wanted ?? "target", text);
  else if (/\.json$/i.test(file.name)) state.change({ ...state.document_.value, contacts: text }, "");
  else state.change({ ...state.document_.value, map: text }, "");
}

async function openMotions(motions: File[], wanted?: Side): Promise<void> {
  if (motions.length > 2) return openMany(motions);
  const [first, second] = motions;
  if (first && second) {
    // A file without a mesh is likely the motion, and of two alike the first.
    const isSwapped = isCharacter(first) && !isCharacter(second);
    const [source, target] = isSwapped ? [second, first] : [first, second];
    await openFile(source, "source");
    await openFile(target, "target");
    const frames = (side: Side) => state.files.value[side]?.opened.frames ?? 0;
    if (frames("source") < 2 && frames("target") > 1) {
      await openFile(target, "source");
      await openFile(source, "target");
    }
  } else if (first) {
    await openFile(first, wanted ?? sideOf(first));
  }
}

/** The side of a file that is dropped alone: the one that is free, else a character is the target. */
function sideOf(file: File): Side {
  const { source, target } = state.files.value;
  if (isCharacter(file)) return target && !source ? "source" : "target";
  return source && !target ? "target" : "source";
}

const isCharacter = (file: File) => /\.(vrm|glb|gltf|fbx)$/i.test(file.name);

/** Opens a character and lists the other files as its clips; without a character among them, for the one that is open. */
async function openMany(motions: File[]): Promise<void> {
  const characters = motions.filter(isCharacter);
  const target = characters.length === 1 ? characters[0] : undefined;
  if (target) await openFile(target, "target");
  if (!state.files.value.target) return state.say("Open a character first, then drop its clips.");
  const clips = motions.filter((file) => file !== target);
  if (clips[0]) await openFile(clips[0], "source");
  await tell(listClips(clips, work.library(), (file) => openFile(file, "source")));
}

async function openFile(file: File, side: Side): Promise<void> {
  const before = state.files.value[side];
  await openBytes(side, file.name, await file.arrayBuffer());
  const now = state.files.value[side];
  if (before && now && now !== before) dropCard(side, before, now);
}

/** Puts the card of a file aside where another file takes its place: of a motion where it has other joints, else by its name. */
function dropCard(side: Side, before: OpenFile, now: OpenFile): void {
  const names = ({ opened }: OpenFile) => opened.joints.map(({ name }) => name).join("\n");
  const isSame = side === "source" ? names(before) === names(now) : before.name === now.name;
  if (isSame || state.document_.value.cards[side] === "") return;
  setCard(side, "");
  state.say(`${now.name}: the card of ${before.name} is not used for it; undo brings it back`);
}

export function openBytes(side: Side, name: string, bytes: ArrayBuffer, clip?: string): Promise<void> {
  return tell(work.open(side, name, bytes, clip));
}

export function openClip(side: Side, clip: string): Promise<void> {
  const file = state.files.value[side];
  return file ? openBytes(side, file.name, file.bytes, clip) : Promise.resolve();
}

const EXTENSIONS: Record<OutputFormat, string> = {
  bvh: ".bvh", glb: ".glb", vrm: ".vrm", vrma: ".vrma", "rotation-table": ".json",
};

/** Writes the result. Where a guess blocks the program, asks once. */
export function exportResult(format: OutputFormat): Promise<void> {
  const blocking = (state.understanding.value?.doubts ?? []).filter((doubt) => doubt.blocks);
  const question = `The program is not sure:\n${blocking.map((doubt) => doubt.text).join("\n")}\nWrite the result all the same?`;
  if (blocking.length > 0 && !confirm(question)) return Promise.resolve();
  const name = `${state.stem("source")}-on-${state.stem("target")}${EXTENSIONS[format]}`;
  return tell(work.write(format).then((bytes) => saveResult(name, bytes)));
}

export function saveCards(): void {
  for (const side of ["source", "target"] as const) {
    if (state.document_.value.cards[side] === state.savedCards.value[side]) continue;
    void tell(saveCard(side));
  }
}

/** Saves a report of the last trap of the engine. */
export function saveTrapReport(): void {
  const text = JSON.stringify({ ...state.trap.value, browser: navigator.userAgent }, null, 2);
  download("rebone-studio-report.json", new TextEncoder().encode(text).buffer);
}

/** The picking whose joints are being checked. */
let judged: state.Picking | null = null;

/** Takes a joint for the role that is being picked. */
export function take(side: Side, joint: number): void {
  const picking = state.picking.value;
  if (picking !== null && picking === judged) return;
  if (!picking || picking.side !== side) {
    state.selected.value = { side, joint };
    return;
  }
  if (picking.isList) {
    state.picking.value = { ...picking, joints: [...picking.joints, joint] };
    return;
  }
  state.selected.value = { side, joint };
  void stateRole(picking, [joint]);
}

/** Ends picking the joints of a list. */
export function endPicking(): void {
  const picking = state.picking.value;
  if (picking && picking.joints.length > 0) void stateRole(picking, picking.joints);
  else state.picking.value = null;
}

/** States the joints of a role. If the body could not be analysed with them, nothing changes: picking goes on, and says why. A
 * document that already has an error is edited without this check, as several roles may have to be stated before it works. */
function stateRole(picking: state.Picking, joints: number[]): Promise<void> {
  const { side, role } = picking;
  const own = { ...picking };
  state.picking.value = judged = own;
  return rewrite(side, async (document) => {
    const card = await work.card({ do: "edit", side, document, edits: [{ set: "role", role, joints }] });
    const next = { ...document, cards: { ...document.cards, [side]: card } };
    const causes = state.failure.value ? [] : await work.faults(next, side);
    // It was let go, or another file was opened.
    if (state.picking.value === null) return document.cards[side];
    const isWaiting = state.picking.value === own;
    if (isWaiting) state.picking.value = causes.length === 0 ? null : { ...picking, joints: [], refused: { joints, causes, document } };
    else if (causes.length > 0) state.say(`${role} is not changed: ${causes.join(": ")}`);
    return causes.length === 0 ? card : document.cards[side];
  });
}

/** States the joints that were refused all the same, for instance before another role is picked with which they are right. */
export function useRefused({ side, role, refused }: state.Picking): void {
  state.picking.value = null;
  if (refused) void edit(side, [{ set: "role", role, joints: refused.joints }]);
}
