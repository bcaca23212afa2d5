/** Deaths while a person presses a button on Telegram instead of typing a command. */
import { openTelegramPlace } from "./telegram-place.ts";
import type { TreeStory } from "./tree-world.ts";

/** As many as take three messages. */
const LINES = 1_200;
/** What is said in the middle of three messages. */
const MIDDLE = /^line (?!1\n)(?![\s\S]*line 1200)/;

/** Below a sub-agent at work: it is stopped, once. */
export const PRESSED_KILL: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --label hold hang");
    await world.hears(/^🌱 .*hold.* is at work/);
    await world.presses("Stop");
  },
  hears: [/^⏹ hold was stopped\.$/, /^Stopped .*hold/],
  end: { runs: { killed: 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** Below a result whose middle was lost on its way, and is not sent again by itself: it is, once. */
export const PRESSED_RETRY: TreeStory = {
  openPlace: () => openTelegramPlace({ delivery: "at-most-once", lostSend: 2 }),
  agent: "tree",
  async play(world) {
    await world.says(`/spawn --label walk recite ${LINES}`);
    await world.hears(/^line [\s\S]*line 1200$/);
    await world.presses("Try again");
  },
  hears: [/^✅ walk · done in [\s\S]*\nline 1\n/, MIDDLE, /^line (?!1\n)[\s\S]*line 1200$/],
  // None of these is sent again that may stand there.
  mayHear: [/^🌱 walk is at work/, /^Trying again: what of walk did not arrive \(1 message\)/],
  end: { runs: { complete: 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** Below an answer that grows in a message: its turn ends with what it had said, and no other one does. */
export const PRESSED_STOP: TreeStory = {
  openPlace: () => openTelegramPlace({ growingAnswers: "edits" }),
  agent: "tree",
  async play(world) {
    await world.says("ponder");
    await world.hears(/^a thought without an end/);
    await world.presses("Stop");
    await world.hears(/^Stopped/);
    await world.says("and now?");
  },
  hears: [/^Stopped/, /^heard: and now\?/],
  mayHear: [/^a thought without an end/],
  end: { runs: {}, timers: [], bindings: 0, archived: 0 },
};
