import type { NewItem } from "@banyan/store";
import { formatInnerBody, type ItemBody } from "../../lanes/item-body.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { parseSessionRow } from "../../sessions/session-record.ts";
import { findAddress } from "../send/send-message.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/**
 * What a run at work is told, by an agent or a person: in its present turn where the agent can, else in one behind it, so that the run's
 * result is the answer to both. `id` is what a repeat is known by.
 */
export async function buildSteerItem(
  { runId, childSessionKey: lane, route }: RunRecord,
  message: Pick<ItemBody, "id" | "text" | "sender" | "at" | "hops">,
  parts: Pick<SubagentParts, "store">,
): Promise<NewItem> {
  const { read } = parts.store;
  const session = await read.session(lane);
  const own = session === undefined ? undefined : await findAddress({ record: parseSessionRow(session) }, parts);
  const isBound = (await read.bindings({ sessionKey: lane })).some(({ kind }) => kind === "thread");
  const body = formatInnerBody({ ...message, ...(isBound ? {} : { isQuiet: true }) });
  const { id: dedupe } = message;
  return { lane, dedupe, nativeId: dedupe, kind: "nested", address: own ?? route, body, runId };
}
