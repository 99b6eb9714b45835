// Tasks of a person on the page and at a terminal: both come out right, and alike: npm test

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { TASKS } from "../tasks/all.mjs";
import { close } from "./browser.mjs";
import { host } from "./host.mjs";

after(close);

for (const [name, task] of TASKS) {
  test(name, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "rebone-"));
    t.after(() => rm(folder, { recursive: true }));
    const own = await host([], folder);
    if (!own) return t.skip("rebone is not built with a page");
    await own.end();
    await task(folder);
  });
}
