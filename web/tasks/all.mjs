// All tasks with their names: each takes an empty folder, throws where it does not come out right, and gives what it took.

import { reviewLibrary } from "./library.mjs";
import { exportTable, levelFoot, mendRole } from "./pair.mjs";

export const TASKS = [
  ["a wrong role mended", mendRole],
  ["a foot levelled", levelFoot],
  ["a hand turned by 12.5°, exported as a table", exportTable],
  ["forty results gone through", reviewLibrary],
];
