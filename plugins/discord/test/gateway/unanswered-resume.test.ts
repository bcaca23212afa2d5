import { describe, expect, test } from "vitest";
import { openSpeakingTown } from "../discord-town.ts";

describe("a RESUME that is never answered, while heartbeats are", () => {
  test("is given up after 20 s: a new session begins, the gap is read, and the status said so", async () => {
    const { discord, inGeneral, account } = await openSpeakingTown({ emulator: { heartbeatIntervalMs: 60 } });
    await inGeneral.says("one");
    await account.receives(1);
    const [old] = (await discord.bot()).sessions;
    await discord.gateway.ignoreResume();
    await discord.gateway.drop();
    await account.clock.awaitAlarm(20_000);
    await inGeneral.says("two");
    expect(account.reports).toEqual([]);
    account.passTime(20_000);
    expect((await account.reported("retrying")).error?.message).toMatch(/RESUME was not answered within 20 s; .*new/);
    expect(await account.receives(2)).toEqual(["one", "two"]);
    await account.reported("running");
    await inGeneral.says("three");
    expect(await account.receives(3)).toEqual(["one", "two", "three"]);
    expect((await discord.bot()).sessions.some(({ id, isConnected }) => isConnected && id !== old?.id)).toBe(true);
  });

  test("is not suspected while missed events still come", async () => {
    const { discord, inGeneral, account } = await openSpeakingTown({ emulator: { heartbeatIntervalMs: 60 } });
    await inGeneral.says("one");
    await account.receives(1);
    await discord.gateway.replayEndlessly();
    await discord.gateway.drop();
    await account.clock.awaitAlarm(20_000);
    await discord.gateway.connected();
    account.passTime(15_000);
    await inGeneral.says("two");
    await account.receives(2);
    account.passTime(15_000);
    expect(account.reports).toEqual([]);
    account.passTime(5_000);
    await account.reported("retrying");
  });

  test("does not keep a new life deaf either", async () => {
    const { discord, inGeneral, account, createAccount } = await openSpeakingTown();
    await inGeneral.says("one");
    await account.receives(1);
    await account.close();
    await inGeneral.says("two");
    await discord.gateway.ignoreResume();
    const second = createAccount({ cursor: account.cursor });
    const connected = second.connect();
    await second.clock.awaitAlarm(20_000);
    second.passTime(20_000);
    await connected;
    // The gap's reading repeats what was received just before it; the host knows it by its id.
    await second.until("two", () => second.received.some(({ text }) => text === "two"));
  });

  test("is waited for no longer once the account stops", async () => {
    const { discord, inGeneral, account } = await openSpeakingTown();
    await inGeneral.says("one");
    await account.receives(1);
    await discord.gateway.ignoreResume();
    await discord.gateway.drop();
    await account.clock.awaitAlarm(20_000);
    await account.close();
    const calls = (await discord.record()).length;
    account.passTime(20_000);
    expect([account.reports, await discord.record()]).toEqual([[], expect.objectContaining({ length: calls })]);
  });

  test("is not suspected once it is answered", async () => {
    const { discord, inGeneral, account } = await openSpeakingTown();
    await inGeneral.says("one");
    await account.receives(1);
    await discord.gateway.drop();
    await account.clock.awaitAlarm(20_000);
    await discord.gateway.connected();
    await inGeneral.says("two");
    await account.receives(2);
    const [session] = (await discord.bot()).sessions;
    account.passTime(20_000);
    await inGeneral.says("three");
    await account.receives(3);
    expect((await discord.bot()).sessions).toMatchObject([{ id: session?.id, isConnected: true }]);
    expect(account.reports).toEqual([]);
  });
});
