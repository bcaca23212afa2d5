import type { ItemRow } from "@banyan/store";
import { expect, test } from "vitest";
import { isCompanion } from "../../src/lanes/backlog.ts";

type Change = Partial<ItemRow> & { readonly sessionId?: string; readonly isQuiet?: boolean };

function row({ sessionId, isQuiet, ...more }: Change = {}): ItemRow {
  const body = JSON.stringify({ id: "1", text: "dig", sender: { id: "7" }, at: 0, sessionId, isQuiet });
  const plain = { lane: "a", seq: 1, kind: "completion", state: "waiting", address: "irc/default/dm/7" } as const;
  return { ...plain, attempt: 0, receivedAtMs: 0, body, ...more };
}

test.each<readonly [string, Change, Change, boolean]>([
  ["alike", {}, {}, true],
  ["the present conversation, named or not", { sessionId: "now" }, {}, true],
  ["another conversation", { sessionId: "before" }, {}, false],
  ["the same ended one", { sessionId: "before" }, { sessionId: "before" }, true],
  ["another run", { runId: "r" }, {}, false],
  ["another place", { address: "irc/default/dm/8" }, {}, false],
  ["one that is told nowhere", { isQuiet: true }, {}, false],
  ["one that is only written down", { wake: "append" }, {}, false],
  ["both only written down, wherever they are from", { wake: "append", runId: "r" }, { wake: "append" }, true],
  ["written down in two conversations", { wake: "append", sessionId: "before" }, { wake: "append" }, false],
])("one turn answers to both: %s", (_, one, other, isSo) => {
  expect(isCompanion(row(one), row(other), "now")).toBe(isSo);
});
