/** Deaths while what tells of a sub-agent's end is edited into a message that stands in the chat on Telegram. */
import { openTelegramPlace, type TelegramPlaceOptions } from "./telegram-place.ts";
import type { TreeCall, TreeDoor } from "./tree-place.ts";
import type { TreeStory } from "./tree-world.ts";

/** As many as take three messages. */
const LINES = 1_200;
const RESULT: readonly RegExp[] = [
  /^✅ walk · done in [\s\S]*\nline 1\n/,
  /^line (?!1\n)(?![\s\S]*line 1200)/,
  /^line (?!1\n)[\s\S]*line 1200$/,
];

const LONG: Omit<TreeStory, "openPlace" | "hears"> = {
  agent: "tree",
  play: (world) => world.says(`/spawn --label walk recite ${LINES}`),
  end: { runs: { complete: 1 }, timers: ["archive"], bindings: 0, archived: 0 },
};

/** A person spawns one whose result takes three messages: the command's answer becomes the first of them. */
export const RESULTS: TreeStory = { ...LONG, openPlace: () => openLinePlace("anchor"), hears: RESULT };

/** The same where every message is sent anew that may not have come. */
export const COPIED_RESULTS: TreeStory = {
  ...LONG,
  openPlace: () => openLinePlace("at-least-once"),
  hears: [/^🌱 walk is at work/, ...RESULT],
};

/** The same where none is: what is missing is known as such. */
export const SINGLE_RESULTS: TreeStory = {
  ...LONG,
  openPlace: () => openLinePlace("at-most-once"),
  async play(world) {
    await LONG.play(world);
    await world.finds("the end", async (read) => (await read.runs({ states: ["ended"], limit: 1 }))[0]);
  },
  hears: [],
  mayHear: [/^🌱 walk is at work/, ...RESULT],
};

/** The same where Telegram takes no edit: each part is a message of its own, and one that may be a repeat says so. */
export const REFUSED_RESULTS: TreeStory = {
  ...LONG,
  openPlace: () => openTelegramPlace({ lines: LINES, refusesEdits: true }),
  hears: RESULT,
};

/** Sub-agents that end in silence, one of a person's and one of the agent's: what showed them at work shows their end. */
export const SILENCE: TreeStory = {
  openPlace: () => openTelegramPlace(),
  agent: "tree",
  async play(world) {
    await world.says("/spawn --label mute hush");
    await world.hears(/^✅ mute is done\.$/);
    await world.says(`spawn ${JSON.stringify({ label: "quiet", task: "hush" })}`);
  },
  hears: [/^✅ mute is done\.$/, /^begun: quiet accepted/, /^✅ quiet is done\.$/],
  end: { runs: { complete: 2 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
};

const openLinePlace = (delivery: NonNullable<TelegramPlaceOptions["delivery"]>) =>
  openTelegramPlace({ delivery, lines: LINES });

/** A call that stands at Telegram's door while the process dies. */
export interface AnchorDoor extends TreeDoor {
  readonly story: "results" | "copied results" | "single results" | "silence" | "telegram";
  readonly call: TreeCall;
}

const WAYS: readonly Omit<TreeDoor, "skip">[] = [
  { at: "request", end: "cut" },
  { at: "request", end: "release" },
  { at: "answer", end: "cut" },
];

/** How many calls of the kind each story surely makes. */
const CALLS: readonly (readonly [AnchorDoor["story"], TreeCall, count: number])[] = [
  // The command's answer, what the second and the third part are edited into, and the call.
  ["results", "send", 4],
  ["results", "edit", 3],
  ["copied results", "send", 4],
  ["single results", "send", 4],
  ["silence", "send", 3],
  ["silence", "edit", 2],
  ["telegram", "send", 5],
  ["telegram", "edit", 2],
];

/** Every call of every story, in each way that it can be cut off. */
export const ANCHOR_DOORS: readonly AnchorDoor[] = CALLS.flatMap(([story, call, count]) =>
  Array.from({ length: count }, (_, skip) => skip).flatMap((skip) =>
    WAYS.map((way) => ({ story, call, skip, ...way })),
  ),
);

/** Of these the ones that each test run tells. */
export const CHOSEN_ANCHOR_DOORS: readonly AnchorDoor[] = ANCHOR_DOORS.filter(({ story, call, skip, end, at }) => {
  if (story === "results") return call === "edit" ? skip < 2 : skip === 1 || at === "answer";
  if (story === "copied results" || story === "single results") return skip === 1 && end === "cut";
  return call === "edit" && (skip === 0 || at === "answer");
});

export function nameAnchorDoor({ story, call, at, skip, end }: AnchorDoor): string {
  const way =
    at === "answer" ? "is taken, and its answer never read" : end === "cut" ? "is never taken" : "is taken late";
  return `${story}: ${call} ${skip + 1} ${way}`;
}
