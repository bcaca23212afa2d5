import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { createDiscordEmulator } from "@banyan/emulator-discord";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeFolder, runBanyan, spawnBanyan } from "./banyan-process.ts";

describe("banyan start", () => {
  test("says what is on and where, serves it, and ends in order on SIGTERM", async () => {
    const folder = makeFolder();
    const started = spawnBanyan(folder, ["start"]);
    const said = await started.prints(/Ready in .*nothing is lost/);
    expect(said).toContain("○ telegram    off: set TELEGRAM_BOT_TOKEN to switch it on");
    expect(said).toContain("○ discord     off: set DISCORD_BOT_TOKEN to switch it on");
    const [, url = "", token = ""] = /● web chat {4}(http:\S+)\/\?token=(\S+)/.exec(said) ?? [];
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/webchat/messages`, { headers })).status).toBe(200);
    const second = await runBanyan(folder, ["start"]);
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringMatching(/^banyan: Another process \(PID \d+\) uses this directory; stop it/),
    ]);
    started.kill("SIGTERM");
    expect((await started.ended).code).toBe(0);
  });

  test("with a token Discord is on, and status says so", async () => {
    const folder = makeFolder();
    const discord = await createDiscordEmulator();
    onTestFinished(() => discord.close());
    const token = "NzAwMDAwMDAwMDAwMDAwMDAx.CANARY.oXfn7VdAxF0Wq9lPzT3s";
    await discord.addBot({ token, username: "grove", id: "700000000000000001" });
    const started = spawnBanyan(folder, ["start"], { env: { DISCORD_BOT_TOKEN: token, DISCORD_API_URL: discord.url } });
    expect(await started.prints(/Ready in/)).toContain("● discord/default running");
    expect((await runBanyan(folder, ["status"])).stdout).toMatch(/^ {2}discord\/default +running +0 undelivered$/m);
    started.kill("SIGTERM");
    const { code, stdout, stderr } = await started.ended;
    expect([code, `${stdout}${stderr}`]).toEqual([0, expect.not.stringContaining("CANARY")]);
  });

  test.each(["SIGINT", "SIGTERM"] as const)(
    "says where the web chat is while an account still connects, and ends at once on %s",
    async (signal) => {
      const api = await openSilentServer();
      const folder = makeFolder();
      writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(telegramAt(api.url)));
      const started = spawnBanyan(folder, ["start"], { env: { TELEGRAM_BOT_TOKEN: "123456:never-answered" } });
      const said = await started.prints(/web chat .*open it in a browser/);
      await api.called;
      const [, url = "", token = ""] = /(http:\S+)\/\?token=(\S+)/.exec(said) ?? [];
      expect(said).not.toContain("Ready");
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${url}/api/webchat/messages`, { headers })).status).toBe(200);
      const health = await fetch(`${url}/healthz`);
      expect([health.status, await health.json()]).toEqual([503, expect.objectContaining({ status: "starting" })]);
      started.kill(signal);
      expect(await started.ended).toMatchObject({
        code: 0,
        stdout: said,
        stderr: expect.not.stringContaining("banyan:"),
      });
    },
  );

  test("shows a stranger who asks to be let in, when he does and at the next start", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "knock.ts"), KNOCK_PLUGIN);
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ plugins: ["./knock.ts"] }));
    const line = / {2}\? "ada" \(7\) on knock\/default wants in: banyan pair approve \w{4}-\w{4}\n/;
    const first = spawnBanyan(folder, ["start"]);
    const [asked] = line.exec(await first.prints(line)) ?? [];
    first.kill("SIGTERM");
    await first.ended;
    const second = spawnBanyan(folder, ["start"]);
    expect(await second.prints(/Ready in/)).toContain(asked);
    second.kill("SIGTERM");
    await second.ended;
  });

  test("a port that is taken is told with the cure", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const address: AddressInfo | string | null = other.address();
    const port = typeof address === "object" && address !== null ? String(address.port) : "";
    const { code, stderr } = await runBanyan(makeFolder(), ["start"], { env: { BANYAN_PORT: port } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("is already in use; stop the other program, or")]);
  });

  test("a state directory that cannot be is told in one sentence", async () => {
    const folder = makeFolder();
    const file = join(folder, "file");
    writeFileSync(file, "");
    const { code, stderr } = await runBanyan(folder, ["start"], { env: { BANYAN_STATE_DIR: join(file, "state") } });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^banyan: opening the store .*choose a state directory.*\n$/),
    ]);
  });

  test("every mistake of the configuration is told at once, one a line", async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify({ stateDri: "x", log: { level: "loud" } }));
    const { code, stderr } = await runBanyan(folder, ["start"]);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining("2 problems"),
      expect.stringMatching(/^- .*(stateDri|log\.level)/),
      expect.stringMatching(/^- .*(stateDri|log\.level)/),
    ]);
  });
});

/** A channel on which a stranger writes as soon as it connects. */
const KNOCK_PLUGIN = `export default {
  id: "knock",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm"],
    text: { limit: 400, measure: (text) => text.length },
    threads: false,
    edits: false,
    delivery: "at-least-once",
  },
  config: { "~standard": { version: 1, vendor: "knock", validate: (value) => ({ value }) } },
  async connect(context) {
    const sender = { id: "7", displayName: "ada" };
    await context.receive([{ id: "1", address: "knock/default/dm/7", sender, text: "hello", at: Date.now() }]);
    return { send: async () => ({ platformId: "1" }), close: async () => undefined };
  },
};
`;

/** A platform that takes connections and never answers. `called` resolves with the first of them. */
async function openSilentServer(): Promise<{ readonly url: string; readonly called: Promise<void> }> {
  const called = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => called.resolve());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, called: called.promise };
}

function telegramAt(apiBaseUrl: string): object {
  return { channels: { telegram: { accounts: { default: { apiBaseUrl } } } } };
}
