// Requests to the engine and its answers: JSON as `rebone-studio` reads and writes it.

export type Side = "source" | "target";

export interface Document {
  cards: Record<Side, string>;
  map: string;
  contacts: string;
  options: Record<string, unknown>;
}

/** Rotation vector of a joint: bend, twist and side, degrees. */
export type Turn = [number, number, number];

export type Edit =
  | { set: "role"; role: string; joints: number[] | null }
  | { set: "pose"; joint: number; turn: Turn | null }
  | { set: "pose-of-frame"; frame: number }
  | { set: "key"; key: string; value: string | null };

export type OutputFormat = "bvh" | "glb" | "vrm" | "vrma" | "rotation-table";

/** A correction that a card is written with: all in turns, feet that stand flat in a frame, a side that is copied. */
export interface CardChange {
  t_pose?: boolean;
  level_feet?: [number | null, number | null];
  mirror?: "left" | "right";
}

export type Request =
  | { do: "formats" }
  | { do: "open"; side: Side; name: string; clip?: string; skin?: number; joint?: string }
  | { do: "close"; side: Side }
  | { do: "understand"; document: Document }
  | { do: "frame"; document: Document; frame: number }
  | { do: "solve"; document: Document }
  | { do: "poses"; side: Side; start: number; count: number }
  | { do: "depths"; frame: number }
  | { do: "calibration"; document: Document }
  | { do: "edit"; side: Side; document: Document; edits: Edit[] }
  | { do: "card"; side: Side; document: Document } & CardChange
  | { do: "write"; format: OutputFormat };

export interface Failure {
  ok: false;
  causes: string[];
  side: Side | null;
  line: number | null;
  help: string | null;
}

export interface OpenedJoint {
  name: string;
  parent: number | null;
  node: number | null;
}

export interface Opened {
  is_gltf: boolean;
  is_vrm: boolean;
  /** It has meshes that are not those of a glTF. */
  has_other_mesh: boolean;
  clips: string[];
  /** Numbers of the clips in which nothing moves. */
  empty_clips: number[];
  clip: number | null;
  frames: number;
  frame_time: number;
  joints: OpenedJoint[];
  warnings: string[];
}

interface Role {
  name: string;
  confidence: number;
  accepted: boolean;
  reason: string;
  runner_up: string | null;
}

export interface JointSummary {
  index: number;
  name: string;
  parent: number | null;
  role: Role | null;
}

interface SideSummary {
  /** Why the skeleton is not understood. */
  error?: string[];
  joints: JointSummary[];
  calibration?: string;
  calibration_confidence?: number;
  absent?: string[];
  up?: string | null;
  facing?: string | null;
  metres_per_unit?: number;
  /** Turns that the card states, by joint. */
  turns?: [number, Turn][];
}

export interface Doubt {
  side: Side;
  kind: "role" | "calibration" | "warning";
  text: string;
  confidence: number | null;
  joint: number | null;
  blocks: boolean;
}

export interface Understanding {
  /** Roles that lists of joints play. */
  list_roles: string[];
  sides: Partial<Record<Side, SideSummary>>;
  doubts: Doubt[];
  warnings: string[] | null;
  /** Paths of the target over those of the source, both in metres of a 1.7 m body. */
  path_scale: number | null;
  error: Omit<Failure, "ok"> | null;
}

export interface Finding {
  text: string;
  frames: [number, number] | null;
  verdict: Grade;
  help?: string;
}

export type Grade = "PASS" | "LOOK" | "FAIL";

interface Metric {
  name: string;
  label: string;
  unit: string;
  value: number;
  look: number;
  fail: number;
  verdict: Grade;
}

export interface Contact {
  part: string;
  on?: string;
  kind: string;
  frames: [number, number];
  confidence: number;
  slack?: number | null;
  reason?: string;
}

/** A metric in each frame; `null` where it is no number. */
export interface Curve {
  name: string;
  unit: string;
  values: (number | null)[];
}

export interface Solved {
  frames: number;
  frame_time: number;
  first_frame: number;
  report: {
    verdict: {
      verdict: Grade;
      score: number;
      reasons: Finding[];
      source_defects: Finding[];
      metrics: Metric[];
    } | null;
    contacts: { contacts: Contact[] } | null;
    warnings: string[];
  };
  curves: Curve[];
  contacts: { source: Contact[]; result: Contact[] };
  worst: number[];
}

export interface FrameAnswer {
  joints: number;
  /** Joints that the last edit moved; `null` where the frame before was another one, or of the same document. */
  moves: { joint: number; degrees: number }[] | null;
}

export interface PosesAnswer {
  joints: number;
  start: number;
  frames: number;
  stride: number;
}

/** Of each surface sample near the body come its place in the stage's world, and its signed distance in metres of a 1.7 m body,
 * negative inside. */
export interface DepthsAnswer {
  samples: number;
  /** The surface of some part of the body is known. */
  known: boolean;
  worst: { part: string; on: string; distance: number } | null;
}

/** Poses of both bodies come first, then the frames of joints that can be turned, eight numbers each. */
export interface CalibrationAnswer {
  /** Numbers of joints, of source and target. */
  joints: [number, number];
  /** Numbers of joints with frames. */
  frames: [number, number];
  stride: number;
}

/** A request that the engine refused. */
export class EngineError extends Error {
  constructor(readonly failure: Failure) {
    const { causes, help } = failure;
    super(causes.join(": ") + (help === null ? "" : `; ${help}`));
  }
}
