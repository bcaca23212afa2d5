import { readText } from "@banyan/emulator-model";
import { endOf, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it } from "vitest";
import { openModelStage } from "../stage/model-stage.ts";

const HELLO = { text: ["Hel", "lo."] };

it.each([
  ["a rate limit", { kind: "refuse", status: 429, retryAfterS: 2 }],
  ["a server that is out of order", { kind: "refuse", status: 503 }],
  ["a connection that is dropped", { kind: "drop" }],
  ["a stream that breaks before its first word", { kind: "break", afterChunks: 1 }],
  ["a chunk that is no JSON", { kind: "garble", afterChunks: 0 }],
  ["an error in the stream", { kind: "fail", afterChunks: 0, message: "overloaded" }],
] as const)("asks again after %s", async (_name, fault) => {
  const { server, ask } = await openModelStage(() => HELLO);
  server.fault({ ...fault, times: 2 });
  const events = await ask("hello");
  expect(textOf(events)).toBe("Hello.");
  expect(server.asked).toHaveLength(3);
});

it("waits for a server that is slow", async () => {
  const { server, ask } = await openModelStage(() => HELLO);
  server.fault({ kind: "delay", delayMs: 40 });
  expect(textOf(await ask("hello"))).toBe("Hello.");
  expect(server.asked.map(({ end }) => end)).toEqual(["answered"]);
});

it("waits as long as the server says before it asks again", async () => {
  const { server, ask, desk } = await openModelStage(() => HELLO);
  server.fault({ kind: "refuse", status: 429, retryAfterS: 7 });
  await ask("hello");
  expect(desk.logged).toEqual(['a model is asked again: status 429, "status 429"']);
});

it("goes on behind the words that were heard when a stream breaks in their middle", async () => {
  const { server, ask } = await openModelStage((request) =>
    request.messages.some((message) => readText(message).includes("go on right after"))
      ? { text: "world." }
      : { text: ["Hello ", "worms"] },
  );
  server.fault({ kind: "break", afterChunks: 2 });
  const events = await ask("hello");
  expect(textOf(events)).toBe("Hello world.");
  const last = server.asked.at(-1)?.request.messages ?? [];
  expect(last.slice(-2).map(({ role, content }) => [role, content])).toEqual([
    ["assistant", "Hello "],
    ["user", expect.stringContaining("repeat nothing")],
  ]);
});

it("calls no tool twice when the request behind it fails", async () => {
  const { server, ask, desk } = await openModelStage((request) =>
    request.messages.at(-1)?.role === "tool" ? { text: "Noted." } : { calls: [{ name: "note", args: { text: "a" } }] },
  );
  server.fault({ kind: "refuse", status: 500, skip: 1, times: 2 });
  const events = await ask("note a", { tools: { note: () => ({ text: "kept", isError: false }) } });
  expect(textOf(events)).toBe("Noted.");
  expect(desk.ran).toEqual([{ ordinal: 0, name: "note", args: { text: "a" } }]);
});

it.each([
  [401, "grove rejected the API key (401). Fix it, then retry."],
  [403, `The model grove/small failed: status 403, "no such thing"; check the provider's apiKey.`],
  [
    404,
    `The model grove/small failed: status 404, "no such thing"; check the model's name and the provider's baseUrl.`,
  ],
])("does not ask again after status %i, and says what to do", async (status, message) => {
  const { server, ask } = await openModelStage(() => HELLO);
  server.fault({ kind: "refuse", status, message: "no such thing", times: "always" });
  const end = endOf(await ask("hello"));
  expect(server.asked).toHaveLength(1);
  expect(end).toMatchObject({
    reason: "error",
    error: {
      isRetryable: false,
      message,
    },
  });
});

it("gives up after four tries, and says that it may pass", async () => {
  const { server, ask } = await openModelStage(() => HELLO);
  server.fault({ kind: "refuse", status: 503, times: "always" });
  const end = endOf(await ask("hello"));
  expect(server.asked).toHaveLength(4);
  expect(end).toMatchObject({ reason: "error", error: { isRetryable: true } });
});

it("asks the next model where one does not answer, and tells which one did", async () => {
  const { server, ask } = await openModelStage(() => HELLO);
  server.fault({ kind: "refuse", status: 404, model: "small", times: "always" });
  const events = await ask("hello", { spec: { model: "grove/small", fallbackModels: ["grove/large"] } });
  expect(textOf(events)).toBe("Hello.");
  expect(endOf(events)).toMatchObject({ reason: "done", model: "grove/large" });
});

it("does not wait for a server that wants to be left alone for an hour", async () => {
  const { server, ask } = await openModelStage(() => HELLO);
  server.fault({ kind: "refuse", status: 429, retryAfterS: 3_600, model: "small" });
  const events = await ask("hello", { spec: { fallbackModels: ["grove/large"] } });
  expect(server.asked.map(({ request }) => request.model)).toEqual(["small", "large"]);
  expect(textOf(events)).toBe("Hello.");
});

it("names the providers that there are where a model's is none", async () => {
  const { ask } = await openModelStage(() => HELLO);
  expect(endOf(await ask("hello", { spec: { model: "forest/small" } }))).toMatchObject({
    error: { message: expect.stringContaining("there is no provider forest; providers are: grove") },
  });
});

it("asks the first model that a server lists where none is named", async () => {
  const { ask } = await openModelStage(() => HELLO);
  expect(endOf(await ask("hello", { spec: { model: "grove" } }))).toMatchObject({ model: "grove/grove-1" });
});
