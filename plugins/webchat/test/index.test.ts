import { expect, test } from "vitest";
import webchat from "../src/index.ts";

test("the web chat takes no settings, and says so of any", async () => {
  const { validate } = webchat.config["~standard"];
  expect(await validate({})).toEqual({ value: {} });
  expect((await validate({ token: "x" })).issues).toHaveLength(1);
});

test("it declares a chat of the operator's own", () => {
  expect(webchat.id).toBe("webchat");
  expect(webchat.capabilities).toMatchObject({ kinds: ["dm"], isOperatorOnly: true, delivery: "effectively-once" });
  expect(webchat.capabilities.text.measure("añ🌱")).toBe(4);
});
