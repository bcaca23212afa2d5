import { createRequire } from "node:module";
import { join } from "node:path";
import type { PriceSource } from "@banyan/core";
import type { Usage } from "@banyan/plugin-sdk";

const PACKAGE = "@pydantic/genai-prices";

/**
 * The book of prices that may be installed beside the configuration, or beside us; `undefined` where it is not. Rejects
 * for one that is broken.
 */
export async function loadGenaiPrices(folder: string): Promise<PriceSource | undefined> {
  for (const from of [join(folder, "package.json"), import.meta.url]) {
    const book = findPackage(from);
    if (book !== undefined) return createSource(book);
  }
  return undefined;
}

function findPackage(from: string): unknown {
  const require = createRequire(from);
  try {
    require.resolve(PACKAGE);
  } catch {
    // Not installed there, which is no mistake.
    return undefined;
  }
  return require(PACKAGE);
}

function createSource(book: unknown): PriceSource {
  if (typeof book !== "object" || book === null || !("calcPrice" in book) || typeof book.calcPrice !== "function") {
    throw new Error(`${PACKAGE} was opened: it has no function calcPrice; install version 0.1`);
  }
  const { calcPrice } = book;
  return (usage, model) => readTotal(calcPrice(buildUsage(usage), model));
}

/** In its words. A count that is unknown is left out. */
function buildUsage({ inputTokens, outputTokens, cacheRead, cacheWrite }: Usage): Readonly<Record<string, number>> {
  return {
    ...(inputTokens === undefined ? {} : { input_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { output_tokens: outputTokens }),
    ...(cacheRead === undefined ? {} : { cache_read_tokens: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite }),
  };
}

/** It answers `null` for a model that it does not know. */
function readTotal(answer: unknown): number | undefined {
  if (typeof answer !== "object" || answer === null || !("total_price" in answer)) return undefined;
  return typeof answer.total_price === "number" ? answer.total_price : undefined;
}
