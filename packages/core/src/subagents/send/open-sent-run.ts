import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import { prepareSentRun } from "../../runs/prepare-sent-run.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { buildSendDedupe, type MessageSender } from "./message-sender.ts";
import { LOST_TURN, refuseMessage, type SentMessage, type UnsentMessage } from "./sent-message.ts";

export interface RunMessage {
  readonly sender: MessageSender;
  /** The latest run of the child that is written to. */
  readonly latest: RunRecord;
  readonly text: string;
}

/**
 * A message to a `run` child is a run of its own in the child's session, owed to the sender: its completion comes as that
 * of a spawned one does. Reserved (T1a), then accepted (T1), so that a repeated call finds it.
 */
export async function openSentRun(message: RunMessage, parts: SubagentParts): Promise<SentMessage | UnsentMessage> {
  const { store, ports, signal, agents, limits } = parts;
  const { sender, latest, text } = message;
  const { sessionKey, agentId, address, itemSeq, epoch, runId: parentRunId, isQuiet, hops } = sender;
  const rules = getSubagentRules(agents[agentId]);
  const prepared = await prepareSentRun(
    {
      run: latest,
      text,
      dedupe: buildSendDedupe(sender),
      requesterSessionKey: sessionKey,
      address,
      sender: { id: sessionKey, displayName: agentId },
      spawnSeq: itemSeq,
      epoch,
      ...(parentRunId === undefined ? {} : { parentRunId }),
      announce: "parent",
      isQuiet,
      hops,
      rules,
      mostTreeRuns: limits.maxTreeRuns,
    },
    parts,
  );
  if (prepared.kind === "refused")
    return explainRefusal(prepared.reason, rules.maxChildrenPerAgent, limits.maxTreeRuns);
  if (prepared.kind === "standing") return { kind: "run", runId: prepared.run.runId };
  ports.faultPoint("T1.before");
  const accepted = await commitPatiently(store, { step: "accept_run", ...prepared.accept, epoch }, ports, signal);
  ports.faultPoint("T1.after");
  if (accepted.status === "fenced" || accepted.status === "refused") {
    await prepared.undo();
    if (accepted.status === "fenced") return explainRefusal("fenced", rules.maxChildrenPerAgent, limits.maxTreeRuns);
    return refuseMessage("error", `${latest.childSessionKey} takes no input any more; spawn a new sub-agent`);
  }
  prepared.onAccepted();
  return { kind: "run", runId: prepared.runId };
}

function explainRefusal(reason: string, mostChildren: number, mostTreeRuns: number): UnsentMessage {
  switch (reason) {
    case "children":
      return refuseMessage("forbidden", `${mostChildren} of your sub-agents are at work; wait until one is done`);
    case "tree":
      return refuseMessage("forbidden", `${mostTreeRuns} runs are at work in this tree; wait until one is done`);
    case "fenced":
      return refuseMessage("error", LOST_TURN);
    default:
      return refuseMessage("error", "what you work for has ended meanwhile; end your turn");
  }
}
