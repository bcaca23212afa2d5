import { expect, it } from "vitest";
import { formatRefusalForPeople } from "../../../src/subagents/commands/refusal-for-people.ts";

const BEGIN = "Spawning a sub-agent:";

it.each([
  ["thread_unavailable", "ferry has no threads; use mode run without thread", "ferry has no threads; omit `--thread`."],
  [
    "children_reached",
    "5 of 5; one; or two; kill one with the tool subagents",
    "5 of 5; one; or two; wait until one is done (its result comes by itself), or `/kill` one.",
  ],
  [
    "thread_refused",
    "the forum is closed; use mode run without thread",
    "the forum is closed; use mode run without thread",
  ],
  ["requester_gone", "the session is gone", "the session is gone"],
  ["toString", "nothing; do that", "nothing; do that"],
])("%s: a person is told what a person can do", (code, error, told) => {
  const refusal = { status: "error", code, error: `${BEGIN} ${error}` } as const;
  expect(formatRefusalForPeople(refusal)).toBe(`${BEGIN} ${told}`);
});
