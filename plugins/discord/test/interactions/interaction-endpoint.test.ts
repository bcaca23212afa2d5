import { expect, test } from "vitest";
import { openDiscordTown } from "../discord-town.ts";
import { BOT_ID, type TestAccountOptions } from "../test-account.ts";
import { openInteractionServer } from "./interaction-server.ts";
import { CALLBACK, openCommandTown } from "./interaction-town.ts";

const MINUTES = 60_000;

async function openHttpTown(options: TestAccountOptions = {}) {
  const town = await openCommandTown({ ...options, config: { interactions: "http" } });
  const server = await openInteractionServer(town.account);
  await town.discord.setBot({ interactionsUrl: server.url });
  /** A call that Discord has made, and the account has taken. */
  async function takeCall() {
    await town.inGeneral.uses("kill", { target: "nap" });
    const call = server.calls.at(-1);
    if (call === undefined) throw new Error("Discord did not call");
    return call;
  }
  return { ...town, server, takeCall };
}

test("an interaction over HTTP is heard, and its answer is the acknowledgement", async () => {
  const { discord, inGeneral, account } = await openHttpTown();
  const used = await inGeneral.uses("kill", { target: "nap" });
  expect(await used.acknowledged()).toMatchObject({ type: 4, isEphemeral: true });
  expect(await account.receives(1)).toEqual(["/kill nap"]);
  expect(await discord.record({ route: CALLBACK })).toEqual([]);
});

test("attack 11: Discord's own trials are passed: it is answered, and a forged one is refused", async () => {
  const { server } = await openHttpTown();
  expect(server.calls.map(({ body }) => JSON.parse(body).type)).toEqual([1, 1]);
});

test("attack 11: a replay has no second effect", async () => {
  const { server, account, takeCall } = await openHttpTown();
  const call = await takeCall();
  const answer = await server.post(call);
  expect(answer.status).toBe(200);
  expect(account.received).toHaveLength(1);
});

test("attack 11: an old call is refused, however well it is signed", async () => {
  const { discord, server, account, say, takeCall } = await openHttpTown();
  const call = await takeCall();
  account.received.length = 0;
  await discord.passTime(10 * MINUTES);
  account.passTime(10 * MINUTES);
  // The next answer tells Discord's time.
  await say("meanwhile");
  expect((await server.post(call)).status).toBe(401);
  expect(account.received).toEqual([]);
});

test.each<[what: string, change: { readonly body?: string; readonly headers?: Record<string, string> }]>([
  ["another body", { body: '{"id":"1","type":2}' }],
  ["another signature", { headers: { "x-signature-ed25519": "00".repeat(64) } }],
  ["no signature", { headers: { "x-signature-ed25519": "" } }],
  ["another time", { headers: { "x-signature-timestamp": "1700000000" } }],
])("attack 11: a call with %s is refused, and not heard", async (_, { body, headers }) => {
  const { server, account, takeCall } = await openHttpTown();
  const call = await takeCall();
  account.received.length = 0;
  const answer = await server.post({ body: body ?? call.body, headers: { ...call.headers, ...headers } });
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toBe("X-Signature-Ed25519");
  expect(account.received).toEqual([]);
});

test("attack 12: a body without end is not read to its end", async () => {
  const { account } = await openHttpTown();
  const serve = account.served.get("/discord/default/interactions");
  let given = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given += 1;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const headers = { "x-signature-ed25519": "0".repeat(128), "x-signature-timestamp": "1" };
  const init = { method: "POST", body: endless, duplex: "half", headers };
  const request = new Request("http://127.0.0.1/", init);
  expect((await serve?.(request))?.status).toBe(413);
  expect(given).toBeLessThan(16);
});

test("attack 12: a body that never ends is waited for no longer than Discord waits for its answer", async () => {
  const { account } = await openHttpTown();
  const serve = account.served.get("/discord/default/interactions");
  const headers = { "x-signature-ed25519": "0".repeat(128), "x-signature-timestamp": "1" };
  const init = { method: "POST", body: new ReadableStream(), duplex: "half", headers };
  const answering = serve?.(new Request("http://127.0.0.1/", init));
  account.passTime(3_000);
  const answer = await answering;
  expect([answer?.status, answer?.headers.get("connection")]).toEqual([408, "close"]);
});

test("a body that breaks off is no interaction", async () => {
  const { account } = await openHttpTown();
  const serve = account.served.get("/discord/default/interactions");
  const headers = { "x-signature-ed25519": "0".repeat(128), "x-signature-timestamp": "1" };
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("the line broke")) });
  const init = { method: "POST", body, duplex: "half", headers };
  expect((await serve?.(new Request("http://127.0.0.1/", init)))?.status).toBe(400);
});

test("only what is posted is looked at", async () => {
  const { account } = await openHttpTown();
  const serve = account.served.get("/discord/default/interactions");
  const answer = await serve?.(new Request("http://127.0.0.1/"));
  expect([answer?.status, answer?.headers.get("allow")]).toEqual([405, "POST"]);
});

test("D37: what cannot be stored is no acknowledgement", async () => {
  const { inGeneral, account } = await openHttpTown({
    store: async (messages) => {
      if (messages.length > 0) throw new Error("the disk is full");
    },
  });
  const used = await inGeneral.uses("kill", { target: "nap" });
  expect((await used.state()).ack).toBeUndefined();
  await account.says(/interaction was not stored/);
});

test("without a key to check them by nothing is taken, and nothing is left connected", async () => {
  const { discord, createAccount } = await openDiscordTown();
  const application = { id: BOT_ID, flags: 1 << 19, verify_key: null };
  const account = createAccount({
    config: { interactions: "http" },
    intercept: (_, path) => (path.endsWith("/applications/@me") ? Response.json(application) : undefined),
  });
  await expect(account.connect()).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("gateway"),
  });
  expect((await discord.bot()).sessions).toEqual([]);
  expect(await discord.record({ route: "GET /gateway/bot" })).toEqual([]);
});

test("it is served no more once the account has ended", async () => {
  const { account } = await openHttpTown();
  expect(account.served.size).toBe(1);
  await account.close();
  expect(account.served.size).toBe(0);
});

test("without a public key to check calls by the account has failed, and listens to nothing", async () => {
  const { discord, createAccount } = await openDiscordTown();
  const body = { id: BOT_ID, verify_key: null };
  await discord.faults.add({ kind: "status", route: "GET /applications/@me", status: 200, body });
  const account = createAccount({ config: { interactions: "http" } });
  await expect(account.connect()).rejects.toMatchObject({
    class: "permanent",
    message: expect.stringContaining("set interactions to gateway"),
  });
  await expect(discord.called("GET /gateway/bot", 1, 300)).rejects.toThrow("0 came");
});
