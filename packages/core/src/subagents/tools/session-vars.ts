import { z } from "zod";
import { commitPatiently } from "../../ports/commit-step.ts";
import { buildSessionWrite, parseSessionRow, type SessionRecord } from "../../sessions/session-record.ts";
import { getVariables, SESSION_DATA_LIMIT_BYTES, setVariables } from "../../sessions/session-variables.ts";
import { defineTool } from "../../tools/definition.ts";
import type { Tool, ToolContext } from "../../tools/tool.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { formatToolAnswer, type ToolAnswer } from "./tool-answer.ts";

interface VarsArgs {
  readonly get?: readonly string[] | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
}

const MOST_CONFLICTS = 8;
const MOST_NAMES = 100;
const NAME = z.string().min(1).max(200);

const args: z.ZodType<VarsArgs> = z.strictObject({
  get: z.array(NAME).max(MOST_NAMES).optional().describe("Names to read. Without get and set: all of them."),
  set: z
    .record(NAME, z.unknown())
    .optional()
    .describe("Names with the values that they get, any JSON; null takes one away. Done before get."),
});

/** `session_vars`: what a session keeps by name, for as long as its conversation. Setting the same twice changes nothing. */
export function createSessionVarsTool(parts: SubagentParts): Tool {
  return defineTool({
    name: "session_vars",
    description:
      "Keeps values by name in your session, 64 KiB in all, and reads them; a new conversation begins without them.",
    args,
    isRepeatable: true,
    run: async (given, context) => formatToolAnswer(await readAndSet(given, context, parts)),
  });
}

async function readAndSet({ get, set }: VarsArgs, context: ToolContext, parts: SubagentParts): Promise<ToolAnswer> {
  const { sessionKey } = context.event;
  const present = await readRecord(sessionKey, parts);
  if (present === undefined) return refuse("your session is gone; end your turn");
  if (set === undefined || Object.keys(set).length === 0) {
    return { status: "ok", variables: getVariables(present.entry, get) };
  }
  const written = await writeVariables(present, set, context.signal, parts);
  if ("status" in written) return written;
  return { status: "ok", set: Object.keys(set), ...(get && { variables: getVariables(written.entry, get) }) };
}

/** Decided again where somebody else has written the record meanwhile, unless a new conversation has begun in it. */
async function writeVariables(
  first: SessionRecord,
  set: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  parts: SubagentParts,
): Promise<SessionRecord | ToolAnswer> {
  const { store, ports, sessions } = parts;
  let record: SessionRecord | undefined = first;
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    if (signal.aborted || record?.entry.sessionId !== first.entry.sessionId)
      return refuse("your conversation has ended; end your turn");
    const change = setVariables(record.entry, set, ports.clock.now());
    if (change.kind === "too_large") {
      const limits = `received ${change.bytes} bytes with what is kept already, and ${SESSION_DATA_LIMIT_BYTES} are kept`;
      return refuse(`that is too much, ${limits}; write it into a file, or take others away with null`);
    }
    const { entry } = change;
    const session = buildSessionWrite(record, entry);
    const step = { step: "write_session", writeId: ports.createId(), session } as const;
    const written = await commitPatiently(store, step, ports, parts.signal);
    if (written.status !== "refused") {
      sessions.forget(record.key);
      return { ...record, entry, revision: written.revision };
    }
    record = await readRecord(first.key, parts);
  }
  throw new Error(
    `Variables were set: the session ${first.key} changed ${MOST_CONFLICTS} times at the same time; try again`,
  );
}

async function readRecord(key: string, { store }: SubagentParts): Promise<SessionRecord | undefined> {
  const row = await store.read.session(key);
  return row === undefined || row.archivedAtMs !== undefined ? undefined : parseSessionRow(row);
}

function refuse(problem: string): ToolAnswer {
  return { status: "error", error: `Variables of a session: ${problem}` };
}
