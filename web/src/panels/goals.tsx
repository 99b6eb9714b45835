// Options of the retarget: each acts at once. The command line that does the same stands below.

import { setOption } from "../actions";
import options from "../options.json";
import * as state from "../state";

interface Choice {
  name: string;
  help: string;
  default: string;
  values: { value: string; help: string }[];
}

/** Options with a list of values, as the program declares them. */
const CHOICES: Choice[] = options;

export function Goals() {
  const stated = state.document_.value.options;
  return (
    <section aria-labelledby="goals">
      <h2 id="goals">Goals</h2>
      {(["arms", "legs"] as const).map((limb) => <Blend key={limb} limb={limb} />)}
      {CHOICES.map(({ name, help, default: usual, values }) => (
        <label key={name} class="option" title={help}>{name}
          <select value={String(stated[name] ?? usual)} data-option={name}
            onChange={(event) => {
              const value = event.currentTarget.value;
              setOption(name, value === usual ? undefined : value);
            }}>
            {values.map(({ value, help }) => <option key={value} value={value} title={help}>{value}</option>)}
          </select>
        </label>
      ))}
      <label class="option">Keep self-contacts
        <input type="checkbox" checked={stated["no-self-contact"] !== true}
          onChange={(event) => setOption("no-self-contact", event.currentTarget.checked ? undefined : true)} />
      </label>
      <pre class="command" aria-label="The same on the command line">{commandLine()}</pre>
    </section>
  );
}

/** A slider between the direction of bones and the position of hands or feet. */
function Blend({ limb }: { limb: "arms" | "legs" }) {
  const value = Number(state.document_.value.options[limb] ?? 0);
  return (
    <label class="option">{limb}: direction to position
      <input type="range" min={0} max={1} step={0.05} value={value} data-option={limb}
        onInput={(event) => {
          const next = event.currentTarget.valueAsNumber;
          setOption(limb, next === 0 ? undefined : next);
        }} />
    </label>
  );
}

function commandLine(): string {
  const { options, cards } = state.document_.value;
  const { source, target } = state.files.value;
  const quoted = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const words = ["rebone retarget", quoted(source?.name ?? "SOURCE"), quoted(target?.name ?? "TARGET"), "-o RESULT"];
  if (cards.source) words.push("--source-card SOURCE.toml");
  if (cards.target) words.push("--target-card TARGET.toml");
  for (const [name, value] of Object.entries(options)) words.push(value === true ? `--${name}` : `--${name} ${String(value)}`);
  return words.join(" ");
}
