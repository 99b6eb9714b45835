// The worker: holds the WebAssembly module and answers one request after another.

interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  ask(jsonLength: number): void;
  json_address(): number;
  json_length(): number;
  bytes_address(): number;
  bytes_length(): number;
}

type Start = { module: WebAssembly.Module };
type Question = { id: number; json: string; bytes: ArrayBuffer | null };

let engine: Exports | undefined;

/** Names the functions of the module, to which wasm-bindgen adds a hash, and stubs its imports, which numbers never need. */
async function start({ module }: Start): Promise<void> {
  const imports: Record<string, Record<string, () => never>> = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => {
      throw new Error(`the module calls ${from}.${name}`);
    };
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  const found: Record<string, unknown> = { memory: exports["memory"] };
  for (const [name, value] of Object.entries(exports)) {
    found[name.replace(/_[0-9a-f]{16}$/, "")] = value;
  }
  engine = found as unknown as Exports;
}

function answer({ id, json, bytes }: Question): void {
  if (!engine) throw new Error("the engine has not started");
  const text = new TextEncoder().encode(json);
  const length = text.length + (bytes?.byteLength ?? 0);
  const address = engine.reserve(length);
  if (address === 0 && length > 0) throw new Error(`no memory for ${length} bytes`);
  const room = new Uint8Array(engine.memory.buffer, address, length);
  room.set(text);
  if (bytes) room.set(new Uint8Array(bytes), text.length);
  engine.ask(text.length);
  const read = (at: number, count: number) =>
    new Uint8Array(engine?.memory.buffer ?? new ArrayBuffer(0), at, count).slice();
  const fields = new TextDecoder().decode(read(engine.json_address(), engine.json_length()));
  const out = read(engine.bytes_address(), engine.bytes_length()).buffer;
  postMessage({ id, json: fields, bytes: out }, { transfer: [out] });
}

addEventListener("message", ({ data }: MessageEvent<Start | Question>) => {
  if ("module" in data) {
    start(data).then(
      () => postMessage({ started: true }),
      (error: unknown) => postMessage({ trap: String(error) }),
    );
    return;
  }
  try {
    answer(data);
  } catch (error) {
    postMessage({ trap: String(error), id: data.id });
  }
});
