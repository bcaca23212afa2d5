import type { SessionEntry, TranscriptEntry, Usage } from "@banyan/plugin-sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { updateEntryAfterRun } from "../../packages/core/src/sessions/update-after-run.ts";
import { addUsage, subtractUsage, sumUsage } from "../../packages/core/src/sessions/usage-sum.ts";
import { CostMeter } from "../../packages/runtime-acp/src/turns/cost-meter.ts";

/** `stop`: by a person; the attempt that is given back by an orderly stop of the gateway is `restart`, and `crash` is none. */
const EVENTS = ["spend", "report", "begin", "result", "end", "stop", "restart", "crash", "agent dies"] as const;
type Event = (typeof EVENTS)[number];

const BEGUN: SessionEntry = {
  sessionId: "s",
  sessionFile: "f",
  updatedAt: 0,
  acp: {
    backend: "acp",
    agent: "a",
    identity: { state: "resolved", source: "ensure", agentSessionId: "x", lastUpdatedAt: 0 },
    mode: "persistent",
    runtimeOptions: { profile: "ask" },
    cwd: "/",
    state: "running",
    spentUsd: 0,
    lastActivityAt: 0,
  },
};

/** One conversation with an agent: what it spends, what is in memory, and what is stored. Whole dollars, so that sums are exact. */
class World {
  /** As the agent counts. */
  #totalUsd = 0;
  spentUsd = 0;
  #entry = BEGUN;
  /** Of the turn that has not ended, in entries. */
  #written: TranscriptEntry[] = [];
  #turn: { readonly meter: CostMeter; readonly earlier: Usage; taken: Usage } | undefined;
  #toldUsd: number | undefined;
  readonly #keepsCount: boolean;

  constructor(keepsCount: boolean) {
    this.#keepsCount = keepsCount;
  }

  get countedUsd(): number {
    return this.#entry.estimatedCostUsd ?? 0;
  }

  play(event: Event): void {
    switch (event) {
      case "spend":
        this.#totalUsd += 1;
        this.spentUsd += 1;
        break;
      case "report":
        this.#toldUsd = this.#totalUsd;
        this.#turn?.meter.note(this.#totalUsd);
        break;
      case "begin":
        this.#begin();
        break;
      case "result":
        this.#write("tool_result");
        break;
      case "end":
      case "stop":
        this.#end();
        break;
      case "restart":
        this.#write("usage");
        this.#forget();
        break;
      case "crash":
        this.#forget();
        break;
      case "agent dies":
        this.#end();
        this.#toldUsd = undefined;
        if (!this.#keepsCount) this.#totalUsd = 0;
    }
  }

  #begin(): void {
    if (this.#turn !== undefined) return;
    const earlier = sumUsage(this.#written) ?? {};
    const meter = new CostMeter(earlier.spentUsd ?? this.#entry.acp?.spentUsd);
    if (this.#toldUsd !== undefined) meter.note(this.#toldUsd, true);
    this.#turn = { meter, earlier, taken: {} };
  }

  #write(kind: "tool_result" | "usage"): void {
    if (this.#turn === undefined) return;
    const { meter, taken } = this.#turn;
    const usage = subtractUsage(meter.report, taken);
    this.#turn.taken = meter.report;
    this.#written.push({ id: "e", seq: 1, timestamp: 0, kind, role: "assistant", content: [], usage });
  }

  /** As `runToEnd` of core and the end of a turn that is stopped do. */
  #end(): void {
    if (this.#turn === undefined) return;
    const usage = addUsage(this.#turn.earlier, this.#turn.meter.report);
    const figures = {
      now: 0,
      policy: "preserve-activity",
      messages: 1,
      toolCalls: 0,
      isFailed: false,
      turns: 1,
    } as const;
    this.#entry = updateEntryAfterRun(this.#entry, { ...figures, usage });
    this.#turn = undefined;
    this.#written = [];
  }

  /** Every process is gone; the turn is begun again. */
  #forget(): void {
    this.#turn = undefined;
    this.#toldUsd = undefined;
    if (!this.#keepsCount) this.#totalUsd = 0;
  }
}

function play(events: readonly Event[], keepsCount: boolean): World {
  const world = new World(keepsCount);
  for (const event of events) world.play(event);
  return world;
}

const REST = ["end", "begin", "report", "end"] as const;
const anyEvents = fc.array(fc.constantFrom(...EVENTS), { minLength: 1, maxLength: 60 });

describe("the cost of a foreign agent's session, over turns that are cut, processes that die and sessions that are taken up", () => {
  it("is counted once, and none of it is lost, where the agent counts on", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { countedUsd, spentUsd } = play([...events, ...REST], true);
        expect(countedUsd).toBe(spentUsd);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is never more than it was at any time, also where the agent counts from nothing again", () => {
    fc.assert(
      fc.property(anyEvents, fc.boolean(), (events, keepsCount) => {
        for (let length = 1; length <= events.length; length += 1) {
          const { countedUsd, spentUsd } = play(events.slice(0, length), keepsCount);
          expect(countedUsd).toBeLessThanOrEqual(spentUsd);
        }
      }),
      { numRuns: 300 },
    );
  });

  const work = ["begin", "spend", "report"] as const;
  it.each([
    ["a turn that is stopped, and a restart behind it", [...work, "stop", "crash", ...work, "end"], true, 2],
    ["a turn that is given back and run again", [...work, "restart", ...work, "end"], true, 2],
    [
      "a turn that dies behind a tool's result",
      [...work, "result", "spend", "report", "crash", ...work, "end"],
      true,
      3,
    ],
    ["a turn that dies before anything is stored", [...work, "crash", ...work, "end"], true, 2],
    ["an agent that dies at work", [...work, "agent dies", ...work, "end"], true, 2],
    ["an agent that tells it behind the turn", ["begin", "spend", "end", "report", "begin", "end"], true, 1],
    [
      "an agent that counts from nothing, once less than before",
      [...work, "spend", "report", "end", "crash", ...work, "end"],
      false,
      3,
    ],
    // Told from nothing, and as much as before: it cannot be told from an agent that counts on.
    ["an agent that counts from nothing, as much as before", [...work, "end", "crash", ...work, "end"], false, 1],
  ] as const)("is known of %s", (_what, events, keepsCount, countedUsd) => {
    expect(play(events, keepsCount).countedUsd).toBe(countedUsd);
  });
});
