import { createModelEmulator } from "@banyan/emulator-model";
import { expect, onTestFinished, test } from "vitest";
import { askModel } from "../../src/init/ask-model.ts";
import { buildModelSetup } from "../../src/init/model-setup.ts";
import { buildSetupConfig } from "../../src/init/setup-plan.ts";
import { type Script, Typist } from "./typist.ts";

/** Answers each question; `{url}` in an answer is the server's address. */
async function ask(script: Script, env: (url: string) => Record<string, string> = () => ({}), isChecked = true) {
  const server = await createModelEmulator({ apiKey: "grove-key-canary", models: ["small", "large"] });
  onTestFinished(() => server.close());
  const typist = new Typist(script.map(([question, answer]) => [question, answer.replace("{url}", server.url)]));
  const { input, output, waiting } = typist;
  const model = await askModel({ manifests: [], env: env(server.url), isChecked, input, output });
  return { model, screen: typist.screen, waiting, url: server.url };
}

test("Enter is the built-in program", async () => {
  expect((await ask([[/A language model/, "\r"]])).model).toBeUndefined();
});

test("an address is asked for its models, and the first one is meant by Enter", async () => {
  const { model, screen, url } = await ask([
    [/A language model/, "{url}\r"],
    [/Its API key/, "wrong\r"],
    [/rejected the API key[\s\S]*A language model/, "{url}\r"],
    [/Its API key/, "grove-key-canary\r"],
    [/The model's name/, "\r"],
  ]);
  expect(model).toEqual({
    provider: "openai",
    model: "openai/small",
    variables: [
      { variable: "OPENAI_API_KEY", key: "apiKey", value: "grove-key-canary", isFromEnvironment: false },
      { variable: "OPENAI_BASE_URL", key: "baseUrl", value: url, isFromEnvironment: false },
    ],
  });
  expect(screen).toContain("small, large");
  expect(screen).not.toContain("canary");
});

test("what the environment has is used, and a model may be named", async () => {
  const { model } = await ask([[/The model's name/, "large\r"]], (url) => ({
    OPENAI_BASE_URL: url,
    OPENAI_API_KEY: "grove-key-canary",
  }));
  expect(model).toMatchObject({ model: "openai/large", variables: [{ isFromEnvironment: true }, {}] });
});

test("a key says whose it is, and stands in no configuration", async () => {
  const { model } = await ask(
    [
      [/A language model/, "sk-ant-canary\r"],
      [/The model's name/, "\r"],
    ],
    undefined,
    false,
  );
  expect(model).toMatchObject({ provider: "anthropic", model: expect.stringMatching(/^anthropic\/claude-/) });
  expect(buildModelSetup({ key: "sk-canary" })).toMatchObject({ provider: "openai" });
  const config = buildSetupConfig({ channels: [], model }, "./schema.json");
  expect(config).toMatchObject({ providers: { anthropic: { apiKey: "env:ANTHROPIC_API_KEY" } } });
  expect(JSON.stringify(config)).not.toContain("canary");
});
