import type { DiscordChat } from "@banyan/emulator-discord";
import { expect, test } from "vitest";
import { parseAccountState } from "../../src/state/account-state.ts";
import { openSpeakingTown, type SpeakingTown } from "../discord-town.ts";
import { BOT_ID } from "../test-account.ts";

const MINUTES = 60_000;
const ARCHIVED = "GET /channels/:channel/threads/archived/public";

type Kind = "public" | "private" | "forum";

interface AwayTown extends SpeakingTown {
  readonly inThread: DiscordChat;
  /** The bot comes back so long after it went, to a Discord that knows its session no more; resolves with what it hears. */
  comeBack(afterMinutes: number): Promise<readonly string[]>;
}

/** A bot that is away, and a thread that Discord archives after a quiet hour. */
async function openAwayTown(kind: Kind = "public"): Promise<AwayTown> {
  const town = await openSpeakingTown();
  const { discord, guild, general, ada, account, createAccount } = town;
  const parent = kind === "forum" ? await guild.createChannel({ name: "ideas", kind: "forum" }) : general;
  const spec = { name: "census", autoArchiveMin: 60, isPrivate: kind === "private" } as const;
  const thread = await parent.createThread(ada, { ...spec, ...(kind === "forum" && { text: "before" }) });
  if (kind === "private") await thread.adds({ id: BOT_ID });
  const inThread = ada.in(thread);
  await inThread.says("before");
  await account.until("what came before", () => account.received.some(({ text }) => text === "before"));
  await account.close();
  await discord.gateway.refuseResume();
  return {
    ...town,
    inThread,
    async comeBack(afterMinutes) {
      await discord.passTime(afterMinutes * MINUTES);
      const second = createAccount({ cursor: account.cursor });
      second.passTime(afterMinutes * MINUTES);
      await second.connect();
      await second.until("the gap", () => hasRead(second.cursor, account.cursor));
      return second.received.map(({ text }) => text).filter((text) => text !== "before");
    },
  };
}

/** A session that is newer than the earlier life's, and no server left to read. */
function hasRead(cursor: string | undefined, earlier: string | undefined): boolean {
  const { shards, missed } = parseAccountState(cursor);
  const session = shards[0]?.id;
  const isNew = session !== undefined && session !== parseAccountState(earlier).shards[0]?.id;
  return isNew && Object.keys(missed).length === 0;
}

test.for<Kind>(["public", "private", "forum"])(
  "D50, D55: what was said in a thread that is archived by now is heard (%s)",
  async (kind) => {
    const { inThread, comeBack } = await openAwayTown(kind);
    await inThread.says("anybody there?");
    expect(await comeBack(180)).toEqual(["anybody there?"]);
  },
);

test("D50: of many threads that were archived meanwhile all are looked at", async () => {
  const { discord, general, ada, inThread, comeBack } = await openAwayTown();
  await inThread.says("first");
  for (let at = 0; at < 120; at += 1) {
    await discord.passTime(MINUTES);
    await general.createThread(ada, { name: `${at}`, autoArchiveMin: 60 });
  }
  expect(await comeBack(180)).toEqual(["first"]);
});

test("a gap that is too short for Discord to archive anything asks for nothing", async () => {
  const { discord, inThread, comeBack } = await openAwayTown();
  await inThread.says("short");
  expect(await comeBack(20)).toEqual(["short"]);
  expect(await discord.counts()).not.toHaveProperty([ARCHIVED]);
});
