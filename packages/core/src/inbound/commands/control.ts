import { parseAddress } from "@banyan/plugin-sdk";
import { type Command, type CommandContext, countOf, isRunning } from "../../commands/command.ts";

const help: Command = {
  name: "help",
  aliases: ["start"],
  usage: "/help",
  summary: "what I can do here",
  decide: ({ commands, agent }) => ({
    answer: [
      `You talk with the agent **${agent.id}**. Write in plain words, or use a command:`,
      "",
      ...commands.map((command) => `- \`${command.usage}\` ${command.summary}`),
    ].join("\n"),
  }),
};

const status: Command = {
  name: "status",
  usage: "/status",
  summary: "this conversation: agent, state, size",
  async decide(context) {
    const { unsettledDeliveries } = await context.read.counts();
    return { answer: formatStatus(context, unsettledDeliveries) };
  },
};

const begin: Command = {
  name: "new",
  aliases: ["reset"],
  usage: "/new [text]",
  summary: "begin a new conversation (also /reset); text becomes its first message",
  takesMessage: true,
  stopsTurn: true,
  parameters: [{ name: "text", summary: "its first message", isRequired: false, kind: "text" }],
  decide(context) {
    const stopped = isRunning(context) ? " The running answer was stopped." : "";
    // The command's own message waits after it and does not count.
    const waiting = context.lane.waiting - (context.hasFollowUp ? 1 : 0);
    const queued =
      waiting > 0 ? ` ${countOf(waiting, "message that waited goes", "messages that waited go")} on in it.` : "";
    const begun = isSubagent(context)
      ? "A new conversation with this sub-agent begins; the old one is kept, and `/unfocus` leads back to the agent."
      : "A new conversation begins; the old one is kept.";
    return { answer: `${begun}${stopped}${queued}`, stops: true, resets: true };
  },
};

const stop: Command = {
  name: "stop",
  usage: "/stop",
  summary: "stop the current response",
  stopsTurn: true,
  readsSubagents: true,
  decide(context) {
    const { waiting } = context.lane;
    const queued =
      waiting > 0 ? ` ${countOf(waiting, "message still waits", "messages still wait")} and will be answered.` : "";
    const { subagents = 0 } = context;
    if (!isRunning(context)) {
      const none = subagents === 0 ? "Nothing is running." : `No answer to stop.${formatStillRunning(subagents)}`;
      return { answer: `${none}${queued}` };
    }
    // What a sub-agent has spawned ends with its run.
    const others = isSubagent(context) ? "" : formatStillRunning(subagents);
    return { answer: `Stopped. What was said so far is kept.${others}${queued}`, stops: true };
  },
};

const whoami: Command = {
  name: "whoami",
  usage: "/whoami",
  summary: "your id here and the session you talk in",
  decide({ body, address, record }) {
    const place = parseAddress(address);
    const person = record.entry.userId;
    return {
      answer: [
        `You are \`${body.sender.id}\` on ${place.channel} (account ${place.account}).`,
        `Session: \`${record.key}\``,
        ...(person === undefined || person.includes(":") ? [] : [`Linked as: ${person}`]),
      ].join("\n"),
    };
  },
};

/** The commands about the conversation itself. */
export const CONTROL_COMMANDS: readonly Command[] = [help, status, begin, stop, whoami];

/** Whether the command was sent in a sub-agent's thread, or in a chat that is focused on a sub-agent. */
function isSubagent({ record }: CommandContext): boolean {
  return record.entry.spawnedBy !== undefined;
}

/** Sub-agents continue when an answer is stopped, so the text says how many there are and how to stop them. */
function formatStillRunning(count: number): string {
  if (count === 0) return "";
  const how = count === 1 ? "`/kill all` stops it" : "`/kill <name>` stops one, `/kill all` stops all of them";
  return ` ${countOf(count, "sub-agent is", "sub-agents are")} still running: ${how}.`;
}

function formatStatus(context: CommandContext, undelivered: number): string {
  const { record, lane, agent, now } = context;
  const { entry } = record;
  const state = isRunning(context) ? "working on an answer" : "idle";
  const tokens = entry.totalTokens === undefined ? "" : ` · ${entry.totalTokens} tokens`;
  const cost = entry.estimatedCostUsd === undefined ? "" : ` · $${entry.estimatedCostUsd.toFixed(4)}`;
  return [
    `${isSubagent(context) ? "A sub-agent of" : "Agent"} **${agent.id}** (${agent.runtime}), ${state}${lane.waiting > 0 ? `, ${lane.waiting} waiting` : ""}.`,
    `Session \`${record.key}\``,
    `Since ${formatAge(now - (entry.sessionStartedAt ?? now))} · ${countOf(entry.messageCount ?? 0, "message", "messages")}${tokens}${cost}`,
    ...(undelivered > 0 ? [`${countOf(undelivered, "delivery is", "deliveries are")} not settled yet.`] : []),
  ].join("\n");
}

function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
