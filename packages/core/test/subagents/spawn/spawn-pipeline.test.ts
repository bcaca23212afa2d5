import { describe, expect, it } from "vitest";
import { BROKEN_ROWS } from "./broken-row.ts";
import { type ChangedFacts, planOf, spawn } from "./spawn-desk.ts";

it.each(BROKEN_ROWS)("refuses $name: $status $code", ({ request = {}, facts = {}, status, code, says }) => {
  const decision = spawn(request, facts);
  expect(decision).toMatchObject({ kind: "refused", status, code });
  expect(decision).toHaveProperty("error", expect.stringContaining(says));
  expect(decision).toHaveProperty("error", expect.stringMatching(/^Spawning a sub-agent: [^;]+; /));
});

/** Both rows at once, where an ask can break both. */
const PAIRS = BROKEN_ROWS.flatMap((first, at) =>
  BROKEN_ROWS.slice(at + 1).flatMap((second) => {
    const isOneParameter = Object.keys(first.request ?? {}).some((key) => key in (second.request ?? {}));
    const request = { ...first.request, ...second.request };
    const requester = { ...first.facts?.requester, ...second.facts?.requester };
    const facts = { ...first.facts, ...second.facts, requester };
    return isOneParameter ? [] : [{ first: first.name, second: second.name, request, facts, code: first.code }];
  }),
);

it("tries nearly every pair of rows", () => {
  expect(PAIRS.length).toBeGreaterThan((BROKEN_ROWS.length * (BROKEN_ROWS.length - 1)) / 2 - 10);
});

it.each(PAIRS)("tells of $first before $second", ({ request, facts, code }) => {
  expect(spawn(request, facts)).toMatchObject({ kind: "refused", code });
});

describe("at its limits", () => {
  it.each([
    [{ requester: { depth: 1 } }],
    [{ requester: { depth: 7 }, agents: { main: { subagents: { maxSpawnDepth: 8 } } } }],
    [{ threads: "none" } as const],
    [{ unfinishedChildren: 4 }],
    [{ unfinishedTreeRuns: 63 }],
    [{ requester: { sandbox: "off" } } as const],
    [{ requester: { sandbox: "strict" }, agents: { main: { sandbox: "strict" } } } as const],
  ])("takes an ask with %j", (facts) => {
    expect(spawn({}, facts).kind).toBe("planned");
  });

  it.each([[{ lightContext: true }, "lightContext comes with the context layers; leave lightContext out"]])(
    "says of %j that it is not there yet",
    (request, says) => {
      expect(spawn(request)).toMatchObject({
        status: "error",
        code: "not_there_yet",
        error: expect.stringContaining(says),
      });
    },
  );

  it("gives a child that a foreign agent works for a key of that kind", () => {
    const decided = spawn({ runtime: "acp" }, { agents: { main: { runtime: "acp" } } });
    expect(decided).toMatchObject({ plan: { childSessionKey: expect.stringMatching(/^agent:main:acp:/) } });
  });

  it("takes what says no more than the default", () => {
    const request = {
      runtime: "subagent",
      lightContext: false,
      mode: "run",
      thinking: "off",
      agentId: "main",
    } as const;
    expect(spawn(request).kind).toBe("planned");
  });

  it("has no choice of models for an agent whose runtime lists none", () => {
    const decision = spawn({ model: "small" }, { models: {} });
    expect(decision).toHaveProperty("error", expect.stringContaining("it has no choice of models: leave model out"));
  });

  it("judges the rules' own model and thinking like asked ones", () => {
    const changed = (subagents: object): ChangedFacts => ({ agents: { main: { subagents } } });
    expect(spawn({}, changed({ model: "huge" }))).toMatchObject({ code: "model_unknown" });
    expect(spawn({}, changed({ thinking: "hard" }))).toMatchObject({ code: "thinking_unknown" });
    expect(planOf({}, changed({ model: "large", thinking: "high" })).body).toMatchObject({
      model: "large",
      thinking: "high",
    });
    expect(planOf({ model: "small" }, changed({ model: "large" })).body.model).toBe("small");
  });
});

it("says why no thread can be bound, and what to use instead", () => {
  expect(spawn({ thread: true }, { threads: "none" })).toMatchObject({
    error: expect.stringContaining("ferry has no threads; use mode run without thread"),
  });
  expect(spawn({ thread: true }, { threads: "off" })).toMatchObject({
    error: expect.stringContaining("threads are switched off in the configuration; use mode run without thread"),
  });
});
