import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { openGateway } from "banyan";
import { expect, onTestFinished, test } from "vitest";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { makeGroveFolder, openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";

test.each([
  { config: { sever: { port: 1 } }, says: 'sever: Unknown key; did you mean "server"?' },
  {
    config: { session: { dmScop: "main" } },
    says: 'session.dmScop: Unknown key; did you mean "dmScope"?',
  },
  { config: { session: { dmScope: "per-person" } }, says: /session\.dmScope: .*per-channel-peer/ },
  { config: { server: { port: "eighty" } }, says: 'server.port: Must be a number (got "eighty").' },
  { config: { server: { port: 70_000 } }, says: /server\.port: / },
  { config: { server: { token: "short" } }, says: /server\.token: / },
  { config: { stateDir: "" }, says: "stateDir: Must not be blank" },
  {
    config: { agents: { main: { workspace: "./nowhere" } } },
    says: /agents\.main\.workspace: there is no such folder/,
  },
  { config: { agents: { main: { runtime: "gpt" } } }, says: /agents\.main\.runtime: .*demo/ },
  { config: { agents: { a: {}, b: {} } }, says: /default/ },
  {
    config: { plugins: ["./nowhere.ts"] },
    says: /loading the plugin \.\/nowhere\.ts: there is no file .*correct the path/,
  },
  {
    config: { plugins: ["nowhere"] },
    says: /Plugin nowhere is not installed; run npm install banyan-channel-nowhere/,
  },
  {
    config: { channels: { telegrm: {} } },
    says: /channels\.telegrm: no plugin serves this channel.*did you mean telegram\?/,
  },
  {
    config: { channels: { telegram: { accounts: { default: { tokn: "1:a" } } } } },
    says: /tokn: Unknown key.*did you mean "token"\?/,
  },
  { config: { channels: { telegram: { accounts: { default: {} } } } }, says: /token: Missing.*set TELEGRAM_BOT_TOKEN/ },
  {
    config: { channels: { telegram: { accounts: { default: { token: "nonsense" } } } } },
    says: /token: .*123456:ABC-DEF/,
  },
  {
    config: { channels: { telegram: { accounts: { default: { token: "env:NOPE" } } } } },
    says: /The variable NOPE is not set; set NOPE/,
  },
  {
    config: { channels: { telegram: { accounts: { default: { token: BOT_TOKEN, allowFrom: ["@ada"] } } } } },
    says: /allowFrom\[0\]: .*user name/,
  },
  { config: { session: { identityLinks: { alice: ["7"] } } }, says: /identityLinks.*No channel is named/ },
  { config: { store: { driver: "postgres" } }, says: /store\.driver.*postgres/i },
])("a configuration with $config is refused with one sentence that helps", async ({ config, says }) => {
  await expect(openGrove({ config })).rejects.toThrow(says);
});

test("every mistake of a configuration is told at once, with where it came from", async () => {
  const opening = openGrove({ config: { sever: {}, log: { levl: "x" } }, env: { BANYAN_PORT: "eighty" } });
  await expect(opening).rejects.toThrow(/3 problems\n- server\.port \(from BANYAN_PORT\)/);
  await expect(opening).rejects.toThrow(/log\.levl: .*\n- sever: /);
});

test.each([
  { env: { TELEGRAM_BOT_TOKEN: "canary-4711" } },
  { config: { channels: { telegram: { accounts: { default: { token: "canary-4711" } } } } } },
  { config: { channels: { telegram: { accounts: { default: { tokn: "canary-4711" } } } } } },
  { config: { server: { token: "env:SECRET", port: "env:SECRET" } }, env: { SECRET: "canary-4711" } },
])("no value that may be a secret is repeated: $config $env", async (options) => {
  await expect(openGrove(options)).rejects.toThrow(/^(?!.*canary)/s);
});

test("a configuration that is no JSON is refused with the file's name", async () => {
  const folder = makeGroveFolder();
  writeFileSync(join(folder, "banyan.config.json"), "{ stateDir: ");
  await expect(openGateway({ cwd: folder, env: {} })).rejects.toMatchObject({
    code: "config_unreadable",
    message: expect.stringContaining(join(folder, "banyan.config.json")),
  });
});

test("a taken port is refused with the cure, and the state directory is free again", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const folder = makeGroveFolder({ config: { server: { port } } });
  const opening = openGateway({ cwd: folder, env: {}, writeLog: () => undefined });
  await expect(opening).rejects.toMatchObject({
    code: "port_taken",
    message: `Port ${port} is already in use; stop the other program, or choose another port with BANYAN_PORT or server.port`,
  });
  const { gateway } = await openGateway({ cwd: folder, env: { BANYAN_PORT: "0" }, writeLog: () => undefined });
  expect(gateway.health().status).toBe("ok");
  await gateway.stop();
});

test.each([
  ["that is a file", "taken", "sqlite"],
  ["below a file", "taken/state", "sqlite"],
  ["that cannot be made", "/sys/banyan", "sqlite"],
  ["that cannot be made, even if the store needs none", "/sys/banyan", "memory"],
])("a state directory %s is refused with a sentence that names it", async (_, stateDir, driver) => {
  const opening = openGrove({ files: { taken: "" }, config: { stateDir, store: { driver } } });
  await expect(opening).rejects.toMatchObject({ code: "state_dir_unusable" });
  await expect(opening).rejects.toThrow(new RegExp(`${stateDir}.*choose a state directory`));
});

test("a second gateway on the same state directory is refused with the pid of the first, which runs on", async () => {
  const grove = await openGrove(createListener());
  await expect(openGateway({ cwd: grove.folder, env: {}, runtimes: createListener().runtimes })).rejects.toMatchObject({
    code: "state_dir_unusable",
    message: expect.stringContaining(
      `Another process (PID ${process.pid}) uses this directory; stop it, or choose another state directory`,
    ),
  });
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears("heard: hello");
});

test("with the store in memory a conversation works, and nothing of it is written", async () => {
  const agent = createListener();
  const grove = await openGrove({ ...agent, config: { ...agent.config, store: { driver: "memory" } } });
  const ada = grove.web("ada");
  for (const word of ["one", "two"]) {
    await ada.says(word);
    await ada.hears(`heard: ${word}`);
  }
  expect(agent.record.attempts.at(-1)?.history).toHaveLength(2);
  await grove.restart();
  expect(await ada.lines()).toEqual([]);
  expect(existsSync(join(grove.stateDir, "banyan.db"))).toBe(false);
  expect(existsSync(join(grove.stateDir, "agents"))).toBe(false);
});
