import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createDiscordEmulator,
  type DiscordChannel,
  type DiscordEmulator,
  type DiscordGuild,
  type DiscordUser,
} from "../src/index.ts";
import { type GatewayClient, identify, openGateway } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

/** Guilds, messages in them and in private, reactions, typing, and their content. */
const ALL = 1 | 512 | 1024 | 2048 | 4096 | 32_768;

let emulator: DiscordEmulator;
let api: CallApi;
let ada: DiscordUser;
let guild: DiscordGuild;
let hall: DiscordChannel;
let client: GatewayClient;

beforeEach(async () => {
  emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  ada = await emulator.user({ id: "200", username: "ada" });
  guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
  hall = await guild.createChannel({ name: "hall" });
  const { body } = await api("GET", "/gateway/bot");
  client = await openGateway(`${String(pick(body, "url"))}?v=10`);
  await identify(client, GROVE.token, ALL);
  await client.next();
});
afterEach(() => emulator.close());

describe("a bot hears of", () => {
  it("edits with their time, deletions, and previews without one (D57)", async () => {
    const said = await ada.in(hall).says("see https://e.org");
    expect((await client.next()).d).toMatchObject({
      content: "see https://e.org",
      member: { roles: [] },
      guild_id: guild.id,
    });
    await ada.in(hall).unfurls(said, { title: "E", url: "https://e.org" });
    const preview = await client.next();
    expect(preview).toMatchObject({ t: "MESSAGE_UPDATE", d: { id: said, embeds: [{ title: "E", type: "link" }] } });
    expect(pick(preview.d, "edited_timestamp")).toBeUndefined();
    await ada.in(hall).edits(said, "see");
    expect((await client.next()).d).toMatchObject({ content: "see", edited_timestamp: expect.any(String) });
    await ada.in(hall).deletes(said);
    expect(await client.next()).toMatchObject({ t: "MESSAGE_DELETE", d: { id: said, channel_id: hall.id } });
  });

  it("other bots, webhooks and what Discord writes by itself (D53, D54)", async () => {
    const oak = await emulator.addBot({ token: "oak", username: "oak" });
    await guild.adds(oak);
    await emulator.writer(oak).in(hall).says("I am a bot");
    expect((await client.until("MESSAGE_CREATE")).at(-1)?.d).toMatchObject({ author: { id: oak.id, bot: true } });
    await ada.in(hall).causes(7);
    expect((await client.next()).d).toMatchObject({ type: 7, content: "", author: { id: "200" } });
  });

  it("its own roles without an intent for members, and nothing of others'", async () => {
    const role = await guild.createRole("walkers");
    expect(await client.next()).toMatchObject({ t: "GUILD_ROLE_CREATE", d: { role: { id: role, name: "walkers" } } });
    await guild.joins(ada, { roles: [role] });
    await guild.joins(GROVE, { roles: [role] });
    const { t, d } = await client.next();
    expect(t).toBe("GUILD_MEMBER_UPDATE");
    expect(pick(d, "roles")).toContain(role);
    expect(pick(d, "user", "id")).toBe(GROVE.id);
  });

  it("typing, reactions and new channels", async () => {
    await api("POST", `/channels/${hall.id}/typing`);
    expect(await client.next()).toMatchObject({ t: "TYPING_START", d: { channel_id: hall.id, user_id: GROVE.id } });
    const said = await ada.in(hall).says("x");
    await client.next();
    await ada.in(hall).reacts(said, "👍");
    const added = { message_id: said, user_id: "200", emoji: { name: "👍" }, member: { user: { id: "200" } } };
    expect(await client.next()).toMatchObject({ t: "MESSAGE_REACTION_ADD", d: added });
    await ada.in(hall).reacts(said, "👍");
    await ada.in(hall).unreacts(said, "👍");
    expect(await client.next()).toMatchObject({ t: "MESSAGE_REACTION_REMOVE" });
    const { id } = await guild.createChannel({ name: "garden" });
    expect(await client.next()).toMatchObject({ t: "CHANNEL_CREATE", d: { id, name: "garden", type: 0 } });
    await hall.renames("great hall");
    expect(await client.next()).toMatchObject({ t: "CHANNEL_UPDATE", d: { name: "great hall" } });
  });

  it("nothing where it may not see, and of threads there when it may again (D55)", async () => {
    await hall.setPermissions(guild.id, { deny: ["ViewChannel"] });
    await ada.in(hall).says("hidden");
    const thread = await hall.createThread(ada, { name: "hidden too" });
    await hall.setPermissions(guild.id, {});
    const sync = await client.next();
    expect(sync).toMatchObject({ t: "THREAD_LIST_SYNC", d: { channel_ids: [hall.id], threads: [{ id: thread.id }] } });
    expect(await client.next()).toMatchObject({ t: "CHANNEL_UPDATE" });
  });

  it("what a test pushes, of whatever kind (D59)", async () => {
    await emulator.gateway.pushes("SOMETHING_NEW", { application_id: null });
    expect(await client.next()).toMatchObject({ t: "SOMETHING_NEW", d: { application_id: null } });
  });
});

describe("a guild", () => {
  it("takes the bot's own role with it when the bot goes, and gives it a new one when it comes back", async () => {
    const names = async (): Promise<readonly string[]> => (await guild.state()).roles.map(({ name }) => name);
    expect(await names()).toEqual(["@everyone", "grove"]);
    await guild.removes(GROVE);
    expect(await names()).toEqual(["@everyone"]);
    await guild.adds(GROVE, { permissions: ["Administrator"] });
    expect(await names()).toEqual(["@everyone", "grove"]);
    expect((await client.until("GUILD_CREATE")).map(({ t }) => t)).toEqual(["GUILD_DELETE", "GUILD_CREATE"]);
  });

  it("is somebody's, also where nobody is named", async () => {
    const lonely = await emulator.createGuild({ name: "Grove", bots: [GROVE] });
    const { memberIds, ownerId } = await lonely.state();
    expect(memberIds).toEqual([ownerId, GROVE.id]);
  });

  it("is the same for whoever holds it by its id, and so are its channels and threads", async () => {
    const opened = await hall.createThread(ada, { name: "a walk" });
    expect((await (await emulator.guild(guild.id)).threads()).map(({ id }) => id)).toEqual([opened.id]);
    expect((await emulator.channel(hall.id)).name).toBe("hall");
    const thread = await emulator.thread(opened.id);
    await thread.renames("a long walk");
    expect((await opened.refresh()).name).toBe("a long walk");
    await expect(emulator.thread(hall.id)).rejects.toMatchObject({ code: "unknown_channel" });
    await expect(emulator.channel(opened.id)).rejects.toMatchObject({ code: "unknown_channel" });
  });

  it("has words that AutoMod blocks (D32)", async () => {
    await guild.rules({ blockedWords: ["Axe"] });
    const send = (body: object): ReturnType<CallApi> => api("POST", `/channels/${hall.id}/messages`, body);
    expect(await send({ content: "bring an axe" })).toMatchObject({ status: 400, body: { code: 200_000 } });
    expect(await send({ embeds: [{ title: "An axe" }] })).toMatchObject({ body: { code: 200_000 } });
    const { body } = await send({ content: "bring water" });
    const path = `/channels/${hall.id}/messages/${String(pick(body, "id"))}`;
    expect(await api("PATCH", path, { content: "axe" })).toMatchObject({ body: { code: 200_000 } });
    expect(await api("POST", `${path}/threads`, { name: "axes" })).toMatchObject({ body: { code: 200_001 } });
    await hall.setPermissions(GROVE.id, { allow: ["ManageGuild"] });
    expect((await send({ content: "my axe" })).status).toBe(200);
  });

  it("tells of its members who asks for them over the gateway, and by REST only with the intent", async () => {
    client.send(8, { guild_id: guild.id, user_ids: ["200"], limit: 0, nonce: "n" });
    expect(await client.next()).toMatchObject({
      t: "GUILD_MEMBERS_CHUNK",
      d: { nonce: "n", members: [{ user: { id: "200" } }] },
    });
    client.send(8, { guild_id: guild.id, query: "", limit: 0 });
    expect(pick((await client.next()).d, "members")).toHaveLength(2);
    expect((await api("GET", `/guilds/${guild.id}/members?limit=9`)).body).toHaveLength(2);
    await emulator.setBot({ intents: { members: false } });
    expect(await api("GET", `/guilds/${guild.id}/members?limit=9`)).toMatchObject({
      status: 403,
      body: { code: 50001 },
    });
  });

  it("is silent while it is out of order (D21)", async () => {
    await guild.outage();
    await guild.createRole("nobody hears of it");
    await guild.outage(false);
    expect((await client.until("GUILD_CREATE")).map(({ t }) => t)).toEqual(["GUILD_DELETE", "GUILD_CREATE"]);
  });

  it("has so many active threads and no more (D25)", async () => {
    await guild.rules({ activeThreads: 1 });
    const open = (): ReturnType<CallApi> => api("POST", `/channels/${hall.id}/threads`, { name: "x", type: 11 });
    const { body } = await open();
    expect(await open()).toMatchObject({ status: 400, body: { code: 160_006 } });
    await api("PATCH", `/channels/${String(pick(body, "id"))}`, { archived: true });
    expect((await open()).status).toBe(201);
  });
});

describe("the identify budget", () => {
  it("is told, and ends the token of a bot that overruns it (D51)", async () => {
    await emulator.setBot({ startsLeft: 1 });
    const { body } = await api("GET", "/gateway/bot");
    expect(pick(body, "session_start_limit", "remaining")).toBe(1);
    const url = `${String(pick(body, "url"))}?v=10`;
    expect((await identify(await openGateway(url), GROVE.token, ALL)).t).toBe("READY");
    const last = await openGateway(url);
    await last.next();
    last.send(2, { token: GROVE.token, intents: 1, properties: { os: "x", browser: "x", device: "x" } });
    expect(await last.closed).toEqual({ code: 4004 });
    expect((await api("GET", "/users/@me")).status).toBe(401);
  });
});
