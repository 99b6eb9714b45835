// Many results: those of a batch, or of clips that were dropped together; each can be opened, accepted and flagged.

import { computed, signal } from "@preact/signals";
import type { Engine } from "./engine/engine";
import { EngineError, type Grade, type Opened, type Solved } from "./engine/protocol";
import type { HostFiles, HostRow, Server } from "./host/server";
import { takeCard } from "./host/session";
import { download } from "./host/download";
import * as state from "./state";
import type { Work } from "./work";

export interface Row {
  name: string;
  verdict: Grade | null;
  score: number | null;
  reason: string | null;
  error: string | null;
  /** Opens source and target. */
  open(): Promise<void>;
}

/** A mark of a person on a result. */
export interface Mark {
  mark: "accepted" | "flagged";
  note?: string;
}

export const rows = signal<Row[]>([]);
export const marks = signal<Record<string, Mark>>({});
export const current = signal<string | null>(null);
/** The field of the note is to be typed in next. */
export const isNoting = signal(false);
/** Verdict and part of the name of the rows that are listed, `isUnmarked` leaves out those with a mark. */
export const filter = signal<{ verdict: Grade | null; name: string; isUnmarked: boolean }>({ verdict: null, name: "", isUnmarked: false });

/** Rows that are listed: those without a result first, then by score, the worst first. */
export const listed = computed(() => {
  const { verdict, name, isUnmarked } = filter.value;
  const wanted = rows.value.filter((row) =>
    (verdict === null || row.verdict === verdict) &&
    row.name.toLowerCase().includes(name.toLowerCase()) &&
    !(isUnmarked && marks.value[row.name] && row.name !== current.value));
  return wanted.sort((a, b) => (a.score ?? -1) - (b.score ?? -1) || a.name.localeCompare(b.name));
});

/** Opens a row. */
export async function openRow(row: Row): Promise<void> {
  current.value = row.name;
  await row.open();
}

/** Opens the next listed row that has no mark, after the one that is open. */
export async function openNext(): Promise<void> {
  const all = listed.value;
  const at = all.findIndex(({ name }) => name === current.value);
  const next = [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].find(({ name }) => !marks.value[name]);
  if (next) await openRow(next);
}

// A review is written one after another: each needs the tag of the one before.
let saving: Promise<void> = Promise.resolve();
/** A mark is not in the host's review: it is being written, or could not be. */
export const isReviewUnsaved = signal(false);
let review: { server: Server; file: NonNullable<HostFiles["review"]>; tag: string | null } | null = null;

/** Marks the row that is open, or takes its mark back; the host's review is written at once. */
export function markCurrent(mark: Mark | null): Promise<void> {
  const name = current.value;
  if (name === null) return Promise.resolve();
  const { [name]: _, ...others } = marks.value;
  marks.value = mark ? { ...others, [name]: mark } : others;
  return save();
}

/** Flags the row that is open, and asks for its note. */
export function flagCurrent(): Promise<void> {
  const before = marks.value[current.value ?? ""];
  isNoting.value = current.value !== null;
  return markCurrent(before?.mark === "flagged" ? before : { mark: "flagged" });
}

/** Listed rows that have no mark. */
export const unmarked = computed(() => listed.value.filter(({ name }) => !marks.value[name]));

/** Accepts all listed rows that have no mark. */
export function acceptListed(): Promise<void> {
  const accepted: Mark = { mark: "accepted" };
  marks.value = { ...marks.value, ...Object.fromEntries(unmarked.value.map(({ name }) => [name, accepted])) };
  return save();
}

function save(): Promise<void> {
  const own = saving.catch(() => undefined).then(writeReview);
  saving = own;
  isReviewUnsaved.value = true;
  return own.then(() => {
    if (saving === own) isReviewUnsaved.value = false;
  });
}

async function writeReview(): Promise<void> {
  if (review) review.tag = await review.server.write(review.file, reviewText(), review.tag);
}

function reviewText(): string {
  const lines = Object.entries(marks.value).map(([name, mark]) => JSON.stringify({ name, ...mark }));
  return lines.sort().map((line) => `${line}\n`).join("");
}

/** Gives the review as a file. */
export function downloadReview(): void {
  download("review.jsonl", new TextEncoder().encode(reviewText()).buffer);
}

/** Lists the results of the batch that the command line names, with the marks of its review. */
export async function listBatch(server: Server, files: HostFiles, work: Work): Promise<void> {
  if (!files.review) return;
  const found = await server.library();
  const { text, tag } = await server.readText(files.review);
  review = { server, file: files.review, tag };
  const lines = text.split("\n").filter((line) => line !== "");
  marks.value = Object.fromEntries(lines.map((line) => {
    const { name, ...mark } = JSON.parse(line) as Mark & { name: string };
    return [name, mark];
  }));
  rows.value = found.map((row) => ({
    name: row.name,
    verdict: row.verdict as Grade | null,
    score: row.score,
    reason: row.reason,
    error: row.error,
    open: () => openBatchRow(server, row, work),
  }));
  if (!files.source && !files.target) await openNext();
}

async function openBatchRow(server: Server, row: HostRow, work: Work): Promise<void> {
  state.begin();
  for (const side of ["source", "target"] as const) {
    const content = await server.read(row[side]);
    if (!content) throw new Error(`${row[side].name} is not there any more`);
    const clip = side === "source" && row.clip !== null ? String(row.clip) : undefined;
    await work.open(side, row[side].name, content.bytes, clip);
    const card = row[`${side}_card`];
    if (card) await takeCard(server, side, card, false);
  }
}

/** Lists clips for the target that is open, and solves one after another; bytes are read when they are needed. */
export async function listClips(clips: File[], engine: Engine, openSource: (file: File) => Promise<void>): Promise<void> {
  const target = state.files.value.target;
  if (!target) return;
  const names = new Set(clips.map(({ name }) => name));
  const own = clips.map((file): Row => ({
    name: file.name, verdict: null, score: null, reason: null, error: null, open: () => openSource(file),
  }));
  rows.value = [...rows.value.filter(({ name }) => !names.has(name)), ...own];
  await engine.open<Opened>({ do: "open", side: "target", name: target.name }, target.bytes);
  for (const file of clips) {
    const graded = await grade(file, engine);
    rows.value = rows.value.map((row) => (row.name === file.name ? { ...row, ...graded } : row));
  }
}

async function grade(file: File, engine: Engine): Promise<Partial<Row>> {
  const { cards, map, options } = state.document_.peek();
  const document = { cards: { source: "", target: cards.target }, map, contacts: "", options };
  try {
    await engine.open<Opened>({ do: "open", side: "source", name: file.name }, await file.arrayBuffer());
    const { fields } = await engine.ask<Solved>({ do: "solve", document });
    const verdict = fields.report.verdict;
    return { verdict: verdict?.verdict ?? null, score: verdict?.score ?? null, reason: verdict?.reasons[0]?.text ?? null };
  } catch (error) {
    return { error: error instanceof EngineError ? error.message : String(error) };
  }
}
