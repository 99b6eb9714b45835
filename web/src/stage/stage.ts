// The stage: both bodies over a floor, a camera, and the joint nearest the pointer.

import { effect } from "@preact/signals";
import {
  BufferAttribute, BufferGeometry, DirectionalLight, GridHelper, HemisphereLight, PerspectiveCamera, Points,
  PointsMaterial, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Side } from "../engine/protocol";
import * as state from "../state";
import { covers, drawing, poses, shown } from "../work";
import { Body, STRIDE } from "./body";
import { limbsOf, shadesOf, styled } from "./colors";
import { Depths } from "./depths";
import { moveCamera, rightOf } from "./framing";
import { Onion } from "./onion";
import { Ring } from "./ring";

/** Metres between bodies that stand side by side. */
const APART = 0.9;
/** Pixels within which a joint is picked. */
const PICK_PIXELS = 16;
const SIDES: Side[] = ["source", "target"];

export class Stage {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(40, 1, 0.05, 200);
  private readonly controls: OrbitControls;
  private readonly bodies: Partial<Record<Side, Body>> = {};
  private readonly opened: Partial<Record<Side, ArrayBuffer>> = {};
  private onion: Onion | null = null;
  /** The joint that is selected, drawn larger. */
  private readonly mark = new Points(
    new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(3), 3)),
    new PointsMaterial({ size: 12, sizeAttenuation: false, depthTest: false, transparent: true }),
  );
  private readonly ring: Ring;
  private readonly depths = new Depths();
  private isWaiting = false;
  /** Whether all that was opened has been put into the picture. */
  private isFramed = false;
  /** Whether a person has moved the camera since a file was opened: it stays there. */
  private isHeld = false;
  private readonly lastMetres: Partial<Record<Side, number>> = {};
  /** Joints that play roles, with those between them. */
  private playing: Partial<Record<Side, ReadonlySet<number>>> = {};
  /** Number of pictures that were drawn. */
  drawn = 0;

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    const floor = new GridHelper(10, 20, "#8a8f99", "#8a8f99");
    Object.assign(floor.material, { transparent: true, opacity: 0.4 });
    this.scene.add(new HemisphereLight("#ffffff", "#8890a0", 2.2), floor);
    const sun = new DirectionalLight("#ffffff", 1.4);
    sun.position.set(2, 4, 3);
    this.mark.frustumCulled = false;
    this.mark.renderOrder = 3;
    this.scene.add(sun, this.mark, this.depths.points);
    this.controls = new OrbitControls(this.camera, canvas);
    this.frameBodies("front");
    this.controls.addEventListener("start", () => (this.isHeld = true));
    this.controls.addEventListener("change", () => this.redraw());
    this.ring = new Ring(this.camera, canvas, this.scene, this.controls, () => this.redraw());
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement ?? canvas);
    Object.assign(drawing, { redraw: () => this.redraw(), view: (from: state.View) => this.view(from) });
    effect(() => {
      for (const side of SIDES) this.replace(side);
    });
    effect(() => {
      for (const side of SIDES) {
        const joints = state.understanding.value?.sides[side]?.joints ?? [];
        const playing = joints.filter(({ role }) => role).map(({ index }) => index);
        if (playing.length > 0) this.playing[side] = new Set(playing);
        else delete this.playing[side];
        this.paint(side);
      }
      this.redraw();
    });
    effect(() => {
      void [state.depths.value, state.compare.value, state.look.value, state.selected.value, state.follows.value];
      void [state.picking.value, state.showsBefore.value];
      this.redraw();
    });
    effect(() => this.restoreCamera());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    this.repaint();
    this.resize();
  }

  /** Takes the colors of the style sheet, which are others on a dark page. */
  private repaint(): void {
    for (const side of SIDES) this.paint(side);
    this.mark.material.color.copy(styled("picked"));
    this.ring.paint();
    this.depths.repaint();
    this.redraw();
  }

  /** Gives a body the colors of its side; limbs are known by the roles of joints. */
  private paint(side: Side): void {
    const body = this.bodies[side];
    const joints = state.files.peek()[side]?.opened.joints;
    if (!body || !joints) return;
    const roles = new Map<number, string>();
    for (const { index, role } of state.understanding.peek()?.sides[side]?.joints ?? []) if (role) roles.set(index, role.name);
    const [shades, limbs] = [shadesOf(side), limbsOf(joints, roles)];
    body.paint(shades, limbs);
    if (side === "target") this.onion?.paint(shades, limbs);
  }

  /** Puts the camera at a side of the bodies, where it stays. */
  view(from: state.View): void {
    this.isFramed = this.isHeld = true;
    this.frameBodies(from);
  }

  private frameBodies(from: state.View): void {
    this.controls.target.copy(moveCamera(this.camera, SIDES.flatMap((side) => this.bodies[side] ?? []), from));
    this.controls.update();
    this.redraw();
  }

  /** Stores where the camera is, for a reload. */
  private storeCamera(): void {
    const [position, target] = [this.camera.position.toArray(), this.controls.target.toArray()];
    if (!this.isAt(state.camera.peek())) state.camera.value = { position, target };
  }

  private isAt(known: typeof state.camera.value): boolean {
    if (!known) return false;
    const { position, target } = known;
    return this.camera.position.equals(new Vector3(...position)) && this.controls.target.equals(new Vector3(...target));
  }

  /** Puts the camera where it was before a reload. */
  private restoreCamera(): void {
    const kept = state.camera.value;
    if (!kept || this.isAt(kept)) return;
    this.isFramed = this.isHeld = true;
    this.controls.target.fromArray(kept.target);
    this.camera.position.fromArray(kept.position);
    this.controls.update();
  }

  private replace(side: Side): void {
    const file = state.files.value[side];
    if (this.opened[side] === file?.bytes) return;
    this.bodies[side]?.dispose();
    delete this.bodies[side];
    delete this.opened[side];
    delete this.lastMetres[side];
    if (side === "target") this.onion = null;
    if (!file) return;
    this.isFramed = this.isHeld = false;
    this.opened[side] = file.bytes;
    const body = new Body(file.opened.joints, side === "source" ? 0.45 : 1);
    this.bodies[side] = body;
    this.scene.add(body.group);
    if (side === "target") {
      this.onion = new Onion(file.opened.joints);
      body.group.add(this.onion.group);
    }
    this.paint(side);
    if (file.opened.is_gltf) {
      body.load(file.bytes).then(
        () => {
          this.paint(side);
          this.isFramed = this.isHeld;
          this.redraw();
        },
        (error: unknown) => state.say(`${file.name}: the skin cannot be drawn: ${String(error)}`),
      );
    }
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement ?? this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.redraw();
  }

  /** Draws at the next picture of the screen. */
  redraw(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.draw();
    });
  }

  private draw(): void {
    const compare = state.compare.peek();
    if (this.onion) this.onion.group.visible = compare === "onion";
    const hasPoses = SIDES.map((side) => this.poseBody(side)).includes(true);
    const selected = state.selected.peek();
    const marked = selected && this.bodies[selected.side];
    this.mark.visible = Boolean(marked);
    if (selected && marked) marked.placeOf(selected.joint, this.mark.position);
    this.ring.show(state.isTurning.peek() && marked ? selected : null, this.mark.position);
    const isNewest = compare !== "calibration" && !state.showsBefore.peek();
    this.depths.show(isNewest, this.bodies.target?.group.position ?? new Vector3());
    if (!this.isFramed && hasPoses) {
      this.isFramed = true;
      this.frameBodies("front");
    }
    if (state.follows.peek()) this.follow();
    if (this.isFramed) this.storeCamera();
    this.scene.background = styled("stage");
    this.renderer.render(this.scene, this.camera);
    this.drawn += 1;
  }

  /** Puts a body where it stands in the frame at hand; gives whether it has a pose there. */
  private poseBody(side: Side): boolean {
    const body = this.bodies[side];
    if (!body) return false;
    const [frame, compare] = [state.frame.peek(), state.compare.peek()];
    body.show(state.look.peek());
    body.showJoints(state.picking.peek() ? null : (this.playing[side] ?? null));
    body.group.position.set(0, 0, 0);
    const metres = this.metres(side);
    if (compare === "calibration") {
      if (!poses.calibration) return false;
      const at = side === "target" ? STRIDE * (this.bodies.source?.count ?? 0) : 0;
      body.group.position.copy(this.toMiddle(side, poses.calibration, at));
      body.pose(poses.calibration, at, metres);
      return true;
    }
    if (compare === "side-by-side") {
      body.group.position.addScaledVector(rightOf(this.camera), side === "source" ? -APART / 2 : APART / 2);
    }
    const own = shown(side);
    const hasPose = own !== null && own.joints === body.count && covers(own, frame);
    if (hasPose) body.pose(own.numbers, (frame - own.start) * own.joints * STRIDE, metres);
    // A frame that is solved by itself has none around it: those of the last result stay until the next one comes.
    const around = own === poses.live ? poses.target : own;
    if (side === "target" && around && compare === "onion") this.onion?.pose(around, frame, this.playing.target ?? null);
    return hasPose;
  }

  /** The way that brings the hips of a pose over the middle of the floor. */
  private toMiddle(side: Side, numbers: Float32Array, offset: number): Vector3 {
    const at = offset + STRIDE * (this.hips(side) ?? 0);
    return new Vector3(-(numbers[at] ?? 0), 0, -(numbers[at + 2] ?? 0));
  }

  private hips(side: Side): number | undefined {
    const joints = state.understanding.peek()?.sides[side]?.joints ?? [];
    return joints.find((joint) => joint.role?.name === "hips")?.index;
  }

  /** Metres of the world for one unit of a file. */
  private metres(side: Side): number {
    const known = state.understanding.peek();
    // While a document has an error, the size of the last one stays.
    const own = known?.sides[side]?.metres_per_unit ?? this.lastMetres[side] ?? 1;
    this.lastMetres[side] = own;
    return side === "source" ? own * (known?.path_scale ?? 1) : own;
  }

  /** Keeps the hips of the result in the middle, seen from above. */
  private follow(): void {
    const side = this.bodies.target ? "target" : "source";
    const hips = this.hips(side);
    const body = this.bodies[side];
    if (hips === undefined || !body) return;
    const place = body.placeOf(hips, new Vector3());
    const move = new Vector3(place.x - this.controls.target.x, 0, place.z - this.controls.target.z);
    this.controls.target.add(move);
    this.camera.position.add(move);
    this.camera.lookAt(this.controls.target);
  }

  /** The joint nearest to a point of the canvas, within 16 pixels. */
  pick(x: number, y: number, only?: Side): { side: Side; joint: number } | null {
    if (this.ring.isUsed) return null;
    let best: { side: Side; joint: number } | null = null;
    let least = PICK_PIXELS;
    for (const side of SIDES) {
      const body = this.bodies[side];
      if (!body || (only && only !== side)) continue;
      for (let joint = 0; joint < body.count; joint++) {
        if (!body.draws(joint)) continue;
        const at = this.onScreen(side, joint);
        const distance = at ? Math.hypot(at.x - x, at.y - y) : Infinity;
        if (distance < least) {
          least = distance;
          best = { side, joint };
        }
      }
    }
    return best;
  }

  /** The place of a joint on the canvas, in CSS pixels; `null` behind the camera. */
  onScreen(side: Side, joint: number): { x: number; y: number } | null {
    const body = this.bodies[side];
    if (!body) return null;
    const place = body.placeOf(joint, new Vector3()).project(this.camera);
    if (place.z > 1) return null;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return { x: ((place.x + 1) / 2) * width, y: ((1 - place.y) / 2) * height };
  }
}
