import type { SessionEntry } from "@banyan/plugin-sdk";
import { z } from "zod";

const JsonObject = z.record(z.string(), z.unknown());
const Time = z.number().int();
const Count = z.number().int().min(0);

/** Unknown fields are kept, so that an older version never loses what a newer one wrote. */
const Schema = z.looseObject({
  sessionId: z.uuid(),
  sessionFile: z.string().min(1),
  updatedAt: Time,
  label: z.string().optional(),
  userId: z.string().optional(),
  spawnedBy: z.string().optional(),
  spawnDepth: Count.optional(),
  subagentRole: z.enum(["main", "orchestrator", "leaf"]).optional(),
  subagentControlScope: z.enum(["children", "none"]).optional(),
  sessionStartedAt: Time.optional(),
  lastInteractionAt: Time.optional(),
  closedAt: Time.optional(),
  expiresAt: Time.optional(),
  inputTokens: Count.optional(),
  outputTokens: Count.optional(),
  totalTokens: Count.optional(),
  turnCount: Count.optional(),
  status: z.enum(["running", "done", "failed", "killed", "timeout"]).optional(),
  messageCount: Count.optional(),
  toolCallCount: Count.optional(),
  errorCount: Count.optional(),
  context: JsonObject.optional(),
  variables: JsonObject.optional(),
  pluginExtensions: z.record(z.string(), JsonObject).optional(),
});

/** Reads a stored record. Throws a `ZodError` for what is none. */
export function parseSessionEntry(body: string): SessionEntry {
  const entry = JSON.parse(body);
  Schema.parse(entry);
  // The text itself is given back, not the schema's output, so that no field changes or gets lost on the way.
  return entry;
}
