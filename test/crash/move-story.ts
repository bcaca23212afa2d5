/** Deaths while a group becomes a supergroup between the messages that a result is to be edited into and those edits. */
import { createTelegramEmulator } from "@banyan/emulator-telegram";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { ANCHOR_TRACES } from "./telegram-place.ts";
import type { TreePlace } from "./tree-place.ts";
import type { TreeStory } from "./tree-world.ts";

/** As many as take three messages. */
const LINES = 1_200;
/** What was said in the group that was left stands behind this. */
const LEFT = "left: ";

/** The parts of a result, and what may stand of it besides: a status, its end, and what was begun and left. */
const PARTS: readonly RegExp[] = [
  /^✅ walk · done in [\s\S]*\nline 1\n/,
  /^line (?!1\n)(?![\s\S]*line 1200)/,
  /^line (?!1\n)[\s\S]*line 1200$/,
];
const LEFT_TRACES = /^left: (🌱 walk is at work|✅ walk is done|.*has to say follows\.$|⏳ \d of \d$)/;

/**
 * `edits`: so many are taken before the group moves. Telegram makes the next one in the old group, where it may stand from
 * then on; it is sent to the new one as well, as all that follow.
 */
function buildStory(edits: number): TreeStory {
  return {
    openPlace: () => openMovingGroup(edits),
    agent: "tree",
    async play(world) {
      await world.says(`/spawn --label walk recite ${LINES}`);
      await world.moves();
      await world.hears(PARTS[2] ?? /line 1200$/);
    },
    hears: PARTS.slice(edits),
    mayHear: [
      ...PARTS.slice(0, edits),
      ...PARTS.map(({ source }) => new RegExp(source.replace("^", `^${LEFT}`))),
      LEFT_TRACES,
    ],
    end: { runs: { complete: 1 }, timers: ["archive"], bindings: 0, archived: 0 },
  };
}

/** While the first part is put in its place. */
export const MOVED_RESULTS: TreeStory = buildStory(0);

/** While the second one is: the first one stands in the old chat alone. */
export const PARTED_RESULTS: TreeStory = buildStory(1);

/** A basic group with Ada, which becomes a supergroup while its edit number `edits`, counted from 0, is on its way. */
async function openMovingGroup(edits: number): Promise<TreePlace> {
  const telegram = await createTelegramEmulator({});
  await telegram.addBot({ token: BOT_TOKEN, username: "grove_bot" });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const old = await telegram.createRoom({ kind: "group", title: "Grove", creator: ada, bots: [await telegram.bot()] });
  const account = { groups: { policy: "open" } };
  const gate = await telegram.faults.hold({ method: "editMessageText", at: "request", skip: edits, times: 1 });
  let grown: typeof old | undefined;
  const readTexts = async () => {
    const left = (await old.member(ada).messages()).map(({ text }) => LEFT + text);
    return [...left, ...((await grown?.member(ada).messages()) ?? []).map(({ text }) => text)];
  };
  return {
    env: { TELEGRAM_BOT_TOKEN: BOT_TOKEN, TELEGRAM_API_BASE_URL: telegram.url, TELEGRAM_ALLOW_FROM: "7" },
    config: { channels: { telegram: { accounts: { default: account } } } },
    files: {},
    marksRepeats: true,
    traces: ANCHOR_TRACES,
    says: async (text) => void (await old.member(ada).says(`@grove_bot ${text}`)),
    async moves() {
      await gate.reached(1, 120_000);
      grown = await old.upgrades(ada);
      await gate.release();
    },
    texts: readTexts,
    async findFault() {
      const texts = await readTexts();
      const faults = [true, false].map((isLeft) =>
        findRepeat(texts.filter((text) => text.startsWith(LEFT) === isLeft)),
      );
      const count = new Set(texts.flatMap(listLines)).size;
      return (
        faults.find((fault) => fault !== undefined) ?? (count === LINES ? undefined : `${count} lines stand there`)
      );
    },
    close: () => telegram.close(),
  };
}

function listLines(text: string): readonly string[] {
  return [...text.matchAll(/^(?:left: )?(line \d+)$/gm)].map(([, line = ""]) => line);
}

/** In one chat. */
function findRepeat(texts: readonly string[]): string | undefined {
  const lines = texts.flatMap(listLines);
  const repeated = lines.find((line, index) => lines.indexOf(line) !== index);
  return repeated === undefined ? undefined : `"${repeated}" stands twice in one chat`;
}
