/** What a chat shows after the process was killed at a step: one death for each step and platform. */
import { formatTable } from "../docs/generated-part.ts";
import { openDiscordPlace } from "./discord-place.ts";
import type { KillPlan } from "./kill-plan.ts";
import { openTelegramPlace } from "./telegram-place.ts";
import { openWebPlace, type TreePlace } from "./tree-place.ts";
import { tellSureTreeDeaths } from "./tree-story.ts";
import type { TreeStory } from "./tree-world.ts";

export const MATRIX_PAGE = "docs/deliveries.md";
export const MATRIX_TABLES: RegExp =
  /(?<=<!-- crash matrix, written by `vitest run test\/crash\/matrix -u` -->\n)[\s\S]*(?=<!-- end -->)/;

interface MatrixRow {
  /** As the page says it: "Killed …". */
  readonly when: string;
  readonly plan: KillPlan;
  /** Default: all. On the others nothing passes the point. */
  readonly only?: MatrixPlatform;
}

type MatrixPlatform = "web chat" | "Telegram" | "Discord";

/** What people ask for, what they must get, and where the process is killed on the way. */
interface MatrixPart {
  /** As the page says it. */
  readonly title: string;
  readonly says: string;
  readonly answer: RegExp;
  /** Notices of the host that may be there, once. */
  readonly notices: readonly RegExp[];
  readonly end: TreeStory["end"];
  readonly rows: readonly MatrixRow[];
}

const OPEN_PLACE: Readonly<Record<MatrixPlatform, () => Promise<TreePlace>>> = {
  "web chat": openWebPlace,
  Telegram: () => openTelegramPlace(),
  Discord: () => openDiscordPlace([]),
};
const PLATFORMS: readonly MatrixPlatform[] = ["web chat", "Telegram", "Discord"];

/** On Discord what was said before the very first start is told by the clock, which therefore is not hurried. */
const UNHURRIED: MatrixPlatform = "Discord";
const MARK = "(may be repeated)\n";

const MESSAGE: MatrixPart = {
  title: "the answer to a message",
  says: "look",
  answer: /^heard: look\s*$/,
  notices: [],
  end: { runs: {}, timers: [], bindings: 0, archived: 0 },
  rows: [
    { when: "while the first start creates the database", plan: { point: "store.migration.before", hit: 1 } },
    { when: "after the message has come, before it is stored", plan: { point: "inbound.parsed", hit: 1 } },
    { when: "after the message is stored", plan: { point: "T0.after", hit: 1 } },
    { when: "after the agent has answered, before that is stored", plan: { point: "T3.before", hit: 1 } },
    { when: "after the answer is stored, before it is sent", plan: { point: "T3.after", hit: 1 } },
    { when: "after the platform has the answer, before that is stored", plan: { point: "T6.before", hit: 1 } },
    { when: "after the delivery is stored", plan: { point: "T6.after", hit: 1 } },
  ],
};

const RESULT: MatrixPart = {
  title: "the result of a sub-agent",
  says: "/spawn --label scout look",
  answer: /scout[\s\S]*heard: look\s*$|^heard: look\s+✅ scout/,
  notices: [/^🌱 \*\*scout\*\* is at work/, /^✅ \*\*scout\*\* is done\.$/],
  end: { runs: { complete: 1 }, timers: ["announce", "archive"], bindings: 0, archived: 0 },
  rows: [
    { when: "before the sub-agent is stored", plan: { point: "T1a.before", hit: 1 } },
    { when: "after the sub-agent is stored", plan: { point: "T1a.after", hit: 1 } },
    { when: "after the command is carried out", plan: { point: "command.after", hit: 1 } },
    {
      when: "after the platform has the first status message, before that is stored",
      plan: { point: "T6.before", hit: 1 },
    },
    { when: "after the sub-agent's turn has begun", plan: { point: "T2.after", hit: 1 } },
    { when: "after the sub-agent is done, before its result is stored", plan: { point: "T3.before", hit: 1 } },
    { when: "after its result is stored", plan: { point: "T3.after", hit: 1 } },
    { when: "after a turn of its requester with the result has begun", plan: { point: "T2.after", hit: 2 } },
    {
      when: "before it is stored which message becomes the result",
      plan: { point: "anchor.before", hit: 1 },
      only: "Telegram",
    },
    { when: "before the result is sent", plan: { point: "tap.before", hit: 1 } },
    { when: "after the platform has the result, before that is stored", plan: { point: "T6.before", hit: 2 } },
    { when: "after the delivery is stored", plan: { point: "T6.after", hit: 2 } },
  ],
};

const MATRIX: readonly MatrixPart[] = [MESSAGE, RESULT];

/** One death. */
export interface MatrixCell {
  readonly name: string;
  readonly part: MatrixPart;
  readonly row: MatrixRow;
  readonly platform: MatrixPlatform;
}

export function listCells(): readonly MatrixCell[] {
  return MATRIX.flatMap((part) =>
    part.rows.flatMap((row) =>
      PLATFORMS.filter((platform) => row.only === undefined || row.only === platform).map((platform) => ({
        name: nameCell(part, row, platform),
        part,
        row,
        platform,
      })),
    ),
  );
}

function nameCell({ title }: MatrixPart, { plan }: MatrixRow, platform: MatrixPlatform): string {
  return `${title}, ${platform}: ${plan.point} (${plan.hit})`;
}

/** Kills a gateway at the row's step, starts the next one, and returns what the chat shows of the answer at the end. */
export async function showCell({ part, row, platform }: MatrixCell): Promise<string> {
  let shown: readonly string[] = [];
  const story: TreeStory = {
    async openPlace() {
      const place = await OPEN_PLACE[platform]();
      const texts: TreePlace["texts"] = async (lives) => {
        shown = await place.texts(lives);
        return shown;
      };
      return { ...place, texts };
    },
    agent: "tree",
    ...(platform === UNHURRIED ? { hurry: 1 } : {}),
    play: (world) => world.says(part.says),
    hears: [part.answer],
    mayHear: part.notices,
    end: part.end,
  };
  await tellSureTreeDeaths(story, [row.plan]);
  return formatShown(shown, part.answer);
}

function formatShown(texts: readonly string[], answer: RegExp): string {
  const copies = texts.filter((text) => answer.test(text.startsWith(MARK) ? text.slice(MARK.length) : text));
  const marked = copies.filter((text) => text.startsWith(MARK)).length;
  if (copies.length === 1) return marked === 0 ? "once" : "once, marked";
  return `${copies.length} times, ${marked} marked`;
}

/** The tables of the page, with what each death has shown by the name of its cell. */
export function formatMatrix(shown: ReadonlyMap<string, string>): string {
  return MATRIX.map((part) => {
    const rows = part.rows.map((row) => [
      `${row.when} (\`${row.plan.point}\`)`,
      ...PLATFORMS.map((platform) => shown.get(nameCell(part, row, platform)) ?? "does not happen"),
    ]);
    return `\n${formatTable([part.title, ...PLATFORMS], rows)}\n`;
  }).join("");
}
