import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { BanyanError } from "../../../src/ports/errors.ts";
import { normalizeAccountId } from "../../../src/sessions/keys/account-id.ts";
import { normalizeAgentId } from "../../../src/sessions/keys/agent-id.ts";
import { parseAgentSessionKey, resolveAgentIdFromSessionKey } from "../../../src/sessions/keys/agent-session-key.ts";
import { canonicalizeSessionKey } from "../../../src/sessions/keys/canonical-session-key.ts";
import {
  type AgentMainSessionKeyInput,
  type AgentPeerSessionKeyInput,
  buildAgentMainSessionKey,
  buildAgentPeerSessionKey,
  resolveThreadSessionKey,
} from "../../../src/sessions/keys/session-key.ts";
import { classifySessionKey, getSubagentDepth } from "../../../src/sessions/keys/session-key-kind.ts";

/** The functions that take one text. */
const TEXT_FUNCTIONS: Readonly<Record<string, (text: string | null) => unknown>> = {
  normalizeAgentId,
  normalizeAccountId,
  parseAgentSessionKey,
  resolveAgentIdFromSessionKey,
  canonicalizeSessionKey,
  classifySessionKey,
  getSubagentDepth,
};

type Vector = { readonly expected?: unknown; readonly error?: true } & (
  | { readonly fn: "buildAgentPeerSessionKey"; readonly input: AgentPeerSessionKeyInput }
  | { readonly fn: "buildAgentMainSessionKey"; readonly input: AgentMainSessionKeyInput }
  | { readonly fn: "resolveThreadSessionKey"; readonly input: { baseSessionKey: string; threadId: string | null } }
  | { readonly fn: "a function of one text"; readonly input: string | null }
);

const { vectors }: { vectors: readonly Vector[] } = JSON.parse(
  readFileSync(new URL("../../data/session-keys.json", import.meta.url), "utf8"),
);

function run(vector: Vector): unknown {
  switch (vector.fn) {
    case "buildAgentPeerSessionKey":
      return buildAgentPeerSessionKey(vector.input);
    case "buildAgentMainSessionKey":
      return buildAgentMainSessionKey(vector.input);
    case "resolveThreadSessionKey":
      return resolveThreadSessionKey(vector.input.baseSessionKey, vector.input.threadId);
    default: {
      const call = TEXT_FUNCTIONS[vector.fn];
      if (call === undefined) throw new Error(`the vectors name a function that nobody tests: ${vector.fn}`);
      return call(vector.input);
    }
  }
}

/** The answer, or that it failed as the law wants; any other error is the test's failure. */
function answer(vector: Vector): { expected: unknown } | { error: true } {
  try {
    return { expected: run(vector) };
  } catch (error) {
    if (error instanceof BanyanError) return { error: true };
    throw error;
  }
}

it("answers every vector as the law says", () => {
  const wrong: unknown[] = [];
  let ran = 0;
  for (const vector of vectors) {
    const lawful = vector.error === true ? { error: true } : { expected: vector.expected };
    const actual = answer(vector);
    if (!isDeepStrictEqual(actual, lawful)) wrong.push({ ...vector, actual });
    ran += 1;
  }
  expect(wrong).toEqual([]);
  expect(ran).toBeGreaterThan(400);
});

it("finds every function of the law in the vectors", () => {
  const named = new Set<string>(vectors.map((vector) => vector.fn));
  const known = Object.keys(TEXT_FUNCTIONS);
  known.push("buildAgentPeerSessionKey", "buildAgentMainSessionKey", "resolveThreadSessionKey");
  expect([...named].sort()).toEqual(known.sort());
});
