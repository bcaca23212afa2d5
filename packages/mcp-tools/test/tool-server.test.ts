import { expect, test } from "vitest";
import { ECHO, ToolDesk } from "./desk/tool-desk.ts";

test("a client sees the tools that were given to it, and calls one while a turn is at work", async () => {
  const desk = await ToolDesk.open();
  const client = await desk.connect();
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([{ name: "echo", description: "Says it again.", inputSchema: ECHO.parameters }]);
  desk.begin();
  const answer = await client.callTool({ name: "echo", arguments: { text: "hello" } });
  expect(answer).toMatchObject({ content: [{ type: "text", text: '{"text":"hello"}' }] });
  expect(desk.calls).toEqual([{ name: "echo", args: { text: "hello" } }]);
});

test("a client that leaves tools out until they are searched for is told to offer these at once", async () => {
  const client = await (await ToolDesk.open()).connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ _meta }) => _meta)).toEqual([{ "anthropic/alwaysLoad": true }]);
});

test("a call without arguments is one with none", async () => {
  const desk = await ToolDesk.open();
  const client = await desk.connect();
  desk.begin();
  await client.callTool({ name: "echo" });
  expect(desk.calls).toEqual([{ name: "echo", args: {} }]);
});

test("a request that comes again has the same answer and no second effect, also while the first is under way", async () => {
  const desk = await ToolDesk.open();
  const connection = await desk.hello();
  const held = Promise.withResolvers<string>();
  desk.begin(() => held.promise);
  const both = [desk.call(1, "spawn", connection), desk.call(1, "spawn", connection)];
  held.resolve("spawned");
  expect(await Promise.all(both)).toEqual(["spawned", "spawned"]);
  expect(await desk.call(1, "spawn", connection)).toBe("spawned");
  expect(desk.calls).toHaveLength(1);
});

test("a number that was another call is refused, and a new number is a call of its own", async () => {
  const desk = await ToolDesk.open();
  const connection = await desk.hello();
  desk.begin();
  await desk.call(1, "one", connection);
  expect(await desk.call(1, "two", connection)).toMatch(/the request 1 was another call/);
  expect(await desk.call(2, "one", connection)).toBe('{\\"text\\":\\"one\\"}'.replaceAll("\\", ""));
  expect(desk.calls).toHaveLength(2);
});

test("a client that connects again numbers from the beginning", async () => {
  const desk = await ToolDesk.open();
  desk.begin();
  await desk.call(1, "one", await desk.hello());
  await desk.call(1, "one", await desk.hello());
  expect(desk.calls).toHaveLength(2);
});

test("who has said no hello is told to, also where its connection is over", async () => {
  const desk = await ToolDesk.open();
  desk.begin();
  const first = await desk.hello();
  for (let count = 0; count < 16; count += 1) await desk.hello();
  expect(await desk.call(1, "one", first)).toMatch(/this connection is over; send initialize again/);
  const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const answer = await desk.post(message, { authorization: `Bearer ${desk.given.bearer}` });
  expect(answer.status).toBe(400);
  expect(desk.calls).toEqual([]);
});

test("more calls at once than a turn has use for are refused, and the others are answered", async () => {
  const desk = await ToolDesk.open();
  const connection = await desk.hello();
  const held = Promise.withResolvers<string>();
  desk.begin(() => held.promise);
  const refused = Promise.withResolvers<void>();
  const answers = Array.from({ length: 33 }, async (_, id) => {
    const answer = await desk.call(id + 1, "x", connection);
    if (answer.includes("32 calls are under way")) refused.resolve();
    return answer;
  });
  await refused.promise;
  held.resolve("done");
  expect((await Promise.all(answers)).filter((answer) => answer === "done")).toHaveLength(32);
});

test("what is too large, no JSON, or several messages is refused", async () => {
  const desk = await ToolDesk.open();
  const authorization = `Bearer ${desk.given.bearer}`;
  const statuses = await Promise.all(
    ["x".repeat(1_048_577), "{", "[]", "1"].map(async (body) => (await desk.post(body, { authorization })).status),
  );
  expect(statuses).toEqual([413, 400, 400, 400]);
});

test("a call that its client waits for no longer and makes again has the first one's answer, once", async () => {
  const desk = await ToolDesk.open();
  const connection = await desk.hello();
  const asked = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  desk.begin(() => {
    begun.resolve();
    return asked.promise;
  });
  const first = desk.call(1, "spawn", connection);
  await begun.promise;
  const notice = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const headers = { authorization: `Bearer ${desk.given.bearer}`, "mcp-session-id": connection };
  expect((await desk.post(notice, headers)).status).toBe(202);
  const second = desk.call(2, "spawn", connection);
  asked.resolve("spawned");
  expect(await Promise.all([first, second])).toEqual(["spawned", "spawned"]);
  expect(desk.calls).toHaveLength(1);
  await desk.call(3, "spawn", connection);
  expect(desk.calls).toHaveLength(2);
});
