// A person at the page and one at a terminal, who do the same: what both press and type is counted.

import { execFileSync, execSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { program } from "../tests/host.mjs";

/** Uses a page by mouse and keys alone. Files that are dropped together, and files that are chosen in one dialog, are a click. */
export class User {
  clicks = 0;
  keys = 0;
  /** Times that a panel has to be scrolled, for what is clicked is out of sight. */
  scrolls = 0;
  begin = performance.now();

  constructor(page) {
    this.page = page;
  }

  async click(locator) {
    await locator.waitFor();
    if (!(await locator.evaluate(isInSight))) this.scrolls += 1;
    await locator.click();
    this.clicks += 1;
  }

  /** Presses a key; of keys that are held together each counts. */
  async press(keys) {
    await this.page.keyboard.press(keys);
    this.keys += keys.split("+").length;
  }

  async type(text) {
    await this.page.keyboard.type(text);
    this.keys += text.length;
  }

  /** Opens a list and takes the entry that begins with a letter. */
  async pick(locator, letter) {
    await this.click(locator);
    await this.press(letter);
    await this.press("Enter");
  }

  /** Opens a dialog of files by a click, and chooses files in it. */
  async choose(locator, paths) {
    const [chooser] = await Promise.all([this.page.waitForEvent("filechooser"), this.click(locator)]);
    await chooser.setFiles(paths);
    this.clicks += 1;
  }

  /** Does what gives a file; returns its name and its text. */
  async download(doing) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), doing()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  }

  figures() {
    const { clicks, keys, scrolls } = this;
    return { clicks, keys, scrolls, seconds: seconds(this.begin) };
  }
}

/** The middle of an element is on the screen, and no panel cuts it off. */
function isInSight(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return there !== null && element.contains(there);
}

/** Types commands and texts in a folder. */
export class Shell {
  commands = 0;
  characters = 0;
  begin = performance.now();

  constructor(folder) {
    this.folder = folder;
  }

  /** Runs a command line, `rebone` of this build among its programs; returns what it prints. */
  run(line) {
    this.commands += 1;
    this.characters += line.length;
    const env = { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` };
    return execSync(line, { cwd: this.folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  /** Types lines at the end of a file. */
  async edit(name, text) {
    this.characters += text.length;
    await writeFile(join(this.folder, name), text, { flag: "a" });
  }

  figures() {
    const { commands, characters } = this;
    return { commands, characters, seconds: seconds(this.begin) };
  }
}

const seconds = (begin) => (performance.now() - begin) / 1000;

/** Runs `rebone` without counting it, to verify; returns what it prints. */
export function rebone(folder, ...args) {
  return execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
