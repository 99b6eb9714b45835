// The WebAssembly module, whose functions take and give numbers: requests and answers are in its memory.

interface Exports {
  memory: WebAssembly.Memory;
  reserve(length: number): number;
  ask(jsonLength: number): void;
  json_address(): number;
  json_length(): number;
  bytes_address(): number;
  bytes_length(): number;
}

export interface Instance {
  memory: WebAssembly.Memory;
  /** Answers a request with the bytes of a file; throws where the module traps. */
  ask(json: string, bytes: ArrayBuffer | null): { json: string; bytes: ArrayBuffer };
}

/** Names the functions of the module, to which wasm-bindgen adds a hash, and stubs its imports, which numbers never need. */
export async function instantiate(module: WebAssembly.Module): Promise<Instance> {
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
  const engine = found as unknown as Exports;
  return { memory: engine.memory, ask: (json, bytes) => ask(engine, json, bytes) };
}

function ask(engine: Exports, json: string, bytes: ArrayBuffer | null): { json: string; bytes: ArrayBuffer } {
  const text = new TextEncoder().encode(json);
  const length = text.length + (bytes?.byteLength ?? 0);
  const address = engine.reserve(length);
  if (address === 0 && length > 0) throw new Error(`no memory for ${length} bytes`);
  const room = new Uint8Array(engine.memory.buffer, address, length);
  room.set(text);
  if (bytes) room.set(new Uint8Array(bytes), text.length);
  engine.ask(text.length);
  const read = (at: number, count: number) => new Uint8Array(engine.memory.buffer, at, count).slice();
  return {
    json: new TextDecoder().decode(read(engine.json_address(), engine.json_length())),
    bytes: read(engine.bytes_address(), engine.bytes_length()).buffer,
  };
}
