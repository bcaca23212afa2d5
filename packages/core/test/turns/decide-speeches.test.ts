import type { RunRow } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { decideSpeeches, type SpeechFacts } from "../../src/turns/decide-speeches.ts";

/** A run of the turn with that number. */
function runOf(runId: string, spawnSeq?: number): RunRow {
  return {
    runId,
    dedupe: runId,
    childSessionKey: `agent:main:subagent:${runId}`,
    requesterSessionKey: "agent:main:main",
    rootSessionKey: "agent:main:main",
    ...(spawnSeq === undefined ? {} : { spawnSeq }),
    isAwaited: true,
    route: "irc/default/dm/ada",
    body: "{}",
    state: "ended",
    createdAtMs: 0,
    changedAtMs: 0,
  };
}

const [a, b, c, other, alone] = [runOf("a", 1), runOf("b", 1), runOf("c", 1), runOf("other", 2), runOf("alone")];

const HERE = "irc/default/dm/ada";
const away = { ...b, target: "irc/default/dm/eve" };

function decide(facts: Partial<SpeechFacts>): string {
  const usual = { answered: [a], unsettled: [a], waiting: new Set<string>(), unfinished: [] } as const;
  const { parent, host } = decideSpeeches({ ...usual, turn: "visible", address: HERE, ...facts });
  const told = [["parent", parent] as const, ["host", host] as const].filter(([, runs]) => runs.length > 0);
  return told.map(([by, runs]) => `${by}: ${runs.map(({ runId }) => runId).join(" ")}`).join(", ") || "nobody yet";
}

describe("who tells of the runs that a turn answered to", () => {
  it.each<[string, Partial<SpeechFacts>, string]>([
    ["its visible answer", {}, "parent: a"],
    ["its visible answer, also of siblings it kept silent about", { unsettled: [a, b] }, "parent: a b"],
    [
      "its visible answer, but not of a sibling that has a turn to come",
      { unsettled: [a, b], waiting: new Set(["b"]) },
      "parent: a",
    ],
    ["its visible answer, and of no run of another turn", { unsettled: [a, other] }, "parent: a"],
    ["its visible answer to one that was told of, of the siblings that were not", { unsettled: [b, c] }, "parent: b c"],
    [
      "its visible answer here, and the host where another is to be told of in another chat",
      { answered: [a, away], unsettled: [a, away] },
      "parent: a, host: b",
    ],
    [
      "the host, where what is still at work is waited for by nobody",
      { turn: "silent", unfinished: [{ spawnSeq: 1, isAwaited: false }] },
      "host: a",
    ],
    ["the host, where it failed", { turn: "failed", unsettled: [a, b] }, "host: a b"],
    [
      "the host, where it failed, whatever is still at work",
      { turn: "failed", unfinished: [{ spawnSeq: 1, isAwaited: true }] },
      "host: a",
    ],
    ["the host, where it is silent and none is left", { turn: "silent", unsettled: [a, b] }, "host: a b"],
    [
      "nobody yet, where it is silent and a sibling is at work",
      { turn: "silent", unfinished: [{ spawnSeq: 1, isAwaited: true }] },
      "nobody yet",
    ],
    [
      "nobody yet, where it is silent and a sibling's turn is to come",
      { turn: "silent", unsettled: [a, b], waiting: new Set(["b"]) },
      "nobody yet",
    ],
    [
      "the host, where only a run of another turn is at work",
      { turn: "silent", unfinished: [{ spawnSeq: 2, isAwaited: true }] },
      "host: a",
    ],
    [
      "the host, where it is silent about one without siblings",
      { turn: "silent", answered: [alone], unsettled: [alone], unfinished: [{ isAwaited: true }] },
      "host: alone",
    ],
    ["nobody, where all was told of", { unsettled: [] }, "nobody yet"],
  ])("%s", (_name, facts, decided) => {
    expect(decide(facts)).toBe(decided);
  });
});
