// Keys of the page; they act where no field is typed in.

import { endPicking, saveCards } from "./actions";
import { isHelpOpen } from "./panels/help";
import { pickSelected } from "./panels/roles";
import { toWorst } from "./panels/timeline";
import * as state from "./state";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("textarea, select, input:not([type=range], [type=checkbox])");
}

function goTo(frame: number): void {
  state.frame.value = Math.min(Math.max(frame, 0), Math.max(state.frameCount.value - 1, 0));
}

const ACTIONS: Record<string, () => void> = {
  " ": () => (state.isPlaying.value = !state.isPlaying.value),
  ",": () => goTo(state.frame.value - 1),
  ".": () => goTo(state.frame.value + 1),
  "[": () => toWorst(-1),
  "]": () => toWorst(1),
  p: pickSelected,
  Escape: () => (state.picking.value = null),
  Enter: endPicking,
  "?": () => (isHelpOpen.value = true),
};

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key === "s") saveCards();
      else if (key === "z" && !isTyping(event.target)) (event.shiftKey ? state.redo : state.undo)();
      else return;
      event.preventDefault();
      return;
    }
    if (isTyping(event.target) && key !== "Escape") return;
    if ((key === " " || key === "Enter") && event.target instanceof Element && event.target.matches("button, [role=treeitem]")) return;
    const action = ACTIONS[key];
    if (!action || event.altKey) return;
    action();
    if (key === " ") event.preventDefault();
  });
}

/** Plays: moves the frame with the clock. */
export function play(): void {
  let before: number | undefined;
  let place = 0;
  const tick = (now: number) => {
    if (state.isPlaying.peek() && state.frameCount.peek() > 1) {
      if (Math.round(place) !== state.frame.peek() || before === undefined) place = state.frame.peek();
      place += (((now - (before ?? now)) / 1000) * state.speed.peek()) / state.frameTime.peek();
      if (place > state.frameCount.peek() - 1) place = 0;
      state.frame.value = Math.round(place);
      before = now;
    } else {
      before = undefined;
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
