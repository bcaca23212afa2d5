import { buildStatusRowId } from "../../runs/run-status.ts";
import type { Tool } from "../../tools/tool.ts";
import { spawnChild } from "../spawn/spawn-pipeline.ts";
import { buildSpawnArgsSchema } from "../spawn/spawn-request.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { formatToolAnswer } from "./tool-answer.ts";

const DESCRIPTION = [
  "Gives a task to a sub-agent with its own session and answers at once; its result comes to you later by itself as a message, so do not wait for it or ask again.",
  "One task: mode run. Several turns with people: mode session with thread true. Independent parts: several calls, one for each.",
  "A helper that people talk with in a thread: session and thread. A batch: run. A long project: session, cleanup keep.",
].join(" ");

/** Opening a thread may take a platform some calls. */
const TIMEOUT_MS = 120_000;

/** `sessions_spawn`. The same call of a turn never spawns twice, however often the turn runs. */
export function createSessionsSpawnTool(parts: SubagentParts): Tool {
  return {
    description: {
      name: "sessions_spawn",
      description: DESCRIPTION,
      get parameters() {
        return buildSpawnArgsSchema();
      },
    },
    isRepeatable: true,
    timeoutMs: TIMEOUT_MS,
    prepare: (args) => ({
      kind: "ready",
      async run({ event, caller, signal }) {
        const { sessionKey, agentId, call } = event;
        const { address, itemSeq, epoch, runId, isQuiet, hops, person } = caller;
        const answer = await spawnChild(
          args,
          {
            source: "tool",
            sessionKey,
            address,
            sender: { id: sessionKey, displayName: agentId },
            itemSeq,
            epoch,
            anchor: buildStatusRowId(itemSeq),
            ordinal: call.ordinal,
            isQuiet,
            signal,
            ...(runId === undefined ? {} : { runId }),
            ...(person === undefined ? {} : { person }),
            ...(hops === undefined ? {} : { hops }),
          },
          parts,
        );
        return formatToolAnswer(answer);
      },
    }),
  };
}
