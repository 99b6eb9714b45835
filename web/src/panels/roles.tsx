// The tree of all joints of a side with their roles, and the joint that is selected.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { edit, endPicking, take, useRefused } from "../actions";
import type { JointSummary } from "../engine/protocol";
import * as state from "../state";
import { percent } from "./doubts";
import { Figure } from "./figure";
import { certainty, isSelected, side, startPicking } from "./understood";

const filter = signal("");

export function Roles() {
  const summary = state.understanding.value?.sides[side.value];
  const joints = summary?.joints ?? [];
  const depth = new Map<number, number>();
  for (const joint of joints) depth.set(joint.index, joint.parent === null ? 0 : (depth.get(joint.parent) ?? 0) + 1);
  const wanted = filter.value.toLowerCase();
  const shown = joints.filter((joint) => `${joint.name} ${joint.role?.name ?? ""}`.toLowerCase().includes(wanted));
  const tree = useRef<HTMLUListElement>(null);
  useEffect(() => scrollToSelected(tree.current), [state.selected.value, side.value]);
  return (
    <section aria-labelledby="roles">
      <h2 id="roles">Roles</h2>
      <div class="tabs" role="tablist" aria-label="File">
        {(["source", "target"] as const).map((own) => (
          <button key={own} type="button" role="tab" aria-selected={side.value === own} class={own}
            onClick={() => (side.value = own)}>{own}</button>
        ))}
      </div>
      {summary && <Figure joints={joints} />}
      <input type="search" placeholder="filter" aria-label="Filter joints" value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)} />
      <ul ref={tree} class="tree" role="tree" aria-label={`Joints of the ${side.value}`} onKeyDown={walk}>
        {shown.map((joint) => (
          <Joint key={joint.index} joint={joint} depth={depth.get(joint.index) ?? 0} />
        ))}
      </ul>
      {summary?.absent && summary.absent.length > 0 && <Absent roles={summary.absent} />}
    </section>
  );
}

/** Tells that a click picks the joint of a role. */
export function Picking() {
  const picking = state.picking.value;
  if (!picking) return null;
  const { side } = picking;
  const refused = picking.refused?.document === state.document_.value ? picking.refused : undefined;
  const names = refused?.joints.map((joint) => state.understanding.value?.sides[side]?.joints[joint]?.name ?? "").join(", ");
  return (
    <p class="picking" role="status">
      {refused && <span class="failure">Cannot use {names}: {(refused.causes.length > 1 ? refused.causes.slice(1) : refused.causes).join(": ")}. </span>}
      {refused && <button type="button" onClick={() => useRefused(picking)}>Use it anyway</button>}
      Pick the joint{picking.isList ? "s" : ""} of <b>{picking.role}</b> in the stage or in the tree.
      {picking.isList && <button type="button" onClick={endPicking}>Done ({picking.joints.length})</button>}
      <button type="button" onClick={() => (state.picking.value = null)}>Cancel</button>
    </p>
  );
}

/** Scrolls the tree, and nothing around it, to the row of the joint that is selected. */
function scrollToSelected(tree: HTMLElement | null): void {
  const row = tree?.querySelector<HTMLElement>("[aria-selected=true]");
  if (!tree || !row) return;
  const { scrollTop, clientHeight } = tree;
  const isSeen = row.offsetTop >= scrollTop && row.offsetTop + row.offsetHeight <= scrollTop + clientHeight;
  if (!isSeen) tree.scrollTop = row.offsetTop - clientHeight / 2;
}

/** Arrow keys walk through the rows. */
function walk(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  event.preventDefault();
}

function Joint({ joint, depth }: { joint: JointSummary; depth: number }) {
  const isOwn = isSelected(joint.index);
  const role = joint.role;
  const own = certainty(joint);
  const mark = { none: "", sure: "●", half: "◐", low: "!" }[own];
  return (
    <li role="treeitem" aria-level={depth + 1} aria-selected={isOwn} tabIndex={isOwn || joint.index === 0 ? 0 : -1}
      class="joint" title={joint.name} style={{ paddingLeft: `${0.2 + 0.3 * Math.min(depth, 16)}em` }}
      onClick={() => take(side.value, joint.index)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          // Enter on a joint of the list ends it.
          if (event.key === "Enter" && state.picking.value?.joints.includes(joint.index)) endPicking();
          else take(side.value, joint.index);
          event.preventDefault();
        }
      }}>
      <span class={`mark ${own}`} aria-hidden="true">{mark}</span>
      <span class="name">{joint.name}</span>
      {role && <span class="role">{role.name} {own !== "sure" && percent(role.confidence)}</span>}
    </li>
  );
}

/** Roles that no joint plays: each can be picked. */
function Absent({ roles }: { roles: string[] }) {
  return (
    <details>
      <summary>{roles.length} roles without a joint</summary>
      <p class="chips">
        {roles.map((role) => (
          <button key={role} type="button" onClick={() => startPicking(role)}>{role}</button>
        ))}
      </p>
    </details>
  );
}

/** The joint that is selected: its role with the reason, and the statements that a card can make of it. */
export function Selected() {
  const selected = state.selected.value;
  const joints = selected ? (state.understanding.value?.sides[selected.side]?.joints ?? []) : [];
  const joint = selected && joints[selected.joint];
  if (!selected || !joint) return <section><h2>Selected</h2><p class="quiet">Click a joint in the stage or in the tree.</p></section>;
  const role = joint.role;
  const runnerUp = joints.find((own) => own.name === role?.runner_up);
  const stateRole = (of: number[] | null) =>
    role && void edit(selected.side, [{ set: "role", role: role.name, joints: of }]);
  return (
    <section aria-label="Selected joint">
      <h2 class={selected.side}>{joint.name}</h2>
      {role ? (
        <>
          <p><b>{role.name}</b> {percent(role.confidence)}: {role.reason}</p>
          <p class="chips">
            {runnerUp && <button type="button" onClick={() => stateRole([runnerUp.index])}>Take {runnerUp.name}</button>}
            <button type="button" onClick={() => startPicking(role.name, selected.side)}>Pick… (P)</button>
            <button type="button" onClick={() => stateRole([])}>Nobody</button>
            <button type="button" onClick={() => stateRole(null)}>As worked out</button>
          </p>
        </>
      ) : <p class="quiet">No role. It follows its parent.</p>}
    </section>
  );
}

/** Begins to pick the role of the joint that is selected. */
export function pickSelected(): void {
  const selected = state.selected.value;
  const role = selected && state.understanding.value?.sides[selected.side]?.joints[selected.joint]?.role;
  if (!selected || !role) return;
  startPicking(role.name, selected.side);
}
