// The whole page: bar, doubts and roles, stage, selected joint and calibration, timeline.

import { useEffect, useRef } from "preact/hooks";
import { exportResult, openClip, openFiles, saveCards, saveTrapReport, take } from "../actions";
import type { OutputFormat, Side } from "../engine/protocol";
import type { Stage } from "../stage/stage";
import * as state from "../state";
import { AXES } from "../turns";
import { rows } from "../library";
import { before, drawing } from "../work";
import { Calibration } from "./calibration";
import { CardText } from "./card";
import { Conflicts } from "./conflict";
import { DepthLegend } from "./depth";
import { Doubts } from "./doubts";
import { Goals } from "./goals";
import { Help } from "./help";
import { Library } from "./library";
import { Picking, Roles, Selected } from "./roles";
import { Timeline } from "./timeline";

export interface Parts {
  makeStage(canvas: HTMLCanvasElement): Stage;
  openSample(): Promise<void>;
}

export function App({ parts }: { parts: Parts }) {
  const { source, target } = state.files.value;
  return (
    <div class="page" onDragOver={(event) => event.preventDefault()} onDrop={(event) => {
      event.preventDefault();
      void openFiles([...(event.dataTransfer?.files ?? [])]);
    }}>
      <Bar />
      {source || target || rows.value.length > 0 ? <Open parts={parts} /> : <Start parts={parts} />}
      <Conflicts />
      <div class="messages" role="status">
        {state.messages.value.map((text, index) => <p key={index}>{text}</p>)}
        {state.trap.value && <button type="button" onClick={saveTrapReport}>Save a report of it</button>}
        {state.messages.value.length > 0 &&
          <button type="button" onClick={state.closeMessages}>Close</button>}
      </div>
      {state.isHelpOpen.value && <Help />}
    </div>
  );
}

function Bar() {
  const { source, target } = state.files.value;
  const formats: OutputFormat[] = target?.opened.is_vrm ? ["vrm", "vrma", "glb", "bvh", "rotation-table"] : ["glb", "bvh", "vrma", "rotation-table"];
  return (
    <header class="top">
      <h1>rebone studio</h1>
      <FileName side="source" /> <span aria-hidden="true">►</span> <FileName side="target" />
      {(["map", "contacts"] as const).filter((kind) => state.document_.value[kind] !== "").map((kind) => (
        <button key={kind} type="button" aria-label={`Leave the ${kind} out`}
          onClick={() => state.change({ ...state.document_.value, [kind]: "" }, "")}>{kind} ✕</button>
      ))}
      <span class="grow" />
      <button type="button" disabled={state.undoSteps.value.length === 0} onClick={state.undo} aria-label="Undo">↶</button>
      <button type="button" disabled={state.redoSteps.value.length === 0} onClick={state.redo} aria-label="Redo">↷</button>
      <button type="button" disabled={!state.hasUnsavedCards.value} onClick={saveCards}>Save cards</button>
      <label class="export">Export
        <select aria-label="Export the result as" disabled={!source || !target || state.failure.value !== null} value=""
          onChange={(event) => {
            void exportResult(event.currentTarget.value as OutputFormat);
            event.currentTarget.value = "";
          }}>
          <option value="" disabled>…</option>
          {formats.map((format) => <option key={format} value={format}>{format}</option>)}
        </select>
      </label>
      <button type="button" aria-label="Help" onClick={() => (state.isHelpOpen.value = true)}>?</button>
    </header>
  );
}

function FileName({ side }: { side: Side }) {
  const file = state.files.value[side];
  const clips = file?.opened.clips ?? [];
  return (
    <span class="file">
      <Choose side={side} label={file?.name ?? (side === "source" ? "motion…" : "character…")} />
      {side === "source" && clips.length > 1 && (
        <select aria-label="Clip" value={String(file?.opened.clip ?? 0)}
          onChange={(event) => void openClip(side, event.currentTarget.value)}>
          {clips.map((clip, index) => <option key={index} value={String(index)}>{clip}{file?.opened.empty_clips.includes(index) && " (empty)"}</option>)}
        </select>
      )}
    </span>
  );
}

function Choose({ side, label }: { side: Side; label: string }) {
  return (
    <label class={`choose ${side}`}>{label}
      <input type="file" multiple data-side={side}
        onChange={(event) => void openFiles([...(event.currentTarget.files ?? [])], side)} />
    </label>
  );
}

function Start({ parts }: { parts: Parts }) {
  return (
    <main class="start">
      <p>Drop a motion and a character here{state.formats.value && ": "}{state.formats.value}. Files stay on this computer.</p>
      <div class="drops">
        <Choose side="source" label="Choose a motion…" />
        <span aria-hidden="true">►</span>
        <Choose side="target" label="Choose a character…" />
      </div>
      <button type="button" onClick={() => void parts.openSample()}>Try it with a sample</button>
    </main>
  );
}

function Open({ parts }: { parts: Parts }) {
  return (
    <main class="open">
      <div class="left"><Library /><Doubts /><Roles /></div>
      <StageView parts={parts} />
      <div class="right"><Selected /><Calibration /><Goals /><CardText /></div>
      <Timeline />
    </main>
  );
}

function StageView({ parts }: { parts: Parts }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  useEffect(() => {
    if (!canvas.current || stage.current) return;
    try {
      stage.current = parts.makeStage(canvas.current);
    } catch {
      state.say("This browser has no WebGL: numbers, roles, card and verdict work without the picture.");
    }
  }, [parts]);
  const pick = (event: MouseEvent) => {
    const found = stage.current?.pick(event.offsetX, event.offsetY, state.picking.value?.side);
    if (found) take(found.side, found.joint);
  };
  return (
    <div class="stage">
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={describe()} onClick={pick} />
      <div class="tools">
        <select aria-label="Compare" value={state.compare.value}
          onChange={(event) => (state.compare.value = event.currentTarget.value as state.Compare)}>
          <option value="overlay">Overlay</option>
          <option value="side-by-side">Side by side</option>
          <option value="onion">Onion</option>
          <option value="before">Before the edit</option>
          <option value="calibration">Calibration poses</option>
        </select>
        <select aria-label="Draw" value={state.look.value}
          onChange={(event) => (state.look.value = event.currentTarget.value as state.Look)}>
          <option value="both">Skin and bones</option>
          <option value="skin">Skin</option>
          <option value="bones">Bones</option>
        </select>
        <label><input type="checkbox" checked={state.follows.value}
          onChange={(event) => (state.follows.value = event.currentTarget.checked)} /> Follow</label>
        <label title="How deep hands of the result are in its body"><input type="checkbox" checked={state.showsDepth.value}
          onChange={(event) => (state.showsDepth.value = event.currentTarget.checked)} /> Depth</label>
        {(["front", "side", "top"] as const).map((from) => (
          <button key={from} type="button" aria-label={`View from the ${from}`}
            onClick={() => drawing.view(from)}>{from[0]?.toUpperCase()}</button>
        ))}
      </div>
      <div class="legend">
        <p><span class="source">■ source</span> <span class="target">■ result</span>
          {state.isTurning.value && <span> · drag a ring: {AXES.map((axis) => <span key={axis} class={`axis ${axis}`}>{axis} </span>)}</span>}
        </p>
        {undrawnSkins().map((name) => <p key={name}>{name}: bones only, skins of FBX are not drawn yet</p>)}
        <p role="status">{beforeText()}</p>
        <DepthLegend />
        <Picking />
      </div>
    </div>
  );
}

/** Names of files with a skin that the stage does not draw, where skins are wanted. */
function undrawnSkins(): string[] {
  if (state.look.value === "bones") return [];
  const { source, target } = state.files.value;
  return [source, target].flatMap((file) => (file?.opened.has_other_mesh ? [file.name] : []));
}

/** Tells that the stage shows an earlier result; empty where it shows the newest. */
function beforeText(): string {
  // The poses are no signals; they change with these.
  void [state.document_.value, state.solved.value, state.frame.value, state.compare.value];
  if (!state.showsBefore.value) return "";
  return before() ? "before the last edit" : "nothing changes: no earlier result here";
}

/** A description of the stage in words. */
function describe(): string {
  const { source, target } = state.files.value;
  const verdict = state.solved.value?.report.verdict;
  const edit = beforeText();
  return `Frame ${state.frame.value} of ${source?.name ?? "no motion"} on ${target?.name ?? "no character"}${edit && ", "}${edit}` +
    (verdict ? `: ${verdict.verdict}, ${verdict.reasons[0]?.text ?? "no reason against it"}` : "");
}
