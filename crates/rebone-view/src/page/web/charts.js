// Charts over time and the sheet of worst frames. Curves are SVG and bars are plain elements,
// so that the browser fits them to the window and to dark or light colours.

const percent = (part, whole) => `${(100 * part) / whole}%`;

// A frame covers a span of the time axis; its value stands in the middle.
const middleOf = (frame, frames) => percent(frame + 0.5, frames);

function shape(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function pathOf(values, step, frames, height) {
  let path = "", pen = "M";
  values.forEach((value, index) => {
    if (value === null) {
      pen = "M";
      return;
    }
    path += `${pen}${((1000 * step * (index + 0.5)) / frames).toFixed(1)} ${height(value).toFixed(1)}`;
    if (pen === "M") path += "h0"; // so that a value alone between gaps is a dot
    pen = "L";
  });
  return path;
}

// Returns the range of all values and the bound.
function rangeOf(lines, bound) {
  let low = bound ?? Infinity, high = bound ?? -Infinity;
  for (const values of lines) {
    for (const value of values) {
      if (value === null) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [0, 1];
  return low === high ? [low - 1, high + 1] : [low, high];
}

function addBound(plot, head, bound, height) {
  const line = el("div", { className: "bound" });
  line.style.top = `${height}%`;
  plot.append(line);
  // The label stands in the heading, where it hides no part of the curve.
  head.append(el("span", { className: "bound" }, `look ${number(bound)}`), " ");
}

function markAt(frame, frames) {
  const mark = el("span", { className: "mark", title: `marked frame ${frame}` });
  mark.style.left = middleOf(frame, frames);
  return mark;
}

// Returns the node and a function that shows the values of a frame in words.
function curveChart(curve, frames) {
  const { step } = curve;
  const drawn = curve.bodies.map((name) => [name, curve[name]]);
  const [low, high] = rangeOf(drawn.map(([, values]) => values), curve.look);
  // A margin of 6 % keeps lines at the edges whole.
  const height = (value) => 6 + (88 * (high - value)) / (high - low);
  const svg = shape("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" });
  // The source comes last: an equal line of the result shows between its dashes.
  for (const [name, values] of [...drawn].reverse()) {
    svg.append(shape("path", { class: name, d: pathOf(values, step, frames, height) }));
  }
  const plot = el("div", { className: "plot curve", role: "img" }, svg, el("div", { className: "cursor" }));
  const head = el("h4", {}, `${curve.name}, ${curve.unit} `);
  if (curve.look != null) addBound(plot, head, curve.look, height(curve.look));
  const marks = curve.marks ?? [];
  plot.append(...marks.map((frame) => markAt(frame, frames)));
  const now = el("span", { className: "now" });
  head.append(now);
  const scale = el("div", { className: "scale" }, el("span", {}, number(high)), el("span", {}, number(low)));
  const node = el("div", { className: "chart" }, head, scale, plot);
  const about = `${curve.name} in ${curve.unit}${marks.length ? `, marked frames ${marks.join(", ")}` : ""}`;
  const show = (frame) => {
    const at = (values) => number(values[Math.floor(frame / step)]);
    now.textContent = drawn.map(([name, values]) => `${name} ${at(values)}`).join(", ");
    plot.setAttribute("aria-label", `${about}, frame ${frame}: ${now.textContent}`);
  };
  return { node, show };
}

const spanWords = (from, to) => (to - from > 1 ? `frames ${from} to ${to - 1}` : `frame ${from}`);

// Makes one lane of bars. The index of a contact's kind in `kinds` chooses its shade; a note tells what the result keeps.
function lane(part, name, spans, kinds, frames) {
  const plot = el("div", { className: `plot lane ${name}`, role: "img" });
  for (const [from, to, kind, note] of spans) {
    const bar = el("span", {
      className: `bar shade${Math.min(kinds.indexOf(kind), 3)} ${note?.state ?? ""}`,
      title: `${part}, ${name}: ${kind}, ${spanWords(from, to)}${note ? `; ${note.text}` : ""}`,
    });
    bar.style.left = percent(from, frames);
    bar.style.width = percent(to - from, frames);
    plot.append(bar);
  }
  plot.append(el("div", { className: "cursor" }));
  // Returns the state of the lane in words.
  const show = (frame) => {
    const [, , kind, note] = spans.find(([from, to]) => from <= frame && frame < to) ?? [];
    const state = `${kind ?? "free"}${note ? ` (${note.text})` : ""}`;
    plot.setAttribute("aria-label", `${part}, ${name}, frame ${frame}: ${state}`);
    return `${name} ${state}`;
  };
  return { nodes: [el("span", { className: "scale" }, name), plot], show };
}

// Lists the touches of the source that the result does not keep, in words; each goes to its first frame.
function losses({ source }) {
  const lost = (source ?? []).filter(([, , , note]) => note?.state === "lost");
  const item = ([from, to, , note]) => el("li", {}, jumpButton(spanWords(from, to), from), ` ${note.text}`);
  return lost.length ? [el("ul", { className: "losses" }, ...lost.map(item))] : [];
}

function contactChart(contact, kinds, frames) {
  const names = ["source", "result"].filter((name) => contact[name]);
  const lanes = names.map((name) => lane(contact.part, name, contact[name], kinds, frames));
  const now = el("span", { className: "now" });
  const head = el("h4", {}, `${contact.part} `, now);
  const node = el("div", { className: "chart contact" }, head, ...lanes.flatMap(({ nodes }) => nodes), ...losses(contact));
  const show = (frame) => {
    now.textContent = lanes.map((one) => one.show(frame)).join(", ");
  };
  return { node, show };
}

function contactCharts(contacts, frames) {
  const spans = contacts.flatMap(({ source, result }) => [...(source ?? []), ...(result ?? [])]);
  const kinds = [...new Set(spans.map(([, , kind]) => kind))];
  const charts = contacts.map((contact) => contactChart(contact, kinds, frames));
  const legend = kinds.flatMap((kind, index) => [el("span", { className: `key bar shade${Math.min(index, 3)}` }), `${kind} `]);
  for (const [state, words] of [["lost", "not kept"], ["uncertain", "uncertain"]]) {
    const isShown = spans.some(([, , , note]) => note?.state === state);
    if (isShown) legend.push(el("span", { className: `key bar shade0 ${state}` }), `${words} `);
  }
  return { charts, legend };
}

// Makes the axis under the charts: first frame, last frame and three between them.
function timeAxis(frames) {
  const plot = el("div", { className: "ticks", "aria-hidden": "true" });
  for (let part = 0; part <= 4; part += 1) {
    const frame = Math.round(((frames - 1) * part) / 4);
    const tick = el("span", {}, String(frame));
    tick.style.left = middleOf(frame, frames);
    plot.append(tick);
  }
  return el("div", { className: "chart axis" }, el("span", { className: "scale" }, "frame"), plot);
}

function jumpButton(text, frame) {
  const button = el("button", { type: "button" }, text);
  button.dataset.frame = frame;
  return button;
}

// Makes small pictures from the front; `draw` needs them in the page, where they have a size.
function worstSheet(clip, bodies) {
  const sheet = clip.worst.map((frame) => {
    const label = `Source and result from the front at frame ${frame}`;
    const canvas = el("canvas", { role: "img", "aria-label": label });
    const button = jumpButton("", frame);
    button.append(canvas, el("span", { "aria-hidden": "true" }, `frame ${frame}`));
    return { frame, canvas, button };
  });
  const draw = () => {
    for (const { frame, canvas } of sheet) {
      const { clientWidth: width, clientHeight: height } = canvas;
      const middle = rootMiddle(bodies, frame);
      // A far and level eye makes the picture flat, so that the floor is a line; 2 metres fit in.
      const view = { middle, yaw: 0, pitch: 0, distance: 100, width, height, skins: byId("skins").checked };
      view.focal = (Math.min(width, height) * view.distance) / (2 * tallest(bodies));
      drawScene(canvas, view, bodies, frame);
    }
  };
  return { buttons: sheet.map(({ button }) => button), draw };
}
