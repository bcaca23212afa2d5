import type { ItemRow } from "@banyan/store";
import { expect, test } from "vitest";
import { decideInterrupting } from "../../../src/turns/interrupts/choose-interrupting.ts";

const PLAIN = {
  lane: "a",
  state: "waiting",
  address: "irc/default/dm/7",
  attempt: 0,
  receivedAtMs: 0,
  body: "{}",
} as const;

/** What waits, in its order. */
const WAITING = {
  message: { kind: "message" },
  result: { kind: "completion" },
  "result for a run": { kind: "completion", runId: "r" },
  "note of a result": { kind: "completion", wake: "append" },
  "another agent": { kind: "nested" },
  command: { kind: "command" },
} as const;

test.each<readonly [readonly (keyof typeof WAITING)[], { readonly plain?: number; readonly cut?: number }]>([
  [["message", "message"], { plain: 1, cut: 1 }],
  [["result", "result", "message", "message"], { plain: 3, cut: 3 }],
  [["result"], {}],
  [["result for a run", "message"], { cut: 2 }],
  [["another agent", "message"], { cut: 2 }],
  [["result", "another agent", "message"], { cut: 3 }],
  [["note of a result", "message"], {}],
  [["result", "note of a result", "message"], { plain: 3, cut: 3 }],
  [["result", "command", "message"], {}],
  [[], {}],
])("of %j the message goes first that may", (kinds, { plain, cut }) => {
  const open: readonly ItemRow[] = kinds.map((kind, at) => ({ ...PLAIN, seq: at + 1, ...WAITING[kind] }));
  expect(decideInterrupting(open, false)).toBe(plain);
  expect(decideInterrupting(open, true)).toBe(cut);
});
