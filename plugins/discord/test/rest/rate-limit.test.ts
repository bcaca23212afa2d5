import { expect, test } from "vitest";
import { openSpeakingTown, SEND } from "../discord-town.ts";
import { buildAddress } from "../test-account.ts";

test.each([
  ["D9", "user"],
  ["D11", "shared"],
  ["D12", "global"],
] as const)("%s: a short %s limit is waited for, and the message is sent once", async (_, scope) => {
  const { discord, general, say } = await openSpeakingTown();
  await discord.faults.add({ kind: "rate-limit", route: SEND, retryAfterMs: 40, scope });
  await say("hello");
  expect((await general.messages()).map(({ text }) => text)).toEqual(["hello"]);
  const [refused, taken] = await discord.record({ route: SEND });
  expect((taken?.atMs ?? 0) - (refused?.atMs ?? 0)).toBeGreaterThanOrEqual(40);
});

test.each([
  ["D9", "user", false],
  ["D11", "shared", false],
  ["D12", "global", true],
] as const)(
  "%s: a long %s limit is told, and other chats go on unless it is global",
  async (_, scope, isAccountWide) => {
    const { discord, guild, account, say } = await openSpeakingTown();
    await discord.faults.add({ kind: "rate-limit", route: SEND, retryAfterMs: 64_570, scope });
    const expected = { class: "rate_limited", isAccountWide };
    await expect(say("one")).rejects.toMatchObject({ ...expected, retryAfterMs: 64_620 });
    const other = await guild.createChannel({ name: "other" });
    const said = say("two", { address: buildAddress(other.id) });
    if (isAccountWide) await expect(said).rejects.toMatchObject(expected);
    else await said;
    expect(await discord.record({ route: SEND })).toHaveLength(isAccountWide ? 1 : 2);
    expect(account.reports).toEqual([]);
  },
);

test("D10: where the headers say that nothing is left nothing is called for", async () => {
  let calls = 0;
  const left = { "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "30.5" };
  const { say } = await openSpeakingTown({
    intercept: (method, path) => {
      if (method !== "POST" || !path.endsWith("/messages")) return undefined;
      calls += 1;
      return Response.json({ id: "1600000000000000001" }, { headers: left });
    },
  });
  await say("one");
  const refused = await say("two").catch((error: unknown) => error);
  expect(refused).toMatchObject({ class: "rate_limited", isAccountWide: false });
  expect(refused).toHaveProperty("retryAfterMs", expect.closeTo(30_500, -3));
  expect(calls).toBe(1);
});

test.each([
  ["403", 403, 60_000],
  ["429", 429, 60_000],
])("D13: Cloudflare's page with status %s holds the account and is no riddle", async (_, status, retryAfterMs) => {
  const { discord, say } = await openSpeakingTown();
  await discord.faults.add({ kind: "status", route: SEND, status, times: "always" });
  await expect(say("one")).rejects.toMatchObject({ class: "rate_limited", isAccountWide: true, retryAfterMs });
  expect(await discord.record({ route: SEND })).toHaveLength(1);
});

test("D13: Cloudflare's refusal in JSON is the same", async () => {
  const { discord, say } = await openSpeakingTown();
  const body = { message: "Cloudflare is blocking your request", code: 40333 };
  await discord.faults.add({ kind: "status", route: SEND, status: 403, body });
  await expect(say("one")).rejects.toMatchObject({ class: "rate_limited", isAccountWide: true });
});

test("D9: a limit that names no time is not called for again at once", async () => {
  const { discord, say } = await openSpeakingTown();
  const body = { message: "You are being rate limited.", global: false };
  await discord.faults.add({ kind: "status", route: SEND, status: 429, body, times: "always" });
  await expect(say("one")).rejects.toMatchObject({ class: "rate_limited", retryAfterMs: 5_000 });
  expect(await discord.record({ route: SEND })).toHaveLength(1);
});

test("D14: every call says which program it is, as Discord asks", async () => {
  const { discord, say } = await openSpeakingTown();
  await say("hello");
  const answered = (await discord.record()).map(({ answer }) => answer?.status);
  expect(answered.length).toBeGreaterThan(3);
  expect(answered.filter((status) => status === 403)).toEqual([]);
  // The emulator is as strict as Discord's edge.
  const nameless = await fetch(`${discord.url}/v10/users/@me`, { headers: { "user-agent": "node" } });
  expect(await nameless.json()).toMatchObject({ code: 40333 });
});

test.each([500, 502, 503, 504])("D35: a page with status %i leaves open what became of the message", async (status) => {
  const { discord, general, say } = await openSpeakingTown();
  await discord.faults.add({ kind: "status", route: SEND, status, isAccepted: true });
  await expect(say("hello")).rejects.toMatchObject({ class: "ambiguous" });
  await say("hello", { mayHaveArrived: true, attempt: 2 });
  expect(await general.messages()).toHaveLength(1);
});

test("D35: Discord itself says when it is too busy to take anything", async () => {
  const { discord, say } = await openSpeakingTown();
  const body = { message: "API resource is currently overloaded. Try again a little later", code: 130000 };
  await discord.faults.add({ kind: "status", route: SEND, status: 400, body });
  await expect(say("hello")).rejects.toMatchObject({ class: "definite" });
});

test("D35: an answer that is no JSON leaves it open, too", async () => {
  const { discord, general, say } = await openSpeakingTown();
  await discord.faults.add({ kind: "garbage", route: SEND, isAccepted: true });
  await expect(say("hello")).rejects.toMatchObject({ class: "ambiguous" });
  await say("hello", { mayHaveArrived: true, attempt: 2 });
  expect(await general.messages()).toHaveLength(1);
});

test("D13: five hundred refused calls within ten minutes are told to the operator", async () => {
  const { account, say } = await openSpeakingTown({
    intercept: (method) =>
      method === "POST" ? Response.json({ code: 50013, message: "Missing Permissions" }, { status: 403 }) : undefined,
  });
  for (let calls = 1; calls <= 500; calls += 1)
    await say("hello", { deliveryId: `d${calls}` }).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
  await account.says(/has refused 500 calls within ten minutes/);
});
