// Keys of the page; they act where no field is typed in.

import { endPicking, saveCards, tell } from "./actions";
import { flagCurrent, markCurrent, openNext } from "./library";
import { pickSelected } from "./panels/roles";
import { toWorst } from "./panels/timeline";
import * as state from "./state";
import { drawing } from "./work";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("textarea, select, input:not([type=range], [type=checkbox])");
}

/** A key with its action; `shown` and `does` are its line in the list of keys. */
interface Key {
  key: string;
  shown?: string;
  does?: string;
  action(): void;
  /** Ends what the key does only while it is held. */
  release?(): void;
}

/** Keys that act where no field is typed in. */
const PLAIN: Key[] = [
  { key: " ", shown: "Space", does: "play", action: () => (state.isPlaying.value = !state.isPlaying.value) },
  { key: ",", shown: ", .", does: "a frame back, ahead", action: () => state.goTo(state.frame.value - 1) },
  { key: ".", action: () => state.goTo(state.frame.value + 1) },
  { key: "[", shown: "[ ]", does: "worst frame before, after", action: () => toWorst(-1) },
  { key: "]", action: () => toWorst(1) },
  { key: "p", shown: "P", does: "pick the joint of the selected role", action: pickSelected },
  { key: "Enter", shown: "Enter", does: "end picking a list", action: endPicking },
  { key: "Escape", shown: "Esc", does: "let go", action: () => (state.picking.value = null) },
  { key: "f", shown: "F, S, T", does: "view from the front, the side, the top", action: () => drawing.view("front") },
  { key: "s", action: () => drawing.view("side") },
  { key: "t", action: () => drawing.view("top") },
  {
    key: "b", shown: "B", does: "while it is held: the result before the last edit",
    action: () => (state.isBeforeHeld.value = true), release: () => (state.isBeforeHeld.value = false),
  },
  { key: "a", shown: "A, X", does: "accept, flag the result of the library", action: () => void tell(markCurrent({ mark: "accepted" })) },
  { key: "x", action: () => void tell(flagCurrent()) },
  { key: "n", shown: "N", does: "next result without a mark", action: () => void tell(openNext()) },
  { key: "?", shown: "?", does: "this list", action: () => (state.isHelpOpen.value = true) },
];

/** Keys with Ctrl, and with Shift as written. */
const WITH_CTRL: Key[] = [
  { key: "z", shown: "Ctrl+Z, Ctrl+Shift+Z", does: "undo, redo", action: state.undo },
  { key: "Shift+z", action: state.redo },
  { key: "s", shown: "Ctrl+S", does: "save cards", action: saveCards },
];

/** The lines of the list of keys. */
export const KEYS = [...PLAIN, ...WITH_CTRL].flatMap(({ shown, does }) => (shown && does ? [{ shown, does }] : []));

/** Name of a key in the tables, whatever Shift and Caps Lock make of it. */
const nameOf = ({ key }: KeyboardEvent) => (key.length === 1 ? key.toLowerCase() : key);

export function listenToKeys(): void {
  addEventListener("keyup", (event) => PLAIN.find((own) => own.key === nameOf(event))?.release?.());
  // A page that is left hears of no key that is let go.
  addEventListener("blur", () => PLAIN.forEach((own) => own.release?.()));
  addEventListener("keydown", (event) => {
    const key = nameOf(event);
    const target = event.target instanceof Element ? event.target : null;
    if (event.ctrlKey || event.metaKey) {
      const wanted = event.shiftKey ? `Shift+${key}` : key;
      const found = WITH_CTRL.find((own) => own.key === wanted);
      if (!found || (key === "z" && isTyping(target))) return;
      found.action();
      event.preventDefault();
      return;
    }
    if (isTyping(target) && key !== "Escape") return;
    if ((key === " " || key === "Enter") && target?.matches("button, [role=treeitem]")) return;
    const found = PLAIN.find((own) => own.key === key);
    if (!found || event.altKey) return;
    found.action();
    // The key is no letter of the note that it asks for.
    if (key === " " || key === "x") event.preventDefault();
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
