import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscordEmulator, type DiscordChannel, type DiscordChat, type DiscordEmulator } from "../src/index.ts";
import { GROVE } from "./grove.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

const SEND = "POST /channels/:channel/messages";

let emulator: DiscordEmulator;
let api: CallApi;
let hall: DiscordChannel;
let ada: DiscordChat;

beforeEach(async () => {
  emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  const person = await emulator.user({ id: "200", username: "ada" });
  const guild = await emulator.createGuild({ name: "Walk", members: [person], bots: [GROVE] });
  hall = await guild.createChannel({ name: "hall" });
  ada = person.in(hall);
});
afterEach(() => emulator.close());

function send(content: string): ReturnType<CallApi> {
  return api("POST", `/channels/${hall.id}/messages`, { content });
}

async function texts(): Promise<readonly string[]> {
  return (await ada.messages()).map(({ text }) => text);
}

describe("a fault", () => {
  it("drops the answer of a call that had its effect, or cuts before it", async () => {
    const dropped = await emulator.faults.add({ route: SEND, kind: "drop-answer" });
    await expect(send("one")).rejects.toThrow();
    await dropped.met();
    const cut = await emulator.faults.add({ route: "POST /channels/:id/messages", kind: "cut" });
    await expect(send("two")).rejects.toThrow();
    await cut.met();
    expect(await texts()).toEqual(["one"]);
    const [first, second] = await emulator.record({ route: SEND });
    expect(first).toMatchObject({ fault: "drop-answer", isAccepted: true, isDropped: true });
    expect(second).toMatchObject({ fault: "cut", isAccepted: false, isDropped: true, body: { content: "two" } });
  });

  it("answers any status, in JSON, in HTML or as a proxy would (D13, D35)", async () => {
    await emulator.faults.add({ kind: "status", status: 503, body: { message: "overloaded", code: 130_000 } });
    await emulator.faults.add({ kind: "status", status: 403, body: "<html>banned</html>" });
    await emulator.faults.add({ kind: "status", status: 502, isAccepted: true });
    await emulator.faults.add({ kind: "garbage" });
    expect(await send("no")).toMatchObject({ status: 503, body: { code: 130_000 } });
    expect(await send("no")).toMatchObject({ status: 403, body: "<html>banned</html>" });
    expect(await send("yes")).toMatchObject({ status: 502, body: expect.stringContaining("<html>") });
    await expect(send("no")).rejects.toThrow("JSON");
    expect(await texts()).toEqual(["yes"]);
  });

  it("says 429 as Discord does, for a user, a shared resource and all (D9, D11, D12)", async () => {
    for (const scope of ["user", "shared"] as const) {
      await emulator.faults.add({ route: SEND, kind: "rate-limit", retryAfterMs: 1500, scope });
    }
    await emulator.faults.add({ route: SEND, kind: "rate-limit", retryAfterMs: 1500, global: true });
    const user = await send("a");
    expect(user).toMatchObject({ status: 429, body: { retry_after: 1.5, global: false } });
    expect(user.headers.get("retry-after")).toBe("2");
    expect(user.headers.get("x-ratelimit-scope")).toBe("user");
    expect((await send("b")).body).toMatchObject({ message: "The resource is being rate limited." });
    const all = await send("c");
    expect(all.body).toMatchObject({ global: true });
    expect(all.headers.get("x-ratelimit-global")).toBe("true");
  });

  it("holds calls before their effect or after it, and lets some pass before", async () => {
    const gate = await emulator.faults.hold({ route: SEND, at: "answer", skip: 1 });
    await send("one");
    const held = send("two");
    await gate.reached();
    expect(await texts()).toEqual(["one", "two"]);
    await gate.release();
    expect((await held).status).toBe(200);
    const before = await emulator.faults.hold({ route: SEND });
    const cut = expect(send("three")).rejects.toThrow();
    await before.reached();
    await before.cut();
    await cut;
    expect(await texts()).toEqual(["one", "two"]);
  });

  it("meets only what it is aimed at, and nothing when faults are cleared", async () => {
    await emulator.faults.add({ kind: "cut", channelId: "999", times: "always" });
    await emulator.faults.add({ kind: "cut", route: "PATCH /channels/:channel", times: "always" });
    await emulator.faults.add({ kind: "cut", botId: "999", times: "always" });
    expect((await send("one")).status).toBe(200);
    const all = await emulator.faults.add({ kind: "cut", times: "always" });
    await expect(send("two")).rejects.toThrow();
    await emulator.faults.clear();
    expect((await send("three")).status).toBe(200);
    await expect(all.met(2, 0)).rejects.toMatchObject({ code: "not_reached" });
  });
});
