// Turns of joints in the calibration pose, as edits of a card: typed as numbers, or dragged by the ring on the stage.

import { signal } from "@preact/signals";
import type { Edit, Side, Turn } from "./engine/protocol";
import * as state from "./state";

export type { Turn };

/** Names of the axes X, Y and Z of a segment. */
export const AXES = ["bend", "twist", "side"] as const;

/** Turns the other side as well, as a mirror would. */
export const mirrors = signal(true);

/** The turn of a joint, and the mirrored one of the other side: the anatomical frames mirror twist and side. */
export function edits(side: Side, joint: number, turn: Turn): Edit[] {
  const stated = turn.every((degrees) => degrees === 0) ? null : turn;
  const own: Edit[] = [{ set: "pose", joint, turn: stated }];
  const joints = state.understanding.value?.sides[side]?.joints ?? [];
  const role = joints[joint]?.role?.name;
  const other = role && mirrors.value ? mirrored(role) : null;
  const partner = other ? joints.find((joint) => joint.role?.name === other) : undefined;
  if (!partner) return own;
  const mirror: Turn | null = stated && [stated[0], -stated[1], -stated[2]];
  return [...own, { set: "pose", joint: partner.index, turn: mirror }];
}

/** The role of the other side; `null` of one in the middle. */
export function mirrored(role: string): string | null {
  if (role.startsWith("left")) return `right${role.slice(4)}`;
  if (role.startsWith("right")) return `left${role.slice(5)}`;
  return null;
}
