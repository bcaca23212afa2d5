import type { RunEvent, Usage } from "@banyan/plugin-sdk";
import { expect, it } from "vitest";
import { parseSessionEntry } from "../../src/sessions/parse-session-entry.ts";
import { parseUsage } from "../../src/turns/parse-usage.ts";
import { CoreDesk } from "./core-desk.ts";
import { says } from "./played-runtime.ts";

const WHOLE: Usage = { inputTokens: 1, outputTokens: 0, cacheRead: 3, cacheWrite: 4, costUsd: 0.5, spentUsd: 7.25 };

it.each<[string, Usage, Usage]>([
  ["is taken as it is", WHOLE, WHOLE],
  ["may be unknown", {}, {}],
  ["is rounded up to whole tokens", { inputTokens: 12.5, costUsd: 0.125 }, { inputTokens: 13, costUsd: 0.125 }],
  ["is unknown below nothing", { inputTokens: -1, outputTokens: 2, costUsd: -0.5, spentUsd: -1 }, { outputTokens: 2 }],
  [
    "is unknown where it is no number",
    { inputTokens: Number.NaN, costUsd: Number.NaN, cacheRead: 1 },
    { cacheRead: 1 },
  ],
  [
    "is unknown where nobody can use so much",
    { inputTokens: 1e30, costUsd: Infinity, outputTokens: 1 },
    { outputTokens: 1 },
  ],
])("what a runtime has used %s", (_what, told, usage) => {
  expect(parseUsage(told)).toEqual(usage);
});

it("a runtime that tells what cannot be counted spoils neither the record nor the day", async () => {
  const desk = await new CoreDesk().connect();
  const usage: Usage = { inputTokens: 12.5, outputTokens: -3, costUsd: Number.NaN };
  desk.runtime.play = async function* odd(): AsyncGenerator<RunEvent> {
    yield { type: "usage", usage };
    yield { type: "text", delta: "done" };
    yield { type: "end", reason: "done", usage };
  };
  await desk.says("hello");
  desk.runtime.play = () => says("here again");
  await desk.says("again");
  expect(desk.heard()).toEqual(["done", "here again"]);
  const [row] = await desk.store.read.sessions({ limit: 1 });
  const { userId: subject = "", dayUsage } = parseSessionEntry(row?.body ?? "");
  expect(dayUsage).toMatchObject({ turns: 2, tokens: 13 });
  expect(await desk.store.read.dayUsed({ subject, day: dayUsage?.day ?? "" })).toEqual({
    turns: 2,
    tokens: 13,
    costUsd: 0,
  });
});
