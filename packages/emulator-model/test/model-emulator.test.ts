import { expect, it, onTestFinished } from "vitest";
import { createManualClock, createModelEmulator, type ModelEmulatorOptions } from "../src/index.ts";

async function open(options: ModelEmulatorOptions = {}) {
  const server = await createModelEmulator(options);
  onTestFinished(() => server.close());
  const ask = (body: object = {}, key = "k") =>
    fetch(`${server.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: "grove-1", messages: [{ role: "user", content: "hello" }], stream: true, ...body }),
    });
  return { server, ask };
}

it("streams what its script says, and its usage where it is asked for", async () => {
  const script = () => ({ text: ["a", "b"], calls: [{ name: "note", args: { x: 1 } }] });
  const { ask } = await open({ script });
  const events = (await (await ask({ stream_options: { include_usage: true } })).text()).trim().split("\n\n");
  expect(events.at(-1)).toBe("data: [DONE]");
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event.replace("data: ", "")));
  expect(chunks.map(({ choices }) => choices[0]?.delta ?? "usage")).toEqual([
    { role: "assistant", content: "" },
    { content: "a" },
    { content: "b" },
    { tool_calls: [{ id: "call_0_0", index: 0, type: "function", function: { name: "note", arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] },
    {},
    "usage",
  ]);
  expect(chunks.at(-1).usage).toMatchObject({ prompt_tokens: 2, total_tokens: expect.any(Number) });
});

it("lets no wrong key in, and takes no request that is none", async () => {
  const { ask, server } = await open({ apiKey: "k" });
  expect((await ask({}, "other")).status).toBe(401);
  expect((await ask({ messages: [] })).status).toBe(400);
  expect(server.asked).toEqual([]);
});

it("injects faults in their order, and says what became of each request", async () => {
  const { ask, server } = await open();
  server.fault({ kind: "refuse", status: 429, retryAfterS: 3, skip: 1 });
  await (await ask()).text();
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
  server.fault({ kind: "drop" });
  await expect(ask()).rejects.toThrow();
  server.fault({ kind: "break", afterChunks: 1 });
  const broken = await ask();
  await expect(broken.text()).rejects.toThrow();
  expect(server.asked.map(({ end }) => end)).toEqual(["answered", "refused", "cut", "cut"]);
});

it("holds a request until its gate is released", async () => {
  const { ask, server } = await open();
  const gate = server.hold();
  const waiting = ask();
  await gate.reached();
  expect(server.asked[0]?.end).toBeUndefined();
  await gate.release();
  expect(await (await waiting).text()).toContain("hello");
});

it("is late by its own clock", async () => {
  const clock = createManualClock();
  const { ask, server } = await open({ clock });
  server.fault({ kind: "delay", delayMs: 60_000 });
  const waiting = ask();
  await server.awaitAsked(1);
  clock.advance(60_000);
  expect((await waiting).status).toBe(200);
});
