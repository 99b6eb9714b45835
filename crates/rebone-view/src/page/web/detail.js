// The page of one clip: reasons, metrics, charts and player.

let opened = null; // charts and pictures that follow the frame and the size of the window
const player = new Player(showFrame);

function showFrame(frame) {
  if (!opened) return;
  byId("clip").style.setProperty("--now", middleOf(frame, opened.clip.frames));
  opened.charts.forEach((chart) => chart.show(frame));
}

function goTo(frame) {
  player.seek(frame);
  // On a narrow window the player may be out of view.
  byId("stage").scrollIntoView({ block: "nearest" });
}

function fill(id, nodes, inside) {
  const section = byId(id);
  section.hidden = nodes.length === 0;
  (inside ? section.querySelector(inside) : section).replaceChildren(...nodes);
}

// Text with options and commands between backticks.
const withCode = (text) => text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));

function reasonItem({ text, frames, verdict, help }) {
  const item = el("li", {}, verdict ? badge(verdict) : "", el("span", {}, text));
  if (frames) item.append(jumpButton(`Go to frame ${frames[0]}`, frames[0]));
  if (help) item.append(el("p", { className: "help" }, "help: ", ...withCode(help)));
  return item;
}

// Leaves out what helps where a reason before has said it, as `rebone check` does.
function helpOnce(reasons) {
  const told = new Set();
  return reasons.map((reason) => {
    if (!reason.help || told.has(reason.help)) return { ...reason, help: undefined };
    told.add(reason.help);
    return reason;
  });
}

function metricRow(metric) {
  const bound = (value) => `from ${number(value)}`;
  return el("tr", {},
    el("th", { scope: "row" }, metric.label),
    el("td", { className: "number" }, `${number(metric.value)} ${metric.value == null ? "" : metric.unit}`),
    el("td", { className: "number" }, bound(metric.look)),
    el("td", { className: "number" }, bound(metric.fail)),
    el("td", {}, badge(metric.verdict)));
}

function fillHead(clip) {
  byId("name").textContent = clip.name;
  byId("accepted").checked = isAccepted(clip);
  byId("accepted").disabled = !clip.output;
  const frames = clip.frames ? `${clip.frames} frames, ${(clip.frames * clip.frame_time).toFixed(2)} s` : "no frames";
  const score = clip.score == null ? "no score" : `score ${number(clip.score)}`;
  const note = (clip.note ? ` ${clip.note}.` : "") + (clip.remark ? ` ${markOf(clip) ?? "note"}: ${clip.remark}` : "");
  byId("summary").replaceChildren(badge(clip.verdict), ` ${score}, ${frames}.${note}`);
  const files = ["source", "target", "output"].filter((key) => clip[key]);
  byId("files").replaceChildren(...files.map((key) => el("div", {}, el("dt", {}, key), el("dd", {}, clip[key]))));
}

function fillClip(clip) {
  const reasons = helpOnce(clip.reasons ?? []);
  if (clip.error) reasons.unshift({ text: `There is no result: ${clip.error}`, verdict: "NONE" });
  if (clip.fault) reasons.unshift({ text: `Details cannot be shown: ${clip.fault}` });
  else if (!reasons.length) reasons.push({ text: "No metric is beyond its bound." });
  fillHead(clip);
  fill("reasons", reasons.map(reasonItem), "ul");
  fill("defects", (clip.source_defects ?? []).map(reasonItem), "ul");
  fill("metrics", (clip.metrics ?? []).map(metricRow), "tbody");
  const bodies = clip.bodies ?? [];
  const sheet = bodies.length && clip.worst?.length ? worstSheet(clip, bodies) : null;
  fill("worst", sheet?.buttons ?? [], ".sheet");
  const curves = (clip.curves ?? []).map((curve) => curveChart(curve, clip.frames));
  const contacts = contactCharts(clip.contacts ?? [], clip.frames);
  const nodes = (charts) => (charts.length ? [...charts.map(({ node }) => node), timeAxis(clip.frames)] : []);
  fill("curves", nodes(curves), ".charts");
  fill("contacts", nodes(contacts.charts), ".charts");
  byId("kinds").replaceChildren(...contacts.legend);
  opened = { clip, charts: [...curves, ...contacts.charts], draw: sheet?.draw ?? (() => {}) };
  player.load(clip, bodies);
  opened.draw();
  showFrame(0);
}

function closeClip() {
  opened = null;
  player.load(null, []);
}

function redrawAll() {
  player.redraw();
  opened?.draw();
}

function bindDetail() {
  byId("clip").addEventListener("click", (event) => {
    const button = event.target.closest("[data-frame]");
    if (button) goTo(Number(button.dataset.frame));
  });
  const pick = (event) => {
    const plot = event.target.closest(".chart .plot");
    if (!plot || !(event.buttons & 1)) return;
    const box = plot.getBoundingClientRect();
    player.seek(Math.floor(((event.clientX - box.left) / box.width) * opened.clip.frames));
  };
  byId("clip").addEventListener("pointerdown", pick);
  byId("clip").addEventListener("pointermove", pick);
  byId("skins").addEventListener("change", redrawAll);
  window.addEventListener("resize", redrawAll);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redrawAll);
}
