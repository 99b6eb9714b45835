// The table of clips with its filters and order.

const DRAWN = 200; // rows in the page at once; thousands would slow it down
const MARGIN = 20; // rows that are drawn above and below those in view
const collator = new Intl.Collator("en", { numeric: true });
const state = { verdicts: new Set(), text: "", metric: "", sort: "verdict", down: false, row: 0, first: 0 };
let ordered = []; // all clips in the order of the table
let shown = []; // those that pass the filters
let rowHeight = 36; // pixels; all rows have one height

// Worst first: by verdict, then by score.
const rank = (clip) => VERDICTS.indexOf(clip.verdict) + (clip.score ?? 0) / 2;
const worstReason = (clip) => clip.error ?? clip.reason ?? "";

// Of names that are too long the folder is shortened first; the title holds them in full.
function openLink(clip) {
  const file = clip.name.lastIndexOf("/") + 1;
  const parts = [clip.name.slice(0, file), clip.name.slice(file)].map((part) => el("span", {}, part));
  return el("a", { className: "long", href: `#clip-${clip.index}`, title: clip.name }, ...parts);
}

function longText(title, text = title) {
  return title ? el("span", { className: "long", title }, el("span", {}, text)) : "";
}

const columns = [
  { key: "name", label: "Name", value: (clip) => clip.name, cell: openLink },
  { key: "target", label: "Target", value: (clip) => clip.target, cell: (clip) => longText(clip.target, clip.target.split(/[\\/]/).at(-1)) },
  { key: "verdict", label: "Verdict", value: rank, cell: (clip) => badge(clip.verdict) },
  { key: "score", label: "Score", value: (clip) => clip.score, cell: (clip) => number(clip.score), number: true },
  { key: "reason", label: "Worst reason", value: worstReason, cell: (clip) => longText(worstReason(clip)) },
];

function metricColumn() {
  const index = page.metrics.findIndex(([name]) => name === state.metric);
  if (index < 0) return [];
  const value = (clip) => clip.values?.[index];
  const [, label, unit] = page.metrics[index];
  return [{ key: "metric", label: `${label}, ${unit}`, value, cell: (clip) => number(value(clip)), number: true }];
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
  const head = el("th", { scope: "col", className: isNumber ? `${key} number` : key }, button);
  if (key === state.sort) head.setAttribute("aria-sort", state.down ? "descending" : "ascending");
  return head;
}

function tableRow(clip, all, index) {
  const cells = all.map(({ value, cell, number: isNumber }, at) => {
    const content = cell ? cell(clip) : value(clip) ?? "";
    return el(at ? "td" : "th", at ? { className: isNumber ? "number" : "" } : { scope: "row" }, content);
  });
  return el("tr", { "aria-rowindex": index + 2 }, ...cells);
}

function fillTable() {
  pickShown();
  state.row = clamp(state.row, 0, Math.max(shown.length - 1, 0));
  byId("heads").replaceChildren(...allColumns().map(heading));
  byId("clips").setAttribute("aria-rowcount", shown.length + 1);
  byId("shown").textContent = `${shown.length} of ${clips.length} shown`;
  for (const button of byId("verdicts").children) {
    button.setAttribute("aria-pressed", state.verdicts.has(button.dataset.verdict));
  }
  drawRows();
}

// Draws the rows from `state.first` on. The space of all others stays empty.
function drawRows() {
  const hadFocus = byId("rows").contains(document.activeElement);
  const all = allColumns();
  state.first = clamp(state.first, 0, Math.max(shown.length - DRAWN, 0));
  const drawn = shown.slice(state.first, state.first + DRAWN);
  byId("rows").replaceChildren(...drawn.map((clip, index) => tableRow(clip, all, state.first + index)));
  rowHeight = byId("rows").getBoundingClientRect().height / drawn.length || rowHeight;
  const rest = shown.length - state.first - drawn.length;
  for (const [id, count] of [["above", state.first], ["below", rest]]) {
    byId(id).colSpan = all.length;
    byId(id).style.height = `${count * rowHeight}px`;
  }
  markRow();
  // Keys go on where the row with the focus was drawn anew.
  if (hadFocus) rowOf(state.row)?.querySelector("a").focus({ preventScroll: true });
}

const rowOf = (row) => byId("rows").children[row - state.first];

function markRow(focus = false) {
  byId("rows").querySelector("[aria-current]")?.removeAttribute("aria-current");
  rowOf(state.row)?.setAttribute("aria-current", "true");
  if (focus) rowOf(state.row)?.querySelector("a").focus();
}

// Draws other rows where some of those in view are not drawn.
function followScroll() {
  if (byId("list").hidden) return;
  const from = Math.floor(-byId("above").getBoundingClientRect().top / rowHeight);
  const to = Math.min(from + Math.ceil(innerHeight / rowHeight), shown.length);
  const isDrawn = Math.max(from, 0) >= state.first && to <= state.first + DRAWN;
  if (!isDrawn) reachRow(clamp(from + MARGIN, 0, shown.length - 1), true);
}

// Changes filter or order and goes to the first row.
function change(changes) {
  Object.assign(state, { row: 0, first: 0 }, changes);
  fillTable();
}

// Draws the rows around this one, where it is not drawn.
function reachRow(row, always = false) {
  if (!always && rowOf(row)) return;
  state.first = row - DRAWN / 2;
  drawRows();
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
  const options = page.metrics.map(([name, label]) => el("option", { value: name }, label));
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
  window.addEventListener("scroll", followScroll, { passive: true });
  window.addEventListener("resize", followScroll);
}
