import type { PermissionChoice, PermissionRequest, PermissionVerdict, ToolCall } from "@banyan/plugin-sdk";

const CHOICES: readonly PermissionChoice[] = [
  { id: "allow", label: "Allow", isAllowing: true },
  { id: "deny", label: "Deny", isAllowing: false },
];

/** What a person is asked before a tool runs. The arguments are the agent's, and stand there as they are. */
export function buildToolRequest(agentId: string, { ordinal, name, args }: ToolCall): PermissionRequest {
  const shown = JSON.stringify(args, null, 2) ?? "nothing";
  // Longer than any row of them in the text, so that nothing in it ends the block.
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([row]) => row.length));
  const fence = "`".repeat(longest + 1);
  return {
    // The call itself is in it: an answer is to this one, and not to another of the same place.
    id: `tool|${ordinal}|${name}|${JSON.stringify(args)}`,
    text: `**${agentId}** wants to use \`${name}\`:\n${fence}json\n${shown}\n${fence}`,
    choices: CHOICES,
  };
}

/** Why a call is refused, as its agent reads it; `undefined` where it was allowed. */
export function formatRefusal(verdict: PermissionVerdict): string | undefined {
  if (verdict.kind === "chosen")
    return verdict.choice.isAllowing ? undefined : "the person who was asked said no; do not try it another way.";
  switch (verdict.why) {
    case "nobody":
      return "it needs a person's approval, and there is no one here to ask; continue without it.";
    case "timeout":
      return "it needs a person's approval, and no one answered in time; say in your answer what it was for.";
    case "stopped":
      return "the turn was stopped before anybody answered.";
    case "unfit":
      return "it needs a person's word, and a call this large cannot be shown to anybody as a whole; make it smaller.";
  }
}
