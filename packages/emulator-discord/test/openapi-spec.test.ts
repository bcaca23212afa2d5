import { afterEach, beforeEach, expect, it } from "vitest";
import { createDiscordEmulator, type DiscordChat, type DiscordEmulator } from "../src/index.ts";
import { ROUTES } from "../src/routes/catalog.ts";
import { readDiscordSchema } from "./discord-schema.ts";
import { identify, openGateway } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { list, pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

const schema = readDiscordSchema();

let emulator: DiscordEmulator;
let api: CallApi;

beforeEach(async () => {
  emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
});
afterEach(() => emulator.close());

async function idOf(answer: ReturnType<CallApi>): Promise<string> {
  return String(pick((await answer).body, "id"));
}

const ROW = { type: 1, components: [{ type: 2, style: 1, label: "Kill", custom_id: "kill" }] };
const EMBED = { title: "Done", description: "all", color: 5, fields: [{ name: "took", value: "2 s" }] };
const COMMAND = {
  name: "ask",
  description: "Ask",
  options: [{ type: 3, name: "question", description: "What", autocomplete: true }],
};

async function playBot(guildId: string): Promise<void> {
  for (const path of ["/users/@me", "/users/@me/guilds", "/users/200", "/gateway", "/gateway/bot"])
    await api("GET", path);
  for (const path of ["/applications/@me", "/oauth2/applications/@me"]) await api("GET", path);
  const guild = `/guilds/${guildId}`;
  for (const path of [
    "?with_counts=true",
    "/channels",
    "/members?limit=10",
    "/members/200",
    "/roles",
    "/threads/active",
  ]) {
    await api("GET", guild + path);
  }
  for (const scope of [`/applications/${GROVE.id}/commands`, `/applications/${GROVE.id}${guild}/commands`]) {
    await api("PUT", scope, [COMMAND]);
    const extra = await idOf(api("POST", scope, { ...COMMAND, name: "other" }));
    await api("GET", scope);
    await api("DELETE", `${scope}/${extra}`);
  }
}

async function playMessages(channel: string, said: string): Promise<void> {
  const messages = `/channels/${channel}/messages`;
  const form = new FormData();
  form.set("payload_json", JSON.stringify({ content: "a file", attachments: [{ id: "0", filename: "a.txt" }] }));
  form.set("files[0]", new Blob(["x"]), "a.txt");
  await api("POST", messages, form);
  const reply = { message_id: said, fail_if_not_exists: false };
  const own = await idOf(
    api("POST", messages, {
      content: "hi",
      nonce: "n",
      enforce_nonce: true,
      message_reference: reply,
      embeds: [EMBED],
    }),
  );
  await api("PATCH", `${messages}/${own}`, { content: "hi!", components: [ROW], allowed_mentions: { parse: [] } });
  const reactions = `${messages}/${own}/reactions/${encodeURIComponent("👍")}`;
  await api("PUT", `${reactions}/@me`);
  await api("GET", reactions);
  await api("GET", `${messages}/${own}`);
  await api("GET", `${messages}?limit=10`);
  await api("DELETE", `${reactions}/@me`);
  await api("DELETE", `${reactions}/200`);
  await api("POST", `/channels/${channel}/typing`);
  await api("POST", messages, { content: "" });
  await api("DELETE", `${messages}/${own}`);
}

async function playThreads(channel: string, forum: string): Promise<void> {
  const starter = await idOf(api("POST", `/channels/${channel}/messages`, { content: "begin" }));
  const thread = await idOf(
    api("POST", `/channels/${channel}/messages/${starter}/threads`, { name: "walk", auto_archive_duration: 1440 }),
  );
  await api("POST", `/channels/${channel}/threads`, { name: "hidden", type: 12 });
  const post = await idOf(api("POST", `/channels/${forum}/threads`, { name: "idea", message: { content: "x" } }));
  await api("GET", `/channels/${thread}`);
  await api("PUT", `/channels/${thread}/thread-members/200`);
  await api("GET", `/channels/${thread}/thread-members`);
  await api("GET", `/channels/${thread}/thread-members/200`);
  await api("DELETE", `/channels/${thread}/thread-members/200`);
  await api("DELETE", `/channels/${thread}/thread-members/@me`);
  await api("PUT", `/channels/${thread}/thread-members/@me`);
  await api("PATCH", `/channels/${thread}`, { name: "walked", archived: true });
  await api("GET", `/channels/${channel}/threads/archived/public`);
  await api("GET", `/channels/${channel}/threads/archived/private`);
  await api("GET", `/channels/${channel}/users/@me/threads/archived/private`);
  await api("GET", `/channels/${channel}/messages`);
  await api("GET", `/channels/${forum}`);
  await api("DELETE", `/channels/${post}`);
}

async function playWebhook(channel: string): Promise<void> {
  const { body: hook } = await api("POST", `/channels/${channel}/webhooks`, { name: "Oak" });
  await api("GET", `/channels/${channel}/webhooks`);
  const path = `/webhooks/${String(pick(hook, "id"))}/${String(pick(hook, "token"))}`;
  const sent = await idOf(api("POST", `${path}?wait=true`, { content: "rustle", username: "Old Oak" }));
  await api("POST", path, { content: "rustle" });
  await api("PATCH", `${path}/messages/${sent}`, { content: "rustle!" });
  await api("GET", `${path}/messages/${sent}`);
  await api("DELETE", `${path}/messages/${sent}`);
  await api("DELETE", path);
}

/** Answers to a command: at once, later, in another message, none in the end; and to a button and half a word. */
async function playInteractions(ada: DiscordChat): Promise<void> {
  const { body } = await api("GET", "/gateway/bot");
  const client = await openGateway(`${String(pick(body, "url"))}?v=10`);
  await identify(client, GROVE.token, 0);
  const begin = async (begun: Promise<unknown>): Promise<{ readonly callback: string; readonly hook: string }> => {
    await begun;
    const { d } = (await client.until("INTERACTION_CREATE")).at(-1) ?? {};
    const token = String(pick(d, "token"));
    const callback = `/interactions/${String(pick(d, "id"))}/${token}/callback`;
    return { callback, hook: `/webhooks/${GROVE.id}/${token}` };
  };
  const asked = await begin(ada.uses("ask", { question: "why" }));
  await api("POST", `${asked.callback}?with_response=true`, { type: 4, data: { content: "so", components: [ROW] } });
  const original = `${asked.hook}/messages/@original`;
  const messageId = await idOf(api("GET", original));
  await api("PATCH", original, { content: "so it is" });
  const more = await idOf(api("POST", asked.hook, { content: "more", flags: 64 }));
  await api("PATCH", `${asked.hook}/messages/${more}`, { content: "more still" });
  await api("DELETE", `${asked.hook}/messages/${more}`);
  const pressed = await begin(ada.presses(messageId, "kill"));
  await api("POST", `${pressed.callback}?with_response=true`, { type: 7, data: { content: "done", components: [] } });
  const late = await begin(ada.uses("ask", { question: "later" }));
  await api("POST", `${late.callback}?with_response=true`, { type: 5, data: { flags: 64 } });
  await api("POST", late.hook, { content: "now" });
  const choices = ada.completes("ask", "question", "w");
  const half = await begin(Promise.resolve());
  await api("POST", half.callback, { type: 8, data: { choices: [{ name: "why", value: "why" }] } });
  await choices;
  await api("DELETE", original);
  client.close();
}

it.skipIf(schema === undefined)(
  "answers every route as Discord describes it (only beside its description)",
  async () => {
    const ada = await emulator.user({ id: "200", username: "ada" });
    const guild = await emulator.createGuild({ name: "Walk", members: [ada], bots: [] });
    await guild.adds(GROVE, { permissions: ["ManageChannels", "ManageThreads", "ManageMessages", "ManageWebhooks"] });
    const hall = await guild.createChannel({ name: "hall" });
    const forum = await guild.createChannel({ name: "ideas", kind: "forum", tags: ["oak"] });
    await guild.createChannel({ name: "voices", kind: "voice" });
    await guild.createChannel({ name: "rooms", kind: "category" });
    await guild.createChannel({ name: "news", kind: "announcement" });
    await playBot(guild.id);
    await playMessages(hall.id, await ada.in(hall).says(`<@${GROVE.id}> hello`));
    await playThreads(hall.id, forum.id);
    await playWebhook(hall.id);
    await api("POST", "/users/@me/channels", { recipient_id: "200" });
    await playInteractions(ada.in(hall));
    await api("PATCH", `/channels/${hall.id}`, { topic: "walks" });
    await api("DELETE", `/channels/${hall.id}`);
    await api("GET", `/channels/${hall.id}`);
    await api("DELETE", `/users/@me/guilds/${guild.id}`);

    const calls = await emulator.record();
    expect(schema?.checkCalls(calls)).toEqual([]);
    const played = new Set(calls.map(({ route }) => route));
    const left = ROUTES.map(({ template }) => template).filter((route) => !played.has(route));
    expect(left).toEqual([]);
    expect(list(calls).length).toBeGreaterThan(60);
  },
);
