import { parseAddress } from "@banyan/plugin-sdk";
import type { NewBinding } from "@banyan/store";
import { buildBindingTimers, listBindingTimerIds } from "../../bindings/binding-timer.ts";
import type { Command, CommandContext, CommandDecision } from "../../commands/command.ts";
import { isUnfinished, type RunRecord } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { buildBindEffect } from "./bind-effect.ts";
import { SUBAGENT_FACES } from "./command-faces.ts";
import { unquoteTarget } from "./command-target.ts";
import { chooseRun, explainUnreachable, NO_RUNS, readDirectedRuns } from "./directed-runs.ts";
import { readOwnRun } from "./own-run.ts";
import { boldRun, describeState, formatRunRows } from "./run-rows.ts";
import { findStandingBinding } from "./standing-binding.ts";

/**
 * `/focus`: what is written here goes to a sub-agent from now on. Only to one below the session that the conversation has:
 * whoever may command here reaches that one anyhow. A child's own thread stays the child's.
 */
export function createFocusCommand(parts: SubagentParts): Command {
  return {
    ...SUBAGENT_FACES.focus,
    decide: (context) => decideFocus(context, parts),
  };
}

async function decideFocus(context: CommandContext, parts: SubagentParts): Promise<CommandDecision> {
  const { rest, now } = context;
  const standing = await findStandingBinding(context, parts);
  if (standing?.kind === "thread")
    return { answer: "This thread belongs to its sub-agent, and what is written here goes to it already." };
  const directed = await readDirectedRuns(context, parts);
  const target = unquoteTarget(rest);
  const here = standing === undefined ? "" : await describeFocus(context, parts);
  if (directed.runs.length === 0) return { answer: here === "" ? NO_RUNS : `${here} It has no sub-agents.` };
  if (target === "")
    return { answer: [`${here} With which one? \`/focus 1\``.trim(), formatRunRows(directed.runs, now)].join("\n") };
  const chosen = chooseRun(directed, target, now);
  if (chosen.kind === "none") return { answer: [here, chosen.answer].join("\n").trim() };
  const { run } = chosen;
  const unreachable = await explainUnreachable(run, parts.store.read);
  if (unreachable !== undefined) return { answer: unreachable };
  const binding = buildFocus(run, context, parts);
  return {
    answer: tellFocus(run, context),
    effect: buildBindEffect(
      {
        address: context.address,
        binding,
        timers: buildBindingTimers(binding.id, binding),
        endTimers: standing === undefined ? [] : listBindingTimerIds(standing.id),
      },
      parts,
    ),
  };
}

/** One id for one command, so that it binds once however often it is decided. */
function buildFocus(
  { childSessionKey }: RunRecord,
  { seq, address }: CommandContext,
  { getThreadRules }: SubagentParts,
): NewBinding {
  const { idleMs, maxAgeMs } = getThreadRules(address);
  return {
    id: `focus|${seq}`,
    address,
    sessionKey: childSessionKey,
    kind: "focus",
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  };
}

function tellFocus(run: RunRecord, { address, now, agent, record }: CommandContext): string {
  const isShared = parseAddress(address).kind !== "dm";
  const who = isShared ? "Everybody here now talks" : "You now talk";
  const state = isUnfinished(run) ? "it gets your message when its present turn is over" : describeState(run, now);
  return [
    `${who} with ${boldRun(run)} (${state}). Commands mean it, too: \`/stop\` stops it, \`/new\` resets its conversation.`,
    `\`/unfocus\` leads back${record.entry.spawnedBy === undefined ? ` to the agent **${agent.id}**` : ""}.`,
  ].join("\n");
}

/** Of a conversation that is turned to a sub-agent already. */
async function describeFocus({ record, now }: CommandContext, { store }: SubagentParts): Promise<string> {
  const run = await readOwnRun(record.key, store.read);
  const name = run === undefined ? "a sub-agent" : `${boldRun(run)} (${describeState(run, now)})`;
  return `Here you talk with ${name}; \`/unfocus\` leads back.`;
}
