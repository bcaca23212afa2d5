import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { spawnModelEmulator } from "../src/index.ts";

const PROGRAM = new URL("../src/bin.ts", import.meta.url).pathname;

it("is a process of its own that answers until it is closed", async () => {
  expect(existsSync(PROGRAM)).toBe(true);
  const model = await spawnModelEmulator();
  const response = await fetch(`${model.url}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "grove-1", messages: [{ role: "user", content: "hello" }] }),
  });
  expect(await response.json()).toMatchObject({ choices: [{ message: { content: "You said: hello" } }] });
  await model.close();
  await expect(fetch(`${model.url}/models`)).rejects.toThrow();
});
