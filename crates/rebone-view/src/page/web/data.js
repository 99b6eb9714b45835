// Rows of the table, and details of a clip: found in the page or loaded from a script beside it, and unpacked.

const report = JSON.parse(byId("data").textContent);
byId("data").remove(); // frees the text, which may be large
const { page, clips } = report;
clips.forEach((clip, index) => Object.assign(clip, { index }));

const MAX_BLOCKS = 4; // blocks that are held once they were loaded
const GAP = 1024; // stands for a missing value in a curve
const blocks = new Map(); // promises of blocks by their index, the one used last at the end
const arrived = new Map(); // texts of scripts that have just run

// Called by scripts beside the page.
globalThis.addReportBlock = (index, text) => arrived.set(index, text);

function loadScript(index) {
  const path = page.scripts[index];
  return new Promise((done, fail) => {
    const script = el("script", { src: path.split("/").map(encodeURIComponent).join("/") });
    const end = () => {
      script.remove();
      const text = arrived.get(index);
      arrived.delete(index);
      if (text === undefined) fail(new Error(`${path} is missing: keep it beside the page`));
      else done(text);
    };
    script.addEventListener("load", end);
    script.addEventListener("error", end);
    document.head.append(script);
  });
}

// Returns the promise of a block, one line a clip.
function loadBlock(index) {
  const inside = byId(`block-${index}`);
  if (inside) return Promise.resolve(inside.textContent);
  const block = blocks.get(index) ?? loadScript(index);
  blocks.delete(index);
  blocks.set(index, block);
  block.catch(() => blocks.delete(index));
  if (blocks.size > MAX_BLOCKS) blocks.delete(blocks.keys().next().value);
  return block;
}

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Columns of whole numbers: the order of the differences, then these as LEB128 with the sign in the lowest bit.
class Columns {
  #bytes;
  #at = 0;

  constructor(bytes) {
    this.#bytes = bytes;
  }

  read(count) {
    const order = this.#bytes[this.#at++];
    const values = new Int32Array(count);
    for (let i = 0; i < count; i += 1) {
      const before = i > 0 ? values[i - 1] : 0;
      const slope = i > 1 && order === 2 ? before - values[i - 2] : 0;
      values[i] = before + slope + this.#difference();
    }
    return values;
  }

  #difference() {
    let number = 0, unit = 1, byte;
    do {
      byte = this.#bytes[this.#at++];
      number += (byte & 127) * unit;
      unit *= 128;
    } while (byte >= 128);
    return number % 2 ? -(number + 1) / 2 : number / 2;
  }
}

// Returns the fields and the numbers of a line of a block.
async function readLine([block, index]) {
  const line = (await loadBlock(block)).split("\n")[index];
  const [fields, numbers] = await Promise.all(line.split(" ").map(inflate));
  return [JSON.parse(new TextDecoder().decode(fields)), new Columns(numbers)];
}

// Returns what is shown of a clip beside its row; clips without a result have nothing more.
async function readDetails({ place, meshes }) {
  if (!place) return {};
  const [details, columns] = await readLine(place);
  for (const curve of details.curves) {
    const value = (steps) => (steps === GAP ? null : steps * curve.scale);
    for (const body of curve.bodies) curve[body] = Array.from(columns.read(curve.count), value);
  }
  const bodies = readBodies(details.player, columns);
  for (const [index, body] of bodies.entries()) {
    const at = meshes?.[index];
    body.mesh = at && skins.works ? await readMesh(at) : null;
  }
  return { ...details, bodies };
}
