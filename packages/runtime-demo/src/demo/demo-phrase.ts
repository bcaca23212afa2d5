import type { SessionSpec } from "@banyan/plugin-sdk";
import { NEST_LIMIT_LEVELS, SLOW_LIMIT_SECONDS } from "./demo-command.ts";

export const GREETING: string =
  "Hello! I am Banyan's built-in agent: a small program, not a language model. " +
  "I show that messages, files, tools and sub-agents work, without a key and without a network.\n\n";

export const SUGGESTIONS: string = ["Try one of these:", "- count words in docs", "- calc 2 * (3 + 4)", "- help"].join(
  "\n",
);

export const NOT_UNDERSTOOD: string = `I'm the demo agent and know only a few commands.\n\n${SUGGESTIONS}`;

export const HELP: string = [
  "I am Banyan's built-in program, not a language model. I know these sentences:",
  "- count words in <dir>: counts the words of the text files there, for example count words in docs",
  "- count words in it: counts those of the file that you sent, with the same message or before it",
  "- send <file>: sends you a file of the workspace, for example send README.md",
  "- compare <a> <b>: which of two files or folders has more words, for example compare docs README.md",
  "- calc <expression>: + - * / % ^ and parentheses, for example calc 2 * (3 + 4)",
  `- slow <seconds>: ticks once a second, up to ${SLOW_LIMIT_SECONDS}; without a number it ticks 10 times`,
  `- nest <levels>: a sub-agent that starts a sub-agent, and so on, up to ${NEST_LIMIT_LEVELS}, if maxSpawnDepth allows it (default 2)`,
  "- fail: ends with an error, to see how that looks",
  "- status: where you are talking to me, and what I may use",
  "- help: this list",
  "Counting, slow and fail run in sub-agents. Prefix work to run them here: work slow 10.",
  "/stop ends what I do.",
].join("\n");

export const FAILURE = "I was asked to fail, so I did; nothing is broken. Say help for what else I can do.";

/** Names no path: groups read it too. */
export function formatStatus(spec: SessionSpec, attempt: number): string {
  const tools = spec.tools.map(({ name }) => name).join(", ");
  return [
    `Agent ${spec.agentId}: the built-in program, not a language model; no tokens are used.`,
    `Session: ${spec.sessionKey}`,
    `Tools: ${tools === "" ? "none" : tools}`,
    ...(attempt > 1 ? [`This is attempt ${attempt}: an earlier one was cut off.`] : []),
  ].join("\n");
}

export function formatCount(count: number, singular: string): string {
  return `${count.toLocaleString("en-US")} ${singular}${count === 1 ? "" : "s"}`;
}
