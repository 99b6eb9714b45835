// The built page in Chromium: edits, pictures, opening, reloads.

import { readFile } from "node:fs/promises";
import { open, openPair, solved, stateOf } from "../tests/browser.mjs";
import { lengthened } from "./module.mjs";
import { ms, quantile, spread } from "./figures.mjs";
import { skinDifference } from "./skin.mjs";

const EDITS = 200;
const WARM = 20;
const PICTURES = 60;
const RELOADS = 10;

/** Milliseconds from the begin of an edit until its pose is in the page, one edit after another. */
function edits(page, count) {
  return page.evaluate(async (count) => {
    const { state, work } = globalThis.studio;
    const joint = state.understanding.value.sides.target.joints.find(({ role }) => role?.name === "leftUpperArm").index;
    const ask = work.live.ask.bind(work.live);
    let arrived = () => {};
    work.live.ask = async (request) => {
      const answer = await ask(request);
      if (request.do === "frame") arrived();
      return answer;
    };
    const times = [];
    for (let step = 0; step < count; step++) {
      const begin = performance.now();
      const there = new Promise((resolve) => (arrived = resolve));
      const document = state.document_.value;
      const edits = [{ set: "pose", joint, turn: [0, 0.1 * (step + 1), 0] }];
      const card = await work.card({ do: "edit", side: "target", document, edits });
      state.change({ ...document, cards: { ...document.cards, target: card } }, "");
      await there;
      times.push(performance.now() - begin);
    }
    work.live.ask = ask;
    return times;
  }, count);
}

/** Milliseconds of questions to the live worker for frames. */
function frames(page, count) {
  return page.evaluate(async (count) => {
    const { state, work } = globalThis.studio;
    const times = [];
    for (let frame = 0; frame < count; frame++) {
      const begin = performance.now();
      await work.live.ask({ do: "frame", document: state.document_.value, frame });
      times.push(performance.now() - begin);
    }
    return times;
  }, count);
}

/** Milliseconds from an edit until the whole clip is solved and its verdict shown, with the time for which edits must rest. */
async function whole(page, count) {
  const times = [];
  for (let step = 0; step < count; step++) {
    times.push(await page.evaluate((arms) => new Promise((resolve) => {
      const { state } = globalThis.studio;
      const now = state.document_.value;
      const begin = performance.now();
      state.change({ ...now, options: { ...now.options, arms } }, "");
      const end = state.isSolving.subscribe((isSolving) => {
        if (isSolving) return;
        queueMicrotask(() => end());
        resolve(performance.now() - begin);
      });
    }), (step + 1) / 100));
  }
  return times;
}

/** Milliseconds of script for each of some pictures, and of drawing alone. */
async function pictures(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const script = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ScriptDuration").value;
  };
  const times = { script: [], draw: [] };
  for (let frame = 0; frame < PICTURES; frame++) {
    const before = await script();
    times.draw.push(await page.evaluate((frame) => new Promise((resolve) => {
      const { stage, state } = globalThis.studio;
      const draw = Object.getPrototypeOf(stage).draw;
      stage.draw = () => {
        const begin = performance.now();
        draw.call(stage);
        const took = performance.now() - begin;
        delete stage.draw;
        // After the panels, which render behind a picture.
        setTimeout(() => resolve(took), 50);
      };
      // Another one than the one at hand, which is drawn already.
      state.frame.value = frame + 1;
    }), frame));
    times.script.push((await script()) - before);
  }
  await session.detach();
  return times;
}

/** Two hundred edits at 60 a second: questions that are asked, and whether the last edit is the one that is shown. */
async function burst(page) {
  const before = await page.evaluate(() => [globalThis.studio.work.live.asked, globalThis.studio.work.clip.asked]);
  await page.evaluate(async (count) => {
    const { state } = globalThis.studio;
    for (let step = 0; step < count; step++) {
      const now = state.document_.value;
      state.change({ ...now, options: { ...now.options, arms: step / (count - 1) } }, "arms");
      await new Promise((resolve) => setTimeout(resolve, 1000 / 60));
    }
  }, EDITS);
  await solved(page);
  const after = await page.evaluate(() => [globalThis.studio.work.live.asked, globalThis.studio.work.clip.asked]);
  const { arms } = (await stateOf(page, "document_")).options;
  return `${arms === 1 ? "the last one wins" : `arms ${arms}`}; ${after[0] - before[0]} questions to the live worker, ${after[1] - before[1]} to the other`;
}

/** Reloads in the middle of edits, 50 a second; returns milliseconds of edits that are lost. */
async function reloads(page) {
  const lost = [];
  for (let round = 0; round < RELOADS; round++) {
    await page.evaluate(() => {
      const { state } = globalThis.studio;
      state.begin();
      state.frame.value = 0;
    });
    await solved(page);
    await page.waitForTimeout(1000);
    await page.evaluate(() => {
      const { state } = globalThis.studio;
      const times = [Date.now()];
      setInterval(() => {
        const now = state.document_.value;
        state.change({ ...now, options: { ...now.options, arms: times.length / 1000 } }, "arms");
        state.frame.value = times.length;
        times.push(Date.now());
        localStorage.setItem("times", JSON.stringify(times));
      }, 20);
    });
    await page.waitForTimeout(400 + 150 * round);
    await page.reload();
    await page.waitForSelector("#page[data-ready]");
    const [times, arms, frame] = await page.evaluate(() => {
      const { document_, frame } = globalThis.studio.state;
      return [JSON.parse(localStorage.getItem("times")), document_.value.options.arms ?? 0, frame.value];
    });
    const kept = Math.round(1000 * arms);
    lost.push({ milliseconds: times.at(-1) - times[kept], isWhole: frame === kept });
  }
  return lost;
}

/** Milliseconds from opening the page to a verdict, files at hand, in a browser that keeps nothing. */
async function openings(motion, character, rounds) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now();
    const { page, context } = await open();
    await openPair(page, motion, character);
    times.push(performance.now() - begin);
    await context.close();
  }
  return times;
}

/** Milliseconds until the frame at hand follows an edit while a long clip is solved. */
async function editWhileSolving(page, motion) {
  const buffer = Buffer.from(lengthened(await readFile(motion, "utf8")));
  await page.setInputFiles("input[data-side=source] >> nth=0", { name: "long.bvh", mimeType: "", buffer });
  await page.waitForFunction(() => globalThis.studio.state.files.value.source?.name === "long.bvh");
  await solved(page);
  const times = [];
  for (let round = 0; round < 5; round++) {
    await page.evaluate(() => {
      const { state } = globalThis.studio;
      const asked = globalThis.studio.work.clip.asked;
      const now = state.document_.value;
      state.change({ ...now, options: { ...now.options, arms: Math.random() } }, "");
      return new Promise((resolve) => {
        const wait = () => (globalThis.studio.work.clip.asked > asked ? resolve() : setTimeout(wait, 1));
        wait();
      });
    });
    times.push(...(await edits(page, 1)));
    if (!(await stateOf(page, "isSolving"))) throw new Error("the clip was solved before the edit");
    await solved(page);
  }
  return times;
}

/** Rows of the table, for the paths of a motion and a character. */
export async function pageRows(motion, character) {
  const opening = await openings(motion, character, 5);
  const { page, faults } = await open();
  await openPair(page, motion, character);
  const rows = [];
  if (await page.evaluate(() => globalThis.studio.stage.bodies.target.hasSkin)) {
    const wanted = await page.evaluate(() => [0, 1, 2, 3, 4].map((part) => Math.round((part / 4) * (globalThis.studio.state.frameCount.value - 1))));
    const { millimetres, degrees, vertices, joints } = await skinDifference(page, wanted);
    rows.push([`skin in the page against the exported file in three.js, five frames, ${vertices} vertices, ${joints} joints`,
      "≤ 0.05 mm, ≤ 0.15°", `${millimetres.toFixed(3)} mm, ${degrees.toFixed(2)}°`]);
  } else {
    rows.push(["skin in the page against the exported file in three.js", "≤ 0.05 mm, ≤ 0.15°", "not measured: the character has no skin"]);
  }
  const edit = (await edits(page, WARM + EDITS)).slice(WARM);
  await solved(page);
  const frame = await frames(page, EDITS);
  const solve = (await whole(page, 12)).slice(2);
  const { script, draw } = await pictures(page);
  rows.push(
    ["an edit, until the pose is in the page", "median ≤ 8 ms, 95 % ≤ 33 ms", spread(edit)],
    ["scrubbing: a frame from the worker", "median ≤ 2 ms", spread(frame)],
    ["from an edit to the verdict of the whole clip", "≤ 100 ms behind 80 ms of rest", spread(solve)],
    ["script of the page for a picture, two bodies; drawing alone", "median ≤ 4 ms", `${spread(script)}; ${spread(draw)}`],
    ["from opening the page to a result, from a disk", "≤ 3 s", spread(opening)],
    ["200 edits at 60 a second", "the last one wins", await burst(page)],
  );
  const lost = await reloads(page);
  const milliseconds = lost.map((own) => own.milliseconds);
  rows.push([`${RELOADS} reloads in the middle of edits`, "same document and frame, at most 300 ms lost",
    `${lost.every(({ isWhole }) => isWhole) ? "same" : "not the same"}; lost: median ${quantile(milliseconds, 0.5)} ms, at most ${Math.max(...milliseconds)} ms`]);
  rows.push(["an edit while 10,121 frames are solved, until the pose is in the page", "≤ 100 ms",
    `at most ${ms(Math.max(...(await editWhileSolving(page, motion))))}`]);
  rows.push(["requests to other addresses, violations of the policy, errors", "none", faults.length === 0 ? "none" : faults.join("; ")]);
  return rows;
}
