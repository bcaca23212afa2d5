import { z } from "zod";

/** What a model costs, in US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had at hand. Default: as `input`. */
  readonly cacheRead?: number | undefined;
  /** Of input that the provider was to keep. Default: as `input`. */
  readonly cacheWrite?: number | undefined;
}

/** By the model's name, as its agent reports it. */
export type PricesConfig = Readonly<Record<string, ModelPrice>>;

/** Above it somebody has written the price of a single token, or of a year. */
const MOST_USD = 100_000;
const usd = z.number().min(0).max(MOST_USD);

export const pricesSchema: z.ZodType<PricesConfig, PricesConfig> = z.record(
  z.string().min(1),
  z.strictObject({
    input: usd.describe("Input tokens."),
    output: usd.describe("Output tokens."),
    cacheRead: usd.optional().describe("Input tokens that the provider read from its cache. Default: as `input`."),
    cacheWrite: usd.optional().describe("Input tokens that the provider wrote to its cache. Default: as `input`."),
  }),
);
