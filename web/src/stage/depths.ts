// Surface samples of the result's hands and forearms near its own body, as points coloured by their depth.

import { BufferAttribute, BufferGeometry, type Color, Points, PointsMaterial, type Vector3 } from "three";
import * as state from "../state";
import { styled } from "./colors";

/** Numbers of a sample: its place and its signed distance. */
const STRIDE = 4;
/** Metres on both sides of the surface within which a sample is on it. */
export const ON_SURFACE_METRES = 0.005;
/** Depth from which the color is the last one, metres. */
export const DEEP_METRES = 0.03;
/** Pixels of a point. */
const SIZE = 6;

export class Depths {
  readonly points = new Points(new BufferGeometry(), new PointsMaterial({
    size: SIZE, sizeAttenuation: false, vertexColors: true, depthTest: false, transparent: true,
  }));

  /** The answer that the points are of. */
  private drawn: typeof state.depths.value = null;

  constructor() {
    this.points.frustumCulled = false;
    this.points.renderOrder = 4;
  }

  /** Shows the newest samples; `at` is where the body stands. While a clip plays they are some frames old. */
  show(isWanted: boolean, at: Vector3): void {
    const own = state.depths.peek();
    this.points.visible = isWanted && own !== null && own.samples > 0;
    this.points.position.copy(at);
    if (own && own !== this.drawn) this.take(own);
  }

  /** Takes the colors of the style sheet with the next picture. */
  repaint(): void {
    this.drawn = null;
  }

  private take(own: NonNullable<typeof state.depths.value>): void {
    this.drawn = own;
    const places = new Float32Array(3 * own.samples);
    const colors = new Float32Array(3 * own.samples);
    const steps = { near: styled("near"), touching: styled("touching"), inside: styled("inside"), deep: styled("deep") };
    for (let sample = 0; sample < own.samples; sample++) {
      const from = STRIDE * sample;
      places.set(own.numbers.subarray(from, from + 3), 3 * sample);
      colorOf(own.numbers[from + 3] ?? 0, steps).toArray(colors, 3 * sample);
    }
    this.points.geometry.dispose();
    this.points.geometry = new BufferGeometry()
      .setAttribute("position", new BufferAttribute(places, 3))
      .setAttribute("color", new BufferAttribute(colors, 3));
  }
}

function colorOf(distance: number, steps: Record<"near" | "touching" | "inside" | "deep", Color>): Color {
  if (distance > ON_SURFACE_METRES) return steps.near;
  if (distance >= -ON_SURFACE_METRES) return steps.touching;
  const share = Math.min((-distance - ON_SURFACE_METRES) / (DEEP_METRES - ON_SURFACE_METRES), 1);
  return steps.inside.clone().lerp(steps.deep, share);
}
