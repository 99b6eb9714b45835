// One body on the stage: bones as lines and points, and its skin, driven by places and rotations of joints.

import {
  type Box3, BufferAttribute, BufferGeometry, Group, LineBasicMaterial, LineSegments, type Material, Matrix4, Mesh,
  MeshStandardMaterial, type Object3D, Points, PointsMaterial, Quaternion, SkinnedMesh, Vector3,
} from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { OpenedJoint } from "../engine/protocol";
import type { Limb, Shades } from "./colors";

/** Factor of the colors of bones that are drawn over a skin of the same colors, 0 (black) to 1. */
const OVER_SKIN = 0.2;
/** Numbers of a joint: place `x y z`, rotation `x y z w`. */
export const STRIDE = 7;

interface SkinJoint {
  object: Object3D;
  joint: number;
  /** Scale of the node in the world at rest. */
  scale: Vector3;
}

/** The bones of a body as lines over all else. */
export class Bones {
  readonly lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly links: [number, number][];
  private readonly places: BufferAttribute;
  private readonly colors: BufferAttribute;
  private shown: ReadonlySet<number> | null = null;

  constructor(joints: OpenedJoint[], opacity = 1) {
    this.links = joints.flatMap(({ parent }, joint) => (parent === null ? [] : [[parent, joint] as [number, number]]));
    this.places = new BufferAttribute(new Float32Array(6 * this.links.length), 3);
    this.colors = new BufferAttribute(new Float32Array(6 * this.links.length), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.places).setAttribute("color", this.colors);
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, opacity, depthTest: false, transparent: true }));
    this.lines.frustumCulled = false;
  }

  /** Gives each bone the color of the limb of the joint that it ends in. */
  paint(shades: Shades, limbs: Limb[]): void {
    for (const [index, [, joint]] of this.links.entries()) {
      const { r, g, b } = shades[limbs[joint] ?? "middle"];
      for (const end of [0, 1]) this.colors.setXYZ(2 * index + end, r, g, b);
    }
    this.colors.needsUpdate = true;
  }

  /** Draws only the bones between these joints; `null`: all. */
  showJoints(wanted: ReadonlySet<number> | null): void {
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.lines.geometry.setIndex(this.links.flatMap(([parent, joint], index) =>
      wanted === null || (wanted.has(joint) && wanted.has(parent)) ? [2 * index, 2 * index + 1] : []));
  }

  /** Poses the bones by the numbers of the joints from `offset` on. */
  pose(numbers: Float32Array, offset: number): void {
    for (const [index, ends] of this.links.entries()) {
      for (const [end, joint] of ends.entries()) {
        const at = offset + STRIDE * joint;
        this.places.setXYZ(2 * index + end, numbers[at] ?? 0, numbers[at + 1] ?? 0, numbers[at + 2] ?? 0);
      }
    }
    this.places.needsUpdate = true;
  }
}

export class Body {
  readonly group = new Group();
  private readonly bones: Bones;
  private readonly dots: Points<BufferGeometry, PointsMaterial>;
  private skin: Object3D | null = null;
  private skinJoints: SkinJoint[] = [];
  private shown: ReadonlySet<number> | null = null;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();
  private readonly rotation = new Quaternion();
  private readonly scale = new Vector3();
  private readonly colors: BufferAttribute;
  private readonly skinMaterials: MeshStandardMaterial[] = [];
  /** Places of the joints that are drawn, three numbers each. */
  readonly places: Float32Array;

  constructor(private readonly joints: OpenedJoint[], private readonly opacity: number) {
    this.places = new Float32Array(3 * joints.length);
    this.colors = new BufferAttribute(new Float32Array(3 * joints.length), 3);
    this.bones = new Bones(joints);
    const dots = new BufferGeometry();
    dots.setAttribute("position", new BufferAttribute(this.places, 3)).setAttribute("color", this.colors);
    this.dots = new Points(dots, new PointsMaterial({ vertexColors: true, size: 5, sizeAttenuation: false, depthTest: false, transparent: true }));
    this.dots.frustumCulled = false;
    for (const object of [this.bones.lines, this.dots]) {
      // A body that is seen through lies under one that is not.
      object.renderOrder = opacity < 1 ? 2 : 2.5;
      this.group.add(object);
    }
  }

  /** Reads the skin of a glTF; a file without one leaves the bones alone. */
  async load(bytes: ArrayBuffer): Promise<void> {
    const gltf = await new GLTFLoader().parseAsync(bytes.slice(0), "");
    gltf.scene.updateMatrixWorld(true);
    const meshes: Mesh[] = [];
    gltf.scene.traverse((object) => {
      if (object instanceof Mesh) meshes.push(object);
    });
    if (meshes.length === 0) return;
    for (const mesh of meshes) this.cover(mesh);
    for (const [joint, { node }] of this.joints.entries()) {
      if (node === null) continue;
      const object = (await gltf.parser.getDependency("node", node)) as Object3D;
      const scale = new Vector3().setFromMatrixScale(object.matrixWorld);
      object.matrixAutoUpdate = false;
      object.matrixWorldAutoUpdate = false;
      this.skinJoints.push({ object, joint, scale });
    }
    this.skin = gltf.scene;
    this.group.add(gltf.scene);
  }

  /** Gives a mesh a material that takes the color of the trunk. */
  private cover(mesh: Mesh): void {
    const old: Material | Material[] = mesh.material;
    for (const material of Array.isArray(old) ? old : [old]) material.dispose();
    const isClear = this.opacity < 1;
    const material = new MeshStandardMaterial({
      roughness: 0.9, transparent: isClear, opacity: this.opacity, depthWrite: !isClear,
    });
    this.skinMaterials.push(material);
    mesh.material = material;
    mesh.frustumCulled = false;
  }

  /** Gives bones and joints the colors of their limbs, and the skin that of the trunk. */
  paint(shades: Shades, limbs: Limb[]): void {
    this.bones.paint(shades, limbs);
    for (let joint = 0; joint < this.count; joint++) {
      const { r, g, b } = shades[limbs[joint] ?? "middle"];
      this.colors.setXYZ(joint, r, g, b);
    }
    this.colors.needsUpdate = true;
    for (const material of this.skinMaterials) material.color.copy(shades.middle);
  }

  get hasSkin(): boolean {
    return this.skin !== null;
  }

  show(look: "skin" | "bones" | "both"): void {
    const showsBones = look !== "skin" || this.skin === null;
    this.bones.lines.visible = this.dots.visible = showsBones;
    const lightness = look === "both" && this.skin ? OVER_SKIN : 1;
    for (const { material } of [this.bones.lines, this.dots]) material.color.setScalar(lightness);
    if (this.skin) this.skin.visible = look !== "bones";
  }

  /** Draws only these joints and the bones that end in them; `null`: all. Joints of controls hide a body. */
  showJoints(wanted: ReadonlySet<number> | null): void {
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.bones.showJoints(wanted);
    this.dots.geometry.setIndex(wanted === null ? null : [...wanted]);
  }

  draws(joint: number): boolean {
    return this.shown?.has(joint) ?? true;
  }

  /** Poses the body; `metres` is the length in the world of one unit of its file. */
  pose(numbers: Float32Array, offset: number, metres: number): void {
    if (offset + STRIDE * this.joints.length > numbers.length) return;
    this.group.updateWorldMatrix(true, false);
    for (let joint = 0; joint < this.joints.length; joint++) {
      this.places.set(numbers.subarray(offset + STRIDE * joint, offset + STRIDE * joint + 3), 3 * joint);
    }
    this.bones.pose(numbers, offset);
    (this.dots.geometry.getAttribute("position") as BufferAttribute).needsUpdate = true;
    if (this.skin?.visible) this.poseSkin(numbers, offset, metres);
  }

  private poseSkin(numbers: Float32Array, offset: number, metres: number): void {
    for (const { object, joint, scale } of this.skinJoints) {
      const at = offset + STRIDE * joint;
      this.place.fromArray(numbers, at);
      this.rotation.fromArray(numbers, at + 3);
      this.matrix.compose(this.place, this.rotation, this.scale.copy(scale).multiplyScalar(metres));
      object.matrixWorld.multiplyMatrices(this.group.matrixWorld, this.matrix);
    }
    this.skin?.updateMatrixWorld(true);
  }

  /** The place of a joint in the world. */
  placeOf(joint: number, to: Vector3): Vector3 {
    return to.fromArray(this.places, 3 * joint).applyMatrix4(this.group.matrixWorld);
  }

  /** Adds the body to a box of the world: its skin where that is drawn, else its joints. */
  addTo(box: Box3): void {
    if (this.skin?.visible) {
      this.skin.traverse((object) => {
        if (object instanceof SkinnedMesh) object.computeBoundingBox();
      });
      box.expandByObject(this.skin);
      return;
    }
    for (let joint = 0; joint < this.count; joint++) {
      if (this.draws(joint)) box.expandByPoint(this.placeOf(joint, this.place));
    }
  }

  get count(): number {
    return this.joints.length;
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (object instanceof Mesh || object instanceof LineSegments || object instanceof Points) {
        object.geometry.dispose();
        for (const material of [object.material].flat() as Material[]) material.dispose();
      }
    });
    this.group.removeFromParent();
  }
}
