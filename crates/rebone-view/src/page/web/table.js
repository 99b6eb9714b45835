// The table of clips with its filters and order.

const report = JSON.parse(byId("data").textContent);
byId("data").remove(); // frees the text, which may be large
const clips = report.clips.map((clip, index) => ({ ...clip, index }));

const PART = 200; // rows added to the page at once; thousands would slow it down
const collator = new Intl.Collator("en", { numeric: true });
const state = { verdicts: new Set(), text: "", metric: "", sort: "verdict", down: false, limit: PART, row: 0 };
let ordered = []; // all clips in the order of the table
let shown = []; // those that pass the filters

// Worst first: by verdict, then by score.
const rank = (clip) => VERDICTS.indexOf(clip.verdict) + (clip.score ?? 0) / 2;
const metricOf = (clip) => clip.metrics?.find(({ name }) => name === state.metric);

function worstReason(clip) {
  const reasons = clip.reasons ?? [];
  return clip.error ?? (reasons.find(({ verdict }) => verdict === "FAIL") ?? reasons[0])?.text ?? clip.reason ?? "";
}

// Of names that are too long the folder is shortened first; the title holds them in full.
function openLink(clip) {
  const file = clip.name.lastIndexOf("/") + 1;
  const parts = [clip.name.slice(0, file), clip.name.slice(file)].map((part) => el("span", {}, part));
  return el("a", { className: "long", href: `#clip-${clip.index}`, title: clip.name }, ...parts);
}

function fileName(path) {
  return el("span", { className: "long", title: path }, el("span", {}, path.split(/[\\/]/).at(-1)));
}

const columns = [
  { key: "name", label: "Name", value: (clip) => clip.name, cell: openLink },
  { key: "target", label: "Target", value: (clip) => clip.target, cell: (clip) => fileName(clip.target) },
  { key: "verdict", label: "Verdict", value: rank, cell: (clip) => badge(clip.verdict) },
  { key: "score", label: "Score", value: (clip) => clip.score, cell: (clip) => number(clip.score), number: true },
  { key: "reason", label: "Worst reason", value: worstReason },
];

function metricColumn() {
  const metric = clips.map(metricOf).find(Boolean);
  if (!metric) return [];
  const cell = (clip) => number(metricOf(clip)?.value);
  const label = `${metric.label}, ${metric.unit}`;
  return [{ key: "metric", label, value: (clip) => metricOf(clip)?.value, cell, number: true }];
}

const allColumns = () => [...columns, ...metricColumn()];

function compare(a, b, { value }) {
  const [x, y] = [value(a), value(b)];
  // Missing values go to the end in both directions.
  if (x == null || y == null) return (x == null) - (y == null);
  const order = typeof x === "string" ? collator.compare(x, y) : x - y;
  return state.down ? -order : order;
}

function pickShown() {
  const text = state.text.toLowerCase();
  const column = allColumns().find(({ key }) => key === state.sort) ?? columns[2];
  ordered = [...clips].sort((a, b) => compare(a, b, column) || rank(a) - rank(b) || a.index - b.index);
  shown = ordered
    .filter((clip) => !state.verdicts.size || state.verdicts.has(clip.verdict))
    .filter((clip) => clip.name.toLowerCase().includes(text));
}

function heading({ key, label, number: isNumber }) {
  const button = el("button", { type: "button" }, label);
  button.dataset.sort = key;
  const head = el("th", { scope: "col", className: isNumber ? "number" : "" }, button);
  if (key === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
  return head;
}

function tableRow(clip, all) {
  const cells = all.map(({ value, cell, number: isNumber }, at) => {
    const content = cell ? cell(clip) : value(clip) ?? "";
    return el(at ? "td" : "th", at ? { className: isNumber ? "number" : "" } : { scope: "row" }, content);
  });
  return el("tr", {}, ...cells);
}

function fillTable() {
  pickShown();
  const all = allColumns();
  state.row = clamp(state.row, 0, Math.max(shown.length - 1, 0));
  byId("heads").replaceChildren(...all.map(heading));
  byId("rows").replaceChildren(...shown.slice(0, state.limit).map((clip) => tableRow(clip, all)));
  byId("more").hidden = shown.length <= state.limit;
  byId("shown").textContent = `${shown.length} of ${clips.length} shown`;
  for (const button of byId("verdicts").children) {
    button.setAttribute("aria-pressed", state.verdicts.has(button.dataset.verdict));
  }
  markRow();
}

function markRow(focus = false) {
  byId("rows").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const row = byId("rows").children[state.row];
  row?.setAttribute("aria-current", "true");
  if (focus) row?.querySelector("a").focus();
}

// Changes filter or order and goes to the first row.
function change(changes) {
  Object.assign(state, { limit: PART, row: 0 }, changes);
  fillTable();
}

// Adds rows to the page up to this one.
function reachRow(row) {
  if (row < state.limit) return;
  state.limit = Math.ceil((row + 1) / PART) * PART;
  fillTable();
}

function moveRow(count) {
  state.row = clamp(state.row + count, 0, Math.max(shown.length - 1, 0));
  reachRow(state.row);
  markRow(true);
}

function sortBy(key) {
  change({ sort: key, down: key === state.sort && !state.down });
  byId("heads").querySelector(`[data-sort="${key}"]`).focus();
}

function fillFilters() {
  const names = new Map(clips.flatMap((clip) => clip.metrics ?? []).map(({ name, label }) => [name, label]));
  const options = [...names].map(([name, label]) => el("option", { value: name }, label));
  byId("metric").replaceChildren(el("option", { value: "" }, "none"), ...options);
  const buttons = VERDICTS.map((verdict) => {
    const count = clips.filter((clip) => clip.verdict === verdict).length;
    const button = el("button", { type: "button", disabled: count === 0 }, badge(verdict), ` ${count}`);
    button.dataset.verdict = verdict;
    return button;
  });
  byId("verdicts").replaceChildren(...buttons);
}

function flipVerdict(verdict) {
  const verdicts = new Set(state.verdicts);
  if (!verdicts.delete(verdict)) verdicts.add(verdict);
  change({ verdicts });
}

function bindTable() {
  const pressed = (event, name) => event.target.closest(`[data-${name}]`)?.dataset[name];
  byId("verdicts").addEventListener("click", (event) => {
    const verdict = pressed(event, "verdict");
    if (verdict) flipVerdict(verdict);
  });
  byId("heads").addEventListener("click", (event) => {
    const key = pressed(event, "sort");
    if (key) sortBy(key);
  });
  byId("rows").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    // The link itself also opens in a new tab; text can still be selected.
    if (row && !event.target.closest("a") && getSelection().isCollapsed) row.querySelector("a").click();
  });
  byId("text").addEventListener("input", (event) => change({ text: event.target.value }));
  byId("metric").addEventListener("change", (event) => change({ metric: event.target.value }));
  byId("more").addEventListener("click", () => reachRow(state.limit));
}
