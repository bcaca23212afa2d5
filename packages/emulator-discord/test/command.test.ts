import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDiscordEmulator, type DiscordChat, type DiscordEmulator, type DiscordGuild } from "../src/index.ts";
import { type GatewayClient, identify, openGateway } from "./gateway-client.ts";
import { GROVE } from "./grove.ts";
import { list, pick } from "./pick.ts";
import { type CallApi, createRestClient } from "./rest-client.ts";

const ASK = { name: "ask", description: "Ask the grove" };
const COMMANDS = `/applications/${GROVE.id}/commands`;

let emulator: DiscordEmulator;
let api: CallApi;
let guild: DiscordGuild;
let ada: DiscordChat;
let client: GatewayClient;

beforeEach(async () => {
  emulator = await createDiscordEmulator();
  await emulator.addBot(GROVE);
  api = createRestClient(emulator.url);
  const person = await emulator.user({ id: "200", username: "ada" });
  guild = await emulator.createGuild({ name: "Walk", members: [person], bots: [GROVE] });
  ada = person.in(await guild.createChannel({ name: "hall" }));
  const { body } = await api("GET", "/gateway/bot");
  client = await openGateway(`${String(pick(body, "url"))}?v=10`);
  await identify(client, GROVE.token, 0);
});
afterEach(() => emulator.close());

/** Uses a command; resolves with the paths to answer it. */
async function ask(): Promise<{ readonly callback: string; readonly hook: string }> {
  await ada.uses("ask");
  const { d } = (await client.until("INTERACTION_CREATE")).at(-1) ?? {};
  const token = String(pick(d, "token"));
  return {
    callback: `/interactions/${String(pick(d, "id"))}/${token}/callback`,
    hook: `/webhooks/${GROVE.id}/${token}`,
  };
}

describe("commands", () => {
  it("keep their ids when they are registered anew, and a guild's go before global ones", async () => {
    const [first] = list((await api("PUT", COMMANDS, [ASK])).body);
    const [again] = list(
      (
        await api("PUT", COMMANDS, [
          { ...ASK, description: "Ask it" },
          { ...ASK, name: "tree" },
        ])
      ).body,
    );
    expect(again).toMatchObject({ id: pick(first, "id"), description: "Ask it" });
    expect(pick(again, "version")).not.toBe(pick(first, "version"));
    const own = await api("POST", `/applications/${GROVE.id}/guilds/${guild.id}/commands`, ASK);
    await ada.uses("ask");
    const { d } = (await client.until("INTERACTION_CREATE")).at(-1) ?? {};
    expect(pick(d, "data", "id")).toBe(pick(own.body, "id"));
  });

  it.each([
    ["a name in capitals", { ...ASK, name: "Ask" }],
    ["no description", { name: "ask" }],
    ["a required option behind a free one", { ...ASK, options: [option("a", false), option("b", true)] }],
    ["the same option twice", { ...ASK, options: [option("a", false), option("a", false)] }],
    [
      "twenty-six choices",
      { ...ASK, options: [{ ...option("a", false), choices: Array.from({ length: 26 }, choice) }] },
    ],
  ])("are refused with %s", async (_, command) => {
    expect(await api("PUT", COMMANDS, [command])).toMatchObject({ status: 400, body: { code: 50035 } });
  });

  it("are the application's own, and a guild's only where the bot is", async () => {
    expect(await api("PUT", "/applications/7/commands", [ASK])).toMatchObject({ status: 403, body: { code: 20012 } });
    expect(await api("GET", `/applications/${GROVE.id}/guilds/7/commands`)).toMatchObject({ body: { code: 50001 } });
    expect(await api("DELETE", `${COMMANDS}/7`)).toMatchObject({ status: 404, body: { code: 10063 } });
  });
});

describe("an answer", () => {
  beforeEach(() => api("PUT", COMMANDS, [ASK]));

  it("must fit what is asked, and comes before followups", async () => {
    const { callback, hook } = await ask();
    for (const type of [1, 6, 7, 8]) {
      const data = type === 8 ? { choices: [] } : { content: "x" };
      const body = type === 1 || type === 6 ? { type } : { type, data };
      expect(await api("POST", callback, body)).toMatchObject({ status: 400, body: { code: 50035 } });
    }
    expect(await api("POST", hook, { content: "too soon" })).toMatchObject({ status: 404, body: { code: 10015 } });
    expect((await api("POST", callback, { type: 5 })).status).toBe(204);
    expect((await api("POST", hook, { content: "now" })).status).toBe(200);
    await ada.hears("now", { once: true });
  });

  it("has no two buttons of one id", async () => {
    const { callback } = await ask();
    const button = { type: 2, style: 1, label: "Go", custom_id: "go" };
    const components = [{ type: 1, components: [button, button] }];
    const refused = await api("POST", callback, { type: 4, data: { content: "x", components } });
    expect(pick(refused.body, "errors", "data", "components", "_errors", 0, "message")).toMatch(/duplicated/);
    expect(await api("POST", callback, { type: 4, data: { content: "" } })).toMatchObject({ body: { code: 50006 } });
  });
});

describe("an interactions endpoint", () => {
  let endpoint: Server;
  afterEach(() => endpoint.close());

  it.each([
    ["believes a forged request", 200, '{"type":1}', "a forged one with 200"],
    ["answers a PING with something else", 200, '{"type":4}', "and no PONG"],
    ["refuses everything", 401, "", "answered with 401"],
  ])("that %s is not saved", async (_, status, answer, complaint) => {
    endpoint = createServer((_request, response) => response.writeHead(status).end(answer));
    await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
    const interactionsUrl = `http://127.0.0.1:${String(pick(endpoint.address(), "port"))}/`;
    await expect(emulator.setBot({ interactionsUrl })).rejects.toThrow(complaint);
  });
});

function option(name: string, required: boolean): object {
  return { type: 3, name, description: "What", required };
}

function choice(_: unknown, at: number): object {
  return { name: `${at}`, value: `${at}` };
}
