// Colors for the stage from palette.css, which pictures and reports share.

import { Color } from "three";
import type { OpenedJoint, Side } from "../engine/protocol";

/** Colors of a figure: its left limbs, trunk and head, its right limbs. */
export type Shades = Record<"left" | "middle" | "right", Color>;
/** The part of a figure that a joint belongs to. */
export type Limb = keyof Shades;

/** Returns the color of a variable of the style sheet, in the page's scheme, light or dark. */
export function styled(name: string): Color {
  return new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());
}

/** The colors of a source or a result. */
export function shadesOf(side: Side): Shades {
  const name = side === "target" ? "result" : side;
  return { left: styled(`${name}-left`), middle: styled(name), right: styled(`${name}-right`) };
}

/** Returns the limb of each joint by the name of its role; a joint without a role has the limb of its parent. */
export function limbsOf(joints: OpenedJoint[], roles: ReadonlyMap<number, string>): Limb[] {
  const limbs: Limb[] = [];
  for (const [joint, { parent }] of joints.entries()) {
    const role = roles.get(joint);
    const inherited = (parent === null ? null : limbs[parent]) ?? "middle";
    limbs.push(role === undefined ? inherited : role.startsWith("left") ? "left" : role.startsWith("right") ? "right" : "middle");
  }
  return limbs;
}
