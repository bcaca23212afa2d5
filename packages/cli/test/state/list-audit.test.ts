import type { AuditRow } from "@banyan/store";
import { expect, it } from "vitest";
import { type AuditFilter, listAudit } from "../../src/state/list-audit.ts";

const CALL = { turn: "t1", ordinal: 0, args: "{}" };

/** 2,500 lines: in turn a program that ran, a file that was refused to another agent, and an operator's. */
const ROWS: readonly AuditRow[] = Array.from({ length: 2_500 }, (_, at) => {
  const row = { id: at + 1, atMs: at };
  if (at % 3 === 2) return { ...row, actor: "operator", action: "pair_approve", detail: "telegram/default/7" };
  const [agent, tool, action] = at % 3 === 0 ? ["main", "exec", "tool-done"] : ["ops", "write_file", "tool-refused"];
  const detail = JSON.stringify({ ...CALL, session: `agent:${agent}:main`, tool });
  return { ...row, actor: `agent ${agent}`, action: action ?? "", detail };
});

async function ids(filter: AuditFilter, limit = 2): Promise<readonly number[]> {
  const audit = async ({ afterId, limit: most }: { readonly afterId?: number; readonly limit: number }) =>
    afterId === undefined ? ROWS.slice(-most) : ROWS.filter(({ id }) => id > afterId).slice(0, most);
  return (await listAudit({ audit }, { limit, filter })).map(({ id }) => id);
}

it("answers the newest lines, of all or of those that are wanted, the oldest of them first", async () => {
  expect(await ids({})).toEqual([2_499, 2_500]);
  expect(await ids({ agent: "ops" })).toEqual([2_495, 2_498]);
  expect(await ids({ session: "agent:main:main" })).toEqual([2_497, 2_500]);
  expect(await ids({ tool: "exec" }, 3)).toEqual([2_494, 2_497, 2_500]);
  expect(await ids({ refused: true })).toEqual([2_495, 2_498]);
  expect(await ids({ tool: "exec", refused: true })).toEqual([]);
  expect(await ids({ agent: "main" }, 5_000)).toHaveLength(834);
});
