// The camera's views of the bodies, and where bodies stand on the floor.

import { Box3, type PerspectiveCamera, Vector3 } from "three";
import type { View } from "../state";
import type { Body } from "./body";

/** Unit vectors from the middle of the bodies to the camera; not straight down, where no side would be up. */
const TOWARDS_CAMERA: Record<View, Vector3> = {
  front: new Vector3(0, 0.07, 1).normalize(),
  side: new Vector3(1, 0.07, 0).normalize(),
  top: new Vector3(0, 1, 0.003).normalize(),
};
/** Sizes of what is shown over sizes of the bodies. */
const MARGIN = 1.15;
/** Half the size of what is shown at least, metres. */
const LEAST_HALF_METRES = 0.9;
const UP = new Vector3(0, 1, 0);

/** Puts the camera at a side of bodies, so that all of them are in the picture; gives the point that it looks at. */
export function moveCamera(camera: PerspectiveCamera, bodies: Body[], view: View): Vector3 {
  const box = new Box3();
  for (const body of bodies) body.addTo(box);
  if (box.isEmpty()) box.set(new Vector3(-0.5, 0, -0.5), new Vector3(0.5, 1.8, 0.5));
  const middle = box.getCenter(new Vector3());
  const half = box.getSize(new Vector3()).multiplyScalar(MARGIN / 2);
  const [across, up, deep] = { front: [half.x, half.y, half.z], side: [half.z, half.y, half.x], top: [half.x, half.z, half.y] }[view];
  const tangent = Math.tan((camera.fov * Math.PI) / 360);
  const away = Math.max(up ?? 0, (across ?? 0) / camera.aspect, LEAST_HALF_METRES) / tangent + (deep ?? 0);
  camera.position.copy(middle).addScaledVector(TOWARDS_CAMERA[view], away);
  camera.lookAt(middle);
  return middle;
}

/** The camera's right over the floor. */
export function rightOf(camera: PerspectiveCamera): Vector3 {
  // The camera may have moved since the last picture.
  camera.updateMatrixWorld();
  const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0).projectOnPlane(UP);
  return right.lengthSq() > 0 ? right.normalize() : new Vector3(1, 0, 0);
}
