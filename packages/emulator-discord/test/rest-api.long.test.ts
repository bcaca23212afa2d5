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
import { GROVE } from "./grove.ts";
import { list, pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

let emulator: DiscordEmulator;
let clock: ManualClock;
let api: CallApi;
let ada: DiscordUser;
let guild: DiscordGuild;
let hall: DiscordChannel;
let messages: string;

beforeEach(async () => {
  clock = createManualClock();
  emulator = await createDiscordEmulator({ clock });
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  ada = await emulator.user({ id: "200", username: "ada" });
  guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [GROVE] });
  hall = await guild.createChannel({ name: "hall" });
  messages = `/channels/${hall.id}/messages`;
});
afterEach(() => emulator.close());

async function send(body: object): Promise<string> {
  return String(pick((await api("POST", messages, body)).body, "id"));
}

describe("a call", () => {
  it("needs a user agent (D14), a token (D15), a route and a method", async () => {
    const bare = await fetch(`${emulator.url}/v10/users/@me`, { headers: { authorization: `Bot ${GROVE.token}` } });
    expect(bare.status).toBe(403);
    expect(await bare.json()).toMatchObject({ code: 40333 });
    expect(await createRestClient(emulator.url, "x")("GET", "/users/@me")).toMatchObject({ status: 401 });
    expect(await api("GET", "/nowhere")).toMatchObject({ status: 404, body: { message: "404: Not Found", code: 0 } });
    expect(await api("PUT", messages)).toMatchObject({ status: 405 });
    expect((await api("GET", "/users/@me")).headers.get("date")).toBe(new Date(clock.nowMs()).toUTCString());
  });

  it("is refused with what is wrong where in its form (D36)", async () => {
    expect(await api("POST", messages, { content: 7 })).toMatchObject({
      status: 400,
      body: { code: 50035, message: "Invalid Form Body", errors: { content: { _errors: [{}] } } },
    });
    expect(await api("POST", messages)).toMatchObject({ body: { code: 50109 } });
    expect(await api("POST", "/channels/abc/messages", { content: "x" })).toMatchObject({ body: { code: 50035 } });
  });
});

describe("a message", () => {
  it.each([
    ["over 2000 characters (D1)", { content: "x".repeat(2001) }, "content", "BASE_TYPE_MAX_LENGTH"],
    ["with a nonce over 25 (D5)", { content: "x", nonce: "x".repeat(26) }, "nonce", "BASE_TYPE_MAX_LENGTH"],
    [
      "with eleven embeds (D3)",
      { embeds: Array.from({ length: 11 }, () => ({ title: "x" })) },
      "embeds",
      "BASE_TYPE_MAX_LENGTH",
    ],
    [
      "with 6001 characters of embeds (D3)",
      { embeds: [{ description: "x".repeat(4000) }, { description: "x".repeat(2001) }] },
      "embeds",
      "MAX_EMBED_SIZE_EXCEEDED",
    ],
    ["with an unknown key", { content: "x", contents: "y" }, "_errors", undefined],
  ])("%s is refused", async (_, body, field, code) => {
    const answer = await api("POST", messages, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 50035 } });
    const errors = pick(answer.body, "errors", field);
    expect(errors).toBeDefined();
    if (code !== undefined) expect(pick(errors, "_errors", 0, "code")).toBe(code);
  });

  it("names the path to a part of an embed (D3)", async () => {
    const answer = await api("POST", messages, { embeds: [{ title: "x".repeat(257) }] });
    expect(pick(answer.body, "errors", "embeds", "0", "title", "_errors", 0, "code")).toBe("BASE_TYPE_MAX_LENGTH");
  });

  it("that says nothing is refused (D2)", async () => {
    expect(await api("POST", messages, { content: "  " })).toMatchObject({ status: 400, body: { code: 50006 } });
  });

  it("is made once for a nonce within minutes, and told with it (D5)", async () => {
    const body = { content: "once", nonce: "abc", enforce_nonce: true };
    const first = await api("POST", messages, body);
    expect(first.body).toMatchObject({ nonce: "abc", content: "once" });
    clock.advance(60_000);
    expect(await send({ ...body, content: "other" })).toBe(pick(first.body, "id"));
    expect(list((await api("GET", messages)).body).map((message) => pick(message, "nonce"))).toEqual([undefined]);
    clock.advance(5 * 60_000);
    expect(await send(body)).not.toBe(pick(first.body, "id"));
    expect((await hall.messages()).map(({ text }) => text)).toEqual(["once", "once"]);
  });

  it("is made twice for a nonce that is not enforced", async () => {
    const body = { content: "twice", nonce: "abc" };
    expect(await send(body)).not.toBe(await send(body));
  });

  it("replies, and to a deleted one only where that is asked for (D19)", async () => {
    const said = await ada.in(hall).says("question");
    const reply = await api("POST", messages, { content: "answer", message_reference: { message_id: said } });
    expect(reply.body).toMatchObject({ type: 19, referenced_message: { id: said }, mentions: [{ id: "200" }] });
    await ada.in(hall).deletes(said);
    const gone = { content: "answer", message_reference: { message_id: said } };
    const refused = await api("POST", messages, gone);
    const errors = pick(refused.body, "errors", "message_reference", "_errors");
    expect(errors).toMatchObject([{ code: "MESSAGE_REFERENCE_UNKNOWN_MESSAGE" }]);
    const kept = { ...gone, message_reference: { message_id: said, fail_if_not_exists: false } };
    expect(pick((await api("POST", messages, kept)).body, "type")).toBe(0);
  });

  it("pings whom it may (D60)", async () => {
    const role = await guild.createRole("walkers");
    const content = `<@200> <@&${role}> @everyone`;
    const free = (await api("POST", messages, { content })).body;
    expect(free).toMatchObject({ mentions: [{ id: "200" }], mention_roles: [role], mention_everyone: false });
    const bound = (await api("POST", messages, { content, allowed_mentions: { parse: [] } })).body;
    expect(bound).toMatchObject({ mentions: [], mention_roles: [], mention_everyone: false });
    await hall.setPermissions(GROVE.id, { allow: ["MentionEveryone"] });
    expect((await api("POST", messages, { content })).body).toMatchObject({ mention_everyone: true });
    expect((await api("POST", messages, { content, allowed_mentions: { parse: [] } })).body).toMatchObject({
      mention_everyone: false,
    });
    const one = (await api("POST", messages, { content, allowed_mentions: { users: ["200"] } })).body;
    expect(one).toMatchObject({ mentions: [{ id: "200" }], mention_roles: [] });
  });

  it("is edited by its author alone, and not where Discord wrote it (D19, D31)", async () => {
    const said = await ada.in(hall).says("mine");
    expect(await api("PATCH", `${messages}/${said}`, { content: "x" })).toMatchObject({
      status: 403,
      body: { code: 50005 },
    });
    expect(await api("PATCH", `${messages}/1`, { content: "x" })).toMatchObject({ status: 404, body: { code: 10008 } });
    await api("POST", `/channels/${hall.id}/threads`, { name: "loose", type: 11 });
    expect(await hall.messages()).toEqual([]);
    const [system] = list((await api("GET", `${messages}?limit=1`)).body);
    expect(system).toMatchObject({ type: 18, content: "loose" });
    expect(await api("PATCH", `${messages}/${String(pick(system, "id"))}`, { content: "x" })).toMatchObject({
      body: { code: 50021 },
    });
    const reply = { content: "re", message_reference: { message_id: pick(system, "id") } };
    expect(pick((await api("POST", messages, reply)).body, "errors", "message_reference", "_errors")).toMatchObject([
      { code: "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE" },
    ]);
    expect(await api("POST", `${messages}/${String(pick(system, "id"))}/threads`, { name: "x" })).toMatchObject({
      body: { code: 50021 },
    });
  });

  it("carries files, and no more than ten (D4)", async () => {
    const form = (count: number): FormData => {
      const data = new FormData();
      const attachments = [{ id: 0, description: "a leaf" }];
      data.set("payload_json", JSON.stringify({ content: "look", attachments }));
      for (let at = 0; at < count; at += 1) data.set(`files[${at}]`, new Blob(["leaf"]), `leaf-${at}.txt`);
      return data;
    };
    const sent = await api("POST", messages, form(2));
    expect(pick(sent.body, "attachments")).toMatchObject([
      { filename: "leaf-0.txt", size: 4, description: "a leaf" },
      { filename: "leaf-1.txt" },
    ]);
    expect(await api("POST", messages, form(11))).toMatchObject({ body: { code: 30015 } });
    const large = new FormData();
    large.set("files[0]", new Blob([new Uint8Array(10 * 1024 * 1024 + 1)]), "large.bin");
    expect(await api("POST", messages, large)).toMatchObject({ status: 413, body: { code: 40005 } });
    expect((await emulator.record({ route: "POST /channels/:channel/messages" }))[0]?.files).toEqual([
      "leaf-0.txt",
      "leaf-1.txt",
    ]);
  });

  it("is found before, after and around another, the newest first", async () => {
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) ids.push(await send({ content: `${at}` }));
    await api("DELETE", `${messages}/${ids[6]}`);
    const read = async (query: string): Promise<string> =>
      list((await api("GET", `${messages}?${query}`)).body)
        .map((message) => pick(message, "content"))
        .join("");
    expect(await read("")).toBe("543210");
    expect(await read("limit=2")).toBe("54");
    expect(await read(`after=${ids[1]}&limit=3`)).toBe("432");
    expect(await read(`before=${ids[4]}&limit=2`)).toBe("32");
    expect(await read(`around=${ids[3]}&limit=3`)).toBe("432");
    expect(await read(`after=${ids[5]}`)).toBe("");
    expect(await api("GET", `${messages}?limit=101`)).toMatchObject({ status: 400, body: { code: 50035 } });
  });

  it("has reactions, one for each who reacts", async () => {
    const said = await ada.in(hall).says("like it?");
    await ada.in(hall).reacts(said, "👍");
    const path = `${messages}/${said}/reactions/${encodeURIComponent("👍")}`;
    expect((await api("PUT", `${path}/@me`)).status).toBe(204);
    expect(pick((await api("GET", `${messages}/${said}`)).body, "reactions")).toMatchObject([
      { count: 2, me: true, emoji: { name: "👍" } },
    ]);
    await api("DELETE", `${path}/@me`);
    expect((await api("GET", path)).body).toMatchObject([{ id: "200" }]);
  });
});
