import type { SessionSpec, ToolDescription } from "@banyan/plugin-sdk";
import { readAll, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { AgentDesk } from "../desk/agent-desk.ts";

const SPAWN: ToolDescription = { name: "sessions_spawn", description: "Spawns.", parameters: { type: "object" } };
const TOOLS = { tools: [SPAWN] };
const NamedValue = z.object({ name: z.string(), value: z.string() });
const Given = z.looseObject({
  servers: z.array(
    z.looseObject({
      name: z.string(),
      url: z.string().optional(),
      headers: z.array(NamedValue).optional(),
      args: z.array(z.string()).optional(),
      env: z.array(NamedValue).optional(),
    }),
  ),
});

/** What the agent's sessions were opened with, the oldest first. */
function listServers(desk: AgentDesk) {
  return desk.journal.filter((line) => "servers" in line).map((line) => Given.parse(line).servers);
}

/** The way in that the agent's last session was given, as somebody uses it who has found it. */
async function take(desk: AgentDesk): Promise<{ url: URL; headers: Record<string, string> }> {
  const [server] = listServers(desk).at(-1) ?? [];
  const header = server?.headers?.[0];
  return { url: new URL(server?.url ?? ""), headers: header === undefined ? {} : { [header.name]: header.value } };
}

async function connect({ url, headers }: Awaited<ReturnType<typeof take>>): Promise<Client> {
  const client = new Client({ name: "thief", version: "0" });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}

test("an agent that speaks HTTP is given the address, and the bearer in a header alone", async () => {
  const desk = new AgentDesk({ args: ["--http"] });
  await desk.says("say hello", TOOLS);
  const [server] = listServers(desk)[0] ?? [];
  const bearer = /^Bearer (banyan-secret-[\w-]{43})$/.exec(server?.headers?.[0]?.value ?? "")?.[1];
  expect(bearer).toBeDefined();
  expect(server).toMatchObject({
    type: "http",
    name: "banyan",
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
  });
  expect(server?.url).not.toContain(bearer);
});

test("an agent that does not is given the bridge, and the bearer in its environment alone", async () => {
  const desk = new AgentDesk();
  await desk.says("say hello", TOOLS);
  const [server] = listServers(desk)[0] ?? [];
  const bearer = server?.env?.find(({ name }) => name === "BANYAN_TOOLS_BEARER")?.value ?? "";
  expect(bearer).toMatch(/^banyan-secret-[\w-]{43}$/);
  expect(server?.args?.join(" ")).not.toContain(bearer);
  expect(server?.env?.filter(({ value }) => value.includes(bearer))).toHaveLength(1);
});

test("an agent without tools is given no way to any", async () => {
  const desk = new AgentDesk({ args: ["--http"] });
  await desk.says("say hello");
  expect(listServers(desk)).toEqual([[]]);
});

test("what an agent calls at once is called one after the other, numbered without a gap", async () => {
  const desk = new AgentDesk({ args: ["--http"] });
  const session = await desk.open(TOOLS);
  const sessions_spawn = (args: unknown) => ({ text: JSON.stringify(args), isError: false });
  const events = await readAll(session.run(desk.turns.turn('both sessions_spawn {"a":1} {"a":2}', { sessions_spawn })));
  await session.close();
  expect(desk.turns.ran.map(({ ordinal }) => ordinal)).toEqual([0, 1]);
  expect(textOf(events)).toMatch(/"a":1.*"a":2/s);
});

describe("attack 19: the way to the tools, in other hands", () => {
  const opens = async (spec: Partial<SessionSpec> = {}) => {
    const desk = new AgentDesk({ args: ["--http", "--load"] });
    await desk.says("say hello", { ...TOOLS, ...spec });
    return desk;
  };

  test("a call after the turn's end has no effect", async () => {
    const desk = await opens();
    const client = await connect(await take(desk));
    const { content } = await client.callTool({ name: "sessions_spawn", arguments: {} });
    expect(content).toMatchObject([{ text: expect.stringMatching(/no turn of this conversation is at work/) }]);
    expect(desk.turns.ran).toEqual([]);
  });

  test("it is closed when the conversation begins anew, and the new one has another", async () => {
    const desk = await opens();
    const old = await take(desk);
    await desk.says("say hello", { ...TOOLS, sessionId: "5f0c0000-0000-4000-8000-000000000002" });
    await expect(connect(old)).rejects.toThrow(/401|revoked/);
    expect((await (await connect(await take(desk))).listTools()).tools).toHaveLength(1);
  });

  test("it is closed when the agent's process has ended, and a session that is taken up has another", async () => {
    const desk = await opens();
    const old = await take(desk);
    await desk.says("die", TOOLS);
    await expect(connect(old)).rejects.toThrow(/401|revoked/);
    expect(await desk.says("tools", TOOLS)).toMatchObject({ text: "sessions_spawn" });
  });

  test("it is closed at once when the conversation is over, also where none follows", async () => {
    const desk = await opens();
    const old = await take(desk);
    const { sessionKey, sessionId } = desk.spec;
    desk.runtime.endSession?.({ sessionKey, sessionId: "another" }, { log: desk.turns.log });
    expect((await (await connect(old)).listTools()).tools).toHaveLength(1);
    desk.runtime.endSession?.({ sessionKey, sessionId }, { log: desk.turns.log });
    await expect(connect(old)).rejects.toThrow(/401|revoked/);
  });

  test("it is closed with the gateway", async () => {
    const desk = await opens();
    const old = await take(desk);
    await desk.runtime.close?.();
    // Nobody answers there any more.
    await expect(fetch(old.url, { method: "POST", headers: old.headers })).rejects.toThrow("fetch failed");
  });

  test("a session whose way was closed has another when its conversation goes on", async () => {
    const desk = await opens();
    const kept = desk.kept.at(-1);
    await desk.says("say hello", { ...TOOLS, sessionId: "5f0c0000-0000-4000-8000-000000000002" });
    expect(kept).toBeDefined();
    expect(await desk.says("tools", kept === undefined ? TOOLS : { ...TOOLS, acp: kept })).toMatchObject({
      text: "sessions_spawn",
    });
  });
});
