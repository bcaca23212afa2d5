import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createModelEmulator } from "@banyan/emulator-model";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, runBanyan, spawnBanyan } from "./banyan-process.ts";

const KEY = "grove-key-canary-4711";

async function openServer() {
  const server = await createModelEmulator({ apiKey: KEY, models: ["small", "large"] });
  onTestFinished(() => server.close());
  return server;
}

test("with an address and a key: both are checked and kept in .env, start says which model answers, doctor is content", async () => {
  const folder = makeFolder();
  const server = await openServer();
  const init = await runBanyan(folder, ["init", "--model-url", server.url, "--model-key", KEY]);
  expect(init.code).toBe(0);
  const config = readFileSync(join(folder, "banyan.config.json"), "utf8");
  expect(JSON.parse(config)).toMatchObject({
    providers: { openai: { apiKey: "env:OPENAI_API_KEY", baseUrl: "env:OPENAI_BASE_URL" } },
    agents: { main: { model: "openai/small" } },
  });
  expect(readFileSync(join(folder, ".env"), "utf8")).toContain(`OPENAI_API_KEY=${KEY}\n`);
  const started = spawnBanyan(folder, ["start"]);
  expect(await started.prints(/Ready in/)).toContain(`● agent main  ai: openai/small at ${server.url}`);
  const doctor = await runBanyan(folder, ["doctor", "--json", "--values"]);
  expect(JSON.parse(doctor.stdout).findings).toContainEqual({
    subject: "models/openai",
    level: "ok",
    text: "it answers, and agents ask openai/small",
  });
  expect(`${config}${init.stdout}${doctor.stdout}`).not.toContain(KEY);
});

test("a key that is refused writes nothing, and says how to write it all the same", async () => {
  const folder = makeFolder();
  const server = await openServer();
  const refused = ["init", "--model-url", server.url, "--model-key", "wrong", "--model", "large"];
  expect(await runBanyan(folder, refused)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/rejected the API key \(401\); check apiKey; --no-check writes/),
  });
  expect((await runBanyan(folder, [...refused, "--no-check"])).code).toBe(0);
  expect(readFileSync(join(folder, "banyan.config.json"), "utf8")).toContain('"openai/large"');
});

test("a model without a place to ask it is a mistake", async () => {
  expect(await runBanyan(makeFolder(), ["init", "--model", "large"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--model needs --model-key or --model-url"),
  });
});
