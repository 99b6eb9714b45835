// Colors of the page's style sheet for the stage: palette.css, of the pictures and of the report.

import { Color } from "three";
import type { OpenedJoint, Side } from "../engine/protocol";

/** Colors of a figure: its left limbs, trunk and head, its right limbs. */
export type Shades = Record<"left" | "middle" | "right", Color>;
/** The part of a figure that a joint belongs to. */
export type Limb = keyof Shades;

/** The color of a variable of the style sheet, for a light or a dark page. */
export function styled(name: string): Color {
  return new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
}

/** The colors of a source or a result. */
export function shadesOf(side: Side): Shades {
  const name = side === "target" ? "result" : side;
  return { left: styled(`${name}-left`), middle: styled(name), right: styled(`${name}-right`) };
}

/** The limbs of joints by the names of their roles; a joint without one belongs to its parent's. */
export function limbsOf(joints: OpenedJoint[], roles: ReadonlyMap<number, string>): Limb[] {
  const limbs: Limb[] = [];
  for (const [joint, { parent }] of joints.entries()) {
    const role = roles.get(joint);
    const inherited = (parent === null ? null : limbs[parent]) ?? "middle";
    limbs.push(role === undefined ? inherited : role.startsWith("left") ? "left" : role.startsWith("right") ? "right" : "middle");
  }
  return limbs;
}
