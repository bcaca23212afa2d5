import { expect, test } from "vitest";
import { SEND } from "../discord-town.ts";
import { buildAddress } from "../test-account.ts";
import { CALLBACK, openCommandTown } from "./interaction-town.ts";

const PATIENCE_MS = 1_500;

test("a command is heard as the line that people type, and acknowledged to the one who used it", async () => {
  const { inGeneral, general, guild, ada, account } = await openCommandTown();
  const used = await inGeneral.uses("kill", { target: "nap" });
  await account.receives(1);
  expect(account.received[0]).toMatchObject({
    id: used.id,
    address: buildAddress(general.id),
    guild: guild.id,
    addressed: true,
    sender: { id: ada.id },
    text: "/kill nap",
  });
  expect(await used.acknowledged()).toMatchObject({ type: 4, isEphemeral: true });
  expect(await general.messages()).toEqual([]);
});

test("D37: it is acknowledged also where the store is slow, within Discord's time", async () => {
  const opened = Promise.withResolvers<void>();
  const { discord, inGeneral, account } = await openCommandTown({
    store: (messages) => (messages.length > 0 ? opened.promise : Promise.resolve()),
  });
  const used = await inGeneral.uses("status");
  await account.clock.awaitAlarm(PATIENCE_MS);
  account.passTime(PATIENCE_MS);
  expect(await used.acknowledged()).toMatchObject({ isEphemeral: true, content: expect.stringContaining("a moment") });
  opened.resolve();
  expect(await account.receives(1)).toEqual(["/status"]);
  await account.idles();
  expect(await discord.record({ route: CALLBACK })).toHaveLength(1);
});

test("D37: it is acknowledged also where much else waits before it, and where nothing can be stored", async () => {
  let isBroken = true;
  const { inGeneral, account } = await openCommandTown({
    store: async (messages) => {
      if (messages.length > 0 && isBroken) throw new Error("the disk is full");
    },
  });
  await inGeneral.says("before it");
  const used = await inGeneral.uses("status");
  await account.clock.awaitAlarm(PATIENCE_MS);
  account.passTime(PATIENCE_MS);
  expect((await used.acknowledged()).content).toMatch(/takes a moment/);
  isBroken = false;
  account.passTime(60_000);
  expect(await account.receives(2)).toEqual(["before it", "/status"]);
});

test("what cannot be suggested holds up nobody", async () => {
  const { inGeneral, account } = await openCommandTown({
    suggest: async () => {
      throw new Error("the store is gone");
    },
  });
  expect(await inGeneral.completes("kill", "target", "n")).toEqual([]);
  await inGeneral.says("meanwhile");
  expect(await account.receives(1)).toEqual(["meanwhile"]);
});

test("D37: one that is acknowledged too late is heard all the same, and no trouble", async () => {
  const { discord, inGeneral, account } = await openCommandTown();
  const gate = await discord.faults.hold({ route: CALLBACK });
  await inGeneral.uses("status");
  await gate.reached();
  await discord.passTime(4_000);
  await gate.release();
  await account.says(/acknowledged too late/);
  expect(await account.receives(1)).toEqual(["/status"]);
  expect(account.logged.filter(({ level }) => level === "warn")).toEqual([]);
});

test("D12: a limit of the whole bot does not keep an acknowledgement back", async () => {
  const { discord, inGeneral, say } = await openCommandTown();
  await discord.faults.add({ kind: "rate-limit", route: SEND, retryAfterMs: 60_000, scope: "global" });
  await expect(say("too much")).rejects.toMatchObject({ class: "rate_limited", isAccountWide: true });
  const used = await inGeneral.uses("status");
  expect(await used.acknowledged()).toMatchObject({ isEphemeral: true });
});

test("D40, D15: an interaction that is refused for its own token says nothing of the bot's", async () => {
  const { discord, inGeneral, account, say } = await openCommandTown();
  const body = { message: "Invalid Webhook Token", code: 50027 };
  await discord.faults.add({ kind: "status", route: CALLBACK, status: 401, body });
  await inGeneral.uses("status");
  await account.says(/was not acknowledged/);
  await say("still here");
  await inGeneral.hears("still here", { once: true });
});

test("what waits for its acknowledgement holds up nobody", async () => {
  const { discord, inGeneral, account } = await openCommandTown();
  const gate = await discord.faults.hold({ route: CALLBACK });
  await inGeneral.uses("status");
  await gate.reached();
  await inGeneral.says("meanwhile");
  expect(await account.receives(2)).toEqual(["/status", "meanwhile"]);
  await gate.release();
});

test("D38, attack 11: one that comes twice has one effect and one answer", async () => {
  const { discord, inGeneral, account } = await openCommandTown();
  await discord.gateway.duplicate(1);
  const used = await inGeneral.uses("kill", { target: "nap" });
  await account.says(/acknowledged too late, or before/);
  expect(account.received.map(({ id }) => id)).toEqual([used.id]);
});

test("/ask is a message to the agent, with the question for all to see", async () => {
  const { inGeneral, inDm, account } = await openCommandTown();
  const used = await inGeneral.uses("ask", { question: "what now?\n@everyone" });
  expect(await account.receives(1)).toEqual(["what now?\n@everyone"]);
  expect(await used.acknowledged()).toMatchObject({ type: 4, isEphemeral: false, content: "> what now?\n> @everyone" });
  const alone = await inDm.uses("ask", { question: "and here?" });
  expect(await alone.acknowledged()).toMatchObject({ isEphemeral: true });
  expect(account.received[0]?.addressed).toBe(true);
});

test("whoever may not talk here is told so, and it is nobody's business", async () => {
  const { inGeneral, account } = await openCommandTown({ judge: () => "refused" });
  const used = await inGeneral.uses("kill", { target: "nap" });
  expect((await used.acknowledged()).content).toMatch(/cannot do that here/);
  expect(account.received).toEqual([]);
});

test("a target is completed while it is typed, with what the host knows", async () => {
  const targets = [
    { value: "1", label: "1 · nap" },
    { value: "x".repeat(101), label: "too long" },
    { value: "2", label: "y".repeat(150) },
  ];
  const { inGeneral } = await openCommandTown({ targets });
  expect(await inGeneral.completes("kill", "target", "n")).toEqual([
    { name: "1 · nap", value: "1" },
    { name: "y".repeat(100), value: "2" },
  ]);
});

test("D37: while somebody types only choices are an answer, also where nothing is known", async () => {
  const { discord, general, guild, ada } = await openCommandTown();
  const member = { user: { id: ada.id, username: "ada" }, roles: [] };
  const where = { channel_id: general.id, guild_id: guild.id, channel: { id: general.id, type: 0 }, member };
  const data = { name: "kill", options: [{ name: "target", value: "n", type: 3 }] };
  await discord.gateway.pushes("INTERACTION_CREATE", {
    id: "1600000000000000001",
    type: 4,
    token: "t",
    data,
    ...where,
  });
  await discord.called(CALLBACK);
  expect((await discord.record({ route: CALLBACK })).map(({ body }) => body)).toEqual([
    { type: 8, data: { choices: [] } },
  ]);
});
