import { z } from "zod";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { classifySessionKey } from "../../sessions/keys/session-key-kind.ts";
import { defineTool } from "../../tools/definition.ts";
import type { Tool } from "../../tools/tool.ts";
import { readSessionState } from "../status/read-session-state.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { listVisibleSessions } from "../visibility/list-visible-sessions.ts";
import { formatToolAnswer } from "./tool-answer.ts";

const KINDS = [
  "main",
  "dm",
  "group",
  "channel",
  "thread",
  "subagent",
  "acp",
  "cron",
  "hook",
  "global",
  "other",
] as const;
const DEFAULT_SESSIONS = 50;
const MOST_SESSIONS = 200;
const MINUTE_MS = 60_000;
const LONGEST_ACTIVE_MINUTES = 366 * 24 * 60;

interface ListArgs {
  readonly kinds?: readonly (typeof KINDS)[number][] | undefined;
  readonly activeMinutes?: number | undefined;
  readonly limit?: number | undefined;
}

const args: z.ZodType<ListArgs> = z.strictObject({
  kinds: z.array(z.enum(KINDS)).min(1).max(KINDS.length).optional().describe("Only sessions of these kinds."),
  activeMinutes: z
    .int()
    .min(1)
    .max(LONGEST_ACTIVE_MINUTES)
    .optional()
    .describe("Only those in which something happened within so many minutes."),
  limit: z.int().min(1).max(MOST_SESSIONS).optional().describe(`Sessions, default ${DEFAULT_SESSIONS}.`),
});

/** `sessions_list`: the sessions that the caller may reach, the latest active first. */
export function createSessionsListTool(parts: SubagentParts): Tool {
  return defineTool({
    name: "sessions_list",
    description: "Lists the sessions that you can reach, the latest active first: key, label, kind and state of each.",
    args,
    isRepeatable: true,
    async run({ kinds, activeMinutes, limit = DEFAULT_SESSIONS }, { event }) {
      const now = parts.ports.clock.now();
      const { sessions, isCut } = await listVisibleSessions(event.sessionKey, parts);
      const fitting = sessions
        .filter(({ record }) => kinds === undefined || kinds.some((kind) => kind === classifySessionKey(record.key)))
        .filter(
          ({ record }) => activeMinutes === undefined || now - record.entry.updatedAt <= activeMinutes * MINUTE_MS,
        )
        .toSorted((one, other) => other.record.entry.updatedAt - one.record.entry.updatedAt);
      const rows = fitting.slice(0, limit).map(async ({ record }) => {
        const { key, agentId, entry } = record;
        const { state } = await readSessionState(record, parts);
        return {
          sessionKey: key,
          ...(entry.label === undefined ? {} : { label: formatPlainLine(parts.ports.scrub(entry.label)) }),
          kind: classifySessionKey(key),
          agentId,
          state,
          updatedAt: new Date(entry.updatedAt).toISOString(),
          ...(key === event.sessionKey ? { isYou: true } : {}),
        };
      });
      const left = fitting.length - Math.min(limit, fitting.length);
      return formatToolAnswer({
        status: "ok",
        sessions: await Promise.all(rows),
        ...(left > 0 ? { more: left } : {}),
        ...(isCut ? { note: "There are more sessions than one listing looks at; some are missing here." } : {}),
      });
    },
  });
}
