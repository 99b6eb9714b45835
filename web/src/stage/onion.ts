// Bones of the result every few frames before and after the frame at hand, which fade with the distance.

import { Group } from "three";
import type { OpenedJoint } from "../engine/protocol";
import * as state from "../state";
import { covers, type Poses } from "../work";
import { Bones, STRIDE } from "./body";
import type { Limb, Shades } from "./colors";

/** Number of poses on each side of the frame at hand. */
const EACH_SIDE = 3;
/** Seconds between two of them. */
const APART = 1 / 6;
/** Opacity of those next to the frame at hand; of the second half as much. */
const OPACITY = 0.7;

export class Onion {
  readonly group = new Group();
  private readonly layers: { bones: Bones; step: number }[] = [];

  constructor(joints: OpenedJoint[]) {
    for (let step = -EACH_SIDE; step <= EACH_SIDE; step++) {
      if (step === 0) continue;
      const bones = new Bones(joints, OPACITY / Math.abs(step));
      bones.lines.renderOrder = 1;
      this.layers.push({ bones, step });
      this.group.add(bones.lines);
    }
  }

  paint(shades: Shades, limbs: Limb[]): void {
    for (const { bones } of this.layers) bones.paint(shades, limbs);
  }

  /** Draws the poses around a frame, as far as they are there; `joints` as of a body. */
  pose(own: Poses, frame: number, joints: ReadonlySet<number> | null): void {
    const apart = Math.max(1, Math.round(APART / state.frameTime.peek()));
    for (const { bones, step } of this.layers) {
      const at = frame + step * apart;
      bones.lines.visible = covers(own, at);
      if (!bones.lines.visible) continue;
      bones.showJoints(joints);
      bones.pose(own.numbers, (at - own.start) * own.joints * STRIDE);
    }
  }
}
