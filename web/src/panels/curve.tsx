// A metric over time below the contacts, with its limits.

import { computed, signal } from "@preact/signals";
import type { Curve } from "../engine/protocol";
import * as state from "../state";

/** Most points that a curve is drawn with. */
const MAX_POINTS = 600;

/** The curve that a person chose. */
const chosen = signal<string | null>(null);
const curves = computed(() => state.solved.value?.curves ?? []);

/** The limits of a curve's metric; none of one that has no grade. */
function metric({ name }: Curve) {
  return state.solved.value?.report.verdict?.metrics.find((own) => own.name === name);
}

/** The curve of the metric that is nearest to its limit, unless another one was chosen. */
const shown = computed(() => {
  const shareOfLimit = (curve: Curve) => {
    const own = metric(curve);
    return own && own.fail > 0 ? own.value / own.fail : 0;
  };
  const own = curves.value.find(({ name }) => name === chosen.value);
  return own ?? [...curves.value].sort((a, b) => shareOfLimit(b) - shareOfLimit(a))[0];
});

const spaced = (name: string) => name.replaceAll("_", " ");

export function CurveLane() {
  const curve = shown.value;
  if (!curve) return null;
  const own = metric(curve);
  const most = Math.max(...peaks(curve.values), 0);
  const top = Math.max(most, own?.look ?? 0, 1e-9);
  const height = (value: number) => 1 - value / top;
  const now = curve.values[state.frame.value];
  const count = Math.max(curve.values.length, 1);
  const limits = own ? ([["look", own.look], ["fail", own.fail]] as const).filter(([, at]) => at <= top) : [];
  return (
    <div class="lane">
      <select aria-label="Curve" value={curve.name} onChange={(event) => (chosen.value = event.currentTarget.value)}>
        {curves.value.map(({ name }) => <option key={name} value={name}>{spaced(name)}</option>)}
      </select>
      <div class="curve">
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" role="img"
          aria-label={`${spaced(curve.name)} over time, at most ${most.toFixed(2)} ${curve.unit}`}>
          {limits.map(([kind, at]) => <line key={kind} class={kind} x1={0} x2={1} y1={height(at)} y2={height(at)} />)}
          <polyline points={points(curve.values, height)} />
          <line class="now" x1={(state.frame.value + 0.5) / count} x2={(state.frame.value + 0.5) / count} y1={0} y2={1} />
        </svg>
        <output>{now === undefined || now === null ? "" : `${now.toFixed(2)} ${curve.unit}`}</output>
      </div>
    </div>
  );
}

/** Number of frames that are drawn as one point. */
const spanOf = (values: Curve["values"]) => Math.max(1, Math.ceil(values.length / MAX_POINTS));

/** The largest value of each of the spans that are drawn as one point. */
function peaks(values: Curve["values"]): number[] {
  const span = spanOf(values);
  return Array.from({ length: Math.ceil(values.length / span) }, (_, at) =>
    values.slice(at * span, (at + 1) * span).reduce<number>((most, value) => Math.max(most, value ?? 0), 0));
}

function points(values: Curve["values"], height: (value: number) => number): string {
  const span = spanOf(values);
  return peaks(values).map((value, at) => `${((at + 0.5) * span) / values.length},${height(value)}`).join(" ");
}
