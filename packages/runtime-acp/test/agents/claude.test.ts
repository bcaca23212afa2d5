import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { AcpProfile, ToolDescription } from "@banyan/plugin-sdk";
import { readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, onTestFinished, test } from "vitest";
import { createAcpRuntime } from "../../src/index.ts";
import { createSystemClock } from "../desk/system-clock.ts";

/** The path of the program `claude-agent-acp` itself; its tests are left out where none is named. */
const CLAUDE = process.env.BANYAN_TEST_CLAUDE ?? "";
const LIMIT_MS = 120_000;
const SPAWN: ToolDescription = { name: "sessions_spawn", description: "Spawns.", parameters: { type: "object" } };
/** The events of an answer of the Messages API, in the order of the wire. */
const ANSWER = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hello" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: "message_stop" },
];

interface AskedTool {
  readonly name: string;
  readonly defer_loading?: boolean;
}

/** A server of the Messages API that says hello; `asked` has the tools of each request. */
async function openMessages(): Promise<{ readonly url: string; readonly asked: (readonly AskedTool[])[] }> {
  const asked: (readonly AskedTool[])[] = [];
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    if (request.method !== "POST" || !request.url?.startsWith("/v1/messages?")) {
      response.writeHead(404).end("{}");
      return;
    }
    const { tools = [] }: { readonly tools?: readonly AskedTool[] } = JSON.parse(body);
    asked.push(tools);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(ANSWER.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return { url: `http://127.0.0.1:${port}`, asked };
}

test.skipIf(CLAUDE === "").each<AcpProfile>(["ask", "chat-safe"])(
  "under %s claude's first request to its model has the host's tools (only with BANYAN_TEST_CLAUDE)",
  async (profile) => {
    const folder = mkdtempSync(join(tmpdir(), "banyan-claude-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 9 }));
    const { url, asked } = await openMessages();
    const env = { HOME: folder, CLAUDE_CONFIG_DIR: folder, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "x" };
    const runtime = createAcpRuntime({
      findSettings: () => ({
        agent: "claude",
        env: ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "ENABLE_TOOL_SEARCH"],
        profile,
      }),
      env: {
        ...env,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        // Else it depends on the model and on how many there are.
        ENABLE_TOOL_SEARCH: "true",
        PATH: `${dirname(resolve(CLAUDE))}:${process.env.PATH}`,
      },
      folder: join(folder, "work"),
      version: "0",
      random: () => 0,
    });
    onTestFinished(() => runtime.close?.());
    const desk = new TurnDesk();
    const session = await desk.open(runtime, { audience: "known", tools: [SPAWN] }, createSystemClock());
    expect(textOf(await readAll(session.run(desk.turn("hello"))))).toBe("hello");
    const [first = []] = asked;
    const spawn = first.find(({ name }) => name === "mcp__banyan__sessions_spawn");
    expect(spawn).toBeDefined();
    expect(spawn?.defer_loading ?? false).toBe(false);
  },
  LIMIT_MS,
);
