import { isSuspect } from "@banyan/store";
import { z } from "zod";
import { formatPlainLine } from "../../ports/plain-text.ts";
import { classifySessionKey } from "../../sessions/keys/session-key-kind.ts";
import type { SessionRecord } from "../../sessions/session-record.ts";
import { defineTool } from "../../tools/definition.ts";
import type { Tool } from "../../tools/tool.ts";
import { readSessionState } from "../status/read-session-state.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { readVisibleSession } from "../visibility/read-visible-session.ts";
import { sessionKeyArgument } from "./session-key-argument.ts";
import { formatToolAnswer, refuseUnknownSession } from "./tool-answer.ts";

const MOST_ITEMS = 1_000;

interface StatusArgs {
  readonly sessionKey?: string | undefined;
}

const args: z.ZodType<StatusArgs> = z.strictObject({
  sessionKey: sessionKeyArgument.optional().describe("Another session that you can reach; default: your own."),
});

/** `session_status`: what a session is and does. */
export function createSessionStatusTool(parts: SubagentParts): Tool {
  return defineTool({
    name: "session_status",
    description: "Shows the state of a session: its record, state, flags, queue, unfinished sub-agents and usage.",
    args,
    isRepeatable: true,
    async run({ sessionKey: given }, { event }) {
      const sessionKey = given ?? event.sessionKey;
      const session = await readVisibleSession(event.sessionKey, sessionKey, parts);
      if (session === undefined) return formatToolAnswer(refuseUnknownSession("Reading a status", sessionKey));
      const { lane, children, state } = await readSessionState(session.record, parts);
      const isRunning = lane.owner !== undefined;
      const open = await parts.store.read.openItems({ lane: sessionKey, limit: MOST_ITEMS });
      return formatToolAnswer({
        status: "ok",
        entry: describeRecord(session.record, parts.ports.scrub),
        ...(session.isBelow || sessionKey === event.sessionKey ? { acp: describeForeign(session.record) } : {}),
        // Of another one it might name a session that the caller may not see.
        ...(session.isBelow ? { spawnedBy: session.record.entry.spawnedBy } : {}),
        state: session.isArchived ? "terminated" : state,
        flags: {
          isWaiting: state === "waiting",
          canInterrupt: isRunning,
          hasError: state === "error",
          isSuspect: open.some(isSuspect),
        },
        queue: { waiting: lane.waiting, active: lane.active.length },
        children: { unfinished: Object.values(children).reduce((sum, count) => sum + count, 0), ...children },
        usage: describeUsage(session.record),
      });
    },
  });
}

/** What an agent may know of a record: no variables of plugins, no prompt, no place of a person. */
function describeRecord({ key, agentId, entry }: SessionRecord, scrub: (text: string) => string) {
  const { sessionId, label, spawnDepth, subagentRole, subagentControlScope, status } = entry;
  const { model, modelOverride, thinkingLevel, messageCount, toolCallCount, errorCount, runtimeMs } = entry;
  return {
    sessionKey: key,
    sessionId,
    agentId,
    kind: classifySessionKey(key),
    label: label === undefined ? undefined : formatPlainLine(scrub(label)),
    spawnDepth,
    subagentRole,
    subagentControlScope,
    status,
    model: modelOverride ?? model,
    thinkingLevel,
    messageCount,
    toolCallCount,
    errorCount,
    runtimeMs,
    ...describeTimes(entry),
  };
}

/** The session of a foreign agent, by the id that `resumeSessionId` of a spawn takes. */
function describeForeign({ entry: { acp } }: SessionRecord) {
  if (acp === undefined) return undefined;
  const { agent, runtimeOptions, identity, state } = acp;
  return { agent, profile: runtimeOptions.profile, sessionId: identity.agentSessionId, state };
}

function describeTimes({ sessionStartedAt, lastInteractionAt, startedAt, endedAt, updatedAt }: SessionRecord["entry"]) {
  const format = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return {
    sessionStartedAt: format(sessionStartedAt),
    lastInteractionAt: format(lastInteractionAt),
    startedAt: format(startedAt),
    endedAt: format(endedAt),
    updatedAt: format(updatedAt),
  };
}

function describeUsage({ entry }: SessionRecord) {
  const { inputTokens, outputTokens, totalTokens, cacheRead, cacheWrite, estimatedCostUsd, turnCount } = entry;
  return { turnCount, inputTokens, outputTokens, totalTokens, cacheRead, cacheWrite, estimatedCostUsd };
}
