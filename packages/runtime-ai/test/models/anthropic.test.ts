import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { formatAddress } from "@banyan/plugin-sdk";
import { endOf, readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it, onTestFinished } from "vitest";
import { createAiRuntime } from "../../src/index.ts";

/** What Anthropic's API streams for one short answer ("Streaming Messages" of its reference). */
const EVENTS: readonly object[] = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      content: [],
      model: "claude-small",
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 1 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
];

async function openServer() {
  const keys: (string | string[] | undefined)[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    keys.push(request.headers["x-api-key"]);
    bodies.push(await text(request));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of EVENTS)
      response.write(`event: ${"type" in event ? event.type : ""}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, keys, bodies };
}

it.each([
  ["its own key", "forest-key"],
  ["none, and never that of the environment", undefined],
])("asks Anthropic's API with %s", async (_name, apiKey) => {
  const { baseUrl, keys } = await openServer();
  const before = process.env.ANTHROPIC_API_KEY;
  process.env.ANTHROPIC_API_KEY = "key-of-somebody-else";
  onTestFinished(() => {
    if (before === undefined) delete process.env.ANTHROPIC_API_KEY;
    else process.env.ANTHROPIC_API_KEY = before;
  });
  const runtime = createAiRuntime({ providers: { forest: { kind: "anthropic", baseUrl, apiKey } } });
  const desk = new TurnDesk();
  const session = await desk.open(runtime, { model: "forest/claude-small" });
  const events = await readAll(session.run(desk.turn("hello")));
  expect(textOf(events)).toBe("Hello.");
  expect(endOf(events)).toMatchObject({
    reason: "done",
    model: "forest/claude-small",
    usage: { inputTokens: 11, outputTokens: 3 },
  });
  expect(keys).toEqual([apiKey ?? ""]);
});

it("shows Anthropic's models a picture as its bytes", async () => {
  const { baseUrl, bodies } = await openServer();
  const runtime = createAiRuntime({ providers: { forest: { kind: "anthropic", baseUrl, apiKey: "forest-key" } } });
  const desk = new TurnDesk();
  const png = Buffer.from("\u0089PNG\r\n\u001a\n oaks", "latin1");
  desk.files.set("1.1", png);
  const address = formatAddress({ channel: "grove", account: "default", kind: "dm", chat: "1" });
  const attachments = [{ id: "1.1", address, file: { id: "f", name: "oak.png", mimeType: "image/png" } }];
  const session = await desk.open(runtime, { model: "forest/claude-small" });
  await readAll(session.run(desk.turn([{ kind: "message", text: "what is this?", attachments }])));
  expect(JSON.parse(bodies[0] ?? "").messages).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "what is this?" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: png.toString("base64") } },
      ],
    },
  ]);
});
