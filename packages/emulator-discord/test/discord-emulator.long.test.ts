import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  connectDiscordEmulator,
  createDiscordEmulator,
  type DiscordEmulator,
  spawnDiscordEmulator,
} from "../src/index.ts";
import { identify, openGateway } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

const PLACES = [
  { place: "in this process", start: () => createDiscordEmulator() },
  { place: "in a process of its own", start: () => spawnDiscordEmulator() },
];

describe.each(PLACES)("an emulator $place", ({ start }) => {
  let emulator: DiscordEmulator;
  let api: CallApi;

  beforeEach(async () => {
    emulator = await start();
    await emulator.addBot(GROVE);
    api = createRestClient(emulator.url);
  });
  afterEach(() => emulator.close());

  it("carries a person's message to the bot and its answer back", async () => {
    const ada = await emulator.user({ id: "200", username: "ada", globalName: "Ada" });
    const { body } = await api("GET", "/gateway/bot");
    expect(body).toMatchObject({
      shards: 1,
      session_start_limit: { total: 1000, remaining: 1000, max_concurrency: 1 },
    });
    const client = await openGateway(`${String(pick(body, "url"))}?v=10&encoding=json`);
    await identify(client, GROVE.token, 4096);
    await emulator.gateway.connected();
    const messageId = await ada.dm().says("hello");
    const { d } = await client.next();
    expect(d).toMatchObject({ id: messageId, content: "hello", author: { id: "200", global_name: "Ada" }, type: 0 });
    expect(pick(d, "guild_id")).toBeUndefined();
    const hearing = ada.dm().hears(/^hello, A/);
    await api("POST", `/channels/${String(pick(d, "channel_id"))}/messages`, { content: "hello, Ada" });
    expect(await hearing).toMatchObject({ text: "hello, Ada", authorId: GROVE.id, isEdit: false });
    expect((await emulator.bot()).sessions).toMatchObject([{ isConnected: true, seq: 3 }]);
    client.terminate();
  });

  it("keeps every version of a message, also after its deletion, and hears embeds as text", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { id: channel } = await ada.dm().state();
    const sent = await api("POST", `/channels/${channel}/messages`, { content: "working" });
    const path = `/channels/${channel}/messages/${String(pick(sent.body, "id"))}`;
    const fields = [{ name: "took", value: "2 s" }];
    await api("PATCH", path, { content: "", embeds: [{ title: "Done", description: "all of it", fields }] });
    await ada.dm().hears("working");
    expect((await ada.dm().hears(/^Done/)).text).toBe("Done\nall of it\ntook: 2 s");
    await api("DELETE", path);
    expect(await ada.dm().messages()).toEqual([]);
    const [message] = await ada.dm().history();
    expect(message?.isDeleted).toBe(true);
    expect(message?.versions.map(({ text }) => text)).toEqual(["working", "Done\nall of it\ntook: 2 s"]);
  });

  it("hears a later version of a message in place of the earlier ones, and what is later still after it", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const { id: channel } = await ada.dm().state();
    const sent = await api("POST", `/channels/${channel}/messages`, { content: "one" });
    const path = `/channels/${channel}/messages/${String(pick(sent.body, "id"))}`;
    for (const content of ["two", "three"]) await api("PATCH", path, { content });
    expect((await ada.dm().hears("two")).isEdit).toBe(true);
    await expect(ada.dm().hears("one", { timeoutMs: 0 })).rejects.toMatchObject({ code: "not_heard" });
    await ada.dm().hears("three");
  });

  it("prints the chat when a person does not hear what a test expects, and finds repeats", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const said = await ada.dm().says("hello");
    const { id: channel } = await ada.dm().state();
    const ids: unknown[] = [];
    for (let time = 0; time < 2; time += 1) {
      ids.push(pick((await api("POST", `/channels/${channel}/messages`, { content: "two" })).body, "id"));
    }
    await expect(ada.dm().hears("one", { timeoutMs: 0 })).rejects.toMatchObject({
      code: "not_heard",
      message: `ada did not receive "one" in 0 ms. The chat so far:\n  ${said} ada: hello\n  ${ids[0]} grove: two\n  ${ids[1]} grove: two`,
    });
    await expect(ada.dm().hears("two", { once: true })).rejects.toMatchObject({ code: "heard_twice" });
  });

  it("records every call with its body and answer, and is the same for a second one who connects", async () => {
    const witness = connectDiscordEmulator(emulator.url);
    const ada = await witness.user({ id: "200", username: "ada" });
    const { id: channel } = await ada.dm().state();
    await api("POST", `/channels/${channel}/messages`, { content: "hi" });
    await api("POST", `/channels/${channel}/messages`, { content: "" });
    await emulator.called("POST /channels/:id/messages", 2);
    const [sent, refused] = await emulator.record({ route: "POST /channels/:channel/messages" });
    expect(sent).toMatchObject({ botId: GROVE.id, path: `/channels/${channel}/messages`, body: { content: "hi" } });
    expect(sent?.answer).toMatchObject({ status: 200, body: { content: "hi" } });
    expect(refused?.answer).toMatchObject({ status: 400, body: { code: 50006 } });
    expect((await emulator.counts())["POST /channels/:channel/messages"]).toEqual({
      accepted: 2,
      refused: 1,
      faulted: 0,
      dropped: 0,
    });
    expect(await witness.record()).toEqual(await emulator.record());
  });

  it("tells a page of all guilds and chats, and says many lines in one go", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
    const hall = await guild.createChannel({ name: "hall" });
    const ids = await emulator.sayAll([ada.in(hall).line("one"), ada.in(hall).line("two")]);
    expect(await emulator.guilds()).toMatchObject([{ name: "Walk", channels: [{ name: "hall", kind: "text" }] }]);
    const [chat] = await emulator.chats({ guildId: guild.id });
    expect(chat?.messages.map(({ messageId }) => messageId)).toEqual(ids);
  });

  it("says what a test did wrong", async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const guild = await emulator.createGuild({ name: "Walk", owner: ada });
    const hall = await guild.createChannel({ name: "hall" });
    const bob = await emulator.user({ id: "201", username: "bob" });
    await expect(bob.in(hall).says("let me in")).rejects.toMatchObject({ code: "forbidden" });
    await expect(ada.in({ id: "9" }).says("x")).rejects.toMatchObject({ code: "unknown_channel" });
    await expect(ada.dm().says("")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(ada.dm().edits("99", "x")).rejects.toMatchObject({ code: "unknown_message" });
    await expect(emulator.bot("1")).rejects.toMatchObject({ code: "unknown_bot" });
    await expect(emulator.addBot(GROVE)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(emulator.user({ id: "ada", username: "ada" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(emulator.called("GET /gateway", 1, 0)).rejects.toMatchObject({ code: "not_called" });
  });
});

describe("a connection to nobody", () => {
  it("says that the emulator is not there", async () => {
    const gone = await createDiscordEmulator();
    await gone.close();
    await expect(connectDiscordEmulator(gone.url).counts()).rejects.toMatchObject({ code: "unreachable" });
  });
});
