// The legend of the depths of hands on the stage.

import { DEEP_METRES, ON_SURFACE_METRES } from "../stage/depths";
import * as state from "../state";

const STEPS = [
  ["near", "near"], ["touching", `on the surface, ${1000 * ON_SURFACE_METRES} mm`], ["inside", "inside"],
  ["deep", `${100 * DEEP_METRES} cm and deeper`],
] as const;

export function DepthLegend() {
  if (!state.showsDepth.value) return null;
  return (
    <p class="depth">
      {STEPS.map(([step, text]) => <span key={step} class={step}><span class="dot" /> {text} </span>)}
      <span class="deepest">{deepest()}</span>
      {deepest() && !isGraded() && <span class="quiet">Not part of the grade: the source has no skin.</span>}
    </p>
  );
}

/** The grade has depths of arms only where both bodies have a skin. */
const isGraded = () => state.solved.value?.report.verdict?.metrics.some(({ name }) => name === "arm_depth") ?? false;

function deepest(): string {
  const own = state.depths.value;
  if (state.compare.value === "calibration" || state.showsBefore.value || !own) return "";
  if (!own.known) return "No surface of this character is known: it has no skin, and its card states none.";
  if (!own.worst) return "No hand is near the body.";
  const { part, on, distance } = own.worst;
  const centimetres = (100 * Math.abs(distance)).toFixed(1);
  return distance < 0 ? `Deepest: ${part}, ${centimetres} cm in the ${on}` : `Nearest: ${part}, ${centimetres} cm from the ${on}`;
}
