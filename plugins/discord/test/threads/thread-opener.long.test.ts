import { parseAddress } from "@banyan/plugin-sdk";
import { describe, expect, test } from "vitest";
import { openSpeakingTown, SEND, type SpeakingTown } from "../discord-town.ts";
import { BOT_ID, buildAddress, type TestAccount } from "../test-account.ts";

const FROM_MESSAGE = "POST /channels/:channel/messages/:message/threads";
const BARE = "POST /channels/:channel/threads";
const OPENING: Opening = { bindingId: "binding-1", name: "nap", hello: "🌱 “nap” works here; write to it." };
const MINUTES = 60_000;

interface Opening {
  readonly bindingId: string;
  readonly name: string;
  readonly hello: string;
}

/** Opens in #general, or in another channel; resolves with the thread's id. */
async function open(
  { general, account }: SpeakingTown,
  opening: Partial<Opening> = {},
  { by = account, channelId = general.id }: { readonly by?: TestAccount; readonly channelId?: string } = {},
): Promise<string | undefined> {
  const opened = await by.connection.threads?.open({ ...OPENING, ...opening, parent: buildAddress(channelId) });
  const { chat, thread } = parseAddress(opened?.address ?? buildAddress("0"));
  expect(chat).toBe(channelId);
  return thread;
}

async function readThreads({ guild }: SpeakingTown): Promise<readonly (readonly [string, readonly string[]])[]> {
  const threads = await guild.threads();
  return Promise.all(
    threads.map(async (thread) => [thread.name, (await thread.messages()).map(({ text }) => text)] as const),
  );
}

test("D7: a public thread stands on a message of the channel, and begins with a hello", async () => {
  const town = await openSpeakingTown({ config: { threadArchiveMinutes: 100 } });
  const threadId = await open(town);
  const [thread] = await town.general.threads();
  expect([thread?.id, thread?.kind, thread?.name]).toEqual([threadId, "thread", "nap"]);
  expect(await readThreads(town)).toEqual([["nap", [OPENING.hello]]]);
  expect((await town.general.messages()).map(({ messageId }) => messageId)).toEqual([threadId]);
  // D7: the next longer of the four times that Discord knows.
  expect(thread?.autoArchiveMin).toBe(1_440);
});

test("a private thread has no message in the channel, and people are not let in by others", async () => {
  const town = await openSpeakingTown({ config: { threadType: "private" } });
  await open(town);
  expect((await town.general.threads()).map(({ kind }) => kind)).toEqual(["private-thread"]);
  expect(await town.general.messages()).toEqual([]);
});

test("beside a thread, since threads do not nest", async () => {
  const town = await openSpeakingTown();
  const first = await open(town);
  const parent = buildAddress(town.general.id, first);
  const opened = await town.account.connection.threads?.open({ ...OPENING, bindingId: "binding-2", parent });
  expect(parseAddress(opened?.address ?? parent)).toMatchObject({ chat: town.general.id });
  expect(await town.general.threads()).toHaveLength(2);
});

test("beside a private thread it is private, too: what is asked there is not for the whole channel", async () => {
  const town = await openSpeakingTown();
  const { general, ada, account } = town;
  const secret = await general.createThread(ada, { name: "a secret", isPrivate: true });
  await secret.adds({ id: BOT_ID });
  const parent = buildAddress(general.id, secret.id);
  await account.connection.threads?.open({ ...OPENING, parent });
  expect((await general.threads()).map(({ kind }) => kind)).toEqual(["private-thread", "private-thread"]);
  await general.setPermissions(BOT_ID, { deny: ["CreatePrivateThreads"] });
  await expect(account.connection.threads?.open({ ...OPENING, bindingId: "binding-2", parent })).rejects.toThrow(
    "Create Private Threads",
  );
  expect(await general.messages()).toEqual([]);
});

test("in a direct chat there are none, and the refusal says what to do", async () => {
  const { account, inDm } = await openSpeakingTown();
  const parent = buildAddress((await inDm.state()).id, undefined, "dm");
  await expect(account.connection.threads?.open({ ...OPENING, parent })).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("a channel of a server"),
  });
});

test.each(["", "  \n ", "a".repeat(300), `${"a".repeat(99)}😀`, "two\nlines"])(
  "D6: a thread can be called %j, as far as Discord goes",
  async (name) => {
    const town = await openSpeakingTown();
    await open(town, { name });
    const [thread] = await town.general.threads();
    expect(thread?.name.length).toBeGreaterThan(0);
    expect(thread?.name.length).toBeLessThanOrEqual(100);
    expect(thread?.name).toBe(thread?.name.toWellFormed().replaceAll("\n", " "));
  },
);

describe("opening again after a lost answer gives the same thread", () => {
  const STEPS = [
    ["public", "the starter message", SEND, 0],
    ["public", "the thread", FROM_MESSAGE, 0],
    ["public", "the hello", SEND, 1],
    ["private", "the thread", BARE, 0],
    ["private", "the hello", SEND, 0],
  ] as const;

  test.each(STEPS.flatMap((step) => [[...step, 0] as const, [...step, 10] as const]))(
    "D24: %s, at %s (%s, call %i), %i minutes later in a new life",
    async (threadType, _, route, skip, minutes) => {
      const town = await openSpeakingTown({ config: { threadType } });
      const { discord, account } = town;
      await discord.faults.add({ kind: "drop-answer", route, skip });
      await expect(open(town)).rejects.toMatchObject({ class: "ambiguous" });
      await account.close();
      await discord.passTime(minutes * MINUTES);
      const by = town.createAccount({ cursor: account.cursor, config: { threadType } });
      by.passTime(minutes * MINUTES);
      await by.connect();
      const threadId = await open(town, {}, { by });
      const [thread, ...more] = await town.general.threads();
      expect([thread?.id, more]).toEqual([threadId, []]);
      const said = await thread?.messages();
      expect(said?.map(({ text }) => text.split("\n")[0])).toEqual([OPENING.hello]);
      expect(await town.general.messages()).toHaveLength(threadType === "public" ? 1 : 0);
    },
  );

  test.each([0, 10])("a forum's post, %i minutes later", async (minutes) => {
    const town = await openSpeakingTown();
    const forum = await town.guild.createChannel({ name: "forum", kind: "forum" });
    await town.discord.faults.add({ kind: "drop-answer", route: BARE });
    await expect(open(town, {}, { channelId: forum.id })).rejects.toMatchObject({ class: "ambiguous" });
    await town.discord.passTime(minutes * MINUTES);
    town.account.passTime(minutes * MINUTES);
    const threadId = await open(town, {}, { channelId: forum.id });
    expect((await forum.threads()).map(({ id }) => id)).toEqual([threadId]);
  });
});

test.each(["public", "private"] as const)("two %s threads of one name are two", async (threadType) => {
  const town = await openSpeakingTown({ config: { threadType } });
  const ids = await Promise.all([open(town), open(town, { bindingId: "binding-2" })]);
  expect(new Set(ids).size).toBe(2);
  expect(await town.general.threads()).toHaveLength(2);
});

test("a private thread that is being opened is not taken for one that was left empty", async () => {
  const town = await openSpeakingTown({ config: { threadType: "private" } });
  const gate = await town.discord.faults.hold({ route: SEND });
  const one = open(town);
  await gate.reached();
  const other = open(town, { bindingId: "binding-2" });
  const address = buildAddress(town.general.id, town.general.id);
  for (let each = 0; each < 5; each += 1) await town.account.connection.threads?.probe(address);
  await gate.release();
  expect(new Set(await Promise.all([one, other])).size).toBe(2);
});

describe("D28: in a forum", () => {
  test("a post is opened, with the first line of the sub-agent", async () => {
    const town = await openSpeakingTown();
    const forum = await town.guild.createChannel({ name: "forum", kind: "forum" });
    const threadId = await open(town, {}, { channelId: forum.id });
    const [post] = await forum.threads();
    expect([post?.id, post?.appliedTagIds]).toEqual([threadId, []]);
    expect((await post?.messages())?.[0]?.text).toContain(OPENING.hello);
  });

  test("that wants a tag the post has one", async () => {
    const town = await openSpeakingTown();
    const tagged = { name: "forum", kind: "forum", requiresTag: true, tags: ["bugs", "ideas"] } as const;
    const forum = await town.guild.createChannel(tagged);
    await open(town, {}, { channelId: forum.id });
    expect((await forum.threads())[0]?.appliedTagIds).toEqual([forum.tags[0]?.id]);
    expect(await town.discord.record({ route: BARE })).toHaveLength(1);
  });

  test("that came to want a tag meanwhile it is made once more, with one", async () => {
    const town = await openSpeakingTown();
    const forum = await town.guild.createChannel({ name: "forum", kind: "forum", tags: ["bugs"] });
    const body = { message: "A tag is required to create a forum post in this channel", code: 40067 };
    await town.discord.faults.add({ kind: "status", route: BARE, status: 400, body });
    await open(town, {}, { channelId: forum.id });
    expect((await forum.threads())[0]?.appliedTagIds).toEqual([forum.tags[0]?.id]);
  });
});

test("D25: where the server has too many threads the own one that is quiet for longest makes room", async () => {
  const town = await openSpeakingTown();
  const [quiet, busy] = [await open(town), await open(town, { bindingId: "binding-2" })];
  const others = await town.general.createThread(town.ada, { name: "ada's" });
  await town.say("still busy", { address: buildAddress(town.general.id, busy) });
  await town.guild.rules({ activeThreads: 3 });
  const third = await open(town, { bindingId: "binding-3" });
  const archived = (await town.general.threads()).filter(({ isArchived }) => isArchived).map(({ id }) => id);
  expect(archived).toEqual([quiet]);
  expect(archived).not.toContain(others.id);
  expect(third).not.toBe(quiet);
});

test("D25: where none of them is its own it says so", async () => {
  const town = await openSpeakingTown();
  await town.general.createThread(town.ada, { name: "ada's" });
  await town.guild.rules({ activeThreads: 1 });
  await expect(open(town)).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("archive threads"),
  });
});

test.each([
  ["public", "CreatePublicThreads", "Create Public Threads"],
  ["private", "CreatePrivateThreads", "Create Private Threads"],
] as const)("D17: without the right to open %s threads the refusal names it", async (threadType, denied, named) => {
  const town = await openSpeakingTown({ config: { threadType } });
  await town.general.setPermissions(BOT_ID, { deny: [denied] });
  await expect(open(town)).rejects.toMatchObject({ class: "permanent", message: expect.stringContaining(named) });
});

test("D32: a name that moderation refuses is told, not tried again", async () => {
  const town = await openSpeakingTown({ config: { threadType: "private" } });
  await town.guild.rules({ blockedWords: ["nap"] });
  await expect(open(town)).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("moderation"),
  });
  expect(await town.discord.record({ route: BARE })).toHaveLength(1);
});

test("attack 17: a name that is markup is shown as it is written, and calls nobody", async () => {
  const town = await openSpeakingTown();
  const name = "[free](https://evil.example) @everyone `x` ||y||";
  await open(town, { name, hello: `🌱 “${name}” works here; write to it.` });
  const [starter] = await town.general.messages();
  expect(starter?.text).toContain("\\[free\\]");
  const [[, [hello]] = ["", []]] = await readThreads(town);
  expect(hello).not.toContain("||y||");
  for (const { body } of await town.discord.record({ route: SEND }))
    expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
});
