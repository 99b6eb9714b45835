// The figure of the body: a spot for each role of trunk, limbs and fingers. It faces the viewer, as the stage does in front.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { take } from "../actions";
import type { JointSummary } from "../engine/protocol";
import * as state from "../state";
import { percent } from "./doubts";
import { CERTAINTIES, type Certainty, certainty, isSelected, side, startPicking } from "./understood";

type Place = readonly [x: number, y: number];

/** Width of the picture in pixels, and its middle. */
const WIDTH = 240;
const MIDDLE = WIDTH / 2;
/** Side of a spot in pixels, the least that a pointer hits well. Places keep spots apart by as much. */
const SPOT = 24;

/** Heights of the roles in the middle. */
const TRUNK = { head: 14, neck: 40, upperChest: 66, chest: 92, spine: 118, hips: 144 };
/** Roles of a side: distance from the middle, and height. */
const LIMBS = {
  Shoulder: [26, 66], UpperArm: [54, 70], LowerArm: [68, 108], Hand: [80, 146],
  UpperLeg: [26, 168], LowerLeg: [29, 206], Foot: [32, 242], Toes: [40, 268],
} satisfies Record<string, Place>;
const FINGERS = {
  Thumb: [12, 30], Index: [36, 30], Middle: [60, 30], Ring: [84, 30], Little: [108, 30],
} satisfies Record<string, Place>;
/** Bones of VRM that the joints of the spine are, from the hips on. */
const SPINE = ["spine", "chest", "upperChest"] as const;

/** Lines from spot to spot. */
const BONES = (() => {
  const line = (places: Place[], sign: number) => `M${places.map(([x, y]) => `${MIDDLE + sign * x} ${y}`).join("L")}`;
  const both = (places: Place[]) => line(places, 1) + line(places, -1);
  const { Shoulder, UpperArm, LowerArm, Hand, UpperLeg, LowerLeg, Foot, Toes } = LIMBS;
  return line([[0, TRUNK.head], [0, TRUNK.hips]], 1) +
    both([[0, TRUNK.upperChest], Shoulder, UpperArm, LowerArm, Hand]) + both([[0, TRUNK.hips], UpperLeg, LowerLeg, Foot, Toes]);
})();

/** A place of the figure: a role, or a part of the joints of a list. */
interface Spot {
  name: string;
  role: string;
  at: Place;
  /** Joints that play the role. */
  joints: JointSummary[];
}

/** The spot that the tab key reaches; arrow keys go on from it. */
const reached = signal("");

export function Figure({ joints }: { joints: JointSummary[] }) {
  const playing = (role: string) => joints.filter((joint) => joint.role?.name === role);
  const trunk = (["head", "neck", "hips"] as const).map((role) => spot(role, role, [MIDDLE, TRUNK[role]], playing(role)));
  const body = [...trunk, ...spine(playing("spine")), ...sides(LIMBS, playing)];
  return (
    <>
      <Picture label={`Figure of the ${side.value}`} height={LIMBS.Toes[1] + TRUNK.head} spots={body}>
        <path d={BONES} />
      </Picture>
      <details>
        <summary>Fingers</summary>
        <Picture label={`Fingers of the ${side.value}`} height={46} spots={sides(FINGERS, playing)} />
      </details>
    </>
  );
}

function spot(name: string, role: string, at: Place, joints: JointSummary[]): Spot {
  return { name, role, at, joints };
}

/** Spots of the spine, a list of joints: up to three, each for a part of the joints. */
function spine(joints: JointSummary[]): Spot[] {
  const count = Math.min(Math.max(joints.length, 1), SPINE.length);
  return SPINE.slice(0, count).map((name, part) => spot(name, "spine", [MIDDLE, TRUNK[name]],
    joints.filter((_, index) => Math.floor((index * count) / joints.length) === part)));
}

/** Spots of both sides: the left of the figure is on the right of the picture. */
function sides(places: Record<string, Place>, playing: (role: string) => JointSummary[]): Spot[] {
  return ([["left", 1], ["right", -1]] as const).flatMap(([own, sign]) => Object.entries(places).map(([part, [x, y]]) =>
    spot(own + part, own + part, [MIDDLE + sign * x, y], playing(own + part))));
}

interface PictureParts {
  label: string;
  height: number;
  spots: Spot[];
  children?: ComponentChildren;
}

function Picture({ label, height, spots, children }: PictureParts) {
  const stop = (spots.find(({ name }) => name === reached.value) ?? spots[0])?.name;
  return (
    <div class="figure" role="toolbar" aria-label={`${label}. It faces you: its left is on the right of the picture`}
      style={{ width: `${WIDTH}px`, height: `${height}px` }} onKeyDown={(event) => walk(event, spots)}>
      <svg width={WIDTH} height={height} aria-hidden="true">
        {children}
        <text x={2} y={12}>its right</text>
        <text x={WIDTH - 2} y={12} text-anchor="end">its left</text>
      </svg>
      {spots.map((own) => <Button key={own.name} spot={own} isStop={own.name === stop} />)}
    </div>
  );
}

function Button({ spot: { name, role, at: [x, y], joints }, isStop }: { spot: Spot; isStop: boolean }) {
  const worst = [...joints].sort((a, b) => rank(a) - rank(b))[0];
  const own = worst ? certainty(worst) : "none";
  const more = joints.length > 1 ? ` and ${joints.length - 1} more` : "";
  const text = worst?.role ? `${name}: ${worst.name}${more}, ${percent(worst.role.confidence)}` : `${name}: no joint`;
  const picking = state.picking.value;
  const isPicked = picking?.side === side.value && picking.role === role;
  return (
    <button type="button" class={`spot ${own}`} data-spot={name} title={text} aria-label={text} tabIndex={isStop ? 0 : -1}
      aria-pressed={isPicked || joints.some(({ index }) => isSelected(index))}
      style={{ left: `${x - SPOT / 2}px`, top: `${y - SPOT / 2}px` }} onFocus={() => (reached.value = name)}
      onClick={() => (worst ? take(side.value, worst.index) : startPicking(role))}>
      <svg width={SPOT} height={SPOT} viewBox="-12 -12 24 24" aria-hidden="true"><Shape certainty={own} /></svg>
    </button>
  );
}

const rank = (joint: JointSummary) => CERTAINTIES.indexOf(certainty(joint));

/** Full, half, a ring with `!`, or dashed; style sheets draw a ring around it where it is selected. */
function Shape({ certainty }: { certainty: Certainty }) {
  return (
    <>
      <circle class="around" r={10.5} />
      <circle class="ring" r={6.5} />
      {certainty === "sure" && <circle class="full" r={6.5} />}
      {certainty === "half" && <path class="full" d="M0-6.5A6.5 6.5 0 0 0 0 6.5Z" />}
      {certainty === "low" && <path class="full" d="M-1-4.5h2l-.4 5.5h-1.2zM-1 2.2h2v2h-2z" />}
    </>
  );
}

/** Arrow keys go to the nearest spot in their direction. */
function walk(event: KeyboardEvent & { currentTarget: HTMLElement }, spots: Spot[]): void {
  const way = ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] } as Record<string, Place>)[event.key];
  const from = spots.find(({ name }) => name === reached.value);
  if (!way || !from) return;
  event.preventDefault();
  const [right, down] = way;
  let best: string | undefined;
  let least = Infinity;
  for (const { name, at } of spots) {
    const [x, y] = [at[0] - from.at[0], at[1] - from.at[1]];
    const [ahead, beside] = [x * right + y * down, Math.abs(x * down) + Math.abs(y * right)];
    if (ahead <= beside / 2 || ahead + 2 * beside >= least) continue;
    least = ahead + 2 * beside;
    best = name;
  }
  if (best) event.currentTarget.querySelector<HTMLElement>(`[data-spot=${best}]`)?.focus();
}
