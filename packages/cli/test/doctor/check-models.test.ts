import { parseConfig } from "@banyan/core";
import { createModelEmulator } from "@banyan/emulator-model";
import { expect, onTestFinished, test } from "vitest";
import { checkModels } from "../../src/doctor/check-models.ts";

async function check(model: string, provider: object = {}) {
  const server = await createModelEmulator({ apiKey: "k", models: ["small", "large"] });
  onTestFinished(() => server.close());
  const grove = { baseUrl: server.url, apiKey: "k", ...provider };
  const input = { providers: { grove, unused: { baseUrl: "http://127.0.0.1:1/v1" } }, agents: { main: { model } } };
  return checkModels(parseConfig(input, { folder: "/srv/bot" }));
}

test("a provider that answers is well, and one that no agent asks is left alone", async () => {
  expect(await check("grove/small")).toEqual([
    { subject: "models/grove", level: "ok", text: "it answers, and agents ask grove/small" },
  ]);
});

test("a model that is not listed is told, with those that are", async () => {
  expect((await check("grove/smal"))[1]).toMatchObject({
    level: "warning",
    text: "it does not list the model smal, but 2: small, large",
  });
});

test("a server that is not there is told, with what to do", async () => {
  expect(await check("grove/small", { baseUrl: "http://127.0.0.1:1/v1" })).toMatchObject([
    { level: "error", text: expect.stringContaining("does not respond"), cure: "check that the server runs" },
  ]);
});

test("a wrong key is told and not shown", async () => {
  const findings = await check("grove/small", { apiKey: "canary-key" });
  expect(findings).toMatchObject([{ level: "error", cure: "check apiKey" }]);
  expect(JSON.stringify(findings)).not.toContain("canary-key");
});

test("agents that are no models have none to look at", async () => {
  expect(await checkModels(parseConfig({}, { folder: "/srv/bot" }))).toEqual([]);
});
