import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { openDiscord } from "../stage/discord-town.ts";
import { openGrove } from "../stage/grove.ts";
import { openHostileGrove } from "../stage/hostile-grove.ts";
import { MINDS } from "../stage/hostile-model.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";

const CANARY = "canary-of-the-inner-house";

/** Something on this machine that nobody outside is to reach, and what called it. */
async function openInnerHouse(): Promise<{ readonly port: number; readonly called: string[] }> {
  const called: string[] = [];
  const server = createServer((call, answer) => {
    called.push(`${call.method} ${call.url}`);
    if (call.url === "/away") answer.writeHead(302, { location: `http://127.0.0.1:${port}/secret` }).end();
    else answer.end(CANARY);
  });
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { port, called };
}

/** The forms that one inner address has, and others that lead inside. */
function listAddresses(port: number): readonly string[] {
  const hosts = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::]",
  ];
  const inner = hosts.map((host) => `http://${host}:${port}/secret`);
  const names = [`http://localhost.:${port}/secret`, `http://localhost@127.0.0.1:${port}/secret`];
  return [
    ...inner,
    ...names,
    "http://169.254.169.254/latest/meta-data",
    "http://[fd00:ec2::254]/",
    "file:///etc/passwd",
  ];
}

test.each(MINDS)("attack 15: no tool that a model has takes a URL, in the runtime %s", async (mind) => {
  const { port, called } = await openInnerHouse();
  const { grove, orders } = await openHostileGrove(mind);
  const urls = listAddresses(port).filter((url) => /127\.0\.0\.1|\[::1]|169\.254|file:/.test(url));
  for (const url of urls) {
    const calls = [
      ["read_file", { path: url }],
      ["list_files", { dir: url }],
      ["message", { files: [url] }],
      ["save_attachment", { id: url }],
      ["sessions_spawn", { task: "x", workspaceDir: url }],
      ["sessions_spawn", { task: "x", attachments: [{ name: "a.txt", url }] }],
      ["sessions_spawn", { task: "x", model: url }],
      ["exec", { argv: ["curl", url] }],
      ["fetch", { url }],
    ] as const;
    const results = await orders(calls.map(([tool, args]) => `call ${tool} ${JSON.stringify(args)}`).join(";"));
    expect(
      results.map((result) => /fail|"status":"(error|forbidden)"|unavailable|none of this name/.test(result)),
    ).toEqual(calls.map(() => true));
  }
  await grove.rests();
  expect(called).toEqual([]);
  expect(await grove.read((read) => read.runs({ limit: 9 }))).toEqual([]);
});

test("attack 15: a file's address is fetched from its platform's host alone, in whatever form another is written, and no redirect leads on", async () => {
  const { port, called } = await openInnerHouse();
  const { discord, inDm, env, channels } = await openDiscord();
  const agent = createScriptedAgent((turn) => async () => {
    const id = /\[id ([\d.]+)]/.exec(JSON.stringify(turn.input.input))?.[1] ?? "";
    await turn.say((await turn.callTool("save_attachment", { id })).text);
    return undefined;
  });
  // By this name it is Discord; the same place under another name is not.
  const DISCORD_API_URL = discord.url.replace("127.0.0.1", "localhost");
  await openGrove({ ...agent, env: { ...env, DISCORD_API_URL }, config: { ...agent.config, channels } });
  const file = { filename: "oaks.txt", contentType: "text/plain", sizeBytes: 9 };
  for (const url of listAddresses(port)) {
    await inDm.says("look", { attachments: [{ ...file, url }] });
    const { text } = await inDm.hears(/save_attachment failed/);
    expect([url, text]).toEqual([url, expect.stringContaining("on no host where Discord keeps files")]);
  }
  expect(called).toEqual([]);
  await inDm.says("look", { attachments: [{ ...file, url: `http://localhost:${port}/away` }] });
  await inDm.hears(/refused with 302/);
  expect(called).toEqual(["GET /away"]);
  await inDm.says("look", { attachments: [{ ...file, url: `http://localhost:${port}/oaks.txt` }] });
  await inDm.hears(/It is saved/);
});
