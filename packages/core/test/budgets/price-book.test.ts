import { expect, it } from "vitest";
import { computeCost, createPriceBook } from "../../src/budgets/price-book.ts";
import { createTestPorts } from "../ports/test-ports.ts";

const USAGE = { inputTokens: 1_000_000, outputTokens: 100_000, cacheRead: 400_000, cacheWrite: 100_000 };
const prices = { oak: { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 }, fir: { input: 1, output: 1 } };

it("counts each kind of token at its price, cached ones as input where they have none", () => {
  expect(computeCost(USAGE, prices.oak)).toBeCloseTo(0.5 * 2 + 0.4 * 0.5 + 0.1 * 4 + 0.1 * 10, 10);
  expect(computeCost(USAGE, prices.fir)).toBeCloseTo(1.1, 10);
});

it("takes what the agent says first, then our own price, then the book, and else knows nothing", async () => {
  let loads = 0;
  const { log } = createTestPorts();
  const loadSource = async () => {
    loads += 1;
    return (_: object, model: string) => (model === "elm" ? 7 : undefined);
  };
  const book = createPriceBook({ prices, log, loadSource });
  expect((await book.price({ ...USAGE, costUsd: 3 }, "oak")).costUsd).toBe(3);
  expect((await book.price(USAGE, "fir")).costUsd).toBeCloseTo(1.1, 10);
  expect(loads).toBe(0);
  expect((await book.price(USAGE, "elm")).costUsd).toBe(7);
  expect(await book.price(USAGE, "yew")).toEqual(USAGE);
  expect(await book.price(USAGE, undefined)).toEqual(USAGE);
  expect(await book.price({ cacheRead: 5 }, "fir")).toEqual({ cacheRead: 5 });
  expect(loads).toBe(1);
});

it("knows the price of a turn at work as soon as its book is open, which its first report brings about", async () => {
  const { log } = createTestPorts();
  const source = Promise.withResolvers<() => number>();
  const book = createPriceBook({ prices, log, loadSource: () => source.promise });
  expect(book.priceNow(USAGE, "fir").costUsd).toBeCloseTo(1.1, 10);
  expect(book.priceNow(USAGE, "elm")).toEqual(USAGE);
  source.resolve(() => 7);
  await source.promise;
  expect(book.priceNow(USAGE, "elm").costUsd).toBe(7);
});

it("knows nothing where the book fails", async () => {
  const { log } = createTestPorts();
  const loadSource = async () => () => {
    throw new Error("more cached than read");
  };
  expect(await createPriceBook({ prices: {}, log, loadSource }).price(USAGE, "elm")).toEqual(USAGE);
  const broken = createPriceBook({ prices: {}, log, loadSource: () => Promise.reject(new Error("broken")) });
  expect(await broken.price(USAGE, "elm")).toEqual(USAGE);
});
