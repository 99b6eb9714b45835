// A ring around the selected joint of a calibration pose: dragging it turns the joint about the axes of its segment.

import { type Camera, MathUtils, Object3D, Quaternion, type Scene, type Vector3 } from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import { edit } from "../actions";
import type { Side } from "../engine/protocol";
import { AXES, edits, type Turn } from "../turns";
import { FRAMES_STRIDE, poses } from "../work";
import { styled } from "./colors";

/** Steps of a degree that turns are rounded to. */
const STEPS_PER_DEGREE = 10;
/** Size of the ring against that of the addon. */
const SIZE = 0.7;

interface Joint {
  side: Side;
  joint: number;
}

/** A drag from its begin until its last turn is on the stage. */
interface Drag extends Joint {
  /** Rotation of the segment's frame without the joint's own turn. */
  base: Quaternion;
  /** Time of its begin: all its edits are one step of undo. */
  at: number;
  isHeld: boolean;
  isWriting: boolean;
  /** The newest turn, and the one that was written last. */
  turn: Turn;
  written: Turn;
}

export class Ring {
  private readonly controls: TransformControls;
  /** The frame of the joint's segment. */
  private readonly segment = new Object3D();
  private shown: Joint | null = null;
  private drag: Drag | null = null;
  /** The pointer went down on the ring: its click picks no joint. */
  isUsed = false;

  constructor(camera: Camera, private readonly canvas: HTMLCanvasElement, scene: Scene, orbit: { enabled: boolean },
    private readonly redraw: () => void) {
    canvas.addEventListener("pointerdown", () => (this.isUsed = false));
    const controls = (this.controls = new TransformControls(camera, canvas));
    controls.setMode("rotate");
    controls.setSpace("local");
    controls.setSize(SIZE);
    controls.setRotationSnap(MathUtils.degToRad(1 / STEPS_PER_DEGREE));
    controls.showE = controls.showXYZE = false;
    this.paint();
    scene.add(this.segment, controls.getHelper());
    controls.addEventListener("change", redraw);
    controls.addEventListener("axis-changed", ({ value }) => this.name(String(value)));
    controls.addEventListener("dragging-changed", ({ value }) => (orbit.enabled = !value));
    controls.addEventListener("mouseDown", () => this.begin());
    controls.addEventListener("objectChange", () => void this.turn());
    controls.addEventListener("mouseUp", () => this.end());
  }

  /** Takes the colors of the style sheet. */
  paint(): void {
    const [bend, twist, side] = AXES;
    this.controls.setColors(styled(bend), styled(twist), styled(side), styled("picked"));
  }

  /** Names the axis under the pointer. */
  private name(axis: string): void {
    this.canvas.title = AXES["XYZ".indexOf(axis)] ?? "";
  }

  /** Puts the ring around a joint at a place; while one is dragged it stays. */
  show(wanted: Joint | null, place: Vector3): void {
    // A character that takes the place of another one has no joint selected: the drag ends.
    if (wanted === null) this.drag = null;
    if (this.drag) return;
    const frames = wanted && poses.frames[wanted.side];
    const at = FRAMES_STRIDE * (wanted?.joint ?? 0);
    this.shown = frames && at + FRAMES_STRIDE <= frames.length ? wanted : null;
    this.controls.enabled = this.shown !== null;
    if (!frames || !this.shown) {
      this.controls.detach();
      return;
    }
    this.segment.position.copy(place);
    this.segment.quaternion.fromArray(frames, at + FRAMES_STRIDE / 2);
    this.segment.updateMatrixWorld();
    if (this.controls.object !== this.segment) this.controls.attach(this.segment);
  }

  private begin(): void {
    this.isUsed = true;
    if (!this.shown) return;
    const { side, joint } = this.shown;
    const base = new Quaternion().fromArray(poses.frames[side], FRAMES_STRIDE * joint);
    const turn = turnBetween(base, this.segment.quaternion);
    this.drag = { side, joint, base, at: performance.now(), isHeld: true, isWriting: false, turn, written: turn };
  }

  /** Writes the turn into the card; while one is being written only the newest waits. */
  private async turn(): Promise<void> {
    const { drag } = this;
    if (!drag) return;
    drag.turn = turnBetween(drag.base, this.segment.quaternion);
    if (drag.isWriting) return;
    drag.isWriting = true;
    while (this.drag === drag && !isSame(drag.turn, drag.written)) {
      const { side, joint, turn, at } = drag;
      drag.written = turn;
      await edit(side, edits(side, joint, turn), `ring ${at}`, at);
    }
    drag.isWriting = false;
    this.letGo(drag);
  }

  private end(): void {
    if (!this.drag) return;
    this.drag.isHeld = false;
    this.letGo(this.drag);
  }

  /** Ends a drag whose last turn is written. */
  private letGo(drag: Drag): void {
    if (drag.isHeld || drag.isWriting || drag !== this.drag) return;
    this.drag = null;
    this.redraw();
  }
}

function isSame(a: Turn, b: Turn): boolean {
  return a.every((degrees, axis) => degrees === b[axis]);
}

/** The rotation vector from one frame to another, seen from the first, in degrees. */
function turnBetween(from: Quaternion, to: Quaternion): Turn {
  const { x, y, z, w } = from.clone().invert().multiply(to);
  const half = Math.hypot(x, y, z);
  const angle = 2 * Math.atan2(half, Math.abs(w));
  const scale = half > 0 ? (Math.sign(w || 1) * MathUtils.radToDeg(angle)) / half : 0;
  const rounded = (part: number) => Math.round(STEPS_PER_DEGREE * scale * part) / STEPS_PER_DEGREE + 0;
  return [rounded(x), rounded(y), rounded(z)];
}
