import type { RunRow } from "@banyan/store";
import { AGENTS, MOST_DEPTH } from "../process/house-rules.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import { isChildKey, isSent, listAbove } from "./family.ts";
import type { Invariant } from "./invariant.ts";

const LEVELS: readonly string[] = ["off", "workspace", "strict"];
/** Of an agent whose configuration says nothing. */
const USUAL_LEVEL = "workspace";
const AGENT = /^agent:([^:]+):/;

/** I15: a child is kept at least as close as its parent, and has no tool that any agent above it, or it, may not use. */
export function createChildBounds(): Invariant {
  return {
    name: "I15",
    observe(seen, { data }) {
      if (seen.type === "opened") return judgeTools(seen.sessionKey, seen.tools, data);
      if (seen.type !== "step") return undefined;
      for (const { before, after } of seen.runs) {
        const wrong = before === undefined && after !== undefined && !isSent(after) ? judgeLevel(after) : undefined;
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  };
}

function judgeLevel({ runId, childSessionKey, requesterSessionKey }: RunRow): string | undefined {
  const [own, above] = [childSessionKey, requesterSessionKey].map((key) => AGENTS[readAgent(key)]?.sandbox);
  return LEVELS.indexOf(own ?? USUAL_LEVEL) >= LEVELS.indexOf(above ?? USUAL_LEVEL)
    ? undefined
    : `${runId} is kept ${own}, and who asked is kept ${above}`;
}

function judgeTools(sessionKey: string, tools: readonly string[], data: StoreMirror): string | undefined {
  if (!isChildKey(sessionKey)) return undefined;
  const above = listAbove(data, sessionKey) ?? [];
  const lineage = [sessionKey, ...above.map(({ requesterSessionKey }) => requesterSessionKey)];
  const denied = new Set(["message", ...lineage.flatMap((key) => AGENTS[readAgent(key)]?.tools.deny ?? [])]);
  if (above.length >= MOST_DEPTH) denied.add("sessions_spawn");
  const wrong = tools.find((name) => denied.has(name));
  return wrong === undefined ? undefined : `${sessionKey} has the tool ${wrong}`;
}

function readAgent(key: string): string {
  return AGENT.exec(key)?.[1] ?? "";
}
