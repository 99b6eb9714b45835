// Plays a glTF with three.js, as a program that loads a result does. Bundled into an empty page.

import { AnimationMixer, LoopOnce } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

/** Matrices of nodes and places of vertices at times of the last animation. */
globalThis.play = async (base64, times, nodes) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
  const gltf = await new GLTFLoader().parseAsync(bytes, "");
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations.at(-1));
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  const objects = await Promise.all(nodes.map((node) => gltf.parser.getDependency("node", node)));
  return times.map((time) => {
    mixer.setTime(time);
    gltf.scene.updateMatrixWorld(true);
    return { matrices: objects.map((object) => object.matrixWorld.toArray()), vertices: globalThis.vertices(gltf.scene) };
  });
};
