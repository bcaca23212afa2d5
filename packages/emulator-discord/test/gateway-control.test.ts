import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscordEmulator, type DiscordEmulator } from "../src/index.ts";
import { type Frame, type GatewayClient, identify, openGateway, PROPERTIES, resume } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

/** Guilds, messages in them and in private, and their content. */
const ALL = 1 | 512 | 4096 | 32_768;

let emulator: DiscordEmulator;
let api: CallApi;
let url: string;

beforeEach(async () => {
  emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  url = `${String(pick((await api("GET", "/gateway/bot")).body, "url"))}?v=10&encoding=json`;
});
afterEach(() => emulator.close());

async function connect(): Promise<{ readonly client: GatewayClient; readonly ready: Frame }> {
  const client = await openGateway(url);
  return { client, ready: await identify(client, GROVE.token, ALL) };
}

async function comeBack(ready: Frame, seq: unknown): Promise<GatewayClient> {
  const client = await openGateway(url);
  await resume(client, GROVE.token, pick(ready, "d", "session_id"), seq);
  return client;
}

function contents(frames: readonly Frame[]): readonly unknown[] {
  return frames.filter(({ t }) => t === "MESSAGE_CREATE").map(({ d }) => pick(d, "content"));
}

describe("what a test does to the gateway", () => {
  it("drops, tears, asks to reconnect and invalidates (D45, D46)", async () => {
    const { client } = await connect();
    await emulator.gateway.reconnect();
    expect(await client.next()).toMatchObject({ op: 7 });
    await emulator.gateway.invalidate({ resumable: true });
    expect(await client.next()).toMatchObject({ op: 9, d: true });
    expect(await emulator.gateway.drop({ code: 4000 })).toBe(1);
    expect(await client.closed).toEqual({ code: 4000 });
    const again = await connect();
    await emulator.gateway.drop();
    expect(await again.client.closed).toEqual({ code: 1006 });
  });

  it("refuses a RESUME, with op 9 or a code (D46)", async () => {
    const { client, ready } = await connect();
    client.terminate();
    await emulator.gateway.disconnected();
    await emulator.gateway.refuseResume();
    await emulator.gateway.refuseResume({ code: 4009 });
    expect(await (await comeBack(ready, 1)).next()).toMatchObject({ op: 9, d: false });
    expect(await (await comeBack(ready, 1)).closed).toEqual({ code: 4009 });
    expect((await (await comeBack(ready, 1)).next()).t).toBe("RESUMED");
  });

  it("leaves a RESUME without an answer, and heartbeats with theirs", async () => {
    const { client, ready } = await connect();
    client.terminate();
    await emulator.gateway.disconnected();
    await emulator.gateway.ignoreResume();
    const deaf = await comeBack(ready, 1);
    deaf.send(1, null);
    expect(await deaf.next()).toMatchObject({ op: 11 });
    expect((await (await comeBack(ready, 1)).next()).t).toBe("RESUMED");
  });

  it("brings what a RESUME has missed, and what follows, without RESUMED", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { client, ready } = await connect();
    client.terminate();
    await emulator.gateway.disconnected();
    await emulator.gateway.replayEndlessly();
    const resumed = await comeBack(ready, 1);
    await emulator.gateway.connected();
    await ada.dm().says("hello");
    expect((await resumed.next()).t).toBe("MESSAGE_CREATE");
  });

  it("turns away whoever begins or resumes a session, until that ends", async () => {
    const { client, ready } = await connect();
    client.terminate();
    await emulator.gateway.disconnected();
    await emulator.gateway.turnAway(4000);
    expect(await (await comeBack(ready, 1)).closed).toEqual({ code: 4000 });
    const begun = await openGateway(url);
    begun.send(2, { token: GROVE.token, intents: ALL, properties: PROPERTIES });
    expect(await begun.closed).toEqual({ code: 4000 });
    await emulator.gateway.turnAway();
    expect((await (await comeBack(ready, 1)).next()).t).toBe("RESUMED");
  });

  it("repeats dispatches and brings them in another order (D49, D58)", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { client } = await connect();
    await emulator.gateway.duplicate(1);
    await ada.dm().says("twice");
    await emulator.gateway.reorder(2);
    await ada.dm().says("one");
    await ada.dm().says("two");
    const frames = [await client.next(), await client.next(), await client.next(), await client.next()];
    expect(contents(frames)).toEqual(["twice", "twice", "two", "one"]);
  });

  it("is silent about heartbeats (D48), and lets nobody in", async () => {
    const { client } = await connect();
    await emulator.gateway.silenceHeartbeats();
    client.send(1, null);
    await emulator.gateway.silenceHeartbeats(false);
    await emulator.gateway.outage();
    await expect(openGateway(url)).rejects.toThrow("503");
    client.close(4000);
    await client.closed;
  });

  it("takes a guild out of order and back (D21), and removes the bot from it (D20)", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
    const hall = await guild.createChannel({ name: "hall" });
    const { client } = await connect();
    await client.next();
    await guild.outage();
    expect(await client.next()).toMatchObject({ t: "GUILD_DELETE", d: { id: guild.id, unavailable: true } });
    await ada.in(hall).says("nobody hears it");
    await guild.outage(false);
    expect(await client.next()).toMatchObject({ t: "GUILD_CREATE", d: { id: guild.id, unavailable: false } });
    await guild.removes(GROVE);
    expect((await client.next()).d).toEqual({ id: guild.id });
    expect(await api("GET", `/channels/${hall.id}`)).toMatchObject({ status: 403, body: { code: 50001 } });
  });
});
