import { expect, test } from "vitest";
import { EDIT, openSpeakingTown, type SpeakingTown } from "../discord-town.ts";
import { BOT_ID, buildAddress } from "../test-account.ts";

function edit({ account }: SpeakingTown, platformId: string, address = "", text = "changed"): Promise<void> {
  const { edits } = account.connection;
  if (edits === undefined) throw new Error("no edits");
  return edits.edit({ address: buildAddress(address), platformId, text });
}

/** An own message in an own thread, which somebody then changes. */
async function writeInThread(town: SpeakingTown) {
  const thread = await town.general.createThread(town.ada, { name: "a thread" });
  const address = buildAddress(town.general.id, thread.id);
  const platformId = await town.say("hello", { address });
  const change = (): Promise<void> | undefined =>
    town.account.connection.edits?.edit({ address, platformId, text: "changed" });
  return { thread, change };
}

test("a message is edited, and the edit calls nobody", async () => {
  const town = await openSpeakingTown();
  const messageId = await town.say("hello");
  await edit(town, messageId, town.general.id, "hello, you");
  expect((await town.general.messages()).map(({ text }) => text)).toEqual(["hello, you"]);
  const [{ body } = { body: undefined }] = await town.discord.record({ route: EDIT });
  expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
});

test("D22: before an edit an archived thread is opened, once", async () => {
  const town = await openSpeakingTown();
  const { thread, change } = await writeInThread(town);
  await thread.archives();
  await change();
  expect((await thread.messages()).map(({ text }) => text)).toEqual(["changed"]);
  expect((await thread.refresh()).isArchived).toBe(false);
  expect(await town.discord.record({ route: EDIT })).toHaveLength(2);
});

test("D22, D23: a thread that is archived and locked stays so for a bot that does not manage threads", async () => {
  const town = await openSpeakingTown();
  await town.general.setPermissions(BOT_ID, { deny: ["ManageThreads"] });
  const { thread, change } = await writeInThread(town);
  await thread.archives({ locked: true });
  await expect(change()).rejects.toMatchObject({ class: "thread_gone" });
});

test("D19, D31: what is gone, or another's, is not edited, and a new message is advised", async () => {
  const town = await openSpeakingTown();
  const others = await town.inGeneral.says("mine");
  for (const messageId of ["1500000000000000000", others])
    await expect(edit(town, messageId, town.general.id)).rejects.toMatchObject({
      class: "message_gone",
      message: expect.stringMatching(/send a new/),
    });
  expect(await town.discord.record({ route: EDIT })).toHaveLength(2);
});

test("D30: an old message that was edited too often takes no more, and is not tried at once again", async () => {
  const town = await openSpeakingTown();
  const messageId = await town.say("hello");
  const body = { message: "Maximum number of edits to messages older than 1 hour reached", code: 30046 };
  const fault = { kind: "status", route: EDIT, status: 429, times: "always" } as const;
  await town.discord.faults.add({ ...fault, body: { ...body, retry_after: 0.2 } });
  await expect(edit(town, messageId, town.general.id)).rejects.toMatchObject({
    class: "message_gone",
    message: expect.stringContaining("too old"),
  });
  expect(await town.discord.record({ route: EDIT })).toHaveLength(1);
});
