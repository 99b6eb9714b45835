// The skin on the stage against the exported file, loaded and played by three.js.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Matrix4, Quaternion, Vector3 } from "three";

/** Places of all vertices of the skins of a scene, in the world. Runs in a page. */
function vertices(scene) {
  const places = [];
  scene.traverse((object) => {
    if (!object.isSkinnedMesh) return;
    const place = object.position.clone();
    for (let index = 0; index < object.geometry.attributes.position.count; index++) {
      places.push(...object.getVertexPosition(index, place).applyMatrix4(object.matrixWorld));
    }
  });
  return places;
}

/** Nodes of the joints of the target, matrices and vertices on the stage in frames, and the exported file. */
function onStage(page, frames) {
  return page.evaluate(async (frames) => {
    const { stage, state, work } = globalThis.studio;
    const { skin, skinJoints } = stage.bodies.target;
    const joints = state.files.value.target.opened.joints;
    const hips = state.understanding.value.sides.target.joints.find(({ role }) => role?.name === "hips").index;
    const poses = [];
    for (const frame of frames) {
      state.frame.value = frame;
      stage.draw();
      poses.push({ matrices: skinJoints.map(({ object }) => object.matrixWorld.toArray()), vertices: globalThis.vertices(skin) });
    }
    const bytes = new Uint8Array(await work.write("glb"));
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return {
      poses, file: btoa(text), time: state.frameTime.value, hips: skinJoints.findIndex(({ joint }) => joint === hips),
      nodes: skinJoints.map(({ joint }) => joints[joint].node),
    };
  }, frames);
}

/** Largest distance of a vertex in millimetres, and largest angle of a joint in degrees, of a body 1.7 m tall. */
export async function skinDifference(page, frames) {
  await page.evaluate(`globalThis.vertices = ${vertices}`);
  const { poses, file, time, hips, nodes } = await onStage(page, frames);
  const player = await page.context().newPage();
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL("player.mjs", import.meta.url))], bundle: true, write: false, format: "iife",
  });
  await player.evaluate(bundle.outputFiles[0].text);
  await player.evaluate(`globalThis.vertices = ${vertices}`);
  const times = frames.map((frame) => frame * time);
  const played = await player.evaluate(([file, times, nodes]) => globalThis.play(file, times, nodes), [file, times, nodes]);
  await player.close();
  // From the file to the stage: as the hips say in the first frame.
  const matrix = (numbers) => new Matrix4().fromArray(numbers);
  const toStage = matrix(poses[0].matrices[hips]).multiply(matrix(played[0].matrices[hips]).invert());
  let millimetres = 0;
  let degrees = 0;
  for (const [index, pose] of poses.entries()) {
    const other = played[index];
    if (pose.vertices.length !== other.vertices.length) throw new Error("the vertices are not the same");
    for (let at = 0; at < pose.vertices.length; at += 3) {
      const place = new Vector3().fromArray(other.vertices, at).applyMatrix4(toStage);
      millimetres = Math.max(millimetres, 1000 * place.distanceTo(new Vector3().fromArray(pose.vertices, at)));
    }
    for (const [joint, numbers] of pose.matrices.entries()) {
      const [own, file] = [matrix(numbers), matrix(other.matrices[joint]).premultiply(toStage)].map(rotation);
      degrees = Math.max(degrees, (own.angleTo(file) * 180) / Math.PI);
    }
  }
  return { millimetres, degrees, vertices: poses[0].vertices.length / 3, joints: nodes.length };
}

function rotation(matrix) {
  const turn = new Quaternion();
  matrix.decompose(new Vector3(), turn, new Vector3());
  return turn;
}
