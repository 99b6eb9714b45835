// The table of results with its filters and order, and the list of clips without a result.

const DRAWN = 200; // rows in the page at once; thousands would slow it down
const MARGIN = 20; // rows that are drawn above and below those in view
const collator = new Intl.Collator("en", { numeric: true });
const MOST_UNREAD = 200; // clips without a result that are listed at first
const state = {
  verdicts: new Set(), text: "", leading: false, still: false, shorter: NaN, marks: "", metric: "", sort: "verdict", down: false, row: 0, first: 0,
  unread: MOST_UNREAD,
};
let ordered = []; // all clips in the order of table and list
let shown = []; // those that pass the filters
let rows = []; // those in the table
let rowHeight = 36; // pixels; all rows have one height

// Worst first: by verdict, then by score.
const rank = (clip) => VERDICTS.indexOf(clip.verdict) + (clip.score ?? 0) / 2;
const isUnread = (clip) => clip.verdict === "NONE";
const clipOf = (clip) => `${clip.part ?? ""}:${clip.source}`;
const isSame = (a, b) => Boolean(a && b) && clipOf(a) === clipOf(b);

// Of names that are too long the folder is shortened first; the title holds them in full.
function openLink(clip) {
  const file = clip.name.lastIndexOf("/") + 1;
  const parts = [clip.name.slice(0, file), clip.name.slice(file)].map((part) => el("span", {}, part));
  return el("a", { className: "long", href: `#clip-${clip.index}`, title: clip.name }, ...parts);
}

function acceptBox(clip) {
  const box = el("input", { type: "checkbox", checked: isAccepted(clip), "aria-label": `Accept ${clip.name}` });
  const flag = markOf(clip) === "flagged" ? [el("span", { title: clip.remark ?? "flagged" }, " ⚑")] : [];
  return el("span", {}, box, ...flag);
}

function longText(title, text = title) {
  return title ? el("span", { className: "long", title }, el("span", {}, text)) : "";
}

const columns = [
  { key: "name", label: "Name", value: (clip) => clip.name, cell: openLink },
  { key: "target", label: "Target", value: (clip) => clip.target, cell: (clip) => longText(clip.target, clip.target.split(/[\\/]/).at(-1)) },
  { key: "verdict", label: "Verdict", value: rank, cell: (clip) => badge(clip.verdict) },
  { key: "score", label: "Score", value: (clip) => clip.score, cell: (clip) => number(clip.score), number: true },
  { key: "reason", label: "Worst reason", value: (clip) => clip.reason ?? "", cell: (clip) => longText(clip.reason ?? "") },
  { key: "accept", label: "Accept", value: (clip) => Number(!isAccepted(clip)), cell: acceptBox },
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

// Results of one clip stand together, where the first of them stands; by target they would not be sorted then.
function together(list) {
  if (state.sort === "target") return list;
  return groupsOf(list, clipOf).flat();
}

function isShown(clip) {
  const { verdicts, text, leading, still, shorter, marks } = state;
  return (!verdicts.size || verdicts.has(clip.verdict))
    && (clip.name.toLowerCase().includes(text) || (isUnread(clip) && clip.source.toLowerCase().includes(text)))
    && (!leading || clip.leading_pose)
    && (!still || clip.still)
    && (Number.isNaN(shorter) || clip.seconds < shorter)
    && (!marks || (marks === "none" ? !markOf(clip) : markOf(clip) === marks));
}

function pickShown() {
  const column = allColumns().find(({ key }) => key === state.sort) ?? columns[2];
  const sorted = [...clips].sort((a, b) => compare(a, b, column) || rank(a) - rank(b) || a.index - b.index);
  const unread = sorted.filter(isUnread);
  const graded = sorted.filter((clip) => !isUnread(clip));
  ordered = [...together(graded), ...together(unread)];
  rows = together(graded.filter(isShown));
  shown = [...rows, ...together(unread.filter(isShown))];
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
  const joined = state.sort === "target" ? [] : [isSame(rows[index - 1], clip) && "again", isSame(clip, rows[index + 1]) && "goes-on"];
  return el("tr", { "aria-rowindex": index + 2, className: joined.filter(Boolean).join(" ") }, ...cells);
}

function fillTable() {
  pickShown();
  state.row = clamp(state.row, 0, Math.max(rows.length - 1, 0));
  byId("heads").replaceChildren(...allColumns().map(heading));
  byId("clips").setAttribute("aria-rowcount", rows.length + 1);
  byId("shown").textContent = `${shown.length} of ${clips.length} shown`;
  for (const button of byId("verdicts").children) {
    button.setAttribute("aria-pressed", state.verdicts.has(button.dataset.verdict));
  }
  drawRows();
  fillUnread();
}

// Lists clips without a result, each with its reason and the rigs that it has none for.
function fillUnread() {
  const groups = groupsOf(shown.slice(rows.length), (clip) => `${clipOf(clip)}\n${clip.error}`);
  const file = (path) => path.split(/[\\/]/).at(-1);
  const item = (group) => {
    const [first] = group;
    const targets = [...new Set(group.map((clip) => file(clip.target)))].filter(Boolean).join(", ");
    return el("li", {},
      el("a", { href: `#clip-${first.index}` }, first.source),
      targets ? el("span", { className: "quiet" }, ` onto ${targets}`) : "",
      el("p", {}, first.error ?? ""));
  };
  byId("unread").hidden = groups.length === 0;
  byId("unread-count").textContent = groups.length;
  byId("unread").querySelector("ul").replaceChildren(...groups.slice(0, state.unread).map(item));
  byId("unread-more").hidden = groups.length <= state.unread;
  byId("unread-more").textContent = `Show all ${groups.length}`;
}

// Draws the rows from `state.first` on. The space of all others stays empty.
function drawRows() {
  const hadFocus = byId("rows").contains(document.activeElement);
  const all = allColumns();
  state.first = clamp(state.first, 0, Math.max(rows.length - DRAWN, 0));
  const drawn = rows.slice(state.first, state.first + DRAWN);
  byId("rows").replaceChildren(...drawn.map((clip, index) => tableRow(clip, all, state.first + index)));
  rowHeight = byId("rows").getBoundingClientRect().height / drawn.length || rowHeight;
  const rest = rows.length - state.first - drawn.length;
  // A narrow window hides columns.
  const isSeen = (head) => getComputedStyle(head).display !== "none";
  const seen = [...byId("heads").children].filter(isSeen).length;
  for (const [id, count] of [["above", state.first], ["below", rest]]) {
    byId(id).colSpan = seen;
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
  const to = Math.min(from + Math.ceil(innerHeight / rowHeight), rows.length);
  const isDrawn = Math.max(from, 0) >= state.first && to <= state.first + DRAWN;
  if (!isDrawn) reachRow(clamp(from + MARGIN, 0, rows.length - 1), true);
}

// Changes filter or order and goes to the first row.
function change(changes) {
  Object.assign(state, { row: 0, first: 0, unread: MOST_UNREAD }, changes);
  fillTable();
}

// Draws the rows around this one, where it is not drawn.
function reachRow(row, always = false) {
  if (!always && rowOf(row)) return;
  state.first = row - DRAWN / 2;
  drawRows();
}

function moveRow(count) {
  state.row = clamp(state.row + count, 0, Math.max(rows.length - 1, 0));
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
  for (const [id, has] of [["leading", (clip) => clip.leading_pose], ["still", (clip) => clip.still]]) {
    const count = clips.filter(has).length;
    byId(id).closest("label").hidden = count === 0;
    byId(`${id}-count`).textContent = count;
  }
}

// Accepts the result of a row, or takes that back; the row stays where it is until the table is sorted again.
function acceptRow(row) {
  const clip = rows[row];
  if (!clip) return;
  flipAccepted(clip);
  const box = rowOf(row)?.querySelector("input");
  if (box) box.checked = isAccepted(clip);
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
    if (event.target.matches("input")) {
      acceptRow(state.first + [...byId("rows").children].indexOf(row));
      return;
    }
    // The link itself also opens in a new tab; text can still be selected.
    if (row && !event.target.closest("a") && getSelection().isCollapsed) row.querySelector("a").click();
  });
  byId("text").addEventListener("input", (event) => change({ text: event.target.value.toLowerCase() }));
  byId("leading").addEventListener("change", (event) => change({ leading: event.target.checked }));
  byId("still").addEventListener("change", (event) => change({ still: event.target.checked }));
  byId("shorter").addEventListener("input", (event) => change({ shorter: event.target.valueAsNumber }));
  byId("marks").addEventListener("change", (event) => change({ marks: event.target.value }));
  byId("copy").addEventListener("click", () => copyList(rows));
  byId("save").addEventListener("click", saveMarks);
  byId("unread-more").addEventListener("click", () => {
    state.unread = Infinity;
    fillUnread();
  });
  byId("metric").addEventListener("change", (event) => change({ metric: event.target.value }));
  window.addEventListener("scroll", followScroll, { passive: true });
  window.addEventListener("resize", () => {
    if (!byId("list").hidden) drawRows();
    followScroll();
  });
}
