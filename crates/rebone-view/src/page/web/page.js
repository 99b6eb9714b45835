// Start of the page, keys, and switching between the table and one clip.

function openRow(row) {
  if (shown[row]) location.hash = `clip-${shown[row].index}`;
}

let openedClip = null;

function nextClip(count) {
  const row = shown.indexOf(openedClip);
  if (row >= 0) openRow(row + count);
}

// The address names the open clip, so that the back button of the browser works.
async function followAddress() {
  const address = location.hash;
  const clip = clips[address.match(/^#clip-(\d+)$/)?.[1]];
  const details = clip && (await readDetails(clip).catch((fault) => ({ fault: fault.message })));
  // Another clip may have been opened meanwhile.
  if (location.hash !== address) return;
  const wasOpen = !byId("clip").hidden;
  byId("list").hidden = Boolean(clip);
  byId("clip").hidden = !clip;
  document.title = clip ? `${clip.name} - ${page.title}` : page.title;
  if (!clip) {
    closeClip();
    markRow(wasOpen);
    return;
  }
  const row = shown.indexOf(clip);
  if (row >= 0 && row < rows.length) state.row = row;
  reachRow(state.row);
  byId("place").textContent = `${ordered.indexOf(clip) + 1} of ${clips.length}`;
  openedClip = clip;
  byId("previous").disabled = row <= 0;
  byId("next").disabled = row < 0 || row === shown.length - 1;
  fillClip({ ...clip, ...details });
  scrollTo(0, 0);
  byId("name").focus({ preventScroll: true });
}

const KEYS = {
  list: [
    ["ArrowDown j", "Next row", () => moveRow(1)],
    ["ArrowUp k", "Row before", () => moveRow(-1)],
    ["Enter", "Open the clip", () => openRow(state.row)],
    ["a", "Accept the result, or take that back", () => acceptRow(state.row)],
    ["/", "Filter by name", () => byId("text").focus()],
  ],
  clip: [
    ["Escape", "Back to the table", () => { location.hash = ""; }],
    ["j", "Next clip", () => nextClip(1)],
    ["k", "Clip before", () => nextClip(-1)],
    ["a", "Accept the result, or take that back", () => byId("accepted").click()],
    ["Space", "Play or pause", () => player.toggle()],
    ["ArrowRight .", "One frame on", () => player.step(1)],
    ["ArrowLeft ,", "One frame back", () => player.step(-1)],
    ["f", "Front view", () => player.look(0)],
    ["s", "Side view", () => player.look(Math.PI / 2)],
    ["[", "Turn left", () => player.turn(-0.2, 0)],
    ["]", "Turn right", () => player.turn(0.2, 0)],
    ["+", "Nearer", () => player.zoom(0.85)],
    ["-", "Farther", () => player.zoom(1 / 0.85)],
  ],
  both: [["?", "Show the keys", () => byId("keys").showModal()]],
};

// Returns whether the control under the focus uses the key.
function isTaken(target, key) {
  if (target.matches("input[type=search], input[type=number], textarea")) return true;
  if (target.matches("input[type=range]")) return key.startsWith("Arrow");
  if (target.matches("select")) return key !== "Escape";
  return target.matches("button, a, input") && (key === "Enter" || key === "Space");
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
  const key = event.key === " " ? "Space" : event.key;
  if (event.target === byId("text") && ["Escape", "Enter", "ArrowDown"].includes(key)) {
    event.preventDefault();
    return markRow(true);
  }
  if (isTaken(event.target, key)) return;
  const bound = [...KEYS[byId("clip").hidden ? "list" : "clip"], ...KEYS.both];
  const act = bound.find(([names]) => names.split(" ").includes(key))?.[2];
  if (!act) return;
  event.preventDefault();
  act();
}

function fillKeys() {
  const words = { list: "In the table", clip: "In a clip", both: "Everywhere" };
  const cap = (name) => el("kbd", {}, name.replace("Arrow", "arrow ").toLowerCase());
  const row = ([names, says]) => el("tr", {}, el("td", {}, ...names.split(" ").map(cap)), el("td", {}, says));
  const rows = Object.entries(KEYS).flatMap(([place, bound]) => [
    el("tr", {}, el("th", { colSpan: 2 }, words[place])),
    ...bound.map(row),
  ]);
  byId("keys").querySelector("tbody").replaceChildren(...rows);
}

function start() {
  const on = (id, event, act) => byId(id).addEventListener(event, act);
  byId("title").textContent = page.title;
  const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const files = new Set(clips.map((clip) => clip.source)).size;
  byId("made").textContent = `${counted(clips.length, "result")} of ${counted(files, "file")}, made by ${page.made}`;
  on("show-keys", "click", () => byId("keys").showModal());
  on("back", "click", () => { location.hash = ""; });
  on("previous", "click", () => nextClip(-1));
  on("next", "click", () => nextClip(1));
  on("accepted", "change", () => {
    flipAccepted(openedClip);
    drawRows();
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("hashchange", followAddress);
  bindTable();
  bindDetail();
  fillKeys();
  fillFilters();
  fillTable();
  followAddress();
}

start();
