import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { loadGenaiPrices } from "../../src/prices/load-genai-prices.ts";

/** A folder with the package installed, or without. */
function makeFolder(source?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (source === undefined) return folder;
  const place = join(folder, "node_modules", "@pydantic", "genai-prices");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ main: "index.js" }));
  writeFileSync(join(place, "index.js"), source);
  return folder;
}

test.each([
  ["anthropic/claude-sonnet-4-5", 0.45],
  ["claude-sonnet-4-5", 0.45],
  // The same model as somebody else sells it.
  ["openrouter/anthropic/claude-sonnet-4.5", 0.45],
  // Whoever runs a model himself has a price of his own.
  ["cellar/claude-sonnet-4-5", undefined],
  ["anthropic/no-such-model", undefined],
])("the book as it is installed prices a hundred thousand tokens and a tenth of %s at %s", async (model, dollars) => {
  const source = await loadGenaiPrices(makeFolder());
  const price = source?.({ inputTokens: 100_000, outputTokens: 10_000 }, model);
  expect(price === undefined ? undefined : Math.round(price * 1_000) / 1_000).toBe(dollars);
});

test("what was read from a cache is cheaper, and is among what was read", async () => {
  const source = await loadGenaiPrices(makeFolder());
  const price = (cacheRead: number) =>
    source?.({ inputTokens: 1_000, cacheRead, outputTokens: 0 }, "anthropic/claude-sonnet-4-5");
  expect(price(1_000)).toBeLessThan(price(0) ?? 0);
  // Some agents count it beside.
  expect(price(2_000)).toBeGreaterThan(price(1_000) ?? 0);
});

test("a book that is installed beside the configuration is asked first, and in its words", async () => {
  const folder = makeFolder(
    `exports.calcPrice = (usage, model, { providerId }) => model === "oak" ? { total_price: usage.input_tokens + usage.output_tokens / 100 + Object.keys(usage).length + (providerId === "wood" ? 100 : 0) } : null;`,
  );
  const source = await loadGenaiPrices(folder);
  expect(source?.({ inputTokens: 10, outputTokens: 200 }, "oak")).toBe(14);
  expect(source?.({ inputTokens: 10, outputTokens: 200 }, "wood/oak")).toBe(114);
  expect(source?.({ inputTokens: 10 }, "fir")).toBeUndefined();
});

test("without it there is no book, and a broken one is told of", async () => {
  const [folder, own] = [makeFolder(), pathToFileURL(join(makeFolder(), "index.js")).href];
  expect(await loadGenaiPrices(folder, own)).toBeUndefined();
  await expect(loadGenaiPrices(makeFolder("exports.prices = {};"))).rejects.toThrow("install version 0.1");
});
