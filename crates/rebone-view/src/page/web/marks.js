// Marks of a person on results: those of the review beside the manifest, and under them what this browser keeps.

const STORE = `rebone marks ${location.pathname}`;
const changed = new Map(readStore()); // names of results to "accepted", "flagged" or null

function readStore() {
  try {
    const stored = JSON.parse(localStorage.getItem(STORE));
    return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry) && entry.length === 2) : [];
  } catch {
    return []; // without a store, marks last as long as the page
  }
}

const markOf = (clip) => (changed.has(clip.output) ? changed.get(clip.output) : clip.mark ?? null);

function setMark(clip, mark) {
  if (!clip.output) return;
  changed.set(clip.output, mark);
  try {
    localStorage.setItem(STORE, JSON.stringify([...changed]));
  } catch {
    byId("told").textContent = "This browser keeps no marks: save them";
  }
}

const isAccepted = (clip) => markOf(clip) === "accepted";
const flipAccepted = (clip) => setMark(clip, isAccepted(clip) ? null : "accepted");

// All marks as lines of review.jsonl, which the next report and `rebone studio --library` read beside the manifest.
function reviewText() {
  const lines = clips.filter((clip) => clip.output && markOf(clip)).map((clip) => {
    const note = clip.remark && markOf(clip) === clip.mark ? { note: clip.remark } : {};
    return JSON.stringify({ name: clip.output, mark: markOf(clip), ...note });
  });
  return lines.map((line) => `${line}\n`).join("");
}

function saveMarks() {
  const address = URL.createObjectURL(new Blob([reviewText()], { type: "application/jsonl" }));
  el("a", { href: address, download: "review.jsonl" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  byId("told").textContent = "Move review.jsonl beside the manifest: the next report and the studio read it";
}

const listedPath = (clip) => (clip.output && page.folder ? `${page.folder}/${clip.output}` : clip.output ?? clip.source);

// Copies the paths of results; where the page may not, they are selected in a box to copy by hand.
async function copyList(list) {
  const text = list.map(listedPath).join("\n");
  const counted = `${list.length} path${list.length === 1 ? "" : "s"}`;
  try {
    await navigator.clipboard.writeText(text);
    byId("told").textContent = `${counted} copied`;
  } catch {
    const box = byId("paths");
    box.hidden = false;
    box.value = text;
    box.select();
    byId("told").textContent = document.execCommand("copy") ? `${counted} copied` : `${counted} to copy`;
  }
}
