import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createDiscordEmulator,
  createManualClock,
  type DiscordChannel,
  type DiscordEmulator,
  type DiscordGuild,
  type DiscordUser,
  type ManualClock,
} from "../src/index.ts";
import { type GatewayClient, identify, openGateway } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { list, pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

let emulator: DiscordEmulator;
let clock: ManualClock;
let api: CallApi;
let ada: DiscordUser;
let guild: DiscordGuild;
let hall: DiscordChannel;

beforeEach(async () => {
  clock = createManualClock();
  emulator = await createDiscordEmulator({ clock });
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  ada = await emulator.user({ id: "200", username: "ada" });
  guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
  hall = await guild.createChannel({ name: "hall" });
});
afterEach(() => emulator.close());

async function send(channelId: string, content: string): Promise<string> {
  return String(pick((await api("POST", `/channels/${channelId}/messages`, { content })).body, "id"));
}

/** A thread of the bot from a message of its own. */
async function openThread(name: string = "a walk"): Promise<string> {
  const starter = await send(hall.id, "starter");
  await api("POST", `/channels/${hall.id}/messages/${starter}/threads`, { name, auto_archive_duration: 60 });
  return starter;
}

/** Only the intent for guilds. */
async function connect(): Promise<GatewayClient> {
  const { body } = await api("GET", "/gateway/bot");
  const client = await openGateway(`${String(pick(body, "url"))}?v=10`);
  await identify(client, GROVE.token, 1);
  await client.until("GUILD_CREATE");
  return client;
}

describe("a thread from a message", () => {
  it("has its id, shows it, and there is only one (D24, D54)", async () => {
    const id = await openThread();
    const again = await api("POST", `/channels/${hall.id}/messages/${id}/threads`, { name: "another" });
    expect(again).toMatchObject({ status: 400, body: { code: 160004 } });
    const [starter] = list((await api("GET", `/channels/${hall.id}/messages`)).body);
    expect(starter).toMatchObject({ id, flags: 32, thread: { id, name: "a walk", parent_id: hall.id } });
    expect(await ada.in({ id }).messages()).toEqual([]);
    expect(await ada.in({ id }).transcript()).toContain("[ThreadStarterMessage]");
    const [first] = list((await api("GET", `/channels/${id}/messages`)).body);
    expect(first).toMatchObject({ type: 21, content: "", message_reference: { message_id: id, channel_id: hall.id } });
    expect((await api("GET", `/channels/${id}`)).body).toMatchObject({
      type: 11,
      owner_id: GROVE.id,
      member: { user_id: GROVE.id },
      thread_metadata: { archived: false, locked: false, auto_archive_duration: 60 },
    });
  });

  it("is told as THREAD_CREATE, and a person's as well", async () => {
    const client = await connect();
    const id = await openThread();
    expect((await client.next()).d).toMatchObject({ id, newly_created: true, parent_id: hall.id });
    expect(await client.next()).toMatchObject({ t: "THREAD_MEMBERS_UPDATE" });
    const said = await ada.in(hall).says("mine");
    await hall.createThread(ada, { name: "of a person", messageId: said });
    expect(await client.next()).toMatchObject({ t: "THREAD_CREATE", d: { id: said, owner_id: "200" } });
  });

  it.each([
    ["an empty name (D6)", { name: "" }, "name"],
    ["a name over 100 (D6)", { name: "x".repeat(101) }, "name"],
    ["another time to archive than the four (D7)", { name: "x", auto_archive_duration: 90 }, "auto_archive_duration"],
  ])("is refused with %s", async (_, body, field) => {
    const starter = await send(hall.id, "starter");
    const answer = await api("POST", `/channels/${hall.id}/messages/${starter}/threads`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(pick(answer.body, "errors", field, "_errors", 0)).toBeDefined();
  });
});

describe("an archived thread", () => {
  it("takes no edit until it is brought back, and a plain message brings it back (D22)", async () => {
    const id = await openThread();
    const said = await send(id, "before");
    const [thread] = await hall.threads();
    await thread?.archives();
    const edit = (): ReturnType<CallApi> => api("PATCH", `/channels/${id}/messages/${said}`, { content: "after" });
    expect(await edit()).toMatchObject({ status: 400, body: { code: 50083 } });
    expect(await api("PATCH", `/channels/${id}`, { name: "x" })).toMatchObject({ body: { code: 50083 } });
    expect(await api("PUT", `/channels/${id}/thread-members/200`)).toMatchObject({ body: { code: 50083 } });
    await api("PATCH", `/channels/${id}`, { archived: false });
    expect((await edit()).status).toBe(200);
    await thread?.archives();
    const client = await connect();
    await send(id, "still here?");
    expect(await client.next()).toMatchObject({ t: "THREAD_UPDATE", d: { thread_metadata: { archived: false } } });
    expect((await thread?.refresh())?.isArchived).toBe(false);
  });

  it("is one where nobody wrote for its time, and is not in GUILD_CREATE then (D55)", async () => {
    const id = await openThread();
    clock.advance(50 * 60_000);
    await send(id, "still here");
    clock.advance(50 * 60_000);
    expect((await hall.threads())[0]?.isArchived).toBe(false);
    clock.advance(11 * 60_000);
    expect((await hall.threads())[0]?.isArchived).toBe(true);
    await (await emulator.thread(id)).unarchives();
    clock.advance(59 * 60_000);
    expect((await hall.threads())[0]?.isArchived).toBe(false);
    clock.advance(60_000);
    expect((await hall.threads())[0]?.isArchived).toBe(true);
    expect((await api("GET", `/guilds/${guild.id}/threads/active`)).body).toMatchObject({ threads: [] });
    const { body } = await api("GET", "/gateway/bot");
    const late = await openGateway(`${String(pick(body, "url"))}?v=10`);
    await identify(late, GROVE.token, 1);
    expect((await late.next()).d).toMatchObject({ id: guild.id, threads: [] });
    expect((await api("GET", `/channels/${hall.id}/threads/archived/public`)).body).toMatchObject({
      threads: [{ id }],
      has_more: false,
    });
  });
});

describe("a locked thread", () => {
  it("is for moderators alone, archived or not (D22, D23)", async () => {
    await hall.setPermissions(GROVE.id, { deny: ["ManageThreads"] });
    const id = await openThread();
    const [thread] = await hall.threads();
    await thread?.archives({ locked: true });
    const said = await api("POST", `/channels/${id}/messages`, { content: "let me" });
    expect(said).toMatchObject({ status: 400, body: { code: 50083 } });
    expect(await api("PATCH", `/channels/${id}`, { archived: false })).toMatchObject({ body: { code: 160005 } });
    await thread?.unarchives();
    expect(await api("POST", `/channels/${id}/messages`, { content: "let me" })).toMatchObject({
      body: { code: 160005 },
    });
    await hall.setPermissions(GROVE.id, {});
    expect((await api("POST", `/channels/${id}/messages`, { content: "let me" })).status).toBe(200);
  });
});

describe("a thread", () => {
  it("is renamed, locked and archived by its owner as far as that may (D17)", async () => {
    await hall.setPermissions(GROVE.id, { deny: ["ManageThreads"] });
    const id = await openThread();
    expect(await api("PATCH", `/channels/${id}`, { name: "done" })).toMatchObject({ body: { name: "done" } });
    expect(await api("PATCH", `/channels/${id}`, { locked: true })).toMatchObject({
      status: 403,
      body: { code: 50013 },
    });
    expect((await api("PATCH", `/channels/${id}`, { archived: true })).status).toBe(200);
    expect(await api("DELETE", `/channels/${id}`)).toMatchObject({ status: 403, body: { code: 50013 } });
  });

  it("needs a right of its own to write (D17)", async () => {
    const id = await openThread();
    await hall.setPermissions(GROVE.id, { deny: ["SendMessagesInThreads"] });
    expect(await api("POST", `/channels/${id}/messages`, { content: "x" })).toMatchObject({ body: { code: 50013 } });
    expect((await api("POST", `/channels/${hall.id}/messages`, { content: "x" })).status).toBe(200);
  });

  it("that is deleted is unknown (D18), and so is one of a deleted channel", async () => {
    const id = await openThread();
    const client = await connect();
    const [thread] = await hall.threads();
    await thread?.deletes();
    expect(await client.next()).toMatchObject({ t: "THREAD_DELETE", d: { id, parent_id: hall.id, type: 11 } });
    expect(await api("POST", `/channels/${id}/messages`, { content: "x" })).toMatchObject({
      status: 404,
      body: { code: 10003 },
    });
    const other = await openThread("other");
    await hall.deletes();
    expect(await client.until("CHANNEL_DELETE")).toHaveLength(3);
    expect(await api("GET", `/channels/${other}`)).toMatchObject({ status: 404, body: { code: 10003 } });
  });

  it("that is private is for those in it, and tells a bot that is put into it (D55)", async () => {
    await hall.setPermissions(GROVE.id, { deny: ["ManageThreads"] });
    const client = await connect();
    const thread = await hall.createThread(ada, { name: "secret", isPrivate: true });
    expect(await api("GET", `/channels/${thread.id}`)).toMatchObject({ status: 403, body: { code: 50001 } });
    await thread.adds(GROVE);
    expect(await client.next()).toMatchObject({ t: "THREAD_CREATE", d: { id: thread.id, type: 12, member: {} } });
    expect((await api("GET", `/channels/${thread.id}/thread-members`)).body).toHaveLength(2);
    await thread.removes(GROVE);
    expect((await api("GET", `/channels/${thread.id}`)).status).toBe(403);
    await thread.archives();
    const archived = `/channels/${hall.id}/threads/archived/private`;
    const joined = `/channels/${hall.id}/users/@me/threads/archived/private`;
    expect((await api("GET", joined)).body).toMatchObject({ threads: [], has_more: false });
    expect(await api("GET", archived)).toMatchObject({ status: 403, body: { code: 50013 } });
    await hall.setPermissions(GROVE.id, {});
    expect((await api("GET", archived)).body).toMatchObject({ threads: [{ id: thread.id }] });
    expect((await api("GET", joined)).body).toMatchObject({ threads: [] });
  });

  it("that is private and archived is listed for a bot that is in it, the youngest first", async () => {
    await hall.setPermissions(GROVE.id, { deny: ["ManageThreads"] });
    const ids: string[] = [];
    for (const name of ["elder", "younger"]) {
      const thread = await hall.createThread(ada, { name, isPrivate: true });
      await thread.adds(GROVE);
      await thread.archives();
      ids.unshift(thread.id);
    }
    const joined = `/channels/${hall.id}/users/@me/threads/archived/private?limit=1`;
    expect((await api("GET", joined)).body).toMatchObject({ threads: [{ id: ids[0] }], has_more: true });
    expect((await api("GET", `${joined}&before=${ids[0]}`)).body).toMatchObject({
      threads: [{ id: ids[1] }],
      has_more: false,
    });
  });
});

describe("a forum", () => {
  it("takes posts and no messages, with a tag where one is asked for (D28)", async () => {
    const forum = await guild.createChannel({ name: "ideas", kind: "forum", requiresTag: true, tags: ["oak"] });
    const plain = await api("POST", `/channels/${forum.id}/messages`, { content: "x" });
    expect(plain).toMatchObject({ status: 400, body: { code: 40058 } });
    const post = { name: "plant one", message: { content: "where?" } };
    expect(await api("POST", `/channels/${forum.id}/threads`, post)).toMatchObject({ body: { code: 40067 } });
    const tagged = { ...post, applied_tags: forum.tags.map(({ id }) => id) };
    const { status, body } = await api("POST", `/channels/${forum.id}/threads`, tagged);
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: "plant one", type: 11, message: { content: "where?", id: pick(body, "id") } });
    await ada.in({ id: String(pick(body, "id")) }).hears("where?");
    const [thread] = await forum.threads();
    expect(thread?.appliedTagIds).toEqual(forum.tags.map(({ id }) => id));
  });
});
