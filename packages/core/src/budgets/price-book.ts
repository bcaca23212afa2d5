/** What a turn has cost: as its agent reports it, else by the configuration's prices, else by a book of prices, else unknown. */
import type { Log, Usage } from "@banyan/plugin-sdk";
import type { ModelPrice, PricesConfig } from "../config/shapes/price-config.ts";

const PER_TOKENS = 1_000_000;

/** Prices that somebody else keeps. Answers US dollars, `undefined` for a model that it does not know. May throw. */
export type PriceSource = (usage: Usage, model: string) => number | undefined;

export interface PriceBookParts {
  readonly prices: PricesConfig;
  /** Called once, when a turn first names a model without a price of our own; `undefined`: there is none. May reject. */
  loadSource?(): Promise<PriceSource | undefined>;
  readonly log: Log;
}

export interface PriceBook {
  /** The usage with what it cost, where that can be known; what the agent said of it stands. Never rejects. */
  price(usage: Usage, model: string | undefined): Promise<Usage>;
  /** The same at once, by what is at hand: for a turn at work. Where the book is not at hand yet it is from then on. */
  priceNow(usage: Usage, model: string | undefined): Usage;
}

export function createPriceBook({ prices, loadSource, log }: PriceBookParts): PriceBook {
  let source: PriceSource | undefined;
  let loading: Promise<void> | undefined;
  const load = async () => {
    try {
      source = await loadSource?.();
    } catch (error) {
      log.warn({ err: error }, "a book of prices could not be opened; costs that are not reported stay unknown");
    }
  };
  const open = () => {
    loading ??= load();
    return loading;
  };
  const priceNow = (usage: Usage, model: string | undefined): Usage => {
    if (usage.costUsd !== undefined || model === undefined) return usage;
    const own = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (own === undefined) void open();
    const costUsd = own === undefined ? askSource(source, usage, model, log) : computeCost(usage, own);
    return costUsd === undefined ? usage : { ...usage, costUsd };
  };
  return {
    priceNow,
    async price(usage, model) {
      if (usage.costUsd === undefined && model !== undefined && !Object.hasOwn(prices, model)) await open();
      return priceNow(usage, model);
    },
  };
}

/** In US dollars; `undefined` where the tokens are not known. */
export function computeCost(usage: Usage, price: ModelPrice): number | undefined {
  const { inputTokens, outputTokens, cacheRead = 0, cacheWrite = 0 } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  // An agent may count cached input beside its input: it is not taken off below nothing.
  const plain = Math.max(0, (inputTokens ?? 0) - cacheRead - cacheWrite);
  const parts = [
    plain * price.input,
    cacheRead * (price.cacheRead ?? price.input),
    cacheWrite * (price.cacheWrite ?? price.input),
    (outputTokens ?? 0) * price.output,
  ];
  return parts.reduce((sum, part) => sum + part, 0) / PER_TOKENS;
}

function askSource(source: PriceSource | undefined, usage: Usage, model: string, log: Log): number | undefined {
  if (source === undefined || (usage.inputTokens === undefined && usage.outputTokens === undefined)) return undefined;
  try {
    const costUsd = source(usage, model);
    return costUsd !== undefined && Number.isFinite(costUsd) && costUsd >= 0 ? costUsd : undefined;
  } catch (error) {
    log.warn({ err: error, model }, "a book of prices could not price a turn; its cost stays unknown");
    return undefined;
  }
}
