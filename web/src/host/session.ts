// The files of `rebone studio`: opened at the start, cards saved in place, both texts kept where one changed meanwhile.

import { signal } from "@preact/signals";
import type { Side } from "../engine/protocol";
import * as state from "../state";
import type { Work } from "../work";
import { download } from "./download";
import { cardOf, HostError, type HostFile, type HostFiles, Server } from "./server";

/** A card that changed on disk since it was read. */
export interface Conflict {
  side: Side;
  name: string;
  onDisk: string;
  tag: string | null;
}

/** Where cards are saved; `tag` is that of the text on disk, `null` where there is none. */
type CardFiles = Partial<Record<Side, { file: HostFile; tag: string | null }>>;

export const server = Server.here();
export const conflicts = signal<Conflict[]>([]);
let files: HostFiles | null = null;
const cards: CardFiles = {};

/** Opens the files of the command line. Corrections that a reload kept stay, if they are of the same files. */
export async function openNamed(work: Work): Promise<HostFiles | null> {
  if (!server) return null;
  files = await server.opened();
  const { source, target } = files;
  if (!source && !target) return files;
  const kept = state.files.value;
  const isSame = (kept.source?.name ?? null) === (source?.name ?? null) && (kept.target?.name ?? null) === (target?.name ?? null);
  if (!isSame) state.begin();
  const view = state.currentView();
  for (const side of ["source", "target"] as const) {
    const file = files[side];
    const content = file && (await server.read(file));
    if (file && content) await work.open(side, file.name, content.bytes, keptClip(side, isSame));
    const card = cardOf(files, side);
    if (card) await takeCard(server, side, card, isSame);
  }
  if (isSame) {
    state.restoreView(view);
  } else {
    const read = async (file: HostFile | null) => (file && (await server.readText(file)).text) ?? "";
    state.document_.value = { ...state.document_.value, map: await read(files.map), contacts: await read(files.contacts) };
  }
  return files;
}

function keptClip(side: Side, isSame: boolean): string | undefined {
  const clip = isSame ? state.files.value[side]?.opened.clip : null;
  return clip === null || clip === undefined ? undefined : String(clip);
}

/** Reads a card from disk as the saved text of a side, and as its text unless there are corrections that are not saved. */
export async function takeCard(from: Server, side: Side, file: HostFile, keeps: boolean): Promise<void> {
  const { text: onDisk, tag } = await from.readText(file);
  cards[side] = { file, tag };
  const before = state.savedCards.value[side];
  const own = state.document_.value.cards[side];
  const isChanged = keeps && own !== before;
  state.savedCards.value = { ...state.savedCards.value, [side]: onDisk };
  if (!isChanged) setText(side, onDisk);
  else if (onDisk !== before && onDisk !== own) tell({ side, name: file.name, onDisk, tag });
}

function setText(side: Side, card: string): void {
  const now = state.document_.value;
  state.document_.value = { ...now, cards: { ...now.cards, [side]: card } };
}

function tell(conflict: Conflict): void {
  conflicts.value = [...conflicts.value.filter(({ side }) => side !== conflict.side), conflict];
}

/** Saves the card of a side: in its place, or as a download where there is no host or it does not answer. */
export async function saveCard(side: Side): Promise<void> {
  const card = state.document_.value.cards[side];
  const place = cards[side];
  const asDownload = () => download(`${state.stem(side)}.toml`, new TextEncoder().encode(card).buffer);
  if (!server || !place) {
    asDownload();
  } else {
    try {
      place.tag = await server.write(place.file, card, place.tag);
      state.say(`Saved ${place.file.name}`);
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      if (error.status === 412) {
        const { text: onDisk, tag } = await server.readText(place.file);
        return tell({ side, name: place.file.name, onDisk, tag });
      }
      state.say(`${error.message} The card is a download instead.`);
      asDownload();
    }
  }
  state.savedCards.value = { ...state.savedCards.value, [side]: card };
}

/** Ends a conflict: with one's own card, which is saved over the one on disk, or with that on disk. */
export async function settle(conflict: Conflict, keeps: "own" | "disk"): Promise<void> {
  const { side, onDisk, tag } = conflict;
  conflicts.value = conflicts.value.filter((own) => own !== conflict);
  const place = cards[side];
  if (place) place.tag = tag;
  if (keeps === "own") return saveCard(side);
  state.savedCards.value = { ...state.savedCards.value, [side]: onDisk };
  const now = state.document_.value;
  state.change({ ...now, cards: { ...now.cards, [side]: onDisk } }, "");
}

/** Writes a result into the folder of the command line, else as a download. */
export async function saveResult(name: string, bytes: ArrayBuffer): Promise<void> {
  if (!server || !files?.writes_results) return download(name, bytes);
  try {
    state.say(`Wrote ${await server.writeResult(name, bytes)}`);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    state.say(`${error.message} The result is a download instead.`);
    download(name, bytes);
  }
}
