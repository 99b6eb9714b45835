// Helpers of the other parts. All parts share one inline module: nothing is global.

const byId = (id) => document.getElementById(id);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// The worst result first, clips without a result last.
const VERDICTS = ["FAIL", "LOOK", "PASS", "NONE"];

// Lists of entries with one key, in the order of their first ones.
function groupsOf(list, key) {
  const groups = new Map();
  for (const own of list) {
    const at = key(own);
    if (groups.has(at)) groups.get(at).push(own);
    else groups.set(at, [own]);
  }
  return [...groups.values()];
}

// Strings become text nodes, never markup, because names of files may hold anything.
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function number(value) {
  if (value == null) return "–";
  const size = Math.abs(value);
  const text = value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

const badge = (verdict) => el("span", { className: `badge ${verdict.toLowerCase()}` }, verdict);
