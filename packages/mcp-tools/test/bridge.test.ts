import { spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { runBridge } from "../src/bridge/run-bridge.ts";
import { buildToolBridge } from "../src/index.ts";
import { HELLO, ToolDesk } from "./desk/tool-desk.ts";

test("a client that starts the bridge lists and calls the tools behind the door", async () => {
  const desk = await ToolDesk.open();
  const { command, args, env } = buildToolBridge({ url: desk.server.url, bearer: desk.given.bearer });
  const client = new Client({ name: "test", version: "0" });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command, args: [...args], env: { ...env } }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["echo"]);
  desk.begin();
  const answers = await Promise.all(
    ["one", "two"].map((text) => client.callTool({ name: "echo", arguments: { text } })),
  );
  expect(answers.map(({ content }) => content)).toMatchObject([
    [{ text: '{"text":"one"}' }],
    [{ text: '{"text":"two"}' }],
  ]);
});

/** What comes out for these lines. */
async function carry(lines: readonly string[], env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  await runBridge(input, output, env);
  return String(output.read() ?? "")
    .trim()
    .split("\n");
}

test("a request that the door refuses, or that finds none, is answered with why; a notice is not", async () => {
  const desk = await ToolDesk.open();
  const lines = [
    JSON.stringify({ ...HELLO, id: "a" }),
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  ];
  const refused = await carry(lines, { BANYAN_TOOLS_URL: desk.server.url, BANYAN_TOOLS_BEARER: "guessed" });
  expect(refused.map((line) => JSON.parse(line))).toMatchObject([
    { id: "a", error: { message: expect.stringMatching(/bearer is missing, wrong or revoked/) } },
  ]);
  await desk.server.close();
  const lost = await carry(lines, { BANYAN_TOOLS_URL: desk.server.url, BANYAN_TOOLS_BEARER: desk.given.bearer });
  expect(lost.map((line) => JSON.parse(line))).toMatchObject([
    { id: "a", error: { message: expect.stringMatching(/the host cannot be reached/) } },
  ]);
});

test("the bridge ends with its input, and does not start without its way", async () => {
  const desk = await ToolDesk.open();
  const { command, args, env } = buildToolBridge({ url: desk.server.url, bearer: desk.given.bearer });
  const codes = await Promise.all(
    [env, {}].map((given) => {
      const bridge = spawn(command, [...args], { env: { ...given }, stdio: ["pipe", "ignore", "ignore"] });
      bridge.stdin.end();
      return new Promise((resolve) => bridge.once("exit", resolve));
    }),
  );
  expect(codes).toEqual([0, 2]);
});
