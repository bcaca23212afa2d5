import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import telegram from "../src/index.ts";

test("the plugin and its manifest agree", () => {
  expect(telegram).toMatchObject({ id: manifest.banyan.channel, apiVersion: 1 });
  expect(manifest.keywords).toContain("banyan-channel");
});

test("the limit of a message counts what is shown", () => {
  expect(telegram.capabilities.text.limit).toBe(4096);
  expect(telegram.capabilities.text.measure("so **bold**")).toBe("so bold".length);
});
