import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createDiscordEmulator,
  createManualClock,
  type DiscordChannel,
  type DiscordEmulator,
  type DiscordGuild,
  type DiscordUser,
  type ManualClock,
  type PermissionName,
} from "../src/index.ts";
import { identify, openGateway } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { list, pick } from "./pick.ts";
import { AGENT, type CallApi, createRestClient } from "./rest-client.ts";

let emulator: DiscordEmulator;
let clock: ManualClock;
let api: CallApi;
let ada: DiscordUser;
let guild: DiscordGuild;
let hall: DiscordChannel;

async function build(limits: "off" | "real"): Promise<void> {
  clock = createManualClock();
  emulator = await createDiscordEmulator({ clock, limits });
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  ada = await emulator.user({ id: "200", username: "ada" });
  guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
  hall = await guild.createChannel({ name: "hall" });
}

afterEach(() => emulator.close());

describe("what a bot may do", () => {
  beforeEach(() => build("off"));

  it.each<readonly [string, PermissionName, number, readonly [string, string, object?]]>([
    ["see the channel (D16)", "ViewChannel", 50001, ["GET", ""]],
    ["write (D17)", "SendMessages", 50013, ["POST", "/messages", { content: "x" }]],
    ["open threads (D17)", "CreatePublicThreads", 50013, ["POST", "/threads", { name: "x", type: 11 }]],
    ["open private threads (D17)", "CreatePrivateThreads", 50013, ["POST", "/threads", { name: "x", type: 12 }]],
    ["make webhooks", "ManageWebhooks", 50013, ["POST", "/webhooks", { name: "x" }]],
    ["read what is archived", "ReadMessageHistory", 50013, ["GET", "/threads/archived/public"]],
    ["change the channel", "ManageChannels", 50013, ["PATCH", "", { name: "x" }]],
  ])("needs the right to %s", async (_, name, code, [method, path, body]) => {
    await hall.setPermissions(GROVE.id, { allow: [name] });
    expect((await api(method, `/channels/${hall.id}${path}`, body)).status).toBeLessThan(300);
    await hall.setPermissions(GROVE.id, { deny: [name] });
    expect(await api(method, `/channels/${hall.id}${path}`, body)).toMatchObject({ status: 403, body: { code } });
  });

  it("goes by everyone, then by roles, then by itself", async () => {
    const status = async (): Promise<number> =>
      (await api("POST", `/channels/${hall.id}/messages`, { content: "x" })).status;
    const role = await guild.createRole("quiet");
    await guild.joins(GROVE, { roles: [role] });
    await hall.setPermissions(guild.id, { deny: ["SendMessages"] });
    expect(await status()).toBe(403);
    await hall.setPermissions(role, { allow: ["SendMessages"] });
    expect(await status()).toBe(200);
    await hall.setPermissions(GROVE.id, { deny: ["SendMessages"] });
    expect(await status()).toBe(403);
    await guild.joins(GROVE, { roles: [await guild.createRole("boss", { permissions: ["Administrator"] })] });
    expect(await status()).toBe(200);
  });

  it("sees an empty history without the right to it, and cannot reply (D27)", async () => {
    const said = await ada.in(hall).says("hello");
    await hall.setPermissions(GROVE.id, { deny: ["ReadMessageHistory"] });
    expect((await api("GET", `/channels/${hall.id}/messages`)).body).toEqual([]);
    const reply = { content: "x", message_reference: { message_id: said } };
    expect(await api("POST", `/channels/${hall.id}/messages`, reply)).toMatchObject({ body: { code: 160002 } });
  });

  it("ends where a person closes its DMs (D33), and where it is no member (D20)", async () => {
    const { body } = await api("POST", "/users/@me/channels", { recipient_id: "200" });
    const dm = `/channels/${String(pick(body, "id"))}/messages`;
    expect((await api("POST", dm, { content: "x" })).status).toBe(200);
    await ada.closesDms();
    expect(await api("POST", dm, { content: "x" })).toMatchObject({ status: 403, body: { code: 50007 } });
    await guild.removes(GROVE);
    expect(await api("GET", `/guilds/${guild.id}`)).toMatchObject({ status: 404, body: { code: 10004 } });
    expect(await api("GET", `/channels/${hall.id}`)).toMatchObject({ status: 403, body: { code: 50001 } });
  });

  it("is slowed down where it does not moderate (D29)", async () => {
    await hall.slowmode(30);
    await hall.setPermissions(GROVE.id, { deny: ["ManageMessages"] });
    const send = (): ReturnType<CallApi> => api("POST", `/channels/${hall.id}/messages`, { content: "x" });
    expect((await send()).status).toBe(200);
    clock.advance(10_000);
    expect(await send()).toMatchObject({ status: 400, body: { code: 20016, retry_after: 20 } });
    clock.advance(20_000);
    expect((await send()).status).toBe(200);
  });
});

describe("a webhook", () => {
  beforeEach(() => build("off"));

  it("writes under any name but Discord's own, and is told apart from a bot (D8, D40, D53)", async () => {
    const refused = await api("POST", `/channels/${hall.id}/webhooks`, { name: "My Clyde" });
    expect(refused).toMatchObject({ status: 400, body: { code: 50035 } });
    const { body: hook } = await api("POST", `/channels/${hall.id}/webhooks`, { name: "Oak" });
    const path = `/webhooks/${String(pick(hook, "id"))}/${String(pick(hook, "token"))}`;
    const sent = await api("POST", `${path}?wait=true`, { content: "rustle", username: "Old Oak" });
    expect(sent.body).toMatchObject({ webhook_id: pick(hook, "id"), author: { username: "Old Oak", bot: true } });
    const own = `${path}/messages/${String(pick(sent.body, "id"))}`;
    expect((await api("PATCH", own, { content: "rustle!" })).body).toMatchObject({ content: "rustle!" });
    await ada.in(hall).hears("rustle!");
    const thread = await hall.createThread(ada, { name: "below" });
    expect((await api("POST", `${path}?thread_id=${thread.id}`, { content: "below" })).status).toBe(204);
    await ada.in(thread).hears("below");
    const other = await (await guild.createChannel({ name: "other" })).createThread(ada, { name: "elsewhere" });
    const elsewhere = await api("POST", `${path}?thread_id=${other.id}`, { content: "x" });
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 10003 } });
    expect(await api("POST", path.replace(/.$/, "?"), { content: "x" })).toMatchObject({ body: { code: 50027 } });
    const bare = await fetch(`${emulator.url}/v10${path}`, { method: "DELETE", headers: { "user-agent": AGENT } });
    expect(bare.status).toBe(204);
    expect(await api("POST", path, { content: "x" })).toMatchObject({ status: 404, body: { code: 10015 } });
  });

  it("is one of fifteen in a channel (D40)", async () => {
    for (let at = 0; at < 15; at += 1) await api("POST", `/channels/${hall.id}/webhooks`, { name: `${at}` });
    expect(await api("POST", `/channels/${hall.id}/webhooks`, { name: "x" })).toMatchObject({ body: { code: 30007 } });
  });
});

describe("real limits", () => {
  beforeEach(() => build("real"));

  it("say how many calls are left, and 429 after the last (D9, D10)", async () => {
    const send = (): ReturnType<CallApi> => api("POST", `/channels/${hall.id}/messages`, { content: "x" });
    const { headers } = await send();
    expect(headers.get("x-ratelimit-limit")).toBe("5");
    expect(headers.get("x-ratelimit-remaining")).toBe("4");
    expect(headers.get("x-ratelimit-reset-after")).toBe("5.000");
    const other = await api("GET", `/channels/${hall.id}`);
    const third = await api("GET", `/channels/${hall.id}/messages`);
    const buckets = [headers, other.headers, third.headers].map((each) => each.get("x-ratelimit-bucket"));
    expect(new Set(buckets).size).toBe(3);
    for (let more = 0; more < 4; more += 1) await send();
    const late = await send();
    expect(late).toMatchObject({ status: 429, body: { retry_after: 5, global: false } });
    expect(late.headers.get("x-ratelimit-scope")).toBe("user");
    clock.advance(5000);
    expect((await send()).status).toBe(200);
  });

  it("are one IDENTIFY in five seconds (D51)", async () => {
    const url = `${String(pick((await api("GET", "/gateway/bot")).body, "url"))}?v=10`;
    expect((await identify(await openGateway(url), GROVE.token, 1)).t).toBe("READY");
    expect(await identify(await openGateway(url), GROVE.token, 1)).toMatchObject({ op: 9, d: false });
    clock.advance(5000);
    expect((await identify(await openGateway(url), GROVE.token, 1)).t).toBe("READY");
  });

  it("are 50 calls a second over all routes (D12)", async () => {
    const calls = Array.from({ length: 51 }, (_, at) => api("GET", `/channels/${hall.id}/messages/${at}/reactions/x`));
    const answers = await Promise.all(calls);
    const waiting = answers.filter(({ status, body }) => status === 429 && pick(body, "global") === true);
    expect(waiting).toHaveLength(1);
  });

  it("are two new names of a thread in ten minutes, and as many messages as ever", async () => {
    const { body } = await api("POST", `/channels/${hall.id}/threads`, { name: "0", type: 11 });
    const path = `/channels/${String(pick(body, "id"))}`;
    for (const name of ["1", "2"]) expect((await api("PATCH", path, { name })).status).toBe(200);
    const third = await api("PATCH", path, { name: "3" });
    expect(third).toMatchObject({ status: 429, body: { retry_after: 600, global: false } });
    expect(third.headers.get("retry-after")).toBe("600");
    expect((await api("PATCH", path, { archived: true })).status).toBe(200);
    clock.advance(10 * 60_000);
    expect((await api("PATCH", path, { name: "3", archived: false })).status).toBe(200);
  });

  it("are few edits of old messages (D30), and few DMs opened at once (D34)", async () => {
    const sent = await api("POST", `/channels/${hall.id}/messages`, { content: "x" });
    clock.advance(61 * 60_000);
    const path = `/channels/${hall.id}/messages/${String(pick(sent.body, "id"))}`;
    for (let edit = 0; edit < 5; edit += 1) expect((await api("PATCH", path, { content: `${edit}` })).status).toBe(200);
    clock.advance(5000);
    expect(await api("PATCH", path, { content: "more" })).toMatchObject({ status: 429, body: { code: 30046 } });
    const codes: unknown[] = [];
    for (let at = 0; at < 11; at += 1) {
      clock.advance(600);
      await emulator.user({ id: `${300 + at}`, username: `u${at}` });
      codes.push(pick((await api("POST", "/users/@me/channels", { recipient_id: `${300 + at}` })).body, "code"));
    }
    expect(codes.at(-1)).toBe(40003);
    expect(list(codes).slice(0, 10)).toEqual(Array.from({ length: 10 }));
  });
});
