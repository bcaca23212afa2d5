import { PassThrough } from "node:stream";
import type { AuditRow } from "@banyan/store";
import { expect, test } from "vitest";
import { formatAudit, formatAuditJson } from "../../src/commands/audit.ts";

const NOW = 1_000_000;
const CALL = { session: "agent:main:main", turn: "t1", tool: "exec", ordinal: 0, args: '{"command":"ls"}' };
const ROW: AuditRow = {
  id: 1,
  atMs: NOW - 12_000,
  actor: "agent main",
  action: "tool-refused",
  detail: JSON.stringify({ ...CALL, why: "no\nsuch \u001b[31mtool" }),
};

function show(...rows: readonly AuditRow[]): readonly string[] {
  return formatAudit(rows, { now: NOW, stream: new PassThrough() });
}

test("each line says when, who, what, and of a tool where and why", () => {
  expect(show(ROW, { ...ROW, id: 2, actor: "operator", action: "pair_approve", detail: "telegram/default/7" })).toEqual(
    [
      "  WHEN      WHO         WHAT",
      '  12 s ago  agent main  tool-refused  exec {"command":"ls"} in agent:main:main: no such tool',
      "  12 s ago  operator    pair_approve  telegram/default/7",
    ],
  );
});

test("where there is nothing, it says so", () => {
  expect(show()).toEqual([expect.stringMatching(/^ {2}nothing yet/)]);
});

test("the document for scripts has the call as an object, and all else as it is", () => {
  expect(formatAuditJson(ROW)).toMatchObject({ action: "tool-refused", detail: CALL });
  expect(formatAuditJson({ ...ROW, action: "pair_approve", detail: "x" })).toMatchObject({ detail: "x" });
});
