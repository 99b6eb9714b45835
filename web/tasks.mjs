// Does tasks as a person does them, on the page and at a terminal, and prints what both take: npm run tasks
// Page and program have to be built, the program after the page. It ends with 1 where a task does not come out right.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TASKS } from "./tasks/all.mjs";
import { close } from "./tests/browser.mjs";

const line = (cells) => `| ${cells.join(" | ")} |`;

/** Does a task in a folder of its own; returns its line of the table. */
async function row(name, task) {
  const folder = await mkdtemp(join(tmpdir(), "rebone-"));
  try {
    const { onPage, atTerminal } = await task(folder);
    const [page, terminal] = [onPage, atTerminal].map(({ seconds, ...counts }) => [...Object.values(counts), seconds.toFixed(1)]);
    return line([name, ...page, ...terminal]);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name}: ${error.stack}`);
    return line([name, "failed"]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const heads = ["task", "page: clicks", "keys", "scrolls", "seconds", "terminal: commands", "characters", "seconds"];
const rows = [line(heads), line(heads.map(() => "---"))];
for (const [name, task] of TASKS) rows.push(await row(name, task));
console.log(rows.join("\n"));
await close();
