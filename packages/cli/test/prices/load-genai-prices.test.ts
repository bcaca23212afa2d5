import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadGenaiPrices } from "../../src/prices/load-genai-prices.ts";

/** A folder with the package installed, or without. */
function makeFolder(source?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-prices-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (source === undefined) return folder;
  const place = join(folder, "node_modules", "@pydantic", "genai-prices");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "index.js"), source);
  return folder;
}

test("a book that is installed beside the configuration is asked in its words", async () => {
  const folder = makeFolder(
    `exports.calcPrice = (usage, model) => model === "oak" ? { total_price: usage.input_tokens + usage.output_tokens / 100 + Object.keys(usage).length } : null;`,
  );
  const source = await loadGenaiPrices(folder);
  expect(source?.({ inputTokens: 10, outputTokens: 200 }, "oak")).toBe(14);
  expect(source?.({ inputTokens: 10 }, "fir")).toBeUndefined();
});

test("without it there is no book, and a broken one is told of", async () => {
  expect(await loadGenaiPrices(makeFolder())).toBeUndefined();
  await expect(loadGenaiPrices(makeFolder("exports.prices = {};"))).rejects.toThrow("install version 0.1");
});
