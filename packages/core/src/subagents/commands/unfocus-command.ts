import { listBindingTimerIds } from "../../bindings/binding-timer.ts";
import type { Command, CommandContext, CommandDecision } from "../../commands/command.ts";
import { isUnfinished } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { buildBindEffect } from "./bind-effect.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { readOwnRun } from "./own-run.ts";
import { boldRun } from "./run-rows.ts";
import { findStandingBinding } from "./standing-binding.ts";

/** `/unfocus`: what is written here goes its normal way again. Frees a sub-agent's own thread as well. */
export function createUnfocusCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.unfocus,
    decide: (context) => decideUnfocus(context, parts),
  };
}

async function decideUnfocus(context: CommandContext, parts: SubagentParts): Promise<CommandDecision> {
  const { address, record, agent } = context;
  const standing = await findStandingBinding(context, parts);
  if (standing === undefined)
    return { answer: `Here you talk with the agent **${agent.id}**; no sub-agent has this conversation.` };
  const run = await readOwnRun(record.key, parts.store.read);
  const name = run === undefined ? "The sub-agent" : boldRun(run);
  const isAtWork = run !== undefined && isUnfinished(run);
  const isThread = standing.kind === "thread";
  return {
    answer: isThread
      ? `This thread is free again: ${name} no longer gets its messages; they go to the agent.`
      : `Here you talk with the agent again.${isAtWork ? ` ${name} goes on: \`/tree\` shows it, \`/kill\` stops it.` : ""}`,
    effect: buildBindEffect(
      { address, binding: null, bindingId: standing.id, timers: [], endTimers: listBindingTimerIds(standing.id) },
      parts,
    ),
  };
}
