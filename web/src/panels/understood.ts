// Roles as panels show them: the side that is shown, how certain a role is, the role that is picked.

import { computed, effect, signal } from "@preact/signals";
import type { JointSummary, Side } from "../engine/protocol";
import * as state from "../state";
import { mirrored } from "../turns";

/** The side whose roles and card are shown: that of the joint that was selected last, unless another one was chosen. */
export const side = signal<Side>("target");

effect(() => {
  if (state.selected.value) side.value = state.selected.value.side;
});

/** Certainty of a role from the worst on: no role, a guess at which the program stops, a doubt, none of these. */
export const CERTAINTIES = ["none", "low", "half", "sure"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Joints of the side that is shown whose role is a doubt. */
const doubtful = computed(() => {
  const doubts = state.understanding.value?.doubts ?? [];
  return new Set(doubts.filter((own) => own.side === side.value && own.kind === "role").map(({ joint }) => joint));
});

/** Certainty of the role of a joint of the side that is shown. */
export function certainty({ index, role }: JointSummary): Certainty {
  if (!role) return "none";
  if (!doubtful.value.has(index)) return "sure";
  return role.accepted ? "half" : "low";
}

/** Roles of arms and legs that the other side of the body has and this one lacks, unless the card says that nobody plays them. */
export const oneSided = computed(() => (["source", "target"] as const).flatMap((side) => {
  const { absent = [], joints = [] } = state.understanding.value?.sides[side] ?? {};
  const played = new Set(joints.map(({ role }) => role?.name));
  const isNobody = (role: string) => new RegExp(`\\b${role}\\s*=\\s*\\[\\s*\\]`).test(state.document_.value.cards[side]);
  return absent.map((role) => ({ side, role, other: mirrored(role) }))
    .filter(({ role, other }) => other !== null && played.has(other) && !/Twist$/.test(role) && !isNobody(role));
}));

export function isSelected(joint: number): boolean {
  const selected = state.selected.value;
  return selected?.side === side.value && selected.joint === joint;
}

/** Begins to pick the joint of a role, of the side that is shown unless another one is named. */
export function startPicking(role: string, of: Side = side.value): void {
  side.value = of;
  state.picking.value = { side: of, role, joints: [], isList: state.understanding.value?.list_roles.includes(role) ?? false };
}
