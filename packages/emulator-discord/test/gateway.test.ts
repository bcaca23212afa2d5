import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscordEmulator, createManualClock, type DiscordEmulator, type ManualClock } from "../src/index.ts";
import { type Frame, type GatewayClient, identify, openGateway, resume } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

const GUILDS = 1;
const GUILD_MESSAGES = 512;
const DIRECT_MESSAGES = 4096;
const MESSAGE_CONTENT = 32_768;
const ALL = GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | MESSAGE_CONTENT;

let emulator: DiscordEmulator;
let clock: ManualClock;
let api: CallApi;
let url: string;

beforeEach(async () => {
  clock = createManualClock();
  emulator = await createDiscordEmulator({ clock });
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  url = `${String(pick((await api("GET", "/gateway/bot")).body, "url"))}?v=10&encoding=json`;
});
afterEach(() => emulator.close());

async function connect(intents: number = ALL): Promise<{ readonly client: GatewayClient; readonly ready: Frame }> {
  const client = await openGateway(url);
  return { client, ready: await identify(client, GROVE.token, intents) };
}

/** Connects with a session that exists, at the address READY gave. */
async function comeBack(ready: Frame, seq: unknown): Promise<GatewayClient> {
  const client = await openGateway(`${String(pick(ready, "d", "resume_gateway_url"))}?v=10&encoding=json`);
  await resume(client, GROVE.token, pick(ready, "d", "session_id"), seq);
  return client;
}

function contents(frames: readonly Frame[]): readonly unknown[] {
  return frames.filter(({ t }) => t === "MESSAGE_CREATE").map(({ d }) => pick(d, "content"));
}

describe("a session", () => {
  it("begins with READY and the guilds after it, and acknowledges heartbeats", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
    const hall = await guild.createChannel({ name: "hall" });
    const said = await ada.in(hall).says("first");
    const thread = await hall.createThread(ada, { name: "a thread", messageId: said });
    const { client, ready } = await connect();
    expect(pick(ready, "d", "guilds")).toEqual([{ id: guild.id, unavailable: true }]);
    const { d } = await client.next();
    expect(d).toMatchObject({
      id: guild.id,
      unavailable: false,
      channels: [{ id: hall.id, name: "hall", last_message_id: said }],
      threads: [{ id: thread.id, name: "a thread", parent_id: hall.id }],
      members: [{ user: { id: GROVE.id } }],
    });
    client.send(1, 2);
    expect(await client.next()).toEqual({ op: 11, t: null, s: null, d: null });
  });

  it("replays what it missed to another connection, also after seconds without one (D45)", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { client, ready } = await connect();
    await ada.dm().says("one");
    const [one] = await client.until("MESSAGE_CREATE");
    client.terminate();
    await emulator.gateway.disconnected();
    await ada.dm().says("two");
    clock.advance(60_000);
    await ada.dm().says("three");
    const back = await comeBack(ready, one?.s);
    const frames = await back.until("RESUMED");
    expect(contents(frames)).toEqual(["two", "three"]);
    expect(frames.map(({ s }) => s)).toEqual([3, 4, 5]);
  });

  it("can be resumed from before what was delivered, which comes again (D49)", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { client, ready } = await connect();
    await ada.dm().says("one");
    await client.until("MESSAGE_CREATE");
    client.close(4200);
    await client.closed;
    const back = await comeBack(ready, 1);
    expect(contents(await back.until("RESUMED"))).toEqual(["one"]);
  });

  it("is one connection's at a time: who resumes it takes it from the other", async () => {
    const { client, ready } = await connect();
    const back = await comeBack(ready, 1);
    expect(await client.closed).toEqual({ code: 4000 });
    expect((await back.next()).t).toBe("RESUMED");
    expect((await emulator.bot()).sessions).toMatchObject([{ isConnected: true }]);
  });

  it("ends with close 1000, and after minutes without a connection (D46, D47)", async () => {
    const first = await connect();
    first.client.close(1000);
    await emulator.gateway.disconnected();
    expect(await (await comeBack(first.ready, 1)).next()).toMatchObject({ op: 9, d: false });

    const second = await connect();
    second.client.terminate();
    await emulator.gateway.disconnected();
    clock.advance(6 * 60_000);
    expect(await (await comeBack(second.ready, 1)).next()).toMatchObject({ op: 9, d: false });
  });

  it("is refused from a sequence that never was (D46)", async () => {
    const { client, ready } = await connect();
    client.terminate();
    await emulator.gateway.disconnected();
    expect(await (await comeBack(ready, 99)).closed).toEqual({ code: 4007 });
  });

  it("is not replayed where a test says so: READY instead (D50)", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { client, ready } = await connect();
    client.terminate();
    await emulator.gateway.disconnected();
    await ada.dm().says("lost");
    await emulator.gateway.forgetReplay();
    const fresh = await (await comeBack(ready, 1)).next();
    expect(fresh.t).toBe("READY");
    expect(pick(fresh, "d", "session_id")).not.toBe(pick(ready, "d", "session_id"));
  });
});

describe("a connection is closed", () => {
  it.each([
    ["4001 for an unknown opcode", 4001, '{"op":99,"d":{}}'],
    ["4002 for what is no JSON", 4002, "{"],
    ["4002 for more than 4096 bytes (D52)", 4002, JSON.stringify({ op: 1, d: "x".repeat(4096) })],
    ["4003 before it has identified", 4003, '{"op":3,"d":{}}'],
    ["4004 for a token that is nobody's (D41)", 4004, formatIdentify({ token: "x" })],
    ["4010 for a shard that there is not (D44)", 4010, formatIdentify({ shard: [1, 1] })],
    ["4013 for intents that there are not (D42)", 4013, formatIdentify({ intents: 2 ** 40 })],
  ])("with %s", async (_, code, text) => {
    const client = await openGateway(url);
    client.sendText(text);
    expect(await client.closed).toEqual({ code });
  });

  it("with 4005 for a second identify, 4012 for another version (D44), 4014 for an intent that is off (D42)", async () => {
    const { client } = await connect();
    client.sendText(formatIdentify({}));
    expect(await client.closed).toEqual({ code: 4005 });
    const old = await openGateway(url.replace("v=10", "v=6"));
    expect(await old.closed).toEqual({ code: 4012 });
    await emulator.setBot({ intents: { messageContent: false } });
    const greedy = await openGateway(url);
    greedy.sendText(formatIdentify({}));
    expect(await greedy.closed).toEqual({ code: 4014 });
  });

  it("when the token is revoked, and REST says 401 (D15, D41)", async () => {
    const { client } = await connect();
    await emulator.revokeBot();
    expect(await client.closed).toEqual({ code: 4004 });
    expect(await api("GET", "/users/@me")).toMatchObject({
      status: 401,
      body: { message: "401: Unauthorized", code: 0 },
    });
  });

  it("after 120 sends in a minute, with real limits (D52)", async () => {
    const strict = await createDiscordEmulator({ limits: "real", clock });
    await strict.addBot(GROVE);
    const { body } = await createRestClient(strict.url)("GET", "/gateway/bot");
    const client = await openGateway(`${String(pick(body, "url"))}?v=10`);
    for (let count = 0; count <= 120; count += 1) client.send(1, null);
    expect(await client.closed).toEqual({ code: 4008 });
    await strict.close();
  });
});

describe("what a bot may read", () => {
  it("is blank without the intent, except DMs, mentions and its own (D43)", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
    const hall = await guild.createChannel({ name: "hall" });
    const { client } = await connect(ALL & ~MESSAGE_CONTENT);
    await ada.in(hall).says("secret");
    await ada.in(hall).says(`<@${GROVE.id}> open`);
    await ada.in(hall).says("`<@100000000000000001>` in code");
    await ada.dm().says("private");
    await api("POST", `/channels/${hall.id}/messages`, { content: "own" });
    const frames = [...(await client.until("MESSAGE_CREATE"))];
    for (let more = 0; more < 4; more += 1) frames.push(...(await client.until("MESSAGE_CREATE")));
    expect(contents(frames)).toEqual(["", `<@${GROVE.id}> open`, "", "private", "own"]);
  });
});

function formatIdentify(change: object): string {
  const properties = { os: "linux", browser: "test", device: "test" };
  return JSON.stringify({ op: 2, d: { token: GROVE.token, intents: ALL, properties, ...change } });
}
