import { createRequire, findPackageJSON } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PriceSource } from "@banyan/core";
import type { Usage } from "@banyan/plugin-sdk";

const PACKAGE = "@pydantic/genai-prices";

/**
 * The book of prices that may be installed beside the configuration, or beside us; `undefined` where it is not. Rejects
 * for one that is broken.
 */
export async function loadGenaiPrices(folder: string, own: string = import.meta.url): Promise<PriceSource | undefined> {
  for (const from of [pathToFileURL(join(folder, "package.json")), own]) {
    const book = findPackage(from);
    if (book !== undefined) return createSource(book);
  }
  return undefined;
}

function findPackage(from: string | URL): unknown {
  try {
    // Where modules are looked for, and nowhere else: `NODE_PATH` is for others.
    findPackageJSON(PACKAGE, from);
  } catch {
    // Not installed there, which is no mistake.
    return undefined;
  }
  return createRequire(from)(PACKAGE);
}

function createSource(book: unknown): PriceSource {
  if (typeof book !== "object" || book === null || !("calcPrice" in book) || typeof book.calcPrice !== "function") {
    throw new Error(`${PACKAGE} was opened: it has no function calcPrice; install version 0.1`);
  }
  const { calcPrice } = book;
  return (usage, model) => {
    const [providerId, name] = splitName(model);
    const options = providerId === undefined ? {} : { providerId };
    return readTotal(calcPrice(buildUsage(usage), name, options));
  };
}

/** Models are named `provider/model` here; what an agent reports may have no provider. */
function splitName(model: string): readonly [provider: string | undefined, name: string] {
  const at = model.indexOf("/");
  return at === -1 ? [undefined, model] : [model.slice(0, at), model.slice(at + 1)];
}

/** In its words. A count that is unknown is left out. It refuses more cached input than there is input. */
function buildUsage({ inputTokens, outputTokens, cacheRead, cacheWrite }: Usage): Readonly<Record<string, number>> {
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  return {
    ...(inputTokens === undefined ? {} : { input_tokens: Math.max(inputTokens, cached) }),
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
